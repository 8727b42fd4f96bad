//! The accessors and buffer views of the input that a baked file keeps.

use super::references::{Reference, for_each_reference};
use rigy_gltf::File;
use rigy_gltf::json::Value;

/// The parts of the input's data that the edited JSON still refers to.
pub(super) struct Kept {
    /// For each accessor of the input, its index in the output; `None` if nothing refers to it.
    pub accessor_indices: Vec<Option<usize>>,
    /// For each buffer view of the input, true if it must be kept as a whole because something other than the elements
    /// of an accessor refers to it: an image, an extension or a sparse accessor.
    pub is_whole_view: Vec<bool>,
}

impl Kept {
    /// Collects the references of an edited tree, which are still the indices of the input, and `of_data`, those of the
    /// extensions of accessors and buffer views of the input.
    pub fn new(file: &File<'_>, tree: &mut Value<'_>, of_data: &[(Reference, usize)]) -> Self {
        let mut is_used = vec![false; file.accessor_count()];
        let mut is_whole_view = vec![false; file.view_count()];
        let mut mark = |reference, index: usize| {
            let marks = match reference {
                Reference::Accessor | Reference::PerhapsAccessor => &mut is_used,
                Reference::View | Reference::PerhapsView => &mut is_whole_view,
            };
            if let Some(mark) = marks.get_mut(index) {
                *mark = true;
            }
        };
        for_each_reference(tree, &mut |reference, value| {
            if let Some(index) = value.as_index() {
                mark(reference, index);
            }
        });
        for (reference, index) in of_data {
            mark(*reference, *index);
        }
        for (accessor, is_used) in file.tree.list("accessors").iter().zip(&is_used) {
            let sparse = accessor.get("sparse").filter(|_| *is_used);
            for part in ["indices", "values"] {
                let part = sparse.and_then(|sparse| sparse.get(part));
                let view = part.and_then(|part| part.get("bufferView")?.as_index());
                if let Some(mark) = view.and_then(|view| is_whole_view.get_mut(view)) {
                    *mark = true;
                }
            }
        }
        let mut next = 0..;
        let indices = is_used
            .iter()
            .map(|used| used.then(|| next.next()).flatten());
        Self {
            accessor_indices: indices.collect(),
            is_whole_view,
        }
    }

    /// Returns the JSON of the accessors that are kept, unchanged, in the order of the input.
    pub fn accessors_of<'a>(&self, file: &File<'a>) -> Vec<Value<'a>> {
        let accessors = file.tree.list("accessors");
        let pairs = accessors.iter().zip(&self.accessor_indices);
        pairs
            .filter(|(_, index)| index.is_some())
            .map(|(accessor, _)| accessor.clone())
            .collect()
    }
}
