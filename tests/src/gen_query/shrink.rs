//! Makes a failing case small, and prints it as a script that can be run as it is.

use super::Case;
use super::table::VARIABLES;
use q::show::{Settings, one_line};
use q::{Sym, Value};
use std::sync::Arc;

/// Attempts at most; each asks both engines.
const ATTEMPTS: usize = 3000;

/// The smallest case that was found to fail as `case` does, by leaving out rows, columns and words.
pub fn least(case: Case, fails: impl Fn(&Case) -> bool) -> Case {
    let mut left = ATTEMPTS;
    let mut fails = |case: &Case| {
        left > 0
            && {
                left -= 1;
                true
            }
            && fails(case)
    };
    let mut case = case;
    let plain = Case { by: None, ..case.clone() };
    if case.by.is_some() && fails(&plain) {
        case = plain;
    }
    loop {
        let size = (case.table.count(), case.query.len());
        case = fewer_rows(case, &mut fails);
        case = fewer_words(case, &mut fails);
        if (case.table.count(), case.query.len()) == size {
            return fewer_columns(case, &mut fails);
        }
    }
}

/// Leaves out ever shorter runs of rows.
fn fewer_rows(mut case: Case, fails: &mut impl FnMut(&Case) -> bool) -> Case {
    let mut run = case.table.count();
    while run > 0 {
        let mut from = 0;
        while from < case.table.count() {
            let keep =
                (0..case.table.count()).filter(|i| !(from..from + run).contains(i)).collect::<Vec<_>>();
            let smaller = Case { table: rows(&case.table, &keep), ..case.clone() };
            match fails(&smaller) {
                true => case = smaller,
                false => from += run,
            }
        }
        run /= 2;
    }
    case
}

/// Leaves out ever shorter runs of the query's tokens, and a bracket with its partner. What is no query any more
/// fails on both engines alike, which is no failure.
fn fewer_words(mut case: Case, fails: &mut impl FnMut(&Case) -> bool) -> Case {
    let mut run = words(&case.query).len() / 2;
    while run > 0 {
        let mut from = 0;
        while let n = words(&case.query).len()
            && from + run <= n
        {
            let ends = [from + run]
                .into_iter()
                .chain((run < 12).then_some(()).into_iter().flat_map(|()| from + run + 1..n));
            let smaller = ends.map(|end| without(&case, from, run, end)).find(&mut *fails);
            match smaller {
                Some(smaller) => case = smaller,
                None => from += 1,
            }
        }
        run = if run > 12 { run / 2 } else { run - 1 };
    }
    case
}

/// The query without `run` words from the word `from` on, and without the word after which `end` words are over, if
/// that is another.
fn without(case: &Case, from: usize, run: usize, end: usize) -> Case {
    let words = words(&case.query);
    let gone = |i: usize| (from..from + run).contains(&i) || (i + 1 == end && i >= from + run);
    let kept: Vec<&str> =
        words.iter().enumerate().filter(|(i, _)| !gone(*i)).map(|(_, w)| w.as_str()).collect();
    Case { query: kept.concat(), ..case.clone() }
}

/// The tokens, each with the blanks that follow it.
fn words(text: &str) -> Vec<String> {
    let source = Arc::new(q::error::Source { text: text.as_bytes().into(), file: None, line: 1 });
    let Ok(tokens) = q::lex::tokens(&source, 0..text.len()) else { return vec![text.to_string()] };
    let ends = tokens.iter().skip(1).map(|t| t.from as usize).chain([text.len()]);
    tokens.iter().zip(ends).map(|(t, end)| text[t.from as usize..end].to_string()).collect()
}

fn fewer_columns(mut case: Case, fails: &mut impl FnMut(&Case) -> bool) -> Case {
    let mut at = 0;
    while let Value::Table(t) = &case.table
        && at < t.names.len()
        && t.names.len() > 1
    {
        let keep = |i: &usize| *i != at;
        let names: Vec<Sym> = (0..t.names.len()).filter(keep).map(|i| t.names[i]).collect();
        let cols: Vec<Value> = (0..t.cols.len()).filter(keep).map(|i| t.cols[i].clone()).collect();
        let smaller = Case { table: Value::table(names, cols), ..case.clone() };
        match fails(&smaller) {
            true => case = smaller,
            false => at += 1,
        }
    }
    case
}

/// The table's rows at `keep`, with the attributes, which hold of fewer rows too.
fn rows(table: &Value, keep: &[usize]) -> Value {
    let Value::Table(t) = table else { return table.clone() };
    let col = |c: &Value| match c {
        Value::Vec(v) => {
            let data =
                q::each_data!(&v.data, d => q::value::Elem::data(keep.iter().map(|&i| d[i]).collect()));
            Value::Vec(q::value::Vector { data, ..v.clone() })
        }
        Value::List(l) => Value::list(keep.iter().map(|&i| l[i].clone()).collect()),
        other => other.clone(),
    };
    Value::table(t.names.clone(), t.cols.iter().map(col).collect())
}

/// The case as a script for the console: the variables that it names, the table, the query.
pub fn script(case: &Case) -> String {
    let settings = Settings { precision: 0, ..Settings::default() }.whole();
    let text = case.text();
    let mut out = String::new();
    for line in VARIABLES {
        let name = line.split(':').next().unwrap_or_default();
        if text.contains(name) || name == "sym" {
            out += &format!("q){line}\n");
        }
    }
    if case.table.count() > 60 {
        return format!("{out}/ T has {} rows\nq){text}", case.table.count());
    }
    let Value::Table(t) = &case.table else { return out };
    let item = |x: &Value| match x {
        // `,x` is how q shows one item, which it does not read.
        x if x.count() == 1 => format!("1#{}", one_line(&twice(x), &settings)),
        x => one_line(x, &settings),
    };
    let cols: Vec<String> =
        t.names.iter().zip(&t.cols).map(|(n, c)| format!("{}:{}", n.text(), item(c))).collect();
    format!("{out}q)T:.gpu.to ([]{})\nq){text}", cols.join(";"))
}

fn twice(x: &Value) -> Value {
    let Value::Table(t) = rows(&Value::table(vec![Sym::new("x")], vec![x.clone()]), &[0, 0]) else {
        return x.clone();
    };
    t.cols[0].clone()
}
