//! `$` as cast and Tok, by kind letter, type number or name, and the parts of dates and times.

use super::elem;

use super::map::{Once, alone, as_vector, cast_data, shaped, zip};
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::literal;
use crate::scalar::cast::{Cast, part as parts};
use crate::sym::Sym;
use crate::value::{Atom, Data, Elem, Raw, Value, Vector};

/// What the left side of `$` asks for, where it is a cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Convert to the kind.
    Kind(Kind),
    /// Read text as the kind.
    Tok(Kind),
    /// `` `hh$`` and its like: see [`part`].
    Part(Sym),
    /// `"*"` and `0h`: leave as it is.
    Keep,
}

/// What the atom `how` asks for; none where `$` is no cast (a number to pad with, an enumeration's name).
pub fn target(how: &Value) -> Option<Target> {
    let Value::Atom(a) = how else { return None };
    match (a.kind, a.raw) {
        (Kind::Char, Raw::B(b'*')) => Some(Target::Keep),
        (Kind::Char, Raw::B(c)) if c.is_ascii_uppercase() => {
            Kind::from_letter(c.to_ascii_lowercase() as char).map(Target::Tok)
        }
        (Kind::Char, Raw::B(c)) => Kind::from_letter(c as char).map(Target::Kind),
        (Kind::Short, Raw::H(0)) => Some(Target::Keep),
        (Kind::Short, Raw::H(n)) => {
            let kind = Kind::from_code(i8::try_from(n.checked_abs()?).ok()?).filter(|k| *k != Kind::Enum)?;
            Some(if n < 0 { Target::Tok(kind) } else { Target::Kind(kind) })
        }
        (Kind::Sym, Raw::S(Sym::NULL)) => Some(Target::Tok(Kind::Sym)),
        (Kind::Sym, Raw::S(name)) => match Kind::from_name(name.text()).filter(|k| *k != Kind::Enum) {
            Some(kind) => Some(Target::Kind(kind)),
            None => is_part(name.text()).then_some(Target::Part(name)),
        },
        _ => None,
    }
}

/// `how$x` where [`target`] knows `how`, or every item of it; else `'type`.
///
/// `day_first` is about dates like `01/02/2000` in texts.
pub fn cast(how: &Value, x: &Value, day_first: bool) -> Result<Value> {
    match how {
        Value::Atom(_) => match target(how) {
            Some(Target::Keep) => Ok(x.clone()),
            Some(Target::Kind(kind)) => to_kind(kind, x),
            Some(Target::Tok(kind)) => tok(kind, x, day_first),
            Some(Target::Part(name)) => part(x, name.text()),
            None => type_error(),
        },
        Value::Vec(_) | Value::List(_) => zip(how, x, &|how, x| cast(how, x, day_first)),
        _ => type_error(),
    }
}

/// The items of `v` as items of kind `to`. An enumeration's are its symbols, or its indices as numbers. The
/// attribute is dropped unless nothing changes.
pub fn convert(v: &Vector, to: Kind) -> Result<Vector> {
    if v.kind == to {
        return Ok(v.clone());
    }
    if let (Kind::Enum, Some(domain), Data::J(at)) = (v.kind, &v.domain, &v.data) {
        if to != Kind::Sym {
            return convert(&Vector::new(Kind::Long, at.clone()), to);
        }
        return convert(&domain.values(at), to);
    }
    let data = match crate::scalar::cast::cast(v.kind, to) {
        None => return type_error(),
        Some(Cast::Keep) => v.data.clone(),
        Some(Cast::By(..)) => match cast_data(v.kind, to, &v.data) {
            Some(data) => data,
            None => return type_error(),
        },
    };
    Ok(Vector { kind: to, attr: Default::default(), data, domain: None })
}

/// As [`convert`] for one element.
pub fn convert_atom(a: &Atom, to: Kind) -> Result<Atom> {
    if a.kind == to {
        return Ok(a.clone());
    }
    if a.kind == Kind::Enum {
        return Ok(convert(&alone(a), to)?.get(0));
    }
    let raw = match crate::scalar::cast::cast(a.kind, to) {
        None => None,
        Some(Cast::Keep) => Some(a.raw),
        Some(Cast::By(..)) => crate::scalar::with_cast(a.kind, to, Once(a.raw)).flatten(),
    };
    raw.map_or_else(type_error, |raw| Ok(Atom { kind: to, raw, domain: None }))
}

/// `x` cast to a kind, at any depth.
pub fn to_kind(kind: Kind, x: &Value) -> Result<Value> {
    match x {
        Value::Atom(a) => convert_atom(a, kind).map(Value::Atom),
        Value::Vec(v) => Ok(Value::Vec(convert(v, kind)?)),
        Value::List(l) if l.is_empty() => Ok(elem::empty(kind)),
        Value::Fun(_) => type_error(),
        _ => shaped(x, &|x| to_kind(kind, x)),
    }
}

/// The element that a string writes, for every string in `x`. Symbols pass through a Tok to symbol.
pub fn tok(kind: Kind, x: &Value, day_first: bool) -> Result<Value> {
    match x {
        Value::Vec(Vector { kind: Kind::Char, data: Data::B(text), .. }) => match kind {
            Kind::Char => Ok(x.clone()),
            _ => Ok(Value::Atom(literal::tok_dates(kind, text, day_first))),
        },
        Value::Atom(Atom { kind: Kind::Char, raw: Raw::B(c), .. }) => {
            Ok(Value::Atom(literal::tok(kind, &[*c])))
        }
        Value::Atom(_) | Value::Vec(_) if kind == Kind::Sym && as_vector(x)?.kind == Kind::Sym => {
            Ok(x.clone())
        }
        Value::List(l) if l.is_empty() => Ok(elem::empty(kind)),
        Value::Atom(_) | Value::Vec(_) | Value::Fun(_) => type_error(),
        _ => shaped(x, &|x| tok(kind, x, day_first)),
    }
}

fn is_part(name: &str) -> bool {
    matches!(name, "year" | "mm" | "dd" | "week" | "hh" | "uu" | "ss")
}

/// The part `name` of dates and times: `year`, `mm`, `dd`, `hh`, `uu` and `ss` are ints, `week` is the date
/// of the Monday; a kind's name (`date`, `minute`, `month` …) is that cast. This is also what `x.minute` means.
pub fn part(x: &Value, name: &str) -> Result<Value> {
    match x {
        Value::Atom(a) => Ok(Value::Atom(part_vector(&alone(a), name)?.get(0))),
        Value::Vec(v) => Ok(Value::Vec(part_vector(v, name)?)),
        Value::Fun(_) => type_error(),
        _ => shaped(x, &|x| part(x, name)),
    }
}

fn part_vector(v: &Vector, name: &str) -> Result<Vector> {
    if !v.kind.is_temporal() {
        return type_error();
    }
    match name {
        // A time has no month: `mm` is its minutes.
        "mm" if matches!(v.kind, Kind::Timespan | Kind::Minute | Kind::Second | Kind::Time) => {
            each(v, Kind::Timespan, Kind::Int, parts::uu)
        }
        "year" => each(v, Kind::Date, Kind::Int, parts::year),
        "mm" => each(v, Kind::Date, Kind::Int, parts::mm),
        "dd" => each(v, Kind::Date, Kind::Int, parts::dd),
        "week" => each(v, Kind::Date, Kind::Date, parts::week),
        "hh" => each(v, Kind::Timespan, Kind::Int, parts::hh),
        "uu" => each(v, Kind::Timespan, Kind::Int, parts::uu),
        "ss" => each(v, Kind::Timespan, Kind::Int, parts::ss),
        _ => match Kind::from_name(name).filter(|k| k.is_temporal()) {
            Some(kind) => convert(v, kind),
            None => Err(Error::new(name.to_owned())),
        },
    }
}

fn each<A: Elem, B: Elem>(v: &Vector, via: Kind, out: Kind, f: impl Fn(A) -> B) -> Result<Vector> {
    let v = convert(v, via)?;
    let items = v.elems::<A>().expect("a vector is stored as its kind says");
    Ok(Vector::new(out, items.iter().map(|&x| f(x)).collect()))
}
