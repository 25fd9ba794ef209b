//! Queries in q to graphs, as text.

use crate::query::Query;
use crate::schema::{Column, ColumnType, DomainId, Length, Schema, Variable};
use q::value::Attr;
use q::{Kind, Prim, Sym, Value};
use std::sync::Arc;

/// The query in a line of q.
fn parse(text: &str) -> crate::Result<Query> {
    let source = q::error::Source { text: text.as_bytes().into(), file: None, line: 1 };
    let (tree, _) = q::parse::expression(&Arc::new(source), Sym::NULL).expect("the test's text parses");
    Query::from_tree(&tree)
}

/// A table of every flat kind: a column is named by its letter; `s` and `s2` are symbols of two domains.
fn schema() -> Schema {
    let column = |name: &str, kind: Kind, domain: Option<u32>| {
        let width = if kind == Kind::Sym { 1 } else { kind.width() as u8 };
        let ty = ColumnType::Flat { kind, width, domain: domain.map(DomainId) };
        Column { name: Sym::new(name), ty, attr: Attr::None }
    };
    let mut columns: Vec<Column> = Kind::ALL
        .into_iter()
        .filter(|k| !matches!(k, Kind::Sym | Kind::Enum))
        .map(|k| column(&k.letter().to_string(), k, None))
        .collect();
    columns.push(column("s", Kind::Sym, Some(0)));
    columns.push(column("s1", Kind::Sym, Some(0)));
    columns.push(column("s2", Kind::Sym, Some(1)));
    columns.push(column("en", Kind::Enum, Some(2)));
    columns.push(column("price", Kind::Float, None));
    columns.push(column("size", Kind::Int, None));
    let mut schema = Schema { columns, ..Schema::default() };
    for (name, kind, length) in [
        ("syms", Kind::Sym, Length::Many),
        ("one", Kind::Float, Length::Atom),
        ("pair", Kind::Long, Length::Two),
        ("none", Kind::Long, Length::Zero),
        ("ens", Kind::Enum, Length::Many),
    ] {
        schema.variables.insert(Sym::new(name), Variable { kind, length, domain: None });
    }
    schema
}

/// The graph as lowered, before any pass, or the error.
fn graph(text: &str) -> String {
    let lowered =
        parse(text).and_then(|query| super::lower(&query, &schema(), &crate::key::literals(&query)));
    match lowered {
        Ok(graph) => {
            assert_eq!(crate::ir::verify::verify(&graph), [""; 0], "{text}\n{graph}");
            let shown = graph.to_string();
            assert_eq!(crate::ir::parse_text::parse_graph(&shown).as_ref(), Ok(&graph), "{shown}");
            // Every pass is verified, and running them all again changes nothing.
            let once = crate::passes::run(graph);
            assert_eq!(crate::passes::run(once.clone()).to_string(), once.to_string(), "{text}");
            crate::plan::build(once, 0).expect("a graph that was lowered has a plan");
            shown
        }
        Err(e) => e.to_string(),
    }
}

#[test]
fn a_filtered_sum() {
    let want = "\
c0 = price at 21: float
c1 = size at 22: int
p0 = literal 0: long
d1 = rows
n0: float[d1] = col c0  ; 2 0 0 1
n1: long = param p0  ; 2 0 0 2
n2: float = cast n1  ; 2 0 0
n3: boolean[d1] = gt n0, n2  ; 2 0 0
d2 = kept d1, n3
n4: float[d2] = keep n0  ; 4 0 1 1
n5: int[d1] = col c1  ; 4 0 1 2
n6: int[d2] = keep n5  ; 4 0 1 2
n7: float[d2] = cast n6  ; 4 0 1
n8: float[d2] = mul n4, n7  ; 4 0 1
n9: float = sum n8  ; 4 0
out table total = n9
";
    assert_eq!(graph("select total:sum price*size from t where price>50"), want);
}

/// Each line: a query, then words that its graph or error holds, and after `!` words that it does not.
#[test]
fn what_graphs_hold() {
    let lines = [
        // A list % atom multiplies by the reciprocal; group values are atoms.
        "select price%2 from t | recip mul ! divide",
        "select price%size from t | divide ! recip",
        "select (sum price)%sum size by s from t | divide out~keyed~1~s ! recip",
        "select (sum price)%2 by s from t | divide ! recip",
        "update price%sum price by s from t | recip spread mul out~table ! divide",
        // Symbols: codes, ranks, sets and remaps.
        "select from t where s=`a | code~p0,~s0:~symbol eq out~table~b~=",
        "select from t where s>`a | notabove~p0,~s0:~int lookup ge",
        "select from t where `a>s | below~p0,~s0:~int lookup lt",
        "select from t where s<s1 | ranks~s0 lookup lt",
        "select from t where s=s2 | remap~s1,~s0:~symbol lookup eq",
        "select from t where s in syms | variable~syms set~p0,~s0:~symbol member",
        "select from t where s in `a`b | literal~0 set~p0,~s0 member",
        "select from t where en=`a | code~p0,~s2:~enum eq",
        "select from t where s=en | remap~s2,~s0:~symbol lookup eq",
        "select s^s1 from t | fill",
        "select null s from t | null",
        "select min s from t | 'type:~min~of~symbol",
        "select ?[b;s;s1] from t | cond",
        "select first s, last s by s2 from t | first last out~keyed~1~s2",
        "select s<`a from t where i<5 | row lookup",
        // Clauses narrow one after the other.
        "select from t where price>avg price, size=max size | kept~d1 kept~d2 avg max",
        "select from t where 1b | spread kept",
        // Whole numbers keep the rows in which they are not zero.
        "select from t where size | kept",
        // Aggregates in all their forms.
        "select count i from t | count out~table~x",
        "select size wavg price, dev price, price cor size by 5 xbar u from t | wavg dev cor xbar",
        "select sum price*size-avg size by s, d from t where b | kept spread groups~d2,~",
        "select by s from t | last out~keyed~1",
        "exec price from t | out~single",
        "exec sum price from t | out~single",
        "exec price, total:sum size from t where size>3 | out~dict~price",
        "exec from t | last out~dict",
        "select price by s from t | lists~d2,~d1 list~n",
        "select med price from t | lists~d0,~d1 med",
        // Updates.
        "update price:2*price from t where size>5 | place",
        "update price:1 from t where size>5 | 'type:~price~is~float,~not~long",
        "update price:1 from t | price~=",
        "update size:j from t where b | cast place",
        "update new:size>3 from t where price>1, size>2 | place 0N",
        "update top:max size by s from t where price>1 | place spread 0N groups",
        "update s:`a from t | s~=",
        "update s:`a from t where b | s3~=~s0,~p0 code~p0,~s3 place s~=",
        "update s:s2 from t where b | s3~=~s0,~s1 remap~s1,~s3 place",
        "update new:`a from t where b, size>1 | s3~=~p ,~s3:~symbol place",
        "update s:`a, s2:`a from t where b | s3~=~s0,~p0 s4~=~s1,~p0",
        "select ?[b;`x;`y] from t | s3~=~p0,~p1 cond~n0,",
        "select ?[b;s;`y], ?[b;`y;s] from t | s3~=~s0,~p0 symbol<s3>[d1]~=~cond ! s4",
        "select `none^s, s^s2 from t | s3~=~s0,~p0 s4~=~s0,~s1 fill",
        "select ?[b;en;`y], null en from t | s3~=~s2,~p0 remap~s2,~s3 cond ne",
        "update en:`y from t where b | code~p0,~s2:~enum place cast~= check",
        "delete price from t | out ! price~=",
        "delete nosuch from t | 'nosuch",
        "delete from t where price>1, size>2 | place not kept",
        // Membership, ranges and casts.
        "select from t where size in 1 2 3 | long[d1]~=~cast set~p0:~long member",
        "select from t where j in 1 2 3i | int[d1]~=~cast set~p0:~int member",
        "select from t where price in 1 2 | 'type",
        "select from t where price in 1 | =~in ! member",
        "select from t where price within 1 2 | item~p0,~0:~long ge le lesser",
        "select from t where size within pair | variable~pair item ge le",
        "select from t where size within (1;max size) | ge le max",
        "select from t where size within 1 2 3 | 'length",
        "select from t where size within none | 'length",
        "select from t where j in none | member",
        "select `float$size, \"i\"$price, 7h$size, `minute$p from t | cast",
        "select p.minute, t.hh, d.mm, d.week, p.date from t | div mod sub cast",
        "select p.nosuch from t | 'nosuch",
        "select `$c from t | GPU_NOT_IMPLEMENTED",
        "select n:count i by price from t | out~keyed~1~price first ! =~key",
        "select from t where en in ens | GPU_NOT_IMPLEMENTED",
        "select price.minute from t | 'type",
        "select d.year from t | div add cond constant~2147483647",
        "select \"J\"$c from t | GPU_NOT_IMPLEMENTED",
        "select `s$price from t | 'type",
        // Comparisons as q composes them, functions and fby.
        "select from t where price>=1, size<=2, s<>`a | ge le ne",
        "select {x*y}[price;size] from t | mul",
        "select {x*price}[size] from t | 'price",
        "select {[x]y:2*x;y:y+x;y*y}[size] from t | add mul",
        "select {[x]y:x;y[0]:x;y}[size] from t | GPU_NOT_IMPLEMENTED",
        "exec max price by s from t where b | out~map max groups~d2",
        "exec price by s from t | out~map lists",
        "exec price, size by s from t | out~rows lists",
        "exec max price by s, d from t | out~ofrows~2",
        "select from t where size in i | scan~in~d1",
        "select (size;j) from t | GPU_NOT_IMPLEMENTED",
        "select from t where price>(avg;price) fby s | groups spread avg",
        "select from t where price>(avg;price) fby ([]s;d) | groups~d1,~n",
        "select top:(max;size) fby s by d from t | groups~d1,~n0,~n spread lists~d2",
        "select sum ?[b;price;0n] by s from t | cond sum",
        "select $[b;1;2] from t | 'rank",
        "select price+1 2 3 from t | scan~ident~d1~n",
        "select syms, size from t | s3~=~p0 codes~p0,~s3 scan~ident~d1",
        "select x:syms from t | given~p1 codes",
        "select size by x:`a from t | s3~=~p0 code~p0,~s3 spread groups~d1",
        "select 1 2 bin size from t | 'type",
        "select s?s1 from t where b | GPU_NOT_IMPLEMENTED",
        "select `a`b bin s from t | bounds~p0,~s0 lookup",
        "select 1 2i bin size, `a`b?s, pair j from t where b | keys~p0 bin~n places~p count~p lookup",
        "select one*price from t | variable~one",
        "select nosuch from t | 'nosuch",
        "select sums price from t | scan~add~d1~n0",
        "update sums price by s from t where b | groups~d2, scan~add~d3~n keep place",
        "select deltas size, next s, (<)prior j from t | scan~xprev~d1 sub 0N lt",
        "select 2 mavg price, iasc s by d from t | scan~mavg~d2 ranks~s0 scan~asc~d2 lists",
        "select 2 sublist desc price by s from t | scan~desc scan~til count spread kept~d1 lists",
        "exec size where price>2 from t | kept~d1 keep out~single",
        "select r:(sums differ@;s) fby d from t | scan~differ scan~add",
        "select count distinct s by d from t | first place sum",
        "select max price where b by d from t | place max",
        "select first distinct s by d from t | first~n2,~n6",
        "select s iasc price from t | scan~iasc~d1~n",
        "select distinct s, price from t where b | groups~d2,~ first spread eq kept~d2",
        "select distinct a:max price from t | max ! groups",
        "select from t where s like \"a*\" | literal~0:~char like~p0,~s0:~symbol member",
        "select c like \"a\" from t | GPU_NOT_IMPLEMENTED",
        "select from t where size in enlist 4 | =~in ! member",
        "select[5] from t | GPU_NOT_IMPLEMENTED",
        "select (>)prior en from t | ranks~s3 scan~xprev~d1",
        "select pair x from t | 'type",
        "select s+1 from t | 'type:~+~of~symbol~and~long~(at~4~0)",
        "select 1+med price from t | add med",
    ];
    let mut wrong = vec![];
    for line in lines {
        let (text, words) = line.split_once(" | ").expect("a bar");
        let (has, not) = words.split_once(" ! ").unwrap_or((words, ""));
        let got = graph(text);
        for word in has.split_whitespace().filter(|w| !got.contains(&w.replace('~', " "))) {
            wrong.push(format!("{text}: no {word} in\n{got}"));
        }
        for word in not.split_whitespace().filter(|w| got.contains(&w.replace('~', " "))) {
            wrong.push(format!("{text}: {word} in\n{got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever the kinds are, a binary primitive either has a sound graph or is q's `'type` or not yet there.
#[test]
fn every_pair_of_kinds() {
    let letters = "bgxhijefcpmdznuvt".chars().map(String::from).chain(["s".into(), "s2".into(), "en".into()]);
    let letters: Vec<String> = letters.collect();
    let mut sound = 0;
    for op in [
        "+", "-", "*", "%", "&", "|", "^", "=", "<", ">=", "<>", " div ", " mod ", " xbar ", " xexp ",
        " wavg ", " cor ",
    ] {
        for (x, y) in letters.iter().flat_map(|x| letters.iter().map(move |y| (x, y))) {
            let got = graph(&format!("select r:{x}{op}{y}, by:max price from t where {x}{op}{y}"));
            let refused = ["'type", "'GPU_NOT_IMPLEMENTED"].iter().any(|e| got.starts_with(e));
            assert!(refused || got.contains("out table r"), "{x}{op}{y}: {got}");
            let got = graph(&format!("select r:{x}{op}{y} from t"));
            assert!(got.starts_with('\'') || got.contains("out table r"), "{x}{op}{y}: {got}");
            sound += usize::from(!got.starts_with('\''));
        }
    }
    assert!(sound > 2000, "{sound}");
}

/// The functional forms that text never gives.
#[test]
fn functional_forms() {
    let list = |items: &[Value]| Value::list(items.to_vec());
    let a = Value::dict(Value::syms([Sym::new("x")]), Value::syms([Sym::new("price")]));
    let select = |c: Value, b: Value, a: Value| match Query::from_args(Prim::Query, &[c, b, a]) {
        Ok(query) => match super::lower(&query, &schema(), &crate::key::literals(&query)) {
            Ok(graph) => graph.to_string(),
            Err(e) => e.to_string(),
        },
        Err(e) => e.to_string(),
    };
    let none = list(&[]);
    let got = select(Value::syms([Sym::new("b")]), Value::bool(false), a.clone());
    assert!(got.contains("kept d1, n0") && got.contains("out table x = n2"), "{got}");
    let clause = list(&[Value::prim(Prim::Gt), Value::sym("price"), Value::long(5)]);
    assert!(select(clause.clone(), Value::bool(false), a.clone()).contains("GPU_INVALID_STATEMENT"));
    let got = select(list(&[clause]), none.clone(), Value::sym("price"));
    assert!(got.contains("; 2 0 1") && got.contains("out single \"\" = "), "{got}");
    assert!(select(none.clone(), Value::bool(true), a.clone()).contains("first"));
    assert!(select(none.clone(), Value::sym("s"), a.clone()).contains("out rows \"\" = "));
    assert!(Query::from_args(Prim::Query, std::slice::from_ref(&none)).is_err());
    assert!(Query::from_args(Prim::Add, &[none.clone(), none.clone(), none.clone()]).is_err());
    let columns = Value::syms(["price", "size"].map(Sym::new));
    let gone = Query::from_args(Prim::Bang, &[none, Value::bool(false), columns]).expect("a delete");
    assert_eq!(gone.columns.len(), 2);
}

#[test]
fn names_are_those_that_are_free() {
    let query = parse("select {[x] x*rate}[price], s in syms by d from t where i<n").expect("a query");
    let names: Vec<&str> = query.names().into_iter().map(Sym::text).collect();
    assert_eq!(names, ["i", "n", "d", "rate", "price", "s", "syms"]);
}
