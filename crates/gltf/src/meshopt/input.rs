//! The compressed bytes.

/// The error that a stream cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Malformed {
    /// Offset of the error in the compressed data, in bytes.
    pub offset: usize,
    pub message: &'static str,
}

pub const ENDS_EARLY: &str = "the compressed data end too early";
const LEFT_OVER: &str = "the compressed data go on after the last element";
pub const WRONG_HEADER: &str =
    "the compressed data begin with no header of this mode and a known version";

/// The compressed bytes before the tail, read from front to back.
pub struct Input<'a> {
    data: &'a [u8],
    /// Offset of the next byte.
    at: usize,
    /// Offset of the tail.
    end: usize,
}

impl<'a> Input<'a> {
    /// Makes an input of the bytes between the header byte and a tail of `tail_len` bytes.
    pub fn between(data: &'a [u8], tail_len: usize) -> Result<Self, Malformed> {
        match data.len().checked_sub(tail_len) {
            Some(end) if end >= 1 => Ok(Self { data, at: 1, end }),
            _ => Err(Malformed {
                offset: data.len(),
                message: ENDS_EARLY,
            }),
        }
    }

    /// An error at the next byte.
    pub fn malformed(&self, message: &'static str) -> Malformed {
        let offset = self.at;
        Malformed { offset, message }
    }

    /// Reads the next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        if len > self.end - self.at {
            return Err(self.malformed(ENDS_EARLY));
        }
        let taken = &self.data[self.at..self.at + len];
        self.at += len;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    /// Reads an unsigned LEB128 integer of at most five bytes; bits beyond 32 are ignored.
    pub fn varint(&mut self) -> Result<u32, Malformed> {
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
    pub fn finished(&self) -> Result<(), Malformed> {
        if self.at == self.end {
            Ok(())
        } else {
            Err(self.malformed(LEFT_OVER))
        }
    }
}
