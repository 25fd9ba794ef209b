//! Value → bytes.

use super::{DEPTH, ELIDED, HEADER, STEP};
use crate::error::{Error, Result, nyi};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Atom, Attr, Data, Func, Raw, Value, Vector};

/// `-8!x`: the message that holds `x`. A host function or virtual object signals `'nyi`; more than 2 GB of
/// bytes, or nesting deeper than 500, `'limit`.
pub fn to_bytes(x: &Value) -> Result<Vec<u8>> {
    let mut out = vec![1, 0, 0, 0, 0, 0, 0, 0];
    object(&mut out, x, 0)?;
    let len = i32::try_from(out.len()).map_err(|_| Error::new("limit"))?;
    out[4..HEADER].copy_from_slice(&len.to_le_bytes());
    Ok(out)
}

fn object(out: &mut Vec<u8>, x: &Value, depth: usize) -> Result<()> {
    if depth > DEPTH || out.len() > i32::MAX as usize {
        return Err(Error::new("limit"));
    }
    match x {
        Value::Atom(a) => atom(out, a),
        Value::Vec(v) => vector(out, v)?,
        Value::List(items) => {
            out.extend([0, 0]);
            count(out, items.len())?;
            for item in items.iter() {
                object(out, item, depth + 1)?;
            }
        }
        Value::Dict(d) => {
            out.push(if d.step { STEP as u8 } else { 99 });
            object(out, &d.keys, depth + 1)?;
            object(out, &d.vals, depth + 1)?;
        }
        Value::Table(t) => {
            out.extend([98, 0, 99]);
            object(out, &Value::syms(t.names.iter().copied()), depth + 1)?;
            object(out, &Value::list(t.cols.clone()), depth + 1)?;
        }
        Value::Fun(f) => function(out, f, depth)?,
    }
    Ok(())
}

fn count(out: &mut Vec<u8>, n: usize) -> Result<()> {
    out.extend(i32::try_from(n).map_err(|_| Error::new("limit"))?.to_le_bytes());
    Ok(())
}

fn symbol(out: &mut Vec<u8>, s: Sym) {
    out.extend(s.bytes());
    out.push(0);
}

fn atom(out: &mut Vec<u8>, a: &Atom) {
    if let (Raw::J(i), Some(domain)) = (a.raw, a.domain.as_ref().filter(|d| d.keys.is_some())) {
        return atom(out, &domain.atom(i));
    }
    let kind = if a.kind == Kind::Enum { Kind::Sym } else { a.kind };
    out.push(kind.code().wrapping_neg() as u8);
    match (a.raw, &a.domain) {
        (Raw::J(i), Some(domain)) => symbol(out, at(&domain.syms, i)),
        (Raw::B(x), _) => out.push(x),
        (Raw::G(x), _) => out.extend(x.0),
        (Raw::H(x), _) => out.extend(x.to_le_bytes()),
        (Raw::I(x), _) => out.extend(x.to_le_bytes()),
        (Raw::J(x), _) => out.extend(x.to_le_bytes()),
        (Raw::E(x), _) => out.extend(x.to_le_bytes()),
        (Raw::F(x), _) => out.extend(x.to_le_bytes()),
        (Raw::S(x), _) => symbol(out, x),
    }
}

/// The symbol at an enumeration's index; the null symbol for an index outside.
fn at(syms: &[Sym], i: i64) -> Sym {
    usize::try_from(i).ok().and_then(|i| syms.get(i)).copied().unwrap_or(Sym::NULL)
}

fn vector(out: &mut Vec<u8>, v: &Vector) -> Result<()> {
    if v.domain.as_ref().is_some_and(|d| d.keys.is_some()) {
        return vector(out, &crate::eval::prim::unenum_vector(v));
    }
    let kind = if v.kind == Kind::Enum { Kind::Sym } else { v.kind };
    let attr = match v.attr {
        Attr::None => 0,
        Attr::Sorted => 1,
        Attr::Unique => 2,
        Attr::Parted => 3,
        Attr::Grouped => 4,
    };
    out.extend([kind.code() as u8, attr]);
    count(out, v.len())?;
    match (&v.data, &v.domain) {
        (Data::J(x), Some(domain)) => x.iter().for_each(|&i| symbol(out, at(&domain.syms, i))),
        (Data::S(x), _) => x.iter().for_each(|&s| symbol(out, s)),
        (Data::B(x), _) => out.extend_from_slice(x),
        (Data::G(x), _) => out.extend_from_slice(bytemuck::cast_slice(x)),
        (Data::H(x), _) => out.extend_from_slice(bytemuck::cast_slice(x)),
        (Data::I(x), _) => out.extend_from_slice(bytemuck::cast_slice(x)),
        (Data::J(x), _) => out.extend_from_slice(bytemuck::cast_slice(x)),
        (Data::E(x), _) => out.extend_from_slice(bytemuck::cast_slice(x)),
        (Data::F(x), _) => out.extend_from_slice(bytemuck::cast_slice(x)),
    }
    Ok(())
}

/// A lambda: its namespace, then its text.
fn lambda(out: &mut Vec<u8>, space: Sym, text: &[u8]) -> Result<()> {
    out.push(100);
    symbol(out, space);
    vector(out, &Vector::new(Kind::Char, crate::Buf::from_slice(text)))
}

fn function(out: &mut Vec<u8>, f: &Func, depth: usize) -> Result<()> {
    match f {
        Func::Prim(Prim::Elided) => out.extend([101, ELIDED]),
        Func::Prim(p) => match (p.row().qtype, p.row().code) {
            (101 | 102, code) => out.extend([p.row().qtype as u8, code]),
            _ => lambda(out, Sym::NULL, p.row().text.as_bytes())?,
        },
        Func::Iter(i) => out.extend([103, *i as u8]),
        Func::Lambda(l) => lambda(out, l.space, &l.text)?,
        Func::Proj(p) => {
            out.push(104);
            count(out, 1 + p.args.len())?;
            object(out, &p.fun, depth + 1)?;
            for arg in &p.args {
                match arg {
                    Some(arg) => object(out, arg, depth + 1)?,
                    None => out.extend([101, ELIDED]),
                }
            }
        }
        Func::Comp(items) => {
            out.push(105);
            count(out, items.len())?;
            for item in items.iter() {
                object(out, item, depth + 1)?;
            }
        }
        Func::Derived(i, inner) => {
            out.push(106 + *i as u8);
            object(out, inner, depth + 1)?;
        }
        Func::Native(_) | Func::Virtual(_) => return nyi("a host function or object cannot be serialised"),
    }
    Ok(())
}
