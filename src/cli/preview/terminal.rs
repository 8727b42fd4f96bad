//! Pictures on a terminal: as PNG files in the escape sequences of kitty or iTerm2, or as half blocks with 24-bit colours.

use std::fmt::Write as _;
use std::io::IsTerminal;

use clap::ValueEnum;
use terminal_size::{Height, Width, terminal_size};

use crate::base::base64::base64;
use crate::inspect::picture::{Image, png};

/// The values of `--terminal`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TerminalName {
    /// The protocol that the environment variables of the terminal name
    #[default]
    Auto,
    Kitty,
    Iterm,
    Blocks,
}

/// The way in which a terminal takes pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// A PNG in pieces, by the graphics protocol of kitty.
    Kitty,
    /// A PNG, by the inline images protocol of iTerm2.
    Iterm,
    /// Characters, each of which shows two pixels.
    Blocks,
}

/// A terminal that shows pictures.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    protocol: Protocol,
    /// The pixels that it has across and down.
    pub size: [usize; 2],
}

/// Pixels of a character across and down, where pictures have pixels of their own. Most terminals have more.
const CHARACTER: [usize; 2] = [8, 16];

/// Most characters of base64 in one escape sequence of kitty; a multiple of four.
const PIECE: usize = 4096;

impl Terminal {
    /// Returns the terminal on standard output. One that is named gets its sequences wherever standard output leads; for
    /// `auto`, `None` if standard output is no terminal, or none that is known to show pictures.
    pub fn of(name: TerminalName) -> Option<Self> {
        let protocol = match name {
            TerminalName::Kitty => Protocol::Kitty,
            TerminalName::Iterm => Protocol::Iterm,
            TerminalName::Blocks => Protocol::Blocks,
            TerminalName::Auto if !std::io::stdout().is_terminal() => return None,
            TerminalName::Auto => detected(&|name| std::env::var(name).unwrap_or_default())?,
        };
        let (Width(width), Height(height)) = terminal_size().unwrap_or((Width(80), Height(24)));
        let [across, down] = match protocol {
            Protocol::Blocks => [1, 2],
            _ => CHARACTER,
        };
        // One line stays free for the prompt.
        let lines = usize::from(height).saturating_sub(1);
        Some(Self {
            protocol,
            size: [across * usize::from(width), down * lines],
        })
    }

    /// Returns the text that shows a picture.
    pub fn text(&self, image: &Image) -> String {
        match self.protocol {
            Protocol::Kitty => kitty(&png(image)),
            Protocol::Iterm => iterm(&png(image)),
            Protocol::Blocks => blocks(image),
        }
    }
}

/// Returns the protocol of the terminal with these environment variables, which are empty where they are not set; `None` if
/// it is not known to show pictures.
fn detected(variable: &dyn Fn(&str) -> String) -> Option<Protocol> {
    if !variable("NO_COLOR").is_empty() {
        return None;
    }
    let (term, program) = (variable("TERM"), variable("TERM_PROGRAM"));
    // tmux and screen keep the variables of the terminal that they were started in, but not its pictures.
    let is_inside =
        !variable("TMUX").is_empty() || term.starts_with("tmux") || term.starts_with("screen");
    let is_kitty = ["xterm-kitty", "xterm-ghostty"].contains(&&*term)
        || program == "ghostty"
        || !variable("KITTY_WINDOW_ID").is_empty();
    let is_iterm =
        ["iTerm.app", "WezTerm"].contains(&&*program) || variable("LC_TERMINAL") == "iTerm2";
    let has_colors = ["truecolor", "24bit"].contains(&&*variable("COLORTERM"));
    match (is_inside, has_colors) {
        (false, _) if is_kitty => Some(Protocol::Kitty),
        (false, _) if is_iterm => Some(Protocol::Iterm),
        (_, true) => Some(Protocol::Blocks),
        _ => None,
    }
}

/// Returns a PNG as escape sequences of kitty: transmit and show (`a=T`) a PNG (`f=100`), answer nothing (`q=2`), `m=1` while
/// more pieces follow.
fn kitty(png: &[u8]) -> String {
    let encoded = base64(png);
    let mut text = String::new();
    let pieces = encoded.len().div_ceil(PIECE);
    for (number, piece) in encoded.as_bytes().chunks(PIECE).enumerate() {
        let keys = if number == 0 { "a=T,f=100,q=2," } else { "" };
        let more = u8::from(number + 1 < pieces);
        let piece = String::from_utf8_lossy(piece);
        // Writing to a string does not fail.
        let _ = write!(text, "\x1b_G{keys}m={more};{piece}\x1b\\");
    }
    text.push('\n');
    text
}

/// Returns a PNG as an escape sequence of iTerm2.
fn iterm(png: &[u8]) -> String {
    let (length, encoded) = (png.len(), base64(png));
    format!("\x1b]1337;File=inline=1;size={length}:{encoded}\x07\n")
}

/// Returns the characters that show a picture: each is the upper half of a block in the colour of one pixel, on the colour
/// of the pixel below it.
fn blocks(image: &Image) -> String {
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
        assert_eq!(blocks(&image), expected);
    }

    #[test]
    fn long_files_are_sent_to_kitty_in_pieces_and_to_iterm_at_once() {
        assert_eq!(kitty(b"foo"), "\x1b_Ga=T,f=100,q=2,m=0;Zm9v\x1b\\\n");
        // 3072 bytes are one full piece.
        let one = "AAAA".repeat(1024);
        assert_eq!(
            kitty(&[0; 3072]),
            format!("\x1b_Ga=T,f=100,q=2,m=0;{one}\x1b\\\n")
        );
        let three = format!(
            "\x1b_Ga=T,f=100,q=2,m=1;{one}\x1b\\\x1b_Gm=1;{one}\x1b\\\x1b_Gm=0;AA==\x1b\\\n"
        );
        assert_eq!(kitty(&[0; 6145]), three);
        assert_eq!(iterm(b"foo"), "\x1b]1337;File=inline=1;size=3:Zm9v\x07\n");
    }

    #[test]
    fn terminals_are_known_by_their_variables() {
        let kitty = Some(Protocol::Kitty);
        let iterm = Some(Protocol::Iterm);
        let blocks = Some(Protocol::Blocks);
        let colors = ("COLORTERM", "truecolor");
        for (variables, protocol) in [
            (&[("TERM", "xterm-kitty")][..], kitty),
            (&[("KITTY_WINDOW_ID", "1"), colors], kitty),
            (&[("TERM", "xterm-ghostty")], kitty),
            (&[("TERM_PROGRAM", "ghostty")], kitty),
            (&[("TERM_PROGRAM", "iTerm.app"), colors], iterm),
            (&[("TERM_PROGRAM", "WezTerm")], iterm),
            (&[("LC_TERMINAL", "iTerm2")], iterm),
            (&[("TERM", "xterm-256color"), colors], blocks),
            (&[("COLORTERM", "24bit")], blocks),
            (
                &[("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1"), colors],
                blocks,
            ),
            (&[("TMUX", "/tmp/x"), ("TERM_PROGRAM", "iTerm.app")], None),
            (&[("TERM", "xterm-kitty"), ("NO_COLOR", "1")], None),
            (&[("TERM", "xterm-256color")], None),
            (&[], None),
        ] {
            let value = |name: &str| {
                let found = variables.iter().find(|(own, _)| *own == name);
                found.map_or_else(String::new, |(_, value)| (*value).to_owned())
            };
            assert_eq!(detected(&value), protocol, "{variables:?}");
        }
    }
}
