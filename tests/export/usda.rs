//! USD: prims, their attributes at rest and over time, materials.

use rigy_batch::export::{Export, Format, Join, Layout, Sequence, Timing, Up};
use rigy_batch::mesh::{Alpha, Material, Model};

use super::made::{
    HOSTILE, assert_warned, bare, bits, flipped, hostile, images, model, points, rounded, square,
    still, written,
};
use super::usda_reader::{Prim, Usd};

fn stage(model: &Model, layout: Layout) -> (Prim, Vec<String>) {
    let (bytes, warnings) = still(model, layout, Format::Usda);
    (Prim::read(std::str::from_utf8(&bytes).unwrap()), warnings)
}

const BY_NODE: Layout = Layout {
    join: Join::Node,
    up: Up::Y,
    scale: 1.0,
};

fn word(text: &str) -> Usd {
    Usd::Word(text.into())
}

fn text(text: &str) -> Usd {
    Usd::Text(text.into())
}

#[test]
fn every_attribute_comes_back_bit_for_bit() {
    let surface = square(0, 0.3);
    let made = model(vec![surface.clone(), square(1, 2.0)]);
    let (stage, warnings) = stage(&made, Layout::default());
    assert_eq!(warnings, Vec::<String>::new());
    let mesh = stage.at("made/made");
    assert_eq!(mesh.kind, "Mesh");
    assert_eq!(
        bits(&mesh.get("points").vectors()[..4]),
        rounded(&surface.positions)
    );
    assert_eq!(
        bits(&mesh.get("normals").vectors()[..4]),
        rounded(&surface.normals.unwrap())
    );
    let coordinates = mesh.get("primvars:st").vectors();
    assert_eq!(
        bits(&coordinates[..4]),
        flipped(&surface.texture_coordinates.unwrap())
    );
    let colors = surface.colors.unwrap();
    let expected: Vec<[f32; 3]> = colors.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
    assert_eq!(mesh.get("primvars:displayColor").vectors()[..4], expected);
    assert_eq!(mesh.get("faceVertexCounts").integers(), [3; 4]);
    assert_eq!(
        mesh.get("faceVertexIndices").integers(),
        [0, 2, 1, 0, 3, 2, 4, 6, 5, 4, 7, 6]
    );
    assert_eq!(
        mesh.get("extent").vectors(),
        [[0.0, 0.3, 0.0], [1.0, 2.0, 1.0]]
    );
    assert_eq!(mesh.get("subdivisionScheme"), &text("none"));
    for (name, kind) in [
        ("normals", "normal3f[]"),
        ("primvars:st", "texCoord2f[]"),
        ("primvars:displayColor", "color3f[]"),
    ] {
        let attribute = &mesh.attributes[name];
        assert_eq!(attribute.kind, kind);
        assert_eq!(attribute.metadata["interpolation"], text("vertex"));
    }
    assert!(!mesh.has("doubleSided") && !mesh.has("material:binding"));
}

#[test]
fn the_stage_has_its_unit_axis_and_root() {
    for (up, name, scale, unit) in [(Up::Y, "Y", 1.0, "1"), (Up::Z, "Z", 1000.0, "0.001")] {
        let layout = Layout {
            up,
            scale,
            ..Layout::default()
        };
        let (stage, _) = stage(&model(vec![square(0, 0.3)]), layout);
        assert_eq!(stage.metadata["upAxis"], text(name));
        assert_eq!(stage.metadata["metersPerUnit"], word(unit));
        assert_eq!(stage.metadata["defaultPrim"], text("made"));
        assert_eq!(stage.metadata.len(), 3);
        assert_eq!(stage.children.len(), 1);
        assert_eq!(stage.at("made").kind, "Xform");
    }
}

#[test]
fn surfaces_without_attributes_get_defaults_and_normals_are_for_all_or_none() {
    let made = model(vec![square(0, 0.3), bare(1)]);
    let (joined, warnings) = stage(&made, Layout::default());
    assert_warned(&warnings, "because \"bare\" has none");
    let mesh = joined.at("made/made");
    assert!(!mesh.has("normals"));
    assert_eq!(mesh.get("primvars:st").vectors::<2>()[4..], [[0.0; 2]; 3]);
    assert_eq!(
        mesh.get("primvars:displayColor").vectors::<3>()[4..],
        [[1.0; 3]; 3]
    );
    assert!(!mesh.has("primvars:displayOpacity"));
    let (by_node, warnings) = stage(&made, BY_NODE);
    assert_eq!(warnings, Vec::<String>::new());
    assert!(by_node.at("made/node_0").has("normals"));
    assert_eq!(
        by_node.at("made/node_0").metadata["displayName"],
        text("node 0")
    );
    let bare = by_node.at("made/node_1");
    for attribute in ["normals", "primvars:st", "primvars:displayColor"] {
        assert!(!bare.has(attribute), "{attribute}");
    }
}

#[test]
fn the_opacity_of_vertex_colors_counts_where_that_of_the_material_does() {
    let mut made = model(vec![square(0, 0.3), square(1, 0.3)]);
    made.materials = [Alpha::Opaque, Alpha::Blend]
        .map(|alpha| Material {
            alpha,
            ..Material::default()
        })
        .into();
    made.surfaces[0].material = Some(0);
    let opaque = stage(&made, Layout::default()).0;
    assert!(!opaque.at("made/made").has("primvars:displayOpacity"));
    made.surfaces[1].material = Some(1);
    let (blended, _) = stage(&made, Layout::default());
    let opacity = &blended.at("made/made").attributes["primvars:displayOpacity"];
    assert_eq!(opacity.kind, "float[]");
    assert_eq!(opacity.metadata["interpolation"], text("vertex"));
    let opacity = blended.at("made/made").get("primvars:displayOpacity");
    assert_eq!(
        opacity.floats(),
        [1.0, 1.0, 1.0, 1.0, 0.25, 0.25, 0.25, 0.25]
    );
}

#[test]
fn materials_bind_meshes_or_subsets_of_their_faces() {
    let mut made = model(vec![
        square(0, 0.0),
        square(1, 1.0),
        square(2, 2.0),
        bare(3),
    ]);
    let material = |name: &str| Material {
        name: Some(name.into()),
        is_double_sided: name == "b",
        ..Material::default()
    };
    made.materials = vec![material("unused"), material("a"), material("b")];
    for (surface, material) in [(0, 2), (1, 1), (2, 2)] {
        made.surfaces[surface].material = Some(material);
    }
    let (joined, _) = stage(&made, Layout::default());
    let mesh = joined.at("made/made");
    assert!(!mesh.has("material:binding"));
    assert_eq!(mesh.get("doubleSided"), &word("1"));
    assert_eq!(joined.at("made/made/a").get("indices").integers(), [2, 3]);
    assert_eq!(
        joined.at("made/made/b").get("indices").integers(),
        [0, 1, 4, 5]
    );
    let path = Usd::Path("/made/materials/a".into());
    assert_eq!(joined.at("made/made/a").get("material:binding"), &path);
    assert_eq!(joined.at("made/materials").children.len(), 2);
    let (by_node, _) = stage(&made, BY_NODE);
    assert_eq!(by_node.at("made/node_1").get("material:binding"), &path);
    assert!(by_node.at("made/node_1").children.is_empty());
    assert!(!by_node.at("made/node_1").has("doubleSided"));
}

#[test]
fn materials_are_preview_surfaces_with_their_texture() {
    let made = super::models::textured();
    let sequence = Sequence::new(made.clone(), Layout::default()).unwrap();
    let image = b"\x89PNG first".as_slice();
    let images = images(&[image]);
    let export = Export::new(&sequence, "made", &images).unwrap();
    let mut bytes = Vec::new();
    export.write(Format::Usda, &mut bytes).unwrap();
    let textured = Prim::read(std::str::from_utf8(&bytes).unwrap());
    let paint = textured.at("made/materials/paint");
    let output = |name: &str| Usd::Path(format!("/made/materials/paint/{name}"));
    assert_eq!(
        paint.get("outputs:surface.connect"),
        &output("surface.outputs:surface")
    );
    let surface = paint.at("surface");
    assert_eq!(
        surface.get("inputs:diffuseColor.connect"),
        &output("texture.outputs:rgb")
    );
    assert_eq!(
        surface.get("inputs:opacity.connect"),
        &output("texture.outputs:a")
    );
    assert_eq!(surface.get("inputs:opacityThreshold"), &word("0.3"));
    assert_eq!(surface.get("inputs:metallic"), &word("0.2"));
    assert_eq!(surface.get("inputs:roughness"), &word("0.3"));
    assert_eq!(
        surface.get("inputs:emissiveColor").floats(),
        [0.0, 0.1, 0.0]
    );
    let texture = paint.at("texture");
    let beside = export.beside(Format::Usda);
    assert_eq!((beside.len(), &*beside[0].bytes), (1, image));
    assert_eq!(
        texture.get("inputs:file"),
        &Usd::Asset(format!("./{}", beside[0].name))
    );
    assert_eq!(texture.get("inputs:scale").floats(), [0.5, 0.25, 1.0, 0.75]);
    assert_eq!(texture.get("inputs:wrapS"), &text("clamp"));
    assert_eq!(texture.get("inputs:wrapT"), &text("repeat"));

    let mut plain = made;
    plain.materials[0].texture = None;
    plain.surfaces[0].colors = None;
    let (with_opacity, _) = stage(&plain, Layout::default());
    let surface = with_opacity.at("made/materials/paint/surface");
    assert_eq!(
        surface.get("inputs:diffuseColor").floats(),
        [0.5, 0.25, 1.0]
    );
    assert_eq!(surface.get("inputs:opacity"), &word("0.75"));
    plain.materials[0].alpha = Alpha::Opaque;
    let (opaque, _) = stage(&plain, Layout::default());
    assert!(
        !opaque
            .at("made/materials/paint/surface")
            .has("inputs:opacity")
    );
}

#[test]
fn textures_of_every_kind_are_inputs_of_the_surface() {
    let made = super::models::fully_textured();
    let sequence = Sequence::new(made, Layout::default()).unwrap();
    let bytes = [b"\x89PNG first".as_slice(), b"\x89PNG second"];
    let images = images(&bytes);
    let export = Export::new(&sequence, "made", &images).unwrap();
    let mut written = Vec::new();
    export.write(Format::Usda, &mut written).unwrap();
    let stage = Prim::read(std::str::from_utf8(&written).unwrap());
    let (skin, beside) = (stage.at("made/materials/skin"), export.beside(Format::Usda));
    let surface = skin.at("surface");
    for (input, output) in [
        ("diffuseColor", "texture.outputs:rgb"),
        ("emissiveColor", "emissive.outputs:rgb"),
        ("metallic", "metallic_roughness.outputs:b"),
        ("roughness", "metallic_roughness.outputs:g"),
        ("normal", "normal.outputs:rgb"),
        ("occlusion", "occlusion.outputs:r"),
    ] {
        let path = Usd::Path(format!("/made/materials/skin/{output}"));
        assert_eq!(surface.get(&format!("inputs:{input}.connect")), &path);
        let (prim, output) = output.split_once('.').unwrap();
        assert!(skin.at(prim).has(output), "{prim} {output}");
    }
    assert_eq!(beside.len(), 2);
    for (prim, space, scale, bias, image) in [
        ("emissive", "sRGB", [2.0, 4.0, 1.0, 1.0], None, 0),
        ("metallic_roughness", "raw", [1.0, 0.5, 0.75, 1.0], None, 0),
        (
            "normal",
            "raw",
            [1.0, 1.0, 2.0, 1.0],
            Some([-0.5, -0.5, -1.0, 0.0]),
            1,
        ),
        ("occlusion", "raw", [0.25; 4], Some([0.75; 4]), 0),
    ] {
        let shader = skin.at(prim);
        assert_eq!(shader.get("inputs:scale").floats(), scale, "{prim}");
        assert_eq!(
            shader.get("inputs:sourceColorSpace"),
            &text(space),
            "{prim}"
        );
        match bias {
            Some(bias) => assert_eq!(shader.get("inputs:bias").floats(), bias, "{prim}"),
            None => assert!(!shader.has("inputs:bias"), "{prim}"),
        }
        let file = beside
            .iter()
            .find(|file| &*file.bytes == bytes[image])
            .unwrap();
        assert_eq!(
            shader.get("inputs:file"),
            &Usd::Asset(format!("./{}", file.name))
        );
    }
}

#[test]
fn frames_are_time_samples_of_points_normals_and_extent() {
    let frame = |height: f64| model(vec![square(0, height)]);
    let timing = Timing {
        rate: 29.97,
        first: -1,
    };
    let sequence = Sequence::new(frame(0.1), Layout::default()).unwrap();
    let mut sequence = sequence.timed(timing).unwrap();
    sequence.push(&frame(0.2)).unwrap();
    sequence.push(&frame(0.3)).unwrap();
    let (bytes, _) = written(&sequence, Format::Usda);
    let stage = Prim::read(std::str::from_utf8(&bytes).unwrap());
    for (name, value) in [
        ("startTimeCode", "-1"),
        ("endTimeCode", "1"),
        ("timeCodesPerSecond", "29.97"),
        ("framesPerSecond", "29.97"),
    ] {
        assert_eq!(stage.metadata[name], word(value), "{name}");
    }
    let mesh = stage.at("made/made");
    let samples = |name: &str| match mesh.get(&format!("{name}.timeSamples")) {
        Usd::Samples(samples) => samples.clone(),
        other => panic!("{other:?}"),
    };
    let heights = [0.1, 0.2, 0.3];
    for (index, ((time, points), height)) in samples("points").iter().zip(heights).enumerate() {
        assert_eq!(time.parse::<i64>().unwrap(), index as i64 - 1);
        assert_eq!(
            bits(&points.vectors()),
            rounded(&square(0, height).positions)
        );
        assert_eq!(
            samples("extent")[index].1.vectors::<3>()[0][1],
            height as f32
        );
        assert_eq!(samples("normals")[index].1.vectors::<3>().len(), 4);
    }
    assert_eq!(
        ["points", "normals", "extent"].map(|name| samples(name).len()),
        [3; 3]
    );
    assert_eq!(
        mesh.attributes["normals"].metadata["interpolation"],
        text("vertex")
    );
    assert!(!mesh.has("points") && !mesh.has("extent"));
}

#[test]
fn hostile_names_are_identifiers_and_keep_the_original_beside() {
    let made = hostile();
    let (stage, _) = stage(&made, BY_NODE);
    let root = stage.at("made");
    assert_eq!(root.children.len(), HOSTILE.len() + 1);
    let shown: Vec<&Usd> = root
        .children
        .iter()
        .filter_map(|mesh| mesh.metadata.get("displayName"))
        .collect();
    let cleaned = HOSTILE.map(|name| {
        let name = name.replace('\n', "\\n").replace('\0', "\\u{0}");
        let turns = ['\u{2028}', '\u{202e}', '\u{feff}'];
        let escape = |text: String, c: char| text.replace(c, &c.escape_unicode().to_string());
        text(&turns.into_iter().fold(name, escape))
    });
    assert_eq!(shown, cleaned.iter().collect::<Vec<_>>());
    assert_eq!(stage.at("made/materials").children.len(), HOSTILE.len());
}

#[test]
fn nothing_and_points_give_a_stage_without_meshes() {
    assert!(
        stage(&Model::default(), BY_NODE)
            .0
            .at("made")
            .children
            .is_empty()
    );
    let (stage, warnings) = stage(&model(vec![points(0)]), Layout::default());
    assert!(stage.at("made").children.is_empty());
    assert_warned(
        &warnings,
        "points and lines of \"dust\" are not in the usda file",
    );
}
