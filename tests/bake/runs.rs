//! Runs of `bake` on a file, with checks of its output.

use std::path::Path;

use super::builder::Made;
use super::cli::lines;
use super::container;
use super::palettes::{Scale, Solver};
use super::pose::When;
use super::reader::Gltf;
use super::structure;
use crate::support::{Dir, Ran};

/// Options of a bake.
#[derive(Clone, Debug)]
pub struct Ask {
    pub solver: Solver,
    pub animation: Option<usize>,
    pub time: Option<f64>,
}

impl Ask {
    pub const REST: Self = Self {
        solver: Solver::Lbs,
        animation: None,
        time: None,
    };

    pub fn at(time: f64) -> Self {
        Self {
            time: Some(time),
            ..Self::REST
        }
    }

    pub fn dqs(self, scale: Scale) -> Self {
        let solver = Solver::Dqs(scale);
        Self { solver, ..self }
    }

    pub fn arguments(&self) -> Vec<String> {
        let mut list = Vec::new();
        let mut option = |name: &str, value: String| list.extend([name.to_owned(), value]);
        if let Solver::Dqs(scale) | Solver::TwoStage(scale) = &self.solver {
            option("--solver", "dqs".into());
            match scale {
                Scale::Global => {}
                Scale::Local => option("--joint-scale", "local".into()),
                Scale::LocalFor(names) => {
                    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
                    option("--local-scale-joints", names.join(","));
                }
            }
        }
        if let Some(animation) = self.animation {
            option("--animation", animation.to_string());
        }
        if let Some(time) = self.time {
            option("--time", time.to_string());
        }
        if matches!(self.solver, Solver::TwoStage(_)) {
            list.push("--two-stage".to_owned());
        }
        list
    }

    pub fn when(&self) -> When {
        match (self.animation, self.time) {
            (None, None) => None,
            (animation, time) => Some((animation.unwrap_or(0), time.unwrap_or(0.0))),
        }
    }
}

/// A bake of one input in a directory, out to `out`.
pub fn run(dir: &Dir, input: &str, ask: &Ask) -> Ran {
    let own = ask.arguments();
    let mut arguments = vec!["bake", input, "-o", "out", "--format", "json"];
    arguments.push("--keep-skeleton"); // nodes have the numbers of the input
    arguments.extend(own.iter().map(String::as_str));
    dir.run(&arguments)
}

/// The output of a bake of `made.glb`, after checks of its container.
pub fn baked_in(dir: &Dir, more: &str) -> Gltf {
    lines(dir, &format!("made.glb -o out {more}"));
    let glb = dir.read("out/made.glb");
    let mut problems = Vec::new();
    container::check(&glb, &mut problems);
    assert!(problems.is_empty(), "{problems:#?}");
    Gltf::read(&glb, dir.path())
}

/// The output of a bake that must succeed, after all checks, and the warnings.
pub fn checked(dir: &Dir, input: &str, ask: &Ask) -> (Gltf, Vec<serde_json::Value>) {
    let ran = run(dir, input, ask);
    assert_eq!(ran.status(), 0, "{ask:?}: {}{}", ran.stdout(), ran.stderr());
    let stem = Path::new(input).file_stem().unwrap().to_str().unwrap();
    let glb = dir.read(&format!("out/{stem}.glb"));
    let source = Gltf::load(&dir.path().join(input));
    let problems = structure::check(&source, &glb, ask.when(), &ask.solver);
    assert!(problems.is_empty(), "{ask:?}: {problems:#?}");
    let warnings = ran.json()[0]["warnings"].as_array().unwrap().clone();
    (Gltf::read(&glb, dir.path()), warnings)
}

pub fn baked(made: &Made, ask: &Ask) -> Gltf {
    let (output, warnings) = warned(made, ask);
    assert!(warnings.is_empty(), "{warnings:#?}");
    output
}

/// The same with its warnings.
pub fn warned(made: &Made, ask: &Ask) -> (Gltf, Vec<serde_json::Value>) {
    let dir = Dir::with("made.glb", made.glb());
    checked(&dir, "made.glb", ask)
}

pub fn refused(made: &Made, ask: &Ask) -> serde_json::Value {
    let dir = Dir::with("made.glb", made.glb());
    let ran = run(&dir, "made.glb", ask).exits(1);
    let line = &ran.json()[0];
    assert_eq!(line["status"], "failed");
    assert_eq!(dir.files(), ["made.glb"], "nothing is written");
    line["errors"][0].clone()
}
