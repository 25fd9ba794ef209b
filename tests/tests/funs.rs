//! The tables of `tests/funs` on every engine, and that they leave no primitive, storage or cast out.

use q::eval::{agg, cast, item, map, scan};
use q::fun::{Class, FUNS};
use q::scalar::{self, cast::Cast};
use q::sig::{sig1, sig2};
use q::value::Value;
use q::{Interp, Kind, Prim, Result, Sym};
use runtime::engine::Engine;
use runtime::gpu::{self, moves};
use runtime::session::Session;
use std::collections::BTreeSet;
use tests::funs::{Case, cases, same_bits};

/// What the interpreter gives for a stem and its arguments.
fn interpret(stem: &str, args: &[Value]) -> Result<Value> {
    let running = |p| scan::running(p, &args[0]);
    let p = match stem {
        "cast" => return cast::cast(&args[0], &args[1], false),
        "cond" => return map::cond(&args[0], &args[1], &args[2]),
        "sums" => return running(Prim::Add),
        "prds" => return running(Prim::Mul),
        "mins" => return running(Prim::Lesser),
        "maxs" => return running(Prim::Greater),
        "fills" => return running(Prim::Fill),
        _ => Prim::from_stem(stem).unwrap_or_else(|| panic!("no row has the stem {stem}")),
    };
    match (p.row().class, args) {
        (Class::Map, [x]) => map::map1(p, x),
        (Class::Map, [x, y]) => map::map2(p, x, y),
        (Class::Agg, [x]) => agg::agg1(p, x),
        (Class::Agg, [x, y]) => agg::agg2(p, x, y),
        (Class::Scan, [x]) => scan::scan1(p, x),
        (Class::Scan, [x, y]) => scan::scan2(p, x, y),
        _ => panic!("{stem} is not tabled"),
    }
}

fn agrees(case: &Case, got: &Result<Value>) -> bool {
    match (&case.want, got) {
        (Ok(want), Ok(got)) => same_bits(got, want, case.rough),
        (Err(want), Err(got)) => *want == got.name,
        _ => false,
    }
}

/// The lines that follow from an elementwise line of vectors: one for each item, of atoms. A vector divided
/// by an atom has a rule of its own, so division is left as written.
fn by_item(case: &Case) -> Vec<Case> {
    let maps = Prim::from_stem(&case.stem).is_some_and(|p| p.row().class == Class::Map);
    let plain = !matches!(&*case.stem, "divide" | "in" | "within" | "like");
    let vectors = case.args.iter().all(|a| matches!(a, Value::Vec(_) | Value::Atom(_)));
    let Ok(want @ Value::Vec(_)) = &case.want else { return vec![] };
    if !((maps && plain || case.stem == "cast") && vectors) {
        return vec![];
    }
    let at = |x: &Value, i: usize| if x.is_atom() { x.clone() } else { item::item(x, i) };
    let one = |i: usize| Case {
        args: case.args.iter().map(|a| at(a, i)).collect(),
        want: Ok(item::item(want, i)),
        place: format!("{} item {i}", case.place),
        ..case.clone()
    };
    (0..want.count()).map(one).collect()
}

#[test]
fn interpreter_agrees_with_every_line() {
    let (mut lines, mut wrong) = (0, vec![]);
    for case in cases().into_iter().flat_map(|c| [by_item(&c), vec![c]].concat()) {
        lines += 1;
        let got = interpret(&case.stem, &case.args);
        if !agrees(&case, &got) {
            let show = |x: &Value| q::show::one_line(x, &Default::default());
            let args: Vec<_> = case.args.iter().map(show).collect();
            let got = got.as_ref().map_or_else(|e| format!("'{}", e.name), show);
            let want = case.want.as_ref().map_or_else(|e| format!("'{e}"), show);
            wrong.push(format!("{} {} {}: {got}, not {want}", case.place, case.stem, args.join(" | ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {lines} lines:\n{}", wrong.len(), wrong.join("\n"));
    assert!(lines > 1000, "{lines} lines");
}

/// What a line is as a query: the columns, and the tree over them. None where it is not elementwise and not
/// an aggregate, or has nothing to make rows of.
fn query(case: &Case) -> Option<(Case, Value, Value)> {
    let verb = match &*case.stem {
        "cast" => Prim::Dollar,
        "cond" => Prim::Query,
        stem => Prim::from_stem(stem).filter(|p| matches!(p.row().class, Class::Map | Class::Agg))?,
    };
    let (mut names, mut cols, mut tree) = (vec![], vec![], vec![Value::prim(verb)]);
    let maps = verb.row().class == Class::Map;
    // A line of atoms makes one row; its columns are lists, so that no rule for atoms changes it.
    let lift = maps
        && !matches!(verb, Prim::In | Prim::Within | Prim::Like)
        && case.args.iter().all(|a| matches!(a, Value::Atom(_)));
    for (i, arg) in case.args.iter().enumerate() {
        let set = i == 1 && matches!(verb, Prim::In | Prim::Within | Prim::Like);
        let name = Sym::new(["x", "y", "z"][i]);
        match arg {
            Value::Vec(_) if !set => cols.push(arg.clone()),
            Value::Atom(_) if lift => cols.push(item::enlist(arg.clone())),
            Value::Atom(a) if a.kind != Kind::Sym => {
                tree.push(arg.clone());
                continue;
            }
            Value::Vec(v) if v.kind != Kind::Sym => {
                tree.push(arg.clone());
                continue;
            }
            Value::Atom(_) | Value::Vec(_) => {
                tree.push(item::enlist(arg.clone()));
                continue;
            }
            _ => return None,
        }
        names.push(name);
        tree.push(Value::atom(Kind::Sym, name));
    }
    let rows = cols.first()?.count();
    if cols.iter().any(|c| c.count() != rows) {
        return None;
    }
    let want = case.want.clone().map(|w| if lift { item::enlist(w) } else { w });
    Some((Case { want, ..case.clone() }, Value::table(names, cols), Value::list(tree)))
}

/// Every line that a query can ask, on an engine. Signals may differ in name: a compiler may refuse earlier.
fn engine_agrees(engine: Engine) {
    let session = Session::new(engine);
    if session.ready().is_err() {
        println!("skipped: {engine} is missing");
        return;
    }
    let mut q = Interp::new();
    gpu::register(&mut q, &session);
    let (mut asked, mut wrong, mut refused, mut ordered) = (0, vec![], vec![], vec![]);
    for (case, table, tree) in cases().iter().filter_map(query) {
        if matches!(engine, Engine::Sim | Engine::Cuda) && is_ordered(&case) {
            ordered.push(case.place.clone());
            continue;
        }
        asked += 1;
        let none = || Value::list(vec![]);
        let got = moves::to(&session, &table)
            .and_then(|t| q.apply(&Value::prim(Prim::Query), vec![t, none(), none(), tree]))
            .and_then(|x| moves::from(&x));
        match &got {
            Err(e) if e.name == "GPU_NOT_IMPLEMENTED" => refused.push(case.place.clone()),
            Err(_) if case.want.is_err() => {}
            _ if agrees(&case, &got) => {}
            _ => {
                let show = |x: &Value| q::show::one_line(x, &Default::default());
                let want = case.want.as_ref().map_or_else(|e| format!("'{e}"), show);
                let got = got.as_ref().map_or_else(|e| e.to_string(), show);
                wrong.push(format!("{} {}: {got}, not {want}", case.place, case.stem));
            }
        }
    }
    println!("{engine}: {asked} lines asked, {} refused: {refused:?}", refused.len());
    println!("{engine}: not asked, since kernels add in an order of their own: {ordered:?}");
    assert!(wrong.is_empty(), "{} of {asked} lines:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused.len() * 20 < asked, "{} of {asked} lines refused: {refused:?}", refused.len());
}

/// Is it a sum of floats that adding by halves rounds in another way? Kernels keep one order whatever the grid,
/// and it is not the interpreter's.
fn is_ordered(case: &Case) -> bool {
    fn halves(x: &[f64]) -> f64 {
        match x {
            [] => 0.0,
            [x] => *x,
            _ => halves(&x[..x.len() / 2]) + halves(&x[x.len() / 2..]),
        }
    }
    let [Value::Vec(v)] = &case.args[..] else { return false };
    let Some(x) = v.elems::<f64>().filter(|_| case.stem == "sum") else { return false };
    halves(x).to_bits() != x.iter().fold(0.0, |a, b| a + b).to_bits() && !x.iter().any(|x| x.is_nan())
}

#[test]
fn cpu_engine_agrees_with_every_line() {
    engine_agrees(Engine::Cpu);
}

#[test]
fn simulator_agrees_with_every_line() {
    engine_agrees(Engine::Sim);
}

#[test]
fn cuda_agrees_with_every_line() {
    engine_agrees(Engine::Cuda);
}

fn kind(x: &Value) -> Option<Kind> {
    match x {
        Value::Atom(a) => Some(a.kind),
        Value::Vec(v) => Some(v.kind),
        _ => None,
    }
}

/// The functions that a line exercises, by name: `add_j`, `cast_d_p`.
fn exercised(case: &Case, names: &mut BTreeSet<String>) {
    let mut cast = |from: Kind, to: Kind| {
        if let Some(Cast::By(from, to)) = scalar::cast::cast(from, to) {
            names.insert(format!("cast_{}_{}", from.letter(), to.letter()));
        }
    };
    if case.want.is_err() {
        return;
    }
    if case.stem == "cast" {
        if let (Some(cast::Target::Kind(to)), Some(from)) = (cast::target(&case.args[0]), kind(&case.args[1]))
        {
            cast(from, to);
        }
        return;
    }
    let Some(p) = Prim::from_stem(&case.stem) else { return };
    let kinds: Vec<Kind> = case.args.iter().filter_map(kind).collect();
    match kinds[..] {
        [x] if case.args.len() == 1 => {
            if let Some(s) = sig1(p, x) {
                names.insert(scalar::name(p, s.arg));
            }
        }
        [x, y] => {
            if let Some(s) = sig2(p, x, y) {
                names.insert(scalar::name(p, s.x));
            }
        }
        _ => {}
    }
}

#[test]
fn every_function_and_cast_has_a_line() {
    let mut there = BTreeSet::new();
    for case in cases() {
        exercised(&case, &mut there);
    }
    let mut needed = BTreeSet::new();
    let kinds = || Kind::ALL.into_iter().filter(|k| *k != Kind::Enum);
    for x in kinds() {
        for f in FUNS.iter().filter(|f| matches!(f.class, Class::Map | Class::Agg)) {
            if f.max == 1
                && let Some(s) = sig1(f.prim, x)
            {
                needed.insert(scalar::name(f.prim, s.arg));
            }
            for y in kinds().filter(|_| f.max == 2) {
                if let Some(s) = sig2(f.prim, x, y) {
                    needed.insert(scalar::name(f.prim, s.x));
                }
            }
        }
        for y in kinds() {
            if let Some(Cast::By(from, to)) = scalar::cast::cast(x, y) {
                needed.insert(format!("cast_{}_{}", from.letter(), to.letter()));
            }
        }
    }
    let missing: Vec<_> = needed.difference(&there).collect();
    assert!(missing.is_empty(), "no line for {missing:?}");
}
