//! q text → parse trees.
//!
//! # Tree forms
//! A tree is a [`Value`] in the shape that q's `parse` gives. This list is the contract with the evaluator;
//! the parser makes no other form.
//!
//! | text | tree |
//! |---|---|
//! | `5` `1 2 3` `"abc"` `"a"` `0x01` `2024.01.01` `()` | the value itself: a non-symbol literal, never a one-item vector |
//! | `` `a `` | `` ,`a ``: one-item symbol vector |
//! | `` `a`b `` | `` ,`a`b ``: one-item general list that holds the symbol vector |
//! | `a` `.ns.a` `x` `time.minute` | `` `a ``: symbol atom, a name to look up |
//! | `+` `neg` `count` `in` `aj` | `Func::Prim`: operators and reserved words, see [`keyword`] |
//! | `-:` `#:` `0::` | the unary primitive: `Prim::Neg`, `Prim::Count`, `Prim::Read0` |
//! | `sums` `deltas` `raze` … | `Func::Derived`: `+\`, `-':`, `,/` |
//! | `>=` `<=` `<>` | list `(';~:;<)` `(';~:;>)` `(';~:;=)`: `Func::Iter(Each)`, `Prim::Not`, `Prim::Lt` … |
//! | `{[a;b] a+b}` | `Func::Lambda` |
//! | `::` | `Prim::Ident` |
//! | `'` `/` `\` `':` `/:` `\:` alone, as in `(')` | `Func::Iter` |
//! | `f x` `f[x]` | `` (`f;`x) `` |
//! | `f[x;y]` `x+y` `x in y` | `` (`f;`x;`y) `` `` (+;`x;`y) `` `` (in;`x;`y) `` |
//! | `f[]` | `(f;::)` with `Prim::Ident` |
//! | `f[;1]` `f[1;]` `f[;]` | `(f;hole;1)` …: an argument left out is `Prim::Elided`, which prints as `::` |
//! | `(1+)` `1+` | `(+;1)`: fewer arguments than the function wants make a projection |
//! | `f g@` `f 1+` `1|+` | composition `(';f;(@;g))` `(';f;(+;1))` `(';(|;1);+)`: an expression that ends in a verb is a function |
//! | `'[f;g]` | `(';f;g)`: `Func::Iter(Each)` with two or more arguments composes |
//! | `f'` `+/` `f\:` | `(';f)` `(/;+)` `(\:;f)`: an iterator with one argument derives a function |
//! | `+/x` `f'[x;y]` `x f\:y` | `((/;+);x)` `((';f);x;y)` `((\:;f);x;y)` |
//! | `(a;b)` `(;b)` | `(enlist;a;b)` `(enlist;hole;b)` with `Prim::Enlist` |
//! | `(x)` | the tree of `x` |
//! | `([]a:x;b:y)` | ``(+:;(!;,`a`b;(enlist;x;y)))`` |
//! | `([k:x]a:y)` | ``(!;(+:;(!;,,`k;(enlist;x)));(+:;(!;,,`a;(enlist;y))))`` |
//! | `([a:x;b:y])` `([])` | ``(!;,`a`b;(enlist;x;y))`` `(!;();())`: dictionaries |
//! | `([a:x;b:])` | ``(';(!;,`a`b);(enlist;x;hole))``: a dictionary that waits for values |
//! | `[a;b]` and the statements `a;b` | `(";";a;b)`: the head is the char atom `";"`; the value is the last one's; an empty last statement is `::` |
//! | `a:x` | ``(:;`a;x)`` with `Prim::Assign`; likewise ``(:;`.ns.a;x)`` |
//! | `a[i;j]:x` `a[]:x` | ``(:;(`a;i;j);x)`` ``(:;(`a;::);x)``: the target is not evaluated, its indices are |
//! | `(a;b):x` | ``(:;(enlist;`a;`b);x)`` |
//! | `a+:x` `a[i],:x` | ``(+:;`a;x)`` ``(,:;(`a;i);x)``: a unary primitive `-:` … with two arguments amends by its binary twin |
//! | `a::x` | ``(::;`a;x)`` with `Prim::Ident`: assigns a global (or makes a view at top level) |
//! | `(a;1;b:f):x` | ``(:;(enlist;`a;1;(:;`b;`f));x)``: the target is a pattern, of trees as they parse |
//! | `{[(a;b);c:f] …}` | a function of `0` and `c` whose body begins with `(a;b):0` and `(c:f):c` |
//! | `:x` | `(:;x)`: return |
//! | `'x` | `("'";x)`: signal; the head is the char atom `"'"` |
//! | `$[c;a;b]` `?[c;a;b]` | `($;c;a;b)` `(?;c;a;b)`: `$` with three or more arguments is conditional |
//! | `if[c;a;b]` `while[…]` `do[…]` | ``(`if;c;a;b)``: the head is the name, which cannot be a variable |
//! | `\t x` | `(system;"t x")` with `Prim::System` |
//!
//! ## qSQL
//! `select` and `exec` are `(?;t;c;b;a)`, with limits `(?;t;c;b;a;n)` or `(?;t;c;b;a;n;,(>:;col))` (`n` is `0W`
//! when only an order is given; `<col` is `(<:;col)`); `update` and `delete` are `(!;t;c;b;a)`. `t` is the tree
//! of the table expression and is evaluated; the others are:
//!
//! | part | value in the tree | as q's `eval` passes it to `?` |
//! |---|---|---|
//! | `c`, no where | `()` | the same |
//! | `c`, where `p,q` | one-item list of the list of trees: `,(p;q)`; `,,p` for one | `(p;q)` |
//! | `b`, no by | `0b`; `1b` for `select distinct`; `()` for exec | the same |
//! | `b`, by | dictionary of names to trees | the same, its trees are for `?` |
//! | `b`, exec by one unnamed | `` ,`s `` or `,tree` | `` `s `` or the tree |
//! | `a`, none | `()` | the same |
//! | `a` | dictionary of names to trees; its values are a symbol vector when all are bare columns | the same |
//! | `a`, exec of one unnamed | `` ,`c `` or `,tree` | `` `c `` or the tree |
//! | `a`, delete rows | `` `symbol$() `` | the same |
//! | `a`, delete columns | `` ,,`c `` `` ,`c`d `` | `` ,`c `` `` `c`d `` |
//!
//! So the evaluator's rule for a value in argument position is one rule: a one-item list or one-item symbol
//! vector is a constant and stands for its item, a symbol atom is a name, any other non-empty general list is
//! an application, and all else is itself.
//!
//! [`Spans`] have the tree's shape; a dictionary's kids are those of its values.

mod expr;
mod name;
mod node;
mod query;
mod term;

pub use expr::{assignable, binary, entries, is_glyph, is_place, unary};
pub use name::inferred;
pub use node::quote;

use crate::error::{Error, Result, Source};
use crate::fun::{FUNS, Prim};
use crate::kind::Kind;
use crate::lex::{self, Lexeme, Token, script};
use crate::path::{Span, Spans};
use crate::sym::Sym;
use crate::value::{Func, Iter, Value};
use node::Node;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// How deep a tree may be; past it the parser signals `'limit`. So no walk over a tree exhausts the stack.
pub const DEPTH: u32 = crate::nest::LIMIT;
/// How deep parentheses, brackets and braces may nest.
const NEST: u32 = 100;

/// A statement of a script or a console line.
#[derive(Debug)]
pub struct Stmt {
    /// What to evaluate.
    pub tree: Value,
    /// Where its parts stand in the source.
    pub spans: Spans,
    /// True if the console prints nothing: it ends in a semicolon or assigns.
    pub silent: bool,
    /// Its bytes in the source.
    pub range: Range<usize>,
}

/// The statements of a script, or of one console line. `space` is the namespace (without its dot) that
/// functions are defined in. Signals the first error; to run what comes before it, go by [`units`].
pub fn parse(source: &Arc<Source>, space: Sym) -> Result<Vec<Stmt>> {
    let units = units(source);
    Ok(units
        .into_iter()
        .map(|u| unit(source, u, space))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// The byte ranges of a script's statements, each for [`unit()`].
pub fn units(source: &Source) -> Vec<Range<usize>> {
    script::units(&source.text)
}

/// The statement in the bytes `range` of `source`; none if there is only blank or comment.
pub fn unit(source: &Arc<Source>, range: Range<usize>, space: Sym) -> Result<Option<Stmt>> {
    let text = &source.text[range.clone()];
    if let Some((b'\\', command)) = text.split_first() {
        let at = range.start as u32;
        let span = Span { from: at, to: range.end as u32, at };
        let items = vec![
            Node::leaf(Value::prim(Prim::System), span),
            Node::leaf(lex::chars(command.trim_ascii_end()), span),
        ];
        let Node { tree, spans, .. } = Node::list(items, at);
        return Ok(Some(Stmt { tree, spans, silent: false, range }));
    }
    let mut parser = Parser::new(source, range.clone(), space)?;
    if parser.tokens.is_empty() {
        return Ok(None);
    }
    let mut items = parser.statements()?;
    let assigned = parser.assigned;
    if let Some(view) = parser.whole_view(&mut items)? {
        return Ok(Some(Stmt { tree: view.tree, spans: view.spans, silent: true, range }));
    }
    let ended = items.len() > 1 && items.last().is_some_and(Option::is_none);
    if ended {
        items.pop();
    }
    let Node { tree, spans, .. } = parser.sequence(items, range.start as u32)?;
    Ok(Some(Stmt { tree, spans, silent: ended || assigned, range }))
}

/// The tree of a text as q's `parse` gives it: the whole is one expression, or statements
/// `(";";a;b)`. A text that begins with a backslash is a system command. An empty text is `::`.
pub fn expression(source: &Arc<Source>, space: Sym) -> Result<(Value, Spans)> {
    let range = 0..source.text.len();
    if source.text.first() == Some(&b'\\') {
        let stmt = unit(source, range, space)?;
        return Ok(stmt.map_or((Value::null(), Spans::default()), |s| (s.tree, s.spans)));
    }
    let mut parser = Parser::new(source, range, space)?;
    let items = parser.statements()?;
    let Node { tree, spans, .. } = parser.sequence(items, 0)?;
    Ok((tree, spans))
}

/// Where an expression ends besides at a closing bracket, a semicolon and the end.
#[derive(Clone, Copy, Default)]
struct Stops {
    comma: bool,
    by: bool,
    from: bool,
    where_: bool,
}

/// What a term may do to its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Applied by juxtaposition.
    Noun,
    /// Infix after a noun, else applied by juxtaposition.
    Verb,
    /// A bare operator: infix after a noun; q has no prefix form of it.
    Operator,
}

/// A term of an expression.
struct Term {
    node: Node,
    role: Role,
}

/// What is known of a function while its body is read.
#[derive(Default)]
struct Fun {
    /// How many of `x y z` it uses.
    implicit: usize,
    /// The names that it assigns.
    locals: Vec<Sym>,
    /// The names that it assigns with `::` before any other way: they are no locals.
    globals: Vec<Sym>,
    /// How many phrases of queries are open in it.
    phrases: u32,
}

struct Parser<'a> {
    source: &'a Arc<Source>,
    tokens: Vec<Token>,
    /// The next token.
    at: usize,
    /// The end of the range that is parsed.
    end: u32,
    space: Sym,
    /// True in k, where an operator without a left argument is the unary one.
    k: bool,
    /// The functions being read, the innermost last.
    scopes: Vec<Fun>,
    /// How many expressions are open.
    nest: u32,
    /// True if the expression read last was an assignment.
    assigned: bool,
}

impl<'a> Parser<'a> {
    fn new(source: &'a Arc<Source>, range: Range<usize>, space: Sym) -> Result<Parser<'a>> {
        let end = range.end as u32;
        // A line may say its language first.
        let language = source.text[range.clone()].get(..2);
        let (k, said) = (language == Some(b"k)"), matches!(language, Some(b"k)" | b"q)")));
        let tokens = lex::tokens(source, range.start + 2 * usize::from(said)..range.end)?;
        Ok(Parser { source, tokens, at: 0, end, space, k, scopes: vec![], nest: 0, assigned: false })
    }

    /// All statements up to the end of the text.
    fn statements(&mut self) -> Result<Vec<Option<Node>>> {
        let mut items = Vec::new();
        loop {
            items.push(self.expr(Stops::default())?);
            match self.peek(0) {
                None => return Ok(items),
                Some(t) if t.is(b';') => drop(self.bump()),
                Some(t) => return Err(self.error(term::text_of(t), t.span())),
            }
        }
    }

    /// A view takes all that follows it: `a::b;c` stands for `b;c`. None if the statements begin otherwise.
    fn whole_view(&self, items: &mut Vec<Option<Node>>) -> Result<Option<Node>> {
        let is_view = |n: &Node| match &n.tree {
            Value::List(l) => l.len() == 3 && l[0].as_prim() == Some(Prim::Ident) && l[1].as_sym().is_some(),
            _ => false,
        };
        if items.len() < 2 || !items[0].as_ref().is_some_and(is_view) {
            return Ok(None);
        }
        let Some(Node { tree: Value::List(parts), spans, depth }) = items[0].take() else { return Ok(None) };
        let part = |i: usize| Node { tree: parts[i].clone(), spans: spans.kids[i].clone(), depth };
        let (op, name, body) = (part(0), part(1), part(2));
        let from = body.span().from;
        items[0] = Some(body);
        let all = self.sequence(std::mem::take(items), from)?.within(from, self.end);
        self.list(vec![op, name, all], spans.span.at).map(Some)
    }

    fn peek(&self, n: usize) -> Option<&Token> {
        self.tokens.get(self.at + n)
    }

    /// Takes the next token, which must exist.
    fn bump(&mut self) -> Token {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    /// True if the next token is the word `word`, and does not name a column: `from:x`.
    fn at_word(&self, word: &str) -> bool {
        let named = self.peek(1).is_some_and(|t| matches!(t.lexeme, Lexeme::Colon));
        !named && self.peek(0).is_some_and(|t| matches!(t.lexeme, Lexeme::Name(n) if n.text() == word))
    }

    /// Takes the closing `c` of what `open` opened.
    fn expect(&mut self, c: u8, open: &Token) -> Result<Token> {
        match self.peek(0) {
            Some(t) if t.is(c) => Ok(self.bump()),
            Some(t) => Err(self.error(term::text_of(t), t.span())),
            None => Err(self.error((c as char).to_string(), open.span())),
        }
    }

    fn at_end(&self, stops: Stops) -> bool {
        self.ends_at(self.at, stops)
    }

    /// True if an expression ends before token `at`.
    fn ends_at(&self, at: usize, stops: Stops) -> bool {
        let Some(token) = self.tokens.get(at) else { return true };
        match token.lexeme {
            Lexeme::Punct(c) => matches!(c, b')' | b']' | b'}' | b';'),
            Lexeme::Op(Prim::Join) if stops.comma => {
                !self.tokens.get(at + 1).is_some_and(|t| t.glued && matches!(t.lexeme, Lexeme::Iter(_)))
            }
            Lexeme::Name(name) if stops.by || stops.from || stops.where_ => match name.text() {
                "by" => stops.by,
                "from" => stops.from,
                "where" => stops.where_,
                _ => false,
            },
            _ => false,
        }
    }

    /// Where the parser stands: the next token, or the end.
    fn here(&self) -> Span {
        match self.peek(0) {
            Some(t) => t.span(),
            None => Span { from: self.end, to: self.end, at: self.end },
        }
    }

    /// The end of the token taken last.
    fn last_end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |i| self.tokens[i].to)
    }

    fn error(&self, name: impl Into<Cow<'static, str>>, span: Span) -> Error {
        lex::error_at(self.source, name, span)
    }

    /// Opens an expression.
    fn enter(&mut self) -> Result<()> {
        self.nest += 1;
        if self.nest > NEST { Err(self.error("limit", self.here())) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.nest -= 1;
    }

    /// A general list, unless it is too deep.
    fn list(&self, items: Vec<Node>, at: u32) -> Result<Node> {
        let node = Node::list(items, at);
        if node.depth > DEPTH { Err(self.error("limit", node.span())) } else { Ok(node) }
    }
}

/// Reserved words that q defines as derived functions.
pub const DERIVED: [(&str, Iter, Prim); 9] = [
    ("sums", Iter::Scan, Prim::Add),
    ("prds", Iter::Scan, Prim::Mul),
    ("mins", Iter::Scan, Prim::Lesser),
    ("maxs", Iter::Scan, Prim::Greater),
    ("fills", Iter::Scan, Prim::Fill),
    ("deltas", Iter::Prior, Prim::Sub),
    ("ratios", Iter::Prior, Prim::Divide),
    ("prev", Iter::Prior, Prim::Assign),
    ("raze", Iter::Over, Prim::Join),
];

/// Second names of primitives. q cannot tell them apart either.
const ALIASES: [(&str, Prim); 6] = [
    ("mmu", Prim::Dollar),
    ("lsq", Prim::Bang),
    ("inv", Prim::Key),
    ("hdel", Prim::Not),
    ("hclose", Prim::GradeDown),
    ("get", Prim::Get),
];

static KEYWORDS: LazyLock<FxHashMap<&str, Value>> = LazyLock::new(|| {
    let rows = FUNS.iter().filter(|f| !f.keyword.is_empty()).map(|f| (f.keyword, Value::prim(f.prim)));
    let aliases = ALIASES.iter().map(|(word, p)| (*word, Value::prim(*p)));
    let derived = DERIVED
        .iter()
        .map(|(word, iter, p)| (*word, Value::Fun(Func::Derived(*iter, Arc::new(Value::prim(*p))))));
    let csv = [("csv", Value::atom(Kind::Char, b','))];
    rows.chain(aliases).chain(derived).chain(csv).collect()
});

/// The reserved words that q defines in its namespace `.q`, in its order.
pub const DEFINED: &str = "neg not null string reciprocal floor ceiling signum mod xbar xlog and or each scan over prior \
    mmu lsq inv md5 ltime gtime count first svar sdev scov med all any sums prds mins maxs fills deltas ratios avgs \
    differ prev next rank reverse iasc idesc asc desc msum mcount mavg mdev mmin mmax ema xrank xprev rotate distinct \
    group where flip type key til value get attr cut set upsert raze union inter except cross sv vs sublist read0 read1 \
    hclose hdel hsym hcount peach system ltrim rtrim trim lower upper ssr view tables views cols xcols keys xkey xcol \
    xasc xdesc fkeys meta lj ljf aj aj0 ajf ajf0 ij ijf pj asof uj ujf wj wj1 fby xgroup ungroup ej save load rsave \
    rload dsave show csv parse eval reval rand use";

/// The namespace `.q`: the words of [`DEFINED`] after a null entry, and their values.
pub fn defined() -> Value {
    let words = || DEFINED.split_whitespace();
    let values = words().map(|w| keyword(w).expect("every word of the list is reserved"));
    let names = std::iter::once(Sym::NULL).chain(words().map(Sym::new));
    Value::dict(Value::syms(names), Value::list(std::iter::once(Value::null()).chain(values).collect()))
}

/// The value of a reserved word, as a tree holds it: a primitive, a derived function (`sums` is `+\`), or a
/// constant (`csv`). None if `word` is an ordinary name.
pub fn keyword(word: &str) -> Option<Value> {
    KEYWORDS.get(word).cloned()
}
