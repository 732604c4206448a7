//! The search for bytes that are rare in XML: a NUL, up to which OpenVINO reads a file, and invalid UTF-8, which is reported.

/// Returns the offsets of the first NUL and of the first invalid UTF-8 in the blocks before that of the NUL. Works in blocks,
/// so that the second search finds the bytes in the processor's cache.
pub(in crate::ir) fn odd_bytes(bytes: &[u8]) -> (Option<usize>, Option<usize>) {
    const BLOCK: usize = 1 << 16;
    let mut at = 0;
    while at < bytes.len() {
        let block = &bytes[at..bytes.len().min(at + BLOCK)];
        if let Some(nul) = memchr::memchr(0, block) {
            return (Some(at + nul), None);
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
                let other = at + error.valid_up_to();
                return (memchr::memchr(0, &bytes[other..]).map(|nul| other + nul), Some(other));
            }
        };
    }
    (None, None)
}

#[cfg(test)]
mod tests {
    use super::odd_bytes;

    #[test]
    fn the_first_of_each_kind_is_found() {
        assert_eq!(odd_bytes(b"ab\xff\xffc\0d\0"), (Some(5), None));
        assert_eq!(odd_bytes(b"ab\xff\xffc"), (None, Some(2)));
        let mut bytes = vec![0xff; 1 << 17];
        assert_eq!(odd_bytes(&bytes), (None, Some(0)));
        bytes.push(0);
        assert_eq!(odd_bytes(&bytes), (Some(1 << 17), Some(0)));
        let mut split = vec![b'a'; (1 << 16) - 1];
        split.extend("é".bytes());
        assert_eq!(odd_bytes(&split), (None, None));
        split.push(0xff);
        assert_eq!(odd_bytes(&split), (None, Some((1 << 16) + 1)));
    }
}
