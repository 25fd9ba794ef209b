//! Assignment in every form: plain, global, indexed, through an operator.

use super::amend::{Change, amend};
use super::{Interp, join};
use crate::error::{Error, Result, type_error};
use crate::fun::Prim;
use crate::sym::Sym;
use crate::value::Value;

impl Interp {
    /// `name: value`.
    pub fn assign(&mut self, name: Sym, value: Value) -> Result<()> {
        let frame = self.frames.last_mut().expect("the console's frame is always there");
        // `::` inside a function writes its local of that name if it has one, as q does.
        if let Some(slot) = frame.slot(name) {
            *slot = Some(value);
            return Ok(());
        }
        let space = frame.space;
        self.views.remove(&name);
        self.globals.set(name, space, value)
    }

    /// `name[path] f: value`, or `name f: value` without a path. The result is what then stands there.
    pub fn assign_through(
        &mut self,
        name: Sym,
        path: &[Value],
        f: Option<&Value>,
        value: &Value,
    ) -> Result<Value> {
        // The value leaves the variable while it changes, so that the change can be in place.
        let joins = f.is_some_and(|f| f.as_prim() == Some(Prim::Join)) && path.is_empty();
        let mut held = match self.take_variable(name) {
            Some(held) => held,
            // Appending to nothing makes a list.
            None if joins => Value::list(vec![]),
            None => return Err(Error::new(name.text())),
        };
        let all = matches!(path, [i] if i.is_null_fn());
        let done = self.guard(|q| match (f, path) {
            // q blocks the assignment to every value of a dictionary.
            _ if all && matches!(held, Value::Dict(_)) => Err(Error::new("adict")),
            (Some(_), []) if joins => join_in_place(&mut held, value),
            (Some(f), _) => amend(q, &mut held, path, &Change::Call2(f, value)),
            (None, _) => amend(q, &mut held, path, &Change::Set(value)),
        });
        // Only an assignment through an operator has to look: `a[i]:v` gives `v`.
        let now = match (&done, f, path) {
            (Ok(()), Some(_), []) => Ok(held.clone()),
            (Ok(()), Some(_), _) => super::index::index(self, &held, path),
            _ => Ok(value.clone()),
        };
        let bound = super::apply::bound(&held);
        self.assign(name, held)?;
        bound.and(done).and(now)
    }

    /// Takes the value out of a local or global variable.
    fn take_variable(&mut self, name: Sym) -> Option<Value> {
        let frame = self.frames.last_mut().expect("the console's frame is always there");
        if let Some(slot) = frame.slot(name) {
            return slot.take();
        }
        let space = frame.space;
        match self.globals.slot(name, space) {
            Some(slot) => Some(std::mem::replace(slot, Value::null())),
            None => self.globals.get(name, space),
        }
    }
}

/// `x,:y`: keeps `x` as it was on an error.
fn join_in_place(x: &mut Value, y: &Value) -> Result<()> {
    // A typed vector in a variable keeps its type.
    if let Value::Vec(v) = &*x
        && y.type_code().unsigned_abs() as i8 != v.kind.code()
        && !(v.kind == crate::Kind::Enum && y.type_code().unsigned_abs() == 11)
        && (y.is_atom() || y.count() != 0)
    {
        return type_error();
    }
    if !join::grow(x, y) && !crate::table::insert::append_list(x, y)? {
        *x = join::join(x.clone(), y)?;
    }
    Ok(())
}
