//! Where NVRTC lies: the setting, CUDA's folders, a Python wheel, or wherever the loader finds it.

use super::{Nvrtc, NvrtcError};
use std::path::{Path, PathBuf};

/// The first NVRTC that loads: of the environment's `QFUSE_NVRTC` if it is set, and then no other; else of
/// `CUDA_HOME`, a wheel, CUDA's usual folders, and what the loader finds. `open` opens a file.
pub(super) fn find(open: impl Fn(&Path) -> Result<Nvrtc, NvrtcError>) -> Result<Nvrtc, NvrtcError> {
    if let Some(named) = variable("QFUSE_NVRTC") {
        return match library_in(&named) {
            Some(path) => open(&path),
            None if named.is_dir() => Err(NvrtcError::Broken {
                path: named.display().to_string(),
                message: "QFUSE_NVRTC names a folder without libnvrtc.so".into(),
            }),
            None => open(&named),
        };
    }
    let mut broken = None;
    for path in folders().iter().filter_map(|folder| library_in(folder)) {
        match open(&path) {
            Ok(found) => return Ok(found),
            Err(error) => broken = broken.or(Some(error)),
        }
    }
    // What the loader itself finds. That there is none is no defect of a file.
    for name in ["libnvrtc.so.13", "libnvrtc.so", "libnvrtc.so.12"] {
        if let Ok(found) = Nvrtc::open(Path::new(name)) {
            return Ok(found);
        }
    }
    Err(broken.unwrap_or(NvrtcError::Missing))
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from)
}

/// The folders to look in, best first.
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable).flat_map(cuda).collect();
    let here = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    for dir in here.iter().flatten().flat_map(|p| p.ancestors()) {
        folders.extend(wheels(&dir.join(".nvrtc")));
    }
    let home = variable("HOME").map(|h| h.join(".local"));
    let prefixes = [
        variable("VIRTUAL_ENV"),
        variable("CONDA_PREFIX"),
        home,
        Some("/usr/local".into()),
        Some("/usr".into()),
    ];
    for lib in prefixes.into_iter().flatten().map(|prefix| prefix.join("lib")) {
        for python in entries(&lib).into_iter().filter(|p| file_name(p).starts_with("python")) {
            folders
                .extend(["site-packages", "dist-packages"].into_iter().flat_map(|s| wheels(&python.join(s))));
        }
    }
    folders.extend(["/usr/local/cuda", "/opt/cuda"].into_iter().map(PathBuf::from).flat_map(cuda));
    folders
}

/// Where a CUDA installation has its libraries.
fn cuda(home: PathBuf) -> [PathBuf; 4] {
    ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"].map(|lib| home.join(lib))
}

/// Where the wheels of CUDA 13 and 12 put the library below a folder of packages.
fn wheels(packages: &Path) -> [PathBuf; 2] {
    [packages.join("nvidia/cu13/lib"), packages.join("nvidia/cuda_nvrtc/lib")]
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    all.sort();
    all
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|n| n.to_str()).unwrap_or("")
}

/// The newest NVRTC in a folder: `libnvrtc.so.13` before `libnvrtc.so.9` before `libnvrtc.so`.
fn library_in(folder: &Path) -> Option<PathBuf> {
    let version = |p: &PathBuf| {
        let rest = file_name(p).strip_prefix("libnvrtc.so")?;
        rest.split('.').skip(1).map(|n| n.parse::<u32>().ok()).collect::<Option<Vec<_>>>()
    };
    entries(folder).into_iter().filter(|p| version(p).is_some()).max_by_key(version)
}

/// The libraries in a folder that NVRTC opens itself.
pub(super) fn builtins_in(folder: &Path) -> Vec<PathBuf> {
    let is = |name: &str| name.starts_with("libnvrtc-builtins.so") && !name.contains(".alt");
    entries(folder).into_iter().filter(|p| is(file_name(p))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_library_is_an_error() {
        let dir = std::env::temp_dir().join(format!("qfuse-nvrtc-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let file = dir.join("libnvrtc.so.13");
        std::fs::write(&file, "no library").unwrap();
        assert_eq!(library_in(&dir), Some(file.clone()));
        let error = Nvrtc::open(&file).unwrap_err();
        assert!(matches!(error, NvrtcError::Broken { .. }), "{error}");
        assert!(error.to_string().contains("libnvrtc.so.13"));
        for other in [
            "libnvrtc.so",
            "libnvrtc.so.9",
            "libnvrtc.so.13.alt",
            "libnvrtc-builtins.so.13.0",
            "libnvrtc.so.x",
        ] {
            std::fs::write(dir.join(other), "").unwrap();
        }
        assert_eq!(library_in(&dir), Some(file.clone()), "the newest, by number");
        assert_eq!(builtins_in(&dir), [dir.join("libnvrtc-builtins.so.13.0")]);
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(Nvrtc::open(&file).is_err());
    }
}
