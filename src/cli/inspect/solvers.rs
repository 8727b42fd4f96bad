//! `inspect --solvers`: who needs dual quaternions.

use super::over_time::Clip;
use crate::cli::printer::{Listing, Table, three_digits};

/// Adds a table of linear blending against dual quaternions.
pub fn add_table(clips: &[Clip], lines: &mut Listing) {
    let rows = clips
        .iter()
        .filter_map(|clip| Some((clip, clip.solvers.as_ref()?)));
    let rows: Vec<_> = rows.collect();
    lines.line("linear blending against dual quaternions:");
    lines.table(
        Table::of(&rows)
            .number("clip", |(clip, _)| clip.index)
            .text("name", |(clip, _)| &clip.name)
            .number("largest", |(_, found)| three_digits(found.farthest.largest))
            .number("% of size", |(_, found)| {
                three_digits(found.largest_percent)
            })
            .number("at s", |(_, found)| found.farthest.time.map(three_digits))
            .text("joint", |(_, found)| &found.farthest.joint)
            .number("mean", |(_, found)| three_digits(found.mean))
            .number("% of size", |(_, found)| three_digits(found.mean_percent))
            .number("% of volume lost", |(_, found)| match found.volume_loss {
                Some(loss) => three_digits(loss),
                None => "open".to_owned(),
            })
            .number("at s", |(_, found)| found.volume_time.map(three_digits)),
    );
}

/// Tells who needs dual quaternions, and what to do.
pub fn advice(clips: &[Clip]) -> &'static str {
    let found = clips.iter().filter_map(|clip| clip.solvers.as_ref());
    match found
        .map(|found| found.largest_percent)
        .fold(-1.0, f64::max)
    {
        ..0.0 => "No skin moves a vertex: both solvers give the same.",
        ..0.1 => "Below 0.1 % of the size nobody sees the difference: linear blending is enough.",
        ..1.0 => {
            "From 0.1 % of the size on the difference is seen close up: take `bake --solver dqs`, or `bake --as skin` for engines, which blend linearly."
        }
        _ => {
            "From 1 % of the size on everybody sees the difference: take `bake --solver dqs`, or `bake --as skin` for engines, which blend linearly."
        }
    }
}
