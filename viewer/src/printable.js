// Names of files and of what is in them, as the pages show them.

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns text with control characters, and characters that change its direction, written as `\u{…}`. */
export function printable(text) {
  return text.replace(CONTROL, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
