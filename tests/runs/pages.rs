//! Report pages: their data, hostile names in them, and the files that they replace.

use std::collections::BTreeSet;

use rigy_batch::base::diag::{Diagnostic, Finding};
use rigy_batch::base::paths::Slashed;
use serde_json::{Map, Value};

use crate::support::json_schemas::Published;
use crate::support::{Dir, assert_contains, document};

const FIRST: &str = "<!doctype html>\n<!-- rigy-batch report page -->\n";

fn element<'p>(page: &'p str, beginning: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(beginning)?;
    Some(rest.split_once("</script>").unwrap().0)
}

struct Page {
    text: String,
    run: Value,
    dir: String,
}

impl Page {
    fn read(dir: &Dir, name: &str) -> Self {
        let text = String::from_utf8(dir.read(name)).unwrap();
        let run = element(&text, "<script type=\"application/json\" id=\"run\">").unwrap();
        let run = serde_json::from_str(run).unwrap();
        let dir = dir.path().join(name).slashed().to_string() + ".data";
        Self { text, run, dir }
    }

    fn chunks(&self, kind: &str) -> Vec<Vec<Value>> {
        let files = self.run["chunks"][kind].as_array().unwrap();
        let chunk = |(number, file): (usize, &Value)| match file.as_str() {
            None => {
                let tag = format!("data-kind=\"{kind}\" data-number=\"{number}\">");
                serde_json::from_str(element(&self.text, &tag).unwrap()).unwrap()
            }
            Some(file) => {
                let text = std::fs::read_to_string(format!("{}/{file}", self.dir)).unwrap();
                let call = format!("rigyReport(\"{kind}\",{number},");
                let json = text.strip_prefix(&call).unwrap().strip_suffix(");\n");
                serde_json::from_str(json.unwrap()).unwrap()
            }
        };
        files.iter().enumerate().map(chunk).collect()
    }

    /// The data of the page in the form of JSON lines.
    fn lines(&self) -> Vec<Value> {
        let kinds = [
            ("rows", "row"),
            ("findings", "findings"),
            ("models", "model"),
        ];
        for (kind, definition) in kinds {
            Published::Page.accepts(definition, self.chunks(kind).iter().flatten());
        }
        let findings = self.chunks("findings");
        let rows = self.chunks("rows").into_iter().flatten();
        rows.map(|row| line(named(&row), &findings)).collect()
    }
}

/// The fields of a row by their names.
fn named(row: &Value) -> Map<String, Value> {
    let schema = Published::Page.schema();
    let fields = schema["$defs"]["row"]["prefixItems"].as_array().unwrap();
    let name = |field: &Value| field["title"].as_str().unwrap().to_owned();
    let values = row.as_array().unwrap().iter().cloned();
    fields.iter().map(name).zip(values).collect()
}

fn line(row: Map<String, Value>, findings: &[Vec<Value>]) -> Value {
    let mut line = Map::new();
    for name in [
        "input", "pose", "output", "status", "sha256", "bytes", "seconds",
    ] {
        if name != "seconds" || !row[name].is_null() {
            line.insert(name.into(), row[name].clone());
        }
    }
    let number = |name| Some(row.get(name)?.as_u64()? as usize);
    let place = number("findingsChunk").zip(number("findingsIndex"));
    let found = place.map(|(chunk, index)| &findings[chunk][index]);
    let mut codes = Vec::new();
    for name in ["errors", "warnings"] {
        let list = found.map_or(&[][..], |found| found[name].as_array().unwrap());
        assert_eq!(row[name], list.len());
        let code = |f: &Value| {
            f[if f["code"].is_null() {
                "category"
            } else {
                "code"
            }]
            .clone()
        };
        codes.extend(list.iter().map(code));
        line.insert(name.into(), list.iter().map(finding).collect());
    }
    let unique: BTreeSet<&str> = codes.iter().map(|code| code.as_str().unwrap()).collect();
    let listed = row["codes"].as_array().unwrap();
    assert_eq!(listed.len(), unique.len());
    assert_eq!(
        listed
            .iter()
            .map(|code| code.as_str().unwrap())
            .collect::<BTreeSet<_>>(),
        unique
    );
    line.into()
}

/// A finding of a page as JSON lines have it.
fn finding(finding: &Value) -> Value {
    let finding: Diagnostic = serde_json::from_value(finding.clone()).unwrap();
    serde_json::to_value(Finding::new(&finding)).unwrap()
}

/// Runs with a page and JSON lines, and checks that both are the same. Returns the page.
fn compared(dir: &Dir, args: &str) -> Page {
    let more = "--format json --html page.html";
    let ran = dir.run(&format!("{args} {more}"));
    assert!(ran.status() < 2, "{}", ran.stderr());
    let mut lines = ran.json();
    let page = Page::read(dir, "page.html");
    assert_eq!(page.run["summary"], lines.pop().unwrap()["summary"]);
    // Rows have the moment of a glTF file in words.
    for line in &mut lines {
        let line = line.as_object_mut().unwrap();
        for field in ["animation", "time", "frame"] {
            line.remove(field);
        }
    }
    assert_eq!(page.lines(), lines);
    page
}

#[test]
#[cfg(unix)] // makes a link
fn the_data_of_a_page_is_that_of_json_lines() {
    let dir = Dir::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    std::os::unix::fs::symlink(root, dir.path().join("c")).unwrap();
    let inputs = "c/inputs c/invalid -o out";
    let page = compared(&dir, inputs);
    let all: Vec<Value> = page.chunks("findings").concat();
    let quoted = all.iter().flat_map(|row| row["errors"].as_array().unwrap());
    let quoted = quoted.filter(|finding| finding["place"]["excerpt"].is_object());
    assert!(quoted.count() > 40);
    for more in ["--check", "-n", "--shard 0/3", "--timings --force"] {
        let page = compared(&dir, &format!("c/invalid -o out {more}"));
        let mode = ["check", "dry-run"].into_iter().find(|mode| {
            *mode == "check" && more == "--check" || *mode == "dry-run" && more == "-n"
        });
        assert_eq!(page.run["mode"].as_str(), mode);
    }
    // The page replaces the page, and nothing is left beside it.
    let files = dir.files();
    assert!(files.contains(&"page.html".to_owned()));
    assert!(!files.iter().any(|name| name.starts_with("page.html.data")));
    let page = compared(&dir, "bake out -o baked");
    assert_eq!(page.run["input"], "file");
}

#[test]
fn the_headline_of_a_page_is_what_the_terminal_says() {
    let dir = Dir::with("in/0.rigy.yaml", "version: 7");
    for index in 1..40 {
        dir.write(&format!("in/{index}.rigy.yaml"), document("p"));
    }
    let headline = |args: &str| {
        let said = dir.run(&format!("in {args} --html page.html")).stdout();
        let headline = Page::read(&dir, "page.html").run["sentence"].clone();
        assert_eq!(said.lines().last(), headline.as_str(), "{args}");
        headline.to_string()
    };
    for args in ["-n", "-o out --shard 0/2", "-o out", "-o out"] {
        headline(args);
    }
    let stopped = headline("-o out -j 1 --fail-fast");
    assert!(stopped.starts_with("\"stopped after "), "{stopped}");
}

#[test]
fn a_page_does_not_depend_on_the_number_of_threads() {
    let dir = Dir::new();
    for index in 0..40 {
        let text = if index % 3 == 0 {
            "version: 7".to_owned()
        } else {
            document("p")
        };
        dir.write(&format!("in/{index}.rigy.yaml"), text);
    }
    let page = |threads: u8| {
        dir.run(&format!("in -n -j {threads} --html page.html"));
        let text = String::from_utf8(dir.read("page.html")).unwrap();
        let lines = text.lines();
        let (varying, same): (Vec<String>, Vec<String>) = lines
            .map(str::to_owned)
            .partition(|line| line.contains("id=\"circumstances\""));
        assert_eq!(varying.len(), 1);
        let command = format!("rigy-batch in -n -j {threads} --html page.html");
        assert!(varying[0].contains(&command), "{varying:?}");
        same
    };
    assert_eq!(page(1), page(4));
}

#[test]
fn long_data_is_in_files_beside_the_page() {
    let dir = Dir::new();
    // Each message quotes the name.
    let poses: String = (0..1200)
        .map(|_| format!("{{id: {}, bones: {{}}}}, ", "p".repeat(150)))
        .collect();
    for name in 0..5 {
        let text = document("p").replace("poses: [", &format!("poses: [{poses}"));
        dir.write(&format!("in/{name}.rigy.yaml"), text);
    }
    let page = compared(&dir, "in -n --models 0");
    let files: BTreeSet<String> = dir.files().into_iter().collect();
    let named = page.run["chunks"].as_object().unwrap().values();
    let named = named
        .flat_map(|list| list.as_array().unwrap())
        .filter_map(Value::as_str);
    let named: BTreeSet<String> = named.map(|name| format!("page.html.data/{name}")).collect();
    assert!(named.len() > 3, "{named:?}");
    assert!(files.is_superset(&named));
    assert!(page.text.len() < 1_200_000, "{}", page.text.len());

    // Another run leaves no file that its page does not name, and none that is not of a page.
    dir.write("page.html.data/mine.js", "");
    dir.write("in/0.rigy.yaml", document("p"));
    compared(&dir, "in -n --models 0");
    (1..5).for_each(|name| dir.write(&format!("in/{name}.rigy.yaml"), document("p")));
    compared(&dir, "in -n --models 0");
    let left = dir.files();
    let left: Vec<&String> = left.iter().filter(|name| name.contains(".data/")).collect();
    assert_eq!(left, ["page.html.data/mine.js"]);
}

#[test]
fn what_files_bring_cannot_become_markup() {
    let hostile = "</script><img src=x onerror=alert(1)><!--";
    let dir = Dir::new();
    let name = "in/'\"&<img src=x onerror=alert(1)>\u{2028}\u{202e}.rigy.yaml";
    dir.write(name, document(hostile));
    dir.write(
        "in/b.rigy.yaml",
        document("p").replace("mesh_id: m", &format!("mesh_id: \"{hostile}\"")),
    );
    let page = compared(&dir, "in -n");
    // The text of the page has the tags of its frame, and no other.
    let scripts = page.text.matches("<script").count();
    assert_eq!(scripts, page.text.matches("</script>").count());
    let lines = page.lines();
    assert!(lines.iter().any(|line| line["input"] == name));
    for tag in ["<img", "<!--", "\u{2028}"] {
        let (_, body) = page.text.split_once("<div id=\"app\">").unwrap();
        let (data, _) = body.split_once("<script>").unwrap();
        assert!(!data.contains(tag), "{tag}");
    }
    let message = lines
        .iter()
        .find_map(|line| line["errors"][0]["message"].as_str());
    assert!(message.unwrap().contains(hostile), "{message:?}");
}

#[test]
fn a_page_replaces_nothing_but_a_page() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.write("other.html", "<!doctype html>\n<title>mine</title>\n");
    dir.write("report.json", "{\"outputs\":[\n],\"summary\":{}}\n");
    dir.write("taken.html.data", "");
    let before = dir.tree();
    for name in [
        "in/a.rigy.yaml",
        "other.html",
        "report.json",
        "taken.html",
        "in",
        "-",
        "/dev/null",
    ] {
        for more in ["", "-n", "--watch"] {
            let ran = dir.run(&format!("in -o out --html {name} {more}"));
            let said = ran.stderr();
            assert_eq!((ran.status(), ran.stdout()), (2, String::new()), "{said}");
            assert!(said.contains(&format!("`{name}`")), "{said}");
        }
    }
    let both = "in -n --html new --report ./new";
    dir.run(both).exits(2);
    // A run that cannot start for another reason writes no page either.
    assert_eq!(dir.run("missing --html page.html").status(), 2);
    assert_eq!(dir.tree(), before);
    assert!(!dir.path().join("out").exists(), "nothing was begun");

    for content in [&format!("{FIRST}old"), ""] {
        dir.write("page.html", content);
        assert_eq!(dir.run("in -n --html page.html").status(), 0);
        assert_eq!(Page::read(&dir, "page.html").lines().len(), 2);
    }
}

#[test]
fn a_page_does_not_replace_an_output_of_its_own_run() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let ran = dir.run("a.rigy.yaml --positions --html a.p.positions.json");
    let said = ran.stderr();
    assert_eq!(ran.status(), 1, "{said}");
    assert_contains(
        &said,
        &["the report page could not be written: `a.p.positions.json`"],
    );
    assert!(dir.read("a.p.positions.json").starts_with(b"{"));
    assert_eq!(
        dir.files(),
        ["a.glb", "a.p.glb", "a.p.positions.json", "a.rigy.yaml"]
    );
}

#[test]
fn the_policy_of_a_page_allows_its_own_script_and_style() {
    use sha2::{Digest, Sha256};
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run("a.rigy.yaml -n --html page.html");
    let page = Page::read(&dir, "page.html").text;
    let (_, policy) = page
        .split_once("content=\"default-src 'none'; script-src 'sha256-")
        .unwrap();
    assert!(!policy.split_once('"').unwrap().0.contains("unsafe"));
    let digest = |text: &str| -> Vec<u8> { Sha256::digest(text).to_vec() };
    let script = element(&page, "<script>").unwrap();
    let (_, style) = page.split_once("<style>").unwrap();
    let (style, _) = style.split_once("</style>").unwrap();
    let hash = |text: &str| rigy_batch::base::base64::base64(&digest(text));
    assert!(policy.starts_with(&hash(script)), "{policy:.60}");
    assert!(policy.contains(&format!("style-src 'sha256-{}'", hash(style))));
    // Nothing is loaded when the page opens, so it needs nothing but itself.
    assert!(!page.contains("src=\"") && !page.contains("href=\""));
}
