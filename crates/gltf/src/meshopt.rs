//! Decoding buffer views of `EXT_meshopt_compression` and `KHR_meshopt_compression`.
//!
//! In: the compressed bytes of one view and the encoding that its JSON declares. Out: `count · stride` bytes. The
//! decoder follows the specification of `KHR_meshopt_compression`, Appendix A (bitstreams) and B (filters), cited
//! below; streams of version 0 are those of the older extension. Memory is allocated only after a check that the
//! compressed bytes are enough for that many elements.

mod attributes;
mod encoding;
mod indices;
mod input;

pub use encoding::COMPRESSIONS;
use encoding::Mode;
pub use encoding::{Encoding, compression, encoding, is_fallback};
pub use input::Malformed;
use input::{ENDS_EARLY, WRONG_HEADER};

/// Decodes the elements of a view whose encoding has been checked.
pub fn decode(data: &[u8], encoding: &Encoding) -> Result<Vec<u8>, Malformed> {
    let &header = data.first().ok_or(Malformed {
        offset: 0,
        message: ENDS_EARLY,
    })?;
    let kind = header & 0xf0;
    let version = header & 0x0f;
    let known = match encoding.mode {
        Mode::Attributes => kind == 0xa0 && version <= 1,
        Mode::Triangles => header == 0xe1,
        Mode::Indices => header == 0xd1,
    };
    let malformed = |message| Malformed { offset: 0, message };
    if !known {
        return Err(malformed(WRONG_HEADER));
    }
    if least_len(encoding, version) > data.len() as u64 {
        return Err(malformed(
            "the compressed data are too short for that many elements",
        ));
    }
    // The check of the length limits the count, and the budget of decoded bytes in `buffers` limits the product to what a
    // machine can address.
    let count = encoding.count as usize;
    let stride = encoding.stride as usize;
    let len = count * stride;
    let mut elements = Vec::new();
    elements
        .try_reserve_exact(len)
        .map_err(|_| malformed("the decoded elements do not fit this machine's memory"))?;
    elements.resize(len, 0);
    match encoding.mode {
        Mode::Attributes => attributes::decode(data, version, stride, &mut elements)?,
        Mode::Triangles => indices::decode_triangles(data, stride, &mut elements)?,
        Mode::Indices => indices::decode_sequence(data, stride, &mut elements)?,
    }
    attributes::filter(encoding.filter, stride, &mut elements);
    Ok(elements)
}

/// The fewest bytes into which the elements can be compressed.
fn least_len(encoding: &Encoding, version: u8) -> u64 {
    match encoding.mode {
        Mode::Attributes => attributes::least_len(encoding.count, encoding.stride, version),
        Mode::Triangles => indices::least_triangles_len(encoding.count),
        Mode::Indices => indices::least_sequence_len(encoding.count),
    }
}

#[cfg(test)]
mod tests;
