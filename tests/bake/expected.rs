//! The oracle itself, against the results of other clients for the same files (`bake.md` §8).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::oracle::evaluate;
use super::palettes::{Scale, Solver};
use super::pose::Posed;
use super::reader::Gltf;
use crate::support::published;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The skinned node that a listed mesh is: by its name, or the next one with that mesh.
fn node_of(file: &Gltf, listed: &Value, seen: &mut BTreeMap<String, usize>) -> Option<usize> {
    let nodes = file.tree.list("nodes");
    let skinned = (0..nodes.len()).filter(|node| nodes[*node].get("skin").is_some());
    let Some(mesh) = listed["gltf_mesh"].as_u64() else {
        let skinned: Vec<usize> = skinned.collect();
        let named = |node: &&usize| nodes[**node].text_of("name") == listed["node_name"].as_str();
        let alone = Some(&skinned[0]).filter(|_| file.tree.list("skins").len() == 1);
        return skinned.iter().find(named).or(alone).copied();
    };
    let place = seen
        .entry(format!("{mesh} {}", listed["primitive"]))
        .or_default();
    *place += 1;
    let mut of_mesh = skinned.filter(|node| nodes[*node].index_of("mesh") == Some(mesh as usize));
    of_mesh.nth(*place - 1)
}

/// Farthest that a listed vertex is from the oracle's, by the size of its mesh; `None` if none is comparable.
fn deviation(list: &Path, samples: &Path) -> Option<f64> {
    let list: Value = serde_json::from_slice(&std::fs::read(list).unwrap()).unwrap();
    let source = list["source"].as_str().unwrap();
    let path = ["real", "made", "compressed"]
        .map(|folder| samples.join(folder).join(source))
        .into_iter()
        .find(|path| path.exists())
        .unwrap();
    let file = Gltf::load(&path);
    let name = list["animation"].as_str().unwrap();
    let animations = file.tree.list("animations");
    let named = animations
        .iter()
        .position(|a| a.text_of("name") == Some(name));
    let animation = named.or(name.parse().ok()).unwrap_or(0);
    let posed = Posed::new(&file, Some((animation, number(&list["t"]))));
    let solver = match list["solver"].as_str().unwrap().contains("dqs") {
        true => Solver::Dqs(Scale::Global),
        false => Solver::Lbs,
    };
    let by_blender = list["tool"].as_str().unwrap().contains("Blender");
    let (mut worst, mut seen) = (None, BTreeMap::new());
    for mesh in list["meshes"].as_array().unwrap() {
        let node = node_of(&file, mesh, &mut seen);
        // Blender takes one bind pose for all instances, the middle one's.
        let is_comparable =
            !by_blender || !source.starts_with("multi_skin") || mesh["node_name"] == "inst1";
        let Some(node) = node.filter(|_| is_comparable) else {
            continue;
        };
        let evaluated = evaluate(&file, node, &posed, &solver);
        let count = mesh["vertex_count"].as_u64().unwrap() as usize;
        let primitive = mesh["primitive"].as_u64().unwrap() as usize;
        let positions = match evaluated[primitive].positions.len() == count {
            true => evaluated[primitive].positions.clone(),
            false => evaluated.iter().flat_map(|e| e.positions.clone()).collect(),
        };
        assert_eq!(positions.len(), count);
        let size = (0..3)
            .map(|c| number(&mesh["max"][c]) - number(&mesh["min"][c]))
            .fold(0.0, f64::max);
        for entry in mesh["every10"].as_array().unwrap() {
            let vertex = positions[entry[0].as_u64().unwrap() as usize];
            for c in 0..3 {
                let off = (f64::from(vertex[c]) - number(&entry[c + 1])).abs() / size;
                worst = Some(f64::max(off, worst.unwrap_or(0.0)));
            }
        }
    }
    worst
}

#[test]
fn the_oracle_agrees_with_other_clients() {
    let Some(samples) = published("gltf-samples") else {
        return;
    };
    let entries = std::fs::read_dir(samples.join("expected")).unwrap();
    let mut lists: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    lists.sort();
    assert!(!lists.is_empty());
    for list in lists {
        let name = list.file_stem().unwrap().to_str().unwrap();
        let tolerance = match name {
            // Keys of three decimals: that client uses them as they are.
            _ if name.starts_with("three_lbs_SimpleSkin") => 1.3e-4,
            _ => 1e-5,
        };
        let worst = deviation(&list, &samples).unwrap();
        assert!(worst <= tolerance, "{name}: {worst:e}");
    }
}
