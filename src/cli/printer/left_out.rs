//! Lists that are cut short.

/// Lines about the first of some things, and one about the others if there are more.
pub fn at_most<T>(most: usize, items: &[T], line: impl Fn(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = items.iter().take(most).map(line).collect();
    if items.len() > most {
        lines.push(and_more(items.len() - most, ""));
    }
    lines
}

/// The line about `count` things that are left out; `place` is where they are.
pub fn and_more(count: usize, place: &str) -> String {
    format!("… and {count} more{place}; `--format json` has them all")
}
