//! Spans of scalars, brackets and lines of a YAML text, found without parsing it.

pub type Span = (usize, usize);

/// Bytes that end a plain scalar.
fn is_border(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b",:[]{}".contains(&byte)
}

/// Keys and values: quoted with their quotes, plain ones word by word. Comments are passed over.
pub fn scalars(text: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        match text[start] {
            b'#' => at += length(&text[start..], |byte| byte == b'\n'),
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < text.len() && text[at] != quote {
                    at += 1 + usize::from(quote == b'"' && text[at] == b'\\');
                }
                at = (at + 1).min(text.len());
                spans.push((start, at));
            }
            byte if is_border(byte) => at += 1,
            b'-' if text.get(at + 1).is_none_or(|next| is_border(*next)) => at += 1,
            _ => {
                at += length(&text[start..], is_border);
                spans.push((start, at));
            }
        }
    }
    spans
}

/// The number of bytes before one that ends them; at least 1.
fn length(text: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    let end = text.iter().position(|byte| ends(*byte));
    end.unwrap_or(text.len()).max(1)
}

/// The spans of all groups in brackets, with the brackets.
pub fn groups(text: &[u8]) -> Vec<Span> {
    let (mut open, mut spans) = (Vec::new(), Vec::new());
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'[' | b'{' => open.push(at),
            b']' | b'}' => spans.extend(open.pop().map(|start| (start, at + 1))),
            _ => {}
        }
    }
    spans
}

/// Offsets of the starts of lines; the first is 0.
pub fn line_starts(text: &[u8]) -> Vec<usize> {
    let after = |(at, byte): (usize, &u8)| (*byte == b'\n').then_some(at + 1);
    let ends = text.iter().enumerate().filter_map(after);
    let mut starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
    starts.pop_if(|start| *start == text.len() && *start > 0);
    starts
}
