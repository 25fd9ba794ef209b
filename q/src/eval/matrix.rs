//! Matrices of floats: products, inverses and least squares.

use crate::error::{Result, domain_error, length_error, type_error};
use crate::kind::Kind;
use crate::value::Value;

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

/// True if `x$y` is a matrix product.
pub fn is_product(x: &Value, y: &Value) -> bool {
    let floats = |x: &Value| matches!(x, Value::Vec(v) if v.kind == Kind::Float);
    let rows = |x: &Value| match x {
        Value::List(l) => !l.is_empty() && l.iter().all(|r| floats(r) && r.count() == l[0].count()),
        _ => floats(x),
    };
    rows(x) && rows(y)
}

/// The matrix product; a vector is a row on the left and a column on the right.
pub fn product(x: &Value, y: &Value) -> Result<Value> {
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

/// Solves `a` times x = `b` for square `a` by LU decomposition with row exchanges: the rows below are eliminated,
/// then the unknowns found from the last up. The order of the operations decides the last bits.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<Vec<f64>>) -> Result<Vec<Vec<f64>>> {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).rev().max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        if a[pivot][k] == 0.0 {
            return domain_error();
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            take_times(&mut a, i, k, f);
            take_times(&mut b, i, k, f);
        }
    }
    for k in (0..n).rev() {
        let pivot = a[k][k];
        b[k].iter_mut().for_each(|x| *x /= pivot);
        (0..k).for_each(|i| take_times(&mut b, i, k, a[i][k]));
    }
    Ok(b)
}

/// Takes `f` times row `k` from row `i`.
fn take_times(rows: &mut [Vec<f64>], i: usize, k: usize, f: f64) {
    let from = rows[k].clone();
    rows[i].iter_mut().zip(&from).for_each(|(x, y)| *x -= f * y);
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
    // The normal equations: r (y yT) = x yT, a row of r at a time.
    let gram = floats(&product(y, &turned)?).unwrap_or_default();
    let rows = floats(&product(x, &turned)?).unwrap_or_default();
    let root = cholesky(gram)?;
    Ok(matrix(rows.into_iter().map(|row| substitute(&root, row)).collect()))
}

/// The lower triangle L of a symmetric positive matrix that is L times its transpose; else `'domain`.
fn cholesky(mut a: Vec<Vec<f64>>) -> Result<Vec<Vec<f64>>> {
    for j in 0..a.len() {
        let square = (0..j).fold(a[j][j], |s, k| s - a[j][k] * a[j][k]);
        if square <= 0.0 {
            return domain_error();
        }
        let root = square.sqrt();
        a[j][j] = root;
        for i in j + 1..a.len() {
            a[i][j] = (0..j).fold(a[i][j], |s, k| s - a[i][k] * a[j][k]) / root;
        }
    }
    Ok(a)
}

/// The x that L times its transpose makes `y`. What is known of a row is taken away product by product on the way
/// down and as one sum on the way up: so the last bits are q's.
fn substitute(l: &[Vec<f64>], mut y: Vec<f64>) -> Vec<f64> {
    for i in 0..y.len() {
        y[i] = (0..i).fold(y[i], |s, k| s - l[i][k] * y[k]) / l[i][i];
    }
    for i in (0..y.len()).rev() {
        let known = (i + 1..y.len()).fold(0.0, |s, k| s + l[k][i] * y[k]);
        y[i] = (y[i] - known) / l[i][i];
    }
    y
}
