//! Contracts (`language.md` §4.2) and scenes (`extensions.md` §12.1).

use super::{Anchors, Import};
use crate::parse::coerce::text;
use crate::parse::distance::distance;
use crate::parse::record::{checked, entries, index, only};
use crate::parse::{Object, Reader, Value, record};
use crate::schema::names::NameKind;
use crate::schema::{ANCHORS, Form, Rule};
use crate::yaml::NodeId;
use rigy_base::diag::{Code, Diagnostic, Span, Spanned, Text};

record! {
    /// A Rigy contract: the anchors that a document has to have.
    ///
    /// `language.md` §4.2.
    pub struct Contract: CONTRACT("contract", "contract") {
        /// Any text.
        contract_version: () = required(Form::Text, checked::<String>),
        /// The anchors that the document has to have.
        required_anchors: Vec<Text> = optional.refers(NameKind::Anchor),
        /// The names that `frame3_sets` has to have.
        required_frame3_sets: Vec<Text> = optional.refers(NameKind::Frame),
        /// Three anchors each, by name, such as `slots.top`.
        frame3_sets: Vec<(Text, Anchors)> = optional(
            Form::Map(&ANCHORS),
            entries("names to three anchors", |r, set, anchors| Some((set, Anchors::read(r, anchors)?)))
        ).keys_define(NameKind::Frame).refers(NameKind::Anchor),
    }
}

impl Contract {
    /// Returns the number of anchors and frame sets that it requires.
    pub fn requirement_count(&self) -> usize {
        self.required_anchors.len() + self.required_frame3_sets.len() + 3 * self.frame3_sets.len()
    }
}

/// The only version of scenes.
pub const VERSIONS: &[&str] = &["0.1"];

record! {
    /// A Rigs scene: parts that stand on each other.
    pub struct RigsScene: SCENE_FILE("scene_file", "scene file") {
        /// The version of the language of scenes, in quotes.
        rigs_version: () = required(Form::Word(VERSIONS), only(VERSIONS)),
        /// The paths of parts, by alias, from the directory of the scene.
        ///
        /// Each has a contract, which is read if it exists.
        imports: Vec<Import> = required(
            Form::Map(&Form::Text),
            entries("aliases to paths", part)
        ).keys_define(NameKind::Import).path(),
        /// What stands on what.
        scene: Scene = required,
    }
}

/// Reads the path of a part of a scene. Its contract is the file beside it with the ending `.ricy.yaml`, if that exists.
fn part(r: &Reader, alias: Text, id: NodeId) -> Option<Import> {
    let source = text(r, id)?;
    let path = &source.value;
    let stem = [".rigy.yaml", ".rigy.yml"]
        .iter()
        .find_map(|end| path.strip_suffix(end));
    let contract = stem.map(|stem| Spanned::new(format!("{stem}.ricy.yaml"), source.span));
    Some(Import {
        namespace: alias,
        source,
        contract,
        contract_may_be_missing: true,
    })
}

record! {
    /// The lowest part, and the parts that stand on it.
    pub struct Scene: SCENE("scene", "scene") {
        /// The alias of the part that the others stand on.
        base: Text = required.refers(NameKind::Import),
        /// The parts that stand on it.
        children: Vec<Child> = nullable,
    }
}

record! {
    /// A part that stands on another.
    pub struct Child: CHILD("child", "child") {
        /// The name of the child, unique in the scene.
        id: Text = required.defines(NameKind::Child),
        /// The alias of the part.
        base: Text = required.refers(NameKind::Import),
        /// Where it stands.
        place: Place = required,
        /// The parts that stand on it.
        children: Vec<Child> = nullable(Form::List(&Form::Record(&CHILD))),
    }
}

record! {
    /// The place of a part on another: the mount of the part is brought to the slot of the other.
    pub struct Place: PLACE("place", "place") {
        /// The frame of the part below.
        slot: Option<FrameRef> = nullable,
        /// The frame of the part itself.
        mount: Option<FrameRef> = nullable,
        /// A turn about the axis y of the slot.
        ///
        /// In quarters.
        rotate: usize = optional(Form::Word(QUARTERS), index(QUARTERS)),
        /// Distances along the axes of the slot.
        nudge: Nudge = nullable,
    } made {
        /// The span of the whole place.
        span: Span = Object::span,
    }
}

/// The words of the field `rotate`.
const QUARTERS: &[&str] = &["0deg", "90deg", "180deg", "270deg"];

record! {
    /// Distances along the axes of the slot, in metres or with a unit: cm, m, in or ft.
    #[derive(Copy, Default)]
    pub struct Nudge: NUDGE("nudge", "nudge") {
        /// Along z.
        north: f64 = optional(Form::Distance, distance),
        /// Along x.
        east: f64 = optional(Form::Distance, distance),
        /// Along y.
        up: f64 = optional(Form::Distance, distance),
    }
}

/// A reference to a frame of a part.
#[derive(Clone, Debug)]
pub enum FrameRef {
    /// A frame set of the part's contract, by name.
    Named(Text),
    /// Three anchors of the part.
    Anchors(Spanned<Anchors>),
}

record! {
    /// A frame: a set of the part's contract by name, or three anchors of the part.
    struct FrameFields: FRAME("frame", "frame") {
        /// The name in the contract; `slots.` or `mounts.` before it can be left out.
        name: Option<Text> = dependent.refers(NameKind::Frame),
        /// Three different anchors.
        anchors: Option<Spanned<Anchors>> = dependent(Form::Different, different).refers(NameKind::Anchor),
    } rules [Rule::ExactlyOne(&["name", "anchors"])] then frame => FrameRef
}

fn different(o: &Object) -> Option<Option<Spanned<Anchors>>> {
    o.nullable("anchors", |r: &Reader, id| {
        let anchors = Spanned::<Anchors>::read(r, id)?;
        let [a, b, c] = anchors.value.each_ref().map(|id| &id.value);
        if a == b || b == c || a == c {
            let message =
                format!("the anchors `{a}`, `{b}` and `{c}` are not three different ones");
            return r.fail(Diagnostic::new(Code::U10, anchors.span, message));
        }
        Some(anchors)
    })
}

fn frame(fields: FrameFields, o: &Object) -> Option<FrameRef> {
    match (fields.name, fields.anchors) {
        (Some(name), None) => Some(FrameRef::Named(name)),
        (None, Some(anchors)) => Some(FrameRef::Anchors(anchors)),
        _ => o.fail("a frame has exactly one of `name` and `anchors`"),
    }
}

impl RigsScene {
    /// Returns all children, depth first, each with the alias of the part that it stands on.
    pub fn all_children(&self) -> Vec<(&Child, &Text)> {
        let Scene { base, children } = &self.scene;
        let mut all = Vec::new();
        let mut open: Vec<(&Child, &Text)> = Vec::new();
        open.extend(children.iter().rev().map(|child| (child, base)));
        while let Some((child, below)) = open.pop() {
            all.push((child, below));
            open.extend(child.children.iter().rev().map(|c| (c, &child.base)));
        }
        all
    }
}
