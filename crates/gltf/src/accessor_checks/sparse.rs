//! Checking the sparse values of accessors.

use super::{Buffers, CheckedSparse, Cursor, component_type, range, to_usize};
use crate::element_type::ComponentType;
use crate::problem::Problem;

/// Checks the sparse values of an accessor with `count` elements of `size` bytes.
pub(super) fn sparse(
    at: &Cursor<'_>,
    buffers: &Buffers<'_>,
    count: u64,
    size: u64,
) -> Result<CheckedSparse, Problem> {
    let replaced = at.required_integer("count")?;
    if replaced == 0 || replaced > count {
        return Err(at.rule_in(
            "count",
            format!("{replaced} of {count} elements cannot be replaced"),
        ));
    }
    let indices_at = at.required("indices")?.object()?;
    let index_type = component_type(&indices_at)?;
    if !matches!(
        index_type,
        ComponentType::U8 | ComponentType::U16 | ComponentType::U32
    ) {
        let found = index_type.name();
        return Err(indices_at.rule_in("componentType", format!("indices cannot be {found}")));
    }
    let indices = range(
        &indices_at,
        buffers,
        replaced,
        index_type.size() as u64,
        false,
    )?;
    let values = range(
        &at.required("values")?.object()?,
        buffers,
        replaced,
        size,
        false,
    )?;
    check_indices(
        &indices_at,
        indices.bytes(buffers).unwrap_or(&[]),
        index_type,
        count,
    )?;
    Ok(CheckedSparse {
        count: to_usize(at, replaced)?,
        index_type,
        indices,
        values,
    })
}

/// Checks that the indices of replaced elements ascend strictly and are below `count` (glTF 2.0 §3.6.2.3).
fn check_indices(
    at: &Cursor<'_>,
    bytes: &[u8],
    index_type: ComponentType,
    count: u64,
) -> Result<(), Problem> {
    let mut least = 0;
    for (position, bytes) in bytes.chunks_exact(index_type.size()).enumerate() {
        let index = index_type.index(bytes).map_or(count, u64::from);
        if index < least || index >= count {
            let fault = if index < least {
                "not above the one before".into()
            } else {
                format!("beyond the {count} elements")
            };
            let problem = at.rule(format!("index {position} is {index}, {fault}"));
            return Err(problem.at_byte((position * index_type.size()) as u64));
        }
        least = index + 1;
    }
    Ok(())
}
