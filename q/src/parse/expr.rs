//! Expressions: a row of terms, then right to left.
//!
//! A verb that follows a noun is infix and takes all to its right; any other term before the last is applied
//! to all to its right. So the row is cut, left to right, into pieces that wait for a right argument, and the
//! tree is folded from the last term back.

use super::node::Node;
use super::{Parser, Role, Stops, Term};
use crate::error::Result;
use crate::fun::{FUNS, Prim};
use crate::kind::Kind;
use crate::lex::Lexeme;
use crate::path::Span;
use crate::sym::Sym;
use crate::value::{Func, Iter, Value};

/// A part of an expression that waits for what stands to its right.
enum Piece {
    Infix(Node, Node),
    Assign(Node, Node),
    Apply(Node),
    /// A return or a signal.
    Leave(Node),
}

impl Parser<'_> {
    /// An expression up to its end; none if there is nothing.
    pub fn expr(&mut self, stops: Stops) -> Result<Option<Node>> {
        self.enter()?;
        let mut pieces = Vec::new();
        let mut held: Option<Term> = None;
        while !self.at_end(stops) {
            match held.take() {
                None if self.at_signal(stops) => {
                    let span = self.bump().span();
                    pieces.push(Piece::Leave(Node::leaf(Value::atom(Kind::Char, b'\''), span)));
                }
                None => held = Some(self.term(stops)?),
                Some(Term { node, role: Role::Noun }) => {
                    if let Some(op) = self.assign_op() {
                        pieces.push(Piece::Assign(node, op));
                    } else if self.at_signal(stops) {
                        pieces.push(Piece::Apply(monadic(node)));
                    } else {
                        let next = self.term(stops)?;
                        if next.role == Role::Noun {
                            pieces.push(Piece::Apply(monadic(node)));
                            held = Some(next);
                        } else {
                            pieces.push(Piece::Infix(node, next.node));
                        }
                    }
                }
                Some(Term { node, role }) => {
                    let returns = node.tree.as_prim() == Some(Prim::Assign);
                    pieces.push(match role {
                        Role::Operator if returns => Piece::Leave(node),
                        Role::Operator => {
                            let Span { from, to, .. } = node.span();
                            let sign = String::from_utf8_lossy(&self.source.text[from as usize..to as usize]);
                            return Err(self.error(sign.into_owned(), node.span()));
                        }
                        _ => Piece::Apply(node),
                    });
                }
            }
        }
        self.leave();
        let complete = pieces.len() > 1 || held.is_some();
        self.assigned = complete && matches!(pieces.first(), Some(Piece::Assign(..)));
        self.fold(pieces, held)
    }

    /// An expression that must be there.
    pub fn some_expr(&mut self, stops: Stops) -> Result<Node> {
        match self.expr(stops)? {
            Some(node) => Ok(node),
            None => Err(self.error("parse", self.here())),
        }
    }

    /// The tree of `pieces` and the last term. An expression that ends in a verb, with a left argument or
    /// without, is a function: what stands left of it composes with it.
    fn fold(&mut self, pieces: Vec<Piece>, last: Option<Term>) -> Result<Option<Node>> {
        let mut train = last.as_ref().is_some_and(|t| t.role != Role::Noun);
        let mut right = last.map(|t| t.node);
        for piece in pieces.into_iter().rev() {
            let node = match (piece, right) {
                (Piece::Infix(x, verb), None) => {
                    train = true;
                    self.infix(verb, vec![x])?
                }
                (Piece::Infix(x, verb), Some(y)) if train => {
                    let left = self.infix(verb, vec![x])?;
                    self.compose(left, y)?
                }
                (Piece::Infix(x, verb), Some(y)) => self.infix(verb, vec![x, y])?,
                (Piece::Apply(f), Some(y)) if train => self.compose(f, y)?,
                (Piece::Apply(f), Some(x)) => self.apply_to(f, x)?,
                (Piece::Leave(f), Some(x)) => {
                    train = false;
                    self.apply_to(f, x)?
                }
                (Piece::Assign(target, op), Some(x)) => {
                    train = false;
                    self.assign(target, op, x)?
                }
                (Piece::Assign(f, op), None) if op.tree.is_null_fn() => self.apply_to(f, op)?,
                (Piece::Assign(_, op), None) => return Err(self.error("parse", op.span())),
                (Piece::Apply(f) | Piece::Leave(f), None) => return Err(self.error("parse", f.span())),
            };
            right = Some(node);
        }
        Ok(right)
    }

    fn apply_to(&self, f: Node, x: Node) -> Result<Node> {
        let at = f.span().from;
        self.list(vec![f, x], at)
    }

    fn infix(&self, verb: Node, mut args: Vec<Node>) -> Result<Node> {
        let at = verb.span().at;
        args.insert(0, verb);
        self.list(args, at)
    }

    fn compose(&self, f: Node, g: Node) -> Result<Node> {
        let span = f.span();
        let head = Node::leaf(Value::Fun(Func::Iter(Iter::Each)), span);
        self.list(vec![head, f, g], span.from)
    }

    /// `target op x`, if `target` is a name, an indexed name, or for `:` a list of names.
    fn assign(&mut self, target: Node, op: Node, x: Node) -> Result<Node> {
        if !assignable(&target.tree) {
            return Err(self.error("assign", target.span()));
        }
        if op.tree.as_prim() == Some(Prim::Assign) {
            self.note_locals(&target.tree);
        }
        let at = op.span().at;
        self.list(vec![op, target, x], at)
    }

    /// The names that the plain assignment to `target` makes local to the function being read.
    fn note_locals(&mut self, target: &Value) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let names: Vec<Sym> = match target {
            Value::List(items) if is_pattern(target) => items.iter().filter_map(Value::as_sym).collect(),
            _ => target.as_sym().into_iter().collect(),
        };
        for name in names {
            if !name.text().contains('.') && !scope.locals.contains(&name) {
                scope.locals.push(name);
            }
        }
    }

    /// True at a `'` that signals: one that is no function here.
    fn at_signal(&self, stops: Stops) -> bool {
        let each = self.peek(0).is_some_and(|t| matches!(t.lexeme, Lexeme::Iter(Iter::Each)));
        each && !self.peek(1).is_some_and(|t| t.is(b'[')) && !self.ends_at(self.at + 1, stops)
    }

    /// Takes the assignment operator that follows a noun, if one does: `:` `::` `+:`.
    fn assign_op(&mut self) -> Option<Node> {
        let derived = self.peek(1).is_some_and(|t| t.glued && matches!(t.lexeme, Lexeme::Iter(_)));
        let token = self.peek(0)?;
        let prim = match token.lexeme {
            Lexeme::Colon => Prim::Assign,
            Lexeme::Colons => Prim::Ident,
            Lexeme::OpColon(p) if !derived => unary(p)?,
            _ => return None,
        };
        let span = self.bump().span();
        Some(Node::leaf(Value::prim(prim), span))
    }
}

/// The unary primitive that `p` followed by a colon writes.
pub fn unary(p: Prim) -> Option<Prim> {
    is_glyph(p).then(|| twin(p, 101)).flatten()
}

/// The operator that the unary primitive `p` is written with, before its colon.
pub fn binary(p: Prim) -> Option<Prim> {
    (p.row().qtype == 101).then(|| twin(p, 102)).flatten().filter(|b| is_glyph(*b))
}

fn twin(p: Prim, qtype: i8) -> Option<Prim> {
    FUNS.iter().find(|f| f.qtype == qtype && f.code == p.row().code).map(|f| f.prim)
}

/// True for the operators that are written with a sign, of K codes 0 to 22.
pub fn is_glyph(p: Prim) -> bool {
    p.row().qtype == 102 && p.row().code <= Prim::Dynload.row().code
}

/// An operator in parentheses that is applied by juxtaposition is the unary primitive: `(-)5`.
fn monadic(f: Node) -> Node {
    match f.tree.as_prim().and_then(unary) {
        Some(prim) => Node { tree: Value::prim(prim), ..f },
        None => f,
    }
}

/// True for what may stand left of an assignment.
pub fn assignable(target: &Value) -> bool {
    match target {
        Value::List(items) => is_pattern(target) || (items.len() > 1 && items[0].as_sym().is_some()),
        _ => target.as_sym().is_some(),
    }
}

/// True for `(a;b)`: a list of what may be assigned.
fn is_pattern(target: &Value) -> bool {
    match target {
        Value::List(items) if items.len() > 1 && items[0].as_prim() == Some(Prim::Enlist) => {
            items[1..].iter().all(|t| assignable(t) || t.as_prim() == Some(Prim::Elided))
        }
        _ => false,
    }
}
