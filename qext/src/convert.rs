//! q's objects to values, and values to q's objects. Vectors are copied; see the crate's head for what is not
//! converted yet.

use crate::api::{Api, ELEMENTS, K};
use bytemuck::Pod;
use q::error::nyi;
use q::value::{Attr, Data, Elem, Guid, Raw, Vector};
use q::{Buf, Error, Kind, Result, Sym, Value};
use std::ffi::{CStr, CString, c_char};
use std::slice;

/// The value of a q object, which stays the caller's.
///
/// # Safety
/// `x` must be a live object of q's, and nothing may write to it during the call.
pub unsafe fn to_value(x: K) -> Result<Value> {
    // SAFETY: the caller vouches for the object; a vector's elements and a dictionary's parts are as its type
    // says, which is what q itself relies on.
    unsafe {
        let t = (*x).t;
        match t {
            -19..=-1 => atom(x, Kind::from_code(-t).ok_or_else(unknown)?),
            1..=19 => vector(x, Kind::from_code(t).ok_or_else(unknown)?),
            0 => {
                let items: Result<Vec<Value>> = elements::<K>(x).iter().map(|&k| to_value(k)).collect();
                Ok(Value::list(items?))
            }
            98 => {
                let Value::Dict(d) = to_value((*x).body.k)? else { return Err(unknown()) };
                let (Value::Vec(names), Value::List(cols)) = (&d.keys, &d.vals) else {
                    return Err(unknown());
                };
                let names = names.elems::<Sym>().ok_or_else(unknown)?.to_vec();
                Ok(Value::table(names, cols.to_vec()))
            }
            99 => {
                let parts = elements_of::<K>(x, 2);
                Ok(Value::dict(to_value(parts[0])?, to_value(parts[1])?))
            }
            101 if (*x).body.g == 0 => Ok(Value::null()),
            20..=76 | -76..=-20 => nyi("enumerations from kdb+"),
            _ => nyi("functions from kdb+"),
        }
    }
}

fn unknown() -> Error {
    Error::new("type").detail("an object of a type that q's interface does not name")
}

unsafe fn elements<'a, T: Copy>(x: K) -> &'a [T] {
    // SAFETY: as for `to_value`; a vector's count is `n`.
    unsafe { elements_of(x, (*x).body.n as usize) }
}

unsafe fn elements_of<'a, T: Copy>(x: K, n: usize) -> &'a [T] {
    // SAFETY: as for `to_value`; the elements begin `ELEMENTS` bytes into the block, aligned to 16.
    unsafe { slice::from_raw_parts(x.cast::<u8>().add(ELEMENTS).cast::<T>(), n) }
}

unsafe fn symbol(s: *const c_char) -> Sym {
    // SAFETY: q's symbols end in a zero byte and are never freed.
    Sym::from_bytes(unsafe { CStr::from_ptr(s) }.to_bytes())
}

unsafe fn atom(x: K, kind: Kind) -> Result<Value> {
    use q::Store::*;
    // SAFETY: as for `to_value`; the kind says which member of the body q wrote.
    unsafe {
        let body = (*x).body;
        Ok(match kind.store() {
            B => Value::atom(kind, body.g),
            G => Value::atom(kind, Guid(elements_of::<[u8; 16]>(x, 1)[0])),
            H => Value::atom(kind, body.h),
            I => Value::atom(kind, body.i),
            J => Value::atom(kind, body.j),
            E => Value::atom(kind, body.e),
            F => Value::atom(kind, body.f),
            S => Value::atom(kind, symbol(body.s)),
        })
    }
}

unsafe fn vector(x: K, kind: Kind) -> Result<Value> {
    use q::Store::*;
    unsafe fn plain<T: Elem>(x: K) -> Data {
        // SAFETY: as for `to_value`; the kind's storage is `T`.
        T::data(Buf::from_slice(unsafe { elements::<T>(x) }))
    }
    // SAFETY: as for `to_value`.
    let data = unsafe {
        match kind.store() {
            B => plain::<u8>(x),
            G => plain::<Guid>(x),
            H => plain::<i16>(x),
            I => plain::<i32>(x),
            J => plain::<i64>(x),
            E => plain::<f32>(x),
            F => plain::<f64>(x),
            S => Data::S(elements::<*const c_char>(x).iter().map(|&s| symbol(s)).collect()),
        }
    };
    // SAFETY: as for `to_value`.
    let attr = match unsafe { (*x).u } {
        1 => Attr::Sorted,
        2 => Attr::Unique,
        3 => Attr::Parted,
        4 => Attr::Grouped,
        _ => Attr::None,
    };
    Ok(Value::Vec(Vector { kind, attr, data, domain: None }))
}

/// A new q object with `value`'s contents, owned by the caller.
///
/// # Safety
/// To be called on q's own thread, as q's allocator demands.
pub unsafe fn from_value(q: &Api, value: &Value) -> Result<K> {
    // SAFETY: each object is written in full, by its own type, before anyone else sees it.
    unsafe {
        match value {
            Value::Atom(a) if a.kind == Kind::Enum => nyi("enumerations to kdb+"),
            Value::Vec(v) if v.kind == Kind::Enum => nyi("enumerations to kdb+"),
            Value::Atom(a) => put_atom(q, a.kind, a.raw),
            Value::Vec(v) => put_vector(q, v),
            Value::List(l) => put_list(q, l),
            Value::Dict(d) => {
                let keys = from_value(q, &d.keys)?;
                match from_value(q, &d.vals) {
                    Ok(vals) => Ok((q.xd)(keys, vals)),
                    Err(e) => {
                        (q.r0)(keys);
                        Err(e)
                    }
                }
            }
            Value::Table(t) => {
                let cols = put_list(q, &t.cols)?;
                let names = from_value(q, &Value::syms(t.names.iter().copied()))?;
                Ok((q.xt)((q.xd)(names, cols)))
            }
            Value::Fun(_) if value.is_null_fn() => {
                let x = (q.ka)(101);
                (*x).body.j = 0;
                Ok(x)
            }
            Value::Fun(_) => nyi("functions to kdb+"),
        }
    }
}

unsafe fn put_list(q: &Api, items: &[Value]) -> Result<K> {
    // SAFETY: as for `from_value`; on an error what was made so far is released, and nothing else.
    unsafe {
        let mut made: Vec<K> = Vec::with_capacity(items.len());
        for item in items {
            match from_value(q, item) {
                Ok(k) => made.push(k),
                Err(e) => {
                    made.into_iter().for_each(|k| (q.r0)(k));
                    return Err(e);
                }
            }
        }
        let x = (q.ktn)(0, made.len() as i64);
        x.cast::<u8>().add(ELEMENTS).cast::<K>().copy_from_nonoverlapping(made.as_ptr(), made.len());
        Ok(x)
    }
}

unsafe fn put_atom(q: &Api, kind: Kind, raw: Raw) -> Result<K> {
    // SAFETY: as for `from_value`; the member written is the one that the type names.
    unsafe {
        let text = if let Raw::S(s) = raw { Some(c_text(s)?) } else { None };
        let x = (q.ka)(-(kind.code() as i32));
        match raw {
            Raw::B(v) => (*x).body.g = v,
            Raw::G(v) => x.cast::<u8>().add(ELEMENTS).cast::<Guid>().write(v),
            Raw::H(v) => (*x).body.h = v,
            Raw::I(v) => (*x).body.i = v,
            Raw::J(v) => (*x).body.j = v,
            Raw::E(v) => (*x).body.e = v,
            Raw::F(v) => (*x).body.f = v,
            Raw::S(_) => (*x).body.s = (q.ss)(text.expect("a symbol's text was made above").as_ptr()),
        }
        Ok(x)
    }
}

unsafe fn put_vector(q: &Api, v: &Vector) -> Result<K> {
    unsafe fn plain<T: Pod>(x: K, items: &[T]) {
        // SAFETY: the block has room for as many elements of the kind's storage as it was made for.
        unsafe {
            x.cast::<u8>().add(ELEMENTS).cast::<T>().copy_from_nonoverlapping(items.as_ptr(), items.len());
        }
    }
    // SAFETY: as for `from_value`.
    unsafe {
        let texts = match &v.data {
            Data::S(syms) => syms.iter().map(|&s| c_text(s)).collect::<Result<Vec<_>>>()?,
            _ => vec![],
        };
        let x = (q.ktn)(v.kind.code() as i32, v.len() as i64);
        match &v.data {
            Data::B(d) => plain(x, d),
            Data::G(d) => plain(x, d),
            Data::H(d) => plain(x, d),
            Data::I(d) => plain(x, d),
            Data::J(d) => plain(x, d),
            Data::E(d) => plain(x, d),
            Data::F(d) => plain(x, d),
            Data::S(_) => {
                let at = x.cast::<u8>().add(ELEMENTS).cast::<*mut c_char>();
                for (i, text) in texts.iter().enumerate() {
                    at.add(i).write((q.ss)(text.as_ptr()));
                }
            }
        }
        // Only q itself may claim more: unique, parted and grouped come with an index that q builds.
        if v.attr == Attr::Sorted {
            (*x).u = 1;
        }
        Ok(x)
    }
}

/// A symbol's bytes with a zero at the end; q's symbols cannot hold a zero byte.
fn c_text(s: Sym) -> Result<CString> {
    CString::new(s.bytes())
        .map_err(|_| Error::new("type").detail("a symbol with a zero byte cannot go to kdb+"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shim;

    fn there_and_back(value: &Value) -> Value {
        // SAFETY: the shim's objects are laid out as q's, and this thread is its only user.
        unsafe {
            let k = from_value(&shim::API, value).expect("the value has a q form");
            let back = to_value(k).expect("the object is one that was just made");
            (shim::API.r0)(k);
            back
        }
    }

    #[test]
    fn every_kind_keeps_its_bits() {
        let values = [
            Value::bool(true),
            Value::atom(Kind::Guid, Guid([7; 16])),
            Value::atom(Kind::Byte, 0xffu8),
            Value::atom(Kind::Short, i16::MIN),
            Value::int(i32::MIN),
            Value::long(i64::MIN),
            Value::atom(Kind::Real, -0.0f32),
            Value::float(f64::from_bits(0x7ff8_0000_0000_0001)),
            Value::atom(Kind::Char, b' '),
            Value::sym(Sym::from_bytes(&[0xe9])),
            Value::atom(Kind::Timestamp, -1i64),
            Value::atom(Kind::Time, 86_399_999i32),
            Value::vector(Kind::Guid, Buf::from_slice(&[Guid([1; 16]), Guid::default()])),
            Value::floats([f64::INFINITY, -0.0]),
            Value::vector::<i64>(Kind::Long, Buf::new()),
            Value::syms([Sym::NULL, Sym::new("b")]),
            Value::list(vec![Value::chars(b"ab"), Value::null(), Value::list(vec![])]),
            Value::dict(Value::syms(["a".into()]), Value::longs([1])),
            Value::table(vec!["x".into(), "y".into()], vec![Value::longs([1, 2]), Value::chars(b"ab")]),
        ];
        let before = shim::live();
        for v in &values {
            // The printed form tells bits of floats apart where `==` does not.
            let (a, b) = (format!("{:?}", v), format!("{:?}", there_and_back(v)));
            assert_eq!(a, b);
            if let (Value::Atom(x), Value::Atom(y)) = (v, &there_and_back(v))
                && let (Some(x), Some(y)) = (x.elem::<f64>(), y.elem::<f64>())
            {
                assert_eq!(x.to_bits(), y.to_bits());
            }
        }
        assert_eq!(shim::live(), before, "every object that was made is released");
    }

    #[test]
    fn what_has_no_form_releases_what_was_made() {
        let plus = Value::prim(q::Prim::Add);
        let value =
            Value::list(vec![Value::longs([1]), Value::dict(Value::longs([1]), Value::list(vec![plus]))]);
        let before = shim::live();
        // SAFETY: as above.
        assert_eq!(unsafe { from_value(&shim::API, &value) }.expect_err("no form yet").name, "nyi");
        assert_eq!(shim::live(), before);
    }

    #[test]
    fn attributes_come_in_all_and_go_out_sorted_only() {
        let mut v = Vector::new::<i64>(Kind::Long, Buf::from_slice(&[1, 2]));
        v.attr = Attr::Sorted;
        assert!(matches!(there_and_back(&Value::Vec(v.clone())), Value::Vec(v) if v.attr == Attr::Sorted));
        v.attr = Attr::Grouped;
        assert!(matches!(there_and_back(&Value::Vec(v)), Value::Vec(v) if v.attr == Attr::None));
    }
}
