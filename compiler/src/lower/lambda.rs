//! A user's function of values is inlined: its statements, with the arguments in place of the parameters.

use super::Lower;
use crate::error::Result;
use crate::ir::Node;
use q::lambda::Lambda;
use q::{Prim, Value};

/// Functions that call functions stop here; q's own stack is deeper.
const DEPTH: usize = 64;

impl Lower<'_> {
    /// `f` applied to `args`. Names in it are its parameters or variables, never columns.
    pub(super) fn inline(&mut self, f: &Lambda, args: Vec<Node>) -> Result<Node> {
        if args.len() > f.params.len().max(1) {
            return self.b.signal("rank", "more arguments than the function takes");
        }
        if args.len() < f.params.len() {
            return self.b.not_yet("a projection");
        }
        if !f.space.is_null() {
            return self.b.not_yet("a function of another namespace");
        }
        if self.frames.len() == DEPTH {
            return self.b.signal("stack", "functions nested too deep");
        }
        self.frames.push(f.params.iter().copied().zip(args).collect());
        // The function's body is no part of the query's tree: what goes wrong in it is at its application.
        let here = self.b.at.clone();
        let result = self.statements(&f.body);
        self.frames.pop();
        self.b.at = here.clone();
        result.map_err(|e| crate::Error { path: here, ..e })
    }

    /// Assignments of locals, then the value.
    fn statements(&mut self, body: &[Value]) -> Result<Node> {
        let Some((last, first)) = body.split_last() else {
            return self.b.not_yet("an empty function");
        };
        for statement in first {
            let Value::List(items) = statement else { continue };
            let ([_, name, value], Some(Prim::Assign)) = (&items[..], items[0].as_prim()) else {
                return self.b.not_yet("a statement that assigns nothing");
            };
            let Some(name) = name.as_sym() else {
                return self.b.not_yet("an assignment to part of a value");
            };
            let node = self.expr(value)?;
            if let Some(frame) = self.frames.last_mut() {
                frame.push((name, node));
            }
        }
        self.expr(last)
    }
}
