//! The console: lines from a terminal with editing and history, or from a pipe; and scripts before it.

use super::lines::{Input, Lines};
use super::{Run, progress, use_threads};
use crate::error::is_fault;
use crate::session::Session;
use q::eval::run::with_stack;
use q::{Error, Interp, show};
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Stack for the interpreter: q's own recursion limit is about 2,000 calls deep, each of several frames here.
const STACK_BYTES: usize = 512 << 20;

/// Whether the console goes on after a line.
pub enum Next {
    /// It does.
    Line,
    /// It ends with this code.
    Exit(u8),
}

/// Runs the script, if any, and then the console.
pub(super) fn main(run: Run) -> ExitCode {
    if let Some(megabytes) = run.memory {
        q::memory::set_limit(megabytes.saturating_mul(1 << 20));
    }
    with_stack(STACK_BYTES, || {
        use_threads(run.threads);
        let mut q = interpreter(&run);
        let person = io::stdin().is_terminal();
        let script = run.script.as_deref().map_or(Ok(()), |path| q.load_file(&path.to_string_lossy()));
        if let Err(e) = script {
            let next = failed(&mut q, &e, true);
            // A person can look at what the script left; a program gets told that it failed.
            match next {
                Next::Exit(code) => return ExitCode::from(code),
                Next::Line if person => {}
                Next::Line => return ExitCode::FAILURE,
            }
        }
        ExitCode::from(if person { terminal(&mut q, run.quiet) } else { pipe(&mut q) })
    })
}

/// An interpreter with the `.gpu` namespace, stopped by the interrupt key.
fn interpreter(run: &Run) -> Interp {
    let mut q = Interp::new();
    // A quarter is left to what the interpreter does not count.
    q.stack_bytes = STACK_BYTES / 4 * 3;
    q.args = run.args.clone();
    q.script = run.script.as_ref().map(|path| path.to_string_lossy().as_ref().into()).unwrap_or_default();
    q.threads = run.threads.unwrap_or(0);
    q.progress = progress::bar();
    let session = Session::new(run.engine);
    session.compensate(run.compensated);
    if let Some(why) = session.ready().err().and_then(|e| e.detail) {
        eprintln!("qfuse: {why}");
    }
    crate::gpu::register(&mut q, &session);
    crate::parquet::register(&mut q, progress::bar);
    let flag = q.interrupt.clone();
    let handler = move || flag.store(true, std::sync::atomic::Ordering::Relaxed);
    if let Err(e) = ctrlc::set_handler(handler) {
        eprintln!("qfuse: the interrupt key ends the program instead of a query: {e}");
    }
    q
}

/// Runs a line of input and shows what comes of it; a person also sees what a signal adds to its name.
pub fn run_line(q: &mut Interp, line: &[u8], person: bool) -> Next {
    q.interrupt.store(false, std::sync::atomic::Ordering::Relaxed);
    for outcome in q.run_text(line) {
        match outcome.result {
            Ok(_) if outcome.silent => {}
            Ok(value) => {
                let shown = q.guard(|q| Ok(show::console(&value, &q.settings)));
                match shown {
                    Ok(text) => q.print(text.as_bytes()),
                    Err(e) => {
                        failed(q, &e, person);
                    }
                }
            }
            Err(e) => {
                if let Next::Exit(code) = failed(q, &e, person) {
                    return Next::Exit(code);
                }
            }
        }
    }
    Next::Line
}

/// Shows a signal; `'exit` leaves with the code that it carries.
fn failed(q: &mut Interp, e: &Error, detail: bool) -> Next {
    if e.name == "exit" && e.ends() {
        // As the shell sees it: the low byte of the code.
        let code = e.detail.as_deref().and_then(|d| d.parse::<i64>().ok()).unwrap_or(0);
        return Next::Exit(code as u8);
    }
    q.print(show::error(e).as_bytes());
    // A program learns from the name what it did wrong, but not what is wrong with the machine.
    if let Some(detail) = e.detail.as_deref().filter(|_| detail || is_fault(e)) {
        eprintln!("{detail}");
    }
    Next::Line
}

/// Lines from a pipe: no banner, no prompt.
fn pipe(q: &mut Interp) -> u8 {
    let lines = Lines::new(|_| {
        let mut line = Vec::new();
        match io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) => Input::End(0),
            Ok(_) => Input::Line(line),
            Err(e) => {
                eprintln!("qfuse: standard input: {e}");
                Input::End(1)
            }
        }
    });
    converse(q, &lines, false)
}

/// Lines from a terminal, with editing and history.
fn terminal(q: &mut Interp, quiet: bool) -> u8 {
    if !quiet {
        println!(
            "qfuse {}: q on fused kernels. \\\\ leaves, Ctrl-C stops a query.",
            env!("CARGO_PKG_VERSION")
        );
    }
    let config = Config::builder().history_ignore_space(true).auto_add_history(true).build();
    let mut editor = match DefaultEditor::with_config(config) {
        Ok(editor) => editor,
        Err(e) => {
            eprintln!("qfuse: no line editing: {e}");
            return pipe(q);
        }
    };
    let mut history = history_file();
    if let Some(path) = &history {
        // A first run has no history to load.
        let _ = editor.load_history(path);
    }
    let flag = q.interrupt.clone();
    let lines = Lines::new(move |prompt| match editor.readline(prompt) {
        Ok(line) => {
            if let Some(path) = &history
                && let Err(e) = editor.append_history(path)
            {
                eprintln!("qfuse: the history could not be kept in {}: {e}", path.display());
                history = None;
            }
            Input::Line(line.into_bytes())
        }
        // The terminal gives this key to the editor, not to the program; the timer's function may be running.
        Err(ReadlineError::Interrupted) => {
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
            Input::Interrupted
        }
        Err(ReadlineError::Eof) => Input::End(0),
        Err(e) => {
            eprintln!("qfuse: {e}");
            Input::End(1)
        }
    });
    converse(q, &lines, true)
}

/// Runs lines until there are no more, and the timer between them. The result is the program's exit code.
fn converse(q: &mut Interp, lines: &Lines, person: bool) -> u8 {
    loop {
        // What was printed without a line's end must be out before the prompt.
        let _ = io::stdout().flush();
        lines.ask(if person { prompt(q) } else { String::new() });
        let input = loop {
            if let Some(input) = lines.wait(q.timer_due()) {
                break input;
            }
            if let Next::Exit(code) = tick(q, person) {
                if person {
                    // The editor waits for a key and is not asked any more, so it leaves the terminal as it set it.
                    let _without_stty_it_stays_so = std::process::Command::new("stty").arg("sane").status();
                }
                return code;
            }
        };
        let next = match input {
            Input::Line(line) => run_line(q, line.trim_ascii_end(), person),
            Input::Interrupted => Next::Line,
            Input::End(code) => Next::Exit(code),
        };
        if let Next::Exit(code) = next {
            return code;
        }
    }
}

/// Runs the timer's function and shows what it signals.
fn tick(q: &mut Interp, person: bool) -> Next {
    q.interrupt.store(false, std::sync::atomic::Ordering::Relaxed);
    q.tick().map_or_else(|e| failed(q, &e, person), |()| Next::Line)
}

/// `q)`, or `q.ns)` in a namespace.
fn prompt(q: &Interp) -> String {
    let space = q.globals.current;
    if space.is_null() { "q)".into() } else { format!("q.{space})") }
}

/// `$XDG_STATE_HOME/qfuse/history`, by default below `~/.local/state`; none without a home.
fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let folder = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    let folder = folder.join("qfuse");
    match std::fs::create_dir_all(&folder) {
        Ok(()) => Some(folder.join("history")),
        Err(e) => {
            eprintln!("qfuse: no history: {}: {e}", folder.display());
            None
        }
    }
}
