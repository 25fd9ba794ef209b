//! The Select skeleton: the median of each list, by selection and not by a sort.

use super::super::env::Env;
use super::super::fold::word;
use super::super::program::bug;
use super::scan::cast;
use crate::column::Elements;
use compiler::ir::{Dim, Node};
use compiler::plan::KernelDef;
use q::scalar::{Item, Key};
use q::value::Data;
use q::{Buf, Result};
use rayon::prelude::*;

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
            let of = |at: &[usize]| median(&mut x[at[0]..at[1]].to_vec());
            let medians: Vec<f64> = starts.par_windows(2).map(of).collect();
            done.push((node, medians));
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

/// The mean of the two middle items in sorted order, nulls first: a null in the middle leaves the other one.
fn median(x: &mut [f64]) -> f64 {
    let n = x.len();
    if n == 0 {
        return f64::NAN;
    }
    let (below, &mut high, _) = x.select_nth_unstable_by_key(n / 2, |x| x.key());
    let low = match n % 2 {
        1 => high,
        _ => below.iter().copied().fold(f64::NAN, |x, y| if x.before(y) { y } else { x }),
    };
    match (low.is_nan(), high.is_nan()) {
        (true, _) => 0.0 + high,
        (_, true) => 0.0 + low,
        _ => (0.0 + low + high) / 2.0,
    }
}
