//! PLY, binary and little endian: one mesh, its vertices with all their attributes, and its triangles.
//!
//! Texture coordinates are `s` and `t`, and colours are bytes in sRGB, as the common clients read both. The vertices of
//! points and lines are written, too, without faces.

use std::io::{self, Write};

use super::colors;
use super::format::Format;
use super::objects::{Export, Object};

/// White, for vertices without a colour among others that have one.
const WHITE: [u8; 4] = [255; 4];

/// The attributes of the vertices of a file.
struct Attributes {
    normals: bool,
    coordinates: bool,
    colors: bool,
}

/// Writes the first frame.
///
/// # Errors
/// The error of the writer; more vertices than 31 bits can number.
pub(super) fn write(export: &Export<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    let object = export.objects(Format::Ply).into_iter().next();
    let object = object.unwrap_or(Object {
        name: "".into(),
        surfaces: Vec::new(),
    });
    let attributes = Attributes {
        normals: object.has_normals(export),
        coordinates: object.any(|s| export.coordinates(s)),
        colors: object.any(|s| export.surface(s).colors.as_ref()),
    };
    header(export, &object, &attributes, out)?;
    for surface in &object.surfaces {
        vertices(export, *surface, &attributes, out)?;
    }
    let mut first = 0;
    for surface in &object.surfaces {
        for triangle in export.triangles(*surface) {
            out.write_all(&[3])?;
            for corner in triangle {
                out.write_all(&(first + corner).to_le_bytes())?;
            }
        }
        first += export.vertices(*surface).positions.len() as u32;
    }
    Ok(())
}

/// Writes the header.
fn header(
    export: &Export<'_, '_>,
    object: &Object<'_>,
    attributes: &Attributes,
    out: &mut impl Write,
) -> io::Result<()> {
    let surfaces = || object.surfaces.iter().map(|index| export.surface(*index));
    let vertices: usize = surfaces().map(|surface| surface.positions.len()).sum();
    let triangles: usize = surfaces().map(|surface| surface.triangles.len()).sum();
    if i32::try_from(vertices).is_err() {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    out.write_all(b"ply\nformat binary_little_endian 1.0\ncomment written by rigy-batch\n")?;
    writeln!(out, "element vertex {vertices}")?;
    let kinds: [(bool, &str, &[&str]); 4] = [
        (true, "float", &["x", "y", "z"]),
        (attributes.normals, "float", &["nx", "ny", "nz"]),
        (attributes.coordinates, "float", &["s", "t"]),
        (
            attributes.colors,
            "uchar",
            &["red", "green", "blue", "alpha"],
        ),
    ];
    for (_, kind, names) in kinds.iter().filter(|(is_there, ..)| *is_there) {
        for name in *names {
            writeln!(out, "property {kind} {name}")?;
        }
    }
    writeln!(out, "element face {triangles}")?;
    out.write_all(b"property list uchar int vertex_indices\nend_header\n")
}

/// Writes the vertices of a surface; texture coordinates, and normals of points, that it lacks are 0, and colours white.
fn vertices(
    export: &Export<'_, '_>,
    index: usize,
    attributes: &Attributes,
    out: &mut impl Write,
) -> io::Result<()> {
    let vertices = export.vertices(index);
    let normals = vertices.normals.as_deref();
    let colors = export.surface(index).colors.as_deref();
    for (vertex, position) in vertices.positions.iter().enumerate() {
        floats(position, out)?;
        if attributes.normals {
            floats(&normals.map_or([0.0; 3], |list| list[vertex]), out)?;
        }
        if attributes.coordinates {
            let coordinates = export.coordinates(index);
            floats(&coordinates.map_or([0.0; 2], |list| list[vertex]), out)?;
        }
        if attributes.colors {
            out.write_all(&colors.map_or(WHITE, |list| colors::bytes(list[vertex])))?;
        }
    }
    Ok(())
}

fn floats(numbers: &[f32], out: &mut impl Write) -> io::Result<()> {
    let mut numbers = numbers.iter();
    numbers.try_for_each(|number| out.write_all(&number.to_le_bytes()))
}
