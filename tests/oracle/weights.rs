//! Influences of every vertex (§5, `language.md` 5): layers that replace each other, then the
//! canonical four slots.

use serde_json::Value;

use super::document::{Armature, Binding, BoneWeights, Gradient, Override, Source};
use super::geometry::Geometry;
use super::symmetry::rename;

/// (joint index, weight): before the canonical form any number of them per vertex.
pub type Influence = (usize, f64);
pub type Slots = [Influence; 4];

/// Reads another file, given its path.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Vec<u8>;

/// The four slots of every vertex of a bound mesh.
pub fn influences(
    rest: &Geometry,
    armature: &Armature,
    binding: &Binding,
    read: ReadFile,
) -> Vec<Slots> {
    let count = rest.positions.len();
    let mut lists = Layers {
        rest,
        armature,
        lists: vec![vec![(root(armature), 1.0)]; count],
    };
    for entry in &binding.weights {
        lists.primitive(&entry.primitive_id, &entry.bones);
    }
    for map in &binding.weight_maps {
        if let Some(source) = &map.source {
            lists.external(&map.primitive_id, source, &read(&source.path));
        }
        for gradient in &map.gradients {
            lists.gradient(&map.primitive_id, gradient);
        }
        for item in &map.overrides {
            lists.vertices(&map.primitive_id, item);
        }
    }
    lists
        .lists
        .iter()
        .map(|list| canonical(list, armature))
        .collect()
}

/// §5: the first bone whose parent is `none`, else bone 0.
pub fn root(armature: &Armature) -> usize {
    armature
        .bones
        .iter()
        .position(|bone| bone.is_root())
        .unwrap_or(0)
}

struct Layers<'a> {
    rest: &'a Geometry,
    armature: &'a Armature,
    lists: Vec<Vec<Influence>>,
}

impl Layers<'_> {
    fn joint(&self, bone_id: &str) -> usize {
        let found = self
            .armature
            .bones
            .iter()
            .position(|bone| bone.id == bone_id);
        found.unwrap_or_else(|| panic!("no bone {bone_id:?}"))
    }

    /// The listed pairs in listed order; a bone named twice keeps both entries.
    fn pairs(&self, bones: &BoneWeights) -> Vec<Influence> {
        bones
            .iter()
            .map(|(id, weight)| (self.joint(id), *weight))
            .collect()
    }

    fn primitive(&mut self, primitive_id: &str, bones: &BoneWeights) {
        if bones.is_empty() {
            return;
        }
        let pairs = self.pairs(bones);
        for vertex in self.rest.range(primitive_id) {
            self.lists[vertex] = pairs.clone();
        }
    }

    /// Layer 3, external file (`language.md` 5.2): listed vertices only, the last mention wins.
    fn external(&mut self, primitive_id: &str, source: &Source, bytes: &[u8]) {
        let range = self.rest.range(primitive_id);
        let file: Value = serde_json::from_slice(bytes).expect("a JSON weight file");
        assert_eq!(
            file["primitive_id"].as_str(),
            Some(source.primitive_id.as_str())
        );
        assert_eq!(file["vertex_count"].as_f64(), Some(range.len() as f64));
        let Some(influences) = file.get("influences") else {
            return;
        };
        for entry in influences.as_array().expect("a list of influences") {
            let vertex = file_index(&entry["vertex"]);
            assert!(vertex < range.len(), "vertex {vertex} of {}", range.len());
            self.lists[range.start + vertex] = self.pairs(&file_bones(&entry["bones"], source));
        }
    }

    /// Layer 3, gradient: every vertex of the primitive, also outside the range.
    fn gradient(&mut self, primitive_id: &str, gradient: &Gradient) {
        let from = last_of_each(&self.pairs(&gradient.from));
        let to = last_of_each(&self.pairs(&gradient.to));
        for vertex in self.rest.range(primitive_id) {
            let t = gradient_t(self.rest.positions[vertex][gradient.axis], gradient.range);
            let mut blended = blend(&from, &to, t);
            if blended.is_empty() {
                blended = vec![(root(self.armature), 1.0)];
            }
            self.lists[vertex] = blended;
        }
    }

    /// Layer 3, override: the listed vertices of the primitive; the list may be empty.
    fn vertices(&mut self, primitive_id: &str, item: &Override) {
        let range = self.rest.range(primitive_id);
        for vertex in &item.vertices {
            assert!(*vertex < range.len(), "vertex {vertex} of {}", range.len());
            self.lists[range.start + vertex] = self.pairs(&item.bones);
        }
    }
}

fn file_index(value: &Value) -> usize {
    let number = value.as_f64().expect("a vertex number");
    assert!(number >= 0.0 && number.fract() == 0.0, "vertex {number}");
    number as usize
}

/// The bones of one file entry, renamed when the map is a mirrored copy.
fn file_bones(value: &Value, source: &Source) -> BoneWeights {
    let bone = |entry: &Value| {
        let id = entry["bone_id"].as_str().expect("a bone id");
        let weight = entry["weight"].as_f64().expect("a weight");
        match &source.mirror {
            Some(mirror) => (rename(id, mirror), weight),
            None => (id.to_string(), weight),
        }
    };
    value
        .as_array()
        .expect("a list of bones")
        .iter()
        .map(bone)
        .collect()
}

/// A bone repeated in one side of a gradient: the last value counts, in the first one's place.
fn last_of_each(side: &[Influence]) -> Vec<Influence> {
    let mut result: Vec<Influence> = Vec::new();
    for (joint, weight) in side {
        match result.iter_mut().find(|(seen, _)| seen == joint) {
            Some(entry) => entry.1 = *weight,
            None => result.push((*joint, *weight)),
        }
    }
    result
}

/// §5: `(p - r0) / (r1 - r0)`, clamped to [0, 1] with -0.0 becoming +0.0.
pub fn gradient_t(p: f64, [r0, r1]: [f64; 2]) -> f64 {
    let t = (p - r0) / (r1 - r0);
    if t <= 0.0 {
        return 0.0; // also for -0.0, which `clamp` would keep
    }
    if t >= 1.0 {
        return 1.0;
    }
    t
}

/// §5: for each bone of the union `(wf * (1.0 - t)) + (wt * t)`, kept when positive.
pub fn blend(from: &[Influence], to: &[Influence], t: f64) -> Vec<Influence> {
    let mut union: Vec<usize> = from.iter().map(|(joint, _)| *joint).collect();
    for (joint, _) in to {
        if !union.contains(joint) {
            union.push(*joint);
        }
    }
    let blended = |joint: usize| {
        let (wf, wt) = (weight_of(from, joint), weight_of(to, joint));
        (joint, (wf * (1.0 - t)) + (wt * t))
    };
    let all = union.into_iter().map(blended);
    all.filter(|(_, weight)| *weight > 0.0).collect()
}

/// A side that does not name the bone counts as 0.0.
fn weight_of(side: &[Influence], joint: usize) -> f64 {
    let found = side.iter().find(|(other, _)| *other == joint);
    found.map_or(0.0, |(_, weight)| *weight)
}

/// §5, canonical form: sort, keep four, divide by their sum, pad.
pub fn canonical(list: &[Influence], armature: &Armature) -> Slots {
    let id = |joint: usize| armature.bones[joint].id.as_bytes();
    let mut kept = list.to_vec();
    kept.sort_by(|(joint_a, a), (joint_b, b)| {
        let by_weight = b.partial_cmp(a).expect("finite weights");
        let by_id = id(*joint_a).cmp(id(*joint_b));
        by_weight.then(by_id).then(joint_a.cmp(joint_b))
    });
    kept.truncate(4);
    let total = sequential_sum(&kept);
    if total > 0.0 {
        for (_, weight) in &mut kept {
            *weight /= total;
        }
    } else {
        kept = vec![(root(armature), 1.0)];
    }
    kept.resize(4, (0, 0.0));
    [kept[0], kept[1], kept[2], kept[3]]
}

/// §5: `((w0 + w1) + w2) + w3`, starting from w0; no influence sums to zero.
pub fn sequential_sum(list: &[Influence]) -> f64 {
    let Some(((_, first), rest)) = list.split_first() else {
        return 0.0;
    };
    let mut total = *first;
    for (_, weight) in rest {
        total += weight;
    }
    total
}
