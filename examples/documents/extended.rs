//! Documents of 0.6 to 0.13: what the older generator draws, with the features of these versions worked into its tree.

mod forms;
mod scenes;
mod shapes;
mod surfaces;
mod templates;
mod weights;

use serde::Serialize;
use serde_yaml::{Mapping, Value};

use super::handwriting::Hand;
use super::random::{Draw, Random};
pub use scenes::scene;

/// Facts about a document that several features ask for.
struct Context {
    /// The second number of the version.
    minor: u32,
    /// The prefix that symmetry copies, if there is symmetry.
    prefix: Option<String>,
    /// Ids of the materials; none means that nothing names one.
    materials: Vec<String>,
    /// Number of ids that have been made.
    made: usize,
}

impl Context {
    /// An id that nothing else has, copied by symmetry or not. `identifier`: the name of a macro.
    fn id(&mut self, random: &mut Random, identifier: bool) -> String {
        self.made += 1;
        let id = format!("{}{}", random.pick(&["ex", "neu", "Zusatz_"]), self.made);
        let plain =
            |prefix: &&String| !identifier || prefix.chars().all(|c| c.is_ascii_alphabetic());
        match self.prefix.as_ref().filter(plain) {
            Some(prefix) if random.chance(50) => format!("{prefix}{id}"),
            _ => id,
        }
    }
}

/// A document as text.
pub struct Written {
    pub yaml: String,
    /// Ids of its materials that others may name wherever they import it.
    pub materials: Vec<String>,
}

/// Writes a document in a version from 0.6 to 0.13 and with its features. `imported`: references to materials of its imports.
pub fn text(random: &mut Random, document: &impl Serialize, imported: Vec<String>) -> Written {
    let mut tree = serde_yaml::to_value(document).expect("plain data has a YAML form");
    let materials = extend(random, &mut tree, imported);
    Written {
        yaml: Hand::with_plain_numbers(random).write(random, &tree),
        materials,
    }
}

/// Extends a document, and returns the ids of its materials that need no texture coordinates.
fn extend(random: &mut Random, tree: &mut Value, imported: Vec<String>) -> Vec<String> {
    let versions = [6, 7, 8, 9, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13];
    let mut minor = *random.pick(&versions);
    if templates::has_token(tree) {
        minor = minor.min(9); // nothing can stand for such text from 0.10 on
    }
    let symmetry = tree
        .get("symmetry")
        .and_then(|symmetry| symmetry.get("mirror_x"));
    let prefix = symmetry.and_then(|mirror| mirror.get("prefix_from"));
    let mut context = Context {
        minor,
        prefix: prefix.and_then(Value::as_str).map(str::to_owned),
        materials: Vec::new(),
        made: 0,
    };
    let root = tree.as_mapping_mut().expect("a mapping");
    root.shift_remove("rigy_version");
    root.insert("version".into(), format!("0.{minor}").into());
    let materials = surfaces::materials(random, &mut context, root);
    context.materials.extend(imported);
    meshes(random, &mut context, root);
    templates::apply(random, &mut context, tree);
    if random.chance(20) {
        tree["geometry_checks"] = mapping([("alignment", "${anything} and =goes".into())]);
    }
    materials
}

fn meshes(random: &mut Random, context: &mut Context, root: &mut Mapping) {
    let roots = Value::Mapping(root.clone());
    let Some(meshes) = root.get_mut("meshes").and_then(Value::as_sequence_mut) else {
        return;
    };
    let mut added = Vec::new();
    for mesh in meshes.iter_mut() {
        let bones = weights::bones_of(&roots, mesh);
        let id = mesh["id"].clone();
        let primitives = mesh["primitives"].as_sequence_mut().expect("a list");
        for primitive in primitives.iter_mut() {
            shapes::modernise(random, context, primitive);
        }
        if !primitives.is_empty() && !bones.as_ref().is_some_and(Vec::is_empty) {
            for _ in 0..random.below(4) {
                primitives.push(shapes::primitive(random, context));
            }
        }
        added.push((id, weights::of(random, primitives, bones)));
        surfaces::dress(random, context, mesh);
    }
    let bindings = root.get_mut("bindings").and_then(Value::as_sequence_mut);
    for binding in bindings.into_iter().flatten() {
        let mesh = binding["mesh_id"].clone();
        let of_mesh = added.iter().filter(|(id, _)| *id == mesh);
        for (_, weights) in of_mesh {
            weights.add_to(binding);
        }
    }
}

fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.collect())
}

fn numbers(values: &[f64]) -> Value {
    values.iter().copied().map(Value::from).collect()
}
