//! Broken files: an error or a file that can be used, never a panic. Tests run with overflow checks.

use rigy_batch::kernel::random::Random;
use serde_json::{Value, json};

use super::made::{alone, bake_all, glb, skinned, use_all};
use crate::support::chance::cases;
use crate::support::published;

fn integers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(number) if number.is_u64() => found.push(at.into()),
        Value::Array(elements) => {
            let children = elements.iter().enumerate();
            children.for_each(|(index, child)| integers(child, &format!("{at}/{index}"), found));
        }
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(key, child)| integers(child, &format!("{at}/{key}"), found));
        }
        _ => {}
    }
}

/// Numbers for which any value makes sense: those that are no indices, counts or lengths, and the length of the
/// fallback buffer, which has no data and may have any length.
fn is_free(pointer: &str) -> bool {
    pointer == "/buffers/1/byteLength"
        || ["/matrix/", "/translation/", "/weights/"]
            .iter()
            .any(|part| pointer.contains(part))
}

#[test]
fn every_change_of_an_integer_is_refused_or_harmless() {
    let made = skinned();
    let mut pointers = Vec::new();
    integers(&made.json, "", &mut pointers);
    assert!(pointers.len() > 100, "{}", pointers.len());
    for pointer in &pointers {
        let old = made.json.pointer(pointer).unwrap().as_u64().unwrap();
        for small in [
            0,
            1,
            2,
            3,
            old.wrapping_sub(1),
            old + 1,
            255,
            256,
            65535,
            65536,
            5120,
            5123,
            5125,
            5126,
        ] {
            let bytes = made.clone().with(pointer, Some(json!(small))).glb();
            if let Ok(file) = alone(&bytes) {
                use_all(&file.value);
                bake_all(&bytes);
            }
        }
        for large in [
            json!(u32::MAX),
            json!(1u64 << 31),
            json!(1u64 << 32),
            json!(1u64 << 53),
            json!(1u64 << 62),
            json!(u64::MAX),
            json!(1e300),
        ] {
            let bytes = made.clone().with(pointer, Some(large.clone())).glb();
            let read = alone(&bytes);
            assert!(
                is_free(pointer) || read.is_err(),
                "{pointer}: {large} is accepted"
            );
            bake_all(&bytes);
        }
        for wrong in [json!("x"), json!(null), json!([]), json!({}), json!(true)] {
            let bytes = made.clone().with(pointer, Some(wrong.clone())).glb();
            assert!(alone(&bytes).is_err(), "{pointer}: {wrong} is accepted");
        }
        for wrong in [json!(-1), json!(1.5)] {
            let bytes = made.clone().with(pointer, Some(wrong.clone())).glb();
            assert!(
                is_free(pointer) || alone(&bytes).is_err(),
                "{pointer}: {wrong} is accepted"
            );
        }
        let bytes = made.clone().with(pointer, None).glb();
        let _ = alone(&bytes).map(|file| use_all(&file.value));
        bake_all(&bytes);
    }
}

#[test]
fn every_word_of_the_header_matters() {
    let good = skinned().glb();
    let bin = 20 + u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    for at in [0, 4, 8, 12, 16, bin, bin + 4] {
        let old = u32::from_le_bytes(good[at..at + 4].try_into().unwrap());
        for value in [
            0,
            1,
            2,
            3,
            4,
            old.wrapping_sub(4),
            old.wrapping_sub(1),
            old + 1,
            old + 4,
            1 << 31,
            u32::MAX,
        ] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            assert!(
                value == old || alone(&bytes).is_err(),
                "word at {at}: {value}"
            );
        }
    }
}

#[test]
fn every_truncation_is_refused() {
    let made = skinned();
    let good = made.glb();
    for end in 0..good.len() {
        assert!(alone(&good[..end]).is_err(), "{end} bytes");
        if end >= 12 {
            let mut bytes = good[..end].to_vec();
            bytes[8..12].copy_from_slice(&(end as u32).to_le_bytes());
            assert!(
                alone(&bytes).is_err(),
                "{end} bytes, and a header that says so"
            );
        }
    }
    let text = made.json.to_string();
    for end in 0..text.len() {
        assert!(
            alone(&glb(&text.as_bytes()[..end], Some(&made.bin))).is_err(),
            "{end} bytes of JSON"
        );
    }
    for end in 0..made.bin.len() - 3 {
        assert!(
            alone(&glb(text.as_bytes(), Some(&made.bin[..end]))).is_err(),
            "{end} bytes of BIN"
        );
    }
}

fn flip(bytes: &[u8], random: &mut Random) {
    let mut broken = bytes.to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(broken.len());
        broken[at] = match random.below(3) {
            0 => broken[at] ^ 1 << random.below(8),
            1 => b"0123456789[]{},:-"[random.below(17)],
            _ => random.below(256) as u8,
        };
    }
    if let Ok(file) = alone(&broken) {
        use_all(&file.value);
        bake_all(&broken);
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let good = skinned().glb();
    let mut random = Random::new(1);
    (0..cases(1500, 6000)).for_each(|_| flip(&good, &mut random));
    for (name, times) in [
        ("compressed/Fox-gltfpack-meshopt.glb", cases(60, 300)),
        ("made/morph_plus_skin.glb", cases(40, 200)),
    ] {
        if let Some(path) = published(&format!("gltf-samples/{name}")) {
            let good = std::fs::read(path).unwrap();
            (0..times).for_each(|_| flip(&good, &mut random));
        }
    }
}
