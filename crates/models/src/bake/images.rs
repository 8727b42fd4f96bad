//! Images that the file refers to by a URI: they are read, so that the baked file can contain them. An image whose file is not
//! there keeps its URI. Images that are to be files beside the output are named by their content.

use std::collections::BTreeMap;

use super::source::Source;
use rigy_base::diag::{Code, Diagnosed, Findings, Warned};
use rigy_base::hash::sha256;
use rigy_base::loader::Bytes;
use rigy_base::maps::HashMap;
use rigy_base::uri::is_data;
use rigy_gltf::{File, Problem, Resources, quoted};

/// The images of a file that have a URI.
#[derive(Default)]
pub struct Images {
    /// The images, one for each distinct URI.
    pub data: Vec<Image>,
    /// For each image of the file, its index in `data`; `None` if it has no URI or keeps it.
    pub of: Vec<Option<usize>>,
}

/// An image with a URI.
pub struct Image {
    /// The encoded image.
    pub bytes: Bytes,
    /// Its media type; `None` if neither its first bytes nor its URI tell it.
    pub media_type: Option<String>,
}

impl Images {
    /// Reads the images of a file that have a URI. A URI that leads to no file is a warning.
    ///
    /// # Errors
    /// Every image that is there and cannot be read, and every URI that may not be followed, up to a limit.
    pub fn read(file: &File, resources: &Resources) -> Diagnosed<Warned<Self>> {
        let mut images = Self::default();
        let mut known = HashMap::default();
        let mut findings = Findings::default();
        for (index, image) in file.tree.list("images").iter().enumerate() {
            let Some(uri) = image.get("uri").and_then(|uri| uri.as_str()) else {
                images.of.push(None);
                continue;
            };
            if let Some(number) = known.get(uri) {
                images.of.push(*number);
                continue;
            }
            let path = format!("images[{index}].uri");
            let number = match resources.read_if_there(uri, &path) {
                Ok(Some(bytes)) => {
                    let media_type = media_type(bytes.as_ref(), uri);
                    images.data.push(Image { bytes, media_type });
                    Some(images.data.len() - 1)
                }
                Ok(None) => {
                    findings.report(absent(uri, &path).into_diagnostic(&file.name));
                    None
                }
                Err(problem) => {
                    findings.report(problem.into_diagnostic(&file.name));
                    None
                }
            };
            known.insert(uri, number);
            images.of.push(number);
        }
        findings.conclude(images)
    }
}

/// The problem that there is no file at the URI of an image.
fn absent(uri: &str, path: &str) -> Problem {
    Problem::rule(
        &path,
        format!("{} cannot be found; the image keeps its URI", quoted(uri)),
    )
    .code(Code::W07)
}

impl Source<'_> {
    /// Returns the bytes of an image as the file holds them, encoded; `None` if there is no image with this index, or its file
    /// is not there.
    pub fn image(&self, index: usize) -> Option<&[u8]> {
        let image = self.file.tree.list("images").get(index)?;
        let number = self.images.of.get(index).copied().flatten();
        if let Some(number) = number {
            return self
                .images
                .data
                .get(number)
                .map(|image| image.bytes.as_ref());
        }
        self.file.view(image.get("bufferView")?.as_index()?)
    }

    /// For each image the name that it has as a file beside an output ([`image_file_name`]); `None` if it stays where
    /// it is.
    pub(super) fn image_names(&self) -> &[Option<String>] {
        self.image_names.get_or_init(|| {
            let count = self.file.tree.list("images").len();
            (0..count)
                .map(|index| image_file_name(self.image(index)?))
                .collect()
        })
    }

    /// Returns the images that are files beside an output with [`Settings::textures_beside`](super::Settings::textures_beside), by their
    /// names. Equal images are one file.
    pub fn image_files(&self) -> BTreeMap<&str, &[u8]> {
        self.image_names()
            .iter()
            .enumerate()
            .filter_map(|(index, name)| Some((name.as_deref()?, self.image(index)?)))
            .collect()
    }
}

/// Digits of the hash in the name of an image file.
const DIGITS: usize = 32;

/// The name of an image as a file beside an output: the first digits of the SHA-256 of its bytes, and the ending of its kind;
/// `None` if it is of another kind.
fn image_file_name(bytes: &[u8]) -> Option<String> {
    let ending = image_ending(bytes)?;
    Some(format!("{}{ending}", &sha256(bytes)[..DIGITS]))
}

/// Returns the ending of the names of image files of this kind, such as `.png`; `None` if it is no PNG, JPEG, KTX2, WebP or DDS file.
pub fn image_ending(bytes: &[u8]) -> Option<&'static str> {
    let (_, ends, _) = KINDS
        .iter()
        .find(|(start, _, _)| bytes.starts_with(start))?;
    Some(ends[0])
}

/// Returns the name of an image without the ending of an image file, if it has one.
pub fn without_image_ending(name: &str) -> &str {
    let is_ending = |ending: &str| {
        KINDS
            .iter()
            .flat_map(|(_, ends, _)| *ends)
            .any(|end| end[1..].eq_ignore_ascii_case(ending))
    };
    match name.rsplit_once('.') {
        Some((stem, ending)) if is_ending(ending) => stem,
        _ => name,
    }
}

/// For each kind of image: the first bytes of its files, the ends of their names in lower case, and its media type.
const KINDS: [(&[u8], &[&str], &str); 5] = [
    (b"\x89PNG", &[".png"], "image/png"),
    (b"\xff\xd8\xff", &[".jpg", ".jpeg"], "image/jpeg"),
    (b"\xabKTX 20", &[".ktx2"], "image/ktx2"),
    (b"RIFF", &[".webp"], "image/webp"),
    (b"DDS ", &[".dds"], "image/vnd-ms.dds"),
];

/// The media type of an image: by its first bytes, else as a data URI declares it, else by the end of its name.
fn media_type(bytes: &[u8], uri: &str) -> Option<String> {
    if let Some((_, _, media_type)) = KINDS.iter().find(|(start, _, _)| bytes.starts_with(start)) {
        return Some((*media_type).to_owned());
    }
    if is_data(uri) {
        let declared = uri[5..].split([';', ',']).next().unwrap_or("");
        return (!declared.is_empty()).then(|| declared.to_owned());
    }
    let name = uri.to_ascii_lowercase();
    KINDS
        .iter()
        .find(|(_, ends, _)| ends.iter().any(|end| name.ends_with(end)))
        .map(|(_, _, media_type)| (*media_type).to_owned())
}
