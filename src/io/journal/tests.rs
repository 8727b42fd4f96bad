use super::*;
use std::fs;

fn journal() -> (tempfile::TempDir, PathBuf, Sink) {
    let root = tempfile::tempdir().unwrap();
    let sink = Sink::new(root.path(), false).unwrap();
    let path = root.path().join("journal");
    (root, path, sink)
}

fn add(path: &Path, sink: &Sink, lines: &[(u64, &str)]) {
    let journal = Journal::open(path);
    lines.iter().for_each(|(key, text)| journal.add(*key, text));
    journal.finish(sink, |_| true).unwrap();
}

#[test]
fn the_last_line_of_a_key_counts() {
    let (_root, path, sink) = journal();
    assert_eq!(Journal::open(&path).get(7), None);
    add(&path, &sink, &[(7, "one"), (u64::MAX, "other")]);
    add(&path, &sink, &[(7, "two")]);
    let journal = Journal::open(&path);
    assert_eq!(journal.get(7).as_deref(), Some("two"));
    assert_eq!(journal.get(u64::MAX).as_deref(), Some("other"));
    assert_eq!(journal.get(8), None);
    let before = fs::read(&path).unwrap();
    journal.finish(&sink, |_| true).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before, "there was nothing to add");
}

#[test]
fn a_torn_or_changed_line_is_ignored_and_the_others_stay() {
    let (_root, path, sink) = journal();
    add(&path, &sink, &[(1, "first"), (2, "second")]);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        add(&path, &sink, &[(3, "third")]);
        let journal = Journal::open(&path);
        assert_eq!(journal.get(3).as_deref(), Some("third"), "{cut}");
        let is_first = |text: Option<String>| text.is_none_or(|text| text == "first");
        assert!(is_first(journal.get(1)), "{cut}");
        assert_eq!(journal.get(1).is_some(), cut >= 39, "{cut}");
    }
    let lines = 2 * HEAD_LEN + "first\nsecond\n".len();
    for at in 0..lines {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        let journal = Journal::open(&path);
        let found = [journal.get(1), journal.get(2)];
        let found = found.each_ref().map(Option::as_deref);
        let right = [Some("first"), Some("second")];
        let is_end_of_first = at == 39;
        match found {
            [None, None] => assert!(is_end_of_first, "{at}"),
            [None, second] => assert_eq!(second, right[1], "{at}"),
            [first, None] => assert_eq!(first, right[0], "{at}"),
            both => panic!("{at}: {both:?}"),
        }
    }
}

#[test]
fn invalid_lines_are_removed_once_the_file_has_doubled() {
    let (_root, path, sink) = journal();
    let long = "x".repeat(200 << 10);
    let mut lens = Vec::new();
    for round in 0..20 {
        let journal = Journal::open(&path);
        journal.add(1, format!("{round}{long}"));
        journal.add(100 + round, if round % 2 == 0 { "even" } else { "odd" });
        journal.finish(&sink, |text| text != "odd").unwrap();
        lens.push(fs::metadata(&path).unwrap().len());
    }
    assert!(
        *lens.iter().max().unwrap() <= MIN_REWRITTEN + 1000,
        "{lens:?}"
    );
    assert!(!lens.is_sorted(), "{lens:?}");
    let journal = Journal::open(&path);
    assert_eq!(journal.get(1), Some(format!("19{long}")));
    assert_eq!(journal.get(100).as_deref(), Some("even"));
    assert_eq!(journal.get(101), None);
}

#[test]
fn a_file_beyond_the_maximum_length_is_shortened() {
    let (_root, path, sink) = journal();
    add(&path, &sink, &[(1, "first")]);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(MAX_LEN).unwrap(); // a hole
    drop(file);
    add(&path, &sink, &[(2, "second")]);
    assert!(fs::metadata(&path).unwrap().len() < MIN_REWRITTEN);
    assert_eq!(Journal::open(&path).get(1).as_deref(), Some("first"));
}

#[test]
fn runs_add_at_once() {
    let (_root, path, sink) = journal();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (path, sink) = (&path, &sink);
            scope.spawn(move || {
                for round in 0..20 {
                    let key = 1 + thread * 100 + round;
                    add(path, sink, &[(key, &format!("text {key}"))]);
                }
            });
        }
    });
    let journal = Journal::open(&path);
    for key in (0..8).flat_map(|thread| (0..20).map(move |round| 1 + thread * 100 + round)) {
        assert_eq!(journal.get(key), Some(format!("text {key}")));
    }
}

#[test]
fn a_failed_write_is_reported_once() {
    let (_root, path, sink) = journal();
    fs::create_dir(&path).unwrap();
    let journal = Journal::open(&path);
    journal.add(1, "x".repeat(WRITE_LEN));
    journal.add(2, "more");
    let error = journal.finish(&sink, |_| true).unwrap_err().to_string();
    assert!(error.contains("journal"), "{error}");
}
