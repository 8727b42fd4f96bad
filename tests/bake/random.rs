//! Arms with random transforms, vertices and weights, by every solver and at any time.

use proptest::prelude::*;
use serde_json::json;

use super::builder::{COUNT, arm};
use super::palettes::{Scale, Solver};
use super::reader::Gltf;
use super::runs::{Ask, run};
use super::structure;
use crate::support::Dir;

fn numbers<const N: usize>(range: std::ops::Range<f32>) -> impl Strategy<Value = [f32; N]> {
    proptest::collection::vec(range, N).prop_map(|v| v.try_into().unwrap())
}

/// Scale by axis, now and then mirrored.
fn stretch() -> impl Strategy<Value = [f32; 3]> {
    let axis =
        (0.3f32..2.0, 0..8).prop_map(|(size, chance)| if chance == 0 { -size } else { size });
    [axis.clone(), axis.clone(), axis]
}

fn solvers() -> impl Strategy<Value = Solver> {
    prop_oneof![
        Just(Solver::Lbs),
        Just(Solver::Dqs(Scale::Global)),
        Just(Solver::Dqs(Scale::Local)),
        Just(Solver::Dqs(Scale::LocalFor(["upper".to_owned()].into()))),
        Just(Solver::TwoStage(Scale::Global)),
        Just(Solver::TwoStage(Scale::Local)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn any_arm_comes_out_as_the_oracle_says(
        transforms in [numbers::<10>(-2.0..2.0), numbers::<10>(-2.0..2.0)],
        stretches in [stretch(), stretch()],
        is_scaled in any::<bool>(),
        positions in numbers::<{ 3 * COUNT }>(-10.0..10.0),
        normals in numbers::<{ 3 * COUNT }>(-1.0..1.0),
        shares in numbers::<COUNT>(0.0..1.0),
        solver in solvers(),
        time in proptest::option::of(-0.5f64..2.5),
    ) {
        let mut made = arm();
        for (node, (values, stretch)) in transforms.iter().zip(&stretches).enumerate() {
            made.json["nodes"][node]["translation"] = json!(values[..3]);
            made.json["nodes"][node]["rotation"] = json!(values[3..7]);
            if is_scaled {
                made.json["nodes"][node]["scale"] = json!(stretch);
            }
        }
        let weights: Vec<f32> = shares.iter().flat_map(|w| [*w, 1.0 - w, 0.0, 0.0]).collect();
        let weights = made.floats("VEC4", &weights);
        let (positions, normals) = (made.floats("VEC3", &positions), made.floats("VEC3", &normals));
        let attributes = made.attributes(0, 0);
        attributes["WEIGHTS_0"] = json!(weights);
        attributes["POSITION"] = json!(positions);
        attributes["NORMAL"] = json!(normals);
        let ask = Ask { solver, animation: None, time };
        let dir = Dir::with("any.glb", made.glb());
        let ran = run(&dir, "any.glb", &ask);
        prop_assert_eq!(ran.status(), 0, "{}", ran.stderr());
        let input = Gltf::read(&made.glb(), dir.path());
        let problems = structure::check(&input, &dir.read("out/any.glb"), ask.when(), &ask.solver);
        prop_assert!(problems.is_empty(), "{:#?}", problems);
    }
}
