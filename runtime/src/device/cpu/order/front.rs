//! The first few items of sorted lists: a Scan that sorts lists and numbers their items, and the List that keeps the
//! items in some places, become one pass that keeps each list's best few and sorts nothing else.

use super::super::env::Env;
use super::super::fold::element;
use super::super::par;
use super::super::program::bug;
use super::super::repr::{Repr, with_width};
use super::lists::List;
use super::scan::{Scan, cast};
use crate::column::Elements;
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
        let (Some((from, to)), Op::Scan(order @ (Prim::Asc | Prim::Desc), _)) =
            (places(g, &scan.results, mask), &g.nodes[sorted].op)
        else {
            return Ok(None);
        };
        let &[key, item] = &g.nodes[sorted].args[..] else { return Ok(None) };
        Ok(scan.results.contains(&sorted).then_some(Front {
            groups,
            into: list.into,
            key,
            descending: *order == Prim::Desc,
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
            let flip = if self.descending { u64::MAX } else { 0 };
            let best = match env.graph.ty(self.key).kind.store() {
                Store::B => best::<u8>(ids, cast(key), flip, count, last),
                Store::H => best::<i16>(ids, cast(key), flip, count, last),
                Store::I => best::<i32>(ids, cast(key), flip, count, last),
                Store::J => best::<i64>(ids, cast(key), flip, count, last),
                Store::E => best::<f32>(ids, cast(key), flip, count, last),
                Store::F => best::<f64>(ids, cast(key), flip, count, last),
                Store::G | Store::S => return Err(bug(format!("{} has no order", self.key))),
            };
            let lists: Vec<Vec<u32>> = par::each(
                par::ranges(count, PART),
                || (),
                |(), groups| {
                    let mut rows = vec![];
                    for group in groups {
                        let places = from[group].min(to[group])..to[group];
                        Best::merge(&best, group, places, &mut rows);
                    }
                    rows
                },
            );
            let width = Repr::of(env.graph, self.result).width();
            let item = env.elements(self.item)?.0;
            with_width!(width, T => {
                let item: &[T] = cast(item);
                let mut ends = Vec::with_capacity(count + 1);
                let mut out = Buf::<T>::with_capacity(last * count);
                ends.push(0);
                for row in lists.into_iter().flatten() {
                    match row {
                        NONE => ends.push(out.len()),
                        row => out.push(item[row as usize]),
                    }
                }
                (ends, Elements::of_bytes(env.graph.ty(self.result).kind, width, out.cast()))
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

/// The rows of the best few items of each group in some rows: `most` a group, best first.
struct Best {
    most: usize,
    keys: Vec<u64>,
    rows: Vec<u32>,
}

/// The best of each share of the rows, in the order of the shares.
fn best<T: Key>(ids: &[i32], x: &[T], flip: u64, groups: usize, most: usize) -> Vec<Best> {
    par::each(
        par::shares(ids.len()),
        || (),
        |(), share: Range<usize>| {
            let mut best =
                Best { most, keys: vec![u64::MAX; most * groups], rows: vec![NONE; most * groups] };
            if most > 0 {
                for ((&id, &x), row) in ids[share.clone()].iter().zip(&x[share.clone()]).zip(share.start..) {
                    if let Ok(group) = usize::try_from(id) {
                        best.add(group, x.key() ^ flip, row as u32);
                    }
                }
            }
            best
        },
    )
}

impl Best {
    /// Adds a row after all that were added before.
    #[inline(always)]
    fn add(&mut self, group: usize, key: u64, row: u32) {
        let (from, to) = (group * self.most, (group + 1) * self.most);
        if key > self.keys[to - 1] {
            return;
        }
        let (keys, rows) = (&mut self.keys[from..to], &mut self.rows[from..to]);
        // An equal key stays behind those before it, but goes before a place that is free.
        let Some(at) = (0..keys.len()).find(|&i| key < keys[i] || rows[i] == NONE) else { return };
        keys[at..].rotate_right(1);
        rows[at..].rotate_right(1);
        (keys[at], rows[at]) = (key, row);
    }

    /// Appends the rows of a group in some places of all `shares` together, and `NONE`.
    fn merge(shares: &[Best], group: usize, places: Range<usize>, out: &mut Vec<u32>) {
        let Some(most) = shares.first().map(|s| s.most) else { return out.push(NONE) };
        let mut all = Best { most, keys: vec![u64::MAX; most], rows: vec![NONE; most] };
        for share in shares {
            for i in group * most..(group + 1) * most {
                if share.rows[i] != NONE {
                    all.add(0, share.keys[i], share.rows[i]);
                }
            }
        }
        out.extend(all.rows[places].iter().filter(|&&row| row != NONE));
        out.push(NONE);
    }
}
