//! Made files with various weights and joints, right and wrong.

use serde_json::json;

use super::builder::{COUNT, Made, U8, arm};
use super::runs::{Ask, baked, refused, warned};
use super::vertices::{both, set_attribute};

fn with_weights(weights: [[f32; 4]; COUNT]) -> Made {
    let mut made = arm();
    let accessor = made.floats("VEC4", weights.as_flattened());
    set_attribute(&mut made, "WEIGHTS_0", accessor);
    made
}

#[test]
fn weights_that_do_not_sum_to_one_are_normalised_with_one_warning_a_primitive() {
    let made = with_weights([[0.5, 0.2, 0.0, 0.0]; COUNT]);
    for ask in both(0.3) {
        assert_eq!(warned(&made, &ask).1.len(), 1);
    }
    let mut two = made.clone();
    let mut other = two.json["meshes"][0]["primitives"][0].clone();
    other["attributes"]
        .as_object_mut()
        .unwrap()
        .remove("TANGENT");
    two.add("/meshes/0/primitives", other);
    assert_eq!(warned(&two, &Ask::at(0.3)).1.len(), 2);
    // A deviation within a thousandth brings no warning.
    baked(
        &with_weights([[0.5, 0.4993, 0.0, 0.0]; COUNT]),
        &Ask::at(0.3),
    );
}

#[test]
fn a_vertex_without_weights_hangs_on_its_first_slot() {
    let mut weights = [[0.5, 0.5, 0.0, 0.0]; COUNT];
    weights[3] = [0.0; 4];
    let mut made = with_weights(weights);
    let joints: Vec<u8> = [1, 0, 0, 0].repeat(COUNT);
    let joints = made.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut made, "JOINTS_0", joints);
    for ask in both(0.3) {
        assert!(!warned(&made, &ask).1.is_empty());
    }
}

#[test]
fn weights_that_are_all_nan_count_as_all_zero() {
    let mut weights = [[0.5, 0.5, 0.0, 0.0]; COUNT];
    let without = |weights: [[f32; 4]; COUNT]| {
        let mut made = with_weights(weights);
        let joints: Vec<u8> = [1, 0, 0, 0].repeat(COUNT);
        let joints = made.accessor("VEC4", U8, COUNT, &joints);
        set_attribute(&mut made, "JOINTS_0", joints);
        made
    };
    weights[3] = [0.0; 4];
    weights[5] = [0.0; 4];
    let zeros = without(weights);
    weights[3] = [f32::NAN; 4];
    let one = without(weights);
    weights[5] = [-f32::NAN; 4];
    let both_nan = without(weights);
    for ask in both(0.3) {
        let told = |made: &Made| -> (Vec<String>, Vec<Vec<u8>>) {
            let (output, warnings) = warned(made, &ask);
            assert!(warnings.iter().all(|warning| warning["code"] == "W07"));
            let told = warnings.iter().map(crate::support::with_path).collect();
            (told, output.buffers)
        };
        let place = "`meshes[0].primitives[0].attributes.WEIGHTS_0`: the weights of";
        let (_, expected) = told(&zeros);
        let (of_one, buffers) = told(&one);
        assert_eq!(buffers, expected);
        assert_eq!(
            of_one,
            [
                format!("{place} vertex 5 are all zero; it follows its first joint"),
                format!("{place} vertex 3 are all NaN; it follows its first joint"),
            ]
        );
        let (of_both, buffers) = told(&both_nan);
        assert_eq!(buffers, expected);
        assert_eq!(
            of_both,
            [format!(
                "{place} 2 vertices, of vertex 3 first, are all NaN; they follow their first joints"
            )]
        );
    }
    // Not a joint of the skin.
    let mut made = with_weights([[f32::NAN; 4]; COUNT]);
    let joints = made.accessor("VEC4", U8, COUNT, &[9; 4 * COUNT]);
    set_attribute(&mut made, "JOINTS_0", joints);
    refused(&made, &Ask::REST);
}

#[test]
fn slots_of_weight_zero_name_any_joint() {
    let mut made = arm();
    let joints: Vec<u8> = [0, 1, 255, 9].repeat(COUNT);
    let joints = made.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut made, "JOINTS_0", joints);
    for ask in both(0.3) {
        baked(&made, &ask);
    }
    // Joint 0 is the lowest, but has no weight.
    let mut turned = with_weights([[0.0, 0.25, 0.75, 0.0]; COUNT]);
    let joints: Vec<u8> = [0, 1, 2, 0].repeat(COUNT);
    let joints = turned.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut turned, "JOINTS_0", joints);
    turned.json["skins"][0]["joints"] = json!([0, 1, 3]);
    turned.remove("/skins/0/inverseBindMatrices");
    turned.json["nodes"][3]["rotation"] = json!([0.0, 0.9, 0.1, -0.4]);
    for ask in both(0.3) {
        baked(&turned, &ask);
    }
}

#[test]
fn weights_and_joints_that_are_none_are_refused() {
    for bad in [-0.25, f32::NAN, f32::INFINITY] {
        let mut weights = [[0.5, 0.5, 0.0, 0.0]; COUNT];
        weights[2][1] = bad;
        refused(&with_weights(weights), &Ask::REST);
    }
    refused(&with_weights([[f32::INFINITY; 4]; COUNT]), &Ask::REST);
    let nan = f32::NAN;
    refused(&with_weights([[nan, nan, 0.0, nan]; COUNT]), &Ask::REST);
    let mut made = arm();
    let joints: Vec<u8> = [0, 2, 0, 0].repeat(COUNT);
    let joints = made.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut made, "JOINTS_0", joints);
    refused(&made, &Ask::REST);
}
