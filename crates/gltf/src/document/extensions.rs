//! The version of a file and the extensions that it requires, and what is known of extensions.

use crate::cursor::Cursor;
use crate::problem::{Findings, Problem, Result, quoted};

/// What is known of an extension.
#[derive(Clone, Copy, Debug)]
pub enum Extension {
    /// Files may require it: it is decoded, or it does not change geometry, skins and animations, and its data are copied. It does not
    /// refer to nodes by number.
    Plain,
    /// As `Plain`, but it refers to nodes.
    WithNodes,
    /// Files may use it, and not require it. It does not refer to nodes by number.
    Optional,
}

/// Known extensions. A `*` at the end stands for any text; the first name that matches decides.
const EXTENSIONS: &[(&str, Extension)] = {
    use Extension::{Optional, Plain, WithNodes};
    &[
        ("KHR_mesh_quantization", Plain),
        ("EXT_meshopt_compression", Plain),
        ("KHR_meshopt_compression", Plain),
        ("KHR_draco_mesh_compression", Plain),
        ("KHR_animation_pointer", WithNodes),
        ("KHR_blend", Plain),
        ("KHR_gaussian_splatting*", Optional),
        ("KHR_lights_*", Plain),
        ("KHR_materials_*", Plain),
        ("KHR_node_hoverability", Plain),
        ("KHR_node_selectability", Plain),
        ("KHR_node_visibility", Plain),
        ("KHR_techniques_webgl", WithNodes),
        ("KHR_texture_*", Plain),
        ("KHR_xmp*", Plain),
        ("EXT_instance_features", Plain),
        ("EXT_lights_*", Plain),
        ("EXT_materials_*", Plain),
        ("EXT_mesh_features", Plain),
        ("EXT_mesh_gpu_instancing", Plain),
        ("EXT_mesh_primitive_restart", Plain),
        ("EXT_mesh_*", Optional),
        ("EXT_structural_metadata", Plain),
        ("EXT_texture_*", Plain),
        ("ADOBE_materials_*", Plain),
        ("AGI_articulations", Plain),
        ("AGI_stk_metadata", Plain),
        ("CESIUM_primitive_outline", Plain),
        ("EXT_feature_metadata", Plain),
        ("GODOT_single_root", Plain),
        ("GOOGLE_texture_basis", Plain),
        ("MOZ_lightmap", Plain),
        ("MSFT_lod", WithNodes),
        ("MSFT_packing_*", Plain),
        ("MSFT_texture_dds", Plain),
        ("VRM", WithNodes),
        ("VRMC_materials_*", Plain),
        ("VRMC_*", WithNodes),
    ]
};

/// Returns what is known of the extension of a name.
pub fn extension(name: &str) -> Option<Extension> {
    let is_named = |known: &str| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == known,
    };
    let mut known = EXTENSIONS.iter();
    known
        .find(|(known, _)| is_named(known))
        .map(|(_, extension)| *extension)
}

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
pub fn check(root: &Cursor, allowed: &[String], findings: &mut Findings) {
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
fn version(root: &Cursor) -> Result<()> {
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
            return Err(asset
                .rule_in(key, format!("{} is not read, only glTF 2.0", quoted(text)))
                .help("export the model as glTF 2.0"));
        }
    }
    asset.required("version").map(drop)
}

/// The problem that a required extension is not supported; `None` if it is, or is allowed.
fn refusal(at: &Cursor, name: &str, allowed: &[String]) -> Option<Problem> {
    if let Some(Extension::Plain | Extension::WithNodes) = extension(name) {
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

/// The advice about a required extension that is not known.
fn advice(name: &str) -> String {
    let name = if name
        .bytes()
        .all(|byte: u8| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= LONGEST_NAME
    {
        name
    } else {
        "NAME"
    };
    format!(
        "if it does not touch geometry, skins and animations, `bake --allow-extension {name}` bakes the file; else export the \
         model without it, or, if the file is not yours, open it in a program that knows the extension and save it without"
    )
}
