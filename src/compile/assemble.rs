//! From a checked document to an assembly: every mesh of it and of its parts tessellated and skinned, within
//! what a GLB can hold.

use std::collections::HashMap;

use super::unit::Valid;
use super::{Checked, Compiled, Part};
use crate::diag::{Code, Diagnostic, Span, Warned};
use crate::glb::{self, GlbError};
use crate::loader::Loader;
use crate::model::{Armature, Binding, Instanced, Mesh};
use crate::scene::{self, Assembly, Placed, Scene};
use crate::{skin, tessellate};

impl Checked<'_> {
    /// Tessellates and skins every mesh of the document, and of each part that it places, once.
    ///
    /// # Errors
    /// Located findings: U11, U16, U17, and what weight files and vertex numbers can get wrong (V16, V18–V22).
    pub fn build(self) -> Result<Warned<Compiled>, Vec<Diagnostic>> {
        let Self {
            files,
            root,
            parts,
            places,
        } = self;
        let (parts, placed) = used(&root, parts);
        fits(&root, &parts, &placed)?;
        let loader = files.loader();
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        let own = scene(&root, loader);
        let scene_of_root = keep(own, &mut errors, &mut warnings, |found| found);
        let scenes_of_parts = parts.iter().map(|part| {
            let found = scene(&part.valid, loader);
            let imported = |found| part.imported(&root, found);
            keep(found, &mut errors, &mut warnings, imported)
        });
        let mut assembly = Assembly {
            parts: scenes_of_parts.collect(),
            root: scene_of_root,
            instances: Vec::new(),
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        assembly.instances = instances(&root, &assembly.root, &placed, places);
        let value = Compiled {
            root,
            parts,
            assembly,
        };
        Ok(Warned { value, warnings })
    }
}

/// The parts that instances place, in the order of first use, and for each instance the number of its part.
fn used(root: &Valid, parts: Vec<Part>) -> (Vec<Part>, Vec<Option<usize>>) {
    let mut all: HashMap<String, Part> = HashMap::new();
    for part in parts {
        all.insert(part.import.namespace.value.clone(), part);
    }
    let mut used: Vec<Part> = Vec::new();
    let mut number_of: HashMap<&str, usize> = HashMap::new();
    let instances = root.document.instances.iter();
    let placed = instances.map(|instance| {
        let Instanced::Import(namespace) = &instance.of else {
            return None;
        };
        if let Some(part) = all.remove(&namespace.value) {
            number_of.insert(&namespace.value, used.len());
            used.push(part);
        }
        number_of.get(&*namespace.value).copied()
    });
    let placed = placed.collect();
    (used, placed)
}

fn instances(
    root: &Valid,
    scene: &Scene,
    placed: &[Option<usize>],
    places: Vec<crate::math::Affine>,
) -> Vec<scene::Instance> {
    let meshes = scene.meshes.iter().enumerate();
    let mesh_of: HashMap<usize, usize> =
        meshes.map(|(at, mesh)| (mesh.document_index, at)).collect();
    let indices = root.document.meshes.iter().enumerate();
    let index_of: HashMap<&str, usize> = indices.map(|(at, mesh)| (&*mesh.id.value, at)).collect();
    let instances = root.document.instances.iter().zip(placed).zip(places);
    instances
        .map(|((instance, part), matrix)| scene::Instance {
            name: instance.id.value.clone(),
            matrix,
            of: match (part, &instance.of) {
                (Some(part), _) => Placed::Part(*part),
                (None, Instanced::Mesh(id) | Instanced::Import(id)) => {
                    let index = index_of.get(&*id.value);
                    Placed::Mesh(index.and_then(|index| mesh_of.get(index)).copied())
                }
            },
        })
        .collect()
}

/// Everything that can be refused before memory is taken.
fn fits(root: &Valid, parts: &[Part], placed: &[Option<usize>]) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut bytes = bytes_of(root).unwrap_or_else(|error| {
        errors.extend(root.file.locate(vec![error]));
        0
    });
    let bytes_of_parts: Vec<u64> = parts
        .iter()
        .map(|part| {
            bytes_of(&part.valid).unwrap_or_else(|error| {
                let located = part.valid.file.locate(vec![error]);
                errors.extend(part.imported(root, located));
                0
            })
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    bytes += placed
        .iter()
        .flatten()
        .map(|part| bytes_of_parts[*part])
        .sum::<u64>();
    match u32::try_from(bytes) {
        Ok(_) => Ok(()),
        Err(_) => {
            let error = glb_error(root, &GlbError::TooLarge { bytes });
            Err(root.file.locate(vec![error]))
        }
    }
}

/// Bytes that the meshes of one document take in an ordinary export.
fn bytes_of(valid: &Valid) -> Result<u64, Diagnostic> {
    let profile = &valid.document.tessellation_profile;
    if profile.value != tessellate::PROFILE {
        let message = format!("there is no tessellation profile `{}`", profile.value);
        let help = format!("the only one is `{}`", tessellate::PROFILE);
        return Err(Diagnostic::new(Code::U11, profile.span, message).help(help));
    }
    let mut bytes = 0;
    for (mesh, bound) in bound_meshes(valid) {
        let (vertices, indices) = tessellate::mesh_counts(mesh);
        let bound = bound.filter(|_| vertices > 0);
        let joints = bound.map(|(_, armature)| armature.bones.len());
        bytes += glb::export_len(vertices, indices, joints);
        if let (Some((binding, _)), Some(joints)) = (bound, joints)
            && joints > skin::MAX_JOINTS
        {
            let message = format!(
                "armature `{}` has {joints} bones; a skin has at most {}",
                binding.armature_id.value,
                skin::MAX_JOINTS
            );
            return Err(Diagnostic::new(
                Code::U16,
                binding.armature_id.span,
                message,
            ));
        }
    }
    Ok(bytes)
}

/// Every mesh, with its binding and armature if it is bound.
fn bound_meshes(valid: &Valid) -> impl Iterator<Item = (&Mesh, Option<(&Binding, &Armature)>)> {
    let document = &**valid.document;
    let bindings = document.bindings.iter().map(|b| (&*b.mesh_id.value, b));
    let bindings: HashMap<&str, &Binding> = bindings.collect();
    let armatures = document.armatures.iter().map(|a| (&*a.id.value, a));
    let armatures: HashMap<&str, &Armature> = armatures.collect();
    document.meshes.iter().map(move |mesh| {
        let binding = bindings.get(&*mesh.id.value).copied();
        let bound = binding.and_then(|b| Some((b, *armatures.get(&*b.armature_id.value)?)));
        (mesh, bound)
    })
}

/// A scene with what was found while it was made, errors and warnings.
type Found = (Scene, Vec<Diagnostic>, Vec<Diagnostic>);

/// Hands the findings on and keeps the scene.
fn keep(
    (scene, found_errors, found_warnings): Found,
    errors: &mut Vec<Diagnostic>,
    warnings: &mut Vec<Diagnostic>,
    imported: impl Fn(Vec<Diagnostic>) -> Vec<Diagnostic>,
) -> Scene {
    errors.extend(imported(found_errors));
    warnings.extend(imported(found_warnings));
    scene
}

/// Tessellates and skins the meshes of one document.
fn scene(valid: &Valid, loader: &dyn Loader) -> Found {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut scene = Scene::default();
    let mut materials = Materials::default();
    for (document_index, (mesh, bound)) in bound_meshes(valid).enumerate() {
        let material = materials.of(mesh);
        if mesh.primitives.is_empty() {
            continue;
        }
        let geometry = tessellate::tessellate(mesh);
        let skin = bound.and_then(|(binding, armature)| {
            let bound = skin::Bound {
                document: &valid.file.location,
                mesh,
                geometry: &geometry,
                armature,
                binding,
                solver: valid.document.solver_of(binding),
            };
            skin::skin(&bound, loader, &mut errors, &mut warnings)
        });
        scene.meshes.push(scene::Mesh {
            document_index,
            name: mesh.output_name().to_owned(),
            geometry,
            material,
            skin,
        });
    }
    scene.materials = materials.names;
    let file = &valid.file;
    (scene, file.locate(errors), file.locate(warnings))
}

/// A failure of `glb` with its code and the mesh it is about, which is one of this document's.
pub(super) fn glb_error(valid: &Valid, error: &GlbError) -> Diagnostic {
    match error {
        GlbError::Overflow { mesh, .. } => {
            let id = &valid.document.meshes[*mesh].id;
            Diagnostic::new(Code::U15, id.span, error.to_string())
                .help("coordinates must stay below about 3.4e38")
        }
        GlbError::TooLarge { .. } => {
            let mut finding = Diagnostic::new(Code::U17, Span::default(), error.to_string());
            finding.span = None;
            finding
        }
    }
}

/// Names of symbolic materials in order of first use.
#[derive(Default)]
struct Materials {
    names: Vec<String>,
    index_of: HashMap<String, usize>,
}

impl Materials {
    /// Registers the names of a mesh; the mesh itself has that of its first primitive.
    fn of(&mut self, mesh: &Mesh) -> Option<usize> {
        let indices: Vec<Option<usize>> = mesh
            .primitives
            .iter()
            .map(|primitive| {
                let name = primitive
                    .material
                    .as_ref()
                    .filter(|name| !name.is_empty())?;
                Some(*self.index_of.entry(name.clone()).or_insert_with(|| {
                    self.names.push(name.clone());
                    self.names.len() - 1
                }))
            })
            .collect();
        indices.first().copied().flatten()
    }
}
