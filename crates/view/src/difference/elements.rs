//! Differences of single numbers and of accessors.

use rigy_gltf::Accessor;

/// Returns the number of steps between two numbers on the line of all f32, on which the two zeros are one point.
pub(super) fn f32_steps(a: f32, b: f32) -> u32 {
    let point = |number: f32| {
        let bits = i64::from(number.to_bits() & 0x7fff_ffff);
        if number.is_sign_negative() {
            -bits
        } else {
            bits
        }
    };
    // The largest distance is that between two NaN, which is less than 2³².
    (point(a) - point(b)).unsigned_abs() as u32
}

/// Returns the distance of two numbers; infinite if only one of them is a number.
pub(super) fn apart(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let distance = (b - a).abs();
    if distance.is_nan() {
        f64::INFINITY
    } else {
        distance
    }
}

/// Returns the largest difference of two accessors' components, and the first element with it; `None` if they differ in the number
/// of elements or of components.
pub(super) fn largest(a: &Accessor<'_>, b: &Accessor<'_>) -> Option<(f64, usize)> {
    if a.count() != b.count() || a.element_type() != b.element_type() {
        return None;
    }
    let mut largest = (0.0, 0);
    for element in 0..a.count() {
        for component in 0..a.component_count() {
            let distance = apart(a.real(element, component), b.real(element, component));
            if distance > largest.0 {
                largest = (distance, element);
            }
        }
    }
    Some(largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_through_zero_and_to_the_ends() {
        assert_eq!(f32_steps(1.0, 1.0 + f32::EPSILON), 1);
        assert_eq!(f32_steps(-0.0, 0.0), 0);
        let smallest = f32::from_bits(1);
        assert_eq!(f32_steps(-smallest, smallest), 2);
        assert_eq!(f32_steps(f32::MIN, f32::MAX), 2 * 0x7f7f_ffff);
        let nan = f32::from_bits(0x7fff_ffff);
        assert_eq!(f32_steps(nan, -nan), 0xffff_fffe);
    }

    #[test]
    fn what_is_no_number_is_infinitely_far_from_numbers() {
        assert_eq!(apart(f64::NAN, f64::NAN), 0.0);
        assert_eq!(apart(f64::NAN, 1.0), f64::INFINITY);
        assert_eq!(apart(f64::INFINITY, f64::INFINITY), 0.0);
        assert_eq!(apart(1.0, -1.0), 2.0);
    }
}
