//! Files of other tools, written of a bake and read back: counts and lengths must be those of the scene, and names must not
//! break the syntax.

use rigy_batch::Sequential;
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::export::vat::{self, VatClip, VatFormat};
use rigy_batch::export::{Export, Format, Images, Join, Layout, Sequence, Timing, Up};
use rigy_batch::mesh::Model;

/// Most vertices and triangles of a scene that is written: a short file can show one mesh many times.
const MOST: usize = 1 << 12;

pub fn export(glb: &[u8]) {
    let location = Location("baked.glb".into());
    let Ok(read) = Model::read(glb, &location, &MemoryLoader::default()) else {
        return;
    };
    let model = read.value;
    let size =
        |of: fn(&rigy_batch::mesh::Surface) -> usize| model.surfaces.iter().map(of).sum::<usize>();
    let (vertices, triangles) = (size(|s| s.positions.len()), size(|s| s.triangles.len()));
    if vertices + triangles > MOST {
        return;
    }
    let layout = Layout {
        join: Join::Node,
        up: Up::Z,
        scale: 2.5,
    };
    for layout in [Layout::default(), layout] {
        let Ok(sequence) = Sequence::new(model.clone(), layout) else {
            return; // A number beyond single precision.
        };
        let timed = sequence.timed(Timing {
            rate: 24.0,
            first: 1,
        });
        let mut sequence = timed.expect("the rate is positive");
        sequence.push(&model).expect("it is the same model");
        if let Ok(export) = Export::new(&sequence, "a \"name\"\n{", &Images::default()) {
            for format in Format::ALL {
                let mut bytes = Vec::new();
                export
                    .write(format, &mut bytes)
                    .expect("a vector takes every write");
                match format {
                    Format::Obj => obj(&bytes),
                    Format::Stl => stl(&bytes, triangles),
                    Format::ThreeMf => threemf(&bytes, triangles),
                    Format::Ply => ply(&bytes, vertices, triangles),
                    Format::Usda => usda(&bytes),
                    Format::Npz => npz(&bytes, vertices, triangles),
                    Format::Pc2 => assert_eq!(bytes.len(), 32 + 2 * 12 * vertices),
                    Format::Mdd => assert_eq!(bytes.len(), 16 + 2 * 12 * vertices),
                }
            }
        }
        for format in VatFormat::ALL {
            textures(&sequence, format);
        }
    }
}

/// Faces name vertices that are there, and every line is of a known kind.
fn obj(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("names become UTF-8");
    let mut counts = [0usize; 3];
    for line in text.lines() {
        assert!(!line.chars().any(char::is_control), "{line:?}");
        let mut words = line.split(' ');
        match words.next().unwrap() {
            "v" => counts[0] += 1,
            "vt" => counts[1] += 1,
            "vn" => counts[2] += 1,
            "f" => {
                for corner in words {
                    for (number, count) in corner.split('/').zip(counts) {
                        let number: usize = match number {
                            "" => continue,
                            number => number.parse().expect("a number"),
                        };
                        assert!((1..=count).contains(&number), "{line:?}");
                    }
                }
            }
            "#" | "o" | "g" | "usemtl" | "mtllib" => {}
            other => panic!("{other:?}"),
        }
    }
}

fn stl(bytes: &[u8], triangles: usize) {
    assert_eq!(bytes[80..84], (triangles as u32).to_le_bytes());
    assert_eq!(bytes.len(), 84 + 50 * triangles);
}

/// The end of the archive names its three parts, and the model has elements on lines of their own, with names in quotation marks.
fn threemf(bytes: &[u8], triangles: usize) {
    assert!(bytes.starts_with(b"PK\x03\x04") && bytes[bytes.len() - 12..].starts_with(&[3, 0]));
    let text = String::from_utf8_lossy(bytes);
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert!(count("<triangle ") <= triangles);
    assert_eq!(count("<object "), count("<item "));
    for line in text.lines().filter(|line| line.starts_with("<object ")) {
        assert_eq!(line.matches(['<', '"']).count(), 9, "{line:?}");
    }
}

fn ply(bytes: &[u8], vertices: usize, triangles: usize) {
    let end = b"end_header\n";
    let at = bytes
        .windows(end.len())
        .position(|part| part == end)
        .expect("a header");
    let header = std::str::from_utf8(&bytes[..at]).expect("ASCII");
    assert!(
        header.contains(&format!("element vertex {vertices}\n")),
        "{header}"
    );
    let properties = header.lines().filter(|line| line.starts_with("property"));
    let width: usize = properties
        .map(|line| match line.split(' ').nth(1) {
            Some("float") => 4,
            Some("uchar") => 1,
            _ => 0,
        })
        .sum();
    let body = bytes.len() - at - end.len();
    assert!(body == vertices * width + 13 * triangles, "{header}");
}

/// The arrays of two frames have their numbers, each after a header of 128 bytes.
fn npz(bytes: &[u8], vertices: usize, triangles: usize) {
    assert!(bytes.starts_with(b"PK\x03\x04") && bytes[bytes.len() - 12..].starts_with(&[9, 0]));
    let starts = bytes.windows(6).enumerate();
    let starts = starts.filter(|(_, magic)| magic == b"\x93NUMPY");
    let lens = starts.map(|(at, _)| {
        // The length stands before the name, which stands before the header.
        let name = bytes[..at]
            .iter()
            .rev()
            .position(|byte| *byte == 0)
            .unwrap();
        let len = bytes[at - name - 8..].first_chunk().unwrap();
        u32::from_le_bytes(*len) as usize - 128
    });
    let lens: Vec<usize> = lens.collect();
    assert_eq!([lens[0], lens[1]], [12 * triangles, 8 * vertices]);
    assert_eq!(lens[6..], [24 * vertices, 24 * vertices, 0]);
}

/// Strings end on their line, and brackets outside strings are closed.
fn usda(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("names become UTF-8");
    let mut open = Vec::new();
    for line in text.lines() {
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' => loop {
                    match characters.next().expect("a string ends on its line") {
                        '\\' => assert!(characters.next().is_some()),
                        '"' => break,
                        _ => {}
                    }
                },
                '(' | '[' | '{' => open.push(character),
                ')' => assert_eq!(open.pop(), Some('(')),
                ']' => assert_eq!(open.pop(), Some('[')),
                '}' => assert_eq!(open.pop(), Some('{')),
                _ => {}
            }
        }
    }
    assert!(open.is_empty());
}

/// The mesh is a GLB that our own reader accepts, and the sidecar is JSON.
fn textures(sequence: &Sequence, format: VatFormat) {
    let clips = [VatClip {
        name: "a",
        sequence,
    }];
    let Ok(files) = vat::build(&clips, format, "a", &Images::default(), &Sequential) else {
        return; // No triangles, or vertices that move too far.
    };
    for file in files.value {
        if file.name.ends_with(".glb") {
            let location = Location(file.name.into());
            let read =
                rigy_batch::bake::gltf::read(&file.bytes, &location, &MemoryLoader::default());
            assert!(read.is_ok(), "{:?}", read.err());
        } else if file.name.ends_with(".json") {
            let text = std::str::from_utf8(&file.bytes).expect("UTF-8");
            assert!(text.starts_with('{') && text.trim_end().ends_with('}'));
        }
    }
}
