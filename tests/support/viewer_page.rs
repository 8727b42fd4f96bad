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

    pub fn floats(&self, offset: &Value, count: usize) -> Vec<f32> {
        let start = offset.as_u64().unwrap() as usize;
        let numbers = self.block[start..start + 4 * count].as_chunks::<4>().0;
        numbers
            .iter()
            .map(|four| f32::from_le_bytes(*four))
            .collect()
    }
}
