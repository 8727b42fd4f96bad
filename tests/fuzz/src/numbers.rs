//! Numbers, joints and weights drawn from bytes: a change by libFuzzer in one place changes one of them.

/// Numbers at which rounding, underflow, overflow and signs of zero show.
const EDGES: [f64; 32] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    3.0,
    0.1,
    std::f64::consts::FRAC_1_SQRT_2,
    -std::f64::consts::FRAC_1_SQRT_2,
    5e-324,
    -5e-324,
    1e-310,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    1e-300,
    1e-162,
    -1e-45,
    1e-45,
    7e-46,
    1e-38,
    1e-12,
    1e6,
    16_777_217.0,
    3.4028234663852886e38,
    3.4028235677973366e38,
    -1e39,
    1e154,
    -1e200,
    1e308,
    f64::MAX,
];

/// Bytes that are read round and round; each time they are others.
pub struct Numbers<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Numbers<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn byte(&mut self) -> u8 {
        let Some(round) = self.at.checked_div(self.bytes.len()) else {
            return 0;
        };
        let byte = self.bytes[self.at % self.bytes.len()];
        self.at += 1;
        byte ^ (round as u8).wrapping_mul(0x9d)
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(u16::from_le_bytes(self.bytes())) % count
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Any number: plain, at an edge, or of any bits, which may be infinite or NaN.
    pub fn number(&mut self) -> f64 {
        match self.byte() {
            0..=95 => f64::from(i16::from_le_bytes(self.bytes())) / 1024.0,
            96..=199 => self.pick(&EDGES),
            200..=227 => f32::from_le_bytes(self.bytes()).into(),
            _ => f64::from_le_bytes(self.bytes()),
        }
    }

    pub fn vector<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    /// A rotation: turns of both signs that documents have, any of unit length, or any four numbers.
    pub fn rotation(&mut self) -> [f64; 4] {
        let s = std::f64::consts::FRAC_1_SQRT_2;
        match self.byte() {
            0..=127 => self.pick(&[
                [1.0, 0.0, 0.0, 0.0],
                [-1.0, 0.0, 0.0, 0.0],
                [1.0, -0.0, -0.0, -0.0],
                [s, s, 0.0, 0.0],
                [-s, -s, 0.0, 0.0],
                [s, 0.0, -s, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, -1.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, -1.0],
                [0.5, 0.5, -0.5, 0.5],
                [-0.5, -0.5, 0.5, -0.5],
                [1.0, 5e-324, 0.0, -1e-300],
                [0.0, 0.0, 0.0, 0.0],
            ]),
            128..=207 => {
                let q = self.vector::<4>();
                let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
                match norm.is_normal() {
                    true => q.map(|c| c / norm),
                    false => q,
                }
            }
            _ => self.vector(),
        }
    }

    /// A weight: none in several spellings, a plain one, or any number.
    pub fn weight(&mut self) -> f64 {
        match self.byte() {
            0..=95 => 0.0,
            96..=111 => -0.0,
            112..=223 => f64::from(self.byte()) / 255.0,
            224..=239 => self.pick(&[1.0, 1e-300, 5e-324, -0.5, 1e300]),
            _ => self.number(),
        }
    }
}
