//! `system` and the console's backslash commands, the environment, modules.

use super::{Interp, list, timer};
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::memory;
use crate::sym::Sym;
use crate::value::{Func, Value};
use std::time::Instant;

/// `system x`: a command without its backslash.
pub fn system(q: &mut Interp, x: &Value) -> Result<Value> {
    let Some(text) = list::bytes(x) else { return type_error() };
    let text: String = text.iter().map(|&b| b as char).collect();
    let (name, rest) = text.split_once([' ', ':']).map_or((text.as_str(), ""), |(n, r)| (n, r.trim()));
    // A comment may follow a setting.
    let rest = if rest.starts_with("/ ") { "" } else { rest.split(" /").next().unwrap_or("").trim_end() };
    match name {
        "t" if rest.is_empty() || rest.parse::<i64>().is_ok() => {
            setting(q, rest, |q| Value::int(timer::period(q)), timer::start)
        }
        "t" if text.starts_with("t ") || text.starts_with("t:") => time(q, &text[1..], false),
        "ts" if text.starts_with("ts ") || text.starts_with("ts:") => time(q, &text[2..], true),
        "P" => setting(
            q,
            rest,
            |q| Value::int(q.settings.precision as i32),
            |q, n| {
                q.settings.precision = u8::try_from(n).ok().filter(|p| *p <= 17).unwrap_or(17);
            },
        ),
        "c" | "C" => console_size(q, rest),
        "S" => setting(
            q,
            rest,
            |q| Value::int(q.random.seed()),
            |q, n| {
                q.random = super::random::Random::new(n as i32);
            },
        ),
        "d" => namespace(q, rest),
        "v" => names(q, rest, |v| !is_function(v)),
        "f" => names(q, rest, is_function),
        "a" => names(q, rest, |v| crate::table::unkey(v).is_some()),
        "b" | "B" => Ok(super::view::views(q)),
        "l" => {
            let path = rest.strip_prefix(':').unwrap_or(rest).to_string();
            match std::path::Path::new(&path).is_dir() {
                true => super::splay::load_folder(q, &path).map(|()| Value::null()),
                false => q.load_file(&path).map(|()| Value::null()),
            }
        }
        "w" if rest == "0" => Ok(Value::longs(symbols())),
        "w" if !rest.is_empty() => bound_memory(rest),
        "w" => Ok(memory()),
        "z" => setting(q, rest, |q| Value::int(q.day_first as i32), |q, n| q.day_first = n != 0),
        "s" => setting(
            q,
            rest,
            |q| Value::int(q.threads as i32),
            |q, n| {
                q.threads = usize::try_from(n).unwrap_or(0);
            },
        ),
        "o" => {
            setting(q, rest, |q| Value::int(q.offset), |q, n| q.offset = i32::try_from(n).unwrap_or(i32::MIN))
        }
        "e" | "g" | "T" | "W" | "p" | "u" | "x" => setting(q, rest, |_| Value::int(0), |_, _| {}),
        "cd" => cd(rest),
        "r" | "1" | "2" | "_" => Ok(Value::null()),
        "\\" => Err(Error::new("exit").detail("0")),
        "" => Ok(Value::null()),
        _ => shell(q, &text),
    }
}

fn setting(
    q: &mut Interp,
    rest: &str,
    get: fn(&Interp) -> Value,
    set: fn(&mut Interp, i64),
) -> Result<Value> {
    if rest.is_empty() {
        return Ok(get(q));
    }
    let n = match rest.trim_end_matches(['i', 'j']) {
        "0N" => i64::MIN,
        n => n.parse().map_err(|_| Error::new("type"))?,
    };
    set(q, n);
    Ok(Value::null())
}

fn console_size(q: &mut Interp, rest: &str) -> Result<Value> {
    let (height, width) = (q.settings.height, q.settings.width);
    if rest.is_empty() {
        return Ok(Value::vector(Kind::Int, vec![height as i32, width as i32]));
    }
    let numbers: Vec<usize> =
        rest.split_whitespace().map(|n| n.parse().map_err(|_| Error::new("type"))).collect::<Result<_>>()?;
    let [height, width] = numbers[..] else { return Err(Error::new("length")) };
    // q keeps both within these bounds.
    q.settings.height = height.clamp(10, 2000);
    q.settings.width = width.clamp(10, 2000);
    Ok(Value::null())
}

/// `\d`: the current namespace, or another.
fn namespace(q: &mut Interp, rest: &str) -> Result<Value> {
    if rest.is_empty() {
        return Ok(Value::sym(Sym::new(&format!(".{}", q.globals.current.text()))));
    }
    let name = rest.strip_prefix('.').ok_or_else(|| Error::new("namespace"))?;
    let name = Sym::new(name);
    if !name.is_null() {
        q.globals.touch(name);
    }
    q.enter(name);
    Ok(Value::null())
}

fn is_function(v: &Value) -> bool {
    matches!(v, Value::Fun(f) if !matches!(f, Func::Virtual(_)))
}

/// Names of the current namespace (or of the one named) whose value passes the test, sorted.
fn names(q: &Interp, rest: &str, test: fn(&Value) -> bool) -> Result<Value> {
    let space = match rest {
        "" => q.globals.current,
        rest => Sym::new(rest.strip_prefix('.').unwrap_or(rest)),
    };
    let mut names: Vec<Sym> =
        q.globals.vars(space).iter().filter(|(_, v)| test(v)).map(|(n, _)| *n).collect();
    names.sort_by_key(|n| n.text());
    Ok(Value::syms(names))
}

/// `\t expr`, `\t:n expr` milliseconds; `\ts` milliseconds and the most bytes of new values.
fn time(q: &mut Interp, rest: &str, space: bool) -> Result<Value> {
    let (n, text) = match rest.strip_prefix(':') {
        Some(rest) => match rest.split_once(' ') {
            Some((n, text)) => (n.parse().map_err(|_| Error::new("type"))?, text),
            None => return Ok(Value::null()),
        },
        None => (1u64, rest),
    };
    let text = super::string::latin(text.trim());
    let start = Instant::now();
    let (done, most) = memory::most(|| (0..n).try_for_each(|_| q.eval_text(&text).map(drop)));
    done?;
    let ms = start.elapsed().as_millis() as i64;
    Ok(if space { Value::longs([ms, most as i64]) } else { Value::long(ms) })
}

/// `\w`: memory in use, the address space, the most in use, the bound (`-w`), mapped, physical.
pub fn memory() -> Value {
    let (used, space) = memory::sizes();
    let bound = memory::limit().unwrap_or(0);
    Value::longs([used, space, memory::peak(), bound, 0, memory::physical()].map(|n| n as i64))
}

/// `\w 0`: how many symbols there are, and the bytes of their texts.
pub fn symbols() -> [i64; 2] {
    let (count, bytes) = Sym::all();
    [count as i64, bytes as i64]
}

/// `\w n`: at most `n` megabytes; the bound that holds, which can only be tightened.
fn bound_memory(rest: &str) -> Result<Value> {
    let n: usize = rest.parse().map_err(|_| Error::new("type"))?;
    let bytes = memory::limit().unwrap_or(usize::MAX).min(n.saturating_mul(1 << 20));
    memory::set_limit(bytes);
    Ok(Value::long((bytes >> 20) as i64))
}

fn cd(rest: &str) -> Result<Value> {
    if rest.is_empty() {
        let here = std::env::current_dir().map_err(|e| super::files::failed(".", &e))?;
        return Ok(Value::chars(here.to_string_lossy().as_bytes()));
    }
    std::env::set_current_dir(rest).map_err(|e| super::files::failed(rest, &e))?;
    Ok(Value::null())
}

/// Any other command goes to the shell; the result is its output's lines.
fn shell(q: &Interp, text: &str) -> Result<Value> {
    if q.globals.frozen {
        return Err(Error::new("sys"));
    }
    let out = std::process::Command::new("sh").arg("-c").arg(text).envs(q.env.iter().cloned()).output();
    let out = out.map_err(|_| Error::new("os"))?;
    if !out.status.success() {
        return Err(Error::new("os").detail(String::from_utf8_lossy(&out.stderr).trim().to_string()));
    }
    Ok(super::vssv::lines(&out.stdout))
}

/// `getenv`.
pub fn getenv(q: &Interp, x: &Value) -> Result<Value> {
    let Some(name) = x.as_sym() else { return type_error() };
    let set = q.env.iter().find(|(n, _)| n == name.text()).map(|(_, value)| value.clone());
    Ok(Value::chars(set.unwrap_or_else(|| std::env::var(name.text()).unwrap_or_default()).as_bytes()))
}

/// `setenv`: for shell commands that this interpreter starts and its own `getenv`.
pub fn setenv(q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    let (Some(name), Some(value)) = (x.as_sym(), list::bytes(y)) else { return type_error() };
    let value = String::from_utf8_lossy(&value).into_owned();
    q.env.retain(|(n, _)| n != name.text());
    q.env.push((name.text().to_string(), value));
    Ok(Value::null())
}

/// `tables x`: the names of the tables in a namespace, sorted.
pub fn tables(q: &Interp, x: &Value) -> Result<Value> {
    let space = match x.as_sym() {
        Some(name) if !name.is_null() => name.text(),
        Some(_) => "",
        None if x.is_null_fn() => "",
        None => return type_error(),
    };
    names(q, space, |v| crate::table::unkey(v).is_some())
}

/// What the first virtual object among `args` says to the verb `name`.
pub fn virtual_verb(name: &str, args: &[Value]) -> Result<Option<Value>> {
    if name.is_empty() {
        return Ok(None);
    }
    let object = args.iter().find_map(|x| match x {
        Value::Fun(Func::Virtual(v)) => Some(v),
        _ => None,
    });
    object.map_or(Ok(None), |v| v.verb(name, args))
}

impl Interp {
    /// Makes `space` (without its dot) the current namespace.
    pub fn enter(&mut self, space: Sym) {
        self.globals.current = space;
        if let Some(frame) = self.frames.last_mut().filter(|f| f.lambda.is_none()) {
            frame.space = space;
        }
        self.frames[0].space = space;
    }
}
