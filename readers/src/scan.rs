//! Small scanners that several stages use. None panics; what lies outside a text is empty.

/// How many ASCII digits `bytes` begins with.
pub(crate) fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The place from `at` on that is none of `set`.
pub(crate) fn skip(text: &str, at: usize, set: &str) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| set.as_bytes().contains(byte)).count()
}

/// Whether `text` begins with `start`, which is in lower case.
pub(crate) fn ascii_lower_starts(text: &str, start: &str) -> bool {
    text.as_bytes().get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
}

/// Where `needle`, which is in lower case, first stands in `text`.
pub(crate) fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let first = *needle.first()?;
    let mut from = 0;
    while let Some(at) = memchr::memchr2(first, first.to_ascii_uppercase(), text.get(from..)?) {
        let found = from + at;
        if text.get(found..found + needle.len())?.eq_ignore_ascii_case(needle) {
            return Some(found);
        }
        from = found + 1;
    }
    None
}
