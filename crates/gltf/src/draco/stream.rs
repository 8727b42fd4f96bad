//! One stream of Draco data: a mesh whose attributes and faces are read in the types that accessors have.
//!
//! In: compressed bytes. Out: elements as a file without compression has them. Values are those that Google's decoder gives when
//! it is asked for an accessor's component type: integers as they are, integers as floats divided by their largest value if the
//! attribute is normalized.

use std::panic::{AssertUnwindSafe, catch_unwind};

use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex,
};

use crate::element_type::{ComponentType, ElementType};

/// True if this machine stores the lowest byte of a number first. The decoder reads some numbers as the machine stores them, so that
/// elsewhere it gives other values than those that are compressed.
const CAN_DECODE: bool = cfg!(target_endian = "little");

/// Bytes that the decoder holds for a face: its three corners.
const FACE_LEN: u64 = 12;

/// A decoded stream.
pub struct Stream {
    mesh: Mesh,
}

impl Stream {
    /// Decodes a stream to at most `most` bytes.
    ///
    /// # Errors
    /// A message about the data, or about this machine. The decoder returns errors for all malformed data that its authors know of;
    /// a panic of it is an error, too, since it would be one of another's code on data that nobody here can check first.
    pub fn decode(data: &[u8], most: u64) -> Result<Self, String> {
        if !CAN_DECODE {
            return Err(
                "Draco data can be decoded only by machines that store the lowest byte of a number first"
                    .into(),
            );
        }
        let limits = DecodeLimits::default()
            .with_max_faces(most / FACE_LEN)
            .with_max_decoded_bytes(most);
        let decode = || {
            let mut mesh = Mesh::new();
            let mut buffer = DecoderBuffer::new(data).with_limits(limits);
            MeshDecoder::new().decode(&mut buffer, &mut mesh)?;
            Ok::<_, draco_core::DracoError>(mesh)
        };
        match catch_unwind(AssertUnwindSafe(decode)) {
            Ok(Ok(mesh)) => Ok(Self { mesh }),
            Ok(Err(error)) => Err(format!("the Draco data cannot be decoded: {error}")),
            Err(_) => Err("the Draco data make their decoder fail".into()),
        }
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> u64 {
        self.mesh.num_points() as u64
    }

    /// Returns the number of vertex indices: three for each triangle.
    pub fn index_count(&self) -> u64 {
        3 * self.mesh.num_faces() as u64
    }

    /// Returns how many bytes the decoder has filled.
    pub fn len(&self) -> u64 {
        let attributes = (0..self.mesh.num_attributes())
            .map(|index| self.mesh.attribute(index).buffer().data_size() as u64);
        let faces = FACE_LEN.saturating_mul(self.mesh.num_faces() as u64);
        attributes.fold(faces, u64::saturating_add)
    }

    /// Returns the vertex indices in a type.
    ///
    /// # Errors
    /// A message about the first index that the type cannot hold.
    pub fn indices(&self, component: ComponentType) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::with_capacity(self.index_count() as usize * component.size());
        for index in self.mesh.faces().iter().flatten() {
            write_integer(index.0.into(), component, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// Returns the values of the attribute with a unique id, for each vertex those of an element of these types, `stride` bytes
    /// apart.
    ///
    /// # Errors
    /// A message, if there is no such attribute, if its values are no elements of these types, or if one is not a number:
    /// machines choose the bits of such a result.
    pub fn attribute(
        &self,
        id: u32,
        (component, element): (ComponentType, ElementType),
        stride: usize,
    ) -> Result<Vec<u8>, String> {
        let attribute = self
            .mesh
            .attribute_by_unique_id(id)
            .ok_or_else(|| format!("the Draco data have no attribute with id {id}"))?;
        let has = usize::from(attribute.num_components());
        let needs = element.component_count();
        if has != needs || element.shape().0 != 1 {
            let name = element.name();
            return Err(format!(
                "the Draco attribute with id {id} has {has} components, the accessor's type is {name}"
            ));
        }
        let count = self.mesh.num_points();
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(count * stride)
            .map_err(|_| "the decoded values do not fit this machine's memory")?;
        for vertex in 0..count {
            let value = value(attribute, vertex)
                .ok_or_else(|| format!("the Draco attribute with id {id} lacks vertex {vertex}"))?;
            write_element(attribute, value, component, &mut bytes)?;
            bytes.resize((vertex + 1) * stride, 0);
            let decoded = &bytes[vertex * stride..];
            if component == ComponentType::F32 && has_undefined(decoded) {
                return Err(format!(
                    "the Draco attribute with id {id} is not a number at vertex {vertex}"
                ));
            }
        }
        Ok(bytes)
    }
}

/// The bytes of an attribute's value for a vertex; `None` if it has none.
fn value(attribute: &PointAttribute, vertex: usize) -> Option<&[u8]> {
    let index = attribute.mapped_index(PointIndex(u32::try_from(vertex).ok()?));
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let begin = usize::try_from(index.0).ok()?.checked_mul(stride)?;
    attribute
        .buffer()
        .data()
        .get(begin..begin.checked_add(stride)?)
}

/// True if one of these f32 is not a number.
fn has_undefined(floats: &[u8]) -> bool {
    let (words, _) = floats.as_chunks();
    words.iter().any(|word| f32::from_le_bytes(*word).is_nan())
}

/// Appends the components of a value, converted to a type.
fn write_element(
    attribute: &PointAttribute,
    value: &[u8],
    component: ComponentType,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let from = attribute.data_type();
    if same_type(from) == Some(component) {
        out.extend_from_slice(value);
        return Ok(());
    }
    let size = from.byte_length().max(1);
    for bytes in value.chunks_exact(size) {
        let Some(integer) = integer(from, bytes) else {
            let to = component.name();
            return Err(format!(
                "Draco values of type {from:?} cannot be stored as {to}"
            ));
        };
        match component {
            ComponentType::F32 if attribute.normalized() => {
                let largest = largest(from);
                out.extend_from_slice(&(integer as f32 / largest as f32).to_le_bytes());
            }
            ComponentType::F32 => out.extend_from_slice(&(integer as f32).to_le_bytes()),
            _ => write_integer(integer, component, out)?,
        }
    }
    Ok(())
}

/// The component type that has the same bytes as a type of Draco.
fn same_type(from: DataType) -> Option<ComponentType> {
    Some(match from {
        DataType::Int8 => ComponentType::I8,
        DataType::Uint8 => ComponentType::U8,
        DataType::Int16 => ComponentType::I16,
        DataType::Uint16 => ComponentType::U16,
        DataType::Uint32 => ComponentType::U32,
        DataType::Float32 => ComponentType::F32,
        _ => return None,
    })
}

/// An integer of a type of Draco from its bytes; `None` if the type is not one of integers of up to 32 bits.
fn integer(from: DataType, bytes: &[u8]) -> Option<i64> {
    Some(match (from, bytes) {
        (DataType::Int8, &[a]) => (a as i8).into(),
        (DataType::Uint8, &[a]) => a.into(),
        (DataType::Int16, &[a, b]) => i16::from_le_bytes([a, b]).into(),
        (DataType::Uint16, &[a, b]) => u16::from_le_bytes([a, b]).into(),
        (DataType::Int32, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]).into(),
        (DataType::Uint32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]).into(),
        _ => return None,
    })
}

/// The largest integer of a type of Draco of up to 32 bits.
fn largest(from: DataType) -> i64 {
    match from {
        DataType::Int8 => i8::MAX.into(),
        DataType::Uint8 => u8::MAX.into(),
        DataType::Int16 => i16::MAX.into(),
        DataType::Uint16 => u16::MAX.into(),
        DataType::Int32 => i32::MAX.into(),
        _ => u32::MAX.into(),
    }
}

/// Appends an integer in a component type; fails if the type cannot hold it.
fn write_integer(integer: i64, component: ComponentType, out: &mut Vec<u8>) -> Result<(), String> {
    let too_large = |_| {
        format!(
            "the Draco data have {integer}, which is beyond {}",
            component.name()
        )
    };
    match component {
        ComponentType::I8 => out.push(i8::try_from(integer).map_err(too_large)? as u8),
        ComponentType::U8 => out.push(u8::try_from(integer).map_err(too_large)?),
        ComponentType::I16 => {
            out.extend_from_slice(&i16::try_from(integer).map_err(too_large)?.to_le_bytes());
        }
        ComponentType::U16 => {
            out.extend_from_slice(&u16::try_from(integer).map_err(too_large)?.to_le_bytes());
        }
        ComponentType::U32 => {
            out.extend_from_slice(&u32::try_from(integer).map_err(too_large)?.to_le_bytes());
        }
        ComponentType::F32 => return Err("vertex indices cannot be floats".into()),
    }
    Ok(())
}
