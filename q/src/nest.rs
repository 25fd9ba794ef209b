//! How deep values nest. Dropping, showing, comparing and sending a value walk it natively, so no value may nest
//! deeper than a fixed bound; a list knows its depth, so that the bound is exact and asking costs nothing.

use crate::memory::Held;
use crate::value::{Func, Value};
use std::ops::Deref;

/// The deepest that a value, a parse tree or a message may nest.
pub const LIMIT: u32 = 500;

/// Tables, dictionaries and functions inside one another that [`Value::depth`] looks at, at most. They do not
/// keep their depth as lists do, and one that holds itself twice, thirty times over, has a billion parts.
const PARTS: u32 = 20_000;

/// The items of a general list. Its depth is an upper bound: an item that is replaced by a flatter one leaves
/// it as it was.
#[derive(Clone, Debug, Default)]
pub struct List {
    items: Vec<Value>,
    depth: u32,
    /// The bytes of the items that the list was made of.
    #[expect(dead_code, reason = "it counts until it is dropped")]
    held: Held,
}

impl List {
    /// The list of `items`.
    pub fn new(items: Vec<Value>) -> List {
        let bytes = items.len() * size_of::<Value>();
        crate::memory::count(bytes);
        let depth = deepest(&items);
        List { items, depth, held: Held::new(bytes) }
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: Value) {
        self.depth = self.depth.max(1 + item.depth().min(LIMIT));
        self.items.push(item);
    }

    /// Adds items at the end.
    pub fn extend(&mut self, items: impl IntoIterator<Item = Value>) {
        items.into_iter().for_each(|item| self.push(item));
    }

    /// Changes item `i`, which must exist, in place.
    pub fn change<T>(&mut self, i: usize, f: impl FnOnce(&mut Value) -> T) -> T {
        let out = f(&mut self.items[i]);
        self.depth = self.depth.max(1 + self.items[i].depth().min(LIMIT));
        out
    }

    /// The items themselves; an empty list stays.
    pub fn take(&mut self) -> Vec<Value> {
        std::mem::take(self).items
    }
}

impl Deref for List {
    type Target = Vec<Value>;
    fn deref(&self) -> &Vec<Value> {
        &self.items
    }
}

/// One more than the deepest of `items`; past the limit all depths are one.
fn deepest(items: &[Value]) -> u32 {
    1 + items.iter().map(Value::depth).max().unwrap_or(0).min(LIMIT)
}

impl Value {
    /// How deep this value nests: 0 for an atom, a vector and a function without parts. More than [`LIMIT`]
    /// says only that.
    pub fn depth(&self) -> u32 {
        match self {
            Value::Atom(_) | Value::Vec(_) => 0,
            Value::List(l) => l.depth,
            _ => look(self, LIMIT, &mut PARTS.clone()),
        }
    }
}

/// The depth of `x`, or more than `left`.
fn look(x: &Value, left: u32, parts: &mut u32) -> u32 {
    let part = |x: &Value, parts: &mut u32| match (left.checked_sub(1), parts.checked_sub(1)) {
        (Some(left), Some(rest)) => {
            *parts = rest;
            1 + look(x, left, parts)
        }
        _ => LIMIT + 1,
    };
    let all = |xs: &[Value], parts: &mut u32| {
        let flat = |x: &&Value| !matches!(x, Value::Atom(_) | Value::Vec(_));
        xs.iter().filter(flat).fold(1, |deep, x| deep.max(part(x, parts)))
    };
    match x {
        Value::Atom(_) | Value::Vec(_) => 0,
        Value::List(l) => l.depth,
        Value::Table(t) => all(&t.cols, parts),
        Value::Dict(d) => part(&d.vals, parts).max(part(&d.keys, parts)),
        Value::Fun(f) => match f {
            Func::Comp(fs) => all(fs, parts),
            Func::Derived(_, f) => part(f, parts),
            Func::Proj(p) => {
                p.args.iter().flatten().fold(part(&p.fun, parts), |deep, x| deep.max(part(x, parts)))
            }
            _ => 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_exact_in_the_middle_of_wide_lists() {
        let wide = |x: Value| {
            let mut items = vec![Value::list(vec![]); 9000];
            items[4500] = x;
            Value::list(items)
        };
        let mut x = Value::long(1);
        for n in 1..LIMIT {
            x = wide(x);
            assert_eq!(x.depth(), n + 1);
        }
    }

    #[test]
    fn tables_of_tables_that_share_are_looked_at_in_bounded_time() {
        let mut x = Value::longs([1]);
        for _ in 0..40 {
            x = Value::table(vec!["a".into(), "b".into()], vec![x.clone(), x]);
        }
        assert!(x.depth() > LIMIT);
        let dict = Value::dict(Value::syms(["a".into()]), Value::list(vec![Value::longs([1])]));
        assert_eq!(dict.depth(), 2);
    }
}
