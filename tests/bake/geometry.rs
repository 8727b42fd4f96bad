//! The vertices of an output against the oracle's, by bits, and minima and maxima against the vertices.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::container::{Problems, need};
use super::oracle::Evaluated;
use super::passing;
use super::reader::Gltf;
use super::tree::Tree;
use super::winding;

pub struct Pair<'a> {
    pub path: String,
    pub input: &'a Gltf,
    pub from: &'a Tree,
    pub output: &'a Gltf,
    pub to: &'a Tree,
    /// True if a skin moved it.
    pub is_skinned: bool,
    /// True if its node mirrored it.
    pub is_mirrored: bool,
    pub weights: &'a [f64],
}

fn bits(rows: &[Vec<f64>]) -> Vec<Vec<u32>> {
    let row = |row: &Vec<f64>| row.iter().map(|c| (*c as f32).to_bits()).collect();
    rows.iter().map(row).collect()
}

fn rows<const N: usize>(values: &[[f32; N]]) -> Vec<Vec<f64>> {
    let row = |row: &[f32; N]| row.iter().map(|c| f64::from(*c)).collect();
    values.iter().map(row).collect()
}

impl Pair<'_> {
    /// True if a morph target of weight above or below zero has an attribute.
    fn is_morphed(&self, name: &str) -> bool {
        let targets = self.from.list("targets").iter().zip(self.weights);
        let mut of_weight = targets.filter(|(_, weight)| **weight != 0.0);
        of_weight.any(|(target, _)| target.get(name).is_some())
    }

    pub fn check(&self, expected: &Evaluated, problems: &mut Problems) {
        let path = &self.path;
        let attributes = self.from.get("attributes").unwrap();
        let posed = self.to.get("attributes").unwrap();
        let of_skin = |name: &str| name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
        let names = attributes.keys().into_iter();
        let names: Vec<&str> = names.filter(|n| !self.is_skinned || !of_skin(n)).collect();
        need!(
            problems,
            posed.keys() == names,
            "{path}: {:?}, not {names:?}",
            posed.keys()
        );
        for name in names {
            let was = attributes.index_of(name).unwrap();
            let Some(is) = posed.index_of(name) else {
                continue;
            };
            let place = format!("{path}.{name}");
            let is_direction = ["POSITION", "NORMAL", "TANGENT"].contains(&name);
            let is_deformed = (self.is_skinned && is_direction) || self.is_morphed(name);
            if !is_deformed {
                passing::accessor(&place, self.input, was, self.output, is, problems);
                continue;
            }
            let wanted = match name {
                "POSITION" => rows(&expected.positions),
                "NORMAL" => rows(expected.normals.as_ref().unwrap()),
                "TANGENT" => rows(expected.tangents.as_ref().unwrap()),
                _ => self.morphed(name, was),
            };
            let found = self.output.elements(is);
            let is_f32 = found.component == 5126 && !found.normalized;
            need!(problems, is_f32, "{place} is not f32");
            differences(&place, &bits(&wanted), &bits(&found.reals()), problems);
            if name == "POSITION" {
                bounds(&place, self.output, is, problems);
                slots(&place, self.output, is, problems);
            }
        }
        let (from, to) = ((self.input, self.from), (self.output, self.to));
        let is_turned = self.is_mirrored && winding::check(path, from, to, problems);
        match (self.from.index_of("indices"), self.to.index_of("indices")) {
            _ if is_turned => {}
            (Some(was), Some(is)) => {
                let place = format!("{path}.indices");
                passing::accessor(&place, self.input, was, self.output, is, problems);
            }
            (was, is) => need!(
                problems,
                was == is,
                "{path}.indices were {was:?}, are {is:?}"
            ),
        }
        let free: &[&str] = match is_turned {
            true => &["attributes", "indices", "targets", "mode"],
            false => &["attributes", "indices", "targets"],
        };
        passing::object(path, self.from, self.to, free, &["indices"], problems);
        need!(
            problems,
            self.to.get("targets").is_none(),
            "{path} has targets"
        );
    }

    /// Texture coordinates and colours may have targets too.
    fn morphed(&self, name: &str, base: usize) -> Vec<Vec<f64>> {
        let mut values = self.input.reals(base);
        for (target, weight) in self.from.list("targets").iter().zip(self.weights) {
            let Some(accessor) = target.index_of(name).filter(|_| *weight != 0.0) else {
                continue;
            };
            for (value, offset) in values.iter_mut().zip(self.input.reals(accessor)) {
                let parts = value.iter_mut().zip(offset);
                parts.for_each(|(part, offset)| *part += weight * offset);
            }
        }
        values
    }
}

/// The first vertex that differs, and the number of those that do.
fn differences(path: &str, wanted: &[Vec<u32>], found: &[Vec<u32>], problems: &mut Problems) {
    need!(
        problems,
        wanted.len() == found.len(),
        "{path}: {} elements",
        found.len()
    );
    let pairs = wanted.iter().zip(found).enumerate();
    let others: Vec<_> = pairs.filter(|(_, (a, b))| a != b).collect();
    if let Some((vertex, (a, b))) = others.first() {
        let shown = |v: &Vec<u32>| v.iter().map(|c| f32::from_bits(*c)).collect::<Vec<_>>();
        problems.push(format!(
            "{path}: {} of {} differ, the first at {vertex}: {:?}, not {:?} ({b:08x?}, {a:08x?})",
            others.len(),
            wanted.len(),
            shown(b),
            shown(a)
        ));
    }
}

/// Minima and maxima; among equal zeros the later vertex's sign.
fn bounds(path: &str, output: &Gltf, accessor: usize, problems: &mut Problems) {
    let values = output.reals(accessor);
    let (mut min, mut max) = (values[0].clone(), values[0].clone());
    for value in &values {
        for i in 0..3 {
            if value[i] <= min[i] {
                min[i] = value[i];
            }
            if value[i] >= max[i] {
                max[i] = value[i];
            }
        }
    }
    let tree = &output.tree.list("accessors")[accessor];
    for (key, wanted) in [("min", min), ("max", max)] {
        let found = tree.numbers_of(key).unwrap_or_default();
        // As the text says, to the last bit: an f32 is an f64 too.
        let exact = |v: &[f64]| v.iter().map(|c| c.to_bits()).collect::<Vec<_>>();
        let is_same = exact(&found) == exact(&wanted);
        need!(
            problems,
            is_same,
            "{path}.{key} is {found:?}, not {wanted:?}"
        );
    }
}

#[derive(Deserialize)]
struct Top<'a> {
    #[serde(borrow)]
    accessors: Vec<&'a RawValue>,
}

/// Bounds that are filled in later stand in slots of one width, the rest of which is spaces.
fn slots(path: &str, output: &Gltf, accessor: usize, problems: &mut Problems) {
    let top: Top = serde_json::from_str(&output.text).unwrap();
    let text = top.accessors[accessor].get();
    let width = |key: &str| {
        let value = &text[text.find(key)? + key.len()..];
        let close = value.find(']')? + 1;
        let rest = &value[close..];
        Some(close + rest.len() - rest.trim_start_matches(' ').len())
    };
    // The longest of singles, thrice, with commas and brackets.
    let longest = 3 * "-1.0000000116860974e-07".len() + 4;
    let (min, max) = (width("\"min\":"), width("\"max\":"));
    let fits = min == max && min >= Some(longest);
    need!(
        problems,
        fits,
        "{path} has slots of {min:?} and {max:?} bytes"
    );
}
