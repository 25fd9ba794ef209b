//! The usual spelling of an element, read without detours; None for any other, which Tok reads.
//!
//! Files are full of such fields. Where there is an answer it is Tok's own, to the bit.

use super::clock;
use crate::calendar::{DAY_NS, MINUTE_NS, SECOND_NS};
use crate::kind::Kind;
use crate::value::Raw;

/// The element of `kind` that the field `text` writes, if it is spelt as most are.
#[inline]
pub fn element(kind: Kind, text: &[u8]) -> Option<Raw> {
    match kind {
        Kind::Short => Some(Raw::H(i16::try_from(long(text)?).ok()?)),
        Kind::Int => Some(Raw::I(i32::try_from(long(text)?).ok()?)),
        Kind::Long => long(text).map(Raw::J),
        Kind::Float => float(text).map(Raw::F),
        Kind::Date if text.len() == 10 => clock::of_day(date(text)?),
        Kind::Timestamp | Kind::Datetime if text.len() > 11 && b"DT -".contains(&text[10]) => {
            clock::of_date_time(kind, (date(&text[..10])?, time(&text[11..])?))
        }
        Kind::Minute | Kind::Second | Kind::Time | Kind::Timespan => clock::of_ns(kind, false, span(text)?),
        _ => None,
    }
}

/// At most 18 digits, perhaps after a minus.
fn long(text: &[u8]) -> Option<i64> {
    match text.split_first() {
        Some((b'-', rest)) => natural(rest).map(|n| -n),
        _ => natural(text),
    }
}

/// 1 to 18 digits.
fn natural(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > 18 {
        return None;
    }
    text.iter().try_fold(0, |n, c| digit(*c).map(|d| n * 10 + d))
}

fn digit(c: u8) -> Option<i64> {
    let d = c.wrapping_sub(b'0');
    (d < 10).then_some(d as i64)
}

/// Powers of ten that a float holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Digits with at most one point, perhaps after a minus. The digits as an integer and the power of ten are
/// exact floats, so that their quotient is the nearest float to the number written.
fn float(text: &[u8]) -> Option<f64> {
    let (minus, body) = super::sign(text);
    if body.len() > 18 {
        return None;
    }
    let (mut n, mut digits, mut point) = (0i64, 0, None);
    for &c in body {
        match digit(c) {
            Some(d) => {
                n = n * 10 + d;
                digits += 1;
            }
            None if c == b'.' && point.is_none() => point = Some(digits),
            None => return None,
        }
    }
    if digits == 0 || n > 1 << 53 {
        return None;
    }
    let x = n as f64 / TENS[digits - point.unwrap_or(digits)];
    Some(if minus { -x } else { x })
}

/// Two digits.
fn two(text: &[u8]) -> Option<i64> {
    Some(digit(*text.first()?)? * 10 + digit(*text.get(1)?)?)
}

/// `yyyy?mm?dd` with separators of a date, ten bytes, as days.
fn date(text: &[u8]) -> Option<i64> {
    let separates = |at: usize| b".-/".contains(&text[at]);
    if !separates(4) || !separates(7) {
        return None;
    }
    clock::day_number(two(text)? * 100 + two(&text[2..])?, two(&text[5..])?, two(&text[8..])?)
}

/// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.f` with one to nine digits `f`, as nanoseconds.
fn time(text: &[u8]) -> Option<i64> {
    let sixty = |at: usize| match text.get(at) {
        Some(b':') => two(&text[at + 1..]).filter(|n| *n < 60),
        _ => None,
    };
    let minutes = two(text)? * 60 + sixty(2)?;
    let seconds = if text.len() > 5 { sixty(5)? } else { 0 };
    let fraction = match text.get(8..) {
        None | Some([]) => 0,
        Some([b'.', rest @ ..]) if rest.len() <= 9 => natural(rest)? * 10i64.pow(9 - rest.len() as u32),
        _ => return None,
    };
    Some(minutes * MINUTE_NS + seconds * SECOND_NS + fraction)
}

/// [`time`], perhaps after one to four digits and a `D`.
fn span(text: &[u8]) -> Option<i64> {
    match text.iter().take(5).position(|c| *c == b'D') {
        Some(at) => Some(natural(&text[..at])? * DAY_NS + time(&text[at + 1..])?),
        None => time(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::tok;

    /// Asserts Tok's answer where there is one; true if there is.
    fn agrees(kind: Kind, text: &[u8]) -> bool {
        let Some(raw) = element(kind, text) else { return false };
        let want = tok(kind, text).raw;
        let same = match (raw, want) {
            (Raw::F(x), Raw::F(y)) => x.to_bits() == y.to_bits(),
            (x, y) => format!("{x:?}") == format!("{y:?}"),
        };
        assert!(same, "{kind:?} {:?}: {raw:?}, Tok {want:?}", String::from_utf8_lossy(text));
        true
    }

    #[test]
    fn what_is_plain_is_what_tok_reads() {
        let mut rng = fastrand::Rng::with_seed(5);
        let shapes: &[&str] = &[
            "#",
            "##",
            "-###",
            "####",
            "#####",
            "##########",
            "##################",
            "###################",
            "-.###",
            "##.##",
            "#.################",
            "-###.",
            ".",
            "-",
            "",
            "#.#.#",
            "#e#",
            " ##",
            "0.00#",
            "20##.0#.1#",
            "20##-0#-2#",
            "####/##/##",
            "####.##.##",
            "20##0#1#",
            "##/##/20##",
            "2#:4#",
            "0#:1#:2#",
            "0#:1#:2#.###",
            "0#:1#:2#.#########",
            "0#:1#:2#.##########",
            "##:##:##",
            "0#:1#:2#.",
            "#D0#:1#:2#",
            "####D0#:1#",
            "#####D01:00",
            "-0#:1#",
            "#D",
            "##:##:##.#x",
            "20##.0#.1#D0#:1#:2#.######",
            "20##-0#-1#T0#:1#",
            "20##-0#-1# 0#:1#:2#.#",
            "20##.0#.1#D",
            "20##.0#.1#-1#:00:00",
            "####.##.##D##:##:##",
            "9223372036854775###",
            "-327##",
            "21474836##",
            "90071992547409##",
            "9007199254740992",
            "9007199254740993",
            "0N",
            "0W",
            "-0W",
            "0n",
            "-0",
            "-0.0",
        ];
        let kinds = [
            Kind::Short,
            Kind::Int,
            Kind::Long,
            Kind::Float,
            Kind::Date,
            Kind::Timestamp,
            Kind::Datetime,
            Kind::Minute,
            Kind::Second,
            Kind::Time,
            Kind::Timespan,
            Kind::Char,
            Kind::Bool,
        ];
        let mut plain = [0; 13];
        for _ in 0..300 {
            for shape in shapes {
                let mut text: Vec<u8> =
                    shape.bytes().map(|c| if c == b'#' { rng.u8(b'0'..=b'9') } else { c }).collect();
                if rng.u8(..8) == 0 && !text.is_empty() {
                    let at = rng.usize(..text.len());
                    text[at] = b"0159.:-D/T x"[rng.usize(..12)];
                }
                for (n, kind) in plain.iter_mut().zip(kinds) {
                    *n += agrees(kind, &text) as usize;
                }
            }
        }
        assert!(plain[..11].iter().all(|n| *n > 300), "{plain:?}");
    }
}
