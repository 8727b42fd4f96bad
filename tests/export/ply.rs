//! PLY: vertices with their attributes, and faces.

use std::collections::BTreeMap;

use rigy_batch::export::{Format, Layout};
use rigy_batch::mesh::{Alpha, Material, Model, Surface};

use super::made::{assert_warned, bare, flipped, hostile, model, points, rounded, square, still};

/// A file: the bits of each property of the vertices, and the faces.
#[derive(Debug, Default)]
struct Ply {
    columns: BTreeMap<String, Vec<u32>>,
    vertices: usize,
    faces: Vec<[u32; 3]>,
}

impl Ply {
    fn read(bytes: &[u8]) -> Self {
        let end = b"end_header\n";
        let at = bytes
            .windows(end.len())
            .position(|window| window == end)
            .unwrap();
        let header = std::str::from_utf8(&bytes[..at]).unwrap();
        let mut data = &bytes[at + end.len()..];
        let mut take = |len: usize| {
            let taken;
            (taken, data) = data.split_at(len);
            taken
        };
        let mut ply = Self::default();
        let lines: Vec<Vec<&str>> = header
            .lines()
            .map(|line| line.split(' ').collect())
            .collect();
        assert_eq!(lines[0], ["ply"]);
        assert_eq!(lines[1], ["format", "binary_little_endian", "1.0"]);
        let element = |name: &str| {
            let line = lines
                .iter()
                .find(|line| line.starts_with(&["element", name]))
                .unwrap();
            line[2].parse::<usize>().unwrap()
        };
        ply.vertices = element("vertex");
        let columns: Vec<(&str, &str)> = lines
            .iter()
            .filter(|line| line[0] == "property" && line[1] != "list")
            .map(|line| (line[1], line[2]))
            .collect();
        for _ in 0..ply.vertices {
            for (kind, name) in &columns {
                let bits = match *kind {
                    "float" => u32::from_le_bytes(take(4).try_into().unwrap()),
                    "uchar" => take(1)[0].into(),
                    other => panic!("{other}"),
                };
                ply.columns.entry((*name).into()).or_default().push(bits);
            }
        }
        assert_eq!(
            lines.last().unwrap()[..],
            ["property", "list", "uchar", "int", "vertex_indices"]
        );
        for _ in 0..element("face") {
            assert_eq!(take(1), [3]);
            ply.faces.push(std::array::from_fn(|_| {
                u32::from_le_bytes(take(4).try_into().unwrap())
            }));
        }
        assert!(data.is_empty());
        ply
    }

    fn rows<const N: usize>(&self, names: [&str; N]) -> Vec<[u32; N]> {
        (0..self.vertices)
            .map(|row| names.map(|name| self.columns[name][row]))
            .collect()
    }
}

fn ply(model: &Model) -> (Ply, Vec<String>) {
    let (bytes, warnings) = still(model, Layout::default(), Format::Ply);
    (Ply::read(&bytes), warnings)
}

#[test]
fn every_attribute_comes_back_bit_for_bit() {
    let surface = square(0, 0.3);
    let mut made = model(vec![surface.clone(), square(1, 2.0)]);
    made.surfaces[0].material = Some(0);
    made.materials.push(Material {
        alpha: Alpha::Blend,
        ..Material::default()
    });
    let (ply, warnings) = ply(&made);
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(ply.rows(["x", "y", "z"])[..4], rounded(&surface.positions));
    assert_eq!(
        ply.rows(["nx", "ny", "nz"])[..4],
        rounded(&surface.normals.unwrap())
    );
    assert_eq!(
        ply.rows(["s", "t"])[..4],
        flipped(&surface.texture_coordinates.unwrap())
    );
    // Linear 0.5 is 188 in sRGB; opacity is linear.
    let colors = ply.rows(["red", "green", "blue", "alpha"]);
    assert_eq!(colors[..2], [[0, 188, 0, 64], [255, 188, 89, 64]]);
    // Without a material the surface is opaque.
    assert_eq!(colors[4], [0, 188, 0, 255]);
    assert_eq!(ply.faces, [[0, 2, 1], [0, 3, 2], [4, 6, 5], [4, 7, 6]]);
    assert_eq!(ply.columns.len(), 12);
}

#[test]
fn surfaces_without_attributes_get_defaults_and_normals_are_for_all_or_none() {
    let made = model(vec![square(0, 0.3), bare(1)]);
    let (both, warnings) = ply(&made);
    assert!(!both.columns.contains_key("nx"));
    assert_warned(&warnings, "because \"bare\" has none");
    assert_eq!(both.rows(["s", "t"])[4..], [[0, 0]; 3]);
    assert_eq!(
        both.rows(["red", "green", "blue", "alpha"])[4..],
        [[255; 4]; 3]
    );
    assert_eq!(both.faces[2], [6, 5, 4]);
    let (alone, warnings) = ply(&model(vec![bare(0)]));
    assert_eq!(alone.columns.keys().collect::<Vec<_>>(), ["x", "y", "z"]);
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn points_are_vertices_without_faces() {
    let dust = points(1);
    let (ply, warnings) = ply(&model(vec![square(0, 0.3), dust.clone()]));
    assert_eq!(ply.rows(["x", "y", "z"])[4..], rounded(&dust.positions));
    assert_eq!(ply.rows(["nx", "ny", "nz"])[4..], [[0; 3]; 3]);
    assert_eq!(ply.faces.len(), 2);
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn empty_models_and_hostile_names_give_good_files() {
    let (empty, _) = ply(&Model::default());
    assert_eq!((empty.vertices, empty.faces.len()), (0, 0));
    assert_eq!(ply(&model(vec![Surface::default()])).0.vertices, 0);
    assert_eq!(ply(&hostile()).0.vertices, 20);
}
