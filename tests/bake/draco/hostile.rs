//! Extensions and streams with faults.

use std::ops::Range;

use rigy_batch::bake::gltf::read;
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::kernel::random::Random;
use serde_json::{Value, json};

use super::streams::{EDGEBREAKER, SEQUENTIAL, baked, compress, extension, refused};
use crate::bake::builder::{Made, arm};
use crate::support::{Dir, assert_contains, measured, published};

#[test]
fn a_fault_of_an_extension_is_told_at_its_place() {
    let broken = |change: &dyn Fn(&mut Made), expected: &str| {
        let mut made = arm();
        compress(&mut made, SEQUENTIAL);
        change(&mut made);
        let message = refused(&made);
        assert!(message.contains(expected), "{message}");
        assert!(message.contains("meshes[0].primitives[0]"), "{message}");
    };
    let position = |made: &mut Made, id: Value| extension(made)["attributes"]["POSITION"] = id;
    broken(
        &|made| extension(made)["bufferView"] = json!(99),
        "99 is beyond",
    );
    broken(
        &|made| extension(made)["bufferView"] = json!(0),
        "cannot be decoded",
    );
    broken(&|made| position(made, json!(77)), "no attribute with id 77");
    broken(&|made| position(made, json!(1u64 << 40)), "no id");
    broken(&|made| position(made, json!(-1)), "-1 is not an integer");
    broken(
        &|made| extension(made)["attributes"]["COLOR_3"] = json!(0),
        "no attribute of this name",
    );
    broken(
        &|made| made.json["meshes"][0]["primitives"][0]["mode"] = json!(5),
        "triangles only",
    );
    broken(
        &|made| {
            let position = made.attributes(0, 0)["POSITION"].as_u64().unwrap() as usize;
            made.json["accessors"][position]["type"] = json!("VEC4");
        },
        "3 components",
    );
    broken(
        &|made| {
            drop(
                extension(made)
                    .as_object_mut()
                    .unwrap()
                    .remove("attributes"),
            )
        },
        "`attributes` is missing",
    );
}

/// Reads a file after changes of up to four bytes in its stream, many times. Returns how many streams were decoded.
fn changed(glb: &[u8], stream: Range<usize>, rounds: usize) -> usize {
    let mut random = Random::new(19);
    let mut decoded = 0;
    for _ in 0..rounds {
        let mut bytes = glb.to_vec();
        for _ in 0..1 + random.below(4) {
            // Counts and methods stand at the beginning.
            let len = if random.below(3) == 0 {
                64.min(stream.len())
            } else {
                stream.len()
            };
            let at = stream.start + random.below(len);
            bytes[at] = match random.below(3) {
                0 => 0xff,
                1 => bytes[at] ^ (1 << random.below(8)),
                _ => random.bits() as u8,
            };
        }
        let location = Location("m.glb".into());
        match read(&bytes, &location, &MemoryLoader::default()) {
            Ok(_) => decoded += 1,
            Err(errors) => {
                for error in errors {
                    assert!(!error.message.contains("decoder fail"), "{}", error.message);
                }
            }
        }
    }
    decoded
}

#[test]
fn changed_streams_are_decoded_or_refused() {
    for method in [SEQUENTIAL, EDGEBREAKER] {
        let mut made = arm();
        compress(&mut made, method);
        let glb = made.glb();
        let decoded = changed(&glb, stream_of(&glb), 2000);
        assert!((20..1980).contains(&decoded), "{decoded}");
    }
    if let Some(path) = published("gltf-samples/compressed/Fox-draco.glb") {
        let glb = std::fs::read(path).unwrap();
        let decoded = changed(&glb, stream_of(&glb), 500);
        assert!((5..495).contains(&decoded), "{decoded}");
    }
}

fn stream_of(glb: &[u8]) -> Range<usize> {
    let start = glb
        .windows(5)
        .position(|window| window == b"DRACO")
        .unwrap();
    start..glb.len()
}

/// A number in groups of seven bits, the lowest first.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A stream with its vertices in order that claims these counts: its indices are compressed if `method` is 0, and one attribute of
/// three floats follows.
fn claim(faces: u64, vertices: u64, method: u8) -> Vec<u8> {
    let mut bytes = b"DRACO\x02\x02\x01\x00\x00\x00".to_vec();
    bytes.extend(varint(faces));
    bytes.extend(varint(vertices));
    bytes.push(method);
    if method == 1 {
        bytes.extend([0; 12].repeat(faces as usize));
    }
    bytes.extend([1, 1, 0, 9, 3, 0, 0, 0]);
    bytes.extend([0; 64]);
    bytes
}

#[test]
fn counts_that_no_data_support_are_refused_before_memory_is_taken() {
    let streams = [
        (claim(1, 1 << 31, 1), "over the caller's ceiling"),
        (claim(1, 1 << 40, 1), "over the caller's ceiling"),
        (claim(1 << 30, 3, 0), "cannot be decoded"),
        (claim(1 << 50, 3, 0), "cannot be decoded"),
        (claim(0, u64::MAX, 1), "cannot be decoded"),
    ];
    for (stream, expected) in streams {
        let mut made = arm();
        compress(&mut made, SEQUENTIAL);
        extension(&mut made)["bufferView"] = json!(made.view(&stream));
        let dir = Dir::with("made.glb", made.glb());
        let (text, took, peak) = measured(&dir, "bake made.glb");
        assert!(text.contains(expected), "{text}");
        assert!(took.as_secs() < 5, "{took:?}");
        assert!(peak < 200 << 20, "{peak} bytes");
    }
}

#[test]
fn values_that_are_not_numbers_are_refused() {
    let with = |u: f32| {
        let mut made = arm();
        let uv = made.attributes(0, 0)["TEXCOORD_0"].as_u64().unwrap() as usize;
        let view = made.json["accessors"][uv]["bufferView"].as_u64().unwrap() as usize;
        let begin = made.json["bufferViews"][view]["byteOffset"]
            .as_u64()
            .unwrap() as usize;
        let vertex = begin + 2 * 8;
        made.bin[vertex..vertex + 4].copy_from_slice(&u.to_le_bytes());
        compress(&mut made, SEQUENTIAL);
        made
    };
    for undefined in [f32::NAN, -f32::NAN] {
        let message = refused(&with(undefined));
        assert!(message.contains("is not a number at vertex 2"), "{message}");
    }
    // Infinity has the same bits on every machine.
    baked(&with(f32::INFINITY));
}

#[test]
fn a_stream_that_is_read_too_often_is_refused() {
    let mut made = arm();
    compress(&mut made, SEQUENTIAL);
    let view = extension(&mut made)["bufferView"].as_u64().unwrap() as usize;
    let (view, primitive) = (
        made.json["bufferViews"][view].clone(),
        made.json["meshes"][0]["primitives"][0].clone(),
    );
    for _ in 0..20_000 {
        let mut primitive = primitive.clone();
        let again = made.push("bufferViews", view.clone());
        primitive["extensions"][super::streams::DRACO]["bufferView"] = json!(again);
        let list = made.json["meshes"][0]["primitives"].as_array_mut().unwrap();
        list.push(primitive);
    }
    let dir = Dir::with("made.glb", made.glb());
    let (text, took, _) = measured(&dir, "bake made.glb");
    assert_contains(&text, &["more than the buffers could reasonably hold"]);
    assert!(took.as_secs() < 20, "{took:?}");
}
