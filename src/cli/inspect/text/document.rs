//! Documents and scenes.

use super::page::Column::{Number, Text};
use super::page::{Page, bounds, counted, numbers, or_none, significant};
use crate::view::description::{
    Check, DocumentDescription, Face, InstanceFacts, Pair, PrimitiveFacts,
};

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
