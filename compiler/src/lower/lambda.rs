//! A user's function of values is inlined: its one statement, with the arguments in place of the parameters.

use super::Lower;
use crate::error::Result;
use crate::ir::Node;
use q::lambda::Lambda;

/// Functions that call functions stop here; q's own stack is deeper.
const DEPTH: usize = 64;

impl Lower<'_> {
    /// `f` applied to `args`. Names in it are its parameters or variables, never columns.
    pub(super) fn inline(&mut self, f: &Lambda, args: Vec<Node>) -> Result<Node> {
        if args.len() > f.params.len().max(1) {
            return self.b.signal("rank", "more arguments than the function takes");
        }
        let ([body], true) = (&f.body[..], f.locals.is_empty()) else {
            return self.b.not_yet("a function of several statements");
        };
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
        let result = self.expr(body);
        self.frames.pop();
        self.b.at = here.clone();
        result.map_err(|e| crate::Error { path: here, ..e })
    }
}
