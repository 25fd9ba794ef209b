//! The reference interpreter: evaluates parse trees, plainly.
//!
//! [`Interp::eval`] walks a tree right to left. Names, special forms and application are here; what each
//! primitive does is in the file of its topic, reached through [`prim`].

pub mod agg;
pub mod amend;
pub mod apply;
pub mod assign;
pub mod binary;
pub mod cast;
pub mod csv;
mod cycle;
pub mod dict;
pub mod digest;
pub mod dollar;
pub mod elem;
pub mod enums;
pub mod env;
pub mod files;
pub mod find;
pub mod guard;
pub mod index;
pub mod item;
pub mod iterate;
pub mod join;
mod json;
pub mod list;
pub mod map;
mod matrix;
pub mod modules;
pub mod native;
pub mod pattern;
pub mod peach;
pub mod prim;
pub mod random;
pub mod run;
pub mod same;
pub mod scan;
pub mod sets;
pub mod sort;
pub mod splay;
pub mod string;
pub mod system;
pub mod take;
pub mod text;
mod timer;
pub mod trace;
pub mod value;
mod view;
pub mod vssv;
pub mod zvar;

use crate::error::{Error, Result};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::path::Spans;
use crate::show::Settings;
use crate::sym::Sym;
use crate::value::{Atom, Func, Raw, Value};
use rustc_hash::FxHashMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Answers `use` for modules that no file holds: gets the module's name, returns its namespace.
pub type Loader = Box<dyn Fn(&mut Interp, &str) -> Option<Result<Value>> + Send>;

/// An interpreter: globals, namespaces and console settings. It is `Send`; it may move between threads.
pub struct Interp {
    /// Globals by namespace.
    pub globals: env::Globals,
    /// How values print.
    pub settings: Settings,
    /// Set from another thread to stop what runs with `'stop`.
    pub interrupt: Arc<AtomicBool>,
    /// The generator of `?` with a number on the left.
    pub random: random::Random,
    /// Asked in turn by `use`.
    pub loaders: Vec<Loader>,
    /// Told of long loads: bytes done and in all.
    pub progress: Option<Box<dyn FnMut(u64, u64) + Send>>,
    /// Stack that evaluation may use, in bytes, counted from where the outermost call began.
    pub stack_bytes: usize,
    /// Views by name: `a::x` at the console.
    pub(crate) views: FxHashMap<Sym, view::View>,
    /// `\z 1`: dates like `01/02/2000` have the day first.
    pub day_first: bool,
    /// `\o`: what local time is ahead of universal time by, in hours, or in minutes past 23; null for not at all.
    pub offset: i32,
    /// The script that the program runs, `.z.f`; null without one.
    pub script: Sym,
    /// The script's arguments, `.z.x`.
    pub args: Vec<String>,
    /// `\t n`.
    timer: Option<timer::Timer>,
    frames: Vec<env::Frame>,
    out: Box<dyn Write + Send>,
    /// Threads for `peach`, `\s`; it works item by item on the caller's with less than two.
    pub threads: usize,
    /// What `setenv` set.
    env: Vec<(String, String)>,
    /// Files that `hopen` opened, by handle.
    files: files::Files,
    /// Modules that `use` loaded.
    modules: Vec<modules::Module>,
    /// The value of a `:x` that is on its way out of its function.
    returned: Option<Value>,
    /// How often evaluation touched the world, see [`cycle`].
    touched: u64,
    stack_top: Option<usize>,
    /// Applications so far.
    checks: u32,
}

impl Default for Interp {
    fn default() -> Interp {
        Interp {
            globals: env::Globals::default(),
            settings: Settings::default(),
            interrupt: Arc::default(),
            random: random::Random::default(),
            loaders: vec![],
            progress: None,
            stack_bytes: 1 << 20,
            views: FxHashMap::default(),
            day_first: false,
            offset: i32::MIN,
            script: Sym::NULL,
            args: vec![],
            timer: None,
            frames: vec![env::Frame::default()],
            out: Box::new(std::io::stdout()),
            threads: 0,
            env: vec![],
            files: files::Files::default(),
            modules: vec![],
            returned: None,
            touched: 0,
            stack_top: None,
            checks: 0,
        }
    }
}

impl std::fmt::Debug for Interp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interp").field("globals", &self.globals).finish_non_exhaustive()
    }
}

impl Interp {
    /// A new interpreter that writes to standard output.
    pub fn new() -> Interp {
        let mut q = Interp::default();
        q.boot();
        q
    }

    /// Sends what `-1`, `show` and the like print to `out`.
    pub fn set_output(&mut self, out: Box<dyn Write + Send>) {
        self.out = out;
    }

    /// Prints `text` as it is. A reader that has gone away is no error of the program's.
    pub fn print(&mut self, text: &[u8]) {
        self.touch();
        let _closed_pipe_is_ignored = self.out.write_all(text).and_then(|()| self.out.flush());
    }

    /// Makes a function of the host program a global under its full name.
    pub fn register(&mut self, native: Arc<dyn crate::seam::Native>) {
        let name = Sym::new(native.name());
        let value = Value::Fun(Func::Native(native));
        self.globals.set(name, Sym::NULL, value).expect("a plain variable can always be set");
    }

    /// The value of a parse tree. `spans`, shaped as the tree, give errors their place.
    pub fn eval(&mut self, tree: &Value, spans: Option<&Spans>) -> Result<Value> {
        match tree {
            Value::Atom(a) if a.kind == Kind::Sym => {
                let name = tree.as_sym().unwrap_or_default();
                self.lookup(name).map_err(|e| self.placed(e, spans))
            }
            Value::Vec(v) if v.len() == 1 && v.kind == Kind::Sym => Ok(item::item(tree, 0)),
            Value::List(l) => match l.as_slice() {
                [] => Ok(tree.clone()),
                [constant] => Ok(constant.clone()),
                [head, args @ ..] => {
                    let out = self.eval_call(head, args, spans);
                    out.map_err(|e| self.placed(e, spans))
                }
            },
            _ => Ok(tree.clone()),
        }
    }

    /// The value of a parse tree with `columns` in scope: they hide variables of the same name.
    pub fn eval_with(&mut self, columns: Vec<(Sym, Value)>, tree: &Value) -> Result<Value> {
        let depth = self.frames.len();
        self.frames[depth - 1].columns.push(columns);
        let out = self.eval(tree, None);
        self.frames.truncate(depth);
        self.frames[depth - 1].columns.pop();
        out
    }
}

/// Application and the special forms of a tree.
impl Interp {
    fn eval_call(&mut self, head: &Value, args: &[Value], spans: Option<&Spans>) -> Result<Value> {
        if let Some(form) = self.special(head, args, spans)? {
            return Ok(form);
        }
        let kid = |i: usize| spans.and_then(|s| s.kids.get(i));
        let elided = |arg: &Value| arg.as_prim() == Some(Prim::Elided);
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate().rev().filter(|(_, arg)| !elided(arg)) {
            values.push(self.eval(arg, kid(i + 1))?);
        }
        let named;
        let f = match head {
            Value::Fun(_) => head,
            _ => {
                named = self.eval(head, kid(0))?;
                &named
            }
        };
        if values.len() < args.len() {
            let holes = args.iter().map(|arg| if elided(arg) { None } else { values.pop() }).collect();
            return self.apply_holes(f, holes);
        }
        values.reverse();
        if let (Some(spans), Some(frame)) = (spans, self.frames.last_mut()) {
            frame.at = spans.span;
        }
        self.apply(f, values)
    }

    /// The forms whose arguments are not simply evaluated; none if the tree is a plain application.
    fn special(&mut self, head: &Value, args: &[Value], spans: Option<&Spans>) -> Result<Option<Value>> {
        let kid = |i: usize| spans.and_then(|s| s.kids.get(i));
        match (head, args) {
            (Value::Fun(Func::Prim(p)), _) => match (p, args) {
                (Prim::Assign, [value]) => {
                    let value = self.eval(value, kid(1))?;
                    self.returned = Some(value);
                    Err(Error::new("return"))
                }
                (Prim::Assign, [target, value]) => {
                    self.assign_form(None, target, kid(1), value, kid(2)).map(Some)
                }
                (Prim::Ident, [Value::Atom(_), tree]) if self.at_top() && args[0].as_sym().is_some() => {
                    let name = args[0].as_sym().unwrap_or_default();
                    self.define_view(name, tree, kid(2)).map(Some)
                }
                (Prim::Ident, [target, value]) => {
                    self.assign_form(None, target, kid(1), value, kid(2)).map(Some)
                }
                (Prim::Dollar, [_, _, _, ..]) => self.cond(args, spans).map(Some),
                (unary, [target, value]) => match prim::binary_twin(*unary) {
                    Some(f) => {
                        let f = Value::prim(f);
                        self.assign_form(Some(&f), target, kid(1), value, kid(2)).map(Some)
                    }
                    None => Ok(None),
                },
                _ => Ok(None),
            },
            (Value::Atom(Atom { kind: Kind::Char, raw: Raw::B(b';'), .. }), _) => {
                let mut last = Value::null();
                for (i, statement) in args.iter().enumerate() {
                    last = self.eval(statement, kid(i + 1))?;
                }
                Ok(Some(last))
            }
            (Value::Atom(Atom { kind: Kind::Char, raw: Raw::B(b'\''), .. }), [text]) => {
                let text = self.eval(text, kid(1))?;
                Err(signal(&text))
            }
            (Value::Atom(Atom { kind: Kind::Sym, raw: Raw::S(name), .. }), [test, rest @ ..]) => {
                match name.text() {
                    "if" => {
                        if index::truth(&self.eval(test, kid(1))?)? {
                            self.statements(rest, spans)?;
                        }
                    }
                    "while" => {
                        while index::truth(&self.eval(test, kid(1))?)? {
                            self.check()?;
                            self.statements(rest, spans)?;
                        }
                    }
                    "do" => {
                        let n = self.eval(test, kid(1))?.as_long().ok_or(Error::new("type"))?;
                        for _ in 0..n {
                            self.check()?;
                            self.statements(rest, spans)?;
                        }
                    }
                    _ => return Ok(None),
                }
                Ok(Some(Value::null()))
            }
            _ => Ok(None),
        }
    }

    /// True in a statement of the console or a script, outside every function.
    fn at_top(&self) -> bool {
        self.frames.last().is_some_and(|f| f.console)
    }

    /// The statements after a control word's test.
    fn statements(&mut self, body: &[Value], spans: Option<&Spans>) -> Result<()> {
        for (i, statement) in body.iter().enumerate() {
            self.eval(statement, spans.and_then(|s| s.kids.get(i + 2)))?;
        }
        Ok(())
    }

    /// `$[c;a;b]` with any number of tests.
    fn cond(&mut self, args: &[Value], spans: Option<&Spans>) -> Result<Value> {
        let kid = |i: usize| spans.and_then(|s| s.kids.get(i + 1));
        let mut i = 0;
        while i + 1 < args.len() {
            if index::truth(&self.eval(&args[i], kid(i))?)? {
                return self.eval(&args[i + 1], kid(i + 1));
            }
            i += 2;
        }
        args.get(i).map_or_else(|| Ok(Value::null()), |last| self.eval(last, kid(i)))
    }

    /// `target f: value` in all its forms; the result is the value.
    fn assign_form(
        &mut self,
        f: Option<&Value>,
        target: &Value,
        at: Option<&Spans>,
        value: &Value,
        from: Option<&Spans>,
    ) -> Result<Value> {
        let value = self.eval(value, from)?;
        match target {
            Value::Atom(_) if target.as_sym().is_some() => {
                let name = target.as_sym().unwrap_or_default();
                match f {
                    None => self.assign(name, value.clone())?,
                    Some(_) => return self.assign_through(name, &[], f, &value),
                }
            }
            Value::List(l) if l.len() > 1 && l[0].as_sym().is_some() => {
                let name = l[0].as_sym().unwrap_or_default();
                let mut places = Vec::with_capacity(l.len());
                for (i, index) in l[1..].iter().enumerate().rev() {
                    places.push(match index.as_prim() {
                        Some(Prim::Elided) => Value::null(),
                        _ => self.eval(index, at.and_then(|s| s.kids.get(i + 1)))?,
                    });
                }
                places.reverse();
                return self.assign_through(name, &places, f, &value);
            }
            pattern if f.is_none() => return self.assign_pattern(pattern, value),
            // No text assigns to a constant, so this is a unary function applied to two: `count[1;2]`.
            _ => return Err(Error::new("rank")),
        }
        Ok(value)
    }

    fn placed(&mut self, mut e: Error, spans: Option<&Spans>) -> Error {
        if let Some(spans) = spans.filter(|_| self.returned.is_none()) {
            let span = spans.find(&std::mem::take(&mut e.path));
            self.trace(&mut e, span);
        }
        e
    }
}

/// The error that `'x` signals: a symbol's or string's text.
pub fn signal(x: &Value) -> Error {
    let text = match x {
        Value::Atom(_) => x.as_sym().map(|s| s.text().to_string()),
        _ => None,
    };
    // `'type`: the name of a keyword stands for itself.
    let text = text.or_else(|| x.as_prim().map(|p| p.row().keyword.to_string()).filter(|t| !t.is_empty()));
    let text = text.or_else(|| list::bytes(x).map(|b| b.iter().map(|&b| b as char).collect()));
    Error::new(text.unwrap_or_else(|| "stype".to_string()))
}
