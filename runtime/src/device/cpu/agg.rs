//! Aggregates as cells: sums, counts and extremes that loops accumulate, and the formula that makes the result
//! of them. Whole-column and grouped aggregates share both; they differ in where the cells live.

use super::compensated::Compensated;
use super::fold::{element, word};
use compiler::ir::{Graph, Node, Op};
use q::scalar::Item;
use q::{Kind, Prim, Result, Store};

/// What a cell accumulates over the rows that count. A float sum is in the sum order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// How many rows.
    Rows,
    /// How many rows that are not null.
    Count(Node),
    /// The sum of what is not null: floats as `f64`, integers as wrapping `i64`.
    Sum(Node),
    /// The sum of the floats that are not null and, in a second word, what its additions rounded away.
    Compensated(Node),
    /// The product of what is not null: floats as `f64`, integers wrapping.
    Prd(Node),
    /// The least that is not null.
    Min(Node),
    /// The greatest that is not null.
    Max(Node),
    /// The first row's value.
    First(Node),
    /// The last row's value.
    Last(Node),
    /// The value of the first row whose second is true.
    FirstOf(Node, Node),
    /// The value of the last such row.
    LastOf(Node, Node),
    /// How many zeros.
    Zeros(Node),
    /// The sum of squared deviations from the mean.
    Squares(Node),
    /// How many pairs without a null.
    Pairs(Node, Node),
    /// The sum of the left sides of those pairs.
    Left(Node, Node),
    /// The sum of their right sides.
    Right(Node, Node),
    /// The sum of their products.
    Product(Node, Node),
    /// The sum of those products that are no NaN, which zero times infinity is.
    Term(Node, Node),
    /// The sum of the left sides' squared deviations.
    LeftSquares(Node, Node),
    /// The sum of the right sides' squared deviations.
    RightSquares(Node, Node),
    /// The sum of the products of their deviations.
    Cross(Node, Node),
}

/// A cell's final value: the bytes of an element in the first two words; of a first or last
/// row, the third says whether there was a row. Pairs are counted in floats, all else in longs.
pub type Total = [u64; 3];

/// Something the engine cannot do yet.
fn nyi(p: Prim) -> q::Error {
    q::Error::new("nyi").detail(format!("{} on the cpu engine", p.row().text))
}

impl Cell {
    /// The values that the cell reads.
    pub fn args(self) -> Vec<Node> {
        match self {
            Cell::Rows => vec![],
            Cell::Count(x) | Cell::Sum(x) | Cell::Prd(x) | Cell::Min(x) | Cell::Max(x) => vec![x],
            Cell::First(x) | Cell::Last(x) | Cell::Zeros(x) | Cell::Squares(x) | Cell::Compensated(x) => {
                vec![x]
            }
            Cell::Pairs(x, y) | Cell::Left(x, y) | Cell::Right(x, y) | Cell::Product(x, y) => vec![x, y],
            Cell::LeftSquares(x, y) | Cell::RightSquares(x, y) | Cell::Cross(x, y) | Cell::Term(x, y) => {
                vec![x, y]
            }
            Cell::FirstOf(x, some) | Cell::LastOf(x, some) => vec![x, some],
        }
    }

    /// The cells (sums, then their count) whose quotients this cell needs as means first.
    pub fn means(self) -> Option<([Cell; 2], Cell)> {
        match self {
            Cell::Squares(x) => Some(([Cell::Sum(x), Cell::Sum(x)], Cell::Count(x))),
            Cell::LeftSquares(x, y) | Cell::RightSquares(x, y) | Cell::Cross(x, y) => {
                Some(([Cell::Left(x, y), Cell::Right(x, y)], Cell::Pairs(x, y)))
            }
            _ => None,
        }
    }
}

/// An aggregate as its cells.
pub struct Agg {
    /// The aggregate's node.
    pub node: Node,
    /// Which.
    pub prim: Prim,
    /// The argument's storage (of the first).
    pub store: Store,
    /// The kind of the result.
    pub out: Kind,
    /// The cells that [`Agg::finish`] takes, in order.
    pub cells: Vec<Cell>,
}

impl Agg {
    /// The aggregate that `node` is; `base` finds where an argument's values are.
    pub fn new(g: &Graph, node: Node, base: impl Fn(Node) -> Node) -> Result<Agg> {
        let def = &g.nodes[node];
        let Op::Agg(prim) = def.op else {
            return Err(super::program::bug(format!("{node} is no aggregate")));
        };
        let args: Vec<Node> = def.args.iter().map(|&a| base(a)).collect();
        let cells = match (prim, args.as_slice()) {
            (Prim::Count, _) => vec![Cell::Rows],
            (Prim::Sum, &[x]) if g.is_compensated(node) => vec![Cell::Compensated(x)],
            (Prim::Sum, &[x]) => vec![Cell::Sum(x)],
            (Prim::Prd, &[x]) => vec![Cell::Prd(x)],
            (Prim::Min, &[x]) => vec![Cell::Min(x)],
            (Prim::Max, &[x]) => vec![Cell::Max(x)],
            (Prim::First, &[x]) => vec![Cell::First(x)],
            (Prim::Last, &[x]) => vec![Cell::Last(x)],
            (Prim::First, &[x, some]) => vec![Cell::FirstOf(x, some)],
            (Prim::Last, &[x, some]) => vec![Cell::LastOf(x, some)],
            (Prim::Avg, &[x]) => vec![Cell::Sum(x), Cell::Count(x)],
            (Prim::Var | Prim::Dev | Prim::Svar | Prim::Sdev, &[x]) => vec![Cell::Squares(x), Cell::Count(x)],
            (Prim::All | Prim::Any, &[x]) => vec![Cell::Zeros(x), Cell::Rows],
            (Prim::Wsum, &[x, y]) => vec![Cell::Term(x, y)],
            (Prim::Wavg, &[x, y]) => vec![Cell::Product(x, y), Cell::Left(x, y)],
            (Prim::Cov | Prim::Scov, &[x, y]) => vec![Cell::Cross(x, y), Cell::Pairs(x, y)],
            (Prim::Cor, &[x, y]) => {
                vec![Cell::Cross(x, y), Cell::LeftSquares(x, y), Cell::RightSquares(x, y)]
            }
            _ => return Err(nyi(prim)),
        };
        let kind = def.args.first().map_or(Kind::Long, |&a| g.ty(a).kind);
        Ok(Agg { node, prim, store: kind.store(), out: def.ty.kind, cells })
    }

    /// True if the value is the first bytes of the only cell's only word, whatever it holds.
    pub fn is_first_word(&self) -> bool {
        match self.prim {
            Prim::Sum if self.is_compensated() => false,
            Prim::Count => true,
            Prim::Sum | Prim::Prd => self.store == Store::J || self.store == Store::F,
            Prim::Min | Prim::Max => !matches!(self.store, Store::E | Store::F),
            _ => false,
        }
    }

    fn is_compensated(&self) -> bool {
        matches!(self.cells[..], [Cell::Compensated(_)])
    }

    /// The aggregate's value, as the first bytes of the result.
    pub fn finish(&self, cells: &[Total]) -> Total {
        // A sample of one or none has no deviation.
        let over = |n: f64| if n > 1.0 { n - 1.0 } else { f64::NAN };
        let float = |i: usize| f64::from_bits(cells[i][0]);
        let count = |i: usize| cells[i][0] as f64;
        match self.prim {
            Prim::Sum if self.is_compensated() => {
                match (Compensated::from_words(cells[0]).value(), self.store) {
                    (sum, Store::E) => word(sum as f32),
                    (sum, _) => word(sum),
                }
            }
            Prim::Sum if self.store == Store::I => {
                word(i32::try_from(cells[0][0] as i64).unwrap_or(i32::NULL))
            }
            Prim::Sum | Prim::Prd if self.store == Store::E => word(float(0) as f32),
            Prim::First | Prim::Last if cells[0][2] == 0 => word(crate::device::bytes::null(self.out)),
            // Adding zero makes one of the two zeros, whichever came first.
            Prim::Min | Prim::Max if self.store == Store::E => word(element::<f32>(&cells[0]) + 0.0),
            Prim::Min | Prim::Max if self.store == Store::F => word(float(0) + 0.0),
            Prim::Avg => word(float(0) / count(1)),
            Prim::Var => word(float(0) / count(1)),
            Prim::Dev => word((float(0) / count(1)).sqrt()),
            Prim::Svar => word(float(0) / over(count(1))),
            Prim::Sdev => word((float(0) / over(count(1))).sqrt()),
            Prim::Wavg => word(float(0) / float(1)),
            Prim::Cov => word(float(0) / float(1)),
            Prim::Scov => word(float(0) / over(float(1))),
            Prim::Cor => word(float(0) / (float(1) * float(2)).sqrt()),
            Prim::All => word((cells[0][0] == 0) as u8),
            Prim::Any => word((cells[0][0] < cells[1][0]) as u8),
            _ => cells[0],
        }
    }
}
