//! The size of an export in vertices and bytes, and its limits.

use crate::glb::{self, GlbError};
use rigy_language::base::diag::{Category, Code, Diagnostic, Span};
use rigy_language::base::limits::Limits;
use rigy_language::model::Mesh;

/// Length of the JSON of an object without its name, in bytes (an estimate).
const OBJECT: u64 = 100;
/// Length of the JSON of a tag without its text, in bytes.
const OF_TAG: u64 = 3;
/// JSON objects of a mesh, with its accessors and buffer views.
const OF_MESH: u64 = 10;
/// A number of meshes whose JSON is too long in any case. In memory the objects of JSON take several times its length.
pub(super) const TOO_MANY_MESHES: usize = (Limits::MOST.json / (OBJECT * OF_MESH)) as usize + 1;

/// The size of one document's meshes in an ordinary export.
#[derive(Clone, Copy, Default)]
pub(super) struct Size {
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
    pub fn add_mesh(&mut self, vertices: u64, indices: u64, joints: Option<usize>) {
        self.vertices += vertices;
        self.bin += glb::export_len(vertices, indices, joints);
        self.objects += OF_MESH + joints.unwrap_or(0) as u64;
    }

    /// Adds what the primitives of a mesh have besides: UV sets, ids and tags, and accessors of their own.
    pub fn add_labels(&mut self, mesh: &Mesh, vertices: u64) {
        const UV: u64 = 8;
        let sets = mesh.uv.sets.as_ref().map_or(0, Vec::len) as u64;
        self.bin += sets.saturating_mul(UV * vertices);
        self.objects += sets;
        for primitive in &mesh.primitives {
            let tags = primitive.tags.iter().map(|tag| tag.len() as u64 + OF_TAG);
            self.names += primitive.id.value.len() as u64 + tags.sum::<u64>();
        }
    }

    /// Adds the name of an object.
    pub fn add_name(&mut self, name: &str) {
        self.add_names(name.len() as u64);
    }

    /// Adds names of `len` bytes in all.
    pub fn add_names(&mut self, len: u64) {
        self.names += len;
    }
}

/// The size of a whole file.
#[derive(Default)]
pub(super) struct Total {
    vertices: u64,
    bytes: u64,
    json: u64,
}

impl Total {
    /// Adds a document's meshes, whose names get a prefix of `prefix` bytes.
    pub fn add(&mut self, size: &Size, prefix: usize) {
        self.vertices += size.vertices;
        self.bytes += size.bin;
        self.json += size.objects * (OBJECT + prefix as u64) + size.names;
    }

    /// Adds an instance, whose id is a prefix of its nodes' names.
    pub fn add_instance(&mut self, size: &Size, name: &str) {
        self.add(size, name.len());
        self.json += 4 * OBJECT;
    }

    /// Adds the nodes of a child of a scene; its id is a prefix of their names.
    pub fn add_nodes(&mut self, size: &Size, name: &str) {
        let nodes = 4 + size.objects;
        self.json += nodes * (OBJECT + name.len() as u64) + size.names;
    }

    /// Checks that the file fits a GLB and the limits.
    ///
    /// # Errors
    /// U17, or an ExportError about its JSON, without a span.
    pub fn within(&self, limits: &Limits) -> Result<(), Diagnostic> {
        let Self {
            vertices,
            bytes,
            json,
        } = *self;
        let mut error = if vertices > limits.vertices {
            let limit = limits.vertices;
            let message =
                format!("the output would have {vertices} vertices; the limit is {limit}");
            Diagnostic::new(Code::U17, Span::default(), message)
        } else if bytes > glb::MAX_LEN {
            let message = GlbError::TooLarge { bytes }.to_string();
            Diagnostic::new(Code::U17, Span::default(), message)
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
        error.span = None;
        Err(error)
    }
}

/// Returns the error of too many bones (U16), at the span of the armature's id in a binding.
pub(super) fn too_many_bones(id: &str, span: Span, joints: usize, limit: u64) -> Diagnostic {
    let message = format!("armature `{id}` has {joints} bones; a skin has at most {limit}");
    Diagnostic::new(Code::U16, span, message)
}
