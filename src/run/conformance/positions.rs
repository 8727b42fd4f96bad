//! Comparing two files of the secondary format.

use std::collections::BTreeMap;

/// The vertices of one mesh in the secondary format.
#[derive(serde::Deserialize)]
struct Listed {
    normals: Vec<[f64; 3]>,
    positions: Vec<[f64; 3]>,
}

/// Compares two files of the secondary format. Returns a message about the first difference; `None` if all bytes are equal.
pub fn positions_difference(found: &[u8], expected: &[u8]) -> Option<String> {
    if found == expected {
        return None;
    }
    let read = |bytes| serde_json::from_slice::<BTreeMap<String, Listed>>(bytes);
    let described = match (read(found), read(expected)) {
        (Ok(found), Ok(expected)) => in_vertices(&found, &expected),
        (_, Err(error)) => Some(format!("the expected positions are malformed: {error}")),
        (Err(error), _) => Some(format!("the positions are malformed: {error}")),
    };
    let at = found.iter().zip(expected).position(|(a, b)| a != b);
    let at = at.unwrap_or(found.len().min(expected.len()));
    Some(described.unwrap_or_else(|| {
        format!("the numbers are equal, but the text is not canonical from byte {at} on")
    }))
}

/// Returns a message about the first mesh and vertex in which two lists differ; `None` if all numbers are equal.
fn in_vertices(
    found: &BTreeMap<String, Listed>,
    expected: &BTreeMap<String, Listed>,
) -> Option<String> {
    let names = |list: &BTreeMap<String, Listed>| list.keys().cloned().collect::<Vec<_>>();
    if !found.keys().eq(expected.keys()) {
        let (found, expected) = (names(found), names(expected));
        return Some(format!("meshes are {found:?} instead of {expected:?}"));
    }
    for (name, expected) in expected {
        let found = &found[name];
        for (what, found, expected) in [
            ("normal", &found.normals, &expected.normals),
            ("position", &found.positions, &expected.positions),
        ] {
            if found.len() != expected.len() {
                let (found, expected) = (found.len(), expected.len());
                return Some(format!(
                    "mesh `{name}` has {found} {what}s instead of {expected}"
                ));
            }
            let bits = |vector: &[f64; 3]| vector.map(f64::to_bits);
            let differs = |(a, b): (&[f64; 3], &[f64; 3])| bits(a) != bits(b);
            if let Some(vertex) = found.iter().zip(expected).position(differs) {
                let (found, expected) = (found[vertex], expected[vertex]);
                return Some(format!(
                    "mesh `{name}`, {what} {vertex} is {found:?} instead of {expected:?}"
                ));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_vertices_are_named() {
        let list = |x: &str| format!("{{\"m\":{{\"normals\":[],\"positions\":[[0.0,{x},1.0]]}}}}");
        let difference = |a: &str, b: &str| {
            positions_difference(list(a).as_bytes(), list(b).as_bytes()).unwrap_or_default()
        };
        assert_eq!(difference("0.0", "0.0"), "");
        assert!(difference("0.0", "-0.0").contains("mesh `m`, position 0 is [0.0, 0.0, 1.0]"));
        assert!(difference("1.5", "1.50").contains("not canonical from byte"));
        assert!(difference("x", "1.5").contains("malformed"));
    }
}
