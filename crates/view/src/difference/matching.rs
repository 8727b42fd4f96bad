//! Which elements of two files are the same: by names and paths, and only then by numbers.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use rigy_gltf::File;
use rigy_models::mesh::Shown;

/// Pairs of indices of two lists, as far as they are found.
struct Matching {
    of_a: Vec<Option<usize>>,
    is_taken: Vec<bool>,
}

impl Matching {
    fn new(a: usize, b: usize) -> Self {
        Self {
            of_a: vec![None; a],
            is_taken: vec![false; b],
        }
    }

    /// Matches elements that have no partner yet and have the same `key` in `a` and in `b`, in their order.
    fn by<S: Copy, K: Hash + Eq>(
        mut self,
        [a, b]: [S; 2],
        key: impl Fn(S, usize) -> Option<K>,
    ) -> Self {
        let mut free: HashMap<K, VecDeque<usize>> = HashMap::new();
        for index in (0..self.is_taken.len()).filter(|index| !self.is_taken[*index]) {
            if let Some(key) = key(b, index) {
                free.entry(key).or_default().push_back(index);
            }
        }
        for (index, partner) in self
            .of_a
            .iter_mut()
            .enumerate()
            .filter(|(_, partner)| partner.is_none())
        {
            *partner = key(a, index).and_then(|key| free.get_mut(&key)?.pop_front());
            if let Some(partner) = *partner {
                self.is_taken[partner] = true;
            }
        }
        self
    }

    /// Matches the others in their order.
    fn in_order(mut self) -> Partners {
        let mut free = (0..self.is_taken.len()).filter(|index| !self.is_taken[*index]);
        for partner in self.of_a.iter_mut().filter(|partner| partner.is_none()) {
            *partner = free.next();
        }
        Partners(self.of_a)
    }
}

/// For each element of a list of `a` its number in `b`.
pub struct Partners(Vec<Option<usize>>);

impl Partners {
    /// Returns the pairs of numbers, ascending on the side of `a`.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        self.0
            .iter()
            .enumerate()
            .filter_map(|(a, b)| Some((a, (*b)?)))
            .collect()
    }

    /// True if an element of `a` is that element of `b`, or if there is none on both sides.
    pub fn are(&self, a: Option<usize>, b: Option<usize>) -> bool {
        a.map(|a| self.0[a]) == b.map(Some)
    }

    /// True if a list of elements of `a` is that list of `b`.
    pub fn are_all(&self, a: &[usize], b: &[usize]) -> bool {
        a.iter().map(|a| self.0[*a]).eq(b.iter().copied().map(Some))
    }
}

/// Matches the primitives that two files show: by the path of the node and the name of the mesh, then by the latter, then in order.
/// Returns pairs of indices, ascending on the side of `a`.
pub fn primitives(
    (file_a, a): (&File, &Shown),
    (file_b, b): (&File, &Shown),
) -> Vec<(usize, usize)> {
    let [paths_a, paths_b] = &paths(file_a, file_b);
    Matching::new(a.primitive_count(), b.primitive_count())
        .by([(paths_a, a), (paths_b, b)], |(paths, shown), index| {
            Some((paths[shown.place(index).node]?, shown.name(index)))
        })
        .by([a, b], |shown, index| Some(shown.name(index)))
        .in_order()
        .pairs()
}

/// The elements of `b` with which those of `a` are compared.
pub struct Matched {
    pub nodes: Partners,
    pub meshes: Partners,
    pub skins: Partners,
}

impl Matched {
    pub fn new(a: &File, b: &File) -> Self {
        Self {
            nodes: nodes(a, b),
            meshes: meshes(a, b),
            skins: skins(a, b),
        }
    }

    /// Returns the pairs of a list of the JSON; most lists are compared in order.
    pub fn of_list(&self, list: &str, lens: [usize; 2]) -> Vec<(usize, usize)> {
        match list {
            "nodes" => self.nodes.pairs(),
            "meshes" => self.meshes.pairs(),
            "skins" => self.skins.pairs(),
            _ => (0..lens[0]).zip(0..lens[1]).collect(),
        }
    }
}

/// Matches nodes by their paths, then by their names, then by the names of their meshes, then in order.
fn nodes(a: &File, b: &File) -> Partners {
    Matching::new(a.nodes.len(), b.nodes.len())
        .by(paths(a, b).each_ref(), |paths, index| paths[index])
        .by([a, b], |file, node| file.nodes[node].name.as_deref())
        .by([a, b], |file, node| {
            name_of_mesh(file, file.nodes[node].mesh?)
        })
        .in_order()
}

/// Matches meshes by their names, then in order.
fn meshes(a: &File, b: &File) -> Partners {
    Matching::new(a.meshes.len(), b.meshes.len())
        .by([a, b], name_of_mesh)
        .in_order()
}

/// Matches skins by their names, then in order.
fn skins(a: &File, b: &File) -> Partners {
    Matching::new(a.skins.len(), b.skins.len())
        .by([a, b], |file, index| file.skins[index].name.as_deref())
        .in_order()
}

fn name_of_mesh<'f>(file: &'f File, mesh: usize) -> Option<&'f str> {
    file.meshes[mesh].name.as_deref()
}

/// For each node of both files the number of its path, which is the names of the nodes from the root to it; `None` if it has no name itself.
fn paths(a: &File, b: &File) -> [Vec<Option<usize>>; 2] {
    let mut numbers: HashMap<(Option<usize>, Option<&str>), usize> = HashMap::new();
    [a, b].map(|file| {
        let mut of_nodes = vec![0; file.nodes.len()];
        for &node in &file.order {
            let above = file.nodes[node].parent.map(|parent| of_nodes[parent]);
            let next = numbers.len();
            let number = numbers.entry((above, file.nodes[node].name.as_deref()));
            of_nodes[node] = *number.or_insert(next);
        }
        of_nodes
            .into_iter()
            .enumerate()
            .map(|(node, number)| file.nodes[node].name.as_ref().map(|_| number))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_match_before_order_and_each_element_once() {
        let (a, b) = (["x", "y", "x", "z"], ["w", "x", "x", "x", "y"]);
        let matching = Matching::new(a.len(), b.len());
        let pairs = matching.by([&a[..], &b], |list, index| Some(list[index]));
        assert_eq!(pairs.in_order().pairs(), [(0, 1), (1, 4), (2, 2), (3, 0)]);
        let none = Matching::new(2, 1).by([(); 2], |(), _| None::<u8>);
        assert_eq!(none.in_order().pairs(), [(0, 0)]);
    }
}
