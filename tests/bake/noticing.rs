//! Tests of the checks themselves: each finds the fault that it is meant for.

use serde_json::json;

use super::builder::{arm, glb};
use super::container::Problems;
use super::reader::{Gltf, chunks};
use super::runs::{Ask, run};
use super::structure;
use crate::support::Dir;

#[test]
fn the_checks_of_this_suite_notice_a_bake_that_does_nothing() {
    let made = arm();
    let input = Gltf::read(&made.glb(), "nowhere".as_ref());
    let ask = Ask::at(0.3);
    let problems = structure::check(&input, &made.glb(), ask.when(), &ask.solver);
    for word in [
        "generator",
        "animations",
        "skins",
        "nodes, not 5",
        "still has mesh",
        "scene 0",
        "translation",
    ] {
        assert!(
            problems.iter().any(|p| p.contains(word)),
            "{word}: {problems:#?}"
        );
    }
    assert_eq!(
        chunks(&made.glb()).1.unwrap().len(),
        made.bin.len().next_multiple_of(4)
    );
}

/// A baked arm with some unknown members, and the problems that its check finds after a change to its JSON and its bytes.
fn after(change: impl Fn(String) -> String, spoil: impl Fn(&mut Vec<u8>)) -> Problems {
    let mut made = arm();
    made.json["extras"] = json!({"a": 1.5, "b": [2]});
    made.json["materials"][0]["extensions"] = json!({"KHR_materials_unlit": {}});
    made.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
    let dir = Dir::with("made.glb", made.glb());
    let ask = Ask::at(0.3);
    assert_eq!(run(&dir, "made.glb", &ask).status(), 0);
    let (text, bin) = {
        let output = dir.read("out/made.glb");
        let (text, bin) = chunks(&output);
        (
            String::from_utf8(text.to_vec()).unwrap(),
            bin.unwrap().to_vec(),
        )
    };
    let (mut bytes, trimmed) = (bin, text.trim_end().to_owned());
    spoil(&mut bytes);
    let input = Gltf::read(&made.glb(), dir.path());
    structure::check(
        &input,
        &glb(&change(trimmed), &bytes),
        ask.when(),
        &ask.solver,
    )
}

#[test]
fn an_output_that_is_right_is_not_complained_of() {
    assert_eq!(after(|text| text, |_| {}), Problems::new());
}

#[test]
fn every_change_to_the_json_of_an_output_is_noticed() {
    for (from, to) in [
        ("\"a\":1.5", "\"a\":1.50"),
        ("\"a\":1.5,\"b\":[2]", "\"b\":[2],\"a\":1.5"),
        ("\"generator\":\"rigy-batch", "\"generator\":\"hand"),
        ("\"copyright\":\"none\"", "\"copyright\":\"some\""),
        ("\"name\":\"stage\"", "\"name\":\"floor\""),
        ("\"nodes\":[0,3,4]", "\"nodes\":[0,3]"),
        ("\"nodes\":[0,3,4]", "\"nodes\":[0,3,4,2]"),
        ("{\"name\":\"body\"}", "{\"name\":\"body\",\"mesh\":0}"),
        ("{\"name\":\"body\",\"mesh\":0}", "{\"mesh\":0}"),
        ("\"children\":[2]", "\"children\":[]"),
        ("\"scale\":[2,2,2]", "\"scale\":[2.0,2,2]"),
        ("\"name\":\"fore\"", "\"name\":\"fore\",\"scale\":[1,1.5,1]"),
        ("\"material\":0", "\"material\":0,\"targets\":[]"),
        ("\"roughnessFactor\":0.5", "\"roughnessFactor\":0.25"),
        ("\"extensionsUsed\":[\"KHR_materials_unlit\"],", ""),
        ("\"extras\"", "\"animations\":[],\"extras\""),
        ("\"min\":[", "\"min\": ["),
        ("\"min\":[", "\"min\":[0,"),
        ("\"mode\":4", "\"mode\":1"),
        ("\"buffers\":[{", "\"buffers\":[{\"byteLength\":4},{"),
        (
            "],\"buffers\":",
            ",{\"buffer\":0,\"byteLength\":4}],\"buffers\":",
        ),
        (
            "],\"asset\":",
            ",{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}],\"asset\":",
        ),
        ("\"TEXCOORD_0\":0", "\"TEXCOORD_0\":1"),
    ] {
        let change = |text: String| {
            assert!(text.contains(from), "{from} is not in {text}");
            text.replace(from, to)
        };
        assert!(!after(change, |_| {}).is_empty(), "{from} to {to}");
    }
}

#[test]
fn every_change_to_the_bytes_of_an_output_is_noticed() {
    let len = {
        let lens = std::cell::Cell::new(0);
        after(|text| text, |bytes| lens.set(bytes.len()));
        lens.get()
    };
    assert!(len > 300);
    for at in (0..len).step_by(29) {
        let problems = after(|text| text, |bytes| bytes[at] ^= 1);
        assert!(!problems.is_empty(), "byte {at} of {len}");
    }
    let shorter = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 4);
    let longer = |bytes: &mut Vec<u8>| bytes.extend([0; 4]);
    assert!(std::panic::catch_unwind(|| after(|text| text, shorter)).is_err());
    assert!(!after(|text| text, longer).is_empty());
}
