//! Materials, and what a version does not have (`extensions.md` §1 and §4).

use crate::model::{Document, MaterialRef, MaterialTable, Mesh, NamedMaterial, Shape};
use crate::version::Feature;
use rigy_base::diag::{Category, Code, Diagnostic, Findings, Mend, Span};
use rigy_base::maps::HashMap;

/// Reports shapes, tags and UV sets in versions that do not have them. These rules of the specification have no code.
pub fn gates(document: &Document, f: &mut Findings) {
    let mut gate = |feature: Feature, what: &str, span: Span| {
        if document.version.has(feature) {
            return;
        }
        let since = feature.since();
        let message = format!(
            "{what} begins with version {since}; this document declares {}",
            document.version
        );
        let mut error = Diagnostic::without_code(Category::ValidationError, message);
        error.span = Some(span);
        let error = error.help(format!("declare `version: \"{since}\"`"));
        f.report(error.mend(Mend::Declare(since.to_string())));
    };
    let primitives = || document.primitives();
    // Implicit surfaces have a code of their own (V79).
    for primitive in primitives().filter(|p| p.shape != Shape::Implicit) {
        if let Some(feature) = primitive.shape.feature() {
            let what = format!("the shape `{}`", primitive.shape.name());
            gate(feature, &what, primitive.id.span);
        }
    }
    for span in primitives().filter_map(|primitive| primitive.tags_key) {
        gate(Feature::Tags, "`tags`", span);
    }
    for mesh in document.meshes.iter().filter(|m| m.uv_sets.is_some()) {
        let span = mesh.uv_sets_key.unwrap_or(mesh.id.span);
        gate(Feature::UvSets, "`uv_sets`", span);
    }
}

/// Reports base colors that have not four components (V39), or one outside 0 to 1 (V40).
pub fn colors(document: &Document, f: &mut Findings) {
    for material in &document.materials {
        let (id, color) = (&material.id.value, &material.base_color);
        if color.value.len() != 4 {
            let message = format!(
                "the base color of material `{id}` has {} components, not 4: red, green, blue, alpha",
                color.value.len()
            );
            f.error(Code::V39, color.span, message);
        }
    }
    for material in &document.materials {
        let (id, color) = (&material.id.value, &material.base_color);
        let outside = color.value.iter().find(|part| !(0.0..=1.0).contains(*part));
        if let (4, Some(part)) = (color.value.len(), outside) {
            let message = format!("the base color of material `{id}` has {part}, outside 0 to 1");
            let error = Diagnostic::new(Code::V40, color.span, message);
            f.report(if (1.0..=255.0).contains(part) {
                of_255(error, &color.value)
            } else {
                error
            });
        }
    }
}

/// Adds advice to the finding about a colour whose components are parts of 255 most likely.
fn of_255(error: Diagnostic, color: &[f64]) -> Diagnostic {
    let error = error.help("parts of 255 are divided by 255: 255 is 1, and 128 is 0.502");
    let is_part = |part: &f64| part.fract() == 0.0 && (0.0..=255.0).contains(part);
    // An opacity of 1 is full in one notation, and hardly any in the other.
    let is_opacity = color.last().is_some_and(|opacity| *opacity != 1.0);
    if !(is_opacity && color.iter().all(is_part)) {
        return error;
    }
    let rounded = |part: &f64| (part / 255.0 * 1e3).round() / 1e3;
    error.mend(Mend::Numbers {
        from: color.to_vec(),
        to: color.iter().map(rounded).collect(),
    })
}

/// Reports references to materials that do not exist (V38, V75 from 0.12 on), primitives without a material in a document
/// that has some (V74, from 0.12 on), and meshes whose primitives differ in material (V41, before).
pub fn references(document: &Document, table: &MaterialTable, f: &mut Findings) {
    let separate = document.version.has(Feature::Expressions);
    for mesh in &document.meshes {
        for reference in named(mesh) {
            if matches!(table.find(&reference.value), NamedMaterial::Unknown) {
                let message = format!("there is no material `{}`", reference.value);
                let code = document.version.unknown_material();
                f.unknown(code, reference, message, table.ids());
            }
        }
    }
    for mesh in &document.meshes {
        if !separate {
            different_materials(mesh, f);
        } else if !table.is_empty() {
            without_material(mesh, f);
        }
    }
}

/// The materials that a mesh and its primitives name.
fn named(mesh: &Mesh) -> impl Iterator<Item = &MaterialRef> {
    let own = mesh.primitives.iter().filter_map(|p| p.material.as_ref());
    mesh.material.iter().chain(own)
}

/// Reports references to materials that the tables of imports do not have (V42). An import that is not in `imports` is not
/// looked at.
pub fn of_imports(document: &Document, imports: &HashMap<&str, MaterialTable>, f: &mut Findings) {
    let own = MaterialTable::new(document);
    for mesh in &document.meshes {
        for reference in named(mesh) {
            let NamedMaterial::Imported(namespace, id) = own.find(&reference.value) else {
                continue;
            };
            let Some(table) = imports.get(namespace).filter(|t| t.own(id).is_none()) else {
                continue;
            };
            let message = format!("import `{namespace}` has no material `{id}`");
            let error = Diagnostic::new(Code::V42, reference.span, message);
            f.report(match f.nearest(id, table.ids()) {
                Some(near) => error.did_you_mean(&reference.value, &format!("{namespace}.{near}")),
                None => error,
            });
        }
    }
}

/// Reports primitives without a material (V74).
fn without_material(mesh: &Mesh, f: &mut Findings) {
    for primitive in &mesh.primitives {
        if mesh.material_of(primitive).is_none() {
            let message = format!("primitive `{}` has no material", primitive.id.value);
            let error = Diagnostic::new(Code::V74, primitive.id.span, message);
            f.report(error.help("give it, or its mesh, a `material`"));
        }
    }
}

/// Reports primitives whose material is not that of the first (V41).
fn different_materials(mesh: &Mesh, f: &mut Findings) {
    let name = |material: &Option<MaterialRef>| material.as_ref().map(|m| m.value.clone());
    let Some((first, others)) = mesh.primitives.split_first() else {
        return;
    };
    for primitive in others {
        if name(&primitive.material) != name(&first.material) {
            let span = primitive
                .material
                .as_ref()
                .map_or(primitive.id.span, |m| m.span);
            let message = format!(
                "primitive `{}` has another material than primitive `{}` of its mesh",
                primitive.id.value, first.id.value
            );
            let error = Diagnostic::new(Code::V41, span, message)
                .help("from version 0.12 on, primitives may differ in material");
            let since = Feature::Expressions.since().to_string();
            f.report(error.mend(Mend::Declare(since)));
        }
    }
}
