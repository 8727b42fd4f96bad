use super::*;
use crate::io::stamp::stamp_of;
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
    assert_eq!(bytes.trace.unwrap().stamp, stamp_of(&path).unwrap());
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

#[test]
fn a_file_is_read_whole_whatever_its_metadata_say_of_its_length() {
    for len in [0, 1, 4095, 4096, 70_000] {
        let (_dir, path) = file(len);
        for expected in [0, 1, len.saturating_sub(1), len, len + 1, 2 * len] {
            let mut buffer = vec![9; 3];
            let mut handle = system::open(&path).unwrap();
            read_to_end(&mut handle, expected, u64::MAX, &mut buffer).unwrap();
            assert_eq!(buffer, vec![7; len], "{len} {expected}");
            let mut handle = system::open(&path).unwrap();
            let most = expected as u64 + 1;
            read_to_end(&mut handle, expected, most, &mut buffer).unwrap();
            assert_eq!(buffer.len() as u64, most.min(len as u64));
        }
    }
}

#[test]
#[cfg(unix)]
fn without_proc_the_path_of_an_open_file_is_resolved_again() {
    let (dir, path) = file(10);
    let root = dir.path().canonicalize().unwrap();
    let (stamp, inner) = (stamp_of(&path).unwrap(), root.join("inner"));
    assert!(resolves_below(&path, &stamp, &root).unwrap());
    fs::create_dir(&inner).unwrap();
    assert!(!resolves_below(&path, &stamp, &inner).unwrap(), "outside");
    let link = inner.join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(!resolves_below(&link, &stamp, &inner).unwrap(), "outside");
    assert!(resolves_below(&link, &stamp, &root).unwrap());
    fs::write(inner.join("other"), "").unwrap();
    let other = resolves_below(&inner.join("other"), &stamp, &root);
    assert!(!other.unwrap(), "another file");
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_ends_before_its_stated_length_is_refused() {
    // Files in sysfs state the length of a page.
    let path = Path::new("/sys/devices/system/cpu/online");
    let Ok(there) = fs::metadata(path) else {
        return eprintln!("skipped: this system has no sysfs");
    };
    let shown = fs::read(path).unwrap();
    assert!((shown.len() as u64) < there.len());
    let error = read_file(path, u64::MAX, &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), changed().to_string());
    // Those in proc state none.
    let mut version = Vec::new();
    read_file(Path::new("/proc/version"), u64::MAX, &mut version).unwrap();
    assert!(!version.is_empty());
}

#[test]
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn a_file_that_cannot_be_mapped_is_to_be_read() {
    // No system maps a file that is open for writing only, as some file systems map none.
    let (_dir, path) = file(LEN);
    let handle = system::open_to_append(&path).unwrap();
    assert!(Map::new(&handle, LEN as u64, 0).unwrap().is_none());
}
