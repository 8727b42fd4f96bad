//! The structure of texts by our reader and by saphyr-parser: the same events, or a refusal with a known reason.

use std::collections::HashMap;

use rigy_yaml::{Kind, Limits, Problem, Tree, parse};
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

/// The faults of texts that our reader refuses and saphyr reads. Most of these texts break the rules of YAML.
const STRICTER: &[Problem] = &[
    // Understood by YAML, but no part of a document.
    Problem::ComplexKey,
    Problem::Directive,
    Problem::EmptyKey,
    Problem::OnOneLine,
    // A line in brackets or quotes that is not indented by more than the block around it.
    Problem::NotClosed,
    Problem::QuoteNotClosed,
    // A marker ends a block scalar, even if that is the root.
    Problem::SecondDocument,
    // `[?]` and `[|-]`: no text begins with these.
    Problem::Sign,
    // Before the first field or item.
    Problem::Tab,
    // saphyr sends an alias of the node that it stands in; what composes refuses it.
    Problem::InsideItself,
    // A key of several lines in a list in brackets; a comment that begins after a tab does not end a scalar there.
    Problem::MissingComma,
    Problem::LongKey,
    Problem::Indentation,
    Problem::MissingColon,
    // `!!seq[a]`, and an alias inside the key that it repeats.
    Problem::AnchorName,
    Problem::UnknownAnchor,
];

/// Fragments of what saphyr says of texts that are YAML, or that many write.
const LAXER: &[&str] = &[
    "must be followed by a valid YAML whitespace", // a tab after a colon
    "content cannot start with a tab",             // of a block scalar that is the root
    "expected whitespace",                         // `?` at the end of a line
    "invalid indentation",                         // a closing bracket in the column of its dash
    "plain scalar cannot start with '-' followed by ,[]{}", // `[a -, b]`
    "tab cannot be used as indentation",           // in quotes
    "tabs disallowed",                             // after `?`, and before a closing bracket
    "wrongly indented line in block scalar",       // of a root, before `...`
];

/// The events of a text: notation, number of the anchor, tag and value of each node.
type Events = Vec<String>;

fn by_saphyr(text: &str) -> Result<Events, String> {
    let mut events = Vec::new();
    let mut documents = 0;
    let core = |tag: Option<&Tag>| {
        let full = tag.map_or(String::new(), |tag| format!("{}{}", tag.handle, tag.suffix));
        match full.strip_prefix("tag:yaml.org,2002:").unwrap_or(&full) {
            name @ ("" | "str" | "int" | "float" | "bool" | "null" | "seq" | "map") => {
                Ok(name.to_owned())
            }
            _ => Err("unknown tag"),
        }
    };
    for next in Parser::new_from_str(text) {
        let (event, _) = next.map_err(|error| error.info().to_owned())?;
        events.push(match event {
            Event::StreamStart | Event::StreamEnd | Event::Nothing | Event::DocumentEnd => continue,
            Event::DocumentStart(_) if documents == 0 => {
                documents = 1;
                continue;
            }
            Event::DocumentStart(_) => return Err("second document".into()),
            Event::Alias(anchor) => format!("*{anchor}"),
            Event::Scalar(text, style, anchor, tag) => {
                let sign = match style {
                    ScalarStyle::Plain => '.',
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => '"',
                    ScalarStyle::Literal | ScalarStyle::Folded => '|',
                };
                format!("{sign}{anchor}{} {text}", core(tag.as_deref())?)
            }
            Event::SequenceStart(anchor, tag) => format!("[{anchor}{}", core(tag.as_deref())?),
            Event::MappingStart(anchor, tag) => format!("{{{anchor}{}", core(tag.as_deref())?),
            Event::SequenceEnd | Event::MappingEnd => "end".into(),
        });
    }
    if documents == 0 {
        events.push(".0 ".into());
    }
    Ok(events)
}

fn by_ours(tree: &Tree<'_>) -> Events {
    let anchored = |id: &u32| {
        let properties = tree.properties(*id);
        properties
            .filter(|all| !all.anchor.is_empty())
            .map(|all| all.anchor.start)
            .filter(|at| tree.source()[*at..].starts_with('&'))
    };
    let mut places: Vec<usize> = (0..tree.len() as u32)
        .filter_map(|id| anchored(&id))
        .collect();
    places.sort_unstable();
    let numbers: HashMap<usize, usize> = places.into_iter().zip(1..).collect();
    let number = |id: u32| anchored(&id).map_or(0, |at| numbers[&at]);
    let (mut events, mut open) = (Vec::new(), Vec::new());
    for id in 0..tree.len() as u32 {
        while open.pop_if(|past| *past <= id).is_some() {
            events.push("end".into());
        }
        let tag = tree
            .properties(id)
            .map(|all| &tree.source()[all.tag.clone()]);
        let tag = tag.unwrap_or_default().trim_end_matches('>');
        let tag = tag.rsplit(['!', ':']).next().unwrap_or_default();
        let (kind, anchor) = (tree.node(id).kind, number(id));
        let sign = match kind {
            Kind::Alias => {
                events.push(format!("*{}", tree.target(id).map_or(0, number)));
                continue;
            }
            Kind::BlockMap | Kind::FlowMap => '{',
            Kind::BlockSeq | Kind::FlowSeq => '[',
            Kind::Single | Kind::Double => '"',
            Kind::Literal | Kind::Folded => '|',
            _ => '.',
        };
        match kind.is_collection() {
            true => {
                open.push(tree.past(id));
                events.push(format!("{sign}{anchor}{tag}"));
            }
            false => events.push(format!("{sign}{anchor}{tag} {}", tree.text(id))),
        }
    }
    events.extend(open.iter().map(|_| "end".to_owned()));
    events
}

/// Asserts that both readers find the same in a text, or differ in what is known. Returns true if both read it.
pub fn compare(text: &str) -> bool {
    let is_refused = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        c => c.is_control() || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}'),
    };
    if text.contains(is_refused) {
        return false;
    }
    let limits = Limits {
        depth: 1000,
        ..Limits::default()
    };
    let tree = parse(text, limits);
    let fault = tree.faults.first().map(|fault| fault.problem);
    match (by_saphyr(text), fault) {
        (Ok(theirs), None) => {
            let ours = by_ours(&tree);
            // saphyr makes a line of blanks that stand after the last break.
            let ends_blank = text.trim_end_matches(' ').len() < text.len();
            let is_same = |(one, other): (&String, &String)| {
                let is_block = ends_blank && one.starts_with('|');
                one == other
                    || is_block && one.trim_end_matches('\n') == other.trim_end_matches('\n')
            };
            let is_equal = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(is_same);
            assert!(is_equal, "{text:?}\n{ours:?}\n{theirs:?}");
            true
        }
        (Err(_), Some(_)) => false,
        (Ok(_), Some(problem)) => {
            assert!(STRICTER.contains(&problem), "{problem:?}: {text:?}");
            false
        }
        (Err(said), None) => {
            let is_known = LAXER.iter().any(|part| said.contains(part));
            assert!(is_known, "{said}: {text:?}");
            false
        }
    }
}
