//! Requests of an editor with a viewer beside it: findings with their ranges, proposals, explanations, and scenes to draw.
//!
//! Offsets and lengths are in UTF-16 code units, in which JavaScript counts.

use rigy_batch::assist::{self, CompletionKind, Mender, Source};
use rigy_batch::base::diag::{Code, Place};
use rigy_batch::view::scene_data::{SceneData, document_scene, gltf_scene};
use rigy_batch::{
    Compiled, Diagnostic, Files, Input, Isa, JointScale, Location, Sequential, Warned, bake,
    compile,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Part, Refusal, finding};
use crate::host::HostLoader;

/// The arguments of `judge`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    name: String,
}

impl Judge {
    /// Answers all findings of a document, and its scene if it has no errors.
    pub fn answer(self, text: &[u8]) -> Answer {
        let name = &*self.name;
        let text = match compile::decode(name, text) {
            Ok(text) => text,
            Err(errors) => return judged(name, "", &errors, None),
        };
        let files = Files::new(HostLoader);
        match compile::compile(Input::new(name, text), &files) {
            Err(errors) => judged(name, text, &errors, None),
            Ok(Warned {
                value,
                mut warnings,
            }) => {
                if value.pose_ids().next().is_none() {
                    // It is about the outputs of poses.
                    warnings.retain(|warning| warning.code != Some(Code::W06));
                }
                let errors = errors_of_outputs(&value);
                if !errors.is_empty() {
                    return judged(name, text, &[warnings, errors].concat(), None);
                }
                let scene = document_scene(&value, name, Isa::best());
                judged(name, text, &warnings, Some(scene))
            }
        }
    }
}

/// Returns the errors of a document's outputs.
fn errors_of_outputs(compiled: &Compiled) -> Vec<Diagnostic> {
    let isa = Isa::best();
    let mut errors = compiled.export().err().unwrap_or_default();
    for id in compiled.pose_ids() {
        let posed = compiled.pose(id, isa, &Sequential);
        errors.extend(
            posed
                .and_then(|posed| posed.bake().err())
                .unwrap_or_default(),
        );
    }
    errors
}

/// Answers findings and, for a document without errors, its scene. If a picture cannot hold it, `note` says why.
fn judged(
    name: &str,
    text: &str,
    findings: &[Diagnostic],
    scene: Option<Result<SceneData, Vec<Diagnostic>>>,
) -> Answer {
    let mender = Mender::new(text);
    let findings: Value = findings
        .iter()
        .enumerate()
        .map(|(rank, found)| {
            let mut value = underlined(name, text, found);
            if rank < MOST_MENDED && found.place.as_ref().is_some_and(|it| it.file == name) {
                value["mend"] = mend(text, &mender, found, &value);
            }
            value
        })
        .collect();
    let without = |note: Option<String>| {
        Answer::new(json!({ "findings": findings, "scene": null, "note": note }))
    };
    match scene {
        None => without(None),
        Some(Ok(scene)) => with_scene(json!({ "findings": findings }), scene),
        Some(Err(limits)) => without(limits.into_iter().next().map(|limit| limit.message)),
    }
}

/// Returns the answer with a scene: its description beside other facts, and its block.
fn with_scene(mut facts: Value, scene: SceneData) -> Answer {
    facts["scene"] = json!(scene);
    Answer::new(facts).with(Part::Bytes(scene.block))
}

/// Returns a finding with the range to underline in the document, as `from` and `to`. A finding in an imported file is shown where the
/// document imports it, and one about the whole file at its beginning.
fn underlined(name: &str, text: &str, found: &Diagnostic) -> Value {
    let mut places = found.place.as_deref().into_iter().chain(&found.importers);
    let here = places.rfind(|place| place.file == name);
    let (from, to) = here.and_then(|place| range(text, place)).unwrap_or((0, 0));
    let mut value = finding(found);
    value["from"] = from.into();
    value["to"] = to.into();
    value
}

/// Most findings that get an edit; the playground lists as many.
const MOST_MENDED: usize = 100;

/// Returns the edit that removes a finding of the document: its `title`, and the text to `insert` in the place of a range; null if there is
/// none. `placed` is the finding with its range.
fn mend(text: &str, mender: &Mender<'_>, found: &Diagnostic, placed: &Value) -> Value {
    let byte = |key: &str| byte_at(text, placed[key].as_u64().unwrap_or(0) as usize);
    let edit = found.mend.as_ref();
    let edit = edit.and_then(|mend| mender.mending(&(byte("from")..byte("to")), mend));
    edit.map_or(Value::Null, |edit| {
        json!({
            "title": edit.title,
            "from": units(&text[..edit.range.start]),
            "to": units(&text[..edit.range.end]),
            "insert": edit.text,
        })
    })
}

/// Returns the range of a place in the text of its file.
fn range(text: &str, place: &Place) -> Option<(usize, usize)> {
    let (line, column) = place.position?;
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line as usize - 1).map(units).sum();
    let content = lines.next().unwrap_or("");
    let left: usize = content
        .chars()
        .take(column as usize - 1)
        .map(char::len_utf16)
        .sum();
    let excerpt = place.excerpt.as_ref();
    let marked = excerpt
        .and_then(|it| it.line.get(it.start..it.end))
        .map_or(0, units);
    Some((before + left, before + left + marked))
}

/// Returns the length of a text in UTF-16 code units.
fn units(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.encode_utf16().count()
    }
}

/// Returns the byte at an offset in UTF-16 code units; within a character its beginning, and behind the text its end.
fn byte_at(text: &str, offset: usize) -> usize {
    let mut counted = 0;
    for (at, char) in text.char_indices() {
        counted += char.len_utf16();
        if counted > offset {
            return at;
        }
    }
    text.len()
}

/// The arguments of `complete` and `hover`: a document and an offset in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    name: String,
    offset: usize,
}

const FILES: assist::Files<'static> = assist::Files {
    loader: &HostLoader,
    searched: &[],
    recent: None,
    listed: None,
};

impl At {
    /// Asks a question about the offset, in bytes, of the text. Also returns the text.
    fn ask<T>(
        self,
        text: &[u8],
        question: fn(Source<'_>, usize, &assist::Files<'_>) -> T,
    ) -> Result<(T, &str), Refusal> {
        let text = compile::decode(&self.name, text)?;
        let location = Location(self.name.into());
        let location = &location;
        let found = question(
            Source { location, text },
            byte_at(text, self.offset),
            &FILES,
        );
        Ok((found, text))
    }

    /// Answers the proposals at the offset, the best first.
    pub fn complete(self, text: &[u8]) -> Result<Answer, Refusal> {
        let (mut found, text) = self.ask(text, assist::completion)?;
        found.sort_by_key(|it| !it.is_required);
        let proposal = |it: assist::Completion| {
            json!({
                "label": it.label,
                "from": units(&text[..it.range.start]),
                "to": units(&text[..it.range.end]),
                "insert": it.insert,
                "kind": match it.kind {
                    CompletionKind::Key => "key",
                    CompletionKind::Word => "word",
                    CompletionKind::Name(_) | CompletionKind::File => "name",
                },
                "about": it.about,
                "isRequired": it.is_required,
            })
        };
        Ok(Answer::new(found.into_iter().map(proposal).collect()))
    }

    /// Answers the explanation of the field, name or code at the offset, in Markdown; null if there is none.
    pub fn hover(self, text: &[u8]) -> Result<Answer, Refusal> {
        let (found, text) = self.ask(text, assist::hover)?;
        Ok(Answer::new(found.map_or(Value::Null, |it| {
            json!({
                "from": units(&text[..it.range.start]),
                "to": units(&text[..it.range.end]),
                "text": it.text,
            })
        })))
    }
}

/// The arguments of `explain`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    code: String,
}

impl Explain {
    /// Answers the explanation of a code, in Markdown; null if there is none.
    pub fn answer(self) -> Answer {
        Answer::new(assist::code_text(&self.code).map_or(Value::Null, Value::String))
    }
}

/// The arguments of `open`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    name: String,
}

impl Open {
    /// Answers the scene of a glTF file, and warnings.
    pub fn answer(self, bytes: &[u8]) -> Result<Answer, Refusal> {
        let location = Location((&*self.name).into());
        let source = bake::Source::read(bytes, &location, &HostLoader)?;
        let mut warnings = source.warnings;
        warnings.extend(source.value.file.check_animations()?);
        // A file without a skin can be looked at, too.
        warnings.retain(|warning| warning.code != Some(Code::W08));
        let scene = gltf_scene(&source.value, &self.name, &JointScale::Global, Isa::best())?;
        let findings: Value = warnings.iter().map(|it| underlined("", "", it)).collect();
        Ok(with_scene(json!({ "findings": findings }), scene))
    }
}
