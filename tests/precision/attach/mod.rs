//! attach3 (`language.md` §4.4): against the same mathematics in 192 bits, and on cases that doubles hold exactly.
//!
//! Allowed errors of doubles. The differences of the given points are rounded once, so that offsets do not harm
//! the axes. The direction of p3 off the line p1p2 is known the worse the smaller the height H of the triangle is
//! beside |p3 − p1|: y, z and H are wrong by some roundings times τ = |p3 − p1| / H, x and the length by some
//! roundings. So the linear part may miss by some roundings of `sx + sy·(τ + τ')`, and the translation by as many
//! of that times |f1|, and of |t1|, which both go into it. The number of roundings is [`ROUNDINGS`]; for
//! well-conditioned frames ([`WELL`]) it comes to less than 1e-12 of the sizes themselves, which is tested too.

mod aligned;
mod formulas;

use rigy_batch::kernel::math::{Affine, Frame, Vec3};

const ROUNDINGS: f64 = 8.0 * (f64::EPSILON / 2.0);

/// Largest τ + τ' of frames that are called well-conditioned.
const WELL: f64 = 200.0;

/// Allowed of the sizes themselves if frames are well-conditioned.
const PLAIN: f64 = 1e-12;

type Points = [Vec3; 3];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Rigid,
    Uniform,
    Affine,
}

const MODES: [Mode; 3] = [Mode::Rigid, Mode::Uniform, Mode::Affine];

fn attach(mode: Mode, from: Points, to: Points) -> Affine {
    let (from, to) = (Frame::new(from).unwrap(), Frame::new(to).unwrap());
    match mode {
        Mode::Rigid => from.rigid(&to),
        Mode::Uniform => from.uniform(&to).unwrap(),
        Mode::Affine => from.affine(&to),
    }
}

type Bits = [[u64; 4]; 3];

fn bits(m: Affine) -> Bits {
    m.map(|row| row.map(f64::to_bits))
}

fn three<T>(element: impl FnMut(usize) -> T) -> [T; 3] {
    std::array::from_fn(element)
}

fn image(m: &Affine, p: Vec3) -> Vec3 {
    m.map(|[a, b, c, d]| ((a * p[0] + b * p[1]) + c * p[2]) + d)
}
