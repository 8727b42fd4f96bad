//! How numbers are stored in a texture, and how a shader gets them back.

use rigy_base::diag::{Category, Code, Diagnostic};
use serde::{Deserialize, Serialize};

rigy_base::named! {
    /// The numbers of a texture.
    #[derive(Default, Hash, Deserialize, Serialize)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[serde(rename_all = "lowercase")]
    pub enum Packing {
        /// EXR with 32-bit floats: positions and normals bit for bit.
        #[default]
        Float = "float",
        /// EXR with 16-bit floats: positions as distances from those of the mesh, because half floats are densest near 0.
        Half = "half",
        /// PNG with 16-bit integers: positions as fractions of the bounds.
        Unorm16 = "unorm16",
    }
}

impl Packing {
    /// Returns true if texels of positions are distances from those of the mesh.
    pub fn is_relative(self) -> bool {
        self == Self::Half
    }

    /// Returns the ending of the files of its textures.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Float | Self::Half => "exr",
            Self::Unorm16 => "png",
        }
    }
}

/// The decoding of a texel by a shader: `offset + scale · texel`, component by component. Texels of integers are from 0 to 1. If texels
/// are distances from the positions of the mesh, these are added, too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Decoding {
    /// The number that is added.
    pub offset: [f32; 3],
    /// The factor of the texel.
    pub scale: [f32; 3],
}

impl Decoding {
    /// The texel itself.
    pub const PLAIN: Self = Self {
        offset: [0.0; 3],
        scale: [1.0; 3],
    };

    /// Numbers from −1 to 1 as fractions.
    const SIGNED: Self = Self {
        offset: [-1.0; 3],
        scale: [2.0; 3],
    };

    /// The decoding of positions within these bounds.
    ///
    /// # Errors
    /// If the bounds are too far apart for the packing (U15).
    pub(super) fn of_positions(
        packing: Packing,
        [least, greatest]: [[f32; 3]; 2],
    ) -> Result<Self, Diagnostic> {
        let per_axis = |of: fn(f64, f64) -> f64| -> [f32; 3] {
            std::array::from_fn(|axis| of(least[axis].into(), greatest[axis].into()) as f32)
        };
        let decoding = match packing {
            Packing::Float | Packing::Half => Self::PLAIN,
            Packing::Unorm16 => Self {
                offset: least,
                scale: per_axis(|least, greatest| greatest - least),
            },
        };
        let widest = per_axis(|least, greatest| greatest - least);
        let fits = match packing {
            Packing::Float => true,
            Packing::Half => widest
                .iter()
                .all(|width| nearest_half((*width).into()) <= LARGEST_HALF),
            Packing::Unorm16 => widest.iter().all(|width| width.is_finite()),
        };
        if fits {
            Ok(decoding)
        } else {
            let name = packing.name();
            let mut error = error(format!(
                "the bounds of all frames are too far apart for `{name}`"
            ));
            error.code = Some(Code::U15);
            Err(error.help("use the packing `float`"))
        }
    }

    /// The decoding of normals.
    pub(super) fn of_normals(packing: Packing) -> Self {
        match packing {
            Packing::Float | Packing::Half => Self::PLAIN,
            Packing::Unorm16 => Self::SIGNED,
        }
    }

    fn distances(&self, vector: [f32; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| f64::from(vector[axis]) - f64::from(self.offset[axis]))
    }

    /// The texel of a vector in integers: of each component the nearest fraction of 65,535; 0 where the scale is 0.
    pub(super) fn integer(&self, vector: [f32; 3]) -> [u16; 3] {
        let distances = self.distances(vector);
        std::array::from_fn(|axis| match f64::from(self.scale[axis]) {
            0.0 => 0,
            scale => ((distances[axis] / scale).clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16,
        })
    }
}

/// The bits of the largest half float.
const LARGEST_HALF: u32 = 0x7bff;

/// The texel of a vector as distances from another in the bits of half floats: of each component the nearest, ties to even.
pub fn half_distances(vector: [f32; 3], from: [f32; 3]) -> [u16; 3] {
    std::array::from_fn(|axis| {
        let distance = f64::from(vector[axis]) - f64::from(from[axis]);
        let sign = u16::from(distance.is_sign_negative()) << 15;
        sign | nearest_half(distance.abs()).min(LARGEST_HALF) as u16
    })
}

/// The bits of the half float that is nearest to a finite number which is not negative, of two the even one. It is rounded once, where the
/// way by way of f32 would round twice. Numbers from 65,520 on become larger bits than those of any half float.
fn nearest_half(value: f64) -> u32 {
    // Half floats have ten bits behind the first, and none below 2⁻²⁴.
    let exponent = ((value.to_bits() >> 52) as i32 - 1023).max(-14);
    let step = f64::from_bits(((exponent - 10 + 1023) as u64) << 52);
    // The first bit is not stored, but adds 1 to the stored exponent.
    (((exponent + 14) as u32) << 10) + (value / step).round_ties_even() as u32
}

/// An error without a code.
pub fn error(message: String) -> Diagnostic {
    Diagnostic::without_code(Category::ExportError, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_the_nearest_of_all() {
        let all: Vec<f64> = (0..0x7c00)
            .map(|bits: i32| match (bits >> 10, f64::from(bits & 0x3ff)) {
                (0, fraction) => fraction * 2f64.powi(-24),
                (exponent, fraction) => (1024.0 + fraction) * 2f64.powi(exponent - 25),
            })
            .collect();
        for (index, pair) in all.windows(2).enumerate() {
            let ([low, high], middle) = ([pair[0], pair[1]], (pair[0] + pair[1]) / 2.0);
            let next = |number: f64, by: i64| f64::from_bits((number.to_bits() as i64 + by) as u64);
            for (value, wanted) in [
                (low, index),
                (middle, index + index % 2),
                (next(middle, -1), index),
                (next(middle, 1), index + 1),
                (next(high, -1), index + 1),
            ] {
                assert_eq!(nearest_half(value), wanted as u32, "{value:e}");
            }
        }
        assert_eq!(nearest_half(65_519.9), LARGEST_HALF);
        assert!(nearest_half(65_520.0) > LARGEST_HALF);
        let signed = half_distances([-2.0, -0.0, 1e9], [1.0, 0.0, 0.0]);
        assert_eq!(signed, [0xc200, 0x8000, 0x7bff]);
    }

    #[test]
    fn integers_are_the_nearest_fractions_of_the_bounds() {
        let bounds = [[-1.0, 5.0, 0.0], [3.0, 5.0, 1e-30]];
        let decoding = Decoding::of_positions(Packing::Unorm16, bounds).unwrap();
        assert_eq!(decoding.integer(bounds[0]), [0, 0, 0]);
        assert_eq!(decoding.integer(bounds[1]), [65_535, 0, 65_535]);
        let step = 4.0 / 65_535.0;
        for (at, wanted) in [(1.49, 1), (1.51, 2), (32_768.4, 32_768)] {
            let x = (-1.0 + at * step) as f32;
            assert_eq!(decoding.integer([x, 5.0, 0.0])[0], wanted, "{at}");
        }
        let far = [[f32::MIN; 3], [f32::MAX; 3]];
        assert!(Decoding::of_positions(Packing::Unorm16, far).is_err());
        assert!(Decoding::of_positions(Packing::Float, far).is_ok());
        let wide = |most: f32| [[0.0; 3], [0.0, most, 0.0]];
        assert!(Decoding::of_positions(Packing::Half, wide(65_519.0)).is_ok());
        let error = Decoding::of_positions(Packing::Half, wide(65_520.0)).unwrap_err();
        assert_eq!(
            error.message,
            "the bounds of all frames are too far apart for `half`"
        );
        let normals = Decoding::of_normals(Packing::Unorm16);
        assert_eq!(normals.integer([-1.0, 0.0, 1.5]), [0, 32_768, 65_535]);
    }
}
