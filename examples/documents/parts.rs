//! Parts: documents that other documents import, with the contracts they keep.

use serde::Serialize;

use super::anchors::{self, Ids};
use super::files::Files;
use super::handwriting::Hand;
use super::model::{Import, Maybe, Pairs, Vec3};
use super::names::Naming;
use super::random::{Draw, Random};

/// The facts about a part that an importer needs.
#[derive(Clone)]
pub struct Part {
    path: String,
    tag: String,
    /// All anchors once mirroring is done.
    anchors: Vec<(String, Vec3)>,
    /// Some triples that make frames.
    frames: Vec<Ids>,
}

/// A part under the name it was imported by.
pub struct Imported {
    pub namespace: String,
    pub part: Part,
}

impl Imported {
    /// Three anchors for the `from` side, as they are written there; none if no frame can be written.
    pub fn attachment(&self, random: &mut Random) -> Option<(Ids, [Vec3; 3])> {
        let mut chosen = None;
        for _ in 0..random.below(6) {
            chosen = anchors::pick(random, &self.part.anchors).filter(|ids| self.can_write(ids));
        }
        let ids = match chosen {
            Some(ids) => ids,
            None => {
                let frames = &self.part.frames;
                let writable: Vec<&Ids> = frames.iter().filter(|ids| self.can_write(ids)).collect();
                if writable.is_empty() {
                    return None;
                }
                (*random.pick(&writable)).clone()
            }
        };
        let points = anchors::points(&self.part.anchors, &ids)?;
        Some((ids.map(|id| self.reference(random, id)), points))
    }

    /// References to the materials of the part, as far as they can be written: the namespace, a point, and the id.
    pub fn materials(&self, files: &Files) -> Vec<String> {
        if self.namespace.starts_with('=') || self.namespace.contains(['.', '$']) {
            return Vec::new();
        }
        let of_part = files
            .materials
            .iter()
            .filter(|(path, _)| *path == self.part.path);
        let ids = of_part.flat_map(|(_, ids)| ids);
        ids.map(|id| format!("{}.{id}", self.namespace)).collect()
    }

    /// A dot in the namespace would end it, and a dot in a bare id would begin one.
    fn can_write(&self, ids: &Ids) -> bool {
        !self.namespace.contains('.') || ids.iter().all(|id| !id.contains('.'))
    }

    fn reference(&self, random: &mut Random, id: String) -> String {
        let full = !self.namespace.contains('.') && random.chance(40);
        if full || id.contains('.') {
            format!("{}.{id}", self.namespace)
        } else {
            id
        }
    }
}

/// Imports a few parts: new ones, ones that another file imports, and the same one twice.
pub fn imports(
    random: &mut Random,
    naming: &Naming,
    depth: usize,
    files: &mut Files,
) -> (Pairs<Import>, Vec<Imported>) {
    let mut imports = Pairs(Vec::new());
    let mut parts: Vec<Imported> = Vec::new();
    for _ in 0..random.mostly_some((0, 3)) {
        let part = if !files.shelf.is_empty() && random.chance(35) {
            random.pick(&files.shelf).clone()
        } else {
            write_part(random, depth, files)
        };
        let namespace = loop {
            let namespace = naming.id(random);
            if parts.iter().all(|known| known.namespace != namespace) {
                break namespace;
            }
        };
        let source = files.reference(random, &part.path);
        let contract = contract(random, &part, files);
        let import = Import { source, contract };
        imports.0.push((namespace.clone(), import));
        parts.push(Imported { namespace, part });
    }
    (imports, parts)
}

/// A new part beside the file that is being written now.
fn write_part(random: &mut Random, depth: usize, files: &mut Files) -> Part {
    const SUFFIXES: [&str; 4] = [".part.yaml", ".yaml", ".yml", ".part"];
    let tag = (*random.pick(&["wheel", "lamp", "Claw", "half track", "pièce", "bolt"])).to_string();
    let directory = files.place(random);
    let suffix = *random.pick(&SUFFIXES);
    let path = files.reserve(&directory, &tag, suffix);
    let importer = std::mem::replace(&mut files.directory, directory);
    let drawn = super::draw(random, &super::PART, depth + 1, files);
    files.directory = importer;
    let text = super::text(random, &drawn.document, &path, files);
    files.written.push((path.clone(), text));
    let part = Part {
        path,
        tag,
        anchors: drawn.anchors,
        frames: drawn.frames,
    };
    files.shelf.push(part.clone());
    part
}

#[derive(Serialize)]
struct Contract {
    contract_version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    required_anchors: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required_frame3_sets: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame3_sets: Option<Pairs<Ids>>,
}

/// A contract that the part keeps, written into a file of its own; what `contract` says.
fn contract(random: &mut Random, part: &Part, files: &mut Files) -> Maybe<String> {
    match random.below(12) {
        0 => return Some(None),
        1 => return Some(Some(String::new())),
        2..7 => return None,
        _ => {}
    }
    let all: Vec<String> = part.anchors.iter().map(|(id, _)| id.clone()).collect();
    let sets = frame_sets(random, &all);
    let names: Vec<String> = sets.0.iter().map(|(name, _)| name.clone()).collect();
    let required = some_of(random, &names);
    let contract = Contract {
        contract_version: (*random.pick(&["0.1", "1", "draft", "2024-02-29", ""])).into(),
        required_anchors: some_of(random, &all),
        frame3_sets: (required.is_some() || random.chance(50)).then_some(sets),
        required_frame3_sets: required,
    };
    let text = Hand::draw(random).write(random, &contract);
    let directory = files.place(random);
    let path = files.reserve(&directory, &part.tag, ".ricy.yaml");
    let reference = files.reference(random, &path);
    files.written.push((path, text));
    Some(Some(reference))
}

/// Named sets of three anchors each; a contract does not ask whether they make a frame.
fn frame_sets(random: &mut Random, anchors: &[String]) -> Pairs<Ids> {
    let mut sets: Pairs<Ids> = Pairs::default();
    if anchors.is_empty() {
        return sets;
    }
    for name in ["mount", "tip.1", "été"] {
        if random.chance(50) {
            let set = [(); 3].map(|()| random.pick(anchors).clone());
            sets.0.push((name.into(), set));
        }
    }
    sets
}

fn some_of(random: &mut Random, list: &[String]) -> Option<Vec<String>> {
    if random.chance(25) {
        return None;
    }
    let chosen = list.iter().filter(|_| random.chance(60)).cloned();
    Some(chosen.collect())
}
