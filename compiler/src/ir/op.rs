//! The operations of a graph, and where parameters come from.

use super::{Col, Dim, Param};
use crate::schema::DomainId;
use q::{Kind, Prim, Sym};

/// What a node does. Argument and result types are the builder's business (`build`) and the verifier's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The input column, over `rows`.
    Col(Col),
    /// A parameter: an atom, or a list over `given`.
    Param(Param),
    /// The typed null of the node's kind: an atom.
    Null,
    /// The row number, q's virtual `i`: `long[rows]`.
    Row,
    /// An elementwise primitive; arguments have one storage (casts are nodes of their own).
    Map(Prim),
    /// The argument cast to the node's kind, elementwise.
    Cast,
    /// `?[b;x;y]` elementwise: arguments boolean, x, y.
    Cond,
    /// The argument `x: T[d]` on the rows of `kept d, …`, in order.
    Keep,
    /// An aggregate: `T[d]` to an atom, or to `groups d, …`.
    Agg(Prim),
    /// A function of lists that keeps their count: each row gets a value from its neighbours in its list ([`super::scan`]
    /// says which functions, and what each computes). The lists are all rows of the dim, or, if it is `groups`,
    /// the rows of each group. Arguments and result are over the rows that the dim is kept from, or atoms; the
    /// result on rows of no list means nothing.
    Scan(Prim, Dim),
    /// A recurrence within lists, which are as for `Scan`: arguments `first` and others, over the rows that the dim is
    /// kept from or (but the first) atoms. A list's first row has `first`; each row after it has what the graph's step
    /// of that number makes of the result before it and the others ([`super::steps`]).
    Steps(u32, Dim),
    /// In a step's graph: argument `i`, of which 0 is the result before.
    Argument(u32),
    /// The argument `x: T[d]` over `lists …, d`: its rows, group after group.
    List,
    /// Key `i` of the node's `groups` dim.
    Key(u32),
    /// An atom, or a value of `groups d, …`, at every item of the node's dim: `d`, or the `rows` that `d` is
    /// kept from, where a row in no group gets the typed null.
    Spread,
    /// Arguments new `T[kept d, m]` and old `T[d]`: new where kept, else old.
    Place,
    /// Arguments x and a membership set (a parameter made by [`Source::Set`] or [`Source::Like`]): is x in it, exactly.
    Member,
    /// Arguments codes and a table with an item for each code of their domain (a parameter made by
    /// [`Source::Ranks`], [`Source::Remap`] or [`Source::Places`]), or long positions and a list parameter: the
    /// item. An enum's null index and a position outside give the null.
    Lookup,
    /// Arguments x and a list's order keys (a parameter made by [`Source::Keys`] or [`Source::Set`]), ascending:
    /// the last position whose key is not above x's, or -1; a long.
    Bin,
    /// As `Bin`: the first position whose key is not below x's, or the count.
    Binr,
}

impl Op {
    /// The lists of a function of lists.
    pub fn lists(self) -> Option<Dim> {
        match self {
            Op::Scan(_, lists) | Op::Steps(_, lists) => Some(lists),
            _ => None,
        }
    }
}

/// How the host makes a parameter at launch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The query's literal number `i`; equal literals share one.
    Literal(u32),
    /// The variable of that name.
    Variable(Sym),
    /// The integer, as an atom of the parameter's kind: a number that the lowering needs, not the query's.
    Constant(i64),
    /// Item `i` of a list parameter, as an atom.
    Item(Param, u32),
    /// Another parameter cast to this kind.
    Cast(Param, Kind),
    /// The code of a symbol parameter in a domain; `u32::MAX` where the domain lacks it (for an enum -1, or the
    /// null index for the null symbol).
    Code(Param, DomainId),
    /// How many symbols of the domain are less than the symbol parameter, by text; an int.
    Below(Param, DomainId),
    /// How many symbols of the domain are not greater than the symbol parameter, by text; an int.
    NotAbove(Param, DomainId),
    /// The rank by text of each code of a domain; ints.
    Ranks(DomainId),
    /// For each code of the domain the place in a list parameter's symbols, which ascend, that `bin` finds for its
    /// symbol, or where true `binr`; longs.
    Bounds(Param, DomainId, bool),
    /// The codes of a domain in the order of those ranks.
    Sorted(DomainId),
    /// For each code of the first domain the code of the same symbol in the second, or `u32::MAX`.
    Remap(DomainId, DomainId),
    /// The order keys of a list parameter's items, in the order of the items.
    Keys(Param),
    /// Where a list parameter first has each symbol of the domain, the null long if nowhere; or, without a domain,
    /// each of its distinct items in the order of their keys. Longs.
    Places(Param, Option<DomainId>),
    /// How many items a list parameter has; a long.
    Count(Param),
    /// The codes of a list parameter's symbols in a domain that has them.
    Codes(Param, DomainId),
    /// The items of a list parameter as a membership set: of a domain's codes where given, else sorted and
    /// distinct in the order of the kind's keys.
    Set(Param, Option<DomainId>),
    /// The codes of the domain whose text is like the pattern (characters), as a membership set.
    Like(Param, DomainId),
}
