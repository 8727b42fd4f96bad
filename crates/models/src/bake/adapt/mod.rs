//! Adapting extensions that refer to what a bake removes: morph targets, meshes of skinned nodes, and joints that have nothing
//! to move (`bake.md` §6).
//!
//! In: the edited tree, with the nodes of the output and the extensions of the input. Out: the same tree without the entries
//! that no longer hold, and a warning (W15) for each extension that has lost some. Extensions that are not known here stay
//! as they are.

mod node_references;
mod vrm;

use std::collections::BTreeMap;
use std::fmt;

use super::edit::remove_extension;
use super::meshes::{BakedMeshes, SINGLE_ROOT, has_flag};
use node_references::renumber_nodes;
use rigy_gltf::json::Value;
use rigy_gltf::{File, Problem, quoted};
use rigy_language::base::diag::{Code, Diagnostic};

pub(super) use node_references::{has_unknown_extension, nodes_in_extensions};

/// Adapts the extensions of an edited tree. Returns the warnings.
pub(super) fn adapt(
    tree: &mut Value<'_>,
    file: &File<'_>,
    meshes: &BakedMeshes,
) -> Vec<Diagnostic> {
    let mut removed = Removed::default();
    if has_flag(file) && meshes.root.is_none() && meshes.shows_instances() {
        remove_flag(tree, &mut removed);
    }
    // Nodes are numbered anew later; here only references that lead nowhere are removed.
    let count = file.nodes.len() as u64;
    renumber_nodes(tree, &|node| (node < count).then_some(node), &mut removed);
    vrm::adapt(tree, file, meshes, &mut removed);
    remove_moved_levels(tree, file, meshes, &mut removed);
    removed.into_warnings(&file.name)
}

/// Removes the flag that there is one root node.
fn remove_flag(tree: &mut Value<'_>, removed: &mut Removed) {
    for key in ["extensionsUsed", "extensionsRequired"] {
        if let Some(names) = tree.get_mut(key).and_then(Value::elements_mut) {
            names.retain(|name| name.as_str() != Some(SINGLE_ROOT));
        }
    }
    removed.add(
        SINGLE_ROOT,
        "the flag, because baked meshes are root nodes of their own".into(),
    );
}

/// Gives nodes new numbers in the known extensions of a tree; no reference is to a node that is gone.
pub(super) fn renumber(tree: &mut Value<'_>, new_number: &dyn Fn(u64) -> Option<u64>) {
    renumber_nodes(tree, new_number, &mut Removed::default());
}

const LOD: &str = "MSFT_lod";

/// Removes the levels of each node if it, or one of them, has a skinned mesh at or below it: that mesh is on a root node of its
/// own now, and would be shown with the others.
fn remove_moved_levels(
    tree: &mut Value<'_>,
    file: &File<'_>,
    meshes: &BakedMeshes,
    removed: &mut Removed,
) {
    let mut has_moved = vec![false; file.nodes.len()];
    for &node in &meshes.skinned {
        let mut above = Some(node);
        while let Some(node) = above.filter(|node| !has_moved[*node]) {
            has_moved[node] = true;
            above = file.nodes[node].parent;
        }
    }
    let mut names = Names::default();
    for (node, has_moved_itself) in tree.list_mut("nodes").iter_mut().zip(&has_moved) {
        let Some(extension) = node.extension(LOD) else {
            continue;
        };
        let level = |id: &Value<'_>| has_moved.get(id.as_index()?).copied();
        let mut levels = extension.list("ids").iter();
        if *has_moved_itself || levels.any(|id| level(id) == Some(true)) {
            remove_extension(node, LOD);
            names.add(node.get("name").and_then(Value::as_str).unwrap_or(""));
        }
    }
    removed.add_named(LOD, "the levels of the nodes", &names);
}

/// Most names in a list.
const MOST_NAMED: usize = 5;

/// The entries that were removed from each extension, in words.
#[derive(Default)]
pub(super) struct Removed {
    of_extensions: BTreeMap<&'static str, Vec<String>>,
}

impl Removed {
    /// Adds what was removed from an extension.
    pub fn add(&mut self, extension: &'static str, what: String) {
        self.of_extensions.entry(extension).or_default().push(what);
    }

    /// Adds the named entries that were removed from an extension, after a word for them; nothing if there are none.
    pub fn add_named(&mut self, extension: &'static str, what: &str, names: &Names) {
        if names.count > 0 {
            self.add(extension, format!("{what} {names}"));
        }
    }

    /// Returns a warning for each extension.
    pub fn into_warnings(self, file: &str) -> Vec<Diagnostic> {
        let warning = |(extension, parts): (&str, Vec<String>)| {
            let message = format!("removed from `{extension}`: {}", parts.join("; "));
            let problem = Problem::rule(&"extensions", message).code(Code::W15);
            let help = "`--keep-extensions` leaves extensions as they are";
            problem.help(help).into_diagnostic(file)
        };
        self.of_extensions.into_iter().map(warning).collect()
    }
}

/// Names of entries, the first [`MOST_NAMED`] of which are shown.
#[derive(Default)]
pub(super) struct Names {
    shown: Vec<String>,
    count: usize,
}

impl Names {
    /// Adds the name of an entry, as the file has it.
    pub fn add(&mut self, name: &str) {
        if self.count < MOST_NAMED {
            self.shown.push(quoted(name));
        }
        self.count += 1;
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown.join(", "))?;
        match self.count - self.shown.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
