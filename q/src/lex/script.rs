//! Scripts: which lines make a statement. A statement begins at the left margin and goes on over lines that
//! begin with a blank, or with the closing brace of a function.

use std::ops::Range;

/// The end of the line at `from`: its newline, or the end of the text.
pub fn line_end(text: &[u8], from: usize) -> usize {
    text[from..].iter().position(|c| *c == b'\n').map_or(text.len(), |n| from + n)
}

/// The end of the block comment that begins at `from`: after the line that is a lone backslash.
pub fn comment_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() {
        let end = line_end(text, at);
        let closed = text[at..end].trim_ascii_end() == b"\\";
        at = text.len().min(end + 1);
        if closed {
            return at;
        }
    }
    at
}

/// The byte ranges of a script's statements, without comments between them. A lone backslash ends the script.
pub fn units(text: &[u8]) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::new();
    // A first line for the shell.
    let mut at = if text.starts_with(b"#!") { text.len().min(line_end(text, 0) + 1) } else { 0 };
    let mut open = false;
    while at < text.len() {
        let end = line_end(text, at);
        let line = text[at..end].trim_ascii_end();
        match line.first() {
            None => {}
            Some(b'/') if line == b"/" => {
                at = comment_end(text, at);
                continue;
            }
            Some(b'/') => {}
            Some(b'\\') if line == b"\\" => break,
            Some(b' ' | b'\t' | b'}') if open => {
                if let Some(last) = units.last_mut() {
                    last.end = at + line.len();
                }
            }
            Some(c) => {
                open = *c != b'\\';
                units.push(at..at + line.len());
            }
        }
        at = end + 1;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_make_statements() {
        let text = b"#!/usr/bin/env q\na:1\n/ note\nf:{\n  x+1\n\n / inner\n }\n/\nblock\n\\\ng:{\n 2\n}\n\\l x.q\n  b:2\n\\\nnot read\n";
        let units: Vec<_> = units(text).into_iter().map(|r| std::str::from_utf8(&text[r]).unwrap()).collect();
        assert_eq!(units, ["a:1", "f:{\n  x+1\n\n / inner\n }", "g:{\n 2\n}", "\\l x.q", "  b:2"]);
    }
}
