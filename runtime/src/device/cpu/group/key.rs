//! Group keys as packed numbers: every key becomes order-preserving digits, nulls first, and the digits of all
//! keys one number (or several, where one is too narrow), so that the order of numbers is q's order of groups.

use super::super::env::Env;
use super::super::fold::element;
use super::super::loops::{add, map1, range};
use super::super::mask::Passing;
use super::super::par;
use super::super::program::{Given, Program, bug};
use super::super::repr::{Repr, of_key};
use super::super::tile::{At, Frame, LINE, Line, Src, TILE};
use super::Groups;
use crate::device::Arg;
use bytemuck::Pod;
use compiler::ir::{Dim, Graph, Node, Op, Param};
use compiler::plan::KernelDef;
use q::scalar::{Key, Num};
use q::value::{Data, Guid};
use q::{Kind, Prim, Result, Store};

/// A key, or half of a guid.
pub struct Part {
    node: Node,
    kind: Kind,
    repr: Repr,
    ranks: Option<Param>,
    /// The lower half of a guid, whose upper half is the part before.
    lower: bool,
    /// Of `n xbar x`: the atom n, which divides every digit's distance from the least, and x.
    bar: Option<(Node, Node)>,
}

/// The keys of a Group kernel.
pub struct Keys {
    parts: Vec<Part>,
    masks: Vec<Node>,
    /// Computes the masks and the keys, for the pass that finds ranges.
    program: Program,
}

/// A key's place in the packed numbers.
pub struct Field<'a> {
    part: &'a Part,
    /// Rank by code, unless they are the same.
    ranks: Option<&'a [i32]>,
    /// Code by rank.
    by_rank: Vec<u32>,
    /// The least digit.
    low: u64,
    /// What the digits' distances from the least are multiples of.
    unit: u64,
    /// How many digits there are.
    size: u128,
    /// Which number it is packed into.
    word: usize,
    /// What its digit is multiplied by there: a power of two where the numbers are sparse.
    stride: u64,
}

/// How keys are packed in this run.
pub struct Packing<'a> {
    /// The keys, major first.
    pub fields: Vec<Field<'a>>,
    /// How many numbers a row's keys take.
    pub words: usize,
    /// How many values the number has, if each may have a slot.
    pub domain: Option<usize>,
}

/// A domain may be this large if it is no more than this many times the rows, for a slot a number.
const SPARSE: u64 = 4;
/// The largest domain with a slot a number: what row numbers index then takes 256 MiB.
const DENSE: u64 = 1 << 26;

/// The most slots that are worth it for so many rows.
fn most(rows: usize) -> u64 {
    DENSE.min((rows as u64).saturating_mul(SPARSE).max(TILE as u64))
}

impl Keys {
    /// Prepares the keys of a kernel.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<Keys> {
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        let mut parts = vec![];
        for (&key, &ranks) in def.keys.iter().zip(&def.ranks) {
            let node = given.base(key);
            // A cast that leaves the bits takes no node of its own: an index read as a time is no index.
            let (kind, repr) = (g.ty(key).kind, Repr::of(g, node));
            let halves = if kind == Kind::Guid { &[false, true][..] } else { &[false] };
            let bar = match &g.nodes[node] {
                def if def.op == Op::Map(Prim::Xbar) && g.ty(def.args[0]).dim == Dim::ONE => {
                    Some((given.base(def.args[0]), given.base(def.args[1])))
                }
                _ => None,
            };
            parts.extend(halves.iter().map(|&lower| Part { node, kind, repr, ranks, lower, bar }));
        }
        let roots: Vec<Node> = parts.iter().map(|p| p.node).collect();
        Ok(Keys { program: given.masked(&def.masks, &roots)?, masks: def.masks.clone(), parts })
    }

    /// The nodes of the keys.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        self.parts.iter().map(|p| p.node)
    }

    /// Packs the keys of `rows` rows as what is known of them allows: as tightly as can be if every number may then
    /// have a slot, else each in bits of its own, which are cheaper to take apart. None if no row passes.
    pub fn pack<'a>(&'a self, env: &'a Env, rows: usize) -> Result<Option<Packing<'a>>> {
        let mut fields = vec![];
        for part in &self.parts {
            fields.push(Field::new(part, env)?);
        }
        let mut ranges: Vec<Option<(u64, u64)>> = fields.iter().map(|f| f.known(env)).collect();
        if ranges.iter().any(Option::is_none) {
            match self.scan(env, rows, &fields)? {
                Some(found) => ranges.iter_mut().zip(found).for_each(|(known, found)| *known = Some(found)),
                None => return Ok(None),
            }
        }
        for (field, range) in fields.iter_mut().zip(ranges) {
            let (low, high) = range.unwrap_or((0, u64::MAX));
            field.unit = field.unit(env, low, high)?;
            (field.low, field.size) = (low, ((high - low) / field.unit) as u128 + 1);
        }
        let domain = fields.iter().try_fold(1u128, |room, f| room.checked_mul(f.size));
        if let Some(domain) = domain.and_then(|d| u64::try_from(d).ok()).filter(|&d| d <= most(rows)) {
            let mut stride = 1;
            for field in fields.iter_mut().rev() {
                field.stride = stride;
                stride *= field.size as u64;
            }
            return Ok(Some(Packing { fields, words: 1, domain: Some(domain as usize) }));
        }
        // From the last field on, so that the first number holds the major keys and its order is theirs.
        let (mut word, mut bits) = (0, 0);
        for field in fields.iter_mut().rev() {
            field.size = field.size.next_power_of_two();
            let more = field.size.trailing_zeros();
            if bits + more > u64::BITS {
                (word, bits) = (word + 1, 0);
            }
            (field.word, field.stride) = (word, 1 << (bits % u64::BITS));
            bits += more;
        }
        fields.iter_mut().for_each(|f| f.word = word - f.word);
        Ok(Some(Packing { fields, words: word + 1, domain: None }))
    }

    /// The least and greatest digit of each part among the rows that pass; none if no row does.
    fn scan(&self, env: &Env, rows: usize, fields: &[Field]) -> Result<Option<Vec<(u64, u64)>>> {
        let bound = env.bind(&self.program)?;
        let masks: Vec<At> = self.masks.iter().map(|&m| self.program.at(m)).collect();
        let init = || (bound.frame(&self.program), vec![[0u64; LINE]; TILE / LINE]);
        let chunks = par::each(par::chunks(rows), init, |(frame, digits), chunk| {
            let mut found = vec![(u64::MAX, 0); fields.len()];
            for at in chunk.clone().step_by(TILE) {
                frame.seek(at, TILE.min(chunk.end - at));
                let passing = Passing::find(&self.program, frame, &masks);
                if passing.count == 0 {
                    continue;
                }
                self.program.run_rest(frame);
                for (field, found) in fields.iter().zip(&mut found) {
                    field.digits(
                        frame,
                        self.program.at(field.part.node),
                        |d| d,
                        &mut digits[..frame.lines()],
                    );
                    let (low, high) = range(digits, &passing.bits);
                    *found = (found.0.min(low), found.1.max(high));
                }
            }
            found
        });
        let whole = chunks
            .into_iter()
            .reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))).collect());
        Ok(whole.filter(|found| found.iter().all(|(low, high)| low <= high)))
    }
}

impl<'a> Field<'a> {
    fn new(part: &'a Part, env: &'a Env) -> Result<Field<'a>> {
        let mut field =
            Field { part, ranks: None, by_rank: vec![], low: 0, unit: 1, size: 1, word: 0, stride: 1 };
        if let Some(p) = part.ranks {
            let Arg::List(Data::I(ranks)) = &env.launch.args[p.as_u32() as usize] else {
                return Err(bug(format!("{p} holds no ranks")));
            };
            field.by_rank = vec![0; ranks.len()];
            for (code, &rank) in ranks.iter().enumerate() {
                field.by_rank[rank as usize] = code as u32;
            }
            // Domains are built in the order of their text, so most need no translation.
            field.ranks = (!ranks.iter().zip(0..).all(|(&r, i)| r == i)).then_some(&ranks[..]);
        }
        Ok(field)
    }

    /// The range of digits, where it is known without looking at the rows.
    fn known(&self, env: &Env) -> Option<(u64, u64)> {
        let column = |n: Node| match env.graph.nodes[n].op {
            Op::Col(c) => env.launch.inputs[c.as_u32() as usize].stats().ok()?.range,
            _ => None,
        };
        if self.part.ranks.is_some() {
            // Of codes that are ranks, some at the ends may not occur.
            if self.ranks.is_none()
                && self.part.kind == Kind::Sym
                && let Some(range) = column(self.part.node)
            {
                return Some(range);
            }
            let codes = self.by_rank.len() as u64;
            // An enum's null is a digit of its own, before all symbols.
            return Some((0, if self.part.kind == Kind::Enum { codes } else { codes.saturating_sub(1) }));
        }
        match self.part.repr {
            Repr::Plain(Store::B) => return column(self.part.node).or(Some((0, u8::MAX as u64))),
            Repr::Plain(Store::G) => return Some((0, u64::MAX)),
            _ => {}
        }
        let Some((bar, x)) = self.part.bar else { return column(self.part.node) };
        // Bars of what ascends ascend, so the ends of the column's range do. A null, and a bar that wraps below the
        // least long, break that.
        let (low, high) = column(x).filter(|(low, _)| *low > 0)?;
        let end = |key: u64| match self.part.repr {
            Repr::Plain(Store::J) => {
                let by: i64 = element(&env.atom(bar).ok()?);
                let bar = by.xbar((key ^ 1 << 63) as i64).key();
                (by > 0 && bar <= key).then_some(bar)
            }
            _ => None,
        };
        Some((end(low)?, end(high)?))
    }

    /// What the digits' distances from `low` are multiples of.
    fn unit(&self, env: &Env, low: u64, high: u64) -> Result<u64> {
        let Some((bar, _)) = self.part.bar else { return Ok(1) };
        let bar = env.atom(bar)?;
        let (by, top) = match self.part.repr {
            Repr::Plain(Store::I) => (element::<i32>(&bar) as i64, u32::MAX as u64),
            Repr::Plain(Store::J) => (element::<i64>(&bar), u64::MAX),
            _ => return Ok(1),
        };
        // The null is no multiple, nor is a bar below the least integer, which wraps to the last few of the top;
        // and a quotient must be exact as a float.
        let multiples = by > 0 && low > 0 && top - high >= by as u64;
        Ok(if multiples && high - low < 1 << 52 { by as u64 } else { 1 })
    }

    /// Something made of the digit of each row of the frame's tile.
    fn digits<R: Pod>(&self, frame: &Frame, at: At, make: impl Fn(u64) -> R, out: &mut [Line<R>]) {
        let rank = |code: usize| match self.ranks {
            Some(ranks) => ranks.get(code).map_or(0, |&r| r as u64),
            None => code as u64,
        };
        let ranked = |code: i64| usize::try_from(code).map_or(0, |c| rank(c) + 1);
        let half = |x: Guid| {
            let bytes = u128::from_be_bytes(x.0);
            if self.part.lower { bytes as u64 } else { (bytes >> 64) as u64 }
        };
        match (self.part.repr, self.ranks) {
            (Repr::Codes8, None) => map1(|x: u8| make(x as u64), frame.src(at), out),
            (Repr::Codes8, Some(_)) => map1(|x: u8| make(rank(x as usize)), frame.src(at), out),
            (Repr::Codes16, None) => map1(|x: u16| make(x as u64), frame.src(at), out),
            (Repr::Codes16, Some(_)) => map1(|x: u16| make(rank(x as usize)), frame.src(at), out),
            (Repr::Plain(Store::S), _) => map1(|x: u32| make(rank(x as usize)), frame.src(at), out),
            (Repr::Plain(Store::J), _) if self.part.kind == Kind::Enum => {
                map1(|x: i64| make(ranked(x)), frame.src(at), out)
            }
            (Repr::Plain(Store::B), _) => map1(|x: u8| make(x as u64), frame.src(at), out),
            (Repr::Plain(Store::G), _) => map1(|x: Guid| make(half(x)), frame.src(at), out),
            (Repr::Plain(Store::H), _) => map1(|x: i16| make(x.key()), frame.src(at), out),
            (Repr::Plain(Store::I), _) => map1(|x: i32| make(x.key()), frame.src(at), out),
            (Repr::Plain(Store::J), _) => map1(|x: i64| make(x.key()), frame.src(at), out),
            (Repr::Plain(Store::E), _) => map1(|x: f32| make(x.key()), frame.src(at), out),
            (Repr::Plain(Store::F), _) => map1(|x: f64| make(x.key()), frame.src(at), out),
        }
    }

    /// The share of each row's key in its packed number. Rows that do not pass may have digits out of range; what
    /// they give is ignored, so it may wrap.
    fn shares<R: Number>(&self, frame: &Frame, at: At, out: &mut [Line<R>]) {
        let (low, stride) = (self.low, R::of(self.stride));
        if self.unit == 1 {
            return self.digits(frame, at, |digit| R::of(digit.wrapping_sub(low)).times(stride), out);
        }
        let inverse = 1.0 / self.unit as f64;
        let make = |digit: u64| {
            // Distances are below 2^52 and multiples of the unit, so the nearest integer is the quotient.
            let distance = digit.wrapping_sub(low) as i64 as f64;
            R::of((distance * inverse).round_ties_even() as i64 as u64).times(stride)
        };
        self.digits(frame, at, make, out)
    }

    /// The digits of groups whose packed numbers stand side by side, `words` each.
    fn digits_of(&self, numbers: &[u64], words: usize, out: &mut [u64]) {
        let (low, unit) = (self.low, self.unit);
        let numbers = numbers.iter().skip(self.word).step_by(words);
        if self.size.is_power_of_two() && self.stride.is_power_of_two() {
            let (shift, mask) = (self.stride.trailing_zeros(), (self.size - 1) as u64);
            return out.iter_mut().zip(numbers).for_each(|(o, n)| *o = low + ((n >> shift) & mask) * unit);
        }
        // Numbers that are not cut into bits have few enough values for 32. The high half of the product with the
        // inverse, rounded up, is their quotient.
        let inverse = |by: u64| (u64::MAX / by).wrapping_add(1) as u128;
        let over =
            |n: u64, by: u64, inverse: u128| if by == 1 { n } else { ((n as u128 * inverse) >> 64) as u64 };
        let (stride, size) = (self.stride, self.size as u64);
        let (strides, sizes) = (inverse(stride), inverse(size));
        for (out, &number) in out.iter_mut().zip(numbers) {
            let rest = over(number, stride, strides);
            *out = low + (rest - over(rest, size, sizes) * size) * unit;
        }
    }

    /// The keys with these digits (of a guid, the halves).
    fn values(&self, digits: &[u64], out: &mut [u8]) {
        fn each<T: Pod>(digits: &[u64], out: &mut [u8], value: impl Fn(u64) -> T) {
            let out = bytemuck::cast_slice_mut::<u8, T>(out);
            out.iter_mut().zip(digits).for_each(|(o, &digit)| *o = value(digit));
        }
        let code = |rank: u64| self.by_rank[rank as usize];
        match self.part.repr {
            _ if self.part.kind == Kind::Enum => {
                each(digits, out, |d| d.checked_sub(1).map_or(i64::MIN, |rank| code(rank) as i64));
            }
            Repr::Codes8 => each(digits, out, |d| code(d) as u8),
            Repr::Codes16 => each(digits, out, |d| code(d) as u16),
            Repr::Plain(Store::S) => each(digits, out, code),
            Repr::Plain(Store::B) => each(digits, out, |d| of_key(Store::B, d) as u8),
            Repr::Plain(Store::H) => each(digits, out, |d| of_key(Store::H, d) as u16),
            Repr::Plain(store @ (Store::I | Store::E)) => each(digits, out, |d| of_key(store, d) as u32),
            Repr::Plain(store) => each(digits, out, |d| of_key(store, d)),
        }
    }
}

/// A packed number.
pub trait Number: Pod + Send + Sync {
    /// The low bits of a number.
    fn of(x: u64) -> Self;
    /// The sum, wrapping.
    fn plus(self, y: Self) -> Self;
    /// The product, wrapping.
    fn times(self, y: Self) -> Self;
}

impl Number for u8 {
    #[inline(always)]
    fn of(x: u64) -> u8 {
        x as u8
    }
    #[inline(always)]
    fn plus(self, y: u8) -> u8 {
        self.wrapping_add(y)
    }
    #[inline(always)]
    fn times(self, y: u8) -> u8 {
        self.wrapping_mul(y)
    }
}

impl Number for u32 {
    #[inline(always)]
    fn of(x: u64) -> u32 {
        x as u32
    }
    #[inline(always)]
    fn plus(self, y: u32) -> u32 {
        self.wrapping_add(y)
    }
    #[inline(always)]
    fn times(self, y: u32) -> u32 {
        self.wrapping_mul(y)
    }
}

impl Number for u64 {
    #[inline(always)]
    fn of(x: u64) -> u64 {
        x
    }
    #[inline(always)]
    fn plus(self, y: u64) -> u64 {
        self.wrapping_add(y)
    }
    #[inline(always)]
    fn times(self, y: u64) -> u64 {
        self.wrapping_mul(y)
    }
}

impl Packing<'_> {
    /// The packed numbers of the frame's tile: `out[w]` is number `w` of each row. Numbers of 32 bits serve where
    /// the domain is no larger.
    pub fn numbers<R: Number>(
        &self,
        frame: &Frame,
        program: &Program,
        scratch: &mut [Line<R>],
        out: &mut [Vec<Line<R>>],
    ) {
        let lines = frame.lines();
        for (i, field) in self.fields.iter().enumerate() {
            let fresh = i == 0 || self.fields[i - 1].word != field.word;
            let (at, target) = (program.at(field.part.node), &mut out[field.word][..lines]);
            if fresh {
                field.shares(frame, at, target);
            } else {
                field.shares(frame, at, &mut scratch[..lines]);
                add(R::plus, Src::vector(&scratch[..lines]), target);
            }
        }
    }

    /// The code of each group's only key, whose codes take two bytes at most.
    pub fn codes(&self, groups: &[Groups]) -> Vec<u16> {
        let width = self.fields[0].part.repr.width();
        let numbers: Vec<u64> = groups.iter().flat_map(|g| g.numbers.iter().copied()).collect();
        let mut codes = vec![0u8; numbers.len() * width];
        self.keys(0, &numbers, &mut codes);
        match width {
            1 => codes.into_iter().map(u16::from).collect(),
            _ => codes.chunks_exact(2).map(|code| u16::from_le_bytes([code[0], code[1]])).collect(),
        }
    }

    /// The bytes of key `i` of the groups with these packed numbers.
    pub fn keys(&self, i: usize, numbers: &[u64], out: &mut [u8]) {
        let mut parts = self.fields.iter().enumerate().filter(|(_, f)| !f.part.lower);
        let Some((at, field)) = parts.nth(i) else { return };
        let lower = self.fields.get(at + 1).filter(|f| f.part.lower);
        let mut digits = [[0u64; TILE]; 2];
        let tiles = numbers.chunks(TILE * self.words);
        let width = field.part.repr.width();
        for (numbers, out) in tiles.zip(out.chunks_mut(TILE * width)) {
            let n = numbers.len() / self.words;
            field.digits_of(numbers, self.words, &mut digits[0][..n]);
            let Some(lower) = lower else {
                field.values(&digits[0][..n], out);
                continue;
            };
            lower.digits_of(numbers, self.words, &mut digits[1][..n]);
            for (i, out) in out.chunks_mut(16).enumerate() {
                let [upper, lower] = [digits[0][i], digits[1][i]].map(u64::to_be_bytes);
                out[..8].copy_from_slice(&upper);
                out[8..].copy_from_slice(&lower);
            }
        }
    }
}
