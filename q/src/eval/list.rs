//! Making lists: til, where, enlist, flip, ungrouped counts.

use super::item::{self, collect, items};
use super::{dict, sets};
use crate::buf::Buf;
use crate::error::{Result, domain_error, length_error, type_error};
use crate::kind::Kind;
use crate::value::{Func, Raw, Table, Value};

/// `til n`: 0 to n-1.
pub fn til(x: &Value) -> Result<Value> {
    match x.as_long() {
        Some(n) if n >= 0 => {
            crate::memory::room_for(n as usize)?;
            Ok(Value::longs(0..n))
        }
        Some(_) => domain_error(),
        None => type_error(),
    }
}

/// `where x`: positions of true items, or each position as often as its count says; keys for a dictionary.
pub fn positions(x: &Value) -> Result<Value> {
    match x {
        Value::Vec(v) if v.kind == Kind::Bool => {
            let b = v.elems::<u8>().map(|b| &b[..]).unwrap_or_default();
            let n = b.iter().map(|&x| x as usize).sum();
            let mut out = Vec::with_capacity(n);
            out.extend(b.iter().enumerate().filter(|(_, x)| **x != 0).map(|(i, _)| i as i64));
            Ok(Value::vector(Kind::Long, out))
        }
        Value::Vec(v) if matches!(v.kind, Kind::Byte | Kind::Short | Kind::Int | Kind::Long) => {
            let counts = item::positions(x).unwrap_or_default();
            let total = counts.iter().try_fold(0usize, |t, &n| t.checked_add(n.max(0) as usize));
            crate::memory::room_for(total.unwrap_or(usize::MAX))?;
            let mut out = Vec::with_capacity(total.unwrap_or(0));
            for (i, &n) in counts.iter().enumerate() {
                out.extend(std::iter::repeat_n(i as i64, n.max(0) as usize));
            }
            Ok(Value::vector(Kind::Long, out))
        }
        Value::List(l) if l.is_empty() => Ok(Value::longs([])),
        Value::Dict(d) => {
            let at = positions(&d.vals)?;
            Ok(item::gather(&d.keys, &item::positions(&at).unwrap_or_default()))
        }
        _ => type_error(),
    }
}

/// `enlist[a;b;…]`: a list of the arguments.
pub fn enlist(args: Vec<Value>) -> Value {
    collect(args)
}

/// `flip x`: rows to columns; a dictionary of columns to a table and back.
pub fn flip(x: &Value) -> Result<Value> {
    match x {
        Value::Table(t) => Ok(Value::dict(Value::syms(t.names.iter().copied()), collect(t.cols.clone()))),
        Value::Dict(d) => {
            let Some(names) = dict::sym_keys(&d.keys).filter(|n| !n.is_empty()) else { return type_error() };
            let cols = items(&d.vals);
            table(names.to_vec(), cols)
        }
        Value::List(l) => {
            let Some(n) = l.iter().filter(|r| !r.is_atom()).map(Value::count).next() else {
                return Ok(x.clone());
            };
            if l.iter().any(|r| !r.is_atom() && r.count() != n) {
                return length_error();
            }
            let cell = |r: &Value, j: usize| if r.is_atom() { r.clone() } else { item::item(r, j) };
            Ok(Value::list((0..n).map(|j| collect(l.iter().map(|r| cell(r, j)).collect())).collect()))
        }
        _ => type_error(),
    }
}

/// A table of columns; atoms are repeated to the count of the lists. All atoms is `'rank`, as in q.
pub fn table(names: Vec<crate::Sym>, cols: Vec<Value>) -> Result<Value> {
    let is_column = |c: &Value| !c.is_atom() || matches!(c, Value::Fun(Func::Virtual(_)));
    let Some(n) = cols.iter().find(|c| is_column(c)).map(Value::count) else {
        return crate::error::rank_error();
    };
    if cols.iter().any(|c| is_column(c) && c.count() != n) {
        return length_error();
    }
    let fill = |c: Value| if is_column(&c) { c } else { item::gather(&sets::listed(&c), &vec![0; n]) };
    Ok(Value::Table(std::sync::Arc::new(Table { names, cols: cols.into_iter().map(fill).collect() })))
}

/// `count x`.
pub fn count(x: &Value) -> Value {
    Value::long(x.count() as i64)
}

/// `fills` on a general list and `^` on lists of them share this: the last item that is not an empty list.
pub fn is_empty_list(x: &Value) -> bool {
    !x.is_atom() && x.count() == 0
}

/// The bytes of a char atom or string.
pub fn bytes(x: &Value) -> Option<Vec<u8>> {
    match x {
        Value::Atom(a) if a.kind == Kind::Char => match a.raw {
            Raw::B(b) => Some(vec![b]),
            _ => None,
        },
        Value::List(l) if l.is_empty() => Some(vec![]),
        _ => x.as_chars().map(<[u8]>::to_vec),
    }
}

/// A boolean vector.
pub fn flags(x: impl IntoIterator<Item = bool>) -> Value {
    Value::vector(Kind::Bool, x.into_iter().map(|b| b as u8).collect::<Buf<u8>>())
}
