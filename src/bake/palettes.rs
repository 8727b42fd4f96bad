//! One palette for each skin that is used.

use super::uses::Uses;
use crate::diag::{Code, Diagnostic};
use crate::gltf::{
    DualForm, File, JointError, JointFault, JointScale, Problem, Skeleton, dual_form,
    joint_matrices,
};
use crate::kernel::FramePalette;
use crate::model::Solver;

/// How vertices follow their joints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skinning {
    /// Linear blending or dual quaternions.
    pub solver: Solver,
    /// What becomes of joint scale under dual quaternions.
    pub scale: JointScale,
}

/// The palettes of all skins that some mesh of the output is moved by; `None` for others.
///
/// # Errors
/// Every joint that cannot be used, in the order of skins and joints.
pub(super) fn palettes(
    file: &File<'_>,
    uses: &Uses,
    skeleton: &Skeleton<'_>,
    skinning: &Skinning,
    name: &str,
) -> Result<Vec<Option<FramePalette>>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut palettes = Vec::with_capacity(file.skins.len());
    for (index, skin) in file.skins.iter().enumerate() {
        if !uses.meshes.iter().any(|mesh| mesh.skin == Some(index)) {
            palettes.push(None);
            continue;
        }
        let palette = match skinning.solver {
            Solver::Lbs => joint_matrices(skeleton, skin).map(FramePalette::linear),
            Solver::Dqs => dual_form(skeleton, skin, &skinning.scale).map(|form| match form {
                DualForm::Rigid(rigid) => FramePalette::rigid(rigid),
                DualForm::Scaled { first, rigid } => FramePalette::scaled(first, rigid),
            }),
        };
        match palette {
            Ok(palette) => palettes.push(Some(palette)),
            Err(joints) => {
                errors.extend(joints.into_iter().map(|joint| finding(index, joint, name)))
            }
        }
    }
    if errors.is_empty() {
        Ok(palettes)
    } else {
        Err(errors)
    }
}

fn finding(skin: usize, error: JointError, name: &str) -> Diagnostic {
    let problem = Problem::rule(&format!("skins[{skin}]"), error.to_string());
    let problem = match error.fault {
        JointFault::NotFinite => problem.code(Code::V32),
        JointFault::Scaled(_) => problem
            .code(Code::V35)
            .help("bake with `--scale global` or `--scale local`, or with `--solver lbs`"),
        JointFault::NoRotation(_) => {
            problem.help("bake with `--solver lbs`, which needs no rotation")
        }
    };
    problem.into_diagnostic(name)
}
