//! The node hierarchy: local and global matrices (`bake.md` §1).
//!
//! In: nodes and a pose of them. Out: two matrices for each node. No function here is recursive, so hierarchies of any
//! depth can be read. Every global matrix is its parent's times the node's own, so the order of nodes in the file does
//! not change a bit of it.

use super::model::{Node, Skin, Transform, Trs};
use super::sample::Pose;
use rigy_kernel::math::{Affine, IDENTITY, Matrix3, NoPolar, affine, affine_product, rotation_of};
pub use rigy_kernel::{DualForm, Rigid};

/// The matrices of posed nodes.
#[derive(Debug)]
pub struct Skeleton<'a> {
    /// The nodes as the file has them.
    pub nodes: &'a [Node],
    /// For each node, its position in an order in which each follows its parent.
    pub rank: Vec<usize>,
    /// Local matrices, from each node to its parent, in file order.
    pub locals: Vec<Affine>,
    /// Global matrices, from each node to the scene, in file order.
    pub globals: Vec<Affine>,
}

impl<'a> Skeleton<'a> {
    /// Computes the matrices of `nodes` in a pose. No node may be below itself.
    pub fn new(nodes: &'a [Node], pose: &Pose) -> Self {
        let locals: Vec<Affine> = (pose.nodes.iter())
            .map(|node| local_matrix(&node.transform))
            .collect();
        let order = parents_first(nodes);
        let mut rank = vec![0; nodes.len()];
        for (position, node) in order.iter().enumerate() {
            rank[*node] = position;
        }
        let globals = global_matrices(nodes, &order, locals.clone());
        Self {
            nodes,
            rank,
            locals,
            globals,
        }
    }
}

/// Returns the matrices from each node to the scene, given those from each node to its parent. `order` has every node, each after
/// its parent.
pub fn global_matrices(nodes: &[Node], order: &[usize], locals: Vec<Affine>) -> Vec<Affine> {
    let mut globals = locals;
    for &node in order {
        if let Some(parent) = nodes[node].parent {
            globals[node] = affine_product(&globals[parent], &globals[node]);
        }
    }
    globals
}

/// Returns a transform as a matrix: `matrix` itself, else translation · rotation · scale, with a normalised rotation.
pub fn local_matrix(transform: &Transform) -> Affine {
    match transform {
        Transform::Matrix(matrix) => *matrix,
        Transform::Trs(Trs {
            translation,
            rotation,
            scale,
        }) => {
            let scaled: Matrix3 = rotation_of(rotation.normalised())
                .map(|row| [row[0] * scale[0], row[1] * scale[1], row[2] * scale[2]]);
            affine(&scaled, *translation)
        }
    }
}

/// The indices of all nodes, each after its parent. From each node in turn, the search goes up to the first
/// ancestor that is in the list, then adds the nodes on the way from the top down.
fn parents_first(nodes: &[Node]) -> Vec<usize> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut placed = vec![false; nodes.len()];
    let mut path = Vec::new();
    for node in 0..nodes.len() {
        let mut next = Some(node);
        while let Some(above) = next.filter(|node| !placed[*node]) {
            placed[above] = true;
            path.push(above);
            next = nodes[above].parent;
        }
        order.extend(path.drain(..).rev());
    }
    order
}

/// Largest difference between a component of S and that of the identity in a joint that counts as not scaled.
pub const RIGID: f64 = 1e-5;

/// A joint that cannot be used in a pose.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{joint}: {fault}")]
pub struct JointError {
    /// The joint's name, or its number in the skin and its node.
    pub joint: String,
    /// The reason.
    pub fault: JointFault,
}

/// The reason why a joint cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum JointFault {
    /// A component of one of its matrices is infinite or not a number.
    #[error("its matrix is not finite")]
    NotFinite,
    /// Its matrix has no polar decomposition into rotation and scale.
    #[error("its matrix has no rotation: {0}")]
    NoRotation(#[from] NoPolar),
    /// It is scaled by these principal stretches, although scale is to be rejected (V35).
    #[error("it is scaled by {:.6} × {:.6} × {:.6}, and scale is rejected", .0[0], .0[1], .0[2])]
    Scaled([f64; 3]),
}

/// Returns the linear palette of a skin: one matrix per joint, in the order of the skin.
///
/// # Errors
/// Every joint whose matrix is not finite, in order.
pub fn joint_matrices(skeleton: &Skeleton, skin: &Skin) -> Result<Vec<Affine>, Vec<JointError>> {
    each_joint(skeleton, skin, |joint| {
        let global = &skeleton.globals[skin.joints[joint]];
        let matrix = affine_product(global, &inverse_bind(skin, joint));
        finite(&matrix).map(|()| matrix)
    })
}

/// A joint's inverse bind matrix; the identity if the skin has none.
pub fn inverse_bind(skin: &Skin, joint: usize) -> Affine {
    let matrices = skin.inverse_bind_matrices.as_ref();
    matrices.map_or(IDENTITY, |matrices| matrices[joint])
}

/// Refuses a matrix with a component that is infinite or not a number.
pub fn finite(matrix: &Affine) -> Result<(), JointFault> {
    matrix
        .as_flattened()
        .iter()
        .all(|c| c.is_finite())
        .then_some(())
        .ok_or(JointFault::NotFinite)
}

/// The results of `of` for all joints of a skin, else all its errors.
pub fn each_joint<T>(
    skeleton: &Skeleton,
    skin: &Skin,
    mut of: impl FnMut(usize) -> Result<T, JointFault>,
) -> Result<Vec<T>, Vec<JointError>> {
    let mut good = Vec::with_capacity(skin.joints.len());
    let mut bad = Vec::new();
    for joint in 0..skin.joints.len() {
        match of(joint) {
            Ok(value) => good.push(value),
            Err(fault) => bad.push(joint_error(skeleton, skin, joint, fault)),
        }
    }
    if bad.is_empty() { Ok(good) } else { Err(bad) }
}

/// The error for a fault of a joint.
pub fn joint_error(
    skeleton: &Skeleton,
    skin: &Skin,
    joint: usize,
    fault: JointFault,
) -> JointError {
    JointError {
        joint: joint_label(skeleton, skin, joint),
        fault,
    }
}

/// A joint's name, or its number in the skin and its node, for messages.
pub fn joint_label(skeleton: &Skeleton, skin: &Skin, joint: usize) -> String {
    let node = skin.joints[joint];
    match &skeleton.nodes[node].name {
        Some(name) => format!("joint {name:?}"),
        None => format!("joint {joint} (node {node})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::pose;
    use rigy_kernel::math::Quat;

    fn node(parent: Option<usize>, translation: f64) -> Node {
        let trs = Trs {
            translation: [translation, 0.1, -0.0],
            rotation: Quat::from_wxyz([1.0, 0.1 * translation, 0.2, 0.0]),
            scale: [1.1, 0.9, 1.0],
        };
        Node {
            parent,
            transform: Transform::Trs(trs),
            ..Node::default()
        }
    }

    fn globals(nodes: &[Node]) -> Vec<Affine> {
        Skeleton::new(nodes, &pose(nodes, &[], 0.0).unwrap()).globals
    }

    #[test]
    fn a_local_matrix_worked_by_hand() {
        // A third of a turn about (1, 1, 1), given at twice its length: x goes to y, y to z, z to x.
        let trs = Trs {
            translation: [7.0, 8.0, 9.0],
            rotation: Quat::from_wxyz([1.0; 4]),
            scale: [2.0, 3.0, 4.0],
        };
        let expected = [
            [0.0, 0.0, 4.0, 7.0],
            [2.0, 0.0, 0.0, 8.0],
            [0.0, 3.0, 0.0, 9.0],
        ];
        assert_eq!(local_matrix(&Transform::Trs(trs)), expected);
        let nothing = Trs {
            rotation: Quat::from_wxyz([0.0; 4]),
            ..Trs::IDENTITY
        };
        assert_eq!(
            local_matrix(&Transform::Trs(nothing)),
            rigy_kernel::math::IDENTITY
        );
        assert_eq!(local_matrix(&Transform::Matrix(expected)), expected);
    }

    #[test]
    fn the_order_of_nodes_changes_no_bit() {
        // Seven nodes in two orders; `places` has the index in the second order of each node of the first.
        let parents = [None, Some(0), Some(1), Some(1), Some(3), None, Some(5)];
        let places = [6, 2, 0, 4, 1, 5, 3];
        let straight: Vec<Node> = (0..7).map(|i| node(parents[i], i as f64)).collect();
        let mut shuffled = straight.clone();
        for (i, place) in places.into_iter().enumerate() {
            shuffled[place] = node(parents[i].map(|parent| places[parent]), i as f64);
        }
        let bits = |m: &Affine| m.map(|row| row.map(f64::to_bits));
        let (a, b) = (globals(&straight), globals(&shuffled));
        for (i, place) in places.into_iter().enumerate() {
            assert_eq!(bits(&a[i]), bits(&b[place]), "node {i}");
        }
        let by_hand = affine_product(
            &affine_product(&a[0], &local_of(&straight[1])),
            &local_of(&straight[2]),
        );
        assert_eq!(bits(&a[2]), bits(&by_hand));
    }

    fn local_of(node: &Node) -> Affine {
        local_matrix(&node.transform)
    }

    #[test]
    fn a_hundred_thousand_generations_are_no_trouble() {
        let count = 100_000;
        let step = Transform::Trs(Trs {
            translation: [1.0, 0.0, 0.0],
            ..Trs::IDENTITY
        });
        let mut chain: Vec<Node> = (0..count)
            .map(|i| Node {
                transform: step,
                // The root is the last node.
                ..node((i + 1 < count).then_some(i + 1), 0.0)
            })
            .collect();
        assert_eq!(globals(&chain)[0][0][3], count as f64);
        chain.reverse();
        for (i, node) in chain.iter_mut().enumerate() {
            node.parent = i.checked_sub(1);
        }
        assert_eq!(globals(&chain)[count - 1][0][3], count as f64);
    }
}
