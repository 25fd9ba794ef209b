//! q data to columns and back, and the parts of columns that need no kernel: slices and gathers.

use crate::column::{Column, Domain, Elements};
use q::scalar::Item;
use q::value::{Attr, Data, Elem, Vector};
use q::{Buf, Kind, Result, Sym, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Domain {
    /// The domain of `syms`, which are distinct; code `i` stands for `syms[i]`, and 0 for the null symbol unless
    /// it is an enumeration's.
    pub fn new(syms: Vec<Sym>, enumeration: Option<Arc<q::value::Domain>>) -> Domain {
        let mut by_rank: Vec<u32> = (0..syms.len() as u32).collect();
        // The null symbol is the empty text, which comes first.
        by_rank.sort_by_key(|&code| syms[code as usize].text());
        let mut ranks = vec![0i32; syms.len()];
        by_rank.iter().enumerate().for_each(|(rank, &code)| ranks[code as usize] = rank as i32);
        let codes = syms.iter().enumerate().map(|(code, &s)| (s, code as u32)).collect();
        Domain { syms, ranks: ranks.into(), by_rank: by_rank.into(), codes, enumeration }
    }
}

impl Column {
    /// A column of a vector or a general list. Vectors are shared, not copied; symbols become dense codes.
    pub fn of(value: &Value) -> Result<Column> {
        match value {
            Value::Vec(v) => Ok(of_vector(v)),
            Value::Atom(a) => Ok(of_vector(&Vector {
                kind: a.kind,
                attr: Attr::None,
                data: crate::launch::one(a.raw),
                domain: a.domain.clone(),
            })),
            other => Ok(made(Kind::Long, Attr::None, Elements::Nested(other.clone()), None)),
        }
    }

    /// How many items.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// True without items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column as q data; all but symbols are shared, not copied.
    ///
    /// # Errors
    /// As [`Column::elements`].
    pub fn value(&self) -> Result<Value> {
        let syms = |codes: &dyn Fn(&[Sym]) -> Buf<Sym>| {
            let domain = self.domain.as_ref().expect("a column of codes has a domain");
            Data::S(codes(&domain.syms))
        };
        let data = match self.elements()? {
            Elements::Plain(d) => d.clone(),
            Elements::Codes8(c) => syms(&|s| c.iter().map(|&i| s[i as usize]).collect()),
            Elements::Codes16(c) => syms(&|s| c.iter().map(|&i| s[i as usize]).collect()),
            Elements::Codes32(c) => syms(&|s| c.iter().map(|&i| s[i as usize]).collect()),
            Elements::Nested(v) => return Ok(v.clone()),
        };
        let domain = self.domain.as_ref().and_then(|d| d.enumeration.clone());
        Ok(Value::Vec(Vector { kind: self.kind, attr: self.attr, data, domain }))
    }

    /// How many items each list of a nested column has.
    pub fn counts(&self) -> Result<Column> {
        let counts: Vec<i64> = match self.value()? {
            Value::List(lists) => lists.iter().map(|l| l.count() as i64).collect(),
            other => vec![1; other.count()],
        };
        Ok(Column::new(Kind::Long, Elements::Plain(Data::J(Buf::from(counts))), None))
    }

    /// A list for each two neighbouring `starts`, sharing memory.
    ///
    /// # Errors
    /// As [`Column::elements`].
    pub fn cut(&self, starts: &[usize]) -> Result<Column> {
        let value = self.value()?;
        let lists = starts.windows(2).map(|s| slice(&value, s[0], s[1])).collect();
        Ok(made(self.kind, Attr::None, Elements::Nested(Value::list(lists)), None))
    }

    /// The items at `at`; null where there is no such item.
    ///
    /// # Errors
    /// As [`Column::elements`].
    pub fn gather(&self, at: &[i64]) -> Result<Column> {
        let elements = match self.elements()? {
            Elements::Plain(Data::G(d)) => Elements::Plain(Data::G(pick(d, at, Default::default()))),
            Elements::Plain(Data::S(d)) => Elements::Plain(Data::S(pick(d, at, Sym::NULL))),
            Elements::Plain(Data::B(d)) => {
                let null = if self.kind == Kind::Char { b' ' } else { 0 };
                Elements::Plain(Data::B(pick(d, at, null)))
            }
            Elements::Plain(Data::H(d)) => plain(d, at),
            Elements::Plain(Data::I(d)) => plain(d, at),
            Elements::Plain(Data::J(d)) => plain(d, at),
            Elements::Plain(Data::E(d)) => plain(d, at),
            Elements::Plain(Data::F(d)) => plain(d, at),
            // Code 0 is the null symbol.
            Elements::Codes8(c) => Elements::Codes8(pick(c, at, 0)),
            Elements::Codes16(c) => Elements::Codes16(pick(c, at, 0)),
            Elements::Codes32(c) => Elements::Codes32(pick(c, at, 0)),
            Elements::Nested(v) => Elements::Nested(pick_nested(v, at)),
        };
        Ok(made(self.kind, Attr::None, elements, self.domain.clone()))
    }
}

/// Items `from..to` of q data.
pub fn slice(v: &Value, from: usize, to: usize) -> Value {
    match v {
        Value::Vec(v) => {
            let mut part = v.clone();
            part.data = v.data.slice(from, to);
            if part.attr != Attr::Sorted {
                part.attr = Attr::None;
            }
            Value::Vec(part)
        }
        Value::List(items) => Value::list(items[from..to].to_vec()),
        Value::Table(t) => Value::table(t.names.clone(), t.cols.iter().map(|c| slice(c, from, to)).collect()),
        other => other.clone(),
    }
}

fn made(kind: Kind, attr: Attr, elements: Elements, domain: Option<Arc<Domain>>) -> Column {
    Column { attr, ..Column::new(kind, elements, domain) }
}

fn of_vector(v: &Vector) -> Column {
    match (&v.data, &v.domain) {
        (Data::S(syms), _) => {
            let (elements, domain) = encode(syms);
            made(v.kind, v.attr, elements, Some(Arc::new(domain)))
        }
        // A foreign key by other values than symbols is its values there.
        (_, Some(d)) if d.keys.is_some() => of_vector(&q::eval::prim::unenum_vector(v)),
        (data, Some(d)) => {
            let domain = Domain::new(d.syms.to_vec(), Some(d.clone()));
            made(v.kind, v.attr, Elements::Plain(data.clone()), Some(Arc::new(domain)))
        }
        (data, None) => made(v.kind, v.attr, Elements::Plain(data.clone()), None),
    }
}

/// Symbols as codes of the least width, in the order of their text; the null symbol is always code 0.
fn encode(syms: &[Sym]) -> (Elements, Domain) {
    let mut seen = FxHashMap::from_iter([(Sym::NULL, 0u32)]);
    let first: Vec<u32> = syms
        .iter()
        .map(|&s| {
            let next = seen.len() as u32;
            *seen.entry(s).or_insert(next)
        })
        .collect();
    let mut names: Vec<(Sym, u32)> = seen.into_iter().collect();
    names.sort_by_key(|(s, _)| s.text());
    let mut code = vec![0u32; names.len()];
    names.iter().enumerate().for_each(|(i, (_, old))| code[*old as usize] = i as u32);
    let codes = first.iter().map(|&old| code[old as usize]);
    let elements = match names.len() {
        0..=0x100 => Elements::Codes8(codes.map(|c| c as u8).collect()),
        0x101..=0x10000 => Elements::Codes16(codes.map(|c| c as u16).collect()),
        _ => Elements::Codes32(codes.collect()),
    };
    (elements, Domain::new(names.into_iter().map(|n| n.0).collect(), None))
}

fn pick<T: bytemuck::Pod>(items: &[T], at: &[i64], null: T) -> Buf<T>
where
    Buf<T>: FromIterator<T>,
{
    at.iter().map(|&i| usize::try_from(i).ok().and_then(|i| items.get(i)).copied().unwrap_or(null)).collect()
}

fn plain<T: Item>(items: &Buf<T>, at: &[i64]) -> Elements {
    Elements::Plain(<T as Elem>::data(pick(items, at, T::NULL)))
}

fn pick_nested(v: &Value, at: &[i64]) -> Value {
    let Value::List(items) = v else { return v.clone() };
    // A missing item of a nested list is the empty list of its first item's kind, as q has it.
    let empty = match items.first() {
        Some(Value::Vec(v)) => slice(&Value::Vec(v.clone()), 0, 0),
        _ => Value::list(vec![]),
    };
    let item = |&i: &i64| usize::try_from(i).ok().and_then(|i| items.get(i)).unwrap_or(&empty).clone();
    Value::list(at.iter().map(item).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(c: &Column) -> Value {
        c.value().expect("the elements are here")
    }

    fn syms(names: &[&str]) -> Value {
        Value::syms(names.iter().map(|n| Sym::new(n)))
    }

    #[test]
    fn symbols_keep_their_text_and_codes_their_order() {
        let c = Column::of(&syms(&["m", "", "a", "m"])).expect("a symbol vector is a column");
        match c.elements().expect("here") {
            Elements::Codes8(codes) => assert_eq!(codes.to_vec(), [2, 0, 1, 2]),
            other => panic!("{other:?}"),
        }
        assert_eq!(format!("{:?}", value(&c)), format!("{:?}", syms(&["m", "", "a", "m"])));
    }

    #[test]
    fn gathers_outside_give_nulls() {
        let c = Column::of(&syms(&["b", "a"]))
            .expect("a symbol vector is a column")
            .gather(&[1, -1, 7])
            .expect("here");
        assert_eq!(format!("{:?}", value(&c)), format!("{:?}", syms(&["a", "", ""])));
        let c = Column::of(&Value::longs([5, 6]))
            .expect("a vector is a column")
            .gather(&[i64::MIN, 1])
            .expect("here");
        assert_eq!(format!("{:?}", value(&c)), format!("{:?}", Value::longs([i64::MIN, 6])));
        let c =
            Column::of(&Value::chars(b"ab")).expect("a vector is a column").gather(&[2, 0]).expect("here");
        assert_eq!(value(&c).as_chars(), Some(&b" a"[..]));
    }

    #[test]
    fn codes_are_as_wide_as_the_domain_needs() {
        let names = |n: usize| Value::syms((0..n).map(|i| Sym::new(&format!("s{i}"))));
        let column = |n| Column::of(&names(n)).expect("a symbol vector is a column");
        let of = |n| column(n).elements().expect("they are here").clone();
        assert!(matches!(of(255), Elements::Codes8(_)), "the null symbol is the 256th");
        assert!(matches!(of(256), Elements::Codes16(_)));
        assert!(matches!(of(70_000), Elements::Codes32(_)));
    }
}
