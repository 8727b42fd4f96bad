//! Every shared sample, at several animations and times and by every solver.

use std::path::PathBuf;

use super::palettes::{Scale, Solver};
use super::reader::Gltf;
use super::runs::{Ask, checked};
use crate::support::chance::cases;
use crate::support::{Dir, published};

pub fn samples() -> Vec<PathBuf> {
    let folders = ["real", "made", "compressed"].into_iter();
    let folders = folders.filter_map(|folder| published(&format!("gltf-samples/{folder}")));
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    // The reader of this oracle does not decompress.
    files.retain(|file| {
        !["meshopt", "draco"]
            .iter()
            .any(|word| file.to_str().unwrap().contains(word))
    });
    files.sort();
    files
}

fn all(asks: impl Fn(&str, &Gltf) -> Vec<Ask>) {
    for path in samples() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let dir = Dir::with(name, std::fs::read(&path).unwrap());
        for ask in asks(name, &Gltf::load(&path)) {
            println!("{name} {:?}", ask.arguments());
            checked(&dir, name, &ask);
        }
    }
}

#[test]
fn every_sample_comes_out_as_the_contract_says_in_its_rest_pose() {
    all(|_, _| vec![Ask::REST, Ask::REST.dqs(Scale::Global)]);
}

#[test]
fn every_sample_comes_out_as_the_contract_says_at_half_a_second() {
    all(|_, _| vec![Ask::at(0.5), Ask::at(0.5).dqs(Scale::Global)]);
}

#[test]
fn every_animation_of_every_sample_comes_out_as_the_contract_says() {
    all(|name, file| {
        let count = file.tree.list("animations").len();
        // The larger files have many: the first, the last, and one between.
        let mut animations = vec![0, count / 2, count - 1];
        animations.dedup();
        let times: &[f64] = if name.starts_with("Robot") || name.starts_with("Manne") {
            &[1.0 / 3.0]
        } else {
            &[0.731, 1e6, 0.0, 1.0 / 3.0][..cases(2, 4)]
        };
        let asks = animations.iter().flat_map(|animation| {
            times.iter().map(|time| Ask {
                animation: Some(*animation),
                ..Ask::at(*time)
            })
        });
        asks.collect()
    });
}

#[test]
fn joint_scale_of_samples_can_stay_with_its_joint() {
    all(|name, file| {
        // Compressed positions carry a scale in their inverse bind matrices, which counts as the root joints'.
        let is_scaled = ["spline", "Manne", "multi", "Lumber", "Fox-"]
            .iter()
            .any(|word| name.starts_with(word));
        if !is_scaled {
            return Vec::new();
        }
        let joints = file.tree.at("skins.0").unwrap().list("joints").iter();
        let names =
            joints.filter_map(|joint| file.tree.list("nodes")[joint.index()].text_of("name"));
        let every_second = names.step_by(2).map(str::to_owned).collect();
        let scales = [Scale::Local, Scale::LocalFor(every_second)];
        scales.map(|scale| Ask::at(0.5).dqs(scale)).to_vec()
    });
}

#[test]
fn the_two_solvers_differ_where_a_sample_bends() {
    let Some(path) = published("gltf-samples/real/Greenman.glb") else {
        return;
    };
    let dir = Dir::with("Greenman.glb", std::fs::read(path).unwrap());
    let mut outputs = Vec::new();
    for solver in [Solver::Lbs, Solver::Dqs(Scale::Global)] {
        let ask = Ask {
            solver,
            animation: Some(3),
            time: Some(0.5),
        };
        checked(&dir, "Greenman.glb", &ask);
        outputs.push(dir.read("out/Greenman.glb"));
    }
    assert_ne!(outputs[0], outputs[1]);
}
