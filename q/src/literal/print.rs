//! Elements as literals that read back to the same bits.

use super::clock;
use crate::calendar::{self, DAY_NS, MILLI_NS};
use crate::kind::Kind;
use crate::value::{Atom, Raw};

/// The literal of an atom with its type's suffix: `2i`, `1.5`, `2f`, `0Wh`, `2024.01m`, `0x2a`, `"a"`.
pub fn atom_text(atom: &Atom) -> String {
    match (atom.kind, atom.raw) {
        (Kind::Bool, Raw::B(x)) => format!("{x}b"),
        (Kind::Byte, Raw::B(x)) => format!("0x{x:02x}"),
        (Kind::Char, Raw::B(x)) => chars_text(&[x]),
        (Kind::Sym, Raw::S(s)) => format!("`{s}"),
        (Kind::Guid, Raw::G(g)) => {
            let hex: Vec<String> = g.0.iter().map(|b| format!("{b:02x}")).collect();
            [&hex[..4], &hex[4..6], &hex[6..8], &hex[8..10], &hex[10..]].map(|part| part.concat()).join("-")
        }
        (kind, raw) => {
            let text = element_text(kind, raw);
            let suffix = suffix(kind, &[&text]);
            text + suffix
        }
    }
}

/// The suffix that makes elements that print as `texts` a literal of `kind`; empty if their look tells.
pub fn suffix(kind: Kind, texts: &[&str]) -> &'static str {
    let special = |t: &str| t.ends_with(['N', 'W', 'n', 'w']);
    let last = texts.last().is_some_and(|t| special(t));
    match kind {
        Kind::Short => "h",
        Kind::Int => "i",
        Kind::Real => "e",
        Kind::Month => "m",
        Kind::Float if texts.iter().any(|t| t.contains(['.', 'e', 'n', 'w'])) => "",
        Kind::Float => "f",
        Kind::Timestamp if last => "p",
        Kind::Date if last => "d",
        Kind::Datetime if last => "z",
        Kind::Timespan if last => "n",
        Kind::Minute if last => "u",
        Kind::Second if last => "v",
        Kind::Time if last => "t",
        _ => "",
    }
}

/// A number or a temporal without its suffix: `2`, `0N`, `1.5`, `2024.01`, `12:30`.
pub fn element_text(kind: Kind, raw: Raw) -> String {
    match raw {
        Raw::H(i16::MIN) | Raw::I(i32::MIN) | Raw::J(i64::MIN) => return "0N".into(),
        Raw::H(i16::MAX) | Raw::I(i32::MAX) | Raw::J(i64::MAX) => return "0W".into(),
        Raw::H(x) if x == -i16::MAX => return "-0W".into(),
        Raw::I(x) if x == -i32::MAX => return "-0W".into(),
        Raw::J(x) if x == -i64::MAX => return "-0W".into(),
        Raw::F(x) if !x.is_finite() => return special(kind, x).into(),
        Raw::E(x) if !x.is_finite() => return special(kind, x as f64).into(),
        _ => {}
    }
    match (kind, raw) {
        (Kind::Month, Raw::I(x)) => {
            let (y, m) = calendar::year_month(x);
            format!("{y:04}.{m:02}")
        }
        (Kind::Date, Raw::I(x)) => date(x as i64),
        (Kind::Timestamp, Raw::J(x)) => {
            format!("{}D{}", date(x.div_euclid(DAY_NS)), time(x.rem_euclid(DAY_NS), 9))
        }
        (Kind::Datetime, Raw::F(x)) => {
            let (day, ms) = day_and_ms(x);
            format!("{}T{}", date(day), time(ms * MILLI_NS, 3))
        }
        (Kind::Timespan, Raw::J(x)) => {
            let (minus, n) = (if x < 0 { "-" } else { "" }, x.unsigned_abs() as i64);
            format!("{minus}{}D{}", n / DAY_NS, time(n % DAY_NS, 9))
        }
        (Kind::Minute, Raw::I(x)) => signed(x, |n| format!("{:02}:{:02}", n / 60, n % 60)),
        (Kind::Second, Raw::I(x)) => signed(x, |n| time(n * 1_000_000_000, 0)),
        (Kind::Time, Raw::I(x)) => signed(x, |n| time(n * MILLI_NS, 3)),
        (_, Raw::H(x)) => x.to_string(),
        (_, Raw::I(x)) => x.to_string(),
        (_, Raw::J(x)) => x.to_string(),
        (_, Raw::E(x)) => float(&format!("{x:?}")),
        (_, Raw::F(x)) => float(&format!("{x:?}")),
        (_, Raw::B(x)) => x.to_string(),
        (_, Raw::S(s)) => s.to_string(),
        (_, Raw::G(_)) => "0N".into(),
    }
}

/// A string literal, with q's escapes.
pub fn chars_text(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &b in bytes {
        match b {
            b'"' | b'\\' => text.extend(['\\', b as char]),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b' '..=b'~' => text.push(b as char),
            _ => text.push_str(&format!("\\{b:03o}")),
        }
    }
    text + "\""
}

/// NaN and the infinities.
fn special(kind: Kind, x: f64) -> &'static str {
    match (x.is_nan(), x > 0.0, kind) {
        (true, _, Kind::Float) => "0n",
        (true, ..) => "0N",
        (_, true, Kind::Float) => "0w",
        (_, true, _) => "0W",
        (_, _, Kind::Float) => "-0w",
        _ => "-0W",
    }
}

/// Rust's shortest digits as q writes them: no `.0`, no leading zero before the point.
fn float(text: &str) -> String {
    let text = text.strip_suffix(".0").unwrap_or(text);
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text.replacen("-0.", "-.", 1),
    }
}

fn date(day: i64) -> String {
    let (y, m, d) = calendar::civil(day as i32);
    format!("{y:04}.{m:02}.{d:02}")
}

/// `hh:mm:ss` and `places` digits of the fraction.
fn time(ns: i64, places: usize) -> String {
    let (s, fraction) = (ns / 1_000_000_000, ns % 1_000_000_000);
    let whole = format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    match places {
        0 => whole,
        _ => format!("{whole}.{}", &format!("{fraction:09}")[..places]),
    }
}

/// The text of a magnitude, with a minus if `x` is negative.
fn signed(x: i32, text: impl Fn(i64) -> String) -> String {
    let minus = if x < 0 { "-" } else { "" };
    minus.to_string() + &text((x as i64).abs())
}

/// The day, and the milliseconds in it, that make a datetime.
fn day_and_ms(x: f64) -> (i64, i64) {
    let day = x.floor();
    let ms = ((x - day) * 86_400_000.0).round() as i64;
    let (day, ms) = if ms == 86_400_000 { (day as i64 + 1, 0) } else { (day as i64, ms) };
    debug_assert!(x.abs() > 4e6 || (clock::datetime(day, ms) - x).abs() < 1e-7);
    (day, ms)
}
