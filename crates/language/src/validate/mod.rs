//! The semantic rules.
//!
//! In: an expanded document. Out: a [`Checked`] document, which only this module can make, with warnings; or
//! all findings, in the order of the checks of `language.md` §2.4 and then in document order. A check is skipped for
//! elements that have already failed.
//!
//! Later stages rely on these properties of a checked document: ids are unique in their lists; every bone has a parent that
//! exists or is a root, without cycles; bindings name meshes, armatures, primitives and bones that exist, and
//! bind a mesh at most once; a mesh with primitives is never bound to an armature without bones; all numbers
//! are finite, dimensions positive, weights between 0 and 1; pose rotations are unit quaternions or close
//! enough to be normalised; poses name known bones. Vertex numbers (V19), weight
//! files (V20–V22) and the tessellation profile (U11) are checked later, with the geometry and the files.

mod apart;
mod bindings;
mod bones;
mod carried;
mod ids;
mod materials;
mod mistakes;
mod surfaces;
mod uv;

use crate::model::{BoneWeight, Document, MaterialTable, NamedMaterial};
use crate::version::Feature;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Findings, Mend, Warned};
use rigy_base::maps::HashMap;

/// A document that has passed every rule.
#[derive(Clone, Debug)]
pub struct Checked<T>(T);

impl<T> std::ops::Deref for Checked<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Applies every rule that needs no other file.
///
/// # Errors
/// ValidationErrors V01–V18, V23–V28, V32, V36, U01–U03 and U12, from version 0.6 on also V38–V41, V43, V45–V47, V50–V55,
/// V66, V74, V75 and F114, in the order of the checks.
pub fn validate(document: Document) -> Diagnosed<Warned<Checked<Document>>> {
    let mut findings = Findings::default();
    rules(&document, MaterialTable::new, &mut findings);
    findings.stop()?; // warnings take for granted that parents end at a root
    warnings(&document, &mut findings);
    findings.conclude(Checked(document))
}

/// Does the same as [`validate`] for a document that another imports, but without warnings. In it, the materials of its own imports
/// are unknown (`extensions.md` D13).
///
/// # Errors
/// As [`validate`].
pub fn validate_part(document: Document) -> Diagnosed<Checked<Document>> {
    let mut findings = Findings::default();
    rules(&document, MaterialTable::of_part, &mut findings);
    findings.stop()?;
    Ok(Checked(document))
}

/// Checks the materials of direct imports that a document names; `imports` has those imports that are valid, by namespace.
///
/// # Errors
/// V42 for materials that an import does not have, then V46 for UV roles that a mesh lacks.
pub fn imported_materials(
    document: &Document,
    imports: &HashMap<&str, &Document>,
) -> Diagnosed<()> {
    let tables: HashMap<&str, MaterialTable> = imports
        .iter()
        .map(|(namespace, part)| (*namespace, MaterialTable::of_part(part)))
        .collect();
    let own = MaterialTable::new(document);
    let mut findings = Findings::default();
    materials::of_imports(document, &tables, &mut findings); // V42
    let imported = |reference: &str| match own.find(reference) {
        NamedMaterial::Imported(namespace, id) => tables.get(namespace)?.own(id),
        _ => None,
    };
    uv::missing_roles(document, imported, &mut findings); // V46
    findings.conclude(()).map(drop)
}

/// Applies the rules whose findings are errors, and those that give both errors and warnings. `table_of` is called only for versions
/// that have materials.
fn rules<'d>(
    document: &'d Document,
    table_of: fn(&'d Document) -> MaterialTable<'d>,
    f: &mut Findings,
) {
    if document.version.has(Feature::Materials) {
        materials::gates(document, f);
        surfaces::surfaces(document, f); // V79 V80 to V87
        materials::colors(document, f); // V39 V40
        materials::references(document, &table_of(document), f); // V38 V75 V74 V41
    }
    ids::meshes_and_primitives(document, f); // V01 V02 F114
    ids::armatures_and_bones(document, f); // V03 V04
    bones::parents(document, f); // U01 V05
    bones::lengths(document, f); // V06
    ids::dimensions(document, f); // V07
    bindings::targets(document, f); // V08 V09 U12 V10 V11
    bindings::weight_maps(document, f); // V23 V14 W02 V15 V17 V16 V18
    bindings::bound_once(document, f); // V12
    bindings::primitive_weights(document, f); // V13
    ids::anchors_and_instances(document, f); // V24 V25 V26 V27 V28
    ids::poses(document, f); // U03
    ids::numbers(document, f); // V32
    bones::rotations(document, f); // V36 V32 W04
    bones::bones(document, f); // U02
    if document.version.has(Feature::Materials) {
        uv::roles_and_sets(document, f); // V43 V45 V47 V46 V50 to V55
    }
}

/// Applies the rules that give only warnings.
fn warnings(document: &Document, f: &mut Findings) {
    bones::roots(document, f); // W03
    bones::translations(document, f); // W11
    later_features(document, f); // W12
    mistakes::replaced_weights(document, f); // W17
    mistakes::angles(document, f); // W18 W22
    mistakes::component_orders(document, f); // W19
    mistakes::sums(document, f); // W20
    apart::left_behind(document, f); // W24
}

/// Reports features that are newer than the declared version (W12).
fn later_features(document: &Document, f: &mut Findings) {
    for feature in &document.later_features {
        let (introduced, declared) = (feature.introduced, feature.declared);
        let message = format!(
            "`{}` came with version {introduced}, but the document declares {declared}",
            feature.name
        );
        let help = format!("declare `version: \"{introduced}\"`");
        let mend = Mend::Declare(introduced.to_string());
        let warning = Diagnostic::new(Code::W12, feature.span, message);
        f.report(warning.help(help).mend(mend));
    }
}

/// Reports a weight outside 0 to 1. A weight that is not a number passes here and fails with the other numbers (V32).
fn check_weight(code: Code, influence: &BoneWeight, f: &mut Findings) {
    let weight = influence.weight;
    if weight.value < 0.0 || weight.value > 1.0 {
        let bone = &influence.bone_id.value;
        let message = format!("weight {} of bone `{bone}` is outside 0 to 1", weight.value);
        f.error(code, weight.span, message);
    }
}

/// Returns what else has a name in a document, as the end of a sentence about a name that does not exist; empty if nothing has it, or after
/// many errors.
fn elsewhere(document: &Document, name: &str, f: &Findings) -> String {
    if !f.is_thorough() {
        return String::new();
    }
    let meshes = document.meshes.iter();
    let primitive = meshes.clone().find_map(|mesh| {
        mesh.primitives
            .iter()
            .any(|it| it.id.value == name)
            .then(|| format!("a primitive of mesh `{}`", mesh.id.value))
    });
    let armatures = document.armatures.iter();
    let bone = armatures.clone().find_map(|armature| {
        armature
            .bones
            .iter()
            .any(|it| it.id.value == name)
            .then(|| format!("a bone of armature `{}`", armature.id.value))
    });
    let has = |found: bool, kind: &str| found.then(|| kind.to_owned());
    has(meshes.clone().any(|it| it.id.value == name), "a mesh")
        .or_else(|| {
            has(
                armatures.clone().any(|it| it.id.value == name),
                "an armature",
            )
        })
        .or(primitive)
        .or(bone)
        .map_or_else(String::new, |kind| format!("; `{name}` is {kind}"))
}
