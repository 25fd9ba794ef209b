//! Patterns: `like`, `ss` and the search that `ssr` uses. `?` is any byte, `[abc]` `[a-c]` `[^abc]` a class,
//! `*` (in `like`) any run.

use super::item::{collect, items};
use super::list;
use crate::error::{Error, Result, length_error, type_error};
use crate::kind::Kind;
use crate::value::{Dict, Value};
use std::sync::Arc;

/// One element of a pattern.
enum Part {
    Byte(u8),
    Any,
    Class(Box<[bool; 256]>),
    Run,
}

fn compile(pattern: &[u8], runs: bool) -> Result<Vec<Part>> {
    let mut out = vec![];
    let mut rest = pattern;
    while let [b, tail @ ..] = rest {
        rest = tail;
        out.push(match b {
            b'?' => Part::Any,
            b'*' if runs => Part::Run,
            b'[' => {
                // A bracket first in the class is a member.
                let end =
                    tail.iter().enumerate().position(|(i, b)| *b == b']' && i > usize::from(tail[0] == b'^'));
                let Some(end) = end else { return Err(Error::new("length")) };
                rest = &tail[end + 1..];
                class(&tail[..end])
            }
            b => Part::Byte(*b),
        });
    }
    Ok(out)
}

fn class(body: &[u8]) -> Part {
    let (negated, mut body) = match body {
        [b'^', rest @ ..] => (true, rest),
        body => (false, body),
    };
    let mut set = Box::new([negated; 256]);
    while let [from, rest @ ..] = body {
        body = rest;
        let mut to = *from;
        if let [b'-', end, rest @ ..] = body {
            to = *end;
            body = rest;
        }
        for b in *from..=to {
            set[b as usize] = !negated;
        }
    }
    Part::Class(set)
}

fn fits(part: &Part, b: u8) -> bool {
    match part {
        Part::Byte(p) => *p == b,
        Part::Any => true,
        Part::Class(set) => set[b as usize],
        Part::Run => false,
    }
}

/// Greedy with one point of return, so never worse than the product of the lengths.
fn whole(parts: &[Part], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    loop {
        match parts.get(p) {
            Some(Part::Run) => {
                back = Some((p + 1, t));
                p += 1;
                continue;
            }
            Some(part) if t < text.len() && fits(part, text[t]) => {
                (p, t) = (p + 1, t + 1);
                continue;
            }
            None if t == text.len() => return true,
            _ => {}
        }
        match back {
            Some((bp, bt)) if bt < text.len() => {
                back = Some((bp, bt + 1));
                (p, t) = (bp, bt + 1);
            }
            _ => return false,
        }
    }
}

/// `x like y`: whether text (or each text, symbols too) fits the pattern.
pub fn like(x: &Value, y: &Value) -> Result<Value> {
    let Some(pattern) = list::bytes(y).filter(|_| !matches!(y, Value::List(_))) else { return type_error() };
    let parts = compile(&pattern, true)?;
    // Texts and symbols, or a list of them, but no deeper.
    let flat = |x: &Value| x.is_atom() || matches!(x, Value::Vec(v) if v.kind == Kind::Char);
    match x {
        Value::List(l) if !l.iter().all(flat) => type_error(),
        _ => match_in(x, &parts),
    }
}

fn match_in(x: &Value, parts: &[Part]) -> Result<Value> {
    match x {
        Value::Atom(a) => {
            let plain = super::value::unenum(x);
            match plain.as_sym() {
                Some(s) => Ok(Value::bool(whole(parts, &s.bytes()))),
                None if a.kind == Kind::Char => {
                    Ok(Value::bool(whole(parts, &list::bytes(x).unwrap_or_default())))
                }
                None => type_error(),
            }
        }
        Value::Vec(v) => match v.kind {
            Kind::Char => Ok(Value::bool(whole(parts, x.as_chars().unwrap_or_default()))),
            Kind::Sym | Kind::Enum => {
                // Each distinct symbol once.
                let v = super::prim::unenum_vector(v);
                let c = super::find::classes(&Value::Vec(v.clone()));
                let syms = v.elems::<crate::Sym>().cloned().unwrap_or_default();
                let each: Vec<bool> =
                    c.firsts.iter().map(|&i| whole(parts, &syms[i as usize].bytes())).collect();
                Ok(list::flags(c.ids.iter().map(|&id| each[id as usize])))
            }
            _ => type_error(),
        },
        Value::List(l) if l.is_empty() => Ok(list::flags([])),
        Value::List(l) => Ok(collect(l.iter().map(|x| match_in(x, parts)).collect::<Result<_>>()?)),
        Value::Dict(d) => {
            Ok(Value::Dict(Arc::new(Dict { vals: match_in(&d.vals, parts)?, ..(**d).clone() })))
        }
        _ => type_error(),
    }
}

/// Where the pattern occurs in the text: byte ranges that do not overlap.
pub fn search(text: &[u8], pattern: &[u8]) -> Result<Vec<(usize, usize)>> {
    let parts = compile(pattern, false)?;
    let n = parts.len();
    let mut found = vec![];
    // A run has no length of its own.
    if n == 0 || parts.iter().any(|p| matches!(p, Part::Byte(b'*'))) {
        return length_error();
    }
    let mut at = 0;
    while at + n <= text.len() {
        if parts.iter().zip(&text[at..]).all(|(p, b)| fits(p, *b)) {
            found.push((at, at + n));
            at += n;
        } else {
            at += 1;
        }
    }
    Ok(found)
}

/// `x ss y`: positions of the pattern in the text.
pub fn ss(x: &Value, y: &Value) -> Result<Value> {
    match (x, list::bytes(y)) {
        (Value::List(l), Some(_)) if !l.is_empty() => {
            Ok(collect(items(x).iter().map(|x| ss(x, y)).collect::<Result<_>>()?))
        }
        (_, Some(pattern)) => match list::bytes(x) {
            Some(text) => Ok(Value::longs(search(&text, &pattern)?.into_iter().map(|(from, _)| from as i64))),
            None => type_error(),
        },
        _ => type_error(),
    }
}
