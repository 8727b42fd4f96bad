//! STL, binary: triangles with a normal each, in one solid.

use std::io::{self, Write};

use super::format::Format;
use super::objects::Export;
use rigy_kernel::math::{Vec3, cross, dot};

/// The header, which is filled up with zeros. A header that begins with `solid` would be taken for a text.
const HEADER: &[u8] = b"binary STL written by rigy-batch";

/// Writes the first frame.
///
/// # Errors
/// The error of the writer; more triangles than 32 bits can number.
pub(super) fn write(export: &Export<'_, '_>, out: &mut impl Write) -> io::Result<()> {
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

/// Returns the unit normal of a triangle, of its corners as they are written; zero if they lie on a line.
fn normal(corners: &[[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let side = |to: Vec3| std::array::from_fn(|axis| to[axis] - a[axis]);
    let normal = cross(side(b), side(c));
    let length = dot(normal, normal).sqrt();
    match length > 0.0 {
        true => normal.map(|number| (number / length) as f32),
        false => [0.0; 3],
    }
}
