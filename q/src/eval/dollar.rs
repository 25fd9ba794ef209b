//! `$` with two arguments: cast and Tok, pad, enumerate, matrix product.

use super::cast::Target;
use super::item::{self, items};
use super::{Interp, cast, enums, list, matrix};
use crate::error::{Result, length_error, type_error};
use crate::kind::Kind;
use crate::value::Value;

/// `x$y`.
pub fn dollar(q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    if matrix::is_product(x, y) {
        return matrix::product(x, y);
    }
    match x {
        Value::Atom(_) if cast::target(x).is_some() => match (cast::target(x), y) {
            // An empty list takes the type; an enumeration's numbers are its indices.
            (Some(Target::Kind(kind) | Target::Tok(kind)), Value::List(l)) if l.is_empty() => {
                Ok(super::elem::empty(kind))
            }
            (Some(Target::Kind(kind)), _) if kind != Kind::Sym && y.type_code().unsigned_abs() == 20 => {
                cast::to_kind(kind, &indices(y))
            }
            _ => cast::cast(x, y, q.day_first),
        },
        Value::Atom(a) if a.kind == Kind::Sym => enums::cast(q, x.as_sym().unwrap_or_default(), y),
        Value::Atom(_) => match x.as_long() {
            Some(n) => pad(n, y),
            None => type_error(),
        },
        Value::Vec(v)
            if matches!(v.kind, Kind::Long | Kind::Int) && !y.is_atom() && y.as_chars().is_none() =>
        {
            if v.len() != y.count() {
                return length_error();
            }
            let pair = |i: usize| dollar(q, &item::item(x, i), &item::item(y, i));
            Ok(item::collect((0..v.len()).map(pair).collect::<Result<_>>()?))
        }
        _ => cast::cast(x, y, q.day_first),
    }
}

/// The indices that an enumeration holds.
pub fn indices(y: &Value) -> Value {
    match y {
        Value::Vec(v) => Value::vector(Kind::Long, v.elems::<i64>().cloned().unwrap_or_default()),
        Value::Atom(a) => Value::long(a.elem::<i64>().unwrap_or(i64::MIN)),
        _ => y.clone(),
    }
}

/// `n$text`: cut or padded with blanks to `n` bytes, on the right; on the left for a negative `n`.
fn pad(n: i64, y: &Value) -> Result<Value> {
    if let Value::List(l) = y {
        return Ok(Value::list(l.iter().map(|y| pad(n, y)).collect::<Result<_>>()?));
    }
    if let Value::Dict(d) = y {
        return Ok(Value::dict(d.keys.clone(), pad(n, &d.vals)?));
    }
    if let Value::Table(t) = y {
        let cols = t.cols.iter().map(|c| pad(n, c)).collect::<Result<_>>()?;
        return Ok(Value::table(t.names.clone(), cols));
    }
    let Some(text) = list::bytes(y) else { return type_error() };
    let want = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
    crate::memory::room_for(want)?;
    let have = text.len();
    let blanks = vec![b' '; want.saturating_sub(have)];
    Ok(Value::chars(&if n >= 0 {
        [&text[..have.min(want)], &blanks].concat()
    } else {
        [&blanks, &text[have.saturating_sub(want)..]].concat()
    }))
}

/// Every item of a list as bytes.
pub fn strings(x: &Value) -> Option<Vec<Vec<u8>>> {
    items(x).iter().map(list::bytes).collect()
}
