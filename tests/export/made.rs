//! Small scenes, made in code.

use std::fmt::Debug;

use rigy_batch::export::{Export, Format, Images, Layout, Sequence};
use rigy_batch::mesh::{Elements, Material, Model, Surface};

/// Names that would break out of a careless file.
pub const HOSTILE: [&str; 5] = [
    "a \"b\"\nv 9 9 9\n",
    "</path>\\\0@@",
    "",
    "a \"b\"\nv 9 9 9\n",
    "facet\u{2028}# 漢字\u{202e}gnp\u{feff}",
];

/// A square of two triangles at this height, with all attributes.
pub fn square(node: usize, height: f64) -> Surface {
    let corners = [[0.0, 0.0], [1.0, 0.1], [1.0 / 3.0, 1.0], [1e-20, 0.7]];
    Surface {
        name: format!("square {node}"),
        node,
        mesh: node,
        positions: corners.map(|[x, z]| [x, height, z]).to_vec(),
        normals: Some(corners.map(|[x, z]| [0.6 * x, 0.8, z / 7.0]).to_vec()),
        texture_coordinates: Some(corners.to_vec()),
        colors: Some(
            corners
                .map(|[x, z]| [x as f32, 0.5, z as f32, 0.25])
                .to_vec(),
        ),
        triangles: vec![[0, 2, 1], [0, 3, 2]],
        ..Surface::default()
    }
}

/// A triangle of its own node with positions alone.
pub fn bare(node: usize) -> Surface {
    Surface {
        name: "bare".into(),
        node,
        mesh: node,
        positions: vec![[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, -0.1, 0.0]],
        triangles: vec![[2, 1, 0]],
        ..Surface::default()
    }
}

/// Two points, which no triangle joins.
pub fn points(node: usize) -> Surface {
    Surface {
        name: "dust".into(),
        elements: Elements::Points,
        triangles: Vec::new(),
        ..bare(node)
    }
}

/// A model of surfaces whose nodes are called `node N`.
pub fn model(surfaces: Vec<Surface>) -> Model {
    let nodes = 1 + surfaces.iter().map(|s| s.node).max().unwrap_or(0);
    Model {
        surfaces,
        node_names: (0..nodes)
            .map(|node| Some(format!("node {node}")))
            .collect(),
        ..Model::default()
    }
}

/// A model in which every name is one of [`HOSTILE`], with a material for each surface.
pub fn hostile() -> Model {
    let surfaces = HOSTILE.iter().enumerate().map(|(node, name)| Surface {
        name: (*name).into(),
        material: Some(node),
        ..square(node, node as f64)
    });
    let mut model = model(surfaces.collect());
    model.node_names = HOSTILE.map(|name| Some(name.into())).to_vec();
    let material = |name: &&str| Material {
        name: Some((*name).into()),
        ..Material::default()
    };
    model.materials = HOSTILE.iter().map(material).collect();
    model
}

/// Images with these bytes and without names, for a file called `made`.
pub fn images<'a>(bytes: &[&'a [u8]]) -> Images<'a> {
    Images::new("made", bytes.iter().map(|bytes| ("", Some(*bytes))))
}

/// The result of a sequence in a format: the file, and the messages of its warnings, all of which are W16.
pub fn written(sequence: &Sequence, format: Format) -> (Vec<u8>, Vec<String>) {
    let images = Images::default();
    let export = Export::new(sequence, "made", &images).unwrap();
    let mut bytes = Vec::new();
    export.write(format, &mut bytes).unwrap();
    let warnings = export.warnings(format).into_iter().map(|warning| {
        assert_eq!(warning.code.unwrap().name(), "W16");
        warning.message
    });
    (bytes, warnings.collect())
}

pub fn still(model: &Model, layout: Layout, format: Format) -> (Vec<u8>, Vec<String>) {
    written(&Sequence::new(model.clone(), layout).unwrap(), format)
}

/// The bits of vectors, so that comparisons see the sign of zero.
pub fn bits<const N: usize>(vectors: &[[f32; N]]) -> Vec<[u32; N]> {
    vectors
        .iter()
        .map(|vector| vector.map(f32::to_bits))
        .collect()
}

/// The bits of the f32 nearest to the numbers of vectors.
pub fn rounded<const N: usize>(vectors: &[[f64; N]]) -> Vec<[u32; N]> {
    vectors
        .iter()
        .map(|vector| vector.map(|number| (number as f32).to_bits()))
        .collect()
}

/// Texture coordinates as files have them: V up.
pub fn flipped(coordinates: &[[f64; 2]]) -> Vec<[u32; 2]> {
    let flipped: Vec<[f64; 2]> = coordinates.iter().map(|[u, v]| [*u, 1.0 - v]).collect();
    rounded(&flipped)
}

/// Checks that there is one warning with these words.
#[track_caller]
pub fn assert_warned(warnings: &[String], words: impl AsRef<str> + Debug) {
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains(words.as_ref()),
        "{words:?}: {warnings:?}"
    );
}
