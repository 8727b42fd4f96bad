//! A document that is built.

use std::sync::Arc;

use super::assemble;
use super::composition::Part;
use super::findings::FileFindings;
use super::unit::Valid;
use crate::geometry::scene::Assembly;
use crate::glb::{self, Glb, GlbError, Style};
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::loader::FileRead;
use rigy_base::meter::Meter;

/// A document that can be written, at rest or in any pose.
pub struct Compiled {
    pub(super) root: Valid,
    /// The parts that are placed, in the order of `assembly.parts`.
    pub(super) parts: Vec<Part>,
    pub(super) assembly: Assembly,
    /// Indices of the document's poses, sorted by id.
    pub(super) poses_by_id: Vec<usize>,
    pub(super) style: Style,
    pub(super) files_read: Vec<FileRead>,
    pub(super) meter: Meter,
}

impl Compiled {
    /// Returns the ids of the document's poses, in document order.
    pub fn pose_ids(&self) -> impl Iterator<Item = &str> {
        self.root.document.poses.iter().map(|pose| &*pose.id.value)
    }

    /// Returns the other files that it was made of: imports, direct or not, contracts, and the weight files that were
    /// read. A file is listed once for each path that leads to it.
    pub fn files_read(&self) -> &[FileRead] {
        &self.files_read
    }

    /// Returns the scene at rest, with its parts.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// Returns the work that is left for each output.
    pub fn meter(&self) -> Meter {
        self.meter
    }

    /// Sets deviations from what the contract says about the files.
    #[must_use]
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Turns triangles so that they are counter-clockwise seen from the side to which their normals point, as glTF has it. The
    /// language winds most curved shapes clockwise (`numerics.md` §3).
    #[must_use]
    pub fn with_triangles_outward(mut self) -> Self {
        let assembly = &mut self.assembly;
        let parts = assembly.parts.iter_mut().map(Arc::make_mut);
        for mesh in std::iter::once(&mut assembly.root)
            .chain(parts)
            .flat_map(|scene| &mut scene.meshes)
        {
            mesh.geometry.turn_triangles_outward();
        }
        self
    }

    /// Returns the ordinary export: rest pose, with skins and instances.
    ///
    /// # Errors
    /// U15 for each mesh with a number beyond f32; U17.
    pub fn export(&self) -> Diagnosed<Glb<'_>> {
        glb::export(&self.assembly, self.style).map_err(|errors| self.glb_errors(&errors, None))
    }

    pub(super) fn glb_errors(&self, errors: &[GlbError], pose_id: Option<&str>) -> Vec<Diagnostic> {
        let mut findings = FileFindings::default();
        for error in errors {
            let (of, importer) = match error {
                GlbError::Overflow {
                    part: Some(part), ..
                } => {
                    let part = &self.parts[*part];
                    (&part.valid, vec![part.importer(&self.root)])
                }
                _ => (&self.root, Vec::new()),
            };
            let mut finding = assemble::glb_error(of, error);
            if let Some(id) = pose_id {
                finding.message.push_str(&format!(" in pose `{id}`"));
            }
            findings.add(&of.file, [finding], &importer);
        }
        findings.located()
    }
}
