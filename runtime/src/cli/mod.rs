//! The `qfuse` program: what its command line says, and which part answers it.

mod bench;
mod cache;
pub mod console;
mod cost;
mod doctor;
mod lines;
mod plan;
mod progress;
mod sources;
mod sums;
mod tables;

use crate::engine::Engine;
use clap::{Args, Parser, Subcommand};
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

/// q on fused kernels: a console, a script runner, and tools to look into plans.
///
/// Without a command: runs SCRIPT if there is one, and then reads q from the terminal or a pipe.
#[derive(Parser, Debug)]
#[command(name = "qfuse", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: Run,
}

#[derive(Args, Debug)]
struct Run {
    /// Engine for queries on GPU objects: auto, cpu, cuda, sim or interp. A named engine never falls back.
    #[arg(long, env = "QFUSE_ENGINE", default_value_t)]
    engine: Engine,
    /// Float sums and averages of queries carry along what additions round away; `.gpu.config` changes it.
    #[arg(long)]
    compensated: bool,
    /// No banner.
    #[arg(short)]
    quiet: bool,
    /// Threads that queries may use (all cores if not given) and that `peach` uses (one if not given).
    #[arg(short = 's', value_name = "N")]
    threads: Option<usize>,
    /// Megabytes of memory that the program may hold; the machine's if not given.
    #[arg(short = 'w', value_name = "MB")]
    memory: Option<usize>,
    /// A q script; what follows it is `.z.x`.
    script: Option<PathBuf>,
    /// The script's arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Shows what becomes of a query, stage by stage, without running it.
    Plan(plan::Args),
    /// Says what this machine has and what follows from it.
    Doctor,
    /// Times queries over raw column files; one JSON object a line.
    Bench(bench::Args),
    /// Lists or clears the compiled kernels that are kept on disk.
    #[command(subcommand)]
    Cache(cache::Action),
}

/// Runs the program on this process's arguments.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        None => console::main(cli.run),
        Some(Command::Plan(args)) => plan::main(&args),
        Some(Command::Doctor) => doctor::main(),
        Some(Command::Bench(args)) => bench::main(&args),
        Some(Command::Cache(action)) => cache::main(action),
    }
}

/// Prints a line. A reader that has gone is no fault of ours.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Sets how many threads queries use, the caller's among them; without a number as many as the process has processors,
/// unless `RAYON_NUM_THREADS` is set. To be called on the thread that asks, before its first query; a second call has no
/// effect.
fn use_threads(threads: Option<usize>) {
    let all = || std::thread::available_parallelism().ok().map(NonZero::get);
    let left = std::env::var_os("RAYON_NUM_THREADS").is_some();
    if let Some(n) = threads.or_else(|| if left { None } else { all() }) {
        crate::device::cpu::use_threads(n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn scripts_keep_their_arguments() {
        let cli = Cli::parse_from(["qfuse", "-q", "a.q", "plan", "-x", "1"]);
        assert_eq!(cli.run.script, Some(PathBuf::from("a.q")));
        assert_eq!(cli.run.args, ["plan", "-x", "1"]);
        assert!(Cli::try_parse_from(["qfuse", "--engine", "gpu"]).is_err());
    }
}
