//! Arrays of all frames: NPZ, and the point caches PC2 and MDD.

use rigy_batch::export::{Export, Format, Images, Layout, Sequence, Timing};
use rigy_batch::mesh::Model;

use super::made::{HOSTILE, bare, bits, model, points, square};
use super::threemf::parts;

/// Two moments of a square, a mirrored triangle without other attributes, and points, with two joints.
fn sequence() -> Sequence {
    let made = |height: f64| {
        let mut mirrored = bare(1);
        mirrored.is_mirrored = true;
        mirrored.name = HOSTILE[4].into();
        let joint = |x| {
            [
                [1.0, 2.0, 3.0, x],
                [5.0, 6.0, 7.0, 8.0],
                [9.0, 10.0, 11.0, 12.0],
            ]
        };
        let mut model = model(vec![square(0, height), mirrored, points(2)]);
        model.joints = vec![
            ("hip".into(), joint(height)),
            ("é".repeat(120), joint(-height)),
        ];
        model
    };
    let timing = Timing {
        rate: 24.0,
        first: 12,
    };
    let mut sequence = Sequence::new(made(0.1), Layout::default()).unwrap();
    sequence = sequence.timed(timing).unwrap();
    sequence.push(&made(0.2)).unwrap();
    sequence
}

fn written(sequence: &Sequence, format: Format) -> Vec<u8> {
    let images = Images::default();
    let export = Export::new(sequence, "made", &images).unwrap();
    let mut bytes = Vec::new();
    export.write(format, &mut bytes).unwrap();
    bytes
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let (words, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The bits of the positions of all frames, or of the normals, 0 where there are none.
fn vectors(sequence: &Sequence, wants_normals: bool) -> Vec<u32> {
    let frames = sequence.frames().iter();
    let surfaces = frames.flat_map(|frame| &frame.surfaces);
    let lists = surfaces.map(|surface| match (wants_normals, &surface.normals) {
        (false, _) => surface.positions.clone(),
        (true, Some(normals)) => normals.clone(),
        (true, None) => vec![[0.0; 3]; surface.positions.len()],
    });
    let lists = lists.map(|list| bits(&list).concat());
    lists.collect::<Vec<_>>().concat()
}

#[test]
fn an_archive_has_the_arrays_of_all_frames() {
    let sequence = sequence();
    let bytes = written(&sequence, Format::Npz);
    let mut arrays = parts(&bytes).into_iter().map(|(name, file)| {
        let (magic, rest) = file.split_at(10);
        assert_eq!(magic, b"\x93NUMPY\x01\0\x76\0");
        let (head, body) = rest.split_at(118);
        let head = std::str::from_utf8(head).unwrap().trim_end();
        (name, head.to_owned(), words(body))
    });
    let mut assert_next = |name: &str, kind: &str, shape: &str, wanted: &[u32]| {
        let head = format!("{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({shape},)}}");
        let wanted = (format!("{name}.npy"), head, wanted.to_vec());
        assert_eq!(arrays.next(), Some(wanted));
    };
    let f32s =
        |numbers: &[f64]| -> Vec<u32> { numbers.iter().map(|n| (*n as f32).to_bits()).collect() };
    let text = |text: &str| -> Vec<u32> {
        let padding = std::iter::repeat('\0');
        text.chars()
            .chain(padding)
            .take(100)
            .map(u32::from)
            .collect()
    };
    // The corners of the mirrored triangle are 2, 1, 0 in the model.
    assert_next("triangles", "u4", "3, 3", &[0, 2, 1, 0, 3, 2, 6, 4, 5]);
    let mut uvs = f32s(
        sequence.model().surfaces[0]
            .texture_coordinates
            .as_ref()
            .unwrap()
            .as_flattened(),
    );
    uvs.resize(2 * 10, 0);
    assert_next("uvs", "f4", "10, 2", &uvs);
    assert_next(
        "primitives",
        "u4",
        "3, 2, 2",
        &[0, 4, 0, 2, 4, 7, 2, 3, 7, 10, 3, 3],
    );
    assert_next("times", "f4", "2", &f32s(&[12.0 / 24.0, 13.0 / 24.0]));
    let names = [text("square 0"), text(HOSTILE[4]), text("dust")].concat();
    assert_next("names", "U100", "3", &names);
    assert_next(
        "joint_names",
        "U100",
        "2",
        &[text("hip"), text(&"é".repeat(120))].concat(),
    );
    assert_next("positions", "f4", "2, 10, 3", &vectors(&sequence, false));
    assert_next("normals", "f4", "2, 10, 3", &vectors(&sequence, true));
    let joint = |x| {
        [
            1.0, 2.0, 3.0, x, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 0.0, 0.0, 0.0, 1.0,
        ]
    };
    let joints = [0.1, -0.1, 0.2, -0.2].map(|x| f32s(&joint(x))).concat();
    assert_next("joints", "f4", "2, 2, 4, 4", &joints);
    assert_eq!(arrays.next(), None);
}

#[test]
fn point_caches_have_the_positions_of_the_mesh_beside_them() {
    let mut model: Model = sequence().model().clone();
    let timing = Timing {
        rate: 8.0,
        first: 3,
    };
    let mut sequence = Sequence::new(model.clone(), Layout::default())
        .unwrap()
        .timed(timing)
        .unwrap();
    model.surfaces[0].positions[1] = [7.0, 8.0, 9.0];
    sequence.push(&model).unwrap();
    sequence.remove_loose_vertices();
    let positions = vectors(&sequence, false);
    assert_eq!(positions.len(), 2 * 7 * 3);
    let pc2 = written(&sequence, Format::Pc2);
    let head = [1, 7, 3f32.to_bits(), 1f32.to_bits(), 2];
    assert_eq!(
        words(pc2.strip_prefix(b"POINTCACHE2\0").unwrap()),
        [&head[..], &positions].concat()
    );
    let mdd = written(&sequence, Format::Mdd);
    let head = [2, 7, 0.375f32.to_bits(), 0.5f32.to_bits()];
    let swapped: Vec<u32> = words(&mdd).into_iter().map(u32::swap_bytes).collect();
    assert_eq!(swapped, [&head[..], &positions].concat());
    for format in [Format::Pc2, Format::Mdd] {
        let images = Images::default();
        let export = Export::new(&sequence, "made", &images).unwrap();
        let beside = export.beside(format);
        let names: Vec<&str> = beside.iter().map(|file| &*file.name).collect();
        assert_eq!(names, ["made.obj"]);
        let obj = std::str::from_utf8(&beside[0].bytes).unwrap();
        let numbers = obj.lines().filter_map(|line| line.strip_prefix("v "));
        let numbers = numbers.flat_map(|line| line.split(' '));
        let found: Vec<u32> = numbers
            .map(|number| number.parse::<f32>().unwrap().to_bits())
            .collect();
        assert_eq!(found, positions[..21]);
    }
}

#[test]
fn vertices_that_no_triangle_has_can_be_removed() {
    let mut surface = square(0, 0.5);
    let whole = surface.clone();
    surface.triangles = vec![[3, 1, 3]];
    surface.other_coordinates = Some((1, vec![[0.0; 2], [1.0; 2], [2.0; 2], [3.0; 2]]));
    surface.remove_loose_vertices();
    assert_eq!(surface.triangles, [[1, 0, 1]]);
    assert_eq!(
        surface.positions,
        [1, 3].map(|vertex: usize| whole.positions[vertex])
    );
    let of = |list: &Option<Vec<[f64; 3]>>| list.clone().unwrap();
    assert_eq!(
        of(&surface.normals),
        [1, 3].map(|vertex: usize| of(&whole.normals)[vertex])
    );
    assert_eq!(
        surface.other_coordinates,
        Some((1, vec![[1.0; 2], [3.0; 2]]))
    );
    assert_eq!(surface.texture_coordinates.unwrap().len(), 2);
    assert_eq!(surface.colors.unwrap()[1], whole.colors.unwrap()[3]);
}
