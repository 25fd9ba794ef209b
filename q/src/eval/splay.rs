//! Objects on disk: one in a file, a table as a folder with a file for each column (splayed), enumerations beside
//! their domain.

use super::files::failed;
use super::{Interp, amend, enums};
use crate::error::{Error, Result, nyi, type_error};
use crate::kind::Kind;
use crate::nest::List;
use crate::serial::HEADER;
use crate::sym::Sym;
use crate::table::unkey;
use crate::value::{Value, Vector};
use std::path::Path;

/// The bytes that a file of one object begins with; its serialised form without a message's header follows.
const MAGIC: [u8; 2] = [0xff, 0x01];
/// As [`MAGIC`], of an enumeration: the serialised form is that of its domain's name and its indices.
const ENUM_MAGIC: [u8; 2] = [0xff, 0x14];
/// The file that names a splayed table's columns.
const COLUMNS: &str = ".d";

/// `get` of a file or of a splayed table's folder: what [`set`] wrote. An enumeration's domain must be loaded.
pub fn get(q: &Interp, path: &str) -> Result<Value> {
    let folder = Path::new(path);
    if folder.join(COLUMNS).is_file() {
        return table(q, folder);
    }
    let bytes = std::fs::read(path).map_err(|e| failed(path, &e))?;
    if let Some(object) = bytes.strip_prefix(&MAGIC) {
        return crate::serial::object(object);
    }
    match bytes.strip_prefix(&ENUM_MAGIC).map(crate::serial::object).transpose()? {
        Some(Value::List(parts)) => enumeration(q, &parts),
        _ => Err(Error::new(path.to_string()).detail("not a file that set wrote")),
    }
}

fn enumeration(q: &Interp, parts: &List) -> Result<Value> {
    let [name, at, attr] = &parts[..] else { return type_error() };
    let (Some(name), Some(attr)) = (name.as_sym(), attr.as_sym()) else { return type_error() };
    if q.global(name).is_none() {
        return Err(Error::new(name.text()).detail("the domain of an enumeration is not loaded"));
    }
    let all = enums::from_index(q, name, at)?;
    if attr.is_null() { Ok(all) } else { super::sort::set_attr(attr, &all) }
}

fn table(q: &Interp, folder: &Path) -> Result<Value> {
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let names = get(q, &file(COLUMNS))?;
    let Some(names) = super::dict::sym_keys(&names) else { return type_error() };
    let cols = names.iter().map(|n| get(q, &file(n.text()))).collect::<Result<Vec<_>>>()?;
    if cols.iter().any(|c| c.count() != cols[0].count()) {
        return Err(Error::new("length"));
    }
    Ok(Value::table(names.to_vec(), cols))
}

/// `set` of a file: any one object, in q's serialised form; of a name that ends in a slash: a table, splayed.
pub fn set(name: Sym, y: &Value) -> Result<Value> {
    let path = name.text().strip_prefix(':').unwrap_or(name.text());
    match path.strip_suffix('/') {
        Some(folder) => write_table(folder, y)?,
        None => write(path, y)?,
    }
    Ok(Value::sym(name))
}

fn write(path: &str, y: &Value) -> Result<()> {
    let (magic, message) = match y {
        Value::Vec(Vector { kind: Kind::Enum, domain: Some(domain), attr, data, .. }) => {
            let at = Value::Vec(Vector {
                kind: Kind::Long,
                attr: Default::default(),
                data: data.clone(),
                domain: None,
            });
            let parts = vec![Value::sym(domain.name), at, Value::sym(attr.letter())];
            (ENUM_MAGIC, crate::serial::to_bytes(&Value::list(parts))?)
        }
        _ => (MAGIC, crate::serial::to_bytes(y)?),
    };
    let file = [&magic, message.get(HEADER..).unwrap_or_default()].concat();
    if let Some(folder) = Path::new(path).parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| failed(path, &e))?;
    }
    std::fs::write(path, file).map_err(|e| failed(path, &e))
}

/// Columns of symbols must be enumerated, as q's `'type` says.
fn write_table(folder: &str, y: &Value) -> Result<()> {
    let Value::Table(t) = y else { return type_error() };
    let plain = |c: &Value| match c {
        Value::Vec(v) => v.kind == Kind::Sym,
        Value::List(l) => {
            l.iter().any(|x| matches!(x, Value::Vec(v) if v.kind == Kind::Sym) || x.as_sym().is_some())
        }
        _ => true,
    };
    if t.cols.iter().any(plain) {
        return Err(Error::new("type").detail("a splayed table's symbols are enumerated, see .Q.en"));
    }
    for (name, col) in t.names.iter().zip(&t.cols) {
        write(&format!("{folder}/{}", name.text()), col)?;
    }
    write(&format!("{folder}/{COLUMNS}"), &Value::syms(t.names.iter().copied()))
}

/// Amend of a file by its handle: `` .[`:file;();,;x] ``; the file is read, changed and written.
pub fn amend(q: &mut Interp, name: Sym, path: &[Value], f: &Value, y: Option<&Value>) -> Result<Value> {
    let file = name.text().strip_prefix(':').unwrap_or(name.text());
    let value = match get(q, file.trim_end_matches('/')) {
        Err(_) if !Path::new(file).exists() && path.is_empty() => Value::list(vec![]),
        value => value?,
    };
    let value = amend::amend_call(q, value, path, f, y)?;
    set(name, &value)
}

/// `` `:file upsert rows``: rows after those of a table on disk, which may not be there yet.
pub fn upsert(q: &mut Interp, name: Sym, rows: &Value) -> Result<Value> {
    let file = name.text().strip_prefix(':').unwrap_or(name.text());
    let path = file.trim_end_matches('/');
    let all = match Path::new(path).exists() {
        false => rows.clone(),
        true => {
            let old = get(q, path)?;
            crate::table::call(q, crate::Prim::Upsert, vec![old, rows.clone()])?
        }
    };
    set(name, &all)
}

/// `` `:folder/name?symbols``: an enumeration over the global `name`, which is loaded from the file, added to, and
/// written back.
pub fn enum_extend(q: &mut Interp, file: Sym, y: &Value) -> Result<Value> {
    let path = file.text().strip_prefix(':').unwrap_or(file.text());
    let name = Sym::new(path.rsplit('/').next().unwrap_or(path));
    if Path::new(path).is_file() {
        let known = get(q, path)?;
        q.set_global(name, known)?;
    }
    let out = enums::extend(q, name, y)?;
    match q.global(name) {
        Some(all) => set(file, &all).map(|_| out),
        None => nyi("an enumeration without a domain"),
    }
}

/// `rsave `:folder/name`: the global table `name` as a splayed table.
pub fn rsave(q: &mut Interp, path: &str) -> Result<Value> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let t = q.global(Sym::new(name)).ok_or_else(|| Error::new(name.to_string()))?;
    if unkey(&t).is_none() {
        return type_error();
    }
    set(Sym::new(&format!(":{path}/")), &t)
}

/// `\l folder`: its scripts are run, and each other file and splayed table in it becomes a global.
pub fn load_folder(q: &mut Interp, path: &str) -> Result<()> {
    std::env::set_current_dir(path).map_err(|e| failed(path, &e))?;
    let names = super::files::key(".");
    let mut names: Vec<Sym> = super::dict::sym_keys(&names).map(|n| n.to_vec()).unwrap_or_default();
    // Domains before what is enumerated over them, scripts last.
    let rank = |n: &Sym| (n.text().ends_with(".q"), Path::new(n.text()).is_dir());
    names.sort_by_key(rank);
    for name in names.into_iter().filter(|n| !n.text().starts_with('.')) {
        let text = name.text();
        match Path::new(text).is_dir() {
            _ if text.ends_with(".q") => q.load_file(text)?,
            true if !Path::new(text).join(COLUMNS).is_file() => {}
            _ => {
                let value = get(q, text)?;
                q.set_global(name, value)?;
            }
        }
    }
    Ok(())
}

/// `` load `:folder/name``, `rload` too: the object becomes the global `name`, which is the result.
pub fn load(q: &mut Interp, path: &str) -> Result<Value> {
    let path = path.trim_end_matches('/');
    let name = Sym::new(path.rsplit('/').next().unwrap_or(path));
    let value = get(q, path)?;
    q.set_global(name, value)?;
    Ok(Value::sym(name))
}
