//! Animated files (`bake --as morph`, `--as step`): every frame is that of a single bake, and nothing is there twice.

use std::ops::ControlFlow::Continue;

use rigy_batch::bake::gltf::JointScale;
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::{Baker, Clip, Form, Isa, Location, MemoryLoader, Skinning, Source};
use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::{bake, lines};
use super::morphs::{animated as morphed_arm, without_skin};
use super::player::{Shown, play};
use super::reader::Gltf;
use crate::support::chance::cases;
use crate::support::skinned::skinned;
use crate::support::{Dir, glb_parts, published};

/// An arm with a mount, and on it a box, that the animation moves; a root of the joints that has no other use.
fn with_sword() -> Made {
    let mut made = arm();
    let sword = made.floats("VEC3", &[0., 0., 0., 0., 2., 0., 0.1, 0., 0.]);
    made.json["accessors"][sword]["min"] = json!([0, 0, 0]);
    made.json["accessors"][sword]["max"] = json!([0.1, 2, 0]);
    let primitive = json!({"attributes": {"POSITION": sword}});
    let mesh = made.push("meshes", json!({"primitives": [primitive]}));
    let node = made.push("nodes", json!({"name": "sword", "mesh": mesh}));
    made.json["nodes"][1]["children"] = json!([node]);
    made
}

/// A file and what is made of it, frame by frame and as one.
struct Run {
    frames: Vec<(f64, Vec<Shown>)>,
    file: Gltf,
    line: Value,
    bytes: [usize; 2],
}

impl Run {
    fn new(glb: &[u8], form: &str, options: &str) -> Self {
        let dir = Dir::with("made.glb", glb);
        let single = lines(
            &dir,
            &format!("made.glb -o frames --textures embed {options}"),
        );
        let line = lines(&dir, &format!("made.glb -o one --as {form} {options}"));
        assert_eq!(line.len(), 1);
        let first = single[0]["time"].as_f64().unwrap();
        let mut bytes = 0;
        let frames = single.iter().map(|line| {
            let frame = dir.read(line["output"].as_str().unwrap());
            bytes += frame.len();
            let time = (line["time"].as_f64().unwrap() - first) as f32;
            (f64::from(time), play(&Gltf::read(&frame, dir.path()), 0.0))
        });
        let frames = frames.collect();
        let one = dir.read("one/made.glb");
        Self {
            frames,
            file: Gltf::read(&one, dir.path()),
            line: line[0].clone(),
            bytes: [bytes, one.len()],
        }
    }

    /// The largest distance of a vertex from its frame, over all frames, and the same as a share of the size of the frame; every
    /// frame must show the same primitives.
    fn distance(&self) -> (f64, f64) {
        let mut worst = (0.0f64, 0.0f64);
        for (time, wanted) in &self.frames {
            let shown = play(&self.file, *time);
            assert_eq!(shown.len(), wanted.len(), "at {time} s");
            let size = size(wanted);
            for (shown, wanted) in shown.iter().zip(wanted) {
                assert_eq!(shown.places.len(), wanted.places.len());
                for (a, b) in shown.places.iter().zip(&wanted.places) {
                    let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
                    worst.0 = worst.0.max(square.sqrt());
                    worst.1 = worst.1.max(square.sqrt() / size);
                }
            }
        }
        worst
    }

    /// The largest difference of normals and tangents, over all frames.
    fn turned(&self) -> f32 {
        let mut worst = 0.0f32;
        for (time, wanted) in &self.frames {
            for (shown, wanted) in play(&self.file, *time).iter().zip(wanted) {
                let numbers = |shown: &Shown| shown.attributes[1..].concat().concat();
                for (a, b) in numbers(shown).iter().zip(numbers(wanted)) {
                    worst = worst.max((a - b).abs());
                }
            }
        }
        worst
    }

    fn count(&self, list: &str) -> usize {
        self.file.tree.list(list).len()
    }

    fn channels(&self) -> Vec<(usize, &str)> {
        let channels = self.file.tree.at("animations.0.channels").unwrap().items();
        let target = |channel: &'_ super::tree::Tree| {
            (channel.at("target.node").unwrap().index(), path_of(channel))
        };
        channels.iter().map(target).collect()
    }
}

fn path_of(channel: &super::tree::Tree) -> &'static str {
    match channel.at("target.path").unwrap().str().unwrap() {
        "weights" => "weights",
        "scale" => "scale",
        "rotation" => "rotation",
        "translation" => "translation",
        other => panic!("{other}"),
    }
}

fn size(shown: &[Shown]) -> f64 {
    let places = || shown.iter().flat_map(|shown| &shown.places);
    let extent = |axis: usize| {
        let numbers = || places().map(|place| place[axis]);
        numbers().fold(f64::MIN, f64::max) - numbers().fold(f64::MAX, f64::min)
    };
    (0..3)
        .map(|axis| extent(axis) * extent(axis))
        .sum::<f64>()
        .sqrt()
}

fn all_made() -> Vec<Made> {
    let mut others = with_sword();
    others.json["nodes"][3]["scale"] = json!([-1, 1, 1]);
    vec![
        arm(),
        with_sword(),
        others,
        morphed_arm(),
        without_skin(morphed_arm()),
    ]
}

#[test]
fn a_whole_animation_ends_at_its_last_key() {
    let dir = Dir::with("made.glb", arm().glb());
    for (form, frames, count, last) in [
        ("morph", "@2.2", 6, 2.0), // five frames up to 1.82 s, and the last key
        ("morph", "@2", 5, 2.0),
        ("morph", "0..4@2.2", 5, 4.0 / 2.2),
        ("step", "@2.2", 6, 2.0),
    ] {
        let to = format!("{form}{frames}.glb");
        let arguments = format!("made.glb -o {to} --as {form} --frames {frames}");
        assert_eq!(bake(&dir, &arguments).status(), 0);
        let glb = dir.read(&to);
        let json = glb_parts(&glb).0;
        let samplers = json["animations"][0]["samplers"].as_array().unwrap().iter();
        let inputs = samplers.map(|sampler| sampler["input"].as_u64().unwrap() as usize);
        let inputs: Vec<&Value> = inputs.map(|input| &json["accessors"][input]).collect();
        let latest = inputs.iter().map(|input| input["max"][0].as_f64().unwrap());
        assert!((latest.fold(0.0, f64::max) - last).abs() < 1e-6, "{to}");
        match form {
            "morph" => assert!(inputs.iter().any(|input| input["count"] == count), "{to}"),
            _ => assert_eq!(json["meshes"].as_array().unwrap().len(), count, "{to}"),
        }
    }
}

#[test]
fn each_step_shows_the_vertices_of_its_frame_bit_for_bit() {
    for made in all_made() {
        let run = Run::new(&made.glb(), "step", "--frames 0..9@4");
        for (time, wanted) in &run.frames {
            let shown = play(&run.file, *time);
            let attributes = |shown: &[Shown]| -> Vec<_> {
                shown.iter().map(|shown| shown.attributes.clone()).collect()
            };
            assert_eq!(attributes(&shown), attributes(wanted), "at {time} s");
        }
        assert!(run.distance().1 <= 1e-6, "{:?}", run.distance());
        // Between two frames it is the earlier one.
        let between = play(&run.file, run.frames[3].0 + 0.1);
        assert_eq!(between, play(&run.file, run.frames[3].0));
    }
}

#[test]
fn each_key_of_morph_targets_is_its_frame() {
    for made in all_made() {
        let run = Run::new(&made.glb(), "morph", "--frames 0..9@4");
        assert!(run.distance().1 <= 1e-6, "{:?}", run.distance());
        assert!(run.turned() <= 1e-6, "{}", run.turned());
        // The animation ends at 2 s: frame 9 equals frame 8 and is a key without a target of its own.
        assert_eq!(run.line["keys"], 10);
        let targets = run.file.tree.at("meshes.0.primitives.0.targets").unwrap();
        assert_eq!(targets.items().len(), 8);
        let stated = run.line["deviation"].as_f64().unwrap();
        assert!(stated <= 1e-6, "{stated}");
        for field in ["time", "frame"] {
            assert_eq!(run.line[field], Value::Null);
        }
    }
}

#[test]
fn parts_without_a_skin_keep_moving_and_joints_do_not() {
    for form in ["morph", "step"] {
        let frames = "--frames 0..8@4 --keep-skeleton";
        let run = Run::new(&with_sword().glb(), form, frames);
        // Node 5 shows the arm; with `step` the nodes after it are its frames, the first of which is shown at rest.
        let moved: Vec<_> = (run.channels().into_iter())
            .filter(|(node, _)| *node < 5)
            .collect();
        assert_eq!(moved, [(0, "translation"), (1, "rotation")]);
        assert_eq!(play_at_rest(&run.file), run.frames[0].1.len());
        let run = Run::new(&arm().glb(), form, frames);
        assert!(run.channels().iter().all(|(node, _)| *node >= 4));
        assert_eq!(
            run.file.tree.at("animations.0.name").unwrap().str(),
            Some("wave")
        );
    }
}

#[test]
fn joints_that_carry_nothing_go_and_frames_have_names() {
    let named = |glb: &[u8], form| -> Vec<_> {
        let run = Run::new(glb, form, "--frames 0..2@4");
        assert!(run.distance().1 <= 1e-6, "{:?}", run.distance());
        let names = run.file.tree.at("nodes").unwrap().items().iter();
        names
            .map(|node| {
                node.get("name")
                    .and_then(|name| name.str())
                    .map(str::to_owned)
            })
            .collect()
    };
    let names =
        |list: &[&str]| -> Vec<_> { list.iter().map(|name| Some((*name).into())).collect() };
    let arm = arm().glb();
    assert_eq!(named(&arm, "morph"), names(&["body"]));
    let frames = ["body", "body.0000", "body.0001"];
    assert_eq!(named(&arm, "step")[..3], names(&frames));
    assert_eq!(
        named(&with_sword().glb(), "morph"),
        names(&["upper", "fore", "sword", "body"])
    );
}

/// The number of primitives that a file shows without its animation.
fn play_at_rest(file: &Gltf) -> usize {
    let still = file.text.replace("\"animations\"", "\"unused\"");
    let still = Gltf {
        tree: super::tree::Tree::parse(&still),
        text: still,
        buffers: file.buffers.clone(),
    };
    play(&still, 0.0).len()
}

#[test]
fn a_tolerance_leaves_frames_out_and_is_kept() {
    let glb = arm().glb();
    let frames = "--frames @60";
    let exact = Run::new(&glb, "morph", frames);
    let mut before = exact.line["keys"].as_u64().unwrap();
    for tolerance in [0.001, 0.01, 0.1] {
        let text = tolerance.to_string();
        let run = Run::new(&glb, &format!("morph --tolerance {text}"), frames);
        let keys = run.line["keys"].as_u64().unwrap();
        assert!(keys < before, "{keys} keys, {before} before");
        before = keys;
        let (worst, _) = run.distance();
        let stated = run.line["deviation"].as_f64().unwrap();
        assert!(
            worst <= tolerance && stated <= tolerance,
            "{worst} {stated}"
        );
        assert!((worst - stated).abs() < 1e-5, "{worst} is not {stated}");
        assert!(run.bytes[1] < exact.bytes[1]);
    }
}

#[test]
fn equal_frames_are_there_once() {
    let mut made = arm();
    for sampler in made.json["animations"][0]["samplers"]
        .as_array_mut()
        .unwrap()
    {
        sampler["interpolation"] = json!("STEP");
    }
    // Keys at 0, 0.75 and 2 s: three contents in 33 frames.
    let options = "--frames @16";
    let run = Run::new(&made.glb(), "step", options);
    assert_eq!((run.count("meshes"), run.channels().len()), (3, 3));
    assert!(run.distance().1 <= 1e-6);
    let run = Run::new(&made.glb(), "morph", options);
    let targets = run.file.tree.at("meshes.0.primitives.0.targets").unwrap();
    // The last frame of the first content, the first and the last of the second, the last of all: keys, but two targets.
    assert_eq!((targets.items().len(), &run.line["keys"]), (2, &json!(5)));
    assert!(run.distance().1 <= 1e-6);
}

#[test]
fn few_moving_vertices_are_sparse_and_a_still_primitive_has_no_data() {
    let mut made = without_skin(morphed_arm());
    let count = 300;
    let base: Vec<f32> = (0..3 * count).map(|i| i as f32).collect();
    let mut moved = vec![0.0; 3 * count];
    moved[600] = 0.5;
    let target = json!({"POSITION": made.floats("VEC3", &moved)});
    moved[600] = -0.25;
    let other = json!({"POSITION": made.floats("VEC3", &moved)});
    let base = made.floats("VEC3", &base);
    let still = json!({"POSITION": made.floats("VEC3", &vec![0.0; 3 * count])});
    made.json["meshes"][0]["primitives"] = json!([
        {"attributes": {"POSITION": base}, "targets": [target, other]},
        {"attributes": {"POSITION": base}, "targets": [still, still]},
    ]);
    let run = Run::new(&made.glb(), "morph", "--frames 0..8@4");
    assert!(run.distance().1 <= 1e-6);
    let accessors = run.file.tree.list("accessors");
    let target = |primitive: usize, target: usize| {
        let path = format!("meshes.0.primitives.{primitive}.targets.{target}.POSITION");
        run.file.tree.at(&path).unwrap().index()
    };
    let sparse = &accessors[target(0, 1)];
    assert!(sparse.get("bufferView").is_none());
    assert_eq!(sparse.at("sparse.count").unwrap().index(), 1);
    let zeros = &accessors[target(1, 0)];
    assert!(zeros.get("bufferView").is_none() && zeros.get("sparse").is_none());
    assert_eq!(target(1, 0), target(1, 2));
    // Of nine frames, those are keys between which the weights are not linear.
    assert_eq!(run.line["keys"], 4);
}

#[test]
fn one_frame_is_a_file_without_an_animation() {
    for form in ["morph", "step"] {
        let run = Run::new(&arm().glb(), form, "--frames 2..2@4");
        assert_eq!(run.count("animations"), 0);
        assert_eq!(play(&run.file, 0.0), run.frames[0].1);
    }
}

#[test]
fn changes_that_the_form_cannot_show_are_refused_with_advice() {
    // A node that mirrors its mesh in some frames turns triangles over.
    let mut flip = arm();
    let times = flip.floats("SCALAR", &[0.0, 1.0]);
    let scales = flip.floats("VEC3", &[1.0, 1.0, 1.0, -1.0, 1.0, 1.0]);
    let animation = |node: usize| {
        json!([{
            "samplers": [{"input": times, "output": scales, "interpolation": "STEP"}],
            "channels": [{"sampler": 0, "target": {"node": node, "path": "scale"}}],
        }])
    };
    // A joint that does changes the handedness of tangents.
    let mut hand = flip.clone();
    flip.json["animations"] = animation(3);
    hand.json["animations"] = animation(0);
    let said = |made: &Made, form: &str| {
        let dir = Dir::with("made.glb", made.glb());
        let ran = bake(&dir, &format!("made.glb --as {form} --frames 0..4@4"));
        (ran.status(), ran.stderr())
    };
    for form in ["morph", "step"] {
        let (status, text) = said(&flip, form);
        assert!(
            status == 1 && text.contains("mirrors") && text.contains("--as frames"),
            "{text}"
        );
    }
    let (status, text) = said(&hand, "morph");
    assert!(
        status == 1 && text.contains("handedness") && text.contains("--as step"),
        "{text}"
    );
    assert_eq!(said(&hand, "step").0, 0);
}

#[test]
fn names_moments_and_defaults_of_the_command_line() {
    let dir = Dir::with("a.glb", arm().glb());
    let found = lines(&dir, "a.glb -o out --as morph");
    assert_eq!(found[0]["output"], "out/a.glb");
    // The animation has 2 s, by default 61 frames.
    assert_eq!(
        json!([found[0]["animation"], found[0]["keys"]]),
        json!(["wave", 61])
    );
    let again = lines(&dir, "a.glb -o out --as morph");
    assert_eq!(again[0]["status"], "unchanged");
    assert_eq!(again[0]["keys"], found[0]["keys"]);
    let step = lines(&dir, "a.glb --as step --animation all");
    assert_eq!(step[0]["output"], "a.baked.wave.glb");
    assert!(step[0].get("keys").is_none());
    for refused in [
        "--as step --tolerance 1",
        "--tolerance 1",
        "--as morph --time 1",
        "--as morph --tolerance=-1",
        "--as morph --tolerance nan",
    ] {
        bake(&dir, &format!("a.glb {refused}")).exits(2);
    }
    // Two frames that are one moment in single precision.
    bake(&dir, "a.glb --as step --frames 1000000..1000001@1e3").good();
    let close = "a.glb --as step --frames 0..100@1e60";
    assert_eq!(bake(&dir, close).status(), 1);
    // A file without an animation stays as it is stored.
    let mut still = arm();
    still.remove("/animations");
    dir.write("still.glb", still.glb());
    let rest = "still.glb -o rest --missing-animation rest";
    assert_eq!(
        lines(&dir, &format!("{rest} --as morph"))[0]["animation"],
        Value::Null
    );
    lines(&dir, "still.glb -o own");
    assert_eq!(dir.read("rest/still.glb"), dir.read("own/still.glb"));
}

#[test]
fn the_library_refuses_clips_that_are_none() {
    let glb = arm().glb();
    let source = Source::read(&glb, &Location("a.glb".into()), &MemoryLoader::default());
    let source = source.unwrap().value;
    let baker = Baker::new(&source);
    let skinning = Skinning::dual_quaternions(JointScale::Global);
    let made = |animation: usize, times: &[f64], form: Form| {
        let times = times.to_vec();
        let clip = Clip { animation, times };
        let isa = Isa::best();
        let baked = baker.bake_animated(&clip, form, &skinning, isa, &Sequential, &|| Continue(()));
        let bytes = baked.map(|animated| animated.value.baked.to_bytes().unwrap().value);
        bytes.map_err(|errors| errors[0].message.clone())
    };
    let forms = [
        Form::Step,
        Form::Morph {
            tolerance: f64::NAN,
        },
    ];
    for form in forms {
        for times in [
            &[][..],
            &[f64::NAN],
            &[f64::INFINITY],
            &[0.0, f64::NAN],
            &[0.0, 1e300],
            &[1.0, 0.5],
            &[0.5, 0.5],
        ] {
            assert!(made(0, times, form).is_err(), "{times:?}");
        }
        assert!(made(7, &[0.0, 0.5], form).is_ok()); // no animation moves nothing
        assert!(made(0, &[-5.0, 0.5, 1e9], form).is_ok());
    }
}

#[test]
fn too_many_frames_are_refused_before_they_are_made() {
    let count = 20_000;
    let made = skinned(count, 0.5).moving("move", 1.0);
    let dir = Dir::with("made.glb", made.glb());
    for form in ["morph", "step"] {
        let frames = format!("made.glb --as {form} --frames 0..19999@20000");
        let ran = bake(&dir, &frames);
        let text = ran.stderr();
        assert!(
            ran.status() == 1 && text.contains("U17") && text.contains("--as frames"),
            "{text}"
        );
    }
    let few = "made.glb --as morph --frames 0..3@4";
    assert_eq!(bake(&dir, few).status(), 0);
}

#[test]
fn samples_play_as_their_frames_and_take_little_more_than_a_third_of_the_space() {
    let Some(fox) = published("gltf-samples/real/Fox.glb") else {
        return;
    };
    let glb = std::fs::read(fox).unwrap();
    let options = "--animation Run --frames 0..47@41";
    for form in ["morph", "step"] {
        let run = Run::new(&glb, form, options);
        assert!(run.distance().1 <= 1e-6, "{:?}", run.distance());
        // The positions alone, 20,736 bytes a frame, are more than 0.33 of single files without the skeleton.
        let [single, animated] = [run.bytes[0] as f64, run.bytes[1] as f64];
        assert!(animated <= 0.36 * single, "{form}: {:?}", run.bytes);
        assert_eq!(run.count("images"), 1);
    }
    // Three thousandths of the size.
    let run = Run::new(
        &glb,
        "morph --tolerance 0.5",
        "--animation Survey --frames @24",
    );
    assert!(run.distance().0 <= 0.5 && run.line["keys"].as_u64().unwrap() <= 30);
    let made = [
        "morph_plus_skin",
        "spline_step_jointscale",
        "multi_skin_shared_mesh",
    ];
    for sample in &made[..cases(2, 3)] {
        let path = published(&format!("gltf-samples/made/{sample}.glb")).unwrap();
        for form in ["morph", "step"] {
            let run = Run::new(&std::fs::read(&path).unwrap(), form, "--frames 0..9@8");
            assert!(run.distance().1 <= 1e-6, "{sample}: {:?}", run.distance());
        }
    }
}
