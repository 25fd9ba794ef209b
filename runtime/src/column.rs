//! Columns as engines hold them: plain elements, or dense symbol codes with a shared domain, and statistics.

use crate::held::Held;
use crate::zones::Zoned;
use bytemuck::Pod;
use multiversion::multiversion;
use q::scalar::Item;
use q::value::{Attr, Data};
use q::{Buf, Kind, Result, Store, Sym, Value, each_data};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// Items that one task looks at for statistics.
const PART: usize = 1 << 16;

/// The symbols that a column's codes stand for. Built once, at load or `.gpu.to`; columns that share it compare
/// by code.
#[derive(Debug)]
pub struct Domain {
    /// The symbol of each code. Code 0 is the null symbol, always, but for an enumeration.
    pub syms: Vec<Sym>,
    /// The rank of each code by text, null symbol first: `ranks[code]`.
    pub ranks: Buf<i32>,
    /// The code of each rank.
    pub by_rank: Buf<u32>,
    /// The code of each symbol.
    pub codes: FxHashMap<Sym, u32>,
    /// For an enumeration, q's domain, which the results name again.
    pub enumeration: Option<Arc<q::value::Domain>>,
}

/// A column's elements.
#[derive(Clone, Debug)]
pub enum Elements {
    /// As q stores them: all kinds but symbols (an enum: its 64-bit index).
    Plain(Data),
    /// Symbol codes of one byte.
    Codes8(Buf<u8>),
    /// Symbol codes of two bytes.
    Codes16(Buf<u16>),
    /// Symbol codes of four bytes.
    Codes32(Buf<u32>),
    /// A general list, carried along.
    Nested(Value),
}

/// What is known of a column's data; found when first needed and kept.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Least and greatest order key (see [`q::scalar::Key`]; a symbol's is its code), nulls included; none if empty, and of
    /// guids and general lists.
    pub range: Option<(u64, u64)>,
    /// How many nulls.
    pub nulls: usize,
    /// Never decreases.
    pub sorted: bool,
}

/// A column on an engine. Cloning is O(1).
#[derive(Clone, Debug)]
pub struct Column {
    /// The elements' kind; of a nested column, meaningless.
    pub kind: Kind,
    /// The attribute, kept as the card says (`.gpu.to` keeps all).
    pub attr: Attr,
    /// The elements, wherever they are.
    pub(crate) held: Arc<Held>,
    /// The domain of symbols and enums.
    pub domain: Option<Arc<Domain>>,
    /// What is known of the elements. It lives as long as they do.
    pub(crate) known: Arc<Known>,
}

/// What is found of a column's elements when it is first needed, and kept.
#[derive(Debug, Default)]
pub(crate) struct Known {
    stats: OnceLock<Stats>,
    pub zoned: Zoned,
}

/// Evaluates an expression over the items of elements that have an order, and the function that gives an item's order
/// key (see [`q::scalar::Key`]; a symbol's is its code), or another one for guids and general lists.
macro_rules! by_key {
    ($elements:expr, ($items:ident, $key:ident) => $body:expr, _ => $other:expr) => {{
        use q::scalar::Key;
        match $elements {
            Elements::Plain(Data::B($items)) => by_key!(|x: &u8| x.key(), $key, $body),
            Elements::Plain(Data::H($items)) => by_key!(|x: &i16| x.key(), $key, $body),
            Elements::Plain(Data::I($items)) => by_key!(|x: &i32| x.key(), $key, $body),
            Elements::Plain(Data::J($items)) => by_key!(|x: &i64| x.key(), $key, $body),
            Elements::Plain(Data::E($items)) => by_key!(|x: &f32| x.key(), $key, $body),
            Elements::Plain(Data::F($items)) => by_key!(|x: &f64| x.key(), $key, $body),
            Elements::Codes8($items) => by_key!(|x: &u8| *x as u64, $key, $body),
            Elements::Codes16($items) => by_key!(|x: &u16| *x as u64, $key, $body),
            Elements::Codes32($items) => by_key!(|x: &u32| *x as u64, $key, $body),
            Elements::Plain(Data::G(_) | Data::S(_)) | Elements::Nested(_) => $other,
        }
    }};
    ($function:expr, $key:ident, $body:expr) => {{
        let $key = $function;
        $body
    }};
}
pub(crate) use by_key;

impl Domain {
    /// Do the codes of both stand for the same?
    pub fn is(self: &Arc<Domain>, other: &Arc<Domain>) -> bool {
        Arc::ptr_eq(self, other)
            || matches!((&self.enumeration, &other.enumeration), (Some(x), Some(y)) if x.is(y))
    }

    /// How many codes.
    pub fn len(&self) -> usize {
        self.syms.len()
    }

    /// True without codes, as only an enumeration's domain can be.
    pub fn is_empty(&self) -> bool {
        self.syms.is_empty()
    }
}

impl Elements {
    /// How many elements.
    pub fn len(&self) -> usize {
        match self {
            Elements::Plain(data) => data.len(),
            Elements::Codes8(codes) => codes.len(),
            Elements::Codes16(codes) => codes.len(),
            Elements::Codes32(codes) => codes.len(),
            Elements::Nested(list) => list.count(),
        }
    }

    /// True without elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements' memory and how many bytes each takes; none of a general list.
    pub fn bytes(&self) -> Option<(&[u8], usize)> {
        fn plain<T: Pod>(buf: &Buf<T>) -> Option<(&[u8], usize)> {
            Some((bytemuck::cast_slice(buf), size_of::<T>()))
        }
        match self {
            Elements::Plain(data) => each_data!(data, v => plain(v)),
            Elements::Codes8(codes) => plain(codes),
            Elements::Codes16(codes) => plain(codes),
            Elements::Codes32(codes) => plain(codes),
            Elements::Nested(_) => None,
        }
    }

    /// The elements of `kind` (for symbols, codes of `width` bytes) whose bytes `buf` holds.
    pub fn of_bytes(kind: Kind, width: usize, buf: Buf<u8>) -> Elements {
        match kind.store() {
            Store::B => Elements::Plain(Data::B(buf)),
            Store::G => Elements::Plain(Data::G(buf.cast())),
            Store::H => Elements::Plain(Data::H(buf.cast())),
            Store::I => Elements::Plain(Data::I(buf.cast())),
            Store::J => Elements::Plain(Data::J(buf.cast())),
            Store::E => Elements::Plain(Data::E(buf.cast())),
            Store::F => Elements::Plain(Data::F(buf.cast())),
            Store::S => match width {
                1 => Elements::Codes8(buf),
                2 => Elements::Codes16(buf.cast()),
                _ => Elements::Codes32(buf.cast()),
            },
        }
    }
}

impl Column {
    /// A column of `elements`, without an attribute.
    pub fn new(kind: Kind, elements: Elements, domain: Option<Arc<Domain>>) -> Column {
        let held = Arc::new(Held::host(elements));
        Column { kind, attr: Attr::None, held, domain, known: Arc::default() }
    }

    /// Bytes an element takes; none of a general list.
    pub fn width(&self) -> Option<usize> {
        self.held.width()
    }

    /// The general list that the column carries, if it is one.
    pub fn nested(&self) -> Option<&Value> {
        match self.held.here() {
            Some(Elements::Nested(list)) => Some(list),
            _ => None,
        }
    }

    /// The statistics, found now if they are not known.
    ///
    /// # Errors
    /// As [`Column::elements`].
    pub fn stats(&self) -> Result<&Stats> {
        let elements = self.elements()?;
        Ok(self.known.stats.get_or_init(|| match elements {
            Elements::Plain(Data::G(v)) => {
                Stats { range: None, nulls: v.iter().filter(|x| x.is_null()).count(), sorted: v.is_sorted() }
            }
            _ => {
                let null = match self.kind {
                    Kind::Char => q::scalar::BLANK as u64,
                    Kind::Bool | Kind::Byte => u64::MAX,
                    _ => 0,
                };
                let unknown = Stats { range: None, nulls: 0, sorted: false };
                by_key!(elements, (v, key) => scan(v, key, null), _ => unknown)
            }
        }))
    }
}

/// One pass over the keys of a column, on all cores; `null` is the null's.
fn scan<T: Sync>(items: &[T], key: impl Fn(&T) -> u64 + Sync, null: u64) -> Stats {
    let part = |items: &[T]| scan_part(items, &key, null);
    let join = |a: Stats, b: Stats| {
        let (Some(x), Some(y)) = (a.range, b.range) else { return if a.range.is_some() { a } else { b } };
        // Both are in order, and so are they together if the later one begins where the earlier one ends.
        let sorted = a.sorted & b.sorted & (x.1 <= y.0);
        Stats { range: Some((x.0.min(y.0), x.1.max(y.1))), nulls: a.nulls + b.nulls, sorted }
    };
    if items.len() <= PART {
        return part(items);
    }
    items.par_chunks(PART).map(part).reduce(|| part(&[]), join)
}

/// One pass over the keys of some items: neighbours are compared side by side, so that the loop is vectorised.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn scan_part<T>(items: &[T], key: impl Fn(&T) -> u64, null: u64) -> Stats {
    let Some((first, rest)) = items.split_first() else {
        return Stats { range: None, nulls: 0, sorted: true };
    };
    let first = key(first);
    let (mut least, mut most, mut nulls, mut falls) = (first, first, (first == null) as u64, 0);
    for (x, next) in items.iter().zip(rest) {
        let (prior, k) = (key(x), key(next));
        (least, most) = (least.min(k), most.max(k));
        nulls += (k == null) as u64;
        falls += (prior > k) as u64;
    }
    Stats { range: Some((least, most)), nulls: nulls as usize, sorted: falls == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use q::scalar::Key;

    fn longs(items: &[i64]) -> Column {
        Column::new(Kind::Long, Elements::Plain(Data::J(Buf::from_slice(items))), None)
    }

    #[test]
    fn statistics_see_nulls_and_order() {
        let column = longs(&[i64::MIN, 3, 3, 9]);
        let stats = column.stats().expect("the elements are here");
        assert_eq!((stats.range, stats.nulls, stats.sorted), (Some((0, 9i64.key())), 1, true));
        let column = longs(&[2, 1]);
        assert_eq!(
            (
                column.stats().expect("the elements are here").range,
                column.stats().expect("the elements are here").sorted
            ),
            (Some((1i64.key(), 2i64.key())), false)
        );
        let none = longs(&[]);
        assert_eq!(
            (
                none.stats().expect("the elements are here").range,
                none.stats().expect("the elements are here").nulls,
                none.stats().expect("the elements are here").sorted
            ),
            (None, 0, true)
        );
        let long: Vec<i64> = (0..200_000).collect();
        let column = longs(&long);
        assert_eq!(
            (
                column.stats().expect("the elements are here").range,
                column.stats().expect("the elements are here").sorted
            ),
            (Some((0i64.key(), 199_999i64.key())), true)
        );
        let mut other = long.clone();
        other[PART] = 5;
        assert!(!longs(&other).stats().expect("the elements are here").sorted);
        let codes = Column::new(Kind::Sym, Elements::Codes8(Buf::from_slice(&[3, 0])), None);
        assert_eq!(
            (
                codes.stats().expect("the elements are here").range,
                codes.stats().expect("the elements are here").nulls
            ),
            (Some((0, 3)), 1)
        );
    }

    #[test]
    fn bytes_go_both_ways() {
        let column = longs(&[1, -1]);
        let (bytes, width) = column.elements().expect("they are here").bytes().expect("longs are plain");
        assert_eq!((bytes.len(), width), (16, 8));
        let back = Elements::of_bytes(Kind::Timestamp, 8, Buf::from_slice(bytes));
        assert!(matches!(back, Elements::Plain(Data::J(v)) if v[..] == [1, -1]));
        let codes = Elements::of_bytes(Kind::Sym, 2, Buf::from_slice(&[1, 0, 2, 0]));
        assert!(matches!(codes, Elements::Codes16(v) if v[..] == [1, 2]));
    }
}
