//! `$` with two arguments: cast and Tok, pad, enumerate, matrix product; and the inverse and solution of
//! float matrices.

use super::cast::Target;
use super::item::{self, items};
use super::{Interp, cast, enums, list};
use crate::error::{Result, domain_error, length_error, type_error};
use crate::kind::Kind;
use crate::value::Value;

/// `x$y`.
pub fn dollar(q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    if let (Some(_), Some(_)) = (floats(x), floats(y)) {
        return product(x, y);
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

/// A float vector as one row, or a list of float vectors of one count as rows.
fn floats(x: &Value) -> Option<Vec<Vec<f64>>> {
    match x {
        Value::Vec(v) if v.kind == Kind::Float => Some(vec![v.elems::<f64>()?.to_vec()]),
        Value::List(l) if !l.is_empty() => {
            let rows: Option<Vec<Vec<f64>>> = l
                .iter()
                .map(|r| match r {
                    Value::Vec(v) if v.kind == Kind::Float => Some(v.elems::<f64>()?.to_vec()),
                    _ => None,
                })
                .collect();
            rows.filter(|r| r.iter().all(|x| x.len() == r[0].len()))
        }
        _ => None,
    }
}

fn matrix(rows: Vec<Vec<f64>>) -> Value {
    Value::list(rows.into_iter().map(Value::floats).collect())
}

/// The matrix product; a vector is a row on the left and a column on the right.
fn product(x: &Value, y: &Value) -> Result<Value> {
    let (Some(a), Some(b)) = (floats(x), floats(y)) else { return type_error() };
    let column = matches!(y, Value::Vec(_));
    let b: Vec<Vec<f64>> = if column { b[0].iter().map(|&v| vec![v]).collect() } else { b };
    if a[0].len() != b.len() {
        return length_error();
    }
    let width = b.first().map_or(1, Vec::len);
    let cell = |row: &[f64], j: usize| row.iter().zip(&b).map(|(x, r)| x * r[j]).fold(0.0, |s, v| s + v);
    let out: Vec<Vec<f64>> = a.iter().map(|row| (0..width).map(|j| cell(row, j)).collect()).collect();
    Ok(match (matches!(x, Value::Vec(_)), column) {
        (true, true) => Value::float(out[0][0]),
        (true, false) => Value::floats(out[0].clone()),
        (false, true) => Value::floats(out.iter().map(|r| r[0])),
        (false, false) => matrix(out),
    })
}

/// Solves `a` times x = `b` for square `a` by elimination with row exchanges.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<Vec<f64>>) -> Result<Vec<Vec<f64>>> {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        if a[pivot][k] == 0.0 {
            return domain_error();
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in 0..n {
            if i == k {
                continue;
            }
            let f = a[i][k] / a[k][k];
            let (ak, bk) = (a[k].clone(), b[k].clone());
            a[i].iter_mut().zip(&ak).for_each(|(x, y)| *x -= f * y);
            b[i].iter_mut().zip(&bk).for_each(|(x, y)| *x -= f * y);
        }
    }
    for (row, pivots) in b.iter_mut().zip(a.iter().enumerate().map(|(k, r)| r[k])) {
        row.iter_mut().for_each(|x| *x /= pivots);
    }
    Ok(b)
}

/// `inv x`.
pub fn inverse(x: &Value) -> Result<Value> {
    let Some(a) = floats(x) else { return type_error() };
    if a.len() != a[0].len() {
        return length_error();
    }
    let n = a.len();
    let unit = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    Ok(matrix(eliminate(a, unit)?))
}

/// `x lsq y`: the least-squares solution `r` of `r mmu y` = `x`.
pub fn solve(x: &Value, y: &Value) -> Result<Value> {
    let (Some(_), Some(_)) = (floats(x), floats(y)) else { return type_error() };
    let turned = super::list::flip(y)?;
    // Normal equations, transposed: (y yT) rT = y xT.
    let gram = floats(&product(y, &turned)?).unwrap_or_default();
    let right = floats(&product(y, &super::list::flip(x)?)?).unwrap_or_default();
    super::list::flip(&matrix(eliminate(gram, right)?))
}

/// Every item of a list as bytes.
pub fn strings(x: &Value) -> Option<Vec<Vec<u8>>> {
    items(x).iter().map(list::bytes).collect()
}
