//! The parts of a query's way to its plan: the key of a plan-cache hit, and a cold compile.

use compiler::schema::{Column, ColumnType, DomainId, Schema};
use compiler::{Query, compile, key};
use q::{Kind, Sym};
use std::sync::Arc;

const FIVE: &str = "select vwap:size wavg price, hi:max price, lo:min price, n:count i, last price \
                    by sym, 5 xbar time.minute from trade where price>50, size within 1 1000, sym in `a`b`c";

fn main() {
    divan::main();
}

fn query() -> Query {
    let source = q::error::Source { text: FIVE.as_bytes().into(), file: None, line: 1 };
    let (tree, _) = q::parse::expression(&Arc::new(source), Sym::NULL).expect("the query parses");
    Query::from_tree(&tree).expect("the tree is a query")
}

fn schema() -> Schema {
    let flat = |name: &str, kind: Kind, width: u8, domain| Column {
        name: Sym::new(name),
        ty: ColumnType::Flat { kind, width, domain },
        attr: Default::default(),
    };
    let columns = vec![
        flat("time", Kind::Timestamp, 8, None),
        flat("sym", Kind::Sym, 1, Some(DomainId(0))),
        flat("price", Kind::Float, 8, None),
        flat("size", Kind::Int, 4, None),
        flat("ex", Kind::Sym, 1, Some(DomainId(1))),
    ];
    Schema { columns, ..Schema::default() }
}

#[divan::bench]
fn lift_the_key(bencher: divan::Bencher) {
    let (query, schema) = (query(), schema());
    bencher.bench(|| key::lift(divan::black_box(&query), &schema));
}

#[divan::bench]
fn compile_to_a_plan(bencher: divan::Bencher) {
    let (query, schema) = (query(), schema());
    bencher.bench(|| compile(divan::black_box(&query), &schema));
}

#[divan::bench]
fn compile_to_cuda_text(bencher: divan::Bencher) {
    let (query, schema) = (query(), schema());
    bencher
        .bench(|| compile(divan::black_box(&query), &schema).map(|plan| compiler::emit::emit(&plan).text()));
}
