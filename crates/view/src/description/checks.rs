//! Faces by their surface keys, which boxes and wedges have (`extensions.md` §3), and the results of `geometry_checks.alignment`
//! (§11.2).

use std::collections::HashMap;
use std::ops::Range;

use super::document::Entry;
use rigy_kernel::math::{Vec3, cross, dot, length, minus};
use rigy_language::checks::AlignmentCheck;
use rigy_language::model::Shape;
use rigy_models::geometry::scene::PositionsSoa;
use serde::Serialize;

/// A face of a box or a wedge.
#[derive(Debug, Serialize)]
pub struct Face {
    /// Id of the primitive.
    pub primitive_id: String,
    /// Its surface key, such as `+x`.
    pub surface_key: &'static str,
    /// Its unit normal.
    pub normal: Vec3,
    /// The plane that it lies in.
    pub plane: Plane,
}

/// A plane: the points p with n·p + d = 0.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Plane {
    /// The unit normal.
    pub n: Vec3,
    /// The negated distance of the plane from the origin along the normal.
    pub d: f64,
}

/// The surface keys of a shape in the order of its vertices, each with the number of its vertices; none for shapes that have no
/// flat faces of their own.
fn surface_keys(shape: Shape) -> &'static [(&'static str, usize)] {
    match shape {
        Shape::Box => &[
            ("+x", 4),
            ("-x", 4),
            ("+y", 4),
            ("-y", 4),
            ("+z", 4),
            ("-z", 4),
        ],
        Shape::Wedge => &[("-z", 4), ("-x", 4), ("slope", 4), ("-y", 3), ("+y", 3)],
        Shape::Sphere | Shape::Cylinder | Shape::Capsule | Shape::Implicit => &[],
    }
}

/// The faces of a primitive whose first vertex is `first`: each with its key and its vertices.
pub fn faces(shape: Shape, first: usize) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    let mut next = first;
    surface_keys(shape).iter().map(move |(key, count)| {
        let start = next;
        next += count;
        (*key, start..next)
    })
}

/// The normal of a face, which is that of its first vertex at unit length.
pub fn normal(normals: &PositionsSoa, vertices: &Range<usize>) -> Vec3 {
    unit(normals.get(vertices.start))
}

/// The plane of a face through its first vertex.
pub fn plane(n: Vec3, positions: &PositionsSoa, vertices: &Range<usize>) -> Plane {
    let d = -dot(n, positions.get(vertices.start));
    Plane { n, d }
}

/// A vector at unit length; one without length stays as it is.
fn unit(v: Vec3) -> Vec3 {
    let length = length(v);
    if length > 0.0 {
        v.map(|component| component / length)
    } else {
        v
    }
}

/// The result of a check.
#[derive(Debug, Default, Serialize)]
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
pub fn evaluate(checks: &[AlignmentCheck], entries: &[Entry]) -> Vec<Check> {
    let by_id: HashMap<&str, &Entry> = entries
        .iter()
        .map(|e| (&*e.primitive.id.value, e))
        .collect();
    checks
        .iter()
        .map(|check| {
            let mut result = Check {
                check: check.check.clone(),
                label: check.label.clone(),
                ..Check::default()
            };
            if let Err(message) = one(check, &by_id, &mut result) {
                result.error = Some(message);
            }
            result
        })
        .collect()
}

/// Evaluates one check.
///
/// # Errors
/// The reason why it cannot be evaluated.
fn one(
    check: &AlignmentCheck,
    by_id: &HashMap<&str, &Entry>,
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
            let offset = minus(point, origin);
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

/// The feature that a reference `primitive.feature` names; the names of features have no points.
fn find(
    (key, reference): (&str, &Option<String>),
    by_id: &HashMap<&str, &Entry>,
) -> Result<Feature, String> {
    let reference = reference
        .as_deref()
        .ok_or_else(|| format!("the check has no `{key}`"))?;
    let (id, name) = reference
        .rsplit_once('.')
        .ok_or_else(|| format!("`{reference}` is not `primitive.feature`"))?;
    let entry = by_id
        .get(id)
        .ok_or_else(|| format!("there is no primitive `{id}`"))?;
    let shape = entry.primitive.shape.name();
    feature(entry, name).ok_or_else(|| format!("the {shape} `{id}` has no `{name}`"))
}

/// A feature of a primitive: a face by its surface key, and of wedges `slope_face`, `apex` and `ridge`.
fn feature(entry: &Entry, name: &str) -> Option<Feature> {
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
                let start = position(5);
                let end = position(6);
                let along = minus(end, start);
                let middle = [0, 1, 2].map(|axis| (start[axis] + end[axis]) / 2.0);
                return Some(Feature::Line(middle, unit(along)));
            }
            _ => {}
        }
    }
    let (_, vertices) =
        faces(entry.primitive.shape, entry.vertices.start).find(|(key, _)| *key == name)?;
    let normal = normal(&geometry.normals, &vertices);
    Some(Feature::Face(normal))
}
