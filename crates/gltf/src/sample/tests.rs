use super::*;

fn channel(
    property: Property,
    interpolation: Interpolation,
    times: &[f64],
    values: &[f64],
) -> Channel {
    let parts = match interpolation {
        Interpolation::CubicSpline => 3,
        _ => 1,
    };
    Channel {
        node: 0,
        property,
        interpolation,
        times: times.to_vec(),
        values: values.to_vec(),
        width: values.len() / times.len() / parts,
    }
}

fn node(transform: Transform, weights: Option<Vec<f64>>) -> Node {
    Node {
        name: Some("Arm".to_owned()),
        transform,
        weights,
        ..Node::default()
    }
}

const TRANSLATION: Property = Property::Translation;

#[test]
fn before_on_between_and_after_the_keys() {
    let (times, values) = (
        [1.0, 2.0, 4.0],
        [0.0, 1.0, 2.0, 8.0, 5.0, 4.0, 0.0, 9.0, 6.0],
    );
    let linear = channel(TRANSLATION, Interpolation::Linear, &times, &values);
    let step = channel(TRANSLATION, Interpolation::Step, &times, &values);
    for (time, by_line, by_step) in [
        (-1.0, [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]),
        (1.0, [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]),
        (1.5, [4.0, 3.0, 3.0], [0.0, 1.0, 2.0]),
        (2.0, [8.0, 5.0, 4.0], [8.0, 5.0, 4.0]),
        (2.5, [6.0, 6.0, 4.5], [8.0, 5.0, 4.0]),
        (4.0, [0.0, 9.0, 6.0], [0.0, 9.0, 6.0]),
        (1e9, [0.0, 9.0, 6.0], [0.0, 9.0, 6.0]),
    ] {
        assert_eq!(sample(&linear, time), by_line, "{time}");
        assert_eq!(sample(&step, time), by_step, "{time}");
    }
}

#[test]
fn the_last_of_keys_at_one_time_holds_from_there_on() {
    let (times, values) = (
        [1.0, 1.0, 2.0, 2.0, 2.0, 3.0],
        [
            9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 8.0, 0.0, 0.0, 5.0, 0.0, 0.0, 7.0, 0.0,
            0.0,
        ],
    );
    let linear = channel(TRANSLATION, Interpolation::Linear, &times, &values);
    let step = channel(TRANSLATION, Interpolation::Step, &times, &values);
    for (time, by_line, by_step) in [
        (0.5, 9.0, 9.0),
        (1.0, 1.0, 1.0),
        (1.5, 2.0, 1.0),
        (2.0, 5.0, 5.0),
        (2.5, 6.0, 5.0),
        (3.0, 7.0, 7.0),
    ] {
        assert_eq!(sample(&linear, time), [by_line, 0.0, 0.0], "{time}");
        assert_eq!(sample(&step, time), [by_step, 0.0, 0.0], "{time}");
    }
}

#[test]
fn a_single_key_holds_for_all_times() {
    for interpolation in [Interpolation::Step, Interpolation::Linear] {
        let one = channel(TRANSLATION, interpolation, &[3.0], &[1.0, 2.0, 3.0]);
        assert!(
            [0.0, 3.0, 5.0]
                .iter()
                .all(|t| sample(&one, *t) == [1.0, 2.0, 3.0])
        );
    }
    let values = [7.0, 7.0, 7.0, 1.0, 2.0, 3.0, 9.0, 9.0, 9.0];
    let one = channel(TRANSLATION, Interpolation::CubicSpline, &[3.0], &values);
    assert!(
        [0.0, 3.0, 5.0]
            .iter()
            .all(|t| sample(&one, *t) == [1.0, 2.0, 3.0])
    );
}

#[test]
fn a_cubic_worked_by_hand() {
    // From 1 with slope 3 a second, to 5 with slope −1, in 2 seconds. Halfway: (1 + 5)/2 + 2·(3 − (−1))/8 = 4; at a
    // quarter, by the Hermite polynomials 54/64, 9/64, 10/64, −3/64: (54 + 9·6 + 50 + 3·2)/64.
    let values = [100.0, 1.0, 3.0, -1.0, 5.0, 100.0];
    let cubic = channel(
        Property::Weights,
        Interpolation::CubicSpline,
        &[1.0, 3.0],
        &values,
    );
    assert_eq!(sample(&cubic, 1.0), [1.0]);
    assert_eq!(sample(&cubic, 1.5), [164.0 / 64.0]);
    assert_eq!(sample(&cubic, 2.0), [4.0]);
    assert_eq!(sample(&cubic, 3.0), [5.0]);
}

#[test]
fn weights_are_as_wide_as_there_are_targets() {
    let values = [0.0, 1.0, 0.5, 0.25, 0.0, 1.0, 0.0, 0.5, 0.75, 1.0];
    let wide = channel(
        Property::Weights,
        Interpolation::Linear,
        &[0.0, 1.0],
        &values,
    );
    assert_eq!(sample(&wide, 0.5), [0.5, 0.5, 0.5, 0.5, 0.5]);
}

#[test]
fn rotations_come_out_at_unit_length() {
    let values = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.5, 0.0];
    let rotation = |interpolation| channel(Property::Rotation, interpolation, &[0.0, 1.0], &values);
    assert_eq!(
        sample(&rotation(Interpolation::Step), 0.5),
        [0.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(
        sample(&rotation(Interpolation::Linear), 2.0),
        [0.0, 0.0, 1.0, 0.0]
    );
    let half = sample(&rotation(Interpolation::Linear), 0.5);
    assert!((half[2] - 0.5f64.sqrt()).abs() < 1e-15 && (half[3] - 0.5f64.sqrt()).abs() < 1e-15);
    // A key of length zero is the identity.
    let nothing = channel(Property::Rotation, Interpolation::Linear, &[0.0], &[0.0; 4]);
    assert_eq!(sample(&nothing, 0.0), [0.0, 0.0, 0.0, 1.0]);
    let zeros = [0.0; 4];
    let keys = [[0.0, 0.0, 0.0, 3.0], [0.0, 5.0, 0.0, 0.0]].map(|key| [zeros, key, zeros]);
    let cubic = Interpolation::CubicSpline;
    let cubic = channel(
        Property::Rotation,
        cubic,
        &[0.0, 1.0],
        keys.as_flattened().as_flattened(),
    );
    let half = sample(&cubic, 0.5);
    assert!((half[1] - 0.5f64.sqrt()).abs() < 1e-15 && (half[3] - 0.5f64.sqrt()).abs() < 1e-15);
}

#[test]
fn a_pose_mixes_animated_and_stored_parts() {
    let stored = Trs {
        translation: [1.0, 2.0, 3.0],
        rotation: Quat::from_wxyz([0.6, 0.8, 0.0, 0.0]),
        scale: [2.0; 3],
    };
    let matrix = rigy_kernel::math::affine(&[[0.0; 3]; 3], [9.0; 3]);
    let nodes = [
        node(Transform::Trs(stored), Some(vec![0.25])),
        node(Transform::Matrix(matrix), None),
        node(Transform::Matrix(matrix), None),
    ];
    let still = pose(&nodes, &[], 0.0).unwrap();
    assert_eq!(still.nodes[0].transform, nodes[0].transform);
    assert_eq!(still.nodes[0].weights, Some(vec![0.25]));
    assert!(still.replaced_matrices.is_empty() && still.nodes.iter().all(|node| !node.animated));

    let line = |node, property, values: &[f64]| Channel {
        node,
        ..channel(property, Interpolation::Linear, &[0.0], values)
    };
    let channels = vec![
        line(0, Property::Scale, &[5.0, 6.0, 7.0]),
        line(0, Property::Weights, &[0.75]),
        line(1, Property::Translation, &[4.0, 5.0, 6.0]),
        line(2, Property::Weights, &[0.5]),
    ];
    let moved = pose(&nodes, &channels, 0.0).unwrap();
    let scaled = Trs {
        scale: [5.0, 6.0, 7.0],
        ..stored
    };
    assert_eq!(moved.nodes[0].transform, Transform::Trs(scaled));
    assert_eq!(moved.nodes[0].weights, Some(vec![0.75]));
    let alone = Trs {
        translation: [4.0, 5.0, 6.0],
        ..Trs::IDENTITY
    };
    assert_eq!(moved.nodes[1].transform, Transform::Trs(alone));
    assert_eq!(moved.nodes[2].transform, Transform::Matrix(matrix));
    assert_eq!(moved.replaced_matrices, [1]);
    let animated: Vec<bool> = moved.nodes.iter().map(|node| node.animated).collect();
    assert_eq!(animated, [true, true, false]);
}

#[test]
fn what_is_not_finite_is_named() {
    let long = Trs {
        rotation: Quat::from_wxyz([0.0, f64::INFINITY, 0.0, 0.0]),
        ..Trs::IDENTITY
    };
    let nodes = [node(Transform::Trs(long), None)];
    let far = [-f64::MAX, 0.0, 0.0, f64::MAX, 0.0, 0.0];
    let channels = vec![channel(
        TRANSLATION,
        Interpolation::Linear,
        &[0.0, 1.0],
        &far,
    )];
    let errors = pose(&nodes, &channels, 0.5).unwrap_err();
    let messages: Vec<String> = errors.iter().map(NotFinite::to_string).collect();
    assert_eq!(
        messages,
        [
            "the translation of node 0 (\"Arm\") is not finite at this time",
            "the rotation of node 0 (\"Arm\") is not finite at this time",
        ]
    );
}
