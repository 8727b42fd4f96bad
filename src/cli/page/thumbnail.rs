//! Pictures of outputs on the report page.

use std::path::Path;

use crate::run::batch::{OutputRecord, Status, base64};

/// Returns a picture of an output as a URL that holds it, at most `size` pixels wide and high. Returns `None` if `size` is 0,
/// if the output has failed or its file is not there, as in a dry run, or if there is no picture of it.
pub fn thumbnail(record: &OutputRecord, size: u16) -> Option<String> {
    let path = record.path.as_deref()?;
    let has_file = size > 0 && record.status != Status::Failed;
    let png = has_file.then(|| picture(path, size)).flatten()?;
    Some(format!("data:image/png;base64,{}", base64(&png)))
}

/// Returns a picture of a GLB as the bytes of a PNG file.
fn picture(_path: &Path, _size: u16) -> Option<Vec<u8>> {
    None // until the rasteriser is merged: read the file by `io::read_file`, then `inspect::picture`
}
