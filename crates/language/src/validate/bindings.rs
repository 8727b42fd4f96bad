//! Bindings: the names in them, and the ranges of their weights.

use super::{check_weight, elsewhere};
use crate::model::{Armature, Binding, BoneWeight, Document, Mesh};
use rigy_base::diag::{Code, Diagnostic, Findings, Text};
use rigy_base::maps::{HashMap, HashSet};

/// Meshes and armatures by id.
struct Index<'d> {
    document: &'d Document,
    meshes: HashMap<&'d str, Named<'d, Mesh>>,
    armatures: HashMap<&'d str, Named<'d, Armature>>,
}

/// A mesh with the ids of its primitives, or an armature with the ids of its bones.
type Named<'d, T> = (&'d T, HashSet<&'d str>);

/// The mesh and the armature of one binding, as far as they exist.
struct Names<'i, 'd> {
    document: &'d Document,
    primitives: Option<&'i Named<'d, Mesh>>,
    bones: Option<&'i Named<'d, Armature>>,
}

impl<'d> Index<'d> {
    fn new(document: &'d Document) -> Self {
        let mesh = |m: &'d Mesh| {
            let parts = m.primitives.iter().map(|p| &*p.id.value).collect();
            (&*m.id.value, (m, parts))
        };
        let armature = |a: &'d Armature| {
            let parts = a.bones.iter().map(|b| &*b.id.value).collect();
            (&*a.id.value, (a, parts))
        };
        // If two elements have one id (V01, V03), the first counts.
        Self {
            document,
            meshes: document.meshes.iter().rev().map(mesh).collect(),
            armatures: document.armatures.iter().rev().map(armature).collect(),
        }
    }

    fn names(&self, binding: &Binding) -> Names<'_, 'd> {
        Names {
            document: self.document,
            primitives: self.meshes.get(&*binding.mesh_id.value),
            bones: self.armatures.get(&*binding.armature_id.value),
        }
    }
}

impl Names<'_, '_> {
    /// Returns true if the mesh has the primitive. Reports the primitive if the mesh lacks it, and nothing if the mesh itself
    /// is unknown.
    fn primitive(&self, f: &mut Findings, code: Code, name: &Text) -> bool {
        let Some((mesh, known)) = &self.primitives else {
            return false;
        };
        if known.contains(&*name.value) {
            return true;
        }
        let other = elsewhere(self.document, &name.value, f);
        let message = format!(
            "mesh `{}` has no primitive `{}`{other}",
            mesh.id.value, name.value
        );
        let candidates = mesh.primitives.iter().map(|p| &*p.id.value);
        f.unknown(code, name, message, candidates);
        false
    }

    /// Reports an unknown bone, unless its armature is unknown too.
    fn bone(&self, f: &mut Findings, code: Code, name: &Text) {
        if let Some((armature, known)) = &self.bones
            && !known.contains(&*name.value)
        {
            let other = elsewhere(self.document, &name.value, f);
            let message = format!(
                "armature `{}` has no bone `{}`{other}",
                armature.id.value, name.value
            );
            let candidates = armature.bones.iter().map(|b| &*b.id.value);
            f.unknown(code, name, message, candidates);
        }
    }
}

/// Checks, binding by binding, the mesh and the armature (V08, V09, U12) and then the primitives and bones of its weights
/// (V10, V11).
pub fn targets(document: &Document, f: &mut Findings) {
    let index = Index::new(document);
    for binding in &document.bindings {
        let names = index.names(binding);
        if names.primitives.is_none() {
            let name = &binding.mesh_id.value;
            let message = format!("there is no mesh `{name}`{}", elsewhere(document, name, f));
            let candidates = document.meshes.iter().map(|m| &*m.id.value);
            f.unknown(Code::V08, &binding.mesh_id, message, candidates);
        }
        if names.bones.is_none() {
            let name = &binding.armature_id.value;
            let message = format!(
                "there is no armature `{name}`{}",
                elsewhere(document, name, f)
            );
            let candidates = document.armatures.iter().map(|a| &*a.id.value);
            f.unknown(Code::V09, &binding.armature_id, message, candidates);
        }
        if let (Some((mesh, _)), Some((armature, _))) = (&names.primitives, &names.bones)
            && !mesh.primitives.is_empty()
            && armature.bones.is_empty()
        {
            let message = format!(
                "mesh `{}` is bound to armature `{}`, which has no bones",
                mesh.id.value, armature.id.value
            );
            f.error(Code::U12, binding.armature_id.span, message);
        }
        for entry in &binding.weights {
            names.primitive(f, Code::V10, &entry.primitive_id);
            for influence in &entry.bones {
                names.bone(f, Code::V11, &influence.bone_id);
            }
        }
    }
}

/// Checks each weight map (V23, V14, W02), then its gradients (V15, V17), then its overrides (V16, V18).
pub fn weight_maps(document: &Document, f: &mut Findings) {
    let index = Index::new(document);
    for binding in &document.bindings {
        let names = index.names(binding);
        let whole: HashSet<&str> = binding
            .weights
            .iter()
            .map(|w| &*w.primitive_id.value)
            .collect();
        for map in &binding.weight_maps {
            if map.gradients.is_empty() && map.overrides.is_empty() && map.source.is_none() {
                let message = "this weight map has neither gradients nor overrides nor a source";
                f.error(Code::V23, map.span, message);
            }
            let known = names.primitive(f, Code::V14, &map.primitive_id);
            if known && whole.contains(&*map.primitive_id.value) {
                let id = &map.primitive_id.value;
                let message = format!("primitive `{id}` has weights and a weight map, which wins");
                f.error(Code::W02, map.primitive_id.span, message);
            }
            let mut influence = |unknown, outside, influence: &BoneWeight| {
                names.bone(f, unknown, &influence.bone_id);
                check_weight(outside, influence, f);
            };
            for gradient in &map.gradients {
                for side in [&gradient.from, &gradient.to] {
                    side.iter().for_each(|i| influence(Code::V15, Code::V17, i));
                }
            }
            for entry in &map.overrides {
                entry
                    .bones
                    .iter()
                    .for_each(|i| influence(Code::V16, Code::V18, i));
            }
        }
    }
}

/// Reports bindings of a mesh that is already bound (V12).
pub fn bound_once(document: &Document, f: &mut Findings) {
    let known: HashSet<&str> = document.meshes.iter().map(|mesh| &*mesh.id.value).collect();
    let mut bound: HashMap<&str, &Binding> = HashMap::default();
    for binding in &document.bindings {
        let mesh_id = &binding.mesh_id;
        if !known.contains(&*mesh_id.value) {
            continue;
        }
        match bound.get(&*mesh_id.value) {
            Some(first) => {
                let message = format!(
                    "mesh `{}` is already bound to armature `{}`",
                    mesh_id.value, first.armature_id.value
                );
                let help = "a mesh follows one armature; merge the two bindings";
                f.report(Diagnostic::new(Code::V12, mesh_id.span, message).help(help));
            }
            None => {
                bound.insert(&mesh_id.value, binding);
            }
        }
    }
}

/// Checks the weights of whole primitives (V13).
pub fn primitive_weights(document: &Document, f: &mut Findings) {
    let entries = document.bindings.iter().flat_map(|b| &b.weights);
    for influence in entries.flat_map(|entry| &entry.bones) {
        check_weight(Code::V13, influence, f);
    }
}
