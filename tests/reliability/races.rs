//! Inputs are truncated, appended to, rewritten and replaced while the program reads them: it never crashes, and every
//! output is that of inputs as they once were.
//!
//! `scripts/prove soak` runs this with more of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use rigy_batch::kernel::random::Random;

use crate::support::chance::{asked, chance, time, timed};
use crate::support::{Dir, program, skinned};

/// An input that changes during a run, in its two versions. Neither a shortened version nor one with bytes appended is
/// another valid file of its kind, unless it means the same.
struct Raced {
    name: &'static str,
    versions: [Vec<u8>; 2],
}

fn document(size: u32) -> String {
    format!(
        "{{version: \"0.5\", meshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: {size}}}}}]}}], \
         armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, \
         {{id: s, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}}]}}], \
         bindings: [{{mesh_id: m, armature_id: a, weights: [], skinning_solver: dqs, \
         weight_maps: [{{primitive_id: b, source: w.json}}]}}], \
         poses: [{{id: p, bones: {{s: {{rotation: [0.6, 0.8, 0, 0]}}}}}}], imports: {{part: {{source: part.yaml}}}}, \
         anchors: [{{id: o, translation: [5, 0, 0]}}, {{id: p, translation: [7, 0, 0]}}, \
         {{id: q, translation: [5, 2, 0]}}], \
         instances: [{{id: i, import: part, attach3: {{from: [a, b, c], to: [o, p, q], mode: uniform}}}}]}}"
    )
}

fn part(size: u32) -> String {
    format!(
        "{{version: \"0.5\", meshes: [{{id: cube, primitives: [{{type: box, id: b, dimensions: {{x: {size}}}}}]}}], \
         anchors: [{{id: a, translation: [0, 0, 0]}}, {{id: b, translation: [1, 0, 0]}}, \
         {{id: c, translation: [0, 1, 0]}}]}}"
    )
}

fn weights(bone: &str) -> String {
    let entry = |vertex: usize| {
        let vertex = vertex % 24;
        format!(
            "{{\"vertex\": {vertex}, \"bones\": [{{\"bone_id\": \"{bone}\", \"weight\": 0.5}}]}}"
        )
    };
    let entries: Vec<String> = (0..20_000).map(entry).collect();
    let entries = entries.join(",");
    format!("{{\"primitive_id\": \"b\", \"vertex_count\": 24, \"influences\": [{entries}]}}")
}

/// Vertices of the skinned files: both the file and its data are mapped.
const COUNT: usize = 50_000;

fn raced() -> Vec<Raced> {
    let both = |make: &dyn Fn(u32) -> Vec<u8>| [make(1), make(3)];
    let skinned = |size: u32| skinned::skinned(COUNT, size as f32);
    let bone = |size: u32| if size == 1 { "r" } else { "s" };
    let list = [
        ("doc.rigy.yaml", both(&|size| document(size).into_bytes())),
        ("part.yaml", both(&|size| part(size).into_bytes())),
        ("w.json", both(&|size| weights(bone(size)).into_bytes())),
        ("big.glb", both(&|size| skinned(size).glb())),
        ("data.bin", both(&|size| skinned(size).bin)),
    ];
    list.map(|(name, versions)| Raced { name, versions }).into()
}

fn start(dir: &Dir, bake: bool, force: bool) -> Child {
    let mut command = Command::new(program());
    command
        .current_dir(dir.path())
        .args(if bake { &["bake", "in"][..] } else { &["in"] })
        .args(["-o", "out", "-j", "2", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if force {
        command.arg("--force");
    }
    command.spawn().unwrap()
}

/// Versions of three inputs, of which one output can be made.
const CHOICES: usize = 8;

/// Every output for every version of every input.
fn allowed(dir: &Dir, list: &[Raced]) -> BTreeMap<String, BTreeSet<Vec<u8>>> {
    let mut allowed: BTreeMap<String, BTreeSet<Vec<u8>>> = BTreeMap::new();
    // No output is made from both a document and a glTF file, so that one choice serves for both.
    for choice in 0..CHOICES {
        for (index, raced) in list.iter().enumerate() {
            put(dir, raced, choice >> (index % 3) & 1);
        }
        for bake in [false, true] {
            let ended = start(dir, bake, false).wait_with_output().unwrap();
            let errors = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(0), "{errors}");
        }
        for (name, content) in outputs(dir) {
            allowed.entry(name).or_default().insert(content);
        }
    }
    allowed
}

fn outputs(dir: &Dir) -> Vec<(String, Vec<u8>)> {
    let out = dir.path().join("out");
    let Ok(entries) = fs::read_dir(out) else {
        return Vec::new();
    };
    let content = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert_ne!(name, ".rigy-batch", "left over");
        (name, fs::read(entry.path()).unwrap())
    };
    let entries = entries.map(Result::unwrap);
    let kept = entries.filter(|entry| !crate::support::is_cache(&entry.path()));
    kept.map(content).collect()
}

/// Writes a version, with a modification time long ago.
fn put(dir: &Dir, raced: &Raced, version: usize) {
    let path = dir.path().join("in").join(raced.name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, &raced.versions[version]).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(1000);
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
}

fn change(place: &Path, raced: &Raced, random: &mut Random) {
    let path = place.join(raced.name);
    let open = || File::options().write(true).open(&path).unwrap();
    let version = &raced.versions[random.below(2)];
    let some = random.below(version.len());
    match random.below(6) {
        0 => open().set_len(some as u64).unwrap(),
        1 => open().set_len(0).unwrap(),
        2 => {
            let mut file = File::options().append(true).open(&path).unwrap();
            file.write_all(&vec![b'x'; 1 + some % 5000]).unwrap();
        }
        3 => {
            let mut file = open();
            file.set_len(0).unwrap();
            for piece in version.chunks(1 + some) {
                file.write_all(piece).unwrap();
            }
        }
        4 => {
            let mut file = open();
            file.set_len(some as u64).unwrap();
            std::thread::sleep(time(random, Duration::from_millis(3)));
            file.set_len(0).unwrap();
            file.write_all(version).unwrap();
        }
        _ => {
            let other = place.join("other.tmp");
            fs::write(&other, version).unwrap();
            fs::rename(other, &path).unwrap();
        }
    }
}

#[test]
fn changes_of_inputs_crash_nothing_and_make_nothing_wrong() {
    let races = asked("RIGY_SOAK_RACES", 50);
    let dir = Dir::new();
    let split = skinned::skinned(COUNT, 0.0);
    let list = raced();
    // Its accessors have no bounds, so the program computes them.
    dir.write("in/split.gltf", split.gltf("data.bin"));
    let (allowed, length) = timed(|| allowed(&dir, &list));
    let counts = allowed.values().map(BTreeSet::len);
    let length = length / (2 * CHOICES as u32);
    // `big`, `doc`, `doc.p`, which has no parts in it, and `split`.
    assert_eq!(counts.collect::<Vec<_>>(), [2, 8, 4, 2]);

    let mut random = chance();
    let (mut raced, mut runs, mut failed, mut noticed) = (0, 0, 0, 0);
    while raced < races {
        runs += 1;
        let bake = random.below(2) == 0;
        for raced in &list {
            put(&dir, raced, random.below(2));
        }
        if random.below(4) == 0 {
            fs::remove_dir_all(dir.path().join("out")).unwrap();
        }
        let mut run = start(&dir, bake, random.below(2) == 0);
        let list = if bake { &list[3..] } else { &list[..3] };
        for _ in 0..3 {
            std::thread::sleep(time(&mut random, length.mul_f64(0.7)));
            let one = &list[random.below(list.len())];
            change(&dir.path().join("in"), one, &mut random);
            raced += usize::from(run.try_wait().unwrap().is_none());
        }
        let Output { status, stderr, .. } = run.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&stderr);
        assert!(matches!(status.code(), Some(0 | 1)), "{status}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        failed += usize::from(status.code() == Some(1));
        noticed += usize::from(stderr.contains("changed while it was being read"));
        for (name, content) in outputs(&dir) {
            assert!(allowed[&name].contains(&content), "wrong: {name}; {stderr}");
        }
    }
    // About every fifth change is noticed.
    assert!(races < 100 || noticed > 0, "no change was noticed");
    println!(
        "{raced} changes of inputs during {runs} runs ({length:?} undisturbed): {failed} runs failed an input, {noticed} \
         of them because it changed while it was being read; 0 crashes, 0 wrong outputs"
    );
}
