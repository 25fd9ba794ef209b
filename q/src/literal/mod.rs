//! Text of one element ↔ the element: what literals, `"J"$"12"` and CSV fields share.
//!
//! [`element`] is strict: it takes what a literal may hold. [`tok`] is as forgiving as q's Tok and gives the
//! null of the kind for text that makes no sense.

mod clock;
mod guid;
pub mod plain;
mod print;

pub use print::{atom_text, chars_text, element_text, suffix};

use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Atom, Guid, Raw};

/// The null of `kind`; what q fills with where a kind has none (`0b`, `0x00`).
pub fn null(kind: Kind) -> Raw {
    match kind {
        Kind::Bool | Kind::Byte => Raw::B(0),
        Kind::Char => Raw::B(b' '),
        Kind::Guid => Raw::G(Guid::default()),
        Kind::Short => Raw::H(i16::MIN),
        Kind::Real => Raw::E(f32::NAN),
        Kind::Float | Kind::Datetime => Raw::F(f64::NAN),
        Kind::Sym => Raw::S(Sym::NULL),
        Kind::Long | Kind::Timestamp | Kind::Timespan | Kind::Enum => Raw::J(i64::MIN),
        Kind::Int | Kind::Month | Kind::Date | Kind::Minute | Kind::Second | Kind::Time => Raw::I(i32::MIN),
    }
}

/// The infinity of `kind`, negative if `minus`; none where a kind has none.
fn infinity(kind: Kind, minus: bool) -> Option<Raw> {
    let sign = if minus { -1 } else { 1 };
    Some(match null(kind) {
        Raw::H(_) => Raw::H(i16::MAX * sign),
        Raw::I(_) => Raw::I(i32::MAX * sign as i32),
        Raw::J(_) if kind != Kind::Enum => Raw::J(i64::MAX * sign as i64),
        Raw::E(_) => Raw::E(f32::INFINITY * sign as f32),
        Raw::F(_) => Raw::F(f64::INFINITY * sign as f64),
        _ => return None,
    })
}

/// The element of `kind` that `text` writes, without a type suffix: `12`, `-0W`, `0n`, `1.5`, `2024.01.01`.
/// None if it is not one, or out of range. For numbers and temporals only: the lexer reads the others itself.
pub fn element(kind: Kind, text: &[u8]) -> Option<Raw> {
    let (minus, body) = sign(text);
    if let Some(raw) = special(kind, minus, body) {
        return Some(raw);
    }
    match kind {
        Kind::Short => Some(Raw::H(i16::try_from(integer(text)?).ok()?)),
        Kind::Int => Some(Raw::I(i32::try_from(integer(text)?).ok()?)),
        Kind::Long => Some(Raw::J(integer(text)?)),
        Kind::Real => decimal(text)?.parse().ok().map(Raw::E),
        Kind::Float => decimal(text)?.parse().ok().map(Raw::F),
        _ => clock::element(kind, minus, body),
    }
}

/// The null or infinity that `body` writes.
fn special(kind: Kind, minus: bool, body: &[u8]) -> Option<Raw> {
    match body {
        b"0N" | b"0n" if !minus => Some(null(kind)),
        b"0W" | b"0w" => infinity(kind, minus),
        _ => None,
    }
}

/// q's Tok, `"J"$text`: the element that `text` writes, forgiving about blanks and formats. Text that makes
/// no sense, or is out of range, gives the kind's null; dates written with slashes have the month first.
pub fn tok(kind: Kind, text: &[u8]) -> Atom {
    tok_dates(kind, text, false)
}

/// As [`tok`], for dates like `06/01/2010` with the day first if `day_first` (q's `\z 1`).
pub fn tok_dates(kind: Kind, text: &[u8], day_first: bool) -> Atom {
    let text = text.trim_ascii();
    let raw = match kind {
        Kind::Bool => Some(Raw::B(text.first().is_some_and(|c| b"1tTyY".contains(c)) as u8)),
        Kind::Byte => byte(text).map(Raw::B),
        Kind::Char => text.first().map(|&c| Raw::B(c)),
        Kind::Sym => Some(Raw::S(Sym::from_bytes(text))),
        Kind::Guid => guid::guid(text).map(Raw::G),
        Kind::Int => element(kind, text).or_else(|| guid::ipv4(text).map(|ip| Raw::I(ip as i32))),
        Kind::Enum => None,
        Kind::Short | Kind::Long | Kind::Real | Kind::Float => element(kind, text),
        _ => {
            let (minus, body) = sign(text);
            special(kind, minus, body).or_else(|| clock::forgiving(kind, minus, body, day_first))
        }
    };
    Atom { kind, raw: raw.unwrap_or_else(|| null(kind)), domain: None }
}

/// A leading minus, and the rest.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, text),
    }
}

/// Digits as a number; none if empty, too large for 64 bits, or with anything else in it.
fn digits(text: &[u8]) -> Option<i64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0i64, |n, c| match c {
        b'0'..=b'9' => n.checked_mul(10)?.checked_add((c - b'0') as i64),
        _ => None,
    })
}

/// An integer with an optional minus. The null's own bits are out of range.
fn integer(text: &[u8]) -> Option<i64> {
    let (minus, body) = sign(text);
    digits(body).map(|n| if minus { -n } else { n })
}

/// `text`, if it is a decimal number with at least one digit: `1`, `-1.5`, `.5`, `5.`, `1e-3`.
fn decimal(text: &[u8]) -> Option<&str> {
    let (_, body) = sign(text);
    let digits = body.iter().take_while(|c| matches!(c, b'0'..=b'9' | b'.')).filter(|c| **c != b'.').count();
    let plain = body.iter().all(|c| matches!(c, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if digits == 0 || !plain {
        return None;
    }
    std::str::from_utf8(text).ok()
}

/// One or two hexadecimal digits, or the low byte of more.
fn byte(text: &[u8]) -> Option<u8> {
    let text = text.strip_prefix(b"0x").unwrap_or(text);
    match text {
        [lo] => hex(*lo),
        [hi, lo] => Some(hex(*hi)? << 4 | hex(*lo)?),
        _ => None,
    }
}

/// The value of a hexadecimal digit.
pub fn hex(c: u8) -> Option<u8> {
    (c as char).to_digit(16).map(|d| d as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row: the type letter, the text, what prints.
    #[test]
    fn tok_reads_what_q_reads() {
        let rows = "
            j|12|12
            j| -7 |-7
            j|0W|0W
            j|-0W|-0W
            j|9223372036854775808|0N
            j|1.5|0N
            j||0N
            h|32767|0Wh
            h|32768|0Nh
            i|2147483648|0Ni
            i|10.0.0.1|167772161i
            e|2.5|2.5e
            f|.5|.5
            f|5.|5f
            f|1e-3|.001
            f|1e|0n
            f|nan|0n
            b| y|1b
            b|0|0b
            b|T|1b
            x|2a|0x2a
            x|zz|0x00
            s| ab |`ab
            d|2001-02-03|2001.02.03
            d|20010203|2001.02.03
            d|2001/02/03|2001.02.03
            d|02/03/2001|2001.02.03
            d|03-Feb-2001|2001.02.03
            d|2001.02.29|0Nd
            d|99999999999|0Nd
            m|2001-02|2001.02m
            m|200102|2001.02m
            u|09:30:15|09:30
            v|093015|09:30:15
            t|093015250|09:30:15.250
            t|9:30|09:30:00.000
            n|093015123456789|0D09:30:15.123456789
            n|2D03|2D03:00:00.000000000
            p|2001-02-03T04:05:06.5|2001.02.03D04:05:06.500000000
            p|2001-02-03 04:05:06.5|2001.02.03D04:05:06.500000000
            p|20010203-04:05:06|2001.02.03D04:05:06.000000000
            p|2001.02.03|2001.02.03D00:00:00.000000000
            p|946684801|2000.01.01D00:00:01.000000000
            p|946684801.25|2000.01.01D00:00:01.250000000
            z|2001.02.03T12:00:00.000|2001.02.03T12:00:00.000
            p|x|0Np
            n|-|0Nn
        ";
        for row in rows.lines().map(str::trim_start).filter(|r| !r.is_empty()) {
            let cells: Vec<_> = row.split('|').collect();
            let kind = Kind::from_letter(cells[0].chars().next().unwrap()).unwrap();
            assert_eq!(atom_text(&tok(kind, cells[1].as_bytes())), cells[2], "{row}");
        }
    }

    #[test]
    fn guids_come_from_hex_and_addresses() {
        let text = |t: &str| atom_text(&tok(Kind::Guid, t.as_bytes()));
        assert_eq!(text("00112233-4455-6677-8899-aabbccddeeff"), "00112233-4455-6677-8899-aabbccddeeff");
        assert_eq!(text("00112233445566778899AABBCCDDEEFF"), "00112233-4455-6677-8899-aabbccddeeff");
        assert_eq!(text("10.0.0.1"), "00000000-0000-0000-0000-ffff0a000001");
        assert_eq!(text("fe80::1"), "fe800000-0000-0000-0000-000000000001");
        assert_eq!(text("fe80:"), "00000000-0000-0000-0000-000000000000");
    }
}
