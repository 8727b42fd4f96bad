//! Materials of imports, which a document names as `import.material` (`extensions.md` D13).

use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Files, Input, compile};

use super::{findings, found, memory};

/// A part with two materials, one of which uses a UV role.
const PART: &str = r#"version: "0.12"
materials:
  red: {base_color: [1, 0, 0, 1]}
  worn: {base_color: [0, 1, 0, 1], uses_uv_roles: [albedo]}
meshes: [{id: p, material: red, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]
"#;

/// A document that imports the part as `imp`, with one primitive of this material.
fn naming(material: &str) -> String {
    format!(
        "version: \"0.12\"\nimports: {{imp: {{source: part.yaml}}}}\nmeshes:\n  - id: m\n    primitives:\n      - {{type: box, id: b, dimensions: {{x: 1}}, material: {material}}}\n"
    )
}

#[test]
fn a_material_of_an_import_is_written_by_its_own_name() {
    let files: Files = Files::new(memory(&[("part.yaml", PART)]));
    let compiled = compile(Input::new("root.rigy.yaml", &naming("imp.red")), &files);
    let compiled = compiled.unwrap().value;
    let bytes = compiled.export().unwrap().to_bytes();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("\"name\":\"red\""), "{text}");
}

#[test]
fn an_unknown_material_of_an_import_is_found_at_the_reference() {
    let text = naming("imp.rod");
    let findings = findings(&text, &[("part.yaml", PART)]);
    let place = findings[0].place.as_ref().unwrap();
    assert_eq!(findings[0].code.unwrap().name(), "V42");
    assert_eq!(
        (&*place.file, &*place.path),
        ("root.rigy.yaml", "meshes[0].primitives[0].material")
    );
    let help = findings[0].help.as_deref();
    assert_eq!(help, Some("did you mean `imp.red`?"));
    assert_eq!(findings.len(), 1);
}

#[test]
fn the_material_of_a_mesh_is_checked_like_that_of_a_primitive() {
    let text = naming("imp.red").replace("- id: m", "- id: m\n    material: imp.blue");
    let codes = found(&text, &[("part.yaml", PART)]);
    assert_eq!(codes, [("V42", "root.rigy.yaml".to_owned())]);
}

#[test]
fn a_material_of_an_import_wants_its_uv_roles_too() {
    let text = naming("imp.worn");
    let codes = found(&text, &[("part.yaml", PART)]);
    assert_eq!(codes, [("V46", "root.rigy.yaml".to_owned())]);
    let with_role = text.replace(
        "- id: m",
        "- id: m\n    uv_roles: {albedo: {set: uv0}}\n    uv_sets: {uv0: {generator: box_project@1}}",
    );
    assert_eq!(found(&with_role, &[("part.yaml", PART)]), []);
}

#[test]
fn an_own_material_with_a_point_in_its_name_comes_first() {
    let text = naming("imp.rod") + "materials: {imp.rod: {base_color: [0, 0, 0, 1]}}\n";
    assert_eq!(found(&text, &[("part.yaml", PART)]), []);
}

#[test]
fn a_part_cannot_name_materials_of_its_own_imports() {
    let root = "version: \"0.12\"\nimports: {sub: {source: middle.yaml}}\n";
    for (version, code) in [("0.12", "V75"), ("0.11", "V38")] {
        let middle = naming("imp.red").replace("0.12", version);
        let files = [("middle.yaml", &*middle), ("part.yaml", PART)];
        assert_eq!(found(root, &files), [(code, "middle.yaml".to_owned())]);
        // As a document of its own, the same text is good.
        let alone = Files::new(MemoryLoader {
            files: [("part.yaml".into(), PART.into())].into(),
        });
        assert!(compile(Input::new("middle.yaml", &middle), &alone).is_ok());
    }
}

#[test]
fn faults_of_an_import_come_before_unknown_materials() {
    let broken = PART.replace("x: 1", "x: -1");
    let codes = found(&naming("imp.rod"), &[("part.yaml", &broken)]);
    assert_eq!(codes, [("V07", "part.yaml".to_owned())]);
}
