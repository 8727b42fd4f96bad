//! The forms of a palette for dual quaternions (`bake.md` §5) in 192 bits: first and second stage.

use super::rig::Rig;
use crate::precision::exact::{self, Map, near};

pub type Stages = (Vec<Map>, Vec<Map>);

pub fn exact_global_form(rig: &Rig) -> Stages {
    let split = |j: Map| {
        let (r, s) = exact::polar(&j.linear);
        (
            Map::linear(s),
            Map {
                linear: r,
                moved: j.moved,
            },
        )
    };
    rig.exact_matrices().into_iter().map(split).unzip()
}

/// The transforms of one joint, as the contract words them.
struct Chain {
    bind: Map,
    stretch: Map,
    scaled: Map,
    posed: Map,
}

fn exact_chain(rig: &Rig, joint: usize, is_local: &dyn Fn(&str) -> bool) -> Chain {
    let bind = rig.exact_inverse_bind(joint).inverse();
    let global = rig.exact_global(rig.skin.joints[joint]);
    let above = rig.joint_above(joint);
    let (bind_local, local) = match above {
        None => (bind.clone(), global),
        Some(above) => (
            rig.exact_inverse_bind(above).after(&bind),
            rig.exact_global(rig.skin.joints[above])
                .inverse()
                .after(&global),
        ),
    };
    let user = bind_local.inverse().after(&local);
    let (turn, stretch) = exact::polar(&user.linear);
    let turned = Map {
        linear: turn,
        moved: user.moved,
    };
    let (scaled, posed) = match above {
        None => (bind_local.clone(), bind_local),
        Some(above) => {
            let name = rig.nodes[rig.skin.joints[above]].name.clone().unwrap();
            let above = exact_chain(rig, above, is_local);
            let link = if is_local(&name) {
                let moved = above.stretch.apply(&bind_local.moved);
                Map {
                    moved,
                    ..bind_local
                }
            } else {
                above.stretch.after(&bind_local)
            };
            (above.scaled.after(&link), above.posed.after(&link))
        }
    };
    Chain {
        bind,
        stretch: Map::linear(stretch),
        scaled,
        posed: posed.after(&turned),
    }
}

/// For scales that leave the second stage rigid, which is checked.
pub fn exact_local_form(rig: &Rig, is_local: &dyn Fn(&str) -> bool) -> Stages {
    let stages = (0..rig.skin.joints.len()).map(|joint| {
        let chain = exact_chain(rig, joint, is_local);
        let first = chain
            .scaled
            .after(&chain.stretch)
            .after(&chain.bind.inverse());
        let second = chain.posed.after(&chain.scaled.inverse());
        let ones = exact::product(&second.linear, &exact::transposed(&second.linear));
        for (i, one) in (0..9).map(|at| (at, f64::from(u8::from(at % 4 == 0)))) {
            assert!((near(&ones[i / 3][i % 3]) - one).abs() < 1e-12, "not rigid");
        }
        (first, second)
    });
    stages.unzip()
}
