//! Three points that make a frame: never near a line, never so far apart in size that scales vanish.

use super::model::Vec3;
use super::random::{Draw, Random};
use super::values;

pub type Triple = [Vec3; 3];

/// The legs stay between these, so that any two frames have scales within 1e8 of one.
const SHORTEST: f64 = 1e-3;
const FARTHEST: f64 = 2e4;

/// True with a wide margin to what a frame must be at least.
pub fn is_sound(points: &Triple) -> bool {
    let [origin, second, third] = points;
    let near = points
        .as_flattened()
        .iter()
        .all(|coordinate| coordinate.abs() <= FARTHEST);
    let (d, t) = (minus(second, origin), minus(third, origin));
    let long = length(&d);
    near && long >= SHORTEST && length(&cross(&d, &t)) / long >= SHORTEST
}

pub fn draw(random: &mut Random) -> Triple {
    loop {
        let points = candidate(random);
        if is_sound(&points) {
            return points;
        }
    }
}

fn candidate(random: &mut Random) -> Triple {
    let origin = match random.below(5) {
        0 => [0.0; 3],
        1 => [-0.0, 0.0, -0.0],
        _ => values::vector(random, values::coordinate),
    };
    match random.below(6) {
        0..3 => aligned(random, origin, 1.0),
        3 => aligned(random, origin, 0.01),
        _ => [
            origin,
            values::vector(random, values::coordinate),
            values::vector(random, values::coordinate),
        ],
    }
}

/// Legs along two axes, either way.
fn aligned(random: &mut Random, origin: Vec3, unit: f64) -> Triple {
    let mut axes = [0, 1, 2];
    random.shuffle(&mut axes);
    let mut leg = |axis: usize| {
        let mut end = origin;
        let long = unit * *random.pick(&[1.0, 1.0, 2.0, 0.5, 3.0, 0.1]);
        end[axis] += if random.chance(40) { -long } else { long };
        end
    };
    [origin, leg(axes[0]), leg(axes[1])]
}

/// A frame that has to do with another one: the same, moved by whole steps, or of another size.
pub fn related(random: &mut Random, points: &Triple) -> Triple {
    let factor = *random.pick(&[1.0, 1.0, 2.0, 0.5, 3.0]);
    let step = *random.pick(&[0.0, 0.0, 1.0, -2.0]);
    points.map(|point| point.map(|coordinate| coordinate * factor + step))
}

fn minus(a: &Vec3, b: &Vec3) -> Vec3 {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn length(a: &Vec3) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

fn cross(a: &Vec3, b: &Vec3) -> Vec3 {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        a[next] * b[last] - a[last] * b[next]
    })
}
