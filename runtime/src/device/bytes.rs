//! Elements as bytes, and bytes as results: what all engines agree on.

use super::Output;
use crate::column::{Column, Domain, Elements};
use q::value::{Data, Raw};
use q::{Buf, Error, Kind, Result, Store, Value};
use std::sync::Arc;

/// An element's bytes as they lie in memory, followed by zeros.
pub type Word = [u8; 16];

/// A little-endian value as a word.
pub fn word<T: bytemuck::NoUninit>(x: T) -> Word {
    let mut word = [0; 16];
    let bytes = bytemuck::bytes_of(&x);
    word[..bytes.len()].copy_from_slice(bytes);
    word
}

/// The bytes of an argument of `kind`: a symbol's code arrives as an int or a long.
pub fn of(raw: Raw, kind: Kind) -> Word {
    match (raw, kind.store()) {
        (Raw::J(x), Store::S | Store::I) => word(x as i32),
        (Raw::I(x), Store::J) => word(i64::from(x)),
        (Raw::B(x), _) => word(x),
        (Raw::G(x), _) => word(x),
        (Raw::H(x), _) => word(x),
        (Raw::I(x), _) => word(x),
        (Raw::J(x), _) => word(x),
        (Raw::E(x), _) => word(x),
        (Raw::F(x), _) => word(x),
        (Raw::S(x), _) => word(x),
    }
}

/// The bytes of the null of a kind; of a symbol, of its code in every domain, which is 0.
pub fn null(kind: Kind) -> Word {
    match kind.store() {
        Store::B if kind == Kind::Char => word(q::scalar::BLANK),
        Store::B | Store::G | Store::S => [0; 16],
        Store::H => word(i16::MIN),
        Store::I => word(i32::MIN),
        Store::J => word(i64::MIN),
        Store::E => word(f32::NAN),
        Store::F => word(f64::NAN),
    }
}

/// A vector of elements of `width` bytes.
pub fn column(kind: Kind, width: usize, buf: Buf<u8>, domain: Option<Arc<Domain>>) -> Output {
    Output::Column(Column::new(kind, Elements::of_bytes(kind, width, buf), domain))
}

/// A parameter's list as a vector; a list of symbols arrives as codes.
pub fn list(kind: Kind, data: &Data, domain: Option<Arc<Domain>>) -> Output {
    let elements = match data {
        Data::I(codes) if kind == Kind::Sym => Elements::Codes32(codes.clone().cast()),
        data => Elements::Plain(data.clone()),
    };
    Output::Column(Column::new(kind, elements, domain))
}

/// An atom; a code that the domain lacks is the null symbol.
pub fn atom(kind: Kind, mut bytes: Word, domain: Option<Arc<Domain>>) -> Result<Output> {
    let code = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    if kind.store() == Store::S && domain.as_ref().is_some_and(|d| code as usize >= d.len()) {
        bytes = [0; 16];
    }
    let mut buf = Buf::<u8>::zeroed(kind.width());
    buf.make_mut().copy_from_slice(&bytes[..kind.width()]);
    let column = Column::new(kind, Elements::of_bytes(kind, kind.width(), buf), domain);
    match column.value()? {
        Value::Vec(v) if v.len() == 1 => Ok(Output::Atom(v.get(0))),
        _ => Err(Error::new("internal").detail("a vector of one element is expected")),
    }
}
