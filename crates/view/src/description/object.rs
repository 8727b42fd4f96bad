//! Descriptions as `inspect --format json` prints them, for the program and the bindings.

use serde::Serialize;

use super::{DocumentDescription, GltfDescription, of_gltf};
use rigy_base::diag::{Diagnosed, Diagnostic, Finding, Warned};
use rigy_base::loader::{Loader, Location};
use rigy_gltf::File;

/// A document or a scene.
#[derive(Debug, Serialize)]
pub struct DocumentObject {
    /// The name of the file, where there may be several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `rigy` or `rigs`, where there may be several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// The description.
    #[serde(flatten)]
    pub description: DocumentDescription,
    /// The document after preprocessing, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded_yaml: Option<String>,
}

/// A glTF file.
#[derive(Debug, Serialize)]
pub struct GltfObject {
    /// The name of the file.
    pub file: String,
    /// `glb` or `gltf`.
    pub format: &'static str,
    /// The description.
    #[serde(flatten)]
    pub description: GltfDescription,
    /// Warnings about the file.
    pub warnings: Vec<Finding>,
}

impl GltfObject {
    /// Describes a file whose bytes, with which it was read, begin like this. `warnings` are those of reading it. The result has all
    /// warnings as diagnostics, too.
    ///
    /// # Errors
    /// As [`of_gltf`].
    pub fn new(
        file: &File,
        bytes: &[u8],
        location: &Location,
        loader: &dyn Loader,
        warnings: Vec<Diagnostic>,
    ) -> Diagnosed<Warned<Self>> {
        let described = of_gltf(file, location, loader)?;
        let warnings = [warnings, described.warnings].concat();
        let is_glb = bytes.starts_with(b"glTF");
        let value = Self {
            file: file.name.clone(),
            format: if is_glb { "glb" } else { "gltf" },
            description: described.value,
            warnings: warnings.iter().map(Finding::new).collect(),
        };
        Ok(Warned { value, warnings })
    }
}
