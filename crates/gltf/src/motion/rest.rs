//! How far nodes differ at rest from those of a motion.

use std::collections::BTreeMap;

use crate::file::File;
use crate::model::node_label;
use crate::problem::listed;
use crate::skeleton::local_matrix;
use rigy_kernel::math::trig::{acos, degrees};
use rigy_kernel::math::{Quat, dot, length, linear_part, minus, polar, translation_part};

/// Rotations that differ by more degrees, and translations that differ by more per cent of the longer one, are told.
const TOLERANCE: f64 = 1.0;

/// Returns a sentence about the nodes that differ. `moved` has each node of the file with that of the motion, and whether its rotation and its
/// translation are animated; x and z of the motion have this sign. A node that carries a longer chain of others matters more, so a shoulder
/// goes before a finger.
pub fn differences(
    file: &File,
    motion: &File,
    moved: &BTreeMap<(usize, usize), [bool; 2]>,
    sign: f64,
) -> Option<String> {
    let mut chain = vec![1.0_f64; file.nodes.len()];
    for &node in file.order.iter().rev() {
        if let Some(parent) = file.nodes[node].parent {
            chain[parent] = chain[parent].max(chain[node] + 1.0);
        }
    }
    let mut all = Vec::new();
    for (&(here, there), &[turns, moves]) in moved {
        let rests = [&motion.nodes[there], &file.nodes[here]];
        let rests = rests.map(|node| local_matrix(&node.transform));
        let [[w, x, y, z], own] = rests.map(|rest| {
            let polar = polar(&linear_part(&rest));
            polar
                .map_or(Quat::IDENTITY, |polar| Quat::of_rotation(&polar.rotation))
                .wxyz()
        });
        let cosine = dot([w, sign * x, y, sign * z], own).abs();
        let angle = degrees(2.0 * acos(cosine.min(1.0)));
        let [[x, y, z], own] = rests.map(|rest| translation_part(&rest));
        let other = [sign * x, y, sign * z];
        let share = length(minus(other, own)) / length(other).max(length(own));
        let (mut sum, mut parts) = (0.0, Vec::new());
        for (is_moved, part, unit) in [(turns, angle, "degrees"), (moves, 100.0 * share, "%")] {
            if is_moved && part > TOLERANCE {
                sum += part;
                parts.push(format!("{part:.1} {unit}"));
            }
        }
        if !parts.is_empty() {
            let text = node_label(&file.nodes, here) + " by " + &parts.join(" and ");
            all.push((chain[here] * sum, text));
        }
    }
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    (!all.is_empty()).then(|| {
        format!(
            "nothing is retargeted, and {} of {} nodes differ at rest from {}, most of all (degrees, % of length): {}",
            all.len(),
            moved.len(),
            motion.name,
            listed(all.into_iter().map(|(_, text)| text))
        )
    })
}
