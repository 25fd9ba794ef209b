//! `1:`: records of fixed-width binary fields to columns, and bytes to a file.

use super::item::{enlist, positions};
use super::{files, list};
use crate::buf::Buf;
use crate::error::{Result, length_error, type_error};
use crate::kind::{Kind, Store};
use crate::sym::Sym;
use crate::value::{Elem, Guid, Value};

/// `(types;widths)1:y` reads a file (or a part of it, or bytes) as columns, `(widths;types)1:y` what has its greatest
/// bytes first; `` `:file 1:bytes`` writes.
pub fn bytes1(x: &Value, y: &Value) -> Result<Value> {
    let Value::List(l) = x else { return write(x, y) };
    let [first, second] = l.as_slice() else { return length_error() };
    let big = list::bytes(first).is_none();
    let (types, widths) = if big { (second, first) } else { (first, second) };
    let (Some(types), Some(widths)) = (list::bytes(types), widths_of(widths)) else { return type_error() };
    let bytes = match y {
        Value::Atom(_) | Value::List(_) => files::read(y)?,
        _ => bytes_of(y)?.to_vec(),
    };
    let record = widths.iter().try_fold(0usize, |n, w| n.checked_add(*w)).filter(|n| *n > 0);
    let Some(record) = record.filter(|n| types.len() == widths.len() && bytes.len() % n == 0) else {
        return length_error();
    };
    let mut columns = vec![];
    let mut from = 0;
    for (&letter, &width) in types.iter().zip(&widths) {
        if letter != b' ' {
            let fields = bytes.chunks_exact(record).map(|r| &r[from..from + width]);
            columns.push(column(letter, big || letter.is_ascii_uppercase(), width, fields)?);
        }
        from += width;
    }
    Ok(Value::list(columns))
}

fn widths_of(x: &Value) -> Option<Vec<usize>> {
    let x = if x.is_atom() { &enlist(x.clone()) } else { x };
    positions(x)?.iter().map(|&n| usize::try_from(n).ok()).collect()
}

fn write(x: &Value, y: &Value) -> Result<Value> {
    let (path, _) = files::path(x)?;
    std::fs::write(&path, bytes_of(y)?).map_err(|e| files::failed(&path, &e))?;
    Ok(x.clone())
}

/// The bytes of a byte vector or a text.
fn bytes_of(y: &Value) -> Result<&[u8]> {
    match y {
        Value::Vec(v) => v.elems::<u8>().map_or_else(type_error, |b| Ok(&b[..])),
        _ => type_error(),
    }
}

/// The fields of one column, the greatest byte first where `big`, as an upper-case letter asks too. Only a symbol,
/// which ends at its first zero byte, may have any width.
fn column<'a>(letter: u8, big: bool, width: usize, fields: impl Iterator<Item = &'a [u8]>) -> Result<Value> {
    let Some(kind) = Kind::from_letter(letter.to_ascii_lowercase() as char) else { return type_error() };
    Ok(match kind.store() {
        Store::S => {
            let text = |f: &'a [u8]| f.split(|b| *b == 0).next().unwrap_or_default();
            Value::syms(fields.map(|f| Sym::from_bytes(text(f))))
        }
        Store::B if kind == Kind::Bool => {
            let bits =
                numbers::<u8>(width, false, fields)?.iter().map(|b| (*b != 0) as u8).collect::<Buf<u8>>();
            Value::vector(kind, bits)
        }
        Store::B => Value::vector(kind, numbers::<u8>(width, false, fields)?),
        Store::G => Value::vector(kind, numbers::<Guid>(width, false, fields)?),
        Store::H => Value::vector(kind, numbers::<i16>(width, big, fields)?),
        Store::I => Value::vector(kind, numbers::<i32>(width, big, fields)?),
        Store::J => Value::vector(kind, numbers::<i64>(width, big, fields)?),
        Store::E => Value::vector(kind, numbers::<f32>(width, big, fields)?),
        Store::F => Value::vector(kind, numbers::<f64>(width, big, fields)?),
    })
}

fn numbers<'a, T: Elem>(width: usize, big: bool, fields: impl Iterator<Item = &'a [u8]>) -> Result<Buf<T>> {
    if width != size_of::<T>() {
        return length_error();
    }
    let number = |field: &[u8]| {
        let mut bytes = [0u8; 16];
        bytes[..width].copy_from_slice(field);
        if big {
            bytes[..width].reverse();
        }
        bytemuck::pod_read_unaligned(&bytes[..width])
    };
    Ok(fields.map(number).collect())
}
