//! Renaming every id of every fixture: no finding is new, and the inverse gives the text back.

use std::collections::BTreeMap;

use rigy_batch::assist::{Edit, Files, Source, rename};
use rigy_batch::base::paths::Slashed;
use rigy_batch::{Input, Location, MemoryLoader};

use super::{Fixtures, all, closed, is_named};
use crate::support::chance::cases;

fn edited(loader: &MemoryLoader, edits: &[Edit]) -> MemoryLoader {
    let mut loader = loader.clone();
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.target.range.start));
    for edit in edits {
        let name = &edit.target.location.0.slashed().to_string();
        let bytes = loader.files.get_mut(name).unwrap();
        bytes.splice(edit.target.range.clone(), edit.text.bytes());
    }
    loader
}

fn codes(loader: &MemoryLoader, location: &Location) -> BTreeMap<String, usize> {
    let name = &location.0.slashed().to_string();
    let text = String::from_utf8(loader.files[name].clone()).unwrap();
    let files = rigy_batch::Files::new(loader.clone());
    let mut codes = BTreeMap::new();
    let found = match rigy_batch::check(Input::new(name, &text), &files) {
        Ok(checked) => checked.warnings,
        Err(errors) => errors,
    };
    for finding in found {
        *codes.entry(format!("{:?}", finding.code)).or_default() += 1;
    }
    codes
}

#[test]
fn a_renamed_element_keeps_its_references() {
    let fixtures = Fixtures::read();
    let (mut renamed, mut refused) = (0, Vec::new());
    for location in fixtures.locations.iter().step_by(cases(3, 1)) {
        let text = fixtures.text(location);
        let open = fixtures.users(location);
        let loader = &fixtures.loader;
        let before: Vec<_> = open
            .iter()
            .chain([location])
            .map(|l| codes(loader, l))
            .collect();
        for symbol in all(&text, location).into_iter().filter(is_named) {
            let offset = symbol.name_range.start + 1;
            let new_name = format!("{}_again", symbol.name);
            let source = Source {
                location,
                text: &text,
            };
            let edits = match rename(
                source,
                offset,
                &new_name,
                &Files {
                    searched: &open,
                    ..closed(loader)
                },
            ) {
                Ok(edits) => edits,
                Err(reason) => {
                    refused.push(format!(
                        "{}: {}: {reason}",
                        location.0.slashed(),
                        symbol.name
                    ));
                    continue;
                }
            };
            let what = format!("{}: {} {edits:?}", location.0.slashed(), symbol.name);
            let after = edited(loader, &edits);
            let now: Vec<_> = open
                .iter()
                .chain([location])
                .map(|l| codes(&after, l))
                .collect();
            for (now, before) in now.iter().zip(&before) {
                let more = |a: &BTreeMap<String, usize>, b: &BTreeMap<String, usize>| {
                    a.iter()
                        .any(|(code, count)| b.get(code).unwrap_or(&0) < count)
                };
                // Where a fault is mended, later stages may find something.
                assert!(more(before, now) || !more(now, before), "{what}: {now:?}");
            }
            // The renaming mends a fixture with one id twice, so there is no way back.
            if now != before {
                continue;
            }
            let text =
                String::from_utf8(after.files[&location.0.slashed().to_string()].clone()).unwrap();
            let source = Source {
                location,
                text: &text,
            };
            // Edits before the element move it.
            let shift: isize = (edits.iter())
                .filter(|e| e.target.location == *location)
                .filter(|e| e.target.range.end <= symbol.name_range.start)
                .map(|e| e.text.len() as isize - e.target.range.len() as isize)
                .sum();
            let offset = offset.saturating_add_signed(shift);
            let back = rename(
                source,
                offset,
                &symbol.name,
                &Files {
                    searched: &open,
                    ..closed(&after)
                },
            );
            let back = edited(&after, &back.expect(&what));
            // Escapes come back in another spelling.
            let is_escaped = symbol
                .name
                .contains(|c: char| !c.is_ascii_graphic() && c != ' ');
            assert!(is_escaped || back.files == loader.files, "{what}");
            renamed += 1;
        }
    }
    let count = refused.len();
    assert!(
        renamed > cases(150, 500) && renamed > 8 * count,
        "{renamed}, refused {count}: {refused:#?}"
    );
}

/// Its own materials go before those of its imports (`extensions.md` §4).
#[test]
fn a_material_of_a_part_is_renamed_where_it_is_meant() {
    let fixtures = Fixtures::read();
    let [part, user] = [
        "parts/window.part.yaml",
        "S08_materials_of_imports.rigy.yaml",
    ]
    .map(|name| Location(format!("inputs/{name}").into()));
    let text = fixtures.text(&part);
    let searched = std::slice::from_ref(&user);
    let renamed = |location: &Location, text: &str, name: &str| {
        let files = Files {
            searched,
            ..closed(&fixtures.loader)
        };
        let offset = text.find(name).unwrap();
        let edits = rename(Source { location, text }, offset, "new", &files).unwrap();
        let of = |all: &Location| edits.iter().filter(|e| e.target.location == *all).count();
        (of(&part), of(&user))
    };
    assert_eq!(renamed(&part, &text, "frame: "), (2, 0));
    let text = fixtures.text(&user);
    assert_eq!(renamed(&user, &text, "window.frame: "), (0, 2));
}
