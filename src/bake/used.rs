//! Which accessors and buffer views of the input a baked file still refers to.

use super::references::{Reference, for_each_reference};
use crate::bake::gltf::File;
use crate::bake::gltf::json::Value;

/// What of the input is still referred to.
pub(super) struct Used {
    /// New numbers of accessors.
    pub numbers: Vec<Option<usize>>,
    /// Views that something but elements of an accessor is read from.
    pub whole: Vec<bool>,
}

impl Used {
    /// What an edited tree, in which references have their old numbers, refers to.
    pub fn new(file: &File<'_>, tree: &mut Value<'_>) -> Self {
        let mut used = vec![false; file.accessor_count()];
        let mut whole = vec![false; file.view_count()];
        for_each_reference(tree, &mut |reference, value| {
            let Some(index) = value.as_u64() else { return };
            let marks = match reference {
                Reference::Accessor | Reference::PerhapsAccessor => &mut used,
                Reference::View | Reference::PerhapsView => &mut whole,
            };
            if let Some(mark) = marks.get_mut(index as usize) {
                *mark = true;
            }
        });
        for (accessor, used) in tree.list("accessors").iter().zip(&used) {
            let sparse = accessor.get("sparse").filter(|_| *used);
            for part in ["indices", "values"] {
                let part = sparse.and_then(|sparse| sparse.get(part));
                let view = part.and_then(|part| part.get("bufferView")?.as_u64());
                if let Some(mark) = view.and_then(|view| whole.get_mut(view as usize)) {
                    *mark = true;
                }
            }
        }
        let mut next = 0..;
        let numbers = used.iter().map(|used| used.then(|| next.next()).flatten());
        Self {
            numbers: numbers.collect(),
            whole,
        }
    }

    /// The accessors that are still used, as they were.
    pub fn accessors_of<'a>(&self, tree: &Value<'a>) -> Vec<Value<'a>> {
        let accessors = tree.list("accessors");
        let used = accessors.iter().zip(&self.numbers);
        used.filter(|(_, number)| number.is_some())
            .map(|(accessor, _)| accessor.clone())
            .collect()
    }
}
