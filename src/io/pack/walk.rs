//! Finding the entries of an archive by reading it through the crates `tar` and `zip`.

use std::io::{self, BufReader, Read, Seek};

use super::PackFormat;
use super::index::{Entry, Fault};
use super::names::{LONGEST_PATH, check_entry_path};

/// Returns the entries of an archive of `len` bytes, in the order of the file. They have no hashes.
///
/// # Errors
/// If it cannot be read, is cut or damaged, or if an entry is something other than a stored file with a plain path.
pub(super) fn walk(
    format: PackFormat,
    file: impl Read + Seek,
    len: u64,
) -> Result<Vec<Entry>, Fault> {
    let mut file = Watched {
        file,
        failure: None,
    };
    let found = match format {
        PackFormat::Tar => walk_tar(&mut file, len),
        PackFormat::Zip => walk_zip(&mut file),
    };
    let mut entries = match (found, file.failure) {
        (Ok(entries), _) => entries,
        (Err(_), Some(failure)) => return Err(Fault::Io(failure)),
        (Err(fault), None) => return Err(Fault::Content(fault)),
    };
    entries.sort_by_key(|entry| entry.offset);
    check_entries(&entries, len)?;
    Ok(entries)
}

/// A file with its first failure to be read. The crates for archives turn such a failure into one of their own.
struct Watched<F> {
    file: F,
    failure: Option<io::Error>,
}

impl<F: Read> Read for Watched<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer).map_err(|error| {
            let kind = error.kind();
            // A read that was interrupted is repeated.
            if kind != io::ErrorKind::Interrupted {
                self.failure.get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl<F: Seek> Seek for Watched<F> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Checks that entries have plain paths that differ, and lie in a file of `len` bytes one after another.
///
/// # Errors
/// The entry that does not, and why.
pub(super) fn check_entries(entries: &[Entry], len: u64) -> Result<(), String> {
    let mut free = 0;
    for entry in entries {
        let path = &entry.path;
        if let Err(fault) = check_entry_path(path) {
            return Err(format!("the entry `{path}` is refused: {fault}"));
        }
        if entry.offset < free {
            return Err(format!("the entry `{path}` overlaps another one"));
        }
        let end = entry.offset.checked_add(entry.bytes);
        free = end.filter(|end| *end <= len).ok_or_else(|| {
            format!("the entry `{path}` ends behind the end of the file: it is cut or damaged")
        })?;
    }
    let mut paths: Vec<&str> = entries.iter().map(|entry| &*entry.path).collect();
    paths.sort_unstable();
    match paths.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two entries have the path `{}`", pair[0])),
        None => Ok(()),
    }
}

fn walk_tar(mut file: impl Read + Seek, len: u64) -> Result<Vec<Entry>, String> {
    let failed = |error: io::Error| error.to_string();
    let mut entries = Vec::new();
    let mut end = 0;
    // The path of the next entry, if it is too long for a header.
    let mut long_path = None;
    let mut archive = tar::Archive::new(&mut file);
    // Raw: the crate would read paths of any length into memory.
    let all = archive.entries_with_seek().map_err(failed)?.raw(true);
    for entry in all {
        let mut entry = entry.map_err(failed)?;
        let kind = entry.header().entry_type();
        if kind == tar::EntryType::GNULongName && long_path.is_none() {
            long_path = Some(read_long_path(&mut entry)?);
            continue;
        }
        let path = match long_path.take() {
            Some(path) => path,
            None => entry.path_bytes().into_owned(),
        };
        let path = std::str::from_utf8(&path);
        let path = path.map_err(|_| "the path of an entry is not UTF-8")?;
        if kind != tar::EntryType::Regular {
            return Err(format!(
                "the entry `{path}` is no file, and packs have files only"
            ));
        }
        let (offset, bytes) = (entry.raw_file_position(), entry.size());
        end = bytes
            .checked_next_multiple_of(512)
            .and_then(|bytes| offset.checked_add(bytes))
            .filter(|end| *end <= len)
            .ok_or_else(|| format!("the entry `{path}` is cut"))?;
        entries.push(Entry {
            path: path.to_owned(),
            offset,
            bytes,
            sha256: None,
        });
    }
    // An archive that was cut between two entries has no zeros at its end.
    file.seek(io::SeekFrom::Start(end)).map_err(failed)?;
    let mut rest = 0;
    for byte in BufReader::new(file).bytes() {
        match byte.map_err(failed)? {
            0 => rest += 1,
            _ => return Err("it has other bytes behind its last entry".into()),
        }
    }
    match rest >= 1024 {
        true => Ok(entries),
        false => Err("its end is missing: it is cut".into()),
    }
}

/// Reads the path in an entry that holds that of the next one.
fn read_long_path(entry: &mut tar::Entry<'_, impl Read>) -> Result<Vec<u8>, String> {
    // A zero ends the path.
    let most = LONGEST_PATH as u64 + 1;
    if entry.size() > most {
        return Err(format!(
            "the path of an entry is longer than {LONGEST_PATH} bytes"
        ));
    }
    let mut path = Vec::new();
    let read = entry.take(most).read_to_end(&mut path);
    read.map_err(|error| error.to_string())?;
    path.pop_if(|last| *last == 0);
    Ok(path)
}

fn walk_zip(file: impl Read + Seek) -> Result<Vec<Entry>, String> {
    let failed = |error: zip::result::ZipError| error.to_string();
    let mut archive =
        zip::ZipArchive::new(BufReader::with_capacity(1 << 10, file)).map_err(failed)?;
    let mut entries = Vec::new();
    // Entries lie one after another from the beginning of the file to the directory, so that none is hidden, such as the first of two
    // with one path.
    let (begin, directory) = (archive.offset(), archive.central_directory_start());
    let mut headers: Vec<(u64, u64)> = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(failed)?;
        let path = std::str::from_utf8(entry.name_raw());
        let path = path.map_err(|_| "the path of an entry is not UTF-8")?;
        let is_stored = entry.compression() == zip::CompressionMethod::Stored
            && entry.size() == entry.compressed_size()
            && !entry.encrypted();
        if !is_stored {
            return Err(format!(
                "the entry `{path}` is compressed or encrypted; packs have stored entries only"
            ));
        }
        if !entry.is_file() || entry.is_symlink() {
            return Err(format!(
                "the entry `{path}` is no file, and packs have files only"
            ));
        }
        let offset = entry
            .data_start()
            .ok_or("an entry has no place in the file")?;
        let end = offset.saturating_add(entry.size());
        headers.push((entry.header_start(), end));
        entries.push(Entry {
            path: path.to_owned(),
            offset,
            bytes: entry.size(),
            sha256: None,
        });
    }
    headers.sort_unstable();
    let mut end = 0;
    for (start, next) in headers {
        if start != end {
            break;
        }
        end = next;
    }
    match begin == 0 && end == directory {
        true => Ok(entries),
        false => Err("it has bytes that belong to no entry, or two entries with one path".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use io::{Cursor, ErrorKind};

    /// A file whose bytes from a place on cannot be read.
    struct Broken(Cursor<Vec<u8>>, u64);

    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.position() >= self.1 {
                true => Err(ErrorKind::StaleNetworkFileHandle.into()),
                false => self.0.read(buffer),
            }
        }
    }

    impl Seek for Broken {
        fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn a_failure_to_read_is_no_damage() {
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(3);
        tar.append_data(&mut header, "a.glb", &b"abc"[..]).unwrap();
        let tar = tar.into_inner().unwrap();
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let stored = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored);
        zip.start_file("a.glb", stored).unwrap();
        io::Write::write_all(&mut zip, b"abc").unwrap();
        let zip = zip.finish().unwrap().into_inner();
        for (format, bytes) in [(PackFormat::Tar, tar), (PackFormat::Zip, zip)] {
            let len = bytes.len() as u64;
            let walked = |bytes, readable| walk(format, Broken(Cursor::new(bytes), readable), len);
            assert_eq!(walked(bytes.clone(), u64::MAX).ok().unwrap().len(), 1);
            let failed = walked(bytes.clone(), 0);
            let stale = |error: &io::Error| error.kind() == ErrorKind::StaleNetworkFileHandle;
            assert!(
                matches!(failed, Err(Fault::Io(error)) if stale(&error)),
                "{format:?}"
            );
            let damaged = walk(format, Cursor::new(vec![b'x'; 4096]), 4096);
            assert!(matches!(damaged, Err(Fault::Content(_))), "{format:?}");
        }
    }
}
