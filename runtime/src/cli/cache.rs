//! `qfuse cache`: the compiled kernels on disk.

use super::say;
use crate::cache::{Disk, entry};
use std::process::ExitCode;
use std::time::Duration;

/// What to do with the cache.
#[derive(clap::Subcommand, Clone, Copy, Debug)]
pub enum Action {
    /// Shows each kernel: when it was last used, its bytes, and what NVRTC was asked.
    List,
    /// Removes all of them.
    Clear,
    /// Prints the folder, which QFUSE_CACHE sets; `off` goes without.
    Path,
}

/// Does it to this process's cache.
pub fn main(action: Action) -> ExitCode {
    match answer(action, Disk::process()) {
        Ok(text) => {
            say(&text);
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("qfuse cache: {what}");
            ExitCode::FAILURE
        }
    }
}

fn answer(action: Action, disk: &Disk) -> Result<String, String> {
    let Some(folder) = disk.folder() else {
        return Err("it is switched off: QFUSE_CACHE is off, or this user has no home".into());
    };
    let say = |e: std::io::Error| format!("{}: {e}", folder.display());
    match action {
        Action::Path => Ok(folder.display().to_string()),
        Action::Clear => {
            Ok(format!("{} kernels removed from {}", disk.clear().map_err(say)?, folder.display()))
        }
        Action::List => {
            let mut all = disk.list().map_err(say)?;
            all.sort_by_key(|k| std::cmp::Reverse(k.used));
            let bytes: u64 = all.iter().map(|k| k.bytes).sum();
            let mut text =
                format!("{}: {} kernels, {bytes} bytes of {}", folder.display(), all.len(), disk.most());
            for kept in all {
                let age = kept.used.elapsed().unwrap_or_default();
                let about = std::fs::read(&kept.path).ok().and_then(|b| entry::about(&b).map(str::to_string));
                let about = about.unwrap_or_else(|| "not readable".into());
                let name = kept.path.file_name().and_then(|n| n.to_str()).unwrap_or("");
                text += &format!("\n{:.12} {:>8} {:>9} {about}", name, shown(age), kept.bytes);
            }
            Ok(text)
        }
    }
}

/// How long ago, in the largest unit that it fills.
fn shown(age: Duration) -> String {
    let s = age.as_secs();
    let units = [(86_400, "d"), (3600, "h"), (60, "m")];
    let (n, unit) = units.into_iter().find(|u| s >= u.0).map_or((s, "s"), |u| (s / u.0, u.1));
    format!("{n}{unit} ago")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Key;
    use crate::device::nvrtc::Compiled;

    #[test]
    fn kernels_are_listed_and_cleared() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::new(Some(folder.path().join("k")), 1 << 20);
        let told = |action| answer(action, &disk).expect("it is on");
        assert!(told(Action::List).contains(": 0 kernels, 0 bytes"));
        disk.put(&Key([0xab; 32]), "asked for sm_90", &Compiled { image: vec![1], log: String::new() });
        let list = told(Action::List);
        let line = list.lines().nth(1).expect("a line a kernel");
        assert!(line.starts_with("abababababab ") && line.ends_with(" asked for sm_90"), "{list}");
        assert_eq!(told(Action::Path), folder.path().join("k").display().to_string());
        assert!(told(Action::Clear).starts_with("1 kernels removed"));
        assert!(told(Action::List).contains(": 0 kernels"));
        assert!(answer(Action::List, &Disk::new(None, 0)).is_err_and(|e| e.contains("switched off")));
    }

    #[test]
    fn ages_are_short() {
        let of = |s| shown(Duration::from_secs(s));
        assert_eq!([of(0), of(61), of(7300), of(200_000)], ["0s ago", "1m ago", "2h ago", "2d ago"]);
    }
}
