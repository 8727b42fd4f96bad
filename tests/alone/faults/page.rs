//! The state in which a fault must leave a report page and its data files.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

/// The names of the files that a page names and that are whole; `None` if there is no page. Panics if the page or a file
/// that it names is not whole.
fn named_files(dir: &Path) -> Option<BTreeSet<String>> {
    let page = std::fs::read_to_string(dir.join("pages/page.html")).ok()?;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    let run = between(&page, "id=\"run\">", "</script>").unwrap();
    let run: Value = serde_json::from_str(run).unwrap();
    let read =
        |name: &str| std::fs::read_to_string(dir.join("pages/page.html.data").join(name)).unwrap();
    let mut names = BTreeSet::new();
    let mut scenes = BTreeSet::new();
    for (kind, files) in run["chunks"].as_object().unwrap() {
        for (number, name) in files.as_array().unwrap().iter().enumerate() {
            let name = name.as_str().unwrap();
            let text = read(name);
            let json = between(&text, &format!("rigyReport(\"{kind}\",{number},"), ");\n");
            let elements: Value = serde_json::from_str(json.unwrap()).unwrap();
            let models = elements.as_array().unwrap().iter();
            scenes.extend(
                models.filter_map(|element| Some(element.get("scene")?.clone().to_string())),
            );
            names.insert(name.to_owned());
        }
    }
    for scene in scenes {
        let name = format!("scene-{}.js", scene.trim_matches('"'));
        let text = read(&name);
        assert!(
            text.starts_with("rigyScene({") && text.ends_with("\");\n"),
            "{name}"
        );
        names.insert(name);
    }
    if let Some(name) = run["viewer"]["file"].as_str() {
        assert!(read(name).ends_with("</html>\n"), "{name}");
        names.insert(name.to_owned());
    }
    Some(names)
}

pub fn check_whole(dir: &Path) {
    named_files(dir);
}

pub fn check_complete(dir: &Path) {
    let named = named_files(dir).unwrap();
    for kind in ["rows", "thumbnails", "models", "scene", "viewer"] {
        assert!(
            named.iter().any(|name| name.starts_with(kind)),
            "{kind}: {named:?}"
        );
    }
    let there = std::fs::read_dir(dir.join("pages/page.html.data")).unwrap();
    let there = there.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(there.collect::<BTreeSet<_>>(), named);
}

pub fn has_note(dir: &Path) -> bool {
    let Ok(files) = std::fs::read_dir(dir.join("pages/page.html.data")) else {
        return false;
    };
    let texts = files.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    texts
        .into_iter()
        .any(|text| text.contains("There is no model for the viewer: "))
}
