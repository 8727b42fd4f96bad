//! Helper joints as nodes, and their keys.

use super::clip::Clip;
use crate::bake::animated::farthest;
use rigy_gltf::{Skin, inverse_bind, slerp};
use rigy_helpers::{Fit, Moment, Nodes, bind, joined, rotation, split};
use rigy_kernel::math::{Affine, Vec3, affine_inverse, affine_product, length, minus, moved};

/// A helper joint.
pub struct Bone {
    /// The joint that it hangs on.
    pub joint: usize,
    /// The bind matrices of that joint and of itself.
    above: Affine,
    bind: Affine,
    pub inverse_bind: Affine,
    /// Vertices that choose keys, with their weights.
    points: Vec<(f64, Vec3)>,
    /// Its nodes at each moment.
    pub nodes: Vec<Nodes>,
    /// For each clip the positions of its keys among its moments, ascending.
    pub keys: Vec<Vec<usize>>,
}

/// About as many vertices choose keys.
const POINTS: usize = 48;

impl Bone {
    /// Helper number `index` of a fit at these moments, without keys; `None` if no joint can bear it.
    pub fn new(fit: &Fit, index: usize, moments: &[Moment], skin: &Skin) -> Option<Self> {
        let slot = skin.joints.len() + index;
        let mut points = Vec::new();
        for (slots, point) in fit.influences.iter().zip(&fit.skin.positions) {
            let own = slots
                .iter()
                .filter(|(joint, _)| usize::from(*joint) == slot);
            points.extend(own.map(|(_, weight)| (f64::from(*weight), *point)));
        }
        let step = points.len().div_ceil(POINTS).max(1);
        let points: Vec<_> = points.into_iter().step_by(step).collect();
        let vertex = fit.helpers[index];
        let bind = bind(fit.skin.positions[vertex]);
        fit.skin.row(vertex).weights.iter().find_map(|(joint, _)| {
            let joint = usize::from(*joint);
            let mut bone = Self {
                joint,
                above: affine_inverse(&inverse_bind(skin, joint)),
                bind,
                inverse_bind: affine_inverse(&bind),
                points: points.clone(),
                nodes: Vec::new(),
                keys: Vec::new(),
            };
            for (moment, matrices) in moments.iter().zip(&fit.matrices) {
                bone.nodes.push(bone.nodes_of(moment, &matrices[index])?);
            }
            Some(bone)
        })
    }

    /// The global matrix of the joint that it hangs on.
    fn global(&self, moment: &Moment) -> Affine {
        affine_product(&moment.matrices[self.joint], &self.above)
    }

    /// The nodes that give the helper this matrix at a moment; `None` if the joint that it hangs on flattens space.
    pub fn nodes_of(&self, moment: &Moment, matrix: &Affine) -> Option<Nodes> {
        let global = affine_product(matrix, &self.bind);
        let nodes = split(&affine_product(
            &affine_inverse(&self.global(moment)),
            &global,
        ));
        nodes.iter().all(|part| part.is_finite()).then_some(nodes)
    }

    /// The matrix of a helper with these nodes, from bind space to the scene.
    fn matrix(&self, moment: &Moment, nodes: &Nodes) -> Affine {
        let global = affine_product(&self.global(moment), &joined(nodes));
        affine_product(&global, &self.inverse_bind)
    }

    /// Chooses the keys of a clip, between which other moments are blended so that vertices are moved by no more than a distance.
    pub fn keys_of(&self, clip: &Clip, moments: &[Moment], within: f64) -> Vec<usize> {
        let exact: Vec<Affine> = clip
            .keys
            .iter()
            .map(|(_, number)| self.matrix(&moments[*number], &self.nodes[*number]))
            .collect();
        farthest(clip.keys.len() - 1, |[from, to]| {
            (from + 1..to).all(|position| {
                let (time, number) = clip.keys[position];
                let blended = self.between(clip, [from, to], time);
                let blended = self.matrix(&moments[number], &blended);
                self.points.iter().all(|(weight, point)| {
                    let [a, b] = [&blended, &exact[position]].map(|matrix| moved(matrix, *point));
                    weight * length(minus(a, b)) <= within
                })
            })
        })
    }

    /// Its matrix at a time of clip number `index`, as a client plays it.
    pub fn played(&self, index: usize, clip: &Clip, time: f32, moment: &Moment) -> Affine {
        let keys = &self.keys[index];
        let later = keys.partition_point(|key| clip.keys[*key].0 <= time);
        let pair = [later.saturating_sub(1), later.min(keys.len() - 1)];
        self.matrix(moment, &self.between(clip, pair.map(|key| keys[key]), time))
    }

    /// The nodes at a time between two keys of a clip.
    fn between(&self, clip: &Clip, keys: [usize; 2], time: f32) -> Nodes {
        let [from, to] = keys.map(|key| clip.keys[key]);
        let [a, b] = [from, to].map(|(_, moment)| &self.nodes[moment]);
        if from.0 == to.0 {
            return *a;
        }
        let [start, time, end] = [from.0, time, to.0].map(f64::from);
        let part = (time - start) / (end - start);
        let mut nodes = std::array::from_fn(|at| a[at] + part * (b[at] - a[at]));
        for at in [3, 10] {
            let turned = slerp(rotation(a, at), rotation(b, at), part);
            nodes[at..at + 4].copy_from_slice(&[turned.x, turned.y, turned.z, turned.w]);
        }
        nodes
    }
}
