//! The allocator of the command: the system's, with huge pages for large tables.
//!
//! A file of 100 MB fills tables of tens of megabytes once. With pages of 4 KiB that is ten thousand page faults, a tenth of
//! the time of a check.

#![allow(unsafe_code, reason = "an allocator and advice to the kernel are unsafe by nature")]

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator; on Linux it requests huge pages where they pay off.
pub(crate) struct HugePages;

/// The minimum size of a block for huge pages: one has 2 MiB, and all of it is resident once a byte is written.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

/// Lets freed blocks stay with the process until they are many. glibc returns the end of its heap and every block of more than
/// 128 KiB to the system at once, so that each of many models, and each part of a file, is read into new pages with a fault each.
/// A table that grows is copied more often instead, which a single model does not make up for.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn keep_freed_blocks() {
    // SAFETY: mallopt only stores numbers, before there is a second thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 4 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 64 << 20);
    }
}

/// Changes nothing.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn keep_freed_blocks() {}

// SAFETY: every call is passed on unchanged, and advice does not change the contents of memory.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        advised(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        advised(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised by the caller.
        advised(unsafe { System.realloc(block, layout, size) }, size)
    }
}

/// Returns the block, after requesting huge pages for it if it is large.
#[cfg(target_os = "linux")]
fn advised(block: *mut u8, size: usize) -> *mut u8 {
    const PAGE: usize = 4096;
    if size >= LARGE && !block.is_null() {
        // Advise whole pages, from the start of the first to the end of the last: a mapping that is split cannot grow in place.
        let before = block.addr() % PAGE;
        let length = (before + size).next_multiple_of(PAGE);
        // SAFETY: these are the pages of a block that was just allocated. The kernel may ignore the advice.
        unsafe { libc::madvise(block.wrapping_sub(before).cast(), length, libc::MADV_HUGEPAGE) };
    }
    block
}

#[cfg(not(target_os = "linux"))]
fn advised(block: *mut u8, _size: usize) -> *mut u8 {
    block
}
