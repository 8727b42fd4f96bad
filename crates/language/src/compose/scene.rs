//! The parts of scenes: their ids, and the transforms that place them on each other (`extensions.md` §12).

use std::collections::BTreeMap;

use super::frames::{Frame, transform};
use crate::model::{Anchor, Contract, Document, FrameRef, RigsScene, numbers};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Findings, Text};
use rigy_base::maps::{HashMap, HashSet};
use rigy_kernel::math::{Affine, Vec3};

/// A part of a scene.
#[derive(Clone, Copy)]
pub struct ScenePart<'p> {
    /// Its document.
    pub document: &'p Document,
    /// Its contract, if it has one.
    pub contract: Option<&'p Contract>,
}

/// Returns the errors of a scene that concern it alone: aliases that do not exist (V26), ids that two children share (V25),
/// places without slot or mount (U18).
pub fn check_scene(scene: &RigsScene) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    let aliases = || scene.imports.iter().map(|import| &*import.namespace.value);
    let known: HashSet<&str> = aliases().collect();
    let children = scene.all_children();
    let bases =
        std::iter::once(&scene.scene.base).chain(children.iter().map(|(child, _)| &child.base));
    for base in bases.filter(|base| !known.contains(&*base.value)) {
        let message = format!("there is no import `{}`", base.value);
        findings.unknown(Code::V26, base, message, aliases());
    }
    let mut seen = HashSet::default();
    for (child, _) in &children {
        if !seen.insert(&*child.id.value) {
            let message = format!("there is already a child `{}`", child.id.value);
            findings.error(Code::V25, child.id.span, message);
        }
    }
    for (child, _) in &children {
        let place = &child.place;
        for (name, frame) in [("slot", &place.slot), ("mount", &place.mount)] {
            if frame.is_none() {
                let message = format!("the place of `{}` has no `{name}`", child.id.value);
                findings.error(Code::U18, place.span, message);
            }
        }
    }
    findings.into_errors()
}

/// Returns for each child, depth first, the transform from its space to that of the part below.
///
/// # Errors
/// U19 for names that no contract has, V30 and V29 for anchors that a part lacks, U20 for frames without two directions.
pub fn place_children(
    scene: &RigsScene,
    parts: &HashMap<&str, ScenePart>,
) -> Diagnosed<Vec<Affine>> {
    let mut findings = Findings::default();
    let mut places = Vec::new();
    let anchors: HashMap<&str, Anchors> = parts
        .iter()
        .map(|(alias, part)| (*alias, Anchors::new(*part)))
        .collect();
    for (child, below) in scene.all_children() {
        let place = &child.place;
        let (Some(slot), Some(mount)) = (&place.slot, &place.mount) else {
            continue; // checked before
        };
        let (Some(of_slot), Some(of_mount)) =
            (anchors.get(&*below.value), anchors.get(&*child.base.value))
        else {
            continue; // checked before
        };
        let slot = of_slot.points(slot, Side::Slot, below, &mut findings);
        let mount = of_mount.points(mount, Side::Mount, &child.base, &mut findings);
        let (Some(slot), Some(mount)) = (slot, mount) else {
            continue;
        };
        let mut frame = |points, name: &str| {
            let frame = Frame::new(points);
            if frame.is_none() {
                let message = format!(
                    "the {name} of `{}` is no frame: its three points lie on one line",
                    child.id.value
                );
                findings.error(Code::U20, place.span, message);
            }
            frame
        };
        let (slot, mount) = (frame(slot, "slot"), frame(mount, "mount"));
        if let (Some(slot), Some(mount)) = (slot, mount) {
            let matrix = transform(&slot, &mount, place);
            if !matrix.iter().flatten().all(|number| number.is_finite()) {
                let message = format!("the place of `{}` is not finite", child.id.value);
                findings.error(Code::U20, place.span, message);
            }
            places.push(matrix);
        }
    }
    match findings.into_errors() {
        errors if errors.is_empty() => Ok(places),
        errors => Err(errors),
    }
}

/// The two frames of a place.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Slot,
    Mount,
}

/// The anchors and the frame sets of a part by name.
struct Anchors<'p> {
    by_id: BTreeMap<&'p str, &'p Anchor>,
    sets: Option<BTreeMap<&'p str, &'p [Text; 3]>>,
}

impl<'p> Anchors<'p> {
    fn new(part: ScenePart<'p>) -> Self {
        let anchors = part.document.anchors.iter();
        let sets = part.contract.map(|contract| {
            contract
                .frame3_sets
                .iter()
                .map(|(name, ids)| (&*name.value, ids))
                .collect()
        });
        Self {
            by_id: anchors.map(|anchor| (&*anchor.id.value, anchor)).collect(),
            sets,
        }
    }

    /// Returns the three points of a frame; `None` after reporting what does not exist.
    fn points(
        &self,
        frame: &FrameRef,
        side: Side,
        alias: &Text,
        findings: &mut Findings,
    ) -> Option<[Vec3; 3]> {
        let ids = match frame {
            FrameRef::Anchors(ids) => &ids.value,
            FrameRef::Named(name) => self.set(name, side, alias, findings)?,
        };
        let at = match frame {
            FrameRef::Anchors(_) => None,
            FrameRef::Named(name) => Some(name.span),
        };
        let mut points = [None; 3];
        for (point, id) in points.iter_mut().zip(ids) {
            *point = self.by_id.get(&*id.value).map(|a| numbers(&a.translation));
            if point.is_none() {
                let code = if side == Side::Slot {
                    Code::V30
                } else {
                    Code::V29
                };
                let message = format!("import `{}` has no anchor `{}`", alias.value, id.value);
                let error = Diagnostic::new(code, at.unwrap_or(id.span), message);
                let near = findings.nearest(&id.value, self.by_id.keys().copied());
                findings.report(match near {
                    Some(near) => error.did_you_mean(&id.value, near),
                    None => error,
                });
            }
        }
        let [a, b, c] = points;
        Some([a?, b?, c?])
    }

    /// Returns the anchors of a frame set of the contract.
    fn set(
        &self,
        name: &Text,
        side: Side,
        alias: &Text,
        findings: &mut Findings,
    ) -> Option<&'p [Text; 3]> {
        let Some(sets) = &self.sets else {
            let message = format!(
                "import `{}` has no contract that could say what `{}` is",
                alias.value, name.value
            );
            let error = Diagnostic::new(Code::U19, name.span, message);
            findings.report(
                error.help(
                    "a contract stands beside the part: `part.ricy.yaml` for `part.rigy.yaml`",
                ),
            );
            return None;
        };
        let prefix = if side == Side::Slot {
            "slots"
        } else {
            "mounts"
        };
        let prefixed = format!("{prefix}.{}", name.value);
        let found = sets.get(&*prefixed).or_else(|| sets.get(&*name.value));
        if found.is_none() {
            let message = format!(
                "the contract of import `{}` has no frame set `{prefixed}` or `{}`",
                alias.value, name.value
            );
            findings.unknown(Code::U19, name, message, sets.keys().copied());
        }
        found.copied()
    }
}
