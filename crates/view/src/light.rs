//! The light in which models are shown: one set of constants for pictures and for the viewer's page.
//!
//! The constants lie in `light.json`, which the page's script reads, too. Lamps and surroundings move with the camera. A
//! surface reflects the surroundings, a sky above and a ground below, and one lamp by the metallic-roughness model of glTF
//! (Lambert, GGX, Schlick); the sum goes through the neutral tone curve of Khronos. There are no transcendental functions
//! here, so that every machine computes the same colours.

use std::sync::LazyLock;

use rigy_kernel::math::{Vec3, dot, length, plus};
use serde::Deserialize;

/// The constants of `light.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Light {
    sky: f64,
    ground: f64,
    /// The share of the sphere over which sky and ground mix, for smooth surfaces and for rough ones.
    horizon: [f64; 2],
    key: Lamp,
    least_roughness: f64,
    tone: Tone,
    pub clay: Clay,
    /// The colours of distances from 0 to the greatest one, at equal steps, in sRGB from 0 to 255.
    pub heat: Vec<[f64; 3]>,
    pub shadow: Shadow,
    pub camera: Camera,
}

/// The lamp.
#[derive(Deserialize)]
struct Lamp {
    direction: Vec3,
    strength: f64,
}

/// The tone curve.
#[derive(Deserialize)]
struct Tone {
    /// The greatest light that stays as it is.
    start: f64,
    desaturation: f64,
}

/// The look of surfaces without a material.
#[derive(Deserialize)]
pub struct Clay {
    /// Linear colour.
    pub color: [f64; 3],
    pub roughness: f64,
}

/// The shadow on the ground.
#[derive(Deserialize)]
pub struct Shadow {
    /// Cells along each side of the ground.
    pub cells: usize,
    /// Half the side of the ground, in halves of the model's longer side.
    pub reach: f64,
    /// Greatest height of what casts a shadow, as a part of the model's extent.
    pub height: f64,
    /// Opacity of the darkest shadow.
    pub opacity: f64,
    /// Its colour in sRGB.
    pub color: [u8; 3],
}

/// The default camera, in degrees.
#[derive(Deserialize)]
pub struct Camera {
    /// From +Z towards +X.
    pub azimuth: f64,
    pub elevation: Elevation,
    pub fov: f64,
}

/// Elevations for models of two shapes; those between them get one between.
#[derive(Deserialize)]
pub struct Elevation {
    pub flat: f64,
    /// For models that are at least as tall as they are broad.
    pub tall: f64,
}

pub static LIGHT: LazyLock<Light> = LazyLock::new(|| {
    serde_json::from_str(include_str!("light.json")).expect("the file is part of the program")
});

/// What a surface is at one place.
#[derive(Debug)]
pub struct LitPoint {
    /// Linear base colour.
    pub base: [f64; 3],
    pub metallic: f64,
    pub roughness: f64,
    pub emissive: [f64; 3],
    /// The share of the light of the surroundings that arrives.
    pub occlusion: f64,
    /// Unit normal in the space of the camera: x to the right, y up, z towards the viewer.
    pub normal: Vec3,
    /// Unit vector to the eye.
    pub to_eye: Vec3,
}

/// The share of light that a surface that is no metal mirrors, seen from the front.
const LEAST: f64 = 0.04;

impl Light {
    /// Returns the light of the surroundings on a surface that is white and rough.
    fn ambient(&self, normal: Vec3) -> f64 {
        mix(self.ground, self.sky, 0.5 + 0.5 * normal[1])
    }

    /// Returns the light on a white rough surface from the surroundings and the lamp.
    pub fn diffuse(&self, normal: Vec3) -> f64 {
        self.ambient(normal) + self.key.strength * dot(self.key.direction, normal).max(0.0)
    }

    /// Returns the light from a direction of the given height, blurred as a surface of some roughness mirrors it.
    fn mirrored(&self, height: f64, roughness: f64) -> f64 {
        let width = mix(self.horizon[0], self.horizon[1], roughness);
        let part = (0.5 + 0.5 * height / width).clamp(0.0, 1.0);
        mix(self.ground, self.sky, part * part * (3.0 - 2.0 * part)) * 1.25
    }

    /// Returns the linear colour of a place as it is shown, from 0 to 1.
    pub fn shaded(&self, place: &LitPoint) -> [f64; 3] {
        let LitPoint { normal, to_eye, .. } = *place;
        let roughness = place.roughness.max(self.least_roughness);
        let facing = dot(normal, to_eye).max(1e-4);
        let grazing = fifth(1.0 - facing);
        let mirror_height = 2.0 * dot(normal, to_eye) * normal[1] - to_eye[1];
        let ambient = self.ambient(normal) * place.occlusion;
        let mirrored = self.mirrored(mirror_height, roughness) * place.occlusion;
        let lit = dot(normal, self.key.direction).max(0.0);
        let (gloss, lamp_grazing) = self.gloss(roughness * roughness, place, facing, lit);
        // Light that the clear surface of a non-metal reflects is lost to its base colour.
        let rest = 1.0 - mix(LEAST, (1.0 - roughness).max(LEAST), grazing);
        let lamp_rest = 1.0 - mix(LEAST, 1.0, lamp_grazing);
        let color = std::array::from_fn(|k| {
            let base = place.base[k];
            let least = mix(LEAST, base, place.metallic);
            let diffuse = base * (1.0 - place.metallic);
            let most = (1.0 - roughness).max(least);
            let lamp = diffuse * lamp_rest + gloss * (least + (1.0 - least) * lamp_grazing);
            diffuse * rest * ambient
                + (least + (most - least) * grazing) * mirrored
                + lamp * (lit * self.key.strength)
                + place.emissive[k]
        });
        self.toned(color)
    }

    /// Returns the lamp's reflection without its Fresnel factor, times π, and the fifth power in that factor. `width` is
    /// that of the GGX distribution.
    fn gloss(&self, width: f64, place: &LitPoint, facing: f64, lit: f64) -> (f64, f64) {
        let sum = plus(self.key.direction, place.to_eye);
        let length = length(sum);
        if lit <= 0.0 || length <= 0.0 {
            return (0.0, 0.0);
        }
        let half = sum.map(|number| number * (1.0 / length));
        let square = width * width;
        let cosine = dot(place.normal, half).clamp(0.0, 1.0);
        let spread = cosine * cosine * (square - 1.0) + 1.0;
        let hidden = |to: f64, from: f64| to * (from * from * (1.0 - square) + square).sqrt();
        let seen = hidden(lit, facing) + hidden(facing, lit);
        let gloss = 0.5 * square / (spread * spread * seen);
        (gloss, fifth(1.0 - dot(place.to_eye, half).clamp(0.0, 1.0)))
    }

    /// The neutral tone curve of Khronos.
    fn toned(&self, color: [f64; 3]) -> [f64; 3] {
        let [red, green, blue] = color;
        let least = red.min(green).min(blue);
        let offset = if least < 0.08 {
            least - 6.25 * least * least
        } else {
            0.04
        };
        let color = color.map(|component| component - offset);
        let peak = color[0].max(color[1]).max(color[2]);
        let Tone {
            start,
            desaturation,
        } = self.tone;
        if peak < start {
            return color;
        }
        let rest = 1.0 - start;
        let new_peak = 1.0 - rest * rest / (peak + rest - start);
        let grey = 1.0 - 1.0 / (desaturation * (peak - new_peak) + 1.0);
        color.map(|component| mix(component * new_peak / peak, new_peak, grey))
    }
}

pub fn mix(from: f64, to: f64, part: f64) -> f64 {
    from + (to - from) * part
}

fn fifth(number: f64) -> f64 {
    let square = number * number;
    square * square * number
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: LitPoint = LitPoint {
        base: [1.0; 3],
        metallic: 0.0,
        roughness: 1.0,
        emissive: [0.0; 3],
        occlusion: 1.0,
        normal: [0.0, 0.0, 1.0],
        to_eye: [0.0, 0.0, 1.0],
    };

    #[test]
    fn the_lamp_has_a_direction_of_unit_length() {
        let direction = LIGHT.key.direction;
        assert!((dot(direction, direction) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn colours_stay_between_0_and_1_and_black_is_nearly_black() {
        for normal in [
            [0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0],
            [0.0, -0.6, 0.8],
            LIGHT.key.direction,
        ] {
            for (metallic, roughness) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
                for base in [[0.0; 3], [1.0; 3], [1.0, 0.2, 0.0]] {
                    let emissive = [0.0, 0.0, 40.0];
                    for emissive in [[0.0; 3], emissive] {
                        let place = LitPoint {
                            base,
                            metallic,
                            roughness,
                            emissive,
                            normal,
                            ..WHITE
                        };
                        let color = LIGHT.shaded(&place);
                        assert!(
                            color.iter().all(|c| (0.0..=1.0).contains(c)),
                            "{place:?} {color:?}"
                        );
                    }
                }
            }
        }
        let black = LitPoint {
            base: [0.0; 3],
            ..WHITE
        };
        assert!(LIGHT.shaded(&black)[0] < 0.05);
    }

    #[test]
    fn surfaces_that_face_the_lamp_are_brighter_and_metals_keep_their_colour() {
        let at = |normal| {
            LIGHT.shaded(&LitPoint {
                base: [0.5; 3],
                normal,
                ..WHITE
            })[0]
        };
        assert!(at(LIGHT.key.direction) > at([0.0, 0.0, 1.0]));
        assert!(at([0.0, 0.0, 1.0]) > at([0.6, -0.6, 0.5]));
        let [red, green, blue] = LIGHT.shaded(&LitPoint {
            base: [1.0, 0.5, 0.1],
            metallic: 1.0,
            roughness: 0.4,
            ..WHITE
        });
        assert!(
            red > 1.5 * green && green > 1.5 * blue,
            "{red} {green} {blue}"
        );
    }
}
