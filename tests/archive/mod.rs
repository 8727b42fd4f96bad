//! `-o FILE.tar`: the same bytes every time, the entries that single files would be, whole or absent.

mod entries;
#[cfg(unix)]
mod kills;
mod refused;

use crate::documents::{self, Size};
use crate::support::{Dir, document};

/// Generated documents in some folders, and one that is broken.
pub fn inputs(count: u64) -> Dir {
    let dir = Dir::new();
    let folders = ["in", "in/b", "in/b-c", "in/b/c", "in/b c", "in/é"];
    for index in 0..count {
        let generated = documents::document(11, index, Size::Small);
        let folder = folders[index as usize % folders.len()];
        let stem = documents::stem(index);
        dir.write(&format!("{folder}/{stem}.rigy.yaml"), generated.yaml);
        for (name, text) in generated.files {
            dir.write(&format!("{folder}/{name}"), text);
        }
    }
    dir.write("in/b/broken.rigy.yaml", "version: [");
    // A path of more than 100 bytes has a header of its own.
    for (folder, name) in [("d", "f"), ("ü", "é")] {
        let long = format!("in/{}/{}.rigy.yaml", folder.repeat(60), name.repeat(60));
        dir.write(&long, document("p"));
    }
    dir
}

pub fn one() -> Dir {
    Dir::with("in/a.rigy.yaml", document("p"))
}

pub fn below(dir: &Dir, folder: &str) -> Vec<(String, Vec<u8>)> {
    let tree = dir.tree().into_iter();
    let start = format!("{folder}/");
    tree.filter_map(|(name, bytes)| Some((name.strip_prefix(&start)?.to_owned(), bytes)))
        .collect()
}

/// The entries of a tar file in their order. It must be whole, and have nothing else.
pub fn entries(tar: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut entries = Vec::new();
    let (mut at, mut long) = (0, None);
    while tar[at..].len() > 1024 {
        let header = &tar[at..at + 512];
        let text = |from: usize, len: usize| {
            let field = header[from..from + len].split(|byte| *byte == 0).next();
            String::from_utf8_lossy(field.unwrap()).into_owned()
        };
        let constants = [(100, 8), (108, 8), (116, 8), (136, 12), (265, 64)];
        let constants = constants.map(|(from, len)| text(from, len));
        assert_eq!(
            constants,
            ["0000644", "0000000", "0000000", "00000000000", ""]
        );
        let len = usize::from_str_radix(&text(124, 11), 8).unwrap();
        let data = &tar[at + 512..at + 512 + len];
        match header[156] {
            b'x' => {
                let record = String::from_utf8(data.to_vec()).unwrap();
                let (_, path) = record.split_once(" path=").unwrap();
                long = Some(path.trim_end_matches('\n').to_owned());
            }
            _ => entries.push((long.take().unwrap_or(text(0, 100)), data.to_vec())),
        }
        at += 512 + len.next_multiple_of(512);
    }
    assert!(tar[at..] == [0; 1024]);
    entries
}
