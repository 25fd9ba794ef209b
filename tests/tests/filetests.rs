//! Graphs in files: `tests/passes/*.ir` are graphs before and after a pass, `tests/verify/*.ir` are graphs with
//! the rules that they break.
//!
//! A file is a graph in the textual form, a line of dashes, and what is expected. Lines that begin with `#`
//! are comments; in a pass's file the first is `# pass NAME`. Run with `UPDATE=1` to write what came out.

use compiler::ir::parse_text::parse_graph;
use compiler::ir::verify::verify;
use compiler::passes::PASSES;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const BAR: &str = "----\n";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = vec![];
    for (folder, run) in [("passes", pass as fn(&str) -> Result<String, Failed>), ("verify", rules)] {
        let files = ir_files(&root.join(folder));
        assert!(!files.is_empty(), "tests/{folder} has files");
        for file in files {
            let name = format!("{folder}/{}", file.file_stem().unwrap_or_default().to_string_lossy());
            trials.push(Trial::test(name, move || compare(&file, run)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn ir_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "ir")).collect();
    files.sort();
    files
}

/// Runs a file's graph and compares with what stands below the bar.
fn compare(file: &Path, run: fn(&str) -> Result<String, Failed>) -> Result<(), Failed> {
    let text = fs::read_to_string(file)?;
    let (input, expected) = text.split_once(BAR).ok_or("a line of four dashes")?;
    let got = run(input)?;
    if got == expected {
        return Ok(());
    }
    if std::env::var_os("UPDATE").is_some() {
        return Ok(fs::write(file, format!("{input}{BAR}{got}"))?);
    }
    Err(format!("expected\n{expected}\ngot\n{got}").into())
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| if line.starts_with('#') { "\n".into() } else { format!("{line}\n") }).collect()
}

/// The graph after the pass that the first line names; a pass leaves dead nodes, which are pruned.
fn pass(input: &str) -> Result<String, Failed> {
    let name = input.lines().next().and_then(|line| line.strip_prefix("# pass ")).ok_or("# pass NAME")?;
    let named = |name: &str| PASSES.iter().find(|(n, _)| *n == name).map(|(_, pass)| pass);
    let (pass, prune) = (named(name).ok_or("the name of a pass")?, named("prune").ok_or("prune is a pass")?);
    let graph = parse_graph(&without_comments(input))?;
    let errors = verify(&graph);
    if !errors.is_empty() {
        return Err(errors.join("\n").into());
    }
    let after = prune(&pass(&graph));
    let errors = verify(&after);
    if errors.is_empty() { Ok(after.to_string()) } else { Err(errors.join("\n").into()) }
}

/// The rules that the graph breaks, a line each.
fn rules(input: &str) -> Result<String, Failed> {
    let graph = parse_graph(&without_comments(input))?;
    Ok(verify(&graph).into_iter().map(|rule| rule + "\n").collect())
}
