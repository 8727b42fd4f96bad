//! The chunks of a GLB that is being written: the binary one, with its views and accessors, and then both.

use std::collections::HashMap;

use super::MAX_BLOCK;
use super::checks::too_large;
use rigy_gltf::json::Value as Tree;
use rigy_gltf::{File, Problem};
use rigy_models::glb::glb;
use serde_json::{Value, json};

/// The binary chunk, and the lists of the JSON that describe it.
#[derive(Default)]
pub struct Chunks {
    /// The content, whose length is a multiple of four.
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// The accessors that have been written, by their index in the file.
    known: HashMap<usize, usize>,
    /// The length of all accessors; what is beyond the limit is not written.
    len: u64,
}

impl Chunks {
    /// Appends bytes. Returns the index of their view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        let (offset, len) = (self.bin.len(), bytes.len());
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": len});
        self.views.push(view);
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    /// Returns the index in the GLB of an accessor of the file, which is appended if it is new.
    pub fn accessor(&mut self, file: &File, index: usize, is_of_vertices: bool) -> usize {
        if let Some(known) = self.known.get(&index) {
            return *known;
        }
        let (mut bytes, mut stride) = (Vec::new(), 0);
        if let Some(accessor) = file.accessor(index) {
            let size = accessor.element_type().size(accessor.component_type());
            let unit = if is_of_vertices { 4 } else { 1 };
            stride = size.next_multiple_of(unit);
            // A short file may describe the same bytes many times.
            self.len += stride as u64 * accessor.count() as u64;
            let is_small = self.len <= MAX_BLOCK;
            for element in (0..accessor.count()).take_while(|_| is_small) {
                bytes.extend_from_slice(accessor.bytes(element).unwrap_or(&[]));
                bytes.resize(stride * (element + 1), 0);
            }
        }
        let view = self.view(&bytes);
        if is_of_vertices {
            self.views[view]["byteStride"] = stride.into();
        }
        let described = &file.tree.list("accessors")[index];
        self.accessors.push(accessor(described, view));
        self.known.insert(index, self.accessors.len() - 1);
        self.accessors.len() - 1
    }

    /// Returns the GLB with this JSON, to which the lists are added.
    ///
    /// # Errors
    /// If it is more than a page can hold.
    pub fn glb(self, mut tree: Value) -> Result<Vec<u8>, Problem> {
        too_large(self.len)?;
        tree["accessors"] = self.accessors.into();
        tree["bufferViews"] = self.views.into();
        tree["buffers"] = json!([{"byteLength": self.bin.len()}]);
        let text = tree.to_string().into_bytes();
        glb(text, self.bin).map_err(|error| Problem::rule(&"", error.to_string()))
    }
}

/// The JSON of an accessor of this view, given that in the file.
fn accessor(described: &Tree, view: usize) -> Value {
    let number = |key: &str| described.get(key).and_then(Tree::as_u64);
    let mut written = json!({
        "bufferView": view,
        "componentType": number("componentType"),
        "count": number("count"),
        "type": described.get("type").and_then(Tree::as_str),
    });
    if described.get("normalized") == Some(&Tree::Bool(true)) {
        written["normalized"] = true.into();
    }
    for key in ["min", "max"] {
        let bounds: Vec<f64> = described
            .list(key)
            .iter()
            .filter_map(Tree::as_f64)
            .collect();
        if !bounds.is_empty() {
            written[key] = bounds.into();
        }
    }
    written
}
