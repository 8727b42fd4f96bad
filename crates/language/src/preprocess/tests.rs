use super::*;
use crate::yaml::{self, Kind, NodeId};
use rigy_base::diag::Code;

/// Returns the preprocessed document as JSON-like text, or the codes of the findings.
fn run(text: &str, rotations: Rotations) -> Result<String, Vec<Code>> {
    let source = yaml::compose(text, &yaml::Options::default()).expect("the text is YAML");
    let version = Version::read(&source).expect("the version is one");
    let done = preprocess(&source, version, rotations);
    let tree = done.tree.map_err(|errors| {
        let codes = errors.iter().filter_map(|error| error.code);
        codes.collect::<Vec<_>>()
    })?;
    Ok(show(&tree, tree.root))
}

fn show(tree: &Tree, id: NodeId) -> String {
    match &tree.node(id).kind {
        Kind::Null => "~".into(),
        Kind::Bool(value) => value.to_string(),
        Kind::Int(int) => int.exact.unwrap().to_string(),
        Kind::Float(value) => format!("{value:?}"),
        Kind::Str(text) => format!("{text:?}"),
        Kind::Seq(items) => {
            let items: Vec<String> = items.iter().map(|id| show(tree, *id)).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Map(entries) => {
            let entries = entries.iter();
            let entries: Vec<String> = entries
                .map(|e| format!("{}: {}", e.key, show(tree, e.value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => panic!("{other:?}"),
    }
}

/// Returns what comes of a document of version 0.12 with these further keys.
fn of(keys: &str) -> Result<String, Vec<Code>> {
    let text = run(&format!("version: '0.12'\n{keys}"), Rotations::Canonical)?;
    Ok(text.replacen("{version: \"0.12\", ", "{", 1))
}

#[test]
fn repeats_are_written_out_inside_one_another() {
    let text = "x: [a, {repeat: {count: 2, as: i, body: {id: 'p${i}', n: '${i}', \
                l: [{repeat: {count: '${i}', as: j, body: {id: '${i}_${j}'}}}]}}}, b]";
    let expected =
        r#"{x: ["a", {id: "p0", n: 0, l: []}, {id: "p1", n: 1, l: [{id: "1_0"}]}, "b"]}"#;
    assert_eq!(of(text).as_deref(), Ok(expected));
}

#[test]
fn a_finding_knows_the_repetition() {
    let text = "version: '0.12'\nx:\n- repeat: {count: 3, as: i, body: {n: '=1/($two-${i})'}}\nparams: {two: 2}";
    let source = yaml::compose(text, &yaml::Options::default()).unwrap();
    let version = Version::read(&source).unwrap();
    let done = preprocess(&source, version, Rotations::Canonical);
    let errors = done.tree.unwrap_err();
    assert_eq!(errors.len(), 1);
    let span = errors[0].span.unwrap();
    let said = done.origins.describe(span, |_| 3).unwrap();
    assert_eq!(said, "in the repeat of line 3 with i = 2");
    assert_eq!(done.origins.source(span).via, 0);
}

/// The help of the first finding.
fn help(keys: &str) -> String {
    let text = format!("version: '0.12'\n{keys}");
    let source = yaml::compose(&text, &yaml::Options::default()).unwrap();
    let version = Version::read(&source).unwrap();
    let tree = preprocess(&source, version, Rotations::Canonical).tree;
    tree.unwrap_err().remove(0).help.unwrap_or_default()
}

#[test]
fn the_nearest_param_of_an_expression_is_suggested() {
    let found = help("params: {width: 2}\nx: '=2*$widht'");
    assert_eq!(found, "did you mean `$width`?");
}

#[test]
fn of_params_that_are_equally_near_the_first_by_name_is_suggested() {
    for reference in ["$aw", "'=$aw+1'"] {
        for _ in 0..8 {
            let found = help(&format!("params: {{az: 1, ay: 1, ax: 1}}\nx: {reference}"));
            assert_eq!(found, "did you mean `$ax`?");
        }
    }
}

#[test]
fn an_expression_without_its_sign_gets_advice() {
    let found = help("params: {h: 1}\nx: ' $h / 0 '");
    assert_eq!(found, "an expression begins with `=`: `\"=$h / 0\"`");
    let found = help("params: {h: 1}\nx: 'leg $h'");
    assert!(found.contains("a whole value"), "{found}");
}

#[test]
fn only_an_expression_without_quotes_can_be_cut_at_a_comma() {
    let advice = "put quotes around it: a comma ends a value between brackets";
    assert_eq!(help("x: [=max(1,2)]"), advice);
    assert_eq!(help("x: ['=max(1']"), "");
}

#[test]
fn params_keep_their_type_and_their_text_is_literal() {
    let text = "params: {n: 1, f: 2.5, t: true, s: \"=1\", r: $n}\nx: [$n, $f, $t, $s, $r, 'US$5', '=$n+$f']";
    assert_eq!(
        of(text).as_deref(),
        Ok(r#"{x: [1, 2.5, true, "=1", "$n", "US$5", 3.5]}"#)
    );
    let text = "version: '0.12'\nparams: {n: 1, s: \"=1\"}\nx: [$n, $s]";
    let expected = r#"{version: "0.12", params: {s: "=1"}, x: [1, "$s"]}"#;
    assert_eq!(run(text, Rotations::Authored).as_deref(), Ok(expected));
}

#[test]
fn findings_of_params_and_repeats() {
    use Code::{U10, V57, V58, V59, V60, V62, V63, V64, V65};
    for (text, expected) in [
        ("params: ~", V57),
        ("params: [1]", V58),
        ("params: {a: ~}", V58),
        ("params: {a: .inf}", V58),
        ("params: {a: '${i}'}", V58),
        ("params: {1a: 1}", V58),
        ("x: $a", V59),
        ("x: a$a", V60),
        ("x: '${i}'", V65),
        ("x: [{repeat: 1}]", V64),
        ("x: [{repeat: {count: -1}}]", V62),
        ("x: [{repeat: {count: -1, to: 1}}]", V64),
        ("x: [{repeat: {as: i}}]", V64),
        ("x: [{repeat: {count: 2.0, as: i, body: {}}}]", V62),
        ("x: [{repeat: {count: true, as: i, body: {}}}]", V62),
        ("x: [{repeat: {count: 1, as: 1, body: {}}}]", V63),
        ("x: [{repeat: {count: 1, as: i, body: []}}]", V64),
        ("x: [{repeat: {count: 1000000000, as: i, body: {}}}]", U10),
        (
            "x: [{repeat: {count: 1000000000000000000000000000000, as: i, body: {a: 1}}}]",
            U10,
        ),
        (
            "x: [{repeat: {count: 1000, as: i, body: {l: [{repeat: {count: 1000, as: j, body: {a: b}}}]}}}]",
            U10,
        ),
    ] {
        assert_eq!(of(text), Err(vec![expected]), "{text}");
    }
    assert!(of("x: [{repeat: {count: 0, as: i, body: {}}}]").is_ok());
}

#[test]
fn a_repeat_in_a_wrong_place_is_told_of_once() {
    for text in [
        "x: [{repeat: {count: 2, as: i, body: {repeat: {count: 2, as: j, body: {id: '${i}${j}'}}}}}]",
        "x: [{repeat: {count: 3, as: i, body: {id: '${i}', y: {repeat: {count: 2, as: j, body: {id: '${j}'}}}}}}]",
        "x: [{repeat: {count: 2, as: i, body: {id: '${i}'}}, y: 1}]",
        "x: [[{y: 1, repeat: 3}]]",
        "x: {repeat: {count: 2, as: i, body: {id: '${i}'}}, y: {id: 1}}",
        "params: {repeat: {count: 2, as: i, body: {}}}",
        "repeat: {count: 2}",
        "x: {y: {repeat: ~}}",
        "x: [{repeat: ~, count: 2, as: i, body: {}}]",
    ] {
        assert_eq!(of(text), Err(vec![Code::V64]), "{text}");
        let help = help(text);
        assert!(
            ["a list of the body", "- repeat", "further than `repeat`"]
                .iter()
                .any(|advice| help.contains(advice)),
            "{help}"
        );
    }
    // The author may call something so.
    for text in [
        "materials: {repeat: {base_color: [1, 1, 1, 1]}}",
        "x: {bones: {repeat: {rotation: [1, 0, 0, 0]}}}",
        "params: {repeat: 3}\nx: $repeat",
        "geometry_checks: {repeat: {count: 2}}",
    ] {
        assert!(of(text).is_ok(), "{text}");
    }
    let earlier = "version: '0.9'\nx: {repeat: {count: 2}}";
    assert!(run(earlier, Rotations::Canonical).is_ok());
}

#[test]
fn the_name_of_a_param_without_its_sign_is_told_of() {
    let macro_of = |y: &str| {
        format!(
            "params: {{w: 2}}\nmeshes: [{{id: m, primitives: [{{type: box, id: p, aabb: {{min: [0, 0, 0], max: [1, {y}, 1]}}}}]}}]"
        )
    };
    let advice = "`w` is a param: write `$w`";
    assert_eq!(help(&macro_of("w")), advice);
    assert_eq!(help("params: {w: 2}\nx: '=2*w+$w'"), advice);
    assert_eq!(help("params: {w: 2}\nx: '=2*v'"), "");
    assert!(of(&macro_of("$w")).is_ok());
    let source = "version: '0.12'\nparams: {w: 2, ww: 1}\nx: '=w*(ww-$w)/sin(w)'";
    let tree = yaml::compose(source, &yaml::Options::default()).unwrap();
    let version = Version::read(&tree).unwrap();
    let done = preprocess(&tree, version, Rotations::Canonical);
    let Some(Mend::Replace { to, .. }) = done.tree.unwrap_err().remove(0).mend.map(|mend| *mend)
    else {
        panic!("no mend");
    };
    assert_eq!(to, "=$w*(ww-$w)/sin($w)");
}

#[test]
fn rotations_become_canonical_quaternions() {
    let of = |rotation: &str| {
        let text = format!("meshes: [{{id: m, primitives: [{{transform: {{{rotation}}}}}]}}]");
        let shown = of(&text)?;
        let (_, rest) = shown.split_once("rotation_quat: [").unwrap();
        Ok::<_, Vec<Code>>(rest.split(']').next().unwrap().to_owned())
    };
    for (rotation, expected) in [
        (
            "rotation_degrees: [90, 0, 0]",
            "0.707106781187, 0.0, 0.0, 0.707106781187",
        ),
        (
            "rotation_degrees: [30, 0, 0]",
            "0.25881904510299997, 0.0, 0.0, 0.965925826289",
        ),
        (
            "rotation_degrees: [270, 0, 0]",
            "-0.707106781187, 0.0, 0.0, 0.707106781187",
        ),
        ("rotation_degrees: [-180, 0, 0]", "-1.0, 0.0, 0.0, 0.0"),
        ("rotation_degrees: [540, 0, 0]", "1.0, 0.0, 0.0, 0.0"),
        (
            "rotation_degrees: [10, 20, 30]",
            "0.038134576475, 0.18930785741199999, 0.239298337745, 0.951548524644",
        ),
        (
            "rotation_axis_angle: {axis: [0, 0, 1], degrees: 26.565051177}",
            "0.0, 0.0, 0.229752920547, 0.973248989468",
        ),
    ] {
        assert_eq!(of(rotation).as_deref(), Ok(expected), "{rotation}");
    }
    use Code::{U10, V57, V67, V72, V73, V78};
    for (rotation, code) in [
        ("rotation_quat: ~, rotation_euler: [0, 0, 0]", V72),
        ("rotation_quat: ~", V73),
        ("rotation_quat: [0, 0, 0, a]", U10),
        ("rotation_quat: [0, 0, 0, .inf]", V73),
        ("rotation_quat: [0, 0, 0, 0]", V78),
        ("rotation_axis_angle: {axis: [0, 0, 0], degrees: 1}", V67),
        (
            "rotation_axis_angle: {axis: [0, 0, 1], degrees: 1, a: 1}",
            V57,
        ),
        ("rotation_axis_angle: {axis: [0, 0, 1]}", V73),
        ("rotation_axis_angle: {axis: [0, 0, '1'], degrees: 1}", U10),
        ("rotation_euler: [0, 0]", U10),
        ("rotation_euler: [0, 0, .nan]", V73),
    ] {
        assert_eq!(of(rotation), Err(vec![code]), "{rotation}");
    }
}

#[test]
fn corners_become_dimensions_and_a_place() {
    let of = |primitive: &str| {
        of(&format!(
            "meshes: [{{id: m, primitives: [{{{primitive}}}]}}]"
        ))
    };
    assert_eq!(
        of("type: box, id: b, aabb: {min: [0, 0, 0], max: [1, 2, 4]}").as_deref(),
        Ok(
            r#"{meshes: [{id: "m", primitives: [{type: "box", id: "b", dimensions: {width: 1.0, height: 2.0, depth: 4.0}, transform: {translation: [0.5, 1.0, 2.0]}}]}]}"#
        )
    );
    use Code::{F115, U10, V34, V57};
    for (primitive, code) in [
        ("type: sphere, aabb: ~", U10),
        (
            "type: box, dimensions: ~, aabb: {min: [0, 0, 0], max: [1, 1, 1]}",
            U10,
        ),
        (
            "type: box, aabb: {min: [0, 0, 0], max: [1, 1, 1], a: 1}",
            V57,
        ),
        ("type: box, aabb: {min: [0, 0, 0]}", V34),
        ("type: box, aabb: {min: [0, 0, '0'], max: [1, 1, 1]}", U10),
        ("type: box, aabb: {min: [0, 0, 0], max: [1, 0, 1]}", U10),
        (
            "type: box, transform: {translation: ~}, aabb: {min: [0, 0, 0], max: [1, 1, 1]}",
            F115,
        ),
        (
            "type: box, transform: 1, aabb: {min: [0, 0, 0], max: [1, 1, 1]}",
            U10,
        ),
    ] {
        assert_eq!(of(primitive), Err(vec![code]), "{primitive}");
    }
}

#[test]
fn walls_are_cut_into_boxes() {
    let wall = |more: &str| {
        of(&format!(
            "meshes: [{{id: m, primitives: [{{macro: box_decompose, mesh: m, id: w, axis: x, span: [0, 10], \
             height: 3, thickness: 0.5, {more}}}]}}]"
        ))
    };
    let shown = wall("tags: [a], cutouts: [{id: d, span: [1, 2], top: 2}, {id: v, span: [4, 6], bottom: 1, top: 2}]").unwrap();
    let ids: Vec<&str> = shown
        .split("id: \"")
        .skip(2)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "w_gap_0",
            "w_gap_1",
            "w_gap_2",
            "w_d_above",
            "w_v_below",
            "w_v_above"
        ]
    );
    assert!(shown.contains(
        r#"id: "w_v_below", dimensions: {width: 2.0, height: 1.0, depth: 0.5}, transform: {translation: [5.0, 0.5, 0.0]}, tags: ["a"]}"#
    ));
    use Code::{F116, U10, V57, V76};
    for (more, code) in [
        ("mash: 1", V57),
        ("base_y: ~", U10),
        ("offset: 0, offset_mode: neg_face", U10),
        ("cutouts: [{id: 1, span: [0, 1]}]", F116),
        ("cutouts: [{id: a, span: [0, 11]}]", U10),
        (
            "cutouts: [{id: a, span: [0, 2]}, {id: b, span: [1, 3]}]",
            U10,
        ),
        (
            "cutouts: [{id: a, span: [0, 9], bottom: 1, top: 2}, {id: b, span: [0, 1], bottom: 2}, {id: c, span: [3, 4], bottom: 0, top: 1.5}]",
            U10,
        ),
        ("tags: a", U10),
    ] {
        assert_eq!(wall(more), Err(vec![code]), "{more}");
    }
    assert!(
        wall("cutouts: [{id: a, span: [0, 2], top: 1}, {id: b, span: [1, 3], bottom: 1}]").is_ok()
    );
    assert_eq!(
        of("meshes: [{id: m, primitives: [{macro: box_decompose, mesh: n, a: 1}]}]"),
        Err(vec![V76])
    );
}

#[test]
fn features_of_later_versions_have_a_code() {
    for (version, keys, code) in [
        ("0.11", "x: '=1'", Code::V77),
        ("0.6", "meshes: [{material: ~}]", Code::V77),
        (
            "0.6",
            "meshes: [{primitives: [{transform: {rotation_quat: ~}}]}]",
            Code::V77,
        ),
        (
            "0.9",
            "meshes: [{primitives: [{macro: triangle_prism_on_plane}]}]",
            Code::V77,
        ),
    ] {
        let text = format!("version: '{version}'\n{keys}");
        assert_eq!(run(&text, Rotations::Canonical), Err(vec![code]), "{text}");
    }
    let text = "version: '0.9'\nx: ['=1', $a, '${i}', {repeat: 1}]";
    let expected = r#"{version: "0.9", x: ["=1", "$a", "${i}", {repeat: 1}]}"#;
    assert_eq!(run(text, Rotations::Canonical).as_deref(), Ok(expected));
}
