//! `0:`: delimited and fixed-width text to columns, key-value text to dictionaries, tables to text.

mod column;
mod read;
mod write;

pub use write::prepare;

use super::item::collect;
use super::{Interp, files, list};
use crate::error::{Error, Result, length_error, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::Value;
use column::Column;
use read::{Fields, delimited};

/// `x 0: y` in all its forms.
pub fn text0(q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    match x {
        Value::Atom(a) if a.kind == Kind::Char => prepare(list::bytes(x).unwrap_or_default()[0], y, q),
        Value::Atom(_) if x.as_sym().is_some() => files::write_lines(x, y),
        Value::Vec(v) if v.kind == Kind::Char => pairs(x.as_chars().unwrap_or_default(), y),
        Value::List(l) => match l.as_slice() {
            [types, by] | [types, by, _] => load(q, types, by, &text_of(y)?),
            _ => length_error(),
        },
        _ => type_error(),
    }
}

/// The bytes to read: a file's, a text's, or lines'.
fn text_of(y: &Value) -> Result<Vec<u8>> {
    match y {
        Value::Atom(_) => files::read(y),
        Value::List(l) if l.first().is_some_and(|f| f.as_sym().is_some()) => files::read(y),
        Value::List(l) if l.first().is_some_and(|f| f.as_chars().is_some() || f.is_atom()) => {
            match super::dollar::strings(y) {
                Some(lines) => Ok(lines.join(&b"\n"[..])),
                None => type_error(),
            }
        }
        _ => list::bytes(y).ok_or_else(|| Error::new("type")),
    }
}

fn load(q: &mut Interp, types: &Value, by: &Value, text: &[u8]) -> Result<Value> {
    let Some(types) = list::bytes(types) else { return type_error() };
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let columns = types.iter().map(|&t| Column::new(t, q.day_first)).collect::<Result<Vec<_>>>()?;
    match by {
        Value::Atom(a) if a.kind == Kind::Char => {
            let by = list::bytes(by).unwrap_or_default()[0];
            Ok(Value::list(delimited(q, columns, by, text)))
        }
        Value::Vec(v) if v.kind == Kind::Char => {
            let [by] = by.as_chars().unwrap_or_default() else { return length_error() };
            let (names, body) = header(*by, text);
            let named = types.iter().zip(names).filter(|(t, _)| **t != b' ').map(|(_, n)| n);
            let cols = delimited(q, columns, *by, body);
            let names: Vec<Sym> = named.collect();
            if names.len() != cols.len() {
                return length_error();
            }
            if cols.is_empty() { type_error() } else { Ok(Value::table(names, cols)) }
        }
        _ => match super::item::positions(by) {
            Some(widths) if widths.len() == types.len() => fixed(columns, &widths, text),
            Some(_) => length_error(),
            None => type_error(),
        },
    }
}

/// The names in the first line, and the text after it.
fn header(by: u8, text: &[u8]) -> (Vec<Sym>, &[u8]) {
    let mut fields = Fields::new(text, by, 0);
    let mut names = vec![];
    while !text.is_empty() {
        let (field, last) = fields.next();
        names.push(Sym::from_bytes(field.trim_ascii()));
        if last {
            break;
        }
    }
    (names, &text[fields.at..])
}

/// Columns of text whose fields have fixed widths; blanks around them do not count.
fn fixed(mut columns: Vec<Column>, widths: &[i64], text: &[u8]) -> Result<Value> {
    if widths.iter().any(|&w| w < 0) {
        return length_error();
    }
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    for line in text.split(|b| *b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut from = 0usize;
        for (column, &width) in columns.iter_mut().zip(widths) {
            let to = from.saturating_add(width as usize);
            let field = &line[from.min(line.len())..to.min(line.len())];
            let field = if matches!(column, Column::Text(..)) { field } else { field.trim_ascii() };
            column.push(field);
            from = to;
        }
    }
    Ok(Value::list(columns.into_iter().filter_map(|c| Column::join(vec![c])).collect()))
}

/// `"S=;"0:text`: pairs of a key of the given type and a text: (keys;values).
fn pairs(x: &[u8], y: &Value) -> Result<Value> {
    if let Value::List(l) = y
        && !l.is_empty()
    {
        return Ok(collect(l.iter().map(|y| pairs(x, y)).collect::<Result<_>>()?));
    }
    let (kind, by, end) = match x {
        [kind, by, end] => (*kind, *by, *end),
        // "I*=..." gives the values a type too; only texts are kept as they are.
        [kind, _, by, end] => (*kind, *by, *end),
        _ => return length_error(),
    };
    let Some(text) = list::bytes(y) else { return type_error() };
    if !matches!(kind, b'I' | b'J' | b'S') {
        return Err(Error::new("IJS"));
    }
    let mut keys = Column::new(kind, false)?;
    let mut values = vec![];
    for pair in text.split(|b| *b == end) {
        let at = pair.iter().position(|b| *b == by).unwrap_or(pair.len());
        keys.push(&pair[..at]);
        values.push(Value::chars(pair.get(at + 1..).unwrap_or_default()));
    }
    Ok(Value::list(vec![
        Column::join(vec![keys]).unwrap_or_else(|| Value::list(vec![])),
        Value::list(values),
    ]))
}
