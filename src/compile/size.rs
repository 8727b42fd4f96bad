//! What an export comes to, in vertices and bytes, and what it may come to.

use crate::base::diag::{Category, Code, Diagnostic, Span};
use crate::base::limits::Limits;
use crate::glb::{self, GlbError};

/// Largest JSON chunk, by a cautious estimate in bytes: its objects take several times as much memory.
pub(super) const MAX_JSON: u64 = 256 << 20;
/// About how long the JSON of an object is without its name.
const OBJECT: u64 = 100;
/// Objects of a mesh, with its accessors and views.
const OF_MESH: u64 = 10;
/// Meshes that are too many in any case.
pub(super) const TOO_MANY_MESHES: usize = (MAX_JSON / (OBJECT * OF_MESH)) as usize + 1;

/// What the meshes of one document take in an ordinary export.
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
    /// Counts a mesh that has vertices, with the joints of its skin, if it has one.
    pub fn add_mesh(&mut self, vertices: usize, indices: usize, joints: Option<usize>) {
        self.vertices += vertices as u64;
        self.bin += glb::export_len(vertices, indices, joints);
        self.objects += OF_MESH + joints.unwrap_or(0) as u64;
    }

    /// Counts the name of an object.
    pub fn add_name(&mut self, name: &str) {
        self.add_names(name.len() as u64);
    }

    /// Counts names that have so many bytes together.
    pub fn add_names(&mut self, len: u64) {
        self.names += len;
    }
}

/// What a whole file takes.
#[derive(Default)]
pub(super) struct Total {
    vertices: u64,
    bytes: u64,
    json: u64,
}

impl Total {
    /// Counts a document's meshes when all their names have a prefix of some length.
    pub fn add(&mut self, size: &Size, prefix: usize) {
        self.vertices += size.vertices;
        self.bytes += size.bin;
        self.json += size.objects * (OBJECT + prefix as u64) + size.names;
    }

    /// Counts an instance, whose nodes have its name.
    pub fn add_instance(&mut self, size: &Size, name: &str) {
        self.add(size, name.len());
        self.json += 4 * OBJECT;
    }

    /// Refuses what is too large for a GLB.
    ///
    /// # Errors
    /// U17, or an ExportError about its JSON; about no place in particular.
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
        } else if u32::try_from(bytes).is_err() {
            let message = GlbError::TooLarge { bytes }.to_string();
            Diagnostic::new(Code::U17, Span::default(), message)
        } else if json > MAX_JSON {
            let message = format!("the JSON of the file would take about {json} bytes");
            let help = format!(
                "the limit is {MAX_JSON}; place fewer instances, or parts with fewer bones"
            );
            Diagnostic::without_code(Category::ExportError, message).help(help)
        } else {
            return Ok(());
        };
        error.span = None;
        Err(error)
    }
}

/// U16, at the place where a binding names the armature.
pub(super) fn too_many_bones(id: &str, span: Span, joints: usize, limit: u64) -> Diagnostic {
    let message = format!("armature `{id}` has {joints} bones; a skin has at most {limit}");
    Diagnostic::new(Code::U16, span, message)
}
