//! The first few items of sorted lists: a Scan that sorts lists and numbers their items, and the List that keeps the
//! items in some places, become one pass that keeps each list's best few and sorts nothing else.

use super::super::env::Env;
use super::super::fold::element;
use super::super::loops::fill1;
use super::super::par;
use super::super::prefetch;
use super::super::program::bug;
use super::super::repr::{Repr, with_width};
use super::super::tile::TILE;
use super::lists::List;
use super::scan::{Scan, cast};
use crate::column::Elements;
use compiler::ir::scan::descends;
use compiler::ir::{Dim, Graph, Node, Op};
use compiler::plan::{Kernel, Plan, Skeleton};
use q::scalar::Key;
use q::{Buf, Kind, Prim, Result, Store};
use std::ops::Range;

/// A Scan and a List kernel made ready to run as one.
pub struct Front {
    groups: Dim,
    into: Dim,
    /// What the lists are sorted by, and how.
    key: Node,
    descending: bool,
    /// What is sorted, and the result.
    item: Node,
    result: Node,
    /// The places that are kept: of each group or, an atom, of all.
    from: Node,
    to: Node,
    /// The kernels themselves, for places too far from the front.
    scan: Scan,
    list: List,
}

/// Places from this one on are not worth looking for in one pass.
const MOST: usize = 16;
/// So many best items take no memory that matters.
const SMALL: usize = 1 << 16;
/// Groups that a thread merges at once.
const PART: usize = 4096;
/// A row's number, where there is no row.
const NONE: u32 = u32::MAX;

impl Front {
    /// The two kernels as one, if the first is a scan whose results only the second uses, and that only to keep the
    /// items in some places of the sorted lists.
    pub fn new(plan: &Plan, first: Kernel, second: Kernel) -> Result<Option<Front>> {
        let (g, scan, list) = (&plan.graph, &plan.kernels[first], &plan.kernels[second]);
        if (scan.skeleton, list.skeleton) != (Skeleton::Scan, Skeleton::List) || list.lists != scan.lists {
            return Ok(None);
        }
        let (Some(groups), &[result]) = (scan.lists, &list.results[..]) else { return Ok(None) };
        let dead = plan.dead_after(second);
        if scan.results.len() != 2 || !scan.results.iter().all(|n| dead.contains(n)) {
            return Ok(None);
        }
        let (sorted, &[mask]) = (kept(g, g.nodes[result].args[0]), list.own_masks(g)) else {
            return Ok(None);
        };
        let (Some((from, to)), Op::Scan(order, _)) = (places(g, &scan.results, mask), g.nodes[sorted].op)
        else {
            return Ok(None);
        };
        let Some(descending) = descends(order) else { return Ok(None) };
        let &[key, item] = &g.nodes[sorted].args[..] else { return Ok(None) };
        // A guid's key is two words.
        if g.ty(key).kind == Kind::Guid {
            return Ok(None);
        }
        Ok(scan.results.contains(&sorted).then_some(Front {
            groups,
            into: list.into,
            key,
            descending,
            item,
            result,
            from,
            to,
            scan: Scan::new(g, scan)?,
            list: List::new(g, list)?,
        }))
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        let count = env.rows(self.groups)?;
        let (from, to) = (self.place(env, self.from, count)?, self.place(env, self.to, count)?);
        let last = to.iter().max().copied().unwrap_or(0);
        if last > MOST || last * count > rows.max(SMALL) || rows >= NONE as usize {
            self.scan.run(env, rows)?;
            return self.list.run(env, rows);
        }
        let (ends, out) = {
            let ids = env.ids.get(&self.groups);
            let ids = ids.ok_or_else(|| bug(format!("the groups of {} have no numbers", self.groups)))?;
            let key = env.elements(self.key)?.0;
            // Where nothing is known of the keys, they may be any.
            let range = match env.graph.nodes[self.key].op {
                Op::Col(c) => env.launch.inputs[c.as_u32() as usize].stats()?.range,
                _ => None,
            };
            let range = range.unwrap_or((0, u64::MAX));
            let flip = if self.descending { u64::MAX } else { 0 };
            let best = match env.graph.ty(self.key).kind.store() {
                Store::B => best::<u8>(ids, cast(key), flip, range, [count, last]),
                Store::H => best::<i16>(ids, cast(key), flip, range, [count, last]),
                Store::I => best::<i32>(ids, cast(key), flip, range, [count, last]),
                Store::J => best::<i64>(ids, cast(key), flip, range, [count, last]),
                Store::E => best::<f32>(ids, cast(key), flip, range, [count, last]),
                Store::F => best::<f64>(ids, cast(key), flip, range, [count, last]),
                Store::G | Store::S => return Err(bug(format!("{} has no order", self.key))),
            };
            let width = Repr::of(env.graph, self.result).width();
            let item = env.elements(self.item)?.0;
            with_width!(width, T => {
                let item: &[T] = cast(item);
                let parts = par::each(
                    par::ranges(count, PART),
                    || Best::new([1, last], (0, u64::MAX)),
                    |all, groups| {
                        let (mut ends, mut items) = (vec![], vec![]);
                        for group in groups {
                            let rows = all.merge(&best, group).get(from[group].min(to[group])..to[group]);
                            let rows = rows.unwrap_or_default().iter().filter(|best| best.1 != NONE);
                            items.extend(rows.map(|best| item[best.1 as usize]));
                            ends.push(items.len());
                        }
                        (ends, items)
                    },
                );
                let mut all = vec![0];
                let mut out = Buf::<T>::with_capacity(last * count);
                for (ends, items) in parts {
                    all.extend(ends.iter().map(|end| out.len() + end));
                    out.extend_from_slice(&items);
                }
                (all, Elements::of_bytes(env.graph.ty(self.result).kind, width, out.cast()))
            })
        };
        env.vectors.insert(self.result, out);
        env.starts.insert(self.into, ends);
        Ok(())
    }

    /// A place in each group's list: the values of a vector over the groups, or an atom.
    fn place(&self, env: &Env, n: Node, count: usize) -> Result<Vec<usize>> {
        let place = |x: i64| usize::try_from(x).unwrap_or(0);
        match env.graph.ty(n).dim {
            Dim::ONE => Ok(vec![place(element(&env.atom(n)?)); count]),
            _ => Ok(cast::<i64>(env.elements(n)?.0).iter().map(|&x| place(x)).collect()),
        }
    }
}

/// The node that `n` keeps rows of.
fn kept(g: &Graph, mut n: Node) -> Node {
    while g.nodes[n].op == Op::Keep {
        n = g.nodes[n].args[0];
    }
    n
}

/// `from` and `to`, where `mask` says that the number of an item, by one of `scans`, is in `from..to`.
fn places(g: &Graph, scans: &[Node], mask: Node) -> Option<(Node, Node)> {
    let args = |n: Node, p: Prim| match (&g.nodes[n].op, &g.nodes[n].args[..]) {
        (Op::Map(q), &[x, y]) if *q == p => Some((x, y)),
        _ => None,
    };
    let end = |n: Node| match g.nodes[n].op {
        Op::Spread => g.nodes[n].args[0],
        _ => n,
    };
    let (after, before) = args(mask, Prim::Lesser)?;
    let ((x, from), (y, to)) = (args(after, Prim::Ge)?, args(before, Prim::Lt)?);
    let number = kept(g, x);
    let (from, to) = (end(from), end(to));
    let numbers = matches!(g.nodes[number].op, Op::Scan(Prim::Til, _)) && kept(g, y) == number;
    let long = |n: Node| g.ty(n).kind == Kind::Long;
    (numbers && scans.contains(&number) && long(from) && long(to)).then_some((from, to))
}

/// The best few items of each group in some rows: `most` a group, best first.
struct Best {
    most: usize,
    /// The items' keys and rows.
    items: Vec<(u64, u32)>,
    /// How far the last item of each group lies above `low`, without the last `shift` bits: no item further away is
    /// wanted. And that of what is in no group. They are small, so that they stay in the cache.
    limits: Vec<u32>,
    low: u64,
    shift: u32,
}

/// The best of each share of the rows, in the order of the shares, of keys in a range.
fn best<T: Key>(
    ids: &[i32],
    x: &[T],
    flip: u64,
    (low, high): (u64, u64),
    [groups, most]: [usize; 2],
) -> Vec<Best> {
    par::each(
        par::shares(if most > 0 { ids.len() } else { 0 }),
        || (),
        |(), share: Range<usize>| {
            let (low, high) = if flip == 0 { (low, high) } else { (!high, !low) };
            let mut best = Best::new([groups, most], (low, high));
            for at in share.clone().step_by(TILE) {
                let tile = at..share.end.min(at + TILE);
                best.tile(&ids[tile.clone()], &x[tile], at, flip);
            }
            best
        },
    )
}

impl Best {
    /// No items of so many groups, whose keys will be in a range.
    fn new([groups, most]: [usize; 2], (low, high): (u64, u64)) -> Best {
        let shift = (u64::BITS - high.saturating_sub(low).leading_zeros()).saturating_sub(u32::BITS);
        let mut limits = vec![u32::MAX; groups + 1];
        limits[groups] = 0;
        Best { most, items: vec![(u64::MAX, NONE); most * groups], limits, low, shift }
    }

    /// Adds a tile's rows, the first of which is `row`, after all that were added before. Few items are among the best,
    /// so those that may be are found first, without a branch.
    fn tile<T: Key>(&mut self, ids: &[i32], x: &[T], row: usize, flip: u64) {
        let (low, shift) = (self.low, self.shift);
        let mut distances = [0; TILE];
        fill1(|x: T| distance(x.key() ^ flip, low, shift), x, &mut distances[..x.len()]);
        let (mut some, mut n) = ([0u16; TILE], 0);
        let (limits, none) = (&self.limits[..], self.limits.len() - 1);
        for (i, (&id, &distance)) in ids.iter().zip(&distances).enumerate() {
            some[n.min(TILE - 1)] = i as u16;
            n += (distance <= limits[(id as u32 as usize).min(none)]) as usize;
        }
        let some = some[..n].iter().map(|&i| (ids[i as usize], i as usize));
        let some = some.filter_map(|(id, i)| Some((usize::try_from(id).ok()?, i)));
        some.clone().for_each(|(group, _)| prefetch::line(&self.items[group * self.most], 0));
        some.for_each(|(group, i)| self.add(group, x[i].key() ^ flip, (row + i) as u32));
    }

    /// Adds a row after all that were added before.
    #[inline(always)]
    fn add(&mut self, group: usize, key: u64, row: u32) {
        let items = &mut self.items[group * self.most..(group + 1) * self.most];
        // An equal key stays behind those before it, but goes before a place that is free.
        let Some(at) = items.iter().position(|item| key < item.0 || item.1 == NONE) else { return };
        for i in (at + 1..items.len()).rev() {
            items[i] = items[i - 1];
        }
        items[at] = (key, row);
        if let Some(&(key, row)) = items.last()
            && row != NONE
        {
            self.limits[group] = distance(key, self.low, self.shift);
        }
    }

    /// The best items of a group in all `shares` together, which these become.
    fn merge(&mut self, shares: &[Best], group: usize) -> &[(u64, u32)] {
        let part = group * self.most..(group + 1) * self.most;
        let Some((first, rest)) = shares.split_first() else { return &[] };
        self.items.copy_from_slice(&first.items[part.clone()]);
        for &(key, row) in rest.iter().flat_map(|share| &share.items[part.clone()]) {
            if row != NONE {
                self.add(0, key, row);
            }
        }
        &self.items
    }
}

/// How far a key lies above `low`, without the last `shift` bits.
#[inline(always)]
fn distance(key: u64, low: u64, shift: u32) -> u32 {
    (key.wrapping_sub(low) >> shift) as u32
}
