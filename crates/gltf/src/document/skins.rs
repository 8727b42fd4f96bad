//! Reading skins.

use super::affine::affine;
use super::data::Data;
use crate::accessor_checks::{described, referenced_accessor};
use crate::cursor::Cursor;
use crate::element_type::{ComponentType, ElementType};
use crate::model::Skin;
use crate::problem::{Findings, Result, quoted};
use rigy_base::diag::Code;
use rigy_kernel::math::Affine;

/// Joints that all skins together may have in any file. A joint takes about 500 bytes of memory, and two bytes of JSON list it.
const FREE_JOINTS: u64 = 1 << 19;

/// Length of an inverse bind matrix in a file, in bytes.
const MATRIX_LEN: u64 = 64;

/// Reads all skins.
pub fn read(root: &Cursor, data: Data, findings: &mut Findings) -> Vec<Skin> {
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
fn check_joints(list: &Cursor, data: Data) -> Result<()> {
    let joints: u64 = list
        .items()
        .map(|skin| skin.value.list("joints").len() as u64)
        .sum();
    let most = FREE_JOINTS.max(data.buffers.longest() / MATRIX_LEN);
    if joints <= most {
        return Ok(());
    }
    Err(list
        .rule(format!(
            "all skins together have {joints} joints; the limit is {most}"
        ))
        .code(Code::U16)
        .help("let meshes that move with the same joints share one skin, or divide the file"))
}

/// Reads skin number `index`; `seen` has for each node the last skin of which it was a joint.
fn skin(
    at: &Cursor,
    index: usize,
    seen: &mut [usize],
    nodes: &Cursor,
    data: Data,
    findings: &mut Findings,
) -> Result<Skin> {
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
    at: &Cursor,
    joints: usize,
    name_of: &dyn Fn(usize) -> String,
    data: Data,
    findings: &mut Findings,
) -> Result<Option<Vec<Affine>>> {
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
