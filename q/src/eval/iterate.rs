//! The six iterators and the forms each of them has.

use super::apply::rank;
use super::cycle::Watch;
use super::item::{self, collect};
use super::{Interp, join, map, same};
use crate::buf::Buf;
use crate::error::{Error, Result, length_error, rank_error, type_error};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::memory;
use crate::value::{Dict, Func, Iter, Value};
use std::sync::Arc;

/// A function derived from `f` by the iterator `i`, applied; `whole` is the derived function itself.
pub fn derived(q: &mut Interp, whole: &Value, i: Iter, f: &Value, args: Vec<Value>) -> Result<Value> {
    let name = derived_name(i, f);
    if let Some(v) = super::system::virtual_verb(name, &args)? {
        return Ok(v);
    }
    if !name.is_empty() && args.iter().any(|a| matches!(a, Value::Fun(Func::Virtual(_)))) {
        return type_error();
    }
    if name == "raze"
        && let [Value::List(items)] = args.as_slice()
        && items.iter().any(|x| matches!(x, Value::Fun(Func::Virtual(_))))
    {
        let items = items.iter().map(|x| fetched(x.clone())).collect::<Result<_>>()?;
        return fold(q, f, vec![Value::list(items)], false);
    }
    match i {
        Iter::Each => each(q, f, args),
        Iter::Over => fold(q, f, args, false),
        Iter::Scan => fold(q, f, args, true),
        Iter::Prior if args.len() == 1 && rank(f) == 1 && matches!(f, Value::Fun(_)) && !is_binary(f) => {
            each(q, f, args)
        }
        Iter::Prior => prior(q, f, args),
        Iter::Left | Iter::Right if args.len() == 1 => {
            Ok(super::apply::project(whole, vec![args.into_iter().next(), None]))
        }
        Iter::Left | Iter::Right => {
            let [x, y] = <[Value; 2]>::try_from(args).map_err(|_| Error::new("rank"))?;
            if i == Iter::Left { each_left(q, f, x, y) } else { each_right(q, f, x, y) }
        }
    }
}

/// A virtual object as q data; anything else as it is.
fn fetched(x: Value) -> Result<Value> {
    match &x {
        Value::Fun(Func::Virtual(v)) => v.rows(0, v.count()),
        _ => Ok(x),
    }
}

/// The name of a derived keyword for a virtual object's `verb`; empty for other derived functions.
fn derived_name(i: Iter, f: &Value) -> &'static str {
    match (i, f.as_prim()) {
        (Iter::Scan, Some(Prim::Add)) => "sums",
        (Iter::Scan, Some(Prim::Mul)) => "prds",
        (Iter::Scan, Some(Prim::Lesser)) => "mins",
        (Iter::Scan, Some(Prim::Greater)) => "maxs",
        (Iter::Scan, Some(Prim::Fill)) => "fills",
        (Iter::Prior, Some(Prim::Sub)) => "deltas",
        (Iter::Prior, Some(Prim::Divide)) => "ratios",
        (Iter::Prior, Some(Prim::Assign | Prim::Ident)) => "prev",
        (Iter::Over, Some(Prim::Join)) => "raze",
        _ => "",
    }
}

fn is_binary(f: &Value) -> bool {
    matches!(f, Value::Fun(Func::Prim(p)) if p.row().max == 2)
}

/// True for what is walked item by item: lists, tables and dictionaries.
fn walks(x: &Value) -> bool {
    !x.is_atom()
}

/// The results in the shape of `x`: a dictionary for a dictionary (a keyed table's rows stay keyed).
fn shaped(x: &Value, results: Vec<Value>) -> Value {
    match x {
        Value::Dict(d) => {
            let vals = collect(results);
            Value::dict(d.keys.clone(), vals)
        }
        _ => collect(results),
    }
}

/// `f'`: item by item, atoms with every item.
pub fn each(q: &mut Interp, f: &Value, args: Vec<Value>) -> Result<Value> {
    // A vector of integers picks for each position one of the arguments: the case iterator.
    if let Value::Vec(v) = f
        && matches!(v.kind, Kind::Long | Kind::Int | Kind::Short | Kind::Bool)
    {
        return case(f, &args);
    }
    // The items of a virtual vector are walked; a virtual table is handed on whole.
    let args = match args.as_slice() {
        [Value::Fun(Func::Virtual(v))] if (0..98).contains(&v.q_type()) => vec![v.rows(0, v.count())?],
        _ => args,
    };
    if let [x] = args.as_slice() {
        if !walks(x) {
            return q.apply(f, args);
        }
        if x.count() == 0 {
            // No counts are whole numbers still.
            let counts = f.as_prim() == Some(Prim::Count) && !matches!(x, Value::Dict(_));
            return Ok(if counts { Value::longs([]) } else { shaped(x, vec![]) });
        }
        if let Some(p) = f.as_prim()
            && let Some(fast) = each_prim(p, x)
        {
            return Ok(fast);
        }
        let mut out = memory::values(x.count())?;
        for k in 0..x.count() {
            out.push(q.apply(f, vec![item::item(x, k)])?);
        }
        return Ok(shaped(x, out));
    }
    let args = match (
        args.iter().all(|a| matches!(a, Value::Dict(_)) || !walks(a)),
        args.iter().find(|a| matches!(a, Value::Dict(_))),
    ) {
        (true, Some(_)) => return each_dicts(q, f, args),
        _ => args,
    };
    let Some(n) = conform(&args)? else { return q.apply(f, args) };
    let mut out = memory::values(n)?;
    for k in 0..n {
        let row = args.iter().map(|a| if walks(a) { item::item(a, k) } else { a.clone() }).collect();
        out.push(q.apply(f, row)?);
    }
    let dict = args.iter().find(|a| matches!(a, Value::Dict(_)));
    Ok(dict.map_or_else(|| collect(out.clone()), |d| shaped(d, out.clone())))
}

/// `f peach x`: as each, on the threads that `\s` names.
pub fn peach(q: &mut Interp, f: &Value, x: Value) -> Result<Value> {
    if q.threads < 2 || !walks(&x) || x.count() < 2 {
        return each(q, f, vec![x]);
    }
    let results = super::peach::items(q, f, &x)?;
    Ok(shaped(&x, results))
}

/// Each of two dictionaries: by key, over the union of keys of the first.
fn each_dicts(q: &mut Interp, f: &Value, args: Vec<Value>) -> Result<Value> {
    let keys = args.iter().find_map(|a| match a {
        Value::Dict(d) => Some(d.keys.clone()),
        _ => None,
    });
    let Some(mut keys) = keys else { return rank_error() };
    for a in &args {
        if let Value::Dict(d) = a {
            keys = super::sets::union(&keys, &d.keys)?;
        }
    }
    let aligned = args
        .iter()
        .map(|a| match a {
            Value::Dict(d) => super::dict::lookup(d, &keys),
            other => Ok(other.clone()),
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(Value::dict(keys, each(q, f, aligned)?))
}

/// Keyword-sized functions of every item without boxing.
fn each_prim(p: Prim, x: &Value) -> Option<Value> {
    let Value::List(l) = x else { return None };
    match p {
        Prim::Count => Some(Value::longs(l.iter().map(|i| i.count() as i64))),
        Prim::Type => Some(Value::vector(
            Kind::Short,
            l.iter().map(|i| i.type_code() as i16).collect::<crate::Buf<i16>>(),
        )),
        _ => None,
    }
}

/// The common count of the lists among the arguments; none if all are atoms.
fn conform(args: &[Value]) -> Result<Option<usize>> {
    let mut n = None;
    for a in args.iter().filter(|a| walks(a)) {
        match n {
            None => n = Some(a.count()),
            Some(n) if n == a.count() => {}
            Some(_) => return length_error(),
        }
    }
    Ok(n)
}

fn case(f: &Value, args: &[Value]) -> Result<Value> {
    let picks = item::positions(f).unwrap_or_default();
    let n = picks.len();
    if args.iter().any(|a| walks(a) && a.count() != n) {
        return length_error();
    }
    let pick = |(k, &i): (usize, &i64)| match args.get(i as usize) {
        Some(a) if walks(a) => item::item(a, k),
        Some(a) => a.clone(),
        None => args.first().map_or_else(Value::null, item::null_item),
    };
    Ok(collect(picks.iter().enumerate().map(pick).collect()))
}

fn each_left(q: &mut Interp, f: &Value, x: Value, y: Value) -> Result<Value> {
    if !walks(&x) {
        return q.apply(f, vec![x, y]);
    }
    let mut out = memory::values(x.count())?;
    for k in 0..x.count() {
        out.push(q.apply(f, vec![item::item(&x, k), y.clone()])?);
    }
    Ok(shaped(&x, out))
}

fn each_right(q: &mut Interp, f: &Value, x: Value, y: Value) -> Result<Value> {
    if !walks(&y) {
        return q.apply(f, vec![x, y]);
    }
    let mut out = memory::values(y.count())?;
    for k in 0..y.count() {
        out.push(q.apply(f, vec![x.clone(), item::item(&y, k)])?);
    }
    Ok(shaped(&y, out))
}

/// `f/` and `f\`: fold for functions of two and more, converge, do and while for functions of one.
fn fold(q: &mut Interp, f: &Value, args: Vec<Value>, scan: bool) -> Result<Value> {
    let r = match f {
        Value::Fun(Func::Prim(p)) if p.row().max == 1 => 1,
        Value::Fun(Func::Prim(_)) => 2,
        // An over or scan is ambivalent, a projection counts its holes.
        Value::Fun(_) => rank(f),
        // A list of lists is indexed by two, state and input; other data is a map walked to its end.
        Value::List(l) if !l.is_empty() && !l.iter().any(Value::is_atom) => 2,
        _ => 1,
    };
    match (r, args.len()) {
        (_, 2) if is_rates(f) => recur(f, &args[0], &args[1], scan),
        (1, 1) => repeat(q, f, None, &args[0], scan),
        (1, 2) if matches!(f, Value::Fun(_)) || args[0].is_atom() => {
            let mut args = args;
            let x = args.pop().expect("two arguments were matched");
            let control = args.pop().expect("two arguments were matched");
            repeat(q, f, Some(&control), &x, scan)
        }
        (2, 1) => over(q, f, None, &args, scan),
        (_, n) if n >= 2 => {
            let mut args = args;
            let seed = args.remove(0);
            over(q, f, Some(seed), &args, scan)
        }
        // A function of three and more with one argument awaits the others.
        (_, 1) => rank_error(),
        _ => rank_error(),
    }
}

/// Repeats a function of one: until it converges, `n` times, or while a condition holds.
fn repeat(q: &mut Interp, f: &Value, control: Option<&Value>, x: &Value, scan: bool) -> Result<Value> {
    let mut now = x.clone();
    let mut seen = vec![x.clone()];
    let mut left = match control {
        None => i64::MAX,
        Some(c) if matches!(c, Value::Atom(_)) => match c.as_long() {
            Some(n) => n,
            None => return type_error(),
        },
        Some(_) => i64::MAX,
    };
    let test = control.filter(|c| !matches!(c, Value::Atom(_)));
    let mut watch = Watch::new(q, x);
    while left > 0 {
        q.check()?;
        if let Some(test) = test {
            let go = q.apply(test, vec![now.clone()])?;
            if !super::index::truth(&go)? {
                break;
            }
        }
        let next = q.apply(f, vec![now.clone()])?;
        if control.is_none() && (same::matches(&next, &now) || same::matches(&next, x)) {
            break;
        }
        if control.is_none() || test.is_some() {
            watch.turn(q, &next)?;
        }
        left -= 1;
        if scan {
            memory::push(&mut seen, next.clone())?;
        }
        now = next;
    }
    Ok(if scan { collect(seen) } else { now })
}

/// True for floats, which index nothing: as a function of two they are the rates of a linear recurrence.
fn is_rates(f: &Value) -> bool {
    matches!(f.type_code().unsigned_abs(), 8 | 9)
}

/// `x b\c`: each value times its rate plus the next of `c`, as `{z+x*y}\[x;b;c]` gives it.
fn recur(b: &Value, x: &Value, c: &Value, scan: bool) -> Result<Value> {
    let step = |x: &Value, b: &Value, c: &Value| map::map2(Prim::Add, c, &map::map2(Prim::Mul, x, b)?);
    let Some(n) = conform(&[b.clone(), c.clone()])? else { return step(x, b, c) };
    if let (Some(mut now), Some(b), Some(c)) = (plain(x), floats(b, n), floats(c, n))
        && x.is_atom()
    {
        let mut next = |(b, c): (&f64, &f64)| {
            now = c + now * b;
            now
        };
        let steps: Buf<f64> = b.iter().zip(c.iter()).map(&mut next).collect();
        return Ok(if scan { Value::vector(Kind::Float, steps) } else { Value::float(now) });
    }
    let at = |v: &Value, k: usize| if walks(v) { item::item(v, k) } else { v.clone() };
    let mut now = x.clone();
    let mut seen = vec![];
    for k in 0..n {
        now = step(&now, &at(b, k), &at(c, k))?;
        seen.push(now.clone());
    }
    Ok(if scan { collect(seen) } else { now })
}

/// A float atom.
fn plain(x: &Value) -> Option<f64> {
    match x {
        Value::Atom(a) if a.kind == Kind::Float => a.elem::<f64>(),
        _ => None,
    }
}

/// The `n` floats of a float vector or atom.
fn floats(x: &Value, n: usize) -> Option<Buf<f64>> {
    match x {
        Value::Vec(v) if v.kind == Kind::Float => v.elems::<f64>().cloned(),
        _ => plain(x).map(|x| Buf::filled(n, x)),
    }
}

/// Folds a function of two or more over the items of its later arguments.
fn over(q: &mut Interp, f: &Value, seed: Option<Value>, args: &[Value], scan: bool) -> Result<Value> {
    if let (Some(p), [x]) = (f.as_prim(), args)
        && let Some(fast) = over_prim(p, seed.as_ref(), x, scan)
    {
        return fast;
    }
    let Some(n) = conform(args)? else {
        return match seed {
            None => Ok(args[0].clone()),
            Some(seed) => {
                let mut all = vec![seed];
                all.extend(args.iter().cloned());
                q.apply(f, all)
            }
        };
    };
    let unseeded = seed.is_none();
    let mut now = match seed {
        Some(seed) => seed,
        None if n == 0 => return empty_fold(f, &args[0], scan),
        // What joins starts from the empty list.
        None if f.as_prim() == Some(Prim::Join) => join::join(Value::list(vec![]), &item::item(&args[0], 0))?,
        None => item::item(&args[0], 0),
    };
    let mut seen = vec![];
    if scan && unseeded {
        seen.push(now.clone());
    }
    for k in usize::from(unseeded)..n {
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(now);
        all.extend(args.iter().map(|a| if walks(a) { item::item(a, k) } else { a.clone() }));
        now = q.apply(f, all)?;
        if scan {
            memory::push(&mut seen, now.clone())?;
        }
    }
    if !scan {
        return Ok(now);
    }
    let dict = args.iter().find(|a| matches!(a, Value::Dict(_)));
    Ok(match dict {
        Some(d) => shaped(d, seen),
        None => collect(seen),
    })
}

/// What folding nothing gives: the identity of a primitive that has one. A function of the user's has none that
/// is known, so it gives the empty list. A primitive's scan gives no items.
fn empty_fold(f: &Value, x: &Value, scan: bool) -> Result<Value> {
    match (f.as_prim(), x) {
        (None, _) => Ok(Value::list(vec![])),
        (Some(_), _) if scan => Ok(x.clone()),
        (Some(Prim::Add), _) => Ok(Value::long(0)),
        (Some(Prim::Mul), _) => Ok(Value::long(1)),
        (Some(Prim::Join), _) => Ok(x.clone()),
        (Some(_), _) => Ok(item::slice(x, 0, 0)),
    }
}

/// Folds and scans of primitives that have a whole-vector rule: nulls count as the identity there.
fn over_prim(p: Prim, seed: Option<&Value>, x: &Value, scan: bool) -> Option<Result<Value>> {
    if seed.is_none() && p == Prim::Join && !scan {
        return Some(join::raze(x));
    }
    let Value::Vec(v) = x else { return None };
    if let Some(seed) = seed.filter(|s| scan && v.is_empty() && s.is_atom())
        && maps_pairs(p)
    {
        // Nothing, of the function's type.
        return Some(super::map::map2(p, seed, x));
    }
    if v.is_empty() && seed.is_some() {
        return None;
    }
    let seeded = |rest: Result<Value>| match (seed, rest) {
        (Some(s), Ok(r)) if !scan => super::map::map2(p, s, &r),
        (_, rest) => rest,
    };
    if seed.is_some() && (scan || !matches!(seed, Some(Value::Atom(_)))) {
        return None;
    }
    match (p, scan) {
        (Prim::Add, false) => Some(seeded(super::agg::agg1(Prim::Sum, x))),
        (Prim::Mul, false) => Some(seeded(super::agg::agg1(Prim::Prd, x))),
        (Prim::Lesser, false) => Some(seeded(super::agg::agg1(Prim::Min, x))),
        (Prim::Greater, false) => Some(seeded(super::agg::agg1(Prim::Max, x))),
        (Prim::Add | Prim::Mul | Prim::Lesser | Prim::Greater | Prim::Fill, true) => {
            Some(super::scan::running(p, x))
        }
        _ => None,
    }
}

/// Is it a function of two arguments that works item by item?
fn maps_pairs(p: Prim) -> bool {
    (p.row().class, p.row().max) == (crate::fun::Class::Map, 2)
        && !matches!(p, Prim::In | Prim::Within | Prim::Like)
}

/// `f':`: each item with the one before it. Before the first stands the seed, or the identity that leaves the
/// first item as it is, or a null.
fn prior(q: &mut Interp, f: &Value, args: Vec<Value>) -> Result<Value> {
    let (seed, x) = match <[Value; 2]>::try_from(args) {
        Ok([seed, x]) => (Some(seed), x),
        Err(args) => match <[Value; 1]>::try_from(args) {
            Ok([x]) => (None, x),
            Err(_) => return rank_error(),
        },
    };
    if !walks(&x) {
        return match seed {
            Some(s) => q.apply(f, vec![x, s]),
            None => Ok(x),
        };
    }
    if let Value::Dict(d) = &x {
        let args = seed.into_iter().chain(std::iter::once(d.vals.clone())).collect();
        let vals = prior(q, f, args)?;
        return Ok(Value::Dict(Arc::new(Dict { vals, ..(**d).clone() })));
    }
    let n = x.count();
    let p = f.as_prim();
    if n == 0 {
        // Of no items the type still is the function's.
        let maps = p.is_some_and(|p| p.row().class == crate::fun::Class::Map && p.row().max == 2);
        let typed = matches!(x, Value::Vec(_)) && (maps || matches!(f, Value::Fun(Func::Comp(_))));
        if !typed {
            return Ok(x);
        }
        let none = q.apply(f, vec![x.clone(), x.clone()]);
        // These know the types that they take without items, as running sums do.
        let strict = matches!(
            p,
            Some(Prim::Add | Prim::Sub | Prim::Mul | Prim::Divide | Prim::Lesser | Prim::Greater)
        );
        return if strict { none } else { none.or(Ok(x)) };
    }
    if matches!(p, Some(Prim::Assign | Prim::Ident)) && seed.is_none() {
        return super::take::shift(1, &x);
    }
    // The whole vector against itself moved by one, where the function works item by item.
    if let (Some(p), Value::Vec(_)) = (p, &x)
        && maps_pairs(p)
        && let Some(before) = moved(&seed, &x, p)
    {
        return super::map::map2(p, &x, &before);
    }
    let mut before = match (seed, p) {
        (Some(s), _) => s,
        (None, Some(Prim::Sub | Prim::Add)) => Value::long(0),
        (None, Some(Prim::Divide | Prim::Mul)) => Value::long(1),
        (None, Some(Prim::Join)) => Value::list(vec![]),
        (None, Some(Prim::Lesser | Prim::Greater)) => item::item(&x, 0),
        (None, _) => item::null_item(&x),
    };
    let mut out = memory::values(n)?;
    for k in 0..n {
        let now = item::item(&x, k);
        out.push(q.apply(f, vec![now.clone(), before])?);
        before = now;
    }
    Ok(collect(out))
}

/// `x` moved by one for a primitive, if what stands before the first item is of `x`'s own type. For `deltas` that is
/// 0, so the first item of dates is a number of days, as q's table of types has it.
fn moved(seed: &Option<Value>, x: &Value, p: Prim) -> Option<Value> {
    let first = match (seed, p) {
        (Some(s), _) => s.clone(),
        (None, Prim::Lesser | Prim::Greater) => item::item(x, 0),
        (None, Prim::Sub) => super::elem::small(x, 0)?,
        (None, Prim::Divide) => super::elem::small(x, 1)?,
        (None, Prim::Eq | Prim::Ne | Prim::Lt | Prim::Gt | Prim::Le | Prim::Ge) => item::null_item(x),
        _ => return None,
    };
    let rest = item::slice(x, 0, x.count() - 1);
    match join::join(item::enlist(first), &rest) {
        Ok(before @ Value::Vec(_)) => Some(before),
        _ => None,
    }
}
