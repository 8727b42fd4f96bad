//! How far nodes differ at rest from those of a motion.

use std::collections::BTreeMap;

use crate::file::File;
use crate::problem::{listed, quoted};
use crate::skeleton::local_matrix;
use rigy_kernel::math::trig::{acos, degrees};
use rigy_kernel::math::{Quat, dot, length, linear_part, minus, polar, translation_part};

/// Rotations that differ by more degrees, and translations that differ by more per cent of the longer one, are told.
const TOLERANCE: f64 = 1.0;

/// Returns a sentence about the nodes that differ. `moved` has for each node of the file that of the motion, and whether its rotation and its
/// translation are animated; x and z of the motion have this sign. A node that carries a longer chain of others matters more, so a shoulder
/// goes before a finger.
pub fn differences(
    file: &File,
    motion: &File,
    moved: &BTreeMap<usize, (usize, [bool; 2])>,
    sign: f64,
) -> Option<String> {
    let mut chain = vec![1.0_f64; file.nodes.len()];
    for &node in file.order.iter().rev() {
        if let Some(parent) = file.nodes[node].parent {
            chain[parent] = chain[parent].max(chain[node] + 1.0);
        }
    }
    let mut all = Vec::new();
    for (&here, &(there, [turns, moves])) in moved {
        let node = &file.nodes[here];
        let rests = [&motion.nodes[there].transform, &node.transform].map(local_matrix);
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
        let parts = [(turns, angle, "degrees"), (moves, 100.0 * share, "%")].into_iter();
        let parts = parts.filter(|(is_moved, part, _)| *is_moved && *part > TOLERANCE);
        let (parts, texts): (Vec<f64>, Vec<String>) = parts
            .map(|(_, part, unit)| (part, format!("{part:.1} {unit}")))
            .unzip();
        if !parts.is_empty() {
            let name = (node.name.as_deref()).map_or_else(|| format!("node {here}"), quoted);
            let text = format!("{name} by {}", texts.join(" and "));
            all.push((chain[here] * parts.iter().sum::<f64>(), text));
        }
    }
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    (!all.is_empty()).then(|| {
        format!(
            "nothing is retargeted, and {} of {} nodes differ at rest from {}, in rotation (degrees) and translation (%); what matters most: {}",
            all.len(),
            moved.len(),
            motion.name,
            listed(all.into_iter().map(|(_, text)| text))
        )
    })
}
