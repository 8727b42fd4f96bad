//! The content of a text, without a byte order mark, and of a line, which ends before a comment and before blanks.

/// Returns a text without its byte order mark.
pub fn body(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns the length in bytes of the part of a line before its comment and the blanks around that. The line must begin with
/// a node or with a key, and may end inside it.
pub fn content_len(line: &str) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut end, mut depth) = (0, 0, 0u32);
    // True where a node may begin. Only there does a quote begin a quoted scalar.
    let mut begins = true;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            b'#' if start > 0 && is_blank(bytes[start - 1]) => break,
            b'"' | b'\'' if begins => {
                at = end_of_quoted(bytes, at, *byte);
                begins = false;
                // In braces and brackets, the colon after a quoted key needs no blank.
                if depth > 0 && bytes.get(at) == Some(&b':') {
                    (at, begins) = (at + 1, true);
                }
            }
            // An anchor or a tag ends before a blank, and a node may follow.
            b'&' | b'!' if begins => {
                let rest = bytes[at..].iter();
                at += rest.take_while(|byte| !is_blank(**byte)).count();
            }
            b'[' | b'{' if begins => depth += 1,
            b']' | b'}' if depth > 0 => (depth, begins) = (depth - 1, false),
            b',' if depth > 0 => begins = true,
            b':' | b'-' | b'?' => begins = bytes.get(at).is_none_or(|next| is_blank(*next)),
            _ => begins = false,
        }
        end = at;
    }
    end
}

/// Returns the offset after the quote that ends a quoted scalar, or the end of the line.
fn end_of_quoted(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' if quote == b'"' => at += 1,
            // Two apostrophes stand for one.
            b'\'' if quote == b'\'' && bytes.get(at) == Some(&b'\'') => at += 1,
            _ if *byte == quote => return at,
            _ => {}
        }
    }
    bytes.len()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ends_before_a_comment_and_before_blanks() {
        for (line, content) in [
            ("", ""),
            ("  # c", ""),
            ("# c", "# c"),
            ("a#b  # c", "a#b"),
            ("- [a, \"#\", {b: ' # '}]\t# c", "- [a, \"#\", {b: ' # '}]"),
            ("a: 'it''s # in' # c", "a: 'it''s # in'"),
            ("a: \"\\\" # in", "a: \"\\\" # in"),
            ("a: b 'c # d'", "a: b 'c"),
            ("{\"a\":\"# in\"} # c", "{\"a\":\"# in\"}"),
            ("&a !b \"c # in\" ", "&a !b \"c # in\""),
            ("ü: ß # c", "ü: ß"),
        ] {
            assert_eq!(&line[..content_len(line)], content, "{line:?}");
        }
    }

    #[test]
    fn any_line_may_end_anywhere() {
        let line = "- &a {b: 'ü''#', \"c\\\"#\":\"d\", ? e : [f]} # g";
        for (end, _) in line.char_indices() {
            let line = &line[..end];
            assert!(line.is_char_boundary(content_len(line)), "{line:?}");
        }
    }
}
