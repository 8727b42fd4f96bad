//! Writes a report page and its data files.

use std::collections::HashSet;
use std::io::Write;

use super::data_file::{DataFile, is_data_file, name_of};
use super::html::{self, Chunks, RunFacts, ViewerFacts, inline_chunk};
use super::models::{Models, Shown};
use super::target::{PageTarget, data_directory};
use crate::base::diag::Code;
use crate::base::uri::percent_encoded;
use crate::cli::Fatal;
use crate::io::{Durability, Found, IoError, Sink, Staged, Target, remove_stale};
use crate::run::batch::{Chunk, ChunkKind, LastLine, Options, PageData, PageRow};

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

impl ReportPage {
    /// Begins a page.
    ///
    /// # Errors
    /// If its directory cannot be written to.
    pub fn begin(target: PageTarget, durability: Durability) -> Result<Self, Fatal> {
        let sink = Sink::new(target.directory(), durability)?;
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
    pub fn end(mut self, last: &LastLine, input: &str, mode: Option<&str>) -> Result<(), Fatal> {
        for chunk in std::mem::take(&mut self.data).end() {
            self.put(&chunk);
        }
        let viewer = self.viewer();
        if let Some(error) = self.error {
            return Err(error.into());
        }
        let directory = data_directory(self.target.name().as_ref());
        let [rows, findings, thumbnails, models] = &self.names;
        let facts = RunFacts {
            last,
            input,
            mode,
            version: env!("CARGO_PKG_VERSION"),
            titles: Code::ALL
                .iter()
                .map(|code| (code.name(), code.title()))
                .collect(),
            data: percent_encoded(directory.as_os_str().as_encoded_bytes()),
            chunks: Chunks {
                rows,
                findings,
                thumbnails,
                models,
            },
            viewer,
        };
        let page = html::page(&facts, &self.inline);
        self.target.check_again()?;
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
            self.inline.push_str(&inline_chunk(chunk));
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

#[cfg(feature = "viewer")]
use crate::cli::page::viewer_page;

/// Without the feature `viewer` there are no models.
#[cfg(not(feature = "viewer"))]
fn viewer_page(_: &str) -> String {
    String::new()
}
