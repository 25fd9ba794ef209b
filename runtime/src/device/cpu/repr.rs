//! How a node's elements lie in memory: as q stores their kind, but symbols as codes of one, two or four bytes.

use compiler::ir::scan::descends;
use compiler::ir::{Dim, DimDef, Graph, Node, Op};
use q::{Kind, Prim, Store};

/// The storage of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repr {
    /// As q stores the kind; a symbol is a four-byte code.
    Plain(Store),
    /// One-byte symbol codes.
    Codes8,
    /// Two-byte symbol codes.
    Codes16,
}

impl Repr {
    /// The storage of what `n` makes. Values that are only moved keep their column's; computed symbols take
    /// four bytes.
    pub fn of(g: &Graph, n: Node) -> Repr {
        let def = &g.nodes[n];
        if def.ty.kind != Kind::Sym {
            return Repr::Plain(def.ty.kind.store());
        }
        match def.op {
            Op::Col(c) => match g.inputs[c].width {
                1 => Repr::Codes8,
                2 => Repr::Codes16,
                _ => Repr::Plain(Store::S),
            },
            Op::Scan(p, _) if descends(p).is_some() => Repr::of(g, def.args[1]),
            Op::Scan(..) | Op::Steps(..) | Op::List => Repr::of(g, def.args[0]),
            Op::Keep | Op::Spread | Op::Agg(Prim::First | Prim::Last)
                if g.ty(def.args[0]).kind == Kind::Sym =>
            {
                Repr::of(g, def.args[0])
            }
            Op::Key(i) => match &g.dims[def.ty.dim] {
                DimDef::Groups { keys, .. } => Repr::of(g, keys[i as usize]),
                _ => Repr::Plain(Store::S),
            },
            _ => Repr::Plain(Store::S),
        }
    }

    /// Bytes an element takes.
    pub fn width(self) -> usize {
        match self {
            Repr::Codes8 | Repr::Plain(Store::B) => 1,
            Repr::Codes16 | Repr::Plain(Store::H) => 2,
            Repr::Plain(Store::I | Store::E | Store::S) => 4,
            Repr::Plain(Store::J | Store::F) => 8,
            Repr::Plain(Store::G) => 16,
        }
    }
}

/// The only key of the groups `groups`, if it is a column of narrow symbol codes, all of whose rows are grouped: a row's
/// code then says as much as its group's number.
pub fn codes(g: &Graph, groups: Dim) -> Option<Node> {
    let DimDef::Groups { keys, .. } = &g.dims[groups] else { return None };
    let &[key] = &keys[..] else { return None };
    let narrow = matches!(Repr::of(g, key), Repr::Codes8 | Repr::Codes16);
    (narrow && matches!(g.nodes[key].op, Op::Col(_))).then_some(key)
}

/// The bits of the element that has an order key ([`q::scalar::Key::key`]). A guid is written from its halves, which are keys of
/// longs.
#[inline(always)]
pub fn of_key(store: Store, key: u64) -> u64 {
    match store {
        Store::B | Store::S => key,
        Store::H => (key as u16 ^ 1 << 15) as u64,
        Store::I => (key as u32 ^ 1 << 31) as u64,
        Store::J | Store::G => key ^ 1 << 63,
        Store::E if key == 0 => f32::NAN.to_bits() as u64,
        Store::E if key >> 31 == 1 => (key as u32 ^ 1 << 31) as u64,
        Store::E => !key as u32 as u64,
        Store::F if key == 0 => f64::NAN.to_bits(),
        Store::F if key >> 63 == 1 => key ^ 1 << 63,
        Store::F => !key,
    }
}

/// Runs `$body` with `$t` the plain type of `$width` bytes: for code that only moves elements.
macro_rules! with_width {
    ($width:expr, $t:ident => $body:expr) => {
        match $width {
            1 => {
                type $t = u8;
                $body
            }
            2 => {
                type $t = u16;
                $body
            }
            4 => {
                type $t = u32;
                $body
            }
            8 => {
                type $t = u64;
                $body
            }
            _ => {
                type $t = q::value::Guid;
                $body
            }
        }
    };
}
pub(crate) use with_width;
