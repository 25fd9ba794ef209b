//! `--table NAME=SCHEMA|FILE`: the tables that `qfuse plan` compiles against. A schema makes an empty table;
//! a file is a CSV with a header, whose types are guessed from its first lines, or a q script.

use q::value::Vector;
use q::{Interp, Kind, Sym, Value};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Lines of a CSV file that the types are guessed from.
const SAMPLE: usize = 1000;

/// Defines the global that `spec` describes.
pub fn define(q: &mut Interp, spec: &str) -> Result<(), String> {
    let (name, what) =
        spec.split_once('=').ok_or_else(|| format!("--table {spec}: NAME=SCHEMA or NAME=FILE"))?;
    let path = Path::new(what);
    let is = |ext: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ext));
    let table = if is("q") {
        return script(q, name, what);
    } else if is("csv") {
        empty(&header(path)?)?
    } else {
        empty(&schema(what)?)?
    };
    q.set_global(Sym::new(name), table).map_err(|e| e.to_string())
}

/// Runs a script and sees that it defined the table.
fn script(q: &mut Interp, name: &str, path: &str) -> Result<(), String> {
    q.load_file(path).map_err(|e| q::show::error(&e).trim_end().to_string())?;
    match q.global(Sym::new(name)) {
        Some(_) => Ok(()),
        None => Err(format!("{path} defines no table {name}")),
    }
}

/// `name:type` by commas: q's type names or letters.
fn schema(text: &str) -> Result<Vec<(Sym, Kind)>, String> {
    let column = |part: &str| {
        let (name, ty) = part.split_once(':').ok_or_else(|| format!("{part}: a column is NAME:TYPE"))?;
        let ty = ty.trim();
        let letter = |t: &str| {
            let mut letters = t.chars();
            letters.next().filter(|_| letters.next().is_none()).and_then(Kind::from_letter)
        };
        let kind = Kind::from_name(ty).or_else(|| letter(ty)).filter(|k| *k != Kind::Enum);
        kind.map(|k| (Sym::new(name.trim()), k)).ok_or_else(|| format!("{part}: q has no type {ty}"))
    };
    text.split(',').map(column).collect()
}

/// A table of these columns without rows.
fn empty(columns: &[(Sym, Kind)]) -> Result<Value, String> {
    let (names, cols) = columns.iter().map(|&(name, kind)| (name, Value::Vec(Vector::empty(kind)))).unzip();
    Ok(Value::table(names, cols))
}

/// The columns of a CSV file and the narrowest type that its first lines fit.
fn header(path: &Path) -> Result<Vec<(Sym, Kind)>, String> {
    let say = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut lines = BufReader::new(std::fs::File::open(path).map_err(say)?).lines();
    let head = lines.next().ok_or_else(|| format!("{}: no header", path.display()))?.map_err(say)?;
    let names: Vec<&str> = head.split(',').map(|n| n.trim().trim_matches('"')).collect();
    let mut seen: Vec<Vec<String>> = vec![vec![]; names.len()];
    for line in lines.take(SAMPLE) {
        for (column, field) in seen.iter_mut().zip(line.map_err(say)?.split(',')) {
            column.push(field.trim().to_string());
        }
    }
    Ok(names.into_iter().zip(&seen).map(|(n, fields)| (Sym::new(n), guess(fields))).collect())
}

/// The type of a column of text fields, by its form; empty fields fit every type.
fn guess(fields: &[String]) -> Kind {
    let shape = |f: &str| f.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect::<String>();
    let all = |test: &dyn Fn(&str) -> bool| fields.iter().filter(|f| !f.is_empty()).all(|f| test(f));
    let date = |f: &str| matches!(shape(f).as_str(), "9999.99.99" | "9999-99-99" | "9999/99/99");
    let time = |f: &str| shape(f).starts_with("99:99:99");
    if fields.iter().all(String::is_empty) {
        Kind::Sym
    } else if all(&|f| f.parse::<i64>().is_ok()) {
        Kind::Long
    } else if all(&|f| f.parse::<f64>().is_ok()) {
        Kind::Float
    } else if all(&date) {
        Kind::Date
    } else if all(&|f| f.get(..10).is_some_and(date) && f.get(11..).is_some_and(time)) {
        Kind::Timestamp
    } else if all(&|f| shape(f) == "99:99") {
        Kind::Minute
    } else if all(&|f| shape(f) == "99:99:99") {
        Kind::Second
    } else if all(&|f| shape(f) == "99:99:99.999") {
        Kind::Time
    } else if all(&time) {
        Kind::Timespan
    } else {
        Kind::Sym
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_name_types_in_full_or_by_letter() {
        let columns = schema("sym:symbol, price:f,t:timestamp").expect("the schema is right");
        assert_eq!(
            columns.iter().map(|c| c.1).collect::<Vec<_>>(),
            [Kind::Sym, Kind::Float, Kind::Timestamp]
        );
        assert!(schema("sym").is_err_and(|e| e.contains("NAME:TYPE")));
        assert!(schema("sym:text").is_err_and(|e| e.contains("no type text")));
    }

    #[test]
    fn guesses_take_the_narrowest_type_that_fits() {
        let of = |fields: &[&str]| guess(&fields.iter().map(|f| f.to_string()).collect::<Vec<_>>());
        assert_eq!(of(&["1", "", "-2"]), Kind::Long);
        assert_eq!(of(&["1", "2.5"]), Kind::Float);
        assert_eq!(of(&["2024.01.02"]), Kind::Date);
        assert_eq!(of(&["2024-01-02T09:30:00.123456789"]), Kind::Timestamp);
        assert_eq!(of(&["09:30"]), Kind::Minute);
        assert_eq!(of(&["09:30:00.000"]), Kind::Time);
        assert_eq!(of(&["AAPL", "1"]), Kind::Sym);
    }
}
