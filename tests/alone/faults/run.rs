//! A run as the program does it, and the trees of files before and after.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rigy_batch::bake::Skinning;
use rigy_batch::base::diag::{Category, Diagnostic};
use rigy_batch::cli::page::{
    Circumstances, Model, PageTarget, ReportPage, RunEnd, Shown, Thumbnails,
};
use rigy_batch::io::{Discovery, Draft, IoError, Skips, discover};
use rigy_batch::run::batch::{
    BakeJob, Bakes, Batch, Documents, Ended as Counts, InputCounts, LastLine, Options, Outcome,
    OutputFormat, PageExtras, PoseFilter, StartError, Summary, Work, is_document, is_gltf_input,
    thread_pool_of_at_most,
};

use crate::alone::planted;
use crate::support::{Dir, document, is_cache, skinned};

pub type Tree = BTreeMap<PathBuf, Vec<u8>>;

pub struct Ended {
    pub status: u8,
    pub messages: Vec<String>,
    /// Inputs, or directories of them, that failed.
    pub failed: usize,
    /// Those of them that failed for a reason that may pass.
    pub transient: usize,
}

#[derive(Clone, Copy)]
pub struct Case {
    pub bake: bool,
    pub sync: bool,
    /// Old outputs are there.
    pub stale: bool,
    pub force: bool,
    /// A report page is written, with pictures, models and all data in files.
    pub page: bool,
}

fn options(dir: &Path, case: Case) -> Options {
    Options {
        force: case.force,
        sync: case.sync,
        ..planted::options(dir)
    }
}

/// The whole of a run, as the program does it.
pub fn run(dir: &Path, case: Case) -> Ended {
    let stopped = |error: &dyn std::fmt::Display| Ended {
        status: 2,
        messages: vec![error.to_string()],
        failed: 0,
        transient: 0,
    };
    let options = options(dir, case);
    let is_input: &dyn Fn(&std::ffi::OsStr) -> bool = match case.bake {
        true => &is_gltf_input,
        false => &is_document,
    };
    let skips = Skips {
        outputs: vec![dir.join("out")],
        ignored: true,
        ..Skips::default()
    };
    let found = match discover(&[dir.join("in")], is_input, &skips) {
        Ok(found) => found,
        Err(error) => return stopped(&error),
    };
    let ended = if case.bake {
        let job = BakeJob::new(Skinning::linear());
        Bakes::new(&found.found, &options, job)
            .map_err(StartError::from)
            .map_err(Fatal::from)
            .and_then(|work| run_work((dir, case), found, options, work))
    } else {
        Documents::new(
            &found.found,
            &options,
            PoseFilter::All,
            &[OutputFormat::Glb],
        )
        .map_err(StartError::from)
        .map_err(Fatal::from)
        .and_then(|work| run_work((dir, case), found, options, work))
    };
    ended.unwrap_or_else(|error| stopped(&error))
}

type Fatal = Box<dyn std::error::Error>;

fn run_work<W: Work>(
    (dir, case): (&Path, Case),
    discovery: Discovery,
    options: Options,
    work: W,
) -> Result<Ended, Fatal> {
    let sync = options.sync;
    let target = case
        .page
        .then(|| PageTarget::check(&dir.join("pages/page.html")));
    let target = target.transpose()?;
    let batch = Batch::new(discovery.found, options, work, Arc::default())?;
    let mut report = Draft::beside(&dir.join("report"), sync)?;
    let page = target.map(|target| ReportPage::begin(target, sync));
    let mut page = page.transpose()?.map(|page| page.inline_len(0));
    let models = page.as_ref();
    let models =
        models.map(|page| page.models(batch.inputs(), batch.options(), Shown::Poses, 1 << 20));
    let mut messages: Vec<String> = discovery
        .unreadable
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut failed = messages.len();
    let unreadable = discovery.unreadable.iter().map(IoError::finding);
    let mut transient = unreadable.filter(|finding| finding.transient).count();
    let pool = thread_pool_of_at_most(1).unwrap();
    let prepare = |outcome: Outcome| {
        let model = models.as_ref().map(|models| models.make(&outcome));
        let model = model.and_then(Result::transpose);
        let extras = |index: usize| PageExtras {
            thumbnail: Thumbnails::new(16, true).of(&outcome.records[index]),
            model: match &model {
                Some(Ok(model)) => Some(model.of_output(index)),
                _ => None,
            },
        };
        let rows = match case.page {
            true => outcome.page_rows(false, extras),
            false => Vec::new(),
        };
        ((outcome, rows, model), 0)
    };
    let mut counts = Summary::default();
    let errors = batch.run(&pool, prepare, |(outcome, rows, model)| {
        failed += usize::from(outcome.has_failed());
        transient += usize::from(outcome.has_transient_failure());
        messages.extend(outcome.errors.iter().map(shown));
        counts.add(&outcome);
        if let Some(page) = &mut page {
            rows.iter().for_each(|row| page.add(row));
            let file = model.and_then(|model| model.map(Model::into_file).transpose());
            file.into_iter().for_each(|file| page.add_model(file));
        }
    });
    messages.extend(errors.iter().map(ToString::to_string));
    let reported = report.write_all(b"all of the report");
    let reported = reported.map_err(|error| format!("cannot write the report: {error}"));
    let reported = reported.and_then(|()| report.commit().map_err(|error| error.to_string()));
    messages.extend(reported.err());
    let last = LastLine {
        summary: Counts {
            counts,
            timings: None,
            seconds: None,
        },
        shard: None,
        interrupted: false,
        dry_run: false,
    };
    let run = RunEnd {
        last: &last,
        inputs: InputCounts::default(),
        sentence: String::new(),
        input: "document",
        mode: None,
        models: None,
        circumstances: Circumstances::default(),
    };
    if let Some(Err(error)) = page.map(|page| page.end(&run)) {
        messages.push(format!("the report page could not be written: {error}"));
    }
    Ok(Ended {
        status: u8::from(!messages.is_empty()),
        messages,
        failed,
        transient,
    })
}

pub fn tree(root: &Path) -> Tree {
    let entries = walkdir::WalkDir::new(root).into_iter().flatten();
    let content = |entry: walkdir::DirEntry| {
        let content = match entry.file_type().is_file() {
            true => std::fs::read(entry.path()).unwrap(),
            false => Vec::new(),
        };
        (entry.path().to_owned(), content)
    };
    let kept = entries.filter(|entry| !is_cache(entry.path()));
    kept.map(content).collect()
}

pub fn is_of_page(path: &Path) -> bool {
    let mut parts = path.iter();
    parts.any(|part| part == "page.html" || part == "page.html.data")
}

pub fn is_private(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
    parts.any(|part| part.starts_with(".rigy-batch"))
}

pub fn inputs(case: Case) -> Dir {
    let dir = Dir::new();
    if case.page {
        std::fs::create_dir(dir.path().join("pages")).unwrap();
    }
    if case.bake {
        let small = skinned::skinned(10, 0.5);
        let mut json: serde_json::Value = serde_json::from_str(&small.gltf("data.bin")).unwrap();
        json["images"] = serde_json::json!([{"uri": "image.png"}]);
        dir.write("in/a/split.gltf", json.to_string());
        dir.write("in/a/data.bin", &small.bin);
        dir.write("in/a/image.png", b"\x89PNG and so on");
        // With its picture, the file is so large that it is mapped, and the output of the first case is not held in memory.
        let mut large = skinned::skinned(3000, 0.25);
        let picture = if case.force { 8 << 20 } else { 1 << 20 };
        let view =
            serde_json::json!({"buffer": 0, "byteOffset": large.bin.len(), "byteLength": picture});
        large.json["bufferViews"].as_array_mut().unwrap().push(view);
        large.json["images"] = serde_json::json!([{"bufferView": 3, "mimeType": "image/png"}]);
        large.bin.resize(large.bin.len() + picture, 7);
        dir.write("in/b/large.glb", large.glb());
    } else {
        let map = "weights: [], weight_maps: [{primitive_id: b, source: w.json}]";
        let weights = r#"{"primitive_id": "b", "vertex_count": 24, "influences": []}"#;
        let imports = "imports: {p: {source: part.yaml, contract: part.ricy.yaml}}\n";
        let whole = document("p").replace("weights: []", map) + imports;
        dir.write("in/a/whole.rigy.yaml", whole);
        dir.write("in/a/w.json", weights);
        dir.write("in/a/part.yaml", "version: \"0.5\"\n");
        dir.write("in/a/part.ricy.yaml", "contract_version: \"1\"\n");
        dir.write("in/b/other.rigy.yaml", document("q"));
    }
    dir
}

/// An error as people see it: a message about a file that cannot be read does not repeat its name.
fn shown(error: &Diagnostic) -> String {
    match (error.category, &error.place) {
        (Category::FileError, Some(place)) => format!("{}: {}", place.file, error.message),
        _ => error.message.clone(),
    }
}
