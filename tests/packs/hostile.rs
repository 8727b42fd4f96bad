//! Packs that somebody has made to do harm, and packs and indexes with random changes.

use std::io::{Cursor, Write};
use std::path::Path;

use rigy_batch::base::random::Random;
use rigy_batch::io::pack::{Pack, PackSet};

use super::one;
use crate::support::Dir;
use crate::support::chance::asked;

/// A tar file whose paths may be any, also such that the crate would refuse.
fn tar_of(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, kind, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        if *kind == tar::EntryType::Symlink {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip_of(entries: &[(&str, zip::CompressionMethod)], link: bool) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, method) in entries {
        let options = zip::write::SimpleFileOptions::default().compression_method(*method);
        match link {
            true => writer.add_symlink(*path, "/etc/passwd", options).unwrap(),
            false => {
                writer.start_file(*path, options).unwrap();
                writer.write_all(b"bytes").unwrap();
            }
        }
    }
    writer.finish().unwrap().into_inner()
}

/// A pack is refused as a whole, by a message with this word, and nothing is written.
fn refused(name: &str, pack: &[u8], word: &str) {
    let dir = Dir::new();
    dir.write(name, pack);
    let ran = dir.run(&["unpack", name, "-o", "files"]);
    assert_eq!(ran.status(), 1, "{word}: {}", ran.stdout());
    assert!(ran.stderr().contains(word), "{word}: {}", ran.stderr());
    assert_eq!(dir.files(), [name], "{word}");
}

#[test]
fn entries_that_lead_out_or_are_no_plain_files_are_refused() {
    use tar::EntryType::{Directory, GNUSparse, Link, Regular, Symlink};
    let good = ("good.glb", Regular, &b"good"[..]);
    for (path, kind, word) in [
        ("../out.glb", Regular, "`..`"),
        ("a/../../out.glb", Regular, "`..`"),
        ("/etc/out.glb", Regular, "absolute"),
        ("a//b.glb", Regular, "empty part"),
        ("./b.glb", Regular, "`.`"),
        ("link", Symlink, "no file"),
        ("link", Link, "no file"),
        ("folder", Directory, "no file"),
        ("sparse", GNUSparse, ""),
        ("good.glb", Regular, "two entries"),
        (".rigy-batch/cache", Regular, "keeps for itself"),
        ("a/.RIGY-BATCH/cache", Regular, "keeps for itself"),
    ] {
        refused("a.tar", &tar_of(&[good, (path, kind, b"")]), word);
    }
    let stored = zip::CompressionMethod::Stored;
    for (path, word) in [
        ("../out.glb", "`..`"),
        ("/out.glb", "absolute"),
        ("a/", "no file"),
        ("a/./b", "`.`"),
    ] {
        refused(
            "a.zip",
            &zip_of(&[("good.glb", stored), (path, stored)], false),
            word,
        );
    }
    refused("a.zip", &zip_of(&[("link", stored)], true), "no file");
    refused("a.zip", b"", "");
    refused("a.tar", b"", "cut");
    refused("a.tar", &[0; 1023], "");
}

#[test]
fn long_paths_are_not_read_and_other_extensions_are_refused() {
    use tar::EntryType::{GNULongName, Regular, XHeader};
    let long = |len: usize| vec![b'x'; len];
    let pack = |path: &[u8]| tar_of(&[("long", GNULongName, path), ("short", Regular, b"1")]);
    refused("a.tar", &pack(&long(4098)), "longer than 4096");
    refused("a.tar", &pack(&long(4097)), "longer than 4096");
    refused(
        "a.tar",
        &tar_of(&[("x", XHeader, b"11 path=y\n"), ("a", Regular, b"1")]),
        "no file",
    );
    let dir = Dir::new();
    let path = "x".repeat(200);
    dir.write("a.tar", pack(path.as_bytes()));
    assert_eq!(dir.run(&["unpack", "a.tar", "-o", "files"]).status(), 0);
    assert_eq!(dir.read(&format!("files/{path}")), b"1");
}

#[test]
fn a_zip_with_an_entry_that_its_directory_hides_is_refused() {
    let stored = zip::CompressionMethod::Stored;
    let mut pack = zip_of(
        &[("a.glb", stored), ("b.glb", stored), ("c.glb", stored)],
        false,
    );
    // The third entry takes the path of the first in both of its headers.
    for at in 0..pack.len() - 5 {
        if pack[at..].starts_with(b"c.glb") {
            pack[at] = b'a';
        }
    }
    refused("a.zip", &pack, "");
}

#[test]
fn a_pack_is_not_replaced_by_its_own_entries() {
    use tar::EntryType::Regular;
    let dir = Dir::new();
    let pack = tar_of(&[("p.index.jsonl", Regular, b"other")]);
    dir.write("p.tar", &pack);
    let ran = dir.run(&["unpack", "p.tar", "-o", "."]);
    assert_eq!(ran.status(), 1, "{}", ran.stdout());
    assert!(
        ran.stderr().contains("another directory"),
        "{}",
        ran.stderr()
    );
    assert_eq!(dir.files(), ["p.tar"]);
    assert_eq!(dir.run(&["unpack", "p.tar", "-o", "files"]).status(), 0);
}

#[test]
fn compressed_entries_are_refused() {
    // The method of the entry in both headers becomes deflate.
    let mut pack = zip_of(&[("a.glb", zip::CompressionMethod::Stored)], false);
    let central = pack
        .windows(4)
        .position(|four| four == b"PK\x01\x02")
        .unwrap();
    pack[8] = 8;
    pack[central + 10] = 8;
    refused("a.zip", &pack, "");
}

/// A pack with its index, and a list, which a run has made.
fn packed(format: &str) -> Dir {
    let dir = one();
    let ran = dir.run(&["in", "-o", "out", "--pack", format, "--pack-name", "p"]);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    dir
}

#[test]
fn an_index_that_differs_from_its_archive_is_refused() {
    for format in ["tar", "zip"] {
        let dir = packed(format);
        let index = "out/p-00000.index.jsonl";
        let text = String::from_utf8(dir.read(index)).unwrap();
        let entry = |key: &str| {
            let line: serde_json::Value =
                serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
            line[key].to_string()
        };
        let offset = |by: i64| {
            format!(
                "\"offset\":{}",
                entry("offset").parse::<i64>().unwrap() + by
            )
        };
        for (from, to) in [
            ("\"a.glb\"".to_owned(), "\"../a.glb\"".to_owned()),
            ("\"a.glb\"".to_owned(), "\"b.glb\"".to_owned()),
            ("\"a.glb\"".to_owned(), "\"a.p.glb\"".to_owned()),
            (offset(0), offset(1)),
            (offset(0), "\"offset\":18446744073709551615".to_owned()),
            (
                format!("\"bytes\":{}", entry("bytes")),
                "\"bytes\":18446744073709551615".to_owned(),
            ),
            ("\"version\":1".to_owned(), "\"version\":2".to_owned()),
            ("\"entries\":2".to_owned(), "\"entries\":3".to_owned()),
            ("p-00000".to_owned(), "q-00000".to_owned()),
        ] {
            assert!(text.contains(&from), "{from}: {text}");
            dir.write(index, text.replacen(&from, &to, 1));
            for path in ["out", &format!("out/p-00000.{format}")] {
                let ran = dir.run(&["unpack", path, "-o", "files"]);
                assert_eq!(ran.status(), 1, "{from} to {to}: {}", ran.stdout());
            }
        }
        assert!(!dir.path().join("files/a.glb").exists());
    }
}

/// Reads all there is to read.
fn read_all(path: &Path) -> usize {
    let Ok(set) = PackSet::open(path) else {
        return 0;
    };
    let mut read = 0;
    for place in set.packs() {
        let Ok(pack) = place.open() else { continue };
        let _ = (
            pack.check_archive(),
            pack.check_bytes(place.listed.as_ref()),
        );
        read += entries_of(&pack);
    }
    read
}

fn entries_of(pack: &Pack) -> usize {
    let entries = pack.entries().iter();
    entries.filter(|entry| pack.read(entry).is_ok()).count()
}

#[test]
fn random_changes_never_panic_and_never_give_other_bytes() {
    let rounds = asked("RIGY_SOAK_PACKS", 400);
    let mut random = Random::new(7);
    for format in ["tar", "zip"] {
        let dir = packed(format);
        let out = dir.path().join("out");
        assert_eq!(read_all(&out), 2);
        let names = [
            format!("p-00000.{format}"),
            "p-00000.index.jsonl".into(),
            "p.packs.json".into(),
        ];
        let originals = names
            .clone()
            .map(|name| std::fs::read(out.join(name)).unwrap());
        let mut unread = 0;
        for _ in 0..rounds {
            let which = random.below(3);
            let mut bytes = originals[which].clone();
            for _ in 0..=random.below(3) {
                change(&mut bytes, &mut random);
            }
            std::fs::write(out.join(&names[which]), &bytes).unwrap();
            unread += usize::from(read_all(&out) < 2);
            // The archive alone, which has nothing to be compared with.
            let alone = dir.path().join(format!("alone.{format}"));
            std::fs::write(&alone, if which == 0 { &bytes } else { &originals[0] }).unwrap();
            read_all(&alone);
            std::fs::write(out.join(&names[which]), &originals[which]).unwrap();
        }
        assert!(
            unread > rounds / 4,
            "{unread} of {rounds} changes were noticed"
        );
    }
}

/// Changes, removes or repeats some bytes.
fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at] = *b"0123456789/.\"\0\xff".get(random.below(15)).unwrap_or(&0),
        3 => {
            let end = (at + 1 + random.below(600)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => {
            let end = (at + 1 + random.below(600)).min(bytes.len());
            bytes.drain(at..end);
        }
    }
}
