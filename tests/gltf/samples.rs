//! The published samples: counts and bounds against those in the files, quantized and compressed variants against
//! the plain one.

use std::path::{Path, PathBuf};

use rigy_batch::bake::gltf::{File, read};
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::base::paths::Slashed;
use serde_json::Value;

use super::made::use_all;
use crate::support::published;

fn samples() -> Vec<PathBuf> {
    let Some(root) = published("gltf-samples") else {
        return Vec::new();
    };
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter();
    let files = files.map(|entry| entry.unwrap().into_path());
    let models = files.filter(|path| {
        path.extension()
            .is_some_and(|end| end == "glb" || end == "gltf")
    });
    models.collect()
}

/// Runs a check with a file that must be read, and with its JSON as `serde_json` reads it.
fn with<T>(path: &Path, check: impl FnOnce(&File<'_>, &Value) -> T) -> T {
    let bytes = std::fs::read(path).unwrap();
    let read = read(&bytes, &Location(path.into()), &MemoryLoader::default());
    let file = read.unwrap_or_else(|errors| panic!("{}: {errors:#?}", path.slashed()));
    for warning in &file.warnings {
        eprintln!("{}: {}", path.slashed(), warning.message);
    }
    let text = match bytes.strip_prefix(b"glTF") {
        Some(rest) => &rest[16..][..u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize],
        None => &bytes,
    };
    let json: Value = serde_json::from_slice(text).unwrap();
    check(&file.value, &json)
}

fn len(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

#[test]
fn every_sample_reads_and_counts_agree() {
    let mut read = 0;
    for path in samples() {
        with(&path, |file, json| {
            use_all(file);
            let name = path.slashed();
            assert_eq!(file.nodes.len(), len(&json["nodes"]), "{name}");
            assert_eq!(file.skins.len(), len(&json["skins"]), "{name}");
            assert_eq!(file.animations.len(), len(&json["animations"]), "{name}");
            for (skin, json) in file.skins.iter().zip(json["skins"].as_array().unwrap()) {
                assert_eq!(skin.joints.len(), len(&json["joints"]), "{name}");
                assert_eq!(
                    skin.inverse_bind_matrices.is_some(),
                    json.get("inverseBindMatrices").is_some()
                );
            }
            for (animation, json) in file
                .animations
                .iter()
                .zip(json["animations"].as_array().unwrap())
            {
                assert_eq!(animation.keys.len(), len(&json["channels"]), "{name}");
            }
            for (mesh, json_mesh) in file.meshes.iter().zip(json["meshes"].as_array().unwrap()) {
                for (primitive, json_primitive) in mesh
                    .primitives
                    .iter()
                    .zip(json_mesh["primitives"].as_array().unwrap())
                {
                    let position =
                        json_primitive["attributes"]["POSITION"].as_u64().unwrap() as usize;
                    let count = json["accessors"][position]["count"].as_u64().unwrap();
                    assert_eq!(primitive.vertex_count as u64, count, "{name}");
                }
            }
        });
        read += 1;
    }
    assert!(read == 0 || read == 20, "{read} samples");
}

/// Bounds in a file are those of the stored numbers: normalized integers are not divided.
#[test]
fn elements_reach_the_bounds_that_files_give() {
    let mut compared = 0;
    for path in samples() {
        if path.ends_with("Fox-draco.glb") {
            continue; // Its bounds are those of the file before it was compressed, with loss.
        }
        with(&path, |file, json| {
            for (index, json) in json["accessors"].as_array().unwrap().iter().enumerate() {
                let (Some(min), Some(max)) = (json["min"].as_array(), json["max"].as_array())
                else {
                    continue;
                };
                let accessor = file.accessor(index).unwrap();
                let unit = match (accessor.is_normalized(), accessor.component_type().name()) {
                    (true, "i8") => 127.0,
                    (true, "u8") => 255.0,
                    (true, "i16") => 32767.0,
                    (true, "u16") => 65535.0,
                    _ => 1.0,
                };
                for component in 0..accessor.component_count() {
                    let values = || {
                        (0..accessor.count())
                            .map(|element| accessor.real(element, component) * unit)
                    };
                    let (low, high) = (
                        values().fold(f64::MAX, f64::min),
                        values().fold(f64::MIN, f64::max),
                    );
                    let (min, max) = (
                        min[component].as_f64().unwrap(),
                        max[component].as_f64().unwrap(),
                    );
                    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs());
                    assert!(
                        near(low, min) && near(high, max),
                        "{} accessor {index}.{component}: {low}..{high}, not {min}..{max}",
                        path.slashed()
                    );
                    compared += 1;
                }
            }
        });
    }
    assert!(compared == 0 || compared > 1000, "{compared}");
}

/// Vertex counts that other clients report.
#[test]
fn vertex_counts_agree_with_other_clients() {
    for path in samples() {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let directory = path.parent().unwrap().parent().unwrap().join("expected");
        for entry in std::fs::read_dir(directory).unwrap() {
            let expected = entry.unwrap().path();
            let name = expected.file_name().unwrap().to_str().unwrap();
            if !name.contains(&format!("three_lbs_{stem}_")) {
                continue;
            }
            let json: Value = serde_json::from_slice(&std::fs::read(&expected).unwrap()).unwrap();
            with(&path, |file, _| {
                for mesh in json["meshes"].as_array().unwrap() {
                    let at = |key: &str| mesh[key].as_u64().unwrap() as usize;
                    let primitive = &file.meshes[at("gltf_mesh")].primitives[at("primitive")];
                    assert_eq!(primitive.vertex_count, at("vertex_count"), "{name}");
                }
            });
        }
    }
}

/// Positions of the first primitive, seen from its first joint at rest: that undoes the scale and offset that
/// quantization has moved into the inverse bind matrices.
fn seen_from_first_joint(path: &Path) -> Vec<[f64; 3]> {
    with(path, |file, _| {
        let matrix = file.skins[0].inverse_bind_matrices.as_ref().unwrap()[0];
        let primitive = &file.meshes[0].primitives[0];
        let positions = file
            .accessor(primitive.attribute("POSITION").unwrap())
            .unwrap();
        let moved = |[x, y, z]: [f64; 3]| matrix.map(|[a, b, c, d]| a * x + b * y + c * z + d);
        positions.iter::<3>().map(moved).collect()
    })
}

/// The largest distance from a point of `a` to the nearest of `b`.
fn farthest(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let distance = |p: &[f64; 3], q: &[f64; 3]| (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>();
    let nearest = |p| b.iter().map(|q| distance(p, q)).fold(f64::MAX, f64::min);
    a.iter().map(nearest).fold(0.0, f64::max).sqrt()
}

#[test]
fn quantized_and_compressed_foxes_have_the_vertices_of_the_plain_one() {
    let Some(root) = published("gltf-samples") else {
        return;
    };
    let plain = seen_from_first_joint(&root.join("real/Fox.glb"));
    let size = farthest(&plain, &[plain[0]]);
    let draco = seen_from_first_joint(&root.join("compressed/Fox-draco.glb"));
    let off = farthest(&plain, &draco).max(farthest(&draco, &plain)) / size;
    assert!(off < 1e-3, "{off}");
    for tool in ["gltfpack", "gltftransform"] {
        let variant = |kind: &str| {
            seen_from_first_joint(&root.join(format!("compressed/Fox-{tool}-{kind}.glb")))
        };
        let (quantized, compressed) = (variant("quantized"), variant("meshopt"));
        for other in [&quantized, &compressed] {
            let off = farthest(&plain, other).max(farthest(other, &plain)) / size;
            assert!(off < 1e-3, "{tool}: {off}");
        }
        let off = farthest(&quantized, &compressed).max(farthest(&compressed, &quantized)) / size;
        assert!(off < 1e-4, "{tool}: {off}");
    }
}

#[test]
fn the_tree_keeps_the_text_of_samples() {
    for path in samples() {
        if path.extension().is_some_and(|end| end == "glb") && !path.ends_with("Fox-draco.glb") {
            let bytes = std::fs::read(&path).unwrap();
            let len = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            let text = std::str::from_utf8(&bytes[20..20 + len])
                .unwrap()
                .trim_end();
            let written = with(&path, |file, _| file.tree.to_text());
            // Tools that write without white space and with the fewest escapes get the same text back.
            let theirs: Value = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), theirs);
            if !text.contains(['\n', '\\']) && !text.contains(": ") {
                assert!(written == text, "{}", path.slashed());
            }
        }
    }
}
