//! The page of `diff --html`: the pair it shows, the distances in it, and what it replaces.

use serde_json::json;

use super::difference::{moved, same, triangle};
use crate::support::skinned::skinned;
use crate::support::viewer_page::ViewerPage;
use crate::support::{Dir, Ran};

fn compared(dir: &Dir, a: &str, b: &str) -> Ran {
    dir.run(&format!("diff {a} '{b}' --html page.html"))
}

/// The distances of the three vertices of each of `count` surfaces.
fn distances(page: &ViewerPage, count: usize) -> Vec<[f32; 3]> {
    let numbers = page.floats(&page.scene["comparison"]["distances"], 3 * count);
    numbers.as_chunks::<3>().0.to_vec()
}

/// A file with two meshes, `first` and `second`, in an order, whose corner 1 of `second` is further out.
fn two_meshes(is_swapped: bool, distance: f32) -> Vec<u8> {
    triangle(|json, data| {
        let mesh = json["meshes"][0].clone();
        let mut names = ["first", "second"];
        if is_swapped {
            names.reverse();
        }
        json["meshes"] = json!([mesh, mesh]);
        for (index, name) in names.iter().enumerate() {
            json["meshes"][index]["name"] = json!(name);
        }
        let second = usize::from(!is_swapped);
        let mut positions = json["accessors"][0].clone();
        positions["bufferView"] = json!(2);
        json["accessors"].as_array_mut().unwrap().push(positions);
        json["meshes"][second]["primitives"][0]["attributes"]["POSITION"] = json!(2);
        let view = json!({"buffer": 0, "byteOffset": 72, "byteLength": 36});
        json["bufferViews"].as_array_mut().unwrap().push(view);
        json["buffers"][0]["byteLength"] = json!(108);
        json["nodes"] = json!([{"mesh": 0}, {"mesh": 1}]);
        json["scenes"][0]["nodes"] = json!([0, 1]);
        let mut copy = data[..9].to_vec();
        copy[3] += distance;
        data.extend(copy);
    })
}

#[test]
fn the_page_has_both_models_and_the_distances_that_diff_prints() {
    let dir = Dir::with("a.glb", same());
    dir.write("b.glb", moved(0.25));
    let ran = compared(&dir, "a.glb", "b.glb");
    assert_eq!((ran.status(), &*ran.stderr()), (1, ""));
    let page = ViewerPage::read(&dir, "page.html");
    assert_eq!(page.scene["kind"], "comparison");
    assert_eq!(distances(&page, 2), [[0.0, 0.5, 0.0], [0.0, 0.5, 0.0]]);
    let comparison = &page.scene["comparison"];
    let mean = comparison["mean"].as_f64().unwrap();
    assert!((mean - 0.5 / 3.0).abs() < 1e-15);
    assert_eq!(
        json!([comparison["greatest"], comparison["byNumber"]]),
        json!([0.5, true])
    );
    for (index, corner) in [1.0, 1.25].into_iter().enumerate() {
        let model = &page.scene["models"][index]["glb"];
        assert_eq!(
            page.glb(model).0["nodes"][0]["scale"],
            json!([2.0, 2.0, 2.0])
        );
        let positions = page.attribute(model, "POSITION");
        assert_eq!(positions, [0.0, 0.0, 0.0, corner, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }
}

#[test]
fn meshes_that_stand_in_another_order_are_paired_by_name() {
    let dir = Dir::with("a.glb", two_meshes(false, 0.0));
    dir.write("b.glb", two_meshes(true, 1.0));
    assert_eq!(compared(&dir, "a.glb", "b.glb").status(), 1);
    let page = ViewerPage::read(&dir, "page.html");
    assert_eq!(page.scene["comparison"]["byNumber"], true);
    let [still, far] = [[0.0; 3], [0.0, 1.0, 0.0]];
    assert_eq!(distances(&page, 4), [still, far, far, still]);
}

#[test]
fn models_of_other_structure_have_distances_to_the_nearest_vertex() {
    let dir = Dir::with("a.glb", same());
    dir.write("b.glb", two_meshes(false, 1.5));
    assert_eq!(compared(&dir, "a.glb", "b.glb").status(), 1);
    let page = ViewerPage::read(&dir, "page.html");
    assert_eq!(page.scene["comparison"]["byNumber"], false);
    // The node of `a` doubles its corners (1, 0, 0) and (0, 1, 0); `b` has (1, 0, 0), (0, 1, 0) and (2.5, 0, 0).
    let expected = [[0.0f32, 0.5, 1.0], [0.0, 1.0, 1.0], [0.0, 0.5, 1.0]];
    assert_eq!(distances(&page, 3), expected);
    assert_eq!(page.scene["comparison"]["greatest"], 1.0);
}

#[test]
fn of_several_pairs_the_one_with_the_largest_distance_is_shown() {
    let dir = Dir::new();
    for (name, distance) in [("near", 0.25), ("far", 2.0), ("zero", 0.0)] {
        dir.write(&format!("a/{name}.glb"), same());
        dir.write(&format!("b/{name}.glb"), moved(distance));
    }
    dir.write("a/only.glb", same());
    let ran = compared(&dir, "a", "b");
    assert_eq!(ran.status(), 1);
    ran.says("of 4 pairs the one with the largest");
    let page = ViewerPage::read(&dir, "page.html");
    let comparison = &page.scene["comparison"];
    assert_eq!(
        json!([comparison["a"], comparison["b"]]),
        json!(["a/far.glb", "b/far.glb"])
    );
    assert_eq!(comparison["greatest"], 4.0);
}

#[test]
fn animations_that_both_files_have_are_played() {
    let animated = |clip: &str| skinned(10, 0.5).moving(clip, 1.0).glb();
    let dir = Dir::with("a.glb", animated("wave"));
    let broken = skinned(10, 0.5).moving("wave", -1.0).glb();
    dir.write("broken.glb", broken);
    compared(&dir, "broken.glb", "broken.glb");
    let page = ViewerPage::read(&dir, "page.html");
    assert_eq!(page.scene["clips"], json!([]));
    for (clip, clips) in [
        ("wave", json!([{"name": "wave", "start": 0.0, "end": 1.0}])),
        ("nod", json!([])),
    ] {
        dir.write("b.glb", animated(clip));
        compared(&dir, "a.glb", "b.glb");
        let page = ViewerPage::read(&dir, "page.html");
        assert_eq!(page.scene["clips"], clips);
    }
}

#[test]
fn equal_files_have_a_page_without_distances() {
    let dir = Dir::with("a.glb", same());
    dir.write("b.glb", same());
    assert_eq!(compared(&dir, "a.glb", "b.glb").status(), 0);
    let page = ViewerPage::read(&dir, "page.html");
    assert_eq!(page.scene["comparison"]["greatest"], 0.0);
}

#[test]
fn a_page_of_a_manifest_has_what_is_expected_and_what_was_found() {
    let dir = Dir::new();
    let manifest = json!({"version": "0.5", "tests": [
        {"id": "t", "category": "A", "type": "positive", "input": "t.rigy.yaml", "expected_output": "golden.glb"},
    ]});
    dir.write("suite/manifest.json", manifest.to_string());
    dir.write("suite/golden.glb", same());
    dir.write("theirs/t.glb", moved(0.5));
    let ran = compared(&dir, "suite/manifest.json", "theirs");
    assert_eq!((ran.status(), &*ran.stderr()), (1, ""));
    let page = ViewerPage::read(&dir, "page.html");
    assert_eq!(page.scene["comparison"]["a"], "suite/golden.glb");
    assert_eq!(page.scene["comparison"]["greatest"], 1.0);
}

#[test]
fn without_two_files_there_is_no_page_and_the_status_says_so() {
    let dir = Dir::with("a.glb", same());
    dir.write("bad.glb", "no glTF");
    dir.write("bad2.glb", "no glTF");
    let huge = triangle(|json, _| json["nodes"][0]["scale"] = json!([1e300, 1, 1]));
    dir.write("huge.glb", huge);
    for (a, b, text) in [
        ("a.glb", "/dev/null", "no pair has two files"),
        ("a.glb", "bad.glb", "bad.glb"),
        ("bad.glb", "bad2.glb", "bad.glb"),
        ("a.glb", "huge.glb", "beyond single precision"),
    ] {
        let ran = compared(&dir, a, b);
        assert_eq!(ran.status(), 1, "{a} {b}");
        ran.says(text);
    }
    assert!(!dir.files().contains(&"page.html".to_owned()));
}

#[test]
fn a_page_replaces_a_page_and_nothing_else() {
    let dir = Dir::with("a.glb", same());
    dir.write("b.glb", moved(1.0));
    let onto = |path: &str| dir.run(&format!("diff a.glb b.glb --html {path}"));
    for path in ["b.glb", "-"] {
        let ran = onto(path);
        assert_eq!(ran.status(), 2, "{path}");
        assert_eq!(ran.stdout(), "", "{path}");
    }
    assert_eq!(dir.read("b.glb"), moved(1.0));
    dir.write("page.html", "");
    assert_eq!(onto("page.html").status(), 1);
    assert_eq!(onto("page.html").status(), 1);
    ViewerPage::read(&dir, "page.html");
}

#[test]
fn an_error_of_the_posed_model_names_the_input() {
    let without_numbers = triangle(|json, numbers| {
        numbers.extend([f32::NAN; 6]);
        json["buffers"][0]["byteLength"] = json!(96);
        let mut push = |list: &str, value| json[list].as_array_mut().unwrap().push(value);
        push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": 72, "byteLength": 24}),
        );
        push(
            "accessors",
            json!({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC2"}),
        );
        json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(2);
    });
    let dir = Dir::with("a.glb", without_numbers);
    dir.write("b.glb", same());
    for command in [
        "diff a.glb b.glb --html z.html",
        "view a.glb b.glb --no-open -o pages",
    ] {
        let said = dir.run(command).stderr();
        assert!(
            said.contains("error: a.glb: ") && !said.contains("baked.glb"),
            "{said}"
        );
    }
}

#[test]
fn names_of_meshes_and_files_do_not_become_markup() {
    let dir = Dir::new();
    let hostile = "</script><img src=x onerror=alert(1)><!--<script>";
    let named = |distance: f32| {
        triangle(|json, data| {
            json["meshes"][0]["name"] = json!(hostile);
            data[3] += distance;
        })
    };
    dir.write("a.glb", named(0.0));
    dir.write("<img src=x>.glb", named(1.0));
    assert_eq!(compared(&dir, "a.glb", "<img src=x>.glb").status(), 1);
    let page = ViewerPage::read(&dir, "page.html");
    assert_eq!(page.model()["meshes"][0]["name"], hostile);
    assert_eq!(page.scene["comparison"]["b"], "<img src=x>.glb");
    assert!(!page.text.contains("<img") && !page.text.contains("<!--<"));
}

#[test]
fn models_are_as_large_as_their_nodes_make_them() {
    let dir = Dir::with("a.glb", same());
    // As quantised copies have it: large numbers, and a node that scales them back.
    let quantised = triangle(|json, data| {
        data[..9].iter_mut().for_each(|number| *number *= 64.0);
        json["accessors"][0]["max"] = json!([64, 64, 0]);
        json["nodes"][0]["scale"] = json!([0.03125, 0.03125, 0.03125]);
    });
    dir.write("quantised.glb", quantised);
    let large = triangle(|json, _| json["nodes"][0]["scale"] = json!([50, 50, 50]));
    dir.write("large.glb", large);
    let notes = |a: &str, b: &str| {
        compared(&dir, a, b);
        ViewerPage::read(&dir, "page.html").scene["notes"].clone()
    };
    assert_eq!(notes("a.glb", "quantised.glb"), json!([]));
    let note = |small, large| {
        format!(
            "{small} is much smaller than {large}, whose bounds are 25 times as long. “Only {small}” shows it alone."
        )
    };
    assert_eq!(notes("quantised.glb", "large.glb"), json!([note("A", "B")]));
    assert_eq!(notes("large.glb", "a.glb"), json!([note("B", "A")]));
}
