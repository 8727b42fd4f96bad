//! The text of a report page: its frame, its style, its script and its pictures.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::writer::RunEnd;
use crate::assist::explanation;
use crate::bake::Source;
use crate::cli::explain::example_text;
use crate::io::DirectoryLoader;
use crate::mesh::Model;
use crate::run::batch::{Chunk, Message, OutputRecord, Status, script_json};
use rigy_base::base64::base64;
use rigy_base::diag::Code;
use rigy_base::loader::Location;
use rigy_base::maps::HashMap;
use rigy_base::sync::Mutex;
use rigy_view::picture::{Frame, Paint, Scenery, Textures, View, draw, png};

/// The beginning of every report page.
pub const FIRST: &str = "<!doctype html>\n<!-- rigy-batch report page -->\n";

/// The style and the script that `viewer/build.mjs` makes of `viewer/src/report`.
const STYLE: &str = include_str!("../../../viewer/dist/report.css");
const SCRIPT: &str = include_str!("../../../viewer/dist/report.js");

/// The facts of a run that are known at its end, in the form of the page.
#[derive(Serialize)]
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
#[derive(Serialize)]
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
#[derive(Serialize)]
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
pub fn page(facts: &RunFacts, circumstances: &Circumstances, inline: &str) -> String {
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

/// The pictures of outputs on a page. All threads use it.
pub struct Thumbnails {
    /// The greatest width and height in pixels.
    size: u16,
    /// True if files have the hashes of their outputs: the run writes them.
    are_written: bool,
    /// Those that have been drawn, by the hashes of outputs: many outputs of a run are equal.
    drawn: Mutex<HashMap<String, Arc<OnceLock<Option<Picture>>>>>,
}

/// A picture of an output.
struct Picture {
    /// A URL that holds it, if it can be drawn.
    url: Option<String>,
    /// True if it depends on files beside the output, so that an equal output may have another.
    has_files: bool,
}

/// Most pictures that are kept for equal outputs.
const MOST_KEPT: usize = 1000;

impl Thumbnails {
    /// Prepares to draw pictures at most `size` pixels wide and high, of a run that writes outputs or not.
    pub fn new(size: u16, are_written: bool) -> Self {
        Self {
            size,
            are_written,
            drawn: Mutex::default(),
        }
    }

    /// Returns a picture of an output as a URL that holds it. Returns `None` if the output has failed or its
    /// file is not there, as in a dry run, or if there is no picture of it.
    pub fn of(&self, record: &OutputRecord) -> Option<String> {
        let path = record.path.as_deref()?;
        if matches!(record.status, Status::Failed | Status::Skipped) {
            return None;
        }
        let hash = record.sha256.as_ref().filter(|_| self.are_written);
        let cell = hash.map(|hash| self.cell(hash));
        let cell = cell.unwrap_or_default();
        let mut is_own = false;
        let draw = || {
            is_own = true;
            self.draw(path)
        };
        let known = cell.get_or_init(draw).as_ref()?;
        if known.has_files && !is_own {
            return self.draw(path)?.url;
        }
        known.url.clone()
    }

    fn cell(&self, hash: &str) -> Arc<OnceLock<Option<Picture>>> {
        let mut drawn = self.drawn.lock();
        match drawn.get(hash) {
            Some(cell) => cell.clone(),
            None if drawn.len() < MOST_KEPT => drawn.entry(hash.to_owned()).or_default().clone(),
            None => Arc::default(),
        }
    }

    /// Draws a GLB; `None` if it cannot be read.
    fn draw(&self, path: &Path) -> Option<Picture> {
        let mut bytes = Vec::new();
        crate::io::read_output(path, MAX_LEN, &mut bytes).ok()?;
        let location = Location(path.to_owned());
        // Images may lie beside the output.
        let loader = DirectoryLoader::new(path.parent()?).ok()?;
        let source = Source::read(&bytes, &location, &loader).ok()?.value;
        let tree = &source.file.tree;
        let mut parts = ["buffers", "images"]
            .iter()
            .flat_map(|list| tree.list(list));
        Some(Picture {
            url: self.url(&source),
            has_files: parts.any(|part| part.get("uri").is_some()),
        })
    }

    fn url(&self, source: &Source) -> Option<String> {
        let model = Model::of_file(&source.file).ok()?;
        let (textures, meter) = (Textures::read(source), source.file.meter);
        let mut frame = Frame::new(View::Natural);
        frame.include(&model);
        let (paint, scenery) = (Paint::Materials(&textures), Scenery::default());
        let image = draw(&model, &frame, self.size.into(), paint, &scenery, meter).ok()?;
        let data = base64(&png(&image));
        Some(format!("data:image/png;base64,{data}"))
    }
}

/// Largest file of which there is a picture, in bytes: more would take long to draw.
const MAX_LEN: u64 = 64 << 20;
