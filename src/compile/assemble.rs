//! From a checked document to a scene: tessellate and skin every mesh, within what a GLB can hold.

use std::collections::HashMap;

use super::Checked;
use crate::diag::{Code, Diagnostic};
use crate::glb::{self, GlbError};
use crate::loader::Loader;
use crate::model::{Armature, Binding, Mesh};
use crate::scene::{self, Scene};
use crate::{skin, tessellate};

impl Checked<'_> {
    /// Everything that can be refused before memory is taken.
    pub(super) fn fits(&self) -> Result<(), Vec<Diagnostic>> {
        let document = &self.document;
        let profile = &document.tessellation_profile;
        if profile.value != tessellate::PROFILE {
            let message = format!("there is no tessellation profile `{}`", profile.value);
            let help = format!("the only one is `{}`", tessellate::PROFILE);
            return Err(vec![
                Diagnostic::new(Code::U11, profile.span, message).help(help),
            ]);
        }
        let mut bytes = 0;
        for (mesh, binding, armature) in self.bound_meshes() {
            let (vertices, indices) = tessellate::mesh_counts(mesh);
            let joints = armature.map(|armature| armature.bones.len());
            bytes += glb::export_len(vertices, indices, joints.filter(|_| vertices > 0));
            if let (Some(binding), Some(joints)) = (binding, joints)
                && vertices > 0
                && joints > skin::MAX_JOINTS
            {
                let message = format!(
                    "armature `{}` has {joints} bones; a skin has at most {}",
                    binding.armature_id.value,
                    skin::MAX_JOINTS
                );
                return Err(vec![Diagnostic::new(
                    Code::U16,
                    binding.armature_id.span,
                    message,
                )]);
            }
        }
        match u32::try_from(bytes) {
            Ok(_) => Ok(()),
            Err(_) => Err(vec![self.glb_error(&GlbError::TooLarge { bytes })]),
        }
    }

    /// Every mesh with its binding and armature, if it is bound.
    fn bound_meshes(&self) -> impl Iterator<Item = (&Mesh, Option<&Binding>, Option<&Armature>)> {
        let document = &*self.document;
        let bindings: HashMap<&str, &Binding> = document
            .bindings
            .iter()
            .map(|b| (&*b.mesh_id.value, b))
            .collect();
        let armatures: HashMap<&str, &Armature> = document
            .armatures
            .iter()
            .map(|a| (&*a.id.value, a))
            .collect();
        document.meshes.iter().map(move |mesh| {
            let binding = bindings.get(&*mesh.id.value).copied();
            let armature = binding.and_then(|b| armatures.get(&*b.armature_id.value).copied());
            (mesh, binding, armature)
        })
    }

    pub(super) fn scene(
        &self,
        loader: &dyn Loader,
        errors: &mut Vec<Diagnostic>,
        warnings: &mut Vec<Diagnostic>,
    ) -> Scene {
        let mut scene = Scene::default();
        let mut materials = Materials::default();
        for (document_index, (mesh, binding, armature)) in self.bound_meshes().enumerate() {
            let material = materials.of(mesh);
            if mesh.primitives.is_empty() {
                continue;
            }
            let geometry = tessellate::tessellate(mesh);
            let skin = binding.zip(armature).and_then(|(binding, armature)| {
                let bound = skin::Bound {
                    document: &self.location,
                    mesh,
                    geometry: &geometry,
                    armature,
                    binding,
                    solver: self.document.solver_of(binding),
                };
                skin::skin(&bound, loader, errors, warnings)
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
        scene
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
