//! The results of `geometry_checks.alignment` (`extensions.md` §11.2).

use std::collections::HashMap;

use serde::Serialize;

use super::document::Entry;
use super::surface_keys::{self, length, unit};
use rigy_kernel::math::{Vec3, cross};
use rigy_language::checks::AlignmentCheck;
use rigy_language::model::Shape;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// The kind of check, as the author has it; `None` if the element names none.
    pub check: Option<String>,
    /// The author's words for it; empty if there are none.
    pub label: String,
    /// True if it passes, false if it fails, `None` if it cannot be evaluated.
    pub pass: Option<bool>,
    /// The length of the cross product of the two normals, of `normal_parallel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross_magnitude: Option<f64>,
    /// The distance of the point from the line in metres, of `point_on_line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// The reason if it cannot be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A part of a primitive that checks refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Feature {
    /// A face, by its unit normal.
    Face(Vec3),
    /// A point.
    Point(Vec3),
    /// The line through a point in a direction.
    Line(Vec3, Vec3),
}

impl Feature {
    fn kind(self) -> &'static str {
        match self {
            Self::Face(_) => "a face",
            Self::Point(_) => "a point",
            Self::Line(..) => "a line",
        }
    }
}

/// Evaluates checks. Of primitives that have one id in several meshes, the last one counts.
pub(super) fn evaluate(checks: &[AlignmentCheck], entries: &[Entry<'_>]) -> Vec<Check> {
    let by_id = entries.iter();
    let by_id: HashMap<&str, &Entry<'_>> = by_id.map(|e| (&*e.primitive.id.value, e)).collect();
    let result = |check: &AlignmentCheck| {
        let mut result = Check {
            check: check.check.clone(),
            label: check.label.clone(),
            pass: None,
            cross_magnitude: None,
            distance: None,
            error: None,
        };
        if let Err(message) = one(check, &by_id, &mut result) {
            result.error = Some(message);
        }
        result
    };
    checks.iter().map(result).collect()
}

/// Evaluates one check.
///
/// # Errors
/// The reason why it cannot be evaluated.
fn one(
    check: &AlignmentCheck,
    by_id: &HashMap<&str, &Entry<'_>>,
    result: &mut Check,
) -> Result<(), String> {
    let tolerance = || check.tolerance.ok_or("`tolerance` is no finite number");
    match check.check.as_deref() {
        Some("normal_parallel") => {
            let [a, b] = &check.faces;
            let a = face(find(("a", a), by_id)?, "a")?;
            let b = face(find(("b", b), by_id)?, "b")?;
            let magnitude = length(cross(a, b));
            result.pass = Some(magnitude < tolerance()?);
            result.cross_magnitude = Some(magnitude);
        }
        Some("point_on_line") => {
            let point = match find(("point", &check.point), by_id)? {
                Feature::Point(point) => point,
                other => return Err(format!("`point` is {}, not a point", other.kind())),
            };
            let (origin, direction) = match find(("line", &check.line), by_id)? {
                Feature::Line(origin, direction) => (origin, direction),
                other => return Err(format!("`line` is {}, not a line", other.kind())),
            };
            let long = length(direction);
            if long <= 0.0 {
                return Err("the line has no length".into());
            }
            let offset = [0, 1, 2].map(|axis| point[axis] - origin[axis]);
            let distance = length(cross(direction, offset)) / long;
            result.pass = Some(distance < tolerance()?);
            result.distance = Some(distance);
        }
        Some(other) => return Err(format!("there is no check `{other}`")),
        None => return Err("the element names no `check`".into()),
    }
    Ok(())
}

fn face(feature: Feature, key: &str) -> Result<Vec3, String> {
    match feature {
        Feature::Face(normal) => Ok(normal),
        other => Err(format!("`{key}` is {}, not a face", other.kind())),
    }
}

/// Returns the feature that a reference `primitive.feature` names; the names of features have no points.
fn find(
    (key, reference): (&str, &Option<String>),
    by_id: &HashMap<&str, &Entry<'_>>,
) -> Result<Feature, String> {
    let reference = reference.as_deref();
    let reference = reference.ok_or_else(|| format!("the check has no `{key}`"))?;
    let parts = reference.rsplit_once('.');
    let (id, name) = parts.ok_or_else(|| format!("`{reference}` is not `primitive.feature`"))?;
    let entry = by_id.get(id);
    let entry = entry.ok_or_else(|| format!("there is no primitive `{id}`"))?;
    let shape = entry.primitive.shape.name();
    feature(entry, name).ok_or_else(|| format!("the {shape} `{id}` has no `{name}`"))
}

/// Returns a feature of a primitive: a face by its surface key, and of wedges `slope_face`, `apex` and `ridge`.
fn feature(entry: &Entry<'_>, name: &str) -> Option<Feature> {
    let geometry = entry.geometry;
    let position = |vertex: usize| geometry.positions.get(entry.vertices.start + vertex);
    if entry.primitive.shape == Shape::Wedge {
        match name {
            "slope_face" => return feature(entry, "slope"),
            "apex" => {
                // The three vertices of +y.
                let [a, b, c] = [15, 16, 17].map(position);
                return Some(Feature::Point(
                    [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0),
                ));
            }
            "ridge" => {
                let (start, end) = (position(5), position(6));
                let along = [0, 1, 2].map(|axis| end[axis] - start[axis]);
                let middle = [0, 1, 2].map(|axis| (start[axis] + end[axis]) / 2.0);
                return Some(Feature::Line(middle, unit(along)));
            }
            _ => {}
        }
    }
    let mut faces = surface_keys::faces(entry.primitive.shape, entry.vertices.start);
    let (_, vertices) = faces.find(|(key, _)| *key == name)?;
    let normal = surface_keys::normal(&geometry.normals, &vertices);
    Some(Feature::Face(normal))
}
