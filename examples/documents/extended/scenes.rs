//! Scenes (`extensions.md` 12), with the documents and contracts that they need.

use serde_yaml::{Mapping, Value};

use super::super::files::Files;
use super::super::handwriting::Hand;
use super::super::random::{Draw, Random};
use super::super::{Generated, PART, Plan, anchors, draw, random, stem};
use super::mapping;

/// A document that others can stand on: it always has a frame.
const STAND: Plan = Plan {
    frames: (1, 3),
    composed: 10,
    ..PART
};

const DEEPEST: usize = 3;

/// A part that a scene can place: its alias, its frames, and whether a contract names them.
struct Part {
    alias: String,
    frames: Vec<anchors::Ids>,
    named: bool,
}

/// Scene `index` of the endless series that `seed` names.
pub fn scene(seed: u64, index: u64) -> Generated {
    let mut random = random::for_document(seed, index);
    let mut files = Files::new(&stem(index));
    files.extended = true;
    let random = &mut random;
    let mut imports = Mapping::new();
    let parts: Vec<Part> = (0..random.within((1, 4)))
        .map(|number| part(random, &mut files, &mut imports, number))
        .collect();
    let base = random.pick(&parts);
    let mut made = 0;
    let children = children(random, &parts, base, 0, &mut made);
    let base = base.alias.clone().into();
    let tree = mapping([
        ("rigs_version", "0.1".into()),
        ("imports", Value::Mapping(imports)),
        ("scene", mapping([("base", base), ("children", children)])),
    ]);
    let hand = Hand::with_plain_numbers(random);
    Generated {
        yaml: hand.write(random, &tree),
        files: files.written,
    }
}

fn part(random: &mut Random, files: &mut Files, imports: &mut Mapping, number: usize) -> Part {
    let path = files.reserve("", &format!("part{number}"), ".rigy.yaml");
    let (text, frames) = loop {
        let drawn = draw(random, &STAND, 1, files);
        if !drawn.frames.is_empty() {
            let text = super::super::text(random, &drawn.document, &path, files);
            break (text, drawn.frames);
        }
    };
    files.written.push((path.clone(), text));
    let named = random.chance(50);
    if named {
        let sets = frames.iter().enumerate().map(|(number, ids)| {
            let kind = ["slots.", "mounts.", ""][number % 3];
            let ids: Vec<Value> = ids.iter().map(|id| Value::from(id.as_str())).collect();
            (Value::from(format!("{kind}f{number}")), ids.into())
        });
        let contract = mapping([
            ("contract_version", "0.1".into()),
            ("frame3_sets", Value::Mapping(sets.collect())),
        ]);
        let text = Hand::plain().write(random, &contract);
        let path = path.replace(".rigy.yaml", ".ricy.yaml");
        files.written.push((path, text));
    }
    let alias = format!("alias {number}");
    imports.insert(alias.clone().into(), path.into());
    Part {
        alias,
        frames,
        named,
    }
}

fn children(
    random: &mut Random,
    parts: &[Part],
    parent: &Part,
    depth: usize,
    made: &mut usize,
) -> Value {
    let count = if depth < DEEPEST { random.below(4) } else { 0 };
    let mut list = Vec::new();
    for _ in 0..count {
        let part = random.pick(parts);
        *made += 1;
        let id = format!("child {made}");
        let mut place = mapping([
            ("slot", reference(random, parent, "slots.")),
            ("mount", reference(random, part, "mounts.")),
        ]);
        if random.chance(70) {
            place["rotate"] = (*random.pick(&["0deg", "90deg", "180deg", "270deg"])).into();
        }
        if random.chance(60) {
            place["nudge"] = nudge(random);
        }
        let below = children(random, parts, part, depth + 1, made);
        let base = part.alias.clone().into();
        list.push(mapping([
            ("id", id.into()),
            ("base", base),
            ("place", place),
            ("children", below),
        ]));
    }
    list.into()
}

/// Three anchors, or the name that the contract has for them on this side.
fn reference(random: &mut Random, part: &Part, side: &str) -> Value {
    let number = random.below(part.frames.len());
    let kind = ["slots.", "mounts.", ""][number % 3];
    if part.named && (kind.is_empty() || kind == side) && random.chance(70) {
        return mapping([("name", format!("f{number}").into())]);
    }
    let ids = part.frames[number]
        .iter()
        .map(|id| Value::from(id.as_str()));
    mapping([("anchors", ids.collect())])
}

fn nudge(random: &mut Random) -> Value {
    let mut nudge = Mapping::new();
    for key in ["north", "east", "up"] {
        let distance: Value = match random.below(7) {
            0 | 1 => continue,
            2 => (random.below(300) as f64 / 100.0).into(),
            3 => (-(random.below(9) as i64)).into(),
            4 => format!("-{}cm", random.below(50)).into(),
            5 => format!("{}.25{}", random.below(5), random.pick(&["m", "in", ""])).into(),
            _ => format!("{}ft", random.below(5)).into(),
        };
        nudge.insert(key.into(), distance);
    }
    Value::Mapping(nudge)
}
