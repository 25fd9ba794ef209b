//! How one element prints: by itself, among the elements of a vector, and bare.

use super::Settings;
use crate::kind::Kind;
use crate::literal::{atom_text, chars_text, element_text};
use crate::sym::Sym;
use crate::value::{Atom, Domain, Raw, Value};
use std::fmt::Write;

/// Appends a literal: `5f`, `` `a``, `"c"`, `0Ni`.
pub fn literal(out: &mut String, a: &Atom, s: &Settings) {
    match (a.kind, a.raw) {
        (Kind::Char, Raw::B(c)) => out.push_str(&chars_text(&[c])),
        (Kind::Byte, _) => {
            out.push_str("0x");
            item(out, a, s);
        }
        (Kind::Enum, Raw::J(i)) => {
            domain_prefix(out, a.domain.as_deref());
            literal(out, &enum_item(i, a.domain.as_deref()), s);
        }
        (Kind::Sym, _) => {
            out.push('`');
            item(out, a, s);
        }
        _ => {
            let from = out.len();
            item(out, a, s);
            suffix(out, a.kind, from);
        }
    }
}

/// Appends an element as it shows inside a vector: nulls and infinities, but no suffix or prefix.
pub fn item(out: &mut String, a: &Atom, s: &Settings) {
    match a.raw {
        Raw::B(c) if a.kind == Kind::Char => out.push(c as char),
        Raw::B(x) if a.kind == Kind::Byte => text(out, format_args!("{x:02x}")),
        Raw::B(x) => out.push(if x == 0 { '0' } else { '1' }),
        Raw::G(_) => out.push_str(&atom_text(a)),
        Raw::S(x) => symbol(out, x),
        Raw::J(i) if a.kind == Kind::Enum => item(out, &enum_item(i, a.domain.as_deref()), s),
        Raw::H(_) | Raw::I(_) | Raw::J(_) => out.push_str(&element_text(a.kind, a.raw)),
        Raw::E(x) if x.is_nan() => out.push_str("0N"),
        Raw::E(x) if x.is_infinite() => out.push_str(if x > 0.0 { "0W" } else { "-0W" }),
        Raw::E(x) => general(out, x as f64, digits(s, 9)),
        Raw::F(_) if a.kind == Kind::Datetime => out.push_str(&element_text(a.kind, a.raw)),
        Raw::F(x) if x.is_nan() => out.push_str("0n"),
        Raw::F(x) if x.is_infinite() => out.push_str(if x > 0.0 { "0w" } else { "-0w" }),
        Raw::F(x) => general(out, x, digits(s, 17)),
    }
}

/// Appends an element as `string` and table cells show it: nothing for a null, no suffix, no quotes.
pub fn bare(out: &mut String, a: &Atom, s: &Settings) {
    let null = match a.raw {
        Raw::J(i) if a.kind == Kind::Enum => return bare(out, &enum_item(i, a.domain.as_deref()), s),
        Raw::B(_) | Raw::G(_) | Raw::S(_) => false,
        Raw::H(x) => x == i16::MIN,
        Raw::I(x) => x == i32::MIN,
        Raw::J(x) => x == i64::MIN,
        Raw::E(x) => x.is_nan(),
        Raw::F(x) => x.is_nan(),
    };
    if !null {
        item(out, a, s);
    }
}

/// Appends what marks a vector's (or atom's) type after its elements, which stand in `out` from `from`.
pub fn suffix(out: &mut String, kind: Kind, from: usize) {
    let mark = if kind == Kind::Bool { "b" } else { crate::literal::suffix(kind, &[&out[from..]]) };
    out.push_str(mark);
}

/// Appends `` `domain$``, or `` `domain!`` before positions.
pub fn domain_prefix(out: &mut String, domain: Option<&Domain>) {
    out.push('`');
    symbol(out, domain.map_or(Sym::NULL, |d| d.name));
    let positions = domain.is_some_and(|d| matches!(d.keys, Some(Value::List(_))));
    out.push(if positions { '!' } else { '$' });
}

/// What an enumeration's index stands for.
fn enum_item(i: i64, domain: Option<&Domain>) -> Atom {
    domain.map_or(Atom { kind: Kind::Sym, raw: Raw::S(Sym::NULL), domain: None }, |d| d.atom(i))
}

fn symbol(out: &mut String, x: Sym) {
    if x.text().is_ascii() {
        out.push_str(x.text());
    } else {
        out.push_str(&String::from_utf8_lossy(&x.bytes()));
    }
}

fn digits(s: &Settings, most: usize) -> usize {
    match s.precision {
        0 => most,
        p => (p as usize).min(17),
    }
}

/// Appends `x` with `p` significant digits as C's `%g` does: the shorter of fixed and exponent form, without
/// trailing zeros. A negative zero keeps its sign, which q's documentation leaves open.
fn general(out: &mut String, x: f64, p: usize) {
    let sci = format!("{:.*e}", p - 1, x);
    let (mantissa, exp) = sci.split_once('e').expect("Rust's exponent form has an e");
    let exp: i32 = exp.parse().expect("Rust's exponent is a number");
    if exp < -4 || exp >= p as i32 {
        let mantissa = trim_zeros(mantissa);
        text(out, format_args!("{mantissa}e{}{:02}", if exp < 0 { '-' } else { '+' }, exp.abs()));
        return;
    }
    // The same digits with the point elsewhere.
    let (minus, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    out.push_str(minus);
    let from = out.len();
    match usize::try_from(exp) {
        Ok(whole) => {
            out.extend(mantissa.chars().filter(|c| *c != '.'));
            out.insert(from + whole + 1, '.');
        }
        Err(_) => {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', exp.unsigned_abs() as usize - 1));
            out.extend(mantissa.chars().filter(|c| *c != '.'));
        }
    }
    let kept = trim_zeros(&out[from..]).len();
    out.truncate(from + kept);
}

fn trim_zeros(x: &str) -> &str {
    if x.contains('.') { x.trim_end_matches('0').trim_end_matches('.') } else { x }
}

fn text(out: &mut String, args: std::fmt::Arguments) {
    out.write_fmt(args).expect("writing to a string");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Guid;

    fn g(x: f64, p: usize) -> String {
        let mut out = String::new();
        general(&mut out, x, p);
        out
    }

    #[test]
    fn floats_print_as_in_c() {
        assert_eq!(g(1.0 / 7.0, 7), "0.1428571");
        assert_eq!(g(123_456_789.0, 7), "1.234568e+08");
        assert_eq!(g(1e7, 7), "1e+07");
        assert_eq!(g(1_234_567.0, 7), "1234567");
        assert_eq!(g(0.0001, 7), "0.0001");
        assert_eq!(g(0.00001, 7), "1e-05");
        assert_eq!(g(9_999_999.6, 7), "1e+07");
        assert_eq!(g(1.0 / 3.0, 17), "0.33333333333333331");
        assert_eq!(g(-1e-300, 7), "-1e-300");
        assert_eq!(g(-0.0, 7), "-0");
    }

    #[test]
    fn literals_and_bare_text() {
        let s = Settings::default();
        let both = |a: Atom| {
            let (mut l, mut b) = (String::new(), String::new());
            literal(&mut l, &a, &s);
            bare(&mut b, &a, &s);
            (l, b)
        };
        let is = |a: Atom, l: &str, b: &str| assert_eq!(both(a), (l.to_string(), b.to_string()));
        is(Atom::new(Kind::Float, 5.0), "5f", "5");
        is(Atom::new(Kind::Float, f64::NAN), "0n", "");
        is(Atom::new(Kind::Real, f32::NAN), "0Ne", "");
        is(Atom::new(Kind::Real, f32::NEG_INFINITY), "-0We", "-0W");
        is(Atom::new(Kind::Real, 0.1f32), "0.1e", "0.1");
        is(Atom::new(Kind::Int, i32::MIN), "0Ni", "");
        is(Atom::new(Kind::Month, i32::MIN), "0Nm", "");
        is(Atom::new(Kind::Date, i32::MIN), "0Nd", "");
        is(Atom::new(Kind::Timestamp, i64::MAX), "0Wp", "0W");
        is(Atom::new(Kind::Timespan, -1i64), "-0D00:00:00.000000001", "-0D00:00:00.000000001");
        is(Atom::new(Kind::Short, i16::MAX), "0Wh", "0W");
        is(Atom::new(Kind::Byte, 10u8), "0x0a", "0a");
        is(Atom::new(Kind::Bool, 1u8), "1b", "1");
        is(Atom::new(Kind::Char, b'"'), "\"\\\"\"", "\"");
        is(Atom::new(Kind::Sym, Sym::new("ab")), "`ab", "ab");
        is(
            Atom::new(Kind::Guid, Guid([0; 16])),
            "00000000-0000-0000-0000-000000000000",
            "00000000-0000-0000-0000-000000000000",
        );
    }
}
