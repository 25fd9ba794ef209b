//! Trees → q text. For every tree that the parser makes, the text parses to the same tree again, unless the
//! parentheses that it needs nest deeper than the parser allows.
//!
//! The text is plain: infix operators and keywords, brackets for all other calls, parentheses wherever a
//! neighbour could claim a part. A tree that no text has (a one-item vector, say) prints as an expression
//! with its value.

mod query;

use crate::each_data;
use crate::fun::Prim;
use crate::kind::Kind;
use crate::literal::{atom_text, chars_text, element_text, suffix};
use crate::parse::{DERIVED, assignable, binary, is_glyph, is_place};
use crate::sym::Sym;
use crate::value::{Atom, Elem, Func, Iter, Raw, Value, Vector};

/// The text of `tree`, in q's bytes.
pub fn unparse(tree: &Value) -> Vec<u8> {
    let mut text = Text::default();
    text.put(tree, Place::Whole);
    text.out.chars().map(|c| c as u8).collect()
}

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Alone between brackets, semicolons or ends.
    Whole,
    /// Right of a verb, up to the end.
    Right,
    /// A noun, with a verb or a bracket after it.
    Noun,
}

/// Text being written, one character a byte.
#[derive(Default)]
struct Text {
    out: String,
}

impl Text {
    fn put(&mut self, x: &Value, place: Place) {
        match x {
            Value::Atom(a) => self.atom(a),
            Value::Vec(v) => self.vector(v),
            Value::List(items) => self.list(x, items, place),
            Value::Dict(d) => self.put(&application(Prim::Bang, &[d.keys.clone(), d.vals.clone()]), place),
            Value::Table(t) => {
                let names = Value::list(vec![Value::syms(t.names.iter().copied())]);
                let dict = application(Prim::Bang, &[names, application(Prim::Enlist, &t.cols)]);
                self.put(&application(Prim::Flip, &[dict]), place);
            }
            Value::Fun(f) => self.fun(f, place),
        }
    }

    fn parenthesised(&mut self, write: impl FnOnce(&mut Text)) {
        self.out.push('(');
        write(self);
        self.out.push(')');
    }

    fn atom(&mut self, atom: &Atom) {
        match (atom.kind, atom.raw) {
            (Kind::Sym, Raw::S(name)) => self.out.push_str(name.text()),
            (Kind::Guid, Raw::G(g)) if g.0 != [0; 16] => {
                self.out.push_str(&format!("(\"G\"$\"{}\")", atom_text(atom)));
            }
            (Kind::Guid, _) => self.out.push_str("0Ng"),
            _ => self.out.push_str(&atom_text(atom)),
        }
    }

    fn vector(&mut self, v: &Vector) {
        let bytes = v.elems::<u8>().map(|b| b.to_vec()).unwrap_or_default();
        match (v.kind, v.len()) {
            (Kind::Sym, n) if n > 0 => (0..n).for_each(|i| self.out.push_str(&atom_text(&v.get(i)))),
            (Kind::Char, n) if n != 1 => self.out.push_str(&chars_text(&bytes)),
            (Kind::Byte, n) if n != 1 => {
                self.out.push_str("0x");
                bytes.iter().for_each(|b| self.out.push_str(&format!("{b:02x}")));
            }
            (kind, 0) => self.out.push_str(&format!("(`{}$())", kind.name())),
            (_, 1) => self.parenthesised(|t| {
                t.out.push_str("enlist ");
                t.atom(&v.get(0));
            }),
            (Kind::Bool, _) => {
                bytes.iter().for_each(|b| self.out.push((b'0' + b) as char));
                self.out.push('b');
            }
            (kind, _) => {
                let texts: Vec<String> =
                    each_data!(&v.data, d => d.iter().map(|x| element_text(kind, x.raw())).collect());
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                self.out.push_str(&texts.join(" "));
                self.out.push_str(if kind == Kind::Guid { "g" } else { suffix(kind, &texts) });
            }
        }
    }

    fn fun(&mut self, f: &Func, place: Place) {
        match f {
            Func::Prim(p) => self.prim(*p, place),
            Func::Iter(i) => self.parenthesised(|t| t.out.push_str(i.text())),
            Func::Lambda(l) => self.out.extend(l.text.iter().map(|b| *b as char)),
            Func::Derived(iter, f) => {
                match DERIVED.iter().find(|(_, i, p)| i == iter && f.as_prim() == Some(*p)) {
                    Some((name, ..)) => self.out.push_str(name),
                    None => self.put(&derive(*iter, f), place),
                }
            }
            Func::Proj(p) => {
                let hole = Value::prim(Prim::Elided);
                let args: Vec<Value> = p.args.iter().map(|a| a.clone().unwrap_or(hole.clone())).collect();
                self.put(&p.fun, Place::Noun);
                self.brackets(&args);
            }
            Func::Comp(fs) => self.parenthesised(|t| {
                t.out.push('\'');
                t.brackets(fs);
            }),
            Func::Native(f) => self.out.push_str(f.name()),
            Func::Virtual(_) => self.out.push_str("(::)"),
        }
    }

    /// A primitive as a value: in parentheses if a sign or an infix word could claim its neighbours.
    fn prim(&mut self, p: Prim, place: Place) {
        let text = word(p).unwrap_or(p.row().text);
        let noun = word(p).is_some() && p.row().min < 2;
        match place {
            _ if p == Prim::Elided => {}
            Place::Right | Place::Noun if !noun => self.parenthesised(|t| t.out.push_str(text)),
            _ => self.out.push_str(text),
        }
    }

    /// A general list: a constant or an application.
    fn list(&mut self, x: &Value, items: &[Value], place: Place) {
        if let Some(fields) = fields(x) {
            return self.parenthesised(|t| {
                t.out.push('[');
                t.fields(&fields, ";");
                t.out.push(']');
            });
        }
        if let Some((keys, cols)) = tables(x) {
            return self.parenthesised(|t| {
                t.out.push('[');
                t.fields(&keys, ";");
                t.out.push(']');
                t.fields(&cols, ";");
            });
        }
        match items {
            [] => self.out.push_str("()"),
            [Value::Vec(v)] if v.kind == Kind::Sym && v.len() > 1 => self.vector(v),
            [only] => self.parenthesised(|t| {
                t.out.push_str("enlist ");
                t.put(only, Place::Right);
            }),
            [Value::Fun(Func::Prim(Prim::Enlist)), rest @ ..] if rest.len() > 1 => {
                // A block at the start would make this a table.
                let first = if is_block(&rest[0]) { Place::Right } else { Place::Whole };
                self.parenthesised(|t| t.args(rest, first));
            }
            [Value::Atom(a), rest @ ..] if is_char(a, b';') && place == Place::Whole => {
                self.out.push_str(if rest.len() == 1 { "[;" } else { "[" });
                self.args(rest, Place::Whole);
                self.out.push(']');
            }
            [f, args @ ..] => match shape(f, args) {
                shape if shape.fits(place) => self.call(shape, f, args),
                shape => self.parenthesised(|t| t.call(shape, f, args)),
            },
        }
    }

    fn call(&mut self, shape: Shape, f: &Value, args: &[Value]) {
        match shape {
            Shape::Call => {
                self.put(f, Place::Noun);
                self.brackets(args);
            }
            Shape::Control => {
                self.put(f, Place::Whole);
                self.brackets(args);
            }
            Shape::Infix(verb) => {
                self.put(&args[0], Place::Noun);
                self.verb(&verb, args[0].as_sym().is_some());
                self.put(&args[1], Place::Right);
            }
            Shape::Word => {
                self.put(f, Place::Noun);
                self.out.push(' ');
                self.put(&args[0], Place::Right);
            }
            Shape::Assign(op) => {
                self.target(&args[0]);
                if op.starts_with(['.', '_', '0', '1', '2']) {
                    self.out.push(' ');
                }
                self.out.push_str(op);
                self.out.push(':');
                self.put(&args[1], Place::Right);
            }
            Shape::Return => {
                self.out.push(':');
                self.put(&args[0], Place::Right);
            }
            Shape::Signal => {
                self.out.push('\'');
                self.put(&args[0], Place::Right);
            }
            Shape::Derived(iter) => {
                match &args[0] {
                    f if f.as_prim().is_some_and(is_glyph) => self.put(f, Place::Whole),
                    // A path takes the slash.
                    f if is_symbols(f) => self.parenthesised(|t| t.put(f, Place::Whole)),
                    f => self.put(f, Place::Noun),
                }
                self.out.push_str(iter.text());
            }
            Shape::Compose => match negated(f, args) {
                Some(sign) => self.out.push_str(sign),
                None => {
                    self.out.push('\'');
                    self.brackets(args);
                }
            },
            Shape::Query(query) => self.query(&query, args),
        }
    }

    /// An infix verb after a noun that ends the text; `name` if that noun is a name.
    fn verb(&mut self, verb: &str, name: bool) {
        let closed = self.out.ends_with([')', ']', '}']);
        let sign = !verb.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_');
        if sign && (name || closed) {
            return self.out.push_str(verb);
        }
        self.out.push(' ');
        self.out.push_str(verb);
        self.out.push(' ');
    }

    /// What stands left of an assignment.
    fn target(&mut self, target: &Value) {
        match target {
            Value::List(items) if items.first().is_some_and(|head| head.as_sym().is_some()) => {
                self.put(&items[0], Place::Noun);
                self.brackets(&items[1..]);
            }
            // A constant to match.
            Value::Atom(a) if a.kind != Kind::Sym => self.parenthesised(|t| t.put(target, Place::Whole)),
            Value::Vec(_) => self.parenthesised(|t| t.put(target, Place::Whole)),
            Value::List(items) if items.len() == 1 => self.parenthesised(|t| t.put(target, Place::Whole)),
            _ => self.put(target, Place::Noun),
        }
    }

    fn brackets(&mut self, args: &[Value]) {
        self.out.push('[');
        if !matches!(args, [only] if only.is_null_fn()) {
            self.args(args, Place::Whole);
        }
        self.out.push(']');
    }

    /// Arguments between semicolons, the first for the place `first`.
    fn args(&mut self, args: &[Value], first: Place) {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.out.push(';');
            }
            self.put(arg, if i == 0 { first } else { Place::Whole });
        }
    }

    /// Named expressions.
    fn fields(&mut self, fields: &[(Sym, Value)], between: &str) {
        for (i, (name, x)) in fields.iter().enumerate() {
            self.out.push_str(if i > 0 { between } else { "" });
            self.out.push_str(name.text());
            self.out.push(':');
            self.put(x, Place::Right);
        }
    }
}

/// How an application is written.
enum Shape {
    Call,
    Control,
    Infix(String),
    Word,
    Assign(&'static str),
    Return,
    Signal,
    Derived(Iter),
    Compose,
    Query(query::Query),
}

impl Shape {
    /// True if it needs no parentheses at `place`.
    fn fits(&self, place: Place) -> bool {
        match self {
            Shape::Call => true,
            Shape::Control | Shape::Infix(_) | Shape::Word | Shape::Assign(_) => place != Place::Noun,
            _ => place == Place::Whole,
        }
    }
}

fn shape(f: &Value, args: &[Value]) -> Shape {
    if let Some(query) = query::query(f, args) {
        return Shape::Query(query);
    }
    let hole = args.iter().any(|a| a.as_prim() == Some(Prim::Elided));
    match (f, args) {
        (Value::Fun(Func::Iter(iter)), [_]) => Shape::Derived(*iter),
        (Value::Fun(Func::Iter(Iter::Each)), _) => Shape::Compose,
        (Value::Fun(Func::Prim(Prim::Assign)), [x]) if !hole && !x.is_null_fn() => Shape::Return,
        (Value::Fun(Func::Prim(Prim::Assign)), [target, _]) if !hole && assignable(target) => {
            Shape::Assign("")
        }
        (Value::Fun(Func::Prim(Prim::Ident)), [target, _]) if !hole && assignable(target) => {
            Shape::Assign(":")
        }
        (Value::Fun(Func::Prim(p)), [target, _]) if p.row().max < 2 && !hole && is_place(target) => {
            binary(*p).map_or(Shape::Call, |op| Shape::Assign(op.row().text))
        }
        (Value::Fun(Func::Prim(p)), [x]) if word(*p).is_some() && p.row().min < 2 => {
            if hole || x.is_null_fn() { Shape::Call } else { Shape::Word }
        }
        (Value::Fun(Func::Prim(p)), [_, _]) if p.row().min == 2 && *p != Prim::Assign && !hole => {
            Shape::Infix(p.row().text.to_string())
        }
        (Value::List(items), [_, _]) if !hole && !items.is_empty() => match negated(&items[0], &items[1..]) {
            Some(sign) => Shape::Infix(sign.to_string()),
            None => Shape::Call,
        },
        (Value::Atom(a), [_]) if is_char(a, b'\'') && !hole => Shape::Signal,
        (Value::Atom(a), _) if a.kind == Kind::Sym && matches!(text(f), "if" | "do" | "while") => {
            Shape::Control
        }
        _ => Shape::Call,
    }
}

fn text(name: &Value) -> &'static str {
    name.as_sym().map_or("", Sym::text)
}

fn is_char(atom: &Atom, c: u8) -> bool {
    atom.kind == Kind::Char && atom.elem::<u8>() == Some(c)
}

/// True for a constant symbol or vector of symbols.
fn is_symbols(x: &Value) -> bool {
    match x {
        Value::Vec(v) => v.kind == Kind::Sym,
        Value::List(items) => matches!(&items[..], [Value::Vec(v)] if v.kind == Kind::Sym),
        _ => false,
    }
}

fn is_block(x: &Value) -> bool {
    matches!(x, Value::List(l) if matches!(l.first(), Some(Value::Atom(a)) if is_char(a, b';')))
}

fn application(p: Prim, args: &[Value]) -> Value {
    let mut items = vec![Value::prim(p)];
    items.extend_from_slice(args);
    Value::list(items)
}

fn derive(iter: Iter, f: &Value) -> Value {
    Value::list(vec![Value::Fun(Func::Iter(iter)), f.clone()])
}

/// The keyword of a primitive that is not written with a sign.
fn word(p: Prim) -> Option<&'static str> {
    let row = p.row();
    (!row.keyword.is_empty() && !is_glyph(p)).then_some(row.keyword)
}

/// The sign of a negated comparison `(';~:;<)`.
fn negated(f: &Value, args: &[Value]) -> Option<&'static str> {
    match (f, args) {
        (Value::Fun(Func::Iter(Iter::Each)), [not, of]) if not.as_prim() == Some(Prim::Not) => {
            match of.as_prim()? {
                Prim::Eq => Some("<>"),
                Prim::Gt => Some("<="),
                Prim::Lt => Some(">="),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The arguments of an application of `p`.
fn applied(x: &Value, p: Prim) -> Option<&[Value]> {
    match x {
        Value::List(items) if items.first().and_then(Value::as_prim) == Some(p) => Some(&items[1..]),
        _ => None,
    }
}

/// The fields of ``(!;,`a`b;(enlist;x;y))``, or of the composition that waits for some of them, if a
/// dictionary literal writes it.
fn fields(x: &Value) -> Option<Fields> {
    let waiting = match x {
        Value::List(items) => matches!(items.first(), Some(Value::Fun(Func::Iter(Iter::Each)))),
        _ => false,
    };
    let (names, values) = match x {
        Value::List(items) if waiting => {
            let [_, keys, values] = &items[..] else { return None };
            let [names] = applied(keys, Prim::Bang)? else { return None };
            (names, values)
        }
        _ => {
            let [names, values] = applied(x, Prim::Bang)? else { return None };
            (names, values)
        }
    };
    let Value::List(names) = names else { return None };
    let [Value::Vec(names)] = &names[..] else { return None };
    let names = names.elems::<Sym>()?;
    let values = applied(values, Prim::Enlist)?;
    let distinct = (1..names.len()).all(|i| !names[..i].contains(&names[i]));
    let plain = names.iter().all(|n| is_name(*n));
    let holes = values.iter().any(|v| v.as_prim() == Some(Prim::Elided));
    let fits = distinct && plain && holes == waiting && !values.is_empty() && values.len() == names.len();
    fits.then(|| names.iter().copied().zip(values.iter().cloned()).collect())
}

type Fields = Vec<(Sym, Value)>;

/// The key and value fields of a table literal; no keys if it is not keyed.
fn tables(x: &Value) -> Option<(Fields, Fields)> {
    let table = |x: &Value| match applied(x, Prim::Flip)? {
        [dict] => fields(dict),
        _ => None,
    };
    if let Some([keys, cols]) = applied(x, Prim::Bang) {
        return Some((table(keys)?, table(cols)?));
    }
    Some((vec![], table(x)?))
}

/// True for what may stand before a colon as a column's name.
fn is_name(name: Sym) -> bool {
    let text = name.text();
    let part = |p: &str| {
        p.starts_with(|c: char| c.is_ascii_alphabetic())
            && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    !text.is_empty() && text.strip_prefix('.').unwrap_or(text).split('.').all(part)
}
