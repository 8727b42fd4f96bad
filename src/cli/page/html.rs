//! The text of a report page: its frame, its style, its script and its pictures.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::writer::RunEnd;
use crate::assist::explanation;
use crate::base::base64::base64;
use crate::base::diag::Code;
use crate::cli::explain::example_text;
use crate::run::batch::{Chunk, Message, OutputRecord, Status, script_json};

/// The beginning of every report page.
pub const FIRST: &str = "<!doctype html>\n<!-- rigy-batch report page -->\n";

/// The style and the script that `viewer/build.mjs` makes of `viewer/src/report`.
const STYLE: &str = include_str!("../../../viewer/dist/report.css");
const SCRIPT: &str = include_str!("../../../viewer/dist/report.js");

/// The facts of a run that are known at its end, in the form of the page.
#[derive(Debug, Serialize)]
pub struct RunFacts<'a> {
    /// The counts of the run, its sentence and its options.
    #[serde(flatten)]
    pub run: &'a RunEnd<'a>,
    /// The version of the program.
    pub version: &'a str,
    /// The messages of findings, to which rows refer by number.
    pub messages: &'a [Message],
    /// The texts of the codes that have been found.
    pub codes: BTreeMap<&'a str, CodeText>,
    /// The URL of the directory for data, relative to the page.
    pub data: String,
    /// For each kind of chunk, the names of the data files by number, null for chunks that the page itself holds.
    pub chunks: BTreeMap<&'a str, &'a [Option<String>]>,
    /// The viewer; `None` if there is no model for it.
    pub viewer: Option<ViewerFacts>,
}

/// The text of a code, as `rigy-batch explain` has it.
#[derive(Debug, Serialize)]
pub struct CodeText {
    title: &'static str,
    meaning: &'static str,
    mend: &'static str,
    /// The example, or why there is none.
    example: String,
}

impl CodeText {
    /// Returns the text of a code.
    pub fn of(code: Code) -> Option<Self> {
        let explanation = explanation::of(code)?;
        Some(Self {
            title: code.title(),
            meaning: explanation.meaning,
            mend: explanation.mend,
            example: example_text(&explanation.example),
        })
    }
}

/// The circumstances of a run. They are different in each run, and on a line of the page that has nothing else.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Circumstances {
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// How long it took.
    pub seconds: f64,
    /// The command line as a shell takes it.
    pub command: String,
    /// The current directory.
    pub directory: String,
    /// The options that a configuration file sets, with their places.
    pub options: Vec<(String, String)>,
    /// Operating system, processor, instruction set and threads.
    pub machine: String,
}

/// The viewer and its models.
#[derive(Clone, Debug, Serialize)]
pub struct ViewerFacts {
    /// The name of its page, a data file.
    pub file: String,
    /// The number of models.
    pub models: usize,
    /// The length of all data files of models in bytes.
    pub bytes: u64,
}

/// Returns a chunk as an element of the page.
pub fn inline_chunk(chunk: &Chunk) -> String {
    let (kind, number, json) = (chunk.kind.name(), chunk.number, &chunk.json);
    format!(
        "<script type=\"application/json\" data-kind=\"{kind}\" data-number=\"{number}\">{json}</script>\n"
    )
}

/// Returns the source value of a Content-Security-Policy that allows an inline text.
pub fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text)))
}

/// Returns the whole page. `inline` are the elements with data.
pub fn page(facts: &RunFacts<'_>, circumstances: &Circumstances, inline: &str) -> String {
    // Only the script of the page itself runs, and it may load data files; nothing is requested from elsewhere.
    let (script, style) = (hash_source(SCRIPT), hash_source(STYLE));
    let policy = format!(
        "default-src 'none'; script-src {script} 'strict-dynamic'; style-src {style}; img-src data:; base-uri 'none'; \
         form-action 'none'"
    );
    let (facts, circumstances) = (script_json(facts), script_json(circumstances));
    format!(
        "{FIRST}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>rigy-batch report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This report is shown by its own script, which the browser has not run.</noscript>\n\
         <div id=\"app\"></div>\n{inline}\
         <script type=\"application/json\" id=\"circumstances\">{circumstances}</script>\n\
         <script type=\"application/json\" id=\"run\">{facts}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Returns a picture of an output as a URL that holds it, at most `size` pixels wide and high. Returns `None` if `size` is 0,
/// if the output has failed or its file is not there, as in a dry run, or if there is no picture of it.
pub fn thumbnail(record: &OutputRecord, size: u16) -> Option<String> {
    let path = record.path.as_deref()?;
    let has_file = size > 0 && !matches!(record.status, Status::Failed | Status::Skipped);
    let png = has_file.then(|| picture(path, size)).flatten()?;
    Some(format!("data:image/png;base64,{}", base64(&png)))
}

/// Largest file of which there is a picture, in bytes: more would take long to draw.
const MAX_LEN: u64 = 64 << 20;

/// Returns a picture of a GLB as the bytes of a PNG file; `None` if the file cannot be read or drawn.
fn picture(path: &Path, size: u16) -> Option<Vec<u8>> {
    use crate::bake::Source;
    use crate::base::loader::Location;
    use crate::io::DirectoryLoader;
    use crate::mesh::Model;
    use crate::view::picture::{Frame, Paint, Scenery, Textures, View, draw, png};

    let mut bytes = Vec::new();
    crate::io::read_output(path, MAX_LEN, &mut bytes).ok()?;
    let location = Location(path.to_owned());
    // Images may lie beside the output.
    let loader = DirectoryLoader::new(path.parent()?).ok()?;
    let source = Source::read(&bytes, &location, &loader).ok()?.value;
    let model = Model::of_file(&source.file).ok()?;
    let (textures, meter) = (Textures::read(&source), source.file.meter);
    let mut frame = Frame::new(View::Natural);
    frame.include(&model);
    let paint = Paint::Materials(&textures);
    let image = draw(
        &model,
        &frame,
        size.into(),
        paint,
        &Scenery::default(),
        meter,
    )
    .ok()?;
    Some(png(&image))
}
