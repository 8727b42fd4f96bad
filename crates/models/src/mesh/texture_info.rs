//! Textures of materials: which image they show, and how it lies on surfaces.

use super::Surface;
use super::extensions::base;
use super::material::number;
use rigy_gltf::json::Value;
use serde::Serialize;

/// Extensions by which a texture names an image of a format other than PNG and JPEG.
pub const IMAGE_EXTENSIONS: [&str; 4] = [
    "EXT_texture_webp",
    "KHR_texture_basisu",
    "MSFT_texture_dds",
    "EXT_texture_avif",
];

/// The colours beyond the edge of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrap {
    /// The image again.
    Repeat,
    /// The image, mirrored.
    Mirror,
    /// The pixels of the edge.
    Clamp,
}

impl Wrap {
    /// The wrap of a number of the glTF specification; anything unknown repeats, which is the default.
    fn named(number: Option<u64>) -> Self {
        match number {
            Some(33_071) => Self::Clamp,
            Some(33_648) => Self::Mirror,
            _ => Self::Repeat,
        }
    }

    /// Returns the place from 0 to 1 in the image that a coordinate means.
    pub fn place(self, coordinate: f64) -> f64 {
        let part = |number: f64| number - number.floor();
        let place = match self {
            Self::Repeat => part(coordinate),
            Self::Mirror => 1.0 - (part(coordinate * 0.5) * 2.0 - 1.0).abs(),
            Self::Clamp => coordinate,
        };
        if place.is_nan() {
            0.0
        } else {
            place.clamp(0.0, 1.0)
        }
    }

    /// Returns the number of the pixel beside the image's edge that stands for one beyond it, at most one pixel away.
    pub fn index(self, index: i64, size: usize) -> usize {
        let last = size as i64 - 1;
        let inside = match self {
            Self::Repeat => index.rem_euclid(size as i64),
            Self::Mirror | Self::Clamp => index.clamp(0, last),
        };
        inside as usize
    }
}

/// How an image lies on the surfaces of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureInfo {
    /// Index of the image, which need not exist.
    pub image: usize,
    /// Number of the set of texture coordinates.
    pub set: u64,
    /// The wrapping along U and V.
    pub wraps: [Wrap; 2],
    /// True if enlarged pixels keep their edges.
    pub is_nearest: bool,
    /// Two rows that take texture coordinates, and 1, to places in the image; all finite.
    pub transform: [[f64; 3]; 2],
}

impl TextureInfo {
    /// Reads the base colour texture of a material, or the diffuse one in its place; `None` if it has none.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn of_base_color(tree: &Value, material: &Value) -> Result<Option<Self>, String> {
        let (part, [_, key]) = base(material);
        let info = part.and_then(|part| part.get(key));
        info.map(|info| Self::read(tree, info)).transpose()
    }

    /// Reads a texture info of a material. An image of an extension is taken if the texture has no other.
    ///
    /// # Errors
    /// In words, if the texture does not exist or names no image.
    pub fn read(tree: &Value, info: &Value) -> Result<Self, String> {
        let moved = info.extension("KHR_texture_transform");
        let set = moved.and_then(|moved| index(moved, "texCoord"));
        let texture =
            element(tree, "textures", info, "index").ok_or("its texture does not exist")?;
        let image = index(texture, "source")
            .or_else(|| {
                IMAGE_EXTENSIONS
                    .iter()
                    .find_map(|name| index(texture.extension(name)?, "source"))
            })
            .ok_or("its texture names no image")?;
        let sampler = element(tree, "samplers", texture, "sampler");
        let option = |key| sampler.and_then(|sampler| index(sampler, key));
        Ok(Self {
            image: usize::try_from(image).map_err(|_| "there is no such image")?,
            set: set.or(index(info, "texCoord")).unwrap_or(0),
            wraps: ["wrapS", "wrapT"].map(|key| Wrap::named(option(key))),
            is_nearest: option("magFilter") == Some(9728),
            transform: transform(moved),
        })
    }

    /// Returns the texture coordinates of a surface by which it lies; `None` if the surface has none of its set.
    pub fn coordinates<'s>(&self, surface: &'s Surface) -> Option<&'s [[f64; 2]]> {
        if self.set == 0 {
            return surface.texture_coordinates.as_deref();
        }
        surface
            .other_coordinates
            .as_ref()
            .filter(|(set, _)| *set == self.set)
            .map(|(_, coordinates)| &coordinates[..])
    }

    /// Returns true if it lies as texture coordinates say that another one has been placed by; `None` has placed none.
    pub fn lies_as(&self, other: Option<&Self>) -> bool {
        let (transform, set) =
            other.map_or((transform(None), 0), |other| (other.transform, other.set));
        (self.transform, self.set) == (transform, set)
    }

    /// Returns the place in the image that texture coordinates mean: 0 to 1 from left to right and from top to bottom,
    /// before wrapping.
    pub fn place(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        self.transform.map(|[a, b, c]| a * u + b * v + c)
    }
}

/// The transform of `KHR_texture_transform`: scale, then a rotation, then an offset. The rotation is counter-clockwise
/// as the image is seen, with V down.
fn transform(extension: Option<&Value>) -> [[f64; 3]; 2] {
    let pair = |name: &str, default: f64| -> [f64; 2] {
        let list = extension.map_or(&[][..], |extension| extension.list(name));
        std::array::from_fn(|k| number(list.get(k), default))
    };
    let [x, y] = pair("offset", 0.0);
    let [scale_x, scale_y] = pair("scale", 1.0);
    let angle = extension.and_then(|extension| extension.get("rotation"));
    let (sine, cosine) = libm::sincos(number(angle, 0.0));
    [
        [cosine * scale_x, sine * scale_y, x],
        [-sine * scale_x, cosine * scale_y, y],
    ]
}

fn index(value: &Value, key: &str) -> Option<u64> {
    value.get(key)?.as_u64()
}

/// The element of a list of the file whose index is `value[key]`.
fn element<'t, 'a>(
    tree: &'t Value<'a>,
    list: &str,
    value: &Value,
    key: &str,
) -> Option<&'t Value<'a>> {
    tree.list(list)
        .get(usize::try_from(index(value, key)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_gltf::json::parse;

    /// The texture of a material whose `baseColorTexture` has these members, in a file with these lists.
    fn texture(info: &str, lists: &str) -> Result<Option<TextureInfo>, String> {
        let material = format!(r#"{{"pbrMetallicRoughness": {{"baseColorTexture": {{{info}}}}}}}"#);
        let tree = format!("{{{lists}}}");
        TextureInfo::of_base_color(&parse(&tree).unwrap(), &parse(&material).unwrap())
    }

    const PLAIN: &str = r#""textures": [{"source": 3}]"#;

    #[test]
    fn texture_transforms_scale_then_turn_then_move() {
        let turned = r#""index": 0, "extensions": {"KHR_texture_transform":
            {"offset": [0.5, 0.25], "rotation": 1.5707963267948966, "scale": [2, 3]}}"#;
        let [u, v] = texture(turned, PLAIN).unwrap().unwrap().place([1.0, 1.0]);
        assert!((u - 3.5).abs() < 1e-12 && (v + 1.75).abs() < 1e-12);
        let plain = texture(r#""index": 0"#, PLAIN).unwrap().unwrap();
        assert_eq!(plain.place([0.1, 0.2]), [0.1, 0.2]);
    }

    #[test]
    fn image_set_and_sampler_have_defaults_and_extensions_take_precedence() {
        let plain = texture(r#""index": 0"#, PLAIN).unwrap().unwrap();
        assert_eq!((plain.image, plain.set, plain.is_nearest), (3, 0, false));
        assert_eq!(plain.wraps, [Wrap::Repeat; 2]);
        let info = r#""index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": {"texCoord": 2}}"#;
        let lists = r#""textures": [{"sampler": 0, "extensions": {"EXT_texture_webp": {"source": 4}}}],
            "samplers": [{"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}]"#;
        let full = texture(info, lists).unwrap().unwrap();
        assert_eq!((full.image, full.set, full.is_nearest), (4, 2, true));
        assert_eq!(full.wraps, [Wrap::Clamp, Wrap::Mirror]);
        let both =
            r#""textures": [{"source": 3, "extensions": {"EXT_texture_webp": {"source": 4}}}]"#;
        assert_eq!(texture(info, both).unwrap().unwrap().image, 3);
        let basis = r#""textures": [{"extensions": {"KHR_texture_basisu": {"source": 5}}}]"#;
        assert_eq!(texture(info, basis).unwrap().unwrap().image, 5);
    }

    #[test]
    fn textures_that_do_not_exist_are_errors_and_no_texture_is_none() {
        for (info, lists) in [
            (r#""index": 1"#, PLAIN),
            ("", PLAIN),
            (r#""index": 0"#, r#""textures": [{}]"#),
        ] {
            assert!(texture(info, lists).is_err(), "{info} {lists}");
        }
        let tree = parse("{}").unwrap();
        assert_eq!(TextureInfo::of_base_color(&tree, &tree), Ok(None));
    }
}
