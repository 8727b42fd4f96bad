//! Documents and scenes.

use crate::cli::printer::{Listing, Shows, Table, bounds, counted};
use rigy_view::description::{Check, DocumentDescription};

/// The lines about a document or a scene.
pub fn of_document(
    name: &str,
    is_scene: bool,
    description: &DocumentDescription,
    width: Option<usize>,
) -> Listing {
    let summary = &description.summary;
    let kind = if is_scene {
        "scene on a document"
    } else {
        "document"
    };
    let mut lines = Listing::new(width);
    lines.line(format!(
        "{name}: {kind} of version {}, {}, {}",
        summary.rigy_version,
        counted(summary.mesh_count, "mesh", "meshes"),
        counted(summary.primitive_count, "primitive", "primitives"),
    ));
    lines.item(format!("bounds {}", bounds(&summary.bounds)));
    if let Some(all) = &summary.scene_bounds {
        lines.item(format!("bounds with all that is placed {}", bounds(all)));
    }
    lines.table(
        Table::of(&description.primitives)
            .text("primitive", |facts| &facts.id)
            .text("type", |facts| facts.shape)
            .text("material", |facts| &facts.material)
            .number("min", |facts| facts.aabb.map(|aabb| aabb.min))
            .number("max", |facts| facts.aabb.map(|aabb| aabb.max))
            .number("extents", |facts| facts.extents),
    );
    lines.table(
        Table::of(&description.faces)
            .text("face of", |face| &face.primitive_id)
            .text("key", |face| face.surface_key)
            .number("normal", |face| face.normal)
            .number("plane d", |face| face.plane.d),
    );
    lines.table(
        Table::of(description.pairs.as_deref().unwrap_or_default())
            .text("gap between", |pair| &pair.a)
            .text("and", |pair| &pair.b)
            .number("x", |pair| pair.gap.x)
            .number("y", |pair| pair.gap.y)
            .number("z", |pair| pair.gap.z)
            .number("overall", |pair| pair.gap.overall),
    );
    if let Some(checks) = &description.checks {
        lines.table(
            Table::of(checks)
                .text("check", |check| &check.check)
                .text("label", |check| &check.label)
                .text("result", |check| match check.pass {
                    Some(true) => "passes",
                    Some(false) => "FAILS",
                    None => "unknown",
                })
                .text("because", because),
        );
        if checks.is_empty() {
            lines.item("no checks");
        }
    }
    lines.table(
        Table::of(description.instances.as_deref().unwrap_or_default())
            .text("instance", |facts| &facts.id)
            .text("of", |facts| &facts.base)
            .number("min", |facts| facts.bounds.map(|bounds| bounds.min))
            .number("max", |facts| facts.bounds.map(|bounds| bounds.max)),
    );
    lines
}

fn because(check: &Check) -> Option<String> {
    let measured = |words, value: Option<f64>| Some(format!("{words} {}", value?.shown()));
    (check.error.clone())
        .or_else(|| measured("cross product", check.cross_magnitude))
        .or_else(|| measured("distance", check.distance))
}
