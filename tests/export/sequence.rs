//! Sequences: frames with one topology.

use rigy_batch::export::{FrameSurface, Layout, Sequence, Timing};
use rigy_batch::mesh::{Model, Surface};

use super::made::{bare, bits, model, rounded, square};

fn made(height: f64) -> Model {
    model(vec![square(0, height), bare(1)])
}

#[test]
fn frames_have_the_vertices_of_their_models() {
    let mut sequence = Sequence::new(made(0.1), Layout::default()).unwrap();
    sequence.push(&made(0.2)).unwrap();
    assert_eq!(sequence.frames().len(), 2);
    for (frame, height) in sequence.frames().iter().zip([0.1, 0.2]) {
        for (found, surface) in frame.surfaces.iter().zip(made(height).surfaces) {
            assert_eq!(bits(&found.positions), rounded(&surface.positions));
            let normals = surface.normals.map(|normals| rounded(&normals));
            assert_eq!(found.normals.as_deref().map(bits), normals);
        }
    }
    let bounds = FrameSurface::bounds(&sequence.frames()[1].surfaces).unwrap();
    assert_eq!(bounds, [[0.0, -0.1, 0.0], [6.0, 0.2, 1.0]]);
}

fn refused(change: impl Fn(&mut Vec<Surface>)) -> String {
    let mut sequence = Sequence::new(made(0.1), Layout::default()).unwrap();
    let mut other = made(0.1);
    change(&mut other.surfaces);
    let error = sequence.push(&other).unwrap_err().remove(0).message;
    assert_eq!(sequence.frames().len(), 1);
    let start = "frame 1 has another topology than frame 0: ";
    error.strip_prefix(start).unwrap_or(&error).to_owned()
}

#[test]
fn other_topologies_are_refused_with_what_differs() {
    assert_eq!(
        refused(|s| s.truncate(1)),
        "\"bare\" at node 1 is in one of them only"
    );
    assert_eq!(
        refused(|s| s.swap(0, 1)),
        "\"bare\" at node 1 is in the place of \"square 0\" at node 0"
    );
    assert_eq!(
        refused(|s| s[1].positions.push([0.0; 3])),
        "\"bare\" at node 1 has 4 vertices, not 3"
    );
    assert_eq!(
        refused(|s| s[0].triangles[0].swap(0, 1)),
        "\"square 0\" at node 0 has other triangles"
    );
    assert_eq!(
        refused(|s| s[0].is_mirrored = true),
        "\"square 0\" at node 0 has other triangles"
    );
    assert_eq!(
        refused(|s| s[0].normals = None),
        "\"square 0\" at node 0 has no normals"
    );
    assert_eq!(
        refused(|s| s[1].normals = Some(vec![[0.0; 3]; 3])),
        "\"bare\" at node 1 has normals"
    );
    let large = refused(|s| s[1].positions[0] = [1e300; 3]);
    assert_eq!(
        large,
        "a position of \"bare\" at node 1 exceeds single precision"
    );
}

#[test]
fn rates_and_scales_that_cannot_be_used_are_refused() {
    for rate in [0.0, -24.0, f64::NAN, f64::INFINITY] {
        let sequence = Sequence::new(made(0.1), Layout::default()).unwrap();
        assert!(sequence.timed(Timing { rate, first: 0 }).is_err(), "{rate}");
    }
    let scale = 0.0;
    let layout = Layout {
        scale,
        ..Layout::default()
    };
    assert!(Sequence::new(made(0.1), layout).is_err());
}
