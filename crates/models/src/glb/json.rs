//! The JSON chunk: objects in the contract's key order, and its text without white space (`numerics.md` §9).

use std::borrow::Cow;
use std::io;

use serde::{Serialize, Serializer};
use serde_json::ser::{self, CharEscape, Formatter};

use super::material::Material;
use super::number::write_repr;

/// Component types of accessors.
pub mod component_type {
    pub const U16: u32 = 5123;
    pub const U32: u32 = 5125;
    pub const F32: u32 = 5126;
}

/// Targets of buffer views.
pub mod target {
    pub const ARRAY: u32 = 34962;
    pub const ELEMENTS: u32 = 34963;
}

/// A reference to an element of a top-level list.
pub type Index = usize;

fn is_empty(text: &str) -> bool {
    text.is_empty()
}

#[derive(Default, Serialize)]
pub struct Root {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accessors: Vec<Accessor>,
    pub asset: Asset,
    #[serde(rename = "bufferViews", skip_serializing_if = "Vec::is_empty")]
    pub buffer_views: Vec<BufferView>,
    pub buffers: [Buffer; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    pub scene: Index,
    pub scenes: [Scene; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
}

#[derive(Serialize)]
pub struct Asset {
    generator: &'static str,
    version: &'static str,
}

impl Default for Asset {
    /// The text of `asset.generator`. The published goldens contain it, so it is part of the byte contract (`numerics.md`
    /// §9) and does not name this program or its version.
    fn default() -> Self {
        Self {
            generator: "pygltflib@v1.16.5",
            version: "2.0",
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Index,
    pub byte_offset: u32,
    pub component_type: u32,
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<[f64; 3]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: Index,
    pub byte_offset: u64,
    pub byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: u64,
}

#[derive(Serialize)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "is_empty")]
    pub name: String,
}

#[derive(Serialize)]
pub struct Primitive {
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras,
    #[serde(serialize_with = "in_order")]
    pub attributes: Attributes,
    pub indices: Index,
    pub mode: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<Index>,
}

/// The labels of a primitive.
#[derive(Serialize)]
pub struct Extras {
    #[serde(rename = "rigy_id", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(rename = "rigy_tags", skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl Extras {
    fn is_empty(&self) -> bool {
        self.id.is_none() && self.tags.is_empty()
    }
}

/// The names of attributes with their accessors, in the order of the contract.
pub type Attributes = Vec<(Cow<'static, str>, Index)>;

fn in_order<S: Serializer>(attributes: &Attributes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(attributes.iter().map(|(name, accessor)| (name, accessor)))
}

#[derive(Default, Serialize)]
pub struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<[f64; 16]>,
    #[serde(skip_serializing_if = "is_empty")]
    pub name: String,
}

#[derive(Default, Serialize)]
pub struct Scene {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Index>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub inverse_bind_matrices: Index,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skeleton: Option<Index>,
    pub joints: Vec<Index>,
    #[serde(skip_serializing_if = "is_empty")]
    pub name: String,
}

/// The text of an object of the chunk, or of all of it, not yet padded.
pub fn text(object: &(impl Serialize + ?Sized)) -> Vec<u8> {
    let mut text = Vec::with_capacity(1024);
    let mut serializer = ser::Serializer::with_formatter(&mut text, ContractText);
    object
        .serialize(&mut serializer)
        .expect("plain structs with string keys serialize into memory");
    text
}

/// Numbers as Python prints them, strings in ASCII (`numerics.md` §9.1, §9.3).
struct ContractText;

impl Formatter for ContractText {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write_repr(writer, value)
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if fragment.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return writer.write_all(fragment.as_bytes());
        }
        for c in fragment.chars() {
            if (' '..='~').contains(&c) {
                write!(writer, "{c}")?;
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        let text = match escape {
            CharEscape::Quote => "\\\"",
            CharEscape::ReverseSolidus => "\\\\",
            CharEscape::Solidus => "/",
            CharEscape::Backspace => "\\b",
            CharEscape::FormFeed => "\\f",
            CharEscape::LineFeed => "\\n",
            CharEscape::CarriageReturn => "\\r",
            CharEscape::Tab => "\\t",
            CharEscape::AsciiControl(byte) => return write!(writer, "\\u{byte:04x}"),
        };
        writer.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_document_has_the_published_text() {
        let expected = r#"{"asset":{"generator":"pygltflib@v1.16.5","version":"2.0"},"buffers":[{"byteLength":0}],"scene":0,"scenes":[{}]}"#;
        assert_eq!(String::from_utf8(text(&Root::default())).unwrap(), expected);
    }

    #[test]
    fn strings_are_ascii_with_lower_case_escapes() {
        let node = Node {
            name: "a\"\\/\n\r\t\u{8}\u{c}\u{1f}\u{7f}é\u{1f600}~".into(),
            ..Node::default()
        };
        let root = Root {
            nodes: vec![node],
            ..Root::default()
        };
        let text = String::from_utf8(text(&root)).unwrap();
        let expected = r#"{"name":"a\"\\/\n\r\t\b\f\u001f\u007f\u00e9\ud83d\ude00~"}"#;
        assert!(text.contains(expected), "{text}");
    }
}
