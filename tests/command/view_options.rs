//! Pages of `view`: textures, and the options about joint scale and the root.

use serde_json::{Value, json};

use crate::support::viewer_page::ViewerPage;
use crate::support::{
    Dir,
    skinned::{Made, skinned},
};

/// A square of 256 by 16 pixels, as far as the headers go that are read without decoding.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\0\0\0\0\x10 and pixels";
const JPEG: &[u8] = b"\xff\xd8\xff\xc0\0\x0b\x08\0\x10\x01\0 and pixels";
/// A picture format that may hold scripts.
const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";

/// A file of 40 vertices whose material has a texture with this image, sampler and `baseColorTexture`.
fn textured(image: &[u8], sampler: Value, info: Value) -> Made {
    let mut file = skinned(40, 0.5);
    let json = &mut file.json;
    let mut append = |bytes: &[u8]| {
        let view = json!({"buffer": 0, "byteOffset": file.bin.len(), "byteLength": bytes.len()});
        file.bin.extend(bytes);
        file.bin.resize(file.bin.len().next_multiple_of(4), 0);
        let views = json["bufferViews"].as_array_mut().unwrap();
        views.push(view);
        views.len() - 1
    };
    let coordinates: Vec<u8> = (0..80)
        .flat_map(|number| (number as f32 / 8.0).to_le_bytes())
        .collect();
    let (coordinates, image) = (append(&coordinates), append(image));
    let accessor =
        json!({"bufferView": coordinates, "componentType": 5126, "count": 40, "type": "VEC2"});
    json["accessors"].as_array_mut().unwrap().push(accessor);
    let primitive = &mut json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_1"] = json!(3);
    primitive["material"] = json!(0);
    json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": info}}]);
    json["textures"] = json!([{"source": 0, "sampler": 0}]);
    json["samplers"] = json!([sampler]);
    json["images"] = json!([{"bufferView": image, "mimeType": "image/png"}]);
    file
}

fn page(dir: &Dir, options: &str) -> ViewerPage {
    dir.run(&format!("view a.glb --no-open -o pages {options}"))
        .good();
    ViewerPage::read(dir, "pages/a.glb.html")
}

fn info() -> Value {
    json!({"index": 0, "texCoord": 1})
}

fn image(page: &ViewerPage) -> (String, Vec<u8>) {
    let (json, bin) = page.glb(&page.scene["models"][0]["glb"]);
    let images = json["images"].as_array().unwrap();
    assert_eq!(images.len(), 1);
    let view = images[0]["bufferView"].as_u64().unwrap() as usize;
    let number = |key: &str| json["bufferViews"][view][key].as_u64().unwrap() as usize;
    let bytes = bin[number("byteOffset")..][..number("byteLength")].to_vec();
    (images[0]["mimeType"].as_str().unwrap().to_owned(), bytes)
}

fn attributes(page: &ViewerPage) -> Value {
    page.model()["meshes"][0]["primitives"][0]["attributes"].clone()
}

#[test]
fn images_are_in_the_page_as_they_are_in_the_file() {
    let dir = Dir::new();
    let sampler = json!({"wrapS": 33071, "wrapT": 33648, "magFilter": 9728});
    dir.write("a.glb", textured(PNG, sampler, info()).glb());
    let shown = page(&dir, "");
    assert_eq!(image(&shown), ("image/png".into(), PNG.to_vec()));
    let material = &shown.scene["models"][0]["materials"][0];
    let texture = &material["textures"][0];
    assert_eq!(
        json!([
            texture["kind"],
            texture["wrapS"],
            texture["wrapT"],
            texture["nearest"]
        ]),
        json!(["base", "clamp", "mirror", true])
    );
    assert_eq!(texture["set"], 1);
    let coordinates = shown.attribute(&shown.scene["models"][0]["glb"], "TEXCOORD_1");
    assert_eq!((coordinates[1], coordinates[79]), (0.125, 9.875));
    assert_eq!(material["alphaCutoff"], Value::Null);
}

#[test]
fn texture_transforms_and_masks_are_followed() {
    let dir = Dir::new();
    let mut info = json!({"index": 0, "texCoord": 0});
    info["extensions"]["KHR_texture_transform"] =
        json!({"offset": [1, 0], "scale": [2, 4], "texCoord": 1});
    let mut file = textured(JPEG, json!({}), info);
    file.json["materials"][0]["alphaMode"] = json!("MASK");
    dir.write("a.glb", file.glb());
    let shown = page(&dir, "");
    assert_eq!(image(&shown), ("image/jpeg".into(), JPEG.to_vec()));
    let material = &shown.scene["models"][0]["materials"][0];
    let texture = &material["textures"][0];
    assert_eq!(
        texture["transform"],
        json!([[2.0, 0.0, 1.0], [0.0, 4.0, 0.0]])
    );
    assert_eq!(texture["set"], 1);
    assert_eq!(texture["wrapS"], "repeat");
    assert_eq!(material["alphaCutoff"], 0.5);
}

#[test]
fn what_a_file_says_about_the_type_of_an_image_does_not_reach_the_page() {
    let dir = Dir::new();
    let mut file = textured(PNG, json!({}), info());
    file.json["images"][0]["mimeType"] = json!("text/html");
    dir.write("a.glb", file.glb());
    let shown = page(&dir, "");
    assert_eq!(image(&shown).0, "image/png");
    assert!(!shown.scene.to_string().contains("text/html"));
}

#[test]
fn other_and_too_large_images_are_left_out_and_the_page_says_so() {
    let dir = Dir::new();
    let mut wide = PNG.to_vec();
    wide[16..20].copy_from_slice(&16_385u32.to_be_bytes());
    let mut empty = PNG.to_vec();
    empty[16..20].copy_from_slice(&0u32.to_be_bytes());
    for bytes in [SVG, &PNG[..20], &wide, &empty] {
        dir.write("a.glb", textured(bytes, json!({}), info()).glb());
        let shown = page(&dir, "");
        assert_eq!(shown.model()["images"], json!([{}]));
        assert_eq!(
            shown.scene["models"][0]["materials"][0]["textures"],
            json!([])
        );
        let note = shown.scene["notes"][0].as_str().unwrap();
        assert!(note.starts_with("Images that are left out"), "{note}");
        assert!(!shown.text.contains("<svg"));
    }
}

#[test]
fn textures_without_coordinates_or_image_are_none() {
    let dir = Dir::new();
    let sets = json!({"index": 0, "texCoord": 7});
    for info in [sets, json!({"index": 9, "texCoord": 1}), json!({})] {
        let is_there = info["index"] == 0;
        dir.write("a.glb", textured(PNG, json!({}), info).glb());
        let shown = page(&dir, "");
        assert_eq!(attributes(&shown)["TEXCOORD_1"], Value::Null);
        let textures = shown.scene["models"][0]["materials"][0]["textures"].as_array();
        assert_eq!(textures.unwrap().len(), usize::from(is_there));
    }
}

#[test]
fn materials_and_colours_of_vertices_are_in_the_page() {
    let dir = Dir::new();
    let mut file = textured(PNG, json!({}), info());
    let material = &mut file.json["materials"][0];
    material["doubleSided"] = json!(true);
    material["alphaMode"] = json!("BLEND");
    material["emissiveFactor"] = json!([0.5, 0, 1]);
    material["emissiveTexture"] = json!({"index": 9});
    material["occlusionTexture"] = json!({"index": 0, "texCoord": 1, "strength": 0.25});
    material["extensions"] = json!({"KHR_materials_unlit": {}});
    let positions = file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
    file.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = positions;
    dir.write("a.glb", file.glb());
    let shown = page(&dir, "");
    let material = &shown.scene["models"][0]["materials"][0];
    assert_eq!(material["doubleSided"], true);
    assert_eq!(material["blend"], true);
    assert_eq!(material["unlit"], true);
    // There is no such emissive texture.
    assert_eq!(material["emissive"], json!([0.5, 0.0, 1.0]));
    assert_eq!(material["occlusionStrength"], 0.25);
    let kinds = |it: &Value| it["kind"].as_str().map(str::to_owned);
    let textures = material["textures"].as_array().unwrap();
    let kinds: Vec<_> = textures.iter().filter_map(kinds).collect();
    assert_eq!(kinds, ["base", "occlusion"]);
    let attributes = attributes(&shown);
    assert_eq!(attributes["COLOR_0"], attributes["POSITION"]);
}

/// A PNG file of one bit for each pixel, all of them white.
fn white(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().unwrap();
    let row = side.div_ceil(8) as usize;
    writer
        .write_image_data(&vec![255; row * side as usize])
        .unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn images_beyond_the_limit_of_pictures_are_made_smaller() {
    let dir = Dir::with("a.glb", textured(&white(6000), json!({}), info()).glb());
    let shown = page(&dir, "");
    let (media_type, bytes) = image(&shown);
    let size = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap()
        .info()
        .size();
    assert_eq!((&*media_type, size), ("image/png", (3000, 3000)));
    assert!(!shown.scene["notes"].to_string().contains("left out"));
}

/// A file with the images of `textured`, which are `count` copies of `first`, then one of `last`. Each has a view of its own.
fn with_images(count: usize, first: &[u8], last: &[u8]) -> Made {
    let mut file = textured(&[&*first.repeat(count), last].concat(), json!({}), info());
    let view = file.json["images"][0]["bufferView"].as_u64().unwrap() as usize;
    let views = file.list("bufferViews");
    let whole = views[view].clone();
    let start = whole["byteOffset"].as_u64().unwrap() as usize;
    let all = 0..=count;
    let first_new = views.len();
    for index in all.clone() {
        let mut one = whole.clone();
        one["byteOffset"] = json!(start + index * first.len());
        one["byteLength"] = json!(if index < count {
            first.len()
        } else {
            last.len()
        });
        views.push(one);
    }
    file.json["images"] = all
        .clone()
        .map(|index| json!({"bufferView": first_new + index}))
        .collect();
    file.json["textures"] = all
        .clone()
        .map(|index| json!({"source": index, "sampler": 0}))
        .collect();
    file.json["materials"] = all
        .clone()
        .map(|index| json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": index, "texCoord": 1}}}))
        .collect();
    let primitive = file.json["meshes"][0]["primitives"][0].clone();
    file.json["meshes"][0]["primitives"] = all
        .map(|index| {
            let mut primitive = primitive.clone();
            primitive["material"] = json!(index);
            primitive
        })
        .collect();
    file
}

/// Pixels count as decoded when a header says that they are there, so that these images take no time.
#[test]
fn no_more_pixels_are_decoded_for_a_page_than_for_a_picture() {
    let dir = Dir::new();
    let header = &white(8192)[..41];
    for (count, is_shown) in [(7, true), (8, false)] {
        dir.write("a.glb", with_images(count, header, &white(2100)).glb());
        let shown = page(&dir, "");
        let last = &shown.model()["images"][count];
        assert_eq!(last["bufferView"].is_u64(), is_shown, "{count}: {last}");
        let note = shown.scene["notes"][0].as_str().unwrap();
        let left_out = count + usize::from(!is_shown);
        assert!(note.ends_with(&format!(": {left_out}.")), "{note}");
    }
}

/// Images that are one view are decoded, made smaller and written once, for pages and for pictures.
#[test]
fn images_that_are_the_same_bytes_are_one_image() {
    let count = 40;
    let mut file = with_images(count, &white(4000), &white(8));
    let view = file.json["images"][0]["bufferView"].clone();
    for image in file.list("images") {
        image["bufferView"] = view.clone();
    }
    let dir = Dir::with("a.glb", file.glb());
    let shown = page(&dir, "");
    let images = shown.model()["images"].clone();
    assert_eq!(images.as_array().unwrap().len(), 1, "{images}");
    let materials = shown.scene["models"][0]["materials"].as_array().unwrap();
    assert_eq!(materials.len(), count + 1);
    for material in materials {
        assert_eq!(material["textures"][0]["image"], 0, "{material}");
    }
    assert!(!shown.scene["notes"].to_string().contains("left out"));
    let drawn = dir.run("preview a.glb -o a.png").good();
    assert!(!drawn.stderr().contains("texture"), "{}", drawn.stderr());
}

fn scaled() -> Vec<u8> {
    let mut file = skinned(40, 0.5);
    let json = &mut file.json;
    json["nodes"][0]["scale"] = json!([2, 1, 1]);
    json["nodes"][0]["name"] = json!("arm");
    json["nodes"].as_array_mut().unwrap().push(
        json!({"name": "shoulder", "translation": [0, 3, 0], "scale": [1, 3, 1], "children": [0]}),
    );
    json["scenes"][0]["nodes"] = json!([1, 2]);
    json["skins"][0]["joints"] = json!([0, 2]);
    file.glb()
}

#[test]
fn joint_scale_is_that_of_bake_with_the_same_option() {
    let dir = Dir::with("a.glb", scaled());
    let mut seen = Vec::new();
    for options in [
        "--joint-scale global",
        "--joint-scale local",
        "--local-scale-joints shoulder",
    ] {
        let bake = "bake a.glb --solver dqs -o out --force";
        dir.run(&format!("{bake} {options}")).good();
        let baked = super::view::positions(&dir.read("out/a.glb"));
        let shown = page(&dir, options);
        let rest = &shown.scene["baked"][0]["dqs"];
        assert_eq!(shown.attribute(rest, "POSITION"), baked);
        seen.push(baked);
    }
    assert!(seen[0] != seen[1] && seen[0] != seen[2]);
    let shown = page(&dir, "");
    assert_eq!(shown.scene["scale"], "global");
    let shown = page(&dir, "--local-scale-joints shoulder");
    assert_eq!(shown.scene["scale"], json!({"for": ["shoulder"]}));
}

#[test]
fn rejected_scale_leaves_linear_blending() {
    let dir = Dir::with("a.glb", scaled());
    let shown = page(&dir, "--joint-scale reject");
    assert_eq!(shown.scene["scale"], "reject");
    assert_eq!(shown.scene["baked"][0]["dqs"], Value::Null);
}

#[test]
fn of_many_clips_few_moments_are_baked() {
    let dir = Dir::new();
    let mut file = skinned(40, 0.5);
    file.add_clip("still", "rotation", &[0.0], &[0.0, 0.0, 0.0, 1.0]);
    let clip = file.list("animations")[0].clone();
    file.list("animations").resize(200, clip);
    dir.write("a.glb", file.glb());
    let shown = page(&dir, "");
    let baked = shown.scene["baked"].as_array().unwrap();
    assert_eq!(shown.scene["clips"].as_array().unwrap().len(), 200);
    assert!((1..=64).contains(&baked.len()), "{}", baked.len());
}
