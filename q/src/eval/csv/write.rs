//! Tables to delimited text: rows of bytes, quoted where they must be.

use super::column::slices;
use crate::error::{Result, length_error, type_error};
use crate::eval::{Interp, item, list, string};
use crate::kind::Kind;
use crate::show::{self, Settings};
use crate::value::{Data, Value};
use std::io::Write;

/// `","0:t`: a table (or list of columns) as lines of text.
pub fn prepare(by: u8, t: &Value, q: &Interp) -> Result<Value> {
    let mut out = Text { by, bytes: vec![], ends: vec![] };
    let cols = match t {
        Value::Table(t) => {
            for (k, name) in t.names.iter().enumerate() {
                out.field(k, |bytes| bytes.extend(name.bytes()));
            }
            out.line();
            &t.cols[..]
        }
        Value::List(l) => &l[..],
        _ => return type_error(),
    };
    let rows = cols.first().map_or(0, Value::count);
    if cols.iter().any(|c| c.count() != rows) {
        return length_error();
    }
    let whole = Settings { precision: q.settings.precision, ..q.settings.whole() };
    for i in 0..rows {
        for (k, col) in cols.iter().enumerate() {
            let mut cell = Ok(());
            out.field(k, |bytes| cell = write_item(bytes, col, i, &whole));
            cell?;
        }
        out.line();
    }
    Ok(Value::list(slices(out.bytes, &out.ends)))
}

/// Lines while they grow.
struct Text {
    by: u8,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Text {
    /// Appends field `k` of a line, which `write` writes.
    fn field(&mut self, k: usize, write: impl FnOnce(&mut Vec<u8>)) {
        if k > 0 {
            self.bytes.push(self.by);
        }
        let from = self.bytes.len();
        write(&mut self.bytes);
        if self.bytes[from..].iter().any(|b| *b == self.by || *b == b'"' || *b == b'\n') {
            let plain = self.bytes.split_off(from);
            self.bytes.push(b'"');
            for b in plain {
                self.bytes.extend_from_slice(if b == b'"' { b"\"\"" } else { std::slice::from_ref(&b) });
            }
            self.bytes.push(b'"');
        }
    }

    fn line(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

/// Appends item `i` of a column.
fn write_item(out: &mut Vec<u8>, col: &Value, i: usize, s: &Settings) -> Result<()> {
    let Value::Vec(v) = col else { return write_value(out, &item::item(col, i), s) };
    match &v.data {
        Data::J(x) if v.kind == Kind::Long && x[i].unsigned_abs() < i64::MAX as u64 => {
            write!(out, "{}", x[i]).expect("writing to memory");
            Ok(())
        }
        Data::S(x) if x[i].text().is_ascii() => {
            out.extend_from_slice(x[i].text().as_bytes());
            Ok(())
        }
        Data::B(x) if v.kind == Kind::Char => {
            out.push(x[i]);
            Ok(())
        }
        _ => write_value(out, &Value::Atom(v.get(i)), s),
    }
}

/// Appends an atom or a text. Dates have dashes in text files.
fn write_value(out: &mut Vec<u8>, x: &Value, s: &Settings) -> Result<()> {
    let from = out.len();
    match x {
        Value::Vec(v) if v.kind == Kind::Char => out.extend_from_slice(x.as_chars().unwrap_or_default()),
        Value::Atom(a) => match a.kind {
            Kind::Char | Kind::Sym | Kind::Enum => {
                out.extend(list::bytes(&string::string(x, s)?).unwrap_or_default());
            }
            _ => out.extend_from_slice(show::string(a, s).as_bytes()),
        },
        _ => return type_error(),
    }
    if let Value::Atom(a) = x
        && matches!(a.kind, Kind::Date | Kind::Datetime)
    {
        out[from..].iter_mut().take(10).filter(|b| **b == b'.').for_each(|b| *b = b'-');
    }
    Ok(())
}
