//! Tiles that a filter need not look at: what the least and greatest item of each ([`Zones`]) say of its masks.
//!
//! A comparison with an atom holds up to some item or from some item on, so its answers at both ends of a tile are
//! its answers between them. The comparisons run on the ends as they would on a column, casts, tolerance and all.

use super::env::Env;
use super::program::{Given, Program, bug};
use super::tile::{At, TILE};
use crate::device::Arg;
use crate::device::cpu::compare::turn;
use crate::zones::{ZONE, Zones};
use compiler::ir::{Col, Node, Op, Param};
use q::{Kind, Prim, Result, Store};

const _: () = assert!(TILE == ZONE, "a tile has one zone");

/// How many rows of a tile pass, as far as its zone says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tile {
    /// None does.
    None,
    /// Some may.
    Some,
    /// All do.
    All,
}

/// What zones are asked for a kernel's masks.
pub struct Skip {
    columns: Vec<Col>,
    /// The comparisons, over the ends of zones.
    program: Program,
    /// Where their results are.
    at: Vec<At>,
    test: Test,
}

/// A mask, or all of them.
enum Test {
    /// The comparison of that number, which holds up to some item.
    Upto(usize),
    /// The comparison of that number, which holds from some item on.
    From(usize),
    /// The column's items belong to a set.
    Member(Col, Param),
    Both(Box<[Test; 2]>),
    Either(Box<[Test; 2]>),
    Not(Box<Test>),
    /// Anything else.
    Unknown,
}

/// Finds the tests in masks.
struct Finder<'a> {
    given: &'a Given<'a>,
    columns: Vec<Col>,
    comparisons: Vec<(Prim, Node, Node)>,
}

/// The answers for a run: of each comparison for each zone, at its least and greatest item.
struct Ends<'a> {
    env: &'a Env<'a>,
    zones: Vec<(Col, &'a Zones)>,
    least: Vec<Vec<bool>>,
    most: Vec<Vec<bool>>,
    count: usize,
}

impl Skip {
    /// What zones may say of the rows at which all `masks` hold; none if nothing.
    pub fn new(given: &Given, masks: &[Node]) -> Result<Option<Skip>> {
        let mut finder = Finder { given, columns: vec![], comparisons: vec![] };
        let tests = masks.iter().map(|&mask| finder.test(mask)).collect::<Vec<_>>();
        let Some(test) = tests.into_iter().reduce(both).filter(|_| !finder.columns.is_empty()) else {
            return Ok(None);
        };
        let Finder { columns, comparisons, .. } = finder;
        let (program, at) = given.compare(&comparisons)?;
        Ok(Some(Skip { columns, program, at, test }))
    }

    /// What the zones of the run's columns say of each tile; nothing where one has none.
    pub fn tiles(&self, env: &Env) -> Result<Vec<Tile>> {
        let zones = |&c: &Col| Ok(env.launch.inputs[c.as_u32() as usize].zones()?.map(|zones| (c, zones)));
        let zones = self.columns.iter().map(zones).collect::<Result<Vec<_>>>()?;
        let Some(zones) = zones.into_iter().collect::<Option<Vec<_>>>() else { return Ok(vec![]) };
        let count = env.launch.rows.div_ceil(ZONE);
        let mut ends = Ends { env, zones, least: vec![], most: vec![], count };
        ends.least = ends.compared(self, |zones| zones.least.bytes())?;
        ends.most = ends.compared(self, |zones| zones.most.bytes())?;
        let tile = |(some, all)| match (some, all) {
            (false, _) => Tile::None,
            (true, false) => Tile::Some,
            (true, true) => Tile::All,
        };
        Ok(ends.passing(&self.test)?.into_iter().map(tile).collect())
    }
}

impl Finder<'_> {
    fn test(&mut self, mask: Node) -> Test {
        let mask = self.given.base(mask);
        let def = &self.given.graph.nodes[mask];
        match (def.op, &def.args[..]) {
            _ if self.given.loads.contains(&mask) => Test::Unknown,
            (Op::Map(p @ (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq)), &[x, y]) => {
                if self.atom(y) {
                    self.comparison(p, x, y)
                } else if self.atom(x) {
                    self.comparison(turn(p), y, x)
                } else {
                    Test::Unknown
                }
            }
            (Op::Map(Prim::Within), &[x, low, high]) if self.atom(low) && self.atom(high) => {
                both(self.comparison(Prim::Ge, x, low), self.comparison(Prim::Le, x, high))
            }
            (Op::Map(Prim::Lesser), &[x, y]) => both(self.test(x), self.test(y)),
            (Op::Map(Prim::Greater), &[x, y]) => Test::Either(Box::new([self.test(x), self.test(y)])),
            (Op::Map(Prim::Not), &[x]) => Test::Not(Box::new(self.test(x))),
            (Op::Member, &[x, set]) => {
                let x = self.given.base(x);
                match (self.given.graph.nodes[x].op, self.given.graph.nodes[set].op) {
                    (Op::Col(c), Op::Param(set)) if self.ordered(x) => {
                        self.ask(c);
                        Test::Member(c, set)
                    }
                    _ => Test::Unknown,
                }
            }
            _ => Test::Unknown,
        }
    }

    fn atom(&self, n: Node) -> bool {
        self.given.is_atom(self.given.base(n))
    }

    /// True for a column at hand whose items have an order.
    fn ordered(&self, n: Node) -> bool {
        let kind = self.given.graph.ty(n).kind;
        self.given.loads.contains(&n) && kind != Kind::Enum && kind.store() != Store::G
    }

    fn ask(&mut self, c: Col) {
        if !self.columns.contains(&c) {
            self.columns.push(c);
        }
    }

    /// The test that `p` makes of `x`, if it is a column or rises with one.
    fn comparison(&mut self, p: Prim, x: Node, atom: Node) -> Test {
        let Some(c) = self.column(x) else { return Test::Unknown };
        // The codes of symbols have no order but for equality.
        if self.given.graph.ty(x).kind == Kind::Sym && p != Prim::Eq {
            return Test::Unknown;
        }
        self.ask(c);
        let mut number = |p| {
            self.comparisons.push((p, x, atom));
            self.comparisons.len() - 1
        };
        match p {
            Prim::Lt | Prim::Le => Test::Upto(number(p)),
            Prim::Gt | Prim::Ge => Test::From(number(p)),
            // What is tolerantly equal is what is neither less nor greater.
            _ => both(Test::From(number(Prim::Ge)), Test::Upto(number(Prim::Le))),
        }
    }

    /// The column that `x` is, or that it casts in a way that keeps the order.
    fn column(&self, x: Node) -> Option<Col> {
        let x = self.given.base(x);
        let def = &self.given.graph.nodes[x];
        let number = |n: Node| {
            let kind = self.given.graph.ty(n).kind;
            matches!(kind, Kind::Short | Kind::Int | Kind::Long | Kind::Real | Kind::Float)
        };
        match def.op {
            Op::Col(c) if self.ordered(x) => Some(c),
            Op::Cast if number(x) && number(def.args[0]) => self.column(def.args[0]),
            _ => None,
        }
    }
}

impl Ends<'_> {
    /// The comparisons at one end of each zone.
    fn compared<'b>(
        &'b self,
        skip: &Skip,
        end: impl Fn(&'b Zones) -> Option<(&'b [u8], usize)>,
    ) -> Result<Vec<Vec<bool>>> {
        let load = |c: Col| {
            let zones = self.zones.iter().find(|(column, _)| *column == c);
            zones.and_then(|(_, zones)| end(zones)).ok_or_else(|| bug(format!("{c} has no zones")))
        };
        let bound = self.env.bind_columns(&skip.program, load)?;
        let mut frame = bound.frame(&skip.program);
        let mut out = vec![Vec::with_capacity(self.count); skip.at.len()];
        for from in (0..self.count).step_by(TILE) {
            frame.seek(from, TILE.min(self.count - from));
            skip.program.run(&mut frame);
            for (out, &at) in out.iter_mut().zip(&skip.at) {
                let holds = frame.src::<u8>(at);
                out.extend((0..frame.rows).map(|i| *holds.at(i) != 0));
            }
        }
        Ok(out)
    }

    /// Whether some rows of each zone may pass, and whether all do.
    fn passing(&self, test: &Test) -> Result<Vec<(bool, bool)>> {
        let pair = |some: &[bool], all: &[bool]| some.iter().copied().zip(all.iter().copied()).collect();
        let two = |tests: &[Test; 2], f: fn(bool, bool) -> bool| {
            let (x, y) = (self.passing(&tests[0])?, self.passing(&tests[1])?);
            Ok(x.iter().zip(&y).map(|(x, y)| (f(x.0, y.0), f(x.1, y.1))).collect())
        };
        match test {
            Test::Upto(i) => Ok(pair(&self.least[*i], &self.most[*i])),
            Test::From(i) => Ok(pair(&self.most[*i], &self.least[*i])),
            Test::Member(c, set) => self.members(*c, *set),
            Test::Both(tests) => two(tests, |x, y| x & y),
            Test::Either(tests) => two(tests, |x, y| x | y),
            Test::Not(test) => Ok(self.passing(test)?.into_iter().map(|(some, all)| (!all, !some)).collect()),
            Test::Unknown => Ok(vec![(true, false); self.count]),
        }
    }

    /// Whether the set has an item between the ends of each zone.
    fn members(&self, c: Col, set: Param) -> Result<Vec<(bool, bool)>> {
        let (_, zones) = self
            .zones
            .iter()
            .find(|(column, _)| *column == c)
            .ok_or_else(|| bug("no zones were asked for"))?;
        // How many of the set have a lesser key.
        let before: Box<dyn Fn(u64) -> usize> = match &self.env.launch.args[set.as_u32() as usize] {
            Arg::Keys(keys) => Box::new(|key| keys.partition_point(|&k| k < key)),
            Arg::Bits(bits) => {
                let mut sums = vec![0];
                sums.extend(bits.iter().scan(0, |sum, &bit| {
                    *sum += bit as usize;
                    Some(*sum)
                }));
                Box::new(move |code| sums[(code as usize).min(sums.len() - 1)])
            }
            _ => return Ok(vec![(true, false); self.count]),
        };
        let some = |&[low, high]: &[u64; 2]| before(low) < before(high.saturating_add(1));
        Ok(zones.keys.iter().map(|ends| (some(ends), false)).collect())
    }
}

fn both(x: Test, y: Test) -> Test {
    Test::Both(Box::new([x, y]))
}
