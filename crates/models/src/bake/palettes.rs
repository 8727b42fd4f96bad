//! The palettes of a file: one for each skin that a mesh of the output uses.

use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned, check_none};
use rigy_base::maps::HashSet;
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_gltf::{
    AboutFile, DualForm, File, JointError, JointFault, JointScale, Problem, Skeleton, Skin,
    dual_form_of, joint_matrices, roots_that_keep_scale,
};
use rigy_kernel::FramePalette;
use rigy_language::model::Solver;

/// The skinning method: the solver by which joints move vertices, and its treatment of joint scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skinning {
    /// Linear blending or dual quaternions.
    pub solver: Solver,
    /// The treatment of joint scale under dual quaternions; linear blending needs none.
    pub scale: JointScale,
    /// True if joint scale moves vertices before dual quaternions do, and not in place (`bake.md` §5).
    pub two_stage: bool,
}

impl Skinning {
    /// Linear blend skinning, which follows joint matrices exactly, scale and shear included.
    pub fn linear() -> Self {
        Self {
            solver: Solver::Lbs,
            scale: JointScale::Global,
            two_stage: false,
        }
    }

    /// Dual quaternion skinning, with a treatment of joint scale.
    pub fn dual_quaternions(scale: JointScale) -> Self {
        Self {
            solver: Solver::Dqs,
            scale,
            two_stage: false,
        }
    }
}

/// The palette of each skin in `used`. Root joints that keep their scale are a warning (W09). For
/// dual quaternions, the joints of all skins together may not have too many nodes above them.
pub fn palettes(
    file: &File,
    used: &HashSet<usize>,
    skeleton: &Skeleton,
    skinning: &Skinning,
    meter: &mut Meter,
) -> OfSkins<FramePalette> {
    let (is_dual, scale) = (skinning.solver == Solver::Dqs, &skinning.scale);
    of_skins(file, used, is_dual, meter, |index, skin| {
        if !is_dual {
            let palette = FramePalette::linear(joint_matrices(skeleton, skin)?);
            return Ok((palette, Vec::new()));
        }
        let palette = match dual_form_of(file, skeleton, index, scale)? {
            DualForm::Rigid(rigid) => FramePalette::rigid(rigid),
            DualForm::Scaled { first, rigid } if skinning.two_stage => {
                FramePalette::two_stage(&first, &rigid)
            }
            DualForm::Scaled { first, rigid } => FramePalette::scaled(&first, &rigid),
        };
        let roots = roots_that_keep_scale(skeleton, skin, scale);
        Ok((palette, scale_warnings(index, roots, &file.name)))
    })
}

pub use rigy_helpers::Moment as PosedSkin;

/// The transforms of the joints of each skin in `used`. Joints without a dual quaternion, and root
/// joints that keep their scale (W09), are warnings.
pub fn posed_skins(
    file: &File,
    used: &HashSet<usize>,
    skeleton: &Skeleton,
    scale: &JointScale,
    meter: &mut Meter,
) -> OfSkins<PosedSkin> {
    let name = &*file.name;
    of_skins(file, used, true, meter, |index, skin| {
        let matrices = joint_matrices(skeleton, skin)?;
        let mut warnings =
            scale_warnings(index, roots_that_keep_scale(skeleton, skin, scale), name);
        Ok((
            PosedSkin {
                matrices,
                dual: dual_form_of(file, skeleton, index, scale)
                    .map_err(|joints| warnings.extend(joint_diagnostics(index, joints, name)))
                    .ok(),
            },
            warnings,
        ))
    })
}

/// Something for each skin of a file, `None` for those that are not used; or the errors of all skins.
type OfSkins<T> = Diagnosed<Warned<Vec<Option<T>>>>;

/// What `of_skin` makes of each skin that is used, in their order, with its warnings.
fn of_skins<T>(
    file: &File,
    used: &HashSet<usize>,
    needs_few_ancestors: bool,
    meter: &mut Meter,
    mut of_skin: impl FnMut(usize, &Skin) -> Result<(T, Vec<Diagnostic>), Vec<JointError>>,
) -> OfSkins<T> {
    let name = &*file.name;
    spend(file, used, needs_few_ancestors, meter).about_file(name)?;
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut value = Vec::with_capacity(file.skins.len());
    for (index, skin) in file.skins.iter().enumerate() {
        let made = used.contains(&index).then(|| of_skin(index, skin));
        match made.transpose() {
            Ok(made) => value.push(made.map(|(of_skin, more)| {
                warnings.extend(more);
                of_skin
            })),
            Err(joints) => errors.extend(joint_diagnostics(index, joints, name)),
        }
    }
    check_none(errors)?;
    Ok(Warned { value, warnings })
}

/// Counts the joints of skins, and the nodes above them once for each skin.
fn spend(
    file: &File,
    used: &HashSet<usize>,
    are_ancestors_posed: bool,
    meter: &mut Meter,
) -> Result<(), Overspent> {
    let mut seen_by = vec![usize::MAX; file.nodes.len()];
    for index in (0..file.skins.len()).filter(|index| used.contains(index)) {
        let joints = &file.skins[index].joints;
        meter.spend(Cost::Posed, joints.len() as u64)?;
        let mut count = 0;
        for &joint in joints.iter().filter(|_| are_ancestors_posed) {
            let mut next = Some(joint);
            while let Some(node) = next.filter(|node| seen_by[*node] != index) {
                seen_by[node] = index;
                count += 1;
                next = file.nodes[node].parent;
            }
        }
        meter.spend(Cost::Ancestors, count)?;
    }
    Ok(())
}

/// The warnings that root joints keep their scale, given the joints' names and their principal stretches.
fn scale_warnings(skin: usize, roots: Vec<(String, [f64; 3])>, name: &str) -> Vec<Diagnostic> {
    let warning = |(joint, [x, y, z]): (String, [f64; 3])| {
        let message = format!(
            "{joint} keeps its scale of {x:.6} × {y:.6} × {z:.6}; what hangs on it does not get it"
        );
        Problem::rule(&format!("skins[{skin}]"), message)
            .code(Code::W09)
            .help("if it is meant for all, name the joints that keep theirs with `--local-scale-joints`")
            .into_diagnostic(name)
    };
    roots.into_iter().map(warning).collect()
}

/// The errors of joints that cannot be used.
fn joint_diagnostics(skin: usize, errors: Vec<JointError>, name: &str) -> Vec<Diagnostic> {
    let diagnostic = |error: JointError| {
        let problem = Problem::rule(&format!("skins[{skin}]"), error.to_string());
        let problem = match error.fault {
            JointFault::NotFinite => problem.code(Code::V32),
            JointFault::Scaled(_) => problem.code(Code::V35).help(
                "bake with `--joint-scale global` or `--joint-scale local`, or with `--solver lbs`",
            ),
            JointFault::NoRotation(_) => {
                problem.help("bake with `--solver lbs`, which needs no rotation")
            }
        };
        problem.into_diagnostic(name)
    };
    errors.into_iter().map(diagnostic).collect()
}
