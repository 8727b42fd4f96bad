//! No text and no offset makes a function panic.

use rigy_batch::assist::{
    Source, completion, definition, hover, nameable, references, rename, symbols,
};

use super::{Fixtures, closed};
use crate::support::chance::{asked, cases, chance};
use crate::support::yaml_texts::mutated;

#[test]
fn cut_and_mutated_texts_have_answers() {
    let fixtures = Fixtures::read();
    let files = closed(&fixtures.loader);
    let mut random = chance();
    let rounds = asked("ASSIST_ROUNDS", cases(30, 100));
    for location in &fixtures.locations {
        let whole = fixtures.text(location);
        for round in 0..rounds {
            let mut text = mutated(&whole, &mut random);
            if round % 2 == 0 {
                let mut end = random.below(text.len() + 1);
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                text.truncate(end);
            }
            // Some offsets lie behind the text, or inside a character.
            let offset = random.below(text.len() + 3);
            let source = Source {
                location,
                text: &text,
            };
            match round % 7 {
                0 => drop(symbols(source, None)),
                1 => drop(hover(source, offset, &files)),
                2 => drop(definition(source, offset, &files)),
                3 => drop(references(source, offset, &files)),
                4 => drop(rename(source, offset, "renamed", &files)),
                5 => drop(nameable(source, offset, &files)),
                _ => {
                    for found in completion(source, offset, &files) {
                        assert!(
                            text.get(found.range.clone()).is_some(),
                            "{found:?} {text:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn long_texts_take_time_in_proportion() {
    let fixtures = Fixtures::read();
    let files = closed(&fixtures.loader);
    let location = &fixtures.locations[0];
    for piece in [
        "[", "{a: ", "- ", "a:\n", "- - ", "? ", "\"", "a: [\n", "x\n", "$a_", " #\n", "{", "&a ",
        "*a\n",
    ] {
        let text = format!("version: \"0.13\"\n{}", piece.repeat(60_000 / piece.len()));
        let source = Source {
            location,
            text: &text,
        };
        let started = std::time::Instant::now();
        drop(symbols(source, None));
        drop(completion(source, text.len(), &files));
        drop(hover(source, text.len() / 2, &files));
        drop(references(source, text.len() / 2, &files));
        // Much less than a quadratic time needs, and more than a busy machine does.
        assert!(
            started.elapsed().as_secs() < 6,
            "{piece:?}: {:?}",
            started.elapsed()
        );
    }
}
