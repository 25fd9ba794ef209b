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
                // A reserved word that is infix: `in:2`.
                Some(Term { node, role: Role::Verb })
                    if self.peek(0).is_some_and(|t| matches!(t.lexeme, Lexeme::Colon)) =>
                {
                    return Err(self.error("assign", node.span()));
                }
                Some(Term { node, role }) => {
                    let returns = node.tree.as_prim() == Some(Prim::Assign);
                    pieces.push(match role {
                        Role::Operator if returns => Piece::Leave(node),
                        Role::Operator if self.k => Piece::Apply(monadic(node)),
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
                // What is nothing's function is itself: `3 ::`.
                (Piece::Assign(x, op), None) if op.tree.is_null_fn() && is_literal(&x.tree) => x,
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

    /// `target op x`, if `target` is a name, an indexed name, or for `:` and `::` a pattern. A constant is one in
    /// parentheses only, so that a slip like `` `a:1 `` stays an error.
    fn assign(&mut self, target: Node, op: Node, x: Node) -> Result<Node> {
        let whole = matches!(op.tree.as_prim(), Some(Prim::Assign | Prim::Ident));
        let closed = self.source.text.get(target.span().from as usize) == Some(&b'(');
        if !(is_place(&target.tree) || whole && closed && is_pattern(&target.tree)) {
            return Err(self.error("assign", target.span()));
        }
        self.note_names(&target, op.tree.as_prim())?;
        let at = op.span().at;
        self.list(vec![op, target, x], at)
    }

    /// Notes which names the function being read makes its own by `target:`, and which it has set by `target::`
    /// before that: setting one in both ways is an error.
    fn note_names(&mut self, target: &Node, op: Option<Prim>) -> Result<()> {
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        let mut names = vec![];
        pattern_names(&target.tree, &mut names);
        for name in names {
            if name.text().contains('.') || scope.locals.contains(&name) {
                continue;
            }
            match op {
                Some(Prim::Assign) if scope.globals.contains(&name) => {
                    return Err(self.error(name.text(), target.span()));
                }
                Some(Prim::Assign) => scope.locals.push(name),
                Some(Prim::Ident) => scope.globals.push(name),
                _ => {}
            }
        }
        Ok(())
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

/// True for an atom that no name stands for.
fn is_literal(tree: &Value) -> bool {
    matches!(tree, Value::Atom(_)) && tree.as_sym().is_none()
}

/// True for what may stand left of an assignment.
pub fn assignable(target: &Value) -> bool {
    is_place(target) || is_pattern(target)
}

/// True for a name and for an indexed name.
pub fn is_place(target: &Value) -> bool {
    match target {
        Value::List(items) => items.len() > 1 && items[0].as_sym().is_some(),
        _ => target.as_sym().is_some(),
    }
}

/// True for what a value may be matched with: a name, a constant, a list, dictionary or table of patterns, or
/// a filter with or without a name.
pub fn is_pattern(target: &Value) -> bool {
    match target {
        Value::Atom(_) | Value::Vec(_) => true,
        Value::List(items) => match (items.as_slice(), items.first().and_then(Value::as_prim)) {
            ([] | [_], _) => true,
            ([_, filter], Some(Prim::Assign)) => filter.as_prim() != Some(Prim::Elided),
            ([_, name, _], Some(Prim::Assign)) => name.as_sym().is_some(),
            ([_, dict], Some(Prim::Flip)) => entries(dict).is_some() && is_pattern(dict),
            ([_, parts @ ..], Some(Prim::Enlist)) => {
                parts.iter().all(|p| is_pattern(p) || p.as_prim() == Some(Prim::Elided))
            }
            _ => entries(target).is_some_and(|(_, parts)| parts.iter().all(is_pattern)),
        },
        _ => false,
    }
}

/// The names and values of a dictionary literal's tree.
pub fn entries(tree: &Value) -> Option<(&[Sym], &[Value])> {
    let Value::List(items) = tree else { return None };
    let [bang, Value::List(names), Value::List(values)] = items.as_slice() else { return None };
    let [Value::Vec(names)] = names.as_slice() else { return None };
    let [enlist, values @ ..] = values.as_slice() else { return None };
    let names = names.elems::<Sym>()?;
    let dict = bang.as_prim() == Some(Prim::Bang) && enlist.as_prim() == Some(Prim::Enlist);
    (dict && names.len() == values.len()).then_some((names, values))
}

/// Adds the names that a pattern sets.
fn pattern_names(target: &Value, names: &mut Vec<Sym>) {
    match target {
        Value::Atom(_) => names.extend(target.as_sym()),
        Value::List(items) => match (items.as_slice(), items.first().and_then(Value::as_prim)) {
            ([_, name, _], Some(Prim::Assign)) => names.extend(name.as_sym()),
            ([_, dict], Some(Prim::Flip)) => pattern_names(dict, names),
            ([_, parts @ ..], Some(Prim::Enlist)) => parts.iter().for_each(|p| pattern_names(p, names)),
            _ => entries(target)
                .into_iter()
                .for_each(|(_, parts)| parts.iter().for_each(|p| pattern_names(p, names))),
        },
        _ => {}
    }
}
