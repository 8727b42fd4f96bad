//! The schema of scenes (`extensions.md` §12.1).

use super::coerce::{text, word};
use super::reader::Reader;
use crate::base::diag::{Code, Diagnostic, Span, Spanned};
use crate::model::{Child, FrameRef, Import, Nudge, Place, RigsScene};
use crate::schema::scenes as schema;
use crate::yaml::{Kind, NodeId};

pub(super) fn scene(r: &Reader<'_, '_>) -> Option<RigsScene> {
    let o = r.object(r.root(), &schema::SCENE_FILE)?;
    let version = o.required("rigs_version", |r: &Reader<'_, '_>, id| {
        word(r, id, schema::VERSIONS)
    });
    let imports = o.required("imports", |r: &Reader<'_, '_>, id| {
        r.entries(id, "aliases to paths", import)
    });
    let scene = o.required("scene", |r: &Reader<'_, '_>, id| {
        let o = r.object(id, &schema::SCENE)?;
        let base = o.required("base", text);
        let children = o.nullable("children", |r: &Reader<'_, '_>, id| r.list(id, child));
        Some((base?, children?.unwrap_or_default()))
    });
    version?;
    let (base, children) = scene?;
    Some(RigsScene {
        imports: imports?,
        base,
        children,
    })
}

/// Reads the path of a part. Its contract is the file beside it with the ending `.ricy.yaml`, if that exists.
fn import(r: &Reader<'_, '_>, alias: Spanned<String>, id: NodeId) -> Option<Import> {
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

fn child(r: &Reader<'_, '_>, id: NodeId) -> Option<Child> {
    let o = r.object(id, &schema::CHILD)?;
    let id = o.required("id", text);
    let base = o.required("base", text);
    let place = o.required("place", place);
    let children = o.nullable("children", |r: &Reader<'_, '_>, id| r.list(id, child));
    Some(Child {
        id: id?,
        base: base?,
        place: place?,
        children: children?.unwrap_or_default(),
    })
}

fn place(r: &Reader<'_, '_>, id: NodeId) -> Option<Place> {
    let o = r.object(id, &schema::PLACE)?;
    let slot = o.nullable("slot", frame);
    let mount = o.nullable("mount", frame);
    let quarters = o.optional("rotate", |r: &Reader<'_, '_>, id| {
        word(r, id, schema::QUARTERS)
    });
    let nudge = o.nullable("nudge", |r: &Reader<'_, '_>, id| {
        let o = r.object(id, &schema::NUDGE)?;
        let north = o.optional("north", distance);
        let east = o.optional("east", distance);
        let up = o.optional("up", distance);
        Some(Nudge {
            north: north?.unwrap_or(0.0),
            east: east?.unwrap_or(0.0),
            up: up?.unwrap_or(0.0),
        })
    });
    Some(Place {
        slot: slot?,
        mount: mount?,
        quarters: quarters?.unwrap_or(0) as u8,
        nudge: nudge?.unwrap_or_default(),
        span: o.span,
    })
}

fn frame(r: &Reader<'_, '_>, id: NodeId) -> Option<FrameRef> {
    let o = r.object(id, &schema::FRAME)?;
    let name = o.nullable("name", text);
    let anchors = o.nullable("anchors", |r: &Reader<'_, '_>, id| {
        let ids: [Spanned<String>; 3] = r.tuple(id, "anchor ids", text)?;
        let [a, b, c] = ids.each_ref().map(|id| &id.value);
        if a == b || b == c || a == c {
            let message =
                format!("the anchors `{a}`, `{b}` and `{c}` are not three different ones");
            return r.fail(Diagnostic::new(Code::U10, r.span(id), message));
        }
        Some(Spanned::new(ids, r.span(id)))
    });
    match (name?, anchors?) {
        (Some(name), None) => Some(FrameRef::Named(name)),
        (None, Some(anchors)) => Some(FrameRef::Anchors(anchors)),
        _ => {
            let message = "a frame has exactly one of `name` and `anchors`";
            r.fail(Diagnostic::new(Code::U10, o.span, message))
        }
    }
}

/// Reads a distance: a number of metres, or digits with a unit.
fn distance(r: &Reader<'_, '_>, id: NodeId) -> Option<f64> {
    let written = match &r.node(id).kind {
        Kind::Str(text) => text.clone().into_owned(),
        Kind::Int(int) => int
            .exact
            .map_or_else(|| format!("{:.0}", int.nearest), |n| n.to_string()),
        Kind::Float(value) => shortest(*value),
        _ => return r.wrong(id, FORM),
    };
    match metres(&written) {
        Some(value) if value.is_finite() => Some(value),
        _ => unusable(r, r.span(id), &written),
    }
}

const FORM: &str = "a distance such as `20cm`, `1ft`, `-0.5` or `3in`";

fn unusable<T>(r: &Reader<'_, '_>, span: Span, written: &str) -> Option<T> {
    let message = format!("expected {FORM}, found `{written}`");
    r.fail(Diagnostic::new(Code::U10, span, message))
}

/// Returns a number as Python prints it, in which form it has to be a distance.
fn shortest(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-4..1e16).contains(&value.abs());
    match is_plain {
        true => format!("{value:?}"),
        false => format!("{value:e}"),
    }
}

/// Returns the metres of a text: `-`, digits, a fraction, a unit.
fn metres(text: &str) -> Option<f64> {
    let units = [("cm", 0.01), ("in", 0.0254), ("ft", 0.3048), ("m", 1.0)];
    let unit = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = match unit {
        Some((number, factor)) => (number, Some(factor)),
        None => (text, None),
    };
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let number: f64 = number.parse().ok()?;
    Some(factor.map_or(number, |factor| number * factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_one_form() {
        for (text, expected) in [
            ("20cm", 0.2),
            ("1ft", 0.3048),
            ("-2.5in", -0.0635),
            ("3m", 3.0),
            ("1.5", 1.5),
        ] {
            assert_eq!(metres(text), Some(expected), "{text}");
        }
        for text in ["+1", ".5", "1.", "1 m", "1e3", "", "-", "mm", "1mm", "0x1"] {
            assert_eq!(metres(text), None, "{text}");
        }
        assert_eq!(metres(&shortest(0.001)), Some(0.001));
        assert_eq!(metres(&shortest(1e-5)), None);
        assert_eq!(metres(&shortest(1e16)), None);
    }
}
