use super::*;
use std::fs;

fn file(len: usize) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("big.bin");
    fs::write(&path, vec![7; len]).unwrap();
    (dir, path)
}

const LEN: usize = MAP_THRESHOLD as usize + 5000;

fn read(mapped: &MappedFiles, path: &Path, text_len: TextLen) -> Bytes {
    let bytes = mapped.read_or_map(path, 1 << 30, Some(text_len), None);
    bytes.unwrap()
}

#[test]
fn a_map_of_an_unchanged_file_passes_the_check() {
    let (_dir, path) = file(LEN);
    let mapped = MappedFiles::default();
    let bytes = read(&mapped, &path, |_, _| 100);
    assert_eq!(bytes.as_ref(), vec![7; LEN]);
    mapped.check().unwrap();
    assert_eq!(bytes.trace.unwrap().stamp, Stamp::of(&path).unwrap());
}

#[test]
#[cfg(unix)]
fn a_truncated_map_gives_zeros_and_is_noticed() {
    let (_dir, path) = file(LEN);
    let mapped = MappedFiles::default();
    let bytes = read(&mapped, &path, |_, _| 5000);
    let kept = fs::OpenOptions::new().write(true).open(&path).unwrap();
    kept.set_len(100).unwrap();
    let bytes = bytes.as_ref();
    assert_eq!(bytes[..5000], [7; 5000], "text is not mapped");
    assert_eq!(bytes[LEN - 1], 0);
    assert_eq!(bytes[8192..].iter().max(), Some(&0));
    let error = mapped.check().unwrap_err().to_string();
    assert!(error.contains("changed while it was being read"), "{error}");
    assert!(error.contains("big.bin"), "{error}");
}

#[test]
fn every_change_of_a_mapped_file_is_noticed() {
    type Change = fn(&Path);
    let changes: [Change; 5] = [
        |path| {
            use std::io::Write;
            let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
            file.write_all(b"more").unwrap();
        },
        |path| fs::write(path, vec![8; LEN]).unwrap(),
        |path| {
            fs::write(path, "").unwrap();
            fs::write(path, vec![7; LEN]).unwrap();
        },
        |path| fs::remove_file(path).unwrap(),
        |path| {
            let other = path.with_extension("new");
            fs::write(&other, vec![7; LEN]).unwrap();
            fs::rename(other, path).unwrap();
        },
    ];
    for change in changes {
        let (_dir, path) = file(LEN);
        let mapped = MappedFiles::default();
        let bytes = read(&mapped, &path, |_, _| 0);
        change(&path);
        drop(bytes);
        assert!(cfg!(not(unix)) || mapped.check().is_err());
    }
}

#[test]
fn a_file_that_is_mostly_text_is_read() {
    let (_dir, path) = file(LEN);
    let mapped = MappedFiles::default();
    let bytes = read(&mapped, &path, |_, _| u64::MAX);
    fs::write(&path, "").unwrap();
    assert_eq!(bytes.as_ref(), vec![7; LEN]);
    mapped.check().unwrap();
}
