//! The operations that kernels are made of, each by itself: any lane of any width must give what one lane gives.

use rigy_batch::kernel::simd::{F64Lanes, Isa, Kernel, Row, Rows, dispatch};

use crate::numbers::Numbers;

/// Numbers of one operand: as many as the widest vector has lanes.
type Eight = [f64; 8];

/// Operands of the operations.
struct Operands {
    a: Eight,
    b: Eight,
    c: Eight,
    single: [f32; 8],
    rows: [Eight; 8],
    offsets: [u8; 8],
}

/// Draws operands, and asserts that every instruction set makes the same of them.
pub fn agree(numbers: &mut Numbers<'_>) {
    let operands = Operands {
        a: numbers.vector(),
        b: numbers.vector(),
        c: numbers.vector(),
        single: numbers.vector().map(|number| number as f32),
        rows: std::array::from_fn(|_| numbers.vector()),
        offsets: std::array::from_fn(|_| numbers.below(256) as u8),
    };
    let on = |isa: Isa| {
        let (mut results, mut singles) = (Vec::new(), Vec::new());
        let all = All {
            operands: &operands,
            results: &mut results,
            singles: &mut singles,
        };
        dispatch(isa, all);
        (
            results.concat().into_iter().map(bits).collect::<Vec<_>>(),
            singles,
        )
    };
    let mut of_sets = Isa::available().into_iter().map(|isa| (isa, on(isa)));
    let (_, expected) = of_sets.next().expect("scalar is everywhere");
    of_sets.for_each(|(isa, other)| assert!(other == expected, "an operation of {isa} differs"));
}

/// Returns the bits of a number; all NaNs have the same.
fn bits(number: f64) -> u64 {
    if number.is_nan() {
        u64::MAX
    } else {
        number.to_bits()
    }
}

/// Every operation once, its results lane by lane.
struct All<'a> {
    operands: &'a Operands,
    results: &'a mut Vec<Eight>,
    singles: &'a mut Vec<u32>,
}

impl Kernel for All<'_> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let Operands {
            a,
            b,
            c,
            single,
            rows,
            offsets,
        } = self.operands;
        let mut results = [[0.0; 8]; 18];
        let mut singles = [0.0; 24];
        for first in (0..8).step_by(V::LANES) {
            let [a, b, c] = [a, b, c].map(|numbers| V::load(token, &numbers[first..]));
            let given = Given { token, rows, first };
            let columns = V::columns(&given);
            let lanes = [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a * b + c,
                a.sqrt(),
                a.if_greater(b, b, c),
                V::load_single(token, &single[first..]),
                V::pick(token, &rows[0], &offsets[first..]),
            ];
            for (result, lanes) in results.iter_mut().zip(lanes.into_iter().chain(columns)) {
                lanes.store(&mut result[first..]);
            }
            V::store_interleaved([a, b, c], &mut singles[3 * first..]);
        }
        self.results.extend(results);
        let bits = singles.iter().map(|number: &f32| {
            if number.is_nan() {
                u32::MAX
            } else {
                number.to_bits()
            }
        });
        self.singles.extend(bits);
    }
}

/// Applies an operation to each row; the rows become lanes.
struct Given<'a, T> {
    token: T,
    rows: &'a [Eight; 8],
    /// The row in lane 0.
    first: usize,
}

impl<R: Row> Rows<R> for Given<'_, R::Token> {
    #[inline(always)]
    fn row(&self, lane: usize) -> R {
        let row = &self.rows[self.first + lane];
        let factor = R::splat(self.token, row[7]);
        R::load(self.token, row) * factor + R::pair(self.token, row[0], row[1])
    }
}
