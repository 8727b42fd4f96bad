//! Posing a compiled document: every bound mesh by its own solver.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::compiled::Compiled;
use super::findings::located;
use crate::geometry::{pose, scene};
use crate::glb::{self, Glb, Posed, Positions};
use rigy_base::diag::{Category, Code, Diagnosed, Diagnostic};
use rigy_kernel::executor::Executor;
use rigy_kernel::math::Affine;
use rigy_kernel::simd::Isa;
use rigy_kernel::{Job, JointPose, Palette};
use rigy_language::model::{Pose, Solver};

/// A compiled document in one pose.
pub struct PosedScene<'a> {
    compiled: &'a Compiled,
    posed: Vec<Option<Posed>>,
    /// `None` for a pose by matrices.
    pose_id: Option<&'a str>,
}

impl Compiled {
    /// Poses every bound mesh with its own solver. Returns `None` if there is no such pose.
    pub fn pose(&self, pose_id: &str, isa: Isa, executor: &dyn Executor) -> Option<PosedScene<'_>> {
        self.posed_with(pose_id, |skin| skin.solver, isa, executor)
    }

    /// Poses every bound mesh with `solver` in the place of its own, for comparison. Returns `None` if there is no such
    /// pose.
    pub fn pose_by(
        &self,
        pose_id: &str,
        solver: Solver,
        isa: Isa,
        executor: &dyn Executor,
    ) -> Option<PosedScene<'_>> {
        self.posed_with(pose_id, |_| solver, isa, executor)
    }

    fn posed_with(
        &self,
        pose_id: &str,
        solver: impl Fn(&scene::Skin) -> Solver,
        isa: Isa,
        executor: &dyn Executor,
    ) -> Option<PosedScene<'_>> {
        let pose = self.pose_of_id(pose_id)?;
        let posed = self.assembly.root.meshes.iter().map(|mesh| {
            let skin = mesh.skin.as_ref()?;
            let joints = pose::joint_poses(pose, skin);
            let palette = pose::palette_by(solver(skin), &joints, skin);
            Some(evaluated(mesh, skin, &palette, isa, executor))
        });
        Some(PosedScene {
            compiled: self,
            posed: posed.collect(),
            pose_id: Some(&pose.id.value),
        })
    }

    /// Returns for each mesh of the document itself, in the order of the scene, the poses of its joints; `None` for a mesh without a
    /// skin. Without a pose id, the joints stand as at rest. Returns `None` if there is no such pose.
    pub fn joint_poses(&self, pose_id: Option<&str>) -> Option<Vec<Option<Vec<JointPose>>>> {
        let pose = pose_id
            .map(|id| self.pose_of_id(id).ok_or(()))
            .transpose()
            .ok()?;
        let of_skin = |skin: &scene::Skin| match pose {
            Some(pose) => pose::joint_poses(pose, skin),
            None => skin
                .joints
                .iter()
                .map(|joint| JointPose {
                    translation: joint.head,
                    ..JointPose::IDENTITY
                })
                .collect(),
        };
        Some(
            self.assembly
                .root
                .meshes
                .iter()
                .map(|mesh| mesh.skin.as_ref().map(of_skin))
                .collect(),
        )
    }

    /// The pose of this id.
    fn pose_of_id(&self, pose_id: &str) -> Option<&Pose> {
        let poses = &self.root.document.poses;
        let found = self
            .poses_by_id
            .binary_search_by_key(&pose_id, |index| &*poses[*index].id.value);
        Some(&poses[self.poses_by_id[found.ok()?]])
    }

    /// Poses every bound mesh with its own solver. `matrices` has the transforms of joints by bone id: in model space, row by
    /// row, with the meaning of the rotation and translation in a pose of the document. A missing bone has the identity.
    ///
    /// Linear blend skinning accepts any affine matrix with finite numbers, also with scale, shear and reflection. Dual
    /// quaternion skinning accepts only rotation and translation, because a dual quaternion expresses nothing else
    /// (amendment 0.5, section 4).
    ///
    /// # Errors
    /// ValidationErrors about the document as a whole, in the order of codes and bone ids: V32 for numbers that are not
    /// finite, V35 for a matrix with scale, shear or reflection on a joint of a mesh with dual quaternion skinning, U02
    /// for a bone that no armature has.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use rigy_kernel::executor::Sequential;
    /// use rigy_models::compile::{Files, Input, check};
    /// use rigy_base::diag::Code;
    /// use rigy_base::loader::MemoryLoader;
    /// use rigy_kernel::simd::Isa;
    ///
    /// let text = r#"
    /// version: "0.5"
    /// skinning_solver: dqs
    /// meshes: [{id: bar, primitives: [{type: box, id: b, dimensions: {y: 2}}]}]
    /// armatures: [{id: rig, bones: [{id: root, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]
    /// bindings: [{mesh_id: bar, armature_id: rig, weights: []}]
    /// "#;
    /// let files = Files::new(MemoryLoader::default());
    /// let checked = check(Input::new("bar.rigy.yaml", text), &files).expect("a valid document").value;
    /// let compiled = checked.build().expect("it can be built").value;
    ///
    /// let quarter_turn = [[0.0, -1.0, 0.0, 3.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    /// let posed = compiled.pose_with(&HashMap::from([("root", quarter_turn)]), Isa::best(), &Sequential);
    /// assert!(posed.is_ok());
    ///
    /// let stretched = [[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    /// let refused = compiled.pose_with(&HashMap::from([("root", stretched)]), Isa::best(), &Sequential);
    /// assert_eq!(refused.err().unwrap()[0].code, Some(Code::V35));
    /// ```
    pub fn pose_with(
        &self,
        matrices: &HashMap<&str, Affine>,
        isa: Isa,
        executor: &dyn Executor,
    ) -> Diagnosed<PosedScene<'_>> {
        let mut faults = self.unusable(matrices);
        let mut posed = Vec::with_capacity(self.assembly.root.meshes.len());
        for mesh in &self.assembly.root.meshes {
            let palette = mesh
                .skin
                .as_ref()
                .map(|skin| (skin, pose::palette_of(matrices, skin)));
            posed.push(match palette {
                None => None,
                Some((_, Err(joints))) => {
                    faults.extend(
                        joints
                            .into_iter()
                            .map(|joint| (Code::V35, joint.to_owned())),
                    );
                    None
                }
                Some(_) if !faults.is_empty() => None,
                Some((skin, Ok(palette))) => Some(evaluated(mesh, skin, &palette, isa, executor)),
            });
        }
        if faults.is_empty() {
            return Ok(PosedScene {
                compiled: self,
                posed,
                pose_id: None,
            });
        }
        let faults: BTreeSet<(Code, String)> = faults.into_iter().collect();
        let name = &self.root.file.name;
        Err(faults
            .into_iter()
            .map(|(code, bone)| {
                let message = match code {
                    Code::V35 => format!(
                        "the matrix of bone `{bone}` is not rigid, as dual quaternions need it"
                    ),
                    Code::V32 => format!("the matrix of bone `{bone}` is not finite"),
                    _ => format!("no armature has a bone `{bone}`"),
                };
                Diagnostic::whole(code, message).about_file(name)
            })
            .collect())
    }

    /// The faults of the matrices with their bones: V32 if a number is not finite, U02 if there is no such bone.
    fn unusable(&self, matrices: &HashMap<&str, Affine>) -> Vec<(Code, String)> {
        let known: HashSet<&str> = self
            .root
            .document
            .bones()
            .map(|bone| &*bone.id.value)
            .collect();
        matrices
            .iter()
            .filter_map(|(bone, matrix)| {
                let code = if !matrix.iter().flatten().all(|number| number.is_finite()) {
                    Code::V32
                } else if !known.contains(bone) {
                    Code::U02
                } else {
                    return None;
                };
                Some((code, (*bone).to_owned()))
            })
            .collect()
    }
}

impl PosedScene<'_> {
    /// Returns the baked output: posed vertices without skins, and without instances unless the style asks for them.
    ///
    /// # Errors
    /// U15 for each mesh with a number beyond f32; U17.
    pub fn bake(&self) -> Diagnosed<Glb<'_>> {
        let Compiled {
            assembly, style, ..
        } = self.compiled;
        glb::bake(assembly, &self.posed, *style)
            .map_err(|errors| self.compiled.glb_errors(&errors, self.pose_id))
    }

    /// Returns the vertices of every mesh of the document itself, in the order of its scene, with the bits that the baked output
    /// has. Meshes without a skin are at rest.
    ///
    /// # Errors
    /// The errors of [`PosedScene::bake`].
    pub fn into_vertices(self) -> Diagnosed<Vec<Posed>> {
        self.bake()?;
        Ok(self
            .compiled
            .assembly
            .root
            .meshes
            .iter()
            .zip(self.posed)
            .map(|(mesh, posed)| posed.unwrap_or_else(|| Posed::at_rest(&mesh.geometry)))
            .collect())
    }

    /// Returns the posed vertices of every mesh as canonical JSON, the amendment's secondary format.
    ///
    /// # Errors
    /// The errors of [`PosedScene::bake`]; an ExportError without a code if two meshes have one name.
    pub fn positions(&self) -> Diagnosed<Positions<'_>> {
        self.bake()?;
        Positions::new(&self.compiled.assembly.root, &self.posed).map_err(|error| {
            let root = &self.compiled.root;
            let message = error.to_string();
            let mut finding = Diagnostic::without_code(Category::ExportError, message);
            finding.span = Some(root.document.meshes[error.mesh].id.span);
            let finding = finding.help("give one of them another `name`");
            located(&root.file, finding, &[])
        })
    }
}

/// The posed vertices of a mesh.
fn evaluated(
    mesh: &scene::Mesh,
    skin: &scene::Skin,
    palette: &Palette,
    isa: Isa,
    executor: &dyn Executor,
) -> Posed {
    let job = Job {
        palette,
        influences: &skin.influences,
        rest: &skin.rest,
    };
    let mut posed = Posed::new(mesh.geometry.positions.len());
    let Posed { positions, normals } = &mut posed;
    rigy_kernel::evaluate_all(isa, &job, executor, positions, normals);
    posed
}
