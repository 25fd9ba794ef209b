//! q values: atoms, typed vectors, general lists, dictionaries, tables and functions.
//!
//! A parse tree is a `Value` too, in q's own shape: a symbol atom is a name, an enlisted value is a constant,
//! a general list is an application.

use crate::buf::Buf;
use crate::fun::Prim;
use crate::kind::{Kind, Store};
use crate::lambda::Lambda;
use crate::nest::List;
use crate::seam::{Native, Virtual};
use crate::sym::Sym;
use bytemuck::{Pod, Zeroable};
use std::sync::Arc;

/// A guid: 16 bytes, compared bytewise; all zero is the null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Guid(pub [u8; 16]);

/// Any q value. Cloning is O(1).
#[derive(Clone, Debug)]
pub enum Value {
    /// One element; q's type is negative.
    Atom(Atom),
    /// A vector of one kind.
    Vec(Vector),
    /// A general list (0h). Never a list that q would hold as a typed vector, except where a function says so.
    List(Arc<List>),
    /// A dictionary (99h); a keyed table when keys and values are tables.
    Dict(Arc<Dict>),
    /// A table (98h).
    Table(Arc<Table>),
    /// A function, or a virtual object (100h to 112h).
    Fun(Func),
}

/// One element: its kind and its bits. Invariant: `raw`'s variant is `kind.store()`.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The element's type.
    pub kind: Kind,
    /// The element.
    pub raw: Raw,
    /// The domain of an enumeration (`Kind::Enum`), else none.
    pub domain: Option<Arc<Domain>>,
}

/// The bits of an element, by storage.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Raw {
    B(u8),
    G(Guid),
    H(i16),
    I(i32),
    J(i64),
    E(f32),
    F(f64),
    S(Sym),
}

/// A typed vector. Invariant: `data`'s variant is `kind.store()`.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The elements' type.
    pub kind: Kind,
    /// The attribute, which changes speed and display but no answer.
    pub attr: Attr,
    /// The elements.
    pub data: Data,
    /// The domain of an enumeration (`Kind::Enum`), else none.
    pub domain: Option<Arc<Domain>>,
}

/// The elements of a vector, by storage. Booleans are bytes 0 and 1.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Data {
    B(Buf<u8>),
    G(Buf<Guid>),
    H(Buf<i16>),
    I(Buf<i32>),
    J(Buf<i64>),
    E(Buf<f32>),
    F(Buf<f64>),
    S(Buf<Sym>),
}

/// q's attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)]
pub enum Attr {
    #[default]
    None,
    Sorted,
    Unique,
    Parted,
    Grouped,
}

impl Attr {
    /// The letter in `` `s#x``; empty for none.
    pub fn letter(self) -> &'static str {
        match self {
            Attr::None => "",
            Attr::Sorted => "s",
            Attr::Unique => "u",
            Attr::Parted => "p",
            Attr::Grouped => "g",
        }
    }
}

/// What an enumeration indexes: the variable's name and its symbols when the enumeration was made. A domain
/// mostly grows, so an older snapshot is a prefix of a newer one.
#[derive(Debug)]
pub struct Domain {
    /// The global that holds the symbols, or the table whose rows are meant.
    pub name: Sym,
    /// The symbols.
    pub syms: Buf<Sym>,
    /// What positions stand for if they stand for no symbols: the items of a table's key, one a row, as a foreign
    /// key has them, or the empty list for the positions themselves, as a link has them.
    pub keys: Option<Value>,
}

impl Domain {
    /// Do indices of both stand for the same symbols of a variable of one name? Lists that were enumerated one by one have
    /// domains of their own.
    pub fn is(&self, other: &Domain) -> bool {
        let same = |x: &[Sym], y: &[Sym]| std::ptr::eq(x, y) || x == y;
        self.name == other.name
            && self.keys.is_none()
            && other.keys.is_none()
            && same(&self.syms, &other.syms)
    }
}

/// A dictionary. Keys and values have the same count.
#[derive(Clone, Debug)]
pub struct Dict {
    /// The keys: a list, or the key columns of a keyed table.
    pub keys: Value,
    /// The values: a list, or the value columns of a keyed table.
    pub vals: Value,
    /// `` `s#``: a step dictionary, which looks up the last key that is not greater.
    pub step: bool,
}

/// A table: named columns of one count. There is at least one column.
#[derive(Clone, Debug)]
pub struct Table {
    /// The column names.
    pub names: Vec<Sym>,
    /// The columns: typed vectors, general lists, or anything with a count.
    pub cols: Vec<Value>,
}

/// Functions, by q's function types.
#[derive(Clone, Debug)]
pub enum Func {
    /// A primitive or keyword; its row of `FUNS` says which type q gives it (100h to 108h).
    Prim(Prim),
    /// An iterator by itself (103h).
    Iter(Iter),
    /// A user's `{…}` (100h).
    Lambda(Arc<Lambda>),
    /// A projection (104h): a function and its arguments, with `None` where one is elided.
    Proj(Arc<Proj>),
    /// A composition (105h), applied right to left.
    Comp(Arc<Vec<Value>>),
    /// A function derived by an iterator (106h to 111h).
    Derived(Iter, Arc<Value>),
    /// A function of the host program (112h).
    Native(Arc<dyn Native>),
    /// An object of the host program (112h).
    Virtual(Arc<dyn Virtual>),
}

/// A projection.
#[derive(Clone, Debug)]
pub struct Proj {
    /// What is applied when the holes are filled.
    pub fun: Value,
    /// The arguments so far.
    pub args: Vec<Option<Value>>,
}

/// q's iterators, in the order of their codes in a K object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Iter {
    /// `'`
    Each = 0,
    /// `/`
    Over = 1,
    /// `\`
    Scan = 2,
    /// `':`
    Prior = 3,
    /// `/:`
    Right = 4,
    /// `\:`
    Left = 5,
}

impl Iter {
    /// How q writes it.
    pub fn text(self) -> &'static str {
        ["'", "/", "\\", "':", "/:", "\\:"][self as usize]
    }
}

/// A plain element type, one per [`Store`].
pub trait Elem: Pod + Send + Sync + std::fmt::Debug {
    /// The storage this type is.
    const STORE: Store;
    /// Its bits as an element.
    fn raw(self) -> Raw;
    /// The element in `raw`, if it is of this type.
    fn of_raw(raw: Raw) -> Option<Self>;
    /// A vector's data.
    fn data(buf: Buf<Self>) -> Data;
    /// The vector in `data`, if its elements are of this type.
    fn of_data(data: &Data) -> Option<&Buf<Self>>;
    /// As `of_data`, for writing.
    fn of_data_mut(data: &mut Data) -> Option<&mut Buf<Self>>;
}

macro_rules! elem {
    ($($t:ty, $v:ident;)*) => {$(
        impl Elem for $t {
            const STORE: Store = Store::$v;
            fn raw(self) -> Raw { Raw::$v(self) }
            fn of_raw(raw: Raw) -> Option<Self> { if let Raw::$v(x) = raw { Some(x) } else { None } }
            fn data(buf: Buf<Self>) -> Data { Data::$v(buf) }
            fn of_data(data: &Data) -> Option<&Buf<Self>> { if let Data::$v(x) = data { Some(x) } else { None } }
            fn of_data_mut(data: &mut Data) -> Option<&mut Buf<Self>> {
                if let Data::$v(x) = data { Some(x) } else { None }
            }
        }
    )*};
}
elem! { u8, B; Guid, G; i16, H; i32, I; i64, J; f32, E; f64, F; Sym, S; }

/// Runs `$body` with `$v` bound to the typed buffer inside a `Data`.
#[macro_export]
macro_rules! each_data {
    ($data:expr, $v:ident => $body:expr) => {
        match $data {
            $crate::value::Data::B($v) => $body,
            $crate::value::Data::G($v) => $body,
            $crate::value::Data::H($v) => $body,
            $crate::value::Data::I($v) => $body,
            $crate::value::Data::J($v) => $body,
            $crate::value::Data::E($v) => $body,
            $crate::value::Data::F($v) => $body,
            $crate::value::Data::S($v) => $body,
        }
    };
}

impl Data {
    /// How many elements.
    pub fn len(&self) -> usize {
        each_data!(self, v => v.len())
    }

    /// True without elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `i`, which must exist.
    pub fn raw(&self, i: usize) -> Raw {
        each_data!(self, v => v[i].raw())
    }

    /// The elements `from..to`, sharing memory.
    pub fn slice(&self, from: usize, to: usize) -> Data {
        each_data!(self, v => Elem::data(v.slice(from..to)))
    }
}

impl Vector {
    /// A vector of `kind` without an attribute. Panics if the element type is not `kind`'s storage: a bug.
    pub fn new<T: Elem>(kind: Kind, buf: Buf<T>) -> Vector {
        assert_eq!(kind.store(), T::STORE, "a vector's elements are stored as its kind says");
        Vector { kind, attr: Attr::None, data: T::data(buf), domain: None }
    }

    /// The vector of `kind` without elements.
    pub fn empty(kind: Kind) -> Vector {
        let data = match kind.store() {
            Store::B => Data::B(Buf::new()),
            Store::G => Data::G(Buf::new()),
            Store::H => Data::H(Buf::new()),
            Store::I => Data::I(Buf::new()),
            Store::J => Data::J(Buf::new()),
            Store::E => Data::E(Buf::new()),
            Store::F => Data::F(Buf::new()),
            Store::S => Data::S(Buf::new()),
        };
        Vector { kind, attr: Attr::None, data, domain: None }
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// True without elements.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Element `i`, which must exist.
    pub fn get(&self, i: usize) -> Atom {
        Atom { kind: self.kind, raw: self.data.raw(i), domain: self.domain.clone() }
    }

    /// The typed elements, if stored as `T`.
    pub fn elems<T: Elem>(&self) -> Option<&Buf<T>> {
        T::of_data(&self.data)
    }
}

impl Atom {
    /// An atom of `kind`. Panics if the bits are not of `kind`'s storage: a bug.
    pub fn new<T: Elem>(kind: Kind, x: T) -> Atom {
        assert_eq!(kind.store(), T::STORE, "an atom is stored as its kind says");
        Atom { kind, raw: x.raw(), domain: None }
    }

    /// The element, if stored as `T`.
    pub fn elem<T: Elem>(&self) -> Option<T> {
        T::of_raw(self.raw)
    }
}

/// Constructors and the questions everybody asks.
impl Value {
    /// An atom of `kind`.
    pub fn atom<T: Elem>(kind: Kind, x: T) -> Value {
        Value::Atom(Atom::new(kind, x))
    }

    /// A vector of `kind`.
    pub fn vector<T: Elem>(kind: Kind, buf: impl Into<Buf<T>>) -> Value {
        Value::Vec(Vector::new(kind, buf.into()))
    }

    /// A boolean atom.
    pub fn bool(x: bool) -> Value {
        Value::atom(Kind::Bool, x as u8)
    }

    /// A long atom.
    pub fn long(x: i64) -> Value {
        Value::atom(Kind::Long, x)
    }

    /// An int atom.
    pub fn int(x: i32) -> Value {
        Value::atom(Kind::Int, x)
    }

    /// A float atom.
    pub fn float(x: f64) -> Value {
        Value::atom(Kind::Float, x)
    }

    /// A symbol atom: in a parse tree, a name.
    pub fn sym(x: impl Into<Sym>) -> Value {
        Value::atom(Kind::Sym, x.into())
    }

    /// A string.
    pub fn chars(x: &[u8]) -> Value {
        Value::vector(Kind::Char, Buf::from_slice(x))
    }

    /// A symbol vector.
    pub fn syms(x: impl IntoIterator<Item = Sym>) -> Value {
        Value::vector(Kind::Sym, x.into_iter().collect::<Buf<Sym>>())
    }

    /// A long vector.
    pub fn longs(x: impl IntoIterator<Item = i64>) -> Value {
        Value::vector(Kind::Long, x.into_iter().collect::<Buf<i64>>())
    }

    /// A float vector.
    pub fn floats(x: impl IntoIterator<Item = f64>) -> Value {
        Value::vector(Kind::Float, x.into_iter().collect::<Buf<f64>>())
    }

    /// A general list, kept general whatever its items are.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(List::new(items)))
    }

    /// A primitive.
    pub fn prim(p: Prim) -> Value {
        Value::Fun(Func::Prim(p))
    }

    /// The generic null `::`.
    pub fn null() -> Value {
        Value::prim(Prim::Ident)
    }

    /// A dictionary without the step property.
    pub fn dict(keys: Value, vals: Value) -> Value {
        Value::Dict(Arc::new(Dict { keys, vals, step: false }))
    }

    /// A table; the columns must have one count.
    pub fn table(names: Vec<Sym>, cols: Vec<Value>) -> Value {
        Value::Table(Arc::new(Table { names, cols }))
    }

    /// True for `::`.
    pub fn is_null_fn(&self) -> bool {
        matches!(self, Value::Fun(Func::Prim(Prim::Ident)))
    }

    /// q's type number.
    pub fn type_code(&self) -> i8 {
        match self {
            Value::Atom(a) => -a.kind.code(),
            Value::Vec(v) => v.kind.code(),
            Value::List(_) => 0,
            Value::Dict(_) => 99,
            Value::Table(_) => 98,
            Value::Fun(f) => f.type_code(),
        }
    }

    /// q's `count`: items of a list, entries of a dictionary, rows of a table; 1 for all else.
    pub fn count(&self) -> usize {
        match self {
            Value::Atom(_) | Value::Fun(_) => 1,
            Value::Vec(v) => v.len(),
            Value::List(l) => l.len(),
            Value::Dict(d) => d.keys.count(),
            Value::Table(t) => t.rows(),
        }
    }

    /// True for an atom (a function counts as one).
    pub fn is_atom(&self) -> bool {
        matches!(self, Value::Atom(_) | Value::Fun(_))
    }

    /// The symbol of a symbol atom; an enumeration's is not looked up.
    pub fn as_sym(&self) -> Option<Sym> {
        match self {
            Value::Atom(Atom { kind: Kind::Sym, raw: Raw::S(s), .. }) => Some(*s),
            _ => None,
        }
    }

    /// The bytes of a string (char vector).
    pub fn as_chars(&self) -> Option<&[u8]> {
        match self {
            Value::Vec(Vector { kind: Kind::Char, data: Data::B(b), .. }) => Some(b),
            _ => None,
        }
    }

    /// The primitive, if this is one.
    pub fn as_prim(&self) -> Option<Prim> {
        match self {
            Value::Fun(Func::Prim(p)) => Some(*p),
            _ => None,
        }
    }

    /// The number in a boolean, byte, short, int or long atom, null as `i64::MIN`.
    pub fn as_long(&self) -> Option<i64> {
        match self {
            Value::Atom(Atom { kind: Kind::Bool | Kind::Byte, raw: Raw::B(x), .. }) => Some(*x as i64),
            Value::Atom(Atom { kind: Kind::Short, raw: Raw::H(x), .. }) => {
                Some(if *x == i16::MIN { i64::MIN } else { *x as i64 })
            }
            Value::Atom(Atom { kind: Kind::Int, raw: Raw::I(x), .. }) => {
                Some(if *x == i32::MIN { i64::MIN } else { *x as i64 })
            }
            Value::Atom(Atom { kind: Kind::Long, raw: Raw::J(x), .. }) => Some(*x),
            _ => None,
        }
    }
}

impl Func {
    /// q's type number: 100h to 112h.
    pub fn type_code(&self) -> i8 {
        match self {
            Func::Prim(p) => p.row().qtype,
            Func::Iter(_) => 103,
            Func::Lambda(_) => 100,
            Func::Proj(_) => 104,
            Func::Comp(_) => 105,
            Func::Derived(i, _) => 106 + *i as i8,
            Func::Native(_) | Func::Virtual(_) => 112,
        }
    }
}

impl Table {
    /// How many rows.
    pub fn rows(&self) -> usize {
        self.cols.first().map_or(0, Value::count)
    }

    /// The column named `name`.
    pub fn col(&self, name: Sym) -> Option<&Value> {
        self.names.iter().position(|&n| n == name).map(|i| &self.cols[i])
    }
}
