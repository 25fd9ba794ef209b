//! What a plan may know of the data: column names, types and attributes, and the types of variables. Never
//! the data itself: statistics pick strategies when a plan runs, and change no answer.

use q::value::Attr;
use q::{Kind, Sym};
use rustc_hash::FxHashMap;

/// Names a symbol domain within one schema: columns with equal ids share one domain, so their codes compare.
///
/// **Invariant.** Code 0 of a symbol column's domain is the null symbol, whether or not a row holds it, so that
/// `null` and `^` work on codes as they do on names. An enum keeps q's index, whose null is the long null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct DomainId(pub u32);

/// The type of a column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ColumnType {
    /// A typed vector. Symbols and enums have a domain and are stored as codes of `width` bytes (1, 2, 4; an
    /// enum's index 8); all else as q stores it.
    Flat {
        /// The elements' kind.
        kind: Kind,
        /// Bytes an element takes on the device.
        width: u8,
        /// The domain of symbols and enums.
        domain: Option<DomainId>,
    },
    /// A general list: only carried along.
    Nested,
}

/// A column as the compiler sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Column {
    /// Its name in the table.
    pub name: Sym,
    /// Its type.
    pub ty: ColumnType,
    /// Its attribute.
    pub attr: Attr,
}

/// The length class of a variable or literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// An atom.
    Atom,
    /// An empty list.
    Zero,
    /// A list of one item.
    One,
    /// A list of two items, which is what `within` takes.
    Two,
    /// A longer list.
    Many,
}

/// A variable, or a lifted literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The elements' kind.
    pub kind: Kind,
    /// The length class.
    pub length: Length,
    /// The domain of an enumeration.
    pub domain: Option<DomainId>,
}

/// All that the compiler knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schema {
    /// The table's columns in order.
    pub columns: Vec<Column>,
    /// How many of them, from the first, are keys.
    pub keys: usize,
    /// The variables that the query names and that are not columns.
    pub variables: FxHashMap<Sym, Variable>,
    /// The enumerations that casts of the query name, and their domains.
    pub enums: FxHashMap<Sym, DomainId>,
    /// Float sums carry along what each addition rounded away (`Graph::compensated`).
    pub compensated: bool,
}

impl Schema {
    /// How many domains the columns, variables and casts have: one more than the greatest id.
    pub fn domains(&self) -> u32 {
        let id = |c: &Column| match c.ty {
            ColumnType::Flat { domain, .. } => domain.map(|d| d.0 + 1),
            ColumnType::Nested => None,
        };
        let named = self.enums.values().chain(self.variables.values().filter_map(|v| v.domain.as_ref()));
        self.columns.iter().filter_map(id).chain(named.map(|d| d.0 + 1)).max().unwrap_or(0)
    }

    /// The position of the column `name`.
    pub fn find(&self, name: Sym) -> Option<usize> {
        self.columns.iter().position(|c| c.name == name)
    }
}
