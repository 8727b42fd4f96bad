//! Influences laid out for the kernel at bind time.

/// Influences of a vertex come in sets of four slots.
pub const SLOTS: usize = 4;

/// Joints and weights of all vertices of a mesh, slot by slot.
///
/// Slots of weight zero carry the vertex's reference joint, so that the kernel may multiply them instead of
/// testing for them.
#[derive(Clone, Debug, Default)]
pub struct Influences {
    /// One plane per slot, one entry per vertex.
    joints: Vec<Vec<u16>>,
    weights: Vec<Vec<f64>>,
    /// Lowest joint number with a positive weight, by vertex (`numerics.md` §7, step 2).
    reference: Vec<u16>,
    vertex_count: usize,
    joint_limit: usize,
}

impl Influences {
    /// Binds vertices, each given as its slots in stored order. The number of slots is a multiple of
    /// [`SLOTS`], the same for all; at least one weight of each vertex is positive.
    pub fn bind<const N: usize>(vertices: &[[(u16, f64); N]]) -> Self {
        const {
            assert!(
                N.is_multiple_of(SLOTS) && N > 0,
                "influences come in sets of four"
            )
        };
        let mut joints = vec![Vec::with_capacity(vertices.len()); N];
        let mut weights = vec![Vec::with_capacity(vertices.len()); N];
        let mut reference = Vec::with_capacity(vertices.len());
        for slots in vertices {
            let positive = slots.iter().filter(|(_, weight)| *weight > 0.0);
            let lowest = positive
                .map(|(joint, _)| *joint)
                .min()
                .unwrap_or(slots[0].0);
            for (slot, &(joint, weight)) in slots.iter().enumerate() {
                joints[slot].push(if weight > 0.0 { joint } else { lowest });
                weights[slot].push(weight);
            }
            reference.push(lowest);
        }
        let highest = joints.iter().flatten().max();
        Self {
            joint_limit: highest.map_or(0, |joint| usize::from(*joint) + 1),
            joints,
            weights,
            reference,
            vertex_count: vertices.len(),
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// One past the highest joint number any slot names.
    pub fn joint_limit(&self) -> usize {
        self.joint_limit
    }

    pub(super) fn slot_count(&self) -> usize {
        self.joints.len()
    }

    pub(super) fn joints(&self, slot: usize) -> &[u16] {
        &self.joints[slot]
    }

    pub(super) fn weights(&self, slot: usize) -> &[f64] {
        &self.weights[slot]
    }

    pub(super) fn reference(&self) -> &[u16] {
        &self.reference
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_slots_point_at_the_lowest_positive_joint() {
        let influences = Influences::bind(&[[(7, 0.0), (5, 0.5), (3, 0.5), (0, 0.0)]]);
        let joints: Vec<u16> = (0..4).map(|slot| influences.joints(slot)[0]).collect();
        assert_eq!(joints, [3, 5, 3, 3]);
        assert_eq!(influences.reference(), [3]);
        assert_eq!(influences.joint_limit(), 6);
    }
}
