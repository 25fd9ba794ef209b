//! `(f;v) fby g`: an aggregate a group, at every row of the group.

use super::Lower;
use crate::error::Result;
use crate::ir::{Dim, DimDef, Node};
use q::{Prim, Value};

impl Lower<'_> {
    /// Over the rows in sight, and under `by` within each of its groups.
    pub(super) fn fby(&mut self, items: &[Value]) -> Result<Node> {
        let here = self.b.at.clone();
        let Value::List(pair) = &items[1] else {
            return self.b.not_yet("fby of this");
        };
        let [enlist, f, _] = &pair[..] else { return self.b.not_yet("fby of this") };
        if enlist.as_prim() != Some(Prim::Enlist) {
            return self.b.not_yet("fby of this");
        }
        self.b.at = here.child(1);
        let x = self.arg(pair, 2)?;
        if self.b.is_atom(x) {
            return self.b.signal("length", "fby takes a list");
        }
        self.b.at = here.clone();
        let mut keys = match self.groups {
            Some(groups) => match &self.b.graph.dims[groups] {
                DimDef::Groups { keys, .. } => keys.clone(),
                _ => return self.b.internal("groups have keys"),
            },
            None => vec![],
        };
        keys.extend(self.fby_keys(items)?);
        let x = self.b.over(x, self.dim)?;
        let groups = self.b.groups(self.dim, &keys)?;
        // The function sees the rows of each of the new groups as a list.
        let outer = self.groups.replace(groups);
        let value = self.call(f, &[x]);
        self.groups = outer;
        let value = value?;
        match self.b.graph.ty(value).dim {
            dim if dim == groups || dim == Dim::ONE || dim == self.dim => self.b.over(value, self.dim),
            _ => self.b.not_yet("fby of a function that keeps no count"),
        }
    }

    /// The keys: a vector, or a table `(+:;(!;names;(enlist;…)))`, whose names mean nothing here.
    fn fby_keys(&mut self, items: &[Value]) -> Result<Vec<Node>> {
        let here = self.b.at.clone();
        self.b.at = here.child(2);
        let keys = match columns(&items[2]) {
            Some(columns) => {
                self.b.at = self.b.at.child(1).child(2);
                (1..columns.len()).map(|i| self.arg(columns, i)).collect::<Result<Vec<_>>>()?
            }
            None => vec![self.expr(&items[2])?],
        };
        for &key in &keys {
            if self.b.is_atom(key) || self.b.graph.ty(key).dim != self.dim {
                return self.b.not_yet("a key of fby that is no vector over the rows");
            }
        }
        self.b.at = here;
        Ok(keys)
    }
}

/// The columns `(enlist;…)` of a table's tree.
fn columns(tree: &Value) -> Option<&[Value]> {
    let Value::List(flip) = tree else { return None };
    let [head, Value::List(dict)] = &flip[..] else { return None };
    let [bang, _, Value::List(columns)] = &dict[..] else { return None };
    let heads = [head, bang, columns.first()?].map(Value::as_prim);
    (heads == [Some(Prim::Flip), Some(Prim::Bang), Some(Prim::Enlist)]).then_some(&columns[..])
}
