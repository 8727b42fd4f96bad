//! Generated documents, compiled by the library and by the oracle, must be the same bytes.

use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{self, Files, Input};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;

use crate::documents::{self, Generated, Size};
use crate::oracle;
use crate::support::chance::cases;

fn agree(seed: u64, index: u64, size: Size) {
    let at = format!("seed {seed}, document {index}");
    agree_on(&documents::document(seed, index, size), &at);
}

/// The files beside a generated document.
pub fn beside(generated: &Generated) -> MemoryLoader {
    let files = generated.files.iter();
    let files = files.map(|(name, text)| (name.clone(), text.clone().into_bytes()));
    MemoryLoader {
        files: files.collect(),
    }
}

/// Compares the export, and every pose on every instruction set.
pub fn agree_on(generated: &Generated, at: &str) {
    let loader = beside(generated);
    let files = Files::new(loader.clone());
    let read = |name: &str| loader.files[name].clone();
    let text = generated.yaml.trim_start_matches('\u{feff}');
    let compiled = compile::check(Input::new("generated", &generated.yaml), &files)
        .and_then(|checked| checked.value.build())
        .unwrap_or_else(|errors| panic!("{at}: {errors:#?}\n{text}"))
        .value;
    let glb = compiled.export().unwrap().to_bytes();
    let expected = oracle::compile(text, &read);
    oracle::soundness::check(&expected);
    assert!(glb == expected, "{at}: export differs");
    for pose_id in oracle::pose_ids(text) {
        let expected = oracle::bake(text, &pose_id, &read);
        for isa in Isa::available() {
            let posed = compiled.pose(&pose_id, isa, &Sequential).unwrap();
            let baked = posed.bake().unwrap().to_bytes();
            assert!(
                baked == expected,
                "{at}: pose {pose_id:?} differs with {isa}"
            );
        }
        // Two meshes of one name cannot be listed by name.
        let posed = compiled.pose(&pose_id, Isa::best(), &Sequential).unwrap();
        if let Ok(positions) = posed.positions() {
            let listed = positions.to_bytes();
            assert_eq!(listed.len() as u64, positions.len());
            let expected = oracle::positions(text, &pose_id, &read);
            assert!(listed == expected, "{at}: positions of {pose_id:?} differ");
        }
    }
}

pub fn in_parallel(count: u64, check: impl Fn(u64) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for first in 0..threads {
            let check = &check;
            scope.spawn(move || (first..count).step_by(threads as usize).for_each(check));
        }
    });
}

#[test]
fn small_documents_of_every_feature() {
    in_parallel(cases(80, 1000) as u64, |index| agree(1, index, Size::Small));
}

#[test]
fn documents_of_the_twist_fixtures_size_and_larger() {
    for index in 0..cases(2, 6) as u64 {
        agree(2, index, Size::L02);
    }
    agree(3, 0, Size::Large);
}
