//! Writes a report page and its data files.

use std::collections::HashSet;
use std::io::Write;

use sha2::{Digest, Sha256};

use super::html::{self, Chunks, RunFacts, inline_chunk};
use super::target::{PageTarget, data_directory};
use crate::base::diag::Code;
use crate::cli::Fatal;
use crate::io::{Durability, IoError, Sink, Staged, Target, remove_stale};
use crate::run::batch::{Chunk, ChunkKind, LastLine, PageData, PageRow, percent_encoded};

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
    files: Vec<Staged>,
    /// For each kind of chunk, the names of its data files by number.
    names: [Vec<Option<String>>; ChunkKind::ALL.len()],
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
            error: None,
        })
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
        if let Some(error) = self.error {
            return Err(error.into());
        }
        let directory = data_directory(self.target.name().as_ref());
        let [rows, findings, thumbnails] = &self.names;
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
            },
        };
        let page = html::page(&facts, &self.inline);
        self.target.check_again()?;
        let write = |out: &mut dyn Write| out.write_all(page.as_bytes());
        let page = self.sink.stage(Target::new(&self.target.file), write)?;
        // The page comes last: it names the data files, and an older page names others, which stay until then.
        for file in self.files {
            file.prepare()?;
            file.commit()?;
        }
        page.commit()?;
        self.sink.finish()?;
        let names = self.names.iter().flatten().flatten();
        let kept: HashSet<&str> = names.map(String::as_str).collect();
        remove_stale(&data_directory(&self.target.file), |name| {
            let name = name.to_str();
            name.is_some_and(|name| is_data_file(name) && !kept.contains(name))
        });
        Ok(())
    }

    /// Puts a chunk into the page or, if the page has enough data, into a file.
    fn put(&mut self, chunk: &Chunk) {
        if self.error.is_some() {
            return;
        }
        let names = &mut self.names[chunk.kind as usize];
        if self.inline.len() + chunk.json.len() <= INLINE_LEN {
            names.push(None);
            self.inline.push_str(&inline_chunk(chunk));
            return;
        }
        let (kind, number, json) = (chunk.kind.name(), chunk.number, &chunk.json);
        let text = format!("rigyReport(\"{kind}\",{number},{json});\n");
        // A file of another content has another name, so a page that is open finds its own data or none.
        let hash = Sha256::digest(&text);
        let hash: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{kind}-{hash}.js");
        let path = data_directory(&self.target.file).join(&name);
        let write = |out: &mut dyn Write| out.write_all(text.as_bytes());
        match self.sink.stage(Target::new(&path), write) {
            Ok(staged) => {
                self.files.push(staged);
                names.push(Some(name));
            }
            Err(error) => self.error = Some(error),
        }
    }
}

/// Returns true if a file has the name of a data file: a kind, `-`, 16 hexadecimal digits, `.js`.
fn is_data_file(name: &str) -> bool {
    let stem = name.strip_suffix(".js");
    let parts = stem.and_then(|stem| stem.split_once('-'));
    parts.is_some_and(|(kind, hash)| {
        let is_hexadecimal = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_kind = ChunkKind::ALL.iter().any(|known| known.name() == kind);
        is_kind && is_hexadecimal && hash.len() == 16
    })
}
