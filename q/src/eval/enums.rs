//! Enumerations: symbols held as positions in a global list of symbols.

use super::{Interp, find, item, sets};
use crate::buf::Buf;
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Atom, Data, Domain, Raw, Table, Value, Vector};
use std::sync::Arc;

impl Domain {
    /// How many positions stand for something.
    pub fn len(&self) -> usize {
        self.keys.as_ref().map_or(self.syms.len(), Value::count)
    }

    /// True if no position stands for anything.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind of what positions stand for.
    pub fn kind(&self) -> Kind {
        match &self.keys {
            None => Kind::Sym,
            Some(Value::Vec(v)) => v.kind,
            Some(_) => Kind::Long,
        }
    }

    /// What the position `i` stands for: a symbol, an item of a key column (a null outside), or itself.
    pub fn atom(&self, i: i64) -> Atom {
        let at = usize::try_from(i).unwrap_or(usize::MAX);
        let raw = match &self.keys {
            None => Raw::S(self.syms.get(at).copied().unwrap_or(Sym::NULL)),
            Some(Value::Vec(v)) if at < v.len() => v.data.raw(at),
            Some(Value::Vec(v)) => crate::literal::null(v.kind),
            Some(_) => Raw::J(i),
        };
        Atom { kind: self.kind(), raw, domain: None }
    }

    /// What the positions `at` stand for.
    pub fn values(&self, at: &Buf<i64>) -> Vector {
        let sym = |&i: &i64| self.syms.get(i as usize).copied().unwrap_or(Sym::NULL);
        match &self.keys {
            None => Vector::new(Kind::Sym, at.iter().map(sym).collect()),
            Some(Value::Vec(v)) => match item::gather(&Value::Vec(v.clone()), at) {
                Value::Vec(v) => v,
                _ => Vector::new(Kind::Long, at.clone()),
            },
            Some(_) => Vector::new(Kind::Long, at.clone()),
        }
    }
}

/// The values of an enumeration that stands for no symbols; none for all else.
pub fn resolved(x: &Value) -> Option<Value> {
    match x {
        Value::Vec(Vector { kind: Kind::Enum, data: Data::J(at), domain: Some(d), .. })
            if d.keys.is_some() =>
        {
            Some(Value::Vec(d.values(at)))
        }
        Value::Atom(Atom { kind: Kind::Enum, raw: Raw::J(i), domain: Some(d) }) if d.keys.is_some() => {
            Some(Value::Atom(d.atom(*i)))
        }
        _ => None,
    }
}

/// What the global `name` is as a domain: a list of symbols, a keyed table by its key, any table by its rows,
/// and a name that is not set yet by what it will hold.
fn domain(q: &Interp, name: Sym) -> Result<Arc<Domain>> {
    let of = |syms, keys| Ok(Arc::new(Domain { name, syms, keys }));
    let Some(global) = q.global(name) else { return of(Buf::new(), Some(Value::list(vec![]))) };
    match &global {
        Value::Dict(d) => {
            let Some(keys) = d.keys_table() else { return type_error() };
            match keys.cols.as_slice() {
                [col] => match super::dict::sym_keys(col) {
                    Some(syms) => of(syms, None),
                    None => of(Buf::new(), Some(item::bare(col.clone()))),
                },
                _ => of(Buf::new(), Some(Value::list(rows(keys)))),
            }
        }
        Value::Table(_) => of(Buf::new(), Some(Value::list(vec![]))),
        syms => match super::dict::sym_keys(syms) {
            Some(syms) => of(syms, None),
            None => type_error(),
        },
    }
}

/// Each row of a table as a list.
fn rows(t: &Table) -> Vec<Value> {
    let row = |i| item::collect(t.cols.iter().map(|c| item::item(c, i)).collect());
    (0..t.rows()).map(row).collect()
}

/// True if `y` are indices, which `x` can be the domain of.
pub fn is_domain(x: &Value, y: &Value) -> bool {
    x.as_sym().is_some() && matches!(y.type_code().unsigned_abs(), 5..=7)
}

/// `x` with its domain, or those of its columns, as their variables are now: the symbols that an enumeration stands
/// for change with the variable.
pub fn fresh(q: &Interp, x: Value) -> Value {
    match &x {
        Value::Table(t) if t.cols.iter().any(|c| renewed(q, c).is_some()) => {
            let cols = t.cols.iter().map(|c| renewed(q, c).unwrap_or_else(|| c.clone()));
            Value::table(t.names.clone(), cols.collect())
        }
        _ => renewed(q, &x).unwrap_or(x),
    }
}

/// An enumeration whose variable holds other symbols now, with these; none for all else.
fn renewed(q: &Interp, x: &Value) -> Option<Value> {
    let was = match x {
        Value::Vec(v) => v.domain.as_ref()?,
        Value::Atom(a) => a.domain.as_ref()?,
        _ => return None,
    };
    let now = domain(q, was.name).ok()?;
    if now.keys.is_some() || was.keys.is_some() || now.syms.as_ptr() == was.syms.as_ptr() {
        return None;
    }
    Some(match x {
        Value::Vec(v) => Value::Vec(Vector { domain: Some(now), ..v.clone() }),
        Value::Atom(a) => Value::Atom(Atom { domain: Some(now), ..a.clone() }),
        _ => x.clone(),
    })
}

/// `` `name$y ``: `y`'s symbols (of any depth) as an enumeration; `'cast` if the list lacks one.
pub fn cast(q: &Interp, name: Sym, y: &Value) -> Result<Value> {
    if q.global(name).is_none() {
        return Err(Error::new(name.text()));
    }
    enumerate(&domain(q, name)?, y)
}

/// `y` as positions in `domain`; `'cast` for what the domain lacks.
pub fn enumerate(domain: &Arc<Domain>, y: &Value) -> Result<Value> {
    if let Some(keys) = &domain.keys {
        return among(domain, keys, &super::value::unenum(y));
    }
    match y {
        Value::Atom(a) if a.kind == Kind::Enum => {
            let plain = super::value::unenum(y);
            enumerate(domain, &plain)
        }
        Value::Atom(_) => match y.as_sym() {
            Some(s) => index_of(domain, s).map(Value::Atom),
            None => type_error(),
        },
        Value::Vec(v) => {
            let v = super::prim::unenum_vector(v);
            if v.kind != Kind::Sym {
                return type_error();
            }
            let all = Value::vector(Kind::Sym, domain.syms.clone());
            let at = find::find_each(&all, &Value::Vec(v.clone()))?;
            let n = domain.syms.len() as i64;
            let nulls = v.elems::<Sym>().cloned().unwrap_or_default();
            let mut out = Vec::with_capacity(at.len());
            for (&i, s) in at.iter().zip(nulls.iter()) {
                match i {
                    i if i < n => out.push(i),
                    _ if s.is_null() => out.push(i64::MIN),
                    _ => return Err(Error::new("cast")),
                }
            }
            Ok(Value::Vec(Vector { domain: Some(domain.clone()), ..Vector::new(Kind::Enum, out.into()) }))
        }
        Value::List(l) if l.is_empty() => enumerate(domain, &Value::syms([])),
        Value::List(l) => Ok(Value::list(l.iter().map(|y| enumerate(domain, y)).collect::<Result<_>>()?)),
        _ => type_error(),
    }
}

/// The positions of `y`, an item or items of the key `keys`.
fn among(domain: &Arc<Domain>, keys: &Value, y: &Value) -> Result<Value> {
    let one = match keys {
        Value::Vec(_) => y.is_atom(),
        _ => y.count() == 0 || item::items(y).iter().all(Value::is_atom),
    };
    let listed = if one { Value::list(vec![y.clone()]) } else { y.clone() };
    let items = Value::list(item::items(keys));
    let at = find::find_each(&items, &Value::list(item::items(&listed)))?;
    if at.iter().any(|&i| i == keys.count() as i64) {
        return Err(Error::new("cast"));
    }
    let all = Vector { domain: Some(domain.clone()), ..Vector::new(Kind::Enum, at) };
    Ok(if one { Value::Atom(all.get(0)) } else { Value::Vec(all) })
}

/// A symbol's place in a domain.
pub fn index_of(domain: &Arc<Domain>, s: Sym) -> Result<Atom> {
    let at = match domain.syms.iter().position(|d| *d == s) {
        Some(i) => i as i64,
        None if s.is_null() => i64::MIN,
        None => return Err(Error::new("cast")),
    };
    Ok(Atom { kind: Kind::Enum, raw: Raw::J(at), domain: Some(domain.clone()) })
}

/// `` `name?y ``: as [`cast`], after adding to the list what it lacks; makes the list if there is none.
pub fn extend(q: &mut Interp, name: Sym, y: &Value) -> Result<Value> {
    let flat = super::value::unenum(&sets::listed(y));
    let known = match q.global(name) {
        None => Value::syms([]),
        Some(v) => v,
    };
    if super::dict::sym_keys(&known).is_none() || super::dict::sym_keys(&flat).is_none() {
        return type_error();
    }
    let fresh = sets::except(&find::distinct(&flat)?, &known)?;
    if fresh.count() > 0 || q.global(name).is_none() {
        q.may_amend()?;
        let all = super::join::join(known, &fresh)?;
        q.set_global(name, all)?;
    }
    cast(q, name, &super::value::unenum(y))
}

/// `` `name!i ``: an enumeration by its indices.
pub fn from_index(q: &Interp, name: Sym, y: &Value) -> Result<Value> {
    let domain = domain(q, name)?;
    match y {
        Value::Atom(_) => {
            let at = y.as_long().unwrap_or(i64::MIN);
            Ok(Value::Atom(Atom { kind: Kind::Enum, raw: Raw::J(at), domain: Some(domain) }))
        }
        _ => {
            let Some(at) = item::positions(y) else { return type_error() };
            Ok(Value::Vec(Vector { domain: Some(domain), ..Vector::new(Kind::Enum, at) }))
        }
    }
}
