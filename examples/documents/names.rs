//! Ids and names: mostly plain words, sometimes the most unusual text that a file may hold.

use std::collections::BTreeSet;

use super::model::{Maybe, MirrorX};
use super::random::{Draw, Random};

const WORDS: &[&str] = &[
    "torso", "arm", "hand", "fin", "tail", "hull", "mast", "rotor", "strut", "spine", "jaw",
    "wing", "paw", "crane", "hook", "lid", "hinge", "piston", "blade", "neck",
];

const ODD: &[&str] = &[
    "",
    " ",
    "a b",
    " padded ",
    "dot.ted.id",
    "...",
    "-",
    "--",
    "- item",
    "a: b",
    "a #b",
    "#hash",
    "?",
    "? key",
    "&anchor",
    "*alias",
    "!tag",
    "%percent",
    "@at",
    "`tick`",
    "|",
    ">",
    "[",
    "{a}",
    "a,b",
    "\"double\"",
    "it's",
    "''",
    "back\\slash",
    "C:\\dir\\file",
    "a/b",
    "/abs",
    "tab\there",
    "two\nlines",
    "trailing\n",
    "cr\rhere",
    "bell\u{7}",
    "esc\u{1b}[0m",
    "unit\u{1f}",
    "del\u{7f}",
    "next\u{85}line",
    "nbsp\u{a0}",
    "line\u{2007}sep",
    "mark\u{feff}inside",
    "\u{fffe}",
    "été",
    "e\u{301}te\u{301}",
    "骨格",
    "🦴",
    "👩‍🚀 suit",
    "ßtraße",
    "İstanbul",
    "имя",
    "עצם",
    "\u{202e}rtl",
    "null",
    "Null",
    "~",
    "true",
    "False",
    "yes",
    "on",
    "n",
    "7",
    "-1",
    "010",
    "1_000",
    "0x1F",
    "0b11",
    "1.5",
    "1e3",
    ".5",
    "+.5",
    ".inf",
    ".nan",
    "inf",
    "2024-02-29",
    "12:30:00",
    "=",
    "<", // not "<<": the oracle's YAML crate takes it for a merge key even in quotes
    "None",
    "NONE",
    "nil",
    "$ref",
    "${x}",
    "=1+1",
    "constructor",
    "__proto__",
    "x'y\"z\\w",
];

const ODD_POSES: &[&str] = &[
    "",
    " ",
    "bind pose",
    "A/B",
    "50%",
    "%2F",
    "..",
    ".",
    ".hidden",
    "été",
    "骨",
    "🦴 wave",
    "a\\b",
    "tab\t",
    "colon: x",
    "new\nline",
    "-",
    "#1",
    "null",
    "1e3",
    "twist.45",
    "~",
    "con",
    "q?*",
    "\"q\"",
    "it's",
    "İ",
    "plus+minus",
    "2024-02-29",
];

const PREFIXES: &[(&str, &str)] = &[
    ("L.", "R."),
    ("left_", "right_"),
    ("l_", "r_"),
    ("左", "右"),
    ("L", "R"),
    ("armL", "armR"),
    ("é", "e"),
    ("+", "-"),
    ("links ", "rechts "),
    ("🡐", "🡒"),
    ("w", "mirrored w"),
];

/// Names of the things in a document.
pub struct Naming {
    pub mirror: Option<MirrorX>,
    odd_percent: usize,
}

impl Naming {
    pub fn draw(random: &mut Random) -> Naming {
        let odd_percent = *random.pick(&[0, 0, 10, 50]);
        let mirror = random.chance(35).then(|| {
            let (from, to) = *random.pick(PREFIXES);
            MirrorX {
                prefix_from: from.into(),
                prefix_to: to.into(),
            }
        });
        Naming {
            mirror,
            odd_percent,
        }
    }

    /// Returns the name of `id` after mirroring; `None` where mirroring leaves it alone.
    pub fn mirrored(&self, id: &str) -> Option<String> {
        let mirror = self.mirror.as_ref()?;
        let rest = id.strip_prefix(mirror.prefix_from.as_str())?;
        Some(format!("{}{rest}", mirror.prefix_to))
    }

    /// Everything that can be referred to once mirroring is done, given the authored ids.
    ///
    /// A copy that would be renamed a second time where it is mentioned is left out.
    pub fn expanded(&self, ids: &[String]) -> Vec<String> {
        let copies = ids.iter().filter_map(|id| self.mirrored(id));
        let safe = copies.filter(|copy| self.mirrored(copy).is_none());
        ids.iter().cloned().chain(safe).collect()
    }

    pub fn id(&self, random: &mut Random) -> String {
        let base = if random.chance(self.odd_percent) {
            odd_text(random)
        } else {
            plain_word(random)
        };
        match &self.mirror {
            Some(mirror) if random.chance(40) => format!("{}{base}", mirror.prefix_from),
            _ => base,
        }
    }

    pub fn name(&self, random: &mut Random) -> Maybe<String> {
        match random.below(10) {
            0..6 => None,
            6 => Some(None),
            7 => Some(Some(String::new())),
            _ => Some(Some(self.id(random))),
        }
    }

    pub fn pose_id(&self, random: &mut Random) -> String {
        if random.chance(self.odd_percent) {
            (*random.pick(ODD_POSES)).into()
        } else {
            plain_word(random)
        }
    }
}

fn plain_word(random: &mut Random) -> String {
    let word = *random.pick(WORDS);
    match random.below(4) {
        0 => word.into(),
        1 => format!("{word}_{}", random.below(100)),
        2 => format!("{word}.{}", random.below(10)),
        _ => format!("{}{}", word.to_uppercase(), random.below(10)),
    }
}

fn odd_text(random: &mut Random) -> String {
    let odd = *random.pick(ODD);
    match random.below(12) {
        0 => format!("{odd}{}", random.pick(ODD)),
        1 => odd.repeat(20),
        2 => plain_word(random).repeat(40),
        _ => odd.into(),
    }
}

/// Ids that have to differ from each other, mirrored copies included.
#[derive(Default)]
pub struct Pool {
    taken: BTreeSet<String>,
}

impl Pool {
    /// Draws until an id is free. `mirrored`: ids of this list are copied by symmetry.
    pub fn fresh(&mut self, random: &mut Random, naming: &Naming, mirrored: bool) -> String {
        loop {
            let mut id = naming.id(random);
            if random.chance(30) {
                id.push_str(&random.below(1000).to_string());
            }
            // The word that marks a root would make every mention of this bone ambiguous.
            if id != "none" && self.take(&id, naming.mirrored(&id).filter(|_| mirrored)) {
                return id;
            }
        }
    }

    /// An id and the one that mirroring makes of it, for lists that symmetry does not copy.
    pub fn fresh_pair(
        &mut self,
        random: &mut Random,
        naming: &Naming,
        mirror: &MirrorX,
    ) -> [String; 2] {
        loop {
            let rest = naming.id(random);
            let pair = [&mirror.prefix_from, &mirror.prefix_to].map(|p| format!("{p}{rest}"));
            if self.take(&pair[0], Some(pair[1].clone())) {
                return pair;
            }
        }
    }

    /// Takes an id of a list that symmetry copies, if it is free.
    pub fn claim(&mut self, naming: &Naming, id: &str) -> bool {
        self.take(id, naming.mirrored(id))
    }

    /// A pose id, unique even on a file system that ignores case.
    pub fn fresh_pose(&mut self, random: &mut Random, naming: &Naming) -> String {
        loop {
            let id = naming.pose_id(random);
            if self.take(&id.to_lowercase(), None) {
                return id;
            }
        }
    }

    fn take(&mut self, id: &str, copy: Option<String>) -> bool {
        if self.taken.contains(id) || copy.as_ref().is_some_and(|copy| self.taken.contains(copy)) {
            return false;
        }
        self.taken.insert(id.into());
        self.taken.extend(copy);
        true
    }
}
