//! Properties of materials: each is in a file, or a warning names it with its material.

use rigy_batch::export::{Export, Format, Join, Layout, Sequence};
use rigy_batch::mesh::{Elements, Material, Model, Surface};
use serde_json::{Value, json};

use super::made::{assert_warned, images, points, square};
use super::models::painted;
use super::usda_reader::{Prim, Usd};

/// A PNG with this colour type, as far as its header.
fn png(color_type: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x02\0\0\0\x02\x08".to_vec();
    bytes.extend([color_type, 0, 0, 0]);
    bytes
}

/// The file, the files beside it and the messages of the warnings of a model in a format, with this image as image 0 and 1.
fn exported(model: &Model, format: Format, image: &[u8]) -> (String, Vec<String>, Vec<String>) {
    exported_by(model, format, image, Layout::default())
}

fn exported_by(
    model: &Model,
    format: Format,
    image: &[u8],
    layout: Layout,
) -> (String, Vec<String>, Vec<String>) {
    let sequence = Sequence::new(model.clone(), layout).unwrap();
    let images = images(&[image, image]);
    let export = Export::new(&sequence, "made", &images).unwrap();
    let mut bytes = Vec::new();
    export.write(format, &mut bytes).unwrap();
    let beside = export.beside(format).into_iter();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let beside = beside.map(|file| text(&file.bytes)).collect();
    let warnings = export.warnings(format).into_iter();
    (
        text(&bytes),
        beside,
        warnings.map(|it| it.message).collect(),
    )
}

/// A square without vertex colours, whose material is called `skin` and has these members.
fn skin(members: Value) -> Model {
    let mut material = members;
    material["name"] = "skin".into();
    let mut made = painted(&material);
    made.surfaces[0].colors = None;
    made
}

/// A square without vertex colours and without a material.
fn plain(node: usize) -> Surface {
    Surface {
        colors: None,
        ..square(node, 1.0)
    }
}

/// The formats whose files have materials, or those whose files have none.
fn by_materials(has: bool) -> impl Iterator<Item = Format> {
    let all = Format::ALL.into_iter();
    all.filter(move |format| format.has_materials() == has)
}

/// The lines of the material of an OBJ file, and the warnings.
fn mtl(model: &Model, image: &[u8]) -> (String, Vec<String>) {
    let (_, mut beside, warnings) = exported(model, Format::Obj, image);
    (beside.remove(0), warnings)
}

/// The stage of a USD file, and the warnings.
fn staged(model: &Model) -> (Prim, Vec<String>) {
    let (text, _, warnings) = exported(model, Format::Usda, &png(2));
    (Prim::read(&text), warnings)
}

#[test]
fn extensions_without_a_place_are_named_with_their_material_unless_they_change_nothing() {
    for (name, word, members, idle) in [
        (
            "anisotropy",
            "anisotropy",
            json!({"anisotropyStrength": 0.5}),
            json!({"anisotropyRotation": 1}),
        ),
        (
            "diffuse_transmission",
            "diffuse transmission",
            json!({"diffuseTransmissionFactor": 1}),
            json!({}),
        ),
        (
            "dispersion",
            "dispersion",
            json!({"dispersion": 0.1}),
            json!({"dispersion": 0}),
        ),
        (
            "iridescence",
            "iridescence",
            json!({"iridescenceFactor": 1}),
            json!({"iridescenceIor": 2}),
        ),
        (
            "sheen",
            "sheen",
            json!({"sheenColorFactor": [0, 1, 0]}),
            json!({"sheenColorFactor": [0, 0, 0]}),
        ),
        (
            "specular",
            "specular",
            json!({"specularFactor": 0}),
            json!({"specularFactor": 1.0}),
        ),
        (
            "transmission",
            "transmission",
            json!({"transmissionFactor": 0.9}),
            json!({"transmissionFactor": 0}),
        ),
        (
            "volume",
            "volume",
            json!({"thicknessFactor": 1}),
            json!({"attenuationDistance": 1}),
        ),
        (
            "new_kind",
            "extension \"KHR_materials_new_kind\"",
            json!({"factor": 1}),
            Value::Null,
        ),
    ] {
        for format in by_materials(true) {
            let of = |members: &Value| {
                let extensions = json!({format!("KHR_materials_{name}"): members});
                exported(&skin(json!({"extensions": extensions})), format, &png(2)).2
            };
            let ending = format.mesh().name();
            let expected = format!("the {word} of \"skin\" is not in the {ending} file");
            assert_eq!(of(&members), [expected]);
            if !idle.is_null() {
                assert_eq!(of(&idle), [""; 0], "{name}");
            }
        }
    }
}

#[test]
fn clearcoat_and_ior_have_places_in_obj_and_usd() {
    let extensions = json!({"KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25},
        "KHR_materials_ior": {"ior": 1.25}});
    let mut made = skin(json!({"extensions": extensions}));
    let (lines, warnings) = mtl(&made, &png(2));
    assert!(lines.ends_with("Ni 1.25\nPc 0.5\nPcr 0.25\n"), "{lines}");
    assert_eq!(warnings, [""; 0]);
    let (stage, warnings) = staged(&made);
    assert_eq!(warnings, [""; 0]);
    let surface = stage.at("made/materials/skin/surface");
    for (input, value) in [
        ("clearcoat", "0.5"),
        ("clearcoatRoughness", "0.25"),
        ("ior", "1.25"),
    ] {
        assert_eq!(
            surface.get(&format!("inputs:{input}")),
            &Usd::Word(value.into())
        );
    }
    made.materials[0].clearcoat.is_textured = true;
    let (_, warnings) = staged(&made);
    assert_eq!(
        warnings,
        ["the texture of the clearcoat of \"skin\" is not in the usda file"]
    );
}

#[test]
fn unlit_materials_emit_their_colour_in_usd_and_are_a_warning_in_obj() {
    let pbr = json!({"baseColorFactor": [0.5, 0.25, 1, 1], "roughnessFactor": 0.5});
    let made = skin(
        json!({"pbrMetallicRoughness": pbr, "extensions": {"KHR_materials_unlit": {}},
        "emissiveFactor": [1, 0, 0], "occlusionTexture": {"index": 0}}),
    );
    let (lines, warnings) = mtl(&made, &png(2));
    assert_eq!(
        warnings,
        ["the unlit shading of \"skin\" is not in the obj file"]
    );
    assert!(
        lines.contains("Kd 0.5 0.25 1\nKe 0 0 0\n") && lines.contains("Pm 0\n"),
        "{lines}"
    );
    let (stage, warnings) = staged(&made);
    assert_warned(
        &warnings,
        "the unlit shading of \"skin\" is approximated in the usda file",
    );
    let surface = stage.at("made/materials/skin/surface");
    assert_eq!(
        surface.get("inputs:emissiveColor").floats(),
        [0.5, 0.25, 1.0]
    );
    assert_eq!(surface.get("inputs:diffuseColor").floats(), [0.0; 3]);
}

#[test]
fn specular_glossiness_lends_its_diffuse_colour_and_is_told() {
    let diffuse = json!({"diffuseFactor": [0.5, 0.25, 1, 1], "diffuseTexture": {"index": 1}, "glossinessFactor": 0.75});
    let extensions = json!({"KHR_materials_pbrSpecularGlossiness": diffuse});
    let made = skin(json!({"extensions": extensions}));
    let (lines, warnings) = mtl(&made, &png(2));
    assert_warned(
        &warnings,
        "the specular-glossiness of \"skin\" is approximated in the obj file",
    );
    let expected = "Kd 0.5 0.25 1\nKe 0 0 0\nd 1\nPr 0.25\nPm 0\nmap_Kd made.image_0.png\n";
    assert!(lines.ends_with(expected), "{lines}");
    let (_, warnings) = staged(&made);
    assert_warned(
        &warnings,
        "the specular-glossiness of \"skin\" is approximated in the usda file",
    );
}

#[test]
fn cut_outs_and_opacity_of_textures_are_told_by_obj_if_the_image_has_any() {
    let pbr = json!({"baseColorTexture": {"index": 0}, "baseColorFactor": [1, 1, 1, 0.75]});
    for (mode, words, d) in [
        (
            "MASK",
            Some("the cut-out by the base colour texture of \"skin\" is not in the obj file"),
            "d 1\n",
        ),
        (
            "BLEND",
            Some("the opacity of the base colour texture of \"skin\" is not in the obj file"),
            "d 0.75\n",
        ),
        ("OPAQUE", None, "d 1\n"),
    ] {
        let made = skin(json!({"alphaMode": mode, "pbrMetallicRoughness": pbr}));
        let (lines, warnings) = mtl(&made, &png(6));
        assert_eq!(warnings, Vec::from_iter(words));
        assert!(lines.contains(d), "{mode} {lines}");
        let transparent = [&png(3)[..], b"\0\0\0\0", b"\0\0\0\x01tRNS\0\0\0\0\0"].concat();
        assert_eq!(mtl(&made, &transparent).1.len(), words.iter().count());
        for opaque in [&png(2)[..], &png(3), b"\xff\xd8\xff JPEG"] {
            assert_eq!(mtl(&made, opaque).1, [""; 0], "{mode}");
        }
    }
    // Without a texture a mask is all there or all away.
    for (opacity, d) in [(0.5, "d 1\n"), (0.25, "d 0\n")] {
        let pbr = json!({"baseColorFactor": [1, 1, 1, opacity]});
        let made = skin(json!({"alphaMode": "MASK", "pbrMetallicRoughness": pbr}));
        let (lines, warnings) = mtl(&made, &png(6));
        assert!(lines.contains(d), "{lines}");
        assert_eq!(warnings, [""; 0]);
    }
}

#[test]
fn usd_materials_take_vertex_colours_times_the_base_colour() {
    let pbr = json!({"baseColorFactor": [0.5, 0.25, 1, 0.5]});
    for mode in ["OPAQUE", "BLEND"] {
        let mut made = skin(json!({"alphaMode": mode, "pbrMetallicRoughness": pbr}));
        made.surfaces[0].colors = Some(vec![[0.5, 1.0, 0.25, 0.5]; 4]);
        // Another object has the material, and no colours.
        made.surfaces.push(Surface {
            material: Some(0),
            ..plain(1)
        });
        let (text, _, warnings) = exported(&made, Format::Usda, &png(2));
        assert_eq!(warnings, [""; 0]);
        let stage = Prim::read(&text);
        let mesh = stage.at("made/made");
        let colors = mesh.get("primvars:displayColor").vectors::<3>();
        assert_eq!(
            [colors[0], colors[4]],
            [[0.25, 0.25, 0.25], [0.5, 0.25, 1.0]]
        );
        let material = stage.at("made/materials/skin");
        let output = |name: &str| Usd::Path(format!("/made/materials/skin/{name}.outputs:result"));
        let surface = material.at("surface");
        assert_eq!(surface.get("inputs:diffuseColor.connect"), &output("color"));
        assert_eq!(
            material.at("color").get("inputs:varname"),
            &Usd::Text("displayColor".into())
        );
        if mode == "OPAQUE" {
            assert!(!mesh.has("primvars:displayOpacity") && !surface.has("inputs:opacity.connect"));
        } else {
            let opacity = mesh.get("primvars:displayOpacity").floats();
            assert_eq!([opacity[0], opacity[4]], [0.25, 0.5]);
            assert_eq!(surface.get("inputs:opacity.connect"), &output("opacity"));
        }
    }
}

#[test]
fn vertex_colours_that_cannot_be_multiplied_with_a_texture_are_told() {
    let mut made = skin(json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    made.surfaces[0].colors = Some(vec![[0.5, 1.0, 0.25, 0.5]; 4]);
    let told = |made: &Model| exported(made, Format::Usda, &png(2)).2;
    let name = &made.surfaces[0].name;
    let expected =
        format!("the vertex colours that tint a texture of {name:?} are not in the usda file");
    assert_eq!(told(&made), [expected]);
    // White changes nothing, and the opacity of an opaque material does not count.
    made.surfaces[0].colors = Some(vec![[1.0, 1.0, 1.0, 0.5]; 4]);
    assert_eq!(told(&made), [""; 0]);
    assert_eq!(exported(&made, Format::Obj, &png(2)).2, [""; 0]);
}

#[test]
fn materials_of_what_is_not_written_are_no_loss() {
    let sheen = json!({"KHR_materials_sheen": {"sheenColorFactor": [1, 1, 1]}});
    let mut made = skin(
        json!({"extensions": sheen, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "normalTexture": {"index": 1, "texCoord": 3}}),
    );
    let mut dust = points(1);
    dust.material = Some(0);
    made.surfaces.push(dust);
    let (_, beside, warnings) = exported(&made, Format::Obj, &png(2));
    assert_eq!((beside.len(), warnings.len()), (2, 3), "{warnings:?}");
    made.surfaces[0].material = None;
    let (_, beside, warnings) = exported(&made, Format::Obj, &png(2));
    assert_eq!(beside, [""; 0]);
    assert_warned(&warnings, "points and lines of \"dust\"");
    assert_eq!(made.surfaces[1].elements, Elements::Points);
}

#[test]
fn formats_without_materials_name_all_properties_at_once() {
    let pbr = json!({"baseColorFactor": [0.5, 0.25, 1, 1], "metallicFactor": 0});
    let mut made = skin(
        json!({"pbrMetallicRoughness": pbr, "normalTexture": {"index": 0}, "doubleSided": true}),
    );
    made.materials.push(Material {
        name: Some("plain".into()),
        ..Material::default()
    });
    for format in by_materials(false) {
        let name = format.name();
        let (_, _, warnings) = exported(&made, format, &png(2));
        if format == Format::Npz {
            assert_eq!(warnings, [""; 0]); // nobody looks for materials among arrays
            continue;
        }
        assert_eq!(
            warnings,
            [format!(
                "no materials are written to {name} files, so these properties of \"skin\" are left out: \
            base colour, metallic factor, normal texture, doubleSided flag"
            )]
        );
        let mut plain = made.clone();
        plain.surfaces[0].material = Some(1);
        assert_eq!(exported(&plain, format, &png(2)).2, [""; 0]);
    }
}

#[test]
fn joined_objects_are_double_sided_as_a_whole_and_say_so() {
    let mut made = skin(json!({"doubleSided": true}));
    made.surfaces.push(plain(1));
    let (_, _, warnings) = exported(&made, Format::Usda, &png(2));
    assert_warned(
        &warnings,
        "the single side beside double-sided surfaces of \"square 1\" is approximated",
    );
    let by_node = Layout {
        join: Join::Node,
        ..Layout::default()
    };
    let (_, _, warnings) = exported_by(&made, Format::Usda, &png(2), by_node);
    assert_eq!(warnings, [""; 0]);
    let (_, _, warnings) = exported(&made, Format::Obj, &png(2));
    assert_eq!(
        warnings,
        ["the doubleSided flag of \"skin\" is not in the obj file"]
    );
}

#[test]
fn wrapping_and_filters_are_told_where_they_have_no_place() {
    let mut made = skin(json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    let texture = made.materials[0].texture.as_mut().unwrap();
    texture.wraps[1] = rigy_batch::mesh::Wrap::Mirror;
    texture.is_nearest = true;
    let told = |format: Format| exported(&made, format, &png(2)).2;
    let missing = |what: &str, name: &str| {
        format!("the {what} of textures of \"skin\" is not in the {name} file")
    };
    assert_eq!(
        told(Format::Obj),
        [missing("wrapping", "obj"), missing("nearest filter", "obj")]
    );
    assert_eq!(told(Format::Usda), [missing("nearest filter", "usda")]);
}
