//! `rigy-batch preview`: the same pixels everywhere, and an answer to every file.
//! `tests/transcripts/pictures.md` has more.

use std::path::Path;

use rigy_batch::Isa;
use rigy_batch::base::meter::Meter;
use rigy_batch::mesh::{Model, Surface};
use rigy_batch::view::picture::{
    Frame, Heat, Image, Paint, Scenery, Textures, View, distances, draw, png,
};

use super::preview_textures::write_turned;
use crate::support::Dir;
use crate::support::skinned::skinned;

/// Nothing around a model.
pub const PLAIN: Scenery = Scenery {
    background: [255; 4],
    has_shadow: false,
    has_grid: false,
};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A directory with a document of four pictures and a skinned file.
fn models() -> Dir {
    let dir = Dir::new();
    let twist = root().join("conformance/inputs/L02_two_bone_dqs_twist.rigy.yaml");
    dir.write("in/twist.rigy.yaml", std::fs::read(twist).unwrap());
    dir.run("in -q --poses none --allow-warnings all").good();
    dir
}

#[test]
fn threads_and_instruction_sets_change_no_byte() {
    let dir = models();
    write_turned(&dir, "textured");
    for files in [
        "in --heat in/twist.glb",
        "textured",
        "in/twist.glb --turntable 5",
    ] {
        let mut first = None;
        for threads in [1, 2, 8] {
            for isa in Isa::available() {
                let args =
                    format!("preview {files} -o sheet.png -j {threads} --size 64 --isa {isa} -q");
                let ran = dir.run(&args);
                assert_eq!((ran.status(), &*ran.stderr()), (0, ""));
                let bytes = dir.read("sheet.png");
                assert!(bytes.starts_with(SIGNATURE));
                assert!(*first.get_or_insert(bytes.clone()) == bytes, "{args}");
            }
        }
    }
}

#[test]
fn the_picture_of_the_readme_is_drawn_again_byte_for_byte() {
    let dir = Dir::new();
    let arms = root().join("docs/src/pictures/arms.rigy.yaml");
    let mut args = vec!["preview", arms.to_str().unwrap()];
    args.extend(["--view", "front", "--size", "300", "-o", "arms.png"]);
    let ran = dir.run(&args);
    assert_eq!(
        (ran.status(), ran.stdout().as_str()),
        (0, "1 file: 3 pictures\n")
    );
    let drawn = std::fs::read(root().join("docs/src/pictures/arms.png")).unwrap();
    assert!(
        dir.read("arms.png") == drawn,
        "scripts/pictures.sh makes it"
    );
}

#[test]
fn a_skinned_file_compiled_from_a_document_looks_like_the_document() {
    let dir = Dir::new();
    // Its materials only have names, and its triangles are wound in both directions.
    let robot = root().join("conformance/inputs/E01_robot.rigy.yaml");
    dir.write("robot.rigy.yaml", std::fs::read(robot).unwrap());
    dir.run("robot.rigy.yaml -q --poses none --allow-warnings all")
        .good();
    let drawn = |args: &str| {
        dir.run(&format!("preview {args} -o a.png --size 64 -q"))
            .good();
        dir.read("a.png")
    };
    assert!(drawn("robot.glb") == drawn("robot.rigy.yaml --pose none"));
}

#[test]
fn strange_files_give_a_picture_or_an_error() {
    let dir = Dir::new();
    let scene = |rest: &str| format!(r#"{{"asset": {{"version": "2.0"}}{rest}}}"#);
    // A triangle of zeros without bytes, many times larger than its file, and one far away.
    let mesh = |count: u64, node: &str| {
        scene(&format!(
            r#", "nodes": [{{"mesh": 0{node}}}], "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
            "accessors": [{{"componentType": 5126, "type": "VEC3", "count": {count}, "min": [0, 0, 0], "max": [0, 0, 0]}}]"#
        ))
    };
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("empty.gltf", scene(""), 0),
        ("degenerate.gltf", mesh(3, ""), 0),
        ("far.gltf", mesh(3, r#", "translation": [1e300, -1e300, 0]"#), 0),
        ("beyond.gltf", mesh(3, r#", "translation": [1e999, 0, 0]"#), 1),
        ("many.gltf", mesh(4_000_000_000, ""), 1),
        ("none.gltf", String::new(), 1),
    ];
    for (name, text, status) in rows {
        dir.write(name, text);
        let ran = dir
            .run(&format!("preview {name} -o picture.png --size 16 -q"))
            .exits(status);
        assert!(
            !ran.stderr().contains("panicked"),
            "{name}: {}",
            ran.stderr()
        );
    }
}

#[test]
fn a_camera_in_degrees_is_a_view_and_backgrounds_may_be_transparent() {
    let dir = models();
    let drawn = |options: &str| {
        let args = format!("preview in/twist.glb -o a.png --size 32 -q {options}");
        dir.run(&args).good();
        dir.read("a.png")
    };
    assert!(drawn("--camera 0,0,0") == drawn("--view front"));
    assert!(drawn("--camera=0,-45,0") != drawn("--view front"));
    assert!(drawn("--camera 0,0,30") != drawn("--camera 0,0,60"));
    assert!(drawn("") == drawn("--view natural") && drawn("") != drawn("--no-shadow"));
    assert!(drawn("--background #fff") == drawn("--background FFFFFF"));
    assert!(drawn("--grid") != drawn("") && drawn("--grid --view front") != drawn("--view front"));
    // The byte after the sizes of the header and the depth says which numbers a pixel has.
    let kind = |options: &str| drawn(options)[25];
    assert_eq!(
        (kind("--background #123"), kind("--background transparent")),
        (2, 6)
    );
}

#[test]
fn a_clip_is_framed_over_all_its_moments() {
    let dir = Dir::new();
    let mut file = skinned(40, 0.5);
    let values = [0.0, 0.0, 0.0, 0.0, 40.0, 0.0];
    file.add_clip("up", "translation", &[0.0, 1.0], &values);
    dir.write("a.glb", file.glb());
    let sheet = |times: &str| {
        let args = format!("preview a.glb -o a.png --size 64 -q --time {times}");
        dir.run(&args).good();
        let bytes = dir.read("a.png");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    };
    // The rows of the first picture of each sheet.
    let first = |pixels: &[u8], count: usize| -> Vec<u8> {
        let rows = pixels.chunks(64 * count * 3).take(64);
        rows.flat_map(|row| &row[..64 * 3]).copied().collect()
    };
    let (start, end, both) = (sheet("0"), sheet("1"), sheet("0,1"));
    assert!(first(&start, 1) == first(&both, 2));
    assert!(first(&start, 1) != first(&end, 1));
}

/// The pictures of an animated PNG, and for how long each is shown.
fn frames(bytes: &[u8]) -> (Vec<Vec<u8>>, [u16; 2]) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let animation = *reader.info().animation_control().expect("it is animated");
    assert_eq!(animation.num_plays, 0, "for ever");
    let mut delay = [0; 2];
    let pictures = (0..animation.num_frames).map(|_| {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let shown = reader.info().frame_control().unwrap();
        delay = [shown.delay_num, shown.delay_den];
        pixels
    });
    (pictures.collect(), delay)
}

#[test]
fn frames_are_the_pictures_of_their_times_in_one_file_or_numbered() {
    let dir = Dir::new();
    let mut file = skinned(40, 0.5);
    let values = [0.0, 0.0, 0.0, 0.0, 4.0, 0.0];
    file.add_clip("up", "translation", &[0.0, 1.0], &values);
    dir.write("a.glb", file.glb());
    let run = |options: &str| {
        dir.run(&format!("preview a.glb --size 64 -q {options}"))
            .good()
    };
    run("--frames @4 -o a.png");
    let (pictures, delay) = frames(&dir.read("a.png"));
    assert_eq!((pictures.len(), delay), (5, [100, 400]));
    run("--frames 1..3@4 -o numbered/");
    for (number, time) in [(0, 0.25), (1, 0.5), (2, 0.75)] {
        run(&format!("--time {time} -o still.png"));
        let still = dir.read("still.png");
        assert!(dir.read(&format!("numbered/a.glb.{number:04}.png")) == still);
        let mut reader = png::Decoder::new(std::io::Cursor::new(still))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert!(pictures[number + 1] == pixels, "{time}");
    }
    run("--turntable 8 --background transparent");
    let (pictures, delay) = frames(&dir.read("a.glb.png"));
    assert_eq!((pictures.len(), delay), (8, [4, 8]));
    assert!(pictures[0] != pictures[2]);
    dir.run("preview a.glb --turntable 360 --size 2048 -o b.png")
        .exits_saying(1, "360 pictures would have more than");
    dir.run("preview a.glb --frames @300000 --heat dqs -o b.png")
        .exits_saying(1, "300001 pictures would have more than");
}

#[test]
fn distances_between_solvers_need_no_bake() {
    let dir = Dir::new();
    let fish = std::fs::read(root().join("docs/src/pictures/fish.glb")).unwrap();
    dir.write("a.glb", &fish);
    dir.write("dqs", &fish);
    let drawn = |options: &str| {
        let args =
            format!("preview a.glb -o a.png --size 64 -q --animation Twist --time 0.5 {options}");
        dir.run(&args).good();
        dir.read("a.png")
    };
    let none = drawn("--heat a.glb");
    assert!(drawn("--heat ./dqs") == none, "a file");
    assert!(drawn("--heat dqs") != none, "a solver");
    assert!(drawn("--solver dqs --heat lbs") != drawn("--heat dqs"));
}

#[test]
fn cameras_of_a_turntable_stand_around_the_model_at_one_distance() {
    // A long bar far from the origin, with a triangle at each end.
    let mut positions = vec![[100.0, 0.0, 50.0], [104.0, 0.0, 50.0], [100.0, 1.0, 50.0]];
    positions.extend([[104.0, 1.0, 50.0], [100.0, 0.0, 51.0], [104.0, 0.0, 51.0]]);
    let bar = model(positions, vec![[0, 1, 2], [1, 3, 2], [0, 1, 4], [0, 2, 4]]);
    for view in [View::Front, View::Natural] {
        let mut frame = Frame::turntable(view, 4);
        frame.include(&bar);
        let textures = Textures::default();
        let paint = Paint::Materials(&textures);
        let images = [0, 1, 2, 3].map(|turn| {
            let frame = frame.turned(turn);
            draw(&bar, &frame, 40, paint, &PLAIN, Meter::default()).unwrap()
        });
        for image in &images {
            let edge = (0..40).flat_map(|at| [at, 1560 + at, 40 * at, 40 * at + 39]);
            assert!(
                edge.clone().all(|at| image.pixels[at] == [255; 4]),
                "{view:?}"
            );
        }
        let [front, side, back, other] = images.map(|image| covered(&image));
        assert!(front > side + side / 4 && side > 10, "{front} {side}");
        assert!(front.abs_diff(back) < front / 4, "{front} {back}");
        assert!(side.abs_diff(other) < side / 2 + 4, "{side} {other}");
    }
}

#[test]
fn an_animation_has_the_same_label_by_its_name_and_its_number() {
    let dir = Dir::new();
    let mut file = skinned(40, 0.5);
    file.add_clip("nod", "translation", &[0.0, 1.0], &[0.0; 6]);
    dir.write("a.glb", file.glb());
    let sheet = |animation: &str| {
        let args = format!("preview a.glb -o a.png --size 256 -q --animation {animation}");
        dir.run(&args).good();
        dir.read("a.png")
    };
    assert!(sheet("0") == sheet("nod"));
    dir.run("preview a.glb -o a.png --size 256 -q --time 0")
        .good();
    assert!(dir.read("a.png") == sheet("nod"));
}

#[test]
fn sheets_that_are_too_large_are_refused_before_anything_is_drawn() {
    let dir = models();
    let times = vec!["0"; 20_000].join(",");
    dir.run(&format!("preview in/twist.glb -o a.png --time {times}"))
        .exits_saying(1, "a sheet of 20000 pictures");
    let text = String::from_utf8(dir.read("in/twist.rigy.yaml")).expect("it is text");
    let (head, pose) = text.split_once("poses:").expect("it has poses");
    assert!(pose.contains("id: twist60"), "{pose}");
    let posed = |count: usize| {
        let pose = |number: usize| format!("  - {{id: p{number}, bones: {{}}}}\n");
        let poses: String = (0..count).map(pose).collect();
        format!("{head}poses:\n{poses}")
    };
    dir.write("many.rigy.yaml", posed(20_000));
    dir.run("preview many.rigy.yaml -o a.png --size 2048")
        .exits_saying(1, "a sheet of 20001 pictures");
    // Together they are too many, though each sheet would be possible.
    dir.write("all/a.rigy.yaml", posed(11));
    dir.write("all/b.rigy.yaml", posed(11));
    dir.run("preview all -o a.png --size 2048 -j 2")
        .exits_saying(2, "more than 67108864 pixels together");
}

fn model(positions: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Model {
    let surface = Surface {
        positions,
        triangles,
        ..Surface::default()
    };
    Model {
        surfaces: vec![surface],
        ..Model::default()
    }
}

fn drawn(model: &Model, view: View, heat: Option<&Heat<'_>>) -> Image {
    let mut frame = Frame::new(view);
    frame.include(model);
    let textures = Textures::default();
    let paint = heat.map_or(Paint::Materials(&textures), Paint::Heat);
    draw(model, &frame, 40, paint, &PLAIN, Meter::default()).expect("it is small")
}

/// The number of pixels that differ from the one in the upper left corner.
fn covered(image: &Image) -> usize {
    let background = image.pixels[0];
    let pixels = image.pixels.iter();
    pixels.filter(|pixel| **pixel != background).count()
}

#[test]
fn views_look_along_their_axes_and_both_sides_of_a_triangle_are_seen() {
    let corners = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let front = drawn(&model(corners.clone(), vec![[0, 1, 2]]), View::Front, None);
    let back = drawn(&model(corners.clone(), vec![[0, 2, 1]]), View::Front, None);
    // Half of a square of nine tenths of the picture's side.
    assert!((600..690).contains(&covered(&front)), "{}", covered(&front));
    assert_eq!(front, back);
    // The right angle is in the lower left corner.
    assert_ne!(front.pixels[36 * 40 + 3], front.pixels[0]);
    assert_eq!(front.pixels[3 * 40 + 36], front.pixels[0]);
    for view in [View::Side, View::Top] {
        assert_eq!(
            covered(&drawn(&model(corners.clone(), vec![[0, 1, 2]]), view, None)),
            0
        );
    }
}

#[test]
fn a_floor_is_even_whatever_lies_on_the_ground() {
    // A floor of small squares, a little turned, and something that stands on it.
    let count = 24;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for index in 0..count * count {
        let [x, z] = [index % count, index / count].map(|n| n as f64 * 0.37 - 4.0);
        positions.push([x + 0.1 * z, -1.3, z - 0.1 * x]);
    }
    for corner in (0..count * (count - 1)).filter(|corner| corner % count + 1 < count) {
        let [a, b, c, d] = [0, 1, count + 1, count].map(|step| (corner + step) as u32);
        triangles.extend([[a, c, b], [a, d, c]]);
    }
    let tip = positions.len() as u32;
    positions.extend([[0.0, -1.3, 0.0], [1.0, -1.3, 0.5], [0.3, 1.0, 0.2]]);
    triangles.push([tip, tip + 1, tip + 2]);
    let floor = model(positions, triangles);
    for view in [View::Natural, View::Iso, View::Top] {
        let mut frame = Frame::new(view);
        frame.include(&floor);
        let textures = Textures::default();
        let drawn = |has_shadow, has_grid, background| {
            let scenery = Scenery {
                background,
                has_shadow,
                has_grid,
            };
            draw(
                &floor,
                &frame,
                128,
                Paint::Materials(&textures),
                &scenery,
                Meter::default(),
            )
            .unwrap()
            .pixels
        };
        let white = [255; 4];
        let (bare, shadow, grid) = (
            drawn(false, false, white),
            drawn(true, false, white),
            drawn(false, true, white),
        );
        // The background does not show through pixels that the model covers wholly.
        let other = drawn(false, false, [0, 90, 0, 255]);
        let inside: Vec<usize> = (0..128 * 128)
            .filter(|at| bare[*at] == other[*at])
            .collect();
        assert!(inside.len() > 1000, "{view:?}");
        assert!(inside.iter().all(|at| shadow[*at] == bare[*at]), "{view:?}");
        assert!(shadow != bare, "{view:?}");
        // The upright axis stands in front of the floor, in one column of pixels or two.
        let changed = inside.iter().filter(|at| grid[**at] != bare[**at]).count();
        assert!(changed < 128 * 3, "{view:?} {changed}");
    }
}

#[test]
fn objects_that_are_all_dots_get_boxes_and_others_do_not() {
    let at = |node: usize, left: f64, size: f64| Surface {
        node,
        positions: vec![[left, 0.0, 0.0], [left + size, 0.0, 0.0], [left, size, 0.0]],
        triangles: vec![[0, 1, 2]],
        ..Surface::default()
    };
    let scene = |size: f64| Model {
        surfaces: vec![at(0, 0.0, size), at(1, 1000.0, size)],
        ..Model::default()
    };
    let image = drawn(&scene(1.0), View::Front, None);
    // Two edges of five pixels and two of three for each.
    assert!((32..=48).contains(&covered(&image)), "{}", covered(&image));
    let image = drawn(&scene(100.0), View::Front, None);
    assert!(covered(&image) < 24, "{}", covered(&image));
}

#[test]
fn numbers_of_any_size_are_framed_and_those_that_are_not_finite_are_left_out() {
    let corners = |unit: f64| vec![[-unit, -unit, 0.0], [unit, -unit, 0.0], [-unit, unit, unit]];
    let plain = drawn(&model(corners(1.0), vec![[0, 1, 2]]), View::Iso, None);
    for unit in [f64::MAX, 1e300, 1e-300] {
        let image = drawn(&model(corners(unit), vec![[0, 1, 2]]), View::Iso, None);
        assert!(covered(&image).abs_diff(covered(&plain)) < 20, "{unit}");
    }
    for odd in [f64::NAN, f64::INFINITY] {
        let mut positions = corners(1.0);
        positions.push([odd, 0.0, 0.0]);
        let image = drawn(
            &model(positions, vec![[0, 1, 2], [1, 2, 3]]),
            View::Iso,
            None,
        );
        assert_eq!(image, plain);
    }
    assert!(png(&plain).starts_with(SIGNATURE));
}

#[test]
fn heat_compares_equal_numbers_in_turn_and_others_with_the_nearest() {
    let at = |x: f64, count: usize| {
        let vertex = |index: usize| [x + index as f64, 0.0, (index % 2) as f64];
        model((0..count).map(vertex).collect(), vec![[0, 1, 2]])
    };
    let shifted = distances(&at(0.0, 5), &at(0.5, 5), Meter::default()).unwrap();
    assert_eq!(shifted.surfaces, [[0.5; 5]]);
    // A vertex of the longer model has the same place.
    let nearest = distances(&at(0.0, 5), &at(-2.0, 9), Meter::default()).unwrap();
    assert_eq!(
        (nearest.greatest, nearest.surfaces),
        (0.0, vec![vec![0.0; 5]])
    );
    let model = at(0.0, 5);
    let colors = |scale: f64| {
        let heat = Heat {
            distances: &shifted,
            scale,
        };
        drawn(&model, View::Top, Some(&heat))
    };
    assert!(covered(&colors(0.5)) > 50);
    assert!(colors(0.5) != colors(5.0), "the scale sets the colour");
    assert!(colors(0.5) == colors(0.25), "beyond the scale is its end");
}

#[test]
fn what_lies_over_itself_too_often_is_refused_before_it_is_drawn() {
    let corners = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let textures = Textures::default();
    let one = Meter::default();
    // Of many pictures, each may take its share.
    for (count, meter, is_drawn) in [
        (20_000, one, false),
        (2000, one, true),
        (2000, one.among(1 << 20), false),
        (10, one, true),
    ] {
        let pile = model(corners.clone(), vec![[0, 1, 2]; count]);
        let mut frame = Frame::new(View::Front);
        frame.include(&pile);
        let image = draw(
            &pile,
            &frame,
            256,
            Paint::Materials(&textures),
            &PLAIN,
            meter,
        );
        assert_eq!(image.is_ok(), is_drawn, "{count}");
    }
}
