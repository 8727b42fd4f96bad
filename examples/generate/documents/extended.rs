//! Documents of 0.6 to 0.13: what the older generator draws, with the features of these versions worked into its tree.

#[path = "extended/forms.rs"]
mod forms;
#[path = "extended/scenes.rs"]
mod scenes;
#[path = "extended/shapes.rs"]
mod shapes;
#[path = "extended/surfaces.rs"]
mod surfaces;
#[path = "extended/templates.rs"]
mod templates;

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

/// A document as text, in a version from 0.6 to 0.13 and with its features.
pub fn text(random: &mut Random, document: &impl Serialize) -> String {
    let mut tree = serde_yaml::to_value(document).expect("plain data has a YAML form");
    extend(random, &mut tree);
    Hand::with_plain_numbers(random).write(random, &tree)
}

fn extend(random: &mut Random, tree: &mut Value) {
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
    surfaces::materials(random, &mut context, root);
    meshes(random, &mut context, root);
    templates::apply(random, &mut context, tree);
    if random.chance(20) {
        tree["geometry_checks"] = mapping([("alignment", "${anything} and =goes".into())]);
    }
}

fn meshes(random: &mut Random, context: &mut Context, root: &mut Mapping) {
    let roots = Value::Mapping(root.clone());
    let Some(meshes) = root.get_mut("meshes").and_then(Value::as_sequence_mut) else {
        return;
    };
    let mut weights = Vec::new();
    for mesh in meshes.iter_mut() {
        let bones = bones_of(&roots, mesh);
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
        weights.push((id, weights_of(random, primitives, bones)));
        surfaces::dress(random, context, mesh);
    }
    let bindings = root.get_mut("bindings").and_then(Value::as_sequence_mut);
    for binding in bindings.into_iter().flatten() {
        let of_mesh = weights.iter().filter(|(id, _)| *id == binding["mesh_id"]);
        let added: Vec<Value> = of_mesh.flat_map(|(_, list)| list.clone()).collect();
        let list = binding["weights"].as_sequence_mut().expect("a list");
        list.extend(added);
    }
}

/// The bones that a mesh is bound to, as they are written.
fn bones_of(root: &Value, mesh: &Value) -> Option<Vec<Value>> {
    let bindings = root.get("bindings")?.as_sequence()?;
    let binding = bindings.iter().find(|b| b["mesh_id"] == mesh["id"])?;
    let armatures = root.get("armatures")?.as_sequence()?;
    let armature = armatures
        .iter()
        .find(|a| a["id"] == binding["armature_id"])?;
    let bones = armature["bones"].as_sequence()?;
    Some(bones.iter().map(|bone| bone["id"].clone()).collect())
}

/// Weights for some of the primitives that were added: those that have an id of their own.
fn weights_of(random: &mut Random, primitives: &[Value], bones: Option<Vec<Value>>) -> Vec<Value> {
    let bones = bones.unwrap_or_default();
    let mut weights = Vec::new();
    for primitive in primitives {
        let new = primitive["type"] == "wedge" || primitive["type"] == "implicit_surface";
        if !new || bones.is_empty() || random.chance(30) {
            continue;
        }
        let entry = |random: &mut Random| {
            let bone = random.pick(&bones).clone();
            let weight = random.below(9) as f64 / 8.0;
            mapping([("bone_id", bone), ("weight", weight.into())])
        };
        let entries: Vec<Value> = (0..random.within((1, 5))).map(|_| entry(random)).collect();
        let id = primitive["id"].clone();
        weights.push(mapping([("primitive_id", id), ("bones", entries.into())]));
    }
    weights
}

fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.collect())
}

fn numbers(values: &[f64]) -> Value {
    values.iter().copied().map(Value::from).collect()
}
