//! The five layers of weights: the list or gradient that determines each vertex (`numerics.md` §5).

use std::ops::Range;

use super::external::{Faulty, WeightFiles, WeightUse};
use super::{Bound, Influence, JointTable};
use crate::geometry::scene::Geometry;
use rigy_base::diag::{Code, Diagnostic, MOST_FINDINGS};
use rigy_base::maps::HashMap;
use rigy_language::model::{
    self, BoneWeight, Mesh, PrimitiveWeights, VertexOverride, WeightMap, WeightSource,
};

/// The list or gradient that determines a vertex.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A list, by its index.
    List(u32),
    /// A gradient, by its index.
    Gradient(u32),
}

/// A gradient: its axis and range, and for every bone of either side the weights at both ends.
pub struct Ramp {
    axis: usize,
    start: f64,
    end: f64,
    sides: Vec<(u16, f64, f64)>,
}

/// All lists and gradients of a binding, and the decision for every vertex.
pub struct Layers<'a> {
    joints: &'a JointTable<'a>,
    vertices_of: HashMap<&'a str, Range<usize>>,
    pub lists: Vec<Vec<Influence>>,
    /// Index of the first list of each weight file, by the address of its influences.
    of_files: HashMap<*const (usize, Vec<Influence>), u32>,
    pub ramps: Vec<Ramp>,
    pub decisions: Vec<Decision>,
}

impl<'a> Layers<'a> {
    /// Layer 1: every vertex follows the root joint.
    pub fn new(mesh: &'a Mesh, geometry: &Geometry, joints: &'a JointTable<'a>) -> Self {
        let ids = mesh.primitives.iter().map(|p| &*p.id.value);
        Self {
            joints,
            vertices_of: ids.zip(geometry.primitives.iter().cloned()).collect(),
            lists: vec![vec![(joints.root, 1.0)]],
            of_files: HashMap::default(),
            ramps: Vec::new(),
            decisions: vec![Decision::List(0); geometry.positions.len()],
        }
    }

    fn vertices(&self, primitive_id: &str) -> Range<usize> {
        self.vertices_of.get(primitive_id).cloned().unwrap_or(0..0)
    }

    fn list(&mut self, influences: Vec<Influence>) -> Decision {
        self.lists.push(influences);
        Decision::List(self.lists.len() as u32 - 1)
    }

    fn listed(&self, bones: &[BoneWeight]) -> Vec<Influence> {
        bones
            .iter()
            .map(|b| (self.joints.of(&b.bone_id.value), b.weight.value))
            .collect()
    }

    /// Layer 2: one list for a whole primitive; an empty one changes nothing.
    pub fn weights(&mut self, weights: &[PrimitiveWeights]) {
        for entry in weights.iter().filter(|entry| !entry.bones.is_empty()) {
            let decision = self.list(self.listed(&entry.bones));
            let vertices = self.vertices(&entry.primitive_id.value);
            self.decisions[vertices].fill(decision);
        }
    }

    /// Layers 3 to 5 of one weight map: its file, its gradients and its overrides.
    pub fn weight_map(
        &mut self,
        map: &'a WeightMap,
        bound: &Bound<'a>,
        files: &WeightFiles<'a>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let vertices = self.vertices(&map.primitive_id.value);
        if let Some(source) = &map.source {
            let one = WeightUse {
                document: bound.document,
                source,
                vertex_count: vertices.len(),
                armature: bound.armature,
            };
            match files.of(&one) {
                Some(Ok(influences)) => self.set_from_file(influences, vertices.start),
                Some(Err(faulty)) => report(source, faulty, errors),
                None => {}
            }
        }
        // Each gradient replaces the earlier ones of the primitive, so only the last one counts.
        if let Some(gradient) = map.gradients.last() {
            self.ramps.push(Ramp::new(gradient, self.joints));
            let decision = Decision::Gradient(self.ramps.len() as u32 - 1);
            self.decisions[vertices.clone()].fill(decision);
        }
        for entry in &map.overrides {
            self.overridden(entry, &vertices, errors);
        }
    }

    /// Adds the lists of a weight file, once even if several weight maps name the file.
    fn set_from_file(&mut self, influences: &[(usize, Vec<Influence>)], start: usize) {
        let lists = &mut self.lists;
        let known = self.of_files.entry(influences.as_ptr());
        let first = *known.or_insert_with(|| {
            let first = lists.len() as u32;
            lists.extend(influences.iter().map(|(_, list)| list.clone()));
            first
        });
        for ((vertex, _), list) in influences.iter().zip(first..) {
            self.decisions[start + vertex] = Decision::List(list);
        }
    }

    fn overridden(
        &mut self,
        entry: &VertexOverride,
        vertices: &Range<usize>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let decision = self.list(self.listed(&entry.bones));
        for vertex in &entry.vertices {
            let index = usize::try_from(vertex.value).unwrap_or(usize::MAX);
            if index < vertices.len() {
                self.decisions[vertices.start + index] = decision;
            } else if errors.len() < MOST_FINDINGS {
                let message = format!(
                    "vertex {} is beyond this primitive, whose vertices are 0 to {}",
                    vertex.value,
                    vertices.len().saturating_sub(1)
                );
                errors.push(Diagnostic::new(Code::V19, vertex.span, message));
            }
        }
    }
}

/// Reports the faults of a weight file at the weight map that names it.
fn report(source: &WeightSource, faulty: &Faulty, errors: &mut Vec<Diagnostic>) {
    let path = &source.path;
    let count = MOST_FINDINGS.saturating_sub(errors.len());
    errors.extend(faulty.faults.iter().take(count).map(|(code, message)| {
        let message = format!("weight file `{}`: {message}", path.value);
        let mut error = Diagnostic::new(*code, path.span, message);
        error.transient = faulty.is_transient;
        error
    }));
}

impl Ramp {
    fn new(gradient: &model::Gradient, joints: &JointTable) -> Self {
        let mut sides: Vec<(u16, f64, f64)> = Vec::new();
        let mut side_of: HashMap<u16, usize> = HashMap::default();
        let mut at = |bone: &BoneWeight| {
            let joint = joints.of(&bone.bone_id.value);
            *side_of.entry(joint).or_insert_with(|| {
                sides.push((joint, 0.0, 0.0));
                sides.len() - 1
            })
        };
        let from: Vec<usize> = gradient.from.iter().map(&mut at).collect();
        let to: Vec<usize> = gradient.to.iter().map(&mut at).collect();
        // If a side names a bone twice, the last value counts.
        for (index, bone) in from.into_iter().zip(&gradient.from) {
            sides[index].1 = bone.weight.value;
        }
        for (index, bone) in to.into_iter().zip(&gradient.to) {
            sides[index].2 = bone.weight.value;
        }
        Self {
            axis: gradient.axis,
            start: gradient.range[0].value,
            end: gradient.range[1].value,
            sides,
        }
    }

    /// Appends the influences at a vertex that have a positive weight, possibly none.
    pub fn at(&self, geometry: &Geometry, vertex: usize, out: &mut Vec<Influence>) {
        let p = geometry.positions.planes[self.axis][vertex];
        let t = clamp((p - self.start) / (self.end - self.start));
        let weights = self
            .sides
            .iter()
            .map(|(joint, from, to)| (*joint, from * (1.0 - t) + to * t));
        out.extend(weights.filter(|(_, weight)| *weight > 0.0));
    }
}

/// Clamps to 0 … 1, and turns −0.0 into +0.0.
fn clamp(t: f64) -> f64 {
    if t > 0.0 {
        if t < 1.0 { t } else { 1.0 }
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_gives_the_published_weights() {
        // numerics.md §13.3: range [0.88, 1.02], p = 0.9375.
        let mut geometry = Geometry::default();
        geometry.positions.push([0.0, 0.9375, 0.0]);
        let sides = vec![(0, 0.7, 0.2), (1, 0.3, 0.5), (2, 0.1, 0.0)];
        let ramp = Ramp {
            axis: 1,
            start: 0.88,
            end: 1.02,
            sides,
        };
        let mut weights = Vec::new();
        ramp.at(&geometry, 0, &mut weights);
        let bits: Vec<u64> = weights.iter().map(|w| w.1.to_bits()).collect();
        assert_eq!(
            bits,
            [
                0x3fdf_a83a_83a8_3a85,
                0x3fd8_7507_5075_0750,
                0x3fae_2be2_be2b_e2c0
            ]
        );
    }

    #[test]
    fn clamping_keeps_no_negative_zero_and_settles_not_a_number() {
        assert_eq!(clamp(-0.0).to_bits(), 0);
        assert_eq!(
            [clamp(f64::NAN), clamp(-3.0), clamp(3.0), clamp(0.25)],
            [0.0, 0.0, 1.0, 0.25]
        );
    }
}
