//! `vs` and `sv`: texts split and joined, symbols and paths, digits in a base, bytes and bits of numbers.

use super::dollar::strings;
use super::item::{self, collect, items};
use super::{Interp, list};
use crate::error::{Error, Result, length_error, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Atom, Data, Guid, Raw, Value};

/// `x vs y`.
pub fn vs(_q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    if x.as_sym().is_some_and(|s| s.is_null()) {
        return match y {
            Value::Atom(a) if a.kind == Kind::Sym => Ok(split_name(y.as_sym().unwrap_or_default())),
            Value::Vec(v) if v.kind == Kind::Sym => {
                Ok(Value::list(items(y).iter().map(|s| split_name(s.as_sym().unwrap_or_default())).collect()))
            }
            _ => match list::bytes(&as_text_if_bytes(y)) {
                Some(text) => Ok(lines(&text)),
                None => type_error(),
            },
        };
    }
    match x {
        Value::Atom(a) if a.kind == Kind::Char => {
            split(&list::bytes(x).unwrap_or_default(), &as_text_if_bytes(y))
        }
        Value::Vec(v) if v.kind == Kind::Char => {
            split(x.as_chars().unwrap_or_default(), &as_text_if_bytes(y))
        }
        // Bytes are split as texts are.
        Value::Atom(Atom { kind: Kind::Byte, raw: Raw::B(by), .. }) if y.type_code() == 4 => {
            as_bytes(split(&[*by], &as_text(y))?)
        }
        Value::Vec(v) if v.kind == Kind::Byte && y.type_code() == 4 => {
            as_bytes(split(v.elems::<u8>().map(|b| &b[..]).unwrap_or_default(), &as_text(y))?)
        }
        Value::Atom(Atom { kind: Kind::Byte, .. }) => {
            each_number(y, &|y| Ok(Value::vector(Kind::Byte, number_bytes(y)?)))
        }
        Value::Atom(Atom { kind: Kind::Bool, .. }) => each_number(y, &|y| {
            let bits = number_bytes(y)?.into_iter().flat_map(|b| (0..8).rev().map(move |i| b >> i & 1 == 1));
            Ok(list::flags(bits))
        }),
        Value::Atom(_) => {
            let Some(base) = x.as_long().filter(|b| *b > 1) else { return type_error() };
            digits(base, y)
        }
        Value::Vec(_) => {
            let Some(bases) = item::positions(x) else { return type_error() };
            mixed(&bases, y)
        }
        _ => type_error(),
    }
}

fn as_text_if_bytes(y: &Value) -> Value {
    if y.type_code() == 4 { as_text(y) } else { y.clone() }
}

/// Bytes as a text.
fn as_text(y: &Value) -> Value {
    match y {
        Value::Vec(v) => Value::vector(Kind::Char, v.elems::<u8>().cloned().unwrap_or_default()),
        _ => y.clone(),
    }
}

/// A text, or a list of texts, as bytes.
fn as_bytes(y: Value) -> Result<Value> {
    match y {
        Value::Vec(v) => Ok(Value::vector(Kind::Byte, v.elems::<u8>().cloned().unwrap_or_default())),
        Value::List(l) => Ok(Value::list(l.iter().map(|y| as_bytes(y.clone())).collect::<Result<_>>()?)),
        _ => type_error(),
    }
}

fn split(by: &[u8], y: &Value) -> Result<Value> {
    if let Value::List(l) = y
        && !l.is_empty()
    {
        return Ok(Value::list(l.iter().map(|y| split(by, y)).collect::<Result<_>>()?));
    }
    let Some(text) = list::bytes(y) else { return type_error() };
    if by.is_empty() {
        return length_error();
    }
    let mut out = vec![];
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with(by) {
            out.push(Value::chars(&text[from..at]));
            at += by.len();
            from = at;
        } else {
            at += 1;
        }
    }
    out.push(Value::chars(&text[from..]));
    Ok(Value::list(out))
}

/// A text's lines, which end in `\n` or `\r\n`.
pub fn lines(text: &[u8]) -> Value {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let line = |l: &[u8]| Value::chars(l.strip_suffix(b"\r").unwrap_or(l));
    if text.is_empty() {
        Value::list(vec![])
    } else {
        Value::list(text.split(|b| *b == b'\n').map(line).collect())
    }
}

/// `` `a.b.c `` at its dots; a file handle into folder and file.
fn split_name(name: Sym) -> Value {
    let text = name.text();
    if text.starts_with(':') {
        return match text.rsplit_once('/') {
            Some((folder, file)) => Value::syms([Sym::new(folder), Sym::new(file)]),
            None => Value::syms([name]),
        };
    }
    Value::syms(text.split('.').map(Sym::new))
}

/// The big-endian bytes of a number.
fn number_bytes(x: &Value) -> Result<Vec<u8>> {
    let Value::Atom(a) = x else { return type_error() };
    Ok(match a.raw {
        Raw::B(x) => vec![x],
        Raw::G(Guid(g)) => g.to_vec(),
        Raw::H(x) => x.to_be_bytes().to_vec(),
        Raw::I(x) => x.to_be_bytes().to_vec(),
        Raw::J(x) => x.to_be_bytes().to_vec(),
        Raw::E(x) => x.to_be_bytes().to_vec(),
        Raw::F(x) => x.to_be_bytes().to_vec(),
        Raw::S(_) => return type_error(),
    })
}

fn each_number(y: &Value, f: &dyn Fn(&Value) -> Result<Value>) -> Result<Value> {
    match y {
        Value::Atom(_) => f(y),
        Value::Fun(_) | Value::Dict(_) | Value::Table(_) => type_error(),
        _ => Ok(Value::list(items(y).iter().map(|y| each_number(y, f)).collect::<Result<_>>()?)),
    }
}

/// Digits of one number, or a row a digit for several.
fn digits(base: i64, y: &Value) -> Result<Value> {
    if let Value::List(l) = y
        && !l.is_empty()
    {
        return nested_digits(base, l);
    }
    let Some(all) = longs(y) else { return type_error() };
    let mut units = vec![1i64];
    let mut rest = all.iter().copied().max().unwrap_or(0).max(0) / base;
    while rest > 0 {
        units.push(units[units.len() - 1].wrapping_mul(base));
        rest /= base;
    }
    let digit = |v: i64, unit: i64| if v == i64::MIN { v } else { v.div_euclid(unit).rem_euclid(base) };
    let rows: Vec<Value> =
        units.iter().rev().map(|&unit| Value::longs(all.iter().map(|&v| digit(v, unit)))).collect();
    Ok(if y.is_atom() { collect(rows.iter().map(|r| item::item(r, 0)).collect()) } else { Value::list(rows) })
}

/// The digits of each item, from the left with zeros, so that all have as many; then digit by digit, each in
/// the items' shapes.
fn nested_digits(base: i64, items: &[Value]) -> Result<Value> {
    let each = items.iter().map(|y| digits(base, y)).collect::<Result<Vec<_>>>()?;
    let width = each.iter().map(Value::count).max().unwrap_or(0);
    let digit = |i: usize, (x, y): (&Value, &Value)| match (i + x.count()).checked_sub(width) {
        Some(at) => Ok(item::item(x, at)),
        None => super::map::map2(crate::fun::Prim::Mul, &Value::long(0), y),
    };
    let row = |i| Ok(collect(each.iter().zip(items).map(|x| digit(i, x)).collect::<Result<_>>()?));
    Ok(Value::list((0..width).map(row).collect::<Result<_>>()?))
}

/// Digits in mixed bases: the first base does not bound its digit.
fn mixed(bases: &[i64], y: &Value) -> Result<Value> {
    let Some(all) = longs(y) else { return type_error() };
    let mut rest: Vec<i64> = all;
    let mut rows = vec![];
    for (k, &base) in bases.iter().enumerate().rev() {
        let bounded = k > 0 && base != 0;
        let split = |v: &i64| match *v {
            i64::MIN => (i64::MIN, i64::MIN),
            v if bounded => (v.div_euclid(base), v.rem_euclid(base)),
            v if base != 0 => (0, v.rem_euclid(base)),
            v => (0, v),
        };
        let (next, digit): (Vec<i64>, Vec<i64>) = rest.iter().map(split).unzip();
        rows.push(Value::longs(digit));
        rest = next;
    }
    rows.reverse();
    Ok(if y.is_atom() { collect(rows.iter().map(|r| item::item(r, 0)).collect()) } else { Value::list(rows) })
}

/// Whole numbers of any integer or temporal kind.
fn longs(y: &Value) -> Option<Vec<i64>> {
    match super::sets::listed(y) {
        Value::Vec(v) => match &v.data {
            Data::H(b) => Some(b.iter().map(|&x| x as i64).collect()),
            Data::I(b) => Some(b.iter().map(|&x| x as i64).collect()),
            Data::J(b) => Some(b.to_vec()),
            Data::B(b) if v.kind == Kind::Byte => Some(b.iter().map(|&x| x as i64).collect()),
            _ => None,
        },
        _ => None,
    }
}

/// `x sv y`.
pub fn sv(x: &Value, y: &Value) -> Result<Value> {
    if x.as_sym().is_some_and(|s| s.is_null()) {
        if let Some(syms) = super::dict::sym_keys(y).filter(|_| matches!(y, Value::Vec(_))) {
            return Ok(Value::sym(join_names(&syms)));
        }
        let Some(lines) = strings(y) else { return type_error() };
        return Ok(Value::chars(
            &lines.into_iter().flat_map(|l| [l, b"\n".to_vec()].concat()).collect::<Vec<u8>>(),
        ));
    }
    match x {
        Value::Atom(a) if a.kind == Kind::Char => joined(&list::bytes(x).unwrap_or_default(), y),
        Value::Vec(v) if v.kind == Kind::Char => joined(x.as_chars().unwrap_or_default(), y),
        // Texts of bytes are joined by bytes.
        Value::Atom(Atom { kind: Kind::Byte, raw: Raw::B(by), .. }) if is_byte_texts(y) => {
            as_bytes(joined(&[*by], &bytes_texts(y))?)
        }
        Value::Vec(v) if v.kind == Kind::Byte && is_byte_texts(y) => {
            as_bytes(joined(v.elems::<u8>().map(|b| &b[..]).unwrap_or_default(), &bytes_texts(y))?)
        }
        Value::Atom(Atom { kind: Kind::Byte, .. }) => match y {
            Value::Vec(v) if v.kind == Kind::Byte => {
                from_bytes(v.elems::<u8>().map(|b| &b[..]).unwrap_or_default())
            }
            Value::List(l) => Ok(collect(l.iter().map(|y| sv(x, y)).collect::<Result<_>>()?)),
            _ => type_error(),
        },
        Value::Atom(Atom { kind: Kind::Bool, .. }) => match y {
            Value::Vec(v) if v.kind == Kind::Bool => {
                let bits = v.elems::<u8>().map(|b| &b[..]).unwrap_or_default();
                if bits.is_empty() || bits.len() % 8 != 0 {
                    return length_error();
                }
                let bytes: Vec<u8> = bits.chunks(8).map(|c| c.iter().fold(0, |b, x| b << 1 | x)).collect();
                from_bytes(&bytes)
            }
            Value::List(l) => Ok(collect(l.iter().map(|y| sv(x, y)).collect::<Result<_>>()?)),
            _ => type_error(),
        },
        Value::Atom(_) | Value::Vec(_) => {
            let Some(mut bases) = longs(x) else { return type_error() };
            if x.is_atom() {
                bases = vec![bases[0]; y.count()];
            }
            if bases.len() != y.count() {
                return length_error();
            }
            // Horner's rule over rows, so that a list of lists gives a list.
            let add = |sum: Value, k: usize| -> Result<Value> {
                let scaled = super::map::map2(crate::Prim::Mul, &sum, &Value::long(bases[k]))?;
                super::map::map2(crate::Prim::Add, &scaled, &item::item(y, k))
            };
            (0..y.count()).try_fold(Value::long(0), add)
        }
        _ => type_error(),
    }
}

fn is_byte_texts(y: &Value) -> bool {
    matches!(y, Value::List(l) if !l.is_empty() && l.iter().all(|t| t.type_code() == 4))
}

fn bytes_texts(y: &Value) -> Value {
    Value::list(items(y).iter().map(as_text).collect())
}

/// Symbols joined with dots; behind a file handle, with slashes.
fn join_names(syms: &[Sym]) -> Sym {
    let by = if syms.first().is_some_and(|s| s.text().starts_with(':')) { "/" } else { "." };
    Sym::new(&syms.iter().map(|s| s.text()).collect::<Vec<_>>().join(by))
}

fn joined(by: &[u8], y: &Value) -> Result<Value> {
    match strings(y) {
        Some(parts) => Ok(Value::chars(&parts.join(by))),
        None => type_error(),
    }
}

/// A number from its big-endian bytes: short, int, long, guid by their count.
fn from_bytes(b: &[u8]) -> Result<Value> {
    Ok(match b.len() {
        1 => Value::atom(Kind::Byte, b[0]),
        2 => Value::atom(Kind::Short, b.iter().fold(0i16, |n, &b| n << 8 | b as i16)),
        4 => Value::int(b.iter().fold(0i32, |n, &b| n << 8 | b as i32)),
        8 => Value::long(b.iter().fold(0i64, |n, &b| n << 8 | b as i64)),
        16 => Value::atom(Kind::Guid, Guid(b.try_into().map_err(|_| Error::new("length"))?)),
        _ => return length_error(),
    })
}
