//! A plain glTF reader: containers, buffers, accessors element by element. It believes its input; hostile files have
//! tests of their own.

use std::path::Path;

use super::tree::Tree;
use crate::support::viewer_page::decoded;

pub struct Gltf {
    pub tree: Tree,
    /// The JSON as it stands in the file.
    pub text: String,
    pub buffers: Vec<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Elements {
    pub component: usize,
    pub normalized: bool,
    pub kind: String,
    /// The bytes of each element, without any stride.
    pub bytes: Vec<Vec<u8>>,
}

/// The two chunks of a GLB; the second may be missing.
pub fn chunks(glb: &[u8]) -> (&[u8], Option<&[u8]>) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&glb[..4], b"glTF");
    let json = 20..20 + word(12);
    let bin = (json.end < glb.len()).then(|| &glb[json.end + 8..][..word(json.end)]);
    (&glb[json], bin)
}

pub fn component_size(component: usize) -> usize {
    match component {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        other => panic!("component type {other}"),
    }
}

pub fn width(kind: &str) -> usize {
    let kinds = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"];
    let widths = [1, 2, 3, 4, 16];
    widths[kinds.iter().position(|k| *k == kind).unwrap()]
}

impl Gltf {
    /// A file on disk, with what it refers to.
    pub fn load(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        Self::read(&bytes, path.parent().unwrap())
    }

    /// The bytes of a `.glb` or `.gltf` file that stands in a directory.
    pub fn read(bytes: &[u8], directory: &Path) -> Self {
        let (json, bin) = match bytes.starts_with(b"glTF") {
            true => chunks(bytes),
            false => (bytes, None),
        };
        let text = String::from_utf8(json.to_vec()).unwrap();
        let tree = Tree::parse(&text);
        let buffer = |buffer: &Tree| match buffer.text_of("uri") {
            Some(uri) => resource(uri, directory),
            None => bin.unwrap_or_default().to_vec(),
        };
        let buffers = tree.list("buffers").iter().map(buffer).collect();
        Self {
            tree,
            text,
            buffers,
        }
    }

    pub fn view(&self, index: usize) -> &[u8] {
        let view = &self.tree.list("bufferViews")[index];
        let buffer = &self.buffers[view.index_of("buffer").unwrap()];
        let start = view.index_of("byteOffset").unwrap_or(0);
        &buffer[start..][..view.index_of("byteLength").unwrap()]
    }

    pub fn elements(&self, accessor: usize) -> Elements {
        let accessor = &self.tree.list("accessors")[accessor];
        let component = accessor.index_of("componentType").unwrap();
        let kind = accessor.text_of("type").unwrap();
        let size = component_size(component) * width(kind);
        let count = accessor.index_of("count").unwrap();
        let mut bytes = vec![vec![0; size]; count];
        if let Some(index) = accessor.index_of("bufferView") {
            let view = &self.tree.list("bufferViews")[index];
            let stride = view.index_of("byteStride").unwrap_or(size);
            let start = accessor.index_of("byteOffset").unwrap_or(0);
            for (i, element) in bytes.iter_mut().enumerate() {
                *element = self.view(index)[start + i * stride..][..size].to_vec();
            }
        }
        if let Some(sparse) = accessor.get("sparse") {
            let part = |name: &str| {
                let part = sparse.get(name).unwrap();
                let start = part.index_of("byteOffset").unwrap_or(0);
                (
                    &self.view(part.index_of("bufferView").unwrap())[start..],
                    part.index_of("componentType"),
                )
            };
            let (indices, kind) = part("indices");
            let index_size = component_size(kind.unwrap());
            let (values, _) = part("values");
            for i in 0..sparse.index_of("count").unwrap() {
                let digits = &indices[i * index_size..][..index_size];
                let place = digits.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b));
                bytes[place] = values[i * size..][..size].to_vec();
            }
        }
        Elements {
            component,
            normalized: accessor.flag("normalized"),
            kind: kind.to_owned(),
            bytes,
        }
    }

    /// All elements as reals (`bake.md` §1).
    pub fn reals(&self, accessor: usize) -> Vec<Vec<f64>> {
        self.elements(accessor).reals()
    }

    pub fn attribute(&self, primitive: &Tree, name: &str) -> Option<Vec<Vec<f64>>> {
        let accessor = primitive.get("attributes")?.index_of(name)?;
        Some(self.reals(accessor))
    }
}

impl Elements {
    pub fn reals(&self) -> Vec<Vec<f64>> {
        let size = component_size(self.component);
        let real = |c: &[u8]| self.real(c);
        let element = |bytes: &Vec<u8>| bytes.chunks(size).map(real).collect();
        self.bytes.iter().map(element).collect()
    }

    fn real(&self, c: &[u8]) -> f64 {
        let short = || [c[0], c[1]];
        let (value, largest) = match self.component {
            5120 => (f64::from(c[0] as i8), 127.0),
            5121 => (f64::from(c[0]), 255.0),
            5122 => (f64::from(i16::from_le_bytes(short())), 32767.0),
            5123 => (f64::from(u16::from_le_bytes(short())), 65535.0),
            5125 => return f64::from(u32::from_le_bytes(c.try_into().unwrap())),
            5126 => return f64::from(f32::from_le_bytes(c.try_into().unwrap())),
            other => panic!("component type {other}"),
        };
        match self.normalized {
            true => f64::max(value / largest, -1.0),
            false => value,
        }
    }
}

pub fn resource(uri: &str, directory: &Path) -> Vec<u8> {
    match uri.split_once(";base64,") {
        Some((_, text)) => decoded(text),
        None => std::fs::read(directory.join(uri.replace("%20", " "))).unwrap(),
    }
}

#[test]
fn integers_become_reals_by_their_range() {
    let real = |component: usize, normalized: bool, bytes: &[u8]| {
        let elements = Elements {
            component,
            normalized,
            kind: "SCALAR".into(),
            bytes: vec![bytes.to_vec()],
        };
        elements.reals()[0][0]
    };
    assert_eq!(real(5120, true, &[0x80]), -1.0);
    assert_eq!(real(5120, false, &[0x80]), -128.0);
    assert_eq!(real(5121, true, &[51]), 51.0 / 255.0);
    assert_eq!(real(5122, true, &[0, 0x80]), -1.0);
    assert_eq!(real(5123, true, &[1, 2]), 513.0 / 65535.0);
    assert_eq!(decoded("aGk/Pw=="), b"hi??");
}
