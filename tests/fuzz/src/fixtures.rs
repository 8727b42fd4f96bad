//! The project's own fixtures: documents and scenes, valid ones and others, with the files that they refer to; and
//! generated ones of 0.6 to 0.13.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::archive::{Archive, SCENE};
use rigy_documents::{self as generator, Generated};

/// Directory of the fixtures; nothing is read from anywhere else.
const DIRECTORIES: [&str; 2] = ["inputs", "invalid"];

/// End of the file names of documents; the files that they refer to end otherwise.
const SUFFIX: &str = ".rigy.yaml";

/// Longest fixture that is used, in bytes; the longer ones test lengths.
const LONGEST: usize = 12_000;

/// How many documents, and how many scenes, are generated.
const GENERATED: u64 = 60;

type Tree = BTreeMap<String, Vec<u8>>;

pub type Named = Vec<(String, Vec<u8>)>;

pub fn documents() -> &'static Named {
    static DOCUMENTS: OnceLock<Named> = OnceLock::new();
    DOCUMENTS.get_or_init(find_documents)
}

/// Documents that refer to other files, with these.
pub fn archives() -> &'static Named {
    static ARCHIVES: OnceLock<Named> = OnceLock::new();
    ARCHIVES.get_or_init(|| find_archives(SUFFIX, generator::extended_document))
}

pub fn scenes() -> &'static Named {
    static SCENES: OnceLock<Named> = OnceLock::new();
    SCENES.get_or_init(|| find_archives(SCENE, generator::scene))
}

/// All of them, each with the files that it refers to.
pub fn texts() -> &'static Named {
    static TEXTS: OnceLock<Named> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let alone = documents().iter().map(|(name, text)| {
            let files = vec![(name.clone(), text.clone())];
            (name.clone(), Archive { files }.join())
        });
        let others = archives().iter().chain(scenes()).cloned();
        alone.chain(others).collect()
    })
}

fn find_documents() -> Named {
    let files = trees().iter().flatten();
    let documents = files.filter(|(name, _)| name.ends_with(SUFFIX));
    let documents = documents.map(|(name, text)| (name.clone(), text.clone()));
    let generated = generated(SUFFIX, generator::extended_document).filter(|a| a.files.len() == 1);
    let generated = generated.flat_map(|archive| archive.files);
    documents.chain(generated).collect()
}

/// Fixtures whose names end with `suffix` and that refer to other files; and those of a generated series that do.
fn find_archives(suffix: &str, series: fn(u64, u64) -> Generated) -> Named {
    let mut archives = Vec::new();
    for tree in trees() {
        for name in tree.keys().filter(|name| name.ends_with(suffix)) {
            let files = with_references(tree, name);
            if files.len() > 1 || refers(&tree[name]) {
                archives.push((format!("{name}.files"), Archive { files }.join()));
            }
        }
    }
    let generated = generated(suffix, series).filter(|archive| archive.files.len() > 1);
    archives.extend(generated.map(|archive| {
        let name = format!("{}.files", archive.files[0].0);
        (name, archive.join())
    }));
    archives
}

/// The first of a generated series, those that are not too long; the file names of documents or scenes end with `suffix`.
fn generated(suffix: &str, series: fn(u64, u64) -> Generated) -> impl Iterator<Item = Archive> {
    let archive = move |index| {
        let generated = series(23, index);
        let root = (format!("generated-{index}{suffix}"), generated.yaml);
        let files = std::iter::once(root).chain(generated.files);
        let files = files.map(|(name, text)| (name, text.into_bytes()));
        Archive {
            files: files.collect(),
        }
    };
    let archives = (0..GENERATED).map(archive);
    archives.filter(|archive| archive.join().len() <= LONGEST)
}

/// Every line of every fixture, once, without its indentation: the words and phrases of the language.
pub fn lines() -> &'static [String] {
    static LINES: OnceLock<Vec<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let texts = trees().iter().flat_map(|tree| tree.values());
        let texts = texts.map(|text| String::from_utf8_lossy(text));
        let mut lines: Vec<String> = texts
            .flat_map(|text| {
                text.lines()
                    .map(|line| line.trim().to_owned())
                    .collect::<Vec<_>>()
            })
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        lines.sort();
        lines.dedup();
        lines
    })
}

fn trees() -> &'static [Tree] {
    static TREES: OnceLock<Vec<Tree>> = OnceLock::new();
    TREES.get_or_init(|| {
        let conformance = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
        let tree = |directory| {
            let root = conformance.join(directory);
            let mut tree = Tree::new();
            gather(&root, &root, &mut tree);
            tree
        };
        DIRECTORIES.into_iter().map(tree).collect()
    })
}

fn gather(root: &Path, directory: &Path, tree: &mut Tree) {
    let entries = std::fs::read_dir(directory).expect("the fixtures stand beside the sources");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            gather(root, &path, tree);
            continue;
        }
        let text = std::fs::read(&path).expect("readable");
        let name = path.strip_prefix(root).expect("below it");
        let name = name.to_str().expect("fixtures have plain names");
        if text.len() <= LONGEST {
            tree.insert(name.replace('\\', "/"), text);
        }
    }
}

/// A document, then the files that it mentions, and those that they do.
fn with_references(tree: &Tree, name: &str) -> Vec<(String, Vec<u8>)> {
    let mut names = vec![name];
    let mut at = 0;
    while at < names.len() {
        let text = String::from_utf8_lossy(&tree[names[at]]);
        let directory = names[at]
            .rsplit_once('/')
            .map_or("", |(directory, _)| directory);
        for other in tree.keys() {
            let from_here = other.strip_prefix(directory).unwrap_or(other);
            let is_mentioned = text.contains(from_here.trim_start_matches('/'));
            if is_mentioned && !names.contains(&&**other) {
                names.push(other);
            }
        }
        at += 1;
    }
    let file = |name: &str| (name.to_owned(), tree[name].clone());
    names.into_iter().map(file).collect()
}

fn refers(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    ["source:", "contract:"]
        .iter()
        .any(|word| text.contains(word))
}
