//! Reading the elements of an accessor where they lie.

use super::element::{ComponentType, ElementType};

/// A list of elements in the bytes of a file: nothing is copied until it is read, and every element that exists can
/// be read. An element is 1 to 16 components; all are zero where the file has neither a buffer view nor a
/// replacement for it.
#[derive(Clone, Copy, Debug)]
pub struct Accessor<'a> {
    count: usize,
    component: ComponentType,
    element: ElementType,
    normalized: bool,
    base: Option<Base<'a>>,
    sparse: Option<Sparse<'a>>,
}

/// Elements at regular distances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base<'a> {
    /// From the start of the first element to the end of the last.
    pub bytes: &'a [u8],
    /// Bytes from one element to the next, at least the size of one.
    pub stride: usize,
}

/// Replacements of some elements, tightly packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sparse<'a> {
    pub count: usize,
    /// `u8`, `u16` or `u32`.
    pub index_type: ComponentType,
    /// Strictly ascending.
    pub indices: &'a [u8],
    pub values: &'a [u8],
}

impl Sparse<'_> {
    /// The index of the element that replacement `at` replaces.
    fn index(&self, at: usize) -> usize {
        let bytes = &self.indices[at * self.index_type.size()..];
        self.index_type
            .index(bytes)
            .map_or(usize::MAX, |index| index as usize)
    }

    /// The first replacement of an element at or after `index`.
    fn first_from(&self, index: usize) -> usize {
        let (mut low, mut high) = (0, self.count);
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
    /// From parts whose lengths have been checked against each other.
    pub(super) fn new(
        count: usize,
        component: ComponentType,
        element: ElementType,
        normalized: bool,
        base: Option<Base<'a>>,
        sparse: Option<Sparse<'a>>,
    ) -> Self {
        Self {
            count,
            component,
            element,
            normalized,
            base,
            sparse,
        }
    }

    /// Number of elements, at least one.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How components are stored.
    pub fn component_type(&self) -> ComponentType {
        self.component
    }

    /// What the elements are.
    pub fn element_type(&self) -> ElementType {
        self.element
    }

    /// Whether integers stand for fractions (`bake.md` §1).
    pub fn is_normalized(&self) -> bool {
        self.normalized
    }

    /// Components of an element: 1 to 16.
    pub fn component_count(&self) -> usize {
        self.element.component_count()
    }

    /// The bytes of element `index`, which must be below [`count`](Self::count): as many as
    /// [`ElementType::size`] says. `None` if all are zero because the file has none.
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

    /// Where component `component` is in an element's bytes.
    fn component_offset(&self, component: usize) -> usize {
        let (_, rows) = self.element.shape();
        component / rows * self.element.column_len(self.component)
            + component % rows * self.component.size()
    }

    /// Component `component` of element `index` as a number; matrices column by column. Both must be within
    /// [`component_count`](Self::component_count) and [`count`](Self::count). Not finite where the file has such a
    /// float.
    pub fn real(&self, index: usize, component: usize) -> f64 {
        let offset = self.component_offset(component);
        let bytes = self.bytes(index);
        bytes.map_or(0.0, |bytes| {
            self.component.real(&bytes[offset..], self.normalized)
        })
    }

    /// Component `component` of element `index` as an index, with the same bounds; `None` for signed integers and
    /// floats.
    pub fn integer(&self, index: usize, component: usize) -> Option<u32> {
        let offset = self.component_offset(component);
        match self.bytes(index) {
            Some(bytes) => self.component.index(&bytes[offset..]),
            None => self.component.index(&[0; 4]),
        }
    }

    /// The first `N` components of element `index`; zeros for those beyond what an element has.
    pub fn reals<const N: usize>(&self, index: usize) -> [f64; N] {
        self.bytes(index)
            .map_or([0.0; N], |bytes| self.decoded(bytes))
    }

    fn decoded<const N: usize>(&self, bytes: &[u8]) -> [f64; N] {
        let mut values = [0.0; N];
        for (at, value) in values.iter_mut().enumerate().take(self.component_count()) {
            *value = self
                .component
                .real(&bytes[self.component_offset(at)..], self.normalized);
        }
        values
    }

    /// The first `N` components of every element, in order.
    pub fn iter<const N: usize>(&self) -> impl ExactSizeIterator<Item = [f64; N]> {
        let accessor = *self;
        (0..self.count).map(move |index| accessor.reals(index))
    }

    /// The first `N` components of the elements from `first` on, as many as `out` holds; there must be that many.
    pub fn copy<const N: usize>(&self, first: usize, out: &mut [[f64; N]]) {
        let vectors = self.component == ComponentType::F32 && self.element.shape() == (1, N);
        self.copy_with(first, out, [0.0; N], |bytes| match vectors {
            true => floats::<N>(bytes).map(f64::from),
            false => self.decoded(bytes),
        });
    }

    /// The same for vectors of `N` floats, without converting them. `false`, and nothing is copied, if the elements
    /// are no such vectors.
    #[must_use]
    pub fn copy_f32<const N: usize>(&self, first: usize, out: &mut [[f32; N]]) -> bool {
        let vectors = self.component == ComponentType::F32 && self.element.shape() == (1, N);
        if vectors {
            self.copy_with(first, out, [0.0; N], floats::<N>);
        }
        vectors
    }

    /// Fills `out` with what `decode` makes of elements from `first` on: base values first, then replacements.
    fn copy_with<T: Copy>(
        &self,
        first: usize,
        out: &mut [T],
        zero: T,
        decode: impl Fn(&[u8]) -> T,
    ) {
        let size = self.element.size(self.component);
        match &self.base {
            None => out.fill(zero),
            Some(base) => {
                let bytes = base.bytes.get(first * base.stride..).unwrap_or(&[]);
                let elements = bytes
                    .chunks(base.stride)
                    .filter(|chunk| chunk.len() >= size);
                out.iter_mut()
                    .zip(elements)
                    .for_each(|(out, bytes)| *out = decode(bytes));
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

    /// Element and component of the first float that is infinite or no number; `None` at once for integers.
    pub fn first_non_finite(&self) -> Option<(usize, usize)> {
        if self.component != ComponentType::F32 {
            return None;
        }
        let components = 0..self.component_count();
        let in_element = |index: usize| {
            let mut bad = components
                .clone()
                .filter(|at| !self.real(index, *at).is_finite());
            bad.next().map(|component| (index, component))
        };
        (0..self.count).find_map(in_element)
    }
}

/// The first `N` floats of some bytes.
#[inline]
fn floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    std::array::from_fn(|at| {
        f32::from_le_bytes([
            bytes[4 * at],
            bytes[4 * at + 1],
            bytes[4 * at + 2],
            bytes[4 * at + 3],
        ])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accessor<'a>(
        component: ComponentType,
        element: ElementType,
        count: usize,
        bytes: &'a [u8],
        stride: usize,
    ) -> Accessor<'a> {
        Accessor::new(
            count,
            component,
            element,
            true,
            Some(Base { bytes, stride }),
            None,
        )
    }

    #[test]
    fn integers_become_reals() {
        let bytes = [0x80, 0x81, 0x7f, 0xff];
        let all = |component| {
            let size = ComponentType::size(component);
            accessor(component, ElementType::Scalar, 4 / size, &bytes, size)
                .iter::<1>()
                .flatten()
                .collect::<Vec<f64>>()
        };
        assert_eq!(all(ComponentType::I8), [-1.0, -1.0, 1.0, -1.0 / 127.0]);
        assert_eq!(
            all(ComponentType::U8),
            [128.0 / 255.0, 129.0 / 255.0, 127.0 / 255.0, 1.0]
        );
        assert_eq!(
            all(ComponentType::I16),
            [f64::from(-32384) / 32767.0, -129.0 / 32767.0]
        );
        assert_eq!(
            all(ComponentType::U16),
            [f64::from(0x8180) / 65535.0, f64::from(0xff7f) / 65535.0]
        );
    }

    #[test]
    fn columns_of_small_matrices_are_padded() {
        // MAT3 of u8: columns of 3 bytes, 4 apart.
        let bytes = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0];
        let matrix = accessor(ComponentType::U8, ElementType::Mat3, 1, &bytes, 12);
        let components: Vec<_> = (0..9).map(|c| matrix.integer(0, c).unwrap()).collect();
        assert_eq!(components, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for (component, kind, size) in [
            (ComponentType::U8, ElementType::Mat2, 8),
            (ComponentType::I16, ElementType::Mat3, 24),
            (ComponentType::U16, ElementType::Mat2, 8),
            (ComponentType::F32, ElementType::Mat4, 64),
            (ComponentType::U8, ElementType::Vec3, 3),
        ] {
            assert_eq!(kind.size(component), size, "{kind:?} {component:?}");
        }
    }

    #[test]
    fn strides_and_replacements_are_followed() {
        let floats = [1.0f32, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0, 9.0, 7.0, 8.0, 9.0];
        let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
        let values: Vec<u8> = [-1.0f32, -2.0, f32::NAN]
            .iter()
            .flat_map(|f| f.to_le_bytes())
            .collect();
        let base = Base {
            bytes: &bytes,
            stride: 16,
        };
        let sparse = Sparse {
            count: 1,
            index_type: ComponentType::U16,
            indices: &[1, 0],
            values: &values,
        };
        let of = |base, sparse| {
            Accessor::new(
                3,
                ComponentType::F32,
                ElementType::Vec3,
                false,
                base,
                sparse,
            )
        };
        let plain = of(Some(base), None);
        assert_eq!(
            plain.iter::<3>().collect::<Vec<_>>(),
            [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]
        );
        assert_eq!(plain.first_non_finite(), None);
        let both = of(Some(base), Some(sparse));
        assert_eq!(both.first_non_finite(), Some((1, 2)));
        let zeros = of(None, Some(sparse));
        assert_eq!(zeros.reals::<2>(1), [-1.0, -2.0]);
        for accessor in [plain, both, zeros] {
            for first in 0..3 {
                let mut out = vec![[0.5; 3]; 3 - first];
                accessor.copy(first, &mut out);
                let mut singles = vec![[0.5; 3]; 3 - first];
                assert!(accessor.copy_f32(first, &mut singles));
                for (at, out) in out.iter().enumerate() {
                    let expected = accessor.reals::<3>(first + at).map(f64::to_bits);
                    assert_eq!(out.map(f64::to_bits), expected);
                    assert_eq!(singles[at].map(|f| f64::from(f).to_bits()), expected);
                }
            }
        }
        assert!(!plain.copy_f32::<4>(0, &mut [[0.0; 4]; 1]));
    }
}
