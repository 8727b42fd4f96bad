//! Wavefront OBJ: vertices, texture coordinates and normals as lines of text, which faces name by number.

use std::io::{self, Write};

use super::format::Format;
use super::mtl;
use super::names::{Names, word};
use super::number::write_all_f32;
use super::objects::Export;

/// The numbers of lines of each kind so far.
#[derive(Clone, Copy, Default)]
struct Counts {
    positions: u64,
    coordinates: u64,
    normals: u64,
}

/// Writes the first frame.
///
/// # Errors
/// The error of the writer.
pub(super) fn write(export: &Export<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"# written by rigy-batch\n")?;
    let materials = mtl::Materials::new(export);
    if !materials.is_empty() {
        writeln!(out, "mtllib {}", mtl::materials_file_name(export.name))?;
    }
    let (mut names, mut groups) = (Names::default(), Names::default());
    let mut counts = Counts::default();
    for object in export.objects(Format::Obj) {
        writeln!(out, "o {}", names.unique(word(&object.name)))?;
        for index in object.surfaces {
            let before = counts;
            vertices(export, index, &mut counts, out)?;
            writeln!(
                out,
                "g {}",
                groups.unique(word(&export.surface(index).name))
            )?;
            if let Some(material) = materials.name(export.material(index)) {
                writeln!(out, "usemtl {material}")?;
            }
            faces(export, index, before, out)?;
        }
    }
    Ok(())
}

/// Writes the vertices of a surface.
fn vertices(
    export: &Export<'_, '_>,
    index: usize,
    counts: &mut Counts,
    out: &mut impl Write,
) -> io::Result<()> {
    let vertices = export.vertices(index);
    counts.positions += lines(out, "v ", &vertices.positions)?;
    if let Some(coordinates) = export.coordinates(index) {
        counts.coordinates += lines(out, "vt ", coordinates)?;
    }
    if let Some(normals) = &vertices.normals {
        counts.normals += lines(out, "vn ", normals)?;
    }
    Ok(())
}

/// Writes a line for each vector. Returns their number.
fn lines<const N: usize>(
    out: &mut impl Write,
    keyword: &str,
    vectors: &[[f32; N]],
) -> io::Result<u64> {
    for vector in vectors {
        out.write_all(keyword.as_bytes())?;
        write_all_f32(out, vector, " ")?;
        out.write_all(b"\n")?;
    }
    Ok(vectors.len() as u64)
}

/// Writes the triangles of a surface. `before` has the numbers of lines before its vertices; lines are numbered from 1.
fn faces(
    export: &Export<'_, '_>,
    index: usize,
    before: Counts,
    out: &mut impl Write,
) -> io::Result<()> {
    let has_coordinates = export.coordinates(index).is_some();
    let has_normals = export.vertices(index).normals.is_some();
    for triangle in export.triangles(index) {
        out.write_all(b"f")?;
        for corner in triangle {
            let number = |before: u64| before + u64::from(corner) + 1;
            write!(out, " {}", number(before.positions))?;
            match (has_coordinates, has_normals) {
                (true, true) => write!(
                    out,
                    "/{}/{}",
                    number(before.coordinates),
                    number(before.normals)
                ),
                (true, false) => write!(out, "/{}", number(before.coordinates)),
                (false, true) => write!(out, "//{}", number(before.normals)),
                (false, false) => Ok(()),
            }?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
