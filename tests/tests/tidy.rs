//! The house rules that a reader can check without running anything, kept as a test.

use std::fs;
use std::path::{Path, PathBuf};

/// The longest a source file may be, in lines.
const LONGEST: usize = 800;
/// The longest that the median source file may be.
const MEDIAN: usize = 250;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lies in the workspace").to_path_buf()
}

/// Every file below `dir` with one of the endings, generated and fetched folders left out.
fn files(dir: &Path, endings: &[&str], out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a folder of the project").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "corpus" {
                files(&path, endings, out);
            }
        } else if endings.iter().any(|e| name.ends_with(e)) {
            out.push(path);
        }
    }
}

fn sources() -> Vec<(String, String)> {
    let (root, mut paths) = (root(), vec![]);
    files(&root, &[".rs", ".cuh"], &mut paths);
    paths.sort();
    let shown = |p: &Path| p.strip_prefix(&root).expect("below the root").display().to_string();
    paths.iter().map(|p| (shown(p), fs::read_to_string(p).expect("a source file is UTF-8"))).collect()
}

/// The part of a source file before its unit tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

fn report(rule: &str, broken: Vec<String>) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

#[test]
fn first_lines_say_what_a_file_is_for() {
    let broken = sources().into_iter().filter(|(_, text)| !text.starts_with("//")).map(|(p, _)| p).collect();
    report("a source file begins with a comment that says what it is for", broken);
}

#[test]
fn files_are_short() {
    let mut lengths: Vec<(usize, String)> =
        sources().into_iter().map(|(path, text)| (text.lines().count(), path)).collect();
    lengths.sort();
    let long = lengths.iter().filter(|(n, _)| *n > LONGEST).map(|(n, p)| format!("{p}: {n} lines")).collect();
    report("no source file has more than 800 lines", long);
    let median = lengths[lengths.len() / 2].0;
    assert!(median <= MEDIAN, "the median source file has {median} lines, the limit is {MEDIAN}");
}

#[test]
fn crates_depend_in_one_direction() {
    let order = ["q", "compiler", "sim", "runtime", "qext", "tests"];
    let mut broken = vec![];
    for (at, name) in order.iter().enumerate() {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).expect("a member's manifest");
        for later in &order[at + 1..] {
            if manifest
                .lines()
                .any(|l| l.starts_with(&format!("{later}.")) || l.starts_with(&format!("{later} ")))
            {
                broken.push(format!("{name} depends on {later}"));
            }
        }
    }
    report("q <- compiler <- runtime <- qext <- tests", broken);
}

#[test]
fn nothing_unwraps() {
    let mut broken = vec![];
    for (path, text) in sources() {
        if path.starts_with("tests/") || path.starts_with("fuzz/") || path.contains("/tests/") {
            continue;
        }
        for (n, line) in code(&text).lines().enumerate() {
            let bare = line.trim_start();
            if !bare.starts_with("//") && (bare.contains(".unwrap()") || bare.contains(".expect(\"\")")) {
                broken.push(format!("{path}:{}: {bare}", n + 1));
            }
        }
    }
    report("outside tests, `expect` names the invariant, or the error is passed on", broken);
}

#[test]
fn unsafe_stays_in_its_places_and_gives_reasons() {
    let mut broken = vec![];
    for (path, text) in sources() {
        let lines: Vec<&str> = text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            let bare = line.trim_start();
            let is_unsafe = bare.contains("unsafe {") || bare.contains("unsafe impl");
            if !is_unsafe || bare.starts_with("//") || path == "tests/tests/tidy.rs" {
                continue;
            }
            let allowed = path == "q/src/buf.rs"
                || path.starts_with("runtime/src/device/")
                || path.starts_with("tests/libcuda/src/")
                || path.starts_with("qext/");
            if !allowed {
                broken.push(format!("{path}:{}: unsafe is not for this file", n + 1));
            }
            let reason = lines[n.saturating_sub(6)..=n].iter().any(|l| l.contains("SAFETY:"));
            if !reason {
                broken.push(format!("{path}:{}: no SAFETY reason", n + 1));
            }
        }
    }
    report("unsafe lives in q/src/buf.rs, runtime/src/device and qext, each block with its reason", broken);
}
