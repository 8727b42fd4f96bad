//! Pages of the viewer, taken apart.

use serde_json::Value;

use super::Dir;

/// The text between two marks.
pub fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let start = text.find(before).unwrap() + before.len();
    let len = text[start..].find(after).unwrap();
    &text[start..start + len]
}

pub struct ViewerPage {
    pub text: String,
    pub scene: Value,
    pub block: Vec<u8>,
}

/// The bytes of a base64 text.
pub fn decoded(base64: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in base64.as_bytes().chunks(4) {
        let count = four.iter().filter(|c| **c != b'=').count();
        let digits = four[..count]
            .iter()
            .fold(0, |bits, c| bits << 6 | digit(*c));
        let bits = digits << (6 * (4 - count));
        bytes.extend(&bits.to_be_bytes()[1..count]);
    }
    bytes
}

impl ViewerPage {
    pub fn read(dir: &Dir, path: &str) -> Self {
        let text = String::from_utf8(dir.read(path)).unwrap();
        let element = |kind: &str, id: &str| {
            let start = format!("<script type=\"application/{kind}\" id=\"{id}\">");
            between(&text, &start, "</script>")
        };
        let scene = serde_json::from_str(element("json", "scene")).unwrap();
        let block = decoded(element("octet-stream", "block"));
        let block = miniz_oxide::inflate::decompress_to_vec_zlib(&block).unwrap();
        Self { scene, block, text }
    }

    /// A GLB of the block, given its offset: its JSON and its binary chunk.
    pub fn glb(&self, offset: &Value) -> (Value, &[u8]) {
        let bytes = &self.block[offset.as_u64().unwrap() as usize..];
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(&bytes[..4], b"glTF");
        let (len, text) = (word(8), word(12));
        let json = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
        (json, &bytes[28 + text..len])
    }

    /// The JSON of the GLB of the model.
    pub fn model(&self) -> Value {
        self.glb(&self.scene["models"][0]["glb"]).0
    }

    /// The numbers of an attribute of the first primitive of a GLB, which are f32.
    pub fn attribute(&self, offset: &Value, name: &str) -> Vec<f32> {
        let (json, bin) = self.glb(offset);
        let meshes = json["meshes"].as_array().unwrap().iter();
        let mut drawn = meshes.filter(|mesh| mesh["primitives"] != serde_json::json!([]));
        let mesh = drawn.next().unwrap();
        let accessor = mesh["primitives"][0]["attributes"][name].as_u64().unwrap() as usize;
        let view = json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let number = |key: &str| json["bufferViews"][view][key].as_u64().unwrap() as usize;
        let bytes = &bin[number("byteOffset")..][..number("byteLength")];
        let numbers = bytes.as_chunks::<4>().0.iter();
        numbers.map(|four| f32::from_le_bytes(*four)).collect()
    }

    pub fn floats(&self, offset: &Value, count: usize) -> Vec<f32> {
        let start = offset.as_u64().unwrap() as usize;
        let numbers = self.block[start..start + 4 * count].as_chunks::<4>().0;
        numbers
            .iter()
            .map(|four| f32::from_le_bytes(*four))
            .collect()
    }
}
