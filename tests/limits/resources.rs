//! The files that a glTF file refers to: each is read once, and all are bounded together before one is read.

use std::fs::File;

use rigy_batch::bake::Source;
use rigy_batch::base::diag::Diagnostic;
use rigy_batch::base::loader::{Location, MemoryLoader};
use serde_json::{Value, json};

use super::run_soon;
use crate::support::counting::{Counting, Reads};
use crate::support::skinned::skinned;
use crate::support::{Dir, published};

/// Reads `a.gltf`, whose vertices are in `a.bin`, with these further buffers and images. Returns its errors, and how often each file
/// was read.
fn read(buffers: &[Value], images: &[&str]) -> (Vec<Diagnostic>, Vec<(String, usize)>) {
    let made = skinned(8, 0.5);
    let mut json: Value = serde_json::from_str(&made.gltf("a.bin")).unwrap();
    json["buffers"]
        .as_array_mut()
        .unwrap()
        .extend_from_slice(buffers);
    json["images"] = images.iter().map(|uri| json!({"uri": uri})).collect();
    let mut files = MemoryLoader::default();
    files.files.insert("a.bin".into(), made.bin);
    files.files.insert("b.png".into(), vec![7; 40]);
    let reads = Reads::default();
    let loader = Counting {
        files,
        reads: reads.clone(),
    };
    let text = json.to_string();
    let read = Source::read(text.as_bytes(), &Location("a.gltf".into()), &loader);
    let reads = reads.lock().unwrap().clone().into_iter().collect();
    (read.err().unwrap_or_default(), reads)
}

#[test]
fn each_file_is_read_once_however_it_is_written() {
    let ways = ["a.bin", "./a.bin", "x/../a.bin", "%61.bin"];
    let buffers: Vec<Value> = (0..6000)
        .map(|n| json!({"uri": ways[n % 4], "byteLength": 4}))
        .collect();
    let (errors, reads) = read(&buffers, &["b.png", "./b.png", "b%2Epng", "a.bin", "b.png"]);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(reads, [("a.bin".to_owned(), 1), ("b.png".to_owned(), 1)]);
}

#[test]
fn buffers_that_state_too_much_together_are_refused_unread() {
    let buffers = vec![json!({"uri": "a.bin", "byteLength": 1 << 30}); 4];
    let (errors, reads) = read(&buffers, &[]);
    assert!(reads.is_empty(), "{reads:?}");
    assert!(
        errors[0]
            .message
            .contains("the limit is 4294967295 bytes together"),
        "{errors:?}"
    );
    // Buffers without data, which compressed views replace, do not count.
    let fallback = json!({"byteLength": 1u64 << 33, "extensions": {"EXT_meshopt_compression": {"fallback": true}}});
    assert!(read(&[fallback], &[]).0.is_empty());
}

/// The commands that read a file into memory, or do so with this option.
const COMMANDS: [&str; 7] = [
    "inspect FILE",
    "preview FILE -o a.png",
    "view FILE --no-open -o page",
    "diff FILE good.glb",
    "palette FILE",
    "bake FILE -o out",
    "bake FILE -o out --no-mmap --memory 256M",
];

#[test]
fn long_files_are_refused_together_by_every_command() {
    let dir = Dir::new();
    File::create(dir.path().join("big.bin"))
        .unwrap()
        .set_len(600 << 20)
        .unwrap();
    let made = skinned(8, 0.5);
    let with = |uris: &[String], len: u64| {
        let mut json: Value = serde_json::from_str(&made.gltf("a.bin")).unwrap();
        let buffers = json["buffers"].as_array_mut().unwrap();
        buffers.extend(
            uris.iter()
                .map(|uri| json!({"uri": uri, "byteLength": len})),
        );
        json.to_string()
    };
    dir.write("a.bin", &made.bin);
    dir.write("good.glb", made.glb());
    dir.write("many.gltf", with(&vec!["big.bin".into(); 16], 600 << 20));
    let ways: Vec<String> = (0..16).map(|n| "./".repeat(n) + "big.bin").collect();
    dir.write("ways.gltf", with(&ways, 36));
    let mut names = vec!["many.gltf", "ways.gltf"];
    if let Some(path) = published("cases/hostile/one-buffer-64-times.glb") {
        dir.write("handed.glb", std::fs::read(path).unwrap());
        names.push("handed.glb");
    }
    for name in names {
        for command in COMMANDS {
            let args = command.replace("FILE", name);
            let ran = dir.run(&args).exits(1);
            let said = ran.stdout() + &ran.stderr();
            assert!(
                said.contains("the limit is 4294967295 bytes together"),
                "{args}: {said}"
            );
        }
        // The input alone fails.
        let ran = dir.run(&format!(
            "bake {name} good.glb -o out --no-mmap --memory 256M"
        ));
        ran.exits(1);
        assert!(dir.path().join("out/good.glb").exists());
        dir.remove("out/good.glb");
    }
    let (printed, peak) = run_soon(&dir, "buffers", "bake many.gltf -o out --no-mmap", 1);
    assert!(printed.contains("bytes together"), "{printed}");
    assert!(peak < 256 << 20, "{peak} bytes");
}

#[test]
fn a_file_that_names_itself_often_is_read_once() {
    let mut made = skinned(8, 0.5);
    let mut json: Value = serde_json::from_str(&made.gltf("unused")).unwrap();
    made.bin.resize(2 << 20, 0);
    let own = json!({"uri": "self.glb", "byteLength": 16});
    let mut buffers = vec![json!({"byteLength": made.bin.len()})];
    buffers.extend(vec![own; 6000]);
    json["buffers"] = buffers.into();
    let dir = Dir::with(
        "self.glb",
        crate::support::glb(json.to_string().as_bytes(), Some(&made.bin)),
    );
    for options in ["", "--no-mmap --memory 256M"] {
        let (printed, peak) = run_soon(
            &dir,
            "itself",
            &format!("bake self.glb -o out {options}"),
            2,
        );
        assert!(
            printed.contains("\"status\":\"would_write\"") || !printed.contains("\"errors\":[{"),
            "{printed}"
        );
        assert!(peak < 256 << 20, "{peak} bytes");
    }
}
