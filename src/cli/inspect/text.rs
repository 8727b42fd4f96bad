//! Descriptions as text for people: a line about the file, then tables.

use super::table::{Column, lines};
use crate::cli::render::printable;
use crate::inspect::description::{
    Check, ClipFacts, DocumentDescription, Extremes, Face, GltfDescription, InstanceFacts,
    MaterialFacts, MeshFacts, Pair, PrimitiveFacts, SkinFacts, TextureFacts,
};
use Column::{Number, Text};

/// Returns the text about a document or a scene, several lines without the last line end.
pub fn of_document(
    name: &str,
    is_scene: bool,
    description: &DocumentDescription,
    width: Option<usize>,
) -> String {
    let summary = &description.summary;
    let kind = if is_scene {
        "scene on a document"
    } else {
        "document"
    };
    let mut page = Page::new(width);
    page.say(format!(
        "{name}: {kind} of version {}, {}, {}",
        summary.rigy_version,
        counted(summary.mesh_count, "mesh", "meshes"),
        counted(summary.primitive_count, "primitive", "primitives"),
    ));
    page.say(format!("  bounds {}", bounds(&summary.bounds)));
    if let Some(all) = &summary.scene_bounds {
        page.say(format!("  bounds with all that is placed {}", bounds(all)));
    }
    let columns = [
        Text("primitive"),
        Text("type"),
        Text("material"),
        Number("min"),
        Number("max"),
        Number("extents"),
    ];
    page.table(&columns, &description.primitives, primitive);
    let columns = [
        Text("face of"),
        Text("key"),
        Number("normal"),
        Number("plane d"),
    ];
    page.table(&columns, &description.faces, face);
    let columns = [
        Text("gap between"),
        Text("and"),
        Number("x"),
        Number("y"),
        Number("z"),
        Number("overall"),
    ];
    page.table(
        &columns,
        description.pairs.as_deref().unwrap_or_default(),
        pair,
    );
    if let Some(checks) = &description.checks {
        let columns = [
            Text("check"),
            Text("label"),
            Text("result"),
            Text("because"),
        ];
        page.table(&columns, checks, check);
        if checks.is_empty() {
            page.say("  no checks".into());
        }
    }
    let columns = [Text("instance"), Text("of"), Number("min"), Number("max")];
    let instances = description.instances.as_deref();
    page.table(&columns, instances.unwrap_or_default(), instance);
    page.finish()
}

/// Returns the text about a glTF file, several lines without the last line end.
pub fn of_gltf(
    name: &str,
    format: &str,
    description: &GltfDescription,
    width: Option<usize>,
) -> String {
    let GltfDescription {
        clips,
        skins,
        meshes,
        materials,
        textures,
        extensions_used,
        bounds: extremes,
    } = description;
    let sum = |of: fn(&MeshFacts) -> u64| meshes.iter().map(of).fold(0, u64::saturating_add);
    let mut page = Page::new(width);
    page.say(format!(
        "{name}: {format}, {}, {} vertices, {} triangles",
        counted(meshes.len(), "mesh", "meshes"),
        sum(|mesh| mesh.vertices),
        sum(|mesh| mesh.triangles),
    ));
    match extremes {
        Some(extremes) => page.say(format!("  bounds at rest {}", bounds(extremes))),
        None => page.say("  no bounds".into()),
    }
    if !extensions_used.is_empty() {
        page.say(format!("  extensions used: {}", extensions_used.join(", ")));
    }
    let columns = [
        Number("clip"),
        Text("name"),
        Number("start"),
        Number("end"),
        Number("channels"),
        Number("keys"),
    ];
    page.table(&columns, clips, clip);
    let columns = [
        Number("skin"),
        Text("name"),
        Number("joints"),
        Number("influences"),
    ];
    page.table(&columns, skins, skin);
    let columns = [
        Number("mesh"),
        Text("name"),
        Number("primitives"),
        Number("vertices"),
        Number("triangles"),
        Number("morph targets"),
        Text("skinned"),
    ];
    page.table(&columns, meshes, mesh);
    let columns = [
        Number("material"),
        Text("name"),
        Number("base colour"),
        Text("alpha"),
        Text("sides"),
    ];
    page.table(&columns, materials, material);
    let columns = [
        Number("texture"),
        Text("name"),
        Text("type"),
        Number("width"),
        Number("height"),
        Number("bytes"),
    ];
    page.table(&columns, textures, texture);
    page.finish()
}

/// Lines, and tables with an empty line before each.
struct Page {
    lines: Vec<String>,
    width: Option<usize>,
}

impl Page {
    fn new(width: Option<usize>) -> Self {
        Self {
            lines: Vec::new(),
            width,
        }
    }

    fn say(&mut self, line: String) {
        self.lines.push(printable(&line));
    }

    fn table<T>(&mut self, columns: &[Column], items: &[T], row: impl Fn(&T) -> Vec<String>) {
        if !items.is_empty() {
            self.lines.push(String::new());
            let rows = items.iter().map(row).collect();
            self.lines.extend(lines(columns, rows, self.width));
        }
    }

    fn finish(self) -> String {
        self.lines.join("\n")
    }
}

fn primitive(facts: &PrimitiveFacts) -> Vec<String> {
    vec![
        facts.id.clone(),
        facts.shape.to_owned(),
        facts.material.clone(),
        or_none(facts.aabb.map(|aabb| numbers(&aabb.min))),
        or_none(facts.aabb.map(|aabb| numbers(&aabb.max))),
        or_none(facts.extents.map(|extents| numbers(&extents))),
    ]
}

fn face(face: &Face) -> Vec<String> {
    vec![
        face.primitive_id.clone(),
        face.surface_key.to_owned(),
        numbers(&face.normal),
        significant(face.plane.d),
    ]
}

fn pair(pair: &Pair) -> Vec<String> {
    let gap = pair.gap;
    let mut row = vec![pair.a.clone(), pair.b.clone()];
    row.extend([gap.x, gap.y, gap.z, gap.overall].map(significant));
    row
}

fn check(check: &Check) -> Vec<String> {
    let measured = |words: &str, value: Option<f64>| {
        value.map(|value| format!("{words} {}", significant(value)))
    };
    let because = (check.error.clone())
        .or_else(|| measured("cross product", check.cross_magnitude))
        .or_else(|| measured("distance", check.distance));
    let result = match check.pass {
        Some(true) => "passes",
        Some(false) => "FAILS",
        None => "unknown",
    };
    vec![
        or_none(check.check.clone()),
        check.label.clone(),
        result.to_owned(),
        or_none(because),
    ]
}

fn instance(facts: &InstanceFacts) -> Vec<String> {
    vec![
        facts.id.clone(),
        facts.base.clone(),
        or_none(facts.bounds.map(|bounds| numbers(&bounds.min))),
        or_none(facts.bounds.map(|bounds| numbers(&bounds.max))),
    ]
}

fn clip(facts: &ClipFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        or_none(facts.start.map(significant)),
        or_none(facts.end.map(significant)),
        facts.channels.to_string(),
        facts.keys.to_string(),
    ]
}

fn skin(facts: &SkinFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        facts.joints.to_string(),
        facts.influences.to_string(),
    ]
}

fn mesh(facts: &MeshFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        facts.primitives.to_string(),
        facts.vertices.to_string(),
        facts.triangles.to_string(),
        facts.morph_targets.to_string(),
        if facts.skinned { "yes" } else { "no" }.to_owned(),
    ]
}

fn material(facts: &MaterialFacts) -> Vec<String> {
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        numbers(&facts.base_color),
        facts.alpha_mode.clone(),
        if facts.double_sided { "both" } else { "one" }.to_owned(),
    ]
}

fn texture(facts: &TextureFacts) -> Vec<String> {
    let count = |count: Option<usize>| or_none(count.map(|count| count.to_string()));
    vec![
        facts.index.to_string(),
        or_none(facts.name.clone()),
        or_none(facts.media_type.clone()),
        count(facts.width),
        count(facts.height),
        count(facts.bytes),
    ]
}

/// Returns a text, or a dash if there is none.
fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn bounds(extremes: &Extremes) -> String {
    let (min, max) = (numbers(&extremes.min), numbers(&extremes.max));
    format!("({min}) to ({max})")
}

fn numbers(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().copied().map(significant).collect();
    texts.join(", ")
}

/// Returns a number with six digits that count, as `%g` of C writes it.
fn significant(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let short = |digits: &str| match digits.contains('.') {
        true => digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => digits.to_owned(),
    };
    match usize::try_from(5 - exponent) {
        Ok(decimals) if exponent >= -4 => short(&format!("{number:.decimals$}")),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", short(digits), exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn numbers_are_written_as_percent_g_writes_them() {
        for (number, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.3"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.0 / 3.0, "0.333333"),
            (200.0 / 3.0, "66.6667"),
            (1e300, "1e+300"),
            (-2.5e-9, "-2.5e-09"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(significant(number), expected, "{number:e}");
        }
    }
}
