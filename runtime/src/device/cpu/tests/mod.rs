//! The engine against plain code, on the sizes where tiles, chunks and lines end. Plans come from graphs in
//! their textual form.

mod groups;
mod loops;
mod zones;

use super::Cpu;
use crate::column::{Column, Domain, Elements};
use crate::device::{Arg, Device, Launch, Output};
use compiler::ir::parse_text::parse_graph;
use q::value::{Atom, Data, Elem};
use q::{Buf, Kind};
use std::sync::Arc;

/// Sizes at which a line, a tile or a chunk ends, just before and just after.
pub const SIZES: [usize; 14] =
    [0, 1, 63, 64, 1023, 1024, 1025, 2047, 2048, 2049, 65_535, 65_536, 65_537, 200_000];

/// A column of plain elements.
pub fn column<T: Elem>(kind: Kind, items: impl IntoIterator<Item = T>) -> Column {
    let data = T::data(items.into_iter().collect::<Vec<T>>().into());
    Column::new(kind, Elements::Plain(data), None)
}

/// An atom argument.
pub fn atom<T: Elem>(kind: Kind, x: T) -> Arg {
    Arg::Atom(Atom::new(kind, x))
}

/// Runs the graph that `text` shows.
pub fn run(text: &str, inputs: &[Column], args: &[Arg], rows: usize) -> Vec<Output> {
    let graph = parse_graph(text).expect("the test's graph reads");
    let plan = compiler::plan::build(graph, 0).expect("the test's graph has a plan");
    let domains: Vec<Arc<Domain>> = inputs.iter().filter_map(|c| c.domain.clone()).collect();
    // The plan may ask for the ranks of its keys' domains.
    let mut args = args.to_vec();
    for def in plan.graph.params.values().skip(args.len()) {
        match def.source {
            compiler::ir::Source::Ranks(d) => {
                args.push(Arg::List(Data::I(domains[d.0 as usize].ranks.clone())))
            }
            _ => panic!("an argument is missing"),
        }
    }
    let module = Cpu.load(&plan).expect("the plan loads");
    let launch = Launch { inputs, args: &args, domains: &domains, rows };
    Cpu.run(&plan, &module, &launch).expect("the plan runs")
}

/// The elements of a result.
pub fn items<T: Elem>(output: &Output) -> Vec<T> {
    match output {
        Output::Column(c) => match c.elements().expect("they are on the host") {
            Elements::Plain(data) => {
                T::of_data(data).expect("the result is stored as the test says").to_vec()
            }
            Elements::Codes8(codes) => bytemuck::cast_slice::<u8, T>(codes).to_vec(),
            other => panic!("plain elements, not {other:?}"),
        },
        other => panic!("a column, not {other:?}"),
    }
}

/// The element of a result that is an atom.
pub fn only<T: Elem>(output: &Output) -> T {
    match output {
        Output::Atom(atom) => atom.elem().expect("the result is stored as the test says"),
        other => panic!("an atom, not {other:?}"),
    }
}

/// Pseudo-random numbers, the same in every run.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// The next number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.word() % n
    }

    /// Longs around zero; one in 16 is null.
    pub fn longs(&mut self, n: usize) -> Vec<i64> {
        (0..n).map(|_| if self.below(16) == 0 { i64::MIN } else { self.below(2001) as i64 - 1000 }).collect()
    }

    /// Dyadic floats around zero, so that sums are exact in any order; one in 16 is null.
    pub fn floats(&mut self, n: usize) -> Vec<f64> {
        (0..n)
            .map(|_| if self.below(16) == 0 { f64::NAN } else { (self.below(4001) as f64 - 2000.0) / 8.0 })
            .collect()
    }
}

/// Floats by their bits, every NaN alike.
pub fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

/// A buffer of what `items` yields.
pub fn buf<T: bytemuck::Pod>(items: &[T]) -> Buf<T> {
    Buf::from_slice(items)
}
