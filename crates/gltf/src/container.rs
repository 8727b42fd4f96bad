//! Splitting a file into its JSON text and its binary chunk (glTF 2.0 §4.4).

use super::problem::{Findings, Problem, Result};
use rigy_base::loader::git_lfs_pointer;

/// Most bytes of a file: 4 GiB − 1, or on machines with 32 bits what they can hold in one piece, 2 GiB − 1.
pub const MAX_LEN: u64 = if usize::BITS > 32 {
    u32::MAX as u64
} else {
    i32::MAX as u64
};

/// Longest JSON text that is parsed, in bytes.
pub const MAX_JSON_LEN: u64 = 256 << 20;

/// Chunk type `JSON`, as a little-endian word.
const JSON: u32 = 0x4e4f_534a;

/// Chunk type `BIN\0`, as a little-endian word.
const BIN: u32 = 0x004e_4942;

/// Length of the header of a `.glb` file in bytes.
const HEADER_LEN: u64 = 12;

/// Length of the header of a chunk in bytes.
const CHUNK_HEADER_LEN: u64 = 8;

/// The parts of a file.
pub struct Container<'a> {
    /// The JSON text.
    pub json: &'a str,
    /// Offset of the JSON text in the file, in bytes.
    pub json_offset: u64,
    /// The data of the binary chunk, padding included; `None` if there is no such chunk.
    pub bin: Option<&'a [u8]>,
}

/// One chunk of a `.glb` file.
struct Chunk<'a> {
    /// Chunk type.
    kind: u32,
    data: &'a [u8],
    /// Offset of the chunk's header in the file, in bytes.
    offset: u64,
}

/// A problem of the file as a whole, at a byte of it.
fn broken(offset: u64, message: impl Into<String>) -> Problem {
    Problem::structure(&"", message).at_byte(offset)
}

/// Splits a `.glb` or `.gltf` file; its first bytes tell which of the two it is.
///
/// # Errors
/// If it is neither, is cut off, has lengths that contradict each other, or its JSON text is longer than
/// [`MAX_JSON_LEN`] or not UTF-8.
pub fn split<'a>(bytes: &'a [u8], findings: &mut Findings) -> Result<Container<'a>> {
    let (json, json_offset, bin) = if bytes.starts_with(b"glTF") {
        let (json, bin) = chunks(bytes, findings)?;
        (json.data, json.offset + CHUNK_HEADER_LEN, bin)
    } else {
        if let Some(message) = git_lfs_pointer(bytes) {
            return Err(broken(0, message));
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes); // Readers may ignore a byte order mark.
        if !text.trim_ascii_start().starts_with(b"{") {
            let problem = broken(
                0,
                "the file is neither a GLB nor JSON: it begins with neither `glTF` nor `{`",
            );
            return Err(problem.help("export it as glTF 2.0, `.glb` or `.gltf`"));
        }
        (text, (bytes.len() - text.len()) as u64, None)
    };
    let len = json.len() as u64;
    if len > MAX_JSON_LEN {
        let problem = broken(
            json_offset,
            format!("the JSON text has {len} bytes; the limit is {MAX_JSON_LEN}"),
        );
        return Err(problem.help("keep binary data out of data URIs: write a `.glb`"));
    }
    let json = std::str::from_utf8(json).map_err(|error| {
        let at = json_offset + error.valid_up_to() as u64;
        broken(at, "the JSON text is not UTF-8")
    })?;
    Ok(Container {
        json,
        json_offset,
        bin,
    })
}

/// Returns how many bytes of a file are headers or JSON text, given its first 20 bytes and its length. A mapped file
/// can change while it is read, and the text is used as a `&str`, so these bytes must be copied first. A text that is
/// too long counts as empty, because it is refused unread.
pub fn text_len(start: &[u8], len: u64) -> u64 {
    let headers = HEADER_LEN + 2 * CHUNK_HEADER_LEN;
    let text = match (start.starts_with(b"glTF"), word(start, HEADER_LEN)) {
        (true, Some(text)) => u64::from(text),
        _ => len,
    };
    headers + if text > MAX_JSON_LEN { 0 } else { text }
}

/// The little-endian word at an offset; `None` beyond the end.
fn word(bytes: &[u8], at: u64) -> Option<u32> {
    let at = usize::try_from(at).ok()?;
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Checks the version and the length in the header of a `.glb` file.
fn header(bytes: &[u8]) -> Result<()> {
    let len = bytes.len() as u64;
    let (Some(version), Some(declared)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(broken(
            len,
            format!("the file ends in the header, after {len} of {HEADER_LEN} bytes"),
        ));
    };
    if version != 2 {
        return Err(broken(
            4,
            format!("the container has version {version}; only version 2 is read"),
        )
        .help("convert it to glTF 2.0"));
    }
    if u64::from(declared) != len {
        let what = if u64::from(declared) > len {
            "is cut off"
        } else {
            "goes on after its end"
        };
        return Err(broken(
            8,
            format!("the file {what}: its header says {declared} bytes, it has {len}"),
        )
        .help("copy or export it again"));
    }
    Ok(())
}

/// The JSON chunk, and the data of the binary chunk if there is one.
fn chunks<'a>(bytes: &'a [u8], findings: &mut Findings) -> Result<(Chunk<'a>, Option<&'a [u8]>)> {
    header(bytes)?;
    let mut at = HEADER_LEN;
    let json = chunk(bytes, &mut at, findings)?;
    if json.kind != JSON {
        return Err(broken(
            json.offset + 4,
            "the first chunk is not the JSON chunk",
        ));
    }
    let mut bin = None;
    let mut first = true;
    while at < bytes.len() as u64 {
        let next = chunk(bytes, &mut at, findings)?;
        match next.kind {
            BIN if first => bin = Some(next.data),
            BIN | JSON => {
                return Err(broken(
                    next.offset + 4,
                    "a JSON or BIN chunk where the format has none: JSON is the first, BIN the second",
                ));
            }
            // §4.4.3: chunks of other types are to be ignored.
            kind => findings.warn(broken(
                next.offset,
                format!("a chunk of unknown type {kind:#010x} is left out"),
            )),
        }
        first = false;
    }
    Ok((json, bin))
}

/// Reads the chunk at the offset `at`, and advances `at` to the end of the chunk.
fn chunk<'a>(bytes: &'a [u8], at: &mut u64, findings: &mut Findings) -> Result<Chunk<'a>> {
    let offset = *at;
    let (Some(len), Some(kind)) = (word(bytes, offset), word(bytes, offset + 4)) else {
        return Err(broken(offset, "the file ends in the header of a chunk"));
    };
    let begin = offset + CHUNK_HEADER_LEN;
    let end = begin + u64::from(len);
    if end > bytes.len() as u64 {
        let left = bytes.len() as u64 - begin;
        return Err(broken(
            offset,
            format!("a chunk of {len} bytes, where the file has {left} left"),
        ));
    }
    if len % 4 != 0 {
        // All clients expect the next chunk where this one ends, even if that is not aligned.
        findings.warn(broken(
            offset,
            format!("a chunk's length is {len}, no multiple of 4"),
        ));
    }
    *at = end;
    let data = &bytes[begin as usize..end as usize];
    Ok(Chunk { kind, data, offset })
}
