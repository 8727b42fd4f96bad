//! Pictures on a terminal: half blocks with 24-bit colours.

use std::fmt::Write as _;
use std::io::IsTerminal;

use terminal_size::{Height, Width, terminal_size};

use crate::inspect::picture::Image;

/// Returns how many pixels the terminal on standard output has across and down; `None` if it is no terminal, or does not
/// say that it has 24-bit colours.
pub fn size() -> Option<[usize; 2]> {
    let has_colors = |value: &str| value == "truecolor" || value == "24bit";
    let colors = std::env::var("COLORTERM").is_ok_and(|value| has_colors(&value));
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if !std::io::stdout().is_terminal() || !colors || no_color {
        return None;
    }
    let (Width(width), Height(height)) = terminal_size().unwrap_or((Width(80), Height(24)));
    // One line stays free for the prompt. A character shows two pixels, one above the other.
    let lines = usize::from(height).saturating_sub(1);
    Some([usize::from(width), 2 * lines])
}

/// Returns the characters that show a picture: each is the upper half of a block in the colour of one pixel, on the colour
/// of the pixel below it.
pub fn text(image: &Image) -> String {
    let mut text = String::new();
    let rows: Vec<&[[u8; 3]]> = image.pixels.chunks_exact(image.width.max(1)).collect();
    for pair in rows.chunks(2) {
        let lower = pair.get(1).unwrap_or(&pair[0]);
        let mut last = None;
        for (above, below) in pair[0].iter().zip(*lower) {
            if last != Some((above, below)) {
                let ([r, g, b], [s, h, c]) = (above, below);
                // Writing to a string does not fail.
                let _ = write!(text, "\x1b[38;2;{r};{g};{b};48;2;{s};{h};{c}m");
                last = Some((above, below));
            }
            text.push('▀');
        }
        text.push_str("\x1b[0m\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_become_one_line_and_equal_colours_are_said_once() {
        let mut image = Image::filled(2, 3, [1, 2, 3]);
        image.fill(0, 1, [2, 1], [4, 5, 6]);
        let expected =
            "\x1b[38;2;1;2;3;48;2;4;5;6m▀▀\x1b[0m\n\x1b[38;2;1;2;3;48;2;1;2;3m▀▀\x1b[0m\n";
        assert_eq!(text(&image), expected);
    }
}
