//! What the console prints: values by q's layout rules, cut to the console's height and width, and signals.

mod atom;
mod fun;
mod grid;
mod line;

use crate::error::{Error, Frame};
use crate::value::{Atom, Func, Value};

/// The console's settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// `\P`: significant digits of a float; 0 shows all 17.
    pub precision: u8,
    /// `\c`: lines of the console.
    pub height: usize,
    /// `\c`: characters of a line.
    pub width: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { precision: 7, height: 25, width: 80 }
    }
}

impl Settings {
    /// The same without cutting: what `string` and `-3!` see.
    pub fn whole(self) -> Settings {
        Settings { height: usize::MAX, width: usize::MAX, ..self }
    }

    /// How many characters of a line show at most.
    fn columns(&self) -> usize {
        self.width.saturating_sub(1).max(3)
    }

    /// How many lines show at most.
    fn lines(&self) -> usize {
        self.height.saturating_sub(2).max(1)
    }

    /// How many rows or items are worth fetching for a display.
    fn fetch(&self) -> usize {
        self.width.max(self.height).saturating_add(1)
    }
}

/// What the console prints for `v`: lines that each end in a newline; nothing for `::`.
pub fn console(v: &Value, s: &Settings) -> String {
    let lines = match v {
        _ if v.is_null_fn() => return String::new(),
        // A function shows its whole text, however long and however many lines.
        Value::Fun(Func::Virtual(x)) if x.text().is_some() => vec![x.text().unwrap_or_default()],
        Value::Fun(Func::Virtual(x)) => match x.rows(0, x.count().min(s.fetch())) {
            Ok(rows) => return console(&rows, s),
            Err(e) => return error(&e),
        },
        Value::Fun(_) => return line::within(v, s, usize::MAX) + "\n",
        Value::Atom(_) | Value::Vec(_) => vec![line::within(v, s, s.columns())],
        Value::List(items) => grid::list(items, s),
        Value::Dict(d) => grid::dict(d, s),
        Value::Table(t) => grid::table(t, s),
    };
    cut(lines, s)
}

/// Cuts lines to the console's width and height, marking each cut with two dots.
fn cut(lines: Vec<String>, s: &Settings) -> String {
    let (rows, columns) = (s.lines(), s.columns());
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        if i + 1 == rows && lines.len() > rows {
            out.push_str("..\n");
            break;
        }
        out.push_str(&cut_line(line, columns));
        out.push('\n');
    }
    out
}

fn cut_line(line: &str, columns: usize) -> String {
    match line.char_indices().nth(columns) {
        None => line.to_string(),
        Some(_) => line.chars().take(columns - 2).chain("..".chars()).collect(),
    }
}

/// `v` on one line, as `0N!` shows it; the whole of it (`-3!`) with [`Settings::whole`].
pub fn one_line(v: &Value, s: &Settings) -> String {
    cut_line(&line::within(v, s, s.columns()), s.columns())
}

/// The text of an atom without decoration, as `string` gives it and table cells show it: no backtick, quote
/// or type suffix; empty for a null. Bytes above 127 of symbols and chars are decoded for display, so who wants
/// the bytes takes them from the atom.
pub fn string(a: &Atom, s: &Settings) -> String {
    let mut out = String::new();
    atom::bare(&mut out, a, s);
    out
}

/// What the console prints for a signal: the name, then the innermost frame's text and a caret.
pub fn error(e: &Error) -> String {
    let place = e.trace.first().map(|frame| place(e.trace.len() - 1, frame));
    format!("'{}\n{}", e.name, place.unwrap_or_default())
}

/// The text of the frame with the number `n`, and a caret below its place.
pub fn place(n: usize, frame: &Frame) -> String {
    let text = &frame.source.text;
    let at = (frame.span.at as usize).min(text.len());
    let from = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let to = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| at + i);
    let head = match &frame.source.file {
        Some(file) => {
            let line = frame.source.line as usize + text[..from].iter().filter(|&&b| b == b'\n').count();
            format!("  [{n}]  {file}:{line}: ")
        }
        None => format!("  [{n}]  "),
    };
    let line = String::from_utf8_lossy(&text[from..to]);
    let caret = head.len() + String::from_utf8_lossy(&text[from..at]).chars().count();
    format!("{head}{line}\n{}^\n", " ".repeat(caret))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Frame, Result, Source};
    use crate::kind::Kind;
    use crate::path::Span;
    use crate::seam::{Scope, Virtual};
    use crate::sym::Sym;

    fn show(v: Value) -> String {
        console(&v, &Settings::default())
    }

    fn syms(names: &[&str]) -> Value {
        Value::syms(names.iter().map(|n| Sym::new(n)))
    }

    fn names(names: &[&str]) -> Vec<Sym> {
        names.iter().map(|n| Sym::new(n)).collect()
    }

    #[test]
    fn vectors_carry_one_suffix() {
        assert_eq!(show(Value::floats([1.0, 2.0])), "1 2f\n");
        assert_eq!(show(Value::floats([1.0, 2.5])), "1 2.5\n");
        assert_eq!(show(Value::floats([f64::NAN, -0.0])), "0n -0\n");
        assert_eq!(show(Value::vector(Kind::Int, vec![1, i32::MIN, i32::MAX])), "1 0N 0Wi\n");
        assert_eq!(show(Value::vector(Kind::Month, vec![42])), ",2003.07m\n");
        assert_eq!(show(Value::vector(Kind::Date, vec![42, i32::MIN])), "2000.02.12 0Nd\n");
        assert_eq!(show(Value::vector(Kind::Date, vec![i32::MIN, 42])), "0N 2000.02.12\n");
        assert_eq!(show(Value::vector(Kind::Bool, vec![1u8, 0])), "10b\n");
        assert_eq!(show(Value::longs([])), "`long$()\n");
        assert_eq!(show(Value::chars(b"a\"\n\xe9")), "\"a\\\"\\n\\351\"\n");
    }

    #[test]
    fn lists_of_equal_rows_line_up() {
        let m = Value::list(vec![Value::longs([1, 20]), Value::longs([300, i64::MIN])]);
        assert_eq!(show(m), "1   20\n300   \n");
        let mixed = Value::list(vec![syms(&["a", "b"]), Value::chars(b"xy")]);
        assert_eq!(show(mixed), "a b\nx y\n");
        let strings = Value::list(vec![Value::chars(b"ab"), Value::chars(b"cd")]);
        assert_eq!(show(strings), "\"ab\"\n\"cd\"\n");
        let ragged = Value::list(vec![Value::longs([1]), Value::longs([2, 3])]);
        assert_eq!(show(ragged), ",1\n2 3\n");
    }

    #[test]
    fn tables_and_dictionaries() {
        let t = Value::table(
            names(&["sym", "p"]),
            vec![syms(&["a", "bcd"]), Value::list(vec![Value::longs([1]), Value::chars(b"x y")])],
        );
        assert_eq!(show(t.clone()), "sym p    \n---------\na   ,1   \nbcd \"x y\"\n");
        assert_eq!(one_line(&t, &Settings::default()), "+`sym`p!(`a`bcd;(,1;\"x y\"))");
        let d = Value::dict(syms(&["a", "bc"]), Value::longs([1, i64::MIN]));
        assert_eq!(show(d), "a | 1\nbc| \n");
        let k = Value::dict(
            Value::table(names(&["k"]), vec![Value::longs([1, 2])]),
            Value::table(names(&["v"]), vec![Value::floats([1.5, f64::NAN])]),
        );
        assert_eq!(show(k.clone()), "k| v  \n-| ---\n1| 1.5\n2|    \n");
        assert_eq!(one_line(&k, &Settings::default()), "(+(,`k)!,1 2)!+(,`v)!,1.5 0n");
    }

    #[test]
    fn long_things_are_cut() {
        let s = Settings { precision: 7, height: 10, width: 10 };
        assert_eq!(console(&Value::longs(0..100), &s), "0 1 2 3..\n");
        let rows: Vec<Value> = (0..100).map(|i| Value::longs(i..i + 2 + i % 2)).collect();
        let text = console(&Value::list(rows), &s);
        assert_eq!(text.lines().count(), 8);
        assert!(text.ends_with("\n..\n"));
        let t = Value::table(names(&["a"]), vec![Value::longs(0..1_000_000)]);
        assert_eq!(show(t).lines().count(), 23);
    }

    /// A table of a million rows that is never read whole.
    #[derive(Debug)]
    struct Remote;

    impl Virtual for Remote {
        fn q_type(&self) -> i8 {
            98
        }
        fn count(&self) -> usize {
            1_000_000
        }
        fn rows(&self, from: usize, to: usize) -> Result<Value> {
            assert!(to - from <= 81, "a display fetches no more than a console's worth of rows");
            Ok(Value::table(names(&["a"]), vec![Value::longs(from as i64..to as i64)]))
        }
        fn query(&self, _: crate::Prim, _: &[Value], _: &Scope) -> Result<Value> {
            crate::error::type_error()
        }
        fn verb(&self, _: &str, _: &[Value]) -> Result<Option<Value>> {
            Ok(None)
        }
        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
    }

    #[test]
    fn objects_show_by_their_first_rows() {
        let object = Value::Fun(Func::Virtual(std::sync::Arc::new(Remote)));
        let plain = Value::table(names(&["a"]), vec![Value::longs(0..1_000_000)]);
        assert_eq!(show(object.clone()), show(plain.clone()));
        assert_eq!(
            show(Value::list(vec![object, Value::long(1)])),
            show(Value::list(vec![plain, Value::long(1)]))
        );
    }

    #[test]
    fn a_signal_points_at_its_place() {
        let source = Source { text: b"1+\n2+`a".to_vec().into(), file: None, line: 1 };
        let mut e = Error::new("type");
        assert_eq!(error(&e), "'type\n");
        e.trace.push(Frame { source: source.into(), span: Span { from: 3, to: 7, at: 4 } });
        assert_eq!(error(&e), "'type\n  [0]  2+`a\n        ^\n");
    }
}
