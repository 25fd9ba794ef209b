//! The one-line form of any value, as `0N!` and `-3!` show it and as cells of general columns do.

use super::{Settings, atom, fun};
use crate::kind::Kind;
use crate::literal::chars_text;
use crate::value::{Attr, Data, Dict, Func, Table, Value, Vector};

/// `v` on one line; stops soon after `room` characters, because nobody sees more.
pub fn within(v: &Value, s: &Settings, room: usize) -> String {
    let mut out = String::new();
    put(&mut out, v, s, room);
    out
}

/// Appends the one-line form of `v`; stops soon after `out` holds `room` bytes.
pub fn put(out: &mut String, v: &Value, s: &Settings, room: usize) {
    // A value that holds its parts many times over can have more text than fits anywhere.
    crate::memory::count(size_of::<Value>());
    match v {
        Value::Atom(a) => atom::literal(out, a, s),
        Value::Vec(v) => vector(out, v, s, room),
        Value::List(items) => list(out, items.iter(), items.len(), s, room),
        Value::Dict(d) => dict(out, d, s, room),
        Value::Table(t) => table(out, t, s, room),
        Value::Fun(Func::Virtual(x)) if x.text().is_some() => out.push_str(&x.text().unwrap_or_default()),
        Value::Fun(Func::Virtual(x)) => {
            let want = x.count().min(room.saturating_add(1));
            match x.rows(0, want) {
                Ok(rows) => put(out, &rows, s, room),
                Err(e) => out.push_str(&e.to_string()),
            }
        }
        Value::Fun(f) => fun::put(out, f, s, room),
    }
}

fn vector(out: &mut String, v: &Vector, s: &Settings, room: usize) {
    attr(out, v.attr);
    if v.is_empty() && v.kind != Kind::Char {
        return empty(out, v);
    }
    if v.kind == Kind::Enum {
        atom::domain_prefix(out, v.domain.as_deref());
        if v.domain.as_ref().is_some_and(|d| d.keys.is_some()) {
            return vector(out, &Vector { attr: Attr::None, ..crate::eval::prim::unenum_vector(v) }, s, room);
        }
    }
    if v.len() == 1 {
        out.push(',');
    }
    if let (Kind::Char, Data::B(bytes)) = (v.kind, &v.data) {
        let seen = bytes.len().min(room.saturating_add(1));
        return out.push_str(&chars_text(&bytes[..seen]));
    }
    if v.kind == Kind::Byte {
        out.push_str("0x");
    }
    let from = out.len();
    for i in 0..v.len() {
        match v.kind {
            Kind::Sym | Kind::Enum => out.push('`'),
            Kind::Bool | Kind::Byte => {}
            _ if i > 0 => out.push(' '),
            _ => {}
        }
        atom::item(out, &v.get(i), s);
        if out.len() > room {
            return;
        }
    }
    atom::suffix(out, v.kind, from);
}

fn empty(out: &mut String, v: &Vector) {
    match v.kind {
        Kind::Enum => {
            atom::domain_prefix(out, v.domain.as_deref());
            let kind = v.domain.as_ref().map_or(Kind::Sym, |d| d.kind());
            out.push_str(&format!("`{}$()", kind.name()));
        }
        kind => {
            out.push('`');
            out.push_str(kind.name());
            out.push_str("$()");
        }
    }
}

fn attr(out: &mut String, attr: Attr) {
    if attr != Attr::None {
        out.push('`');
        out.push_str(attr.letter());
        out.push('#');
    }
}

fn list<'a>(out: &mut String, items: impl Iterator<Item = &'a Value>, n: usize, s: &Settings, room: usize) {
    out.push(if n == 1 { ',' } else { '(' });
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push(';');
        }
        put(out, item, s, room);
        if out.len() > room {
            return;
        }
    }
    if n != 1 {
        out.push(')');
    }
}

fn dict(out: &mut String, d: &Dict, s: &Settings, room: usize) {
    let sorted = match &d.keys {
        // A keyed table whose only key column is sorted is sorted as a whole.
        Value::Table(t) => {
            matches!(&t.cols[..], [Value::Vec(v)] if v.attr == Attr::Sorted)
                && matches!(d.vals, Value::Table(_))
        }
        // The keys of a step dictionary may carry the attribute themselves.
        Value::Vec(v) => d.step && v.attr != Attr::Sorted,
        _ => d.step,
    };
    let brackets = match &d.keys {
        Value::Vec(v) => v.len() < 2 && !(v.kind == Kind::Char && v.is_empty()) || v.kind == Kind::Enum,
        Value::List(l) => l.len() == 1,
        _ => true,
    };
    if brackets {
        out.push('(');
    }
    if sorted {
        out.push_str("`s#");
    }
    put(out, &d.keys, s, room);
    if brackets {
        out.push(')');
    }
    out.push('!');
    put(out, &d.vals, s, room);
}

fn table(out: &mut String, t: &Table, s: &Settings, room: usize) {
    let one = t.names.len() == 1;
    out.push_str(if one { "+(,`" } else { "+`" });
    for (i, name) in t.names.iter().enumerate() {
        if i > 0 {
            out.push('`');
        }
        out.push_str(name.text());
    }
    out.push_str(if one { ")!" } else { "!" });
    list(out, t.cols.iter(), t.cols.len(), s, room);
}
