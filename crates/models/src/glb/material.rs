//! Materials in JSON.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::geometry::scene;

/// A material, with the defaults of glTF written out.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    pbr_metallic_roughness: MetallicRoughness,
    emissive_factor: [f64; 3],
    alpha_mode: &'static str,
    double_sided: bool,
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MetallicRoughness {
    base_color_factor: BaseColor,
    metallic_factor: f64,
    roughness_factor: f64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BaseColor {
    Plain([f64; 4]),
    /// Numbers with six decimals.
    Decimals(Box<RawValue>),
}

impl Material {
    /// Returns the JSON of a material (`numerics.md` §9, `extensions.md` §4).
    pub fn of(material: &scene::Material, double_sided: bool) -> Self {
        let (base_color_factor, metallic_factor, alpha) = match material {
            scene::Material::Symbolic(_) => (BaseColor::Plain([1.0; 4]), 1.0, 1.0),
            scene::Material::Colored { base_color, .. } => {
                let parts = base_color.map(|part| six_decimals(part as f32));
                (
                    BaseColor::Decimals(
                        RawValue::from_string(format!("[{}]", parts.join(",")))
                            .expect("decimals are JSON"),
                    ),
                    0.0,
                    base_color[3],
                )
            }
        };
        Self {
            pbr_metallic_roughness: MetallicRoughness {
                base_color_factor,
                metallic_factor,
                roughness_factor: 1.0,
            },
            emissive_factor: [0.0; 3],
            alpha_mode: if alpha as f32 == 1.0 {
                "OPAQUE"
            } else {
                "BLEND"
            },
            double_sided,
            name: material.name().to_owned(),
        }
    }
}

/// A number from 0 to 1 with six decimals, ties to even, with a sign if it is −0.
fn six_decimals(value: f32) -> String {
    // The value is mantissa · 2⁻ˢʰⁱᶠᵗ, and the product with 10⁶ has at most 44 bits.
    let bits = value.to_bits();
    let exponent = (bits >> 23) & 0xff;
    let fraction = u64::from(bits & 0x7f_ffff);
    let (mantissa, shift) = match exponent {
        0 => (fraction, 149),
        exponent => (fraction | 1 << 23, 150 - exponent),
    };
    let product = mantissa * 1_000_000;
    let micros = if shift > 63 {
        0
    } else {
        let whole = product >> shift;
        let rest = product & ((1 << shift) - 1);
        let half = (1u64 << shift) >> 1;
        whole + u64::from(rest > half || (rest == half && half > 0 && whole % 2 == 1))
    };
    let sign = if value.is_sign_negative() { "-" } else { "" };
    format!("{sign}{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_six_decimals_of_their_single_precision() {
        for (value, expected) in [
            (0.0, "0.000000"),
            (-0.0, "-0.000000"),
            (1.0, "1.000000"),
            (0.8, "0.800000"),
            (0.666_666_6, "0.666667"),
            (0.000_000_5, "0.000000"),
            (0.000_000_6, "0.000001"),
            // Ties of seven decimals: 2⁻⁷ and 3·2⁻⁷.
            (0.007_812_5, "0.007812"),
            (0.023_437_5, "0.023438"),
            (1e-40, "0.000000"),
            (0.999_999_9, "1.000000"),
        ] {
            assert_eq!(six_decimals(value), expected, "{value}");
        }
    }
}
