//! Reading the elements of an accessor in place.

use super::element_type::{ComponentType, ElementType};

/// A list of elements in the bytes of a file, which are decoded when they are read. An element has 1 to 16 components;
/// all of them are zero if the accessor has no buffer view and no sparse value for the element. The lengths of its parts have
/// been checked against each other.
#[derive(Clone, Copy, Debug)]
pub struct Accessor<'a> {
    pub(super) count: usize,
    pub(super) component: ComponentType,
    pub(super) element: ElementType,
    pub(super) normalized: bool,
    pub(super) base: Option<Base<'a>>,
    pub(super) sparse: Option<Sparse<'a>>,
}

/// The elements of an accessor's buffer view.
#[derive(Clone, Copy, Debug)]
pub struct Base<'a> {
    /// The bytes from the start of the first element to the end of the last.
    pub bytes: &'a [u8],
    /// Distance from one element to the next in bytes, at least the size of an element.
    pub stride: usize,
}

/// The sparse values of an accessor, which replace some of its elements.
#[derive(Clone, Copy, Debug)]
pub struct Sparse<'a> {
    /// Number of elements that are replaced.
    pub count: usize,
    /// Type of the indices: `u8`, `u16` or `u32`.
    pub index_type: ComponentType,
    /// Indices of the replaced elements, tightly packed and strictly ascending.
    pub indices: &'a [u8],
    /// The replacing elements, tightly packed.
    pub values: &'a [u8],
}

impl Sparse<'_> {
    /// The index of the element that replacement number `at` replaces.
    pub fn index(&self, at: usize) -> usize {
        let bytes = &self.indices[at * self.index_type.size()..];
        self.index_type
            .index(bytes)
            .map_or(usize::MAX, |index| index as usize)
    }

    /// The number of the first replacement of an element at or after `index`; `count` if there is none.
    pub fn first_from(&self, index: usize) -> usize {
        let mut low = 0;
        let mut high = self.count;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.index(middle) < index {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

impl<'a> Accessor<'a> {
    /// Returns the number of elements, at least 1.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the type in which components are stored.
    pub fn component_type(&self) -> ComponentType {
        self.component
    }

    /// Returns the type of the elements.
    pub fn element_type(&self) -> ElementType {
        self.element
    }

    /// True if integers are fractions of their largest value (`bake.md` §1).
    pub fn is_normalized(&self) -> bool {
        self.normalized
    }

    /// Returns the same elements, whose integers stand for themselves.
    pub fn unnormalized(self) -> Self {
        Self {
            normalized: false,
            ..self
        }
    }

    /// Returns the number of components of an element: 1 to 16.
    pub fn component_count(&self) -> usize {
        self.element.component_count()
    }

    /// Returns the bytes of element `index`, which must be below [`count`](Self::count); their number is
    /// [`ElementType::size`]. `None` if the element is zero because the file has no bytes for it.
    pub fn bytes(&self, index: usize) -> Option<&'a [u8]> {
        let size = self.element.size(self.component);
        if let Some(sparse) = &self.sparse {
            let at = sparse.first_from(index);
            if at < sparse.count && sparse.index(at) == index {
                return Some(&sparse.values[at * size..(at + 1) * size]);
            }
        }
        let base = self.base?;
        let begin = index * base.stride;
        Some(&base.bytes[begin..begin + size])
    }

    /// The offset of a component in the bytes of an element.
    fn component_offset(&self, component: usize) -> usize {
        let (_, rows) = self.element.shape();
        component / rows * self.element.column_len(self.component)
            + component % rows * self.component.size()
    }

    /// Returns component `component` of element `index` as a number; matrices are stored column by column. Both must be
    /// within [`component_count`](Self::component_count) and [`count`](Self::count). The number is not finite if the
    /// float in the file is not.
    pub fn real(&self, index: usize, component: usize) -> f64 {
        let offset = self.component_offset(component);
        let bytes = self.bytes(index);
        bytes.map_or(0.0, |bytes| {
            self.component.real(&bytes[offset..], self.normalized)
        })
    }

    /// Returns component `component` of element `index` as an index, with the same bounds; `None` for signed integers
    /// and floats.
    pub fn integer(&self, index: usize, component: usize) -> Option<u32> {
        let offset = self.component_offset(component);
        match self.bytes(index) {
            Some(bytes) => self.component.index(&bytes[offset..]),
            None => self.component.index(&[0; 4]),
        }
    }

    /// Returns the first `N` components of element `index`; those that elements of this type do not have are 0.
    pub fn reals<const N: usize>(&self, index: usize) -> [f64; N] {
        self.bytes(index)
            .map_or([0.0; N], |bytes| self.decoded(bytes))
    }

    /// Decodes the first `N` components of an element from its bytes.
    #[inline]
    pub(super) fn decoded<const N: usize>(&self, bytes: &[u8]) -> [f64; N] {
        let mut values = [0.0; N];
        let columns = bytes.chunks(self.element.column_len(self.component));
        let (count, rows) = self.element.shape();
        let size = self.component.size();
        let components = columns
            .take(count)
            .flat_map(|column| column.chunks_exact(size).take(rows));
        for (value, bytes) in values.iter_mut().zip(components) {
            *value = self.component.real(bytes, self.normalized);
        }
        values
    }

    /// Returns the first `N` components of every element, in order.
    pub fn iter<const N: usize>(&self) -> impl ExactSizeIterator<Item = [f64; N]> {
        let accessor = *self;
        (0..self.count).map(move |index| accessor.reals(index))
    }

    /// Reads the first `N` components of the elements from `first` on, as many as `out` holds; there must be that many.
    pub fn copy<const N: usize>(&self, first: usize, out: &mut [[f64; N]]) {
        if self.has_floats::<N>() {
            self.copy_with(first, out, 4 * N, wide_floats)
        } else {
            self.copy_with(first, out, usize::MAX, |bytes| self.decoded(bytes))
        }
    }

    /// True if the elements are vectors of `N` floats.
    pub(super) fn has_floats<const N: usize>(&self) -> bool {
        self.component == ComponentType::F32 && self.element.shape() == (1, N)
    }

    /// Reads elements from `first` on that are vectors of `N` floats, as [`copy`](Self::copy) does but without
    /// converting them. Returns `false`, and copies nothing, if the elements are of another type.
    #[must_use]
    pub fn copy_f32<const N: usize>(&self, first: usize, out: &mut [[f32; N]]) -> bool {
        let vectors = self.has_floats::<N>();
        if vectors {
            self.copy_with(first, out, 4 * N, floats::<N>);
        }
        vectors
    }

    /// True if the elements are vectors of `N` unsigned integers.
    pub fn has_unsigned<const N: usize>(&self) -> bool {
        let is_vector = self.element.shape() == (1, N);
        is_vector && self.component.index(&[0; 4]).is_some()
    }

    /// Reads elements from `first` on as integers, as many as `out` holds; there must be that many. All are zero unless
    /// the elements are vectors of `N` components of `u8` or `u16`.
    pub fn copy_u16<T: Copy + Default + From<u16>, const N: usize>(
        &self,
        first: usize,
        out: &mut [[T; N]],
    ) {
        let is_vector = self.element.shape() == (1, N);
        match self.component {
            ComponentType::U8 if is_vector => self.copy_with(first, out, N, |bytes| {
                let bytes = &bytes[..N];
                std::array::from_fn(|at| u16::from(bytes[at]).into())
            }),
            ComponentType::U16 if is_vector => self.copy_with(first, out, 2 * N, |bytes| {
                let (pairs, _) = bytes[..2 * N].as_chunks();
                std::array::from_fn(|at| u16::from_le_bytes(pairs[at]).into())
            }),
            _ => out.fill([T::default(); N]),
        }
    }

    /// Reads elements from `first` on as [`copy_u16`](Self::copy_u16) does, those of `u32` too.
    pub fn copy_u32<const N: usize>(&self, first: usize, out: &mut [[u32; N]]) {
        if self.component == ComponentType::U32 && self.element.shape() == (1, N) {
            return self.copy_with(first, out, 4 * N, |bytes| {
                let (words, _) = bytes[..4 * N].as_chunks();
                std::array::from_fn(|at| u32::from_le_bytes(words[at]))
            });
        }
        self.copy_u16(first, out);
    }

    /// Fills `out` with the results of `decode` for the elements from `first` on: first those of the buffer view, then
    /// the sparse ones. Elements that are `packed_len` bytes apart are read by a loop in which that is a constant,
    /// which is twice as fast.
    #[inline]
    fn copy_with<T: Copy + Default, const N: usize>(
        &self,
        first: usize,
        out: &mut [[T; N]],
        packed_len: usize,
        decode: impl Fn(&[u8]) -> [T; N],
    ) {
        let size = self.element.size(self.component);
        match &self.base {
            None => out.fill([T::default(); N]),
            Some(base) => {
                let bytes = base.bytes.get(first * base.stride..).unwrap_or(&[]);
                if base.stride == packed_len {
                    let elements = bytes.chunks_exact(packed_len);
                    out.iter_mut()
                        .zip(elements)
                        .for_each(|(out, bytes)| *out = decode(bytes));
                } else {
                    // Each chunk begins with an element; the last chunk ends with its element.
                    let elements = bytes.chunks(base.stride);
                    out.iter_mut()
                        .zip(elements)
                        .for_each(|(out, bytes)| *out = decode(bytes));
                }
            }
        }
        let Some(sparse) = &self.sparse else { return };
        for at in sparse.first_from(first)..sparse.count {
            let Some(out) = out.get_mut(sparse.index(at) - first) else {
                break;
            };
            *out = decode(&sparse.values[at * size..(at + 1) * size]);
        }
    }
}

/// Decodes `N` floats.
#[inline(always)]
fn floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let mut floats = [0.0; N];
    let (words, _) = bytes[..4 * N].as_chunks();
    for (float, word) in floats.iter_mut().zip(words) {
        *float = f32::from_le_bytes(*word);
    }
    floats
}

/// Decodes `N` floats as f64. The loop is needed for speed: `map` on the array is not always inlined and then takes
/// four times as long.
#[inline(always)]
pub fn wide_floats<const N: usize>(bytes: &[u8]) -> [f64; N] {
    let mut wide = [0.0; N];
    for (wide, float) in wide.iter_mut().zip(floats::<N>(bytes)) {
        *wide = f64::from(float);
    }
    wide
}

#[cfg(test)]
mod tests;
