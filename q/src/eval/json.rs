//! JSON: `.j.j` and `.j.jd` write a value, `.j.k` reads one.

use super::{dict, item, list, string};
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::show::{self, Settings};
use crate::table::unkey;
use crate::value::{Atom, Raw, Table, Value};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// `.j.j x`, as text.
pub fn write(x: &Value, settings: &Settings) -> Result<Value> {
    text(x, settings, false)
}

/// `.j.jd(x;d)`: as `.j.j x`, but where the option `null0w` of `d` is set, infinite floats are `null`.
pub fn write_with(x: &Value, settings: &Settings) -> Result<Value> {
    let [x, options] = &item::items(x)[..] else { return type_error() };
    let Value::Dict(_) = options else { return type_error() };
    let set = dict::member(options, crate::Sym::new("null0w"));
    text(x, settings, set.is_some_and(|v| v.as_long() == Some(1)))
}

fn text(x: &Value, settings: &Settings, finite: bool) -> Result<Value> {
    let mut writer = Writer { out: vec![], settings, finite };
    writer.value(x)?;
    Ok(Value::chars(&writer.out))
}

struct Writer<'a> {
    out: Vec<u8>,
    settings: &'a Settings,
    /// Infinite floats are `null`.
    finite: bool,
}

impl Writer<'_> {
    fn value(&mut self, x: &Value) -> Result<()> {
        // A value that holds its parts many times over can have more text than fits anywhere.
        crate::memory::count(size_of::<Value>());
        match x {
            Value::Atom(a) => self.atom(a),
            Value::Vec(v) if v.kind == Kind::Char => self.quoted(&list::bytes(x).unwrap_or_default()),
            Value::Vec(_) | Value::List(_) => {
                return self.list(b"[]", x.count(), |w, i| w.value(&item::item(x, i)));
            }
            Value::Table(t) => return self.table(t),
            Value::Dict(d) => match unkey(x) {
                Some(flat) => return self.table(&flat),
                None => {
                    return self.list(b"{}", d.keys.count(), |w, i| {
                        w.entry(&key(&item::item(&d.keys, i), w.settings)?, &item::item(&d.vals, i))
                    });
                }
            },
            Value::Fun(_) if x.is_null_fn() => self.out.extend(b"null"),
            Value::Fun(_) => self.quoted(&key(x, self.settings)?),
        }
        Ok(())
    }

    /// The rows, each by its columns' names.
    fn table(&mut self, t: &Table) -> Result<()> {
        self.list(b"[]", t.rows(), |w, row| {
            w.list(b"{}", t.names.len(), |w, i| w.entry(&t.names[i].bytes(), &item::item(&t.cols[i], row)))
        })
    }

    fn entry(&mut self, key: &[u8], x: &Value) -> Result<()> {
        self.quoted(key);
        self.out.push(b':');
        self.value(x)
    }

    fn list(
        &mut self,
        ends: &[u8; 2],
        n: usize,
        each: impl Fn(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        self.out.push(ends[0]);
        for i in 0..n {
            if i > 0 {
                self.out.push(b',');
            }
            each(self, i)?;
        }
        self.out.push(ends[1]);
        Ok(())
    }

    fn atom(&mut self, a: &Atom) {
        let infinite = match a.raw {
            Raw::E(x) => x.is_infinite(),
            Raw::F(x) => x.is_infinite(),
            _ => false,
        };
        let shown = string::latin(&show::string(a, self.settings));
        match (a.kind, a.raw) {
            (Kind::Bool, Raw::B(b)) => self.out.extend(if b == 0 { &b"false"[..] } else { b"true" }),
            (Kind::Char, Raw::B(c)) => self.quoted(&[c]),
            (Kind::Sym | Kind::Enum, _) => {
                let plain = super::value::unenum(&Value::Atom(a.clone()));
                self.quoted(&plain.as_sym().unwrap_or_default().bytes());
            }
            _ if shown.is_empty() || infinite && self.finite => self.out.extend(b"null"),
            (Kind::Real | Kind::Float, _) if infinite => {
                self.out.extend(if shown.starts_with(b"-") { &b"-inf"[..] } else { b"inf" });
            }
            // An infinity is a number here.
            (_, Raw::H(n)) if a.kind == Kind::Short => self.out.extend(n.to_string().bytes()),
            (_, Raw::I(n)) if a.kind == Kind::Int => self.out.extend(n.to_string().bytes()),
            (_, Raw::J(n)) if a.kind == Kind::Long => self.out.extend(n.to_string().bytes()),
            (Kind::Real | Kind::Float, _) => self.out.extend(shown),
            (Kind::Timestamp | Kind::Month | Kind::Date | Kind::Datetime, _) => {
                let dashed = shown.iter().enumerate();
                let dashed = dashed.map(|(i, &c)| if matches!((i, c), (4 | 7, b'.')) { b'-' } else { c });
                self.quoted(&dashed.collect::<Vec<_>>());
            }
            _ => self.quoted(&shown),
        }
    }

    fn quoted(&mut self, text: &[u8]) {
        self.out.push(b'"');
        for &c in text {
            match c {
                b'"' | b'\\' => self.out.extend([b'\\', c]),
                b'\n' => self.out.extend(b"\\n"),
                b'\r' => self.out.extend(b"\\r"),
                b'\t' => self.out.extend(b"\\t"),
                0..0x20 => self.out.extend(format!("\\u{c:04x}").bytes()),
                _ => self.out.push(c),
            }
        }
        self.out.push(b'"');
    }
}

/// The text of a key: JSON has no other keys than texts.
fn key(x: &Value, settings: &Settings) -> Result<Vec<u8>> {
    match list::bytes(x) {
        Some(text) => Ok(text),
        None => match string::string(x, settings) {
            Ok(text) => Ok(list::bytes(&text).unwrap_or_else(|| string::latin(&show::one_line(x, settings)))),
            Err(e) => Err(e),
        },
    }
}

/// `.j.k x`: the value of a text. Numbers are floats, objects dictionaries, and objects of the same names a table.
pub fn read(x: &Value) -> Result<Value> {
    let Some(text) = list::bytes(x) else { return type_error() };
    match serde_json::from_slice::<Json>(&text) {
        Ok(Json(value)) => Ok(value),
        Err(e) => Err(Error::new("parse").detail(e.to_string())),
    }
}

/// A value of a JSON text.
struct Json(Value);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> std::result::Result<Json, D::Error> {
        reader.deserialize_any(Reader).map(Json)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, x: bool) -> std::result::Result<Value, E> {
        Ok(Value::bool(x))
    }

    fn visit_i64<E>(self, x: i64) -> std::result::Result<Value, E> {
        Ok(Value::float(x as f64))
    }

    fn visit_u64<E>(self, x: u64) -> std::result::Result<Value, E> {
        Ok(Value::float(x as f64))
    }

    fn visit_f64<E>(self, x: f64) -> std::result::Result<Value, E> {
        Ok(Value::float(x))
    }

    fn visit_str<E>(self, x: &str) -> std::result::Result<Value, E> {
        Ok(Value::chars(x.as_bytes()))
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::float(f64::NAN))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Value, A::Error> {
        let mut items = vec![];
        while let Some(Json(x)) = list.next_element()? {
            items.push(x);
        }
        Ok(item::collect(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        let (mut keys, mut values) = (vec![], vec![]);
        while let Some((key, Json(x))) = map.next_entry::<String, Json>()? {
            keys.push(crate::Sym::from_bytes(key.as_bytes()));
            values.push(x);
        }
        Ok(Value::dict(Value::syms(keys), item::collect(values)))
    }
}
