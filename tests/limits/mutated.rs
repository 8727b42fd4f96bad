//! Generated documents of 0.6 to 0.13 with a few words exchanged: a result or errors, and no panic.
//!
//! The fuzz targets do the same for longer; this part of it needs no other tool.

use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, compile};
use rigy_batch::kernel::random::Random;

use crate::documents::{self, Generated};
use crate::support::chance::cases;

/// Small enough for every document to be quick.
const LIMITS: Limits = Limits::DEFAULT.aliases(1 << 18).vertices(20_000);

/// Texts that are put in the place of a word.
#[rustfmt::skip] // several in a line
const WORDS: [&str; 44] = [
    "0", "-1", "1e308", ".nan", ".inf", "true", "null", "\"\"", "[]", "{}", "\"=1/0\"", "\"=1e999\"",
    "\"=)\"", "\"=$p_0\"", "\"=sqrt(-1)\"", "$p_0", "$nope", "\"${i}\"", "\"${m}\"", "\"=\"", "1e-13",
    "9007199254740993", "99999999999999999999", "-0.0", "repeat", "count", "macro", "aabb", "\"0.13\"",
    "\"0.9\"", "transform", "ops", "rotation_quat", "rotation_euler", "box", "wedge", "implicit_surface",
    "[0, 0, 0]", "[0, 0, 0, 0]", "domain", "1e-7", "mat0", "uv0", "subtract",
];

/// Exchanges some words of a text for odd ones, or for others of the text; or takes a line out.
fn mutate(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(2) {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.$-".contains(c);
        let starts: Vec<usize> = text
            .char_indices()
            .filter(|(at, c)| is_word(*c) && !text[..*at].ends_with(is_word))
            .map(|(at, _)| at)
            .collect();
        if starts.is_empty() {
            break;
        }
        let word = |at: usize| {
            let length = text[at..].find(|c| !is_word(c));
            at..length.map_or(text.len(), |length| at + length)
        };
        let range = word(*random.pick(&starts));
        let other = match random.below(3) {
            0 => text[word(*random.pick(&starts))].to_owned(),
            _ => (*random.pick(&WORDS)).to_owned(),
        };
        text.replace_range(range, &other);
    }
    text
}

fn survives(name: &str, text: &str, generated: &Generated) -> bool {
    let files = generated.files.iter();
    let files = files.map(|(name, text)| (name.clone(), text.clone().into_bytes()));
    let loader = MemoryLoader {
        files: files.collect(),
    };
    let files = Files::new(loader).within(LIMITS);
    match compile(Input::new(name, text), &files) {
        Ok(compiled) => compiled.value.export().is_ok(),
        Err(errors) => {
            assert!(!errors.is_empty());
            false
        }
    }
}

#[test]
fn no_change_of_words_makes_a_panic() {
    let mut random = Random::new(99);
    let mut accepted = 0;
    let count = cases(60, 120);
    for index in 0..count as u64 {
        let (name, generated) = match index % 4 {
            0 => ("a.rigs.yaml", documents::scene(3, index)),
            _ => ("a.rigy.yaml", documents::extended_document(3, index)),
        };
        for _ in 0..12 {
            let text = mutate(&mut random, &generated.yaml);
            accepted += usize::from(survives(name, &text, &generated));
        }
    }
    println!("{accepted} of {} are accepted", count * 12);
    assert!((count / 4..count * 11).contains(&accepted), "{accepted}");
}
