//! The binary formats: PLY, one mesh with all attributes of its vertices, and STL, triangles with a normal each.
//!
//! In PLY, texture coordinates are `s` and `t`, and colours are bytes in sRGB, as the common clients read both. The vertices of
//! points and lines are written, too, without faces.

use std::io::{self, Write};

use super::format::Format;
use super::objects::{Export, Object};
use rigy_kernel::math::{cross, length, minus};
use rigy_models::mesh::srgb;

/// White, for vertices without a colour among others that have one.
const WHITE: [u8; 4] = [255; 4];

/// The attributes of the vertices of a file.
struct Attributes {
    normals: bool,
    coordinates: bool,
    colors: bool,
}

/// Writes the first frame.
pub fn write_ply(export: &Export, out: &mut impl Write) -> io::Result<()> {
    let object = export
        .objects(Format::Ply)
        .into_iter()
        .next()
        .unwrap_or(Object {
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
    export: &Export,
    object: &Object,
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
    export: &Export,
    index: usize,
    attributes: &Attributes,
    out: &mut impl Write,
) -> io::Result<()> {
    let vertices = export.vertices(index);
    let normals = vertices.normals.as_deref();
    let colors = export.surface(index).colors.as_deref();
    let is_opaque = export.is_opaque(index);
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
            let [red, green, blue, opacity] = colors.map_or(WHITE, |list| srgb_bytes(list[vertex]));
            let opacity = if is_opaque { 255 } else { opacity };
            out.write_all(&[red, green, blue, opacity])?;
        }
    }
    Ok(())
}

fn floats(numbers: &[f32], out: &mut impl Write) -> io::Result<()> {
    numbers
        .iter()
        .try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

/// The header, which is filled up with zeros. A header that begins with `solid` would be taken for a text.
const HEADER: &[u8] = b"binary STL written by rigy-batch";

/// Writes the first frame.
pub fn write_stl(export: &Export, out: &mut impl Write) -> io::Result<()> {
    let mut header = [0; 80];
    header[..HEADER.len()].copy_from_slice(HEADER);
    out.write_all(&header)?;
    let objects = export.objects(Format::Stl);
    let surfaces = || objects.iter().flat_map(|object| object.surfaces.iter());
    let count: usize = surfaces().map(|s| export.surface(*s).triangles.len()).sum();
    let count = u32::try_from(count).map_err(|_| io::ErrorKind::FileTooLarge)?;
    out.write_all(&count.to_le_bytes())?;
    for surface in surfaces() {
        let positions = &export.vertices(*surface).positions;
        for triangle in export.triangles(*surface) {
            let corners = triangle.map(|corner| positions[corner as usize]);
            facet(&corners, out)?;
        }
    }
    Ok(())
}

/// Writes a triangle: its normal, its corners, and two bytes without a meaning.
fn facet(corners: &[[f32; 3]; 3], out: &mut impl Write) -> io::Result<()> {
    let mut bytes = [0; 50];
    let numbers = normal(corners)
        .into_iter()
        .chain(corners.as_flattened().iter().copied());
    for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *place = number.to_le_bytes();
    }
    out.write_all(&bytes)
}

/// The unit normal of a triangle, of its corners as they are written; zero if they lie on a line.
fn normal(corners: &[[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let normal = cross(minus(b, a), minus(c, a));
    let length = length(normal);
    if length > 0.0 {
        normal.map(|number| (number / length) as f32)
    } else {
        [0.0; 3]
    }
}

/// Red, green and blue in sRGB and the opacity, of a linear colour; components beyond 0 to 1 are brought there.
fn srgb_bytes([red, green, blue, opacity]: [f32; 4]) -> [u8; 4] {
    let [red, green, blue] = [red, green, blue].map(|linear| byte(srgb(unit(linear))));
    [red, green, blue, byte(unit(opacity))]
}

fn unit(value: f32) -> f64 {
    f64::from(value).clamp(0.0, 1.0)
}

fn byte(value: f64) -> u8 {
    (value * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colors() {
        assert_eq!(srgb_bytes([0.0, 0.5, 1.0, 0.5]), [0, 188, 255, 128]);
        assert_eq!(
            srgb_bytes([-1.0, 7.0, 0.214_041_14, 2.0]),
            [0, 255, 128, 255]
        );
    }
}
