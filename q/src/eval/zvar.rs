//! `.z`: the clock, the process, the host.

use super::Interp;
use crate::error::{Result, type_error};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::Value;
use std::time::{SystemTime, UNIX_EPOCH};

const DAY_NS: i64 = 86_400_000_000_000;
/// Days from 1970.01.01 to 2000.01.01.
const EPOCH_DAYS: i64 = 10_957;

/// Nanoseconds since 2000.01.01, universal time.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as i64 - EPOCH_DAYS * DAY_NS
}

/// The full name of the namespace that runs.
fn own(q: &Interp) -> Option<Sym> {
    Some(Sym::new(&format!(".{}", q.frames.last()?.space.text())))
}

/// Nanoseconds since 2000.01.01: universal time for a lower-case name, local time for an upper-case one. No time
/// zones are known here, so local time is what `\o` says.
fn clock(q: &Interp, name: &str) -> i64 {
    now() + if name.starts_with(char::is_uppercase) { ahead(q) } else { 0 }
}

/// Nanoseconds that local time is ahead of universal time.
fn ahead(q: &Interp) -> i64 {
    60_000_000_000
        * match q.offset {
            i32::MIN => 0,
            hours @ -23..=23 => hours as i64 * 60,
            minutes => minutes as i64,
        }
}

/// `ltime x`, the local time of universal timestamps or datetimes, and `gtime x`, the other way.
pub fn shifted(q: &mut Interp, x: &Value, local: bool) -> Result<Value> {
    let by = if local { ahead(q) } else { -ahead(q) };
    let by = match x.type_code().abs() {
        12 => Value::atom(Kind::Timespan, by),
        15 => Value::float(by as f64 / DAY_NS as f64),
        _ => return type_error(),
    };
    super::prim::call(q, Prim::Add, vec![x.clone(), by])
}

/// The value of `.z.NAME`; none if there is no such.
pub fn get(q: &Interp, name: &str) -> Option<Value> {
    let now = || clock(q, name);
    Some(match name {
        "p" | "P" => Value::atom(Kind::Timestamp, now()),
        "n" | "N" => Value::atom(Kind::Timespan, now().rem_euclid(DAY_NS)),
        "d" | "D" => Value::atom(Kind::Date, now().div_euclid(DAY_NS) as i32),
        "t" | "T" => Value::atom(Kind::Time, (now().rem_euclid(DAY_NS) / 1_000_000) as i32),
        "z" | "Z" => Value::atom(Kind::Datetime, (now() / 1_000_000) as f64 / 86_400_000.0),
        "i" => Value::int(std::process::id() as i32),
        "x" => Value::list(q.args.iter().map(|a| Value::chars(a.as_bytes())).collect()),
        "X" => Value::list(std::env::args().map(|a| Value::chars(a.as_bytes())).collect()),
        "o" => Value::sym(if cfg!(target_os = "macos") { "m64" } else { "l64" }),
        "K" => Value::float(4.1),
        "k" => Value::atom(Kind::Date, 9_000),
        "f" => Value::sym(q.script),
        "h" | "u" => Value::sym(Sym::new(
            &std::env::var(if name == "h" { "HOSTNAME" } else { "USER" }).unwrap_or_default(),
        )),
        "a" | "w" => Value::int(0),
        "c" => Value::int(std::thread::available_parallelism().map_or(1, |n| n.get() as i32)),
        "e" => Value::dict(Value::syms([]), Value::list(vec![])),
        "l" => Value::list(vec![]),
        "q" => Value::bool(false),
        "b" => Value::dict(Value::syms([]), Value::list(vec![])),
        "W" => Value::dict(Value::vector::<i32>(Kind::Int, vec![]), Value::list(vec![])),
        // A module's own namespace, by value and by name.
        "m" => q.globals.get(own(q)?, Sym::NULL)?,
        "M" => Value::sym(own(q)?),
        "s" => q.frames.last()?.lambda.clone()?,
        _ => return None,
    })
}
