//! The images of a file, as textures of exported files: PNG and JPEG as they are, WebP as PNG. Their names are those of the file.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::text::Names;
use rigy_base::uri::{is_data, percent_decoded};
use rigy_models::bake::{Source, image_ending, without_image_ending};

/// The images of a file by their indices, and the names that they have as files beside others.
#[derive(Debug, Default)]
pub struct Images<'a> {
    /// Images that differ.
    list: Vec<Image<'a>>,
    /// For each image of the file, its index in `list`.
    of: Vec<usize>,
}

/// An image.
#[derive(Clone, Debug)]
struct Image<'a> {
    /// The name that the file has for it, else `images[N]`.
    name: String,
    /// The name of its file without the ending.
    stem: String,
    /// Its bytes as the file holds them, encoded; `None` if there are none.
    bytes: Option<&'a [u8]>,
    /// The PNG file that a WebP image becomes.
    png: OnceLock<Result<Vec<u8>, String>>,
}

/// Most pixels of the WebP images of a file together: sixteen images of 4096 × 4096.
const MOST_PIXELS: u64 = 1 << 28;

/// Longest name of an image in that of its file, in characters; longer ones are cut.
const LONGEST: usize = 60;

impl<'a> Images<'a> {
    /// Returns the images of a file. Each is called by its name, else by the last part of its URI, else `image_N`.
    pub fn of(source: &'a Source, prefix: &str) -> Self {
        let list = source.file.tree.list("images").iter().enumerate();
        let images = list.map(|(index, image)| {
            let text = |key: &str| image.get(key).and_then(|value| value.as_str());
            let name = text("name")
                .map(str::to_owned)
                .or_else(|| text("uri").map(name_in_uri));
            (name.unwrap_or_default(), source.image(index))
        });
        Self::new(prefix, images)
    }

    /// Returns images with these names and bytes. The name of a file is `prefix`, a dot, the name of the image and the ending of its
    /// kind. All characters but letters and digits of ASCII, `_` and `-` become `_`, and so do dots in the name of the image, which
    /// loses an ending of an image file. Where names are equal, also but for case, the later image gets a number. Images with equal
    /// bytes are one file.
    pub fn new(
        prefix: &str,
        images: impl IntoIterator<Item = (impl AsRef<str>, Option<&'a [u8]>)>,
    ) -> Self {
        let prefix: String = prefix
            .chars()
            .map(|c| if c == '.' { c } else { kept(c) })
            .collect();
        let (mut list, mut of): (Vec<Image<'a>>, _) = (Vec::new(), Vec::new());
        let (mut names, mut known) = (Names::default(), HashMap::<&[u8], usize>::new());
        let mut pixels = 0;
        for (index, (name, bytes)) in images.into_iter().enumerate() {
            if let Some(equal) = bytes.and_then(|bytes| known.get(bytes)) {
                of.push(*equal);
                continue;
            }
            let name = name.as_ref();
            let plain = plain(name).unwrap_or_else(|| format!("image_{index}"));
            let unique = names.unique(plain.to_ascii_lowercase());
            let number = &unique[plain.len()..];
            let name = match name {
                "" => format!("images[{index}]"),
                name => format!("{name:?}"),
            };
            of.push(list.len());
            known.extend(bytes.map(|bytes| (bytes, list.len())));
            let png = OnceLock::new();
            let webp = bytes.filter(|bytes| image_ending(bytes) == Some(".webp"));
            pixels += webp.map_or(0, pixel_count);
            if pixels > MOST_PIXELS {
                let reason = "it and the WebP images before it have too many pixels";
                let _ = png.set(Err(reason.into()));
            }
            list.push(Image {
                name,
                stem: format!("{prefix}.{plain}{number}"),
                bytes,
                png,
            });
        }
        Self { list, of }
    }

    /// Returns the names of all files that the images may be.
    pub fn file_names(&self) -> impl Iterator<Item = String> {
        let endings = |image: &Image| image.bytes.and_then(image_ending).map(written_ending);
        self.list
            .iter()
            .filter_map(move |image| Some(format!("{}{}", image.stem, endings(image)??)))
    }

    /// Returns name and bytes of the file of an image.
    ///
    /// # Errors
    /// In words, the reason for which there is none.
    pub(super) fn file(&self, index: usize) -> Result<(String, &[u8]), String> {
        let image = self
            .of
            .get(index)
            .map(|place| &self.list[*place])
            .ok_or_else(|| format!("there is no image {index}"))?;
        let name = &image.name;
        let bytes = image
            .bytes
            .ok_or_else(|| format!("its image {name} is not there"))?;
        let ending = image_ending(bytes)
            .ok_or_else(|| format!("its image {name} is no PNG, JPEG or WebP file"))?;
        let written = written_ending(ending).ok_or_else(|| not_written(name, ending))?;
        let bytes = if ending == written {
            bytes
        } else {
            image
                .png
                .get_or_init(|| to_png(bytes))
                .as_ref()
                .map_err(|reason| format!("its image {name} is a WebP file, and {reason}"))?
        };
        Ok((format!("{}{written}", image.stem), bytes))
    }
}

/// Returns true if an image that is written may have an opacity: a PNG with a channel for it, or with a transparent colour.
pub fn has_opacity(bytes: &[u8]) -> bool {
    let [0x89, b'P', b'N', b'G', _, _, _, _, rest @ ..] = bytes else {
        return false;
    };
    let mut rest = rest;
    while let Some((length, [a, b, c, d, data @ ..])) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        match [a, b, c, d].map(|byte| *byte) {
            // Colour types 4 and 6 have a channel for it.
            kind if kind == *b"IHDR" && data.get(9).is_some_and(|kind| kind & 4 == 4) => {
                return true;
            }
            kind if kind == *b"tRNS" => return true,
            kind if kind == *b"IDAT" => return false,
            _ => {}
        }
        // Four bytes of a checksum follow.
        rest = data.get(length.saturating_add(4)..).unwrap_or_default();
    }
    false
}

/// The ending of the file of an image that has this ending; `None` if it cannot be written.
fn written_ending(ending: &str) -> Option<&'static str> {
    match ending {
        ".jpg" => Some(".jpg"),
        ".png" | ".webp" => Some(".png"),
        _ => None,
    }
}

/// Why an image of another kind is not written, and what to do.
fn not_written(name: &str, ending: &str) -> String {
    let kind = ending.trim_start_matches('.').to_ascii_uppercase();
    let help = match ending {
        ".ktx2" => "; `gltf-transform ktxdecompress` makes PNG images of those of its input",
        _ => "",
    };
    format!("its image {name} is a {kind} file, and only PNG, JPEG and WebP are read{help}")
}

#[cfg(feature = "cli")]
use super::webp::{pixel_count, to_png};

#[cfg(not(feature = "cli"))]
fn pixel_count(_: &[u8]) -> u64 {
    0
}

#[cfg(not(feature = "cli"))]
fn to_png(_: &[u8]) -> Result<Vec<u8>, String> {
    Err("the program is built without the feature `cli`".into())
}

/// The last part of a URI, decoded; nothing if the URI contains the image itself.
fn name_in_uri(uri: &str) -> String {
    if is_data(uri) {
        return String::new();
    }
    let decoded = percent_decoded(uri);
    String::from_utf8_lossy(&decoded)
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The name of an image as a part of a file name; `None` if no letter and no digit is left of it. Without dots, the names of files
/// of two inputs cannot be equal.
fn plain(name: &str) -> Option<String> {
    let plain: String = without_image_ending(name)
        .chars()
        .take(LONGEST)
        .map(kept)
        .collect();
    plain
        .contains(|c: char| c.is_ascii_alphanumeric())
        .then_some(plain)
}

/// A character, or `_` in the place of one that MTL, USD or URIs may read in another way.
fn kept(c: char) -> char {
    if c.is_ascii_alphanumeric() || c == '-' {
        c
    } else {
        '_'
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(images: &[(&str, &[u8])]) -> Vec<String> {
        let images = images.iter().map(|(name, bytes)| (*name, Some(*bytes)));
        Images::new("fox", images).file_names().collect()
    }

    #[test]
    fn files_are_called_as_the_images_are() {
        let (png, jpeg) = (b"\x89PNG one".as_slice(), b"\xff\xd8\xff two".as_slice());
        for (name, bytes, wanted) in [
            ("skin", png, "fox.skin.png"),
            ("skin.png", jpeg, "fox.skin.jpg"),
            ("Skin.001", png, "fox.Skin_001.png"),
            ("../a b\r\n%41@", png, "fox.___a_b___41_.png"),
            ("顔", png, "fox.image_0.png"),
            ("", jpeg, "fox.image_0.jpg"),
            (".png", png, "fox.image_0.png"),
        ] {
            assert_eq!(names(&[(name, bytes)]), [wanted], "{name}");
        }
        let long = &names(&[(&"é1".repeat(500), png)])[0];
        assert_eq!(long.len(), "fox..png".len() + LONGEST);
    }

    #[test]
    fn no_two_images_have_one_name_unless_they_are_equal() {
        let found = names(&[
            ("a", b"\x89PNG 0"),
            ("A", b"\x89PNG 1"),
            ("a_1", b"\x89PNG 2"),
            ("a", b"\xff\xd8\xff 3"),
            ("b", b"\x89PNG 0"),
        ]);
        let wanted = ["fox.a.png", "fox.A_1.png", "fox.a_1_1.png", "fox.a_2.jpg"];
        assert_eq!(found, wanted);
        let equal = [("a", Some(b"\x89PNG".as_slice())), ("b", Some(b"\x89PNG"))];
        let equal = Images::new("fox", equal);
        assert_eq!(
            equal.file(1).unwrap(),
            ("fox.a.png".into(), b"\x89PNG".as_slice())
        );
    }

    #[test]
    #[cfg(feature = "cli")]
    fn the_pixels_of_all_webp_images_are_limited() {
        // Lossless headers of 8192 × 8192 pixels, each with another byte after it.
        let size = 8191_u32 | 8191 << 14;
        let file = |last: u8| {
            let data = [&[0x2f][..], &size.to_le_bytes(), &[last]].concat();
            let len = |len: usize| (len as u32).to_le_bytes();
            let (whole, own) = (len(12 + data.len()), len(data.len()));
            let parts: [&[u8]; 5] = [b"RIFF", &whole, b"WEBPVP8L", &own, &data];
            parts.concat()
        };
        let files: Vec<Vec<u8>> = (0..5).map(file).collect();
        let images = files.iter().map(|file| ("a", Some(&**file)));
        let images = Images::new("fox", images);
        assert!(images.file(3).unwrap_err().contains("broken"));
        assert!(images.file(4).unwrap_err().contains("too many pixels"));
    }

    #[test]
    fn uris_name_images_by_their_last_part() {
        for (uri, name) in [
            ("maps/same%20skin.png", "same skin.png"),
            ("maps%2Fa.png", "a.png"),
            ("cloth.jpg", "cloth.jpg"),
            ("DATA:image/png;base64,AA==", ""),
        ] {
            assert_eq!(name_in_uri(uri), name);
        }
    }
}
