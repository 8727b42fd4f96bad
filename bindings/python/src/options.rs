//! Values of options that Python gives as text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rigy_batch::bake::Pivot;
use rigy_batch::language::model::Solver;
use rigy_batch::{Code, JointScale, Skinning};

/// One of several values that have names.
fn named<T: Copy>(option: &str, name: &str, values: &[(&str, T)]) -> PyResult<T> {
    if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
        return Ok(*value);
    }
    let names: Vec<String> = values.iter().map(|(name, _)| format!("{name:?}")).collect();
    let names = names.join(", ");
    Err(PyValueError::new_err(format!(
        "{option} is one of {names}, not {name:?}"
    )))
}

/// Returns the solver and the treatment of joint scale.
pub fn skinning(solver: &str, scale: &str, scale_local: Vec<String>) -> PyResult<Skinning> {
    let solver = named(
        "solver",
        solver,
        &[("lbs", Solver::Lbs), ("dqs", Solver::Dqs)],
    )?;
    let scale = match named(
        "scale",
        scale,
        &[("global", 0), ("local", 1), ("reject", 2)],
    )? {
        0 if !scale_local.is_empty() => JointScale::LocalFor(scale_local.into_iter().collect()),
        _ if !scale_local.is_empty() => {
            let message = "scale and scale_local exclude each other";
            return Err(PyValueError::new_err(message));
        }
        0 => JointScale::Global,
        1 => JointScale::Local,
        _ => JointScale::Reject,
    };
    Ok(match solver {
        Solver::Lbs => Skinning::linear(),
        Solver::Dqs => Skinning::dual_quaternions(scale),
    })
}

/// Returns the origin of baked meshes.
pub fn pivot(name: &str) -> PyResult<Pivot> {
    let pivots = [
        ("origin", Pivot::Origin),
        ("node", Pivot::Node),
        ("bounds", Pivot::Bounds),
    ];
    named("pivot", name, &pivots)
}

/// Returns a number of seconds.
pub fn seconds(time: Option<f64>) -> PyResult<Option<f64>> {
    match time {
        Some(time) if !time.is_finite() => Err(PyValueError::new_err("time is not finite")),
        time => Ok(time),
    }
}

/// Returns the codes of warnings with these names; `all` means all of them.
pub fn warnings(option: &str, argument: Option<OneOrMany>) -> PyResult<Vec<Code>> {
    let mut codes = Vec::new();
    for name in argument.map_or(Vec::new(), names) {
        if name == "all" {
            codes.extend(Code::warnings());
            continue;
        }
        let code = Code::named(&name).filter(|code| code.is_warning());
        let unknown = || PyValueError::new_err(format!("{option}: there is no warning {name:?}"));
        codes.push(code.ok_or_else(unknown)?);
    }
    Ok(codes)
}

/// Returns the names of an argument that is one name or a sequence of them.
pub fn names(argument: OneOrMany) -> Vec<String> {
    match argument {
        OneOrMany::One(name) => vec![name],
        OneOrMany::Many(names) => names,
    }
}

/// A name, or a sequence of names.
#[derive(FromPyObject)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}
