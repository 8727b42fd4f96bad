//! A sequence as arrays of NumPy: those of an NPZ file, which is an archive of NPY files.

use std::io::{self, Write};

use super::objects::oriented;
use super::sequence::{Frame, Sequence};
use super::text::{LONGEST, cut};
use super::zip;

/// An array.
#[derive(Debug)]
pub struct Array(
    /// Its name.
    pub &'static str,
    /// The type of its elements as NumPy has it: little endian, of one word or several.
    pub &'static str,
    /// The lengths of its sides.
    pub Vec<usize>,
    /// The words of its elements, in C order.
    pub Vec<u32>,
);

impl Array {
    /// The name and the bytes of an NPY file.
    fn file(self) -> (String, Vec<u8>) {
        let Self(name, kind, shape, words) = self;
        let sides = format!("{shape:?}").replace('[', "(").replace(']', ",)");
        let head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {sides}}}");
        // With what stands before it, it has a multiple of 64 bytes.
        let mut bytes = format!("?NUMPY\x01\0\x76\0{head:117}\n").into_bytes();
        bytes[0] = b'\x93';
        bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        (format!("{name}.npy"), bytes)
    }
}

/// Returns the arrays of what all frames have in common, and of their times.
pub fn common_arrays(sequence: &Sequence) -> Vec<Array> {
    let model = sequence.model();
    let (mut triangles, mut uvs, mut primitives) = (Vec::new(), Vec::new(), Vec::new());
    for surface in &model.surfaces {
        let (first, triangle) = (uvs.len() as u32, triangles.len() as u32);
        triangles.extend(oriented(surface).map(|corners| corners.map(|corner| first + corner)));
        let given = surface.texture_coordinates.iter().flatten();
        uvs.extend(given.map(|place| place.map(|number| (number as f32).to_bits())));
        uvs.resize(first as usize + surface.positions.len(), [0; 2]);
        primitives.extend([first, uvs.len() as u32, triangle, triangles.len() as u32]);
    }
    let times: Vec<u32> = sequence.times().map(f32::to_bits).collect();
    // Of one length, as NumPy has texts: U100.
    let text = |text: &String| {
        let mut text: Vec<u32> = cut(text).chars().map(u32::from).collect();
        text.resize(LONGEST, 0);
        text
    };
    let names = model
        .surfaces
        .iter()
        .flat_map(|surface| text(&surface.name))
        .collect();
    let joint_names = model
        .joints
        .iter()
        .flat_map(|(name, _)| text(name))
        .collect();
    let count = model.surfaces.len();
    vec![
        Array(
            "triangles",
            "<u4",
            vec![triangles.len(), 3],
            triangles.concat(),
        ),
        Array("uvs", "<f4", vec![uvs.len(), 2], uvs.concat()),
        Array("primitives", "<u4", vec![count, 2, 2], primitives),
        Array("times", "<f4", vec![times.len()], times),
        Array("names", "<U100", vec![count], names),
        Array(
            "joint_names",
            "<U100",
            vec![model.joints.len()],
            joint_names,
        ),
    ]
}

/// Writes all frames as an NPZ file.
pub fn write(sequence: &Sequence, out: &mut impl Write) -> io::Result<()> {
    let frames = sequence.frames();
    let shape = vec![frames.len(), frames[0].vertices().count(), 3];
    let vectors = |index: usize| {
        let vertices = frames.iter().flat_map(Frame::vertices);
        vertices
            .flat_map(|vertex| vertex[index].map(f32::to_bits))
            .collect()
    };
    let joints = frames.iter().flat_map(|frame| &frame.joints);
    let joints = joints.map(|number| number.to_bits()).collect();
    let of_joints = vec![frames.len(), sequence.model().joints.len(), 4, 4];
    let mut arrays = common_arrays(sequence);
    arrays.extend([
        Array("positions", "<f4", shape.clone(), vectors(0)),
        Array("normals", "<f4", shape, vectors(1)),
        Array("joints", "<f4", of_joints, joints),
    ]);
    zip::write(arrays.into_iter().map(Array::file), out)
}
