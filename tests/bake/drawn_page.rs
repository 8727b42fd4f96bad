//! Pages of instances of a skinned mesh: what the shader makes of the data is where the program bakes it.

use serde_json::{Value, json};

use super::builder::arm;
use crate::support::Dir;
use crate::support::viewer_page::ViewerPage;

/// Vertices of a surface of a page at a frame by linear blending.
fn blended(page: &ViewerPage, surface: &Value, frame: &Value) -> Vec<f32> {
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let (count, slots) = (number(&surface["vertices"]), number(&surface["slots"]));
    let skins = page.scene["skins"].as_array().unwrap();
    let size =
        |skin: &Value| 4 * number(&skin["stride"]) * skin["joints"].as_array().unwrap().len();
    let sizes: Vec<usize> = skins.iter().map(size).collect();
    let (skin, all) = (number(&surface["skin"]), sizes.iter().sum());
    let palette = &page.floats(&frame["palettes"], all)[sizes[..skin].iter().sum()..];
    let stride = 4 * number(&skins[skin]["stride"]);
    let start = number(&surface["joints"]);
    let joints: Vec<u16> = page.block[start..start + 2 * slots * count]
        .as_chunks::<2>()
        .0
        .iter()
        .map(|two| u16::from_le_bytes(*two))
        .collect();
    let weights = &page.floats(&surface["weights"], slots * count);
    let positions = page.floats(&surface["positions"], 3 * count);
    let vertex = |vertex: usize| {
        let slots = vertex * slots..(vertex + 1) * slots;
        let at = [0, 1, 2, 3].map(|axis| {
            if axis < 3 {
                positions[3 * vertex + axis]
            } else {
                1.0
            }
        });
        [0, 1, 2].map(|row| {
            let parts = slots.clone().flat_map(|slot| {
                let start = stride * usize::from(joints[slot]) + 4 * row;
                let row = &palette[start..start + 4];
                (0..4).map(move |axis| weights[slot] * row[axis] * at[axis])
            });
            parts.sum::<f32>()
        })
    };
    (0..count).flat_map(vertex).collect()
}

#[test]
fn pages_skin_each_instance_to_where_it_is_baked() {
    for (sizes, dqs) in [
        ([1.0f32; 6], true),
        ([1.0, 1.0, 1.0, -1.0, 2.0, 1.0], false),
    ] {
        let mut made = arm();
        let places = made.floats("VEC3", &[1.0, 2.0, 3.0, 0.0, 0.0, -4.0]);
        let turns = made.floats("VEC4", &[0.0, 0.6, 0.0, 0.8, 0.8, 0.0, 0.6, 0.0]);
        let attributes =
            json!({"TRANSLATION": places, "ROTATION": turns, "SCALE": made.floats("VEC3", &sizes)});
        made.json["nodes"][2]["extensions"] =
            json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
        let dir = Dir::with("a.glb", made.glb());
        dir.run("view a.glb -o page --no-open").good();
        let page = ViewerPage::read(&dir, "page/a.glb.html");
        let surfaces = page.scene["surfaces"].as_array().unwrap();
        assert_eq!(surfaces.len(), 2);
        let frames = page.scene["frames"].as_array().unwrap();
        let baked: Vec<&Value> = frames
            .iter()
            .filter(|frame| frame["baked"].is_object())
            .collect();
        assert_eq!(baked.len(), 4);
        for frame in baked {
            assert_eq!(frame["dqs"], dqs);
            let start = frame["baked"]["lbs"].as_u64().unwrap();
            // Of each surface positions, then normals, of six vertices.
            for (surface, start) in surfaces.iter().zip([start, start + 4 * 36]) {
                let wanted = page.floats(&json!(start), 18);
                let found = blended(&page, surface, frame);
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
                assert!(
                    found.len() == 18 && found.iter().zip(&wanted).all(near),
                    "{found:?} {wanted:?}"
                );
            }
        }
        let corners = |index: usize| page.floats(&surfaces[index]["indices"], 9);
        assert_eq!(corners(0) == corners(1), dqs, "the second is mirrored");
    }
}
