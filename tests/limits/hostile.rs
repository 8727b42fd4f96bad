//! Garbage in: an error with a category, no file, no panic, and soon.

use std::time::{Duration, Instant};

use crate::support::{Dir, assert_contains, document};

/// Files that are refused, each with a word that its error contains.
fn garbage() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let mut bomb = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for n in 1..40 {
        let previous = format!("*a{}, ", n - 1).repeat(10);
        bomb += &format!("a{n}: &a{n} [{previous}]\n");
    }
    let with = |dimensions: &str| document("p").replace("{x: 1}", dimensions).into_bytes();
    let mut nested = "a:\n".to_owned();
    for depth in 1..20_000 {
        nested += &format!("{}- \n", " ".repeat(depth.min(300)));
    }
    vec![
        ("empty", vec![], "ParseError"),
        ("binary", (0..=255).cycle().take(100_000).collect(), "UTF-8"),
        ("zeros", vec![0; 100_000], "ParseError"),
        (
            "flow brackets",
            "[".repeat(20_000).into_bytes(),
            "ParseError",
        ),
        (
            "flow braces",
            format!("a: {}", "{a: ".repeat(20_000)).into_bytes(),
            "deeper",
        ),
        ("block nesting", nested.into_bytes(), "ParseError"),
        ("alias bomb", bomb.into_bytes(), "expand"),
        ("too large", vec![b'#'; (1 << 20) + 1], "limit"),
        ("not a number", with("{x: .nan}"), "V32"),
        ("infinity", with("{x: .inf}"), "V32"),
        (
            "beyond doubles",
            with(&format!("{{x: 1{}}}", "0".repeat(400))),
            "U10",
        ),
        ("overflowing doubles", with("{x: 1e999}"), "V32"),
        ("beyond singles", with("{x: 1e300}"), "U15"),
        // Products with a dual part that has overflowed are not numbers.
        (
            "undefined positions",
            document("p")
                .replace(
                    "0, 0]}",
                    "0, 0], translation: [1.7e308, -1.7e308, 1.7e308]}",
                )
                .into_bytes(),
            "U15",
        ),
        ("negative", with("{x: -1}"), "V07"),
        (
            "truncated",
            document("p").into_bytes()[..200].to_vec(),
            "ParseError",
        ),
        (
            "future version",
            b"version: \"0.14\"\n".to_vec(),
            "not a version",
        ),
    ]
}

#[test]
fn garbage_is_refused_with_a_category_and_no_file() {
    for (name, content, word) in garbage() {
        let dir = Dir::with("x.rigy.yaml", content);
        let started = Instant::now();
        let ran = dir.run(".");
        // Generous, for slow machines and unoptimised builds; the figures are in the closing notes.
        assert!(started.elapsed() < Duration::from_secs(5), "{name}");
        let stderr = ran.stderr();
        assert_eq!(ran.status(), 1, "{name}: {stderr}");
        assert_contains(&stderr, &["Error)", word]);
        assert!(!stderr.contains("panicked"), "{name}: {stderr}");
        assert_eq!(dir.files(), ["x.rigy.yaml"], "{name}");
    }
}

#[test]
fn every_truncation_of_a_document_is_judged() {
    let text = document("p");
    let dir = Dir::new();
    for end in (0..text.len()).step_by(7) {
        dir.write(&format!("d/t{end:04}.rigy.yaml"), &text[..end]);
    }
    let ran = dir.run("d --format json --dry-run");
    assert!(!ran.stderr().contains("panicked"), "{}", ran.stderr());
    for line in ran.json().iter().filter(|line| line["status"] == "failed") {
        assert!(!line["errors"].as_array().unwrap().is_empty(), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_no_obstacle() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    let name = OsStr::from_bytes(b"caf\xe9.rigy.yaml");
    if std::fs::write(dir.path().join(name), document("p")).is_err() {
        eprintln!("skipped: this file system takes only UTF-8 names");
        return;
    }
    assert_eq!(dir.run(".").status(), 0);
    assert!(
        dir.path()
            .join(OsStr::from_bytes(b"caf\xe9.p.glb"))
            .exists()
    );
}

/// Documents with very many faults, whose cost once grew with the square of their number.
#[test]
fn many_faults_are_found_in_one_pass_and_capped() {
    let lines =
        |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let version = "version: \"0.5\"\n";
    let bones = |count, parent: &dyn Fn(usize) -> String| {
        let bone = |i: usize| {
            let parent = parent(i);
            format!("  - {{id: b{i}, parent: {parent}, head: [0, {i}, 0], tail: [0, {i}.5, 0]}}\n")
        };
        format!(
            "{version}armatures:\n- id: a\n  bones:\n{}",
            lines(count, &bone)
        )
    };
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("duplicate keys", version.to_owned() + &"a: 1\n".repeat(40_000)),
        ("unknown keys", version.to_owned() + &lines(40_000, &|i| format!("k{i}: 1\n"))),
        ("wrong types on one line", format!("{version}meshes: [{}]", "1,".repeat(200_000))),
        ("unknown parents", bones(10_000, &|i| format!("zork{i}"))),
        ("a long cycle", bones(40_000, &|i| format!("b{}", (i + 39_999) % 40_000))),
    ];
    for (name, text) in rows {
        let dir = Dir::with("x.rigy.yaml", text);
        let started = Instant::now();
        let ran = dir.run(". --format json --limit bytes=16M");
        assert!(started.elapsed() < Duration::from_secs(10), "{name}");
        let errors = ran.json()[0]["errors"].as_array().unwrap().len();
        assert_eq!(errors, rigy_batch::base::diag::MOST_FINDINGS, "{name}");
    }
}
