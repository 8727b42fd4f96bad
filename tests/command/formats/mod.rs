//! The formats of standard output, each read back by a reader of its own, over names and messages that would break out of it.

mod github;
mod junit;
mod others;
mod sarif;

use crate::support::Dir;

/// A name that has what the formats use themselves, and what would act on a terminal.
pub const HOSTILE: &str = "a%b,c:d\"e<f&g]]>h\u{1b}[31m\u{202e}i\nj{0}[k](http:l)\u{9b}.rigy.yaml";

const HOSTILE_ID: [&str; 2] = [
    r#"50%, a:b \"c\" <d> & ]]> \e[1m \u202e {0} [e](f) \x9b \ufffe"#,
    "50%, a:b \"c\" <d> & ]]> \u{1b}[1m \u{202e} {0} [e](f) \u{9b} \u{fffe}",
];

fn bad(id: &str) -> String {
    let mesh = format!("  - id: \"{id}\"\n    primitives: []\n");
    format!("version: \"0.5\"\nmeshes:\n{mesh}{mesh}")
}

/// A directory with a good document with a warning, a bad one with hostile names, and one that is no YAML.
pub fn hostile() -> Dir {
    let dir = Dir::new();
    let warned = crate::support::document("p").replace("[0, 0, 0]", "[0, 0.5, 0]");
    let turn = "rotation: [0.6, 0.8, 0, 0]";
    let warned = warned.replace(turn, &format!("{turn}, translation: [0, 0.5, 0]"));
    dir.write("in/good.rigy.yaml", warned);
    dir.write(&format!("in/{HOSTILE}"), bad(HOSTILE_ID[0]));
    dir.write("in/none.rigy.yaml", "version: [");
    dir
}

/// Nothing in the text acts on a terminal.
pub fn is_harmless(text: &str) {
    let acts = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(acts), "{text:?}");
}
