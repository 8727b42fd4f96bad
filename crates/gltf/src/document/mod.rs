//! Reading nodes, meshes, skins, animations and scenes.
//!
//! In: the JSON tree and checked accessors. Out: `model`. Each file reads all objects of one kind, so that the errors
//! of all of them are reported together.

mod animations;
mod meshes;
mod nodes;
mod skins;

use super::accessor_checks::CheckedAccessor;
use super::buffers::Buffers;
use super::cursor::Cursor;
use super::problem::{Findings, Problem, quoted};
use rigy_kernel::math::Affine;

pub(super) use animations::{channels, read as animations};
pub(super) use meshes::read as meshes;
pub(super) use nodes::{read as nodes, scenes};
pub(super) use skins::read as skins;

/// The accessors of a file and their data.
#[derive(Clone, Copy)]
pub(super) struct Data<'d> {
    /// All accessors.
    pub accessors: &'d [CheckedAccessor],
    /// The buffers that they read.
    pub buffers: &'d Buffers<'d>,
    /// True if `extensionsUsed` has `KHR_mesh_quantization`.
    pub quantization: bool,
}

/// Largest difference of the last row of a matrix from 0 0 0 1 that is regarded as rounding.
const ROUNDING: f64 = 1e-5;

/// Returns the upper three rows of a matrix given column by column. Its last row must be 0 0 0 1; exporters that invert
/// matrices in single precision have small differences, which clients ignore. `which` returns the name of the matrix
/// for messages.
fn affine(
    at: &Cursor<'_>,
    which: &dyn Fn() -> String,
    m: [f64; 16],
    findings: &mut Findings<'_>,
) -> Result<Affine, Problem> {
    let last = [m[3], m[7], m[11], m[15]];
    let off = [m[3], m[7], m[11], m[15] - 1.0].map(f64::abs);
    if off != [0.0; 4] {
        let which = which();
        let problem = at.rule(format!("the last row of {which} is {last:?}, not 0 0 0 1"));
        if !off.iter().all(|off| *off <= ROUNDING) {
            return Err(problem.help("only affine matrices are read: export the model again"));
        }
        findings.warn(problem);
    }
    Ok(std::array::from_fn(|row| {
        [m[row], m[row + 4], m[row + 8], m[row + 12]]
    }))
}

/// Extensions that are decoded, and extensions that do not change geometry, skins and animations, whose data are
/// copied. A `*` at the end stands for any text.
const SUPPORTED: &[&str] = &[
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_draco_mesh_compression",
    "KHR_animation_pointer",
    "KHR_lights_*",
    "KHR_materials_*",
    "KHR_node_visibility",
    "KHR_texture_*",
    "KHR_xmp*",
    "EXT_instance_features",
    "EXT_lights_*",
    "EXT_materials_*",
    "EXT_mesh_features",
    "EXT_mesh_gpu_instancing",
    "EXT_mesh_primitive_restart",
    "EXT_structural_metadata",
    "EXT_texture_*",
    "MSFT_texture_dds",
];

/// For extensions that change geometry or animations in ways that are not read, the advice in the error. They cannot be allowed.
const ADVICE: &[(&str, &str)] = &[
    (
        "KHR_mesh_primitive_restart",
        "export strips and fans as lists of triangles, or each as a primitive of its own",
    ),
    (
        "KHR_accessor_float64",
        "export it with accessors of single precision",
    ),
    (
        "KHR_accessor_float16",
        "export it with accessors of single precision",
    ),
];

/// Longest name of an extension that advice repeats, in bytes.
const LONGEST_NAME: usize = 60;

/// Checks `asset.version` and `extensionsRequired`; `allowed` names extensions that may be required although they are not known.
pub(crate) fn extensions(root: &Cursor<'_>, allowed: &[String], findings: &mut Findings<'_>) {
    let version = version(root);
    findings.keep(version);
    for key in ["extensionsUsed", "extensionsRequired"] {
        let Some(list) = findings.keep(root.list(key)) else {
            continue;
        };
        for item in list.items() {
            match item.value.as_str() {
                None => findings.error(item.wrong_type("the name of an extension")),
                Some(name) if key == "extensionsRequired" => {
                    if let Some(problem) = refusal(&item, name, allowed) {
                        findings.error(problem);
                    }
                }
                Some(_) => {}
            }
        }
    }
}

/// Checks that the file is glTF 2.0.
fn version(root: &Cursor<'_>) -> Result<(), Problem> {
    let asset = root.required("asset")?.object()?;
    for key in ["minVersion", "version"] {
        let Some(text) = asset.text(key)? else {
            continue;
        };
        let number = text
            .split_once('.')
            .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let read = match (key, number) {
            ("version", Some((major, _))) => major == 2u32,
            (_, Some(number)) => number <= (2u32, 0u32),
            (_, None) => false,
        };
        if !read {
            let problem =
                asset.rule_in(key, format!("{} is not read, only glTF 2.0", quoted(text)));
            return Err(problem.help("export the model as glTF 2.0"));
        }
    }
    asset.required("version").map(drop)
}

/// Returns the problem that a required extension is not supported; `None` if it is, or is allowed.
fn refusal(at: &Cursor<'_>, name: &str, allowed: &[String]) -> Option<Problem> {
    let supported = |known: &&str| match known.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == *known,
    };
    if SUPPORTED.iter().any(supported) {
        return None;
    }
    let problem = at.rule(format!(
        "the extension {} is required, but not supported",
        quoted(name)
    ));
    match ADVICE.iter().find(|(known, _)| *known == name) {
        Some((_, advice)) => Some(problem.help(*advice)),
        None if allowed.iter().any(|allowed| allowed == name) => None,
        None => Some(problem.help(advice(name))),
    }
}

/// Returns the advice about a required extension that is not known.
fn advice(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let name = if name.bytes().all(is_plain) && name.len() <= LONGEST_NAME {
        name
    } else {
        "NAME"
    };
    format!(
        "if it does not touch geometry, skins and animations, `bake --allow-extension {name}` bakes the file; else export the \
         model without it, or, if the file is not yours, open it in a program that knows the extension and save it without"
    )
}
