//! Running text: console lines and scripts, statement by statement.

use super::Interp;
use crate::error::{Result, Source};
use crate::parse;
use crate::value::Value;
use std::sync::Arc;

/// What one statement gave.
#[derive(Debug)]
pub struct Outcome {
    /// The value, or the signal.
    pub result: Result<Value>,
    /// True if the console prints nothing: an assignment, or a statement that ends in a semicolon.
    pub silent: bool,
}

impl Interp {
    /// Runs a console line or a script given as text. Later statements run even if one signals, as at the
    /// console; `'exit` (with the code as its detail) ends the run.
    pub fn run_text(&mut self, text: &[u8]) -> Vec<Outcome> {
        let source = Arc::new(Source { text: text.into(), file: None, line: 1 });
        let mut out = vec![];
        for range in parse::units(&source) {
            let outcome = match self.guard(|q| q.unit(&source, range)) {
                Ok(None) => continue,
                Ok(Some((value, silent))) => Outcome { result: Ok(value), silent },
                Err(e) => Outcome { result: Err(e), silent: false },
            };
            let last = matches!(&outcome.result, Err(e) if e.ends());
            out.push(outcome);
            if last {
                break;
            }
        }
        out
    }

    /// Runs a script; the first signal ends it. Values of its statements are shown on one line each, as q
    /// shows them when it loads.
    pub fn run_script(&mut self, source: Source) -> Result<()> {
        let source = Arc::new(source);
        for range in parse::units(&source) {
            if let Some((value, false)) = self.guard(|q| q.unit(&source, range))?
                && !value.is_null_fn()
            {
                let shown = crate::show::one_line(&value, &self.settings)
                    + "
";
                self.print(shown.as_bytes());
            }
        }
        Ok(())
    }

    /// Runs the statement in `range` of `source` at the console's level.
    fn unit(&mut self, source: &Arc<Source>, range: std::ops::Range<usize>) -> Result<Option<(Value, bool)>> {
        let Some(stmt) = parse::unit(source, range, self.globals.current)? else { return Ok(None) };
        let value = self.at_console(source, |q| {
            q.frames.last_mut().expect("the statement's frame is there").console = true;
            q.eval(&stmt.tree, Some(&stmt.spans))
        })?;
        Ok(Some((value, stmt.silent)))
    }

    /// Runs `f` as a statement of the console: no function's variables are in sight.
    pub(super) fn at_console(
        &mut self,
        source: &Arc<Source>,
        f: impl FnOnce(&mut Interp) -> Result<Value>,
    ) -> Result<Value> {
        let outermost = self.frames.len() == 1;
        let depth = self.frames.len();
        let space = self.globals.current;
        let source = Some(source.clone());
        self.frames.push(super::env::Frame { space, source, ..Default::default() });
        let out = f(self);
        self.frames.truncate(depth);
        if outermost {
            self.stack_top = None;
        }
        match out {
            Err(_) if self.returned.is_some() => Ok(self.returned.take().unwrap_or_else(Value::null)),
            out => out,
        }
    }

    /// The value of a q text, evaluated at the console's level: `value "1+2"`.
    pub fn eval_text(&mut self, text: &[u8]) -> Result<Value> {
        let source = Arc::new(Source { text: text.into(), file: None, line: 1 });
        let (tree, spans) = parse::expression(&source, self.globals.current)?;
        self.at_console(&source, |q| q.eval(&tree, Some(&spans)))
    }

    /// Loads a script file (`\l`), at the root of the file's own namespace directives: from the working
    /// directory, else from `QHOME`, else one of the samples that belong to q.
    pub fn load_file(&mut self, path: &str) -> Result<()> {
        let text = script(path).map_err(|e| super::files::failed(path, &e))?;
        let held = self.globals.current;
        let done = self.run_script(Source { text: text.into(), file: Some(path.into()), line: 1 });
        self.globals.current = held;
        done
    }
}

/// Scripts that are found where no file of their name lies.
const SAMPLES: [(&str, &[u8]); 1] = [("sp.q", include_bytes!("sp.q"))];

fn script(path: &str) -> std::io::Result<Vec<u8>> {
    let read = std::fs::read(path);
    if !matches!(&read, Err(e) if e.kind() == std::io::ErrorKind::NotFound) {
        return read;
    }
    let home =
        std::env::var_os("QHOME").and_then(|home| std::fs::read(std::path::Path::new(&home).join(path)).ok());
    let sample = || SAMPLES.iter().find(|(name, _)| *name == path).map(|(_, text)| text.to_vec());
    home.or_else(sample).map_or(read, Ok)
}

/// Runs `f` on a thread with a stack of `bytes`, for interpreters whose `stack_bytes` asks for more than the
/// caller's thread has. A panic in `f` goes on in the caller.
pub fn with_stack<T: Send>(bytes: usize, f: impl FnOnce() -> T + Send) -> T {
    on_threads(bytes, vec![f], |f| f()).pop().expect("one job has one result")
}

/// Runs `f` on each job on a thread of its own, as [`with_stack`]; the results are in the order of the jobs.
pub(super) fn on_threads<J: Send, T: Send>(bytes: usize, jobs: Vec<J>, f: impl Fn(J) -> T + Sync) -> Vec<T> {
    let f = &f;
    std::thread::scope(|scope| {
        let start = |job| {
            let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, move || f(job));
            thread.expect("the system can start one more thread")
        };
        let threads: Vec<_> = jobs.into_iter().map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<T>| match thread.join() {
            Ok(out) => out,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().map(join).collect()
    })
}
