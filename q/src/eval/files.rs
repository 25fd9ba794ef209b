//! Files and handles: reading and writing text and bytes, and what the console's own handles do.

use super::item::{collect, items};
use super::{Interp, dollar, list, vssv};
use crate::error::{Error, Result, nyi, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::Value;
use std::io::Write;

/// Where to start in a file, and how many bytes to read; none to its end.
type Range = (u64, Option<u64>);

/// The path in a file handle `` `:path `` (or in `(handle;offset;length)`), and the range of bytes wanted.
pub fn path(x: &Value) -> Result<(String, Option<Range>)> {
    match x {
        Value::Atom(_) => match x.as_sym().and_then(|s| s.text().strip_prefix(':')) {
            Some(path) => Ok((path.to_string(), None)),
            None => type_error(),
        },
        Value::List(l) => {
            let Some(first @ Value::Atom(_)) = l.first() else { return type_error() };
            let (path, _) = path(first)?;
            let at = |i: usize| l.get(i).and_then(Value::as_long).and_then(|n| u64::try_from(n).ok());
            Ok((path, at(1).map(|from| (from, at(2)))))
        }
        _ => type_error(),
    }
}

/// The bytes of a file, or of the part asked for. A signal names the file as q does.
pub fn read(x: &Value) -> Result<Vec<u8>> {
    let (path, range) = path(x)?;
    let all = std::fs::read(&path).map_err(|e| failed(&path, &e))?;
    Ok(match range {
        None => all,
        Some((from, n)) => {
            let from = (from as usize).min(all.len());
            let to = n.map_or(all.len(), |n| from.saturating_add(n as usize).min(all.len()));
            all[from..to].to_vec()
        }
    })
}

/// q's signal for a failed system call: the path and the system's words.
pub fn failed(path: &str, e: &std::io::Error) -> Error {
    if e.kind() == std::io::ErrorKind::InvalidFilename {
        return Error::new("path too long").detail(e.to_string());
    }
    let words = match e.kind() {
        std::io::ErrorKind::NotFound => "No such file or directory".to_string(),
        std::io::ErrorKind::PermissionDenied => "Permission denied".to_string(),
        _ => e.to_string(),
    };
    Error::new(format!("{path}. OS reports: {words}"))
}

/// `read0`: a file's lines.
pub fn read0(x: &Value) -> Result<Value> {
    if let Value::Atom(_) = x
        && x.as_long() == Some(0)
    {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map_err(|e| failed("stdin", &e))?;
        return Ok(Value::chars(line.trim_end_matches(['\n', '\r']).as_bytes()));
    }
    Ok(vssv::lines(&read(x)?))
}

/// `read1`: a file's bytes.
pub fn read1(x: &Value) -> Result<Value> {
    Ok(Value::vector(Kind::Byte, read(x)?))
}

/// Writes lines of text to a file: `` `:file 0: lines``.
pub fn write_lines(x: &Value, y: &Value) -> Result<Value> {
    let (path, _) = path(x)?;
    let mut text = vec![];
    for line in items(y) {
        match line.as_chars() {
            Some(line) => text.extend_from_slice(line),
            None => text.extend(list::bytes(&line).ok_or_else(|| Error::new("type"))?),
        }
        text.push(b'\n');
    }
    std::fs::write(&path, text).map_err(|e| failed(&path, &e))?;
    Ok(x.clone())
}

/// `hsym`: symbols as file handles.
pub fn hsym(x: &Value) -> Result<Value> {
    match x {
        Value::Atom(_) => match x.as_sym() {
            Some(s) if s.text().starts_with(':') => Ok(x.clone()),
            Some(s) => Ok(Value::sym(Sym::new(&format!(":{}", s.text())))),
            None => type_error(),
        },
        Value::Vec(v) if v.kind == Kind::Sym => {
            Ok(collect(items(x).iter().map(hsym).collect::<Result<_>>()?))
        }
        _ => type_error(),
    }
}

/// `hcount`: a file's size in bytes.
pub fn hcount(x: &Value) -> Result<Value> {
    let (path, _) = path(x)?;
    let size = std::fs::metadata(&path).map_err(|e| failed(&path, &e))?.len();
    Ok(Value::long(size as i64))
}

/// `hdel`: deletes a file or an empty folder.
pub fn delete(x: &Value) -> Result<Value> {
    let (path, _) = path(x)?;
    let folder = std::fs::metadata(&path).is_ok_and(|m| m.is_dir());
    let done = if folder { std::fs::remove_dir(&path) } else { std::fs::remove_file(&path) };
    done.map_err(|e| failed(&path, &e))?;
    Ok(x.clone())
}

/// `key` of a file handle: the file if it exists, a folder's entries in order, else the empty list.
pub fn key(path: &str) -> Value {
    let Ok(meta) = std::fs::metadata(path) else { return Value::list(vec![]) };
    if !meta.is_dir() {
        return Value::sym(Sym::new(&format!(":{path}")));
    }
    let Ok(entries) = std::fs::read_dir(path) else { return Value::list(vec![]) };
    let mut names: Vec<String> =
        entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    Value::syms(names.iter().map(|n| Sym::new(n)))
}

/// Files that are open for writing, by their handles.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<Option<std::fs::File>>);

/// The first handle that is not the program's own.
const FIRST: usize = 3;

impl Files {
    fn slot(&mut self, handle: i64) -> Result<&mut Option<std::fs::File>> {
        let at = usize::try_from(handle).ok().and_then(|h| h.checked_sub(FIRST));
        let slot = at.and_then(|at| self.0.get_mut(at)).filter(|slot| slot.is_some());
        slot.ok_or(Error::new("Bad file descriptor"))
    }
}

/// `` hopen`:file``: a handle that appends what it is applied to. A process has no handle here: `'hop`.
pub fn open(q: &mut Interp, x: &Value) -> Result<Value> {
    let text = match x.as_sym() {
        Some(name) => name.text().to_string(),
        None => match (x.as_long(), x, list::bytes(x)) {
            (None, _, Some(text)) => text.iter().map(|&b| b as char).collect(),
            (Some(_), ..) | (_, Value::List(_), _) => "::".to_string(),
            _ => return type_error(),
        },
    };
    let Some(path) = text.strip_prefix(':') else { return type_error() };
    if path.is_empty() || path.contains(':') {
        return Err(Error::new("hop").detail("only files can be opened, not other processes"));
    }
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    let file = file.map_err(|e| failed(path, &e))?;
    let at = q.files.0.iter().position(Option::is_none).unwrap_or(q.files.0.len());
    q.files.0.resize_with(q.files.0.len().max(at + 1), || None);
    q.files.0[at] = Some(file);
    Ok(Value::int((at + FIRST) as i32))
}

/// A number applied to one argument: 1 and 2 print, and an open file takes text; a negative number adds a newline.
/// 0 evaluates.
pub fn handle(q: &mut Interp, handle: i64, x: Value, whole: &Value) -> Result<Value> {
    q.touch();
    if handle == 0 {
        return super::value::value(q, &x);
    }
    let known = matches!(handle, 1 | 2 | -1 | -2) || q.files.slot(handle.saturating_abs()).is_ok();
    if !known {
        // Only a text (or bytes) would be sent; what else follows a number is no application.
        return match x.type_code() {
            // Nothing to write is written anywhere.
            _ if list::is_empty_list(&x) => Ok(whole.clone()),
            10 | 4 => Err(Error::new("Bad file descriptor")),
            _ => type_error(),
        };
    }
    let lines = match (list::bytes(&x).filter(|_| !matches!(x, Value::List(_))), &x) {
        (Some(text), _) => vec![text],
        (None, Value::Vec(v)) if v.kind == Kind::Byte => {
            vec![v.elems::<u8>().map(|b| b.to_vec()).unwrap_or_default()]
        }
        _ => dollar::strings(&x).ok_or_else(|| Error::new("type"))?,
    };
    for line in lines {
        let text = if handle < 0 { [line, b"\n".to_vec()].concat() } else { line };
        match handle.abs() {
            1 => q.print(&text),
            2 => {
                let _closed_pipe_is_ignored = std::io::stderr().write_all(&text);
            }
            n => {
                let file = q.files.slot(n)?.as_mut().expect("an open handle has a file");
                file.write_all(&text).map_err(|e| failed("handle", &e))?;
            }
        }
    }
    Ok(whole.clone())
}

/// `hclose`.
pub fn close(q: &mut Interp, x: &Value) -> Result<Value> {
    match x.as_long() {
        Some(handle) => {
            *q.files.slot(handle)? = None;
            Ok(Value::null())
        }
        None => type_error(),
    }
}

/// `save `:t.csv` (also txt): writes the global named as the file.
pub fn save(q: &mut Interp, x: &Value) -> Result<Value> {
    let (path, _) = path(&hsym(x)?)?;
    let file = path.rsplit('/').next().unwrap_or(&path);
    let (stem, ext) = file.split_once('.').unwrap_or((file, ""));
    let name = Sym::new(stem);
    let t = q.global(name).ok_or_else(|| Error::new(stem.to_string()))?;
    if ext.is_empty() {
        return super::splay::set(Sym::new(&format!(":{path}")), &t);
    }
    let by = match ext {
        "csv" => b',',
        "txt" => b'\t',
        _ => return nyi("save of this format"),
    };
    let Some(flat) = crate::table::unkey(&t) else { return type_error() };
    let lines = super::csv::prepare(by, &Value::table(flat.names, flat.cols), q)?;
    write_lines(&Value::sym(Sym::new(&format!(":{path}"))), &lines)
}
