//! The animations of `bake`: long names, and the first value. `tests/transcripts/clips.md` has more.

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::lines;
use crate::support::Dir;

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
    let dir = dir_with("a.glb", &with_clips(&[&"€".repeat(100)]));
    let cut = format!("out/a.{}~0.glb", "%E2%82%AC".repeat(13));
    assert_eq!(lines(&dir, arguments)[0]["output"], cut);
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
