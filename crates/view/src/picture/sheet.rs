//! Several pictures with labels on one sheet.

use super::font::{self, ADVANCE, HEIGHT};
use super::heat::heat_color;
use super::{Image, encoded, png};
use ::png::Compression;

/// A picture with its label.
#[derive(Debug)]
pub struct Panel {
    /// The text below the picture: Latin, Greek and Cyrillic letters; a sign stands for each other character.
    pub label: String,
    /// The picture.
    pub image: Image,
}

/// Most pixels of a sheet.
pub const MAX_PIXELS: usize = 1 << 26;

/// Most pictures in a row that is not full.
const ROW: usize = 5;

/// The colours of text on light and on dark backgrounds, and of lines between pictures.
const DARK_TEXT: [u8; 4] = [72, 78, 88, 255];
const LIGHT_TEXT: [u8; 4] = [214, 218, 226, 255];
const LINE: [u8; 4] = [128, 132, 140, 64];

/// A sheet would have more than [`MAX_PIXELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a sheet of {count} pictures would have more than {MAX_PIXELS} pixels")]
pub struct SheetTooLarge {
    /// The number of pictures.
    pub count: usize,
}

/// The measures of a sheet.
struct Plan {
    columns: usize,
    rows: usize,
    /// Pixels of a picture's side.
    size: usize,
    /// The scale of the font.
    scale: usize,
    /// Pixels of the strip below each picture.
    strip: usize,
}

impl Plan {
    fn new(count: usize, size: usize) -> Self {
        let columns = match count {
            0..=ROW => count.max(1),
            _ => (count as f64).sqrt().ceil() as usize,
        };
        let scale = match size {
            ..512 => 1,
            512..1024 => 2,
            _ => 4,
        };
        Self {
            columns,
            rows: count.max(1).div_ceil(columns),
            size,
            scale,
            strip: (HEIGHT + 4) * scale,
        }
    }

    /// Pixels of the strip at the end of the sheet, for the colours of distances.
    fn scale_strip(&self) -> usize {
        (HEIGHT + 20) * self.scale
    }

    /// The number of pixels, saturated.
    fn pixels(&self) -> usize {
        let height = self.rows.saturating_mul(self.size + self.strip);
        (self.columns.saturating_mul(self.size))
            .saturating_mul(height.saturating_add(self.scale_strip()))
    }
}

/// Checks that a sheet of `count` pictures of `size` × `size` pixels can be made.
///
/// # Errors
/// If it would be too large.
pub fn check_sheet(count: usize, size: usize) -> Result<(), SheetTooLarge> {
    if Plan::new(count, size).pixels() <= MAX_PIXELS {
        Ok(())
    } else {
        Err(SheetTooLarge { count })
    }
}

/// Returns a sheet of pictures, each with its label below it: up to five in one row, more in as many rows as columns. With
/// `scale`, the last lines show the colours of distances from 0 to that many model units.
///
/// # Errors
/// If the sheet would be too large.
pub fn sheet(
    panels: &[Panel],
    scale: Option<f64>,
    background: [u8; 4],
) -> Result<Image, SheetTooLarge> {
    let size = panels
        .iter()
        .map(|panel| panel.image.width.max(panel.image.height))
        .max()
        .unwrap_or(1)
        .max(1);
    check_sheet(panels.len(), size)?;
    let plan = Plan::new(panels.len(), size);
    let across = plan.size;
    let down = plan.size + plan.strip;
    let scale_height = if scale.is_some() {
        plan.scale_strip()
    } else {
        0
    };
    let mut sheet = Image::filled(
        plan.columns * across,
        plan.rows * down + scale_height,
        background,
    );
    let text = text_on(background);
    for (number, panel) in panels.iter().enumerate() {
        let left = number % plan.columns * across;
        let top = number / plan.columns * down;
        sheet.place(&panel.image, left, top);
        if left > 0 {
            sheet.fill(left, top, [1, down], LINE);
        }
        if top > 0 {
            sheet.fill(left, top, [across, 1], LINE);
        }
        let label = font::fitted(&panel.label, across - across / 16, plan.scale);
        let width = label.chars().count() * ADVANCE * plan.scale;
        let at = [
            left + across.saturating_sub(width) / 2,
            top + across + plan.scale,
        ];
        font::write(&mut sheet, &label, at, plan.scale, text);
    }
    if let Some(scale) = scale {
        draw_scale(&mut sheet, &plan, scale, text);
    }
    Ok(sheet)
}

/// Returns a PNG file of a sheet, or with a delay an animation of pictures of one size, each as on a sheet of its own. It is
/// repeated for ever. A picture is shown for a part of a second, or more: the delay has its numerator and denominator.
///
/// # Errors
/// If a sheet would be too large.
pub fn sheet_png(
    panels: &[Panel],
    scale: Option<f64>,
    background: [u8; 4],
    delay: Option<[u16; 2]>,
) -> Result<Vec<u8>, SheetTooLarge> {
    if delay.is_none() || panels.len() < 2 {
        return Ok(png(&sheet(panels, scale, background)?));
    }
    let first = sheet(&panels[..1], scale, background)?;
    let later = panels[1..]
        .chunks(1)
        .map(|panel| sheet(panel, scale, background).expect("as large as the first"));
    Ok(encoded(&first, later, delay, Compression::Balanced))
}

/// Writes a small text into the upper left corner of a picture on a background.
pub fn write_note(image: &mut Image, text: &str, background: [u8; 4]) {
    let scale = Plan::new(1, image.width).scale;
    let text = font::fitted(text, image.width, scale);
    font::write(image, &text, [2 * scale; 2], scale, text_on(background));
}

/// Returns the colour of text on a background; a transparent one is taken for light.
pub fn text_on([red, green, blue, opacity]: [u8; 4]) -> [u8; 4] {
    let sum = u32::from(red) + u32::from(green) + u32::from(blue);
    if opacity > 127 && sum < 3 * 110 {
        LIGHT_TEXT
    } else {
        DARK_TEXT
    }
}

/// Draws the colours of distances into the last lines: a bar, and ticks with their numbers below it, as many as there is room for.
fn draw_scale(sheet: &mut Image, plan: &Plan, greatest: f64, color: [u8; 4]) {
    let scale = plan.scale;
    let text_width = |text: &str| text.chars().count() * ADVANCE * scale;
    let margin = text_width(&number(greatest)) / 2 + ADVANCE * scale;
    let Some(width) = sheet.width.checked_sub(2 * margin + 1) else {
        return;
    };
    let width = width.min(400 * scale);
    let top = plan.rows * (plan.size + plan.strip) + 4 * scale;
    let bar = 8 * scale;
    for x in 0..width {
        let color = heat_color(x as f64 / width as f64, 1.0);
        sheet.fill(margin + x, top, [1, bar], color);
    }
    let parts = [4, 2, 1]
        .into_iter()
        .find(|parts| {
            let longest = text_width(&number(greatest / 4.0)).max(text_width(&number(greatest)));
            width / parts > longest
        })
        .filter(|_| greatest > 0.0)
        .unwrap_or(1);
    for tick in 0..=parts {
        let x = margin + tick * width / parts;
        sheet.fill(x, top + bar, [scale, 3 * scale], color);
        let text = match tick {
            0 if greatest > 0.0 => "0".to_owned(),
            _ => number(greatest * tick as f64 / parts as f64),
        };
        let left = x.saturating_sub(text_width(&text) / 2);
        font::write(sheet, &text, [left, top + bar + 4 * scale], scale, color);
    }
}

/// A distance with four digits.
fn number(distance: f64) -> String {
    match distance {
        0.0 => "0 (equal)".to_owned(),
        0.001..1.0 => format!("{distance:.5}"),
        1.0..10_000.0 => format!("{distance:.3}"),
        _ => format!("{distance:.3e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_short_and_never_zero_unless_they_are() {
        let numbers = [0.0, 1e-9, 0.25, 1.589, f64::MAX];
        let expected = ["0 (equal)", "1.000e-9", "0.25000", "1.589", "1.798e308"];
        assert_eq!(numbers.map(number), expected);
    }

    #[test]
    fn pictures_lie_in_rows_and_large_sheets_are_refused() {
        let panel = |color| Panel {
            label: "x".into(),
            image: Image::filled(16, 16, [color; 4]),
        };
        let panels: Vec<Panel> = (1..=7).map(panel).collect();
        let of_seven = sheet(&panels, None, [0; 4]).unwrap();
        assert_eq!((of_seven.width, of_seven.height), (48, 3 * 34));
        assert_eq!(of_seven.pixels[(34 + 8) * 48 + 24], [5; 4]);
        let of_two = sheet(&panels[..2], Some(0.5), [0; 4]).unwrap();
        assert_eq!((of_two.width, of_two.height), (32, 68));
        assert_eq!(sheet(&[], None, [0; 4]).unwrap().width, 1);
        assert!(check_sheet(10_000, 256).is_err());
        assert!(check_sheet(usize::MAX, 2048).is_err());
        assert!(check_sheet(900, 256).is_ok());
    }
}
