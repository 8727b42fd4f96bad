//! Several files in one input: `==> name`, then the lines of that file, then the next. The first is the document.

use rigy_batch::base::loader::MemoryLoader;

use crate::documents;

/// Start of the line with a file's name.
const MARK: &[u8] = b"==> ";

/// End of the name of a scene.
pub const SCENE: &str = ".rigs.yaml";

#[derive(Clone, Default)]
pub struct Archive {
    pub files: Vec<(String, Vec<u8>)>,
}

impl Archive {
    /// The files in some bytes; what stands before the first name belongs to none.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if let Some(name) = line.strip_prefix(MARK) {
                let name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
                files.push((name, Vec::new()));
            } else if let Some((_, text)) = files.last_mut() {
                text.extend_from_slice(line);
            }
        }
        Self { files }
    }

    /// The bytes that are parsed to the same, but for a line end after each file.
    pub fn join(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, text) in &self.files {
            bytes.extend_from_slice(MARK);
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(b'\n');
            bytes.extend_from_slice(text);
            if !text.is_empty() && !text.ends_with(b"\n") {
                bytes.push(b'\n');
            }
        }
        bytes
    }
}

/// Compiles the first file of an archive, with the others beside it. Of two with one name the later counts.
pub fn compile(bytes: &[u8]) {
    compile_first(Archive::parse(bytes));
}

/// As [`compile`]; the first file is a scene, whatever its name is.
pub fn compile_scene(bytes: &[u8]) {
    let mut archive = Archive::parse(bytes);
    if let Some((name, _)) = archive.files.first_mut()
        && !name.ends_with(SCENE)
    {
        name.push_str(SCENE);
    }
    compile_first(archive);
}

fn compile_first(archive: Archive) {
    let mut files = archive.files.into_iter();
    let Some((name, root)) = files.next() else {
        return;
    };
    let mut others: MemoryLoader = MemoryLoader::default();
    others
        .files
        .extend(files.filter(|(other, _)| *other != name));
    let text = root.clone();
    others.files.insert(name.clone(), text);
    documents::compile(&name, &root, others);
}
