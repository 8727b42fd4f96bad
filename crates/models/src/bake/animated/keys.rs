//! The frames that become keys: those that a linear blend of their neighbours does not give.

use std::sync::atomic::{AtomicBool, Ordering};

use super::contents::{Contents, Place, Timeline, places};
use super::frames::Frame;
use crate::bake::streams::{FRAME, Stream};
use rigy_kernel::executor::Executor;

/// The inputs of the choice.
pub struct Keys<'f> {
    pub frames: &'f [Frame],
    pub streams: &'f [Stream],
    pub contents: &'f Contents,
    pub timeline: &'f Timeline,
    /// The largest distance of a vertex from its place; 0 for blends that are exact.
    pub tolerance: f64,
}

/// Two keys and the weights with which a client blends them at a frame between them.
#[derive(Clone, Copy)]
struct Blend {
    keys: [usize; 2],
    weights: [f32; 2],
}

/// The share of the largest coordinate by which a tolerance is reduced, because clients may round differently.
const MARGIN: f64 = 8.0 / (1u32 << 24) as f64;

/// Returns numbers up to `last`, ascending from 0 on, each of which `reaches` the next. From each the next is looked for at doubled
/// distances, then between the last that has succeeded and the first that has not.
pub fn farthest(last: usize, reaches: impl Fn([usize; 2]) -> bool) -> Vec<usize> {
    let mut kept = vec![0];
    let mut key = 0;
    while key < last {
        let mut good = key + 1;
        let mut bad = last + 1;
        while bad > last && good < last {
            let next = last.min(key + 2 * (good - key));
            if reaches([key, next]) {
                good = next
            } else {
                bad = next
            }
        }
        while good < last && bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if reaches([key, middle]) {
                good = middle
            } else {
                bad = middle
            }
        }
        key = good;
        kept.push(key);
    }
    kept
}

impl Keys<'_> {
    /// Returns the frames that are kept, ascending, the first and the last among them.
    pub fn kept(&self, executor: &dyn Executor) -> Vec<usize> {
        let last = self.frames.len().saturating_sub(1);
        let parts = self.parts();
        let within = self.within();
        farthest(last, |pair| self.reaches(&parts, within, pair, executor))
    }

    /// Returns the largest distance, over all frames and vertices, between a vertex and its place as a client evaluates it in
    /// single precision.
    pub fn deviation(&self, kept: &[usize], executor: &dyn Executor) -> f64 {
        let parts = self.parts();
        let distances = executor.results(self.frames.len(), |frame| {
            let later = kept.partition_point(|key| *key < frame);
            let blend = match kept.get(later) {
                Some(key) if *key != frame => self.blend([kept[later - 1], *key], frame),
                _ => Blend {
                    keys: [frame; 2],
                    weights: [1.0, 0.0],
                },
            };
            parts
                .iter()
                .filter(|place| self.is_position(**place))
                .map(|place| self.square(*place, blend, frame))
                .fold(0.0, f64::max)
                .sqrt()
        });
        distances.into_iter().fold(0.0, f64::max)
    }

    /// The parts that change.
    fn parts(&self) -> Vec<Place> {
        places(self.streams)
            .filter(|place| self.contents.changes(*place))
            .collect()
    }

    fn is_position(&self, (stream, part): Place) -> bool {
        self.streams[stream].parts[part].name == "POSITION"
    }

    /// The distance that is asked of blends, without what clients may add to it by rounding; 0 asks for exact blends.
    fn within(&self) -> f64 {
        if self.tolerance == 0.0 {
            return 0.0;
        }
        let positions = self
            .streams
            .iter()
            .enumerate()
            .filter(|(stream, from)| !from.parts.is_empty() && self.is_position((*stream, 0)));
        let largest = positions
            .flat_map(|(stream, _)| {
                self.frames
                    .iter()
                    .flat_map(move |frame| &frame.vertices[stream][0])
            })
            .fold(0.0f32, |largest, number| largest.max(number.abs()));
        (self.tolerance - MARGIN * f64::from(largest)).max(0.0)
    }

    /// True if all frames between two keys are blends of them.
    fn reaches(
        &self,
        parts: &[Place],
        within: f64,
        keys: [usize; 2],
        executor: &dyn Executor,
    ) -> bool {
        let fails = AtomicBool::new(false);
        executor.for_each(keys[1] - keys[0] - 1, &|index| {
            let frame = keys[0] + 1 + index;
            let blend = self.blend(keys, frame);
            let agrees = |place: &Place| {
                if within > 0.0 && self.is_position(*place) {
                    self.square(*place, blend, frame) <= within * within
                } else {
                    self.is_exact(*place, blend, frame, within > 0.0)
                }
            };
            if !fails.load(Ordering::Relaxed) && !parts.iter().all(agrees) {
                fails.store(true, Ordering::Relaxed);
            }
        });
        !fails.into_inner()
    }

    fn blend(&self, keys: [usize; 2], frame: usize) -> Blend {
        let part = self.timeline.part(keys[0], frame, keys[1]);
        Blend {
            keys,
            weights: [(1.0 - part) as f32, part as f32],
        }
    }

    /// True if a part of a frame is the blend, or need not be: under a tolerance, normals and tangents go with the positions.
    fn is_exact(&self, place: Place, blend: Blend, frame: usize, has_tolerance: bool) -> bool {
        let (stream, part) = place;
        if has_tolerance && FRAME.contains(&&*self.streams[stream].parts[part].name) {
            return true;
        }
        blend
            .keys
            .into_iter()
            .all(|key: usize| self.contents.of(place, key) == self.contents.of(place, frame))
            || blend
                .rows(
                    self.numbers(place, blend, frame)
                        .map(|list| list.as_chunks::<1>().0),
                )
                .all(|(client, numbers)| client == *numbers)
    }

    /// The square of the largest distance between the positions of a frame and their blend.
    fn square(&self, place: Place, blend: Blend, frame: usize) -> f64 {
        let lists = self.numbers(place, blend, frame).map(<[f32]>::as_chunks);
        f64::max(
            blend.square::<ROW>(lists.map(|(rows, _)| rows)),
            blend.square::<3>(lists.map(|(_, rest)| rest.as_chunks().0)),
        )
    }

    /// The numbers of a part in the first frame, in the two keys of a blend and in another frame.
    fn numbers(&self, (stream, part): Place, blend: Blend, frame: usize) -> [&[f32]; 4] {
        let [from, to] = blend.keys;
        [0, from, to, frame].map(|frame| &*self.frames[frame].vertices[stream][part])
    }
}

/// Numbers that are compared at once: those of four positions.
const ROW: usize = 12;

impl Blend {
    /// Numbers as a client evaluates them from those of the first frame and of both keys, in single precision.
    #[inline(always)]
    fn client<const N: usize>(&self, base: &[f32; N], keys: [&[f32; N]; 2]) -> [f32; N] {
        let mut sums = *base;
        for (key, weight) in keys.into_iter().zip(self.weights) {
            if weight != 0.0 {
                for at in 0..N {
                    sums[at] += weight * (key[at] - base[at]);
                }
            }
        }
        sums
    }

    /// Each row of the last list, after what a client evaluates from the rows of the others.
    #[inline(always)]
    fn rows<'r, const N: usize>(
        &self,
        [base, from, to, numbers]: [&'r [[f32; N]]; 4],
    ) -> impl Iterator<Item = ([f32; N], &'r [f32; N])> {
        let rows = base.iter().zip(from).zip(to).zip(numbers);
        rows.map(|(((base, from), to), numbers)| (self.client(base, [from, to]), numbers))
    }

    /// The square of the largest distance between positions of the last list and the blends of the others.
    fn square<const N: usize>(&self, lists: [&[[f32; N]]; 4]) -> f64 {
        let mut largest = [0.0f64; N];
        for (client, numbers) in self.rows(lists) {
            let mut squares = [0.0; N];
            for at in 0..N {
                let difference = f64::from(client[at]) - f64::from(numbers[at]);
                squares[at] = difference * difference;
            }
            for (largest, [x, y, z]) in largest.iter_mut().zip(squares.as_chunks().0) {
                let square = x + y + z;
                // A blend beyond single precision is no number and counts as far away.
                let square = if square.is_nan() {
                    f64::INFINITY
                } else {
                    square
                };
                *largest = largest.max(square);
            }
        }
        largest.into_iter().fold(0.0, f64::max)
    }
}
