//! The structure of an output, sentence by sentence of `bake.md` §6: nodes, scenes, meshes, extensions. [`check`] checks
//! all of it, and the container and the vertices too.

use std::collections::{BTreeMap, BTreeSet};

use super::algebra::{determinant, linear};
use super::container::{self, Problems, need};
use super::geometry::Pair;
use super::oracle::evaluate;
use super::palettes::Solver;
use super::passing;
use super::pose::{Local, Posed, When};
use super::reader::Gltf;
use super::references;
use super::tree::Tree;

pub fn check(input: &Gltf, glb: &[u8], when: When, solver: &Solver) -> Problems {
    let mut problems = Vec::new();
    container::check(glb, &mut problems);
    let output = Gltf::read(glb, "nowhere".as_ref());
    let posed = Posed::new(input, when);
    let baked = Baked {
        input,
        output: &output,
        posed: &posed,
        solver,
    };
    passing::check(input, &output, &mut problems);
    baked.nodes(&mut problems);
    baked.scenes(&mut problems);
    baked.meshes(&mut problems);
    baked.extensions(&mut problems);
    problems
}

struct Baked<'a> {
    input: &'a Gltf,
    output: &'a Gltf,
    posed: &'a Posed,
    solver: &'a Solver,
}

const TRANSFORM: [&str; 4] = ["matrix", "translation", "rotation", "scale"];

impl Baked<'_> {
    /// Nodes with a mesh and a skin; the appended ones follow in their order.
    fn skinned(&self) -> Vec<usize> {
        let nodes = self.input.tree.list("nodes");
        let is_skinned =
            |n: &usize| nodes[*n].get("skin").is_some() && nodes[*n].get("mesh").is_some();
        (0..nodes.len()).filter(is_skinned).collect()
    }

    fn nodes(&self, problems: &mut Problems) {
        let nodes = self.input.tree.list("nodes");
        let posed = self.output.tree.list("nodes");
        let skinned = self.skinned();
        let count = nodes.len() + skinned.len();
        need!(
            problems,
            posed.len() == count,
            "{} nodes, not {count}",
            posed.len()
        );
        for (index, (from, to)) in nodes.iter().zip(posed).enumerate() {
            let path = format!("nodes.{index}");
            let gone: &[&str] = match skinned.contains(&index) {
                true => &["mesh", "skin", "weights"],
                false => &["skin", "weights"],
            };
            for key in gone {
                need!(problems, to.get(key).is_none(), "{path} still has {key}");
            }
            let moved: &[&str] = match self.posed.animated[index] {
                true => &TRANSFORM,
                false => &[],
            };
            // The mesh that an unskinned node has now is checked with the meshes.
            let may_come = [moved, &["mesh"]].concat();
            passing::object(&path, from, to, gone, &may_come, problems);
            let had = from.get("mesh").is_some() && !skinned.contains(&index);
            need!(problems, had == to.get("mesh").is_some(), "{path}.mesh");
            if self.posed.animated[index] {
                transform(&path, &self.posed.locals[index], from, to, problems);
            }
        }
        for (new, old) in posed.iter().skip(nodes.len()).zip(&skinned) {
            let name = nodes[*old].get("name");
            need!(
                problems,
                new.get("name") == name,
                "an instance of {name:?} is {new:?}"
            );
            let keys: BTreeSet<&str> = new.keys().into_iter().collect();
            let wanted: BTreeSet<&str> = name.map(|_| "name").into_iter().chain(["mesh"]).collect();
            need!(problems, keys == wanted, "an appended node has {keys:?}");
        }
    }

    fn scenes(&self, problems: &mut Problems) {
        let nodes = self.input.tree.list("nodes");
        let scenes = self.input.tree.list("scenes").iter();
        for (index, (from, to)) in scenes.zip(self.output.tree.list("scenes")).enumerate() {
            let indices = |scene: &Tree| -> Vec<usize> {
                scene.list("nodes").iter().map(Tree::index).collect()
            };
            let mut wanted = indices(from);
            let roots = wanted.clone();
            for (place, node) in self.skinned().iter().enumerate() {
                let mut above = Some(*node);
                while let Some(node) = above.filter(|node| !roots.contains(node)) {
                    above = self.posed.parents[node];
                }
                if above.is_some() {
                    wanted.push(nodes.len() + place);
                }
            }
            let found = indices(to);
            need!(
                problems,
                found == wanted,
                "scene {index} has {found:?}, not {wanted:?}"
            );
        }
    }

    /// The mesh that stands for a node's in the output.
    fn mesh_of(&self, node: usize) -> Option<usize> {
        let place = self.skinned().iter().position(|n| *n == node);
        let node = place.map_or(node, |place| self.input.tree.list("nodes").len() + place);
        self.output.tree.list("nodes").get(node)?.index_of("mesh")
    }

    fn meshes(&self, problems: &mut Problems) {
        let (from, to) = (&self.input.tree, &self.output.tree);
        let nodes = from.list("nodes");
        let mut uses: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (node, tree) in nodes.iter().enumerate() {
            if let Some(mesh) = tree.index_of("mesh") {
                uses.entry(mesh).or_default().push(node);
            }
        }
        let mut extra = 0;
        for (mesh, users) in &uses {
            let mut places: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
            for &node in users {
                let Some(place) = self.mesh_of(node).filter(|m| *m < to.list("meshes").len())
                else {
                    problems.push(format!("node {node} has lost its mesh"));
                    continue;
                };
                let (skin, hand) = (nodes[node].get("skin"), self.is_mirrored(node));
                let key = format!("{skin:?} {hand} {:?}", self.weights(node));
                places.entry(key).or_default().insert(place);
                self.mesh(*mesh, place, node, problems);
            }
            let all: Vec<usize> = places.values().flatten().copied().collect();
            let distinct: BTreeSet<usize> = all.iter().copied().collect();
            need!(
                problems,
                distinct.len() == all.len(),
                "uses of mesh {mesh} share {all:?}"
            );
            need!(
                problems,
                distinct.contains(mesh),
                "mesh {mesh} is not baked in place"
            );
            let appended = distinct.iter().filter(|m| **m >= from.list("meshes").len());
            need!(
                problems,
                appended.count() + 1 == distinct.len(),
                "mesh {mesh} went to {all:?}"
            );
            extra += places.len().saturating_sub(1);
        }
        let wanted = from.list("meshes").len() + extra;
        let found = to.list("meshes").len();
        need!(problems, found == wanted, "{found} meshes, not {wanted}");
        for (index, mesh) in to.list("meshes").iter().enumerate() {
            need!(
                problems,
                mesh.get("weights").is_none(),
                "mesh {index} has weights"
            );
            for primitive in mesh.list("primitives") {
                need!(
                    problems,
                    primitive.get("targets").is_none(),
                    "mesh {index} has targets"
                );
            }
        }
    }

    fn weights(&self, node: usize) -> Vec<f64> {
        self.posed.morph(self.input, node)
    }

    /// True if a node is skinned and its global matrix mirrors.
    fn is_mirrored(&self, node: usize) -> bool {
        let is_skinned = self.input.tree.list("nodes")[node].get("skin").is_some();
        is_skinned && determinant(&linear(&self.posed.global(node))) < 0.0
    }

    fn mesh(&self, was: usize, is: usize, node: usize, problems: &mut Problems) {
        let from = &self.input.tree.list("meshes")[was];
        let to = &self.output.tree.list("meshes")[is];
        let path = format!("meshes.{is}");
        let free = ["primitives", "weights"];
        passing::object(&path, from, to, &free, &[], problems);
        let (primitives, posed) = (from.list("primitives"), to.list("primitives"));
        need!(
            problems,
            primitives.len() == posed.len(),
            "{path}: {} primitives",
            posed.len()
        );
        let expected = evaluate(self.input, node, self.posed, self.solver);
        let weights = self.weights(node);
        let is_skinned = self.input.tree.list("nodes")[node].get("skin").is_some();
        for (index, ((from, to), expected)) in
            primitives.iter().zip(posed).zip(&expected).enumerate()
        {
            let pair = Pair {
                path: format!("{path}.primitives.{index}"),
                input: self.input,
                from,
                output: self.output,
                to,
                is_skinned,
                is_mirrored: self.is_mirrored(node),
                weights: &weights,
            };
            pair.check(expected, problems);
            let tuple = |p: &Tree| (p.get("attributes").cloned(), p.get("targets").cloned());
            for earlier in 0..index {
                if tuple(&primitives[earlier]) == tuple(from) {
                    let shared = posed[earlier].get("attributes") == to.get("attributes");
                    need!(
                        problems,
                        shared,
                        "{path}: {earlier} and {index} share no accessors"
                    );
                }
            }
        }
    }

    /// Lists of extensions: compression is decoded, quantisation may be over, and the rest stays where it is used.
    fn extensions(&self, problems: &mut Problems) {
        let had = references::extensions(&self.input.tree);
        let has = references::extensions(&self.output.tree);
        for list in ["extensionsUsed", "extensionsRequired"] {
            let names = |tree: &Tree| -> Vec<String> {
                let names = tree.list(list).iter();
                names.map(|name| name.str().unwrap().to_owned()).collect()
            };
            let listed = names(&self.output.tree);
            let is_wanted = |name: &String| match &**name {
                "EXT_meshopt_compression" | "KHR_meshopt_compression" => false,
                "KHR_mesh_quantization" => references::needs_quantization(&self.output.tree),
                // An extension that nothing in the input used may stay listed or not.
                _ if !had.contains(name) => listed.contains(name),
                _ => has.contains(name),
            };
            let wanted: Vec<String> = names(&self.input.tree)
                .into_iter()
                .filter(is_wanted)
                .collect();
            need!(
                problems,
                listed == wanted,
                "{list}: {listed:?}, not {wanted:?}"
            );
        }
        let compressed = has
            .iter()
            .any(|name| name.ends_with("_meshopt_compression"));
        need!(problems, !compressed, "something is compressed still");
    }
}

/// A node with sampled parts: what is not as it was is rounded to f32 and written in the fewest digits.
fn transform(path: &str, local: &Local, from: &Tree, to: &Tree, problems: &mut Problems) {
    let Local::Trs(translation, [w, x, y, z], scale) = local else {
        panic!("an animated node has parts");
    };
    need!(problems, to.get("matrix").is_none(), "{path} has a matrix");
    let rotation = [*x, *y, *z, *w];
    for (key, wanted, rest) in [
        ("translation", &translation[..], vec![0.0; 3]),
        ("rotation", &rotation[..], vec![0.0, 0.0, 0.0, 1.0]),
        ("scale", &scale[..], vec![1.0; 3]),
    ] {
        let is_stored = to.get(key).is_none() || to.get(key) == from.get(key);
        let is_kept = is_stored && to.numbers_of(key).unwrap_or(rest) == wanted;
        let texts = to.list(key).iter().zip(wanted);
        let is_sampled = to.list(key).len() == wanted.len()
            && texts.fold(true, |all, (text, wanted)| {
                all && is_shortest(text, *wanted)
            });
        let found = is_kept || is_sampled;
        let value = to.get(key);
        need!(problems, found, "{path}.{key} is {value:?}, not {wanted:?}");
    }
}

/// True for the shortest text that gives the f32 nearest to a number, with an exponent below 1e-6 and from 1e13 on.
pub fn is_shortest(text: &Tree, number: f64) -> bool {
    let (Tree::Bare(text), number) = (text, number as f32) else {
        return false;
    };
    let len = match number == 0.0 || (1e-6..1e13).contains(&number.abs()) {
        true => format!("{number}").len(),
        false => format!("{number:e}").len(),
    };
    text.len() == len && text.parse::<f32>().map(f32::to_bits) == Ok(number.to_bits())
}
