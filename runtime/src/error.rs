//! From the compiler's errors to the signals that users see.

use std::io::Write;

use compiler::Code;
use q::Error;
use q::path::{Path, Span, Spans};

/// The q signal for a query without a plan: the code's name, and for a person the sentence and the place in
/// the functional query `(?;t;c;b;a)`, printed as the q index that finds it.
pub fn signal(e: &compiler::Error) -> Error {
    let name = e.code.to_string();
    Error::new(name).detail(format!("{} (at {})", e.message, at(&e.path)))
}

/// True if another engine may answer what this error refused: a documented limit, no fault of the query.
pub fn may_fall_back(e: &compiler::Error) -> bool {
    e.code == Code::NotYet
}

/// True of a machine's fault, which another machine may not have.
pub fn is_fault(e: &Error) -> bool {
    matches!(&*e.name, "cuda" | "nvrtc" | "wsfull")
}

/// One line to the person at the terminal. A standard error that takes nothing (a closed pipe, a full disk) costs
/// the line, never the query.
pub(crate) fn warn(line: std::fmt::Arguments) {
    let _ = writeln!(std::io::stderr(), "qfuse: {line}");
}

fn at(path: &Path) -> String {
    if path.0.is_empty() { "the whole query".into() } else { path.to_string() }
}

/// `text` with a caret under the byte `span.at`, for messages about a query's text.
pub fn caret(text: &str, span: Span) -> String {
    let upto = text.get(..span.at as usize).unwrap_or(text);
    let line_start = upto.rfind('\n').map_or(0, |i| i + 1);
    let line = text[line_start..].lines().next().unwrap_or("");
    let column = upto[line_start..].chars().count();
    format!("{line}\n{}^", " ".repeat(column))
}

/// A compiler error over the text it is about: code, sentence, place and caret.
pub fn explain(e: &compiler::Error, text: &str, spans: &Spans) -> String {
    format!("'{}: {} (at {})\n{}", e.code, e.message, at(&e.path), caret(text, spans.find(&e.path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_count_characters_of_their_own_line() {
        let span = |at| Span { from: 0, to: 0, at };
        assert_eq!(caret("ab cd", span(3)), "ab cd\n   ^");
        assert_eq!(caret("first\nab cd", span(9)), "ab cd\n   ^");
        assert_eq!(caret("ab", span(99)), "ab\n  ^", "a place past the end stays printable");
    }

    #[test]
    fn signals_carry_the_place() {
        let e = compiler::Error::not_yet(&Path(vec![2, 0]), "fby has no plan");
        let e = signal(&e);
        assert_eq!(e.name, "GPU_NOT_IMPLEMENTED");
        assert_eq!(e.detail.as_deref(), Some("fby has no plan (at 2 0)"));
    }
}
