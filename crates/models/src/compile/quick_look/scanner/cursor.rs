//! A position in a text, and functions that move it past scalars, names and white space.

/// A position in a text.
#[derive(Clone)]
pub(super) struct Cursor<'s> {
    text: &'s str,
    /// The next byte.
    pub at: usize,
    /// The first byte of its line.
    line: usize,
}

/// A scalar as it is written.
#[derive(Clone, Copy)]
pub(super) struct Scalar<'s> {
    /// Its text; `None` if it is not written as it reads.
    pub text: Option<&'s str>,
    /// Length of its text in bytes, or less where the exact length is hard to tell.
    pub len: usize,
    /// True if it has no quotes.
    pub plain: bool,
    /// True if it has several lines.
    pub broken: bool,
    /// True if it stands in lines of its own, after a `|` or a `>`.
    pub block: bool,
}

impl<'s> Cursor<'s> {
    pub fn new(text: &'s str) -> Self {
        let (at, line) = (0, 0);
        Self { text, at, line }
    }

    /// Returns the byte `ahead` bytes further on; past the end it is a line break.
    #[inline]
    pub fn peek(&self, ahead: usize) -> u8 {
        let byte = self.text.as_bytes().get(self.at + ahead);
        byte.copied().unwrap_or(b'\n')
    }

    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Returns the text from the byte `start` to the cursor.
    pub fn since(&self, start: usize) -> &'s str {
        &self.text[start..self.at]
    }

    /// Returns the number of bytes since the beginning of the line. That is the column in characters too, because only
    /// ASCII comes before the nodes that this is used for.
    pub fn column(&self) -> usize {
        self.at - self.line
    }

    /// Returns true if the line begins with `mark`, which is `---` or `...`, and the cursor is there.
    pub fn is_mark(&self, mark: &str) -> bool {
        self.column() == 0 && self.text[self.at..].starts_with(mark) && is_blank(self.peek(3))
    }

    /// Skips white space within a line.
    #[inline]
    pub fn spaces(&mut self) {
        while matches!(self.text.as_bytes().get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Skips white space, comments and line breaks.
    #[inline]
    pub fn blanks(&mut self) {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'\n' | b'\r' => self.line_break(),
                b'#' => self.rest_of_line(),
                _ => break,
            }
        }
    }

    fn line_break(&mut self) {
        self.at += 1;
        self.line = self.at;
    }

    /// Skips the rest of the line.
    pub fn rest_of_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        self.at += len.unwrap_or(rest.len());
    }

    /// Skips an indicator and the name after it; returns the name, which is that of an anchor or alias.
    pub fn name(&mut self) -> &'s str {
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..];
        let len = rest
            .iter()
            .position(|byte| is_blank(*byte) | is_flow(*byte));
        self.at = start + len.unwrap_or(rest.len());
        &self.text[start..self.at]
    }

    /// Skips a tag in angle brackets; returns false if the bracket is not closed.
    pub fn verbatim(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let end = rest
            .iter()
            .position(|byte| *byte == b'>' || is_blank(*byte));
        self.at += end.map_or(0, |end| end + 1);
        end.is_some_and(|end| rest[end] == b'>')
    }

    /// Skips a plain scalar; in a block, lines that are indented by `indent` belong to it.
    pub fn plain(&mut self, in_flow: bool, indent: usize) -> Scalar<'s> {
        let start = self.at;
        let first = self.plain_line(in_flow);
        let mut scalar = Scalar {
            text: Some(&self.text[start..start + first]),
            len: first,
            plain: true,
            broken: false,
            block: false,
        };
        while matches!(self.peek(0), b'\n' | b'\r') && !self.is_at_end() {
            let (at, line) = (self.at, self.line);
            self.breaks();
            let goes_on = (in_flow || self.column() >= indent) && self.is_plain(in_flow);
            if !goes_on || self.is_at_end() || self.is_mark("---") || self.is_mark("...") {
                (self.at, self.line) = (at, line);
                break;
            }
            scalar.len += 1 + self.plain_line(in_flow);
            (scalar.text, scalar.broken) = (None, true);
        }
        scalar
    }

    /// Skips line breaks and the white space around them.
    fn breaks(&mut self) {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\n' | b'\r') => self.line_break(),
                _ => break,
            }
        }
    }

    /// True if the next character can continue a plain scalar.
    fn is_plain(&self, in_flow: bool) -> bool {
        match self.peek(0) {
            b'#' => false,
            b':' => !(is_blank(self.peek(1)) || in_flow && is_flow(self.peek(1))),
            byte => !(in_flow && is_flow(byte)),
        }
    }

    /// Skips one line of a plain scalar and the spaces after it; returns its length without these.
    fn plain_line(&mut self, in_flow: bool) -> usize {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start;
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' => {
                    self.at += 1;
                    continue;
                }
                b'\n' | b'\r' => break,
                b'#' if self.at > end => break,
                b':' | b',' | b'[' | b']' | b'{' | b'}' if !self.is_plain(in_flow) => break,
                _ => self.at += 1,
            }
            end = self.at;
        }
        end - start
    }

    /// Skips a quoted scalar; returns `None` if its quote is not closed.
    pub fn quoted(&mut self) -> Option<Scalar<'s>> {
        let bytes = self.text.as_bytes();
        let quote = bytes[self.at];
        let start = self.at + 1;
        let (mut simple, mut broken, mut left_out) = (true, false, 0);
        self.at = start;
        loop {
            match *bytes.get(self.at)? {
                b'\\' if quote == b'"' => {
                    let digits = match self.peek(1) {
                        b'x' => 2,
                        b'u' => 4,
                        b'U' => 8,
                        _ => 0,
                    };
                    simple = false;
                    left_out += 1 + digits;
                    self.at += 1;
                    match self.peek(0) {
                        b'\n' | b'\r' => {}
                        _ => self.at += 1,
                    }
                }
                byte if byte == quote && quote == b'\'' && self.peek(1) == quote => {
                    simple = false;
                    left_out += 1;
                    self.at += 2;
                }
                byte if byte == quote => break,
                b'\n' | b'\r' => {
                    let before = &bytes[start..self.at];
                    let text = before
                        .iter()
                        .rposition(|byte| !matches!(byte, b' ' | b'\t'));
                    let trailing = before.len() - text.map_or(0, |last| last + 1);
                    let at = self.at;
                    self.breaks();
                    left_out += trailing + (self.at - at);
                    (simple, broken) = (false, true);
                }
                _ => self.at += 1,
            }
        }
        let text = &self.text[start..self.at];
        self.at += 1;
        Some(Scalar {
            text: simple.then_some(text),
            len: text.len().saturating_sub(left_out),
            plain: false,
            broken,
            block: false,
        })
    }

    /// Skips a block scalar in a collection that is indented by `outer` columns.
    pub fn block(&mut self, outer: usize) -> Scalar<'s> {
        self.at += 1;
        let mut indent = None;
        while let byte @ (b'+' | b'-' | b'0'..=b'9') = self.peek(0) {
            if byte.is_ascii_digit() {
                indent = Some(outer + usize::from(byte - b'0'));
            }
            self.at += 1;
        }
        self.rest_of_line();
        let mut len = 0;
        while !self.is_at_end() {
            self.line_break();
            let start = self.at;
            while self.peek(0) == b' ' && indent.is_none_or(|indent| self.column() < indent) {
                self.at += 1;
            }
            if matches!(self.peek(0), b'\n' | b'\r') {
                continue; // an empty line, or the end
            }
            if self.column() < *indent.get_or_insert(self.column().max(outer + 1)) {
                self.at = start;
                break;
            }
            let text = self.at;
            self.rest_of_line();
            len += 1 + self.at - text;
        }
        Scalar {
            text: None,
            len: len.saturating_sub(1),
            plain: false,
            broken: true,
            block: true,
        }
    }
}

/// True for white space and line breaks.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// True for the separators and brackets of flow collections.
pub(super) fn is_flow(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
