//! Bones become joints, weights become influences.
//!
//! In: a checked binding, its mesh's rest geometry, and the [`WeightFiles`] that bindings name. Out: a [`Skin`], with a
//! warning (W01) if a vertex had more than four influences. The five layers of `numerics.md` §5 are applied
//! as replacements: each vertex keeps the last list or gradient that applies to it, and only that one is
//! evaluated.

mod external;
mod fields;
mod layers;
mod weight_file;

use std::cmp::Ordering;

use super::scene::{Geometry, Joint, Skin, SlotRun, Slots};
use layers::{Decision, Layers};
use rigy_base::diag::{Code, Diagnostic};
use rigy_base::loader::Location;
use rigy_base::maps::HashMap;
use rigy_kernel::{Influences, ReferenceRule, SLOTS};
use rigy_language::model::{Armature, Binding, Mesh, Solver, numbers};

pub use external::{MAX_BYTES, WeightFiles, WeightUse};

/// A bound mesh with its armature, binding and solver: the input of [`skin`].
pub struct Bound<'a> {
    /// Location of the document, from which its weight files are found.
    pub document: &'a Location,
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Its tessellated geometry, with at least one vertex.
    pub geometry: &'a Geometry,
    /// The armature, with 1 to 65,535 bones, because they are numbered in 16 bits.
    pub armature: &'a Armature,
    /// The binding between them.
    pub binding: &'a Binding,
    /// Its solver.
    pub solver: Solver,
}

/// Computes the skin of a bound mesh; findings are appended to `errors` and `warnings`.
///
/// # Errors
/// `None` after reporting V19 (overrides and weight files), V20, V21, V22, V16 or V18 (weight files).
pub fn skin<'a>(
    bound: &Bound<'a>,
    files: &WeightFiles<'a>,
    errors: &mut Vec<Diagnostic>,
    warnings: &mut Vec<Diagnostic>,
) -> Option<Skin> {
    let joints = JointTable::new(bound.armature);
    let mut layers = Layers::new(bound.mesh, bound.geometry, &joints);
    layers.weights(&bound.binding.weights);
    let found_before = errors.len();
    for map in &bound.binding.weight_maps {
        layers.weight_map(map, bound, files, errors);
    }
    if errors.len() > found_before {
        return None;
    }
    let Canonical { runs, capped } = finish(&layers, bound.geometry, &joints);
    for (primitive, capped) in bound.mesh.primitives.iter().zip(capped) {
        if let Some((count, first)) = capped {
            warnings.push(Diagnostic::new(Code::W01, primitive.id.span, format!(
                "{count} vertices of primitive `{}` have more than four influences (vertex {first} is the first); \
                 the strongest four are kept",
                primitive.id.value
            )));
        }
    }
    Some(Skin {
        name: bound.armature.output_name().to_owned(),
        joints: joints.joints(),
        influences: Influences::of_runs(
            ReferenceRule::LowestJoint,
            runs.iter().map(|run| (&run.slots, run.vertex_count)),
        ),
        rest: bound.geometry.rest(),
        runs,
        solver: bound.solver,
    })
}

/// A joint and its weight, before capping and normalising.
pub(super) type Influence = (u16, f64);

/// The joints of an armature, found by bone id, with their order for ties.
pub(super) struct JointTable<'a> {
    armature: &'a Armature,
    index_of: HashMap<&'a str, u16>,
    /// Rank of each joint in the order of (bone id as bytes, joint number), which breaks ties.
    rank: Vec<u16>,
    /// The first bone without a parent, else the first bone.
    pub root: u16,
}

impl<'a> JointTable<'a> {
    /// Numbers at most 65,535 bones.
    pub fn new(armature: &'a Armature) -> Self {
        let bones = &armature.bones;
        let numbered = || bones.iter().zip(0u16..);
        let mut order: Vec<u16> = numbered().map(|(_, index)| index).collect();
        order.sort_by(|a, b| {
            let id = |index: &u16| bones[usize::from(*index)].id.value.as_bytes();
            id(a).cmp(id(b)).then(a.cmp(b))
        });
        let mut rank = vec![0; bones.len()];
        for (place, index) in (0u16..).zip(order) {
            rank[usize::from(index)] = place;
        }
        Self {
            armature,
            index_of: numbered()
                .map(|(bone, index)| (&*bone.id.value, index))
                .collect(),
            rank,
            root: numbered()
                .find(|(bone, _)| bone.is_root())
                .map_or(0, |(_, index)| index),
        }
    }

    /// Returns the joint of a bone, if the armature has the bone.
    pub fn find(&self, bone_id: &str) -> Option<u16> {
        self.index_of.get(bone_id).copied()
    }

    /// Returns the joint of a bone that the armature has; validation has checked that.
    pub fn of(&self, bone_id: &str) -> u16 {
        self.find(bone_id).unwrap_or(self.root)
    }

    /// Sorts influences: the largest weight first, equal weights by the ranks of their joints.
    pub fn sort(&self, influences: &mut [Influence]) {
        let rank = |influence: &Influence| self.rank[usize::from(influence.0)];
        influences.sort_by(|a, b| {
            b.1.partial_cmp(&a.1)
                .unwrap_or(Ordering::Equal)
                .then(rank(a).cmp(&rank(b)))
        });
    }

    /// Returns the joints in the order of the bones.
    fn joints(&self) -> Vec<Joint> {
        self.armature
            .bones
            .iter()
            .map(|bone| Joint {
                name: bone.id.value.clone(),
                parent: if bone.is_root() {
                    None
                } else {
                    self.find(&bone.parent.value).map(usize::from)
                },
                head: numbers(&bone.head),
            })
            .collect()
    }
}

/// The canonical influences of a mesh.
struct Canonical {
    runs: Vec<SlotRun>,
    /// For each primitive, the number of vertices that had more than four influences, and the first of them.
    capped: Vec<Option<(usize, usize)>>,
}

/// Computes the slots of every vertex: once for each list, and for gradients once for each vertex.
fn finish(layers: &Layers, geometry: &Geometry, joints: &JointTable) -> Canonical {
    let mut scratch = Vec::new();
    let lists: Vec<(Slots, bool)> = layers
        .lists
        .iter()
        .map(|list| {
            scratch.clone_from(list);
            (canonical(&mut scratch, joints), list.len() > SLOTS)
        })
        .collect();
    let mut runs = Vec::new();
    let mut capped = Vec::with_capacity(geometry.primitives.len());
    for vertices in &geometry.primitives {
        let mut over = None;
        let mut note = |count, vertex| over.get_or_insert((0, vertex - vertices.start)).0 += count;
        let mut start = vertices.start;
        // Consecutive vertices mostly have the same list.
        for run in layers.decisions[vertices.clone()].chunk_by(|a, b| a == b) {
            let end = start + run.len();
            match run[0] {
                Decision::List(list) => {
                    let (list, too_many) = lists[list as usize];
                    if too_many {
                        note(run.len(), start);
                    }
                    push(&mut runs, list, run.len());
                }
                Decision::Gradient(ramp) => {
                    for vertex in start..end {
                        scratch.clear();
                        layers.ramps[ramp as usize].at(geometry, vertex, &mut scratch);
                        if scratch.len() > SLOTS {
                            note(1, vertex);
                        }
                        push(&mut runs, canonical(&mut scratch, joints), 1);
                    }
                }
            }
            start = end;
        }
        capped.push(over);
    }
    Canonical { runs, capped }
}

/// Appends vertices, to the last run if it has the same influences bit for bit.
fn push(runs: &mut Vec<SlotRun>, slots: Slots, vertex_count: usize) {
    let bits = |slots: &Slots| slots.map(|(joint, weight)| (joint, weight.to_bits()));
    match runs.last_mut() {
        Some(last) if bits(&last.slots) == bits(&slots) => last.vertex_count += vertex_count,
        _ => runs.push(SlotRun {
            slots,
            vertex_count,
        }),
    }
}

/// Sorts influences, keeps four, divides them by their left-to-right sum and pads with joint 0. Without a positive sum the
/// vertex follows the root.
fn canonical(list: &mut Vec<Influence>, joints: &JointTable) -> Slots {
    joints.sort(list);
    list.truncate(SLOTS);
    let mut total = 0.0;
    for (index, (_, weight)) in list.iter().enumerate() {
        total = if index == 0 { *weight } else { total + weight };
    }
    let mut slots = [(0, 0.0); SLOTS];
    if total > 0.0 {
        for (slot, (joint, weight)) in slots.iter_mut().zip(list) {
            *slot = (*joint, *weight / total);
        }
    } else {
        slots[0] = (joints.root, 1.0);
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_base::diag::{Span, Spanned};
    use rigy_language::model::{Armature, Bone};

    fn armature(ids: &[&str]) -> Armature {
        let text = |s: &str| Spanned::new(s.to_owned(), Span::default());
        let number = Spanned::new(0.0, Span::default());
        let bone = |id: &&str| Bone {
            id: text(id),
            parent: text(if *id == "root" { "none" } else { "root" }),
            head: [number; 3],
            tail: [number; 3],
            roll: number,
            span: Span::default(),
        };
        Armature {
            id: text("a"),
            name: None,
            bones: ids.iter().map(bone).collect(),
        }
    }

    #[test]
    fn equal_weights_sort_by_id_as_bytes_then_number() {
        let armature = armature(&["b", "root", "a", "B"]);
        let joints = JointTable::new(&armature);
        let mut list = vec![(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)];
        assert_eq!(canonical(&mut list, &joints).map(|s| s.0), [3, 2, 0, 1]);
    }

    #[test]
    fn the_published_total_is_the_left_to_right_sum() {
        let armature = armature(&["root", "a", "b", "c"]);
        let joints = JointTable::new(&armature);
        let mut list = vec![(3, 0.1), (2, 0.2), (1, 0.3), (0, 0.4)];
        let weights = canonical(&mut list, &joints).map(|s| s.1.to_bits());
        let expected = [
            0x3fd9_9999_9999_999b,
            0x3fd3_3333_3333_3334,
            0x3fc9_9999_9999_999b,
            0x3fb9_9999_9999_999b,
        ];
        assert_eq!(weights, expected);
    }

    #[test]
    fn zero_weights_keep_their_slot_and_nothing_means_the_root() {
        let armature = armature(&["a", "root"]);
        let joints = JointTable::new(&armature);
        let slots = canonical(&mut vec![(0, 0.0), (1, 0.5)], &joints);
        assert_eq!(slots, [(1, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]);
        for mut nothing in [vec![], vec![(0, 0.0), (0, 0.0)]] {
            assert_eq!(canonical(&mut nothing, &joints)[0], (1, 1.0));
        }
    }
}
