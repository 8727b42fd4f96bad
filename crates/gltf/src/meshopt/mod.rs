//! Decoding buffer views of `EXT_meshopt_compression` and `KHR_meshopt_compression`.
//!
//! In: the compressed bytes of one view and the encoding that its JSON declares. Out: `count · stride` bytes. The
//! decoder follows the specification of `KHR_meshopt_compression`, Appendix A (bitstreams) and B (filters), cited
//! below; streams of version 0 are those of the older extension. Memory is allocated only after a check that the
//! compressed bytes are enough for that many elements.

mod attributes;
mod indices;

use super::cursor::Cursor;
use super::problem::{Problem, quoted};

/// The encoding of a compressed view. [`Encoding::check`] defines the valid combinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding {
    pub mode: Mode,
    pub filter: Filter,
    /// Number of elements.
    pub count: u64,
    /// Length of an element in bytes.
    pub stride: u64,
}

/// The bitstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// The conversion of attributes after decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// The error that a stream cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(super) struct Malformed {
    /// Offset of the error in the compressed data, in bytes.
    pub offset: usize,
    pub message: &'static str,
}

const ENDS_EARLY: &str = "the compressed data end too early";
const LEFT_OVER: &str = "the compressed data go on after the last element";
const WRONG_HEADER: &str =
    "the compressed data begin with no header of this mode and a known version";

impl Encoding {
    /// Checks that mode, filter, count and stride are a valid combination ("Specifying compressed views").
    ///
    /// # Errors
    /// The message of the error.
    pub fn check(&self) -> Result<(), &'static str> {
        let Self {
            mode,
            filter,
            count,
            stride,
        } = *self;
        let fits = match mode {
            Mode::Attributes if stride % 4 != 0 || !(4..=256).contains(&stride) => {
                return Err("`byteStride` of attributes must be a multiple of 4 from 4 to 256");
            }
            Mode::Triangles if count % 3 != 0 => {
                return Err("`count` of triangles must be a multiple of 3");
            }
            Mode::Triangles | Mode::Indices if stride != 2 && stride != 4 => {
                return Err("`byteStride` of indices must be 2 or 4");
            }
            Mode::Triangles | Mode::Indices => filter == Filter::None,
            Mode::Attributes => match filter {
                Filter::None | Filter::Exponential => true,
                Filter::Octahedral | Filter::Color => stride == 4 || stride == 8,
                Filter::Quaternion => stride == 8,
            },
        };
        fits.then_some(())
            .ok_or("`filter` does not go with this `mode` and `byteStride`")
    }

    /// The fewest bytes into which the elements can be compressed.
    fn least_len(&self, version: u8) -> u64 {
        match self.mode {
            Mode::Attributes => attributes::least_len(self.count, self.stride, version),
            Mode::Triangles => indices::least_triangles_len(self.count),
            Mode::Indices => indices::least_sequence_len(self.count),
        }
    }
}

/// Decodes the elements of a view whose encoding has been checked.
pub(super) fn decode(data: &[u8], encoding: &Encoding) -> Result<Vec<u8>, Malformed> {
    let &header = data.first().ok_or(Malformed {
        offset: 0,
        message: ENDS_EARLY,
    })?;
    let (kind, version) = (header & 0xf0, header & 0x0f);
    let known = match encoding.mode {
        Mode::Attributes => kind == 0xa0 && version <= 1,
        Mode::Triangles => header == 0xe1,
        Mode::Indices => header == 0xd1,
    };
    let malformed = |message| Malformed { offset: 0, message };
    if !known {
        return Err(malformed(WRONG_HEADER));
    }
    if encoding.least_len(version) > data.len() as u64 {
        return Err(malformed(
            "the compressed data are too short for that many elements",
        ));
    }
    // The check of the length limits the count, and the budget of decoded bytes in `buffers` limits the product to what a
    // machine can address.
    let (count, stride) = (encoding.count as usize, encoding.stride as usize);
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

/// The compressed bytes before the tail, read from front to back.
struct Input<'a> {
    data: &'a [u8],
    /// Offset of the next byte.
    at: usize,
    /// Offset of the tail.
    end: usize,
}

impl<'a> Input<'a> {
    /// Makes an input of the bytes between the header byte and a tail of `tail_len` bytes.
    fn between(data: &'a [u8], tail_len: usize) -> Result<Self, Malformed> {
        match data.len().checked_sub(tail_len) {
            Some(end) if end >= 1 => Ok(Self { data, at: 1, end }),
            _ => Err(Malformed {
                offset: data.len(),
                message: ENDS_EARLY,
            }),
        }
    }

    /// An error at the next byte.
    fn malformed(&self, message: &'static str) -> Malformed {
        let offset = self.at;
        Malformed { offset, message }
    }

    /// Reads the next `len` bytes.
    fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        if len > self.end - self.at {
            return Err(self.malformed(ENDS_EARLY));
        }
        let taken = &self.data[self.at..self.at + len];
        self.at += len;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    /// Reads an unsigned LEB128 integer of at most five bytes; bits beyond 32 are ignored.
    fn varint(&mut self) -> Result<u32, Malformed> {
        let mut value = 0u32;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.malformed("an integer of more than five bytes"))
    }

    /// Checks that all bytes have been read.
    fn finished(&self) -> Result<(), Malformed> {
        if self.at == self.end {
            Ok(())
        } else {
            Err(self.malformed(LEFT_OVER))
        }
    }
}

/// Names of the extensions by which buffer views may be compressed; the second is the first with more modes and
/// filters.
pub const COMPRESSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The extension by which a view is compressed, given the view's extensions; `None` if it is not.
pub(super) fn compression<'s>(extensions: &'s Cursor<'_>) -> Option<Cursor<'s>> {
    let mut names = COMPRESSIONS.into_iter();
    names.find_map(|name| extensions.get(name))
}

/// True if a buffer is a fallback: its extension says that only compressed views refer to it.
pub(super) fn is_fallback(at: &Cursor<'_>) -> Result<bool, Problem> {
    let Some(extensions) = at.optional_object("extensions")? else {
        return Ok(false);
    };
    for name in COMPRESSIONS {
        if let Some(extension) = extensions.optional_object(name)?
            && extension.flag("fallback")?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the encoding of a compressed view from its extension.
pub(super) fn encoding(at: &Cursor<'_>) -> Result<Encoding, Problem> {
    let mode = match at.required("mode")?.value.as_str() {
        Some("ATTRIBUTES") => Mode::Attributes,
        Some("TRIANGLES") => Mode::Triangles,
        Some("INDICES") => Mode::Indices,
        _ => {
            return Err(at
                .required("mode")?
                .wrong_type("`ATTRIBUTES`, `TRIANGLES` or `INDICES`"));
        }
    };
    let filter = match at.text("filter")? {
        None | Some("NONE") => Filter::None,
        Some("OCTAHEDRAL") => Filter::Octahedral,
        Some("QUATERNION") => Filter::Quaternion,
        Some("EXPONENTIAL") => Filter::Exponential,
        Some("COLOR") => Filter::Color,
        Some(other) => {
            return Err(at.rule_in("filter", format!("{} is no known filter", quoted(other))));
        }
    };
    Ok(Encoding {
        mode,
        filter,
        count: at.required_integer("count")?,
        stride: at.required_integer("byteStride")?,
    })
}

#[cfg(test)]
mod tests;
