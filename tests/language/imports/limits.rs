//! Limits on imports: depth, number of files, length of paths, and size of all parts together.

use rigy_batch::base::diag::Category;
use rigy_batch::compile::{MAX_DEPTH, MAX_EXPANDED_LEN, MAX_FILES, MAX_PATH};

use super::{EMPTY, findings, found, importing};

#[test]
fn chains_and_crowds_of_imports_have_limits() {
    let chain = |length: usize| {
        let files: Vec<(String, String)> = (1..=length)
            .map(|i| {
                let next = format!("{}.yaml", i + 1);
                let text = if i < length {
                    importing(&[&next])
                } else {
                    EMPTY.to_owned()
                };
                (format!("{i}.yaml"), text)
            })
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
        found(&importing(&["1.yaml"]), &files)
    };
    assert_eq!(chain(MAX_DEPTH), []);
    let last = format!("{MAX_DEPTH}.yaml");
    assert_eq!(chain(MAX_DEPTH + 1), [("U10", last)]);

    let crowd = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("{i}.yaml")).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, EMPTY)).collect();
        found(&importing(&names), &files)
    };
    assert_eq!(crowd(MAX_FILES), []);
    assert_eq!(crowd(MAX_FILES + 1), [("U10", "root.rigy.yaml".to_owned())]);
}

#[test]
fn a_long_way_round_counts_even_where_its_end_is_known() {
    // c is one level deep for the root, and as deep as allowed through the chain, but has a level below it.
    let mut files = vec![
        ("c.yaml".to_owned(), importing(&["d.yaml"])),
        ("d.yaml".to_owned(), EMPTY.to_owned()),
    ];
    for i in 1..MAX_DEPTH {
        let next = if i + 1 < MAX_DEPTH {
            format!("{}.yaml", i + 1)
        } else {
            "c.yaml".into()
        };
        files.push((format!("{i}.yaml"), importing(&[&next])));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
    let last = format!("{}.yaml", MAX_DEPTH - 1);
    assert_eq!(
        found(&importing(&["c.yaml", "1.yaml"]), &files),
        [("U10", last)]
    );
}

#[test]
fn paths_are_no_longer_than_any_system_opens() {
    let path = |len: usize| format!("{}x", "d/".repeat(len / 2))[..len].to_owned();
    let imported = |len: usize| found(&importing(&[&path(len)]), &[]);
    assert_eq!(imported(MAX_PATH), [("U06", "root.rigy.yaml".to_owned())]);
    let refused = [("U10", "root.rigy.yaml".to_owned())];
    assert_eq!(imported(MAX_PATH + 1), refused);
    let contract = format!(
        "version: \"0.5\"\nimports: {{p: {{source: p, contract: {}}}}}\n",
        path(MAX_PATH + 1)
    );
    assert_eq!(found(&contract, &[]), refused);
}

#[test]
fn the_size_of_all_parts_together_is_limited() {
    let part = |bytes: usize| {
        let id = "x".repeat(bytes);
        format!("version: \"0.5\"\nmeshes: [{{id: {id}, primitives: []}}]\n")
    };
    let parts = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("{i}.yaml")).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let text = part(1 << 19);
        let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, &*text)).collect();
        found(&importing(&names), &files)
    };
    let fit = (MAX_EXPANDED_LEN >> 19) as usize - 1;
    assert_eq!(parts(fit), []);
    assert_eq!(parts(fit + 1), [("U10", "root.rigy.yaml".to_owned())]);
}

#[test]
fn names_that_would_fill_memory_are_refused_before_they_are_made() {
    let meshes: Vec<String> = (0..3000)
        .map(|i| format!("{{id: m{i}, primitives: [{{type: box, id: b, dimensions: {{x: 1}}}}]}}"))
        .collect();
    let anchors = "anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]\n";
    let part = format!(
        "version: \"0.5\"\nmeshes: [{}]\n{anchors}",
        meshes.join(", ")
    );
    let root = |length: usize| {
        let id = "i".repeat(length);
        format!(
            "version: \"0.5\"\nimports: {{p: {{source: p.yaml}}}}\n{anchors}instances: [{{id: {id}, import: p, \
             attach3: {{from: [a, b, c], to: [a, b, c], mode: rigid}}}}]\n"
        )
    };
    assert_eq!(found(&root(10), &[("p.yaml", &part)]), []);
    let refused = findings(&root(100_000), &[("p.yaml", &part)]);
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].category, Category::ExportError);
    assert!(
        refused[0].message.contains("JSON"),
        "{}",
        refused[0].message
    );
}
