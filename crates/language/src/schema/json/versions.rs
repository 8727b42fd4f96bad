//! One schema for documents of all versions: definitions that are the same in several versions stand in it once.

use super::definitions::{DEFINITIONS, Definitions, there};
use super::value::{Json, any_of, list, pair};
use crate::model::document::DOCUMENT;
use crate::version::Version;
use rigy_base::maps::HashMap;

/// The definitions of one version.
struct Of {
    version: Version,
    definitions: Vec<(String, Json)>,
}

/// For each definition of each version the index of the first version whose definition is the same, with everything to which
/// it refers.
type Firsts = HashMap<(String, usize), usize>;

/// Returns the definitions of all versions, and what makes a document choose among them.
pub fn all() -> (Vec<Json>, Vec<(String, Json)>) {
    let versions: Vec<Version> = Version::all().collect();
    let of = |version: &Version| {
        let mut definitions = Definitions::of_documents(*version, versions.clone());
        let _ = definitions.record(&DOCUMENT);
        Of {
            version: *version,
            definitions: definitions.into_made(),
        }
    };
    let all: Vec<Of> = versions.iter().map(of).collect();
    let firsts = firsts(&all);
    let mut shared = Vec::new();
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (at, of) in all.iter().enumerate() {
        for (name, schema) in &of.definitions {
            let shared_name = shared_name(name, at, &firsts, &all);
            if name == DOCUMENT.id {
                let version = of.version.to_string();
                match groups.last_mut().filter(|(name, _)| *name == shared_name) {
                    Some((_, group)) => group.push(version),
                    None => groups.push((shared_name.clone(), vec![version])),
                }
            }
            if firsts[&(name.clone(), at)] == at {
                let mut schema = schema.clone();
                schema.each_reference(&mut |target| {
                    let name = target.trim_start_matches(DEFINITIONS);
                    let shared = self::shared_name(name, at, &firsts, &all);
                    *target = format!("{DEFINITIONS}{shared}");
                });
                shared.push((shared_name, schema));
            }
        }
    }
    (groups.into_iter().map(choice).collect(), shared)
}

/// Returns the rule that documents of some versions follow a definition.
fn choice((definition, versions): (String, Vec<String>)) -> Json {
    let declares = |key: &str| {
        let version = pair("enum", versions.clone());
        pair("required", [key]).with("properties", pair(key, version))
    };
    let declared = any_of([declares("version"), declares("rigy_version")]);
    let then = pair("$ref", format!("{DEFINITIONS}{definition}"));
    pair("if", declared).with("then", then)
}

/// Returns the name of a definition: its own in the first version that has it, with a version in those that change it.
fn shared_name(name: &str, at: usize, firsts: &Firsts, all: &[Of]) -> String {
    let first = firsts[&(name.to_owned(), at)];
    let is_new = (0..first).all(|earlier| !firsts.contains_key(&(name.to_owned(), earlier)));
    if is_new {
        name.to_owned()
    } else {
        format!("{name}-{}", all[first].version)
    }
}

/// Finds the definitions that are the same: first all whose own text is, then fewer and fewer, until all that they refer to
/// are the same, too.
fn firsts(all: &[Of]) -> Firsts {
    let mut parts: HashMap<(&str, usize), (&Json, Vec<String>)> = HashMap::default();
    for (at, of) in all.iter().enumerate() {
        for (name, schema) in &of.definitions {
            parts.insert((name, at), (schema, targets(schema)));
        }
    }
    let mut firsts: Firsts = HashMap::default();
    loop {
        let first = |name: &str, at: usize| {
            let (schema, targets) = &parts[&(name, at)];
            (0..at)
                .find(|earlier| {
                    let target = |of: usize, name: &String| firsts.get(&(name.clone(), of));
                    parts
                        .get(&(name, *earlier))
                        .is_some_and(|(other, _)| other == schema)
                        && targets.iter().all(|t| target(at, t) == target(*earlier, t))
                })
                .unwrap_or(at)
        };
        let next: Firsts = parts
            .keys()
            .map(|(name, at)| (((*name).to_owned(), *at), first(name, *at)))
            .collect();
        if next == firsts {
            return firsts;
        }
        firsts = next;
    }
}

/// Returns the names of the definitions to which a schema refers.
fn targets(schema: &Json) -> Vec<String> {
    let mut names = Vec::new();
    schema.clone().each_reference(&mut |target| {
        names.push(target.trim_start_matches(DEFINITIONS).to_owned());
    });
    names
}

/// Returns the rule that a document declares its version once.
pub fn declared_once() -> Json {
    let declared = ["version", "rigy_version"].map(there);
    pair("oneOf", list(declared))
}
