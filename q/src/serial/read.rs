//! Bytes → value. Any bytes are taken: what is no message signals, and nothing is allocated on its word alone.

use super::{DEPTH, ELIDED, HEADER, STEP};
use crate::buf::Buf;
use crate::error::{Error, Result, Source};
use crate::fun::{FUNS, Prim};
use crate::kind::{Kind, Store};
use crate::sym::Sym;
use crate::value::{Attr, Data, Dict, Elem, Func, Guid, Iter, Proj, Value, Vector};
use bytemuck::Pod;
use std::sync::Arc;

/// `-9!x`: the value in a message. `'badmsg` for a header or an object that does not hold together, `'nyi`
/// for a compressed or big-endian message.
pub fn from_bytes(bytes: &[u8]) -> Result<Value> {
    let header: &[u8; HEADER] = bytes.first_chunk().ok_or_else(bad)?;
    if header[0] != 1 {
        return Err(Error::new("nyi").detail("a big-endian message"));
    }
    if header[2] != 0 {
        return Err(Error::new("nyi").detail("a compressed message"));
    }
    let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if len != bytes.len() {
        return Err(bad());
    }
    object(&bytes[HEADER..])
}

/// The value in the bytes of one object, all of which it must take.
pub fn object(bytes: &[u8]) -> Result<Value> {
    let mut reader = Reader { rest: bytes };
    let value = reader.value(0)?;
    if reader.rest.is_empty() { Ok(value) } else { Err(bad()) }
}

fn bad() -> Error {
    Error::new("badmsg")
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (part, rest) = self.rest.split_at_checked(n).ok_or_else(bad)?;
        self.rest = rest;
        Ok(part)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn count(&mut self) -> Result<usize> {
        let n = i32::from_le_bytes(self.take(4)?.try_into().map_err(|_| bad())?);
        usize::try_from(n).map_err(|_| bad())
    }

    /// A zero-terminated symbol.
    fn symbol(&mut self) -> Result<Sym> {
        let n = self.rest.iter().position(|&b| b == 0).ok_or_else(bad)?;
        let sym = Sym::from_bytes(&self.rest[..n]);
        self.rest = &self.rest[n + 1..];
        Ok(sym)
    }

    fn elem<T: Pod>(&mut self) -> Result<T> {
        Ok(bytemuck::pod_read_unaligned(self.take(size_of::<T>())?))
    }

    fn elems<T: Elem>(&mut self, n: usize) -> Result<Data> {
        let bytes = self.take(n.checked_mul(size_of::<T>()).ok_or_else(bad)?)?;
        let mut buf = Buf::<T>::stale(n);
        bytemuck::cast_slice_mut(buf.make_mut()).copy_from_slice(bytes);
        Ok(T::data(buf))
    }

    fn values(&mut self, n: usize, depth: usize) -> Result<Vec<Value>> {
        // Each value takes a byte at least, so a count past the end is found before memory is asked for.
        if n > self.rest.len() {
            return Err(bad());
        }
        // A plain loop: adaptors between two levels would take most of the stack.
        let mut values = Vec::with_capacity(n);
        for _ in 0..n {
            values.push(self.value(depth + 1)?);
        }
        Ok(values)
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        if depth > DEPTH {
            return Err(Error::new("limit"));
        }
        let code = self.byte()? as i8;
        // Each arm is a call, so that a level of nesting takes little of the stack.
        match code {
            -128 => self.signal(),
            0 => self.list(depth),
            98 => self.table(depth),
            99 | STEP => self.dict(code == STEP, depth),
            100..=111 => self.function(code, depth),
            _ => self.plain(code),
        }
    }

    fn signal(&mut self) -> Result<Value> {
        let name = self.symbol()?;
        Err(Error::new(name.text()))
    }

    fn list(&mut self, depth: usize) -> Result<Value> {
        self.byte()?;
        let n = self.count()?;
        Ok(Value::list(self.values(n, depth)?))
    }

    fn dict(&mut self, step: bool, depth: usize) -> Result<Value> {
        let (keys, vals) = (self.value(depth + 1)?, self.value(depth + 1)?);
        if keys.count() != vals.count() {
            return Err(bad());
        }
        Ok(Value::Dict(Arc::new(Dict { keys, vals, step })))
    }

    fn plain(&mut self, code: i8) -> Result<Value> {
        let kind = Kind::from_code(code.checked_abs().ok_or_else(bad)?).ok_or_else(bad)?;
        if kind == Kind::Enum {
            return Err(bad());
        }
        if code < 0 { self.atom(kind) } else { self.vector(kind) }
    }

    fn atom(&mut self, kind: Kind) -> Result<Value> {
        Ok(match kind.store() {
            Store::B => {
                let x = self.byte()?;
                Value::atom(kind, if kind == Kind::Bool { (x != 0) as u8 } else { x })
            }
            Store::G => Value::atom(kind, self.elem::<Guid>()?),
            Store::H => Value::atom(kind, self.elem::<i16>()?),
            Store::I => Value::atom(kind, self.elem::<i32>()?),
            Store::J => Value::atom(kind, self.elem::<i64>()?),
            Store::E => Value::atom(kind, self.elem::<f32>()?),
            Store::F => Value::atom(kind, self.elem::<f64>()?),
            Store::S => Value::atom(kind, self.symbol()?),
        })
    }

    fn vector(&mut self, kind: Kind) -> Result<Value> {
        let attr = match self.byte()? {
            0 => Attr::None,
            1 => Attr::Sorted,
            2 => Attr::Unique,
            3 => Attr::Parted,
            4 => Attr::Grouped,
            _ => return Err(bad()),
        };
        let n = self.count()?;
        let data = match kind.store() {
            Store::B => self.elems::<u8>(n)?,
            Store::G => self.elems::<Guid>(n)?,
            Store::H => self.elems::<i16>(n)?,
            Store::I => self.elems::<i32>(n)?,
            Store::J => self.elems::<i64>(n)?,
            Store::E => self.elems::<f32>(n)?,
            Store::F => self.elems::<f64>(n)?,
            Store::S => {
                if n > self.rest.len() {
                    return Err(bad());
                }
                Data::S((0..n).map(|_| self.symbol()).collect::<Result<Vec<Sym>>>()?.into())
            }
        };
        let data = match data {
            Data::B(x) if kind == Kind::Bool => Data::B(x.iter().map(|&b| (b != 0) as u8).collect()),
            data => data,
        };
        Ok(Value::Vec(Vector { kind, attr, data, domain: None }))
    }

    fn table(&mut self, depth: usize) -> Result<Value> {
        self.byte()?;
        let Value::Dict(d) = self.value(depth + 1)? else { return Err(bad()) };
        let Value::Vec(Vector { data: Data::S(names), .. }) = &d.keys else { return Err(bad()) };
        let cols: Vec<Value> = match &d.vals {
            Value::List(cols) => cols.to_vec(),
            _ => return Err(bad()),
        };
        let rows = cols.first().ok_or_else(bad)?.count();
        if cols.iter().any(|c| c.is_atom() || c.count() != rows) {
            return Err(bad());
        }
        Ok(Value::table(names.to_vec(), cols))
    }

    fn function(&mut self, code: i8, depth: usize) -> Result<Value> {
        match code {
            100 => {
                let space = self.symbol()?;
                let text = self.value(depth + 1)?;
                lambda(space, text.as_chars().ok_or_else(bad)?)
            }
            101 | 102 => {
                let g = self.byte()?;
                if code == 101 && g == ELIDED {
                    return Ok(Value::prim(Prim::Elided));
                }
                let row = FUNS.iter().find(|f| f.qtype == code && f.code == g).ok_or_else(bad)?;
                Ok(Value::prim(row.prim))
            }
            103 => Ok(Value::Fun(Func::Iter(iter(self.byte()?)?))),
            104 => {
                let n = self.count()?;
                let mut items = self.values(n, depth)?;
                if items.is_empty() {
                    return Err(bad());
                }
                let fun = items.remove(0);
                let hole = |v: Value| (v.as_prim() != Some(Prim::Elided)).then_some(v);
                let args = items.into_iter().map(hole).collect();
                Ok(Value::Fun(Func::Proj(Arc::new(Proj { fun, args }))))
            }
            105 => {
                let n = self.count()?;
                Ok(Value::Fun(Func::Comp(Arc::new(self.values(n, depth)?))))
            }
            _ => Ok(Value::Fun(Func::Derived(iter((code - 106) as u8)?, Arc::new(self.value(depth + 1)?)))),
        }
    }
}

fn iter(code: u8) -> Result<Iter> {
    [Iter::Each, Iter::Over, Iter::Scan, Iter::Prior, Iter::Right, Iter::Left]
        .get(code as usize)
        .copied()
        .ok_or_else(bad)
}

/// A keyword's name stands for the keyword; anything else must parse to one lambda.
fn lambda(space: Sym, text: &[u8]) -> Result<Value> {
    if let Some(value) = std::str::from_utf8(text).ok().and_then(crate::parse::keyword) {
        return Ok(value);
    }
    let source = Arc::new(Source { text: text.into(), file: None, line: 1 });
    match crate::parse::expression(&source, space)? {
        (value @ Value::Fun(Func::Lambda(_)), _) => Ok(value),
        _ => Err(bad()),
    }
}
