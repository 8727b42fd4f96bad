//! The palettes of a clip in 16 bits: each number of a frame as a part of the range that it has in the clip.
//!
//! Frames that are compared with baked vertices also have exact palettes. The others are only looked at, and most of their numbers never
//! change, so that a page holds them in a tenth of the bytes.

use super::surfaces::Block;
use super::{Coded, Surface};

/// Most frames of a clip that has exact palettes only: the ranges would take more than they save.
pub(super) const FEW: usize = 4;
/// The greatest part.
const MOST: f64 = 65_535.0;

/// Appends frames, which have equally many numbers, and returns where they are, with half a step of each number.
pub(super) fn push(block: &mut Block, frames: &[Vec<f32>]) -> (Coded, Vec<f64>) {
    let count = frames.first().map_or(0, Vec::len);
    let (mut least, mut steps, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..count {
        let values = || frames.iter().map(|frame| f64::from(frame[number]));
        let from = values().fold(f64::INFINITY, f64::min);
        let to = values().fold(f64::NEG_INFINITY, f64::max);
        // The step as the page reads it.
        let step = f64::from(((to - from) / MOST) as f32);
        least.push(from);
        steps.push(step);
        parts.extend(values().map(|value| {
            let part = if step > 0.0 {
                (value - from) / step
            } else {
                0.0
            };
            (part + 0.5).min(MOST) as u16
        }));
    }
    let coded = Coded {
        least: block.push_f32(least),
        steps: block.push_f32(steps.iter().copied()),
        parts: block.push_u16(parts),
    };
    (coded, steps.iter().map(|step| step / 2.0).collect())
}

/// Returns how far a vertex may be from where exact palettes have it: the greatest distance by linear blending, given what numbers of
/// palettes are off by, and how far vertices of each skin are from its origin along each axis.
pub(super) fn error(off: &[f64], skins: &[(usize, usize)], reach: &[[f64; 3]]) -> f64 {
    let mut rest = off;
    let mut greatest: f64 = 0.0;
    for ((joints, stride), [x, y, z]) in skins.iter().zip(reach) {
        let (of_skin, others) = rest.split_at(4 * joints * stride);
        rest = others;
        for joint in of_skin.chunks_exact(4 * stride) {
            let rows = joint[..12].as_chunks::<4>().0.iter();
            let squares = rows.map(|[a, b, c, d]| {
                let row = a * x + b * y + c * z + d;
                row * row
            });
            greatest = greatest.max(squares.sum::<f64>().sqrt());
        }
    }
    greatest
}

/// Returns how far the vertices of each of `count` skins are from the origin at rest, along each axis.
pub(super) fn reach(block: &Block, surfaces: &[Surface], count: usize) -> Vec<[f64; 3]> {
    let mut reach = vec![[0.0; 3]; count];
    for surface in surfaces {
        let end = surface.positions + 12 * surface.vertices;
        let numbers = block.bytes[surface.positions..end].as_chunks::<4>().0;
        for (index, number) in numbers.iter().enumerate() {
            let most = &mut reach[surface.skin][index % 3];
            *most = f64::max(*most, f32::from_le_bytes(*number).abs().into());
        }
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_within_half_a_step_and_those_that_stay_are_exact() {
        let frames: Vec<Vec<f32>> = (0..50)
            .map(|frame| vec![0.1, (frame as f32).sin() * 3.0, -1e-40 * frame as f32])
            .collect();
        let mut block = Block::default();
        let (coded, off) = push(&mut block, &frames);
        let number = |offset: usize| {
            f64::from(f32::from_le_bytes(
                block.bytes[offset..offset + 4].try_into().unwrap(),
            ))
        };
        for (frame, values) in frames.iter().enumerate() {
            for (index, value) in values.iter().enumerate() {
                let at = coded.parts + 2 * (index * frames.len() + frame);
                let part = u16::from_le_bytes(block.bytes[at..at + 2].try_into().unwrap());
                let read = number(coded.least + 4 * index)
                    + number(coded.steps + 4 * index) * f64::from(part);
                let gap = (read - f64::from(*value)).abs();
                assert!(gap <= 1.01 * off[index] + 1e-38, "{frame} {index} {gap}");
            }
        }
        assert_eq!(off[0], 0.0);
        assert_eq!(number(coded.least), f64::from(0.1_f32));
    }

    #[test]
    fn the_error_adds_what_all_numbers_of_a_row_are_off_by() {
        let mut off = vec![0.0; 24];
        off[12..16].copy_from_slice(&[0.5, 0.0, 0.25, 1.0]);
        let reach = [[2.0, 9.0, 4.0]];
        assert_eq!(error(&off, &[(2, 3)], &reach), 3.0);
    }
}
