//! Plan to CUDA C++: one translation unit, made of the templates that the plan uses and of what is written here;
//! and a second one of the entries that few runs launch, so that the others need not wait for its compilation.
//!
//! A kernel becomes a struct `K0` whose members are its arguments and whose methods are its per-row code, one
//! call an operation (`f64 v9 = mul_f(v0, v8);`), and one or more entries that hand it to a skeleton. The node
//! `n7` is `v7` as a value, and a pointer by what it is: `c7` a column, `g7` a value to gather, `j7` one to join,
//! `a7` an atom of an earlier kernel, `o7` an output. The parameter `p3` is `t3`, `m3` (length) as a table.
//!
//! A unit of a verified plan is complete, compiles without headers, and needs `--fmad=false`.

mod group;
mod kernel;
mod library;
mod list;
mod member;
mod packs;
mod places;
mod rows;
mod scan;
mod steps;

use crate::ir::{Dim, Node, Param};
use crate::plan::{Kernel, KernelDef, Plan};
use std::fmt::Write;

/// The CUDA C++ of a plan.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What stands before the plan's own code: the prelude, and the functions and skeletons that it uses.
    pub library: String,
    /// The plan's own code.
    pub code: String,
    /// The code of the entries that few runs launch, a unit of its own on the same library; empty if there are none.
    pub rare: String,
    /// The entries in launch order.
    pub entries: Vec<Entry>,
}

/// A `__global__` function and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name in the unit.
    pub name: String,
    /// The plan's kernel that it belongs to.
    pub kernel: Kernel,
    /// Its arguments in order.
    pub slots: Vec<Slot>,
    /// Does it stand in the rare unit?
    pub rare: bool,
}

/// An argument of an entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    /// How many rows the loop has: `i64`.
    Rows,
    /// The elements of a vector that is loaded.
    Load(Node),
    /// The elements of a value over groups, read by group number.
    Gather(Node),
    /// The groups of the rows for a `groups` dim: numbers or, where there are [`Slot::Places`], slots.
    Ids(Dim),
    /// The number of each slot's group, `i32`; a null pointer where the rows have numbers.
    Places(Dim),
    /// The items of a list parameter.
    Table(Param),
    /// How many items the list parameter has: `i64`.
    Length(Param),
    /// An atom that a parameter holds, by value.
    Atom(Node),
    /// One element: an atom that an earlier kernel wrote.
    Earlier(Node),
    /// The elements of a value over the results' dim, that an earlier kernel wrote.
    Join(Node),
    /// Where an output goes.
    Write(Node),
    /// Working memory that the skeleton's head comment describes, by its name there.
    Work(&'static str),
}

impl Unit {
    /// The whole text that most runs need.
    pub fn text(&self) -> String {
        format!("{}{}", self.library, self.code)
    }

    /// The whole text of the rare unit, to be compiled when one of its entries is first launched.
    pub fn rare_text(&self) -> String {
        format!("{}{}", self.library, self.rare)
    }

    /// The names of the entries of the rare unit, or of the other.
    pub fn names(&self, rare: bool) -> Vec<String> {
        self.entries.iter().filter(|e| e.rare == rare).map(|e| e.name.clone()).collect()
    }
}

/// The translation unit of a verified plan, and that of its rare entries.
pub fn emit(plan: &Plan) -> Unit {
    let mut unit =
        Unit { library: String::new(), code: String::new(), rare: String::new(), entries: Vec::new() };
    for (id, def) in plan.kernels.iter() {
        let dims = if def.into == def.over { String::new() } else { format!(" -> {}", def.into) };
        let _ = writeln!(unit.code, "// {id}: {} {}{dims}", def.skeleton.name(), def.over);
        kernel::emit(plan, id, &mut unit);
    }
    let files = plan.kernels.values().flat_map(|k| library::files(&plan.graph, k));
    let files: Vec<&str> = files.copied().collect();
    unit.library = library::of(&files, &unit.code);
    unit
}

/// How many words of 64 bits the key of a Group has.
pub fn key_words(graph: &crate::ir::Graph, def: &KernelDef) -> usize {
    group::words(graph, def).len().max(1)
}

/// The unit of a kernel that no plan is part of, one of the `ENTRY` of the templates: it needs nothing else, and
/// its text is the same for every plan. None where there is no such kernel.
pub fn common(name: &str) -> Option<String> {
    library::common(name)
}

/// The templates, by file name: all that a unit is made of. Each compiles alone.
pub fn templates() -> &'static [(&'static str, &'static str)] {
    library::FILES
}
