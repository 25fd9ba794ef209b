//! Patterns: what may stand left of an assignment besides a name. A value is matched with the whole pattern
//! first, and only then are the names set, from the right.
//!
//! | pattern | matches |
//! |---|---|
//! | nothing | anything |
//! | `a` | anything, which the name then stands for |
//! | `(1)` `(1 2)` ``(`a)`` | the constant, by `~`; else `'match` |
//! | `(p;q)` | a list of as many items, each its pattern, else `'length`; an atom for all of them |
//! | `([k:p])` `([]c:p)` | a dictionary or table with these keys or columns at least, else `'match` |
//! | `` a:`j `` `` :`J `` | an atom of the type, in upper case a vector of it; else `'type` |
//! | `a:f` `:f` | anything that `f` does not refuse; `f`'s result stands for it |

use super::{Interp, amend, dict, item, list, same};
use crate::error::{Error, Result, length_error, type_error};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::parse::entries;
use crate::sym::Sym;
use crate::value::Value;

impl Interp {
    /// Matches `value` with `pattern` and sets its names. The result is the value as filters made it.
    pub(super) fn assign_pattern(&mut self, pattern: &Value, value: Value) -> Result<Value> {
        let mut sets = vec![];
        let new = self.matched(pattern, &value, &mut sets)?;
        for (name, part) in sets {
            self.assign(name, part)?;
        }
        Ok(new.unwrap_or(value))
    }

    /// Adds to `sets` what the names in `pattern` stand for. The result is the new value, if a filter made one.
    fn matched(&mut self, pattern: &Value, x: &Value, sets: &mut Vec<(Sym, Value)>) -> Result<Option<Value>> {
        if let Some(name) = pattern.as_sym() {
            sets.push((name, x.clone()));
            return Ok(None);
        }
        let Value::List(items) = pattern else { return self.constant(pattern, x) };
        match (items.as_slice(), items.first().and_then(Value::as_prim)) {
            ([_, parts @ ..], Some(Prim::Enlist)) => self.matched_list(parts, x, sets),
            ([_, filter], Some(Prim::Assign)) => self.filtered(filter, x),
            ([_, name, filter], Some(Prim::Assign)) => {
                let new = self.filtered(filter, x)?;
                sets.push((name.as_sym().unwrap_or_default(), new.clone().unwrap_or_else(|| x.clone())));
                Ok(new)
            }
            ([_, columns], Some(Prim::Flip)) => {
                let Value::Table(t) = x else { return type_error() };
                let all = Value::dict(Value::syms(t.names.iter().copied()), Value::list(t.cols.clone()));
                self.matched(columns, &all, sets)?.map(|new| list::flip(&new)).transpose()
            }
            _ => match entries(pattern) {
                Some((names, parts)) => self.matched_dict(names, parts, x, sets),
                None => self.constant(pattern, x),
            },
        }
    }

    fn matched_list(
        &mut self,
        parts: &[Value],
        x: &Value,
        sets: &mut Vec<(Sym, Value)>,
    ) -> Result<Option<Value>> {
        if !x.is_atom() && x.count() != parts.len() {
            return length_error();
        }
        let mut new: Option<Vec<Value>> = None;
        for (i, part) in parts.iter().enumerate().rev().filter(|(_, p)| p.as_prim() != Some(Prim::Elided)) {
            let one = if x.is_atom() { x.clone() } else { item::item(x, i) };
            if let Some(made) = self.matched(part, &one, sets)? {
                let all = || if x.is_atom() { vec![x.clone(); parts.len()] } else { item::items(x) };
                new.get_or_insert_with(all)[i] = made;
            }
        }
        Ok(new.map(item::collect))
    }

    fn matched_dict(
        &mut self,
        names: &[Sym],
        parts: &[Value],
        x: &Value,
        sets: &mut Vec<(Sym, Value)>,
    ) -> Result<Option<Value>> {
        if !matches!(x, Value::Dict(_)) {
            return type_error();
        }
        let mut new: Option<Value> = None;
        for (name, part) in names.iter().zip(parts).rev() {
            let Some(one) = dict::member(x, *name) else { return Err(Error::new("match")) };
            if let Some(made) = self.matched(part, &one, sets)? {
                amend::put(new.get_or_insert_with(|| x.clone()), &Value::sym(*name), made)?;
            }
        }
        Ok(new)
    }

    fn constant(&mut self, pattern: &Value, x: &Value) -> Result<Option<Value>> {
        let constant = self.eval(pattern, None)?;
        if same::matches(&constant, x) { Ok(None) } else { Err(Error::new("match")) }
    }

    /// A type's letter checks, any other filter is applied.
    fn filtered(&mut self, filter: &Value, x: &Value) -> Result<Option<Value>> {
        let filter = self.eval(filter, None)?;
        match filter.as_sym() {
            Some(letter) if is_of(letter, x) => Ok(None),
            Some(_) => type_error(),
            None => self.apply(&filter, vec![x.clone()]).map(Some),
        }
    }
}

/// True if `x` is an atom of the type with this letter, or for an upper case letter a vector of it.
fn is_of(letter: Sym, x: &Value) -> bool {
    let mut letters = letter.text().chars();
    let (Some(c), None) = (letters.next(), letters.next()) else { return false };
    let Some(kind) = Kind::from_letter(c.to_ascii_lowercase()) else { return false };
    x.type_code() == if c.is_ascii_uppercase() { kind.code() } else { -kind.code() }
}
