//! Text for labels, in two sizes of one font. Each size is a picture of its characters, `small.png` and `large.png`, whose licence is
//! in `LICENSE`.

use std::sync::LazyLock;

use super::Image;
use super::decode::decode;

/// Pixels from one character to the next, at scale 1.
pub const ADVANCE: usize = 7;
/// Pixels of a line, at scale 1.
pub const HEIGHT: usize = 14;

/// The characters of the pictures, in order; the last one stands for all others.
const CHARACTERS: [(u32, u32); 6] = [
    (0x20, 0x7e),
    (0xa0, 0x17f),
    (0x386, 0x3ce),
    (0x400, 0x45f),
    (0x2010, 0x2026),
    (0xfffd, 0xfffd),
];

/// Characters in a row of the pictures.
const COLUMNS: usize = 32;

static SMALL: LazyLock<Image> = LazyLock::new(|| read(include_bytes!("small.png")));
static LARGE: LazyLock<Image> = LazyLock::new(|| read(include_bytes!("large.png")));

fn read(bytes: &[u8]) -> Image {
    decode(bytes, 1 << 20, &mut (1 << 20)).expect("the file is part of the program")
}

/// The number of a character in the pictures.
fn index(character: char) -> usize {
    let code = u32::from(character);
    let mut before = 0;
    for (first, last) in CHARACTERS {
        if (first..=last).contains(&code) {
            return before + (code - first) as usize;
        }
        before += (last + 1 - first) as usize;
    }
    before - 1
}

/// Writes a line of text with its upper left corner at a place; `scale` is a power of two. What does not fit is left out.
pub fn write(
    image: &mut Image,
    text: &str,
    [left, top]: [usize; 2],
    scale: usize,
    [red, green, blue, _]: [u8; 4],
) {
    let (letters, dot) = if scale == 1 {
        (&*SMALL, 1)
    } else {
        (&*LARGE, scale / 2)
    };
    let advance = ADVANCE * scale / dot;
    let height = HEIGHT * scale / dot;
    let most = image.width / (ADVANCE * scale) + 1;
    for (number, character) in text.chars().take(most).enumerate() {
        let index = index(character);
        let from = index / COLUMNS * height * letters.width + index % COLUMNS * advance;
        for row in 0..height {
            let line = &letters.pixels[from + row * letters.width..][..advance];
            for (column, [opacity, ..]) in line.iter().enumerate().filter(|(_, pixel)| pixel[0] > 0)
            {
                let x = left + number * ADVANCE * scale + column * dot;
                image.fill(x, top + row * dot, [dot; 2], [red, green, blue, *opacity]);
            }
        }
    }
}

/// The text if it fits into `width` pixels, else its beginning, two dots and its end, which tells poses apart.
pub fn fitted(text: &str, width: usize, scale: usize) -> String {
    let most = width / (ADVANCE * scale);
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(2);
    let end = kept / 2;
    let beginning = text.chars().take(kept - end);
    let dots = "..".chars().take(most);
    beginning
        .chain(dots)
        .chain(text.chars().skip(count - end))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_found_and_unknown_ones_have_a_sign() {
        let last = COLUMNS * LARGE.height / (2 * HEIGHT) - 1;
        assert_eq!(
            (SMALL.width, LARGE.width),
            (COLUMNS * ADVANCE, COLUMNS * 2 * ADVANCE)
        );
        for (character, expected) in [
            (' ', 0),
            ('A', 33),
            ('~', 94),
            ('é', 95 + 73),
            ('\u{fffd}', last),
            ('你', last),
        ] {
            assert_eq!(index(character), expected, "{character}");
        }
        // The stroke of an I is in the middle of its cell at each scale.
        for scale in [1, 2, 4] {
            let mut image = Image::filled(ADVANCE * scale, HEIGHT * scale, [255; 4]);
            write(&mut image, "I", [0, 0], scale, [0, 0, 0, 255]);
            let middle = image.width * (image.height / 2) + image.width / 2;
            assert!(image.pixels[middle][0] < 128, "{scale}");
            assert_eq!(image.pixels[0], [255; 4]);
        }
    }

    #[test]
    fn long_texts_are_cut_in_their_middle() {
        assert_eq!(fitted("abc", 3 * ADVANCE, 1), "abc");
        assert_eq!(fitted("abcdefgh", 6 * ADVANCE, 1), "ab..gh");
        assert_eq!(fitted("abcdefgh", 12 * ADVANCE, 2), "ab..gh");
        assert_eq!(fitted("abc", ADVANCE, 1), ".");
    }
}
