//! A schema of trades and a way from a line of q to its plan, for tests and benches of the compiler.

use compiler::plan::Plan;
use compiler::schema::{Column, ColumnType, DomainId, Length, Schema, Variable};
use compiler::{Query, Result};
use q::value::Attr;
use q::{Kind, Sym};
use std::sync::Arc;

/// Columns of every kind that a plan can compute with: `sym` and `ex` are symbols of two domains with codes of
/// two bytes and one, `venue` an enumeration, and the rest is named for what it holds.
pub fn trades() -> Schema {
    let column = |name: &str, kind: Kind, width: u8, domain: Option<u32>| {
        let ty = ColumnType::Flat { kind, width, domain: domain.map(DomainId) };
        Column { name: Sym::new(name), ty, attr: Attr::None }
    };
    let plain = |name: &str, kind: Kind| column(name, kind, kind.width() as u8, None);
    let columns = vec![
        column("sym", Kind::Sym, 2, Some(0)),
        column("ex", Kind::Sym, 1, Some(1)),
        column("venue", Kind::Enum, 8, Some(2)),
        plain("time", Kind::Timestamp),
        plain("date", Kind::Date),
        plain("span", Kind::Timespan),
        plain("price", Kind::Float),
        plain("size", Kind::Long),
        plain("qty", Kind::Int),
        plain("lot", Kind::Short),
        plain("ratio", Kind::Real),
        plain("flag", Kind::Byte),
        plain("side", Kind::Char),
        plain("ok", Kind::Bool),
        plain("id", Kind::Guid),
        plain("when", Kind::Datetime),
    ];
    let mut schema = Schema { columns, ..Schema::default() };
    let variables = [("limit", Kind::Float, Length::Atom), ("names", Kind::Sym, Length::Many)];
    for (name, kind, length) in variables {
        schema.variables.insert(Sym::new(name), Variable { kind, length, domain: None });
    }
    schema
}

/// The query that a line of q is.
///
/// # Errors
/// As [`Query::from_tree`], for what is no query.
///
/// # Panics
/// Where the line does not parse: the caller's text is at fault.
pub fn query(text: &str) -> Result<Query> {
    let source = q::error::Source { text: text.as_bytes().into(), file: None, line: 1 };
    let (tree, _) = q::parse::expression(&Arc::new(source), Sym::NULL).expect("the test's text parses");
    Query::from_tree(&tree)
}

/// The plan of a line of q over [`trades`].
///
/// # Errors
/// As [`compiler::compile`].
///
/// # Panics
/// As [`query`].
pub fn plan(text: &str) -> Result<Plan> {
    compiler::compile(&query(text)?, &trades())
}

/// Queries that between them use every skeleton, most operations and all kinds, each with a name.
pub const QUERIES: &[(&str, &str)] = &[
    ("columns", "select sym, price from t"),
    ("filter", "select sym, price, size from t where price>50"),
    ("filters", "select from t where sym=`a, price>avg price"),
    ("filter_symbols", "select ex, price from t where sym in `a`b`c, ex<`n, venue=`x"),
    ("filter_list", "select qty from t where qty in 1 5 9i, size within 10 20"),
    ("filter_like", "select size from t where sym like \"a*\""),
    ("project", "select v:price*size, r:1%price, l:log price, h:qty div 2i from t"),
    ("project_casts", "select d:`date$time, m:`minute$time, j:`long$price, x:`byte$size from t"),
    ("conditional", "select c:?[price>limit;size;0], s:?[ok;sym;sym] from t"),
    ("sum_where", "select sum price*size from t where price>50"),
    ("statistics", "select n:count i, avg price, dev price, svar ratio, min qty, max side, last sym from t"),
    ("pairs", "select size wavg price, size wsum price, price cor ratio, price scov size from t"),
    ("booleans", "select all ok, any price>limit, min ok, max ok, sum ok from t"),
    ("integers", "select sum qty, prd size, sum lot, first id, sum span from t"),
    ("vwap", "select vwap:size wavg price by sym from t"),
    ("vwap_minute", "select vwap:size wavg price, n:count i by sym, 5 xbar time.minute from t where ex=`N"),
    ("by_many", "select sum size, max price by date, venue, side, id, qty from t"),
    ("by_tail", "select spread:(max price)-min price, mid:0.5*(max price)+min price by sym from t"),
    ("by_last", "select by sym from t where size>0"),
    ("by_nested", "select r:sum abs price-avg price by sym from t"),
    ("by_time", "select last price, n:count i by 0D00:05 xbar time from t"),
    ("nested", "select price, v:size+1 by sym from t where ok"),
    ("nested_part", "select 2 sublist price by ex, ok from t"),
    (
        "parts_by",
        "select first price where ok, w:(size where ok)wavg price where ok, a:size wavg price by sym from t",
    ),
    ("steps_by", "select r:{y+x*z}\\[0f;price;ratio] by sym from t where ok"),
    ("scans_by", "select sums price, prev size, price by ex from t where ok"),
    (
        "seeded_by",
        "update a:0+\\size, b:3|\\size, c:7&\\size, d:1*\\size, e:2.5+\\price, f:0n|\\price, g:1.5&\\price, h:1+\\qty, \
         i:2&\\qty by ex from t",
    ),
    ("members_by", "update s:sym in ex, z:size in 2*size by ok from t where price>0"),
    ("windows_by", "update m: 20 mavg price, s: sums size, d: deltas price, a: ema[0.1; price] by ex from t"),
    ("windows_where", "select m: 5 mmax size, x: 2 xprev price, v: reverse sym from t where price > 1"),
    ("ranks_by", "update r: rank price, d: desc size by ex from t"),
    ("median", "select med price from t where price>0"),
    ("medians", "select med price, med size by sym from t"),
    ("update", "update v:price*size from t"),
    ("update_where", "update price:2*price, size:0 from t where sym=`a"),
    ("update_by", "update r:price-avg price by sym from t where size>0"),
    ("fby", "select from t where price=(max;price) fby sym"),
    ("exec_atom", "exec (sum price)%count i from t"),
    ("exec_list", "exec price from t where ok"),
    ("delete", "delete from t where size<100"),
];
