//! One statement to one operation, by its opcode.

use super::build::Builder;
use super::memory;
use super::operand::{members, ty};
use crate::exec::carry::Carry;
use crate::exec::compare::Compare;
use crate::exec::convert::{self, Round};
use crate::exec::{float, integer};
use crate::ptx::{BarrierVote, NONE, Op, Reg, Shuffle, Ty, Vote};
use crate::report::Class;

/// An opcode's parts: `setp.lt.and.s64` is `setp` with `lt`, `and` and the type.
pub struct Opcode<'a> {
    /// The whole of it, for messages.
    pub text: &'a str,
    /// What comes before the first dot.
    pub stem: &'a str,
    /// What is no type.
    pub modifiers: Vec<&'a str>,
    /// Its types.
    pub types: Vec<Ty>,
}

impl<'a> Opcode<'a> {
    /// Cuts an opcode.
    fn new(text: &'a str) -> Self {
        let mut parts = text.split('.');
        let stem = parts.next().unwrap_or("");
        let (mut modifiers, mut types) = (Vec::new(), Vec::new());
        for part in parts {
            match ty(part) {
                Some(t) => types.push(t),
                None => modifiers.push(part),
            }
        }
        Opcode { text, stem, modifiers, types }
    }

    /// Does it have the modifier?
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Its first type.
    pub fn ty(&self) -> Result<Ty, String> {
        self.types.first().copied().ok_or_else(|| format!("{} has no type", self.text))
    }

    /// It is not known.
    pub fn unknown<T>(&self) -> Result<T, String> {
        Err(format!("the simulator does not know {}", self.text))
    }
}

fn and(x: u32, y: u32) -> u32 {
    x & y
}
fn or(x: u32, y: u32) -> u32 {
    x | y
}
fn xor(x: u32, y: u32) -> u32 {
    x ^ y
}
fn not(x: u32, _: u32) -> u32 {
    !x
}
fn same(x: u32, _: u32) -> u32 {
    x
}

/// The function of predicates of a name.
fn logic(name: &str) -> Option<fn(u32, u32) -> u32> {
    Some(match name {
        "and" => and,
        "or" => or,
        "xor" => xor,
        "not" => not,
        "mov" => same,
        _ => return None,
    })
}

/// Decodes a statement.
pub fn decode(b: &mut Builder, opcode: &str, operands: &[String]) -> Result<Op, String> {
    let op = &Opcode::new(opcode);
    let count = |n: usize| match operands.len() == n {
        true => Ok(()),
        false => Err(format!("{opcode} takes {n} operands")),
    };
    if op.types.first() == Some(&Ty::Pred)
        && let Some(f) = logic(op.stem)
    {
        count(if matches!(op.stem, "not" | "mov") { 2 } else { 3 })?;
        let (x, y) = (b.pred(&operands[1]), b.pred(operands.last().map_or("", |o| o)));
        return Ok(Op::Logic { f, to: b.pred(&operands[0]), args: [x, y] });
    }
    match op.stem {
        "mov" => {
            count(2)?;
            moved(b, op, operands)
        }
        "cvta" => {
            count(2)?;
            memory::generic(b, op, operands)
        }
        "ld" | "ldu" | "st" | "atom" | "red" => memory::decode(b, op, operands),
        "membar" | "fence" => fence(op),
        "setp" => setp(b, op, operands),
        "selp" => {
            count(4)?;
            Ok(Op::Select {
                to: b.reg(&operands[0])?,
                args: [b.reg(&operands[1])?, b.reg(&operands[2])?],
                by: b.pred(&operands[3]),
            })
        }
        "cvt" => {
            count(2)?;
            let (&[to_ty, from_ty], Some(round)) = (&op.types[..], Round::of(&op.modifiers)) else {
                return op.unknown();
            };
            let (f, class) = (convert::lanes(from_ty, to_ty, round), Class::Convert);
            let (to, from) = (b.reg(&operands[0])?, b.reg(&operands[1])?);
            Ok(Op::Compute { class, f, to, args: [from, NONE, NONE, NONE] })
        }
        "bar" | "barrier" => barrier(b, op, operands),
        "shfl" | "vote" | "match" | "redux" | "elect" | "activemask" => together(b, op, operands),
        "ret" | "exit" => Ok(Op::Exit),
        "trap" => Ok(Op::Trap),
        "nanosleep" | "prefetch" | "prefetchu" | "discard" | "pragma" => Ok(Op::Nothing),
        _ => arithmetic(b, op, operands),
    }
}

fn arithmetic(b: &mut Builder, op: &Opcode, operands: &[String]) -> Result<Op, String> {
    let ty = op.ty()?;
    let args = |b: &mut Builder, n: usize| {
        if operands.len() != n + 1 {
            return Err(format!("{} takes {} operands", op.text, n + 1));
        }
        let regs = operands.iter().map(|o| b.reg(o)).collect::<Result<Vec<Reg>, String>>()?;
        let mut all = [NONE; 5];
        all[..regs.len()].copy_from_slice(&regs);
        Ok(all)
    };
    if let Some((how, reads)) = Carry::of(op.stem, &op.modifiers) {
        let [to, x, y, z, _] = args(b, how.arguments())?;
        return Ok(Op::Carry { how, ty, reads, writes: op.has("cc"), to, args: [x, y, z] });
    }
    let (found, class) = match ty {
        Ty::Float(8) => (float::double(op.stem, &op.modifiers), Class::Double),
        Ty::Float(_) => (float::single(op.stem, &op.modifiers), Class::Single),
        _ => (integer::find(op.stem, &op.modifiers, ty), Class::Integer),
    };
    let Some((f, n)) = found else { return op.unknown() };
    args(b, n).map(|[to, args @ ..]| Op::Compute { class, f, to, args })
}

/// `membar.gl`, `fence.acq_rel.gpu`: of the device, or of the block. Proxies other than the plain one are not known.
fn fence(op: &Opcode) -> Result<Op, String> {
    let known = ["cta", "cluster", "gl", "gpu", "sys", "sc", "acq_rel"];
    if op.modifiers.iter().any(|m| !known.contains(m)) {
        return op.unknown();
    }
    Ok(Op::Fence { device: !(op.has("cta") || op.has("cluster")) })
}

fn moved(b: &mut Builder, op: &Opcode, operands: &[String]) -> Result<Op, String> {
    let bits = |parts: usize| match 8 * usize::from(op.ty()?.bytes()) {
        whole if parts > 0 && parts <= whole => Ok((whole / parts) as u32),
        _ => op.unknown(),
    };
    let [to, from] = operands else { return op.unknown() };
    let regs = |b: &mut Builder, text: &str| {
        members(text).iter().map(|m| b.reg(m)).collect::<Result<Vec<Reg>, String>>()
    };
    if to.starts_with('{') {
        let parts = regs(b, to)?;
        return Ok(Op::Unpack { bits: bits(parts.len())?, parts, from: b.reg(from)? });
    }
    if from.starts_with('{') {
        let parts = regs(b, from)?;
        return Ok(Op::Pack { bits: bits(parts.len())?, parts, to: b.reg(to)? });
    }
    Ok(Op::Move { from: b.reg(from)?, to: b.reg(to)? })
}

fn setp(b: &mut Builder, op: &Opcode, operands: &[String]) -> Result<Op, String> {
    let ty = op.ty()?;
    let rest: Vec<&str> = op.modifiers.iter().copied().filter(|m| *m != "ftz").collect();
    let (how, joined) = match rest[..] {
        [how] => (how, None),
        [how, joined] => (how, logic(joined)),
        _ => return op.unknown(),
    };
    let Some(how) = Compare::of(how, ty) else { return op.unknown() };
    if operands.len() != if rest.len() == 2 { 4 } else { 3 } {
        return Err(format!("{} takes other operands", op.text));
    }
    let (to, not) = operands[0].split_once('|').map_or((&*operands[0], None), |(p, q)| (p, Some(q)));
    let with = match (joined, operands.get(3)) {
        (Some(f), Some(p)) => Some((f, b.pred(p.trim_start_matches('!')), p.starts_with('!'))),
        (None, None) => None,
        _ => return op.unknown(),
    };
    Ok(Op::Compare {
        test: how.test(ty),
        to: b.pred(to.trim()),
        not: not.filter(|q| *q != "_").map(|q| b.pred(q.trim())),
        args: [b.reg(&operands[1])?, b.reg(&operands[2])?],
        with,
    })
}

/// `bar.sync 0`, `barrier.sync 1, 64`, `bar.red.popc.u32 r, 0, p`, `bar.warp.sync mask`.
fn barrier(b: &mut Builder, op: &Opcode, operands: &[String]) -> Result<Op, String> {
    let plain = |b: &mut Builder, number: &str, threads: Option<&String>, waits| {
        let threads = threads.map_or(Ok(NONE), |t| b.reg(t))?;
        Ok(Op::Barrier { number: b.reg(number)?, threads, waits, vote: None })
    };
    match operands {
        [members] if op.has("warp") => Ok(Op::WarpBarrier { members: b.reg(members)? }),
        [number] if op.has("sync") => plain(b, number, None, true),
        [number, threads] if op.has("sync") => plain(b, number, Some(threads), true),
        [number, threads] if op.has("arrive") => plain(b, number, Some(threads), false),
        [to, number, threads @ .., by] if op.has("red") && threads.len() < 2 => {
            let how = match () {
                _ if op.has("popc") => Vote::Ballot,
                _ if op.has("and") => Vote::All,
                _ if op.has("or") => Vote::Any,
                _ => return op.unknown(),
            };
            let by = (b.pred(by.trim_start_matches('!')), by.starts_with('!'));
            let vote = match how {
                Vote::Ballot => BarrierVote { how, to: b.reg(to)?, to_pred: None, by },
                _ => BarrierVote { how, to: NONE, to_pred: Some(b.pred(to)), by },
            };
            let threads = threads.first().map_or(Ok(NONE), |t| b.reg(t))?;
            Ok(Op::Barrier { number: b.reg(number)?, threads, waits: true, vote: Some(Box::new(vote)) })
        }
        _ => op.unknown(),
    }
}

fn together(b: &mut Builder, op: &Opcode, operands: &[String]) -> Result<Op, String> {
    match (op.stem, operands) {
        ("activemask", [to]) => Ok(Op::ActiveMask { to: b.reg(to)? }),
        ("shfl", [to, value, lane, clamp, members]) => {
            let how = match () {
                _ if op.has("idx") => Shuffle::Index,
                _ if op.has("up") => Shuffle::Up,
                _ if op.has("down") => Shuffle::Down,
                _ if op.has("bfly") => Shuffle::Butterfly,
                _ => return op.unknown(),
            };
            let (to, found) = to.split_once('|').map_or((&**to, None), |(d, p)| (d, Some(p)));
            let found = found.map(|p| b.pred(p.trim()));
            let [to, value, lane, clamp, members] =
                [b.reg(to)?, b.reg(value)?, b.reg(lane)?, b.reg(clamp)?, b.reg(members)?];
            Ok(Op::Shuffle { how, to, found, value, lane, clamp, members })
        }
        ("vote", [to, by, members]) => {
            let how = match () {
                _ if op.has("all") => Vote::All,
                _ if op.has("any") => Vote::Any,
                _ if op.has("uni") => Vote::Uniform,
                _ if op.has("ballot") => Vote::Ballot,
                _ => return op.unknown(),
            };
            let not = by.starts_with('!');
            let by = b.pred(by.trim_start_matches('!'));
            let members = b.reg(members)?;
            Ok(match how {
                Vote::Ballot => Op::Vote { how, to: b.reg(to)?, to_pred: None, by, not, members },
                _ => Op::Vote { how, to: NONE, to_pred: Some(b.pred(to)), by, not, members },
            })
        }
        ("match", [to, value, members]) if op.has("any") || op.has("all") => {
            let (to, found) = to.split_once('|').map_or((&**to, None), |(d, p)| (d, Some(p)));
            let found = found.map(|p| b.pred(p.trim()));
            let (to, value, members) = (b.reg(to)?, b.reg(value)?, b.reg(members)?);
            Ok(Op::Match { all: op.has("all"), to, found, ty: op.ty()?, value, members })
        }
        ("elect", [to, members]) => {
            let (to, elected) = to.split_once('|').ok_or("elect without a predicate")?;
            Ok(Op::Elect { to: b.reg(to)?, elected: b.pred(elected.trim()), members: b.reg(members)? })
        }
        ("redux", [to, value, members]) => {
            let Some(f) = op.modifiers.iter().find_map(|m| integer::fold(m)) else { return op.unknown() };
            Ok(Op::Reduce { f, ty: op.ty()?, to: b.reg(to)?, value: b.reg(value)?, members: b.reg(members)? })
        }
        _ => op.unknown(),
    }
}
