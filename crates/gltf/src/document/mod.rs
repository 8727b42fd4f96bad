//! Reading nodes, meshes, skins, animations and scenes.
//!
//! In: the JSON tree and checked accessors. Out: `model`. Each file reads all objects of one kind, so that the errors
//! of all of them are reported together; skins are read here.

mod animations;
mod extensions;
mod meshes;
mod nodes;
mod scene_checks;

use super::accessor_checks::{CheckedAccessor, described, referenced_accessor};
use super::buffers::Buffers;
use super::cursor::Cursor;
use super::element_type::{ComponentType, ElementType};
use super::model::Skin;
use super::problem::{Findings, Problem, quoted};
use rigy_base::diag::Code;
use rigy_kernel::math::Affine;

pub(super) use animations::{channels, read as animations};
pub(crate) use extensions::check as extensions;
pub use extensions::{Extension, extension};
pub(super) use meshes::read as meshes;
pub(super) use nodes::{read as nodes, scenes};
pub(super) use scene_checks::{check as check_scene, empty_scene};

/// The accessors of a file and their data.
#[derive(Clone, Copy)]
pub(super) struct Data<'d> {
    /// All accessors.
    pub accessors: &'d [CheckedAccessor],
    /// The buffers that they read.
    pub buffers: &'d Buffers<'d>,
    /// True if `extensionsUsed` has `KHR_mesh_quantization`.
    pub quantization: bool,
}

/// Largest difference of the last row of a matrix from 0 0 0 1 that is regarded as rounding.
const ROUNDING: f64 = 1e-5;

/// The upper three rows of a matrix given column by column. Its last row must be 0 0 0 1; exporters that invert
/// matrices in single precision have small differences, which clients ignore. `which` returns the name of the matrix
/// for messages.
fn affine(
    at: &Cursor<'_>,
    which: &dyn Fn() -> String,
    m: [f64; 16],
    findings: &mut Findings<'_>,
) -> Result<Affine, Problem> {
    let last = [m[3], m[7], m[11], m[15]];
    let off = [m[3], m[7], m[11], m[15] - 1.0].map(f64::abs);
    if off != [0.0; 4] {
        let which = which();
        let problem = at.rule(format!("the last row of {which} is {last:?}, not 0 0 0 1"));
        if !off.iter().all(|off| *off <= ROUNDING) {
            return Err(problem.help("only affine matrices are read: export the model again"));
        }
        findings.warn(problem);
    }
    Ok(std::array::from_fn(|row| {
        [m[row], m[row + 4], m[row + 8], m[row + 12]]
    }))
}

/// Joints that all skins together may have in any file. A joint takes about 500 bytes of memory, and two bytes of JSON list it.
const FREE_JOINTS: u64 = 1 << 19;

/// Length of an inverse bind matrix in a file, in bytes.
const MATRIX_LEN: u64 = 64;

/// Reads all skins.
pub(crate) fn skins(root: &Cursor<'_>, data: Data<'_>, findings: &mut Findings<'_>) -> Vec<Skin> {
    let (Some(list), Some(nodes)) = (
        findings.keep(root.list("skins")),
        findings.keep(root.list("nodes")),
    ) else {
        return Vec::new();
    };
    if let Err(problem) = check_joints(&list, data) {
        findings.error(problem);
        return Vec::new();
    }
    let mut skins = Vec::new();
    let mut seen = vec![usize::MAX; nodes.items().len()];
    for (index, item) in list.items().enumerate() {
        let skin = skin(&item, index, &mut seen, &nodes, data, findings);
        skins.extend(findings.keep(skin));
    }
    skins
}

/// Refuses skins that together list more joints than the file explains: those that are free, or one for each matrix that its longest
/// buffer has room for.
fn check_joints(list: &Cursor<'_>, data: Data<'_>) -> Result<(), Problem> {
    let lists = list
        .items()
        .map(|skin| skin.value.list("joints").len() as u64);
    let joints: u64 = lists.sum();
    let most = FREE_JOINTS.max(data.buffers.longest() / MATRIX_LEN);
    if joints <= most {
        return Ok(());
    }
    let message = format!("all skins together have {joints} joints; the limit is {most}");
    let help = "let meshes that move with the same joints share one skin, or divide the file";
    Err(list.rule(message).code(Code::U16).help(help))
}

/// Reads skin number `index`; `seen` has for each node the last skin of which it was a joint.
fn skin(
    at: &Cursor<'_>,
    index: usize,
    seen: &mut [usize],
    nodes: &Cursor<'_>,
    data: Data<'_>,
    findings: &mut Findings<'_>,
) -> Result<Skin, Problem> {
    at.object()?;
    let list = at.required("joints").and_then(|_| at.list("joints"))?;
    let mut joints = Vec::with_capacity(list.items().len());
    for item in list.items() {
        let node = item.as_index(seen.len(), "nodes")?;
        if std::mem::replace(&mut seen[node], index) == index {
            return Err(item.rule(format!("node {node} is a joint of this skin twice")));
        }
        joints.push(node);
    }
    if joints.is_empty() {
        return Err(list.rule("a skin without joints"));
    }
    at.index("skeleton", seen.len(), "nodes")?;
    let name_of = |joint: usize| {
        let node = joints[joint];
        let name = nodes.value.elements()[node]
            .get("name")
            .and_then(|name| name.as_str());
        format!(
            "joint {joint} (node {node}{})",
            name.map_or(String::new(), |name| format!(", {}", quoted(name)))
        )
    };
    let inverse_bind_matrices = inverse_bind_matrices(at, joints.len(), &name_of, data, findings)?;
    Ok(Skin {
        name: at.name()?,
        joints,
        inverse_bind_matrices,
    })
}

/// Reads the inverse bind matrices of a skin; `None` if it has none. `name_of` returns the name of a joint for
/// messages.
fn inverse_bind_matrices(
    at: &Cursor<'_>,
    joints: usize,
    name_of: &dyn Fn(usize) -> String,
    data: Data<'_>,
    findings: &mut Findings<'_>,
) -> Result<Option<Vec<Affine>>, Problem> {
    let Some(member) = at.get("inverseBindMatrices") else {
        return Ok(None);
    };
    let (index, accessor) = referenced_accessor(&member, data.accessors, data.buffers)?;
    if accessor.element_type() != ElementType::Mat4
        || accessor.component_type() != ComponentType::F32
    {
        return Err(member.rule(format!(
            "accessor {index} has {}, not MAT4 of f32",
            described(&accessor)
        )));
    }
    if accessor.count() < joints {
        let count = accessor.count();
        return Err(member.rule(format!(
            "accessor {index} has {count} matrices for {joints} joints"
        )));
    }
    let mut matrices = Vec::with_capacity(joints);
    for joint in 0..joints {
        let matrix = accessor.reals::<16>(joint);
        let which = || format!("the inverse bind matrix of {}", name_of(joint));
        if let Some(bad) = matrix.iter().find(|value| !value.is_finite()) {
            return Err(member.rule(format!("{} has {bad}", which())));
        }
        matrices.push(affine(&member, &which, matrix, findings)?);
    }
    Ok(Some(matrices))
}
