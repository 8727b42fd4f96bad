//! Mistakes that authors make, and what is said about them: the line, and words that tell what to write.

use rigy_batch::MemoryLoader;
use rigy_batch::base::diag::without_repeats;
use rigy_batch::compile::{Files, Input, check};

use crate::support::Dir;

/// A document of which the rows break a part.
const GOOD: &str = r#"version: "0.5"
meshes:
  - id: m
    primitives:
      - {type: box, id: p, dimensions: {x: 1}}
armatures:
  - {id: a, bones: [{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}
bindings:
  - {mesh_id: m, armature_id: a, weights: [{primitive_id: p, bones: [{bone_id: r, weight: 1}]}]}
poses:
  - {id: o, bones: {r: {rotation: [1, 0, 0, 0]}}}
"#;

/// The first finding of a text: its line, and its message with the advice.
fn first(text: &str) -> (u32, String) {
    let files = Files::new(MemoryLoader::default());
    let checked = check(Input::new("d.rigy.yaml", text), &files);
    let errors = checked.err().unwrap_or_else(|| panic!("no error: {text}"));
    let error = &errors[0];
    let position = error.place.as_ref().and_then(|place| place.position);
    (position.map_or(0, |(line, _)| line), error.advised())
}

#[test]
fn mistakes_are_told_of_in_their_line_with_what_to_write() {
    #[rustfmt::skip] // a row stays a line
    let rows: &[(&str, &str, u32, &str)] = &[
        // Characters that look like others, and those of other languages.
        ("      - {type", "\t- {type", 5, "not with tabs"),
        ("      - {type", "    \u{a0} - {type", 5, "no-break space"),
        ("      - {type", "      -\u{a0}{type", 5, "no-break space"),
        ("meshes:\n", "// boxes\nmeshes:\n", 2, "comments begin with `#`"),
        ("\"0.5\"", "“0.5”", 1, "straight quotes: `\"0.5\"`"),
        ("{x: 1}", "{x: “1”}", 5, "straight quotes"),
        // Units.
        ("{x: 1}", "{x: 1.8m}", 5, "write `1.8`"),
        ("{x: 1}", "{x: 180 cm}", 5, "write `1.8`"),
        ("{x: 1}", "{x: 2ft}", 5, "write `0.6096`"),
        ("{x: 1}}", "{x: 1}, transform: {rotation_euler: [90deg, 0, 0]}}", 5, "`rotation_degrees`"),
        ("meshes:\n", "units: cm\nmeshes:\n", 2, "180 centimetres are `1.8`"),
        ("[1, 0, 0, 0]", "[90, 0, 0]", 11, "quaternion"),
        ("[1, 0, 0, 0]", "[90, 0, 0, 0]", 11, "w² + x²"),
        // Lists and mappings.
        ("  - id: m\n    primitives:\n      - {type: box, id: p, dimensions: {x: 1}}\n", "  m: {primitives: []}\n", 3, "such as `- id: m`"),
        ("{x: 1}", "1", 5, "{radius: 0.5}"),
        ("{x: 1}", "[1, 1, 1]", 5, "{radius: 0.5}"),
        ("head: [0, 0, 0]", "head: {x: 0}", 7, "such as `- id: x`"),
        ("head: [0, 0, 0]", "head: 0", 7, "a list is written"),
        ("head: [0, 0, 0]", "head: [0, 0]", 7, "a list of 3 numbers, found 2"),
        ("bones: {r: {rotation: [1, 0, 0, 0]}}", "bones: [{r: {}}]", 11, "a mapping is written"),
        ("meshes:\n", "imports: {part: part.yaml}\nmeshes:\n", 2, "`{source: part.yaml}`"),
        ("- {type: box, id: p, dimensions: {x: 1}}", "- box", 5, "is written `{"),
        // Names.
        ("mesh_id: m", "mesh_id: p", 9, "`p` is a primitive of mesh `m`"),
        ("mesh_id: m", "mesh_id: a", 9, "`a` is an armature"),
        ("armature_id: a", "armature_id: m", 9, "`m` is a mesh"),
        ("bone_id: r", "bone_id: elbow", 9, "there is `r`"),
        ("bones: {r: {rotation", "bones: {a: {rotation", 11, "`a` is an armature"),
        ("primitive_id: p", "primitive_id: r", 9, "`r` is a bone of armature `a`"),
        ("bones: {r: {rotation", "bones: {R: {rotation", 11, "did you mean `r`?"),
        ("parent: none", "parent: spine", 7, "there are `none`, `r`"),
        ("parent: none", "parent: null", 7, "`parent: none`"),
        ("parent: none", "parent: r", 7, "one bone of the chain"),
        // Versions.
        ("version: \"0.5\"\n", "", 1, "add a line such as `version: \""),
        ("\"0.5\"", "0.5", 1, "`version: \"0.5\"`"),
        ("\"0.5\"", "\"1.0\"", 1, "one of \"0.1\" to"),
        ("version:", "Version:", 1, "did you mean `version`?"),
        // Fields.
        ("dimensions: {x: 1}", "size: {x: 1}", 5, "`dimensions: {x: 1, y: 1, z: 1}` for a box"),
        ("type: box, ", "", 5, "one of `box`, `sphere`"),
        ("type: box", "type: Box", 5, "did you mean `box`?"),
        ("type: box", "type: cube", 5, "did you mean `box`?"),
        ("{x: 1}", "{x: \"=1 + 1\"}", 5, "expressions need version 0.12"),
        ("{x: 1}", "{x: $size}", 5, "params need version 0.10"),
        ("version: \"0.5\"\nmeshes:\n  - id: m\n    primitives:\n      - {type: box, id: p, dimensions: {x: 1}}",
            "version: \"0.12\"\nparams: {len: 2}\nmeshes:\n  - id: m\n    primitives:\n      - {type: box, id: p, dimensions: {x: \"=${len}/2\"}}",
            6, "`len` is a param: write `$len`"),
        ("weight: 1", "weight: 50%", 9, "write `0.5`"),
        ("weights: [", "weight: [", 9, "did you mean `weights`?"),
        ("poses:\n", "pose:\n", 10, "did you mean `poses`?"),
        ("poses:\n", "animations:\n", 10, "`poses`"),
        ("rotation: [1, 0, 0, 0]", "rotate: [1, 0, 0, 0]", 11, "`rotation`, `translation`"),
        ("rotation: [1, 0, 0, 0]", "scale: [1, 1, 1]", 11, "bone transforms are rigid"),
        ("rotation: [1, 0, 0, 0]", "rotation: 90", 11, "4 numbers, w x y z"),
        ("poses:\n", "meshes: []\nposes:\n", 10, "appears twice"),
        // Keys of other words.
        ("{id: r, parent", "{name: r, parent", 7, "`name` is called `id` here"),
        ("{id: o, bones", "{title: o, bones", 11, "`title` is called `id` here"),
        ("head: [0, 0, 0]", "start: [0, 0, 0]", 7, "`start` is called `head` here"),
        ("tail: [0, 1, 0]", "peak: [0, 1, 0]", 7, "`peak` is called `tail` here"),
        ("mesh_id: m", "mesh: m", 9, "`mesh` is called `mesh_id` here"),
        ("armature_id: a", "rig_id: a", 9, "`rig_id` is called `armature_id` here"),
        ("{id: r, parent", "{bone_id: r, parent", 7, "`bone_id` is called `id` here"),
        ("rotation: [1, 0, 0, 0]", "rotation_order: xyz", 11, "its fields are"),
        ("bone_id: r", "bone: r", 9, "`bone` is called `bone_id` here"),
        ("weight: 1", "amount: 1", 9, "`amount` is called `weight` here"),
        ("{primitive_id: p, bones", "{part: p, bones", 9, "`part` is called `primitive_id` here"),
        ("{x: 1}}", "{x: 1}, transform: {position: [0, 0, 0]}}", 5, "`position` is called `translation` here"),
        ("poses:\n", "symmetry: {mirror_x: {from: L_, prefix_to: R_}}\nposes:\n", 10, "`from` is called `prefix_from` here"),
        ("poses:\n", "anchors: [{id: x, location: [0, 0, 0]}]\nposes:\n", 10, "`location` is called `translation` here"),
        ("poses:\n", "imports: {w: {file: w.rigy.yaml}}\nposes:\n", 10, "`file` is called `source` here"),
        ("poses:\n", "instances: [{id: i, source: w, attach3: {from: [a, b, c], to: [d, e, f], mode: rigid}}]\nposes:\n", 10, "`source` is called `import` here"),
        // Bones without their weights.
        ("bones: [{bone_id: r, weight: 1}]", "bones: [r]", 9, "write `{bone_id: r, weight: 1}`"),
        ("bones: [{bone_id: r, weight: 1}]", "bones: r", 9, "write `[{bone_id: r, weight: 1}]`"),
        ("weights: [{primitive_id: p, bones: [{bone_id: r, weight: 1}]}]", "weight_maps: [{primitive_id: p, gradients: [{axis: y, range: [0, 1], from: r, to: []}]}]",
            9, "write `{bone_id: r, weight: 1}`"),
        // Numbers as they are written.
        ("{x: 1}", "{x: -9007199254740993}", 5, "is -9007199254740993"),
        ("{x: 1}", "{x: -1e22}", 5, "is -1e22"),
        ("weight: 1", "weight: 1e22", 9, "weight 1e22 of"),
        ("weight: 1", "weight: \"123456789012345678901234567890\"", 9, "weight 123456789012345678901234567890 of"),
        ("bone_id: r", "bone_id: 36893488147419103233", 9, "found the number 36893488147419103233"),
        // Signs of YAML.
        ("  - id: m", "  - id m", 3, "lacks a `:`"),
        ("  - id: m", "  - id:m", 3, "a space after the `:`"),
        ("    primitives", "   primitives", 4, "begin in one column"),
        ("    primitives", "     primitives", 4, "begin in one column"),
        ("  - id: m", "  id: m", 4, "begin in one column"),
        ("meshes:", "meshes", 2, "lacks a `:`"),
        ("[1, 0, 0, 0]", "[1, 0, 0, 0", 11, "that opens here is not closed"),
        ("{x: 1}}", "{x: 1}", 5, "that opens here is not closed"),
        ("{x: 1}}", "{x: 1}}}", 5, "one too many"),
        ("{x: 1}}", "{x: 1]}", 5, "that opens here is not closed"),
        ("box, id: p,", "box, id: p", 5, "a comma is missing"),
        ("box, id: p,", "box, id: p,,", 5, "remove the comma"),
        ("box, id: p,", "box, id: \"p,", 5, "the quote that opens here"),
        ("box, id: p,", "box, id: \"C:\\dir\",", 5, "a backslash begins an escape"),
        ("box, id: p,", "box, id: @p,", 5, "put quotes around text"),
        ("box, id: p,", "box, id: *p,", 5, "no anchor of this name"),
        ("box, id: p,", "box, id: !mine p,", 5, "only !!str"),
        ("box, id: p,", "box, id: ${p},", 5, "contains `${…}`"),
        ("dimensions: {x", "dimensions:{x", 5, "a space after the `:`"),
        ("\"0.5\"\n", "\"0.5\"#x\n", 1, "a space before the `#`"),
        ("meshes:\n", "name: Door: left\nmeshes:\n", 2, "put quotes around text that contains `: `"),
        ("meshes:\n", "? [a]\n: 1\nmeshes:\n", 2, "must be a string, not a collection"),
        ("meshes:\n", "<<<<<<< HEAD\nmeshes:\n", 2, "a merge conflict was left here"),
        ("version: \"0.5\"", "%TAG ! tag:x,2000:\n---\nversion: \"0.5\"", 1, "remove it"),
        ("{x: 1}", "{x: 1,5}", 5, "a point instead of the comma"),
        ("meshes:\n", "---\nmeshes:\n", 2, "exactly one document"),
    ];
    for (part, mistake, line, words) in rows {
        assert_eq!(GOOD.matches(part).count(), 1, "{part}");
        let text = GOOD.replace(part, mistake);
        let (found, message) = first(&text);
        assert!(message.contains(words), "{mistake}: {message}");
        assert_eq!(found, *line, "{mistake}: {message}");
    }
    let colors = "version: \"0.6\"\nmeshes: []\nmaterials:\n  red: {base_color: COLOR}\n";
    for (color, words) in [
        ("\"#f00\"", "[1, 0.5, 0, 1]"),
        ("[255, 0, 0, 255]", "divided by 255"),
        ("red", "a list is written"),
    ] {
        let (line, message) = first(&colors.replace("COLOR", color));
        assert!(line == 4 && message.contains(words), "{color}: {message}");
    }
}

/// The findings of a file with this name.
fn all(name: &str, text: &str) -> Vec<String> {
    let files = Files::new(MemoryLoader::default());
    let errors = check(Input::new(name, text), &files)
        .err()
        .unwrap_or_default();
    errors.iter().map(|error| error.to_string()).collect()
}

#[test]
fn a_slip_is_one_finding() {
    for (part, slip) in [
        ("{id: r, parent", "{name: r, parent"),
        ("weight: 1", "amount: 1"),
        ("bones: [{bone_id: r, weight: 1}]", "bones: [r]"),
        ("dimensions: {x: 1}", "size: {x: 1}"),
        (
            "poses:\n",
            "instances: [{id: i, source: w, attach3: {from: [a, b, c], to: [d, e, f], mode: rigid}}]\nposes:\n",
        ),
    ] {
        let found = all("d.rigy.yaml", &GOOD.replace(part, slip));
        assert_eq!(found.len(), 1, "{found:?}");
    }
    let two = all(
        "d.rigy.yaml",
        &GOOD.replace("head: [0, 0, 0]", "color: red"),
    );
    assert_eq!(two.len(), 2, "a text may be anything: {two:?}");
    let later = "version: '0.12'\nparams: {w: 0.5, axis_of: y}\nmeshes: [{id: m, primitives: [{type: box, id: p, dimensions: {x: w}}]}]\n";
    let found = all("d.rigy.yaml", later);
    assert!(
        found.len() == 1 && found[0].contains("`w` is a param: write `$w`"),
        "{found:?}"
    );
    // What a param holds is no name of one.
    let literal = later.replace("y}", "w}").replace("{x: w}", "{x: $axis_of}");
    let found = all("d.rigy.yaml", &literal);
    assert!(
        found.len() == 1 && !found[0].contains("write `$w`"),
        "{found:?}"
    );
}

#[test]
fn a_file_of_another_kind_is_one_finding() {
    let scene = "rigs_version: \"0.1\"\nimports: {a: a.rigy.yaml}\nscene: {base: a}\n";
    let contract = "contract_version: \"0.1\"\nrequired_anchors: []\n";
    for (name, text, words) in [
        (
            "d.rigs.yaml",
            GOOD,
            "this is a document, not a scene: it has `version`",
        ),
        ("d.rigs.yaml", contract, "this is a contract, not a scene"),
        (
            "d.rigy.yaml",
            scene,
            "this is a scene, not a document: it has `rigs_version`",
        ),
    ] {
        let found = all(name, text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("V34") && found[0].contains(words),
            "{found:?}"
        );
    }
    let renamed = all("d.rigs.yaml", GOOD);
    assert!(renamed[0].contains("ends in `.rigy.yaml`"), "{renamed:?}");
}

#[test]
fn of_many_names_eight_are_listed_and_the_others_counted() {
    let bones = |count: usize| {
        let bone =
            |i: usize| format!("{{id: joint{i}x, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}");
        (0..count).map(bone).collect::<Vec<_>>().join(", ")
    };
    for (count, words) in [
        (12, "`joint7x` and 4 more"),
        (1000, "`joint7x` and many more"),
    ] {
        let text = GOOD.replace(
            "{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}",
            &bones(count),
        );
        let (_, message) = first(&text);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn copies_of_a_repeat_are_told_of_once_with_their_number() {
    let text = "version: \"0.12\"\nmeshes:\n  - id: m\n    primitives:\n      - repeat:\n          count: 5\n          as: i\n          body:\n            \
        {type: box, id: \"b${i}\", dimensions: {x: -1, y: -2}}\n";
    let files = Files::new(MemoryLoader::default());
    let checked = check(Input::new("d.rigy.yaml", text), &files);
    let errors = checked.err().unwrap_or_default();
    assert_eq!(errors.len(), 10);
    let shown = without_repeats(errors);
    let told: Vec<String> = shown.iter().map(|error| error.advised()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    for (text, primitive) in told
        .iter()
        .zip(["x of primitive `b0`", "y of primitive `b0`"])
    {
        assert!(
            text.contains(primitive) && text.ends_with("4 more copies have the same fault"),
            "{text}"
        );
    }
}

#[test]
fn a_surface_without_triangles_is_told_of_with_what_to_choose() {
    let text = include_str!("../../conformance/invalid/W21_surface_without_triangles.rigy.yaml");
    let dir = Dir::with("a.rigy.yaml", text);
    dir.run("a.rigy.yaml -n")
        .good()
        .says("choose an `iso` between 0 and the greatest value of the field");
}
