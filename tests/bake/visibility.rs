//! Visibility that an animation changes (`KHR_node_visibility` by `KHR_animation_pointer`): everything shows what is visible at the moment.

use rigy_batch::export::Format;
use serde_json::{Value, json};

use super::builder::{Made, U8};
use super::drawn::{good, with_leaf};
use crate::support::viewer_page::ViewerPage;
use crate::support::{Dir, assert_contains};

/// The leaf, which no skin moves, and the skinned body.
const LEAF: usize = 4;
const BODY: usize = 2;

impl Made {
    fn stored(mut self, node: usize, visible: bool) -> Self {
        self.json["extensionsUsed"] = json!(["KHR_node_visibility"]);
        self.json["nodes"][node]["extensions"]["KHR_node_visibility"] = json!({"visible": visible});
        self
    }

    /// Lets `wave` set the visibility of a node at 0 s, 0.5 s and 1 s.
    fn toggled(mut self, node: usize, visible: [u8; 3]) -> Self {
        self.json["extensionsUsed"] = json!(["KHR_node_visibility", "KHR_animation_pointer"]);
        let times = self.floats("SCALAR", &[0.0, 0.5, 1.0]);
        let view = self.view(&[visible[0], visible[1], visible[2], 9]);
        let flags = json!({"bufferView": view, "componentType": U8, "count": 3, "type": "SCALAR"});
        let flags = self.push("accessors", flags);
        let animation = &mut self.json["animations"][0];
        let sampler = animation["samplers"].as_array().unwrap().len();
        let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
        let target = json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
        let list = animation["samplers"].as_array_mut().unwrap();
        list.push(json!({"input": times, "output": flags, "interpolation": "STEP"}));
        let list = animation["channels"].as_array_mut().unwrap();
        list.push(json!({"sampler": sampler, "target": target}));
        self
    }
}

/// Bakes a file at a time to every format, and returns the name and the bytes of each output.
fn moment(made: &Made, time: f64) -> Vec<(String, Vec<u8>)> {
    let dir = Dir::with("a.glb", made.glb());
    let mut all = Vec::new();
    let others = Format::ALL.map(|format| format!("a.{}", format.name()));
    for file in others.into_iter().chain(["b.glb".into()]) {
        good(&dir, &format!("bake a.glb -o {file} --time {time}"));
        let bytes = dir.read(&file);
        all.push((file, bytes));
    }
    all
}

#[test]
fn a_moment_shows_what_is_visible_then() {
    for (node, stored, flags, time, visible) in [
        (LEAF, true, [1, 0, 1], 0.4999, true),
        (LEAF, true, [1, 0, 1], 0.5, false),
        (LEAF, true, [1, 0, 255], 1.5, true),
        (BODY, true, [1, 0, 0], 0.7, false),
        (BODY, true, [0, 1, 0], 0.0, false),
        (LEAF, false, [0, 7, 0], 0.7, true),
        // A joint above the leaf, and the mount above the body.
        (1, true, [1, 0, 1], 0.7, false),
        (3, true, [1, 0, 1], 0.7, false),
    ] {
        let found = moment(&with_leaf().stored(node, stored).toggled(node, flags), time);
        let wanted = moment(&with_leaf().stored(node, visible), time);
        for ((what, found), (_, wanted)) in found.iter().zip(&wanted) {
            assert!(found == wanted, "{what} of node {node} at {time}");
        }
    }
    // The new node of a skinned mesh appears with it, and keeps an origin of its own.
    let made = with_leaf().stored(BODY, false).toggled(BODY, [0, 1, 0]);
    let dir = Dir::with("a.glb", made.glb());
    dir.write("b.glb", with_leaf().glb());
    for pivot in ["origin", "node", "bounds"] {
        good(
            &dir,
            &format!("bake a.glb b.glb -o {pivot} --time 0.7 --pivot {pivot}"),
        );
        for name in ["a", "b"] {
            good(&dir, &format!("bake {pivot}/{name}.glb -o {name}.stl"));
        }
        assert!(dir.read("a.stl") == dir.read("b.stl"), "{pivot}");
    }
}

#[test]
fn arrays_have_no_mesh_that_is_hidden_at_some_moments() {
    let made = with_leaf().stored(LEAF, true).toggled(LEAF, [1, 0, 1]);
    let dir = Dir::with("a.glb", made.glb());
    for format in ["npz", "pc2"] {
        let ran = dir.run(&format!("bake a.glb -o a.{format} --frames @4"));
        let said = "frame 2 has another topology than frame 0: ";
        ran.exits_saying(1, said).says("\"leaf\" at node 2");
        good(&dir, &format!("bake a.glb -o a.{format} --frames 2..3@4"));
    }
}

#[test]
fn pictures_show_what_is_visible_then() {
    let picture = |made: &Made| {
        let dir = Dir::with("a.glb", made.glb());
        good(&dir, "preview a.glb -o a.png --time 0.7 -q");
        dir.read("a.png")
    };
    // Pictures of an animation have one frame, which is that of all its moments.
    let [without, with] = [false, true].map(|visible| picture(&with_leaf().stored(LEAF, visible)));
    assert!(picture(&with_leaf().stored(LEAF, true).toggled(LEAF, [0; 3])) == without);
    assert!(picture(&with_leaf().stored(LEAF, false).toggled(LEAF, [1; 3])) == with);
    let once = picture(&with_leaf().stored(LEAF, true).toggled(LEAF, [1, 0, 1]));
    assert!(once != with);
}

/// How many triangles a file shows, without those of meshes that are scaled to nothing.
fn triangles(dir: &Dir, arguments: &str) -> usize {
    good(dir, &format!("bake {arguments} -o t.stl --force"));
    let stl = dir.read("t.stl");
    let corners = |triangle: &&[u8; 50]| triangle[12..24] != triangle[24..36];
    stl[84..].as_chunks().0.iter().filter(corners).count()
}

#[test]
fn a_file_that_plays_shows_what_is_visible_at_each_frame() {
    let made = with_leaf().stored(LEAF, true).toggled(LEAF, [1, 0, 1]);
    let made = made.stored(3, true).toggled(3, [0, 1, 1]);
    let dir = Dir::with("a.glb", made.glb());
    for form in ["step", "morph"] {
        good(
            &dir,
            &format!("bake a.glb -o {form}.glb --as {form} --animation wave --frames @4"),
        );
        let shown = (0..=8).map(|frame| {
            let time = f64::from(frame) / 4.0;
            let found = triangles(&dir, &format!("{form}.glb --time {time}"));
            assert_eq!(found, triangles(&dir, &format!("a.glb --time {time}")));
            found
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [1, 1, 3, 3, 4, 4, 4, 4, 4],
            "{form}"
        );
        let glb = dir.read(&format!("{form}.glb"));
        let text = String::from_utf8_lossy(&glb);
        let used = r#""extensionsUsed":["KHR_node_visibility","KHR_animation_pointer"]"#;
        assert_contains(
            text,
            &[used, r#""componentType":5121,"count":9,"type":"SCALAR""#],
        );
    }
}

#[test]
fn frames_of_other_tools_keep_hidden_meshes_in_one_place() {
    let made = with_leaf().stored(LEAF, true).toggled(LEAF, [0, 1, 0]);
    let dir = Dir::with("a.glb", made.glb());
    good(
        &dir,
        "bake a.glb -o a.usda --animation wave --frames @2 --join node",
    );
    let text = String::from_utf8(dir.read("a.usda")).unwrap();
    let (_, leaf) = text.split_once("def Mesh \"leaf\"").unwrap();
    let (_, points) = leaf.split_once("point3f[] points.timeSamples").unwrap();
    let are_one = points.lines().skip(1).take(5).map(|line| {
        let (_, list) = line.split_once('[').unwrap();
        let points: Vec<&str> = list
            .trim_end_matches(['[', ']', ',', ' '])
            .split("), ")
            .collect();
        assert_eq!(points.len(), 3, "{line}");
        let first = points[0];
        points
            .iter()
            .all(|point| point.trim_end_matches(')') == first)
    });
    assert_eq!(are_one.collect::<Vec<_>>(), [true, false, true, true, true]);
    // A mesh that no frame shows is left out. Textures of several animations have each mesh that one of them shows.
    let none = "bake a.glb -o none.usda --animation wave --frames 2..4@2 --join node";
    good(&dir, none);
    assert!(
        !String::from_utf8(dir.read("none.usda"))
            .unwrap()
            .contains("leaf")
    );
    let mut two = made;
    let mut still = two.json["animations"][0].clone();
    still["name"] = json!("still");
    still["channels"].as_array_mut().unwrap().truncate(2);
    two.push("animations", still);
    dir.write("two.glb", two.glb());
    good(
        &dir,
        "bake two.glb -o vat --as vat --frames @4 --allow-warnings all",
    );
    let (mesh, _) = crate::support::glb_parts(&dir.read("vat/two.glb"));
    let accessors = mesh["accessors"].as_array().unwrap().iter();
    let places = accessors.filter(|accessor| accessor["type"] == "VEC2");
    let vertices: u64 = places.map(|it| it["count"].as_u64().unwrap()).sum();
    assert_eq!(vertices, 2 * (6 + 3)); // TEXCOORD_0 and TEXCOORD_1
}

#[test]
fn bounds_over_time_hold_what_is_visible() {
    let mut far = with_leaf();
    far.json["nodes"][LEAF]["translation"] = json!([900, 0, 0]);
    let described = |made: &Made, more: &str| {
        let dir = Dir::with("a.glb", made.glb());
        dir.run(&format!(
            "inspect a.glb --over-time --fps 2 --format json {more}"
        ))
    };
    let radius = |made: &Made| {
        let found: Value = serde_json::from_str(&described(made, "").exits(0).stdout()).unwrap();
        found["over_time"]["all"]["sphere"]["radius"]
            .as_f64()
            .unwrap()
    };
    let far = |visible: bool| far.clone().stored(LEAF, visible);
    assert!(radius(&far(true).toggled(LEAF, [0, 0, 0])) < 10.0);
    assert!(radius(&far(false).toggled(LEAF, [0, 1, 0])) > 300.0);
    assert!(radius(&far(true).toggled(LEAF, [1, 1, 1])) > 300.0);
    // A mesh that only some moments show counts for the limit, too.
    let shown = far(false).toggled(LEAF, [0, 1, 0]);
    described(&far(false), "--limit work=20000").exits(0);
    described(&shown, "--limit work=20000").exits(1);
}

#[test]
fn channels_of_visibility_that_break_the_rules_are_told() {
    let words = |made: &Made| {
        let dir = Dir::with("a.glb", made.glb());
        let ran = good(&dir, "bake a.glb -o a.stl --time 0.7");
        assert_eq!(dir.read("a.stl")[80], 3);
        ran.stderr()
    };
    let mut linear = with_leaf().stored(LEAF, true).toggled(LEAF, [1, 0, 1]);
    linear.remove("/animations/0/samplers/2/interpolation");
    assert_contains(words(&linear), &["W07", "the interpolation counts as STEP"]);
    let bare = with_leaf().toggled(LEAF, [1, 0, 1]);
    assert_contains(words(&bare), &["W07", "names what the node does not have"]);
    let plain = with_leaf().stored(LEAF, true).toggled(LEAF, [1, 0, 1]);
    assert!(!words(&plain).contains("W07"));
    // A node that does not exist.
    let dir = Dir::with("b.glb", with_leaf().toggled(99, [1, 0, 1]).glb());
    assert_contains(
        dir.run("bake b.glb -o b.stl").exits(1).stderr(),
        &["names nothing"],
    );
}

#[test]
fn a_page_has_the_channels_of_visibility() {
    let made = with_leaf().stored(LEAF, true).toggled(LEAF, [1, 0, 1]);
    let dir = Dir::with("a.glb", made.glb());
    good(&dir, "view a.glb -o page --no-open");
    let model = ViewerPage::read(&dir, "page/a.glb.html").model();
    let pointer = format!("/nodes/{LEAF}/extensions/KHR_node_visibility/visible");
    let channels = model["animations"][0]["channels"].as_array().unwrap();
    let target = |channel: &Value| {
        channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"] == *pointer
    };
    assert!(channels.iter().any(target), "{channels:?}");
}
