//! Names: globals by namespace, and the frames of running functions.
//!
//! `.a.b` is the name `b` in the namespace `a`; a name without a leading dot lives in the current namespace,
//! which at the start is the root. What follows a name after a further dot indexes the value (`d.k`, `.a.b.c`).

use super::{amend, dict, item};
use crate::error::{Error, Result, Source, type_error};
use crate::path::Span;
use crate::sym::Sym;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The variables of one namespace, in the order they were first set.
#[derive(Clone, Debug, Default)]
pub struct Space {
    at: FxHashMap<Sym, usize>,
    vars: Vec<(Sym, Value)>,
}

impl Space {
    /// The value of `name`.
    pub fn get(&self, name: Sym) -> Option<&Value> {
        self.at.get(&name).map(|&i| &self.vars[i].1)
    }

    fn get_mut(&mut self, name: Sym) -> Option<&mut Value> {
        self.at.get(&name).map(|&i| &mut self.vars[i].1)
    }

    fn set(&mut self, name: Sym, value: Value) {
        match self.at.get(&name) {
            Some(&i) => self.vars[i].1 = value,
            None => {
                self.at.insert(name, self.vars.len());
                self.vars.push((name, value));
            }
        }
    }

    fn remove(&mut self, name: Sym) {
        self.vars.retain(|(n, _)| *n != name);
        self.at = self.vars.iter().enumerate().map(|(i, (n, _))| (*n, i)).collect();
    }

    /// Names and values in the order they were first set.
    pub fn vars(&self) -> &[(Sym, Value)] {
        &self.vars
    }
}

/// A global's place: its namespace, its name there, and what indexes its value.
#[derive(Debug)]
struct Place {
    space: Sym,
    name: Sym,
    rest: Vec<Sym>,
}

fn place(full: Sym, current: Sym) -> Place {
    let text = full.text();
    let (space, tail) = match text.strip_prefix('.') {
        // A module's own names.
        Some(tail) if tail.starts_with("z.m.") => (current, &tail[4..]),
        Some(tail) => match tail.split_once('.') {
            Some((space, tail)) => (Sym::new(space), tail),
            None => (Sym::new(tail), ""),
        },
        None => (current, text),
    };
    match tail.split_once('.') {
        Some((name, rest)) if !name.is_empty() => {
            Place { space, name: Sym::new(name), rest: rest.split('.').map(Sym::new).collect() }
        }
        _ => Place { space, name: Sym::new(tail), rest: vec![] },
    }
}

/// All globals.
#[derive(Clone, Debug, Default)]
pub struct Globals {
    spaces: FxHashMap<Sym, Space>,
    order: Vec<Sym>,
    /// How often a variable was set, lent for amending, or deleted.
    changes: u64,
    /// The current namespace without its dot; null for the root.
    pub current: Sym,
    /// No variable may change: `'noupdate`.
    pub frozen: bool,
    /// A variable is being amended by its name: `'noamend` to another amend by name.
    pub amending: bool,
}

impl Globals {
    /// The value of `name` as seen from the namespace `from`: there, or by full name. A namespace is a
    /// dictionary.
    pub fn get(&self, name: Sym, from: Sym) -> Option<Value> {
        let at = place(name, from);
        if at.name.is_null() {
            return self.space_value(at.space);
        }
        let mut value = self.spaces.get(&at.space)?.get(at.name)?.clone();
        for key in at.rest {
            value = dict::member(&value, key)?;
        }
        Some(value)
    }

    /// The namespace `space` as a dictionary, which begins with a null entry as q's does.
    fn space_value(&self, space: Sym) -> Option<Value> {
        let vars = self.spaces.get(&space)?.vars();
        if space.is_null() {
            return Some(Value::dict(
                Value::syms(vars.iter().map(|v| v.0)),
                Value::list(vars.iter().map(|v| v.1.clone()).collect()),
            ));
        }
        let names = std::iter::once(Sym::NULL).chain(vars.iter().map(|v| v.0));
        let vals = std::iter::once(Value::null()).chain(vars.iter().map(|v| v.1.clone()));
        Some(Value::dict(Value::syms(names), Value::list(vals.collect())))
    }

    fn space_mut(&mut self, space: Sym) -> &mut Space {
        self.changes += 1;
        if !self.spaces.contains_key(&space) {
            self.order.push(space);
        }
        self.spaces.entry(space).or_default()
    }

    /// Grows whenever a variable may have changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Makes the namespace if it is new.
    pub fn touch(&mut self, space: Sym) {
        self.space_mut(space);
    }

    /// Sets `name` as seen from the namespace `from`. Setting a namespace takes a dictionary.
    pub fn set(&mut self, name: Sym, from: Sym, value: Value) -> Result<()> {
        self.may_change()?;
        let at = place(name, from);
        if at.name.is_null() {
            return self.set_space(at.space, &value);
        }
        let space = self.space_mut(at.space);
        if at.rest.is_empty() {
            space.set(at.name, value);
            return Ok(());
        }
        if space.get(at.name).is_none() {
            space.set(at.name, Value::dict(Value::syms([Sym::NULL]), Value::list(vec![Value::null()])));
        }
        let slot = space.get_mut(at.name).expect("the variable was set just above");
        set_member(slot, &at.rest, value)
    }

    /// `'noupdate` on a worker's copy.
    ///
    /// # Errors
    /// That.
    pub fn may_change(&self) -> Result<()> {
        if self.frozen { Err(Error::new("noupdate")) } else { Ok(()) }
    }

    fn set_space(&mut self, name: Sym, value: &Value) -> Result<()> {
        let Value::Dict(d) = value else { return type_error() };
        let Some(keys) = dict::sym_keys(&d.keys) else { return type_error() };
        let space = self.space_mut(name);
        *space = Space::default();
        for (i, key) in keys.iter().enumerate().filter(|(_, k)| !k.is_null()) {
            space.set(*key, item::item(&d.vals, i));
        }
        Ok(())
    }

    /// The variable itself, for amending in place; none for a namespace, an indexed name, or an unset name.
    pub fn slot(&mut self, name: Sym, from: Sym) -> Option<&mut Value> {
        let at = place(name, from);
        if !at.rest.is_empty() || at.name.is_null() || self.frozen {
            return None;
        }
        self.changes += 1;
        self.spaces.get_mut(&at.space)?.get_mut(at.name)
    }

    /// Deletes `name` from the namespace `space`; `'noupdate` on a worker's copy.
    pub fn delete(&mut self, name: Sym, space: Sym) -> Result<()> {
        self.may_change()?;
        self.changes += 1;
        if let Some(space) = self.spaces.get_mut(&space) {
            space.remove(name);
        }
        Ok(())
    }

    /// The names of all namespaces but the root, in the order they were made.
    pub fn spaces(&self) -> Vec<Sym> {
        self.order.iter().copied().filter(|s| !s.is_null()).collect()
    }

    /// The variables of one namespace.
    pub fn vars(&self, space: Sym) -> &[(Sym, Value)] {
        self.spaces.get(&space).map_or(&[], Space::vars)
    }
}

/// Sets a member at depth below a dictionary, making dictionaries on the way.
fn set_member(slot: &mut Value, path: &[Sym], value: Value) -> Result<()> {
    let key = Value::sym(path[0]);
    if path.len() == 1 {
        return amend::put(slot, &key, value);
    }
    let mut inner = dict::member(slot, path[0])
        .unwrap_or_else(|| Value::dict(Value::syms([Sym::NULL]), Value::list(vec![Value::null()])));
    set_member(&mut inner, &path[1..], value)?;
    amend::put(slot, &key, inner)
}

/// The variables of one running function (or of the console, which has none), and above them the columns of
/// the queries that are being evaluated inside it.
#[derive(Debug, Default)]
pub struct Frame {
    /// Names and values of parameters and locals; none before the first assignment.
    pub vars: Vec<(Sym, Option<Value>)>,
    /// The function's namespace.
    pub space: Sym,
    /// Columns in scope, the innermost query last.
    pub columns: Vec<Vec<(Sym, Value)>>,
    /// True for a statement of the console or a script.
    pub console: bool,
    /// The text that is running, unless it is a tree without one.
    pub source: Option<Arc<Source>>,
    /// What is being evaluated in `source`.
    pub at: Span,
    /// This place is already in the error that is on its way up.
    pub traced: bool,
    /// The function itself, for `.z.s`.
    pub lambda: Option<Value>,
}

impl Frame {
    /// A column or a variable with a value.
    pub fn get(&self, name: Sym) -> Option<&Value> {
        for columns in self.columns.iter().rev() {
            if let Some((_, v)) = columns.iter().find(|(n, _)| *n == name) {
                return Some(v);
            }
        }
        self.vars.iter().find(|(n, _)| *n == name).and_then(|(_, v)| v.as_ref())
    }

    /// The variable `name` of this function, set or not.
    pub fn slot(&mut self, name: Sym) -> Option<&mut Option<Value>> {
        self.vars.iter_mut().find(|(n, _)| *n == name).map(|(_, v)| v)
    }
}

/// The namespace of reserved words, or one of them by its full name.
fn reserved(name: &str) -> Option<Value> {
    match name.strip_prefix(".q")? {
        "" => Some(crate::parse::defined()),
        word => crate::parse::keyword(word.strip_prefix('.')?),
    }
}

impl super::Interp {
    /// The value of the global `name`, seen from the current namespace; none if there is none.
    pub fn global(&self, name: Sym) -> Option<Value> {
        self.globals.get(name, self.globals.current)
    }

    /// Runs `f`, which amends a variable by its name: it sets the new value, made out of the old one by code that may
    /// be anybody's. What that code amended by name too would be lost, so q signals `'noamend` there. The documentation
    /// leaves open whether an assignment counts; it does not here.
    pub fn amending<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.may_amend()?;
        self.globals.amending = true;
        let done = self.guard(f);
        self.globals.amending = false;
        done
    }

    /// `'noamend` within an amend by name.
    ///
    /// # Errors
    /// That.
    pub fn may_amend(&self) -> Result<()> {
        if self.globals.amending { Err(Error::new("noamend")) } else { Ok(()) }
    }

    /// Sets the global `name`, seen from the current namespace.
    pub fn set_global(&mut self, name: Sym, value: Value) -> Result<()> {
        if !self.views.is_empty() && !value.is_null_fn() {
            self.views.remove(&name);
        }
        let from = self.globals.current;
        self.globals.set(name, from, value)
    }

    /// What `name` stands for here: a column, a local, a global of the function's namespace, a system value.
    pub fn lookup(&mut self, name: Sym) -> Result<Value> {
        let frame = self.frames.last().expect("the console's frame is always there");
        if let Some(v) = frame.get(name) {
            return Ok(v.clone());
        }
        let space = frame.space;
        if let Some(v) = self.view(name) {
            return v;
        }
        if let Some(v) = self.globals.get(name, space) {
            return Ok(super::enums::fresh(self, v));
        }
        let text = name.text();
        if let Some(v) = reserved(text) {
            return Ok(v);
        }
        if let Some(rest) = text.strip_prefix(".z.")
            && let Some(v) = super::zvar::get(self, rest)
        {
            self.touch();
            return Ok(v);
        }
        if !text.starts_with('.')
            && let Some((head, rest)) = text.split_once('.')
            && let Ok(mut v) = self.lookup(Sym::new(head))
        {
            for key in rest.split('.') {
                v = super::index::dotted(self, &v, Sym::new(key))?;
            }
            return Ok(v);
        }
        Err(Error::new(text))
    }

    /// The columns, parameters and locals in scope, innermost first: what a virtual object's query may use.
    pub fn locals(&self) -> Vec<(Sym, Value)> {
        let Some(frame) = self.frames.last() else { return vec![] };
        let columns = frame.columns.iter().rev().flatten().cloned();
        let vars = frame.vars.iter().filter_map(|(n, v)| Some((*n, v.clone()?)));
        columns.chain(vars).collect()
    }
}
