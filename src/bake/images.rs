//! Images outside the file: found, so that they can be folded in.

use std::collections::HashMap;

use crate::bake::gltf::{File, Problem, resource};
use crate::base::diag::{Diagnostic, MOST_FINDINGS};
use crate::base::loader::{Bytes, Loader, Location};

/// Images of a file that lie outside its buffers.
#[derive(Default)]
pub(super) struct Images {
    /// Each of them once.
    pub data: Vec<Image>,
    /// For each image of the file, which of them it is.
    pub of: Vec<Option<usize>>,
}

/// An image that is to be folded in.
pub(super) struct Image {
    /// The encoded image.
    pub bytes: Bytes,
    /// Its media type, where its first bytes, its name or its URI tell it.
    pub kind: Option<String>,
}

impl Images {
    /// Finds the images of a file that have a URI.
    ///
    /// # Errors
    /// Every image that cannot be had.
    pub fn read(
        file: &File<'_>,
        location: &Location,
        loader: &dyn Loader,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut images = Self::default();
        let mut known = HashMap::new();
        let mut errors = Vec::new();
        let name = loader.name(location);
        for (index, image) in file.tree.list("images").iter().enumerate() {
            let Some(uri) = image.get("uri").and_then(|uri| uri.as_str()) else {
                images.of.push(None);
                continue;
            };
            if let Some(number) = known.get(uri) {
                images.of.push(Some(*number));
                continue;
            }
            match resource(uri, &format!("images[{index}].uri"), location, loader) {
                Ok(bytes) => {
                    let kind = media_type(bytes.as_ref(), uri);
                    known.insert(uri, images.data.len());
                    images.of.push(Some(images.data.len()));
                    images.data.push(Image { bytes, kind });
                }
                Err(problem) if errors.len() < MOST_FINDINGS => {
                    errors.push(Problem::into_diagnostic(problem, &name));
                }
                Err(_) => {}
            }
        }
        if errors.is_empty() {
            Ok(images)
        } else {
            Err(errors)
        }
    }
}

/// Media types by how their files begin and how their names end.
const KINDS: [(&[u8], &[&str], &str); 5] = [
    (b"\x89PNG", &[".png"], "image/png"),
    (b"\xff\xd8\xff", &[".jpg", ".jpeg"], "image/jpeg"),
    (b"\xabKTX 20", &[".ktx2"], "image/ktx2"),
    (b"RIFF", &[".webp"], "image/webp"),
    (b"DDS ", &[".dds"], "image/vnd-ms.dds"),
];

fn media_type(bytes: &[u8], uri: &str) -> Option<String> {
    let by_content = KINDS.iter().find(|(start, _, _)| bytes.starts_with(start));
    if let Some((_, _, kind)) = by_content {
        return Some((*kind).to_owned());
    }
    if uri
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
    {
        let declared = uri[5..].split([';', ',']).next().unwrap_or("");
        return (!declared.is_empty()).then(|| declared.to_owned());
    }
    let name = uri.to_ascii_lowercase();
    let by_name = KINDS
        .iter()
        .find(|(_, ends, _)| ends.iter().any(|end| name.ends_with(end)));
    by_name.map(|(_, _, kind)| (*kind).to_owned())
}
