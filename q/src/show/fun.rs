//! How functions print: by their text.

use super::{Settings, line};
use crate::value::{Func, Proj, Value};

/// Appends a function's text: a lambda's as typed, a primitive's as a tree writes it, and projections,
/// compositions and derived functions from those of their parts.
pub fn put(out: &mut String, f: &Func, s: &Settings, room: usize) {
    match f {
        Func::Prim(p) => out.push_str(p.row().text),
        Func::Iter(i) => out.push_str(i.text()),
        Func::Lambda(l) => out.push_str(&String::from_utf8_lossy(&l.text)),
        Func::Proj(p) => projection(out, p, s, room),
        Func::Comp(parts) => {
            // Before others a unary operator needs no colon to be told from the binary one.
            let last = parts.len().saturating_sub(1);
            for (i, part) in parts.iter().enumerate() {
                match part.as_prim().map(|p| p.row().text.trim_end_matches(':')) {
                    Some(sign) if i < last && !sign.is_empty() => out.push_str(sign),
                    _ => line::put(out, part, s, room),
                }
            }
        }
        Func::Derived(i, f) => {
            operand(out, f, s, room);
            out.push_str(i.text());
        }
        Func::Native(f) => out.push_str(f.name()),
        // Objects show their rows, see `line::put`; this is their place in a projection.
        Func::Virtual(_) => out.push_str("virtual"),
    }
}

/// What an iterator stands after: data and compositions need brackets of their own.
fn operand(out: &mut String, v: &Value, s: &Settings, room: usize) {
    let brackets = matches!(v, Value::Fun(Func::Comp(_)) | Value::List(_) | Value::Dict(_));
    if brackets {
        out.push('(');
    }
    line::put(out, v, s, room);
    if brackets {
        out.push(')');
    }
}

fn projection(out: &mut String, p: &Proj, s: &Settings, room: usize) {
    line::put(out, &p.fun, s, room);
    out.push('[');
    // Arguments still missing at the end do not show, unless there is nothing else to show.
    let shown = p.args.iter().rposition(Option::is_some).map_or(p.args.len(), |i| i + 1);
    for (i, arg) in p.args[..shown].iter().enumerate() {
        if i > 0 {
            out.push(';');
        }
        if let Some(arg) = arg {
            line::put(out, arg, s, room);
        }
    }
    out.push(']');
}
