//! The workflow inside a PNG: its text chunks.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::error::ReadError;

/// The first bytes of every PNG.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// A packed text may unpack to no more bytes.
const MOST_UNPACKED: usize = 64 << 20;

/// Whether the bytes are those of a PNG.
pub(crate) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// The texts of the chunks that ComfyUI and its relatives write, each under its name.
///
/// Places in a PNG count in this text, since in the picture there are none to show.
pub(crate) fn text(name: &str, bytes: &[u8]) -> Result<String, ReadError> {
    let mut found = String::new();
    let mut rest = bytes.get(SIGNATURE.len()..).unwrap_or_default();
    while let Some((kind, data, behind)) = chunk(rest) {
        rest = behind;
        if let Some((keyword, text)) = entry(kind, data)
            && matches!(keyword.as_str(), "prompt" | "workflow" | "parameters")
        {
            found.push_str(&keyword);
            found.push('\n');
            found.push_str(text.trim_end());
            found.push('\n');
        }
    }
    if found.is_empty() { Err(ReadError::NoWorkflow { name: name.to_owned() }) } else { Ok(found) }
}

/// A chunk: its kind, its data, and what follows. The checksum is not looked at: a damaged picture may still tell.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = u32::from_be_bytes(*length) as usize;
    let (kind, rest) = rest.split_first_chunk::<4>()?;
    // A picture cut off in the midst of a chunk may hold most of the text.
    let (data, rest) = rest.split_at_checked(length).unwrap_or((rest, &[]));
    Some((kind, data, rest.get(4..).unwrap_or_default()))
}

fn entry(kind: &[u8], data: &[u8]) -> Option<(String, String)> {
    let (keyword, rest) = split_zero(data)?;
    let keyword = latin1(keyword);
    let text = match kind {
        b"tEXt" | b"comf" => either(rest),
        b"zTXt" => either(&unpack(rest.get(1..)?)?),
        b"iTXt" => {
            let packed = rest.first() == Some(&1);
            let (_, rest) = split_zero(rest.get(2..)?)?;
            let (_, text) = split_zero(rest)?;
            if packed { either(&unpack(text)?) } else { either(text) }
        }
        _ => return None,
    };
    Some((keyword, text))
}

fn split_zero(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(0, bytes)?;
    Some((bytes.get(..at)?, bytes.get(at + 1..)?))
}

fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    decompress_to_vec_zlib_with_limit(bytes, MOST_UNPACKED).ok()
}

/// Text chunks are Latin-1 by the standard and often UTF-8 in practice.
fn either(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| latin1(bytes), str::to_owned)
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
