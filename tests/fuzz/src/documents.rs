//! A document with the files beside it, through everything that the library does with one.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rigy_batch::base::diag::Diagnostic;
use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Compiled, Files, Input, check, decode};
use rigy_batch::kernel::executor::{Executor, Sequential};
use rigy_batch::kernel::simd::Isa;

use crate::asked::Asked;
use crate::places::{Texts, refused, warned};
use crate::read_back::{agree, sound};

/// Small enough for every input to be quick: a few lines can ask for a hundred thousand vertices.
const LIMITS: Limits = Limits::DEFAULT.aliases(1 << 18).vertices(3_000);

/// Most poses that are looked at.
const POSES: usize = 4;

/// The bytes of an output, or the errors that keep it from being written.
type Output = Result<Vec<u8>, Vec<Diagnostic>>;

/// The results of a document: its warnings; its export, then two files for each pose. Or the errors that refuse it.
type Outcome = Result<(Vec<Diagnostic>, Vec<Output>), Vec<Diagnostic>>;

/// Pieces of a few vertices, which begin and end anywhere; the last first.
struct Pieces(usize);

impl Executor for Pieces {
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).rev().for_each(task);
    }

    fn vertices_per_task(&self, _: usize) -> usize {
        self.0
    }
}

/// Compiles the document called `name` three times, twice with other files already loaded; and poses it on
/// every instruction set. Each result must be the same again, and must be one of two things: files that our own reader
/// accepts, or errors with their places.
pub fn compile(name: &str, bytes: &[u8], others: MemoryLoader) {
    let mut texts: Texts<'_> = others
        .files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    texts.insert(name, bytes);
    let loader = Asked::new(others.clone());
    let files = Files::new(loader.clone()).within(LIMITS);
    let scalar = Isa::named("scalar").expect("it is everywhere");
    let outcome = outcome(name, bytes, &files, Some(&loader), &[scalar]);
    match &outcome {
        Ok((warnings, outputs)) => {
            warned(warnings, &texts);
            look_at(outputs, &texts);
        }
        Err(errors) => refused(errors, &texts),
    }
    let sets = Isa::available();
    let remembered = self::outcome(name, bytes, &files, None, &sets[1..]);
    assert!(
        outcome == remembered,
        "other instruction sets, or what is remembered, make a difference"
    );
    let fresh = Files::new(others).within(LIMITS);
    let again = self::outcome(name, bytes, &fresh, None, &[Isa::best()]);
    assert!(outcome == again, "a second compile makes a difference");
}

fn look_at(outputs: &[Output], texts: &Texts<'_>) {
    let (export, poses) = outputs.split_first().expect("there is always an export");
    let judge = |output: &Output, is_baked| match output {
        Ok(glb) => sound(glb, is_baked),
        Err(errors) => refused(errors, texts),
    };
    judge(export, false);
    for pose in poses.chunks_exact(2) {
        judge(&pose[0], true);
        match (&pose[0], &pose[1]) {
            (Ok(glb), Ok(positions)) => agree(positions, glb),
            (_, Err(errors)) => refused(errors, texts),
            (Err(_), Ok(_)) => panic!("positions of a pose that cannot be baked"),
        }
    }
}

fn outcome(
    name: &str,
    bytes: &[u8],
    files: &Files,
    loader: Option<&Asked>,
    sets: &[Isa],
) -> Outcome {
    let text = decode(name, bytes)?;
    let checked = check(Input::new(name, text), files)?;
    let (checked, mut warnings) = (checked.value, checked.warnings);
    checked.memory();
    let poses: Vec<String> = checked.pose_ids().take(POSES).map(str::to_owned).collect();
    let compiled = checked.build()?;
    warnings.extend(compiled.warnings);
    let compiled = compiled.value;
    if let Some(loader) = loader {
        let known = compiled.files_read().iter();
        let known: BTreeSet<PathBuf> = known.map(|file| file.location.0.clone()).collect();
        let secret: Vec<PathBuf> = loader.read().difference(&known).cloned().collect();
        assert!(
            secret.is_empty(),
            "what it is made from leaves out {secret:?}"
        );
    }
    let mut outputs = vec![compiled.export().map(|glb| whole(&glb))];
    for pose in &poses {
        let mut of_sets = sets.iter().map(|isa| posed(&compiled, pose, *isa));
        let first = of_sets.next().expect("at least one instruction set");
        of_sets.for_each(|other| assert!(other == first, "pose {pose:?} differs"));
        outputs.extend(first);
    }
    Ok((warnings, outputs))
}

/// A pose as GLB and as positions. Each instruction set evaluates other pieces.
fn posed(compiled: &Compiled, pose: &str, isa: Isa) -> [Output; 2] {
    let executor: &dyn Executor = match isa.name() {
        "scalar" => &Sequential,
        "baseline" => &Pieces(5),
        "avx2" => &Pieces(64),
        _ => &Pieces(33),
    };
    let posed = compiled
        .pose(pose, isa, executor)
        .expect("the document has this pose");
    let glb = posed.bake().map(|glb| whole(&glb));
    let positions = posed.positions().map(|positions| whole(&positions));
    [glb, positions]
}

/// The bytes of a file, as many as it has said.
fn whole(file: &dyn OutputFile) -> Vec<u8> {
    let bytes = file.to_bytes();
    assert_eq!(
        bytes.len() as u64,
        file.len(),
        "another length than was said"
    );
    bytes
}
