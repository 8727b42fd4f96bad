//! The animations and times of `bake`: names of outputs, files that lack an animation, times outside one, frames of earlier runs.

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::{arms, bake, lines, outputs};
use crate::support::{Dir, assert_contains};

/// An arm with animations of these names, all as the arm's own; an empty name stands for none.
pub fn with_clips(names: &[&str]) -> Made {
    let mut made = arm();
    let wave = made.json["animations"][0].clone();
    let clips = names.iter().map(|name| {
        let mut clip = wave.clone();
        match *name {
            "" => clip.as_object_mut().unwrap().remove("name"),
            name => clip
                .as_object_mut()
                .unwrap()
                .insert("name".into(), json!(name)),
        };
        clip
    });
    made.json["animations"] = Value::Array(clips.collect());
    made
}

fn dir_with(name: &str, made: &Made) -> Dir {
    Dir::with(name, made.glb())
}

fn codes(line: &Value) -> Vec<&str> {
    let warnings = line["warnings"].as_array().unwrap().iter();
    warnings
        .filter_map(|warning| warning["code"].as_str())
        .collect()
}

#[test]
fn several_animations_are_in_the_names_of_outputs() {
    let dir = dir_with(
        "in/a.glb",
        &with_clips(&["Walk", "Run fast", "", "run", "RUN"]),
    );
    let found = lines(&dir, "in -o out --animation all --time 0.5");
    let names = [
        "out/a.Walk.glb",
        "out/a.Run%20fast.glb",
        "out/a.2.glb",
        "out/a.run~3.glb",
        "out/a.RUN~4.glb",
    ];
    let shown: Vec<&Value> = found.iter().map(|line| &line["output"]).collect();
    assert_eq!(shown, names);
    let moments: Vec<Value> = found
        .iter()
        .map(|line| json!([line["animation"], line["time"], line["frame"]]))
        .collect();
    assert_eq!(
        moments[1..3],
        [json!(["Run fast", 0.5, null]), json!(["2", 0.5, null])]
    );
    lines(&dir, "in -o one --animation 'Run fast' --time 0.5");
    assert_eq!(dir.read("one/a.glb"), dir.read("out/a.Walk.glb"));
    let two = lines(&dir, "in -o two --animation Walk,4,Walk --frames 1..2@4");
    let shown: Vec<&Value> = two.iter().map(|line| &line["output"]).collect();
    assert_eq!(
        shown,
        [
            "two/a.Walk.0001.glb",
            "two/a.Walk.0002.glb",
            "two/a.RUN~4.0001.glb",
            "two/a.RUN~4.0002.glb"
        ]
    );
    assert_eq!(two[1]["frame"], 2);
    assert_eq!(dir.read("two/a.Walk.0002.glb"), dir.read("out/a.Walk.glb"));
}

#[test]
fn long_names_are_cut_and_stay_apart() {
    let long = "x".repeat(300);
    let names = [format!("{long}a"), format!("{long}b")];
    let dir = dir_with("a.glb", &with_clips(&[&names[0], &names[1]]));
    let arguments = "a.glb -o out --animation all";
    let found = lines(&dir, arguments);
    let name = |number: usize| format!("out/a.{}~{number}.glb", &long[..120]);
    assert_eq!(
        json!([found[0]["output"], found[1]["output"]]),
        json!([name(0), name(1)])
    );
    assert_eq!(found[0]["animation"], names[0]);
}

#[test]
fn a_name_with_a_comma_and_a_clip_called_all_are_found_by_their_names() {
    let dir = dir_with("a.glb", &with_clips(&["left, right", "all"]));
    let found = lines(&dir, "a.glb -o out --animation 'left, right'");
    assert_eq!(found[0]["output"], "out/a.left%2C%20right.glb");
    let found = lines(&dir, "a.glb -o out --animation all");
    assert_eq!((found.len(), &found[0]["animation"]), (1, &json!("all")));
}

#[test]
fn outputs_beside_their_inputs_are_not_found_again_with_clips() {
    let dir = dir_with("in/a.glb", &with_clips(&["Walk", "Run"]));
    let arguments = "in --animation all --frames 0..1@2";
    assert_eq!(lines(&dir, arguments).len(), 4);
    let files = dir.files();
    assert!(
        files.contains(&"in/a.baked.Run.0001.glb".to_owned()),
        "{files:?}"
    );
    let again = lines(&dir, arguments);
    assert_eq!(again.len(), 4);
    assert!(again.iter().all(|line| line["status"] == "unchanged"));
}

#[test]
fn a_whole_animation_has_all_frames_within_it() {
    let dir = arms(&["a.glb"]);
    let all = lines(&dir, "a.glb -o out --animation wave --frames @2.5");
    let times: Vec<&Value> = all.iter().map(|line| &line["time"]).collect();
    assert_eq!(times, [0.0, 0.4, 0.8, 1.2, 1.6, 2.0]);
    assert!(all.iter().all(|line| codes(line).is_empty()));
    lines(&dir, "a.glb -o range --frames 0..5@2.5");
    for name in ["a.0000.glb", "a.0003.glb", "a.0005.glb"] {
        assert_eq!(
            dir.read(&format!("out/{name}")),
            dir.read(&format!("range/{name}"))
        );
    }
}

#[test]
fn times_outside_an_animation_are_warned_of_once_and_give_its_ends() {
    let dir = arms(&["a.glb"]);
    for (time, expected) in [("-1", 1), ("0", 0), ("2", 0), ("2.0000001", 0), ("7", 1)] {
        let to = format!("at{time}");
        let found = lines(&dir, &format!("a.glb -o {to}/ --time {time}"));
        assert_eq!(codes(&found[0]), vec!["W10"; expected], "{time}");
    }
    assert_eq!(dir.read("at-1/a.glb"), dir.read("at0/a.glb"));
    assert_eq!(dir.read("at7/a.glb"), dir.read("at2/a.glb"));
    let frames = lines(&dir, "a.glb -o out --frames 0..47@12");
    let outside: Vec<usize> = (0..48)
        .filter(|frame| !codes(&frames[*frame]).is_empty())
        .collect();
    assert_eq!((outside, codes(&frames[25])), (vec![25], vec!["W10"]));
    let message = frames[25]["warnings"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("frames 25 to 47 are after the end of animation 0 (`wave`) at 2 s"),
        "{message}"
    );
    let strict = bake(&dir, "a.glb -o out2 --time 7 --warn-as-error W10");
    assert_eq!(strict.status(), 1);
}

#[test]
fn the_first_value_is_that_of_the_first_key_to_the_bit() {
    // 0.3 s is no binary fraction, and slerp by 0 would round the quaternion.
    let mut made = arm();
    let times = made.floats("SCALAR", &[0.3, 0.75, 2.0]);
    for sampler in 0..2 {
        made.json["animations"][0]["samplers"][sampler]["input"] = json!(times);
    }
    let dir = dir_with("a.glb", &made);
    let first = f64::from(0.3f32).to_string();
    for (to, time) in [("before", "0"), ("at", &*first)] {
        lines(&dir, &format!("a.glb -o {to}/ --time {time}"));
    }
    assert_eq!(dir.read("before/a.glb"), dir.read("at/a.glb"));
}

#[test]
fn a_file_without_the_animation_fails_is_left_out_or_is_baked_at_rest() {
    let dir = dir_with("in/still.glb", &{
        let mut made = arm();
        made.remove("/animations");
        made
    });
    dir.write("in/arm.glb", with_clips(&["Walk"]).glb());
    lines(&dir, "in -o plain");
    // A directory: rest. A file: error.
    let found = lines(&dir, "in -o rest --time 0.5");
    assert_eq!((codes(&found[0]), codes(&found[1])), (vec![], vec!["W13"]));
    assert_eq!(dir.read("rest/still.glb"), dir.read("plain/still.glb"));
    assert_eq!(found[1]["time"], Value::Null);
    bake(&dir, "in/still.glb -o out --time 0.5").exits_saying(1, "there is no animation");
    let strict = bake(&dir, "in -o out --animation Walk --missing-animation error");
    assert_eq!(strict.status(), 1);
    assert_eq!(outputs(&dir), ["out/arm.glb"]);
    let ran = bake(
        &dir,
        "in -o skip --frames @4 --missing-animation skip --format json",
    )
    .good();
    let skipped = &ran.json()[9];
    assert_eq!(
        (&skipped["status"], &skipped["output"], codes(skipped)),
        (&json!("skipped"), &Value::Null, vec!["W13"])
    );
    assert_eq!(ran.json()[10]["summary"]["skipped"], 1);
    assert!(
        !dir.files()
            .iter()
            .any(|file| file.starts_with("skip/still"))
    );
    // Frames of a file that has none: one output.
    lines(&dir, "in -o frames --animation all --frames @4");
    assert_eq!(dir.read("frames/still.glb"), dir.read("plain/still.glb"));
    // Of several animations, those that are there.
    let some = lines(
        &dir,
        "in/arm.glb -o some --animation Walk,Swim --missing-animation rest",
    );
    assert_eq!(
        (some.len(), &some[0]["output"], codes(&some[0])),
        (1, &json!("some/arm.Walk.glb"), vec!["W13"])
    );
    let message = some[0]["warnings"][0]["message"].as_str().unwrap();
    assert_contains(message, &["`Swim`", "the others are baked"]);
}

#[test]
fn an_unknown_animation_gets_a_suggestion_and_the_way_to_a_list() {
    let names: Vec<String> = (0..30).map(|n| format!("clip{n}")).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    let dir = dir_with("a.glb", &with_clips(&names));
    let ran = bake(&dir, "a.glb --animation clop7");
    assert_eq!(ran.status(), 1);
    for part in ["did you mean `clip7`?", "`rigy-batch inspect`", "all 30"] {
        ran.says(part);
    }
}

#[test]
fn frames_of_an_earlier_run_are_counted_and_removed_on_request() {
    let dir = arms(&["a.glb"]);
    let run = |frames: &str, more: &str| {
        let ran = bake(&dir, &format!("a.glb -o out --frames {frames} {more}")).good();
        ran.stderr()
    };
    assert_eq!(run("0..5@4", ""), "");
    dir.write("out/a.0006.glb", "not ours");
    for _ in 0..2 {
        let told = run("1..3@4", "");
        let line = "3 files of earlier runs are left in `out`: `out/a.0000.glb`, `out/a.0004.glb`, `out/a.0005.glb`; `--prune` removes them";
        assert!(told.contains(line), "{told}");
    }
    assert_eq!(run("1..3@4", "-q"), "");
    assert_eq!(outputs(&dir).len(), 7);
    // One of them has been touched since, so it is somebody's.
    let changed = dir.read("out/a.0005.glb");
    dir.write("out/a.0005.glb", changed);
    let told = run("1..3@4", "");
    assert!(told.contains("2 files of earlier runs are left"), "{told}");
    assert_eq!(run("1..3@4", "--prune"), "");
    let left = [
        "out/a.0001.glb",
        "out/a.0002.glb",
        "out/a.0003.glb",
        "out/a.0005.glb",
        "out/a.0006.glb",
    ];
    assert_eq!(outputs(&dir), left);
    assert_eq!(run("1..3@4", ""), "");
}

#[test]
fn an_output_can_be_one_file() {
    let dir = dir_with("in/a.glb", &with_clips(&["Walk", "Run"]));
    lines(&dir, "in/a.glb -o out");
    let found = lines(&dir, "in/a.glb -o to/b.glb");
    assert_eq!(found[0]["output"], "to/b.glb");
    assert_eq!(dir.read("to/b.glb"), dir.read("out/a.glb"));
    let found = lines(&dir, "in/a.glb -o c.glb --time 0.25");
    assert_eq!(found[0]["output"], "./c.glb");
    let again = lines(&dir, "in/a.glb -o c.glb --time 0.25");
    assert_eq!(again[0]["status"], "unchanged");
    let found = lines(&dir, "in/a.glb -o to/d.glb --animation all");
    assert_eq!(
        json!([found[0]["output"], found[1]["output"]]),
        json!(["to/d.Walk.glb", "to/d.Run.glb"])
    );
    // A directory of that name, and a directory as input, stay what they are.
    dir.write("dir.glb/x", "");
    assert_eq!(
        lines(&dir, "in/a.glb -o dir.glb")[0]["output"],
        "dir.glb/a.glb"
    );
    let one = "with one input file there is `-o FILE.glb`, too";
    bake(&dir, "in -o all.glb").exits_saying(2, one);
    bake(&dir, "in -o all.glb/").good();
    // The input itself is never the output.
    assert_eq!(bake(&dir, "in/a.glb -o in/a.glb").status(), 1);
}
