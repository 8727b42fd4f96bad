//! 3MF: the archive, and the objects, vertices and triangles of its model.

use rigy_batch::export::{Format, Join, Layout};
use rigy_batch::mesh::Model;
use roxmltree::{Document, Node};

use super::made::{HOSTILE, assert_warned, bare, hostile, model, points, rounded, square, still};

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The names and contents of the parts of an archive without compression, by its directory.
pub fn parts(bytes: &[u8]) -> Vec<(String, &[u8])> {
    let end = bytes.len() - 22;
    assert!(bytes[end..].starts_with(b"PK\x05\x06"));
    let mut at = number(bytes, end + 16);
    let mut parts = Vec::new();
    while at < end {
        assert!(bytes[at..].starts_with(b"PK\x01\x02"));
        let (local, len, name) = (
            number(bytes, at + 42),
            number(bytes, at + 20),
            number(bytes, at + 28),
        );
        assert_eq!(bytes[at + 6..at + 32], bytes[local + 4..local + 30]);
        assert!(bytes[local..].starts_with(b"PK\x03\x04"));
        let from = local + 30 + name;
        let content = &bytes[from..from + len];
        assert_eq!(number(bytes, at + 16), checksum(content) as usize);
        parts.push((
            String::from_utf8(bytes[at + 46..at + 46 + name].into()).unwrap(),
            content,
        ));
        at += 46 + name;
    }
    assert_eq!((at, bytes[end + 10]), (end, parts.len() as u8));
    parts
}

/// CRC-32 by long division of all bits, the lowest first.
fn checksum(bytes: &[u8]) -> u32 {
    let mut rest = u32::MAX;
    for bit in bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| u32::from(byte >> bit & 1)))
    {
        rest = if (rest ^ bit) & 1 == 1 {
            rest >> 1 ^ 0xedb8_8320
        } else {
            rest >> 1
        };
    }
    !rest
}

struct Object {
    name: String,
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[usize; 3]>,
}

impl Object {
    fn corners(&self) -> Vec<[[u32; 3]; 3]> {
        let corner = |index: usize| self.vertices[index].map(f32::to_bits);
        self.triangles
            .iter()
            .map(|triangle| triangle.map(corner))
            .collect()
    }
}

fn read(bytes: &[u8]) -> Vec<Object> {
    let parts = parts(bytes);
    let names: Vec<_> = parts.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        ["[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"]
    );
    let texts = parts
        .iter()
        .map(|(_, text)| std::str::from_utf8(text).unwrap());
    let texts: Vec<_> = texts.map(|text| Document::parse(text).unwrap()).collect();
    let target = texts[1]
        .descendants()
        .find_map(|node| node.attribute("Target"));
    assert_eq!(target, Some("/3D/3dmodel.model"));
    let all = |from: Node<'_, '_>, tag: &str| -> Vec<_> {
        let found = from
            .descendants()
            .filter(|node| node.tag_name().name() == tag);
        found.map(|node| node.id()).collect()
    };
    let model = &texts[2];
    assert_eq!(model.root_element().attribute("unit"), Some("millimeter"));
    let objects = all(model.root(), "object")
        .into_iter()
        .map(|id| model.get_node(id).unwrap());
    let ids = |tag, attribute| -> Vec<_> {
        let nodes = all(model.root(), tag)
            .into_iter()
            .map(|id| model.get_node(id).unwrap());
        nodes
            .map(|node| node.attribute(attribute).unwrap())
            .collect()
    };
    assert_eq!(ids("object", "id"), ids("item", "objectid"));
    let numbers = |object, tag: &str, names: [&str; 3]| -> Vec<[String; 3]> {
        let nodes = all(object, tag)
            .into_iter()
            .map(|id| model.get_node(id).unwrap());
        nodes
            .map(|node| names.map(|name| node.attribute(name).unwrap().to_owned()))
            .collect()
    };
    objects
        .map(|object| Object {
            name: object.attribute("name").unwrap().into(),
            vertices: (numbers(object, "vertex", ["x", "y", "z"]).into_iter())
                .map(|vertex| vertex.map(|number| number.parse().unwrap()))
                .collect(),
            triangles: (numbers(object, "triangle", ["v1", "v2", "v3"]).into_iter())
                .map(|triangle| triangle.map(|index| index.parse().unwrap()))
                .collect(),
        })
        .collect()
}

fn objects(model: &Model, join: Join) -> (Vec<Object>, Vec<String>) {
    let layout = Layout {
        join,
        ..Layout::default()
    };
    let (bytes, warnings) = still(model, layout, Format::ThreeMf);
    (read(&bytes), warnings)
}

#[test]
fn every_triangle_has_its_corners_bit_for_bit() {
    let mut made = model(vec![square(0, 0.3), bare(1)]);
    made.surfaces[1].is_mirrored = true;
    let (found, warnings) = objects(&made, Join::Node);
    assert_warned(
        &warnings,
        "the vertex colours of \"square 0\" are not in the 3mf file",
    );
    let names: Vec<_> = found.iter().map(|object| &*object.name).collect();
    assert_eq!(names, ["node 0", "node 1"]);
    for (object, surface) in found.iter().zip(&made.surfaces) {
        let corners = surface.triangles.iter().map(|&[a, b, c]| {
            let turned = if surface.is_mirrored {
                [a, c, b]
            } else {
                [a, b, c]
            };
            let corners = rounded(&turned.map(|corner| surface.positions[corner as usize]));
            <[_; 3]>::try_from(corners).unwrap()
        });
        assert_eq!(object.corners(), corners.collect::<Vec<_>>());
        assert_eq!(object.vertices.len(), surface.positions.len());
    }
    let (joined, _) = objects(&made, Join::All);
    assert_eq!(joined.len(), 1);
    assert_eq!((&*joined[0].name, joined[0].triangles.len()), ("made", 3));
}

#[test]
fn corners_at_one_position_are_one_vertex_and_triangles_have_three() {
    let mut made = model(vec![bare(0)]);
    let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    made.surfaces[0].positions = vec![a, c, b, [-0.0; 3], b, d, c, d, b, d, c, a];
    made.surfaces[0].triangles = vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [0, 3, 1]];
    let (found, _) = objects(&made, Join::Node);
    assert_eq!(
        found[0].vertices,
        [[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    );
    assert_eq!(
        found[0].triangles,
        [[0, 1, 2], [0, 2, 3], [1, 3, 2], [3, 1, 0]]
    );
    made.surfaces[0].triangles = vec![[0, 3, 1]];
    assert!(objects(&made, Join::Node).0.is_empty());
}

#[test]
fn names_are_read_back_and_points_are_left_out_with_a_warning() {
    let (found, _) = objects(&hostile(), Join::Node);
    let names: Vec<_> = found.iter().map(|object| object.name.clone()).collect();
    assert_eq!(names, HOSTILE.map(|name| name.replace('\0', "\u{fffd}")));
    let mut long = hostile();
    long.node_names[0] = Some("é".repeat(1 << 20));
    let (found, _) = objects(&long, Join::Node);
    assert_eq!(found[0].name, "é".repeat(100), "each instance has it");
    let (found, warnings) = objects(&model(vec![points(0)]), Join::Node);
    assert!(found.is_empty());
    assert_warned(
        &warnings,
        "points and lines of \"dust\" are not in the 3mf file",
    );
}
