//! Outputs, read by the project's own reader.

use rigy_batch::bake::gltf::{File, read};
use rigy_batch::base::loader::{Location, MemoryLoader};
use serde_json::Value;

use crate::made::use_all;

/// Asserts that a GLB can be read, that nothing in it departs from the specification, and that every number is finite.
/// A baked one has neither skins nor animations.
pub fn sound(glb: &[u8], is_baked: bool) {
    let Some(file) = again(glb) else { return };
    use_all(&file);
    assert!(!is_baked || file.skins.is_empty());
    assert!(file.animations.is_empty());
    for index in 0..file.accessor_count() {
        let accessor = file.accessor(index).unwrap();
        // Numbers that an element does not have are 0.
        let mut numbers = accessor.iter::<16>().flatten();
        assert!(numbers.all(f64::is_finite), "accessor {index}");
    }
}

/// Asserts that a list of positions has the bits of the GLB of the same pose.
pub fn agree(positions: &[u8], glb: &[u8]) {
    let listed: Value = serde_json::from_slice(positions).expect("positions are JSON");
    let listed = listed.as_object().expect("an object of meshes");
    let Some(file) = again(glb) else { return };
    assert_eq!(listed.len(), file.meshes.len());
    for mesh in &file.meshes {
        let vertices = &listed[mesh.name.as_deref().unwrap_or_default()];
        for (attribute, list) in [("POSITION", "positions"), ("NORMAL", "normals")] {
            let list = vertices[list].as_array().expect("a list of vectors");
            // From version 0.12 on, each primitive of the document is one of glTF.
            let accessors = mesh.primitives.iter().map(|primitive| {
                let accessor = primitive.attribute(attribute).expect(attribute);
                file.accessor(accessor).expect("checked")
            });
            let stored: Vec<[u32; 3]> = accessors
                .flat_map(|accessor| {
                    let bits = move |element| {
                        std::array::from_fn(|i| (accessor.real(element, i) as f32).to_bits())
                    };
                    (0..accessor.count()).map(bits)
                })
                .collect();
            // As f32, which both are exactly: this JSON reader may miss the last bit of an f64.
            let bits = |vector: &Value| {
                std::array::from_fn(|i| (vector[i].as_f64().expect("a number") as f32).to_bits())
            };
            let listed: Vec<[u32; 3]> = list.iter().map(bits).collect();
            assert!(listed == stored, "{attribute} differs");
        }
    }
}

/// Reads an output. `None` if a surface has no triangles: its accessors have no elements then, as the contract has it, which glTF does not allow
/// (`extensions.md` §8.6).
fn again(glb: &[u8]) -> Option<File<'_>> {
    let location = Location("written.glb".into());
    match read(glb, &location, &MemoryLoader::default()) {
        Ok(read)
            if read
                .warnings
                .iter()
                .any(|found| found.message.starts_with("there are no elements")) =>
        {
            None
        }
        Ok(read) => {
            let faults = read.warnings.first();
            assert!(faults.is_none(), "the output departs from glTF: {faults:?}");
            Some(read.value)
        }
        Err(errors) => panic!("the output is refused: {:?}", errors[0]),
    }
}
