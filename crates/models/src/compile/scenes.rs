//! Scenes: `.rigs.yaml` files, whose parts are documents (`extensions.md` §12).
//!
//! A scene is checked like a document that has imports and nothing else; its children take the place of instances.

use std::collections::HashMap;

use super::composition::{self, Part};
use super::findings::FileFindings;
use super::unit::Valid;
use crate::geometry::scene::{Nested, NestedChild};
use rigy_kernel::math::Affine;
use rigy_language::base::diag::Diagnostic;
use rigy_language::base::loader::Location;
use rigy_language::compose::{self, ScenePart};
use rigy_language::model::{Child, RigsScene};
use rigy_language::yaml::Tree;

/// Returns true if the file at a location is a scene: `*.rigs.yaml` or `*.rigs.yml`.
pub(super) fn is_scene(location: &Location) -> bool {
    let name = location.0.file_name().unwrap_or_default();
    let name = name.as_encoded_bytes();
    name.ends_with(b".rigs.yaml") || name.ends_with(b".rigs.yml")
}

/// The transform of each child, depth first. `malformed` has the faults of contracts, each with the index of the part below
/// which it was found.
pub(super) fn places(
    scene: &RigsScene,
    root: &Valid,
    parts: &[Part],
    malformed: Vec<(usize, FileFindings)>,
    tree: &Tree<'_>,
) -> Result<Vec<Affine>, Vec<Diagnostic>> {
    composition::contracts(root, parts, malformed).none()?;
    let by_alias = parts.iter().map(|part| {
        let part_of_scene = ScenePart {
            document: &part.valid.document,
            contract: part.contract.as_deref(),
        };
        (&*part.import.namespace.value, part_of_scene)
    });
    let by_alias: HashMap<&str, ScenePart<'_>> = by_alias.collect();
    let places = compose::place_children(scene, &by_alias);
    places.map_err(|errors| root.file.locate_in(tree, errors))
}

/// A warning (W05) for each part that places instances of its own, which scenes leave out.
pub(super) fn left_out(scene: &RigsScene, parts: &[Part]) -> Vec<Diagnostic> {
    let used = aliases(scene);
    let used = |part: &&Part| used.contains(&&*part.import.namespace.value);
    let help = "place them as children of the scene";
    let used = parts.iter().filter(used);
    used.filter_map(|part| part.left_out(help)).collect()
}

/// Returns the aliases that a scene uses, in the order of first use: the base, then children depth first.
fn aliases(scene: &RigsScene) -> Vec<&str> {
    let children = scene.all_children();
    let all = std::iter::once(&scene.base).chain(children.iter().map(|(child, _)| &child.base));
    let mut seen = std::collections::HashSet::new();
    all.map(|alias| &*alias.value)
        .filter(|alias| seen.insert(*alias))
        .collect()
}

/// Returns the parts that a scene uses, in the order of first use, and the tree of its children.
pub(super) fn nested(
    scene: &RigsScene,
    parts: Vec<Part>,
    places: Vec<Affine>,
) -> (Vec<Part>, Nested) {
    let order = aliases(scene);
    let index_of: HashMap<&str, usize> = order.iter().copied().zip(0..).collect();
    let mut by_alias: HashMap<String, Part> = HashMap::new();
    for part in parts {
        by_alias.insert(part.import.namespace.value.clone(), part);
    }
    let used = order
        .iter()
        .filter_map(|alias| by_alias.remove(*alias))
        .collect();
    let mut places = places.into_iter();
    let children = children(&scene.children, &index_of, &mut places);
    (used, Nested { children })
}

/// Returns children with their transforms, which come depth first.
fn children(
    list: &[Child],
    index_of: &HashMap<&str, usize>,
    places: &mut impl Iterator<Item = Affine>,
) -> Vec<NestedChild> {
    let child = |child: &Child| NestedChild {
        name: child.id.value.clone(),
        matrix: places.next().unwrap_or(compose::IN_PLACE),
        part: index_of.get(&*child.base.value).copied().unwrap_or(0),
        children: children(&child.children, index_of, places),
    };
    list.iter().map(child).collect()
}
