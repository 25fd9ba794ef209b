//! Tables from raw column files: `schema.json` names tables, columns and types; each column is a file of
//! little-endian elements, each symbol domain a text file with a name a line.

use q::value::{Attr, Elem};
use q::{Buf, Kind, Sym, Value};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// `schema.json`.
#[derive(Deserialize)]
pub struct Schema {
    tables: HashMap<String, TableDef>,
    domains: HashMap<String, DomainDef>,
}

#[derive(Deserialize)]
struct TableDef {
    rows: usize,
    #[serde(default)]
    key: Vec<String>,
    /// The attribute's letter of each column that has one.
    #[serde(default)]
    attr: HashMap<String, String>,
    columns: Vec<ColumnDef>,
}

#[derive(Deserialize)]
struct ColumnDef {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    /// q's type letter, where the type leaves a choice.
    q: Option<String>,
    domain: Option<String>,
}

#[derive(Deserialize)]
struct DomainDef {
    file: String,
}

/// Reads `schema.json` in `data`.
pub fn schema(data: &Path) -> io::Result<Schema> {
    Ok(serde_json::from_reader(io::BufReader::new(open(&data.join("schema.json"))?))?)
}

/// The table `name` of `data`; keyed if the schema says so.
pub fn load(data: &Path, schema: &Schema, name: &str) -> io::Result<Value> {
    let def = schema.tables.get(name).ok_or_else(|| bad(format!("schema.json has no table {name}")))?;
    let names = def.columns.iter().map(|c| Sym::new(&c.name));
    let cols = def.columns.iter().map(|c| {
        let file = data.join(name).join(format!("{}.bin", c.name));
        let mut column = column(data, schema, c, &file, def.rows)?;
        if let (Value::Vec(v), Some(attr)) = (&mut column, def.attr.get(&c.name)) {
            let letter = |a: &Attr| a.letter() == attr;
            let all = [Attr::Sorted, Attr::Unique, Attr::Parted, Attr::Grouped];
            v.attr = all.into_iter().find(letter).ok_or_else(|| bad(format!("q has no attribute {attr}")))?;
        }
        Ok(column)
    });
    let all = names.zip(cols.collect::<io::Result<Vec<_>>>()?);
    let is_key = |n: Sym| def.key.iter().any(|k| k == n.text());
    let (keys, vals): (Vec<_>, Vec<_>) = all.partition(|(n, _)| is_key(*n));
    let table = |part: Vec<(Sym, Value)>| {
        let (names, cols) = part.into_iter().unzip();
        Value::table(names, cols)
    };
    if keys.is_empty() { Ok(table(vals)) } else { Ok(Value::dict(table(keys), table(vals))) }
}

fn column(data: &Path, schema: &Schema, def: &ColumnDef, file: &Path, rows: usize) -> io::Result<Value> {
    match def.ty.as_str() {
        "sym" => {
            let domain = def.domain.as_ref().and_then(|d| schema.domains.get(d));
            let domain = domain.ok_or_else(|| bad(format!("column {} has no domain", def.name)))?;
            let syms: Vec<Sym> = read_text(&data.join(&domain.file))?.lines().map(Sym::new).collect();
            let codes = read::<i32>(file, rows)?;
            let find = |&c: &i32| usize::try_from(c).ok().and_then(|c| syms.get(c)).copied();
            let named: Option<Vec<Sym>> = codes.iter().map(find).collect();
            let named = named
                .ok_or_else(|| bad(format!("{}: a code has no name in {}", file.display(), domain.file)))?;
            Ok(match def.q.as_deref() {
                Some("C") => Value::list(named.iter().map(|s| Value::chars(&s.bytes())).collect()),
                _ => Value::vector(Kind::Sym, Buf::from(named)),
            })
        }
        "timestamp" => Ok(Value::vector(Kind::Timestamp, read::<i64>(file, rows)?)),
        "timespan" => Ok(Value::vector(Kind::Timespan, read::<i64>(file, rows)?)),
        "date" => Ok(Value::vector(Kind::Date, read::<i32>(file, rows)?)),
        "f32" => Ok(Value::vector(Kind::Real, read::<f32>(file, rows)?)),
        "f64" => Ok(Value::vector(Kind::Float, read::<f64>(file, rows)?)),
        "i64" => Ok(Value::vector(Kind::Long, read::<i64>(file, rows)?)),
        "i32" => Ok(Value::vector(Kind::Int, read::<i32>(file, rows)?)),
        "i16" => Ok(Value::vector(Kind::Short, read::<i16>(file, rows)?)),
        "u8" => {
            let kind = if def.q.as_deref() == Some("b") { Kind::Bool } else { Kind::Char };
            Ok(Value::vector(kind, read::<u8>(file, rows)?))
        }
        other => Err(bad(format!("column {} has the unknown type {other}", def.name))),
    }
}

/// All of a file of `rows` elements.
fn read<T: Elem>(path: &Path, rows: usize) -> io::Result<Buf<T>> {
    let mut file = open(path)?;
    let (have, want) = (file.metadata()?.len(), (rows * size_of::<T>()) as u64);
    if have != want {
        return Err(bad(format!("{} has {have} bytes, and {rows} rows take {want}", path.display())));
    }
    let mut buf = Buf::<T>::stale(rows);
    file.read_exact(bytemuck::cast_slice_mut(buf.make_mut()))?;
    Ok(buf)
}

fn open(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))
}

fn read_text(path: &Path) -> io::Result<String> {
    fs::read_to_string(path).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))
}

fn bad(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
