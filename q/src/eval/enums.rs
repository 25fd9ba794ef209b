//! Enumerations: symbols held as positions in a global list of symbols.

use super::{Interp, find, item, sets};
use crate::buf::Buf;
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Atom, Domain, Raw, Value, Vector};
use std::sync::Arc;

/// The symbols of the global `name`.
fn symbols(q: &Interp, name: Sym) -> Option<Buf<Sym>> {
    match q.global(name)? {
        // A keyed table's single key column is a domain too: a foreign key.
        Value::Dict(d) => super::dict::sym_keys(d.keys_table()?.cols.first()?),
        syms => super::dict::sym_keys(&syms),
    }
}

fn domain(q: &Interp, name: Sym) -> Result<Arc<Domain>> {
    match symbols(q, name) {
        Some(syms) => Ok(Arc::new(Domain { name, syms })),
        None => Err(Error::new(name.text())),
    }
}

/// True if `x` names a list of symbols and `y` are indices into it.
pub fn is_domain(q: &Interp, x: &Value, y: &Value) -> bool {
    let ints = matches!(y.type_code().unsigned_abs(), 5..=7);
    ints && x.as_sym().and_then(|s| symbols(q, s)).is_some()
}

/// `` `name$y ``: `y`'s symbols (of any depth) as an enumeration; `'cast` if the list lacks one.
pub fn cast(q: &Interp, name: Sym, y: &Value) -> Result<Value> {
    enumerate(&domain(q, name)?, y)
}

fn enumerate(domain: &Arc<Domain>, y: &Value) -> Result<Value> {
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
        let all = super::join::join(item::bare(known), &fresh)?;
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
