//! The binary form of a palette: little-endian, every part at an offset at which a shader can bind it.
//!
//! A header of 64 bytes, a record of 64 bytes for each skin, one of 64 for each mesh, then the parts. All words are u32.

use super::{Mesh, Normals, Palette, Skin, VERSION};
use rigy_kernel::math::Affine;

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"RGPL";

/// Parts begin at multiples of this, the largest alignment that a device may ask for of the offset of a bound range.
pub const ALIGNMENT: usize = 256;

/// Words of the header and of each record.
const RECORD: usize = 16;

/// `flags` of a skin: it has dual quaternions.
const HAS_DUAL: u32 = 1;
/// `flags` of a skin: it has a first stage.
const HAS_FIRST: u32 = 2;
/// `flags` of a skin: linear blending turns normals by cofactors.
const COFACTORS: u32 = 4;

/// A file that grows: records at the beginning, parts at the end.
struct Bytes(Vec<u8>);

impl Palette {
    /// Returns the binary form.
    ///
    /// # Errors
    /// A message if a number is beyond single precision, or the file would exceed 4 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let records = 1 + self.skins.len() + self.meshes.len();
        let mut out = Bytes(vec![0; 4 * RECORD * records]);
        for (index, skin) in self.skins.iter().enumerate() {
            let record = out.skin(skin)?;
            out.record(1 + index, &record);
        }
        for (index, mesh) in self.meshes.iter().enumerate() {
            let record = out.mesh(mesh)?;
            out.record(1 + self.skins.len() + index, &record);
        }
        out.align();
        let len = word(out.0.len())?;
        let (skins, meshes) = (word(self.skins.len())?, word(self.meshes.len())?);
        let of_meshes = word(4 * RECORD * (1 + self.skins.len()))?;
        let magic = u32::from_le_bytes(MAGIC);
        let of_skins = 4 * RECORD as u32;
        let header = [magic, VERSION, len, skins, of_skins, meshes, of_meshes];
        out.record(0, &header);
        Ok(out.0)
    }
}

/// A count or offset as a word.
fn word(number: usize) -> Result<u32, String> {
    u32::try_from(number).map_err(|_| "the palette would exceed 4 GiB".to_owned())
}

/// A number in single precision.
fn single(number: f64) -> Result<f32, String> {
    let single = number as f32;
    if single.is_finite() {
        Ok(single)
    } else {
        Err(format!("{number:e} is beyond single precision"))
    }
}

impl Bytes {
    /// Writes the words of a record; the others stay zero.
    fn record(&mut self, index: usize, words: &[u32]) {
        let place = &mut self.0[4 * RECORD * index..];
        for (place, word) in place.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn align(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(ALIGNMENT), 0);
    }

    /// Appends numbers and returns their offset.
    fn floats<'n>(&mut self, numbers: impl Iterator<Item = &'n f64>) -> Result<u32, String> {
        self.align();
        let offset = word(self.0.len())?;
        for number in numbers {
            self.0.extend(single(*number)?.to_le_bytes());
        }
        Ok(offset)
    }

    /// Appends joint numbers and returns their offset.
    fn joints(&mut self, joints: &[u16]) -> Result<u32, String> {
        self.align();
        let offset = word(self.0.len())?;
        for joint in joints {
            self.0.extend(u32::from(*joint).to_le_bytes());
        }
        Ok(offset)
    }

    fn matrices(&mut self, matrices: &[Affine]) -> Result<u32, String> {
        self.floats(matrices.iter().flatten().flatten())
    }

    /// Appends text and returns its offset and length.
    fn text(&mut self, text: Option<&str>) -> Result<[u32; 2], String> {
        self.align();
        let text = text.unwrap_or_default();
        let place = [word(self.0.len())?, word(text.len())?];
        self.0.extend(text.bytes());
        Ok(place)
    }

    fn skin(&mut self, skin: &Skin) -> Result<[u32; 10], String> {
        let matrices = self.matrices(&skin.matrices)?;
        let mut flags = 0;
        let (mut duals, mut first) = (0, 0);
        if let Some(list) = &skin.dual_quaternions {
            flags |= HAS_DUAL;
            duals = self.floats(
                list.iter()
                    .flat_map(|dual| dual.real.iter().chain(&dual.dual)),
            )?;
        }
        if let Some(list) = &skin.first_stage {
            flags |= HAS_FIRST;
            first = self.matrices(list)?;
        }
        if skin.normals == Normals::Cofactors {
            flags |= COFACTORS;
        }
        let solver = match skin.solver {
            None => 0,
            Some("lbs") => 1,
            Some(_) => 2,
        };
        let [name, name_len] = self.text(skin.name.as_deref())?;
        let (joints, index) = (word(skin.joints.len())?, word(skin.skin)?);
        Ok([
            index, joints, flags, solver, matrices, duals, first, name, name_len, 0,
        ])
    }

    fn mesh(&mut self, mesh: &Mesh) -> Result<[u32; 12], String> {
        let joints = self.joints(mesh.joints.as_flattened())?;
        let references = self.joints(&mesh.references)?;
        let weights = self.floats(mesh.weights.as_flattened().iter())?;
        self.align();
        let nodes = word(self.0.len())?;
        for node in &mesh.nodes {
            self.0.extend(word(*node)?.to_le_bytes());
        }
        let [name, name_len] = self.text(mesh.name.as_deref())?;
        Ok([
            word(mesh.mesh)?,
            word(mesh.primitive)?,
            word(mesh.skin)?,
            word(mesh.vertices)?,
            word(mesh.sets)?,
            joints,
            weights,
            nodes,
            word(mesh.nodes.len())?,
            name,
            name_len,
            references,
        ])
    }
}
