//! The scanner compared with the parser: of a text that both understand they must report the same nodes.

use saphyr_parser::{Event, Parser};

use super::*;
use rigy_language::yaml::compose;

/// Records the nodes of a text.
#[derive(Default)]
struct Notes(Vec<String>);

impl<'s> Visitor<'s> for Notes {
    type Summary = ();
    fn open(&mut self, is_map: bool) {
        self.0.push(if is_map { "{" } else { "[" }.into());
    }
    fn pair(&mut self) {
        let key = self.0.pop().unwrap();
        self.0.extend(["{".into(), key]);
    }
    fn key(&mut self, text: Option<&'s str>) {
        self.scalar(text, Span::default());
    }
    fn scalar(&mut self, text: Option<&'s str>, _: Span) {
        self.0
            .push(text.map_or("?".into(), |text| format!("={text}")));
    }
    fn alias(&mut self, (): ()) {
        self.0.push("*".into());
    }
    fn close(&mut self) {
        self.0.push("end".into());
    }
}

/// The nodes that the parser reports.
fn parsed(text: &str) -> Vec<String> {
    let mut parser = Parser::new_from_str(text);
    let mut notes = Vec::new();
    while let Some(Ok((event, _))) = parser.next_event() {
        notes.push(match event {
            Event::MappingStart(..) => "{".into(),
            Event::SequenceStart(..) => "[".into(),
            Event::Scalar(text, ..) => format!("={text}"),
            Event::Alias(_) => "*".into(),
            Event::SequenceEnd | Event::MappingEnd => "end".into(),
            _ => continue,
        });
    }
    notes
}

/// Scans a text and returns true if the scanner understands it. For a document, the nodes must be those of the parser, and
/// the length must not be greater than the composed one.
fn agrees(text: &str) -> bool {
    let mut notes = Notes::default();
    let mut scanner = Scanner::new(text, &Limits::DEFAULT, &mut notes);
    let seen = scanner.run();
    let expanded = scanner.expanded;
    let Ok(tree) = compose(text) else {
        return seen.is_ok();
    };
    match seen {
        Err(Stop::Limit(error)) => panic!("{text:?}: {}", error.message),
        Err(Stop::NotUnderstood) => return false,
        Ok(()) => {}
    }
    let expected = parsed(text);
    let same = |(seen, is): (&String, &String)| seen == is || (seen == "?" && is.starts_with('='));
    let equal = notes.0.len() == expected.len() && notes.0.iter().zip(&expected).all(same);
    assert!(equal, "{text:?}:\n{:?}\n{expected:?}", notes.0);
    let is = tree.expanded();
    assert!(expanded <= is, "{text:?}: {expanded} for {is}");
    assert!(expanded + is / 10 >= is || text.len() < 300, "{text:?}");
    true
}

const DOCUMENT: &str = "%YAML 1.2\n--- # ß\r\nü: &a [1, 'x\n  y', \"\\u00e9\t\"]\r\nb: *a\nc: |2-\n    é\n\n   long text\n\
    d: >\n                    q\n\n   r\n  ? e : !!str {f: g#h, 😀: ~, \"k\":1, l} # end\n\
    m:\n- &n n: o\n  *n : p q\n   r # s\n- - t\n  -\n- &u\n  v: 'it''s'\nw: &x\ny:\n  - [a: b, ? c : d, {? e}, &z , *z]\n...\n";

#[test]
fn the_nodes_are_those_of_the_parser() {
    for text in [
        DOCUMENT,
        "{a: b, c: [d, e: f]}",
        "a: b\n",
        "a:\n  b:\n  - c\n  - d: e\n    f: g\n  h: 'i'\nj: >-\n  k\n   l\n\n  m\nn:\n",
        "a: &a\n  <<: *a\n",
        "x: &x {a: 1}\ny: {<<: *x, b: 2}\nz:\n  <<: [*x, *x]\n",
        "? a\n: b\n? c\n",
        "\"a b\" : c\n'd': [ # e\n  f\n  g, h\n]\n",
        "a: \"b \\\n  c\n\n  d\"\n",
        "a: b\n\n  c\n  d: e\n",
    ] {
        agrees(text);
    }
    // Nodes that must not be counted, or not towards the node of the anchor.
    let many = "[*n, *n, *n, *n, *n, *n, *n, *n]";
    for text in [
        format!("t: &t {{a: b}}\nn: &n {{x: {{<<: *t}}, y: {{<<: *t}}}}\nz: {many}\n"),
        format!("a: {{ &n\n b: [1, 2, 3, 4, 5, 6, 7, 8, 9]}}\nz: {many}\n"),
        format!("a:\n  ? &n\n    b\n  : [1, 2, 3, 4, 5, 6, 7, 8, 9]\nz: {many}\n"),
        format!("a: [0, &n !<tag:yaml.org,2002:int> 0]\nz: {many}\n"),
        format!("\"<<\": &n {{a: b}}\nz: {many}\n"),
        format!("t: &t {{a: b}}\nn: &n [c, <<: *t]\nz: {many}\n"),
        format!("n: &n {{o: {{p: &n q}}, r: stu}}\nz: {many}\n"),
    ] {
        agrees(&text);
    }
    for text in [
        "a: b\n",
        "? a\n: b\n? c\n",
        "a: |\n  b\nc: {d: [e, f]}\n",
        "a: {\"b\" :c, 'd' # e\n  :f, g: [\"h\" :i]}\n",
        "? |-\n  a\n: b\n? >\n  c\nd: e\n",
        "a: !<tag:yaml.org,2002:str> 1\nb: [!<tag:yaml.org,2002:str> c]\n",
    ] {
        assert!(agrees(text), "{text:?}");
    }
}

#[test]
fn the_nodes_are_those_of_the_parser_in_broken_documents() {
    let cut = DOCUMENT
        .char_indices()
        .map(|(at, _)| DOCUMENT[..at].to_owned());
    let places = || DOCUMENT.char_indices();
    let inserted = places().flat_map(|(at, _)| {
        let (before, after) = DOCUMENT.split_at(at);
        let new = [
            "\t",
            "#",
            " #",
            ": ",
            ":",
            "\n",
            "ä",
            "]",
            "[",
            "{",
            "}",
            "'",
            "\"",
            "- ",
            "? ",
            "&b ",
            "*a",
            ",",
            "  ",
            "!!str ",
            "!<tag:yaml.org,2002:str> ",
            "|\n",
            "\"k\" :v",
            "? |\n  k\n: ",
            "\n\n  ",
            "<<: *a\n",
        ];
        new.map(|s| format!("{before}{s}{after}"))
    });
    let left_out =
        places().map(|(at, c)| format!("{}{}", &DOCUMENT[..at], &DOCUMENT[at + c.len_utf8()..]));
    for text in cut.chain(inserted).chain(left_out) {
        agrees(&text);
    }
}

#[test]
fn all_fixtures_are_understood() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance");
    let mut count = 0;
    for entry in walkdir::WalkDir::new(fixtures) {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|suffix| suffix == "yaml") {
            let text = std::fs::read_to_string(&path).unwrap();
            let is_document = compose(&text).is_ok();
            assert!(agrees(&text) || !is_document, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 50);
}

#[test]
fn limits_are_reported_as_composing_reports_them() {
    let limits = Limits {
        aliases: 1000,
        ..Limits::DEFAULT
    };
    let deep = "- ".repeat(129);
    let flow = "[".repeat(126);
    let name = "n".repeat(2000);
    for text in [
        format!("a:\n{deep}x\n"),
        format!("b: 1\na:\n  - {flow}[[["),
        format!("a: [{flow}b: c"),
        format!("a: &a {name}\nb: [{}]\n", "*a, ".repeat(30)),
    ] {
        let mut ignore = Ignore;
        let mut scanner = Scanner::new(&text, &limits, &mut ignore);
        let Err(Stop::Limit(seen)) = scanner.run() else {
            panic!("{text}");
        };
        let is = rigy_language::yaml::compose_within(&text, &limits)
            .unwrap_err()
            .errors;
        assert_eq!(seen.message, is[0].message);
        let start = |error: &Diagnostic| error.span.map(|span| span.start);
        assert_eq!(start(&seen), start(&is[0]), "{text}");
    }
}
