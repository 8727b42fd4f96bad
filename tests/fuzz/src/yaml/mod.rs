//! Changes to a document of the kind that tired and hostile authors make, which pass the first check of its syntax.
//!
//! Bytes that flip at random rarely leave valid YAML, or a word with a meaning. So most changes put a hostile
//! value where a value stands, the name of one thing where another's is, or move, double and drop lines and brackets;
//! the rest is libFuzzer's own. Nothing here parses the text, so the result may be YAML or not.
//!
//! Without more, the corpus would become a collection of broken YAML, because most faults are found early. So
//! every other input starts anew from a fixture, and gets one or two mild changes, most of which leave it a document.

mod files;
mod parts;
mod words;

use libfuzzer_sys::fuzzer_mutate;

use crate::fixtures;
use parts::{Span, groups, line_starts, scalars};
use rigy_batch::kernel::random::Random;
use words::{AROUND, ODD, VALUES};

pub use files::mutate_archive;

/// Changes the first `size` bytes of `data`, which has a capacity of `max_size`; returns the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random::new(seed.into());
    if size == 0 || random.below(12) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut text = data[..size].to_vec();
    if random.below(2) == 0 {
        text.clone_from(&random.pick(fixtures::documents()).1);
        mild(&mut text, &mut random);
    } else {
        for _ in 0..1 + random.below(4) {
            change(&mut text, &mut random);
        }
    }
    put(text, data, size, max_size)
}

/// Writes back a changed text; if it has become too long, libFuzzer changes the old one.
fn put(text: Vec<u8>, data: &mut [u8], size: usize, max_size: usize) -> usize {
    if text.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..text.len()].copy_from_slice(&text);
    text.len()
}

fn change(text: &mut Vec<u8>, random: &mut Random) {
    match random.below(16) {
        0..=6 => scalar(text, random),
        7..=9 => line(text, random),
        10 => indent(text, random),
        11 | 12 => group(text, random),
        13 => alias(text, random),
        14 => phrase(text, random),
        _ => odd(text, random),
    }
}

/// Replaces one or two values by others of their kind, or adds or removes whole lines or brackets.
fn mild(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(2) {
        match random.below(8) {
            0..=5 => value(text, random),
            6 => line(text, random),
            _ => group(text, random),
        }
    }
}

/// A number becomes another, hostile, near or from the same text; a word becomes another word of the text.
fn value(text: &mut Vec<u8>, random: &mut Random) {
    let spans = scalars(text);
    let is_number = |span: &Span| {
        text[span.0..span.1]
            .iter()
            .all(|byte| b"0123456789.-+e".contains(byte))
    };
    let (numbers, words): (Vec<Span>, Vec<Span>) = spans.into_iter().partition(is_number);
    let of = match random.below(3) {
        0 if !words.is_empty() => &words,
        _ => &numbers,
    };
    if of.is_empty() {
        return;
    }
    let (span, other) = (*random.pick(of), *random.pick(of));
    let new = match random.below(3) {
        0 if std::ptr::eq(of, &numbers) => random.pick(&VALUES).as_bytes().to_vec(),
        1 => nudged(&text[span.0..span.1], random),
        _ => text[other.0..other.1].to_vec(),
    };
    replace(text, span, &new);
}

fn replace(text: &mut Vec<u8>, (start, end): Span, with: &[u8]) {
    text.splice(start..end, with.iter().copied());
}

/// A value or key becomes a hostile one, another of the same text, the word of another fixture, or is dressed up.
fn scalar(text: &mut Vec<u8>, random: &mut Random) {
    let spans = scalars(text);
    if spans.is_empty() {
        return;
    }
    let span = *random.pick(&spans);
    let old = text[span.0..span.1].to_vec();
    let new = match random.below(8) {
        0..=2 => random.pick(&VALUES).as_bytes().to_vec(),
        3 | 4 => {
            let (start, end) = *random.pick(&spans);
            text[start..end].to_vec()
        }
        5 => {
            let line = random.pick(fixtures::lines()).as_bytes();
            let words = scalars(line);
            match words.is_empty() {
                true => line.to_vec(),
                false => {
                    let (start, end) = *random.pick(&words);
                    line[start..end].to_vec()
                }
            }
        }
        6 => nudged(&old, random),
        _ => {
            let (before, after) = random.pick(&AROUND);
            [before.as_bytes(), &old, after.as_bytes()].concat()
        }
    };
    replace(text, span, &new);
}

/// A number near another.
fn nudged(old: &[u8], random: &mut Random) -> Vec<u8> {
    let text = String::from_utf8_lossy(old);
    let Ok(number) = text.trim().parse::<f64>() else {
        return old.to_vec();
    };
    let near = [
        -number,
        number + 1.0,
        number * 1e30,
        number * 1e-30,
        number.next_up(),
        number / 3.0,
    ];
    format!("{:?}", random.pick(&near)).into_bytes()
}

/// Drops, doubles or exchanges lines, alone or a few together.
fn line(text: &mut Vec<u8>, random: &mut Random) {
    let starts = line_starts(text);
    let from = random.below(starts.len());
    let to = (from + 1 + random.below(4)).min(starts.len());
    let at = |index: usize| starts.get(index).copied().unwrap_or(text.len());
    let span = (at(from), at(to));
    let lines = text[span.0..span.1].to_vec();
    let elsewhere = at(random.below(starts.len() + 1));
    match random.below(4) {
        0 => replace(text, span, b""),
        1 => replace(text, (span.1, span.1), &lines),
        2 => replace(text, (elsewhere, elsewhere), &lines),
        _ => {
            let elsewhere = match elsewhere {
                place if place <= span.0 => place,
                place if place >= span.1 => place - lines.len(),
                _ => span.0,
            };
            replace(text, span, b"");
            replace(text, (elsewhere, elsewhere), &lines);
        }
    }
}

/// Moves some lines to the right or left.
fn indent(text: &mut Vec<u8>, random: &mut Random) {
    let starts = line_starts(text);
    let from = random.below(starts.len());
    let to = (from + 1 + random.below(6)).min(starts.len());
    let by = 1 + random.below(3);
    let is_deeper = random.below(2) == 0;
    for start in starts[from..to].iter().rev() {
        if is_deeper {
            replace(text, (*start, *start), &b"   "[..by]);
        } else {
            let blanks = text[*start..].iter().take_while(|byte| **byte == b' ');
            let blanks = blanks.count().min(by);
            replace(text, (*start, *start + blanks), b"");
        }
    }
}

/// Empties, doubles, unpacks or nests a group in brackets, or puts it in the place of another part.
fn group(text: &mut Vec<u8>, random: &mut Random) {
    let spans = groups(text);
    if spans.is_empty() {
        return;
    }
    let (start, end) = *random.pick(&spans);
    let old = text[start..end].to_vec();
    let inner = &old[1..old.len() - 1];
    let new = match random.below(6) {
        0 => [&old[..1], &old[old.len() - 1..]].concat(),
        1 => [&old[..1], inner, b", ", inner, &old[old.len() - 1..]].concat(),
        2 => inner.to_vec(),
        3 => [b"[", &*old, b"]"].concat(),
        4 => [&*old, b", ", &old].concat(),
        _ => {
            let (start, end) = *random.pick(&spans);
            text[start..end].to_vec()
        }
    };
    replace(text, (start, end), &new);
}

/// Gives one part an anchor, and makes another part its alias or merges it there.
fn alias(text: &mut Vec<u8>, random: &mut Random) {
    let mut spans = groups(text);
    spans.extend(scalars(text));
    if spans.is_empty() {
        return;
    }
    let name = random.pick(&["a", "b", "x1"]);
    let (first, second) = (*random.pick(&spans), *random.pick(&spans));
    let reference = match random.below(3) {
        0 => format!("<<: *{name}"),
        1 => format!("{{<<: [*{name}, *{name}]}}"),
        _ => format!("*{name}"),
    };
    let anchor = format!("&{name} ");
    // The later of the two first, so that the place of the other stays.
    if first.0 < second.0 {
        replace(text, second, reference.as_bytes());
        replace(text, (first.0, first.0), anchor.as_bytes());
    } else {
        replace(text, (first.0, first.0), anchor.as_bytes());
        replace(text, second, reference.as_bytes());
    }
}

/// A line of some fixture comes in, as deep as the one before it.
fn phrase(text: &mut Vec<u8>, random: &mut Random) {
    let starts = line_starts(text);
    let at = *random.pick(&starts);
    let blanks = text[at..].iter().take_while(|byte| **byte == b' ').count();
    let line = random.pick(fixtures::lines());
    let line = format!("{}{line}\n", " ".repeat(blanks));
    replace(text, (at, at), line.as_bytes());
}

/// A character that is not what it seems to be.
fn odd(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len() + 1);
    let character = random.pick(&ODD);
    replace(text, (at, at), character);
}
