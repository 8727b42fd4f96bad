//! The parts of a glTF file that models have for these formats: colours, materials, names, mirrored nodes.

use rigy_batch::mesh::{Alpha, Elements, Material, Model, Wrap};
use rigy_batch::{Location, MemoryLoader};
use serde_json::{Value, json};

use super::made::{model, square};
use crate::support::{glb, glb_parts};

const MATERIAL: &str = r#"{"name": "paint", "doubleSided": true, "alphaMode": "MASK", "alphaCutoff": 0.3,
    "emissiveFactor": [0, 0.1, 0], "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1, 0.75],
    "metallicFactor": 0.2, "roughnessFactor": 0.3, "baseColorTexture": {"index": 0}}}"#;

/// A file of one primitive of three vertices, which node 1 shows, with `COLOR_0` of this accessor and these bytes.
fn file(colors: Value, bytes: &[u8], mode: u32, scale: f64) -> Vec<u8> {
    let mut bin: Vec<u8> = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    bin.extend(bytes);
    let mut color_accessor = json!({"bufferView": 1, "count": 3});
    let members = color_accessor.as_object_mut().unwrap();
    members.extend(colors.as_object().unwrap().clone());
    let json = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": bin.len()}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": bytes.len(), "byteStride": bytes.len() / 3},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            color_accessor,
        ],
        "images": [{"uri": "a.png"}],
        "textures": [{"source": 0, "sampler": 0}],
        "samplers": [{"wrapS": 33071}],
        "materials": [serde_json::from_str::<Value>(MATERIAL).unwrap()],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "material": 0, "mode": mode}]}],
        "nodes": [{"children": [1]}, {"name": "shown", "mesh": 0, "scale": [scale, 1, 1]}],
    });
    glb(json.to_string().as_bytes(), Some(&bin))
}

fn read(bytes: &[u8]) -> Model {
    let location = Location("made.glb".into());
    let model = Model::read(bytes, &location, &MemoryLoader::default());
    model.unwrap().value
}

pub fn textured_file() -> Vec<u8> {
    let colors = json!({"componentType": 5121, "normalized": true, "type": "VEC4"});
    file(colors, &[0; 12], 4, 1.0)
}

/// A material with a texture of each kind, all of image 0 but the normals, which are image 1.
const MATERIAL_WITH_ALL: &str = r#"{"name": "skin", "emissiveFactor": [0.5, 1, 0.25],
    "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}}, "normalTexture": {"index": 1, "scale": 0.5},
    "occlusionTexture": {"index": 0, "strength": 0.25}, "emissiveTexture": {"index": 0}, "pbrMetallicRoughness":
    {"metallicFactor": 0.75, "roughnessFactor": 0.5, "baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 0}}}"#;

/// The model of a square whose material has textures of all kinds.
pub fn fully_textured() -> Model {
    painted(&serde_json::from_str(MATERIAL_WITH_ALL).unwrap())
}

/// The model of a square with this material, in a file with two textures.
pub fn painted(material: &Value) -> Model {
    let (mut json, bin) = {
        let file = textured_file();
        let (json, bin) = glb_parts(&file);
        (json, bin.to_vec())
    };
    json["materials"][0] = material.clone();
    json["images"] = json!([{"uri": "a.png"}, {"uri": "b.png"}]);
    json["textures"] = json!([{"source": 0}, {"source": 1}]);
    let mut made = textured();
    made.materials = read(&glb(json.to_string().as_bytes(), Some(&bin))).materials;
    made
}

/// The model of a textured material on a square, as other tests use it.
pub fn textured() -> Model {
    let mut made = model(vec![square(0, 0.0)]);
    made.materials = read(&textured_file()).materials;
    made.surfaces[0].material = Some(0);
    made
}

#[test]
fn colors_of_every_type_are_linear_floats_with_opacity() {
    let bytes = [255, 0, 51, 102, 0, 255, 204, 0, 1, 2, 3, 4];
    let colors = json!({"componentType": 5121, "normalized": true, "type": "VEC4"});
    let expected = [
        [1.0, 0.0, 0.2, 0.4],
        [0.0, 1.0, 0.8, 0.0],
        [1.0 / 255.0, 2.0 / 255.0, 3.0 / 255.0, 4.0 / 255.0],
    ];
    let expected = expected.map(|color: [f64; 4]| color.map(|number| number as f32));
    assert_eq!(
        read(&file(colors, &bytes, 4, 1.0)).surfaces[0]
            .colors
            .as_deref(),
        Some(&expected[..])
    );

    let words: Vec<u8> = [65535u16, 0, 13107, 0]
        .repeat(3)
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let colors = json!({"componentType": 5123, "normalized": true, "type": "VEC3"});
    let found = read(&file(colors, &words, 4, 1.0)).surfaces[0]
        .colors
        .clone();
    assert_eq!(found.unwrap(), [[1.0, 0.0, 0.2, 1.0]; 3]);

    let floats: Vec<u8> = [0.1f32, 2.0, -0.5]
        .repeat(3)
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let colors = json!({"componentType": 5126, "type": "VEC3"});
    let found = read(&file(colors.clone(), &floats, 4, 1.0)).surfaces[0]
        .colors
        .clone();
    assert_eq!(found.unwrap(), [[0.1, 2.0, -0.5, 1.0]; 3]);

    let infinite: Vec<u8> = [f32::INFINITY; 9]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    assert_eq!(
        read(&file(colors, &infinite, 4, 1.0)).surfaces[0].colors,
        None
    );
    let pairs = json!({"componentType": 5126, "type": "VEC2"});
    assert_eq!(
        read(&file(pairs, &[0; 24], 4, 1.0)).surfaces[0].colors,
        None
    );
}

#[test]
fn materials_have_their_factors_and_the_texture() {
    let made = textured();
    let Material { texture, .. } = &made.materials[0];
    let texture = texture.as_ref().unwrap();
    assert_eq!(
        (texture.image, texture.wraps),
        (0, [Wrap::Clamp, Wrap::Repeat])
    );
    let expected = Material {
        name: Some("paint".into()),
        base_color: [0.5, 0.25, 1.0, 0.75],
        texture: made.materials[0].texture.clone(),
        metallic: 0.2,
        roughness: 0.3,
        emissive: [0.0, 0.1, 0.0],
        alpha: Alpha::Mask(0.3),
        is_double_sided: true,
        ..Material::default()
    };
    assert_eq!(made.materials, [expected]);
}

#[test]
fn surfaces_say_what_they_are_and_nodes_are_named() {
    let colors = json!({"componentType": 5121, "normalized": true, "type": "VEC4"});
    for (mode, scale, elements, is_mirrored) in [
        (0, 1.0, Elements::Points, false),
        (3, 1.0, Elements::Lines, false),
        (4, -1.0, Elements::Triangles, true),
        (6, 2.0, Elements::Triangles, false),
    ] {
        let model = read(&file(colors.clone(), &[0; 12], mode, scale));
        let surface = &model.surfaces[0];
        assert_eq!(
            (surface.elements, surface.is_mirrored),
            (elements, is_mirrored)
        );
        assert_eq!(model.node_names, [None, Some("shown".to_owned())]);
    }
}
