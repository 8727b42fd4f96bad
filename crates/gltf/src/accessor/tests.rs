//! Tests of accessors: elements made by hand, and all methods of reading compared with the simplest one.

use super::*;

fn accessor<'a>(
    component: ComponentType,
    element: ElementType,
    count: usize,
    bytes: &'a [u8],
    stride: usize,
) -> Accessor<'a> {
    Accessor {
        count,
        component,
        element,
        normalized: true,
        base: Some(Base { bytes, stride }),
        sparse: None,
    }
}

#[test]
fn integers_become_reals() {
    let bytes = [0x80, 0x81, 0x7f, 0xff];
    let all = |component| {
        let size = ComponentType::size(component);
        accessor(component, ElementType::Scalar, 4 / size, &bytes, size)
            .iter::<1>()
            .flatten()
            .collect::<Vec<f64>>()
    };
    assert_eq!(all(ComponentType::I8), [-1.0, -1.0, 1.0, -1.0 / 127.0]);
    assert_eq!(
        all(ComponentType::U8),
        [128.0 / 255.0, 129.0 / 255.0, 127.0 / 255.0, 1.0]
    );
    assert_eq!(
        all(ComponentType::I16),
        [f64::from(-32384) / 32767.0, -129.0 / 32767.0]
    );
    assert_eq!(
        all(ComponentType::U16),
        [f64::from(0x8180) / 65535.0, f64::from(0xff7f) / 65535.0]
    );
}

#[test]
fn columns_of_small_matrices_are_padded() {
    // MAT3 of u8: columns of 3 bytes, 4 apart.
    let bytes = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0];
    let matrix = accessor(ComponentType::U8, ElementType::Mat3, 1, &bytes, 12);
    let components: Vec<_> = (0..9).map(|c| matrix.integer(0, c).unwrap()).collect();
    assert_eq!(components, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (component, kind, size) in [
        (ComponentType::U8, ElementType::Mat2, 8),
        (ComponentType::I16, ElementType::Mat3, 24),
        (ComponentType::U16, ElementType::Mat2, 8),
        (ComponentType::F32, ElementType::Mat4, 64),
        (ComponentType::U8, ElementType::Vec3, 3),
    ] {
        assert_eq!(kind.size(component), size, "{kind:?} {component:?}");
    }
}

#[test]
fn strides_and_replacements_are_followed() {
    let floats = [1.0f32, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0, 9.0, 7.0, 8.0, 9.0];
    let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    let values: Vec<u8> = [-1.0f32, -2.0, f32::NAN]
        .iter()
        .flat_map(|f| f.to_le_bytes())
        .collect();
    let base = Base {
        bytes: &bytes,
        stride: 16,
    };
    let sparse = Sparse {
        count: 1,
        index_type: ComponentType::U16,
        indices: &[1, 0],
        values: &values,
    };
    let of = |base, sparse| Accessor {
        count: 3,
        component: ComponentType::F32,
        element: ElementType::Vec3,
        normalized: false,
        base,
        sparse,
    };
    let plain = of(Some(base), None);
    assert_eq!(
        plain.iter::<3>().collect::<Vec<_>>(),
        [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]
    );
    let both = of(Some(base), Some(sparse));
    let zeros = of(None, Some(sparse));
    assert_eq!(zeros.reals::<2>(1), [-1.0, -2.0]);
    for accessor in [plain, both, zeros] {
        for first in 0..3 {
            let mut out = vec![[0.5; 3]; 3 - first];
            accessor.copy(first, &mut out);
            let mut singles = vec![[0.5; 3]; 3 - first];
            assert!(accessor.copy_f32(first, &mut singles));
            for (at, out) in out.iter().enumerate() {
                let expected = accessor.reals::<3>(first + at).map(f64::to_bits);
                assert_eq!(out.map(f64::to_bits), expected);
                assert_eq!(singles[at].map(|f| f64::from(f).to_bits()), expected);
            }
        }
    }
    assert!(!plain.copy_f32::<4>(0, &mut [[0.0; 4]; 1]));
}
