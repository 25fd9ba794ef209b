//! Numbers, temporals, booleans, bytes and guids: where one ends, what kind it is, and vectors of them.

use super::hex_pairs;
use crate::fun::Prim;
use crate::kind::Kind;
use crate::literal::element;
use crate::sym::Sym;
use crate::value::{Guid, Raw, Value};

/// True if a number begins at `at`. A minus belongs to it unless it follows a noun, which makes it Subtract.
pub fn begins(text: &[u8], start: usize, at: usize) -> bool {
    let byte = |i: usize| text.get(i).copied().unwrap_or(0);
    let digit = |i: usize| byte(i).is_ascii_digit() || (byte(i) == b'.' && byte(i + 1).is_ascii_digit());
    let before = if at > start { text[at - 1] } else { b'\n' };
    match byte(at) {
        b'-' => digit(at + 1) && !(before.is_ascii_alphanumeric() || b"_.)]}\"`".contains(&before)),
        _ => digit(at),
    }
}

/// The operator `0:`, `1:` or `2:` that `text` begins with; a digit after the colon makes it a time, unless
/// bytes begin there.
pub fn io(text: &[u8]) -> Option<Prim> {
    let (prim, rest) = match text {
        [b'0', b':', rest @ ..] => (Prim::Text0, rest),
        [b'1', b':', rest @ ..] => (Prim::Bytes1, rest),
        [b'2', b':', rest @ ..] => (Prim::Dynload, rest),
        _ => return None,
    };
    let time = rest.first().is_some_and(u8::is_ascii_digit) && !rest.starts_with(b"0x");
    (!time).then_some(prim)
}

/// The end of the number that begins at `from`.
pub fn extent(text: &[u8], from: usize) -> usize {
    let byte = |i: usize| text.get(i).copied().unwrap_or(0);
    let mut at = from + (byte(from) == b'-') as usize;
    let mut plain = true;
    loop {
        let c = byte(at);
        let inside = match c {
            b'0'..=b'9' | b'.' => true,
            b':' => byte(at + 1).is_ascii_digit(),
            b'e' if plain && b"+-".contains(&byte(at + 1)) && byte(at + 2).is_ascii_digit() => {
                at += 1;
                true
            }
            _ => c.is_ascii_alphanumeric(),
        };
        if !inside {
            return at;
        }
        plain &= matches!(c, b'0'..=b'9' | b'.');
        at += 1;
    }
}

/// False for booleans and bytes, which make no vector with blanks between.
pub fn strands(item: &[u8]) -> bool {
    !item.starts_with(b"0x") && booleans(item).is_none()
}

/// The value of a bytes literal, after its `0x`: one byte is an atom.
pub fn bytes(digits: &[u8]) -> Option<Value> {
    let bytes = hex_pairs(digits)?;
    Some(match bytes[..] {
        [x] => Value::atom(Kind::Byte, x),
        _ => Value::vector(Kind::Byte, crate::Buf::from_slice(&bytes)),
    })
}

/// The digits of `1011b`.
fn booleans(item: &[u8]) -> Option<Vec<u8>> {
    let digits = item.strip_suffix(b"b")?;
    let bits: Option<Vec<u8>> = digits.iter().map(|c| matches!(c, b'0' | b'1').then(|| c - b'0')).collect();
    bits.filter(|b| !b.is_empty())
}

/// How one number looks: the kind that its letter or shape gives, whether a letter gave it, and the text
/// without that letter.
struct Look<'a> {
    kind: Kind,
    suffixed: bool,
    text: &'a [u8],
}

/// The look of `item`; none if no number looks so.
fn look(item: &[u8]) -> Option<Look<'_>> {
    let body = item.strip_prefix(b"-").unwrap_or(item);
    let (last, short) = item.split_last()?;
    let special = body.len() >= 2 && body[0] == b'0' && b"NWnw".contains(&body[1]);
    let letter = if special { body.len() == 3 } else { last.is_ascii_lowercase() };
    if special && body.len() > 3 {
        return None;
    }
    if letter {
        let kind = Kind::from_letter(*last as char)
            .filter(|k| !matches!(k, Kind::Bool | Kind::Byte | Kind::Char | Kind::Sym | Kind::Enum))?;
        return Some(Look { kind, suffixed: true, text: short });
    }
    let has = |c: u8| body.contains(&c);
    let dots = body.iter().filter(|c| **c == b'.').count();
    let kind = match () {
        _ if special => {
            if b"nw".contains(&body[1]) {
                Kind::Float
            } else {
                Kind::Long
            }
        }
        _ if has(b'D') => {
            let date = body.split(|c| *c == b'D').next().is_some_and(|d| d.contains(&b'.'));
            if date { Kind::Timestamp } else { Kind::Timespan }
        }
        _ if has(b'T') => Kind::Datetime,
        _ if has(b':') => {
            match (body.iter().filter(|c| **c == b':').count(), body.split(|c| *c == b'.').nth(1)) {
                (1, None) => Kind::Minute,
                (_, None) => Kind::Second,
                (_, Some(fraction)) if fraction.len() <= 3 => Kind::Time,
                _ => Kind::Timespan,
            }
        }
        _ if dots == 2 => Kind::Date,
        _ if dots == 1 || has(b'e') => Kind::Float,
        _ => Kind::Long,
    };
    Some(Look { kind, suffixed: false, text: item })
}

/// The kind of a vector with items of kinds `a` and `b`; none if they do not mix.
fn unify(a: &Look, b: &Look) -> Option<Kind> {
    let untyped = |l: &Look| !l.suffixed && matches!(l.text, b"0N" | b"0W" | b"-0W" | b"0n" | b"0w" | b"-0w");
    let number = |k: Kind| (Kind::Short..=Kind::Float).contains(&k);
    let clock = |k: Kind| matches!(k, Kind::Minute | Kind::Second | Kind::Time);
    match (a.kind, b.kind) {
        (x, y) if x == y => Some(x),
        (x, y) if number(x) && number(y) => Some(x.max(y)),
        (x, _) if untyped(b) => Some(x),
        (_, y) if untyped(a) => Some(y),
        (x, y) if clock(x) && clock(y) => Some(x.max(y)),
        (Kind::Timespan, k) | (k, Kind::Timespan) if clock(k) => Some(Kind::Timespan),
        (Kind::Date, Kind::Timestamp) | (Kind::Timestamp, Kind::Date) => Some(Kind::Timestamp),
        (Kind::Date, Kind::Datetime) | (Kind::Datetime, Kind::Date) => Some(Kind::Datetime),
        _ => None,
    }
}

/// The value of a literal with the given items: an atom for one, else a vector. A letter after the last item
/// types them all; without one they take the kind that holds each.
pub fn vector(items: &[&[u8]]) -> Option<Value> {
    if let [item] = items
        && let Some(bits) = booleans(item)
    {
        return Some(match bits[..] {
            [x] => Value::bool(x == 1),
            _ => Value::vector(Kind::Bool, crate::Buf::from_slice(&bits)),
        });
    }
    let looks: Vec<Look> = items.iter().map(|i| look(i)).collect::<Option<_>>()?;
    let (last, rest) = looks.split_last()?;
    let kind = if last.suffixed {
        last.kind
    } else {
        let mut all = Look { kind: last.kind, suffixed: last.suffixed, text: last.text };
        for next in rest {
            let kind = unify(&all, next)?;
            let text = if kind == next.kind { next.text } else { all.text };
            all = Look { kind, suffixed: all.suffixed || next.suffixed, text };
        }
        all.kind
    };
    let raws: Vec<Raw> = looks.iter().map(|l| read(kind, l.text)).collect::<Option<_>>()?;
    Some(collect(kind, &raws))
}

fn read(kind: Kind, text: &[u8]) -> Option<Raw> {
    match kind {
        Kind::Guid => (text == b"0N").then_some(Raw::G(Guid::default())),
        _ => element(kind, text),
    }
}

/// Elements of `kind` as an atom or a vector.
fn collect(kind: Kind, raws: &[Raw]) -> Value {
    use crate::value::Elem;
    fn of<T: Elem>(kind: Kind, raws: &[Raw]) -> Value {
        let items: Vec<T> = raws.iter().filter_map(|r| T::of_raw(*r)).collect();
        match items[..] {
            [x] => Value::atom(kind, x),
            _ => Value::vector(kind, crate::Buf::from_slice(&items)),
        }
    }
    match raws[0] {
        Raw::B(_) => of::<u8>(kind, raws),
        Raw::G(_) => of::<Guid>(kind, raws),
        Raw::H(_) => of::<i16>(kind, raws),
        Raw::I(_) => of::<i32>(kind, raws),
        Raw::J(_) => of::<i64>(kind, raws),
        Raw::E(_) => of::<f32>(kind, raws),
        Raw::F(_) => of::<f64>(kind, raws),
        Raw::S(_) => of::<Sym>(kind, raws),
    }
}
