//! Reading the targets of channels that animate a value by its JSON pointer (`KHR_animation_pointer`).
//!
//! A bake samples nodes and morph weights. Everything else that a pointer can name, such as a colour of a material, stays as the
//! file stores it.

use super::{Scope, Target};
use crate::cursor::Cursor;
use crate::model::Property;
use crate::problem::{Findings, Problem, quoted};

/// Most pointers that one warning quotes.
const MOST_QUOTED: usize = 3;

/// True if a channel has a target by pointer.
pub(super) fn is_pointer(channel: &Cursor<'_>) -> bool {
    let path = channel
        .value
        .get("target")
        .and_then(|target| target.get("path"));
    path.and_then(|path| path.as_str()) == Some("pointer")
}

/// Returns what the pointer of a channel's target names; `None` if that is not sampled. The pointer then goes to `left_out`.
///
/// # Errors
/// If the pointer names a node or a mesh that does not exist, or is no text.
pub(super) fn target(
    at: &Cursor<'_>,
    scope: Scope<'_>,
    left_out: &mut Vec<String>,
    findings: &mut Findings<'_>,
) -> Result<Option<Target>, Problem> {
    let extensions = at.optional_object("extensions")?;
    let extension = match &extensions {
        Some(extensions) => extensions.optional_object("KHR_animation_pointer")?,
        None => None,
    };
    let pointer = match &extension {
        Some(extension) => extension.text("pointer")?,
        None => None,
    };
    let Some(pointer) = pointer else {
        let message = "the target has no pointer; the channel is left out";
        findings.warn(at.rule_in("path", message));
        return Ok(None);
    };
    if at.get("node").is_some() {
        let message = "the target has a pointer, too; the pointer is used";
        findings.warn(at.rule_in("node", message));
    }
    let Some(target) = sampled(pointer) else {
        left_out.push(quoted(pointer));
        return Ok(None);
    };
    let (index, count) = match target {
        Target::Node(node, _) => (node, scope.nodes.len()),
        Target::Mesh(mesh) => (mesh, scope.meshes.len()),
    };
    if index >= count {
        let pointer = quoted(pointer);
        let message = format!("{pointer} names nothing: the file has {count} of these");
        return Err(at.rule_in("extensions.KHR_animation_pointer.pointer", message));
    }
    let width = match target {
        Target::Node(node, property) => scope.width(node, property),
        Target::Mesh(mesh) => scope.meshes[mesh].weights.len(),
    };
    if width == 0 {
        let pointer = quoted(pointer);
        let message =
            format!("{pointer} names weights without morph targets; the channel is left out");
        findings.warn(at.rule_in("extensions.KHR_animation_pointer.pointer", message));
        return Ok(None);
    }
    Ok(Some(target))
}

/// Returns what a pointer names; `None` if that is not sampled.
fn sampled(pointer: &str) -> Option<Target> {
    let mut parts = pointer.strip_prefix('/')?.split('/');
    let (list, index, property) = (parts.next()?, parts.next()?, parts.next()?);
    let is_index = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    if !is_index || parts.next().is_some() {
        return None;
    }
    let index = index.parse().unwrap_or(usize::MAX);
    let property = Property::of(property)?;
    match list {
        "nodes" => Some(Target::Node(index, property)),
        "meshes" if property == Property::Weights => Some(Target::Mesh(index)),
        _ => None,
    }
}

/// Warns of the quoted pointers of an animation that are not sampled.
pub(super) fn warn_of(animation: &Cursor<'_>, left_out: &[String], findings: &mut Findings<'_>) {
    if left_out.is_empty() {
        return;
    }
    let mut names = left_out[..left_out.len().min(MOST_QUOTED)].join(", ");
    if left_out.len() > MOST_QUOTED {
        names += &format!(" and {} more", left_out.len() - MOST_QUOTED);
    }
    let message = format!(
        "a bake samples nodes and morph weights only; these keep the values that the file stores: {names}"
    );
    findings.warn(animation.rule_in("channels", message));
}
