//! Workflow commands, read back as GitHub's runner reads them.

use std::collections::BTreeMap;

use super::{HOSTILE, HOSTILE_ID, hostile, is_harmless};
use crate::support::Dir;
use crate::support::skinned::skinned;

#[derive(Debug)]
struct Command {
    name: String,
    properties: BTreeMap<String, String>,
    message: String,
}

/// Reads a line: `::name key=value,…::message`. `None` for a line that is no command.
fn command(line: &str) -> Option<Command> {
    let rest = line.strip_prefix("::")?;
    let (head, message) = rest.split_once("::")?;
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let property = |text: &str| {
        let (key, value) = text.split_once('=').unwrap();
        (key.to_owned(), unescaped(value, true))
    };
    let properties = properties.split(',').filter(|text| !text.is_empty());
    Some(Command {
        name: name.into(),
        properties: properties.map(property).collect(),
        message: unescaped(message, false),
    })
}

/// Undoes the escapes of the runner; it decodes `%25` last.
fn unescaped(text: &str, is_property: bool) -> String {
    let text = text.replace("%0D", "\r").replace("%0A", "\n");
    let text = match is_property {
        true => text.replace("%3A", ":").replace("%2C", ","),
        false => text,
    };
    text.replace("%25", "%")
}

/// The text with the escapes of control characters that text for people has.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '\u{1b}' | '\u{9b}' | '\u{202e}' | '\u{fffe}' => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

#[test]
fn commands_are_read_back_with_their_properties() {
    let dir = hostile();
    let ran = dir.run("in -o out --format github");
    let out = ran.stdout();
    assert_eq!((ran.status(), ran.stderr().as_str()), (1, ""), "{out}");
    is_harmless(&out);
    let commands: Vec<Command> = out.lines().filter_map(command).collect();
    let [first, second, third] = &commands[..] else {
        panic!("{out}");
    };
    assert_eq!(first.name, "error");
    assert_eq!(first.properties["file"], shown(&format!("in/{HOSTILE}")));
    assert_eq!(
        first.properties["title"],
        "V01: two meshes have the same id"
    );
    let place = ["line", "endLine", "col"].map(|key| &*first.properties[key]);
    assert_eq!(place, ["5", "5", "9"]);
    let end: usize = first.properties["endColumn"].parse().unwrap();
    assert_eq!(end, 9 + HOSTILE_ID[0].len() + 2, "the quoted text");
    assert!(first.message.contains(&shown(HOSTILE_ID[1])), "{first:?}");
    assert_eq!(second.name, "warning");
    assert_eq!(second.properties["file"], "in/good.rigy.yaml");
    assert_eq!(third.name, "error");
    assert_eq!(
        out.lines().last(),
        Some("3 documents: 1 written (2 outputs), 2 failed; 1 warning")
    );
    let quiet = dir.run("in -o out --format github -q").stdout();
    assert!(quiet.lines().eq(out.lines().take(3)), "{quiet}");
}

#[test]
fn findings_of_gltf_files_have_their_path_and_no_line() {
    let dir = Dir::with("a.glb", skinned(3, 0.0).glb());
    let args = "bake a.glb -o out --animation Run";
    let ran = dir.run(&format!("{args} --format github"));
    let found = command(ran.stdout().lines().next().unwrap()).unwrap();
    assert_eq!(found.properties["file"], "a.glb");
    assert!(!found.properties.contains_key("line"), "{found:?}");
    assert!(
        found
            .message
            .starts_with("`animations`: there is no animation `Run`"),
        "{found:?}"
    );
    let ran = dir.run(&format!("{args} --format json"));
    let error = &ran.json()[0]["errors"][0];
    assert_eq!(
        (&error["code"], &error["path"]),
        (&"U21".into(), &"animations".into())
    );
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .starts_with("there is no")
    );
    ran.says("a.glb: `animations`: there is no animation");
}
