//! The seam between plans and machines: one trait, an engine a file.

mod bytes;
pub mod cpu;
#[allow(unsafe_code)]
pub mod cuda;
pub mod launcher;
#[allow(unsafe_code)]
pub mod nvrtc;
pub mod rows;
pub mod sim;

use crate::cache::Counts;
use crate::column::{Column, Domain};
use compiler::plan::Plan;
use q::value::{Atom, Data};
use q::{Buf, Result};
use std::any::Any;
use std::sync::Arc;

/// A parameter as an engine gets it, made by the launch from literals, variables and domains.
#[derive(Clone, Debug)]
pub enum Arg {
    /// One element, of the parameter's kind; a symbol's code (`Source::Code`) arrives as an int or long.
    Atom(Atom),
    /// A table or list: ranks, remaps, items.
    List(Data),
    /// A membership set of order keys, sorted and distinct (see `q::scalar`'s keys).
    Keys(Buf<u64>),
    /// A membership set of a domain's codes: `bits[code]` is 0 or 1.
    Bits(Buf<u8>),
}

/// The inputs of one run.
#[derive(Debug)]
pub struct Launch<'a> {
    /// A column for each of the graph's inputs.
    pub inputs: &'a [Column],
    /// An argument for each of the graph's parameters.
    pub args: &'a [Arg],
    /// A domain for each of the schema's domain ids.
    pub domains: &'a [Arc<Domain>],
    /// Rows of the table (the graph may have no inputs where only `count i` is asked).
    pub rows: usize,
}

/// What a run gives: a column or an atom for each of the plan's outputs.
#[derive(Clone, Debug)]
pub enum Output {
    /// A vector.
    Column(Column),
    /// An atom; symbols as symbols.
    Atom(Atom),
}

/// A plan made ready by an engine.
pub type Module = Box<dyn Any + Send + Sync>;

/// An engine.
pub trait Device: Send + Sync {
    /// `cpu`, `cuda` or `sim`.
    fn name(&self) -> &'static str;
    /// Makes a plan ready: compiles its text where the engine runs text.
    fn load(&self, plan: &Plan) -> Result<Module>;
    /// Runs a plan; `module` is what `load` made of it.
    fn run(&self, plan: &Plan, module: &Module, launch: &Launch) -> Result<Vec<Output>>;
    /// Brings a column to where the engine's queries read it, if that is another place than the host.
    fn admit(&self, _: &Column) -> Result<()> {
        Ok(())
    }
    /// The stable order of the rows of columns of one count: by the first, where that is equal by the next, and so
    /// on, each ascending (nulls first) or descending; of the first `front` places only, where that is given. Row
    /// numbers, as longs.
    fn order(&self, by: &[(&Column, bool)], front: Option<usize>) -> Result<Column> {
        rows::order(by, front)
    }
    /// The items of each column at the rows `at`, longs; null where there is no such row.
    fn gather(&self, columns: &[&Column], at: &Column) -> Result<Vec<Column>> {
        rows::gather(columns, at)
    }
    /// `n` items of each column from item `first` on, over and over; nulls where there are none.
    fn take(&self, columns: &[&Column], first: usize, n: usize) -> Result<Vec<Column>> {
        rows::take(columns, first, n)
    }
    /// Waits until all that the engine was given is done.
    fn sync(&self) -> Result<()> {
        Ok(())
    }
    /// How the modules that the engine shares between plans and sessions were found; zeros where it has none.
    fn modules(&self) -> Counts {
        Counts::default()
    }
}
