//! Where nodes come from that preprocessing has made: the repetition, the param or the macro.

use std::borrow::Cow;

use super::tree::NodeId;
use rigy_base::diag::Span;

/// Values of [`Span::via`] from here on stand for origins; lower ones for aliases, 0 for neither.
const FIRST: u32 = 1 << 31;

/// The origins of the nodes of one tree. A span refers to one by [`Span::via`].
#[derive(Debug, Default)]
pub struct Origins {
    list: Vec<Origin>,
}

#[derive(Debug)]
struct Origin {
    /// The origin of the template, or the alias through which it is reached.
    outer: u32,
    step: Step,
}

/// One step of preprocessing that makes nodes.
#[derive(Debug)]
pub enum Step {
    /// A repetition of a template.
    Repeat {
        /// The name of the index.
        name: String,
        /// The index, from 0.
        index: u64,
        /// The whole repeat.
        at: Span,
    },
    /// The value of a param.
    Param {
        /// The name of the param.
        name: String,
        /// The value.
        at: Span,
    },
    /// A primitive that a macro makes.
    Macro {
        /// The id of the primitive.
        id: String,
        /// The whole macro.
        at: Span,
    },
}

impl Origins {
    /// Adds an origin below `outer`, which is the [`Span::via`] of the template; returns its number.
    pub fn add(&mut self, outer: u32, step: Step) -> u32 {
        let index = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(Origin { outer, step });
        FIRST.saturating_add(index)
    }

    /// Returns the steps that made the node of a span, the last one first.
    pub fn steps(&self, span: Span) -> impl Iterator<Item = &Step> {
        let mut via = span.via;
        std::iter::from_fn(move || {
            let origin = self.list.get(via.checked_sub(FIRST)? as usize)?;
            via = origin.outer;
            Some(&origin.step)
        })
    }

    /// Returns the same span as it stands in the source: reached through an alias, or as it is.
    pub fn source(&self, span: Span) -> Span {
        let mut via = span.via;
        while let Some(index) = via.checked_sub(FIRST) {
            via = self.list.get(index as usize).map_or(0, |o| o.outer);
        }
        Span { via, ..span }
    }

    /// Returns true if the value at a span is that of a param.
    pub fn is_param(&self, span: Span) -> bool {
        matches!(self.steps(span).next(), Some(Step::Param { .. }))
    }

    /// Returns true if the node of a span is in a repetition.
    pub fn is_from_repeat(&self, span: Span) -> bool {
        matches!(self.steps(span).next(), Some(Step::Repeat { .. }))
    }

    /// Returns true if a macro made the node of a span.
    pub fn is_from_macro(&self, span: Span) -> bool {
        self.steps(span)
            .any(|step| matches!(step, Step::Macro { .. }))
    }

    /// Returns a sentence that says how the node of a span was made; `None` if it stands in the text.
    pub fn describe(&self, span: Span, line: impl Fn(Span) -> u32) -> Option<String> {
        let said: Vec<Cow<'_, str>> = self
            .steps(span)
            .map(|step| match step {
                Step::Repeat { name, index, at } => {
                    format!("in the repeat of line {} with {name} = {index}", line(*at)).into()
                }
                Step::Param { name, at } => {
                    format!("the value is that of param `{name}`, line {}", line(*at)).into()
                }
                Step::Macro { id, at } => {
                    format!("in the primitive `{id}` of the macro of line {}", line(*at)).into()
                }
            })
            .collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// Returns the number by which a span says that its bytes are reached through an alias.
pub fn through_alias(alias: NodeId) -> u32 {
    alias.0 + 1
}
