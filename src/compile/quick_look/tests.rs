use super::*;
use crate::geometry::tessellate;
use crate::language::model::Shape;

#[test]
fn entries_that_replace_merged_ones_are_counted_instead_of_them() {
    let base = "meshes:\n- {id: m, primitives: [&s {type: sphere, id: s}]}\n- &n {id: n, primitives: [*s]}\n";
    let (sphere, _) = tessellate::counts(Shape::Sphere);
    let limits = Limits {
        vertices: 3 * sphere as u64 - 1,
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
