//! Bytes to text: byte order marks, UTF-8, UTF-16, GBK by plausibility, and whatever label the caller gives.

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::error::ReadError;

/// How much of an input the guesses look at.
const SAMPLE: usize = 64 * 1024;

/// The text of `bytes`. `label` overrides every guess, but not a byte order mark.
pub(crate) fn decode(name: &str, bytes: &[u8], label: Option<&str>) -> Result<String, ReadError> {
    let (encoding, mark) = encoding(name, bytes, label)?;
    let (text, _) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
    Ok(text.into_owned())
}

/// The encoding of a text of which `bytes` is the beginning, and how long its byte order mark is.
pub(crate) fn encoding(name: &str, bytes: &[u8], label: Option<&str>) -> Result<(&'static Encoding, usize), ReadError> {
    let marked = Encoding::for_bom(bytes);
    if let Some(label) = label {
        let encoding = Encoding::for_label(label.as_bytes())
            .ok_or_else(|| ReadError::UnknownEncoding { label: label.to_owned() })?;
        return Ok(marked.unwrap_or((encoding, 0)));
    }
    if let Some(marked) = marked {
        return Ok(marked);
    }
    if let Some(encoding) = utf16_by_zeros(bytes) {
        return Ok((encoding, 0));
    }
    if let Some(looks_like) = binary(bytes) {
        return Err(ReadError::NotText { name: name.to_owned(), looks_like });
    }
    Ok((if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { guess(bytes) }, 0))
}

/// UTF-16 without a mark: in text that is mostly ASCII every second byte is zero.
fn utf16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..bytes.len().min(SAMPLE))?;
    if sample.len() < 4 {
        return None;
    }
    let (mut even, mut odd) = (0, 0);
    for pair in sample.chunks_exact(2) {
        even += usize::from(pair.first() == Some(&0));
        odd += usize::from(pair.get(1) == Some(&0));
    }
    let pairs = sample.len() / 2;
    let many = |count: usize| count * 10 >= pairs * 4;
    let few = |count: usize| count * 50 <= pairs;
    if many(odd) && few(even) {
        Some(UTF_16LE)
    } else if many(even) && few(odd) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// First bytes of files that people attach by mistake.
const SIGNATURES: [(&[u8], &str); 12] = [
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"%PDF", "a PDF document"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a WebP picture, a sound or a film"),
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
    (b"GGUF", "a model"),
];

fn binary(bytes: &[u8]) -> Option<&'static str> {
    let control = |&&byte: &&u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1b | 0x08 | 0x0c);
    let sample = bytes.get(..bytes.len().min(SAMPLE)).unwrap_or_default();
    let controls = sample.iter().filter(control).count();
    for (signature, name) in SIGNATURES {
        // "RIFF", "MZ" and the like may begin a text, so a control byte must speak against it.
        if bytes.starts_with(signature) && controls > 0 {
            return Some(name);
        }
    }
    // A stray NUL or bell is damage that cleaning removes; one byte in ten is not.
    (controls * 10 > sample.len()).then_some("binary data")
}

/// Bytes that are no UTF-8: damaged UTF-8, GBK, or a Western code page.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let (valid, invalid) = utf8_balance(bytes);
    if invalid * 8 > valid {
        let (text, had_errors) = GB18030.decode_without_bom_handling(bytes);
        if !had_errors && plausible_chinese(&text) {
            return GB18030;
        }
        if valid == 0 {
            return WINDOWS_1252;
        }
    }
    UTF_8
}

/// Valid sequences of several bytes, and bytes that belong to none.
fn utf8_balance(bytes: &[u8]) -> (usize, usize) {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().bytes().filter(|byte| *byte >= 0xc0).count();
        invalid += chunk.invalid().len();
    }
    // A sequence cut off at the end speaks for UTF-8.
    (valid, invalid)
}

/// Whether most of what is not ASCII is Han, its punctuation, full-width forms, box drawing or kana.
fn plausible_chinese(text: &str) -> bool {
    let (mut plausible, mut foreign) = (0usize, 0usize);
    for symbol in text.chars().filter(|symbol| !symbol.is_ascii()) {
        match symbol {
            '\u{4e00}'..='\u{9fff}' | '\u{3000}'..='\u{30ff}' | '\u{ff00}'..='\u{ffef}' | '\u{2500}'..='\u{25ff}' => {
                plausible += 1;
            }
            '\u{2018}'..='\u{201d}' | '\u{2026}' | '\u{2014}' => {}
            _ => foreign += 1,
        }
    }
    plausible > 0 && plausible >= foreign * 4
}
