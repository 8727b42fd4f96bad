//! The smallest and largest coordinates of points (`numerics.md` §9.4).

use std::array::from_fn;

use super::{Vec3, squared_distance};

/// The extremes of each axis; among equal zeros the later one wins.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Smallest value of each axis.
    pub min: Vec3,
    /// Largest value of each axis.
    pub max: Vec3,
}

impl Bounds {
    /// Bounds of points given as planes of x, y and z, each number rounded before it counts; `None` when there
    /// are none.
    pub fn of_planes(planes: [&[f64]; 3], rounded: impl Fn(f64) -> f64) -> Option<Self> {
        let [x, y, z] = planes;
        let of = |plane: &[f64]| extremes::<f64, 1, 8>(plane, &rounded);
        let [x] = of(x)?;
        let [y] = of(y)?;
        let [z] = of(z)?;
        Some(Self::new([x, y, z]))
    }

    /// Bounds of points given by their coordinates in turn; `None` when there are none.
    pub fn of_interleaved<N: Copy + Default + PartialOrd + Into<f64>>(
        coordinates: &[N],
    ) -> Option<Self> {
        extremes::<N, 3, 12>(coordinates, |number| number).map(Self::new)
    }

    /// The distance between the corners.
    pub fn diagonal(&self) -> f64 {
        squared_distance(self.min, self.max).sqrt()
    }

    /// The bounds of these points and of later ones with bounds `later`.
    pub fn then(&self, later: &Self) -> Self {
        let least = |a: f64, b: f64| if b <= a { b } else { a };
        let most = |a: f64, b: f64| if b >= a { b } else { a };
        Self {
            min: from_fn(|axis| least(self.min[axis], later.min[axis])),
            max: from_fn(|axis| most(self.max[axis], later.max[axis])),
        }
    }

    fn new<N: Copy + Into<f64>>(axes: [(N, N); 3]) -> Self {
        Self {
            min: axes.map(|(min, _)| min.into()),
            max: axes.map(|(_, max)| max.into()),
        }
    }
}

/// Returns the extremes of interleaved axes. Rows of `LANES` numbers, a multiple of `AXES`, are compared by value, number by
/// number; the sign of an extreme that is zero is looked up at the end.
fn extremes<N: Copy + Default + PartialOrd, const AXES: usize, const LANES: usize>(
    numbers: &[N],
    value: impl Fn(N) -> N,
) -> Option<[(N, N); AXES]> {
    let first = numbers.first_chunk::<AXES>()?.map(&value);
    let mut min: [N; LANES] = from_fn(|lane| first[lane % AXES]);
    let mut max = min;
    let mut take = |row: &[N]| {
        for ((min, max), number) in min.iter_mut().zip(&mut max).zip(row) {
            let value = value(*number);
            *min = if value < *min { value } else { *min };
            *max = if value > *max { value } else { *max };
        }
    };
    let (rows, rest) = numbers.as_chunks::<LANES>();
    rows.iter().for_each(|row| take(row));
    take(rest);
    let zero = N::default();
    let settled = |axis: usize, extreme: N| {
        let mut values = numbers[axis..]
            .iter()
            .step_by(AXES)
            .rev()
            .map(|n| value(*n));
        (extreme == zero)
            .then(|| values.find(|value| *value == zero))
            .flatten()
            .unwrap_or(extreme)
    };
    Some(from_fn(|axis| {
        let mut least = min[axis];
        let mut most = max[axis];
        for lane in (axis..LANES).step_by(AXES) {
            least = if min[lane] < least { min[lane] } else { least };
            most = if max[lane] > most { max[lane] } else { most };
        }
        (settled(axis, least), settled(axis, most))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract's own words: the first value and its rivals by `<=` and `>=`.
    fn dull(points: &[Vec3]) -> Option<Bounds> {
        let (first, rivals) = points.split_first()?;
        let mut bounds = Bounds {
            min: *first,
            max: *first,
        };
        for (axis, value) in rivals.iter().flat_map(|p| p.iter().copied().enumerate()) {
            if value <= bounds.min[axis] {
                bounds.min[axis] = value;
            }
            if value >= bounds.max[axis] {
                bounds.max[axis] = value;
            }
        }
        Some(bounds)
    }

    fn bits(bounds: Option<Bounds>) -> Option<[[u64; 3]; 2]> {
        bounds.map(|b| [b.min.map(f64::to_bits), b.max.map(f64::to_bits)])
    }

    #[test]
    fn zeros_and_lengths_come_out_as_the_contract_has_them() {
        let values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.0, 0.0, 2.0, 1e-60, -3.0];
        for seed in 0..400usize {
            let number = |at: usize| values[(at * at + seed / 7 * at + seed) % (2 + seed % 9)];
            let points: Vec<Vec3> = (0..seed % 37)
                .map(|p| from_fn(|a| number(3 * p + a)))
                .collect();
            let planes = from_fn(|axis| points.iter().map(|p| p[axis]).collect());
            let exact = Bounds::of_planes(planes.each_ref().map(Vec::as_slice), |v| v);
            assert_eq!(bits(exact), bits(dull(&points)), "{points:?}");
            let single = |v: f64| f64::from(v as f32);
            let singles: Vec<Vec3> = points.iter().map(|p| p.map(single)).collect();
            let rounded = Bounds::of_planes(planes.each_ref().map(Vec::as_slice), single);
            assert_eq!(bits(rounded), bits(dull(&singles)), "{singles:?}");
            let interleaved: Vec<f32> = singles.iter().flatten().map(|v| *v as f32).collect();
            let interleaved = Bounds::of_interleaved(&interleaved);
            assert_eq!(bits(interleaved), bits(dull(&singles)), "{singles:?}");
        }
    }
}
