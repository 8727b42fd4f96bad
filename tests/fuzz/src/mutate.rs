//! Changes to a GLB of the kind that broken exporters and hostile authors make, which pass the first check of lengths.
//!
//! Bytes that flip at random rarely get past the header, the JSON syntax or the first index. So most changes keep the
//! framing, and change one number, word, member or element of the JSON, or an aligned number of the binary chunk.

use libfuzzer_sys::fuzzer_mutate;
use serde_json::Value;

use crate::framing::Parts;
use rigy_batch::kernel::random::Random;

/// Numbers at the limits of types and sizes.
#[rustfmt::skip] // several in a line
const NUMBERS: [&str; 44] = [
    "0", "1", "2", "3", "4", "5", "7", "8", "9", "12", "16", "20", "24", "48", "63", "64", "65", "127",
    "128", "255", "256", "65535", "65536", "16777217", "2147483647", "2147483648", "4294967295",
    "4294967296", "9007199254740993", "18446744073709551615", "-0.0", "-1", "0.5", "1.5", "1e-12", "1e-45",
    "1e38", "1e39", "1e308", "1e309", "5126", "5121", "5123", "5125",
];

/// Words with a meaning in glTF.
#[rustfmt::skip] // several in a line
const WORDS: [&str; 40] = [
    "SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "LINEAR", "STEP", "CUBICSPLINE", "translation",
    "rotation", "scale", "weights", "POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0",
    "JOINTS_1", "WEIGHTS_1", "COLOR_0", "ATTRIBUTES", "TRIANGLES", "INDICES", "NONE", "OCTAHEDRAL",
    "QUATERNION", "EXPONENTIAL", "EXT_meshopt_compression", "KHR_mesh_quantization",
    "KHR_draco_mesh_compression", "KHR_texture_transform", "more.bin", "../more.bin", "data:;base64,AAAA",
    "data:,%00", "", "2.0",
];

#[rustfmt::skip] // several in a line
const FLOATS: [f32; 16] = [
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-6, 1e-20, 1e20, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::INFINITY,
    f32::NEG_INFINITY, f32::NAN, 1.000_000_1,
];

/// Changes the first `size` bytes of `data`, which has a capacity of `max_size`; returns the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random::new(seed.into());
    let parts = Parts::of(&data[..size]);
    let Some(mut parts) = parts.filter(|_| random.below(24) != 0) else {
        return fuzzer_mutate(data, size, max_size);
    };
    for _ in 0..1 + random.below(3) {
        match random.below(10) {
            0..=2 => number(&mut parts.json, &mut random),
            3 | 4 => tree(&mut parts.json, &mut random),
            5 => word(&mut parts.json, &mut random),
            6 => parts.json = raw(&parts.json, max_size),
            7 | 8 => values(&mut parts, &mut random),
            _ => {
                if let Some(bin) = &mut parts.bin {
                    let len = bin.len();
                    *bin = raw(bin, len);
                    bin.resize(len, 0);
                }
            }
        }
    }
    let joined = parts.join();
    if joined.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..joined.len()].copy_from_slice(&joined);
    joined.len()
}

fn raw(bytes: &[u8], max_len: usize) -> Vec<u8> {
    if max_len.max(bytes.len()) == 0 {
        return Vec::new();
    }
    let mut changed = bytes.to_vec();
    changed.resize(max_len.max(bytes.len()), 0);
    let capacity = changed.len();
    let len = fuzzer_mutate(&mut changed, bytes.len(), capacity);
    changed.truncate(len);
    changed
}

/// Start and end of a part, in bytes.
type Span = (usize, usize);

/// Numbers and strings of a JSON text, found without parsing it.
fn tokens(json: &[u8]) -> (Vec<Span>, Vec<Span>) {
    let (mut numbers, mut strings) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < json.len() {
        let start = at;
        at += 1;
        match json[start] {
            b'"' => {
                while at < json.len() && json[at] != b'"' {
                    at += 1 + usize::from(json[at] == b'\\');
                }
                at = (at + 1).min(json.len());
                strings.push((start, at));
            }
            b'-' | b'0'..=b'9' => {
                let part =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                at += json[at..].iter().take_while(|byte| part(byte)).count();
                numbers.push((start, at));
            }
            _ => {}
        }
    }
    (numbers, strings)
}

fn replace(json: &mut Vec<u8>, (start, end): Span, text: &str) {
    json.splice(start..end, text.bytes());
}

fn number(json: &mut Vec<u8>, random: &mut Random) {
    let (numbers, _) = tokens(json);
    if numbers.is_empty() {
        return;
    }
    let (start, end) = *random.pick(&numbers);
    let old = std::str::from_utf8(&json[start..end])
        .ok()
        .and_then(|text| text.parse::<f64>().ok());
    let text = match (random.below(4), old) {
        (0, Some(old)) => format!("{}", old + [1.0, -1.0, 4.0, -4.0][random.below(4)]),
        (1, _) => {
            let (from, to) = *random.pick(&numbers);
            String::from_utf8_lossy(&json[from..to]).into_owned()
        }
        _ => (*random.pick(&NUMBERS)).to_owned(),
    };
    replace(json, (start, end), &text);
}

fn word(json: &mut Vec<u8>, random: &mut Random) {
    let (_, strings) = tokens(json);
    if strings.is_empty() {
        return;
    }
    let span = *random.pick(&strings);
    let text = match random.below(3) {
        0 => {
            let (from, to) = *random.pick(&strings);
            String::from_utf8_lossy(&json[from..to]).into_owned()
        }
        _ => format!("\"{}\"", random.pick(&WORDS)),
    };
    replace(json, span, &text);
}

/// Removes, doubles or moves a member or an element.
fn tree(json: &mut Vec<u8>, random: &mut Random) {
    let Ok(mut root) = serde_json::from_slice::<Value>(json) else {
        return;
    };
    let mut places = Vec::new();
    pointers(&root, String::new(), &mut places);
    let from = random.pick(&places).clone();
    let other = root.pointer(&from).cloned().unwrap_or(Value::Null);
    let place = random.pick(&places).clone();
    let Some((parent, key)) = place.rsplit_once('/') else {
        return;
    };
    let kind = random.below(4);
    match root.pointer_mut(parent) {
        Some(Value::Object(members)) => match kind {
            0 | 1 => drop(members.remove(key)),
            2 => drop(members.insert(key.into(), other)),
            _ => drop(members.insert((*random.pick(&WORDS)).into(), other)),
        },
        Some(Value::Array(elements)) => {
            let index: usize = key.parse().unwrap_or(0);
            let same = elements[index].clone();
            match kind {
                0 => drop(elements.remove(index)),
                1 => elements.insert(index, same),
                2 => elements[index] = other,
                _ => elements.push(other),
            }
        }
        _ => {}
    }
    *json = root.to_string().into_bytes();
}

/// JSON pointers of everything below a value.
fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    found.push(at.clone());
    match value {
        Value::Array(elements) => {
            for (index, child) in elements.iter().enumerate() {
                pointers(child, format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (key, child) in members {
                pointers(
                    child,
                    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            }
        }
        _ => {}
    }
}

/// Writes numbers that are at the edge of something into the binary chunk.
fn values(parts: &mut Parts, random: &mut Random) {
    let Some(bin) = parts.bin.as_mut().filter(|bin| bin.len() >= 4) else {
        return;
    };
    let at = 4 * random.below(bin.len() / 4);
    match random.below(3) {
        0 => bin[at] = *random.pick(&[0, 1, 2, 3, 127, 128, 254, 255]),
        1 => bin[at..at + 2].copy_from_slice(
            &random
                .pick(&[0u16, 1, 2, 3, 255, 256, 32767, 32768, 65535])
                .to_le_bytes(),
        ),
        _ => bin[at..at + 4].copy_from_slice(&random.pick(&FLOATS).to_le_bytes()),
    }
}
