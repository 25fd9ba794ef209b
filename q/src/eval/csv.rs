//! `0:`: delimited and fixed-width text to columns, key-value text to dictionaries, tables to text.

use super::item::{collect, items};
use super::{Interp, files, list};
use crate::buf::Buf;
use crate::each_data;
use crate::error::{Error, Result, length_error, type_error};
use crate::kind::Kind;
use crate::literal;
use crate::sym::Sym;
use crate::value::{Atom, Elem, Value, Vector};
use csv_core::{ReadFieldResult, ReaderBuilder};
use rustc_hash::FxHashMap;

/// Loads of at least this many bytes tell their progress.
const LONG: usize = 50 << 20;

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
    let columns = types.iter().map(|&t| Column::new(t)).collect::<Result<Vec<_>>>()?;
    match by {
        Value::Atom(a) if a.kind == Kind::Char => {
            let by = list::bytes(by).unwrap_or_default()[0];
            Ok(Value::list(delimited(q, columns, by, text)?))
        }
        Value::Vec(v) if v.kind == Kind::Char => {
            let [by] = by.as_chars().unwrap_or_default() else { return length_error() };
            let (head, body) = split_header(text);
            let names = header(*by, head);
            let named = types.iter().zip(&names).filter(|(t, _)| **t != b' ').map(|(_, n)| *n);
            let cols = delimited(q, columns, *by, body)?;
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

fn split_header(text: &[u8]) -> (&[u8], &[u8]) {
    match text.iter().position(|b| *b == b'\n') {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, &[]),
    }
}

fn header(by: u8, line: &[u8]) -> Vec<Sym> {
    let mut names = vec![];
    each_field(by, line, &mut |_, field| names.push(Sym::from_bytes(field.trim_ascii())), &mut |_| {});
    names
}

/// A column while it grows.
enum Column {
    /// Not wanted.
    Skip,
    /// Elements of one kind.
    Typed(Vector),
    /// Symbols, with those seen before, so that the interner is asked once for each.
    Syms(Buf<Sym>, FxHashMap<Box<[u8]>, Sym>),
    /// Texts.
    Text(Vec<Value>),
}

impl Column {
    fn new(letter: u8) -> Result<Column> {
        Ok(match letter {
            b' ' => Column::Skip,
            b'*' => Column::Text(vec![]),
            b'S' | b's' => Column::Syms(Buf::new(), FxHashMap::default()),
            letter => match Kind::from_letter(letter.to_ascii_lowercase() as char) {
                Some(kind) => {
                    let Value::Vec(v) = super::elem::empty(kind) else { return type_error() };
                    Column::Typed(v)
                }
                None => return Err(Error::new("type").detail(format!("column type {}", letter as char))),
            },
        })
    }

    fn push(&mut self, field: &[u8]) {
        match self {
            Column::Skip => {}
            Column::Text(texts) => texts.push(Value::chars(field)),
            Column::Syms(syms, seen) => {
                let sym = seen.get(field).copied().unwrap_or_else(|| {
                    let sym = literal::tok(Kind::Sym, field).elem::<Sym>().unwrap_or_default();
                    seen.insert(field.into(), sym);
                    sym
                });
                syms.push(sym);
            }
            Column::Typed(v) => {
                let atom = match (v.kind, field) {
                    (Kind::Long, field) => short_long(field).unwrap_or_else(|| literal::tok(v.kind, field)),
                    (Kind::Float, field) => plain_float(field).unwrap_or_else(|| literal::tok(v.kind, field)),
                    _ => literal::tok(v.kind, field),
                };
                each_data!(&mut v.data, b => grow(b, &atom));
            }
        }
    }

    fn done(self) -> Option<Value> {
        match self {
            Column::Skip => None,
            Column::Typed(v) => Some(Value::Vec(v)),
            Column::Syms(syms, _) => Some(Value::vector(Kind::Sym, syms)),
            Column::Text(texts) => Some(Value::list(texts)),
        }
    }
}

fn grow<T: Elem>(b: &mut Buf<T>, atom: &Atom) {
    b.push(atom.elem::<T>().expect("an atom is stored as its kind says"));
}

/// A plain decimal of a few digits, which most numbers in a file are.
fn short_long(field: &[u8]) -> Option<Atom> {
    let plain = !field.is_empty() && field.len() <= 18 && field.iter().all(u8::is_ascii_digit);
    plain.then(|| Atom::new(Kind::Long, field.iter().fold(0i64, |n, &d| n * 10 + (d - b'0') as i64)))
}

/// A float written with digits and a point only.
fn plain_float(field: &[u8]) -> Option<Atom> {
    let plain = field.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
    let text = std::str::from_utf8(field).ok().filter(|_| plain)?;
    text.parse().ok().map(|x: f64| Atom::new(Kind::Float, x))
}

/// Reads fields by the rules of CSV: quotes protect delimiters and newlines. Calls `field` with the number of
/// the field in its record and its bytes, and `record` with the bytes done after each record.
fn each_field(by: u8, mut text: &[u8], field: &mut dyn FnMut(usize, &[u8]), record: &mut dyn FnMut(usize)) {
    let mut reader = ReaderBuilder::new().delimiter(by).build();
    let whole = text.len();
    let mut buffer = vec![0u8; 256];
    let (mut at, mut filled) = (0, 0);
    loop {
        let (result, read, wrote) = reader.read_field(text, &mut buffer[filled..]);
        text = &text[read..];
        filled += wrote;
        match result {
            // At the end of the text an empty input closes the last field.
            ReadFieldResult::InputEmpty => continue,
            ReadFieldResult::OutputFull => {
                let longer = buffer.len() * 2;
                buffer.resize(longer, 0);
            }
            ReadFieldResult::Field { record_end } => {
                field(at, &buffer[..filled]);
                filled = 0;
                at += 1;
                if record_end {
                    record(whole - text.len());
                    at = 0;
                }
            }
            ReadFieldResult::End => return,
        }
    }
}

/// Columns of delimited text. A short line is filled with nulls; what a line has more is not read.
fn delimited(q: &mut Interp, columns: Vec<Column>, by: u8, text: &[u8]) -> Result<Vec<Value>> {
    let columns = std::cell::RefCell::new(columns);
    let seen = std::cell::Cell::new(0usize);
    let mut progress = q.progress.take().filter(|_| text.len() >= LONG);
    let mut told = 0;
    each_field(
        by,
        text,
        &mut |at, field| {
            seen.set(at + 1);
            if let Some(column) = columns.borrow_mut().get_mut(at) {
                column.push(field);
            }
        },
        &mut |done| {
            for column in columns.borrow_mut().iter_mut().skip(seen.get()) {
                column.push(b"");
            }
            if done - told >= 1 << 20
                && let Some(tell) = &mut progress
            {
                tell(done as u64, text.len() as u64);
                told = done;
            }
        },
    );
    if let Some(tell) = &mut progress {
        tell(text.len() as u64, text.len() as u64);
        q.progress = progress;
    }
    Ok(columns.into_inner().into_iter().filter_map(Column::done).collect())
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
            let field = if matches!(column, Column::Text(_)) { field } else { field.trim_ascii() };
            column.push(field);
            from = to;
        }
    }
    Ok(Value::list(columns.into_iter().filter_map(Column::done).collect()))
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
    let mut keys = Column::new(kind)?;
    let mut values = vec![];
    for pair in text.split(|b| *b == end) {
        let at = pair.iter().position(|b| *b == by).unwrap_or(pair.len());
        keys.push(&pair[..at]);
        values.push(Value::chars(pair.get(at + 1..).unwrap_or_default()));
    }
    Ok(Value::list(vec![keys.done().unwrap_or_else(|| Value::list(vec![])), Value::list(values)]))
}

/// `","0:t`: a table (or list of columns) as lines of text, quoted where they must be.
pub fn prepare(by: u8, t: &Value, q: &Interp) -> Result<Value> {
    let (mut lines, cols) = match t {
        Value::Table(t) => {
            let names: Vec<Vec<u8>> = t.names.iter().map(|n| quoted(n.bytes(), by)).collect();
            (vec![Value::chars(&names.join(&by))], t.cols.clone())
        }
        Value::List(l) => (vec![], l.to_vec()),
        _ => return type_error(),
    };
    let rows = cols.first().map_or(0, Value::count);
    if cols.iter().any(|c| c.count() != rows) {
        return length_error();
    }
    let cells = cols.iter().map(|c| column_text(c, by, q)).collect::<Result<Vec<_>>>()?;
    lines.extend((0..rows).map(|i| {
        let row: Vec<&[u8]> = cells.iter().map(|c| &c[i][..]).collect();
        Value::chars(&row.join(&by))
    }));
    Ok(Value::list(lines))
}

/// Every item of a column as a field.
fn column_text(c: &Value, by: u8, q: &Interp) -> Result<Vec<Vec<u8>>> {
    let whole = crate::show::Settings { precision: q.settings.precision, ..q.settings.whole() };
    items(c)
        .iter()
        .map(|v| {
            let text = match v {
                Value::Vec(w) if w.kind == Kind::Char => v.as_chars().unwrap_or_default().to_vec(),
                Value::Atom(a) if a.kind == Kind::Datetime || a.kind == Kind::Date => iso(v, q)?,
                Value::Atom(_) => list::bytes(&super::string::string(v, &whole)?).unwrap_or_default(),
                _ => return type_error(),
            };
            Ok(quoted(text, by))
        })
        .collect()
}

/// Dates in text files have dashes.
fn iso(v: &Value, q: &Interp) -> Result<Vec<u8>> {
    let text = list::bytes(&super::string::string(v, &q.settings.whole())?).unwrap_or_default();
    Ok(text.into_iter().enumerate().map(|(i, b)| if b == b'.' && i < 10 { b'-' } else { b }).collect())
}

fn quoted(text: Vec<u8>, by: u8) -> Vec<u8> {
    if !text.iter().any(|b| *b == by || *b == b'"' || *b == b'\n') {
        return text;
    }
    let mut out = vec![b'"'];
    text.iter().for_each(|&b| out.extend(if b == b'"' { vec![b, b] } else { vec![b] }));
    out.push(b'"');
    out
}
