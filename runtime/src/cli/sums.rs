//! Check sums of a result: for each column the count of its non-nulls, their sum, and where asked the sum
//! weighted by position, so that results of different programs can be compared.

use q::calendar::{DAY_NS, MINUTE_NS};
use q::value::{Atom, Raw};
use q::{Kind, Sym, Value};
use rustc_hash::FxHashMap;

/// Non-nulls, sum, and weighted sum.
pub type Sums = (usize, f64, Option<f64>);

/// The columns of a result and their names (a vector's is empty), keys first; none if it has no columns (a
/// function, say).
pub fn columns(result: &Value) -> Option<Vec<(Sym, Value)>> {
    let named = |t: &q::value::Table| t.names.iter().copied().zip(t.cols.clone()).collect::<Vec<_>>();
    match result {
        Value::Table(t) => Some(named(t)),
        Value::Dict(d) => match (&d.keys, &d.vals) {
            (Value::Table(k), Value::Table(v)) => Some([named(k), named(v)].concat()),
            _ => None,
        },
        Value::Vec(_) | Value::Atom(_) => Some(vec![(Sym::NULL, result.clone())]),
        _ => None,
    }
}

/// Rows of a result; one for an atom.
pub fn rows(columns: &[(Sym, Value)]) -> usize {
    columns.first().map_or(0, |(_, column)| column.count())
}

/// The sums of one column: numbers as they are, timestamps and minutes as nanoseconds within the day, symbols (and
/// chars, if `text`) as the crc32 of their text; nulls and infinite floats count as 0 in the weighted sum and are skipped
/// elsewhere. None for a column
/// that has no such number (nested lists, guids).
pub fn column(column: &Value, weighted: bool, text: bool) -> Option<Sums> {
    match column {
        Value::Vec(v) if v.kind != Kind::Guid => Some(total((0..v.len()).map(|i| v.get(i)), weighted, text)),
        Value::Atom(a) if a.kind != Kind::Guid => Some(total([a.clone()].into_iter(), weighted, text)),
        Value::List(l) if l.is_empty() => Some((0, 0.0, weighted.then_some(0.0))),
        _ => None,
    }
}

/// A number as the sums take it.
enum Number {
    Whole(i64),
    Float(f64),
}

fn total(items: impl Iterator<Item = Atom>, weighted: bool, text: bool) -> Sums {
    let mut crcs = FxHashMap::default();
    // Sums of whole numbers wrap, as the programs that this is compared with have it.
    let (mut count, mut whole, mut float, mut weight) = (0, 0i64, 0.0, 0.0);
    for (i, item) in items.enumerate() {
        let Some(x) = number(&item, text, &mut crcs) else { continue };
        count += 1;
        let x = match x {
            Number::Whole(x) => {
                whole = whole.wrapping_add(x);
                x as f64
            }
            Number::Float(x) => {
                float += x;
                x
            }
        };
        weight += x * (1 + i % 997) as f64;
    }
    (count, whole as f64 + float, weighted.then_some(weight))
}

/// None for a null.
fn number(item: &Atom, text: bool, crcs: &mut FxHashMap<Sym, u32>) -> Option<Number> {
    let whole = |x: i64| Some(Number::Whole(x));
    match (item.kind, item.raw) {
        (Kind::Sym, Raw::S(s)) => symbol(s, crcs),
        (Kind::Enum, Raw::J(i)) => symbol(*item.domain.as_ref()?.syms.get(usize::try_from(i).ok()?)?, crcs),
        (Kind::Timestamp, Raw::J(x)) if x != i64::MIN => whole(x.rem_euclid(DAY_NS)),
        (Kind::Minute, Raw::I(x)) if x != i32::MIN => whole(x as i64 * MINUTE_NS),
        (Kind::Char, Raw::B(b' ')) => None,
        (Kind::Char, Raw::B(c)) if text => whole(crc32fast::hash(&[c]) as i64),
        (_, Raw::B(x)) => whole(x as i64),
        (_, Raw::H(x)) if x != i16::MIN => whole(x as i64),
        (_, Raw::I(x)) if x != i32::MIN => whole(x as i64),
        (_, Raw::J(x)) if x != i64::MIN => whole(x),
        (_, Raw::E(x)) if x.is_finite() => Some(Number::Float(x as f64)),
        (_, Raw::F(x)) if x.is_finite() => Some(Number::Float(x)),
        _ => None,
    }
}

fn symbol(s: Sym, crcs: &mut FxHashMap<Sym, u32>) -> Option<Number> {
    if s.is_null() {
        return None;
    }
    Some(Number::Whole(*crcs.entry(s).or_insert_with(|| crc32fast::hash(&s.bytes())) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use q::Buf;

    #[test]
    fn nulls_are_skipped_but_keep_their_position() {
        let x = Value::vector(Kind::Long, Buf::from_slice(&[5i64, i64::MIN, 7]));
        assert_eq!(column(&x, true, false), Some((2, 12.0, Some(5.0 + 7.0 * 3.0))));
        let x = Value::floats([f64::NAN, -1.5]);
        assert_eq!(column(&x, false, false), Some((1, -1.5, None)));
        assert_eq!(column(&Value::floats([f64::INFINITY, 2.0]), true, false), Some((1, 2.0, Some(4.0))));
    }

    #[test]
    fn timestamps_count_within_the_day_and_symbols_by_crc() {
        let x = Value::vector(Kind::Timestamp, Buf::from_slice(&[DAY_NS * 3 + 11, -1]));
        assert_eq!(column(&x, false, false), Some((2, (DAY_NS + 10) as f64, None)));
        let x = Value::vector(Kind::Minute, Buf::from_slice(&[570, i32::MIN]));
        assert_eq!(column(&x, false, false), Some((1, 570.0 * MINUTE_NS as f64, None)));
        assert_eq!(
            column(&Value::chars(b"1 "), false, true),
            column(&Value::syms(["1", ""].map(Sym::new)), false, false)
        );
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(column(&Value::sym("123456789"), false, false), Some((1, 0xCBF4_3926u32 as f64, None)));
    }

    #[test]
    fn keyed_tables_count_as_unkeyed() {
        let k = Value::table(vec!["k".into()], vec![Value::longs([1, 2])]);
        let v = Value::table(vec!["v".into()], vec![Value::longs([3, 4])]);
        let cols = columns(&Value::dict(k, v)).expect("a keyed table has columns");
        assert_eq!((cols.len(), rows(&cols)), (2, 2));
    }
}
