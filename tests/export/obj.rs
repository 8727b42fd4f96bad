//! OBJ and its MTL: lines, objects, materials and textures.

use std::collections::BTreeMap;

use rigy_batch::export::{Export, Format, Images, Join, Layout, Sequence, Up};
use rigy_batch::mesh::{Alpha, Material, Model};

use super::made::{
    HOSTILE, assert_warned, bare, bits, flipped, hostile, model, points, rounded, square, still,
};

#[derive(Debug, Default)]
struct Obj {
    positions: Vec<[f32; 3]>,
    coordinates: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    objects: Vec<String>,
    groups: Vec<String>,
    library: Option<String>,
    faces: Vec<Face>,
}

#[derive(Debug)]
struct Face {
    /// For each corner, the numbers of its position, coordinates and normal, from 0.
    corners: [[Option<usize>; 3]; 3],
    /// The number of its object, from 0.
    object: usize,
    material: Option<String>,
}

impl Obj {
    fn read(text: &str) -> Self {
        let mut obj = Self::default();
        let mut material = None;
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let word = || words[1..].join(" ");
            match words[0] {
                "#" => {}
                "v" => obj.positions.push(vector(&words)),
                "vt" => obj.coordinates.push(vector(&words)),
                "vn" => obj.normals.push(vector(&words)),
                "o" => obj.objects.push(word()),
                "g" => obj.groups.push(word()),
                "mtllib" => obj.library = Some(word()),
                "usemtl" => material = Some(word()),
                "f" => {
                    assert_eq!(words.len(), 4);
                    obj.faces.push(Face {
                        corners: std::array::from_fn(|corner| corner_of(words[corner + 1])),
                        object: obj.objects.len() - 1,
                        material: material.clone(),
                    });
                }
                other => panic!("{other:?}"),
            }
        }
        obj
    }
}

fn vector<const N: usize>(words: &[&str]) -> [f32; N] {
    assert_eq!(words.len(), N + 1);
    std::array::from_fn(|component| words[component + 1].parse().unwrap())
}

fn corner_of(word: &str) -> [Option<usize>; 3] {
    let mut numbers = word.split('/');
    std::array::from_fn(|_| {
        let number = numbers.next().filter(|number| !number.is_empty());
        number.map(|number| number.parse::<usize>().unwrap() - 1)
    })
}

fn obj(model: &Model, layout: Layout) -> (Obj, Vec<String>) {
    let (bytes, warnings) = still(model, layout, Format::Obj);
    (Obj::read(std::str::from_utf8(&bytes).unwrap()), warnings)
}

const BY_NODE: Layout = Layout {
    join: Join::Node,
    up: Up::Y,
    scale: 1.0,
};

#[test]
fn every_attribute_comes_back_bit_for_bit() {
    let surface = square(0, 0.3);
    let (obj, warnings) = obj(&model(vec![bare(1), surface.clone()]), Layout::default());
    assert_warned(
        &warnings,
        "the vertex colours of \"square 0\" are not in the obj file",
    );
    assert_eq!(bits(&obj.positions[3..]), rounded(&surface.positions));
    assert_eq!(bits(&obj.normals), rounded(&surface.normals.unwrap()));
    assert_eq!(
        bits(&obj.coordinates),
        flipped(&surface.texture_coordinates.unwrap())
    );
    assert_eq!(
        obj.faces[0].corners,
        [2, 1, 0].map(|corner| [Some(corner), None, None])
    );
    let corner = |position: usize| [position, position - 3, position - 3].map(Some);
    assert_eq!(obj.faces[1].corners, [3, 5, 4].map(corner));
    assert_eq!(obj.objects, ["made"]);
    assert_eq!(obj.library, None);
}

#[test]
fn corners_name_the_attributes_that_there_are() {
    let mut made = model(vec![square(0, 0.0), square(1, 0.0)]);
    made.surfaces[0].normals = None;
    made.surfaces[1].texture_coordinates = None;
    let (obj, _) = obj(&made, Layout::default());
    assert_eq!(obj.faces[0].corners[1], [Some(2), Some(2), None]);
    assert_eq!(obj.faces[2].corners[1], [Some(6), None, Some(2)]);
}

#[test]
fn objects_are_nodes_where_they_are_not_joined() {
    let mut second = square(1, 0.0);
    second.primitive = 1;
    let mut made = model(vec![bare(0), square(1, 0.0), second, square(2, 1.0)]);
    made.node_names[2] = None;
    let (by_node, _) = obj(&made, BY_NODE);
    assert_eq!(by_node.objects, ["node_0", "node_1", "square_2"]);
    assert_eq!(
        by_node.groups,
        ["bare", "square_1", "square_1_1", "square_2"]
    );
    let objects: Vec<usize> = by_node.faces.iter().map(|face| face.object).collect();
    assert_eq!(objects, [0, 1, 1, 1, 1, 2, 2]);
    let (joined, _) = obj(&made, Layout::default());
    assert_eq!(joined.objects, ["made"]);
    assert_eq!(joined.groups, by_node.groups);
}

/// The lines of each material of an MTL file.
fn materials(text: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut materials = BTreeMap::<String, BTreeMap<String, String>>::new();
    let mut last = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (keyword, rest) = line.split_once(' ').unwrap();
        match keyword {
            "newmtl" => last = rest.into(),
            _ => assert!(
                materials
                    .entry(last.clone())
                    .or_default()
                    .insert(keyword.into(), rest.into())
                    .is_none()
            ),
        }
    }
    materials
}

#[test]
fn materials_and_textures_stand_beside() {
    let mut made = super::models::textured();
    made.surfaces.push(bare(2));
    let sequence = Sequence::new(made, Layout::default()).unwrap();
    let skin = b"\x89PNG first".as_slice();
    let images = Images::new("my model", [("skin.png", Some(skin)), ("", None)]);
    let export = Export::new(&sequence, "my model", &images).unwrap();
    let mut text = Vec::new();
    export.write(Format::Obj, &mut text).unwrap();
    let obj = Obj::read(std::str::from_utf8(&text).unwrap());
    let beside = export.beside(Format::Obj);
    assert_eq!(obj.library.as_ref(), Some(&beside[0].name));
    assert_eq!(beside[0].name, "my_model.mtl");
    let materials = materials(std::str::from_utf8(&beside[0].bytes).unwrap());
    let used: Vec<_> = obj
        .faces
        .iter()
        .map(|face| face.material.as_deref().unwrap())
        .collect();
    assert_eq!(used, ["paint", "paint", "default"]);
    let paint = &materials["paint"];
    for (keyword, value) in [
        ("Kd", "0.5 0.25 1"),
        ("d", "1"),
        ("Ke", "0 0.1 0"),
        ("Pr", "0.3"),
        ("Pm", "0.2"),
    ] {
        assert_eq!(paint[keyword], value, "{keyword}");
    }
    assert_eq!(materials["default"]["d"], "1");
    assert_eq!(beside.len(), 2);
    assert_eq!(
        (&*beside[1].name, &*beside[1].bytes),
        (&*paint["map_Kd"], skin)
    );
    assert_eq!(beside[1].name, "my_model.skin.png");
}

#[test]
fn opaque_materials_have_no_opacity_and_missing_images_are_told() {
    let mut made = super::models::textured();
    made.materials[0].alpha = Alpha::Opaque;
    let sequence = Sequence::new(made, Layout::default()).unwrap();
    for (image, words) in [
        (None, "its image images[0] is not there"),
        (Some(b"GIF8".as_slice()), "is no PNG"),
    ] {
        let images = Images::new("made", [("", image)]);
        let export = Export::new(&sequence, "made", &images).unwrap();
        let warnings: Vec<String> = export
            .warnings(Format::Obj)
            .into_iter()
            .map(|w| w.message)
            .collect();
        assert!(
            warnings
                .iter()
                .any(|w| w.contains("materials[0]") && w.contains(words)),
            "{warnings:?}"
        );
        let beside = export.beside(Format::Obj);
        assert_eq!(beside.len(), 1);
        let paint = &materials(std::str::from_utf8(&beside[0].bytes).unwrap())["paint"];
        assert_eq!(paint["d"], "1");
        assert!(!paint.contains_key("map_Kd"));
    }
}

#[test]
fn hostile_names_are_single_words_and_stay_apart() {
    let (obj, _) = obj(&hostile(), BY_NODE);
    assert_eq!((obj.positions.len(), obj.faces.len()), (20, 10));
    let mut names = obj.objects.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), HOSTILE.len());
    assert_eq!(obj.objects[0], "a_\"b\"_v_9_9_9_");
    let used: std::collections::BTreeSet<_> = obj.faces.iter().map(|face| &face.material).collect();
    assert_eq!(used.len(), HOSTILE.len());
    let sequence = Sequence::new(hostile(), BY_NODE).unwrap();
    let images = Images::default();
    let export = Export::new(&sequence, "m\u{202e}m", &images).unwrap();
    let mut text = Vec::new();
    export.write(Format::Obj, &mut text).unwrap();
    for file in export.beside(Format::Obj) {
        text.extend(file.name.bytes().chain(file.bytes.iter().copied()));
    }
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("newmtl facet___漢字_gnp_\n"), "{text}");
    assert!(
        !text.contains(['\u{2028}', '\u{202e}', '\u{feff}']),
        "{text}"
    );
}

#[test]
fn nothing_and_points_give_a_file_without_objects() {
    let (empty, _) = obj(&Model::default(), BY_NODE);
    assert!(empty.objects.is_empty() && empty.positions.is_empty());
    let mut made = model(vec![points(0), points(1)]);
    made.materials = vec![Material::default()];
    made.surfaces[0].material = Some(0);
    let (dust, warnings) = obj(&made, Layout::default());
    assert!(dust.objects.is_empty() && dust.library.is_none());
    assert_warned(
        &warnings,
        "points and lines of \"dust\" and another primitive are not in the obj file",
    );
}

/// Images 0 and 1.
const IMAGES: [&[u8]; 2] = [b"\x89PNG first", b"\x89PNG second"];

#[test]
fn textures_for_which_there_is_a_place_are_written_and_others_named() {
    let mut made = super::models::fully_textured();
    let mut unnamed = made.materials[0].clone();
    unnamed.name = None;
    made.materials.push(unnamed);
    made.surfaces.push(made.surfaces[0].clone());
    made.surfaces[1].material = Some(1);
    made.surfaces
        .iter_mut()
        .for_each(|surface| surface.colors = None);
    let sequence = Sequence::new(made.clone(), Layout::default()).unwrap();
    let images = super::made::images(&IMAGES);
    let export = Export::new(&sequence, "made", &images).unwrap();
    let told = |format: Format| {
        let warnings = export.warnings(format).into_iter();
        warnings.map(|warning| warning.message).collect::<Vec<_>>()
    };
    let missing = |kind: &str| {
        format!("the {kind} texture of \"skin\" and another material is not in the obj file")
    };
    let scale =
        "the scale of the normal texture of \"skin\" and another material is not in the obj file";
    assert_eq!(
        told(Format::Obj),
        [
            missing("metallic-roughness"),
            scale.to_owned(),
            missing("occlusion")
        ]
    );
    assert_eq!(told(Format::Usda), [""; 0]);
    let beside = export.beside(Format::Obj);
    assert_eq!(beside.len(), 3);
    let skin = &materials(std::str::from_utf8(&beside[0].bytes).unwrap())["skin"];
    let image = |keyword: &str| {
        &*beside
            .iter()
            .find(|file| file.name == skin[keyword])
            .unwrap()
            .bytes
    };
    assert_eq!(image("map_Kd"), IMAGES[0]);
    assert_eq!(image("map_Ke"), IMAGES[0]);
    assert_eq!(image("norm"), IMAGES[1]);
    // Metallic is in a channel of an image that is not written.
    assert_eq!(
        (&*skin["Ke"], &*skin["Pm"], &*skin["Pr"]),
        ("2 4 1", "0", "0.5")
    );

    // The coordinates are those of the base colour's texture, and lie in another way without it.
    made.materials[0].texture = None;
    made.materials[0].other_textures[0].1.set = 1;
    let sequence = Sequence::new(made, Layout::default()).unwrap();
    let export = Export::new(&sequence, "made", &images).unwrap();
    let warnings = export.warnings(Format::Usda);
    let messages: Vec<&str> = warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(
        messages,
        [
            "the normal texture of materials[0] is left out: it uses texture coordinates of set 1; only set 0 is written"
        ]
    );
}
