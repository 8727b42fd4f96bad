//! Writes a skinned GLB of any size, for measuring a bake of something large: the same bytes for the same count on
//! every machine, in little memory.
//!
//! `cargo run --release --example generate_skinned -- FILE --vertices 40000000`
//!
//! A column of triangle soup stands on the ground, 64 metres tall, with a chain of 64 joints up its middle. Every
//! vertex follows four neighbouring joints. The one animation gives these poses:
//!
//! | second | pose | where a vertex is, with any solver |
//! |---|---|---|
//! | 0 | at rest | where it was |
//! | 1 | the root turned by 90° about z and moved by (1, 2, 3) | x, y, z has gone to 1 − y, 2 + x, 3 + z |
//! | 2 | every joint also turned against the one below it | the column is a coil |
//!
//! so a bake at second 1 can be checked without an implementation of skinning, and one at second 2 has real work.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use rigy_batch::base::paths::Slashed;
use rigy_batch::kernel::random::Random;
use serde_json::{Value, json};

/// Write a skinned GLB: positions, normals, four joints and weights a vertex, 64 joints, one animation
#[derive(Parser)]
#[command(name = "generate_skinned")]
struct Arguments {
    /// File to write
    file: PathBuf,
    /// Number of vertices; rounded up to whole triangles
    #[arg(long, default_value_t = 3000)]
    vertices: u64,
    /// Joint numbers of one byte instead of two
    #[arg(long)]
    narrow_joints: bool,
}

const JOINTS: u64 = 64;
const TIMES: [f32; 3] = [0.0, 1.0, 2.0];
/// Half of the angle by which a joint is turned against the one below it: its sine.
const SINE: f32 = 0.05;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let column = Column {
        vertices: arguments.vertices.max(1).next_multiple_of(3),
        joint_len: if arguments.narrow_joints { 1 } else { 2 },
    };
    let written = File::create(&arguments.file).and_then(|file| column.write(file));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}: {error}", arguments.file.slashed());
            ExitCode::FAILURE
        }
    }
}

/// Random numbers of a vertex. Each has its own place in the stream, so that no vertex needs the one before it.
#[derive(Clone, Copy)]
enum Draw {
    X,
    Y,
    Z,
    Weights,
}

/// A number in `[0, 1)` of 24 bits, so that an f32 holds it.
fn unit(vertex: u64, draw: u64) -> f32 {
    let bits = Random::after(0, 8 * vertex + draw).bits();
    (bits >> 40) as f32 / (1u32 << 24) as f32
}

fn position(vertex: u64) -> [f32; 3] {
    let across = |draw| 2.0 * unit(vertex, draw as u64) - 1.0;
    let up = JOINTS as f32 * unit(vertex, Draw::Y as u64);
    [across(Draw::X), up, across(Draw::Z)]
}

/// The direction away from the middle of the column.
fn normal(vertex: u64) -> [f32; 3] {
    let [x, _, z] = position(vertex).map(f64::from);
    let len = (x * x + z * z).sqrt();
    match len > 1e-3 {
        true => [(x / len) as f32, 0.0, (z / len) as f32],
        false => [0.0, 1.0, 0.0],
    }
}

/// The lowest of the four joints that a vertex follows.
fn first_joint(vertex: u64) -> u16 {
    let below = position(vertex)[1] as u16;
    below.clamp(1, JOINTS as u16 - 3) - 1
}

fn weights(vertex: u64) -> [f32; 4] {
    let shares =
        [0, 1, 2, 3].map(|slot| 0.125 + f64::from(unit(vertex, Draw::Weights as u64 + slot)));
    let sum: f64 = shares.iter().sum();
    shares.map(|share| (share / sum) as f32)
}

fn bytes<const N: usize>(numbers: [f32; N]) -> impl Iterator<Item = u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes)
}

/// The file to be written.
struct Column {
    vertices: u64,
    joint_len: u64,
}

impl Column {
    fn write(&self, file: File) -> io::Result<()> {
        let small = self.small();
        let mut text = self.json(small.len() as u64).to_string();
        text.push_str(&" ".repeat(text.len().next_multiple_of(4) - text.len()));
        let bin_len = self.small_offset() + small.len() as u64;
        let len = 12 + 8 + text.len() as u64 + 8 + bin_len;
        let word = |number: u64| match u32::try_from(number) {
            Ok(word) => Ok(word.to_le_bytes()),
            Err(_) => Err(io::Error::other(format!(
                "{len} bytes; a GLB ends at 4 GiB"
            ))),
        };
        let mut out = BufWriter::with_capacity(1 << 20, file);
        out.write_all(b"glTF\x02\0\0\0")?;
        out.write_all(&word(len)?)?;
        out.write_all(&word(text.len() as u64)?)?;
        out.write_all(b"JSON")?;
        out.write_all(text.as_bytes())?;
        out.write_all(&word(bin_len)?)?;
        out.write_all(b"BIN\0")?;
        self.each(&mut out, |vertex, to| to.extend(bytes(position(vertex))))?;
        self.each(&mut out, |vertex, to| to.extend(bytes(normal(vertex))))?;
        self.each(&mut out, |vertex, to| {
            let first = first_joint(vertex);
            let joints = (first..first + 4).map(u16::to_le_bytes);
            joints.for_each(|joint| to.extend(&joint[..self.joint_len as usize]));
        })?;
        self.each(&mut out, |vertex, to| to.extend(bytes(weights(vertex))))?;
        out.write_all(&small)?;
        out.into_inner()?.flush()
    }

    /// Writes an attribute, a few thousand vertices at a time.
    fn each(&self, out: &mut impl Write, of: impl Fn(u64, &mut Vec<u8>)) -> io::Result<()> {
        let mut block = Vec::new();
        for first in (0..self.vertices).step_by(4096) {
            block.clear();
            (first..self.vertices.min(first + 4096)).for_each(|vertex| of(vertex, &mut block));
            out.write_all(&block)?;
        }
        Ok(())
    }

    /// Offset in the BIN chunk of the data that does not grow with the vertices.
    fn small_offset(&self) -> u64 {
        self.vertices * (12 + 12 + 4 * self.joint_len + 16)
    }

    /// Inverse bind matrices, then times, then the values of root's translation, root's rotation, the others' rotation.
    fn small(&self) -> Vec<u8> {
        let mut small = Vec::new();
        for joint in 0..JOINTS {
            let mut matrix = [0.0; 16];
            [0, 5, 10, 15].iter().for_each(|at| matrix[*at] = 1.0);
            matrix[13] = 0.0 - joint as f32;
            small.extend(bytes(matrix));
        }
        small.extend(bytes(TIMES));
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let (still, quarter) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half]);
        let turn = [SINE, 0.0, 0.0, (1.0 - SINE * SINE).sqrt()];
        small.extend(bytes([0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0]));
        small.extend([still, quarter, quarter].into_iter().flat_map(bytes));
        small.extend([still, still, turn].into_iter().flat_map(bytes));
        small
    }

    fn bounds(&self) -> [[f32; 3]; 2] {
        let mut bounds = [position(0); 2];
        for at in (1..self.vertices).map(position) {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(at[axis]);
                bounds[1][axis] = bounds[1][axis].max(at[axis]);
            }
        }
        bounds
    }

    fn json(&self, small_len: u64) -> Value {
        let [min, max] = self.bounds();
        let count = self.vertices;
        let joint_type = if self.joint_len == 1 { 5121 } else { 5123 };
        let mut views = Vec::new();
        let mut offset = 0;
        for len in [12, 12, 4 * self.joint_len, 16] {
            views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": len * count, "target": 34962}));
            offset += len * count;
        }
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": 64 * JOINTS}));
        views.push(json!({"buffer": 0, "byteOffset": offset + 64 * JOINTS, "byteLength": small_len - 64 * JOINTS}));
        let node = |joint: u64| {
            let mut node =
                json!({"name": format!("joint{joint}"), "translation": [0, joint.min(1), 0]});
            if joint + 1 < JOINTS {
                node["children"] = json!([joint + 1]);
            }
            node
        };
        let mut nodes: Vec<Value> = (0..JOINTS).map(node).collect();
        nodes.push(json!({"name": "column", "mesh": 0, "skin": 0}));
        let channel = |sampler: u64, node: u64, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
        let mut channels = vec![channel(0, 0, "translation"), channel(1, 0, "rotation")];
        channels.extend((1..JOINTS).map(|joint| channel(2, joint, "rotation")));
        json!({
            "asset": {"version": "2.0", "generator": "rigy-batch generate_skinned"},
            "scene": 0,
            "scenes": [{"nodes": [0, JOINTS]}],
            "nodes": nodes,
            "skins": [{"joints": (0..JOINTS).collect::<Vec<_>>(), "inverseBindMatrices": 4, "skeleton": 0}],
            "meshes": [{"name": "column", "primitives": [{
                "attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3},
            }]}],
            "animations": [{"name": "coil", "channels": channels, "samplers": [
                {"input": 5, "output": 6}, {"input": 5, "output": 7}, {"input": 5, "output": 8},
            ]}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3", "min": min, "max": max},
                {"bufferView": 1, "componentType": 5126, "count": count, "type": "VEC3"},
                {"bufferView": 2, "componentType": joint_type, "count": count, "type": "VEC4"},
                {"bufferView": 3, "componentType": 5126, "count": count, "type": "VEC4"},
                {"bufferView": 4, "componentType": 5126, "count": JOINTS, "type": "MAT4"},
                {"bufferView": 5, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [TIMES[0]], "max": [TIMES[2]]},
                {"bufferView": 5, "byteOffset": 12, "componentType": 5126, "count": 3, "type": "VEC3"},
                {"bufferView": 5, "byteOffset": 48, "componentType": 5126, "count": 3, "type": "VEC4"},
                {"bufferView": 5, "byteOffset": 96, "componentType": 5126, "count": 3, "type": "VEC4"},
            ],
            "bufferViews": views,
            "buffers": [{"byteLength": self.small_offset() + small_len}],
        })
    }
}
