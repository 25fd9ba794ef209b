//! Console transcripts: a line `q)expr` is an input, the lines after it are what it prints (blanks at the ends of
//! lines do not count); a line that begins with `/ ` is a comment. Where only a signal's name is given, its place
//! is not compared. With `BLESS=1` in the environment the files are rewritten with what was printed, to be read
//! before it is committed.

use q::Interp;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// An output that the runner can read back.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().expect("no writer panics"));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// One input and what it should print; comments are kept so that a file can be rewritten.
struct Step<'a> {
    line: usize,
    comments: Vec<&'a str>,
    input: &'a str,
    want: Vec<&'a str>,
}

fn steps(text: &str) -> (Vec<Step<'_>>, Vec<&str>) {
    let (mut steps, mut comments): (Vec<Step>, Vec<&str>) = (vec![], vec![]);
    for (i, line) in text.lines().enumerate() {
        if let Some(input) = line.strip_prefix("q)") {
            steps.push(Step { line: i + 1, comments: std::mem::take(&mut comments), input, want: vec![] });
        } else if line.starts_with("/ ") || line == "/" || steps.is_empty() || !comments.is_empty() {
            comments.push(line);
        } else if let Some(step) = steps.last_mut() {
            step.want.push(line);
        }
    }
    (steps, comments)
}

fn trimmed<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut lines: Vec<&str> = lines.map(str::trim_end).collect();
    while lines.last().is_some_and(|l| l.is_empty()) {
        lines.pop();
    }
    lines
}

/// Replays the transcript at `path` in `q`, as the console would.
///
/// # Errors
/// A report of every step that printed something else, or why the file cannot be read.
pub fn replay(path: &Path, mut q: Interp) -> Result<(), String> {
    let say = |e: std::io::Error| format!("{}: {e}", path.display());
    let text = fs::read_to_string(path).map_err(say)?;
    let (steps, tail) = steps(&text);
    if steps.is_empty() {
        return Err(format!("{}: no inputs", path.display()));
    }
    let out = Shared::default();
    q.set_output(Box::new(out.clone()));
    let (mut report, mut blessed) = (String::new(), String::new());
    for step in steps {
        runtime::cli::console::run_line(&mut q, step.input.as_bytes(), false);
        let got = out.take();
        let (want, mut got) = (trimmed(step.want.into_iter()), trimmed(got.lines()));
        if let [name] = want[..]
            && name.starts_with('\'')
        {
            got.truncate(1);
        }
        if want != got {
            report += &format!(
                "{}:{}: q){}\n  want:\n{}\n  got:\n{}\n",
                path.display(),
                step.line,
                step.input,
                want.join("\n"),
                got.join("\n")
            );
        }
        let lines = step.comments.iter().copied().map(str::to_string);
        let lines = lines.chain([format!("q){}", step.input)]).chain(got.into_iter().map(str::to_string));
        lines.for_each(|l| blessed += &(l + "\n"));
    }
    if std::env::var_os("BLESS").is_some() {
        tail.iter().for_each(|l| blessed += &format!("{l}\n"));
        fs::write(path, blessed).map_err(say)?;
        return Ok(());
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// The transcripts of the folder `name` of this package, in order.
pub fn files(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let entries = fs::read_dir(&folder).expect("the folder of transcripts is there");
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "q")).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has transcripts", folder.display());
    files
}

/// The file's name without folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
