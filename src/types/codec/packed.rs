//! Types whose elements share bytes: `u1`, `u2`, `u3`, `u4`, `u6`, `i4`, `nf4` and `f4e2m1`.
//!
//! - `u1`: eight elements to a byte, the first in the highest bit.
//! - `u2` and the types of four bits: four or two elements to a byte, the first in the lowest bits.
//! - `u3`, `u6`: eight or four elements to a block of three bytes. The low bits of all elements (2 bits of a `u3`, 4 of a
//!   `u6`) fill the first two bytes, the other 1 or 2 bits the third. In each byte the first element is in the highest bits.
//!
//! Unpacked, every code takes one byte.

use super::super::ElementType;
use super::block;

use ElementType as T;

/// The code of one element; `None` past the last one.
pub(crate) fn code(ty: ElementType, bytes: &[u8], index: usize) -> Option<u8> {
    let (elements, size) = block(ty);
    let start = (index / elements).checked_mul(size)?;
    let mut codes = [0; 8];
    unpack_blocks(ty, bytes.get(start..)?.get(..size)?, codes.get_mut(..elements)?);
    codes.get(index % elements).copied()
}

/// Unpacks whole blocks.
fn unpack_blocks(ty: ElementType, bytes: &[u8], codes: &mut [u8]) {
    match ty {
        T::U1 => unpack_bytes::<8>(bytes, codes, |byte, i| byte >> (7 - i) & 0x1),
        T::U2 => unpack_bytes::<4>(bytes, codes, |byte, i| byte >> (2 * i) & 0x3),
        T::U3 => unpack_planes::<8>(bytes, codes),
        T::U6 => unpack_planes::<4>(bytes, codes),
        _ => unpack_bytes::<2>(bytes, codes, |byte, i| byte >> (4 * i) & 0xF),
    }
}

/// Packs the codes of whole blocks.
fn pack_blocks(ty: ElementType, codes: &[u8], bytes: &mut [u8]) {
    match ty {
        T::U1 => pack_bytes(codes, bytes, |codes| u64::from_be_bytes(*codes)),
        T::U2 => pack_bytes(codes, bytes, |codes| u32::from_le_bytes(*codes).into()),
        T::U3 => pack_planes::<8>(codes, bytes),
        T::U6 => pack_planes::<4>(codes, bytes),
        _ => pack_bytes(codes, bytes, |codes| u16::from_le_bytes(*codes).into()),
    }
}

fn unpack_bytes<const COUNT: usize>(bytes: &[u8], codes: &mut [u8], take: impl Fn(u8, usize) -> u8) {
    for (byte, codes) in bytes.iter().zip(codes.as_chunks_mut::<COUNT>().0) {
        for (i, code) in codes.iter_mut().enumerate() {
            *code = take(*byte, i);
        }
    }
}

/// Packs `COUNT` codes into each byte. `word` puts codes into an integer, one per byte, in the order that the type needs. The
/// compiler vectorizes this form.
fn pack_bytes<const COUNT: usize>(codes: &[u8], bytes: &mut [u8], word: impl Fn(&[u8; COUNT]) -> u64) {
    let unused = 8 - 8 / COUNT;
    for (codes, byte) in codes.as_chunks::<COUNT>().0.iter().zip(bytes) {
        let word = word(codes);
        [*byte, ..] = (0..COUNT).fold(0, |packed, i| packed | word >> (unused * i)).to_le_bytes();
    }
}

/// Unpacks blocks of `u3` (eight elements) or `u6` (four): the first two bytes hold the low bits, the third the high bits.
fn unpack_planes<const COUNT: usize>(bytes: &[u8], codes: &mut [u8]) {
    let (low_bits, high_bits) = (16 / COUNT, 8 / COUNT);
    for (block, codes) in bytes.as_chunks::<3>().0.iter().zip(codes.as_chunks_mut::<COUNT>().0) {
        for (i, code) in codes.iter_mut().enumerate() {
            let low = block[i * 2 / COUNT] >> (8 - low_bits * (i % (COUNT / 2) + 1)) & ((1 << low_bits) - 1);
            let high = block[2] >> (8 - high_bits * (i + 1)) & ((1 << high_bits) - 1);
            *code = high << low_bits | low;
        }
    }
}

fn pack_planes<const COUNT: usize>(codes: &[u8], bytes: &mut [u8]) {
    let (low_bits, high_bits) = (16 / COUNT, 8 / COUNT);
    for (codes, block) in codes.as_chunks::<COUNT>().0.iter().zip(bytes.as_chunks_mut::<3>().0) {
        *block = [0; 3];
        for (i, code) in codes.iter().enumerate() {
            let low = code & ((1 << low_bits) - 1);
            block[i * 2 / COUNT] |= low << (8 - low_bits * (i % (COUNT / 2) + 1));
            block[2] |= code >> low_bits << (8 - high_bits * (i + 1));
        }
    }
}

/// Unpacks the elements from `start` on.
pub(crate) fn unpack(ty: ElementType, bytes: &[u8], start: usize, codes: &mut [u8]) {
    let (elements, size) = block(ty);
    let (mut codes, mut next) = (codes, &bytes[start / elements * size..]);
    let skipped = start % elements;
    if skipped > 0 {
        let mut first = [0; 8];
        let count = (elements - skipped).min(codes.len());
        unpack_blocks(ty, &next[..size], &mut first[..elements]);
        codes[..count].copy_from_slice(&first[skipped..skipped + count]);
        (codes, next) = (&mut codes[count..], &next[size..]);
    }
    let whole = codes.len() / elements;
    let (middle, rest) = codes.split_at_mut(whole * elements);
    unpack_blocks(ty, &next[..whole * size], middle);
    if !rest.is_empty() {
        let mut last = [0; 8];
        unpack_blocks(ty, &next[whole * size..], &mut last[..elements]);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Packs `codes` from element `start` on and keeps the elements before it.
///
/// In the block of the last code, the bits after it become 0. So elements must be written in ascending order.
pub(crate) fn pack(ty: ElementType, codes: &[u8], bytes: &mut [u8], start: usize) {
    let (elements, size) = block(ty);
    let (mut codes, mut next) = (codes, &mut bytes[start / elements * size..]);
    let skipped = start % elements;
    if skipped > 0 && !codes.is_empty() {
        let mut first = [0; 8];
        let count = (elements - skipped).min(codes.len());
        let (place, rest) = next.split_at_mut(size);
        unpack_blocks(ty, place, &mut first[..elements]);
        first[skipped..].fill(0);
        first[skipped..skipped + count].copy_from_slice(&codes[..count]);
        pack_blocks(ty, &first[..elements], place);
        (codes, next) = (&codes[count..], rest);
    }
    let whole = codes.len() / elements;
    let (middle, rest) = codes.split_at(whole * elements);
    pack_blocks(ty, middle, &mut next[..whole * size]);
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        pack_blocks(ty, &last[..elements], &mut next[whole * size..][..size]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKED: [ElementType; 8] = [T::U1, T::U2, T::U3, T::U4, T::U6, T::I4, T::Nf4, T::F4e2m1];

    fn codes(ty: ElementType, bytes: &[u8], count: usize) -> Vec<u8> {
        (0..count).map(|i| code(ty, bytes, i).unwrap()).collect()
    }

    #[test]
    fn blocks_are_those_of_openvino() {
        assert_eq!(codes(T::U1, &[0b1010_0001], 8), [1, 0, 1, 0, 0, 0, 0, 1]);
        assert_eq!(codes(T::U2, &[0b0001_1011], 4), [3, 2, 1, 0]);
        assert_eq!(codes(T::U3, &[0b0001_1011, 0b1110_0100, 0b1011_0001], 8), [4, 1, 6, 7, 3, 2, 1, 4]);
        assert_eq!(codes(T::U6, &[0x12, 0x34, 0b0001_1011], 4), [1, 18, 35, 52]);
        assert_eq!(codes(T::I4, &[0x1F, 0x80], 4), [15, 1, 0, 8]);
        assert_eq!(code(T::U6, &[0; 3], 4), None);
    }

    #[test]
    fn codes_come_back_from_any_place() {
        for ty in PACKED {
            let all: Vec<u8> = (0..40_u8).map(|i| i.wrapping_mul(37) & ((1 << ty.bits()) - 1)).collect();
            let bytes_of = |count: usize| usize::try_from(ty.storage(count as u64).unwrap()).unwrap();
            let mut bytes = vec![0xFF; bytes_of(40)];
            pack(ty, &all, &mut bytes, 0);
            assert_eq!(codes(ty, &bytes, 40), all, "{ty}");
            for start in 0..20 {
                for count in 0..=20 {
                    let mut some = vec![0; count];
                    unpack(ty, &bytes, start, &mut some);
                    assert_eq!(some, all[start..start + count], "{ty} {start} {count}");
                    let mut copied = vec![0xFF; bytes_of(8 + count)];
                    pack(ty, &all[..8], &mut copied, 0);
                    pack(ty, &some, &mut copied, 8);
                    assert_eq!(codes(ty, &copied, 8 + count), [&all[..8], &some[..]].concat(), "{ty} {start} {count}");
                    let padded = codes(ty, &copied, copied.len() / block(ty).1 * block(ty).0);
                    assert!(padded[8 + count..].iter().all(|code| *code == 0), "{ty} {start} {count}");
                }
            }
        }
    }
}
