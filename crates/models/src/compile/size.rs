//! The size of an output in vertices and bytes, its limits, and the memory that building it takes.

use std::sync::Arc;

use super::checked::Checked;
use super::composition::{self, Part};
use super::findings::{FileFindings, FileSpan, located};
use super::unit::Valid;
use crate::geometry::scene::{Nested, NestedChild};
use crate::geometry::tessellate::{self, SAMPLES_OF_VERTEX, Surfaces};
use crate::glb::{self, GlbError};
use rigy_base::diag::{Category, Code, Diagnosed, Diagnostic};
use rigy_base::limits::Limits;
use rigy_base::maps::HashMap;
use rigy_base::meter::Cost;
use rigy_language::model::{Armature, Document, Mesh};
use rigy_language::validate;

/// Length of the JSON of an object without its name, in bytes (an estimate).
const OBJECT: u64 = 100;
/// Length of the JSON of a tag without its text, in bytes.
const OF_TAG: u64 = 3;
/// JSON objects of a mesh, with its accessors and buffer views.
const OF_MESH: u64 = 10;

/// The size of one document's meshes in an ordinary export.
#[derive(Clone, Copy, Default)]
struct Size {
    vertices: u64,
    /// Bytes of the BIN chunk.
    bin: u64,
    /// Named objects of the JSON chunk.
    objects: u64,
    /// Bytes of their names.
    names: u64,
}

impl Size {
    /// Adds a mesh with vertices, and the joints of its skin if it has one.
    fn add_mesh(&mut self, vertices: u64, indices: u64, joints: Option<usize>) {
        self.vertices += vertices;
        self.bin += glb::export_len(vertices, indices, joints);
        self.objects += OF_MESH + joints.unwrap_or(0) as u64;
    }

    /// Adds what the primitives of a mesh have besides: UV sets, ids and tags, and accessors of their own.
    fn add_labels(&mut self, mesh: &Mesh, vertices: u64) {
        const UV: u64 = 8;
        let sets = mesh.uv_sets.as_ref().map_or(0, Vec::len) as u64;
        self.bin += sets.saturating_mul(UV * vertices);
        self.objects += sets;
        for primitive in &mesh.primitives {
            let tags = primitive.tags.iter().map(|tag| tag.len() as u64 + OF_TAG);
            self.names += primitive.id.value.len() as u64 + tags.sum::<u64>();
        }
    }
}

/// The size of a whole file.
#[derive(Default)]
struct Total {
    vertices: u64,
    bytes: u64,
    json: u64,
}

impl Total {
    /// Adds a document's meshes, whose names get a prefix of `prefix` bytes.
    fn add(&mut self, size: &Size, prefix: usize) {
        self.vertices += size.vertices;
        self.bytes += size.bin;
        self.json += size.objects * (OBJECT + prefix as u64) + size.names;
    }

    /// Adds the nodes of a child of a scene; its id is a prefix of their names.
    fn add_nodes(&mut self, size: &Size, name: &str) {
        let nodes = 4 + size.objects;
        self.json += nodes * (OBJECT + name.len() as u64) + size.names;
    }

    /// Checks that the file fits a GLB and the limits.
    ///
    /// # Errors
    /// U17, or an ExportError about its JSON, without a span.
    fn within(&self, limits: &Limits) -> Result<(), Diagnostic> {
        let Self {
            vertices,
            bytes,
            json,
        } = *self;
        let error = if vertices > limits.vertices {
            let limit = limits.vertices;
            let message =
                format!("the output would have {vertices} vertices; the limit is {limit}");
            Diagnostic::whole(Code::U17, message)
        } else if bytes > glb::MAX_LEN {
            let message = GlbError::TooLarge { bytes }.to_string();
            Diagnostic::whole(Code::U17, message)
        } else if json > limits.json {
            let message = format!("the JSON of the file would take about {json} bytes");
            let help = format!(
                "the limit is {}; place fewer instances, or parts with fewer bones",
                limits.json
            );
            Diagnostic::without_code(Category::ExportError, message).help(help)
        } else {
            return Ok(());
        };
        Err(error)
    }
}

/// Checks that the document, with the parts that are placed, stays within the limits of an output.
///
/// # Errors
/// U11 and U16 for the document and its parts, or else U17 or an ExportError, with their places.
pub fn check_size(
    root: &Valid,
    parts: &[Part],
    placed: &[Option<usize>],
    nested: Option<&Nested>,
    surfaces: &Surfaces,
    limits: &Limits,
) -> Diagnosed<()> {
    let mut errors = FileFindings::default();
    let mut known: HashMap<*const validate::Checked<Document>, Result<Size, Diagnostic>> =
        HashMap::default();
    let mut measured = |valid: &Valid, importers: &[FileSpan]| {
        let size = known.entry(Arc::as_ptr(&valid.document));
        size.or_insert_with(|| size_of(valid, surfaces, limits))
            .clone()
            .unwrap_or_else(|error| {
                errors.add(&valid.file, [error], importers);
                Size::default()
            })
    };
    let own = measured(root, &[]);
    let of_parts: Vec<Size> = parts
        .iter()
        .map(|part| measured(&part.valid, &[part.importer(root)]))
        .collect();
    errors.check_none()?;
    let mut total = Total::default();
    total.add(&own, 0);
    for (instance, part) in root.document.instances.iter().zip(placed) {
        let size = part.map_or_else(Size::default, |part| of_parts[part]);
        // Its id is a prefix of the names of its nodes.
        total.add(&size, instance.id.value.len());
        total.json += 4 * OBJECT;
    }
    if let Some(nested) = nested {
        // Every part is written once, and each child adds its nodes.
        of_parts.iter().for_each(|size| total.add(size, 0));
        let mut open: Vec<&NestedChild> = nested.children.iter().collect();
        while let Some(child) = open.pop() {
            total.add_nodes(&of_parts[child.part], &child.name);
            open.extend(&child.children);
        }
    }
    total
        .within(limits)
        .map_err(|error| located(&root.file, error, &[]))
}

/// The size of a document's own meshes.
///
/// # Errors
/// U11, U16.
fn size_of(valid: &Valid, surfaces: &Surfaces, limits: &Limits) -> Result<Size, Diagnostic> {
    if let Some(profile) = &valid.document.tessellation_profile
        && profile.value != tessellate::PROFILE
    {
        return Err(Diagnostic::new(
            Code::U11,
            profile.span,
            format!("there is no tessellation profile `{}`", profile.value),
        )
        .help(format!("the only one is `{}`", tessellate::PROFILE)));
    }
    let mut size = Size::default();
    // The length of all bone names of an armature, together.
    let mut names: HashMap<*const Armature, u64> = HashMap::default();
    for (mesh, bound) in valid.bound_meshes() {
        let (vertices, indices) = tessellate::mesh_counts(mesh, surfaces);
        if mesh.primitives.is_empty() {
            continue;
        }
        let joints = bound.map(|(_, armature)| armature.bones.len());
        size.add_mesh(vertices, indices, joints);
        size.add_labels(mesh, vertices);
        size.names += mesh.output_name().len() as u64;
        if let (Some((binding, armature)), Some(joints)) = (bound, joints) {
            let of_bones = names
                .entry(std::ptr::from_ref(armature))
                .or_insert_with(|| {
                    armature
                        .bones
                        .iter()
                        .map(|bone| bone.id.value.len() as u64)
                        .sum()
                });
            size.names += *of_bones;
            if joints as u64 > limits.joints {
                let id = &binding.armature_id;
                let limit = limits.joints;
                return Err(Diagnostic::new(
                    Code::U16,
                    id.span,
                    format!(
                        "armature `{}` has {joints} bones; a skin has at most {limit}",
                        id.value
                    ),
                ));
            }
        }
    }
    Ok(size)
}

/// Bytes for each vertex: at rest, its influences, posed, and in the buffers of the output (measured: 152).
const VERTEX: u64 = 160;
/// Bytes for each index.
const INDEX: u64 = 4;

/// Bytes of a vertex for which a bone or an instance counts, as often as there are poses.
const NODE: u64 = 1024;

impl Checked<'_> {
    /// Counts the work of so many poses, before anything is built.
    ///
    /// # Errors
    /// U17, at the first pose.
    pub fn spend_on_poses(&self, poses: usize) -> Diagnosed<()> {
        let document = &self.root.document;
        let bones = document.armatures.iter().map(|of| of.bones.len());
        let nodes = self.places.len() + bones.sum::<usize>();
        let each = self.memory().saturating_add(NODE * nodes as u64);
        let spent = self.meter.among(poses).spend(Cost::Poses, each);
        match (spent, document.poses.first()) {
            (Err(over), Some(first)) => Err(located(&self.root.file, over.at(first.id.span), &[])),
            _ => Ok(()),
        }
    }

    /// Returns about how many bytes of memory building and posing the document will take in addition.
    pub fn memory(&self) -> u64 {
        let parts = composition::distinct(&self.parts);
        let documents = std::iter::once(&self.root).chain(parts);
        let limits = self.files.limits();
        let mut vertices = 0u64;
        let mut indices = 0u64;
        let mut of_surfaces = 0u64;
        for mesh in documents.flat_map(|valid| &valid.document.meshes) {
            let (more_vertices, more_indices) = tessellate::mesh_counts(mesh, &Surfaces::default());
            vertices = vertices.saturating_add(more_vertices);
            indices = indices.saturating_add(more_indices);
            of_surfaces = of_surfaces.saturating_add(tessellate::estimated_vertices(mesh));
        }
        // With more, it will be refused.
        let of_surfaces = of_surfaces.min(self.meter.left(Cost::Samples) / SAMPLES_OF_VERTEX);
        let vertices = vertices.saturating_add(of_surfaces);
        let indices = indices.saturating_add(of_surfaces);
        if vertices > limits.vertices || vertices > u64::from(u32::MAX) / 24 {
            return 0; // it will be refused
        }
        vertices.saturating_mul(VERTEX) + indices.saturating_mul(INDEX)
    }
}

/// Checks that a machine that can address `most` bytes at once can take `memory` bytes for a document. On one with 64 bits
/// it always can.
///
/// # Errors
/// U17, without a span.
pub fn check_addressable(memory: u64, most: usize) -> Result<(), Diagnostic> {
    if memory <= most as u64 {
        return Ok(());
    }
    let message = format!(
        "the output would take about {} MiB of memory, and this machine can address {} MiB",
        memory >> 20,
        most >> 20
    );
    let error = Diagnostic::whole(Code::U17, message);
    Err(error.help("compile it on a machine with 64 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most bytes that a `Vec` holds on a machine with 32 bits.
    const OF_32_BITS: usize = i32::MAX as usize;

    #[test]
    fn more_than_the_machine_can_address_is_refused() {
        assert_eq!(check_addressable(OF_32_BITS as u64, OF_32_BITS), Ok(()));
        for memory in [OF_32_BITS as u64 + 1, 1 << 32, u64::MAX] {
            let error = check_addressable(memory, OF_32_BITS).unwrap_err();
            assert_eq!(error.code, Some(Code::U17), "{memory}");
            let help = error.help.unwrap();
            assert_eq!(help, "compile it on a machine with 64 bits");
        }
    }
}
