//! Changes to a document with the files beside it.

use libfuzzer_sys::fuzzer_mutate;
use rigy_batch::kernel::random::Random;

use super::parts::{Span, scalars};
use super::words::NAMES;
use super::{change, mild, put, replace};
use crate::archive::Archive;
use crate::fixtures::Named;

/// Changes a document with other files as [`super::mutate`] does: mostly one of the files, sometimes the list of them. Half
/// of the changes are made to one of `fixtures`.
pub fn mutate_archive(
    fixtures: &Named,
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
) -> usize {
    let mut random = Random::new(seed.into());
    if random.below(2) == 0 {
        let mut archive = Archive::parse(&random.pick(fixtures).1);
        let index = random.below(archive.files.len());
        mild(&mut archive.files[index].1, &mut random);
        return put(archive.join(), data, size, max_size);
    }
    let mut archive = Archive::parse(&data[..size]);
    if archive.files.is_empty() || random.below(16) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    for _ in 0..1 + random.below(4) {
        match random.below(8) {
            0 => change_files(&mut archive, &mut random),
            1 => change_reference(&mut archive, &mut random),
            _ => {
                let index = random.below(archive.files.len());
                change(&mut archive.files[index].1, &mut random);
            }
        }
    }
    put(archive.join(), data, size, max_size)
}

/// A file is dropped, doubled, renamed, or the files change places.
fn change_files(archive: &mut Archive, random: &mut Random) {
    let files = &mut archive.files;
    let (one, other) = (random.below(files.len()), random.below(files.len()));
    match random.below(4) {
        0 if files.len() > 1 => drop(files.remove(one)),
        1 => {
            let (name, text) = files[one].clone();
            files.push((format!("{name}.yaml"), text));
        }
        2 => files[one].0 = (*random.pick(&NAMES)).to_owned(),
        _ => {
            let text = files[other].1.clone();
            let text = std::mem::replace(&mut files[one].1, text);
            files[other].1 = text;
        }
    }
}

/// A word of some file becomes the name of another, or of one that is elsewhere.
fn change_reference(archive: &mut Archive, random: &mut Random) {
    let index = random.below(archive.files.len());
    let names: Vec<String> = archive.files.iter().map(|(name, _)| name.clone()).collect();
    let text = &mut archive.files[index].1;
    let spans = scalars(text);
    let is_path = |span: &&Span| text[span.0..span.1].contains(&b'.');
    let paths: Vec<Span> = spans.iter().filter(is_path).copied().collect();
    if paths.is_empty() {
        return;
    }
    let name = match random.below(3) {
        0 => random.pick(&NAMES),
        _ => random.pick(&names).as_str(),
    };
    let span = *random.pick(&paths);
    replace(text, span, name.as_bytes());
}
