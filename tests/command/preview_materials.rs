//! Materials in pictures: which sides are seen, what shows through, and which light there is.

use rigy_batch::MemoryLoader;

use super::preview_textures::{CORNERS, drawn_with};

/// The positions, normals, vertex colours and texture coordinates of a square from 0 to 1 that faces +Z.
fn square() -> Vec<u8> {
    let positions = CORNERS.iter().flat_map(|[x, y]| [*x, *y, 0.0]);
    let normals = CORNERS.iter().flat_map(|_| [0.0, 0.0, 1.0]);
    let colors = CORNERS.iter().flat_map(|_| [1.0, 0.5, 0.0]);
    let coordinates = CORNERS.iter().flat_map(|[x, y]| [*x, 1.0 - y]);
    let numbers = positions.chain(normals).chain(colors).chain(coordinates);
    numbers.flat_map(f32::to_le_bytes).collect()
}

/// The colour in the middle of a picture of squares from the front. Each square is a node with these members, and has the
/// material of the same index if there is one; `attributes` are named beside the position and the normal.
fn middle(nodes: &[&str], materials: &[&str], attributes: &str, generator: &str) -> [u8; 4] {
    let list = |items: Vec<String>| items.join(", ");
    let indices = || 0..nodes.len();
    let mesh = |index: usize| {
        let material = materials
            .get(index)
            .map(|_| format!(r#", "material": {index}"#));
        let material = material.unwrap_or_default();
        format!(
            r#"{{"primitives": [{{"attributes": {{"POSITION": 0, "NORMAL": 1{attributes}}}{material}}}]}}"#
        )
    };
    let node = |index: usize| format!(r#"{{"mesh": {index}{}}}"#, nodes[index]);
    let accessor = |view: usize, kind: &str| {
        format!(
            r#"{{"bufferView": {view}, "componentType": 5126, "type": "{kind}", "count": 6, "min": [0, 0, 0], "max": [1, 1, 1]}}"#
        )
    };
    let view = |start: usize, length: usize| {
        format!(r#"{{"buffer": 0, "byteOffset": {start}, "byteLength": {length}}}"#)
    };
    let text = format!(
        r#"{{"asset": {{"version": "2.0", "generator": "{generator}"}}, "nodes": [{}], "meshes": [{}], "materials": [{}],
        "accessors": [{}, {}, {}, {{"bufferView": 3, "componentType": 5126, "type": "VEC2", "count": 6}}],
        "bufferViews": [{}, {}, {}, {}], "buffers": [{{"uri": "square.bin", "byteLength": 264}}],
        "textures": [{{"source": 0}}], "images": [{{"uri": "data:image/png;base64,{NORMALS}"}}]}}"#,
        list(indices().map(node).collect()),
        list(indices().map(mesh).collect()),
        materials.join(", "),
        accessor(0, "VEC3"), accessor(1, "VEC3"), accessor(2, "VEC3"),
        view(0, 72), view(72, 72), view(144, 72), view(216, 48),
    )
    .replace(r#""materials": [],"#, "");
    let mut loader = MemoryLoader::default();
    loader.files.insert("square.bin".into(), square());
    let (image, notes) = drawn_with(&text, &loader, 32);
    assert_eq!(notes, [""; 0]);
    image.pixels[16 * 32 + 16]
}

/// One pixel that turns normals towards −X and up: red 38, green 217, blue 217.
const NORMALS: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNQu3kTAAMBAdlPxe7rAAAAAElFTkSuQmCC";

const BACKGROUND: [u8; 4] = [255; 4];
const TURNED: &str = r#", "rotation": [0, 1, 0, 0], "translation": [1, 0, 0]"#;
const UNLIT: &str = r#""extensions": {"KHR_materials_unlit": {}}"#;

fn unlit(color: &str, rest: &str) -> String {
    format!(r#"{{{UNLIT}, "pbrMetallicRoughness": {{"baseColorFactor": {color}}}{rest}}}"#)
}

#[test]
fn the_back_of_a_material_with_one_side_is_not_drawn() {
    let one = unlit("[1, 0, 0, 1]", "");
    let two = unlit("[1, 0, 0, 1]", r#", "doubleSided": true"#);
    let mirrored = r#", "scale": [-1, 1, 1], "translation": [1, 0, 0]"#;
    let mirrored_back = r#", "scale": [1, 1, -1]"#;
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("", Some(&one), "", true),
        (TURNED, Some(&one), "", false),
        (TURNED, Some(&two), "", true),
        (TURNED, None, "", true),
        (TURNED, Some(&one), "pygltflib@v1.16.5", true),
        (mirrored, Some(&one), "", true),
        (mirrored_back, Some(&one), "", false),
    ];
    for (node, material, generator, is_drawn) in rows {
        let materials: Vec<&str> = material.iter().map(|material| &***material).collect();
        let found = middle(&[node], &materials, "", generator);
        assert_eq!(
            found != BACKGROUND,
            is_drawn,
            "{node} {material:?} {generator}"
        );
    }
}

#[test]
fn what_lies_behind_shows_through_in_any_order_of_the_file() {
    let blue = unlit("[0, 0, 1, 1]", "");
    let glass = unlit("[1, 0, 0, 0.4]", r#", "alphaMode": "BLEND""#);
    let green = unlit("[0, 1, 0, 0.2]", r#", "alphaMode": "BLEND""#);
    let at = |z: f64| format!(r#", "translation": [0, 0, {z}]"#);
    let (back, middle_place, front) = (at(0.0), at(0.5), at(1.0));
    let expected = [82, 51, 122, 255];
    let mut squares = [
        (&*back, &*blue),
        (&*middle_place, &*glass),
        (&*front, &*green),
    ];
    for turn in 0..3 {
        squares.rotate_left(turn);
        let found = middle(
            &squares.map(|(node, _)| node),
            &squares.map(|(_, material)| material),
            "",
            "",
        );
        assert_eq!(found, expected, "{turn}");
    }
    // Glass behind something is hidden.
    assert_eq!(
        middle(&[&front, &back], &[&blue, &glass], "", ""),
        [0, 0, 255, 255]
    );
}

#[test]
fn vertex_colours_emission_and_normals_change_the_light_and_unlit_is_exact() {
    let colors = r#", "COLOR_0": 2"#;
    let white = unlit("[1, 1, 1, 1]", "");
    assert_eq!(middle(&[""], &[&white], "", ""), [255; 4]);
    assert_eq!(middle(&[""], &[&white], colors, ""), [255, 188, 0, 255]);
    let lit = |rest: &str| {
        format!(
            r#"{{"pbrMetallicRoughness": {{"baseColorFactor": [0.2, 0.2, 0.2, 1], "metallicFactor": 0}}{rest}}}"#
        )
    };
    let of = |material: &str| middle(&[""], &[material], r#", "TEXCOORD_0": 3"#, "")[0];
    let plain = of(&lit(""));
    assert!(of(&lit(r#", "emissiveFactor": [0.3, 0, 0]"#)) > plain + 20);
    let bent = of(&lit(r#", "normalTexture": {"index": 0}"#));
    assert!(
        bent > plain + 20,
        "the normal texture turns it towards the lamp: {bent} {plain}"
    );
    let away = of(&lit(r#", "normalTexture": {"index": 0, "scale": -1}"#));
    assert!(away < plain - 20, "{away} {plain}");
    let metal = r#"{"pbrMetallicRoughness": {"baseColorFactor": [0.2, 0.2, 0.2, 1], "roughnessFactor": 0.3}}"#;
    assert_ne!(of(metal), plain);
}
