//! A column of a text file while it grows: fields go straight into its typed elements.

use crate::buf::Buf;
use crate::each_data;
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::literal::{self, plain};
use crate::sym::Sym;
use crate::value::{Data, Elem, Raw, Value, Vector};
use rustc_hash::FxHashMap;

/// A column, or a part of one.
#[derive(Clone)]
pub enum Column {
    /// Not wanted.
    Skip,
    /// Elements of one kind, and whether `01/02/2000` has the day first.
    Typed(Kind, Data, bool),
    /// Symbols, with those seen before, so that the interner is asked once for each.
    Syms(Buf<Sym>, FxHashMap<Box<[u8]>, Sym>),
    /// Texts, one after the other, and where each ends.
    Text(Vec<u8>, Vec<usize>),
}

impl Column {
    /// The empty column of a type letter.
    pub fn new(letter: u8, day_first: bool) -> Result<Column> {
        Ok(match letter {
            b' ' => Column::Skip,
            b'*' => Column::Text(vec![], vec![]),
            letter => match Kind::from_letter(letter.to_ascii_lowercase() as char) {
                Some(Kind::Sym) => Column::Syms(Buf::new(), FxHashMap::default()),
                Some(kind) => {
                    let Value::Vec(v) = crate::eval::elem::empty(kind) else { return type_error() };
                    Column::Typed(kind, v.data, day_first)
                }
                None => return Err(Error::new("type").detail(format!("column type {}", letter as char))),
            },
        })
    }

    /// One more field.
    pub fn push(&mut self, field: &[u8]) {
        match self {
            Column::Skip => {}
            Column::Typed(kind, data, day_first) => {
                let raw = match plain::element(*kind, field) {
                    Some(raw) => raw,
                    None if field.is_empty() => literal::null(*kind),
                    None => literal::tok_dates(*kind, field, *day_first).raw,
                };
                each_data!(data, b => grow(b, raw));
            }
            Column::Syms(syms, seen) => {
                let sym = seen.get(field).copied().unwrap_or_else(|| {
                    let sym = Sym::from_bytes(field.trim_ascii());
                    seen.insert(field.into(), sym);
                    sym
                });
                syms.push(sym);
            }
            Column::Text(bytes, ends) => {
                bytes.extend_from_slice(field);
                ends.push(bytes.len());
            }
        }
    }

    /// The parts of one column as its value; none for a column that is not wanted.
    pub fn join(parts: Vec<Column>) -> Option<Value> {
        let mut parts = parts.into_iter();
        let mut whole = parts.next()?;
        if let Column::Text(..) = whole {
            return Some(Value::list(std::iter::once(whole).chain(parts).flat_map(Column::texts).collect()));
        }
        for part in parts {
            match (&mut whole, part) {
                (Column::Typed(_, data, _), Column::Typed(_, more, _)) => {
                    each_data!(data, b => append(b, &more));
                }
                (Column::Syms(syms, _), Column::Syms(more, _)) => syms.extend_from_slice(&more),
                _ => {}
            }
        }
        match whole {
            Column::Typed(kind, data, _) => {
                Some(Value::Vec(Vector { kind, attr: Default::default(), data, domain: None }))
            }
            Column::Syms(syms, _) => Some(Value::vector(Kind::Sym, syms)),
            Column::Skip | Column::Text(..) => None,
        }
    }

    fn texts(self) -> Vec<Value> {
        match self {
            Column::Text(bytes, ends) => slices(bytes, &ends),
            _ => vec![],
        }
    }
}

/// Strings that share one block: each from where the one before ends.
pub fn slices(bytes: Vec<u8>, ends: &[usize]) -> Vec<Value> {
    let all = Buf::from(bytes);
    let froms = std::iter::once(0).chain(ends.iter().copied());
    froms.zip(ends).map(|(from, &to)| Value::vector(Kind::Char, all.slice(from..to))).collect()
}

#[inline]
fn grow<T: Elem>(b: &mut Buf<T>, raw: Raw) {
    b.push(T::of_raw(raw).expect("an element is stored as its kind says"));
}

fn append<T: Elem>(b: &mut Buf<T>, more: &Data) {
    b.extend_from_slice(T::of_data(more).expect("the parts of a column are of one kind"));
}
