//! The first look at long documents compared with composing and checking them.

use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check, refuses};
use rigy_batch::language::parse::NAMED;
use rigy_batch::language::yaml::subset_is_exact;

/// Only documents of at least this length get a first look; here, shorter ones do.
const LONG: usize = 16 << 10;

/// Limits that are so low that small documents reach them.
fn low() -> impl Iterator<Item = Limits> {
    let default = Limits::DEFAULT;
    let depths = (3..8).map(move |depth| default.depth(depth));
    let joints = [0, 1, 2, 3, 5].map(|joints| default.joints(joints));
    let vertices = [0, 23, 24, 50, 100, 200, 400, 800, 1500];
    let vertices = vertices.map(|vertices| default.vertices(vertices));
    depths.chain(joints).chain(vertices)
}

/// Asserts that a text which the first look refuses is refused by the full check too, and that the reader of the subset of
/// YAML gives the tree of the event parser.
pub fn compare(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() >= LONG {
        return;
    }
    subset_is_exact(text, Some(NAMED));
    for limits in low().filter(|limits| refuses(text, limits)) {
        let files = Files::new(MemoryLoader::default()).within(limits);
        let checked = check(Input::new("fuzz.rigy.yaml", text), &files);
        let built = checked.and_then(|checked| checked.value.build());
        assert!(built.is_err(), "refused at sight, and then not: {limits:?}");
    }
}
