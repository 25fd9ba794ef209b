//! The Group skeleton: keys and aggregates of the rows that pass, keys ascending, nulls first.
//!
//! The keys pack into numbers ([`key`]); what is known of their ranges picks the strategy when the kernel runs:
//! a direct array ([`direct`]), or partitions of the rows ([`scatter`]), each with a direct array or a hash table
//! ([`part`]) or sorted, where groups have few rows ([`sorted`]). All feed the same cells ([`cell`]), whose words
//! ([`word`]) take a row as vectors ([`rows`]), and give the same groups.

mod cell;
mod direct;
mod feed;
mod hash;
mod key;
mod part;
#[allow(unsafe_code)]
mod rows;
mod scatter;
mod sorted;
mod word;

use super::agg::{Agg, Cell};
use super::env::Env;
use super::map::Map;
use super::par;
use super::program::{Given, bug};
use super::repr::{Repr, codes};
use super::scatter::Sink;
use super::stream;
use super::tile::{CHUNK, Slot, TILE};
use crate::column::Elements;
use cell::Layout;
use compiler::ir::{Col, Dim, Graph, Node, Op};
use compiler::plan::{KernelDef, Plan};
use feed::Feed;
use hash::Numbers;
use key::{Keys, Packing};
use part::Job;
use q::{Buf, Kind, Result, Store};
use rayon::slice::ParallelSliceMut;

/// A Group kernel made ready.
pub struct Group {
    into: Dim,
    keys: Keys,
    aggs: Vec<Agg>,
    layout: Layout,
    /// The same without the counts of these columns, if a run finds that they have no null.
    lean: Option<(Layout, Vec<Col>)>,
    feed: Feed,
    /// The results and their widths.
    results: Vec<(Node, usize)>,
    tail: Option<Map>,
    writes: Vec<Node>,
    /// Numbers the rows, if a later kernel needs that and their groups have no slots.
    ids: Option<Feed>,
    /// True if later kernels find the groups' values by the codes of the key.
    coded: bool,
}

/// Groups in some order: their packed keys and their words, each side by side.
#[derive(Default)]
pub struct Groups {
    numbers: Buf<u64>,
    words: Buf<u64>,
}

/// Room for words, taken from the pool if there are some thousands: the allocator would get so much from the system
/// and give it back each time.
fn pooled(words: usize) -> Buf<u64> {
    Buf::with_capacity(if words > SMALL { words.max(POOLED) } else { words })
}

const SMALL: usize = 1 << 13;
/// Words of the smallest block that the pool keeps.
const POOLED: usize = 1 << 17;

impl Group {
    /// Prepares a kernel of the plan.
    pub fn new(plan: &Plan, def: &KernelDef) -> Result<Group> {
        let g = &plan.graph;
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        let keys = Keys::new(g, def)?;
        let is_agg = |n: &&Node| matches!(g.nodes[**n].op, Op::Agg(_));
        let aggs = def.results.iter().filter(is_agg).map(|&n| Agg::new(g, n, |a| given.base(a)));
        let aggs = aggs.collect::<Result<Vec<_>>>()?;
        let cells = || aggs.iter().flat_map(|a| a.cells.iter().copied());
        let layout =
            Layout::new(&given, cells(), &[]).ok_or_else(|| bug("an aggregate of groups has no cell"))?;
        let known: Vec<Node> = def.results.iter().chain(&def.joins).copied().collect();
        let tails: Vec<Node> = def.tail.iter().filter(|n| def.writes.contains(n)).copied().collect();
        let tail = Given { graph: g, loads: &known, atoms: None };
        let counted = cells().flat_map(|c| match c.means().map_or(c, |(_, count)| count) {
            Cell::Count(x) => vec![x],
            Cell::Pairs(x, y) => vec![x, y],
            _ => vec![],
        });
        let (whole, columns): (Vec<Node>, Vec<Col>) =
            counted.filter_map(|x| Some((x, column(g, x)?))).unzip();
        let lean =
            Layout::new(&given, cells(), &whole).filter(|l| !whole.is_empty() && l.args == layout.args);
        let mut others = plan.kernels.values();
        let (numbered, coded) = match codes(g, def.into) {
            Some(_) => (
                others.clone().any(|k| k.lists == Some(def.into) && !k.skeleton.keeps_count()),
                others.any(|k| k.gathers.iter().any(|&n| g.ty(n).dim == def.into)),
            ),
            None => (true, false),
        };
        let (numbered, coded) = (def.group_ids && numbered, def.group_ids && coded);
        Ok(Group {
            into: def.into,
            lean: lean.map(|l| (l, columns)),
            feed: Feed::new(&given, &def.masks, keys.nodes(), &layout.args)?,
            ids: if numbered { Some(Feed::new(&given, &def.masks, keys.nodes(), &[])?) } else { None },
            coded,
            results: def.results.iter().map(|&n| (n, Repr::of(g, n).width())).collect(),
            tail: if tails.is_empty() { None } else { Some(Map::over(&tail, &tails)?) },
            writes: def.writes.clone(),
            keys,
            aggs,
            layout,
        })
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        if self.ids.is_none() && !self.coded && self.results.is_empty() {
            // Scans find a row's list by its code.
            return Ok(());
        }
        let (count, outs, ids, codes) = {
            let packing = self.keys.pack(env, rows)?;
            let layout = self.layout(env)?;
            let mut ids = Buf::<i32>::stale(if self.ids.is_some() { rows } else { 0 });
            if packing.is_none() || !self.feed.is_whole() {
                par::each(ids.make_mut().chunks_mut(CHUNK).collect(), || (), |(), ids| ids.fill(-1));
            }
            let groups = match &packing {
                Some(packing) => {
                    let kept = self.ids.is_some() && packing.domain.is_some();
                    let ids = kept.then(|| Sink::new(ids.make_mut()));
                    self.group(Job { env, feed: &self.feed, layout, packing, rows, ids })?
                }
                None => vec![],
            };
            let count: usize = groups.iter().map(|g| g.words.len() / layout.start.len()).sum();
            let outs = self.finish(env, layout, packing.as_ref(), &groups, count)?;
            if let (Some(feed), Some(packing)) = (&self.ids, &packing) {
                number(env, feed, packing, &groups, ids.make_mut())?;
            }
            let codes = match &packing {
                Some(packing) if self.coded => packing.codes(&groups),
                _ => vec![],
            };
            (count, outs, ids, codes)
        };
        for (&(node, width), out) in self.results.iter().zip(outs) {
            env.vectors.insert(node, Elements::of_bytes(env.graph.ty(node).kind, width, out));
        }
        env.groups.insert(self.into, count);
        if self.ids.is_some() {
            env.ids.insert(self.into, ids);
        }
        if self.coded {
            env.codes.insert(self.into, codes);
        }
        if let Some(tail) = &self.tail {
            tail.run(env, count)?;
        }
        for (node, _) in self.results.iter().filter(|(n, _)| !self.writes.contains(n)) {
            env.vectors.remove(node);
        }
        Ok(())
    }

    /// The groups in order, by the strategy that the keys' domain allows.
    fn group(&self, job: Job) -> Result<Vec<Groups>> {
        let Job { layout, packing, rows, .. } = job;
        let stride = layout.start.len();
        let slots = (part::CACHED / (stride * 8)).max(1).next_power_of_two();
        match packing.domain {
            Some(domain) if direct::suits(rows, domain, stride) => direct::group(job, domain),
            Some(domain) => part::spans(job, domain, slots.trailing_zeros()),
            None => {
                // About as many rows a partition as a table in the cache has slots.
                let bits = (rows / slots.min(CHUNK)).next_power_of_two().trailing_zeros().min(10);
                match part::ranges(job, bits)? {
                    Some(groups) => Ok(groups),
                    None => Ok(sort(part::hashes(job, bits)?, packing.words, stride)),
                }
            }
        }
    }

    /// The results' elements.
    fn finish(
        &self,
        env: &Env,
        layout: &Layout,
        packing: Option<&Packing>,
        groups: &[Groups],
        count: usize,
    ) -> Result<Vec<Buf<u8>>> {
        let mut outs: Vec<Buf<u8>> = self.results.iter().map(|r| Buf::stale(count * r.1)).collect();
        let Some(packing) = packing else { return Ok(outs) };
        let large = outs.iter().map(|out| out.len()).sum::<usize>() >= stream::LARGE;
        let stride = layout.start.len();
        let mut tasks: Vec<(&Groups, Vec<&mut [u8]>)> = groups.iter().map(|g| (g, vec![])).collect();
        for (out, (_, width)) in outs.iter_mut().zip(&self.results) {
            let parts = par::split(out.make_mut(), groups.iter().map(|g| g.words.len() / stride * width));
            tasks.iter_mut().zip(parts).for_each(|(task, part)| task.1.push(part));
        }
        par::each(
            tasks,
            || Slot::new(TILE, 16),
            |scratch, (groups, parts)| {
                for (&(node, width), part) in self.results.iter().zip(parts) {
                    let agg = self.aggs.iter().find(|a| a.node == node);
                    let key = match env.graph.nodes[node].op {
                        Op::Key(i) => Some(i as usize),
                        _ => None,
                    };
                    let write = |numbers: &[u64], words: &[u64], out: &mut [u8]| match (key, agg) {
                        (Some(i), _) => packing.keys(i, numbers, out),
                        (_, Some(agg)) => layout.finish(agg, words, width, out),
                        _ => {}
                    };
                    let tiles =
                        groups.numbers.chunks(TILE * packing.words).zip(groups.words.chunks(TILE * stride));
                    for ((numbers, words), out) in tiles.zip(part.chunks_mut(TILE * width)) {
                        if !large {
                            write(numbers, words, out);
                            continue;
                        }
                        let done = &mut scratch.bytes_mut()[..out.len()];
                        write(numbers, words, done);
                        stream::copy(done, out);
                    }
                }
                stream::fence();
            },
        );
        Ok(outs)
    }

    /// The cells of a run: without counts of what has no null.
    fn layout(&self, env: &Env) -> Result<&Layout> {
        let Some((lean, counted)) = &self.lean else { return Ok(&self.layout) };
        for &column in counted {
            if env.launch.inputs[column.as_u32() as usize].stats()?.nulls > 0 {
                return Ok(&self.layout);
            }
        }
        Ok(lean)
    }
}

/// The column whose nulls are those of `n`: itself, or what it casts.
fn column(g: &Graph, n: Node) -> Option<Col> {
    match g.nodes[n].op {
        Op::Col(c) => Some(c),
        // Every cast of a number to a float keeps nulls and makes none.
        Op::Cast if g.ty(n).kind == Kind::Float => {
            let from = g.nodes[n].args[0];
            matches!(g.ty(from).kind.store(), Store::H | Store::I | Store::J | Store::E | Store::F)
                .then(|| column(g, from))?
        }
        Op::Keep => column(g, g.nodes[n].args[0]),
        _ => None,
    }
}

/// Groups of hashed partitions in the order of their keys, in parts of a chunk each.
fn sort(groups: Vec<Groups>, words: usize, stride: usize) -> Vec<Groups> {
    let mut numbers = vec![];
    let mut cells = vec![];
    for part in &groups {
        numbers.extend_from_slice(&part.numbers);
        cells.extend_from_slice(&part.words);
    }
    let rest = |i: u32| &numbers[i as usize * words + 1..][..words - 1];
    let mut order: Vec<(u64, u32)> = numbers.iter().copied().step_by(words).zip(0..).collect();
    order.par_sort_unstable();
    if words > 1 {
        // The first number holds the major keys, so few groups share it.
        let same = order.chunk_by_mut(|a, b| a.0 == b.0);
        same.filter(|run| run.len() > 1).for_each(|run| run.sort_unstable_by_key(|g| rest(g.1)));
    }
    let pick = |order: &[(u64, u32)], items: &[u64], width: usize| -> Buf<u64> {
        order.iter().flat_map(|&(_, i)| &items[i as usize * width..][..width]).copied().collect()
    };
    let parts = order.chunks(CHUNK).collect();
    par::each(
        parts,
        || (),
        |(), order| Groups { numbers: pick(order, &numbers, words), words: pick(order, &cells, stride) },
    )
}

/// Writes the group number of every row that passes to `ids`, where its packed number is if that has a slot.
fn number(env: &Env, feed: &Feed, packing: &Packing, groups: &[Groups], ids: &mut [i32]) -> Result<()> {
    let numbers = groups.iter().flat_map(|g| g.numbers.iter()).copied();
    let Some(domain) = packing.domain else {
        let index = Numbers::of(numbers.collect(), packing.words);
        let bound = feed.bind(env)?;
        let tasks: Vec<_> = par::chunks(ids.len()).into_iter().zip(ids.chunks_mut(CHUNK)).collect();
        par::each(
            tasks,
            || feed.feeder::<u64>(&bound, packing),
            |feeder, (chunk, ids)| {
                for (at, ids) in chunk.step_by(TILE).zip(ids.chunks_mut(TILE)) {
                    let id = |numbers: &[&[u64]], i: usize| index.find(numbers, i).map_or(-1, |id| id as i32);
                    feeder.tile(at, ids.len(), |passing, numbers, _| passing.place(ids, |i| id(numbers, i)));
                }
            },
        );
        return Ok(());
    };
    if groups.iter().map(|g| g.numbers.len()).sum::<usize>() < domain {
        // The last is of rows that do not pass.
        let mut direct = vec![-1i32; domain + 1];
        numbers.zip(0..).for_each(|(number, id)| direct[number as usize] = id);
        let id = |number: i32| direct[(number as u32 as usize).min(domain)];
        let tasks = ids.chunks_mut(CHUNK).collect();
        par::each(tasks, || (), |(), ids: &mut [i32]| ids.iter_mut().for_each(|out| *out = id(*out)));
    }
    Ok(())
}
