//! Which nodes of a file a motion moves: by humanoid bones of VRM, else by names.

use std::collections::{BTreeMap, BTreeSet};

use crate::file::File;
use crate::json::Value;
use crate::model::node_label;
use crate::problem::{Problem, Result, listed, quoted};
use rigy_base::diag::{Code, nearest};
use rigy_base::maps::{HashMap, HashSet};

/// The nodes that a motion moves.
pub struct Fit {
    /// By nodes of the motion, those of the file, none twice.
    pub nodes: BTreeMap<usize, usize>,
    /// The sign of x and z: avatars of VRM 0 look along −z, and others along z.
    pub sign: f64,
    /// The prefixes of names that are left out.
    pub prefixes: Vec<String>,
    /// What does not fit, in words.
    pub notes: Vec<String>,
}

impl Fit {
    /// Finds a node of the file for each of the nodes `open` of a motion.
    ///
    /// # Errors
    /// If there is no joint and no mesh among them (U21).
    pub fn new(file: &File, motion: &File, mut open: BTreeSet<usize>) -> Result<Self> {
        let joints = file.skins.iter().flat_map(|skin| &skin.joints);
        let joints: HashSet<usize> = joints.copied().collect();
        let [(mut own, is_old), (mut others, was_old)] = [file, motion].map(names);
        own.sort_by_key(|name| (name.rank, !joints.contains(&name.node)));
        let mut known = HashMap::default();
        for name in &own {
            known.entry(&*name.text).or_insert(name.node);
        }
        others.retain(|name| open.contains(&name.node));
        others.sort_by_key(|name| name.rank);
        let count = open.len();
        let mut nodes = BTreeMap::new();
        let (mut taken, mut left_out) = (HashSet::default(), BTreeSet::new());
        for name in &others {
            if let Some(&here) = known.get(&*name.text)
                && open.contains(&name.node)
                && taken.insert(here)
            {
                open.remove(&name.node);
                nodes.insert(name.node, here);
                let names = [&motion.nodes[name.node].name, &file.nodes[here].name];
                let prefixes = names.into_iter().flatten();
                let prefixes = prefixes.filter_map(|whole| whole.strip_suffix(&*name.text));
                left_out.extend(
                    prefixes
                        .filter(|prefix| !prefix.is_empty())
                        .map(str::to_owned),
                );
            }
        }
        let own = own.iter().filter(|name| name.rank == 1);
        let own: Vec<&str> = own.map(|name| &*name.text).collect();
        let is_moved = |node: &usize| joints.contains(node) || file.nodes[*node].mesh.is_some();
        if !nodes
            .values()
            .any(|node| joints.is_empty() || is_moved(node))
        {
            let names = listed(own.iter().map(|name| quoted(name)));
            let name = &motion.name;
            let message =
                format!("{name} moves no joint and no mesh here, where names are {names}");
            return Err(Problem::rule(&"nodes", message).code(Code::U21));
        }
        let label = |node: usize| {
            let name = motion.nodes[node].name.as_deref().unwrap_or_default();
            let mut names = [Some(name), tail(name)].into_iter().flatten();
            let near = names.find_map(|name| nearest(name, own.iter().copied()));
            let near = near.map_or(String::new(), |near| format!(" (near {})", quoted(near)));
            node_label(&motion.nodes, node) + &near
        };
        let mut notes = Vec::new();
        let prefixes = Vec::from_iter(left_out);
        if !prefixes.is_empty() {
            let prefixes = listed(prefixes.iter().map(|prefix| quoted(prefix)));
            notes.push(format!("these prefixes of names are left out: {prefixes}"));
        }
        if !open.is_empty() {
            notes.push(format!(
                "{} of {count} nodes that {} moves are not here: {}",
                open.len(),
                motion.name,
                listed(open.into_iter().map(label))
            ));
        }
        Ok(Self {
            nodes,
            sign: if is_old == was_old { 1.0 } else { -1.0 },
            prefixes,
            notes,
        })
    }
}

/// What follows the last `:` or `|` in a name.
fn tail(name: &str) -> Option<&str> {
    Some(&name[name.rfind([':', '|'])? + 1..])
}

/// A name by which a node can be found.
struct Name {
    /// Lower ranks go first: 0 for the humanoid bone, 1 for the node's own name, 2 for what follows the last `:` or `|` in that, 3 for the mesh.
    rank: usize,
    text: String,
    node: usize,
}

/// The names of all nodes, and whether the file is VRM 0. Humanoid bones have their names in VRM 1, after a NUL.
fn names(file: &File) -> (Vec<Name>, bool) {
    let mut names = Vec::new();
    for (node, found) in file.nodes.iter().enumerate() {
        let tail = found.name.as_deref().and_then(tail).map(str::to_owned);
        let mesh = found.mesh.and_then(|mesh| file.meshes[mesh].name.clone());
        let texts = [None, found.name.clone(), tail, mesh]
            .into_iter()
            .enumerate();
        names.extend(texts.filter_map(|(rank, text)| {
            Some(Name {
                rank,
                text: text?,
                node,
            })
        }));
    }
    let bones = |name: &str| {
        file.tree
            .extension(name)?
            .get("humanoid")?
            .get("humanBones")
    };
    let new = bones("VRMC_vrm_animation").or_else(|| bones("VRMC_vrm"));
    let new = new.map_or(&[][..], Value::members).iter();
    let new = new.map(|(name, bone)| (name.to_string(), bone));
    let old = bones("VRM").map_or(&[][..], Value::elements);
    let all = new.chain(old.iter().filter_map(|bone| {
        // Bones of thumbs are called otherwise there.
        let name = bone
            .text("bone")?
            .replace("ThumbProximal", "ThumbMetacarpal");
        Some((name.replace("ThumbIntermediate", "ThumbProximal"), bone))
    }));
    names.extend(all.filter_map(|(name, bone)| {
        let node = bone.get("node")?.as_index()?;
        let (rank, text) = (0, format!("\0{name}"));
        (node < file.nodes.len()).then_some(Name { rank, text, node })
    }));
    (names, !old.is_empty())
}
