//! Pixels.

/// A picture: rows of pixels from the top, each red, green and blue in sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Returns a picture of one colour.
    pub fn filled(width: usize, height: usize, color: [u8; 3]) -> Self {
        let pixels = vec![color; width * height];
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Copies a picture into this one with its upper left corner at a place. What does not fit is left out.
    pub fn place(&mut self, image: &Self, left: usize, top: usize) {
        if left >= self.width || image.width == 0 {
            return;
        }
        let width = image.width.min(self.width - left);
        let rows = self.pixels.chunks_exact_mut(self.width).skip(top);
        for (row, from) in rows.zip(image.pixels.chunks_exact(image.width)) {
            row[left..left + width].copy_from_slice(&from[..width]);
        }
    }

    /// Fills a rectangle with a colour. What does not fit is left out.
    pub fn fill(&mut self, left: usize, top: usize, size: [usize; 2], color: [u8; 3]) {
        let (from, to) = (left.min(self.width), (left + size[0]).min(self.width));
        let rows = self.pixels.chunks_exact_mut(self.width.max(1));
        for row in rows.skip(top).take(size[1]) {
            row[from..to].fill(color);
        }
    }
}
