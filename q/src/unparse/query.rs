//! Functional queries as qSQL, where a query of that text has just that tree.

use super::{Place, Text, applied, is_block, is_name};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::parse::assignable;
use crate::sym::Sym;
use crate::value::Value;

/// A functional query that qSQL can write.
pub struct Query {
    verb: &'static str,
    by: Part,
    cols: Part,
}

/// The group or the column part.
enum Part {
    /// Nothing is written: `()`, or `0b` for groups.
    Empty,
    /// `1b`
    Distinct,
    /// A dictionary.
    Named(Vec<(Sym, Value)>),
    /// A constant: the tree that has no name.
    One(Value),
}

/// The query that `f` applied to `args` is, if qSQL writes it.
pub fn query(f: &Value, args: &[Value]) -> Option<Query> {
    let [_, wheres, by, cols, limit @ ..] = args else { return None };
    clauses(wheres)?;
    match (f.as_prim()?, limit) {
        (Prim::Query, [] | [_]) => selected(by, cols),
        (Prim::Query, [_, order]) => order_of(order).and(selected(by, cols)),
        (Prim::Bang, []) => updated(wheres, by, cols),
        _ => None,
    }
    .filter(|_| args.iter().all(|a| a.as_prim() != Some(Prim::Elided)))
}

fn selected(by: &Value, cols: &Value) -> Option<Query> {
    let rows = by.as_long() == Some(0) && by.type_code() == -Kind::Bool.code();
    let (by, cols) = (part(by)?, part(cols)?);
    let clash = |b: &[(Sym, Value)], c: &[(Sym, Value)]| b.iter().any(|(n, _)| c.iter().any(|(m, _)| n == m));
    let verb = match (&by, &cols) {
        (_, Part::Distinct) => return None,
        (Part::Distinct, Part::One(_)) => return None,
        (Part::Empty, Part::One(_)) if rows => return None,
        (Part::Distinct, _) => "select",
        (Part::Empty, _) if rows => "select",
        (Part::Named(b), Part::Named(c)) if clash(b, c) => "exec",
        (Part::Named(_), Part::Empty | Part::Named(_)) => "select",
        _ => "exec",
    };
    Some(Query { verb, by, cols })
}

fn updated(wheres: &Value, by: &Value, cols: &Value) -> Option<Query> {
    if by.count() == 0 {
        return None;
    }
    let by = part(by).filter(|b| matches!(b, Part::Empty | Part::Named(_)))?;
    match (cols, by) {
        (Value::Dict(_), by) => Some(Query { verb: "update", by, cols: part(cols)? }),
        (Value::Vec(v), by @ Part::Empty) if v.kind == Kind::Sym && v.is_empty() => {
            Some(Query { verb: "delete", by, cols: Part::Empty })
        }
        (Value::List(l), by @ Part::Empty) if wheres.count() == 0 => {
            let [Value::Vec(names)] = &l[..] else { return None };
            let names = names.elems::<Sym>().filter(|n| !n.is_empty())?;
            let named =
                names.iter().map(|n| is_name(*n).then(|| (*n, Value::sym(*n)))).collect::<Option<_>>()?;
            Some(Query { verb: "delete", by, cols: Part::Named(named) })
        }
        _ => None,
    }
}

/// The trees of a where list; none if it is no such list.
fn clauses(wheres: &Value) -> Option<&[Value]> {
    let Value::List(quoted) = wheres else { return None };
    match &quoted[..] {
        [] => Some(&[]),
        [Value::List(trees)] if !trees.is_empty() => Some(trees),
        _ => None,
    }
}

fn part(x: &Value) -> Option<Part> {
    match x {
        Value::Atom(a) if a.kind == Kind::Bool => {
            Some(if x.as_long() == Some(1) { Part::Distinct } else { Part::Empty })
        }
        Value::Dict(d) => {
            let Value::Vec(names) = &d.keys else { return None };
            let names = names.elems::<Sym>()?;
            let trees: Vec<Value> = match &d.vals {
                Value::Vec(v) => v.elems::<Sym>()?.iter().map(|s| Value::sym(*s)).collect(),
                Value::List(l) if l.iter().any(|t| t.as_sym().is_none()) => l.to_vec(),
                _ => return None,
            };
            let unique = (0..names.len()).all(|i| is_name(names[i]) && !names[..i].contains(&names[i]));
            let fits = unique && !names.is_empty() && names.len() == trees.len();
            fits.then(|| Part::Named(names.iter().copied().zip(trees).collect()))
        }
        Value::List(l) => match &l[..] {
            [] => Some(Part::Empty),
            [Value::Vec(v)] if v.kind == Kind::Sym && v.len() != 1 => None,
            [tree] if tree.as_sym().is_none() => Some(Part::One(tree.clone())),
            _ => None,
        },
        Value::Vec(v) if v.kind == Kind::Sym && v.len() == 1 => {
            v.elems::<Sym>().map(|names| Part::One(Value::sym(names[0])))
        }
        _ => None,
    }
}

/// The sign and the column of an order `,(>:;c)`.
fn order_of(order: &Value) -> Option<(char, &Value)> {
    let Value::List(quoted) = order else { return None };
    let [tree] = &quoted[..] else { return None };
    let (sign, col) = match (applied(tree, Prim::GradeDown), applied(tree, Prim::GradeUp)) {
        (Some([col]), _) => ('>', col),
        (_, Some([col])) => ('<', col),
        _ => return None,
    };
    (col.as_prim() != Some(Prim::Elided)).then_some((sign, col))
}

/// True if `x` may hold a comma outside brackets, which would end a phrase, or begins as a named column does.
fn needs_parentheses(x: &Value) -> bool {
    fn joins(x: &Value) -> bool {
        match x {
            Value::List(items) => applied(x, Prim::Join).is_some() || items.iter().any(joins),
            _ => false,
        }
    }
    let assigns = match applied(x, Prim::Assign) {
        Some([target, _]) => assignable(target),
        _ => false,
    };
    joins(x) || assigns
}

impl Text {
    /// The query that `args` are.
    pub fn query(&mut self, query: &Query, args: &[Value]) {
        self.out.push_str(query.verb);
        match &args[4..] {
            [] => {}
            [n] => {
                self.out.push('[');
                self.put(n, Place::Whole);
                self.out.push(']');
            }
            [n, order, ..] => {
                self.out.push('[');
                self.put(n, Place::Whole);
                if let Some((sign, col)) = order_of(order) {
                    self.out.extend([';', sign]);
                    self.put(col, Place::Right);
                }
                self.out.push(']');
            }
        }
        if matches!(query.by, Part::Distinct) {
            self.out.push_str(" distinct");
        }
        self.part(&query.cols, query.verb);
        if !matches!(query.by, Part::Empty | Part::Distinct) {
            self.out.push_str(" by");
            self.part(&query.by, query.verb);
        }
        self.out.push_str(" from ");
        let at = self.out.len();
        self.put(&args[0], Place::Noun);
        if self.out[at..].starts_with("where") {
            self.out.insert(at, '(');
            self.out.push(')');
        }
        for (i, clause) in clauses(&args[1]).unwrap_or_default().iter().enumerate() {
            self.out.push_str(if i == 0 { " where " } else { "," });
            self.phrase(clause);
        }
    }

    fn part(&mut self, part: &Part, verb: &str) {
        match part {
            Part::Empty | Part::Distinct => {}
            Part::One(tree) => {
                self.out.push(' ');
                self.phrase(tree);
            }
            Part::Named(fields) => {
                for (i, (name, tree)) in fields.iter().enumerate() {
                    self.out.push(if i == 0 { ' ' } else { ',' });
                    let plain = !name.text().contains('.') && name.text() != "i";
                    let bare = match verb {
                        "delete" => true,
                        "exec" if fields.len() == 1 => false,
                        _ => plain && tree.as_sym() == Some(*name),
                    };
                    if !bare {
                        self.out.push_str(name.text());
                        self.out.push(':');
                    }
                    self.phrase(tree);
                }
            }
        }
    }

    fn phrase(&mut self, tree: &Value) {
        if needs_parentheses(tree) {
            // A block at the start would make this a table.
            let place = if is_block(tree) { Place::Right } else { Place::Whole };
            self.parenthesised(|t| t.put(tree, place));
        } else {
            self.put(tree, Place::Right);
        }
    }
}
