//! External weight files: JSON that stands beside the document, or near it.

use serde::Serialize;

use super::files::Files;
use super::model::BoneWeight;
use super::random::{Draw, Random};
use super::weights::{Target, bone_weights};

#[derive(Serialize)]
struct WeightFile<'a> {
    primitive_id: &'a str,
    vertex_count: Count,
    #[serde(skip_serializing_if = "Option::is_none")]
    influences: Option<Vec<Influence>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

/// `24`, or `24.0`, which equals it.
#[derive(Serialize)]
#[serde(untagged)]
enum Count {
    Integer(u32),
    Real(f64),
}

#[derive(Serialize)]
struct Influence {
    vertex: u32,
    bones: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    bone_id: String,
    weight: Weight,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Weight {
    Integer(u8),
    Real(f64),
}

/// Writes weights for some vertices of `target`; the answer is what `source` says.
pub fn write(random: &mut Random, target: &Target, bones: &[String], files: &mut Files) -> String {
    let directory = files.place(random);
    let tag = tag(&target.id, files);
    let path = files.reserve(&directory, &tag, ".weights.json");
    let count = if random.chance(30) {
        Count::Real(target.vertices.into())
    } else {
        Count::Integer(target.vertices)
    };
    let file = WeightFile {
        primitive_id: &target.id,
        vertex_count: count,
        influences: influences(random, target, bones),
        note: random.chance(10).then_some("other keys are ignored"),
    };
    let reference = files.reference(random, &path);
    files.written.push((path, json(random, &file)));
    reference
}

/// The primitive's id, or a number where the id is odd.
fn tag(primitive: &str, files: &Files) -> String {
    let tame = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if primitive.len() <= 40 && !primitive.is_empty() && primitive.chars().all(tame) {
        primitive.to_string()
    } else {
        format!("p{}", files.count())
    }
}

fn influences(random: &mut Random, target: &Target, bones: &[String]) -> Option<Vec<Influence>> {
    let count = match random.below(12) {
        0 => return None,
        1 => 0,
        _ => random.within((1, 12)),
    };
    let influence = |_| Influence {
        vertex: random.below(target.vertices as usize) as u32,
        bones: bone_weights(random, bones, 6)
            .into_iter()
            .map(|bone| entry(random, bone))
            .collect(),
    };
    Some((0..count).map(influence).collect())
}

fn entry(random: &mut Random, bone: BoneWeight) -> Entry {
    let whole = bone.weight == 0.0 || bone.weight == 1.0;
    let weight = if whole && random.chance(50) {
        Weight::Integer(bone.weight as u8)
    } else {
        Weight::Real(bone.weight)
    };
    Entry {
        bone_id: bone.bone_id,
        weight,
    }
}

fn json(random: &mut Random, file: &WeightFile) -> String {
    let text = if random.chance(50) {
        serde_json::to_string_pretty(file)
    } else {
        serde_json::to_string(file)
    };
    let mut text = text.expect("plain data has a JSON form");
    if random.chance(30) {
        text = ascii_only(&text);
    }
    text.push('\n');
    text
}

/// The same JSON with every other character as `\uXXXX`, surrogate pairs included.
fn ascii_only(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}
