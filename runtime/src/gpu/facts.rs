//! `.gpu.type`, `.gpu.count`, `.gpu.attr` and `.gpu.meta`: what an object is, wherever it lives.

use super::object::{Body, Object, Place, Table};
use crate::cache::{Counts, Disk};
use crate::session::Session;
use q::error::type_error;
use q::seam::Virtual;
use q::value::Attr;
use q::{Result, Sym, Value};

/// q's type number of `x`, of what it stands for if it is an object; a short.
pub fn type_of(x: &Value) -> Value {
    let code = Object::of(x).map_or(x.type_code(), |o| o.q_type());
    Value::atom(q::Kind::Short, code as i16)
}

/// Items, entries or rows of `x`, of what it stands for if it is an object; a long.
pub fn count(x: &Value) -> Value {
    Value::long(Object::of(x).map_or(x.count(), |o| o.count()) as i64)
}

/// The attribute of `x` as a symbol; null for none.
pub fn attr(x: &Value) -> Value {
    let attr = match (Object::of(x).map(|o| &o.body), x) {
        (Some(Body::Vector(c)), _) => c.attr,
        (None, Value::Vec(v)) => v.attr,
        (None, Value::Dict(d)) if d.step => Attr::Sorted,
        _ => Attr::None,
    };
    Value::sym(attr.letter())
}

/// Columns, types, attributes and residency of a table.
pub fn meta(x: &Value) -> Result<Value> {
    let host;
    let table = match Object::of(x).map(|o| &o.body) {
        Some(Body::Table(t)) => t,
        Some(_) => return type_error(),
        None => match Table::of(x) {
            Some(t) => {
                host = t;
                &host
            }
            None => return type_error(),
        },
    };
    let each = |f: fn(&Place) -> Sym| Value::syms(table.cols.iter().map(f));
    let letters: Vec<u8> = table.cols.iter().map(Place::letter).collect();
    let keys = Value::table(vec!["c".into()], vec![Value::syms(table.names.iter().copied())]);
    let vals = Value::table(
        ["t", "f", "a", "r"].map(Sym::new).to_vec(),
        vec![
            Value::chars(&letters),
            each(|_| Sym::NULL),
            each(|p| Sym::new(p.attr().letter())),
            each(|p| Sym::new(if matches!(p, Place::Device(_)) { "gpu" } else { "cpu" })),
        ],
    );
    Ok(Value::dict(keys, vals))
}

/// How each level of the cache did: plans of this session, modules of its engine, and compiled kernels on disk,
/// the last two in the life of the process. `ms` is the time that it took to make what was missed: compiling a
/// plan and loading it, loading a module, and NVRTC.
pub fn caches(session: &Session) -> Value {
    let (plans, modules) = session.caches();
    let levels = [("plan", plans), ("module", modules), ("disk", Disk::process().counts())];
    let longs = |f: fn(&Counts) -> u64| Value::longs(levels.iter().map(|(_, c)| f(c) as i64));
    let keys = Value::syms(levels.iter().map(|l| Sym::new(l.0)));
    let vals = vec![
        longs(|c| c.hits),
        longs(|c| c.misses),
        longs(|c| c.evictions),
        Value::floats(levels.iter().map(|(_, c)| c.spent.as_secs_f64() * 1e3)),
    ];
    Value::dict(
        Value::table(vec!["level".into()], vec![keys]),
        Value::table(["hits", "misses", "evictions", "ms"].map(Sym::new).to_vec(), vals),
    )
}
