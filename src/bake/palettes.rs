//! One palette for each skin that is used.

use std::collections::HashSet;

use super::uses::Uses;
use crate::bake::gltf::{
    DualForm, File, JointError, JointFault, JointScale, Problem, Skeleton, dual_form,
    joint_matrices, roots_that_keep_scale,
};
use crate::base::diag::{Code, Diagnostic, Warned};
use crate::kernel::FramePalette;
use crate::language::model::Solver;

/// The solver by which vertices follow their joints.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

/// The palettes of all skins that some mesh of the output is moved by; `None` for others. Root joints that keep their
/// scale are a warning (W09).
///
/// # Errors
/// Skins that stand below too many nodes together, where dual quaternions need all of these; every joint that cannot be used, in the order of skins and joints.
pub(super) fn palettes(
    file: &File<'_>,
    uses: &Uses,
    skeleton: &Skeleton<'_>,
    skinning: &Skinning,
    name: &str,
) -> Result<Warned<Vec<Option<FramePalette>>>, Vec<Diagnostic>> {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut palettes = Vec::with_capacity(file.skins.len());
    let used: HashSet<usize> = uses.meshes.iter().filter_map(|mesh| mesh.skin).collect();
    if skinning.solver == Solver::Dqs {
        bounded(file, &used).map_err(|problem| vec![problem.into_diagnostic(name)])?;
    }
    for (index, skin) in file.skins.iter().enumerate() {
        if !used.contains(&index) {
            palettes.push(None);
            continue;
        }
        let is_dual = skinning.solver == Solver::Dqs;
        let keeping = is_dual.then(|| roots_that_keep_scale(skeleton, skin, &skinning.scale));
        for root in keeping.into_iter().flatten() {
            warnings.push(warning(index, root, name));
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
        let value = palettes;
        Ok(Warned { value, warnings })
    } else {
        Err(errors)
    }
}

/// Most nodes above the joints of all skins together, each counted for every skin.
const MOST_ABOVE: usize = 1 << 24;

/// Refuses a file in which many skins hang on long chains of nodes: each skin looks at all nodes above its joints.
fn bounded(file: &File<'_>, used: &HashSet<usize>) -> Result<(), Problem> {
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

fn warning(skin: usize, (joint, [x, y, z]): (String, [f64; 3]), name: &str) -> Diagnostic {
    let message = format!(
        "{joint} keeps its scale of {x:.6} × {y:.6} × {z:.6}; what hangs on it does not get it"
    );
    let problem = Problem::rule(&format!("skins[{skin}]"), message).code(Code::W09);
    let help = "if it is meant for all, name the joints that keep theirs with `--scale-local`";
    problem.help(help).into_diagnostic(name)
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
