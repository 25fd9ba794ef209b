//! Application: anything applied to anything. Functions, projections, compositions, lists and dictionaries as
//! functions, names, handles, traps.

use super::env::Frame;
use super::{Interp, amend, index, item, iterate, prim, view};
use crate::error::{Error, Result, rank_error, type_error};
use crate::fun::{Class, Fun, Prim};
use crate::kind::Kind;
use crate::lambda::Lambda;
use crate::memory;
use crate::sym::Sym;
use crate::value::{Func, Iter, Proj, Value};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Applications between two looks at the memory that small values take.
const LOOK: u32 = 1 << 14;

/// How many arguments complete `f`; 1 for data.
pub fn rank(f: &Value) -> usize {
    match f {
        Value::Fun(f) => match f {
            Func::Prim(p) => p.row().min as usize,
            Func::Iter(_) => 1,
            Func::Lambda(l) => l.params.len().max(1),
            Func::Proj(p) => holes(p),
            Func::Comp(fs) => fs.last().map_or(1, rank),
            Func::Derived(i, g) => match i {
                Iter::Each => rank(g),
                // With a seed before it an each prior takes two, but one completes it.
                Iter::Prior => 1,
                Iter::Over | Iter::Scan => rank(g).max(1) - usize::from(rank(g) > 1),
                Iter::Left | Iter::Right => 2,
            },
            Func::Native(n) => n.rank().max(1),
            Func::Virtual(_) => 1,
        },
        _ => 1,
    }
}

/// Arguments that a projection still wants: its holes, and those after the last it was given.
fn holes(p: &Proj) -> usize {
    p.args.iter().filter(|a| a.is_none()).count() + rank(&p.fun).saturating_sub(p.args.len())
}

/// The most arguments that `f` takes.
fn most(f: &Value) -> usize {
    match f {
        Value::Fun(Func::Prim(p)) => p.row().max as usize,
        Value::Fun(Func::Lambda(l)) => l.params.len().max(1),
        Value::Fun(Func::Native(n)) => n.rank().max(1),
        _ => usize::MAX,
    }
}

/// `'wsfull` where a primitive that makes a position for each item could not have them.
fn room(row: &Fun, args: &[Value]) -> Result<()> {
    if matches!(row.class, Class::Map | Class::Agg) || row.prim == Prim::Count {
        return Ok(());
    }
    args.iter().try_for_each(|x| match x {
        Value::Vec(v) if v.kind.width() < 8 => memory::room_for(v.len()),
        Value::List(l) => memory::room(l.len() * size_of::<Value>()),
        _ => Ok(()),
    })
}

/// `'limit` for a value that nests deeper than any may.
pub fn bound(x: &Value) -> Result<()> {
    if x.depth() > crate::nest::LIMIT { Err(Error::new("limit")) } else { Ok(()) }
}

/// A projection of `f`: `None` is a hole, and what `f` wants after the last of `args` is open too.
pub fn project(f: &Value, args: Vec<Option<Value>>) -> Value {
    Value::Fun(Func::Proj(Arc::new(Proj { fun: f.clone(), args })))
}

impl Interp {
    /// `f` applied to `args`, none elided. Too few arguments make a projection, too many signal `'rank`.
    /// A result nested too deep signals `'limit`.
    pub fn apply(&mut self, f: &Value, args: Vec<Value>) -> Result<Value> {
        self.check()?;
        let out = self.guard(|q| q.apply_any(f, args))?;
        bound(&out)?;
        Ok(out)
    }

    fn apply_any(&mut self, f: &Value, args: Vec<Value>) -> Result<Value> {
        let Value::Fun(fun) = f else { return self.apply_data(f, args) };
        match fun {
            Func::Prim(p) => self.apply_prim(f, *p, args),
            Func::Iter(i) => self.apply_iter(*i, args),
            Func::Lambda(l) => self.apply_lambda(f, l, args),
            Func::Proj(p) => self.apply_proj(f, p, args),
            Func::Comp(fs) => {
                let Some((last, outer)) = fs.split_last() else { return rank_error() };
                let inner = rank(last);
                if args.len() < inner {
                    return Ok(partial(f, args));
                }
                let first = self.apply(last, args)?;
                outer.iter().rev().try_fold(first, |x, g| self.apply(g, vec![x]))
            }
            Func::Derived(i, g) => iterate::derived(self, f, *i, g, args),
            Func::Native(n) => match n.rank() {
                r if args.len() < r => Ok(partial(f, args)),
                r if args.len() > r.max(1) => rank_error(),
                r => {
                    self.touch();
                    n.call(self, if r == 0 { &[] } else { &args })
                }
            },
            Func::Virtual(v) => {
                self.touch();
                let mut all = vec![f.clone()];
                all.extend(args);
                let name = if all.len() == 2 { "at" } else { "dot" };
                v.clone().verb(name, &all)?.map_or_else(type_error, Ok)
            }
        }
    }

    /// As [`Interp::apply`], with `None` for an elided argument, which makes a projection.
    pub fn apply_holes(&mut self, f: &Value, args: Vec<Option<Value>>) -> Result<Value> {
        if args.iter().all(Option::is_some) {
            return self.apply(f, args.into_iter().flatten().collect());
        }
        match f {
            Value::Fun(Func::Proj(p)) => {
                // Holes filled by holes stay holes.
                let mut given = args.into_iter();
                let filled = p.args.iter().map(|a| a.clone().or_else(|| given.next().flatten()));
                let mut all: Vec<Option<Value>> = filled.collect();
                all.extend(given);
                Ok(project(&p.fun, all))
            }
            Value::Fun(_) => {
                if args.len() > most(f) {
                    return rank_error();
                }
                Ok(project(f, args))
            }
            // Data: an elided index takes all.
            Value::Atom(_) => Ok(project(f, args)),
            _ => self.apply(f, args.into_iter().map(|a| a.unwrap_or_else(Value::null)).collect()),
        }
    }

    fn apply_prim(&mut self, f: &Value, p: Prim, args: Vec<Value>) -> Result<Value> {
        let row = p.row();
        if args.len() < row.min as usize {
            return Ok(partial(f, args));
        }
        if args.len() > row.max as usize {
            return rank_error();
        }
        room(row, &args)?;
        prim::call(self, p, args)
    }

    fn apply_iter(&mut self, i: Iter, args: Vec<Value>) -> Result<Value> {
        match (i, args.len()) {
            (_, 1) => {
                let [f] = args.try_into().map_err(|_| Error::new("rank"))?;
                Ok(Value::Fun(Func::Derived(i, Arc::new(f))))
            }
            // '[f;g] composes.
            (Iter::Each, n) if n > 1 => Ok(Value::Fun(Func::Comp(Arc::new(args)))),
            _ => rank_error(),
        }
    }

    fn apply_proj(&mut self, f: &Value, p: &Proj, args: Vec<Value>) -> Result<Value> {
        if args.len() < holes(p) {
            let mut given = args.into_iter();
            let filled = p.args.iter().map(|a| a.clone().or_else(|| given.next()));
            let mut all: Vec<Option<Value>> = filled.collect();
            all.extend(given.map(Some));
            return Ok(project(&p.fun, all));
        }
        let _ = f;
        let mut given = args.into_iter();
        let mut all: Vec<Value> = p.args.iter().filter_map(|a| a.clone().or_else(|| given.next())).collect();
        all.extend(given);
        self.apply(&p.fun, all)
    }

    fn apply_lambda(&mut self, f: &Value, l: &Arc<Lambda>, args: Vec<Value>) -> Result<Value> {
        let want = l.params.len();
        if args.len() < want {
            // A call with no argument passes the null to a function of one.
            return Ok(partial(f, args));
        }
        if args.len() > want.max(1) {
            return rank_error();
        }
        // A function that only names a primitive is that primitive. An error needs the function's frame for its place.
        if let Some(p) = only(l)
            && let Ok(out) = self.apply_prim(f, p, args.clone())
        {
            return Ok(out);
        }
        let mut vars: Vec<(Sym, Option<Value>)> = Vec::with_capacity(want + l.locals.len());
        vars.extend(l.params.iter().copied().zip(args.into_iter().map(Some)));
        vars.extend(l.locals.iter().map(|n| (*n, None)));
        let source = Some(l.source.clone());
        self.frames.push(Frame { vars, space: l.space, source, lambda: Some(f.clone()), ..Frame::default() });
        let result = self.body(l);
        self.frames.pop();
        result
    }

    /// The statements of a function; the value is the last one's, or that of an early return.
    fn body(&mut self, l: &Lambda) -> Result<Value> {
        let mut last = Value::null();
        for (i, tree) in l.body.iter().enumerate() {
            match self.eval(tree, l.spans.get(i)) {
                Ok(v) => last = v,
                Err(_) if self.returned.is_some() => {
                    return Ok(self.returned.take().unwrap_or_else(Value::null));
                }
                Err(e) => return Err(e),
            }
        }
        Ok(last)
    }

    fn apply_data(&mut self, x: &Value, args: Vec<Value>) -> Result<Value> {
        match x {
            Value::Atom(a) if a.kind == Kind::Sym => {
                let name = x.as_sym().unwrap_or_default();
                let view = match &args[..] {
                    [of] if name.text() == "." => of.as_sym().and_then(|of| view::itself(self, of)),
                    _ => None,
                };
                match view {
                    Some(view) => Ok(view),
                    None => {
                        let f = self.resolve_name(name)?;
                        self.apply(&f, args)
                    }
                }
            }
            Value::Atom(_) => {
                let Some(handle) = x.as_long() else { return type_error() };
                match <[Value; 1]>::try_from(args) {
                    Ok([arg]) => super::files::handle(self, handle, arg, x),
                    Err(_) => rank_error(),
                }
            }
            _ => match args.as_slice() {
                [i] => index::index1(x, i),
                _ => index::index(self, x, &args),
            },
        }
    }

    /// The value that a symbol used as a function or by-name argument stands for.
    pub fn resolve_name(&mut self, name: Sym) -> Result<Value> {
        if let Some(v) = self.global(name) {
            return Ok(v);
        }
        if let Some(v) = prim::keyword(name.text()) {
            return Ok(v);
        }
        self.lookup(name)
    }

    /// `@[f;x;h]` and `.[f;args;h]`: `h` is the result on an error, or is applied to its text.
    pub fn trap(&mut self, f: &Value, args: Vec<Value>, handler: &Value) -> Result<Value> {
        match self.caught(f, args)? {
            Ok(value) => Ok(value),
            Err(e) => match handler {
                Value::Fun(_) => self.apply(handler, vec![error_text(&e)]),
                _ => Ok(handler.clone()),
            },
        }
    }

    /// The signal of an interrupt, which is over.
    pub(super) fn stopped(&mut self) -> Error {
        // The workers of one `peach` stop together; the flag is for their caller to lower.
        self.interrupt.store(self.globals.frozen, Relaxed);
        Error::new("stop").detail("interrupted")
    }

    /// Signals `'stop` after an interrupt, now and then `'wsfull` when memory is short, and `'stack` when evaluation has used the stack it may.
    pub fn check(&mut self) -> Result<()> {
        // A plain load, because swapping is slow and this runs at every application.
        if self.interrupt.load(Relaxed) {
            return Err(self.stopped());
        }
        self.checks = self.checks.wrapping_add(1);
        if self.checks.is_multiple_of(LOOK) {
            memory::look()?;
        }
        let here = 0u8;
        let at = std::ptr::from_ref(&here) as usize;
        let top = *self.stack_top.get_or_insert(at);
        if top.abs_diff(at) > self.stack_bytes { Err(Error::new("stack")) } else { Ok(()) }
    }
}

/// The elementwise primitive that a function like `{x+y}` applies to its arguments as they come.
fn only(l: &Lambda) -> Option<Prim> {
    let ([Value::List(tree)], [x, y]) = (l.body.as_slice(), l.params.as_slice()) else { return None };
    let [head, left, right] = &tree[..] else { return None };
    let p = head.as_prim().filter(|p| p.row().class == Class::Map && p.row().max == 2)?;
    (left.as_sym() == Some(*x) && right.as_sym() == Some(*y)).then_some(p)
}

/// The text that a trap's handler gets.
pub fn error_text(e: &Error) -> Value {
    Value::chars(&e.name.chars().map(|c| c as u8).collect::<Vec<u8>>())
}

fn partial(f: &Value, args: Vec<Value>) -> Value {
    project(f, args.into_iter().map(Some).collect())
}

/// `@` with two to four arguments.
pub fn at(q: &mut Interp, args: Vec<Value>) -> Result<Value> {
    match args.as_slice() {
        [f, x] => q.apply(f, vec![x.clone()]),
        // A function is trapped, a list or name amended.
        [f @ Value::Fun(_), x, h] => q.trap(f, vec![x.clone()], h),
        [x, i, f] => {
            let (path, f) = ([i.clone()], f.clone());
            let x = x.clone();
            std::mem::drop(args);
            amend::amend_call(q, x, &path, &f, None)
        }
        [x, i, f, y] => {
            let (x, path, f, y) = (x.clone(), [i.clone()], f.clone(), y.clone());
            std::mem::drop(args);
            amend::amend_call(q, x, &path, &f, Some(&y))
        }
        _ => rank_error(),
    }
}

/// `.` with two to four arguments.
pub fn dot(q: &mut Interp, args: Vec<Value>) -> Result<Value> {
    match args.as_slice() {
        [f, x] => amend::dot(q, f, x),
        [f @ Value::Fun(_), x, h] => {
            let list = item::items(x);
            q.trap(f, if list.is_empty() { vec![Value::null()] } else { list }, h)
        }
        [x, path, f] => {
            let (x, path, f) = (x.clone(), item::items(path), f.clone());
            std::mem::drop(args);
            amend::amend_call(q, x, &path, &f, None)
        }
        [x, path, f, y] => {
            let (x, path, f, y) = (x.clone(), item::items(path), f.clone(), y.clone());
            std::mem::drop(args);
            amend::amend_call(q, x, &path, &f, Some(&y))
        }
        _ => rank_error(),
    }
}
