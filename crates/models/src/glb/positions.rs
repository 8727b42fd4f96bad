//! The secondary format of the amendment: posed vertices as canonical JSON.
//!
//! The file is one object from mesh name to `{"normals":[[x,y,z],…],"positions":[[x,y,z],…]}`, keys in the order of their
//! code points, no white space, no line end, strings in ASCII. A number is the f32 of the baked GLB widened to
//! f64, in the shortest digits that give that f64 back ([`write_repr`]).

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Posed;
use super::data::single;
use super::json;
use super::number::write_repr;
use crate::geometry::scene::{PositionsSoa, Scene};
use rigy_base::output::OutputFile;

/// The posed vertices of a scene, ready to be written as JSON.
#[derive(Debug)]
pub struct Positions<'a> {
    meshes: BTreeMap<&'a str, Vertices<'a>>,
    len: u64,
}

/// Two meshes that have one name, so that a list by name cannot hold both.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two meshes are named `{name}`, and positions are listed by name")]
pub struct SameName {
    /// The name.
    pub name: String,
    /// Index of the second of them in the document's list.
    pub mesh: usize,
}

/// Normals and positions of a mesh.
#[derive(Debug)]
enum Vertices<'a> {
    Rest([&'a PositionsSoa; 2]),
    Posed([&'a [f32]; 2]),
}

impl<'a> Positions<'a> {
    /// The vertices of every mesh of a scene; `posed` holds an entry for each, `None` for meshes at rest.
    ///
    /// # Errors
    /// If two meshes have one name.
    pub fn new(scene: &'a Scene, posed: &'a [Option<Posed>]) -> Result<Self, SameName> {
        let mut meshes = BTreeMap::new();
        for (mesh, posed) in scene.meshes.iter().zip(posed) {
            let vertices = match posed {
                Some(posed) => Vertices::Posed([&posed.normals, &posed.positions]),
                None => Vertices::Rest([&mesh.geometry.normals, &mesh.geometry.positions]),
            };
            if meshes.insert(&*mesh.name, vertices).is_some() {
                return Err(SameName {
                    name: mesh.name.clone(),
                    mesh: mesh.document_index,
                });
            }
        }
        let mut positions = Self { meshes, len: 0 };
        let mut counter = Counter(0);
        positions.write(&mut counter).expect("counting never fails");
        positions.len = counter.0;
        Ok(positions)
    }
}

impl OutputFile for Positions<'_> {
    fn len(&self) -> u64 {
        self.len
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        for (index, (name, vertices)) in self.meshes.iter().enumerate() {
            text.push(if index == 0 { b'{' } else { b',' });
            text.extend(json::text(*name));
            for (number, key) in [":{\"normals\":", ",\"positions\":"].iter().enumerate() {
                text.extend(key.bytes());
                match vertices {
                    Vertices::Rest(points) => {
                        vectors(points[number].iter().map(|p| p.map(single)), &mut text, out)
                    }
                    Vertices::Posed(floats) => {
                        let (points, _) = floats[number].as_chunks::<3>();
                        vectors(points.iter().copied(), &mut text, out)
                    }
                }?;
            }
            text.push(b'}');
        }
        text.extend(if self.meshes.is_empty() { "{}" } else { "}" }.bytes());
        out.write_all(&text)
    }
}

/// Length at which buffered text is written.
const ENOUGH: usize = 64 << 10;

/// A list of vectors, appended to `text`, which is written out whenever it has grown long.
fn vectors(
    vectors: impl Iterator<Item = [f32; 3]>,
    text: &mut Vec<u8>,
    out: &mut dyn Write,
) -> io::Result<()> {
    text.push(b'[');
    for (index, vector) in vectors.enumerate() {
        text.extend(if index == 0 { "[" } else { ",[" }.bytes());
        for (axis, number) in vector.into_iter().enumerate() {
            if axis > 0 {
                text.push(b',');
            }
            write_repr(text, f64::from(number))?;
        }
        text.push(b']');
        if text.len() >= ENOUGH {
            out.write_all(text)?;
            text.clear();
        }
    }
    text.push(b']');
    Ok(())
}

/// A writer that only counts bytes.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
