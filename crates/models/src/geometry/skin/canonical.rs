//! The canonical four slots of every vertex (`numerics.md` §5, canonical form).

use super::joints::{Influence, JointTable};
use super::layers::{Decision, Layers};
use crate::geometry::scene::{Geometry, SlotRun, Slots};
use rigy_kernel::SLOTS;

/// The canonical influences of a mesh.
pub(super) struct Canonical {
    pub runs: Vec<SlotRun>,
    /// For each primitive, the number of vertices that had more than four influences, and the first of them.
    pub capped: Vec<Option<(usize, usize)>>,
}

/// Computes the slots of every vertex: once for each list, and for gradients once for each vertex.
pub(super) fn finish(
    layers: &Layers<'_>,
    geometry: &Geometry,
    joints: &JointTable<'_>,
) -> Canonical {
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
fn canonical(list: &mut Vec<Influence>, joints: &JointTable<'_>) -> Slots {
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
    use rigy_language::base::diag::{Span, Spanned};
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
