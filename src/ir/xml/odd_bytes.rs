//! Search for bytes that are rare in XML: NUL and invalid UTF-8.

/// Returns the offsets of the first NUL and of the first invalid UTF-8 in the blocks before that of the NUL. Works in blocks,
/// so that the second search finds the bytes in the processor's cache.
pub(in crate::ir) fn odd_bytes(bytes: &[u8]) -> (Option<usize>, Option<usize>) {
    const BLOCK: usize = 1 << 16;
    let mut at = 0;
    let mut other = None;
    while at < bytes.len() {
        let block = &bytes[at..bytes.len().min(at + BLOCK)];
        if let Some(nul) = memchr::memchr(0, block) {
            return (Some(at + nul), other);
        }
        if simdutf8::basic::from_utf8(block).is_ok() {
            at += block.len();
            continue;
        }
        at += match std::str::from_utf8(block) {
            Ok(_) => block.len(),
            // The next block may complete the character.
            Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 && at + block.len() < bytes.len() => {
                error.valid_up_to()
            }
            Err(error) => {
                other = other.or(Some(at + error.valid_up_to()));
                error.valid_up_to() + error.error_len().unwrap_or(block.len() - error.valid_up_to())
            }
        };
    }
    (None, other)
}
