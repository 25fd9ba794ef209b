//! The session's hot path: from a query's tree to its launch, with the plan in the cache, and a whole query of
//! few rows, where that path is all there is.

use divan::{Bencher, black_box};
use q::seam::Scope;
use q::{Interp, Prim, Value};
use runtime::engine::Engine;
use runtime::gpu::{Body, Object};
use runtime::session::Session;
use std::sync::Arc;

fn main() {
    divan::main();
}

/// A table of five columns and the arguments `c;b;a` of a query that reads them all.
fn five_columns(q: &mut Interp, session: &Arc<Session>, rows: usize) -> (Value, Vec<Value>) {
    runtime::gpu::register(q, session);
    let make = format!(
        "T:.gpu.to ([]sym:{rows}#`a`b`c;time:09:30+til {rows};price:{rows}#1 2 3f;size:{rows}#10 20;ex:{rows}#\"NQ\")"
    );
    q.eval_text(make.as_bytes()).expect("the table can be made");
    let query = b"parse\"select n:price*size,t:time+1,s:sym,e:ex from T where price>1.5,size<15\"";
    let Value::List(items) = q.eval_text(query).expect("the query parses") else {
        panic!("a tree is a list")
    };
    let args = [&items[2], &items[3], &items[4]].map(|x| q.eval(x, None).expect("a phrase is a constant"));
    (q.global("T".into()).expect("the table was just made"), args.to_vec())
}

/// Everything but the kernels: schema, key, look-up, arguments.
#[divan::bench]
fn tree_to_launch_of_five_columns(bencher: Bencher) {
    let mut q = Interp::new();
    let session = Session::new(Engine::Cpu);
    let (table, args) = five_columns(&mut q, &session, 1000);
    let Some(Object { body: Body::Table(table), .. }) = Object::of(&table) else {
        panic!("a table was made")
    };
    let scope = Scope { locals: &[], interp: &q };
    session.query(Prim::Query, table, &args, &scope).expect("the query has an answer");
    bencher.bench_local(|| {
        session.prepare(Prim::Query, table, black_box(&args), &scope).expect("the launch can be made")
    });
}

/// The same query with its kernels and its result.
#[divan::bench(args = [100, 10_000])]
fn whole_query_of_five_columns(bencher: Bencher, rows: usize) {
    let mut q = Interp::new();
    let session = Session::new(Engine::Cpu);
    let (table, args) = five_columns(&mut q, &session, rows);
    let Some(Object { body: Body::Table(table), .. }) = Object::of(&table) else {
        panic!("a table was made")
    };
    let scope = Scope { locals: &[], interp: &q };
    bencher.bench_local(|| session.query(Prim::Query, table, black_box(&args), &scope).expect("an answer"));
}
