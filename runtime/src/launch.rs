//! Arguments of a launch: each parameter of a graph made from literals, variables and symbol domains.

use crate::column::Domain;
use crate::device::Arg;
use compiler::ir::{Graph, Param, Part, Source};
use compiler::schema::DomainId;
use q::error::type_error;
use q::scalar::{Each1, Item, Key, cast::Cast};
use q::value::{Atom, Data, Raw, Vector};
use q::{Buf, Error, Kind, Result, Sym, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What the parameters are made of.
pub struct Given<'a> {
    /// The query's literals, in the order of the plan's key.
    pub literals: &'a [Value],
    /// The value of a variable.
    pub variable: &'a dyn Fn(Sym) -> Option<Value>,
    /// The domains by the schema's ids.
    pub domains: &'a [Arc<Domain>],
}

/// An argument for each parameter of `graph`, and the domains by id: the schema's, then those that the graph
/// makes of them.
pub fn args(graph: &Graph, given: &Given) -> Result<(Vec<Arg>, Vec<Arc<Domain>>)> {
    let mut domains = given.domains.to_vec();
    let mut values: Vec<Value> = Vec::with_capacity(graph.params.len());
    let mut args = Vec::with_capacity(graph.params.len());
    for def in graph.params.values() {
        let earlier = |p: Param| &values[p.as_u32() as usize];
        // A made domain comes before the first parameter that needs it, and after those that it is made of.
        make_domains(graph, &values, &mut domains)?;
        let domain = |d: DomainId| &*domains[d.0 as usize];
        let (value, arg) = match &def.source {
            Source::Literal(i) => plain(given.literals[*i as usize].clone())?,
            Source::Variable(name) => plain((given.variable)(*name).ok_or_else(|| Error::new(name.text()))?)?,
            Source::Constant(x) => plain(cast(&Value::long(*x), def.kind)?)?,
            Source::Item(p, i) => plain(item(earlier(*p), *i as usize)?)?,
            Source::Cast(p, kind) => plain(cast(earlier(*p), *kind)?)?,
            Source::Code(p, d) => plain(code(earlier(*p), domain(*d), def.kind)?)?,
            Source::Below(p, d) => {
                plain(Value::int(rank(earlier(*p), domain(*d), |entry, text| entry < text)?))?
            }
            Source::NotAbove(p, d) => {
                plain(Value::int(rank(earlier(*p), domain(*d), |entry, text| entry <= text)?))?
            }
            Source::Ranks(d) => table(Data::I(domain(*d).ranks.clone())),
            Source::Bounds(p, d, right) => {
                table(Data::J(bounds(&symbols(earlier(*p))?, &domain(*d).syms, *right)))
            }
            Source::Sorted(d) => table(sorted(def.kind, &domain(*d).ranks)),
            Source::Remap(from, to) => table(indices(def.kind, &domain(*from).syms, domain(*to))),
            Source::Like(p, d) => (Value::null(), Arg::Bits(like(earlier(*p), domain(*d))?)),
            Source::Set(p, Some(d)) => (Value::null(), Arg::Bits(bits(earlier(*p), domain(*d))?)),
            Source::Set(p, None) if def.kind == Kind::Guid => table(guids(earlier(*p))?),
            Source::Set(p, None) => (Value::null(), Arg::Keys(distinct(keys(earlier(*p))?))),
            Source::Keys(p) => (Value::null(), Arg::Keys(keys(earlier(*p))?.into())),
            Source::Places(p, None) => table(Data::J(places(&keys(earlier(*p))?))),
            Source::Places(p, Some(d)) => table(Data::J(symbol_places(&symbols(earlier(*p))?, domain(*d)))),
            Source::Count(p) => plain(Value::long(earlier(*p).count() as i64))?,
            Source::Codes(p, d) if def.kind == Kind::Enum => {
                table(indices(def.kind, &symbols(earlier(*p))?, domain(*d)))
            }
            Source::Codes(p, d) => table(Data::I(codes(&symbols(earlier(*p))?, domain(*d)))),
        };
        values.push(value);
        args.push(arg);
    }
    make_domains(graph, &values, &mut domains)?;
    Ok((args, domains))
}

/// The codes of a domain in the order of their ranks.
fn sorted(kind: Kind, ranks: &[i32]) -> Data {
    let mut codes: Vec<usize> = (0..ranks.len()).collect();
    codes.sort_by_key(|&code| ranks[code]);
    match kind {
        Kind::Enum => Data::J(codes.into_iter().map(|code| code as i64).collect()),
        _ => Data::I(codes.into_iter().map(|code| code as i32).collect()),
    }
}

/// Makes the graph's next domains, as far as the symbols in them are there.
fn make_domains(graph: &Graph, values: &[Value], domains: &mut Vec<Arc<Domain>>) -> Result<()> {
    while let Some(parts) = graph.domains.get(&DomainId(domains.len() as u32)) {
        match made(parts, values, domains)? {
            Some(domain) => domains.push(domain),
            None => break,
        }
    }
    Ok(())
}

/// The domain of these parts; none where one of its symbols is not there yet. Where the first domain has all
/// symbols, it is that one.
fn made(parts: &[Part], values: &[Value], domains: &[Arc<Domain>]) -> Result<Option<Arc<Domain>>> {
    let mut more = vec![];
    for part in parts {
        match part {
            Part::Domain(d) => more.extend_from_slice(&domains[d.0 as usize].syms),
            Part::Symbol(p) => match values.get(p.as_u32() as usize) {
                Some(value) => more.extend(symbols(value)?),
                None => return Ok(None),
            },
        }
    }
    let (mut syms, mut seen) = (vec![Sym::NULL], FxHashSet::from_iter([Sym::NULL]));
    let first = match parts.first() {
        Some(Part::Domain(d)) => Some(&domains[d.0 as usize]).filter(|d| d.enumeration.is_none()),
        _ => None,
    };
    if let Some(first) = first {
        if more.iter().all(|s| first.codes.contains_key(s)) {
            return Ok(Some(first.clone()));
        }
        syms = first.syms.clone();
        seen = syms.iter().copied().collect();
    }
    syms.extend(more.into_iter().filter(|s| seen.insert(*s)));
    Ok(Some(Arc::new(Domain::new(syms, None))))
}

/// An atom or vector as it stands.
fn plain(value: Value) -> Result<(Value, Arg)> {
    let arg = match &value {
        Value::Atom(a) => Arg::Atom(a.clone()),
        Value::Vec(v) => Arg::List(v.data.clone()),
        Value::List(l) if l.is_empty() => Arg::List(Data::J(Buf::new())),
        _ => {
            return Err(Error::new("type").detail("a query's variable must be an atom or a list of one type"));
        }
    };
    Ok((value, arg))
}

/// A table that no other parameter is made from.
fn table(data: Data) -> (Value, Arg) {
    (Value::null(), Arg::List(data))
}

/// Which symbols of the domain are like the pattern: a string, or one character.
fn like(pattern: &Value, domain: &Domain) -> Result<Buf<u8>> {
    let pattern = match pattern {
        Value::Atom(Atom { raw: Raw::B(c), .. }) => vec![*c],
        _ => pattern.as_chars().ok_or_else(|| Error::new("type"))?.to_vec(),
    };
    let pattern = q::scalar::like::Pattern::like(&pattern)?;
    Ok(domain.syms.iter().map(|s| pattern.fits(&s.bytes()) as u8).collect())
}

fn item(list: &Value, i: usize) -> Result<Value> {
    match list {
        Value::Vec(v) if i < v.len() => Ok(Value::Atom(v.get(i))),
        Value::List(items) if i < items.len() => Ok(items[i].clone()),
        _ => Err(Error::new("length").detail("a list of the query has too few items")),
    }
}

/// The symbols that an atom or a list holds, enumerations resolved.
fn symbols(value: &Value) -> Result<Vec<Sym>> {
    let resolve = |raw: Raw, domain: &Option<Arc<q::value::Domain>>| match (raw, domain) {
        (Raw::S(s), _) => Ok(s),
        (Raw::J(i), Some(d)) if d.keys.is_none() => {
            Ok(usize::try_from(i).ok().and_then(|i| d.syms.get(i)).copied().unwrap_or(Sym::NULL))
        }
        _ => type_error(),
    };
    match value {
        Value::Atom(a) => Ok(vec![resolve(a.raw, &a.domain)?]),
        Value::Vec(v) => (0..v.len()).map(|i| resolve(v.data.raw(i), &v.domain)).collect(),
        Value::List(l) if l.is_empty() => Ok(vec![]),
        _ => type_error(),
    }
}

fn symbol(value: &Value) -> Result<Sym> {
    match symbols(value)?.as_slice() {
        [s] => Ok(*s),
        _ => type_error(),
    }
}

/// The code of a symbol, or -1 (as unsigned: the greatest) where the domain lacks it. An enumeration's code is
/// its index, a long.
fn code(value: &Value, domain: &Domain, kind: Kind) -> Result<Value> {
    let symbol = symbol(value)?;
    let found = domain.codes.get(&symbol);
    Ok(match kind {
        // The index of a null that is not in the domain is the null index.
        Kind::Enum | Kind::Long if found.is_none() && symbol.is_null() => Value::long(i64::MIN),
        Kind::Enum | Kind::Long => Value::long(found.map_or(-1, |&c| c as i64)),
        _ => Value::int(found.map_or(-1, |&c| c as i32)),
    })
}

/// How many of the domain's symbols `before` accepts, given the parameter's text.
fn rank(value: &Value, domain: &Domain, before: impl Fn(&str, &str) -> bool) -> Result<i32> {
    let text = symbol(value)?.text();
    let below = domain.by_rank.partition_point(|&code| before(domain.syms[code as usize].text(), text));
    Ok(below as i32)
}

/// The code of each symbol in a domain; -1 where the domain lacks it, but the null index for the null symbol of an
/// enumeration.
fn indices(kind: Kind, symbols: &[Sym], domain: &Domain) -> Data {
    let code = |s: &Sym| domain.codes.get(s).map(|&c| c as i32);
    let none = |s: &Sym| if s.is_null() { i64::MIN } else { -1 };
    match kind {
        Kind::Enum => Data::J(symbols.iter().map(|s| code(s).map_or_else(|| none(s), i64::from)).collect()),
        _ => Data::I(symbols.iter().map(|s| code(s).unwrap_or(-1)).collect()),
    }
}

fn bits(value: &Value, domain: &Domain) -> Result<Buf<u8>> {
    let mut bits = Buf::<u8>::zeroed(domain.syms.len());
    let at = bits.make_mut();
    for s in symbols(value)? {
        if let Some(&code) = domain.codes.get(&s) {
            at[code as usize] = 1;
        }
    }
    Ok(bits)
}

/// The code of each symbol, which the domain has.
fn codes(symbols: &[Sym], domain: &Domain) -> Buf<i32> {
    symbols.iter().map(|s| domain.codes.get(s).map_or(0, |&c| c as i32)).collect()
}

/// Where each symbol of the domain first stands, the null long if nowhere.
fn symbol_places(symbols: &[Sym], domain: &Domain) -> Buf<i64> {
    let mut places = vec![i64::MIN; domain.len()];
    for (i, s) in symbols.iter().enumerate().rev() {
        if let Some(&code) = domain.codes.get(s) {
            places[code as usize] = i as i64;
        }
    }
    places.into()
}

/// For each of `of` the place in `symbols`, which ascend by text, that `bin` finds, or `binr` if `right`.
fn bounds(symbols: &[Sym], of: &[Sym], right: bool) -> Buf<i64> {
    let before = |s: &Sym| match right {
        true => symbols.partition_point(|had| had.text() < s.text()) as i64,
        false => symbols.partition_point(|had| had.text() <= s.text()) as i64 - 1,
    };
    of.iter().map(before).collect()
}

/// Where each of the distinct keys first stands, in the order of the keys.
fn places(keys: &[u64]) -> Buf<i64> {
    let mut order: Vec<(u64, i64)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    order.dedup_by_key(|x| x.0);
    order.into_iter().map(|x| x.1).collect()
}

/// The guids of a list, sorted and distinct.
fn guids(value: &Value) -> Result<Data> {
    let mut guids = match value {
        Value::Vec(Vector { data: Data::G(g), .. }) => g.to_vec(),
        Value::Atom(Atom { raw: Raw::G(g), .. }) => vec![*g],
        Value::List(l) if l.is_empty() => vec![],
        _ => return type_error(),
    };
    guids.sort_unstable();
    guids.dedup();
    Ok(Data::G(guids.into()))
}

fn distinct(mut keys: Vec<u64>) -> Buf<u64> {
    keys.sort_unstable();
    keys.dedup();
    keys.into()
}

/// The order keys of a list's items.
fn keys(value: &Value) -> Result<Vec<u64>> {
    fn of<T: Key>(items: &[T]) -> Vec<u64> {
        items.iter().map(|x| x.key()).collect()
    }
    let data = match value {
        Value::Vec(v) => v.data.clone(),
        Value::Atom(a) => one(a.raw),
        Value::List(l) if l.is_empty() => return Ok(vec![]),
        _ => return type_error(),
    };
    Ok(match &data {
        Data::B(d) => of(d),
        Data::H(d) => of(d),
        Data::I(d) => of(d),
        Data::J(d) => of(d),
        Data::E(d) => of(d),
        Data::F(d) => of(d),
        Data::G(_) | Data::S(_) => return type_error(),
    })
}

/// One element as a vector.
pub fn one(raw: Raw) -> Data {
    match raw {
        Raw::B(x) => Data::B(Buf::from_slice(&[x])),
        Raw::G(x) => Data::G(Buf::from_slice(&[x])),
        Raw::H(x) => Data::H(Buf::from_slice(&[x])),
        Raw::I(x) => Data::I(Buf::from_slice(&[x])),
        Raw::J(x) => Data::J(Buf::from_slice(&[x])),
        Raw::E(x) => Data::E(Buf::from_slice(&[x])),
        Raw::F(x) => Data::F(Buf::from_slice(&[x])),
        Raw::S(x) => Data::S(Buf::from_slice(&[x])),
    }
}

/// Loops a cast's function over a vector.
struct CastAll<'a>(&'a Data);

impl Each1 for CastAll<'_> {
    type Out = Data;
    fn run<A: Item, R: Item>(self, f: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Data {
        let items = A::of_data(self.0).expect("the cast's function takes the vector's storage");
        R::data(items.iter().map(|&x| f(x)).collect())
    }
}

/// An atom or list cast to `kind`; an empty general list becomes the empty list of the kind.
fn cast(value: &Value, kind: Kind) -> Result<Value> {
    let all = |from: Kind, data: &Data| match q::scalar::cast::cast(from, kind) {
        Some(Cast::Keep) => Ok(data.clone()),
        Some(Cast::By(..)) => {
            q::scalar::with_cast(from, kind, CastAll(data)).ok_or_else(|| Error::new("type"))
        }
        None => type_error(),
    };
    match value {
        Value::Atom(a) => {
            let raw = all(a.kind, &one(a.raw))?.raw(0);
            Ok(Value::Atom(Atom { kind, raw, domain: a.domain.clone().filter(|_| kind == Kind::Enum) }))
        }
        Value::Vec(v) => Ok(Value::Vec(Vector { kind, data: all(v.kind, &v.data)?, ..v.clone() })),
        Value::List(l) if l.is_empty() => Ok(Value::Vec(Vector::empty(kind))),
        _ => type_error(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compiler::ir::ParamDef;
    use compiler::schema::DomainId;

    fn domain(names: &[&str]) -> Arc<Domain> {
        Arc::new(Domain::new(names.iter().map(|n| Sym::new(n)).collect(), None))
    }

    fn run(literal: Value, kind: Kind, source: Source) -> Arg {
        let mut graph = Graph::default();
        graph.params.push(ParamDef { kind, source: Source::Literal(0) });
        graph.params.push(ParamDef { kind, source });
        let domains = [domain(&["", "m", "a", "z"]), domain(&["", "z", "a"])];
        let given = Given { literals: &[literal], variable: &|_| None, domains: &domains };
        args(&graph, &given).expect("the parameters can be made").0.pop().expect("there are two")
    }

    const P: fn() -> Param = || Param::from_u32(0);

    #[test]
    fn symbols_become_codes_and_ranks() {
        let int = |arg| match arg {
            Arg::Atom(a) => a.elem::<i32>().expect("an int"),
            other => panic!("{other:?}"),
        };
        let d = DomainId(0);
        assert_eq!(int(run(Value::sym("a"), Kind::Sym, Source::Code(P(), d))), 2);
        assert_eq!(int(run(Value::sym("q"), Kind::Sym, Source::Code(P(), d))), -1);
        assert_eq!(int(run(Value::sym("m"), Kind::Int, Source::Below(P(), d))), 2);
        assert_eq!(int(run(Value::sym("m"), Kind::Int, Source::NotAbove(P(), d))), 3);
        assert_eq!(int(run(Value::sym("q"), Kind::Int, Source::Below(P(), d))), 3);
    }

    #[test]
    fn domains_become_tables() {
        let list = |arg| match arg {
            Arg::List(Data::I(d)) => d.to_vec(),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            list(run(Value::sym(""), Kind::Int, Source::Remap(DomainId(0), DomainId(1)))),
            [0, -1, 2, 1]
        );
        assert_eq!(list(run(Value::sym(""), Kind::Int, Source::Ranks(DomainId(0)))), [0, 2, 1, 3]);
        assert_eq!(list(run(Value::sym(""), Kind::Sym, Source::Sorted(DomainId(0)))), [0, 2, 1, 3]);
        match run(Value::syms(["z".into(), "b".into()]), Kind::Sym, Source::Set(P(), Some(DomainId(0)))) {
            Arg::Bits(b) => assert_eq!(b.to_vec(), [0, 0, 0, 1]),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn sets_are_sorted_and_distinct_with_one_nan_and_one_zero() {
        let set = Value::floats([2.0, f64::NAN, -0.0, 0.0, -f64::NAN]);
        match run(set, Kind::Float, Source::Set(P(), None)) {
            Arg::Keys(k) => assert_eq!(k.to_vec(), [0, 0.0f64.key(), 2.0f64.key()]),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn casts_follow_q() {
        match run(Value::int(i32::MIN), Kind::Long, Source::Cast(P(), Kind::Long)) {
            Arg::Atom(a) => assert_eq!(a.elem::<i64>(), Some(i64::MIN)),
            other => panic!("{other:?}"),
        }
    }
}
