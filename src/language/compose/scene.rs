//! The parts of scenes: their ids, and the transforms that place them on each other (`extensions.md` §12).

use std::collections::{HashMap, HashSet};

use crate::base::diag::{Code, Diagnostic, Findings, Spanned};
use crate::kernel::math::{Affine, Matrix3, Vec3, cross, dot};
use crate::language::model::{Anchor, Contract, Document, FrameRef, Place, RigsScene, numbers};

/// Least length of the sides of a frame.
const LEAST: f64 = 1e-9;

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
    let bases = std::iter::once(&scene.base).chain(children.iter().map(|(child, _)| &child.base));
    for base in bases.filter(|base| !known.contains(&*base.value)) {
        let message = format!("there is no import `{}`", base.value);
        findings.unknown(Code::V26, base, message, aliases());
    }
    let mut seen = HashSet::new();
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
    parts: &HashMap<&str, ScenePart<'_>>,
) -> Result<Vec<Affine>, Vec<Diagnostic>> {
    let mut findings = Findings::default();
    let mut places = Vec::new();
    let anchors: HashMap<&str, Anchors<'_>> = parts
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
    by_id: HashMap<&'p str, &'p Anchor>,
    sets: Option<HashMap<&'p str, &'p [Spanned<String>; 3]>>,
}

impl<'p> Anchors<'p> {
    fn new(part: ScenePart<'p>) -> Self {
        let anchors = part.document.anchors.iter();
        let sets = part.contract.map(|contract| {
            let sets = contract.frame3_sets.iter();
            sets.map(|(name, ids)| (&*name.value, ids)).collect()
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
        alias: &Spanned<String>,
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
                    Some(near) => error.help(format!("did you mean `{near}`?")),
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
        name: &Spanned<String>,
        side: Side,
        alias: &Spanned<String>,
        findings: &mut Findings,
    ) -> Option<&'p [Spanned<String>; 3]> {
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

/// An origin and three perpendicular unit axes.
struct Frame {
    origin: Vec3,
    axes: [Vec3; 3],
}

impl Frame {
    /// Returns the frame of three points: X along the first two, Z perpendicular to all; `None` if they lie on one line.
    fn new([p1, p2, p3]: [Vec3; 3]) -> Option<Self> {
        let difference = |a: Vec3, b: Vec3| [0, 1, 2].map(|c| a[c] - b[c]);
        let length = |v: Vec3| ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]).sqrt();
        let side = difference(p2, p1);
        let side_length = length(side);
        if side_length.is_nan() || side_length <= LEAST {
            return None;
        }
        let x = side.map(|c| c / side_length);
        let normal = cross(x, difference(p3, p1));
        let normal_length = length(normal);
        if normal_length.is_nan() || normal_length <= LEAST {
            return None;
        }
        let z = normal.map(|c| c / normal_length);
        let y = cross(z, x);
        Some(Self {
            origin: p1,
            axes: [x, y, z],
        })
    }

    /// Returns the matrix whose columns are the axes.
    fn matrix(&self) -> Matrix3 {
        [0, 1, 2].map(|row| self.axes.map(|axis| axis[row]))
    }
}

/// Returns the transform that brings the mount to the slot (§12.2).
fn transform(slot: &Frame, mount: &Frame, place: &Place) -> Affine {
    let [x, y, z] = slot.axes;
    let nudge = place.nudge;
    let turned = product(&slot.matrix(), &quarters(place.quarters));
    let rotation = product(&turned, &inverse(mount.matrix()));
    [0, 1, 2].map(|row| {
        let offset = (nudge.east * x[row] + nudge.up * y[row]) + nudge.north * z[row];
        let [a, b, c] = rotation[row];
        let [mx, my, mz] = mount.origin;
        let moved = c * mz + (a * mx + b * my);
        [a, b, c, (slot.origin[row] + offset) - moved]
    })
}

/// Returns the rotation by quarters of a turn about Y.
fn quarters(count: u8) -> Matrix3 {
    match count {
        0 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        1 => [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
        2 => [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        _ => [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    }
}

fn product(a: &Matrix3, b: &Matrix3) -> Matrix3 {
    let column = |c: usize| [b[0][c], b[1][c], b[2][c]];
    a.map(|row| [0, 1, 2].map(|c| dot(row, column(c))))
}

/// Returns the inverse by an LU decomposition with partial pivoting, in the order of §12.2.
fn inverse(mut a: Matrix3) -> Matrix3 {
    let mut order = [0, 1, 2];
    let mut pivot = 0;
    for (row, numbers) in a.iter().enumerate() {
        if numbers[0].abs() > a[pivot][0].abs() {
            pivot = row;
        }
    }
    a.swap(0, pivot);
    order.swap(0, pivot);
    let reciprocal = 1.0 / a[0][0];
    let mut l0 = [1, 2].map(|row: usize| a[row][0] * reciprocal);
    a[1][1] -= l0[0] * a[0][1];
    a[2][1] -= l0[1] * a[0][1];
    if a[2][1].abs() > a[1][1].abs() {
        a.swap(1, 2);
        order.swap(1, 2);
        l0.swap(0, 1);
    }
    let [l10, l20] = l0;
    let l21 = a[2][1] * (1.0 / a[1][1]);
    let u12 = a[1][2] - l10 * a[0][2];
    let u22 = a[2][2] - (l20 * a[0][2] + l21 * u12);
    let columns = [0, 1, 2].map(|column| {
        let unit = order.map(|row| if row == column { 1.0 } else { 0.0 });
        let b1 = -l10 * unit[0] + unit[1];
        let b2 = -l21 * b1 + (-l20 * unit[0] + unit[2]);
        let b2 = b2 * (1.0 / u22);
        let b1 = (b1 - u12 * b2) * (1.0 / a[1][1]);
        let b0 = ((unit[0] - a[0][2] * b2) - a[0][1] * b1) * (1.0 / a[0][0]);
        [b0, b1, b2]
    });
    [0, 1, 2].map(|row| columns.map(|column: Vec3| column[row]))
}
