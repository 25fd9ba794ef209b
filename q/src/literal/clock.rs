//! Dates and times from text: the one format of literals, and the many that Tok takes.

use super::digits;
use crate::calendar::{self, DAY_NS, MILLI_NS, MINUTE_NS, SECOND_NS};
use crate::kind::Kind;
use crate::value::Raw;

/// The Unix epoch in seconds before 2000.01.01.
const UNIX: i64 = 946_684_800;

/// The temporal element of `kind` that the literal `body` writes, after its minus was taken off.
pub fn element(kind: Kind, minus: bool, body: &[u8]) -> Option<Raw> {
    match kind {
        Kind::Minute | Kind::Second | Kind::Time | Kind::Timespan => of_ns(kind, minus, span(body, clock)?),
        _ if minus => None,
        Kind::Month => {
            let [year, month] = fields(body)?;
            month_number(year, month)
        }
        Kind::Date => of_day(date(body)?),
        Kind::Timestamp => of_date_time(kind, split(body, b'D', date, clock)?),
        Kind::Datetime => of_date_time(kind, split(body, b'T', date, clock)?),
        _ => None,
    }
}

/// The temporal element of `kind` that `body` writes in any format that Tok knows, after its minus.
pub fn forgiving(kind: Kind, minus: bool, body: &[u8], day_first: bool) -> Option<Raw> {
    match kind {
        Kind::Minute | Kind::Second | Kind::Time | Kind::Timespan => {
            of_ns(kind, minus, span(body, loose_clock)?)
        }
        _ if minus => None,
        Kind::Month => match body.len() {
            6 => month_number(&body[..4], &body[4..]),
            7 => month_number(&body[..4], &body[5..]),
            _ => of_month(calendar::month_of(i32::try_from(loose_date(body, day_first)?.0).ok()?)),
        },
        Kind::Date => of_day(loose_date(body, day_first)?.0),
        _ => of_date_time(kind, unix(body).or_else(|| loose_date_time(body, day_first))?),
    }
}

/// Nanoseconds as an element of a time-like kind: whole units, towards zero.
pub(super) fn of_ns(kind: Kind, minus: bool, ns: i64) -> Option<Raw> {
    let ns = if minus { -ns } else { ns };
    let unit = match kind {
        Kind::Minute => MINUTE_NS,
        Kind::Second => SECOND_NS,
        Kind::Time => MILLI_NS,
        _ => return Some(Raw::J(ns)),
    };
    i32::try_from(ns / unit).ok().map(Raw::I)
}

pub(super) fn of_day(day: i64) -> Option<Raw> {
    i32::try_from(day).ok().map(Raw::I)
}

fn of_month(month: i32) -> Option<Raw> {
    Some(Raw::I(month))
}

/// A day and nanoseconds in it as a timestamp or, with whole milliseconds, a datetime.
pub(super) fn of_date_time(kind: Kind, (day, ns): (i64, i64)) -> Option<Raw> {
    match kind {
        Kind::Timestamp => day.checked_mul(DAY_NS)?.checked_add(ns).filter(|p| *p != i64::MIN).map(Raw::J),
        Kind::Datetime => Some(Raw::F(datetime(day, ns / MILLI_NS))),
        _ => None,
    }
}

/// The datetime that is `ms` milliseconds into `day`.
pub fn datetime(day: i64, ms: i64) -> f64 {
    day as f64 + ms as f64 / 86_400_000.0
}

/// `yyyy` and `mm` as a month.
fn month_number(year: &[u8], month: &[u8]) -> Option<Raw> {
    let (y, m) = (digits(year)?, digits(month)?);
    let fits = year.len() == 4 && month.len() == 2 && (1..=12).contains(&m);
    fits.then(|| Raw::I((y as i32 - 2000) * 12 + m as i32 - 1))
}

/// The fields of `text` between dots, if there are `N`.
fn fields<const N: usize>(text: &[u8]) -> Option<[&[u8]; N]> {
    text.split(|c| *c == b'.').collect::<Vec<_>>().try_into().ok()
}

/// `yyyy.mm.dd` as days.
fn date(text: &[u8]) -> Option<i64> {
    let [y, m, d] = fields(text)?;
    if (y.len(), m.len(), d.len()) != (4, 2, 2) {
        return None;
    }
    day_number(digits(y)?, digits(m)?, digits(d)?)
}

/// A year, month and day as days, if there is such a day.
pub(super) fn day_number(y: i64, m: i64, d: i64) -> Option<i64> {
    let exists = (1..=9999).contains(&y)
        && (1..=12).contains(&m)
        && (1..=31).contains(&d)
        && (d <= 28 || d <= calendar::month_len(y as i32, m as u32) as i64);
    exists.then(|| calendar::days(y as i32, m as u32, d as u32))
}

/// A date, and after the letter `mark` a time of day.
fn split(
    text: &[u8],
    mark: u8,
    date: fn(&[u8]) -> Option<i64>,
    clock: fn(&[u8]) -> Option<i64>,
) -> Option<(i64, i64)> {
    match text.iter().position(|c| *c == mark) {
        Some(at) => Some((date(&text[..at])?, after_mark(&text[at + 1..], clock)?)),
        None => Some((date(text)?, 0)),
    }
}

/// The time of day after a `D` or `T`; midnight if there is nothing.
fn after_mark(text: &[u8], clock: fn(&[u8]) -> Option<i64>) -> Option<i64> {
    if text.is_empty() { Some(0) } else { clock(text) }
}

/// A span of time: `clock`, or days, a `D`, and a time of day.
fn span(text: &[u8], clock: fn(&[u8]) -> Option<i64>) -> Option<i64> {
    match text.iter().position(|c| *c == b'D') {
        Some(at) => {
            digits(&text[..at])?.checked_mul(DAY_NS)?.checked_add(after_mark(&text[at + 1..], clock)?)
        }
        None => clock(text),
    }
}

/// `hh`, `hh:mm`, `hh:mm:ss` or `hh:mm:ss.f…` as nanoseconds. Hours may be any number.
fn clock(text: &[u8]) -> Option<i64> {
    let mut parts = text.splitn(3, |c| *c == b':');
    let hours = digits(parts.next()?)?.checked_mul(60 * MINUTE_NS)?;
    let minutes = parts.next().map_or(Some(0), sixty)?;
    let (seconds, fraction) = match parts.next() {
        None => (0, 0),
        Some(rest) => {
            let (whole, dot) = rest.split_at(rest.iter().position(|c| *c == b'.').unwrap_or(rest.len()));
            (sixty(whole)?, dot.split_first().map_or(Some(0), |(_, f)| nanos(f))?)
        }
    };
    hours.checked_add(minutes * MINUTE_NS + seconds * SECOND_NS + fraction)
}

/// Two digits below sixty.
fn sixty(text: &[u8]) -> Option<i64> {
    digits(text).filter(|n| text.len() == 2 && *n < 60)
}

/// The digits after a decimal point of seconds, as nanoseconds; past the ninth they do not count.
fn nanos(text: &[u8]) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    digits(text)?;
    let kept = &text[..text.len().min(9)];
    Some(digits(kept)? * 10i64.pow(9 - kept.len() as u32))
}

/// As [`clock`], or without colons: `hhmm`, `hhmmss`, and digits of a fraction after these.
fn loose_clock(text: &[u8]) -> Option<i64> {
    let plain = text.len() >= 4 && text.iter().all(u8::is_ascii_digit);
    if !plain {
        return clock(text);
    }
    let (hhmm, rest) = text.split_at(4);
    let seconds = if rest.is_empty() { 0 } else { sixty(&rest[..rest.len().min(2)])? };
    let fraction = nanos(&rest[rest.len().min(2)..])?;
    let (hours, minutes) = (digits(&hhmm[..2])?, sixty(&hhmm[2..])?);
    Some((hours * 60 + minutes) * MINUTE_NS + seconds * SECOND_NS + fraction)
}

/// Seconds since 1970 with an optional fraction: nine digits or more.
fn unix(text: &[u8]) -> Option<(i64, i64)> {
    let (whole, dot) = text.split_at(text.iter().position(|c| *c == b'.').unwrap_or(text.len()));
    if whole.len() < 9 {
        return None;
    }
    let seconds = digits(whole)? - UNIX;
    let ns = dot.split_first().map_or(Some(0), |(_, f)| nanos(f))?;
    Some((seconds.div_euclid(86_400), seconds.rem_euclid(86_400) * SECOND_NS + ns))
}

/// A date in any format, then nothing or a separator and a time of day.
fn loose_date_time(text: &[u8], day_first: bool) -> Option<(i64, i64)> {
    let (day, rest) = loose_date(text, day_first)?;
    match rest.split_first() {
        None => Some((day, 0)),
        Some((b'D' | b'T' | b' ' | b'-', rest)) => Some((day, after_mark(rest, loose_clock)?)),
        Some(_) => None,
    }
}

/// A date at the start of `text` and what follows: `yyyymmdd`, `yymmdd`, `ddMMMyyyy`, or three fields with
/// separators, the year first or last, the month a number or its English name's first three letters.
fn loose_date(text: &[u8], day_first: bool) -> Option<(i64, &[u8])> {
    let run = |t: &[u8], of: fn(&u8) -> bool| t.iter().take_while(|c| of(c)).count();
    let lead = run(text, u8::is_ascii_digit);
    if lead == 8 || lead == 6 {
        let (y, md) = text[..lead].split_at(lead - 4);
        return Some((day_number(year(y)?, digits(&md[..2])?, digits(&md[2..])?)?, &text[lead..]));
    }
    let field = |t: &[u8]| run(t, u8::is_ascii_digit).max(run(t, u8::is_ascii_alphabetic));
    let (a, rest) = text.split_at(field(text));
    let rest = after_separator(rest);
    let (b, rest) = rest.split_at(field(rest));
    let rest = after_separator(rest);
    let (c, rest) = rest.split_at(field(rest));
    let (y, m, d) = match (month_name(a), month_name(b)) {
        (Some(m), _) => (year(c)?, m, digits(b)?),
        (_, Some(m)) if a.len() == 4 => (year(a)?, m, digits(c)?),
        (_, Some(m)) => (year(c)?, m, digits(a)?),
        _ if a.len() == 4 => (year(a)?, digits(b)?, digits(c)?),
        _ if day_first => (year(c)?, digits(b)?, digits(a)?),
        _ => (year(c)?, digits(a)?, digits(b)?),
    };
    Some((day_number(y, m, d)?, rest))
}

/// `text` past a separator of a date's fields, if it begins with one.
fn after_separator(text: &[u8]) -> &[u8] {
    match text.split_first() {
        Some((b'.' | b'-' | b'/', rest)) => rest,
        _ => text,
    }
}

/// A year of four digits, or of two from 1950 to 2049.
fn year(text: &[u8]) -> Option<i64> {
    let n = digits(text)?;
    match text.len() {
        4 => Some(n),
        2 => Some(if n < 50 { 2000 + n } else { 1900 + n }),
        _ => None,
    }
}

/// The month (1 to 12) whose English name begins with the three letters `text`.
fn month_name(text: &[u8]) -> Option<i64> {
    const NAMES: &[u8] = b"janfebmaraprmayjunjulaugsepoctnovdec";
    let name = text.to_ascii_lowercase();
    NAMES.chunks(3).position(|m| m == name).map(|i| i as i64 + 1)
}
