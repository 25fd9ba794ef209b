//! A routine's pieces to a kernel: registers numbered, arrays laid out, calls replaced by what they call.

use super::operand::{immediate, members, split};
use super::text::{Module, Param, Piece, Routine, array};
use super::{ParseError, instruction};
use crate::memory::Array;
use crate::ptx::{FALSE, Instruction, Kernel, NONE, Op, Pred, Reg, Special, TRUE, Ty};
use rustc_hash::FxHashMap;

/// Calls within calls: our kernels have one level, and recursion has no end.
const DEEPEST: usize = 8;

/// Bytes between two arrays in shared memory, which nothing may access.
const RED_ZONE: usize = 128;

/// Builds one kernel.
pub fn kernel(module: &Module, routine: &Routine) -> Result<Kernel, ParseError> {
    let mut builder = Builder::new(module, routine);
    builder.body(routine)?;
    for (at, label) in std::mem::take(&mut builder.jumps) {
        match (builder.labels.get(&label), &mut builder.kernel.code[at].op) {
            (Some(&place), Op::Branch { target }) => *target = place,
            _ => return Err(builder.error(format!("there is no label {label}"))),
        }
    }
    // What falls off the end returns.
    builder.push(Op::Exit, None);
    builder.kernel.arrays = builder.shared.into();
    Ok(builder.kernel)
}

/// What a parameter's name stands for: memory that only loads and stores of parameters reach.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Place {
    /// The kernel's own parameter.
    Kernel(usize),
    /// A call's argument or result.
    Call(String),
}

/// The kernel in the making.
pub struct Builder<'a> {
    module: &'a Module,
    /// The kernel so far.
    pub kernel: Kernel,
    registers: FxHashMap<String, Reg>,
    predicates: FxHashMap<String, Pred>,
    constants: FxHashMap<u64, Reg>,
    globals: FxHashMap<String, Reg>,
    shared: Vec<Array>,
    /// Offsets of arrays in shared memory and of threads' arrays.
    arrays: FxHashMap<String, usize>,
    places: FxHashMap<String, Place>,
    parts: FxHashMap<(Place, usize, u8), Reg>,
    labels: FxHashMap<String, u32>,
    jumps: Vec<(usize, String)>,
    /// Names that inner scopes declare, innermost last; the first of a routine holds its own.
    scopes: Vec<FxHashMap<String, String>>,
    /// The routine's instance, which its names begin with.
    instance: usize,
    instances: usize,
    depth: usize,
    line: u32,
    source: u32,
}

impl<'a> Builder<'a> {
    fn new(module: &'a Module, routine: &Routine) -> Self {
        let mut places = FxHashMap::default();
        for (i, p) in routine.params.iter().enumerate() {
            places.insert(format!("0:{}", p.name), Place::Kernel(i));
        }
        let kernel = Kernel {
            name: routine.name.clone(),
            registers: NONE + 1,
            predicates: FALSE + 1,
            params: routine.params.iter().map(|p| p.bytes).collect(),
            ..Kernel::default()
        };
        Builder {
            module,
            kernel,
            registers: FxHashMap::default(),
            predicates: FxHashMap::default(),
            constants: FxHashMap::default(),
            globals: FxHashMap::default(),
            shared: Vec::new(),
            arrays: FxHashMap::default(),
            places,
            parts: FxHashMap::default(),
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            scopes: vec![FxHashMap::default()],
            instance: 0,
            instances: 0,
            depth: 0,
            line: 0,
            source: 0,
        }
    }

    /// An error at the current statement.
    pub fn error(&self, what: impl Into<String>) -> ParseError {
        ParseError { kernel: self.kernel.name.clone(), line: self.line, what: what.into() }
    }

    fn body(&mut self, routine: &Routine) -> Result<(), ParseError> {
        for piece in &routine.body {
            match piece {
                Piece::Open => self.scopes.push(FxHashMap::default()),
                Piece::Close => _ = self.scopes.pop(),
                Piece::Label(name) => {
                    let name = self.name(name);
                    self.labels.insert(name, self.kernel.code.len() as u32);
                }
                Piece::Statement(text, line, source) => {
                    (self.line, self.source) = (*line, *source);
                    self.statement(text).map_err(|what| self.error(format!("`{text}`: {what}")))?;
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, text: &str) -> Result<(), String> {
        if let Some(rest) = text.strip_prefix(".reg") {
            // Names of an inner scope hide those of the routine.
            let names = rest.trim().split_once(char::is_whitespace).map_or("", |(_, names)| names);
            for name in names.split(',').map(str::trim).filter(|n| !n.contains('<')) {
                let full = self.declare(name);
                if !name.starts_with('%') {
                    let r = self.fresh();
                    self.registers.insert(full, r);
                }
            }
            return Ok(());
        }
        if text.starts_with(".shared") {
            return self.share(text).map(|_| ());
        }
        if text.starts_with(".local") {
            let (_, offset, bytes) = self.place_array(text, self.kernel.local)?;
            self.kernel.local = offset + bytes;
            return Ok(());
        }
        if text.starts_with(".param") {
            let Param { name, .. } = super::text::param(text)?;
            let full = self.declare(&name);
            self.places.insert(full.clone(), Place::Call(full));
            return Ok(());
        }
        if text.starts_with('.') || text.is_empty() {
            return Ok(());
        }
        let (guard, rest) = match text.strip_prefix('@') {
            None => (None, text),
            Some(rest) => {
                let (name, rest) =
                    rest.split_once(char::is_whitespace).ok_or("a guard without an instruction")?;
                let (name, not) = name.strip_prefix('!').map_or((name, false), |n| (n, true));
                (Some((self.pred(name), not)), rest.trim())
            }
        };
        let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if opcode == "call" || opcode.starts_with("call.") {
            return self.call(guard, operands);
        }
        if opcode == "bra" || opcode == "bra.uni" {
            self.jump(guard, operands.trim());
            return Ok(());
        }
        if opcode == "ret" && self.depth > 0 {
            self.jump(guard, "return");
            return Ok(());
        }
        let op = instruction::decode(self, opcode, &split(operands))?;
        self.push(op, guard);
        Ok(())
    }

    /// Adds an instruction.
    pub fn push(&mut self, op: Op, guard: Option<(Pred, bool)>) {
        self.kernel.code.push(Instruction { op, guard, line: self.line, source: self.source });
    }

    fn jump(&mut self, guard: Option<(Pred, bool)>, label: &str) {
        self.jumps.push((self.kernel.code.len(), self.name(label)));
        self.push(Op::Branch { target: 0 }, guard);
    }

    /// Makes room for an array in shared memory.
    fn share(&mut self, text: &str) -> Result<usize, String> {
        // A red zone as long as all banks are wide leaves each array at its banks.
        let end = self.shared.last().map_or(0, |a| a.offset + a.bytes + RED_ZONE);
        let (name, offset, bytes) = self.place_array(text, end)?;
        self.shared.push(Array { name: plain(&name).to_string(), offset, bytes });
        Ok(offset)
    }

    fn place_array(&mut self, text: &str, end: usize) -> Result<(String, usize, usize), String> {
        let (name, align, bytes) = array(text).ok_or("an array without a size")?;
        let offset = end.next_multiple_of(align);
        let full = self.name(&name);
        self.arrays.insert(full, offset);
        Ok((name, offset, bytes))
    }

    /// Puts the called function's body here. Its parameters are the caller's under other names.
    fn call(&mut self, guard: Option<(Pred, bool)>, operands: &str) -> Result<(), String> {
        let operands = split(operands);
        let (results, name, args) = match &operands[..] {
            [results, name, args] if results.starts_with('(') => (members(results), name, members(args)),
            [name, args] if args.starts_with('(') => (vec![], name, members(args)),
            [name] => (vec![], name, vec![]),
            [results, name] => (members(results), name, vec![]),
            _ => return Err("a call of a form that is not known".into()),
        };
        let module = self.module;
        let Some(function) = module.routines.iter().find(|r| !r.entry && r.name == *name) else {
            return Err(format!("there is no function {name}"));
        };
        if guard.is_some() || self.depth >= DEEPEST {
            return Err("a guarded call, or calls too deep".into());
        }
        if (results.len(), args.len()) != (function.results.len(), function.params.len()) {
            return Err(format!("{name} takes other parameters"));
        }
        self.instances += 1;
        let inner = self.instances;
        let pairs = function.results.iter().zip(&results).chain(function.params.iter().zip(&args));
        for (param, given) in pairs {
            let place =
                self.places.get(&self.name(given)).cloned().ok_or_else(|| format!("no parameter {given}"))?;
            self.places.insert(format!("{inner}:{}", param.name), place);
        }
        let scopes = std::mem::replace(&mut self.scopes, vec![FxHashMap::default()]);
        let outer = std::mem::replace(&mut self.instance, inner);
        let (line, source) = (self.line, self.source);
        self.depth += 1;
        let done = self.body(function).map_err(|e| e.what);
        let end = self.name("return");
        self.labels.insert(end, self.kernel.code.len() as u32);
        self.depth -= 1;
        (self.scopes, self.instance, self.line, self.source) = (scopes, outer, line, source);
        done
    }

    /// Declares a name of the current scope.
    fn declare(&mut self, name: &str) -> String {
        self.instances += 1;
        let full = if self.scopes.len() > 1 { format!("{}:{name}", self.instances) } else { self.name(name) };
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), full.clone());
        }
        full
    }

    /// The one name in the kernel of what a routine calls `name`.
    fn name(&self, name: &str) -> String {
        let found = self.scopes.iter().rev().find_map(|s| s.get(name));
        found.cloned().unwrap_or_else(|| format!("{}:{name}", self.instance))
    }

    fn fresh(&mut self) -> Reg {
        self.kernel.registers += 1;
        self.kernel.registers - 1
    }

    /// The predicate of a name or an immediate.
    pub fn pred(&mut self, name: &str) -> Pred {
        if let Some(x) = immediate(name) {
            return if x == 0 { FALSE } else { TRUE };
        }
        let full = self.name(name);
        if let Some(&p) = self.predicates.get(&full) {
            return p;
        }
        let p = self.kernel.predicates;
        self.kernel.predicates += 1;
        self.predicates.insert(full, p);
        p
    }

    /// The register that holds a constant.
    pub fn constant(&mut self, x: u64) -> Reg {
        if let Some(&r) = self.constants.get(&x) {
            return r;
        }
        let r = self.fresh();
        self.constants.insert(x, r);
        self.kernel.constants.push((r, x));
        r
    }

    /// The register of an operand: a register, an immediate, or the address of an array.
    pub fn reg(&mut self, text: &str) -> Result<Reg, String> {
        let text = text.trim();
        if text == "_" {
            return Ok(NONE);
        }
        if let Some(x) = immediate(text) {
            return Ok(self.constant(x));
        }
        if let Some(special) = special(text) {
            if let Some(&r) = self.registers.get(text) {
                return Ok(r);
            }
            let r = self.fresh();
            self.registers.insert(text.to_string(), r);
            self.kernel.specials.push((r, special));
            return Ok(r);
        }
        let full = self.name(text);
        // Inline assembly declares registers without the sign.
        if text.starts_with('%') || self.scopes.iter().any(|s| s.contains_key(text)) {
            if let Some(&r) = self.registers.get(&full) {
                return Ok(r);
            }
            let r = self.fresh();
            self.registers.insert(full, r);
            return Ok(r);
        }
        if let Some(&r) = self.registers.get(&full) {
            return Ok(r);
        }
        if let Some(&offset) = self.arrays.get(&full) {
            return Ok(self.constant(offset as u64));
        }
        if let Some(text) = self.module.shared.iter().find(|s| array(s).is_some_and(|a| a.0 == text)) {
            let offset = self.share(text)? as u64;
            return Ok(self.constant(offset));
        }
        if let Some(i) = self.module.globals.iter().position(|g| g.0 == text) {
            if let Some(&r) = self.globals.get(text) {
                return Ok(r);
            }
            let r = self.fresh();
            self.globals.insert(text.to_string(), r);
            self.kernel.globals.push((r, i));
            return Ok(r);
        }
        Err(format!("{text} is not known"))
    }

    /// The base and offset of an address in brackets.
    pub fn address<'t>(&self, text: &'t str) -> Result<(&'t str, i64), String> {
        let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        let inner = inner.ok_or_else(|| format!("{text} is no address"))?.trim();
        // An offset below is written `+-8`.
        let Some((base, offset)) = inner.split_once('+') else { return Ok((inner, 0)) };
        let offset = offset.trim().parse().map_err(|_| format!("{text} has no number for its offset"))?;
        Ok((base.trim(), offset))
    }

    /// The register that is a part of a parameter.
    pub fn part(&mut self, name: &str, offset: usize, ty: Ty) -> Result<Reg, String> {
        let place =
            self.places.get(&self.name(name)).cloned().ok_or_else(|| format!("no parameter {name}"))?;
        let key = (place, offset, ty.bytes());
        if let Some(&r) = self.parts.get(&key) {
            return Ok(r);
        }
        let r = self.fresh();
        if let Place::Kernel(i) = key.0 {
            self.kernel.reads.push((i, offset, ty, r));
        }
        self.parts.insert(key, r);
        Ok(r)
    }
}

/// The name that an array has in the CUDA text: the last part of a mangled one, which its length precedes.
fn plain(name: &str) -> &str {
    let part = |at: usize| {
        let (head, tail) = name.split_at_checked(at)?;
        head.ends_with(&tail.len().to_string()).then_some(tail)
    };
    if !name.starts_with("_Z") {
        return name;
    }
    (2..name.len())
        .find_map(part)
        .filter(|tail| !tail.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(name)
}

fn special(text: &str) -> Option<Special> {
    Some(match text {
        "%tid.x" => Special::Thread,
        "%ntid.x" => Special::Threads,
        "%ctaid.x" => Special::Block,
        "%nctaid.x" => Special::Blocks,
        "%laneid" => Special::Lane,
        "%lanemask_eq" => Special::Mask(0),
        "%lanemask_lt" => Special::Mask(1),
        "%lanemask_le" => Special::Mask(2),
        "%lanemask_gt" => Special::Mask(3),
        "%lanemask_ge" => Special::Mask(4),
        "%tid.y" | "%tid.z" | "%ctaid.y" | "%ctaid.z" => Special::Zero,
        "%ntid.y" | "%ntid.z" | "%nctaid.y" | "%nctaid.z" => Special::One,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_called_as_in_the_text() {
        assert_eq!(plain("_ZZ12reduce_blockIN2K03AccEET_S2_E4room"), "room");
        assert_eq!(plain("_ZZ1kE12twelve_chars"), "twelve_chars");
        assert_eq!(plain("room4x"), "room4x");
        assert_eq!(plain("_Z"), "_Z");
    }
}
