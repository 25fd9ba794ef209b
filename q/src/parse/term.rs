//! Terms: literals, names, operators, parentheses, functions, and the brackets and iterators that follow.

use super::expr::is_pattern;
use super::node::{Node, constant, names_constant};
use super::{DEPTH, Fun, Parser, Role, Stops, Term, keyword};
use crate::error::Result;
use crate::fun::Prim;
use crate::kind::Kind;
use crate::lambda::Lambda;
use crate::lex::{Lexeme, Token};
use crate::sym::Sym;
use crate::value::{Func, Iter, Value};
use std::sync::Arc;

/// Parameters that a function has at most.
const MOST_PARAMS: usize = 8;

impl Parser<'_> {
    /// One term, with the brackets and iterators that belong to it.
    pub fn term(&mut self, stops: Stops) -> Result<Term> {
        let token = self.bump();
        let span = token.span();
        let noun = |tree| Term { node: Node::leaf(tree, span), role: Role::Noun };
        let operator = |tree| Term { node: Node::leaf(tree, span), role: Role::Operator };
        let term = match token.lexeme {
            Lexeme::Literal(x) => noun(x),
            Lexeme::Syms(names) => noun(constant(names)),
            Lexeme::Op(p) => match negated(p) {
                Some(list) => operator(list),
                None => operator(Value::prim(p)),
            },
            Lexeme::OpColon(p) => match super::expr::unary(p) {
                Some(p) => noun(Value::prim(p)),
                None => return Err(self.error("parse", span)),
            },
            Lexeme::Colon => operator(Value::prim(Prim::Assign)),
            Lexeme::Colons => noun(Value::null()),
            Lexeme::Iter(i) => noun(Value::Fun(Func::Iter(i))),
            Lexeme::Punct(b'(') => self.paren(&token)?,
            Lexeme::Punct(b'{') => self.lambda(&token)?,
            Lexeme::Punct(b'[') => self.block(&token)?,
            Lexeme::Punct(c) => return Err(self.error((c as char).to_string(), span)),
            Lexeme::Name(name) => match name.text() {
                "select" | "exec" | "update" | "delete" => {
                    return Ok(Term { node: self.query(&token, stops)?, role: Role::Noun });
                }
                "if" | "do" | "while" => return self.control(&token),
                "by" | "from" => return Err(self.error(name.text(), span)),
                _ => self.name(name, &token),
            },
        };
        self.postfix(term)
    }

    /// A name or a reserved word.
    fn name(&mut self, name: Sym, token: &Token) -> Term {
        match keyword(name.text()) {
            Some(tree) => {
                let infix = tree.as_prim().is_some_and(|p| p.row().min == 2);
                let role = if infix { Role::Verb } else { Role::Noun };
                Term { node: Node::leaf(tree, token.span()), role }
            }
            None => {
                self.note_implicit(name);
                Term { node: Node::leaf(Value::sym(name), token.span()), role: Role::Noun }
            }
        }
    }

    /// Remembers that the function being read uses `x`, `y` or `z`, which makes it a parameter. Inside the
    /// phrases of a query these are columns.
    fn note_implicit(&mut self, name: Sym) {
        let rank = match name.text() {
            "x" => 1,
            "y" => 2,
            "z" => 3,
            _ => return,
        };
        if let Some(scope) = self.scopes.last_mut()
            && scope.phrases == 0
        {
            scope.implicit = scope.implicit.max(rank);
        }
    }

    /// The brackets and iterators after a term.
    fn postfix(&mut self, mut term: Term) -> Result<Term> {
        let mut more = 0;
        loop {
            let Some(token) = self.peek(0).cloned() else { return Ok(term) };
            more += 1;
            if more > DEPTH {
                return Err(self.error("limit", token.span()));
            }
            term = match token.lexeme {
                Lexeme::Punct(b'[') => {
                    self.bump();
                    let node = self.brackets(term.node, &token)?;
                    Term { node, role: Role::Noun }
                }
                Lexeme::Iter(iter) if token.glued => {
                    self.bump();
                    let head = Node::leaf(Value::Fun(Func::Iter(iter)), token.span());
                    let at = term.node.span().at;
                    Term { node: self.list(vec![head, term.node], at)?, role: Role::Verb }
                }
                _ => return Ok(term),
            };
        }
    }

    /// `f[…]`, after the bracket.
    fn brackets(&mut self, f: Node, open: &Token) -> Result<Node> {
        let (items, close) = self.items(open, b']')?;
        let conditional = f.tree.as_prim() == Some(Prim::Dollar) && items.len() > 2;
        let only = items.len() == 1;
        let (from, at) = (f.span().from, f.span().at);
        let mut all = vec![f];
        for item in items {
            let left_out = if only || conditional { Prim::Ident } else { Prim::Elided };
            all.push(item.unwrap_or_else(|| Node::leaf(Value::prim(left_out), close.span())));
        }
        Ok(self.list(all, at)?.within(from, close.to))
    }

    /// `if[…]`, `do[…]`, `while[…]`.
    fn control(&mut self, word: &Token) -> Result<Term> {
        let Lexeme::Name(name) = word.lexeme else { return Err(self.error("parse", word.span())) };
        let open = match self.peek(0) {
            Some(t) if t.is(b'[') => self.bump(),
            _ => return Err(self.error(name.text(), word.span())),
        };
        let (items, close) = self.items(&open, b']')?;
        let mut all = vec![Node::leaf(Value::sym(name), word.span())];
        for item in items {
            all.push(item.unwrap_or_else(|| Node::leaf(Value::null(), close.span())));
        }
        let node = self.list(all, word.from)?.within(word.from, close.to);
        Ok(Term { node, role: Role::Noun })
    }

    /// Expressions between semicolons, up to `close`, and the closing token. There is at least one, maybe
    /// empty.
    pub fn items(&mut self, open: &Token, close: u8) -> Result<(Vec<Option<Node>>, Token)> {
        let mut items = Vec::new();
        loop {
            items.push(self.expr(Stops::default())?);
            match self.peek(0) {
                Some(t) if t.is(b';') => drop(self.bump()),
                Some(t) if t.is(close) => return Ok((items, self.bump())),
                Some(t) => return Err(self.error(text_of(t), t.span())),
                None => return Err(self.error((close as char).to_string(), open.span())),
            }
        }
    }

    /// A block `[a;b]` where a term may begin.
    fn block(&mut self, open: &Token) -> Result<Term> {
        let (items, close) = self.items(open, b']')?;
        let node = self.sequence(items, open.from)?.within(open.from, close.to);
        Ok(Term { node, role: Role::Noun })
    }

    /// Statements as one tree: `(";";a;b)`, or the only one by itself.
    pub fn sequence(&self, mut items: Vec<Option<Node>>, at: u32) -> Result<Node> {
        let span = crate::path::Span { from: at, to: at, at };
        let empty = || Node::leaf(Value::null(), span);
        if items.len() == 1 {
            return Ok(items.pop().flatten().unwrap_or_else(empty));
        }
        let mut all = vec![Node::leaf(Value::atom(Kind::Char, b';'), span)];
        let last = items.len() - 1;
        for (i, item) in items.into_iter().enumerate() {
            match item {
                Some(node) => all.push(node),
                None if i == last => all.push(empty()),
                None => {}
            }
        }
        self.list(all, at)
    }

    /// A parenthesis: `()`, `(x)`, `(x;y)`, a table or a dictionary.
    fn paren(&mut self, open: &Token) -> Result<Term> {
        if self.peek(0).is_some_and(|t| t.is(b'[')) {
            let node = self.columns(open)?;
            return Ok(Term { node, role: Role::Noun });
        }
        let (mut items, close) = self.items(open, b')')?;
        let node = if items.len() > 1 {
            let mut all = vec![Node::leaf(Value::prim(Prim::Enlist), open.span())];
            for item in items {
                all.push(item.unwrap_or_else(|| Node::leaf(Value::prim(Prim::Elided), close.span())));
            }
            self.list(all, open.from)?
        } else {
            items.pop().flatten().unwrap_or_else(|| Node::leaf(Value::list(vec![]), open.span()))
        };
        Ok(Term { node: node.within(open.from, close.to), role: Role::Noun })
    }

    /// `([k:x]a:y)`, `([]a:y)` or `([a:x])`, after its parenthesis.
    fn columns(&mut self, open: &Token) -> Result<Node> {
        let bracket = self.bump();
        let (keys, _) = self.fields(&bracket, b']')?;
        // A semicolon may stand between keys and values.
        if self.peek(0).is_some_and(|t| t.is(b';')) {
            self.bump();
        }
        let (values, close) = self.fields(open, b')')?;
        let node = match (keys.is_empty(), values.is_empty()) {
            (true, true) => {
                let none = || Node::leaf(Value::list(vec![]), open.span());
                self.apply(Prim::Bang, vec![none(), none()], open)?
            }
            (false, true) => self.entries(keys, open)?,
            (true, false) => self.table(values, open)?,
            (false, false) => {
                let (keys, values) = (self.table(keys, open)?, self.table(values, open)?);
                self.apply(Prim::Bang, vec![keys, values], open)?
            }
        };
        Ok(node.within(open.from, close.to))
    }

    /// Named expressions between semicolons, up to `close`; none if there is nothing.
    fn fields(&mut self, open: &Token, close: u8) -> Result<(Vec<(Sym, Node)>, Token)> {
        let mut fields = Vec::new();
        let mut names = super::name::Names::default();
        loop {
            if fields.is_empty() && self.peek(0).is_some_and(|t| t.is(close)) {
                return Ok((fields, self.bump()));
            }
            let name = self.column_name();
            let node = match self.expr(Stops::default())? {
                Some(node) => node,
                None if name.is_some() => Node::leaf(Value::prim(Prim::Elided), self.here()),
                None => return Err(self.error("parse", self.here())),
            };
            fields.push((names.add(name, &node.tree), node));
            match self.peek(0) {
                Some(t) if t.is(b';') => drop(self.bump()),
                Some(t) if t.is(close) => return Ok((fields, self.bump())),
                Some(t) => return Err(self.error(text_of(t), t.span())),
                None => return Err(self.error((close as char).to_string(), open.span())),
            }
        }
    }

    /// `name:expr` or `expr`.
    pub fn field(&mut self, stops: Stops) -> Result<(Option<Sym>, Node)> {
        let name = self.column_name();
        Ok((name, self.some_expr(stops)?))
    }

    /// Takes `name:`, if that is next.
    fn column_name(&mut self) -> Option<Sym> {
        let name = match (self.peek(0).map(|t| &t.lexeme), self.peek(1).map(|t| &t.lexeme)) {
            (Some(&Lexeme::Name(name)), Some(Lexeme::Colon)) => Some(name),
            _ => None,
        };
        if name.is_some() {
            self.bump();
            self.bump();
        }
        name
    }

    /// ``(!;,`a`b;(enlist;x;y))``, or with holes ``(';(!;,`a`b);(enlist;x;hole))``, which waits for them.
    fn entries(&self, fields: Vec<(Sym, Node)>, open: &Token) -> Result<Node> {
        let (names, mut values): (Vec<Sym>, Vec<Node>) = fields.into_iter().unzip();
        let holes = values.iter().any(|v| v.tree.as_prim() == Some(Prim::Elided));
        let names = Node::leaf(names_constant(names), open.span());
        values.insert(0, Node::leaf(Value::prim(Prim::Enlist), open.span()));
        let values = self.list(values, open.from)?;
        if !holes {
            return self.apply(Prim::Bang, vec![names, values], open);
        }
        let each = Node::leaf(Value::Fun(Func::Iter(Iter::Each)), open.span());
        self.list(vec![each, self.apply(Prim::Bang, vec![names], open)?, values], open.from)
    }

    fn table(&self, fields: Vec<(Sym, Node)>, open: &Token) -> Result<Node> {
        let entries = self.entries(fields, open)?;
        self.apply(Prim::Flip, vec![entries], open)
    }

    fn apply(&self, p: Prim, mut args: Vec<Node>, open: &Token) -> Result<Node> {
        args.insert(0, Node::leaf(Value::prim(p), open.span()));
        self.list(args, open.from)
    }

    /// A function, after its brace.
    fn lambda(&mut self, open: &Token) -> Result<Term> {
        self.scopes.push(Fun::default());
        let (params, patterns) = match self.peek(0) {
            Some(t) if t.is(b'[') => self.params().map(|(params, patterns)| (Some(params), patterns))?,
            _ => (None, vec![]),
        };
        if let (Some(scope), Some(params)) = (self.scopes.last_mut(), &params) {
            scope.locals.extend(params);
        }
        let (items, close) = self.items(open, b'}')?;
        let scope = self.scopes.pop().expect("the scope pushed above");
        let params: Vec<Sym> = params.unwrap_or_else(|| {
            ["x", "y", "z"][..scope.implicit.max(1)].iter().map(|p| Sym::new(p)).collect()
        });
        let locals = scope.locals.into_iter().filter(|l| !params.contains(l)).collect();
        let empty_last = items.len() > 1 && items.last().is_some_and(Option::is_none);
        let (mut body, mut spans, mut depth) = (vec![], vec![], 0);
        for node in patterns.into_iter().chain(items.into_iter().flatten()) {
            depth = depth.max(node.depth);
            body.push(node.tree);
            spans.push(node.spans);
        }
        if empty_last {
            body.push(Value::null());
            spans.push(crate::path::Spans { span: close.span(), kids: vec![] });
        }
        let text = self.source.text[open.from as usize..close.to as usize].into();
        let source = self.source.clone();
        let lambda = Lambda { text, params, locals, body, spans, source, space: self.space };
        if let Some(name) = lambda.excess() {
            return Err(self.error(name, open.span()));
        }
        let tree = Value::Fun(Func::Lambda(Arc::new(lambda)));
        let mut node = Node::leaf(tree, open.span()).within(open.from, close.to);
        node.depth = depth + 1;
        Ok(Term { node, role: Role::Noun })
    }

    /// `[a;b]` at the start of a function: the names, and the assignments that match patterns among them.
    fn params(&mut self) -> Result<(Vec<Sym>, Vec<Node>)> {
        let open = self.bump();
        let (mut params, mut patterns) = (vec![], vec![]);
        loop {
            let Some(token) = self.peek(0).cloned() else { return Err(self.error("]", open.span())) };
            let ends = self.peek(1).is_some_and(|t| t.is(b';') || t.is(b']'));
            match token.lexeme {
                Lexeme::Punct(b']') if params.is_empty() => {
                    self.bump();
                    return Ok((params, patterns));
                }
                Lexeme::Name(name) if ends && keyword(name.text()).is_none() => {
                    self.bump();
                    params.push(name);
                }
                _ => {
                    let pattern = match self.expr(Stops::default())? {
                        Some(node) if is_pattern(&node.tree) => node,
                        _ => return Err(self.error("parse", token.span())),
                    };
                    let name = match &pattern.tree {
                        Value::List(l) if l.len() == 3 => {
                            l[1].as_sym().filter(|_| l[0].as_prim() == Some(Prim::Assign))
                        }
                        _ => None,
                    };
                    // No text can name what a pattern without a name takes apart.
                    let name = name.unwrap_or_else(|| Sym::new(&params.len().to_string()));
                    params.push(name);
                    let leaf = |tree| Node::leaf(tree, token.span());
                    let at = pattern.span().at;
                    patterns.push(
                        self.list(
                            vec![leaf(Value::prim(Prim::Assign)), pattern, leaf(Value::sym(name))],
                            at,
                        )?,
                    );
                }
            }
            match self.peek(0) {
                _ if params.len() > MOST_PARAMS => return Err(self.error("params", token.span())),
                Some(t) if t.is(b';') => drop(self.bump()),
                Some(t) if t.is(b']') => {
                    self.bump();
                    return Ok((params, patterns));
                }
                _ => return Err(self.error("parse", token.span())),
            }
        }
    }
}

/// How q names a token that may not stand where it does.
pub fn text_of(token: &Token) -> String {
    match &token.lexeme {
        Lexeme::Punct(c) => (*c as char).to_string(),
        Lexeme::Name(name) => name.text().to_string(),
        _ => "parse".into(),
    }
}

/// `<>` `<=` `>=` as trees hold them: `not` after the opposite comparison.
fn negated(p: Prim) -> Option<Value> {
    let opposite = match p {
        Prim::Ne => Prim::Eq,
        Prim::Le => Prim::Gt,
        Prim::Ge => Prim::Lt,
        _ => return None,
    };
    let each = Value::Fun(Func::Iter(Iter::Each));
    Some(Value::list(vec![each, Value::prim(Prim::Not), Value::prim(opposite)]))
}
