use super::*;
use crate::geometry::tessellate;
use rigy_language::model::Shape;

#[test]
fn entries_that_replace_merged_ones_are_counted_instead_of_them() {
    let base = "meshes:\n- {id: m, primitives: [&s {type: sphere, id: s}]}\n- &n {id: n, primitives: [*s]}\n";
    let (sphere, _) = tessellate::counts(Shape::Sphere);
    let limits = Limits {
        vertices: 3 * sphere - 1,
        ..Limits::DEFAULT
    };
    assert!(!refuses(base, &limits));
    assert!(refuses(&format!("{base}- {{<<: *n, id: o}}\n"), &limits));
    for own in [
        "primitives: []",
        "primitives: ~",
        "\"primit\\x69ves\": []",
        "primitives: [{<<: *s, type: *t}]",
        "primitives: [{<<: *s, type: \"\\x62ox\"}]",
        "primitives: [{<<: *s, \"typ\\x65\": box}]",
        "primitives: [{<<: *s, *k : box}]",
    ] {
        let text = format!("x: [&t box, &k type]\n{base}- {{<<: *n, id: o, {own}}}\n");
        assert!(!refuses(&text, &limits), "{own}");
    }
}

#[test]
fn items_of_bones_that_come_to_nothing_are_not_counted() {
    let bones = "version: \"0.10\"\nx: &r {repeat: {count: 0, as: i, body: {id: \"b${i}\"}}}\n\
                 meshes: [{id: m, primitives: [{type: box, id: p}]}]\n\
                 bindings: [{mesh_id: m, armature_id: a}]\narmatures:\n- id: a\n  bones:\n  - &b {id: b}\n  - {<<: *b}\n";
    let limits = Limits {
        joints: 2,
        ..Limits::DEFAULT
    };
    assert!(!refuses(bones, &limits));
    assert!(refuses(&format!("{bones}  - {{id: c}}\n"), &limits));
    assert!(refuses(&format!("{bones}  - *b\n"), &limits));
    for nothing in [
        "{repeat: {count: 0, as: i, body: {id: c}}}",
        "*r",
        "{<<: *r}",
    ] {
        assert!(
            !refuses(&format!("{bones}  - {nothing}\n"), &limits),
            "{nothing}"
        );
    }
}
