//! The plan key: what two queries must share to share a plan, and the literals that they need not.
//!
//! Literals are parameters, so `p>151` and `p>152` are one plan. The key holds the query's trees with each
//! literal replaced by its type, its length class and a number; literals that are equal in type and bits have
//! one number, so that `(x+1)%1` and `(x+1)%2` are two plans. It holds the columns' types, attributes and
//! domains and the variables' types and length classes. Not lifted, so part of the key: names, functions, and
//! the targets of casts.

use crate::query::{By, Expr, Query};
use crate::schema::{ColumnType, Length, Schema};
use q::same::{Mode, equal};
use q::value::{Atom, Func, Raw};
use q::{Kind, Prim, Sym, Value};

/// A query's literals, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Literals(pub Vec<Value>);

impl Literals {
    /// The number of the literal that is equal to `x` in type and bits.
    pub fn find(&self, x: &Value) -> Option<u32> {
        self.0.iter().position(|had| equal(had, x, Mode::Bits)).map(|i| i as u32)
    }

    fn number(&mut self, x: &Value) -> u32 {
        self.find(x).unwrap_or_else(|| {
            self.0.push(x.clone());
            self.0.len() as u32 - 1
        })
    }
}

/// The length class of a literal or of a variable's value; none for what is neither atom nor vector.
pub fn length(x: &Value) -> Option<Length> {
    match x {
        Value::Atom(_) => Some(Length::Atom),
        Value::Vec(v) => Some(match v.len() {
            0 => Length::Zero,
            1 => Length::One,
            2 => Length::Two,
            _ => Length::Many,
        }),
        _ => None,
    }
}

/// The key of `query` over `schema`, and the literals that it lifts. Equal keys have equal plans.
pub fn lift(query: &Query, schema: &Schema) -> (Vec<u8>, Literals) {
    let mut key = Key { bytes: Vec::with_capacity(256), literals: Literals::default() };
    key.query(query);
    key.schema(schema);
    (key.bytes, key.literals)
}

/// The literals that `query` lifts.
pub fn literals(query: &Query) -> Literals {
    let mut key = Key { bytes: Vec::with_capacity(256), literals: Literals::default() };
    key.query(query);
    key.literals
}

struct Key {
    bytes: Vec<u8>,
    literals: Literals,
}

impl Key {
    fn number(&mut self, tag: u8, x: u32) {
        self.bytes.push(tag);
        self.bytes.extend_from_slice(&x.to_le_bytes());
    }

    fn name(&mut self, name: Sym) {
        self.number(b'n', name.id());
    }

    fn query(&mut self, query: &Query) {
        self.bytes.extend_from_slice(&[query.verb as u8, query.single as u8]);
        self.number(b'w', query.filters.len() as u32);
        query.filters.iter().for_each(|e| self.tree(&e.tree));
        match &query.by {
            By::None => self.bytes.push(b'0'),
            By::Distinct => self.bytes.push(b'1'),
            By::Key(e) => {
                self.bytes.push(b'k');
                self.tree(&e.tree);
            }
            By::Keys(keys) => self.named(keys),
        }
        self.named(&query.columns);
    }

    fn named(&mut self, columns: &[(Sym, Expr)]) {
        self.number(b'c', columns.len() as u32);
        for (name, e) in columns {
            self.name(*name);
            self.tree(&e.tree);
        }
    }

    fn tree(&mut self, tree: &Value) {
        if let Some(x) = constant(tree) {
            return self.literal(&x);
        }
        match tree {
            Value::Atom(_) => self.name(tree.as_sym().unwrap_or(Sym::NULL)),
            Value::List(items) => {
                self.number(b'(', items.len() as u32);
                let target = cast_target(items);
                for (i, item) in items.iter().enumerate() {
                    match target {
                        Some(ref to) if i == 1 => self.target(to),
                        _ => self.tree(item),
                    }
                }
            }
            Value::Fun(f) => self.function(f),
            // What is left is no expression of ours: it is part of the key as it stands.
            other => self.opaque(other),
        }
    }

    fn literal(&mut self, x: &Value) {
        let i = self.literals.number(x);
        self.bytes.extend_from_slice(&[b'l', x.type_code() as u8, length(x).map_or(0, |l| l as u8)]);
        self.number(b'#', i);
    }

    fn target(&mut self, x: &Value) {
        match x {
            Value::Atom(Atom { raw: Raw::S(s), .. }) => self.name(*s),
            Value::Atom(Atom { raw: Raw::B(c), .. }) => self.number(b'c', *c as u32),
            _ => self.opaque(x),
        }
    }

    fn function(&mut self, f: &Func) {
        match f {
            Func::Prim(p) => self.number(b'p', *p as u32),
            Func::Iter(i) => self.number(b'i', *i as u32),
            Func::Derived(i, f) => {
                self.number(b'd', *i as u32);
                self.tree(f);
            }
            Func::Comp(fs) => {
                self.number(b'o', fs.len() as u32);
                fs.iter().for_each(|f| self.tree(f));
            }
            Func::Lambda(f) => {
                self.number(b'{', f.params.len() as u32);
                f.params.iter().for_each(|p| self.name(*p));
                self.name(f.space);
                self.number(b'b', f.body.len() as u32);
                f.body.iter().for_each(|statement| self.tree(statement));
            }
            Func::Proj(p) => {
                self.number(b'j', p.args.len() as u32);
                self.tree(&p.fun);
                for arg in &p.args {
                    match arg {
                        Some(arg) => self.opaque(arg),
                        None => self.bytes.push(b'h'),
                    }
                }
            }
            Func::Native(f) => self.text(f.name()),
            Func::Virtual(v) => self.text(&format!("{v:p}")),
        }
    }

    fn text(&mut self, text: &str) {
        self.number(b't', text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A value that no plan can hold; it is in the key by its printed form, since its plan is an error.
    fn opaque(&mut self, x: &Value) {
        self.text(&format!("{x:?}"));
    }

    fn schema(&mut self, schema: &Schema) {
        self.number(b's', schema.columns.len() as u32);
        self.number(b'k', schema.keys as u32);
        self.bytes.push(schema.compensated as u8);
        for c in &schema.columns {
            self.name(c.name);
            self.bytes.push(c.attr as u8);
            match &c.ty {
                ColumnType::Flat { kind, width, domain } => {
                    self.bytes.extend_from_slice(&[*kind as u8, *width]);
                    self.number(b'd', domain.map_or(u32::MAX, |d| d.0));
                }
                ColumnType::Nested => self.bytes.push(0),
            }
        }
        let mut variables: Vec<_> = schema.variables.iter().collect();
        variables.sort_by_key(|(name, _)| name.id());
        self.number(b'v', variables.len() as u32);
        for (name, v) in variables {
            self.name(*name);
            self.bytes.extend_from_slice(&[v.kind as u8, v.length as u8]);
            self.number(b'd', v.domain.map_or(u32::MAX, |d| d.0));
        }
        let mut enums: Vec<_> = schema.enums.iter().collect();
        enums.sort_by_key(|(name, _)| name.id());
        self.number(b'e', enums.len() as u32);
        for (name, d) in enums {
            self.name(*name);
            self.number(b'd', d.0);
        }
    }
}

/// The constant that a tree is, as an atom or a vector: an enlisted symbol, an enlisted symbol vector, or
/// anything flat that is no name.
pub fn constant(tree: &Value) -> Option<Value> {
    match tree {
        Value::Atom(a) if a.kind != Kind::Sym => Some(tree.clone()),
        Value::Vec(v) if v.kind == Kind::Sym && v.len() == 1 => Some(Value::Atom(v.get(0))),
        Value::Vec(_) => Some(tree.clone()),
        Value::List(items) if items.len() == 1 => match &items[0] {
            item @ (Value::Vec(_) | Value::Atom(_)) => Some(item.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The target of a cast `($;target;x)`, if it is a constant.
pub fn cast_target(items: &[Value]) -> Option<Value> {
    match items {
        [head, target, _] if head.as_prim() == Some(Prim::Dollar) => constant(target),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Column, DomainId, Variable};
    use q::value::Attr;
    use std::sync::Arc;

    fn key(text: &str, schema: &Schema) -> (Vec<u8>, usize) {
        let source = q::error::Source { text: text.as_bytes().into(), file: None, line: 1 };
        let (tree, _) = q::parse::expression(&Arc::new(source), Sym::NULL).expect("the test's text parses");
        let (key, literals) = lift(&Query::from_tree(&tree).expect("a query"), schema);
        (key, literals.0.len())
    }

    fn schema(kind: Kind, domain: Option<DomainId>, attr: Attr) -> Schema {
        let ty = ColumnType::Flat { kind, width: 1, domain };
        Schema { columns: vec![Column { name: Sym::new("p"), ty, attr }], ..Schema::default() }
    }

    /// Pairs of queries that share a plan, then pairs that do not.
    #[test]
    fn what_shares_a_plan() {
        let schema = schema(Kind::Long, None, Attr::None);
        let alike = [
            ("select from t where p>151", "select from t where p>152"),
            ("select from t where p in 1 2 3", "select from t where p in 4 5 6 7"),
            ("select from t where s in `a`b`c", "select from t where s in `b`c`d"),
            ("select from t where p within 1 2", "select from t where p within 3 4"),
            ("select {x*3}[p] from t", "select {x*4}[p] from t"),
        ];
        for (x, y) in alike {
            assert_eq!(key(x, &schema), key(y, &schema), "{x} and {y}");
        }
        let different = [
            ("select from t where p>151", "select from t where p>151f"),
            ("select from t where p>151", "select from t where p<151"),
            ("select from t where p>0n", "select from t where p>-1f,p>0n"),
            ("select (p+1)%1 from t", "select (p+1)%2 from t"),
            ("select (p+0f)*-0f from t", "select (p+0f)*0f from t"),
            ("select from t where p in 1 2 3", "select from t where p in 1 2"),
            ("select from t where p in 1 2 3", "select from t where p in enlist 1"),
            ("select from t where p in 1 2 3", "select from t where p in `long$()"),
            ("select `int$p from t", "select `float$p from t"),
            ("select \"i\"$p from t", "select \"f\"$p from t"),
            ("select 6h$p from t", "select 9h$p from t"),
            ("select p from t", "select q:p from t"),
            ("select p from t", "exec p from t"),
            ("select max p from t", "select max p by k:p from t"),
            ("select from t", "select distinct from t"),
            ("update p:1 from t", "select p:1 from t"),
            ("select {x*3}[p] from t", "select {x+3}[p] from t"),
            ("select p, p from t where p>1", "select p from t where p>1, p>1"),
        ];
        for (x, y) in different {
            assert_ne!(key(x, &schema).0, key(y, &schema).0, "{x} and {y}");
        }
    }

    #[test]
    fn equal_literals_are_one_parameter() {
        let schema = schema(Kind::Long, None, Attr::None);
        assert_eq!(key("select p+1, p*1, p-2 from t where p<1", &schema).1, 2);
        assert_eq!(key("select p*0n, p+0n from t", &schema).1, 1);
        assert_eq!(key("select p*0f, p+-0f from t", &schema).1, 2);
        assert_eq!(key("select p+1, p+1f from t", &schema).1, 2);
    }

    #[test]
    fn types_domains_and_variables_belong_to_the_key() {
        let text = "select from t where p in v";
        let of = |schema: &Schema| key(text, schema).0;
        let plain = schema(Kind::Long, None, Attr::None);
        assert_ne!(of(&plain), of(&schema(Kind::Int, None, Attr::None)));
        assert_ne!(of(&plain), of(&schema(Kind::Long, None, Attr::Sorted)));
        assert_ne!(of(&plain), of(&Schema { compensated: true, ..plain.clone() }));
        let domain = |i| schema(Kind::Sym, Some(DomainId(i)), Attr::None);
        assert_ne!(of(&domain(0)), of(&domain(1)));
        let variable = |kind, length| {
            let mut schema = plain.clone();
            schema.variables.insert(Sym::new("v"), Variable { kind, length, domain: None });
            schema
        };
        assert_ne!(of(&variable(Kind::Long, Length::Many)), of(&variable(Kind::Long, Length::Atom)));
        assert_ne!(of(&variable(Kind::Long, Length::Many)), of(&variable(Kind::Int, Length::Many)));
        assert_ne!(of(&variable(Kind::Long, Length::Many)), of(&plain));
    }
}
