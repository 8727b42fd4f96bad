//! STL: facets with their corners and normals.

use rigy_batch::export::{Format, Join, Layout, Up};
use rigy_batch::mesh::Model;

use super::made::{assert_warned, bare, bits, hostile, model, points, rounded, square, still};

fn read(bytes: &[u8]) -> Vec<[[f32; 3]; 4]> {
    assert!(!bytes.starts_with(b"solid"));
    let count = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    assert_eq!(bytes.len(), 84 + 50 * count);
    let facet = |bytes: &[u8]| {
        assert_eq!(bytes[48..], [0, 0]);
        std::array::from_fn(|vector| {
            std::array::from_fn(|axis| {
                let at = 12 * vector + 4 * axis;
                f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
            })
        })
    };
    bytes[84..].chunks(50).map(facet).collect()
}

fn facets(model: &Model, layout: Layout) -> (Vec<[[f32; 3]; 4]>, Vec<String>) {
    let (bytes, warnings) = still(model, layout, Format::Stl);
    (read(&bytes), warnings)
}

#[test]
fn every_triangle_has_its_corners_bit_for_bit() {
    let made = model(vec![square(0, 0.3), bare(1)]);
    for join in [Join::All, Join::Node] {
        let layout = Layout {
            join,
            ..Layout::default()
        };
        let (facets, warnings) = facets(&made, layout);
        assert_warned(
            &warnings,
            "the vertex colours of \"square 0\" are not in the stl file",
        );
        let surfaces = made.surfaces.iter();
        let corners = surfaces.flat_map(|surface| {
            let triangles = surface.triangles.iter();
            triangles
                .map(|corners| rounded(&corners.map(|corner| surface.positions[corner as usize])))
        });
        let found: Vec<_> = facets
            .iter()
            .map(|[_, corners @ ..]| bits(corners))
            .collect();
        assert_eq!(found, corners.collect::<Vec<_>>());
        assert_eq!(facets[0][0], [0.0, 1.0, 0.0]);
    }
}

#[test]
fn mirrored_surfaces_keep_their_front() {
    let mut made = model(vec![square(0, 0.3)]);
    let (plain, _) = facets(&made, Layout::default());
    made.surfaces[0].is_mirrored = true;
    let (turned, _) = facets(&made, Layout::default());
    assert_eq!(turned[0][1..], [plain[0][1], plain[0][3], plain[0][2]]);
    assert_eq!(turned[0][0], [0.0, -1.0, 0.0]);
}

#[test]
fn axes_and_scale_apply_to_corners_and_normals_stay_unit() {
    let layout = Layout {
        up: Up::Z,
        scale: 1000.0,
        ..Layout::default()
    };
    let (facets, _) = facets(&model(vec![square(0, 0.3)]), layout);
    let [normal, _, corner, _] = facets[0];
    assert_eq!(normal, [0.0, 0.0, 1.0]);
    let x = 1.0 / 3.0 * 1000.0;
    assert_eq!(corner, [x as f32, -1000.0, 300.0]);
}

#[test]
fn degenerate_triangles_have_no_normal() {
    let mut made = model(vec![bare(0)]);
    made.surfaces[0].triangles = vec![[0, 0, 1], [2, 1, 2], [0, 1, 2]];
    let (facets, _) = facets(&made, Layout::default());
    let normals: Vec<_> = facets.iter().map(|facet| facet[0]).collect();
    assert_eq!(normals, [[0.0; 3], [0.0; 3], [0.0, 0.0, -1.0]]);
}

#[test]
fn tiny_and_large_triangles_have_unit_normals() {
    for size in [1e-37, 1e37] {
        let mut made = model(vec![bare(0)]);
        made.surfaces[0].positions = vec![[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0]];
        made.surfaces[0].triangles = vec![[0, 1, 2]];
        let (facets, _) = facets(&made, Layout::default());
        assert_eq!(facets[0][0], [0.0, 0.0, 1.0], "{size}");
    }
}

#[test]
fn points_are_left_out_with_a_warning_and_nothing_is_a_file_too() {
    let (facets_of_points, warnings) = facets(&model(vec![points(0)]), Layout::default());
    assert!(facets_of_points.is_empty());
    super::made::assert_warned(
        &warnings,
        "points and lines of \"dust\" are not in the stl file",
    );
    assert!(facets(&Model::default(), Layout::default()).0.is_empty());
    assert_eq!(facets(&hostile(), Layout::default()).0.len(), 10);
}
