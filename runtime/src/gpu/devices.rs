//! The `.gpu` functions about devices: which there are, which this thread has chosen, their memory, waiting for
//! them, and profilers.
//!
//! Engines on the host are one device, 0, whose memory is the process's.

use super::moves;
use super::object::{Body, Object, Place, Table};
use super::verbs::Row;
use crate::column::Column;
use crate::device::cuda::context::{choose, chosen};
use crate::device::cuda::memory::{Usage, set_tight, tight};
use crate::device::cuda::{Context, driver, profile};
use crate::session::Session;
use q::error::{domain_error, type_error};
use q::eval::apply;
use q::value::{Func, Proj};
use q::{Error, Interp, Kind, Result, Sym, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Name, rank, what it does.
pub const FUNCTIONS: &[Row] = &[
    (".gpu.cntDev", 1, |s, _, _| Ok(Value::long(count(s) as i64))),
    (".gpu.config", 1, |s, q, a| config(s, q, &a[0])),
    (".gpu.getDev", 1, |_, _, a| get(&a[0])),
    (".gpu.getMemRelThres", 1, |s, _, _| Ok(Value::long(threshold(s)?))),
    (".gpu.memDev", 1, |s, q, _| memory(s, q)),
    (".gpu.nvtx.end", 1, |_, _, a| match (&a[0], a[0].as_long()) {
        (Value::Atom(x), Some(id)) if x.kind == Kind::Long => {
            profile::end(id as u64);
            Ok(Value::null())
        }
        _ => type_error(),
    }),
    (".gpu.nvtx.start", 1, |_, _, a| match a[0].as_chars() {
        Some(name) => Ok(Value::long(profile::start(name) as i64)),
        None => type_error(),
    }),
    (".gpu.onDev", 2, |s, q, a| on(s, q, &a[0], &a[1])),
    (".gpu.profiler.start", 1, |s, _, _| record(s, true)),
    (".gpu.profiler.stop", 1, |s, _, _| record(s, false)),
    (".gpu.setDev", 1, |s, _, a| {
        choose(index(s, &a[0])?);
        Ok(Value::null())
    }),
    (".gpu.setMemRelThres", 1, |s, _, a| {
        set_threshold(s, bytes(&a[0])?)?;
        Ok(Value::null())
    }),
    (".gpu.sync", 1, |s, _, _| {
        s.sync()?;
        if !s.on_gpu() && HOST_THRESHOLD.load(Relaxed) == 0 {
            q::buf::trim_pool();
        }
        Ok(Value::null())
    }),
];

/// What the host keeps of freed memory beyond use, as the setting says; a pool of its own knows all or nothing.
static HOST_THRESHOLD: AtomicI64 = AtomicI64::new(4 << 30);

/// How many devices.
fn count(session: &Session) -> usize {
    match driver::driver() {
        Ok(driver) if session.on_gpu() => driver.gpus.len(),
        _ => 1,
    }
}

/// A device's index: a long below the count.
fn index(session: &Session, x: &Value) -> Result<usize> {
    match (x, x.as_long()) {
        (Value::Atom(a), Some(i)) if a.kind == Kind::Long => match usize::try_from(i) {
            Ok(i) if i < count(session) => Ok(i),
            _ => domain_error(),
        },
        _ => type_error(),
    }
}

/// The chosen device, or the one that an object is on.
fn get(x: &Value) -> Result<Value> {
    let of = |c: &Column| c.device().unwrap_or(0);
    let found = match Object::of(x).map(|o| &o.body) {
        None if x.is_null_fn() => chosen(),
        None => return type_error(),
        Some(Body::Vector(c)) => of(c),
        Some(Body::Table(Table { cols, .. })) => {
            cols.iter().find_map(|p| if let Place::Device(c) = p { Some(of(c)) } else { None }).unwrap_or(0)
        }
        Some(Body::Dict { vals, .. }) => match vals {
            Value::List(items) => match items.iter().find(|i| Object::of(i).is_some()) {
                Some(item) => return get(item),
                None => 0,
            },
            vals if Object::of(vals).is_some() => return get(vals),
            _ => 0,
        },
    };
    Ok(Value::long(found as i64))
}

/// `f[]` with a device chosen, and the one before chosen again after it, whatever happens.
fn on(session: &Session, q: &mut Interp, device: &Value, f: &Value) -> Result<Value> {
    let device = index(session, device)?;
    let f = match f.as_sym() {
        Some(name) => &q.global(name).ok_or_else(|| Error::new(name.text()))?,
        None => f,
    };
    match open(f) {
        None => return type_error(),
        Some(n) if n > 1 => return Err(Error::new("rank")),
        Some(_) => {}
    }
    let before = chosen();
    choose(device);
    let out = q.apply(f, vec![Value::null()]);
    choose(before);
    out
}

/// How many arguments a function still takes, where it is one that `onDev` calls. q shows an argument that is left
/// out as `::`, so one that was given as such counts as left out.
fn open(f: &Value) -> Option<usize> {
    match f {
        Value::Fun(Func::Lambda(_) | Func::Native(_)) => Some(apply::rank(f)),
        Value::Fun(Func::Proj(p)) => {
            let Proj { fun, args } = &**p;
            let holes = args.iter().filter(|a| a.as_ref().is_none_or(Value::is_null_fn)).count();
            Some(holes + apply::rank(fun).saturating_sub(args.len()))
        }
        Value::Fun(Func::Comp(fs)) => fs.last().map(apply::rank),
        _ => None,
    }
}

/// Memory of the chosen device, in bytes.
fn memory(session: &Session, q: &mut Interp) -> Result<Value> {
    let figures = match session.on_gpu() {
        true => {
            let u = Usage::of(Context::current()?)?;
            [u.used, u.heap, u.peak, u.physical, u.free].map(|x| i64::try_from(x).unwrap_or(i64::MAX))
        }
        false => {
            let w = moves::from(&q.eval_text(b".Q.w[]")?)?;
            let Value::Dict(w) = w else { return type_error() };
            let at = |name: &str| {
                let names = moves::names(&w.keys)?;
                let i = names.iter().position(|n| n.text() == name)?;
                q::eval::item::item(&w.vals, i).as_long()
            };
            let [used, heap, peak, mphy] = ["used", "heap", "peak", "mphy"].map(|n| at(n).unwrap_or(0));
            [used, heap, peak, mphy, (mphy - heap).max(0)]
        }
    };
    Ok(Value::dict(
        Value::syms(["used", "heap", "peak", "mphy", "free"].map(Sym::new)),
        Value::longs(figures),
    ))
}

/// Bytes as a setting has them.
fn bytes(x: &Value) -> Result<i64> {
    match (x, x.as_long()) {
        (Value::Atom(a), Some(n)) if a.kind == Kind::Long && n >= 0 => Ok(n),
        (Value::Atom(a), _) if a.kind == Kind::Long => domain_error(),
        _ => type_error(),
    }
}

fn threshold(session: &Session) -> Result<i64> {
    match session.on_gpu() {
        true => Ok(i64::try_from(Context::current()?.threshold()?).unwrap_or(i64::MAX)),
        false => Ok(HOST_THRESHOLD.load(Relaxed)),
    }
}

fn set_threshold(session: &Session, bytes: i64) -> Result<()> {
    match session.on_gpu() {
        true => Context::current()?.set_threshold(bytes.unsigned_abs()),
        false => {
            HOST_THRESHOLD.store(bytes, Relaxed);
            Ok(())
        }
    }
}

/// All settings, or new values for some: all of them or, where one is wrong, none.
fn config(session: &Session, q: &Interp, x: &Value) -> Result<Value> {
    if x.is_null_fn() {
        let alloc = Value::sym(if tight() { "tight" } else { "buddy" });
        let mut settings = vec![("memRelThres", Value::long(threshold(session)?)), ("alloc", alloc)];
        // It is ours, and not shown where a program may expect the two others alone.
        if session.compensated() {
            settings.push(("sums", Value::sym("compensated")));
        }
        let (names, values): (Vec<_>, Vec<_>) = settings.into_iter().unzip();
        return Ok(Value::dict(Value::syms(names.into_iter().map(Sym::new)), Value::list(values)));
    }
    let Value::Dict(d) = x else { return type_error() };
    let Some(names) = moves::names(&d.keys) else { return type_error() };
    let (mut keep, mut exact, mut compensated) = (None, None, None);
    let choice = |value: &Value, [no, yes]: [&str; 2]| match value.as_sym() {
        Some(s) if s.text() == no => Ok(Some(false)),
        Some(s) if s.text() == yes => Ok(Some(true)),
        Some(_) => domain_error(),
        None => type_error(),
    };
    for (i, name) in names.iter().enumerate() {
        let value = q::eval::item::item(&d.vals, i);
        match name.text() {
            "memRelThres" => keep = Some(bytes(&value)?),
            "alloc" => exact = choice(&value, ["buddy", "tight"])?,
            "sums" => compensated = choice(&value, ["plain", "compensated"])?,
            _ => return domain_error(),
        }
    }
    if exact.is_some() || compensated.is_some() {
        // They are every thread's, so only the main thread sets them.
        q.globals.may_change()?;
    }
    if let Some(bytes) = keep {
        set_threshold(session, bytes)?;
    }
    if let Some(exact) = exact {
        set_tight(exact);
    }
    if let Some(yes) = compensated {
        session.compensate(yes);
    }
    Ok(Value::null())
}

fn record(session: &Arc<Session>, on: bool) -> Result<Value> {
    if session.on_gpu() {
        profile::record(on)?;
    }
    Ok(Value::null())
}
