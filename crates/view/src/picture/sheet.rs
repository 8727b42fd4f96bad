//! Several pictures with labels on one sheet.

use super::Image;
use super::color::{BACKGROUND, heat_color};
use super::font::{self, ADVANCE, HEIGHT};

/// A picture with its label.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The text below the picture. Characters beyond ASCII are shown as boxes.
    pub label: String,
    /// The picture.
    pub image: Image,
}

/// Most pixels of a sheet.
pub const MAX_PIXELS: usize = 1 << 26;

/// Most pictures in a row that is not full.
const ROW: usize = 5;

/// The colour of text, and of lines between pictures.
const TEXT: [u8; 3] = [72, 78, 88];
const LINE: [u8; 3] = [224, 227, 232];

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
    /// Pixels of a dot of the font.
    dot: usize,
    /// Pixels of the strip below each picture, and at the end of the sheet for the scale.
    strip: usize,
}

impl Plan {
    fn new(count: usize, size: usize) -> Self {
        let columns = match count {
            0..=ROW => count.max(1),
            _ => (count as f64).sqrt().ceil() as usize,
        };
        let dot = (size / 256).clamp(1, 4);
        Self {
            columns,
            rows: count.max(1).div_ceil(columns),
            size,
            dot,
            strip: (HEIGHT + 4) * dot,
        }
    }

    /// The number of pixels, saturated.
    fn pixels(&self) -> usize {
        let height = self.rows.saturating_mul(self.size + self.strip);
        (self.columns.saturating_mul(self.size)).saturating_mul(height.saturating_add(self.strip))
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
/// `scale`, the last line shows the colours of distances from 0 to that many model units.
///
/// # Errors
/// If the sheet would be too large.
pub fn sheet(panels: &[Panel], scale: Option<f64>) -> Result<Image, SheetTooLarge> {
    let sizes = panels
        .iter()
        .map(|panel| panel.image.width.max(panel.image.height));
    let size = sizes.max().unwrap_or(1).max(1);
    check_sheet(panels.len(), size)?;
    let plan = Plan::new(panels.len(), size);
    let (across, down) = (plan.size, plan.size + plan.strip);
    let scale_height = if scale.is_some() { plan.strip } else { 0 };
    let mut sheet = Image::filled(
        plan.columns * across,
        plan.rows * down + scale_height,
        BACKGROUND,
    );
    for (number, panel) in panels.iter().enumerate() {
        let (left, top) = (number % plan.columns * across, number / plan.columns * down);
        sheet.place(&panel.image, left, top);
        if left > 0 {
            sheet.fill(left, top, [1, down], LINE);
        }
        if top > 0 {
            sheet.fill(left, top, [across, 1], LINE);
        }
        let label = font::fitted(&panel.label, across - across / 16, plan.dot);
        let width = label.chars().count() * ADVANCE * plan.dot;
        let at = [
            left + across.saturating_sub(width) / 2,
            top + across + plan.dot,
        ];
        font::write(&mut sheet, &label, at, plan.dot, TEXT);
    }
    if let Some(scale) = scale {
        draw_scale(&mut sheet, &plan, scale);
    }
    Ok(sheet)
}

/// Draws the colours of distances with their numbers into the last line.
fn draw_scale(sheet: &mut Image, plan: &Plan, scale: f64) {
    let dot = plan.dot;
    let top = plan.rows * (plan.size + plan.strip) + 2 * dot;
    let text = number(scale);
    let letters = |text: &str| text.len() * ADVANCE * dot;
    let left = 2 * ADVANCE * dot;
    let width = (sheet.width / 3).min(
        sheet
            .width
            .saturating_sub(left + letters(&text) + 2 * ADVANCE * dot),
    );
    font::write(sheet, "0", [dot, top], dot, TEXT);
    for x in 0..width {
        let color = heat_color(x as f64 / width as f64, 1.0);
        sheet.fill(left + x, top, [1, HEIGHT * dot], color);
    }
    font::write(sheet, &text, [left + width + ADVANCE * dot, top], dot, TEXT);
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
            image: Image::filled(16, 16, [color; 3]),
        };
        let panels: Vec<Panel> = (1..=7).map(panel).collect();
        let of_seven = sheet(&panels, None).unwrap();
        assert_eq!((of_seven.width, of_seven.height), (48, 3 * 28));
        assert_eq!(of_seven.pixels[(28 + 8) * 48 + 24], [5; 3]);
        let of_two = sheet(&panels[..2], Some(0.5)).unwrap();
        assert_eq!((of_two.width, of_two.height), (32, 40));
        assert_eq!(sheet(&[], None).unwrap().width, 1);
        assert!(check_sheet(10_000, 256).is_err());
        assert!(check_sheet(usize::MAX, 2048).is_err());
        assert!(check_sheet(900, 256).is_ok());
    }
}
