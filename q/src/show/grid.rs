//! Layouts of several lines: lists, matrices, dictionaries, tables and keyed tables.

use super::{Settings, atom, line};
use crate::kind::Kind;
use crate::value::{Atom, Dict, Table, Value};

/// A block of lines that may stand beside another: a header line or none, and the body.
struct Block {
    head: Option<String>,
    body: Vec<String>,
}

impl Block {
    fn width(&self) -> usize {
        self.body.iter().chain(&self.head).map(|l| chars(l)).max().unwrap_or(0)
    }
}

fn chars(x: &str) -> usize {
    if x.is_ascii() { x.len() } else { x.chars().count() }
}

fn pad(out: &mut String, cell: &str, width: usize) {
    out.push_str(cell);
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(chars(cell))));
}

/// The lines of a general list: one an item, aligned in columns if every item is a list of one count.
pub fn list(items: &[Value], s: &Settings) -> Vec<String> {
    let alone = items.len() == 1 && !is_matrix(items) && !items[0].is_null_fn();
    if items.is_empty() || alone {
        return vec![line::within(&Value::list(items.to_vec()), s, s.columns())];
    }
    rows(items, s, s.lines() + 1)
}

/// The lines of a dictionary or keyed table.
pub fn dict(d: &Dict, s: &Settings) -> Vec<String> {
    let most = s.lines() + 1;
    let (keys, vals) = (side(&d.keys, s, most), side(&d.vals, s, most));
    let (width, rule) = (keys.width(), vals.width());
    let beside = |k: &str, v: &str| {
        let mut out = String::new();
        pad(&mut out, k, width);
        out.push_str("| ");
        out.push_str(v);
        out
    };
    let mut lines = vec![];
    if keys.head.is_some() || vals.head.is_some() {
        lines.push(beside(keys.head.as_deref().unwrap_or(""), vals.head.as_deref().unwrap_or("")));
        lines.push(beside(&"-".repeat(width), &"-".repeat(rule)));
    }
    lines.extend(keys.body.iter().zip(&vals.body).map(|(k, v)| beside(k, v)));
    lines
}

/// The lines of a table: names, a rule, rows.
pub fn table(t: &Table, s: &Settings) -> Vec<String> {
    let block = table_block(t, s, s.lines().saturating_sub(1));
    let rule = "-".repeat(block.width());
    let mut lines = vec![block.head.unwrap_or_default(), rule];
    lines.extend(block.body);
    lines
}

/// One side of a dictionary.
fn side(v: &Value, s: &Settings, most: usize) -> Block {
    match v {
        Value::Table(t) => table_block(t, s, most),
        Value::List(items) => Block { head: None, body: rows(items, s, most) },
        _ => Block { head: None, body: cells(v, s, most) },
    }
}

fn table_block(t: &Table, s: &Settings, most: usize) -> Block {
    let mut columns = vec![];
    let mut width = 0;
    for (name, col) in t.names.iter().zip(&t.cols) {
        let mut column = vec![name.to_string()];
        match col {
            Value::List(items) => column.extend(items.iter().take(most).map(|x| nested(x, s))),
            _ => column.extend(cells(col, s, most)),
        }
        width += 1 + column.iter().map(|c| chars(c)).max().unwrap_or(0);
        columns.push(column);
        // Columns past the console's edge cannot be seen.
        if width > s.columns().saturating_add(1) {
            break;
        }
    }
    let mut lines = side_by_side(&columns).into_iter();
    Block { head: lines.next(), body: lines.collect() }
}

/// A cell of a general column or of a matrix of lists: the one-line form, numbers without the type that a vector shows by itself.
fn nested(x: &Value, s: &Settings) -> String {
    let mut cell = line::within(x, s, s.columns());
    if let Value::Vec(v) = x
        && !v.is_empty()
        && matches!(v.kind, Kind::Short | Kind::Int | Kind::Real | Kind::Float | Kind::Month)
        && cell.ends_with(['h', 'i', 'e', 'f', 'm'])
    {
        cell.pop();
    }
    cell
}

/// Pads the cells of each column to the column's width and joins them with a blank.
fn side_by_side(columns: &[Vec<String>]) -> Vec<String> {
    let n = columns.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = columns.iter().map(|c| c.iter().map(|x| chars(x)).max().unwrap_or(0)).collect();
    let row = |i: usize| {
        let mut out = String::new();
        for (j, (column, &width)) in columns.iter().zip(&widths).enumerate() {
            if j > 0 {
                out.push(' ');
            }
            pad(&mut out, column.get(i).map_or("", |c| c), width);
        }
        out
    };
    (0..n).map(row).collect()
}

/// The first `most` items of `v` as cells: bare where `v` is typed, in one-line form where it is general.
fn cells(v: &Value, s: &Settings, most: usize) -> Vec<String> {
    let n = v.count().min(most);
    match v {
        Value::Vec(v) => (0..n).map(|i| bare(&v.get(i), s)).collect(),
        Value::List(items) => items[..n].iter().map(|x| line::within(x, s, s.columns())).collect(),
        Value::Table(t) => (0..n).map(|i| line::within(&row(t, i), s, s.columns())).collect(),
        Value::Dict(d) => cells(&d.vals, s, most),
        Value::Atom(_) | Value::Fun(_) => vec![line::within(v, s, s.columns())],
    }
}

fn bare(a: &Atom, s: &Settings) -> String {
    let mut out = String::new();
    atom::bare(&mut out, a, s);
    out
}

/// Row `i` of a table as a dictionary.
fn row(t: &Table, i: usize) -> Value {
    let item = |col: &Value| match col {
        Value::Vec(v) => Value::Atom(v.get(i)),
        Value::List(items) => items[i].clone(),
        Value::Table(t) => row(t, i),
        other => other.clone(),
    };
    Value::dict(Value::syms(t.names.iter().copied()), Value::list(t.cols.iter().map(item).collect()))
}

/// Lines for the first `most` items of a list.
fn rows(items: &[Value], s: &Settings, most: usize) -> Vec<String> {
    let shown = &items[..items.len().min(most)];
    if !is_matrix(items) {
        return shown.iter().map(|x| line::within(x, s, s.columns())).collect();
    }
    // A cell and the blank after it take two characters at least, but for a blank null.
    let across = items[0].count().min(s.columns().saturating_add(1));
    let row = |x: &Value| match x {
        Value::List(items) => items[..across].iter().map(|x| nested(x, s)).collect(),
        _ => cells(x, s, across),
    };
    let by_row: Vec<Vec<String>> = shown.iter().map(row).collect();
    let columns: Vec<Vec<String>> =
        (0..across).map(|j| by_row.iter().map(|r| r[j].clone()).collect()).collect();
    side_by_side(&columns)
}

/// True if the items are lists of one count and so line up in columns. Booleans, bytes and chars do not
/// spread out.
fn is_matrix(items: &[Value]) -> bool {
    let tight =
        |x: &Value| matches!(x, Value::Vec(v) if matches!(v.kind, Kind::Bool | Kind::Byte | Kind::Char));
    let lists = || items.iter().all(|x| matches!(x, Value::Vec(_) | Value::List(_)));
    let Some(n) = items.first().map(Value::count) else { return false };
    n > 0 && items.iter().all(|x| x.count() == n) && lists() && !items.iter().all(tight)
}
