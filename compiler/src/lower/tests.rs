//! Queries to graphs, as text.

use crate::query::Query;
use crate::schema::{Column, ColumnType, DomainId, Length, Schema, Variable};
use q::value::Attr;
use q::{Kind, Prim, Sym, Value};

fn name(x: &str) -> Value {
    Value::sym(x)
}

fn call(head: Prim, args: &[Value]) -> Value {
    Value::list([&[Value::prim(head)], args].concat())
}

fn quoted(x: &str) -> Value {
    Value::syms([Sym::new(x)])
}

fn phrase(items: &[(&str, Value)]) -> Value {
    let names = Value::syms(items.iter().map(|(n, _)| Sym::new(n)));
    Value::dict(names, Value::list(items.iter().map(|(_, v)| v.clone()).collect()))
}

fn schema() -> Schema {
    let column = |name: &str, kind: Kind, width: u8, domain| Column {
        name: Sym::new(name),
        ty: ColumnType::Flat { kind, width, domain },
        attr: Attr::None,
    };
    let mut schema = Schema {
        columns: vec![
            column("time", Kind::Timespan, 8, None),
            column("sym", Kind::Sym, 1, Some(DomainId(0))),
            column("price", Kind::Float, 8, None),
            column("size", Kind::Int, 4, None),
            column("ex", Kind::Sym, 1, Some(DomainId(1))),
        ],
        keys: 0,
        variables: Default::default(),
    };
    let variable = Variable { kind: Kind::Sym, length: Length::Many };
    schema.variables.insert(Sym::new("syms"), variable);
    schema
}

/// The graph of `head[t;c;b;a]`, or the error.
fn graph(head: Prim, c: &[Value], b: Value, a: Value) -> String {
    let query = Query::from_args(head, &[Value::list(c.to_vec()), b, a]);
    let query = match query {
        Ok(query) => query,
        Err(e) => return e.to_string(),
    };
    let literals = crate::key::literals(&query);
    match super::lower(&query, &schema(), &literals) {
        Ok(graph) => {
            let text = graph.to_string();
            assert_eq!(crate::ir::parse_text::parse_graph(&text).unwrap(), graph, "{text}");
            text
        }
        Err(e) => e.to_string(),
    }
}

#[test]
fn a_filtered_sum() {
    let got = graph(
        Prim::Query,
        &[call(Prim::Gt, &[name("price"), Value::long(50)])],
        Value::bool(false),
        phrase(&[("x", call(Prim::Sum, &[call(Prim::Mul, &[name("price"), name("size")])]))]),
    );
    let want = "\
c0 = price at 2: float
c1 = size at 3: int
p0 = literal 0: long
d1 = rows
n0: float[d1] = col c0  ; 2 0 1
n1: long = param p0  ; 2 0 2
n2: float = cast n1  ; 2 0
n3: boolean[d1] = gt n0, n2  ; 2 0
d2 = kept d1, n3
n4: float[d2] = keep n0  ; 4 0 1 1
n5: int[d1] = col c1  ; 4 0 1 2
n6: int[d2] = keep n5  ; 4 0 1 2
n7: float[d2] = cast n6  ; 4 0 1
n8: float[d2] = mul n4, n7  ; 4 0 1
n9: float = sum n8  ; 4 0
out table x = n9
";
    assert_eq!(got, want);
}

#[test]
fn groups_divide_as_atoms_and_columns_by_the_reciprocal() {
    let vwap = call(Prim::Divide, &[call(Prim::Sum, &[name("price")]), call(Prim::Sum, &[name("size")])]);
    let got = graph(Prim::Query, &[], phrase(&[("sym", name("sym"))]), phrase(&[("vwap", vwap)]));
    assert!(got.contains("= divide ") && got.contains("out keyed 1 sym = n1, vwap = "), "{got}");
    let half = call(Prim::Divide, &[name("price"), Value::long(2)]);
    let got = graph(Prim::Query, &[], Value::bool(false), phrase(&[("half", half)]));
    assert!(got.contains("= recip ") && got.contains("= mul ") && !got.contains("= divide "), "{got}");
}

#[test]
fn symbols_meet_literals_and_lists_through_their_domain() {
    let has = |clause: Value, words: &[&str]| {
        let got = graph(Prim::Query, &[clause], Value::bool(false), phrase(&[("p", name("price"))]));
        for word in words {
            assert!(got.contains(word), "{word} in\n{got}");
        }
    };
    has(
        call(Prim::Eq, &[name("sym"), quoted("a")]),
        &["p0 = literal 0: symbol", "p1 = code p0, s0: symbol", "eq n0, n"],
    );
    has(
        call(Prim::In, &[name("sym"), name("syms")]),
        &["p0 = variable syms: symbol", "p1 = set p0, s0", "member n0"],
    );
    has(call(Prim::Gt, &[name("sym"), quoted("a")]), &["notabove p0, s0: int", "lookup n0", "ge n"]);
    has(call(Prim::Gt, &[quoted("a"), name("sym")]), &["below p0, s0: int", "lookup n1", "lt n"]);
    has(call(Prim::Eq, &[name("sym"), name("ex")]), &["remap s1, s0: symbol", "lookup n1, n2"]);
}

#[test]
fn updates_place_new_values_among_the_old() {
    let up = call(Prim::Mul, &[name("price"), Value::long(2)]);
    let got = graph(
        Prim::Bang,
        &[call(Prim::Gt, &[name("size"), Value::long(5)])],
        phrase(&[("sym", name("sym"))]),
        phrase(&[("price", up), ("top", call(Prim::Max, &[name("size")]))]),
    );
    assert!(got.contains("= place ") && got.contains("= spread ") && got.contains("int = 0N"), "{got}");
}

#[test]
fn errors_have_codes_and_places() {
    let of = |tree: Value| {
        graph(Prim::Query, &[], Value::bool(false), phrase(&[("a", name("price")), ("b", tree)]))
    };
    assert_eq!(of(name("nosuch")), "'nosuch: no such column or variable (at 4 1)");
    assert_eq!(of(call(Prim::Add, &[name("sym"), Value::long(1)])), "'type: + of symbol and long (at 4 1)");
    assert_eq!(
        of(call(Prim::Add, &[Value::long(1), call(Prim::Med, &[name("price")])])),
        "'GPU_NOT_IMPLEMENTED: med (at 4 1 2)"
    );
}
