//! The files that answers are about, and a loader that gives the texts of open documents in the place of the files on disk.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{Location as LspLocation, Range as LspRange, Uri};

use super::document::Document;
use super::host::Host;
use super::positions::{Encoding, Lines};
use crate::assist::MOST_READ;
use rigy_base::loader::{Bytes, Loader, Location, OutsideRoot, too_large};
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::paths::Slashed;
use rigy_base::sync::Mutex;
use rigy_base::uri::of_path;

/// The texts of open documents by identity.
pub type Texts = HashMap<PathBuf, Arc<String>>;

/// Gives the texts of open documents, and the files below a root for all other locations. Clones share what they record.
#[derive(Clone)]
pub struct Overlay {
    host: &'static dyn Host,
    /// `None` if there is no root; then all other files are absent.
    disk: Option<Arc<dyn Loader + Send>>,
    texts: Arc<Texts>,
    seen: Arc<Mutex<Seen>>,
}

/// The files that a document has referred to.
#[derive(Default)]
struct Seen {
    identities: HashSet<PathBuf>,
    /// Locations by the names that findings have.
    locations: HashMap<String, Location>,
}

/// The text of an open document as bytes.
struct Shared(Arc<String>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Overlay {
    /// Returns a loader for the files below a root, which is `None` for a document that is not a file. If the root is not a
    /// directory that can be resolved, all files but open documents are absent.
    pub fn new(host: &'static dyn Host, root: Option<&Path>, texts: Arc<Texts>) -> Self {
        Self {
            host,
            disk: root.and_then(|root| host.directory(root)),
            texts,
            seen: Arc::default(),
        }
    }

    /// Returns the identities of all files that were referred to, whether or not they are there.
    pub fn identities(&self) -> HashSet<PathBuf> {
        self.seen.lock().identities.clone()
    }

    /// Returns the location of the file that has this name in findings.
    pub fn location(&self, name: &str) -> Option<Location> {
        self.seen.lock().locations.get(name).cloned()
    }

    /// Returns the text of a file that was referred to; `None` if it cannot be read any more.
    pub fn text(&self, location: &Location) -> Option<String> {
        let bytes = self.read(location, MOST_READ).ok()?;
        String::from_utf8(bytes.as_ref().to_vec()).ok()
    }

    fn open_text(&self, location: &Location) -> Option<&Arc<String>> {
        self.texts.get(&self.identity(location))
    }
}

impl Loader for Overlay {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let location = match &self.disk {
            Some(disk) => disk.resolve(from, reference)?,
            None => Location(from.route(reference)),
        };
        let identity = self.identity(&location);
        self.seen.lock().identities.insert(identity);
        Ok(location)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        match (self.open_text(location), &self.disk) {
            (Some(text), _) if text.len() as u64 > limit => {
                Err(too_large(text.len() as u64, limit))
            }
            (Some(text), _) => Ok(Bytes::new(Shared(text.clone()))),
            (None, Some(disk)) => disk.read(location, limit),
            (None, None) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn len(&self, location: &Location) -> u64 {
        match (self.open_text(location), &self.disk) {
            (Some(text), _) => text.len() as u64,
            (None, Some(disk)) => disk.len(location),
            (None, None) => 0,
        }
    }

    fn identity(&self, location: &Location) -> PathBuf {
        if self.texts.contains_key(&location.0) {
            return location.0.clone();
        }
        match &self.disk {
            Some(disk) => disk.identity(location),
            None => self.host.identity(&location.0),
        }
    }

    fn name(&self, location: &Location) -> String {
        let name = match &self.disk {
            Some(disk) => disk.name(location),
            None => location.0.slashed().to_string(),
        };
        let mut seen = self.seen.lock();
        seen.locations.insert(name.clone(), location.clone());
        drop(seen);
        name
    }
}

/// The files to which an open document refers. The lines of each are searched for once.
pub struct Files<'a> {
    overlay: &'a Overlay,
    /// The open documents.
    open: Vec<&'a Document>,
    /// The unit of positions.
    pub encoding: Encoding,
    /// Files by their locations; `None` for one that has no URI.
    known: HashMap<PathBuf, Option<File>>,
}

/// A file with the text that counts for it.
pub struct File {
    /// The URI by which the client knows it.
    pub uri: Uri,
    /// Its text and its lines; `None` if it cannot be read.
    pub text: Option<(Arc<String>, Lines)>,
}

impl<'a> Files<'a> {
    /// Returns the files that `overlay` finds.
    pub fn new(
        overlay: &'a Overlay,
        open: impl Iterator<Item = &'a Document>,
        encoding: Encoding,
    ) -> Self {
        Self {
            overlay,
            open: open.collect(),
            encoding,
            known: HashMap::default(),
        }
    }

    /// Returns the file at a location; `None` if it has no URI.
    pub fn at(&mut self, location: &Location) -> Option<&File> {
        if !self.known.contains_key(&location.0) {
            let file = self.find(location);
            self.known.insert(location.0.clone(), file);
        }
        self.known[&location.0].as_ref()
    }

    /// Returns the file that has a name in findings, if the document has referred to it.
    pub fn named(&mut self, name: &str) -> Option<&File> {
        let location = self.overlay.location(name)?;
        self.at(&location)
    }

    /// Returns a range of bytes of a file as the protocol has it.
    pub fn location(&mut self, location: &Location, bytes: &Range<usize>) -> Option<LspLocation> {
        let encoding = self.encoding;
        let file = self.at(location)?;
        let (text, lines) = file.text.as_ref()?;
        let position = |at: usize| lines.position(text, at, encoding);
        let range = LspRange::new(position(bytes.start), position(bytes.end));
        Some(LspLocation::new(file.uri.clone(), range))
    }

    fn find(&self, location: &Location) -> Option<File> {
        let identity = self.overlay.identity(location);
        let open = self.open.iter().find(|open| open.identity == identity);
        if let Some(open) = open {
            return Some(File {
                uri: open.uri.clone(),
                text: Some((open.text.clone(), open.lines.clone())),
            });
        }
        let text = self.overlay.text(location).map(|text| {
            let lines = Lines::new(&text);
            (Arc::new(text), lines)
        });
        let uri = of_path(&location.0).parse().ok()?;
        Some(File { uri, text })
    }
}
