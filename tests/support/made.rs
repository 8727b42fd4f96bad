//! Helpers with which tests change generated files: lists, accessors, animations, members.

use serde_json::{Value, json};

use super::skinned::Made;

pub const FLOAT: u32 = 5126;

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

impl Made {
    /// A list at the top level, which is made if it is not there.
    pub fn list(&mut self, key: &str) -> &mut Vec<Value> {
        let list = &mut self.json[key];
        if list.is_null() {
            *list = json!([]);
        }
        list.as_array_mut().unwrap()
    }

    /// Adds to a list at the top level; its index.
    pub fn push(&mut self, key: &str, value: Value) -> usize {
        let list = self.list(key);
        list.push(value);
        list.len() - 1
    }

    /// Adds to the list at a JSON pointer.
    pub fn add(&mut self, pointer: &str, value: impl Into<Value>) {
        let list = self.json.pointer_mut(pointer).unwrap();
        list.as_array_mut().unwrap().push(value.into());
    }

    /// Removes the member at a JSON pointer.
    pub fn remove(&mut self, pointer: &str) {
        let (object, key) = pointer.rsplit_once('/').unwrap();
        let object = self.json.pointer_mut(object).unwrap();
        object.as_object_mut().unwrap().remove(key);
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()});
        self.push("bufferViews", view)
    }

    /// An accessor with a view of its own.
    pub fn accessor(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        let accessor =
            json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
        self.push("accessors", accessor)
    }

    /// An accessor of floats with a view of its own.
    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "MAT4" => 16,
            vector => vector.strip_prefix("VEC").unwrap().parse().unwrap(),
        };
        self.accessor(kind, FLOAT, values.len() / width, &floats(values))
    }

    /// Adds an animation of node 0: at these times its translation, rotation or scale has these values.
    pub fn add_clip(&mut self, name: &str, path: &str, times: &[f32], values: &[f32]) {
        let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
        let (input, output) = (self.floats("SCALAR", times), self.floats(kind, values));
        let accessor = &mut self.json["accessors"][input];
        accessor["min"] = json!([times[0]]);
        accessor["max"] = json!([times[times.len() - 1]]);
        let clip = json!({
            "name": name,
            "samplers": [{"input": input, "output": output}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
        });
        self.push("animations", clip);
    }

    /// With an animation that moves node 0 for this many seconds.
    pub fn moving(mut self, name: &str, seconds: f32) -> Self {
        let values = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        self.add_clip(name, "translation", &[0.0, seconds], &values);
        self
    }
}
