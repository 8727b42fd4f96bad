//! The quick look at long documents against what composing and judging them comes to.

use rigy_batch::compile::{Files, Input, check, refuses};
use rigy_batch::limits::Limits;
use rigy_batch::loader::MemoryLoader;

/// So low that small documents reach them, and so different that each is the first to be reached at times.
const LOW: [Limits; 4] = [
    Limits {
        depth: 6,
        ..Limits::DEFAULT
    },
    Limits {
        aliases: 100,
        ..Limits::DEFAULT
    },
    Limits {
        joints: 2,
        ..Limits::DEFAULT
    },
    Limits {
        vertices: 100,
        ..Limits::DEFAULT
    },
];

/// Long documents are looked through; shorter ones only here.
const LONG: usize = 16 << 10;

/// What a quick look refuses must be refused by who takes the time: it never sees more than there is.
pub fn compare(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() >= LONG {
        return;
    }
    for limits in LOW.iter().filter(|limits| refuses(text, limits)) {
        let files = Files::new(MemoryLoader::default()).within(*limits);
        let checked = check(Input::new("fuzz.rigy.yaml", text), &files);
        let built = checked.and_then(|checked| checked.value.build());
        assert!(built.is_err(), "refused at sight, and then not: {limits:?}");
    }
}
