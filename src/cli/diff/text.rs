//! Differences as text for people.

use std::path::Path;

use super::pairs::Pair;
use crate::cli::printer::{Listing, at_most, counted, three_digits};
use rigy_view::difference::MeshDifference;

/// Most lines about structure that are shown of one pair; JSON has more.
const MOST_LINES: usize = 10;

/// The text about a pair, several lines without the last line end.
pub fn of(pair: &Pair, is_within: bool) -> String {
    let difference = &pair.difference;
    let verdict = match (difference.equal, is_within) {
        (true, _) => "equal",
        (false, true) => "within the tolerance",
        (false, false) => "different",
    };
    let mut lines = Listing::new(None);
    lines.line(format!("{} → {}: {verdict}", path(&pair.a), path(&pair.b)));
    let structure = at_most(MOST_LINES, &difference.structure, String::clone);
    for line in difference.first_difference.iter().chain(&structure) {
        lines.item(line);
    }
    for mesh in difference.meshes.iter().filter(|mesh| has_moved(mesh)) {
        lines.item(about_mesh(mesh));
    }
    if !difference.equal && pair.a.is_some() && pair.b.is_some() {
        lines.item(match difference.max_distance {
            Some(0.0) => "all vertices are at the same positions".to_owned(),
            Some(distance) => about_distance(distance),
            None => "there is no distance: no vertices could be compared".to_owned(),
        });
    }
    if difference.moves {
        lines.item("skins, morph targets and animations are not applied");
    }
    if difference.max_distance.is_none() && [&pair.a, &pair.b].into_iter().any(is_yaml) {
        lines.item("help: compile documents first: `rigy-batch DOC -o DIR`");
    }
    lines.finish()
}

/// The difference of a pair in one sentence, without escapes.
pub fn headline(pair: &Pair) -> String {
    let difference = &pair.difference;
    let mut line = format!("{} → {}", path(&pair.a), path(&pair.b));
    let first = difference.first_difference.as_ref();
    if let Some(first) = first.or(difference.structure.first()) {
        line += &format!(": {first}");
    }
    if let Some(distance) = difference.max_distance {
        line += &format!("; {}", about_distance(distance));
    }
    line
}

fn about_distance(distance: f64) -> String {
    format!("largest distance {} model units", three_digits(distance))
}

fn path(path: &Option<String>) -> &str {
    path.as_deref().unwrap_or("(no file)")
}

/// True if a path has the extension of documents.
fn is_yaml(path: &Option<String>) -> bool {
    let end = path.as_deref().map(Path::new).and_then(Path::extension);
    end.is_some_and(|end| end == "yaml" || end == "yml")
}

/// The last line about several pairs.
pub fn summary(all: usize, equal: usize, within: usize) -> String {
    let within_text = match within {
        0 => String::new(),
        within => format!("{within} within the tolerance, "),
    };
    let different = all - equal - within;
    format!("{all} pairs: {equal} equal, {within_text}{different} different")
}

/// Smallest angle that is shown, in degrees: less is rounding of normals that are brought to unit length.
const SMALLEST_ANGLE: f64 = 1e-6;

/// Most steps of f32 that are shown. More say nothing, as between two small numbers of different sign.
const MOST_STEPS: u32 = 1_000_000;

fn has_moved(mesh: &MeshDifference) -> bool {
    let angle = mesh.normal_degrees.map_or(0.0, |angles| angles.max);
    mesh.position.max > 0.0 || angle > SMALLEST_ANGLE
}

fn about_mesh(mesh: &MeshDifference) -> String {
    let mut parts = Vec::new();
    if mesh.position.max > 0.0 {
        let [most, mean] = [mesh.position.max, mesh.position.mean].map(three_digits);
        let vertex = mesh.position.vertex;
        let steps = match mesh.steps {
            Some(1) => " (1 f32 step)".to_owned(),
            Some(steps @ 2..=MOST_STEPS) => format!(" (up to {steps} f32 steps)"),
            _ => String::new(),
        };
        parts.push(format!(
            "positions by up to {most}{steps} at vertex {vertex}, {mean} on average"
        ));
    }
    if let Some(angles) = mesh
        .normal_degrees
        .filter(|angles| angles.max > SMALLEST_ANGLE)
    {
        let [most, mean] = [angles.max, angles.mean].map(three_digits);
        let vertex = angles.vertex;
        parts.push(format!(
            "normals by up to {most}° at vertex {vertex}, {mean}° on average"
        ));
    }
    let vertices = counted(mesh.vertices, "vertex", "vertices");
    let (name, primitive, parts) = (&mesh.mesh, mesh.primitive, parts.join("; "));
    format!("mesh `{name}`, primitive {primitive}, {vertices}: {parts}")
}
