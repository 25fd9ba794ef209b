//! Membership in a column: the set is the items of another column in the same list.

use super::super::program::bug;
use super::super::repr::Repr;
use super::super::scatter::Sink;
use super::scan::cast;
use super::walk::Lists;
use q::scalar::Key;
use q::value::Guid;
use q::{Result, Store};
use rustc_hash::FxHashSet;

/// Writes whether each item of `x` is among the items of `set` in its list; both hold one kind, symbols perhaps
/// in codes of different widths.
pub fn member(lists: &Lists, x: (Repr, &[u8]), set: (Repr, &[u8]), out: &mut [u8]) -> Result<()> {
    if let (Repr::Plain(Store::G), Repr::Plain(Store::G)) = (x.0, set.0) {
        let (x, set) = (cast::<Guid>(x.1), cast::<Guid>(set.1));
        by(lists, |row| x[row].0, |row| set[row].0, out);
        return Ok(());
    }
    let (x, set) = (keys(x)?, keys(set)?);
    by(lists, x, set, out);
    Ok(())
}

type Keys<'a> = Box<dyn Fn(usize) -> u64 + Sync + Send + 'a>;

/// The key of each row: equal where the items are the same.
fn keys((repr, bytes): (Repr, &[u8])) -> Result<Keys<'_>> {
    fn of<T: Key>(bytes: &[u8]) -> Keys<'_> {
        let items = cast::<T>(bytes);
        Box::new(move |row| items[row].key())
    }
    Ok(match repr {
        Repr::Codes8 => Box::new(move |row| bytes[row] as u64),
        Repr::Codes16 => {
            let codes = cast::<u16>(bytes);
            Box::new(move |row| codes[row] as u64)
        }
        Repr::Plain(Store::S) => {
            let codes = cast::<u32>(bytes);
            Box::new(move |row| codes[row] as u64)
        }
        Repr::Plain(Store::B) => of::<u8>(bytes),
        Repr::Plain(Store::H) => of::<i16>(bytes),
        Repr::Plain(Store::I) => of::<i32>(bytes),
        Repr::Plain(Store::J) => of::<i64>(bytes),
        Repr::Plain(Store::E) => of::<f32>(bytes),
        Repr::Plain(Store::F) => of::<f64>(bytes),
        Repr::Plain(Store::G) => return Err(bug("a guid has no key of 64 bits")),
    })
}

/// One pass makes the sets, another asks them. The sets of all lists are one, of lists and keys.
fn by<K: Eq + std::hash::Hash + Send + Sync>(
    lists: &Lists,
    x: impl Fn(usize) -> K + Sync + Send,
    set: impl Fn(usize) -> K + Sync + Send,
    out: &mut [u8],
) {
    let mut all = FxHashSet::default();
    lists.each(|list, row| {
        all.insert((list, set(row)));
    });
    let out = Sink::new(out);
    lists.each(|list, row| out.put(row, all.contains(&(list, x(row))) as u8));
}
