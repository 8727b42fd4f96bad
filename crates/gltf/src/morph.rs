//! Sums of the elements of morph targets, times their weights.
//!
//! Most targets of an avatar move few vertices and are stored for all of them. What is zero for a run of vertices is found once
//! for a file, and not read again.

use super::accessor::{Accessor, wide_floats};

/// Rows to which all morph targets are added before the next ones: few enough for the first-level cache.
pub const RUN: usize = 1024;

/// An attribute of a morph target: its elements, the runs in which they are zero, and the target's weight.
pub struct Target<'a> {
    pub accessor: Accessor<'a>,
    pub zeros: &'a ZeroRuns,
    pub weight: f64,
}

/// Rows to which elements of morph targets are added.
pub struct Sums<'r, const N: usize> {
    rows: &'r mut [[f64; N]],
    /// The element that is added to the first row.
    first: usize,
    /// True if +0.0 has been added to all, so that no sum is or becomes −0.0.
    are_cleared: bool,
}

impl<'r, const N: usize> Sums<'r, N> {
    pub fn new(rows: &'r mut [[f64; N]], first: usize) -> Self {
        Self {
            rows,
            first,
            are_cleared: false,
        }
    }

    /// Adds the elements of a target, each times its weight.
    pub fn add(&mut self, target: &Target) {
        let Target {
            accessor, weight, ..
        } = target;
        match (&accessor.base, &accessor.sparse) {
            _ if weight.is_finite() && target.zeros.have(self.first, self.rows) => {
                self.add_zeros(*weight);
            }
            (Some(base), None) if accessor.has_floats::<N>() && base.stride == 4 * N => {
                let (floats, _) = base.bytes[self.first * base.stride..].as_chunks();
                for (number, bytes) in self.rows.as_flattened_mut().iter_mut().zip(floats) {
                    *number += weight * f64::from(f32::from_le_bytes(*bytes));
                }
            }
            (None, sparse) if weight.is_finite() => {
                self.add_zeros(*weight);
                let size = accessor.element.size(accessor.component);
                let Some(sparse) = sparse else { return };
                let has_floats = accessor.has_floats::<N>();
                for at in sparse.first_from(self.first)..sparse.count {
                    let Some(row) = self.rows.get_mut(sparse.index(at) - self.first) else {
                        break;
                    };
                    let bytes = &sparse.values[at * size..(at + 1) * size];
                    let element = if has_floats {
                        wide_floats(bytes)
                    } else {
                        accessor.decoded(bytes)
                    };
                    add(row, *weight, element);
                }
            }
            _ => {
                let mut elements = vec![[0.0; N]; self.rows.len()];
                accessor.copy(self.first, &mut elements);
                self.rows
                    .iter_mut()
                    .zip(elements)
                    .for_each(|(row, element)| add(row, *weight, element));
            }
        }
    }

    /// Adds zero times a finite weight to all rows, which changes only a sum of −0.0, and only if the zero is positive.
    fn add_zeros(&mut self, weight: f64) {
        if !self.are_cleared && weight.is_sign_positive() {
            self.rows
                .as_flattened_mut()
                .iter_mut()
                .for_each(|number| *number += 0.0);
            self.are_cleared = true;
        }
    }
}

fn add<const N: usize>(row: &mut [f64; N], weight: f64, element: [f64; N]) {
    for (number, element) in row.iter_mut().zip(element) {
        *number += weight * element;
    }
}

/// For each run of [`RUN`] elements of an accessor without sparse values: true if all their bytes in the buffer view are zero.
pub struct ZeroRuns(Box<[bool]>);

impl ZeroRuns {
    /// Reads the elements of an accessor.
    pub fn of(accessor: &Accessor) -> Self {
        let base = accessor.base.as_ref().filter(|_| accessor.sparse.is_none());
        let runs = base.map(|base| base.bytes.chunks(RUN * base.stride).map(are_zero));
        Self(runs.into_iter().flatten().collect())
    }

    /// Returns true if the elements of all rows are in such runs; the first row has element `first`.
    fn have<T>(&self, first: usize, rows: &[T]) -> bool {
        let runs = self.0.get(first / RUN..(first + rows.len()).div_ceil(RUN));
        runs.is_some_and(|runs| runs.iter().all(|is_zero| *is_zero))
    }
}

fn are_zero(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks();
    words.iter().all(|word| u64::from_le_bytes(*word) == 0) && rest.iter().all(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::super::accessor::{Base, Sparse};
    use super::super::element_type::{ComponentType, ElementType};
    use super::*;

    const COUNT: usize = 2 * RUN + 100;

    fn target(bytes: &[u8], component: ComponentType, stride: usize) -> Accessor<'_> {
        Accessor {
            count: COUNT,
            component,
            element: ElementType::Vec3,
            normalized: true,
            base: (!bytes.is_empty()).then_some(Base { bytes, stride }),
            sparse: None,
        }
    }

    #[test]
    fn sums_have_the_bits_of_sums_without_shortcuts() {
        let number = |at: usize| (at as f32 * 0.37).sin();
        let floats = |number: &dyn Fn(usize) -> f32| -> Vec<u8> {
            let numbers = (0..3 * COUNT).map(number);
            numbers.flat_map(f32::to_le_bytes).collect()
        };
        let part = floats(&|at| if at / 3 / RUN == 1 { number(at) } else { 0.0 });
        let whole = floats(&number);
        let (zeros, minus) = (vec![0; 12 * COUNT], floats(&|_| -0.0));
        let shorts: Vec<u8> = (0..8 * COUNT).map(|at| (at / 8 / RUN) as u8).collect();
        let indices = [0, 5, 1023, 1024, 2147].map(u16::to_le_bytes).concat();
        let mut sparse = target(&[], ComponentType::F32, 12);
        sparse.sparse = Some(Sparse {
            count: 5,
            index_type: ComponentType::U16,
            indices: &indices,
            values: &whole[..60],
        });
        let none = target(&[], ComponentType::F32, 12);
        let accessors = [
            target(&part, ComponentType::F32, 12),
            target(&zeros, ComponentType::F32, 12),
            target(&minus, ComponentType::F32, 12),
            target(&whole, ComponentType::F32, 12),
            target(&shorts, ComponentType::I16, 8),
            sparse,
            none,
        ];
        let runs = accessors.each_ref().map(ZeroRuns::of);
        assert_eq!(*runs[0].0, [true, false, true]);
        assert_eq!(*runs[2].0, [false; 3]);
        for (weights, first) in [
            ([0.5, -1.0, 1.0, -0.25, 0.3, 0.7, 2.0], 0),
            ([-1.0, 1.0, -1.0, 1e-300, -0.5, -3.0, -2.0], 700),
            ([1.0, f64::INFINITY, 1.0, 1.0, 1.0, 1.0, f64::NAN], 1024),
            ([-1.0; 7], 2100),
            ([-1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0], 0),
            ([-1.0, -1.0, 1.0, 0.0, 0.0, 0.0, -1.0], 0),
        ] {
            for base in [-0.0, 0.0, 0.1] {
                let mut rows = vec![[base; 3]; (COUNT - first).min(RUN)];
                let mut expected = rows.clone();
                let mut sums = Sums::new(&mut rows, first);
                for ((accessor, zeros), weight) in accessors.into_iter().zip(&runs).zip(weights) {
                    if weight == 0.0 {
                        continue;
                    }
                    sums.add(&Target {
                        accessor,
                        zeros,
                        weight,
                    });
                    for (at, row) in expected.iter_mut().enumerate() {
                        add(row, weight, accessor.reals(first + at));
                    }
                }
                let bits = |rows: &[[f64; 3]]| -> Vec<u64> {
                    let numbers = rows.as_flattened().iter();
                    numbers
                        .map(|n| if n.is_nan() { 0 } else { n.to_bits() })
                        .collect()
                };
                assert_eq!(bits(&rows), bits(&expected), "{base} {weights:?}");
            }
        }
    }
}
