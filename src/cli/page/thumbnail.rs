//! Pictures of outputs on the report page.

use std::path::Path;

use crate::base::base64::base64;
use crate::run::batch::{OutputRecord, Status};

/// Returns a picture of an output as a URL that holds it, at most `size` pixels wide and high. Returns `None` if `size` is 0,
/// if the output has failed or its file is not there, as in a dry run, or if there is no picture of it.
pub fn thumbnail(record: &OutputRecord, size: u16) -> Option<String> {
    let path = record.path.as_deref()?;
    let has_file = size > 0 && !matches!(record.status, Status::Failed | Status::Skipped);
    let png = has_file.then(|| picture(path, size)).flatten()?;
    Some(format!("data:image/png;base64,{}", base64(&png)))
}

/// Largest file of which there is a picture, in bytes: more would take long to draw.
#[cfg(feature = "preview")]
const MAX_LEN: u64 = 64 << 20;

/// Returns a picture of a GLB as the bytes of a PNG file; `None` if the file cannot be read or drawn.
#[cfg(feature = "preview")]
fn picture(path: &Path, size: u16) -> Option<Vec<u8>> {
    use crate::bake::Source;
    use crate::base::loader::{Location, MemoryLoader};
    use crate::mesh::Model;
    use crate::view::picture::{Frame, Paint, Textures, View, draw, png};

    let mut bytes = Vec::new();
    crate::io::read_file(path, MAX_LEN, &mut bytes).ok()?;
    let location = Location(path.to_owned());
    let loader = MemoryLoader::default();
    let source = Source::read(&bytes, &location, &loader).ok()?.value;
    let model = Model::of_file(&source.file).ok()?;
    let textures = Textures::read(&source);
    let mut frame = Frame::new(View::Iso);
    frame.include(&model);
    let image = draw(&model, &frame, size.into(), Paint::Materials(&textures)).ok()?;
    Some(png(&image))
}

/// Without the feature `preview` there are no pictures.
#[cfg(not(feature = "preview"))]
fn picture(_: &Path, _: u16) -> Option<Vec<u8>> {
    None
}
