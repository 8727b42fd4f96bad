//! One texture: an image at several sizes, and the colour at a place of it.

use super::Image;
use super::color::linear;
use rigy_models::mesh::Wrap;

/// An image at its own size, and at halves of it down to one pixel, each pixel the mean of four.
#[derive(Debug)]
pub struct Levels(Vec<Image>);

impl Levels {
    /// Returns all sizes of an image.
    pub fn new(image: Image) -> Self {
        let mut levels = vec![image];
        while let Some(last) = levels.last().filter(|last| last.pixels.len() > 1) {
            levels.push(last.half());
        }
        Self(levels)
    }

    /// Returns the number of pixels of the image at its own size.
    pub fn area(&self) -> f64 {
        let first = &self.0[0];
        first.width as f64 * first.height as f64
    }

    /// Returns the level at which a pixel is about as large as a sample, where `ratio` is the area of a sample in pixels of
    /// the image at its own size.
    pub fn level(&self, mut ratio: f64) -> usize {
        let mut level = 0;
        while ratio > 2.0 && level + 1 < self.0.len() {
            ratio *= 0.25;
            level += 1;
        }
        level
    }
}

/// How an image lies on a surface.
pub struct Texture<'a> {
    pub levels: &'a Levels,
    pub wraps: [Wrap; 2],
    /// True if pixels larger than samples keep their edges.
    pub is_nearest: bool,
}

impl Texture<'_> {
    /// Returns red, green, blue and opacity from 0 to 1 at a place of a level, between the four nearest pixels. Colours are
    /// linear; other values are as they are stored.
    pub fn value(&self, level: usize, at: [f64; 2], is_color: bool) -> [f64; 4] {
        let channels = if is_color { linear_channels } else { channels };
        let image = &self.levels.0[level];
        let sizes = [image.width, image.height];
        let at: [f64; 2] = std::array::from_fn(|k| self.wraps[k].place(at[k]) * sizes[k] as f64);
        if self.is_nearest && level == 0 {
            let [x, y] = std::array::from_fn(|k| (at[k] as usize).min(sizes[k] - 1));
            return channels(image.pixels[y * image.width + x]);
        }
        let from: [f64; 2] = std::array::from_fn(|k| (at[k] - 0.5).floor());
        let part: [f64; 2] = std::array::from_fn(|k| at[k] - 0.5 - from[k]);
        let index = |k: usize, step: i64| self.wraps[k].index(from[k] as i64 + step, sizes[k]);
        let left = index(0, 0);
        let right = index(0, 1);
        let row = |step: i64| {
            let first = index(1, step) * image.width;
            let [a, b] = [left, right].map(|x| channels(image.pixels[first + x]));
            between(a, b, part[0])
        };
        between(row(0), row(1), part[1])
    }
}

fn between(a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    std::array::from_fn(|k| a[k] + part * (b[k] - a[k]))
}

fn channels(pixel: [u8; 4]) -> [f64; 4] {
    pixel.map(|value| f64::from(value) / 255.0)
}

fn linear_channels([red, green, blue, alpha]: [u8; 4]) -> [f64; 4] {
    let [red, green, blue] = [red, green, blue].map(linear);
    [red, green, blue, f64::from(alpha) / 255.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: usize, height: usize, greys: &[u8]) -> Image {
        let pixels = greys
            .iter()
            .map(|grey| [*grey, *grey, *grey, 255])
            .collect();
        Image {
            width,
            height,
            pixels,
        }
    }

    #[test]
    fn coordinates_beyond_the_image_are_wrapped() {
        for (wrap, coordinate, place) in [
            (Wrap::Repeat, 1.25, 0.25),
            (Wrap::Repeat, -0.25, 0.75),
            (Wrap::Mirror, 0.25, 0.25),
            (Wrap::Mirror, 1.25, 0.75),
            (Wrap::Mirror, -0.25, 0.25),
            (Wrap::Mirror, 2.25, 0.25),
            (Wrap::Clamp, 1.25, 1.0),
            (Wrap::Clamp, -0.25, 0.0),
            (Wrap::Repeat, f64::NAN, 0.0),
            (Wrap::Mirror, f64::INFINITY, 0.0),
            (Wrap::Clamp, f64::INFINITY, 1.0),
            (Wrap::Repeat, -1e-300, 1.0),
        ] {
            assert_eq!(wrap.place(coordinate), place, "{wrap:?} {coordinate}");
        }
    }

    #[test]
    fn colours_lie_between_pixels_and_repeat_across_the_edge() {
        let levels = Levels::new(image(2, 1, &[0, 255]));
        let mut texture = Texture {
            levels: &levels,
            wraps: [Wrap::Repeat; 2],
            is_nearest: false,
        };
        let red = |texture: &Texture, x: f64| texture.value(0, [x, 0.5], true)[0];
        let found = [0.25, 0.5, 0.75, 1.0].map(|x| red(&texture, x));
        assert_eq!(found, [0.0, 0.5, 1.0, 0.5]);
        texture.wraps = [Wrap::Clamp; 2];
        assert_eq!([-3.0, 3.0].map(|x| red(&texture, x)), [0.0, 1.0]);
        texture.is_nearest = true;
        assert_eq!([0.49, 0.51, 1.0].map(|x| red(&texture, x)), [0.0, 1.0, 1.0]);
        for odd in [f64::NAN, f64::INFINITY, f64::MAX, -f64::MAX] {
            assert!(texture.value(0, [odd; 2], true)[0].is_finite());
        }
    }

    #[test]
    fn levels_are_means_down_to_one_pixel() {
        let levels = Levels::new(image(3, 2, &[0, 4, 8, 0, 4, 9]));
        let reds: Vec<Vec<u8>> = levels
            .0
            .iter()
            .map(|level| level.pixels.iter().map(|p| p[0]).collect())
            .collect();
        assert_eq!(reds[1..], [vec![2, 9], vec![6]]);
        assert_eq!(
            [0.0, 2.0, 3.0, 9.0, f64::INFINITY].map(|ratio| levels.level(ratio)),
            [0, 0, 1, 2, 2]
        );
        assert_eq!(levels.level(f64::NAN), 0);
    }
}
