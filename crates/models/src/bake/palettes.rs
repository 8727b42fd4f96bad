//! The palettes of a file: one for each skin that a mesh of the output uses.

use std::collections::HashSet;

use super::meshes::BakedMeshes;
use rigy_gltf::{
    DualForm, File, JointError, JointFault, JointScale, Problem, Skeleton, dual_form,
    joint_matrices, roots_that_keep_scale,
};
use rigy_kernel::FramePalette;
use rigy_kernel::math::Affine;
use rigy_language::base::diag::{Code, Diagnostic, Warned};
use rigy_language::model::Solver;

/// The skinning method: the solver by which joints move vertices, and its treatment of joint scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skinning {
    /// Linear blending or dual quaternions.
    pub solver: Solver,
    /// The treatment of joint scale under dual quaternions; linear blending needs none.
    pub scale: JointScale,
}

impl Skinning {
    /// Linear blend skinning, which follows joint matrices exactly, scale and shear included.
    pub fn linear() -> Self {
        Self {
            solver: Solver::Lbs,
            scale: JointScale::Global,
        }
    }

    /// Dual quaternion skinning, with a treatment of joint scale.
    pub fn dual_quaternions(scale: JointScale) -> Self {
        Self {
            solver: Solver::Dqs,
            scale,
        }
    }
}

/// Returns for each skin of the file its palette, or `None` if no mesh of the output uses it. Root joints that keep
/// their scale are a warning (W09).
///
/// # Errors
/// Every joint that cannot be used, in the order of skins and joints. For dual quaternions also if the joints of all
/// skins together have too many nodes above them.
pub(super) fn palettes(
    file: &File<'_>,
    meshes: &BakedMeshes,
    skeleton: &Skeleton<'_>,
    skinning: &Skinning,
    name: &str,
) -> Result<Warned<Vec<Option<FramePalette>>>, Vec<Diagnostic>> {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut palettes = Vec::with_capacity(file.skins.len());
    let used: HashSet<usize> = meshes.list.iter().filter_map(|mesh| mesh.skin).collect();
    if skinning.solver == Solver::Dqs {
        check_ancestors(file, &used).map_err(|problem| vec![problem.into_diagnostic(name)])?;
    }
    for (index, skin) in file.skins.iter().enumerate() {
        if !used.contains(&index) {
            palettes.push(None);
            continue;
        }
        let is_dual = skinning.solver == Solver::Dqs;
        let keeping = is_dual.then(|| roots_that_keep_scale(skeleton, skin, &skinning.scale));
        for root in keeping.into_iter().flatten() {
            warnings.push(scale_warning(index, root, name));
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
            Err(joints) => errors.extend(
                joints
                    .into_iter()
                    .map(|joint| joint_diagnostic(index, joint, name)),
            ),
        }
    }
    if errors.is_empty() {
        let value = palettes;
        Ok(Warned { value, warnings })
    } else {
        Err(errors)
    }
}

/// The transforms of the joints of a skin.
#[derive(Clone, Debug)]
pub struct PosedSkin {
    /// Joint matrices, as linear blending uses them.
    pub matrices: Vec<Affine>,
    /// Dual quaternions and what precedes them; `None` if a joint's matrix has none.
    pub dual: Option<DualForm>,
}

/// Returns for each skin of the file the transforms of its joints, or `None` if no mesh of the output uses it. Joints without a
/// dual quaternion, and root joints that keep their scale (W09), are warnings.
///
/// # Errors
/// Every joint whose matrix is not finite. Joints of all skins that together have too many nodes above them.
pub(super) fn posed_skins(
    file: &File<'_>,
    meshes: &BakedMeshes,
    skeleton: &Skeleton<'_>,
    scale: &JointScale,
    name: &str,
) -> Result<Warned<Vec<Option<PosedSkin>>>, Vec<Diagnostic>> {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut skins = Vec::with_capacity(file.skins.len());
    let used: HashSet<usize> = meshes.list.iter().filter_map(|mesh| mesh.skin).collect();
    check_ancestors(file, &used).map_err(|problem| vec![problem.into_diagnostic(name)])?;
    for (index, skin) in file.skins.iter().enumerate() {
        if !used.contains(&index) {
            skins.push(None);
            continue;
        }
        let about = |joint| joint_diagnostic(index, joint, name);
        match joint_matrices(skeleton, skin) {
            Err(joints) => errors.extend(joints.into_iter().map(about)),
            Ok(matrices) => {
                let roots = roots_that_keep_scale(skeleton, skin, scale).into_iter();
                warnings.extend(roots.map(|root| scale_warning(index, root, name)));
                let dual = dual_form(skeleton, skin, scale);
                let dual = dual.map_err(|joints| warnings.extend(joints.into_iter().map(about)));
                let dual = dual.ok();
                skins.push(Some(PosedSkin { matrices, dual }));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(Warned {
            value: skins,
            warnings,
        }),
        false => Err(errors),
    }
}

/// Most joints and nodes above them in all skins together; a node counts once for each skin.
const MOST_ABOVE: usize = 1 << 24;

/// Refuses a file with many skins below long chains of nodes: the palette of a skin takes time for each node above its
/// joints.
fn check_ancestors(file: &File<'_>, used: &HashSet<usize>) -> Result<(), Problem> {
    let mut seen_by = vec![usize::MAX; file.nodes.len()];
    let mut count = 0;
    for &index in used {
        for &joint in &file.skins[index].joints {
            let mut next = Some(joint);
            while let Some(node) = next.filter(|node| seen_by[*node] != index) {
                seen_by[node] = index;
                count += 1;
                next = file.nodes[node].parent;
            }
        }
        if count > MOST_ABOVE {
            let message =
                format!("the joints of all skins have more than {MOST_ABOVE} nodes above them");
            let help = "bake with `--solver lbs`, or without nodes between the root and the joints";
            return Err(Problem::rule(&"skins", message).help(help));
        }
    }
    Ok(())
}

/// Returns the warning that a root joint keeps its scale, given the joint's name and its principal stretches.
fn scale_warning(skin: usize, (joint, [x, y, z]): (String, [f64; 3]), name: &str) -> Diagnostic {
    let message = format!(
        "{joint} keeps its scale of {x:.6} × {y:.6} × {z:.6}; what hangs on it does not get it"
    );
    let problem = Problem::rule(&format!("skins[{skin}]"), message).code(Code::W09);
    let help = "if it is meant for all, name the joints that keep theirs with `--scale-local`";
    problem.help(help).into_diagnostic(name)
}

/// Returns the error that a joint cannot be used.
fn joint_diagnostic(skin: usize, error: JointError, name: &str) -> Diagnostic {
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
