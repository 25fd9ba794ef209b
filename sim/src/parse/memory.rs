//! Loads, stores, atomics, and what makes addresses generic.

use super::build::Builder;
use super::instruction::Opcode;
use super::operand::members;
use crate::exec::convert::{self, Round};
use crate::exec::{atomic, integer};
use crate::ptx::{Access, LOCAL, NONE, Op, Reg, SHARED, Space, Ty};
use crate::race::Strength;
use crate::report::Class;

/// `cvta.shared`, `cvta.to.global` …: an address of one space as a generic one, or back.
pub fn generic(b: &mut Builder, op: &Opcode, operands: &[String]) -> Result<Op, String> {
    let window = match () {
        _ if op.has("shared") => SHARED,
        _ if op.has("local") => LOCAL,
        _ => 0,
    };
    let (to, from) = (b.reg(&operands[0])?, b.reg(&operands[1])?);
    let shift = b.constant(if op.has("to") { window.wrapping_neg() } else { window });
    match integer::find("add", &[], Ty::Bits(8)) {
        Some((f, _)) => Ok(Op::Compute { class: Class::Integer, f, to, args: [from, shift, NONE, NONE] }),
        None => op.unknown(),
    }
}

/// Decodes an access to memory.
pub fn decode(b: &mut Builder, op: &Opcode, operands: &[String]) -> Result<Op, String> {
    let ty = op.ty()?;
    if op.modifiers.iter().any(|m| m.starts_with("param")) {
        return param(b, op, ty, operands);
    }
    match (op.stem, operands) {
        ("ld" | "ldu", [to, at]) => {
            let access = access(b, op, ty, at)?;
            Ok(Op::Load { access, to: regs(b, to)? })
        }
        ("st", [at, from]) => {
            let access = access(b, op, ty, at)?;
            Ok(Op::Store { access, from: regs(b, from)? })
        }
        ("atom", [to, at, args @ ..]) => {
            let to = b.reg(to)?;
            changed(b, op, ty, to, at, args)
        }
        ("red", [at, args @ ..]) => changed(b, op, ty, NONE, at, args),
        _ => Err(format!("{} takes other operands", op.text)),
    }
}

/// The registers of a value: one, or the two, four or eight of a vector.
fn regs(b: &mut Builder, text: &str) -> Result<Vec<Reg>, String> {
    let regs = members(text).iter().map(|m| b.reg(m)).collect::<Result<Vec<Reg>, String>>()?;
    match regs.len() {
        1 | 2 | 4 | 8 => Ok(regs),
        n => Err(format!("a vector of {n}")),
    }
}

fn access(b: &mut Builder, op: &Opcode, ty: Ty, at: &str) -> Result<Access, String> {
    let (base, offset) = b.address(at)?;
    let space = match () {
        _ if op.modifiers.iter().any(|m| m.starts_with("shared")) => Space::Shared,
        _ if op.has("local") => Space::Local,
        _ => Space::Global,
    };
    let any = |names: &[&str]| names.iter().any(|n| op.has(n));
    Ok(Access {
        space,
        ty,
        base: b.reg(base)?,
        offset,
        strength: match any(&["volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"]) {
            true => scope(op),
            false => Strength::Weak,
        },
        acquire: any(&["acquire", "acq_rel"]),
        release: any(&["release", "acq_rel"]),
        stale: op.has("nc"),
    })
}

/// For whom an access is strong: threads of its block, or, as without a scope, of the device. No launch of ours
/// has clusters.
fn scope(op: &Opcode) -> Strength {
    if op.has("cta") || op.has("cluster") { Strength::Block } else { Strength::Device }
}

fn changed(b: &mut Builder, op: &Opcode, ty: Ty, to: Reg, at: &str, args: &[String]) -> Result<Op, String> {
    let Some((f, n)) = op.modifiers.iter().find_map(|m| atomic::find(m)) else { return op.unknown() };
    if args.len() != n {
        return Err(format!("{} takes other operands", op.text));
    }
    let access = Access { strength: scope(op), ..access(b, op, ty, at)? };
    let args = [b.reg(&args[0])?, args.get(1).map_or(Ok(NONE), |c| b.reg(c))?];
    Ok(Op::Atomic { access, f, to, args })
}

/// Parameters are registers here: a load or store of one is a move.
fn param(b: &mut Builder, op: &Opcode, ty: Ty, operands: &[String]) -> Result<Op, String> {
    let (at, values) = match (op.stem, operands) {
        ("ld", [to, at]) => (at, to),
        ("st", [at, from]) => (at, from),
        _ => return op.unknown(),
    };
    let (name, offset) = b.address(at)?;
    let offset = usize::try_from(offset).map_err(|_| "an offset below a parameter")?;
    let values = regs(b, values)?;
    let size = usize::from(ty.bytes());
    for (i, &value) in values.iter().enumerate() {
        let part = b.part(name, offset + i * size, ty)?;
        let (to, from) = if op.stem == "ld" { (value, part) } else { (part, value) };
        // A signed part fills its register.
        let wide = if matches!(ty, Ty::Signed(_)) { Ty::Signed(8) } else { Ty::Bits(ty.bytes()) };
        let f = convert::lanes(if wide == Ty::Signed(8) { ty } else { wide }, wide, Round::Nearest);
        let moved = Op::Compute { class: Class::Integer, f, to, args: [from, NONE, NONE, NONE] };
        if i + 1 == values.len() {
            return Ok(moved);
        }
        b.push(moved, None);
    }
    Err(format!("{} without a value", op.text))
}
