//! Influences in the layout of the kernel, which they get once for each mesh.

use super::lists::{BlockLists, SLOTS, Sets};
use super::reference::ReferenceRule;
use super::rest::BLOCK;

/// Joints and weights of all vertices of a mesh.
///
/// Consecutive vertices with equal influences share one list where that is faster: a transform is then blended once for all
/// of them. Slots of weight zero hold the vertex's reference joint, so that the kernel can multiply them instead of
/// testing for them.
#[derive(Clone, Debug, Default)]
pub struct Influences {
    /// Number of sets in a list.
    pub(super) set_count: usize,
    /// `set_count` sets for each eight lists. The last eight are padded with copies of the last list.
    pub(super) sets: Vec<Sets>,
    /// The lists of the vertices of each block; `None` if each vertex has a list of its own.
    pub(super) shared: Option<Vec<BlockLists>>,
    vertex_count: usize,
    pub(super) joint_limit: usize,
}

/// If lists would have fewer vertices than this on average, each vertex gets a list of its own: finding the list of a vertex
/// would cost more than blending again.
const WORTHWHILE_RUN: usize = 2;

impl Influences {
    /// Bytes in memory of a set of a vertex that has a list of its own.
    pub const SET_BYTES: usize = size_of::<Sets>() / BLOCK;

    /// Binds vertices, each given as `set_count` sets of [`SLOTS`] slots in stored order, one vertex after the
    /// other. At least one weight of each vertex is positive; others count as zero. There are fewer than 2³² vertices. `rule`
    /// finds the reference joints.
    ///
    /// # Panics
    /// If there are no sets, or the slots end within a vertex.
    ///
    /// ```
    /// use rigy_kernel::{Influences, ReferenceRule};
    ///
    /// let slots = [(3, 0.75), (1, 0.25), (0, 0.0), (0, 0.0)];
    /// assert_eq!(Influences::bind(ReferenceRule::LowestJoint, 1, &slots).vertex_count(), 1);
    /// ```
    pub fn bind(rule: ReferenceRule, set_count: usize, slots: &[(u16, f64)]) -> Self {
        let vertices = Vertices::new(set_count, slots);
        let starts = vertices.starts();
        if starts.len() * WORTHWHILE_RUN > vertices.count() {
            return Self::bind_each(rule, set_count, slots);
        }
        let shared = BlockLists::of_blocks(&starts, vertices.count());
        let lists = starts.iter().map(|start| vertices.list(*start));
        Self::with_lists(rule, set_count, lists, Some((shared, vertices.count())))
    }

    /// As [`bind`](Self::bind), with a list of its own for each vertex.
    ///
    /// # Panics
    /// As [`bind`](Self::bind).
    pub fn bind_each(rule: ReferenceRule, set_count: usize, slots: &[(u16, f64)]) -> Self {
        let vertices = Vertices::new(set_count, slots);
        let lists = (0..vertices.count()).map(|vertex| vertices.list(vertex));
        Self::with_lists(rule, set_count, lists, None)
    }

    /// Binds vertices of one set each, given as runs of vertices that have the same slots; no run is empty.
    ///
    /// # Panics
    /// If there are 2³² vertices or more.
    pub fn of_runs<'a>(
        rule: ReferenceRule,
        runs: impl Iterator<Item = (&'a [(u16, f64); SLOTS], usize)> + Clone,
    ) -> Self {
        let mut starts = Vec::new();
        let mut vertex_count = 0;
        for (_, len) in runs.clone() {
            starts.push(vertex_count);
            vertex_count += len;
        }
        assert!(u32::try_from(vertex_count).is_ok(), "2³² vertices or more");
        if starts.len() * WORTHWHILE_RUN > vertex_count {
            let lists: Vec<&[Slots]> = runs
                .flat_map(|(slots, len)| std::iter::repeat_n(std::slice::from_ref(slots), len))
                .collect();
            return Self::with_lists(rule, 1, lists.into_iter(), None);
        }
        let shared = BlockLists::of_blocks(&starts, vertex_count);
        let lists: Vec<&[Slots]> = runs.map(|(slots, _)| std::slice::from_ref(slots)).collect();
        Self::with_lists(rule, 1, lists.into_iter(), Some((shared, vertex_count)))
    }

    /// Stores lists, and copies of the last one up to the end of its block. `shared` has the lists of each block and the
    /// number of vertices; `None` if each vertex has a list of its own.
    fn with_lists<'a>(
        rule: ReferenceRule,
        set_count: usize,
        lists: impl ExactSizeIterator<Item = &'a [Slots]>,
        shared: Option<(Vec<BlockLists>, usize)>,
    ) -> Self {
        let list_count = lists.len();
        let (shared, vertex_count) = match shared {
            Some((shared, vertex_count)) => (Some(shared), vertex_count),
            None => (None, list_count),
        };
        let places = list_count.next_multiple_of(BLOCK);
        let mut bound = Self {
            set_count,
            sets: vec![Sets::default(); places / BLOCK * set_count],
            shared,
            vertex_count,
            joint_limit: 0,
        };
        let mut apart = Vec::with_capacity(set_count);
        for (place, list) in lists.enumerate() {
            apart.clear();
            apart.extend(list.iter().map(|slots| {
                (
                    slots.map(|(joint, _)| joint),
                    slots.map(|(_, weight)| weight),
                )
            }));
            let last = if place + 1 == list_count {
                places
            } else {
                place + 1
            };
            for place in place..last {
                bound.put(
                    rule,
                    place,
                    apart.iter().map(|(joints, weights)| (joints, weights)),
                );
            }
        }
        bound
    }

    /// Makes room for `count` vertices with a list of `set_count` sets for each, which [`put`](Self::put) fills.
    pub(super) fn reset(&mut self, set_count: usize, count: usize) {
        assert!(u32::try_from(count).is_ok(), "2³² vertices or more");
        (self.set_count, self.vertex_count, self.joint_limit) = (set_count, count, 0);
        self.shared = None;
        let blocks = count.div_ceil(BLOCK);
        self.sets.resize(blocks * set_count, Sets::default());
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Returns the highest joint number of positive weight, plus one.
    pub fn joint_limit(&self) -> usize {
        self.joint_limit
    }

    /// Stores the list with the index `place`.
    #[inline]
    pub(super) fn put<'s>(
        &mut self,
        rule: ReferenceRule,
        place: usize,
        list: impl Iterator<Item = (&'s [u16; SLOTS], &'s [f64; SLOTS])> + Clone,
    ) {
        let slots = list
            .clone()
            .flat_map(|(joints, weights)| joints.iter().copied().zip(weights.iter().copied()));
        let reference = rule.joint(slots);
        let mut highest = reference;
        let first = place / BLOCK * self.set_count;
        let lane = place % BLOCK;
        for (sets, (joints, weights)) in self.sets[first..].iter_mut().zip(list) {
            for slot in 0..SLOTS {
                // Weights that are negative, or not a number, count as zero.
                let counts = weights[slot] > 0.0;
                let joint = if counts { joints[slot] } else { reference };
                highest = highest.max(joint);
                sets.joints[lane][slot] = joint;
                sets.weights[lane][slot] = if counts { weights[slot] } else { 0.0 };
            }
            sets.references[lane] = reference;
        }
        self.joint_limit = self.joint_limit.max(usize::from(highest) + 1);
    }
}

/// One set of influences.
type Slots = [(u16, f64); SLOTS];

/// The sets of all vertices.
struct Vertices<'a> {
    set_count: usize,
    sets: &'a [Slots],
}

impl<'a> Vertices<'a> {
    fn new(set_count: usize, slots: &'a [(u16, f64)]) -> Self {
        let (sets, rest) = slots.as_chunks();
        assert!(
            rest.is_empty() && sets.len().is_multiple_of(set_count),
            "the slots end within a vertex"
        );
        let vertex_count = sets.len() / set_count;
        assert!(u32::try_from(vertex_count).is_ok(), "2³² vertices or more");
        Self { set_count, sets }
    }

    fn count(&self) -> usize {
        self.sets.len() / self.set_count
    }

    fn list(&self, vertex: usize) -> &'a [Slots] {
        &self.sets[vertex * self.set_count..][..self.set_count]
    }

    /// Returns the vertices that differ from the vertex before them in any bit of any slot.
    fn starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut vertices = self.sets.chunks_exact(self.set_count).enumerate();
        if let Some((_, mut last)) = vertices.next() {
            starts.push(0);
            for (vertex, list) in vertices {
                if list.iter().zip(last).any(|(a, b)| differ(a, b)) {
                    starts.push(vertex);
                    last = list;
                }
            }
        }
        starts
    }
}

/// Returns true if two sets differ. It compares all slots without branching: they are few, and nearly always equal.
fn differ(a: &Slots, b: &Slots) -> bool {
    let bits = a.iter().zip(b).fold(0, |bits, (a, b)| {
        bits | u64::from(a.0 ^ b.0) | (a.1.to_bits() ^ b.1.to_bits())
    });
    bits != 0
}

#[cfg(test)]
mod tests {
    use super::ReferenceRule::{LargestWeight, LowestJoint};
    use super::*;

    #[test]
    fn zero_slots_point_at_the_reference_joint() {
        let slots = [(7, 0.0), (5, 0.75), (3, 0.25), (0, 0.0)];
        for (rule, reference) in [(LowestJoint, 3), (LargestWeight, 5)] {
            let influences = Influences::bind(rule, 1, &slots);
            let sets = influences.sets(0..1)[0];
            assert_eq!(sets.joints[0], [reference, 5, 3, reference]);
            assert_eq!(sets.references[0], reference);
            assert_eq!(sets.joints[7], sets.joints[0], "the block is filled up");
            assert_eq!(influences.joint_limit(), 6);
        }
    }

    #[test]
    fn the_largest_weight_of_all_sets_decides() {
        let first = [(4, 0.2), (2, 0.2), (6, 0.1), (0, 0.0)];
        let bound = |second: [(u16, f64); SLOTS]| {
            let slots = [first, second];
            let influences = Influences::bind(LargestWeight, 2, slots.as_flattened());
            [0, 1].map(|set| influences.sets(0..2)[set].references[0])
        };
        assert_eq!(bound([(1, 0.1), (9, 0.3), (5, 0.1), (0, 0.0)]), [9, 9]);
        assert_eq!(bound([(1, 0.1), (9, 0.2), (5, 0.1), (0, 0.1)]), [4, 4]);
    }

    #[test]
    fn neighbours_share_a_list_where_that_pays() {
        let list = |joint| [(joint, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
        let alone: Vec<_> = (0..20).flat_map(list).collect();
        assert!(Influences::bind(LowestJoint, 1, &alone).shared.is_none());
        let in_threes: Vec<_> = (0..20).flat_map(|vertex| list(vertex / 3)).collect();
        let bound = Influences::bind(LowestJoint, 1, &in_threes);
        assert!(bound.shared.is_some());
        let lists = |block| {
            let runs = bound.of_block(block);
            runs.offset.map(|offset| u32::from(offset) + runs.first)
        };
        assert_eq!(lists(0), [0, 0, 0, 1, 1, 1, 2, 2]);
        assert_eq!(lists(1), [2, 3, 3, 3, 4, 4, 4, 5]);
        assert_eq!(lists(2), [5, 5, 6, 6, 6, 6, 6, 6]);
    }
}
