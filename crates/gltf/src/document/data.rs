//! The accessors of a file.

use crate::accessor_checks::CheckedAccessor;
use crate::buffers::Buffers;

/// The accessors of a file and their data.
#[derive(Clone, Copy)]
pub struct Data<'d> {
    /// All accessors.
    pub accessors: &'d [CheckedAccessor],
    /// The buffers that they read.
    pub buffers: &'d Buffers<'d>,
    /// True if `extensionsUsed` has `KHR_mesh_quantization`.
    pub quantization: bool,
}
