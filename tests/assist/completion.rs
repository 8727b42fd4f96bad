//! Completion offers what the fixtures have.

use rigy_batch::Location;
use rigy_batch::assist::{Completion, Source, completion, hover};

use super::{Fixtures, closed};

/// The first byte of a key in a line, and the key; `None` if no field begins there.
fn key_of(line: &str) -> Option<(usize, &str)> {
    let start = line.len() - line.trim_start_matches([' ', '-']).len();
    let (key, _) = line[start..].split_once(':')?;
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (!key.is_empty() && key.chars().all(is_word)).then_some((start, key))
}

#[test]
fn every_key_is_offered_where_its_line_is_cut_off() {
    let fixtures = Fixtures::read();
    let files = closed(&fixtures.loader);
    let mut count = 0;
    let is_input = |location: &&Location| location.0.starts_with("inputs");
    for location in fixtures.locations.iter().filter(is_input) {
        let text = fixtures.text(location);
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let place = start..start + line.trim_end().len();
            start += line.len();
            let Some((column, key)) = key_of(line) else {
                continue;
            };
            let offset = place.start + column;
            let source = Source {
                location,
                text: &text,
            };
            let about = hover(source, offset, &files).map(|hover| hover.text);
            let later = "This document has version";
            let is_later = about.as_ref().is_some_and(|about| about.contains(later));
            let is_field = about.is_some_and(|about| about.starts_with(&format!("**{key}**")));
            // Some fixtures use fields of later versions.
            if is_later || (!is_field && key != "repeat") {
                continue;
            }
            let cut = [&text[..offset], &text[place.end..]].concat();
            let source = Source {
                location,
                text: &cut,
            };
            let offered = completion(source, offset, &files);
            let labels: Vec<&str> = offered.iter().map(|c| &*c.label).collect();
            assert!(labels.contains(&key), "{labels:?}");
            let is_here = |completion: &Completion| completion.range == (offset..offset);
            assert!(offered.iter().all(is_here), "{offered:?}");
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}
