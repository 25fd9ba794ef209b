//! The Select skeleton: the median of each list, by selection and not by a sort.

use super::super::env::Env;
use super::super::fold::word;

use super::super::loops::fill1;
use super::super::par;
use super::super::program::bug;
use super::super::repr::of_key;
use super::nth::Room;
use super::scan::cast;
use crate::column::Elements;
use compiler::ir::{Dim, Node};
use compiler::plan::KernelDef;
use q::scalar::Key;
use q::value::Data;
use q::{Buf, Result, Store};

/// A Select kernel made ready.
pub struct Select {
    lists: Dim,
    into: Dim,
    nodes: Vec<Node>,
}

impl Select {
    /// Prepares the kernel.
    pub fn new(def: &KernelDef) -> Select {
        Select { lists: def.over, into: def.into, nodes: def.results.clone() }
    }

    /// Runs over all lists.
    pub fn run(&self, env: &mut Env) -> Result<()> {
        let starts =
            env.starts.get(&self.lists).ok_or_else(|| bug(format!("{} is not known yet", self.lists)))?;
        let mut done = vec![];
        for &node in &self.nodes {
            let x: &[f64] = cast(env.elements(env.graph.nodes[node].args[0])?.0);
            let lists = par::ranges(starts.len() - 1, LISTS);
            let medians = par::each(lists, Room::default, |room, lists| {
                let lists = lists.map(|list| &x[starts[list]..starts[list + 1]]);
                lists.map(|list| median(list, room)).collect::<Vec<f64>>()
            });
            done.push((node, medians.concat()));
        }
        for (node, medians) in done {
            match self.into {
                Dim::ONE => drop(env.atoms.insert(node, word(medians[0]))),
                _ => drop(env.vectors.insert(node, Elements::Plain(Data::F(Buf::from(medians))))),
            }
        }
        Ok(())
    }
}

/// Lists that a thread takes at once.
const LISTS: usize = 64;

/// The mean of the two middle items in sorted order, nulls first: a null in the middle leaves the other one.
fn median(x: &[f64], room: &mut Room) -> f64 {
    let n = x.len();
    if n == 0 {
        return f64::NAN;
    }
    fill1(|x: f64| x.key(), x, room.numbers(n));
    let [before, at] = room.pair(n, n / 2).map(|key| f64::from_bits(of_key(Store::F, key)));
    let low = if n % 2 == 1 { at } else { before };
    match (low.is_nan(), at.is_nan()) {
        (true, _) => 0.0 + at,
        (_, true) => 0.0 + low,
        _ => (0.0 + low + at) / 2.0,
    }
}
