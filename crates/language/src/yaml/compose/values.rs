//! The nodes of a text, one after another: scalars, aliases, and where collections begin.

use super::super::scalar::{is_text, short_number};
use super::super::tags::{CoreTag, collection_tag, resolve};
use super::super::tree::{Kind, Node, NodeId, target};
use super::super::{Result, malformed};
use super::Composer;
use rigy_base::diag::Span;
use rigy_yaml::{Kind as Written, Problem};

impl<'s> Composer<'_, 's, '_> {
    /// Returns the bytes of a node of the text with its anchor and its tag. An empty value stands at the sign before it.
    #[inline]
    pub fn span(&self, id: u32) -> Span {
        let node = self.text.node(id);
        let (mut start, mut end) = (node.start, node.end);
        if let Some(all) = self.text.properties(id) {
            let written = [&all.anchor, &all.tag]
                .into_iter()
                .filter(|span| !span.is_empty());
            start = written.fold(start, |start, span| start.min(span.start as u32));
        } else if node.kind == Written::Empty {
            let before = &self.text.source().as_bytes()[..start as usize];
            let is_sign = before
                .last()
                .is_some_and(|byte| matches!(byte, b':' | b'-' | b'?'));
            start -= u32::from(is_sign);
            end = start;
        }
        Span::new(start, end)
    }

    /// Takes one node of the text.
    #[inline]
    pub fn value(&mut self, id: u32) -> Result<()> {
        self.check_count()?;
        let (text, span) = (self.text, self.span(id));
        let kind = text.node(id).kind;
        if kind == Written::Alias {
            let (node, size) = self.alias(id, span)?;
            return self.place(node, span, size);
        }
        let properties = text.properties(id);
        let tag = properties.and_then(|all| CoreTag::of(&text.source()[all.tag.clone()]));
        if kind.is_collection() {
            collection_tag(tag, kind.is_map(), span)?;
            return self.open(id, span);
        }
        let written = text.text(id);
        let (is_key, is_bare) = (self.at_key(), properties.is_none());
        let is_plain = matches!(kind, Written::Plain | Written::Empty);
        let len = written.len() + 1;
        if is_key && tag.is_none() && is_plain && &*written == "<<" {
            self.merge_key(span);
            return Ok(());
        }
        self.grow(len, span)?;
        // A key that is not written is a fault of the text, which is told of.
        if is_bare && (!is_plain || is_key && kind == Written::Empty || is_text(&written)) {
            return if is_key {
                self.text_key(written, span, len);
                Ok(())
            } else {
                self.add(Kind::Str(written), span, len)
            };
        }
        // A kind is not copied from where it was put together byte by byte: that takes longer than to read it.
        match short_number(&written) {
            Some(Kind::Float(value)) if is_bare && !is_key => {
                return self.add(Kind::Float(value), span, len);
            }
            Some(Kind::Int(value)) if is_bare && !is_key => {
                return self.add(Kind::Int(value), span, len);
            }
            _ => {}
        }
        let kind = resolve(written, is_plain, tag, span)?;
        let has_anchor = properties.is_some_and(|all| !all.anchor.is_empty());
        if is_key && !has_anchor {
            return self.key(&kind, span, len);
        }
        if has_anchor {
            let node = NodeId(self.tree.nodes.len() as u32);
            self.anchors.insert(id, (node, len));
        }
        self.add(kind, span, len)
    }

    #[inline(always)]
    fn add(&mut self, kind: Kind<'s>, span: Span, len: usize) -> Result<()> {
        let node = self.tree.push(Node { span, kind });
        self.place(node, span, len)
    }

    /// Adds an alias; returns its node and the length in bytes of what it stands for.
    fn alias(&mut self, id: u32, span: Span) -> Result<(NodeId, usize)> {
        let found = self
            .text
            .target(id)
            .and_then(|target| self.anchors.get(&target).copied());
        let Some((node, size)) = found else {
            return Err(malformed(span, Problem::InsideItself.message()));
        };
        self.grow(size, span)?;
        let kind = Kind::Alias(target(&self.tree.nodes, node));
        Ok((self.tree.push(Node { span, kind }), size))
    }
}
