//! Posing a compiled document: every bound mesh by its own solver.

use super::compiled::Compiled;
use super::findings::located;
use crate::geometry::{pose, scene};
use crate::glb::{self, Glb, Posed, Positions};
use rigy_base::diag::{Category, Diagnosed, Diagnostic};
use rigy_kernel::executor::Executor;
use rigy_kernel::simd::Isa;
use rigy_kernel::{Job, JointPose, Palette};
use rigy_language::model::{Pose, Solver};

/// A compiled document in one pose.
pub struct PosedScene<'a> {
    compiled: &'a Compiled,
    posed: Vec<Option<Posed>>,
    pose_id: &'a str,
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
            pose_id: &pose.id.value,
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
            .map_err(|errors| self.compiled.glb_errors(&errors, Some(self.pose_id)))
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
