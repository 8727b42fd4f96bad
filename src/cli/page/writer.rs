//! Writes a report page and its data files to their destination, which is checked first.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::html::{self, Circumstances, CodeText, FIRST, RunFacts, ViewerFacts, inline_chunk};
use super::models::{DataFile, Models, Shown, is_data_file, name_of};
use crate::cli::page::viewer_page;
use crate::cli::report::{begins_with, check_replaced};
use crate::cli::status::{Result, bail};
use crate::io::{Destination, Found, IoError, Sink, Staged, Target, directory_of, remove_stale};
use crate::run::batch::{Chunk, ChunkKind, InputCounts, LastLine, Options, PageData, PageRow};
use rigy_base::maps::HashSet;
use rigy_base::paths::Slashed;
use rigy_base::uri::percent_encoded;

/// Data goes into the page itself until it has this many bytes of it, and to files from the first chunk that does not fit.
const INLINE_LEN: usize = 1 << 20;

/// A page whose data is written while the run goes on. It replaces an older page when it is complete.
pub struct ReportPage {
    target: PageTarget,
    sink: Sink,
    data: PageData,
    /// The elements of the page that hold data.
    inline: String,
    /// Data files, which are not yet in their places.
    files: Vec<DataFile>,
    /// For each kind of chunk, the names of its data files by number.
    names: [Vec<Option<String>>; ChunkKind::ALL.len()],
    /// The data files of models.
    models: Vec<DataFile>,
    /// Data goes to files beyond this number of bytes in the page.
    inline_len: usize,
    /// The first failure to write.
    error: Option<IoError>,
}

/// The end of a run.
#[derive(Debug, Serialize)]
pub struct RunEnd<'a> {
    /// The last line of JSON lines.
    #[serde(flatten)]
    pub last: &'a LastLine,
    /// The inputs, each once.
    pub inputs: InputCounts,
    /// The summary for people.
    pub sentence: String,
    /// The word for an input: document or file.
    pub input: &'a str,
    /// `check` or `dry-run` if outputs were not to be written.
    pub mode: Option<&'a str>,
    /// The value of `--models`.
    pub models: Option<u64>,
    /// The circumstances of the run.
    #[serde(skip)]
    pub circumstances: Circumstances,
}

impl ReportPage {
    /// Begins a page.
    ///
    /// # Errors
    /// If its directory cannot be written to.
    pub fn begin(target: PageTarget, sync: bool) -> Result<Self> {
        let sink = Sink::new(target.directory(), sync)?;
        Ok(Self {
            target,
            sink,
            data: PageData::default(),
            inline: String::new(),
            files: Vec::new(),
            names: Default::default(),
            models: Vec::new(),
            inline_len: INLINE_LEN,
            error: None,
        })
    }

    /// Sets the number of bytes of data in the page itself, by default 1 MiB, beyond which data goes to files.
    #[must_use]
    pub fn inline_len(self, inline_len: usize) -> Self {
        Self { inline_len, ..self }
    }

    /// Returns the means to make models of the inputs of a batch, sorted by path, for [`add_model`](Self::add_model). Data files
    /// have at most `most` bytes.
    pub fn models<'a>(
        &self,
        inputs: &'a [Found],
        options: &'a Options,
        shown: Shown,
        most: u64,
    ) -> Models<'a> {
        let directory = data_directory(&self.target.file);
        let place = (self.sink.clone(), directory);
        Models::new((inputs, options), shown, most, place)
    }

    /// Adds the data file of a model. A failure to write it is kept for [`ReportPage::end`].
    pub fn add_model(&mut self, file: Result<DataFile, IoError>) {
        match file {
            Ok(file) => self.models.push(file),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }

    /// Adds an output. A failure is kept for [`ReportPage::end`], and nothing is written after it.
    pub fn add(&mut self, row: &PageRow) {
        for chunk in self.data.add(row) {
            self.put(&chunk);
        }
    }

    /// Ends the page, and puts it and its data files in their places.
    ///
    /// # Errors
    /// If any of it could not be written, or if an output has been written to its place meanwhile.
    pub fn end(mut self, run: &RunEnd) -> Result<()> {
        let (chunks, messages) = std::mem::take(&mut self.data).end();
        chunks.for_each(|chunk| self.put(&chunk));
        let viewer = self.viewer();
        if let Some(error) = self.error {
            return Err(error.into());
        }
        let directory = data_directory(self.target.name().as_ref());
        let kinds = ChunkKind::ALL.iter().map(|kind| kind.name());
        let facts = RunFacts {
            run,
            version: env!("CARGO_PKG_VERSION"),
            messages: &messages.all,
            codes: messages
                .codes()
                .filter_map(|code| Some((code.name(), CodeText::of(code)?)))
                .collect(),
            data: percent_encoded(directory.as_os_str().as_encoded_bytes()),
            chunks: kinds.zip(self.names.iter().map(Vec::as_slice)).collect(),
            viewer,
        };
        let page = html::page(&facts, &run.circumstances, &self.inline);
        self.target.check_replaced()?;
        let write = |out: &mut dyn Write| out.write_all(page.as_bytes());
        let page = self.sink.stage(Target::new(&self.target.file), write)?;
        let files: Vec<DataFile> = self.files.into_iter().chain(self.models).collect();
        let kept: HashSet<String> = files.iter().map(|file| file.name.clone()).collect();
        // The page comes last: it names the data files, and an older page names others, which stay until then.
        for file in files {
            Staged::prepare([&file.staged])?;
            file.staged.commit()?;
        }
        page.commit()?;
        self.sink.finish()?;
        remove_stale(&data_directory(&self.target.file), |name| {
            let name = name.to_str();
            name.is_some_and(|name| is_data_file(name) && !kept.contains(name))
        });
        Ok(())
    }

    /// Adds the page of the viewer, if there are models for it.
    fn viewer(&mut self) -> Option<ViewerFacts> {
        if self.models.is_empty() || self.error.is_some() {
            return None;
        }
        let name = self.target.name().as_encoded_bytes();
        let page = viewer_page(&format!("../{}", percent_encoded(name)));
        let file = format!("viewer-{}.html", name_of(&page));
        self.put_file(&file, &page);
        Some(ViewerFacts {
            file,
            models: self.models.len(),
            bytes: self.models.iter().map(|file| file.len).sum(),
        })
    }

    /// Puts a chunk into the page or, if the page has enough data, into a file.
    fn put(&mut self, chunk: &Chunk) {
        if self.error.is_some() {
            return;
        }
        let (kind, number, json) = (chunk.kind.name(), chunk.number, &chunk.json);
        if self.inline.len() + json.len() <= self.inline_len {
            self.names[chunk.kind as usize].push(None);
            self.inline += &inline_chunk(chunk);
            return;
        }
        let text = format!("rigyReport(\"{kind}\",{number},{json});\n");
        let name = format!("{kind}-{}.js", name_of(&text));
        self.put_file(&name, &text);
        self.names[chunk.kind as usize].push(Some(name));
    }

    /// Writes a data file, which is not put in its place yet.
    fn put_file(&mut self, name: &str, text: &str) {
        let path = data_directory(&self.target.file).join(name);
        let write = |out: &mut dyn Write| out.write_all(text.as_bytes());
        match self.sink.stage(Target::new(&path), write) {
            Ok(staged) => self.files.push(DataFile {
                name: name.to_owned(),
                len: text.len() as u64,
                staged,
            }),
            Err(error) => self.error = Some(error),
        }
    }
}

/// The destination of a report page, which has been checked.
#[derive(Clone, Debug)]
pub struct PageTarget {
    /// The path as the user wrote it.
    pub path: PathBuf,
    /// The same path with links followed.
    pub file: PathBuf,
}

/// The word for a report page in messages.
const KIND: &str = "report page";

impl PageTarget {
    /// Follows `path` to the destination. A page replaces only a page or an empty file, so that an input or an output that
    /// was named by mistake is not lost.
    ///
    /// # Errors
    /// If another file is there or the file there cannot be read; if the path leads to something other than a file; if a
    /// file is in the place of the directory for data.
    pub fn check(path: &Path) -> Result<Self> {
        let shown = path.slashed();
        let Destination::File(file) = Destination::of(path)? else {
            bail!(
                "cannot write the {KIND} to `{shown}`: data files may have to stand beside it; name a file"
            );
        };
        let data = data_directory(&file);
        if data.exists() && !data.is_dir() {
            let data = data.slashed();
            bail!(
                "cannot write the {KIND} `{shown}`: its data goes to the directory `{data}`, and a file is there"
            );
        }
        let path = path.to_owned();
        let target = Self { path, file };
        target.check_replaced()?;
        Ok(target)
    }

    /// Checks that nothing but a page is replaced; also at the end, because an output may have been written there.
    ///
    /// # Errors
    /// If another file is there, or the file there cannot be read.
    fn check_replaced(&self) -> Result<()> {
        let is_page = |file: &mut dyn Read| begins_with(file, FIRST.as_bytes());
        check_replaced(&self.path, &self.file, KIND, is_page).map(drop)
    }

    /// Returns the directory that the page stands in.
    pub fn directory(&self) -> &Path {
        directory_of(&self.file)
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &OsStr {
        self.file.file_name().unwrap_or(OsStr::new("report"))
    }
}

/// Returns the directory for the data of a page: the path of the page, followed by `.data`.
pub fn data_directory(page: &Path) -> PathBuf {
    let mut path = OsString::from(page);
    path.push(".data");
    path.into()
}
