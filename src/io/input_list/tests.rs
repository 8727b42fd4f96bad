use super::*;

const HEAD: &str = "{\"inputs\":\"documents\",\"version\":1,\"roots\":[\"in\",\"more\"]}\n";

fn written(entries: &[(usize, &str, u64)]) -> Result<String, InputListError> {
    let roots = ["in", "more"].map(PathBuf::from);
    let mut list = InputListWriter::begin("list", Vec::new(), ListedKind::Documents, &roots)?;
    for (root, path, bytes) in entries {
        list.add(*root, Path::new(path), *bytes)?;
    }
    Ok(String::from_utf8(list.end()?).unwrap())
}

fn read(text: &str) -> Result<Vec<(usize, String, u64)>, InputListError> {
    let mut list = InputList::new("list".into(), text.as_bytes())?;
    let mut entries = Vec::new();
    while let Some(Listed { root, path, bytes }) = list.next()? {
        entries.push((root, path.into_owned(), bytes));
    }
    Ok(entries)
}

#[test]
fn what_is_written_is_read() {
    let entries = [
        (0, "a/b.rigy.yaml", 7),
        (0, "a.rigy.yaml", 1),
        (0, "é \"\n\u{202e}.rigy.yaml", 0),
        (1, "a.rigy.yaml", 3),
    ];
    let text = written(&entries).unwrap();
    assert!(text.starts_with(HEAD), "{text}");
    assert!(
        text.ends_with("\n{\"end\":{\"inputs\":4,\"bytes\":11}}\n"),
        "{text}"
    );
    let back = read(&text).unwrap();
    let back: Vec<_> = back
        .iter()
        .map(|(root, path, bytes)| (*root, &**path, *bytes))
        .collect();
    assert_eq!(back, entries);
    assert_eq!(read(&written(&[]).unwrap()).unwrap(), []);
}

#[test]
fn a_list_that_is_cut_anywhere_is_refused() {
    let text = written(&[(0, "a", 7), (0, "b", 1), (1, "b", 1)]).unwrap();
    for end in 0..text.len() {
        assert!(read(&text[..end]).is_err(), "{}", &text[..end]);
    }
}

#[test]
fn faults_are_named_with_their_line() {
    let end = |inputs: u64, bytes: u64| {
        format!("{{\"end\":{{\"inputs\":{inputs},\"bytes\":{bytes}}}}}\n")
    };
    let entry = |path: &str| format!("{{\"path\":\"{path}\",\"bytes\":1}}\n");
    let long = entry(&"x".repeat(MAX_LINE_LEN));
    let huge = "{\"path\":\"a\",\"bytes\":18446744073709551615}\n{\"path\":\"b\",\"bytes\":1}\n";
    for (lines, line, said) in [
        (entry("../a"), 2, "no path below a root"),
        (entry("/etc/passwd"), 2, "no path below a root"),
        (entry("a//b"), 2, "no path below a root"),
        (entry("a/./b"), 2, "no path below a root"),
        (entry("a/"), 2, "no path below a root"),
        (entry(""), 2, "no path below a root"),
        (entry("a\\u0000"), 2, "no path below a root"),
        (entry("a") + &entry("a"), 3, "`a` is there twice"),
        (entry("b") + &entry("a"), 3, "does not come in order"),
        (entry("a.b") + &entry("a/c"), 3, "does not come in order"),
        (
            "{\"path\":\"a\",\"bytes\":1,\"root\":2}\n".into(),
            2,
            "no root number 2",
        ),
        (
            "{\"path\":\"a\",\"bytes\":-1}\n".into(),
            2,
            "no line of an input list",
        ),
        ("\n".into(), 2, "no line of an input list"),
        (long, 2, "more than 65536 bytes"),
        (huge.into(), 3, "do not add up"),
        (entry("a") + &end(2, 1), 3, "do not add up"),
        (entry("a") + &end(1, 2), 3, "do not add up"),
        (
            entry("a") + &end(1, 1) + &entry("b"),
            3,
            "goes on after its end",
        ),
        (entry("a"), 3, "ends before its last line"),
    ] {
        let error = read(&format!("{HEAD}{lines}")).unwrap_err();
        let message = error.to_string();
        assert_eq!(error.line, Some(line), "{message}");
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn heads_that_do_not_fit_are_refused() {
    for (head, said) in [
        ("", "ends before"),
        ("version: \"0.5\"\n", "no input list"),
        ("{\"version\":1,\"outputs\":[\n", "no input list"),
        ("{\"version\":2}\n", "newer than 1"),
        (
            "{\"inputs\":\"robots\",\"version\":1,\"roots\":[]}\n",
            "no line of an input list",
        ),
        (
            "{\"inputs\":\"files\",\"version\":1,\"roots\":[\"a\",\"a/b\"]}\n",
            "lies in `a`",
        ),
        (
            "{\"inputs\":\"files\",\"version\":1,\"roots\":[\"a\",\"a/\"]}\n",
            "lies in",
        ),
    ] {
        let message = read(head).unwrap_err().to_string();
        assert!(message.contains(said), "{message}");
    }
    assert!(
        written(&[(0, "b", 1), (0, "a", 1)]).is_err(),
        "the writer keeps the order, too"
    );
    assert!(written(&[(0, "../a", 1)]).is_err());
}

#[test]
fn a_damaged_list_does_not_lead_out_of_its_roots() {
    let text = written(&[(0, "a/b.rigy.yaml", 7), (0, "a.rigy.yaml", 1), (1, "c", 3)]).unwrap();
    let is_below = |path: &str| {
        let parts = Path::new(path).components();
        let mut parts = parts.peekable();
        parts.peek().is_some() && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
    };
    let mut read_well = 0;
    for at in HEAD.len()..text.len() {
        for byte in b"./\\\"{0x\n\0" {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = *byte;
            let Ok(mut list) = InputList::new("list".into(), &*bytes) else {
                continue;
            };
            while let Ok(Some(listed)) = list.next() {
                assert!(is_below(&listed.path) && listed.root < 2, "{listed:?}");
                read_well += 1;
            }
        }
    }
    assert!(read_well > 100, "{read_well}");
}
