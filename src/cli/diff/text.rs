//! Differences as text for people.

use std::path::Path;

use super::pairs::Pair;
use crate::cli::render::printable;
use crate::view::difference::MeshDifference;

/// Most lines about structure that are shown of one pair; JSON has more.
const MOST_LINES: usize = 10;

/// Returns the text about a pair, several lines without the last line end. Control characters are escaped.
pub fn of(pair: &Pair, is_within: bool) -> String {
    let difference = &pair.difference;
    let verdict = match (difference.equal, is_within) {
        (true, _) => "equal",
        (false, true) => "within the tolerance",
        (false, false) => "different",
    };
    let mut lines = vec![format!("{} → {}: {verdict}", path(&pair.a), path(&pair.b))];
    lines.extend(
        difference
            .first_difference
            .iter()
            .map(|text| format!("  {text}")),
    );
    let structure = difference.structure.iter().map(|text| format!("  {text}"));
    limited(&mut lines, structure.collect());
    let moved = difference.meshes.iter().filter(|mesh| has_moved(mesh));
    lines.extend(moved.map(about_mesh));
    if !difference.equal && pair.a.is_some() && pair.b.is_some() {
        lines.push(match difference.max_distance {
            Some(0.0) => "  all vertices are at the same positions".to_owned(),
            Some(distance) => format!("  largest distance {} model units", number(distance)),
            None => "  there is no distance: no vertices could be compared".to_owned(),
        });
    }
    if difference.moves {
        lines.push("  skins, morph targets and animations are not applied".to_owned());
    }
    if difference.max_distance.is_none() && [&pair.a, &pair.b].into_iter().any(is_yaml) {
        lines.push("  help: compile documents first: `rigy-batch DOC -o DIR`".to_owned());
    }
    let lines: Vec<String> = lines.iter().map(|line| printable(line)).collect();
    lines.join("\n")
}

/// Returns the difference of a pair in one sentence, without escapes.
pub fn headline(pair: &Pair) -> String {
    let difference = &pair.difference;
    let first = difference.first_difference.iter();
    let first = first.chain(difference.structure.first()).next();
    let first = first.map_or(String::new(), |first| format!(": {first}"));
    let distance = difference.max_distance;
    let distance = distance.map_or(String::new(), |distance| {
        format!("; largest distance {} model units", number(distance))
    });
    format!("{} → {}{first}{distance}", path(&pair.a), path(&pair.b))
}

fn path(path: &Option<String>) -> &str {
    path.as_deref().unwrap_or("(no file)")
}

/// Returns true if a path has the extension of documents.
fn is_yaml(path: &Option<String>) -> bool {
    let end = path.as_deref().map(Path::new).and_then(Path::extension);
    end.is_some_and(|end| end == "yaml" || end == "yml")
}

/// Returns the last line about several pairs.
pub fn summary(all: usize, equal: usize, within: usize) -> String {
    let within_text = match within {
        0 => String::new(),
        within => format!("{within} within the tolerance, "),
    };
    let different = all - equal - within;
    format!("{all} pairs: {equal} equal, {within_text}{different} different")
}

/// Adds lines up to a limit, and the number of those left out.
fn limited(lines: &mut Vec<String>, more: Vec<String>) {
    let count = more.len();
    lines.extend(more.into_iter().take(MOST_LINES));
    if count > MOST_LINES {
        let left_out = count - MOST_LINES;
        lines.push(format!("  … and {left_out} more; `--format json` has them"));
    }
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
    let (name, primitive, count) = (&mesh.mesh, mesh.primitive, mesh.vertices);
    let mut parts = Vec::new();
    if mesh.position.max > 0.0 {
        let (most, mean) = (number(mesh.position.max), number(mesh.position.mean));
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
        let (most, mean, vertex) = (number(angles.max), number(angles.mean), angles.vertex);
        parts.push(format!(
            "normals by up to {most}° at vertex {vertex}, {mean}° on average"
        ));
    }
    let vertices = if count == 1 { "vertex" } else { "vertices" };
    let parts = parts.join("; ");
    format!("  mesh `{name}`, primitive {primitive}, {count} {vertices}: {parts}")
}

/// Returns a number with three digits that count.
fn number(number: f64) -> String {
    match number {
        0.001..1e6 => {
            let whole = number.log10().floor() as i32;
            let digits = usize::try_from(2 - whole).unwrap_or(0);
            format!("{number:.digits$}")
        }
        _ => format!("{number:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_digits_that_count() {
        let texts = [0.0123456, 1.0, 123.4, 4567.8, 1.19e-7, 0.0].map(number);
        assert_eq!(
            texts,
            ["0.0123", "1.00", "123", "4568", "1.19e-7", "0.00e0"]
        );
    }
}
