//! Textures: the kind, size and length of their images, from the first bytes of each.

use std::collections::HashMap;

use imagesize::ImageType;
use serde::Serialize;

use rigy_base::diag::{Code, Diagnostic, MOST_FINDINGS};
use rigy_base::loader::{Loader, Location};
use rigy_gltf::json::Value;
use rigy_gltf::{File, Problem, Resources, quoted};
use rigy_models::mesh::IMAGE_EXTENSIONS;

/// A texture of a glTF file.
#[derive(Debug, Serialize)]
pub struct TextureFacts {
    /// Its index.
    pub index: usize,
    /// Its name, else that of its image.
    pub name: Option<String>,
    /// Media type of the image: by its first bytes, else as the file declares it.
    pub media_type: Option<String>,
    /// Width of the image in pixels; `None` if its first bytes do not tell.
    pub width: Option<usize>,
    /// Height of the image in pixels.
    pub height: Option<usize>,
    /// Length of the encoded image in bytes; `None` if it cannot be read.
    pub bytes: Option<usize>,
}

/// The properties of an image.
#[derive(Clone, Default)]
struct Image {
    media_type: Option<String>,
    size: Option<(usize, usize)>,
    bytes: Option<usize>,
}

/// Bytes at the beginning of an image in which its size is looked for. Only of JPEG files more are read, because metadata may
/// come first.
const HEADER: usize = 1 << 16;

/// The same for JPEG files whose size is not in [`HEADER`].
const LONG_HEADER: usize = 1 << 24;

/// Bytes in which the sizes of all images of a file are looked for; after them, [`SHORT_HEADER`] of each image have to do.
const ALL_HEADERS: usize = 1 << 30;

/// Bytes that tell the size of every image but a JPEG.
const SHORT_HEADER: usize = 1 << 10;

/// The textures of a file, and a warning for each image that cannot be read. The loader finds images beside the file.
pub fn textures(
    file: &File,
    location: &Location,
    loader: &dyn Loader,
) -> (Vec<TextureFacts>, Vec<Diagnostic>) {
    let list = file.tree.list("images");
    let mut images = Images {
        file,
        location,
        loader,
        known: HashMap::new(),
        left: ALL_HEADERS,
        warnings: Vec::new(),
    };
    let textures = file
        .tree
        .list("textures")
        .iter()
        .enumerate()
        .map(|(index, texture)| {
            let number = source(texture).filter(|number| *number < list.len());
            let value = number.map(|number| &list[number]);
            let image = number.zip(value);
            let image = image.map_or(Image::default(), |image| images.find(image));
            let (width, height) = image.size.unzip();
            TextureFacts {
                index,
                name: name(texture).or_else(|| name(value?)),
                media_type: image.media_type,
                width,
                height,
                bytes: image.bytes,
            }
        })
        .collect();
    (textures, images.warnings)
}

/// Where the bytes of an image are: at a URI, else in a buffer view.
type ImagePlace<'f> = (Option<&'f str>, Option<usize>);

/// The images of a file, each read once wherever it is used.
struct Images<'f, 'a> {
    file: &'f File<'a>,
    location: &'f Location,
    loader: &'f dyn Loader,
    known: HashMap<ImagePlace<'f>, Image>,
    /// The bytes of headers that may still be read.
    left: usize,
    warnings: Vec<Diagnostic>,
}

impl<'f> Images<'f, '_> {
    /// What is known of an image, given by its index and its JSON.
    fn find(&mut self, (index, value): (usize, &'f Value)) -> Image {
        let view = || value.get("bufferView")?.as_index();
        let place = match value.text("uri") {
            None => (None, view()),
            uri => (uri, None),
        };
        let mut image = match self.known.get(&place) {
            Some(image) => image.clone(),
            None => {
                let image = self.read(index, place).unwrap_or_else(|problem| {
                    if self.warnings.len() < MOST_FINDINGS {
                        let name = self.loader.name(self.location);
                        self.warnings.push(problem.into_diagnostic(&name));
                    }
                    Image::default()
                });
                self.known.insert(place, image.clone());
                image
            }
        };
        let declared = value.text("mimeType");
        image.media_type = image.media_type.or_else(|| declared.map(str::to_owned));
        image
    }

    /// Reads what is known of an image.
    ///
    /// # Errors
    /// If it is neither in a buffer view nor where its URI says.
    fn read(&mut self, index: usize, (uri, view): ImagePlace) -> Result<Image, Problem> {
        if let Some(uri) = uri {
            let path = format!("images[{index}].uri");
            let bytes = Resources::new(self.location, self.loader).read_if_there(uri, &path)?;
            let absent = || Problem::rule(&path, format!("{} cannot be found", quoted(uri)));
            let bytes = bytes.ok_or_else(|| absent().code(Code::W07))?;
            return Ok(self.facts(bytes.as_ref()));
        }
        let bytes = view.and_then(|view| self.file.view(view)).ok_or_else(|| {
            Problem::rule(
                &format!("images[{index}]"),
                "the image has neither a `uri` nor a `bufferView` that exists",
            )
        })?;
        Ok(self.facts(bytes))
    }

    fn facts(&mut self, bytes: &[u8]) -> Image {
        let media_type = media_type(bytes);
        let size = self.size(bytes, HEADER).or_else(|| {
            let is_long = media_type == Some("image/jpeg") && bytes.len() > HEADER;
            is_long.then(|| self.size(bytes, LONG_HEADER)).flatten()
        });
        Image {
            media_type: media_type.map(str::to_owned),
            size,
            bytes: Some(bytes.len()),
        }
    }

    /// Width and height, if the first `len` bytes tell them.
    fn size(&mut self, bytes: &[u8], len: usize) -> Option<(usize, usize)> {
        let len = len.min(bytes.len());
        let len = match self.left.checked_sub(len) {
            Some(left) => {
                self.left = left;
                len
            }
            None => len.min(SHORT_HEADER),
        };
        let size = imagesize::blob_size(&bytes[..len]).ok()?;
        Some((size.width, size.height))
    }
}

/// The index of a texture's image.
fn source(texture: &Value) -> Option<usize> {
    IMAGE_EXTENSIONS
        .iter()
        .find_map(|name| texture.extension(name)?.get("source")?.as_index())
        .or_else(|| texture.get("source").and_then(Value::as_index))
}

fn name(value: &Value) -> Option<String> {
    value.text("name").map(str::to_owned)
}

/// Returns the media type of an image by its first bytes.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match imagesize::image_type(bytes).ok()? {
        ImageType::Png => Some("image/png"),
        ImageType::Jpeg => Some("image/jpeg"),
        ImageType::Webp => Some("image/webp"),
        ImageType::Ktx2 => Some("image/ktx2"),
        ImageType::Dds(_) => Some("image/vnd-ms.dds"),
        _ => None,
    }
}
