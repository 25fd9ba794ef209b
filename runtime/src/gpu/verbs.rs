//! The `.gpu` functions by name, and the q verbs that see inside an object.

use super::moves::names;
use super::object::{Body, Object, Table};
use super::{devices, facts, moves, order, slices};
use crate::session::Session;
use q::error::{Source, type_error};
use q::seam::{Native, Scope};
use q::{Error, Interp, Prim, Result, Sym, Value};
use std::sync::Arc;

/// What a `.gpu` function does: the session, the interpreter that called, and the arguments.
pub type Call = fn(&Arc<Session>, &mut Interp, &[Value]) -> Result<Value>;

/// A function's name, its rank, and what it does.
pub type Row = (&'static str, usize, Call);

const FUNCTIONS: &[Row] = &[
    (".gpu.asc", 1, |_, q, a| order::sorted(q, Prim::Asc, &a[0])),
    (".gpu.attr", 1, |_, _, a| Ok(facts::attr(&a[0]))),
    (".gpu.cache", 1, |s, _, _| Ok(facts::caches(s))),
    (".gpu.count", 1, |_, _, a| Ok(facts::count(&a[0]))),
    (".gpu.drop", 2, |_, q, a| match Object::of(&a[1]) {
        Some(o) => slices::drop(&a[0], o),
        None => q.apply(&Value::prim(Prim::Drop), vec![listed(&a[0]), a[1].clone()]),
    }),
    (".gpu.from", 1, |_, _, a| moves::from(&a[0])),
    (".gpu.gather", 2, |s, q, a| match Object::of(&a[0]).map(|o| &o.body) {
        Some(Body::Vector(c)) => Ok(Object::value(s, Body::Vector(slices::gather(s, c, &a[1])?))),
        Some(_) => type_error(),
        None => q.apply(&Value::prim(Prim::At), vec![a[0].clone(), moves::from(&a[1])?]),
    }),
    (".gpu.group", 1, |_, _, a| order::group(&a[0])),
    (".gpu.iasc", 1, |_, q, a| order::graded(q, Prim::Iasc, &a[0])),
    (".gpu.idesc", 1, |_, q, a| order::graded(q, Prim::Idesc, &a[0])),
    (".gpu.last", 1, |s, _, _| Ok(s.last())),
    (".gpu.meta", 1, |_, _, a| facts::meta(&a[0])),
    (".gpu.plan", 2, |s, q, a| plan(s, q, &a[0], &a[1])),
    (".gpu.select", 4, |s, q, a| query(s, q, Prim::Query, a)),
    (".gpu.sublist", 2, |_, q, a| match Object::of(&a[1]) {
        Some(o) => slices::sublist(&a[0], o),
        None => q.apply(&Value::prim(Prim::Sublist), a.to_vec()),
    }),
    (".gpu.take", 2, |_, q, a| match Object::of(&a[1]) {
        Some(o) => slices::take(&a[0], o),
        None => q.apply(&Value::prim(Prim::Take), vec![listed(&a[0]), a[1].clone()]),
    }),
    (".gpu.to", 1, |s, _, a| moves::to(s, &a[0])),
    (".gpu.type", 1, |_, _, a| Ok(facts::type_of(&a[0]))),
    (".gpu.ungroup", 1, |_, q, a| order::ungroup(q, &a[0])),
    (".gpu.update", 4, |s, q, a| query(s, q, Prim::Bang, a)),
    (".gpu.xasc", 2, |_, q, a| order::table(q, Prim::Xasc, a, false)),
    (".gpu.xdesc", 2, |_, q, a| order::table(q, Prim::Xdesc, a, false)),
    (".gpu.xgroup", 2, |_, _, a| order::xgroup(&a[0], &a[1])),
    (".gpu.xto", 2, |s, _, a| moves::xto(s, &a[0], &a[1])),
];

/// A symbol atom as a list of one: it names one column here, where q wants a list.
fn listed(x: &Value) -> Value {
    x.as_sym().map_or_else(|| x.clone(), |s| Value::syms([s]))
}

/// `.gpu.select` and `.gpu.update`: on an object its own query, on q data q's.
fn query(session: &Arc<Session>, q: &mut Interp, verb: Prim, args: &[Value]) -> Result<Value> {
    let Some(object) = Object::of(&args[0]) else { return q.apply(&Value::prim(verb), args.to_vec()) };
    let Body::Table(table) = &object.body else {
        return Err(Error::new("type").detail("only a table can be queried"));
    };
    if verb == Prim::Bang && !matches!(args[3], Value::Dict(_)) {
        // As a functional `!` it would delete; the card has `.gpu.drop` for that.
        return Err(Error::new("GPU_INVALID_STATEMENT").detail("an update takes a dictionary of expressions"));
    }
    let scope = Scope { locals: &[], interp: q };
    session.query(verb, table, &args[1..], &scope)
}

/// The plan of the query in the text `query` as a query of the table `x`: kernels, cost, and the CUDA C++ of its
/// kernels (without the library that stands before it). The table's name in the text does not matter.
fn plan(session: &Arc<Session>, q: &mut Interp, x: &Value, query: &Value) -> Result<Value> {
    let Some(text) = query.as_chars() else { return type_error() };
    let table = match Object::of(x).map(|o| &o.body) {
        Some(Body::Table(t)) => t.clone(),
        Some(_) => return type_error(),
        None => Table::of(x).ok_or_else(|| Error::new("type"))?,
    };
    let source = Arc::new(Source { text: text.into(), file: None, line: 1 });
    let (tree, _) = q::parse::expression(&source, q.globals.current)?;
    let plan = session.explain(&tree, &table, &Scope { locals: &[], interp: q })?;
    let cuda = compiler::emit::emit(&plan).code;
    Ok(Value::chars(format!("{plan}\n{}", cuda.trim_end()).as_bytes()))
}

/// One `.gpu` function with its session.
struct Function {
    name: &'static str,
    rank: usize,
    call: Call,
    session: Arc<Session>,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Native for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn call(&self, q: &mut Interp, args: &[Value]) -> Result<Value> {
        (self.call)(&self.session, q, args)
    }
}

/// Gives an interpreter the `.gpu` namespace, and `` use`kx.gpu ``, which returns it.
pub fn register(q: &mut Interp, session: &Arc<Session>) {
    for &(name, rank, call) in FUNCTIONS.iter().chain(devices::FUNCTIONS) {
        q.register(Arc::new(Function { name, rank, call, session: session.clone() }));
    }
    q.loaders.push(Box::new(|q, module| match module {
        "kx.gpu" => Some(q.global(Sym::new(".gpu")).ok_or_else(|| Error::new("kx.gpu"))),
        _ => None,
    }));
}

/// q's own verb `name` on arguments of which one is an object; none where q sees the wrapper.
pub fn answer(name: &str, args: &[Value]) -> Result<Option<Value>> {
    let table = |i: usize| match args.get(i).and_then(Object::of) {
        Some(o @ Object { body: Body::Table(t), .. }) => Some((o, t)),
        _ => None,
    };
    let object = |i: usize| args.get(i).and_then(Object::of);
    Ok(match name {
        "meta" => Some(facts::meta(&args[0])?),
        "cols" => table(0).map(|(_, t)| Value::syms(t.names.iter().copied())),
        "keys" => table(0).map(|(_, t)| Value::syms(t.names[..t.keys].iter().copied())),
        "sublist" => match object(1) {
            Some(o) => Some(slices::sublist(&args[0], o)?),
            None => return type_error(),
        },
        "xkey" => match table(1) {
            Some((o, t)) => Some(Object::value(&o.session, Body::Table(xkey(&args[0], t)?))),
            None => return type_error(),
        },
        "asc" | "desc" | "iasc" | "idesc" | "<:" | ">:" | "ungroup" if object(0).is_some() => {
            let mut q = Interp::new();
            Some(match name {
                "asc" => order::sorted(&mut q, Prim::Asc, &args[0])?,
                "desc" => order::sorted(&mut q, Prim::Desc, &args[0])?,
                "iasc" | "<:" => order::graded(&mut q, Prim::Iasc, &args[0])?,
                "idesc" | ">:" => order::graded(&mut q, Prim::Idesc, &args[0])?,
                _ => order::ungroup(&mut q, &args[0])?,
            })
        }
        // The parts of a keyed table come to the host, where q goes on with them.
        "!:" | ".:" | "!" => match (table(args.len() - 1), name, &args[0]) {
            (Some((_, t)), "!", n) if t.keys > 0 && n.as_long() == Some(0) => {
                Some(Table { keys: 0, ..t.clone() }.exact()?)
            }
            (Some((_, t)), "!:" | ".:", _) if t.keys > 0 => match (t.exact()?, name) {
                (Value::Dict(d), "!:") => Some(d.keys.clone()),
                (Value::Dict(d), _) => Some(d.vals.clone()),
                _ => return type_error(),
            },
            _ => None,
        },
        "xasc" => Some(order::table(&mut Interp::new(), Prim::Xasc, args, true)?),
        "xdesc" => Some(order::table(&mut Interp::new(), Prim::Xdesc, args, true)?),
        "lj" | "ljf" | "ij" | "ijf" | "aj" | "aj0" | "ajf" | "ajf0" | "wj" | "wj1" => {
            return Err(Error::new("GPU_NOT_IMPLEMENTED").detail(format!("{name} of a GPU object")));
        }
        _ => None,
    })
}

/// The table with the columns `x` as its keys, first and in that order.
fn xkey(x: &Value, t: &Table) -> Result<Table> {
    let Some(keys) = names(x) else { return type_error() };
    let rest = t.names.iter().filter(|n| !keys.contains(n));
    let order: Vec<Sym> = keys.iter().chain(rest).copied().collect();
    if keys.len() == t.names.len() && !keys.is_empty() {
        return type_error();
    }
    Ok(Table { keys: keys.len(), ..t.pick(&order)? })
}
