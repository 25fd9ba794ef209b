//! Group keys as packed numbers: every key becomes order-preserving digits, nulls first, and the digits of all
//! keys one number (or several, where one is too narrow), so that the order of numbers is q's order of groups.

use super::super::agg::Total;
use super::super::env::Env;
use super::super::loops::{map1, pack, range};
use super::super::mask::Passing;
use super::super::par;
use super::super::program::{Given, Program, bug};
use super::super::repr::Repr;
use super::super::tile::{At, Frame, LINE, Line, Src, TILE};
use crate::device::Arg;
use compiler::ir::{Graph, Node, Op, Param};
use compiler::plan::KernelDef;
use q::scalar::Key;
use q::value::{Data, Guid};
use q::{Kind, Result, Store};

/// A key, or half of a guid.
pub struct Part {
    node: Node,
    kind: Kind,
    repr: Repr,
    ranks: Option<Param>,
    /// The lower half of a guid, whose upper half is the part before.
    lower: bool,
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
    /// How many digits there are.
    size: u128,
    /// Which number it is packed into.
    word: usize,
    /// What its digit is multiplied by there.
    stride: u64,
}

/// How keys are packed in this run.
pub struct Packing<'a> {
    /// The keys, major first.
    pub fields: Vec<Field<'a>>,
    /// How many numbers a row's keys take.
    pub words: usize,
    /// How many values the number has, if it is one.
    pub domain: Option<u64>,
}

impl Keys {
    /// Prepares the keys of a kernel.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<Keys> {
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        let mut parts = vec![];
        for (&key, &ranks) in def.keys.iter().zip(&def.ranks) {
            let node = given.base(key);
            let (kind, repr) = (g.ty(node).kind, Repr::of(g, node));
            let halves = if kind == Kind::Guid { &[false, true][..] } else { &[false] };
            parts.extend(halves.iter().map(|&lower| Part { node, kind, repr, ranks, lower }));
        }
        let roots: Vec<Node> = parts.iter().map(|p| p.node).collect();
        Ok(Keys { program: given.masked(&def.masks, &roots)?, masks: def.masks.clone(), parts })
    }

    /// The nodes of the keys.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        self.parts.iter().map(|p| p.node)
    }

    /// Packs the keys of `rows` rows as tightly as what is known of them allows; none if no row passes.
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
        let (mut word, mut room) = (0, 1u128);
        for (field, range) in fields.iter_mut().zip(ranges) {
            let (low, high) = range.unwrap_or((0, u64::MAX));
            (field.low, field.size) = (low, (high - low) as u128 + 1);
            if room > 1 && room.saturating_mul(field.size) > 1 << 64 {
                (word, room) = (word + 1, 1);
            }
            room *= field.size;
            field.word = word;
        }
        for i in 0..fields.len() {
            let later = fields[i + 1..].iter().filter(|f| f.word == fields[i].word);
            // A field alone in its number may fill all of it; others leave room, so the product fits.
            fields[i].stride = later.map(|f| f.size as u64).product();
        }
        let domain = (word == 0).then(|| u64::try_from(room).ok()).flatten();
        Ok(Some(Packing { fields, words: word + 1, domain }))
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
                self.program.run_masks(frame);
                let passing = Passing::of(frame, &masks);
                if passing.count == 0 {
                    continue;
                }
                self.program.run_rest(frame);
                for (field, found) in fields.iter().zip(&mut found) {
                    field.digits(frame, self.program.at(field.part.node), &mut digits[..frame.lines()]);
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
        let mut field = Field { part, ranks: None, by_rank: vec![], low: 0, size: 1, word: 0, stride: 1 };
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
        if self.part.ranks.is_some() {
            let codes = self.by_rank.len() as u64;
            // An enum's null is a digit of its own, before all symbols.
            return Some((0, if self.part.kind == Kind::Enum { codes } else { codes.saturating_sub(1) }));
        }
        match self.part.repr {
            Repr::Plain(Store::B) => return Some((0, u8::MAX as u64)),
            Repr::Plain(Store::G) => return Some((0, u64::MAX)),
            _ => {}
        }
        match env.graph.nodes[self.part.node].op {
            Op::Col(c) => env.launch.inputs[c.as_u32() as usize].stats().range,
            _ => None,
        }
    }

    /// The digits of the frame's tile.
    fn digits(&self, frame: &Frame, at: At, out: &mut [Line<u64>]) {
        let rank = |code: usize| match self.ranks {
            Some(ranks) => ranks.get(code).map_or(0, |&r| r as u64),
            None => code as u64,
        };
        let ranked = |code: i64| usize::try_from(code).map_or(0, |c| rank(c) + 1);
        let half = |x: Guid| {
            let bytes = u128::from_be_bytes(x.0);
            if self.part.lower { bytes as u64 } else { (bytes >> 64) as u64 }
        };
        match self.part.repr {
            Repr::Codes8 => self.codes(frame.src(at), |x: u8| x as u64, |x| rank(x as usize), out),
            Repr::Codes16 => self.codes(frame.src(at), |x: u16| x as u64, |x| rank(x as usize), out),
            Repr::Plain(Store::S) => self.codes(frame.src(at), |x: u32| x as u64, |x| rank(x as usize), out),
            Repr::Plain(Store::J) if self.part.kind == Kind::Enum => map1(ranked, frame.src(at), out),
            Repr::Plain(Store::B) => map1(|x: u8| x as u64, frame.src(at), out),
            Repr::Plain(Store::G) => map1(half, frame.src(at), out),
            Repr::Plain(Store::H) => map1(|x: i16| x.key(), frame.src(at), out),
            Repr::Plain(Store::I) => map1(|x: i32| x.key(), frame.src(at), out),
            Repr::Plain(Store::J) => map1(|x: i64| x.key(), frame.src(at), out),
            Repr::Plain(Store::E) => map1(|x: f32| x.key(), frame.src(at), out),
            Repr::Plain(Store::F) => map1(|x: f64| x.key(), frame.src(at), out),
        }
    }

    fn codes<C: Copy>(
        &self,
        src: Src<C>,
        same: impl Fn(C) -> u64,
        rank: impl Fn(C) -> u64,
        out: &mut [Line<u64>],
    ) {
        if self.ranks.is_none() { map1(same, src, out) } else { map1(rank, src, out) }
    }

    /// The digit in a group's packed numbers.
    fn digit(&self, numbers: &[u64]) -> u64 {
        if self.size == 1 {
            return self.low;
        }
        let digit = (numbers[self.word] / self.stride) as u128 % self.size;
        self.low + digit as u64
    }

    /// The key with this digit (of a guid, the half).
    fn value(&self, digit: u64) -> [u8; 8] {
        let mut out = [0; 8];
        let mut put = |bytes: &[u8]| out[..bytes.len()].copy_from_slice(bytes);
        match self.part.repr {
            _ if self.part.kind == Kind::Enum => {
                let index = digit.checked_sub(1).map_or(i64::MIN, |r| self.by_rank[r as usize] as i64);
                put(&index.to_ne_bytes());
            }
            Repr::Codes8 | Repr::Codes16 | Repr::Plain(Store::S) => {
                put(&self.by_rank[digit as usize].to_le_bytes()[..self.part.repr.width()]);
            }
            Repr::Plain(Store::B) => put(&[digit as u8]),
            Repr::Plain(Store::H) => put(&(digit as u16 ^ 1 << 15).to_ne_bytes()),
            Repr::Plain(Store::I) => put(&(digit as u32 ^ 1 << 31).to_ne_bytes()),
            Repr::Plain(Store::J) => put(&(digit ^ 1 << 63).to_ne_bytes()),
            Repr::Plain(Store::E) => {
                let key = digit as u32;
                let bits = if key >> 31 == 1 { key ^ 1 << 31 } else { !key };
                put(&if key == 0 { f32::NAN } else { f32::from_bits(bits) }.to_ne_bytes());
            }
            Repr::Plain(Store::F) => {
                let bits = if digit >> 63 == 1 { digit ^ 1 << 63 } else { !digit };
                put(&if digit == 0 { f64::NAN } else { f64::from_bits(bits) }.to_ne_bytes());
            }
            Repr::Plain(Store::G) => put(&digit.to_be_bytes()),
        }
        out
    }
}

impl Packing<'_> {
    /// The packed numbers of the frame's tile: `out[w]` is number `w` of each row.
    pub fn numbers(
        &self,
        frame: &Frame,
        program: &Program,
        scratch: &mut [Line<u64>],
        out: &mut [Vec<Line<u64>>],
    ) {
        let lines = frame.lines();
        for (i, field) in self.fields.iter().enumerate() {
            let fresh = i == 0 || self.fields[i - 1].word != field.word;
            let (low, stride) = (field.low, field.stride);
            let target = &mut out[field.word][..lines];
            field.digits(frame, program.at(field.part.node), &mut scratch[..lines]);
            // Rows that do not pass may have digits out of range; what they give is ignored, so it may wrap.
            pack(low, stride, fresh, Src::vector(&scratch[..lines]), target);
        }
    }

    /// The bytes of key `i` of the group with these packed numbers.
    pub fn key(&self, i: usize, numbers: &[u64]) -> Total {
        let mut parts = self.fields.iter().enumerate().filter(|(_, f)| !f.part.lower);
        let Some((at, field)) = parts.nth(i) else { return [0; 3] };
        let first = u64::from_ne_bytes(field.value(field.digit(numbers)));
        let second = self.fields.get(at + 1).filter(|f| f.part.lower);
        [first, second.map_or(0, |f| u64::from_ne_bytes(f.value(f.digit(numbers)))), 0]
    }
}
