//! Properties of formatting (`extensions.md` §11.3, `fmt`), which tests and a fuzz target check.

use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::{Loader, Location};
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{self, Files, Input};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;

/// Formats a text, and checks that doing so again changes nothing. `None` if it is no YAML.
pub fn format(text: &str) -> Option<String> {
    match compile::format("text", text, &Limits::DEFAULT) {
        Ok(once) => {
            let twice = compile::format("formatted", &once, &Limits::DEFAULT);
            assert_eq!(twice.as_deref(), Ok(&*once), "formatted twice:\n{text}");
            Some(once)
        }
        Err(errors) => {
            let has_code = errors.iter().all(|error| error.code.is_some());
            // The parser takes blanks that end a text for a line of a block scalar, so that a line end behind them changes it.
            let ends_in_blanks = text
                .lines()
                .last()
                .is_some_and(|line| line.trim().is_empty())
                && text.ends_with(' ');
            assert!(
                has_code || ends_in_blanks,
                "an unknown layout: {errors:?}\n{text}"
            );
            None
        }
    }
}

/// The export and the bake of every pose, or the codes of the findings, sorted.
pub fn compiled(
    text: &str,
    location: &Location,
    loader: impl Loader + Send + 'static,
    limits: Limits,
) -> Result<Vec<Vec<u8>>, Vec<String>> {
    let input = Input {
        name: "document",
        location: location.clone(),
        text,
    };
    let files = Files::new(loader).within(limits);
    let compiled = match compile::compile(input, &files) {
        Ok(compiled) => compiled.value,
        Err(errors) => {
            let mut codes: Vec<String> = errors.iter().map(|e| format!("{:?}", e.code)).collect();
            codes.sort();
            return Err(codes);
        }
    };
    let export = compiled.export();
    let mut outputs: Vec<Vec<u8>> = export.iter().map(|glb| glb.to_bytes()).collect();
    for pose_id in compiled.pose_ids() {
        let posed = compiled.pose(pose_id, Isa::best(), &Sequential);
        let posed = posed.expect("the document has this pose");
        outputs.extend(posed.bake().iter().map(|glb| glb.to_bytes()));
    }
    Ok(outputs)
}
