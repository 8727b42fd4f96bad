//! The reader: a file's bytes in, a checked file out.

use super::accessor::Accessor;
use super::accessors::{self, Record};
use super::buffers::{Buffers, Source};
use super::container::split;
use super::cursor::At;
use super::document::{self, Data};
use super::json::{Value, parse};
use super::model::{Animation, Mesh, Node, Scene, Skin};
use super::problem::{Findings, Problem};
use crate::base::diag::{Diagnostic, Warned};
use crate::base::loader::{Loader, Location};

/// A glTF file, checked: whatever index, range or count is found in it can be used without asking.
///
/// It borrows the bytes it was read from. Vertex data stay where they are; what was compressed, and what animations
/// and skins need, has been decoded. Not looked at: whether vertex data are finite, weights sum to 1, and joint
/// numbers are within the skin, for all of which someone has to read every vertex anyway.
pub struct File<'a> {
    /// The JSON as it was read, for editing: with everything that this program does not understand.
    pub tree: Value<'a>,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// Indices of all nodes, each once, parents before children.
    pub order: Vec<usize>,
    /// All meshes.
    pub meshes: Vec<Mesh>,
    /// All skins.
    pub skins: Vec<Skin>,
    /// All animations.
    pub animations: Vec<Animation>,
    /// All scenes.
    pub scenes: Vec<Scene>,
    /// Index of the scene to show.
    pub scene: Option<usize>,
    accessors: Vec<Record>,
    buffers: Buffers<'a>,
}

impl File<'_> {
    /// The elements of an accessor; `None` beyond the last.
    pub fn accessor(&self, index: usize) -> Option<Accessor<'_>> {
        self.accessors.get(index)?.accessor(&self.buffers)
    }

    /// Number of accessors.
    pub fn accessor_count(&self) -> usize {
        self.accessors.len()
    }

    /// The bytes of a buffer view, decoded if it is compressed; `None` beyond the last.
    pub fn view(&self, index: usize) -> Option<&[u8]> {
        self.buffers.view_bytes(index)
    }

    /// Number of buffer views.
    pub fn view_count(&self) -> usize {
        self.buffers.view_count()
    }
}

/// Reads a `.glb` or `.gltf` file whose bytes are given. `location` is where it is; from there the loader finds what
/// it refers to, and calls it by the name that errors use.
///
/// # Errors
/// If the file is no glTF 2.0, needs an extension that is not supported, or breaks a rule that something here
/// relies on: all findings of the first stage that has some, in the order container, JSON, extensions, buffers,
/// views, accessors, everything else.
pub fn read<'a>(
    bytes: &'a [u8],
    location: &Location,
    loader: &dyn Loader,
) -> Result<Warned<File<'a>>, Vec<Diagnostic>> {
    let name = loader.name(location);
    let mut findings = Findings::new(&name);
    let alone = |problem: Problem| vec![problem.into_diagnostic(&name)];
    let container = split(bytes, &mut findings).map_err(alone)?;
    let tree = parse(container.json).map_err(|error| {
        let offset = container.json_offset + error.offset as u64;
        let problem = Problem::structure(&"", format!("malformed JSON: {}", error.message));
        alone(problem.at_byte(offset))
    })?;
    let root = At::root(&tree).object().map_err(alone)?;
    document::extensions(&root, &mut findings);
    findings.stop()?;
    let source = Source { location, loader };
    let mut buffers = Buffers::read(&root, container.bin, source, &mut findings);
    findings.stop()?;
    buffers.read_views(&root, &mut findings);
    findings.stop()?;
    let accessors = accessors::read(&root, &buffers, &mut findings);
    findings.stop()?;
    let quantization = |value: &Value<'_>| value.as_str() == Some("KHR_mesh_quantization");
    let used = tree.get("extensionsUsed").unwrap_or(&Value::Null);
    let data = Data {
        accessors: &accessors,
        buffers: &buffers,
        quantization: used.elements().iter().any(quantization),
    };
    let meshes = document::meshes(&root, data, &mut findings);
    let skins = document::skins(&root, data, &mut findings);
    findings.stop()?; // nodes refer to both
    let (nodes, order) = document::nodes(&root, &meshes, skins.len(), &mut findings);
    findings.stop()?;
    let animations = document::animations(&root, data, &nodes, &meshes, &mut findings);
    let (scenes, scene) = document::scenes(&root, &nodes, &mut findings);
    findings.conclude(File {
        tree,
        nodes,
        order,
        meshes,
        skins,
        animations,
        scenes,
        scene,
        accessors,
        buffers,
    })
}
