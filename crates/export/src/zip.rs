//! ZIP archives whose parts are stored and not compressed, so that their bytes depend on no compressor.

use std::io::{self, ErrorKind, Write};

/// Writes an archive of parts with these names.
pub fn write(
    parts: impl IntoIterator<Item = (String, Vec<u8>)>,
    out: &mut impl Write,
) -> io::Result<()> {
    let (mut count, mut len, mut directory) = (0u16, 0, Vec::new());
    let number = |number: usize| (number as u32).to_le_bytes();
    for (name, part) in parts {
        let (part_len, name_len) = (number(part.len()), number(name.len()));
        let numbers = [
            crc32fast::hash(&part).to_le_bytes(),
            part_len,
            part_len,
            name_len,
        ];
        // Version 2.0, no flags, stored, at the beginning of 1980.
        let entry = [b"\x14\0\0\0\0\0\0\0\x21\0", numbers.as_flattened()].concat();
        let (at, name) = (number(len), name.as_bytes());
        let place = [b"\0\0\0\0\0\0\0\0\0\0", &at[..], name].concat();
        directory.extend([b"PK\x01\x02\x14\0", &*entry, &place].concat());
        let head = [b"PK\x03\x04", &*entry, name].concat();
        out.write_all(&head)?;
        out.write_all(&part)?;
        len += head.len() + part.len();
        count += 1;
    }
    if u32::try_from(len).is_err() {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let ends = [number(directory.len()), number(len)];
    out.write_all(&directory)?;
    out.write_all(b"PK\x05\x06\0\0\0\0")?;
    out.write_all([count.to_le_bytes(); 2].as_flattened())?;
    out.write_all(ends.as_flattened())?;
    out.write_all(&[0; 2])
}
