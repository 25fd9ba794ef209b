//! qSQL: `select`, `exec`, `update` and `delete` as the functional forms that q's `parse` gives.

use super::name::Names;
use super::node::{Node, names_constant, no_syms};
use super::{Parser, Stops};
use crate::error::Result;
use crate::fun::Prim;
use crate::lex::{Lexeme, Token};
use crate::sym::Sym;
use crate::value::Value;

/// A list of phrases: each with its name, given or not.
type Phrases = Vec<(Option<Sym>, Node)>;

impl Parser<'_> {
    /// A query, after its first word. It takes all to its right.
    pub fn query(&mut self, word: &Token, stops: Stops) -> Result<Node> {
        let Lexeme::Name(verb) = word.lexeme else { return Err(self.error("parse", word.span())) };
        let verb = verb.text();
        let limit = match self.peek(0) {
            Some(t) if t.is(b'[') && matches!(verb, "select" | "exec") => Some(self.limit()?),
            _ => None,
        };
        let distinct = verb == "select" && self.at_word("distinct");
        if distinct {
            self.bump();
        }
        let inner = Stops { comma: true, by: true, from: true, where_: false };
        let cols = self.phrases(inner, &["by", "from"])?;
        let groups = if self.at_word("by") {
            let by = self.bump();
            let groups = self.phrases(inner, &["from"])?;
            if groups.is_empty() || verb == "delete" {
                return Err(self.error("by", by.span()));
            }
            if distinct {
                return Err(self.error("nyi", by.span()));
            }
            Some(groups)
        } else {
            None
        };
        if !self.at_word("from") {
            return Err(self.error("from", self.here()));
        }
        self.bump();
        let table = self.some_expr(Stops { where_: true, ..stops })?;
        let wheres = if self.at_word("where") {
            let word = self.bump();
            let wheres = self.phrases(Stops { comma: true, ..stops }, &[])?;
            if wheres.is_empty() {
                return Err(self.error("where", word.span()));
            }
            wheres
        } else {
            vec![]
        };

        let head = if matches!(verb, "select" | "exec") { Prim::Query } else { Prim::Bang };
        let mut parts = vec![Node::leaf(Value::prim(head), word.span()), table, self.clauses(wheres, word)?];
        match verb {
            "exec" => {
                parts.push(self.exec_part(groups.unwrap_or_default(), word));
                parts.push(self.exec_part(cols, word));
            }
            "delete" => parts.extend(self.deleted(cols, &parts[2], word)?),
            _ => {
                if verb == "update" && cols.is_empty() {
                    return Err(self.error("parse", word.span()));
                }
                let plain = Node::leaf(Value::bool(distinct), word.span());
                let by = groups.map(|g| self.named(g));
                let cols = if cols.is_empty() {
                    Node::leaf(Value::list(vec![]), word.span())
                } else {
                    self.named(cols)
                };
                if verb == "select" {
                    self.no_duplicates(by.as_ref(), &cols, word)?;
                }
                parts.push(by.unwrap_or(plain));
                parts.push(cols);
            }
        }
        parts.extend(limit.into_iter().flatten());
        Ok(self.list(parts, word.from)?.within(word.from, self.last_end()))
    }

    /// `[n]`, `[n;>c]` or `[>c]`: the count, and the order as a constant.
    fn limit(&mut self) -> Result<Vec<Node>> {
        let open = self.bump();
        let count = match self.order()? {
            Some(order) => {
                self.expect(b']', &open)?;
                return Ok(vec![Node::leaf(Value::long(i64::MAX), open.span()), order]);
            }
            None => self.some_expr(Stops::default())?,
        };
        let mut limit = vec![count];
        if self.peek(0).is_some_and(|t| t.is(b';')) {
            self.bump();
            let Some(order) = self.order()? else { return Err(self.error("parse", self.here())) };
            limit.push(order);
        }
        self.expect(b']', &open)?;
        Ok(limit)
    }

    /// `>c` or `<c`, as the constant tree of `idesc` or `iasc`.
    fn order(&mut self) -> Result<Option<Node>> {
        let prim = match self.peek(0).map(|t| &t.lexeme) {
            Some(Lexeme::Op(Prim::Gt)) => Prim::GradeDown,
            Some(Lexeme::Op(Prim::Lt)) => Prim::GradeUp,
            _ => return Ok(None),
        };
        let op = self.bump();
        let col = self.some_expr(Stops::default())?;
        let order = self.list(vec![Node::leaf(Value::prim(prim), op.span()), col], op.from)?;
        Ok(Some(order.quoted()))
    }

    /// Expressions between commas up to one of the words `ends` or the end; none if there is nothing.
    fn phrases(&mut self, stops: Stops, ends: &[&str]) -> Result<Phrases> {
        let mut phrases = Vec::new();
        if ends.iter().any(|w| self.at_word(w)) || self.at_end(Stops::default()) {
            return Ok(phrases);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.phrases += 1;
        }
        loop {
            phrases.push(self.field(stops)?);
            match self.peek(0).map(|t| &t.lexeme) {
                Some(Lexeme::Op(Prim::Join)) => drop(self.bump()),
                _ => break,
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.phrases -= 1;
        }
        Ok(phrases)
    }

    /// A where list, enlisted once more than `?` wants it, as q's `parse` gives it.
    fn clauses(&self, wheres: Phrases, word: &Token) -> Result<Node> {
        if wheres.is_empty() {
            return Ok(Node::leaf(Value::list(vec![]), word.span()));
        }
        if let Some((_, node)) = wheres.iter().find(|(name, _)| name.is_some()) {
            return Err(self.error("parse", node.span()));
        }
        let trees: Vec<Node> = wheres.into_iter().map(|(_, node)| node).collect();
        let at = trees[0].span().at;
        Ok(self.list(trees, at)?.quoted())
    }

    /// The group or column part of `exec`: one that has no name is a constant, others a dictionary.
    fn exec_part(&self, mut phrases: Phrases, word: &Token) -> Node {
        match phrases[..] {
            [] => Node::leaf(Value::list(vec![]), word.span()),
            [(None, _)] => phrases.remove(0).1.quoted(),
            _ => self.named(phrases),
        }
    }

    fn named(&self, phrases: Phrases) -> Node {
        let mut names = Names::default();
        Node::dict(phrases.into_iter().map(|(given, node)| (names.add(given, &node.tree), node)).collect())
    }

    /// The group and column parts of `delete`.
    fn deleted(&self, cols: Phrases, wheres: &Node, word: &Token) -> Result<[Node; 2]> {
        let by = Node::leaf(Value::bool(false), word.span());
        if cols.is_empty() {
            return Ok([by, Node::leaf(no_syms(), word.span())]);
        }
        if wheres.tree.count() > 0 {
            return Err(self.error("nyi", word.span()));
        }
        let mut names = Vec::new();
        for (given, node) in &cols {
            match (given, node.tree.as_sym()) {
                (None, Some(name)) => names.push(name),
                _ => return Err(self.error("parse", node.span())),
            }
        }
        Ok([by, Node::leaf(names_constant(names), cols[0].1.span())])
    }

    /// q refuses a name that is both a group and a column.
    fn no_duplicates(&self, by: Option<&Node>, cols: &Node, word: &Token) -> Result<()> {
        let (Some(by), Value::Dict(cols)) = (by, &cols.tree) else { return Ok(()) };
        let Value::Dict(groups) = &by.tree else { return Ok(()) };
        let taken = syms(&groups.keys);
        match syms(&cols.keys).into_iter().find(|c| taken.contains(c)) {
            Some(name) => Err(self.error(format!("dup names for cols/groups {name}"), word.span())),
            None => Ok(()),
        }
    }
}

/// The symbols of a symbol vector.
fn syms(names: &Value) -> Vec<Sym> {
    match names {
        Value::Vec(v) => v.elems::<Sym>().map(|s| s.to_vec()).unwrap_or_default(),
        _ => vec![],
    }
}
