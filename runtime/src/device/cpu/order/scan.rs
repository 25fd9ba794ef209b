//! The Scan skeleton: running, shifted, moving and sorted items, each written at its row.

use super::super::env::Env;
use super::super::filter::Filter;
use super::super::fold::element;
use super::super::program::{Given, bug};
use super::super::repr::{Repr, codes, with_width};
use super::super::scatter::Sink;
use super::fold::{Join, later};
use super::runs::runs;
use super::steps::steps;
use super::walk::{Ids, Lists};
use super::{member, rank, window};
use crate::column::Elements;
use bytemuck::Pod;
use compiler::ir::scan::descends;
use compiler::ir::{Dim, Graph, Node, Op};
use compiler::plan::KernelDef;
use q::scalar::Item;
use q::{Buf, Kind, Prim, Result, Store};

/// A Scan kernel made ready.
pub struct Scan {
    /// The groups whose rows are the lists; none where all rows that pass are one.
    groups: Option<Dim>,
    filter: Option<Filter>,
    nodes: Vec<Node>,
}

impl Scan {
    /// Prepares the kernel.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<Scan> {
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        let filter = if def.masks.is_empty() { None } else { Some(Filter::new(&given, &def.masks)?) };
        Ok(Scan { groups: def.lists, filter, nodes: def.results.clone() })
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        let bits = match &self.filter {
            Some(filter) => Some(filter.run(env, rows)?.0),
            None => None,
        };
        let mut done = vec![];
        {
            let lists = match (self.groups, &bits) {
                (Some(d), _) => lists(env, d)?,
                (None, Some(bits)) => Lists::Some(rows, bits),
                (None, None) => Lists::All(rows),
            };
            for &node in &self.nodes {
                let width = Repr::of(env.graph, node).width();
                let mut out = Buf::<u8>::stale(rows * width);
                scan(env, node, &lists, out.make_mut())?;
                done.push((node, Elements::of_bytes(env.graph.ty(node).kind, width, out)));
            }
        }
        env.vectors.extend(done);
        Ok(())
    }
}

/// The lists of the groups `d`.
fn lists<'a>(env: &'a Env, d: Dim) -> Result<Lists<'a>> {
    let Some(key) = codes(env.graph, d) else {
        let ids = env.ids.get(&d).ok_or_else(|| bug(format!("the groups of {d} have no numbers")))?;
        return Ok(Lists::Groups(Ids::Numbers(ids), env.rows(d)?));
    };
    let domain = env.graph.ty(key).domain.ok_or_else(|| bug(format!("the codes {key} have no domain")))?;
    let ids = match env.elements(key)? {
        (codes, 1) => Ids::Codes8(codes),
        (codes, _) => Ids::Codes16(cast(codes)),
    };
    Ok(Lists::Groups(ids, env.launch.domains[domain.0 as usize].len()))
}

/// Writes the scan `node` at the rows of `lists`.
fn scan(env: &Env, node: Node, lists: &Lists, out: &mut [u8]) -> Result<()> {
    let g = env.graph;
    let def = &g.nodes[node];
    if let Op::Steps(step, _) = def.op {
        return steps(env, node, &g.steps[step as usize], lists, out);
    }
    let Op::Scan(p, _) = def.op else { return Err(bug(format!("{node} is no scan"))) };
    let vector = |i: usize| env.elements(def.args[i]).map(|(bytes, _)| bytes);
    let atom = |i: usize| env.atom(def.args[i]);
    let kind = def.args.first().map_or(Kind::Long, |&a| g.ty(a).kind);
    match p {
        Prim::Til => {
            let count = |before, after| before + after;
            // What has no items has places.
            let places = vec![(); out.len() / size_of::<i64>()];
            lists.scan(
                &places,
                false,
                (0i64, Some(&count)),
                |next, ()| next + 1,
                |_, next, _| next,
                cast_mut(out),
            );
        }
        Prim::Xprev => {
            let width = Repr::of(g, def.args[0]).width();
            let n: i64 = element(&atom(1)?);
            let none = atom(2)?;
            with_width!(width, T => {
                window::shift::<T>(lists, cast(vector(0)?), n, element(&none), cast_mut(out));
            });
        }
        Prim::Fill => fill(lists, kind, Repr::of(g, def.args[0]), vector(0)?, out),
        Prim::Differ => differ(lists, Repr::of(g, def.args[0]), vector(0)?, out),
        Prim::Rank => rank::rank(lists, kind, vector(0)?, cast_mut(out)),
        _ if let Some(descending) = descends(p) => {
            let width = Repr::of(g, def.args[1]).width();
            let order = rank::order(lists, kind, descending, vector(0)?);
            with_width!(width, T => order.place::<T>(cast(vector(1)?), cast_mut(out)));
        }
        Prim::In => {
            let (x, set) = (Repr::of(g, def.args[0]), Repr::of(g, def.args[1]));
            member::member(lists, (x, vector(0)?), (set, vector(1)?), cast_mut(out))?;
        }
        Prim::Reverse => {
            let width = Repr::of(g, def.args[0]).width();
            with_width!(width, T => rank::reverse::<T>(lists, cast(vector(0)?), cast_mut(out)));
        }
        Prim::Ident => {
            let width = Repr::of(g, def.args[0]).width();
            with_width!(width, T => align::<T>(lists, cast(vector(0)?), cast_mut(out))?);
        }
        Prim::Ema => {
            let x: &[f64] = cast(vector(0)?);
            let share = def.args[1];
            match g.ty(share).dim {
                Dim::ONE => {
                    let share: f64 = element(&env.atom(share)?);
                    ema(lists, x, |_| share, cast_mut(out));
                }
                _ => {
                    let shares: &[f64] = cast(vector(1)?);
                    ema(lists, x, |row| shares[row], cast_mut(out));
                }
            }
        }
        Prim::Avgs => {
            let x: &[f64] = cast(vector(0)?);
            fold(
                lists,
                x,
                (0.0, 0u64),
                None,
                |(sum, n), x| if x.is_nan() { (sum, n) } else { (sum + x, n + 1) },
                |(sum, n)| window::shared(sum, n as f64),
                cast_mut(out),
            );
        }
        Prim::Msum | Prim::Mavg | Prim::Mdev | Prim::Mcount | Prim::Mmin | Prim::Mmax => {
            let n: i64 = element(&atom(1)?);
            window::window(lists, p, kind, n.max(0) as usize, vector(0)?, out)?;
        }
        Prim::Add | Prim::Mul | Prim::Lesser | Prim::Greater => running(lists, p, kind, vector(0)?, out)?,
        _ => return Err(bug(format!("{} is no scan", p.row().text))),
    }
    Ok(())
}

/// Bytes as elements.
pub fn cast<T: Pod>(bytes: &[u8]) -> &[T] {
    // The memory of nothing has no alignment.
    if bytes.is_empty() { &[] } else { bytemuck::cast_slice(bytes) }
}

/// Bytes as elements, for writing.
pub fn cast_mut<T: Pod>(bytes: &mut [u8]) -> &mut [T] {
    if bytes.is_empty() { &mut [] } else { bytemuck::cast_slice_mut(bytes) }
}

/// The folds of every prefix of every list, as `show` gives them; `join` as for [`Lists::scan`].
fn fold<T: Pod + Sync, S: Copy + Sync + Send, U: Pod + Send + Sync>(
    lists: &Lists,
    x: &[T],
    start: S,
    join: Option<Join<S>>,
    step: impl Fn(S, T) -> S + Sync + Send,
    show: impl Fn(S) -> U + Sync + Send,
    out: &mut [U],
) {
    lists.scan(x, false, (start, join), step, |_, _, at| show(at), out);
}

/// Sums, products and extremes; those of floats are not `exact`, another in another order. A real's sum is kept as a float and rounded for each row.
fn running(lists: &Lists, p: Prim, kind: Kind, x: &[u8], out: &mut [u8]) -> Result<()> {
    fn whole<T: Item>(
        lists: &Lists,
        x: &[u8],
        (start, exact): (T, bool),
        f: impl Fn(T, T) -> T + Sync + Send,
        out: &mut [u8],
    ) {
        let step = |at: T, x: T| if x.is_null() { at } else { f(at, x) };
        fold(lists, cast::<T>(x), start, exact.then_some(&f as Join<T>), step, |at| at, cast_mut(out));
    }
    fn most<T: Item>(lists: &Lists, p: Prim, x: &[u8], low: T, high: T, out: &mut [u8]) {
        match p {
            Prim::Lesser => whole(lists, x, (high, true), |at: T, x| if x.before(at) { x } else { at }, out),
            _ => whole(lists, x, (low, true), |at: T, x| if at.before(x) { x } else { at }, out),
        }
    }
    fn real(lists: &Lists, x: &[u8], start: f64, f: impl Fn(f64, f64) -> f64 + Sync + Send, out: &mut [u8]) {
        let step = |at: f64, x: f32| if x.is_nan() { at } else { f(at, x as f64) };
        fold(lists, cast::<f32>(x), start, None, step, |at| at as f32, cast_mut(out));
    }
    match (p, kind.store()) {
        (Prim::Add, Store::I) => whole(lists, x, (0, true), i32::wrapping_add, out),
        (Prim::Add, Store::J) => whole(lists, x, (0, true), i64::wrapping_add, out),
        (Prim::Add, Store::E) => real(lists, x, 0.0, |at, x| at + x, out),
        (Prim::Add, Store::F) => whole(lists, x, (0.0, false), |at: f64, x| at + x, out),
        (Prim::Mul, Store::I) => whole(lists, x, (1, true), i32::wrapping_mul, out),
        (Prim::Mul, Store::J) => whole(lists, x, (1, true), i64::wrapping_mul, out),
        (Prim::Mul, Store::E) => real(lists, x, 1.0, |at, x| at * x, out),
        (Prim::Mul, Store::F) => whole(lists, x, (1.0, false), |at: f64, x| at * x, out),
        (Prim::Lesser | Prim::Greater, store) => match store {
            Store::B => most(lists, p, x, 0u8, u8::MAX, out),
            Store::H => most(lists, p, x, -i16::MAX, i16::MAX, out),
            Store::I => most(lists, p, x, -i32::MAX, i32::MAX, out),
            Store::J => most(lists, p, x, -i64::MAX, i64::MAX, out),
            Store::E => most(lists, p, x, f32::NEG_INFINITY, f32::INFINITY, out),
            Store::F => most(lists, p, x, f64::NEG_INFINITY, f64::INFINITY, out),
            Store::G | Store::S => return Err(bug("an extreme of what has no order")),
        },
        _ => return Err(bug(format!("{} of {} is no scan", p.row().text, kind.name()))),
    }
    Ok(())
}

/// The last item that is not null.
fn fill(lists: &Lists, kind: Kind, repr: Repr, x: &[u8], out: &mut [u8]) {
    fn by<T: Pod + Send + Sync>(
        lists: &Lists,
        x: &[u8],
        start: T,
        null: impl Fn(T) -> bool + Sync + Send,
        out: &mut [u8],
    ) {
        let step = |at, x| if null(x) { at } else { x };
        fold(lists, cast::<T>(x), start, Some(&step), step, |at| at, cast_mut(out));
    }
    fn of<T: Item>(lists: &Lists, x: &[u8], out: &mut [u8]) {
        by(lists, x, T::NULL, T::is_null, out);
    }
    match repr {
        // Code 0 is the null symbol.
        Repr::Codes8 => by(lists, x, 0u8, |x| x == 0, out),
        Repr::Codes16 => by(lists, x, 0u16, |x| x == 0, out),
        Repr::Plain(Store::S) => by(lists, x, 0u32, |x| x == 0, out),
        Repr::Plain(Store::B) if kind == Kind::Char => {
            by(lists, x, q::scalar::BLANK, |x| x == q::scalar::BLANK, out);
        }
        Repr::Plain(Store::B) => by(lists, x, 0u8, |_| false, out),
        Repr::Plain(Store::G) => of::<q::value::Guid>(lists, x, out),
        Repr::Plain(Store::H) => of::<i16>(lists, x, out),
        Repr::Plain(Store::I) => of::<i32>(lists, x, out),
        Repr::Plain(Store::J) => of::<i64>(lists, x, out),
        Repr::Plain(Store::E) => of::<f32>(lists, x, out),
        Repr::Plain(Store::F) => of::<f64>(lists, x, out),
    }
}

/// Is it the first, or unequal to the one before?
fn differ(lists: &Lists, repr: Repr, x: &[u8], out: &mut [u8]) {
    fn by<T: Pod + Send + Sync>(
        lists: &Lists,
        x: &[u8],
        equal: impl Fn(T, T) -> bool + Sync + Send,
        out: &mut [u8],
    ) {
        let x = cast::<T>(x);
        if let Lists::All(_) = lists {
            let changes = |x: &[T], known: usize, out: &mut [u8]| {
                let change = |i: usize| (i == 0 || !equal(x[i - 1], x[i])) as u8;
                (known..).zip(out).for_each(|(i, out)| *out = change(i));
            };
            return runs(lists, x, 1, changes, out);
        }
        let change = |x: T, before: Option<T>, _| before.is_none_or(|before| !equal(before, x)) as u8;
        lists.scan(x, false, (None, Some(&later)), |_, x| Some(x), change, out);
    }
    match repr {
        Repr::Codes8 | Repr::Plain(Store::B) => by(lists, x, |x: u8, y| x == y, out),
        Repr::Codes16 => by(lists, x, |x: u16, y| x == y, out),
        Repr::Plain(Store::S) => by(lists, x, |x: u32, y| x == y, out),
        Repr::Plain(Store::G) => by(lists, x, |x: q::value::Guid, y| x == y, out),
        Repr::Plain(Store::H) => by(lists, x, |x: i16, y| x == y, out),
        Repr::Plain(Store::I) => by(lists, x, |x: i32, y| x == y, out),
        Repr::Plain(Store::J) => by(lists, x, |x: i64, y| x == y, out),
        Repr::Plain(Store::E) => by(lists, x, f32::equal, out),
        Repr::Plain(Store::F) => by(lists, x, f64::equal, out),
    }
}

/// Each item moves the average towards itself by its share. A null stays in all that follow.
fn ema(lists: &Lists, x: &[f64], share: impl Fn(usize) -> f64 + Sync + Send, out: &mut [f64]) {
    let out = Sink::new(out);
    lists.walk(
        false,
        |range| vec![None; range.len()],
        |states, list, row| {
            let now = states[list].map_or(x[row], |at: f64| at + share(row) * (x[row] - at));
            states[list] = Some(now);
            out.put(row, now);
        },
    );
}

/// Item k of `items` at row k of each list; `'length` unless all lists have their count.
fn align<T: Pod + Send + Sync>(lists: &Lists, items: &[T], out: &mut [T]) -> Result<()> {
    // Of groups those without rows are none.
    let none = |n: usize| n == 0 && matches!(lists, Lists::Groups(..));
    if lists.counts().iter().any(|&n| n != items.len() && !none(n)) {
        return q::error::length_error();
    }
    let count = |before, after| before + after;
    let places = vec![(); out.len()];
    lists.scan(&places, false, (0, Some(&count)), |next, ()| next + 1, |_, next, _| items[next], out);
    Ok(())
}
