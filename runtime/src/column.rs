//! Columns as engines hold them: plain elements, or dense symbol codes with a shared domain, and statistics.

use q::value::{Attr, Data};
use q::{Buf, Kind, Sym, Value};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

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
    /// Least and greatest order key (see `q::scalar`'s keys; a symbol's is its code), nulls included; none if empty.
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
    /// The elements.
    pub elements: Elements,
    /// The domain of symbols and enums.
    pub domain: Option<Arc<Domain>>,
    /// Filled when first needed.
    pub stats: Arc<OnceLock<Stats>>,
}
