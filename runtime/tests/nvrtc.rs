//! Finding NVRTC, from outside: a library that is missing, broken or of another kind is a line of text, whatever the
//! program was asked, and never the end of it. Each case is a process of its own, since a library stays loaded.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `qfuse` without the settings of whoever runs the tests.
fn qfuse(program: &Path, env: &[(&str, &Path)], args: &[&str]) -> (bool, String) {
    let mut command = Command::new(program);
    for name in ["QFUSE_NVRTC", "QFUSE_ENGINE", "CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH"] {
        command.env_remove(name);
    }
    let o = command.envs(env.iter().copied()).args(args).output().expect("the program starts");
    let text = String::from_utf8_lossy(&o.stdout).into_owned() + &String::from_utf8_lossy(&o.stderr);
    (o.status.success(), text)
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_qfuse"))
}

/// What doctor says of NVRTC.
fn told(program: &Path, env: &[(&str, &Path)]) -> String {
    let (well, text) = qfuse(program, env, &["doctor"]);
    assert!(well, "{text}");
    let line = text.lines().find_map(|l| l.strip_prefix("nvrtc"));
    line.unwrap_or_else(|| panic!("{text}")).trim().to_string()
}

/// The library of this machine; none, and a line that names the test, where there is none.
fn found(test: &str) -> Option<PathBuf> {
    let told = told(program(), &[]);
    let path = told.split_once(" at ").and_then(|(_, rest)| rest.split_once(", for "));
    if path.is_none() {
        let _ = writeln!(std::io::stderr(), "skipped: {test}: {told}");
    }
    // A bare name is the loader's, who tells nobody where the file is.
    path.map(|p| PathBuf::from(p.0)).filter(|p| p.is_absolute())
}

#[test]
fn a_library_that_is_cut_off_is_told_at_every_length() {
    let Some(real) = found("a_library_that_is_cut_off_is_told_at_every_length") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let cut = folder.path().join("libnvrtc.so.13");
    fs::copy(&real, &cut).expect("copied");
    let whole = fs::metadata(&cut).expect("it is there").len();
    let file = File::options().write(true).open(&cut).expect("opened");
    for length in [whole - 1, whole - 4096, whole / 4 * 3, whole / 2, whole / 10, 4096, 64, 63, 1, 0] {
        file.set_len(length).expect("cut");
        let told = told(program(), &[("QFUSE_NVRTC", &cut)]);
        assert!(told.starts_with(&cut.display().to_string()) && told.contains("cut off"), "{length}: {told}");
    }
}

#[test]
fn what_is_not_nvrtc_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = |path: &Path| told(program(), &[("QFUSE_NVRTC", path)]);
    assert!(told(folder.path()).contains("a folder without libnvrtc.so"));
    let file = folder.path().join("libnvrtc.so.13");
    assert!(told(&file).contains("No such file"));
    fs::write(&file, vec![b'x'; 5000]).expect("written");
    assert!(told(&file).contains("no ELF library of 64 bits"));
    // A library that is sound and lacks NVRTC's functions, by the name that the loader knows.
    assert!(told(Path::new("libc.so.6")).contains("nvrtcGetErrorString"));
    // A named library is the only one: the query is refused, and the session goes on.
    let script = folder.path().join("s.q");
    fs::write(&script, "-1 @[.gpu.to;1 2;{x}];\n-1 \"on\";\nexit 0\n").expect("written");
    let env: [(&str, &Path); 2] = [("QFUSE_NVRTC", &file), ("QFUSE_ENGINE", Path::new("sim"))];
    let (well, text) = qfuse(program(), &env, &[script.to_str().expect("text")]);
    assert!(well && text.contains("GPU_NOT_IMPLEMENTED") && text.contains("on\n"), "{text}");
    let plan = ["plan", "--table", "t=x:long", "--stage", "resources", "select sum x from t"];
    let (well, text) = qfuse(program(), &env[..1], &plan);
    assert!(!well && text.contains("not available") && text.contains("no ELF"), "{text}");
}

#[test]
fn settings_go_before_wheels() {
    let Some(real) = found("settings_go_before_wheels") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let lib = folder.path().join("lib64");
    fs::create_dir(&lib).expect("a folder");
    let libraries = real.parent().expect("a file is in a folder");
    for entry in fs::read_dir(libraries).expect("it is there").flatten() {
        symlink(entry.path(), lib.join(entry.file_name())).expect("linked");
    }
    let at = |env: &[(&str, &Path)]| told(program(), env);
    let (home, lib) = (folder.path(), lib.display().to_string());
    assert!(at(&[("CUDA_HOME", home)]).contains(&lib));
    assert!(at(&[("CUDA_PATH", home)]).contains(&lib));
    assert!(at(&[("CUDA_HOME", home), ("QFUSE_NVRTC", &real)]).contains(&real.display().to_string()));
    assert!(at(&[("QFUSE_NVRTC", Path::new(&lib))]).contains(&lib));
    // A broken one in CUDA_HOME is passed over, since it was not asked for by name.
    fs::remove_file(home.join("lib64/libnvrtc.so.13")).expect("removed");
    fs::write(home.join("lib64/libnvrtc.so.13"), "broken").expect("written");
    assert!(!at(&[("CUDA_HOME", home)]).contains(&lib));
}

#[test]
fn without_any_library_there_is_a_line() {
    // Elsewhere, so that the project's own library is not found.
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = folder.path().join("qfuse");
    fs::copy(program(), &elsewhere).expect("copied");
    let o = Command::new(&elsewhere)
        .arg("doctor")
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", folder.path())
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&o.stdout);
    assert!(o.status.success(), "{text}");
    // A machine may have NVRTC where every program finds it.
    let system = text.contains("NVRTC 1");
    assert!(system || text.contains("NVRTC is not installed"), "{text}");
    assert!(text.contains(&format!("{}/.cache/qfuse/kernels", folder.path().display())), "{text}");
    assert!(!folder.path().join(".cache").exists(), "looking makes nothing");
}

#[test]
fn a_library_is_not_loaded_where_all_code_is_on_disk() {
    let Some(real) = found("a_library_is_not_loaded_where_all_code_is_on_disk") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let kernels = folder.path().join("kernels");
    // A copy of its own name, which the test can replace.
    let libraries = folder.path().join("lib");
    fs::create_dir(&libraries).expect("a folder");
    for entry in fs::read_dir(real.parent().expect("a file is in a folder")).expect("it is there").flatten() {
        symlink(entry.path(), libraries.join(entry.file_name())).expect("linked");
    }
    let library = libraries.join(real.file_name().expect("a file has a name"));
    // The program's output, and whether the loader had to do with the library.
    let run = |query: &str| {
        let env: [(&str, &Path); 3] =
            [("QFUSE_NVRTC", &library), ("QFUSE_CACHE", &kernels), ("LD_DEBUG", Path::new("files"))];
        let (well, text) = qfuse(program(), &env, &["plan", "--table", "t=x:long", "--stage", "ptx", query]);
        let (loader, out): (Vec<&str>, Vec<&str>) = text
            .lines()
            .partition(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit()) && l.contains(":\t"));
        (well, loader.iter().any(|l| l.contains("libnvrtc")), out.join("\n"))
    };
    let (well, loaded, cold) = run("select sum x from t");
    assert!(well && loaded && cold.contains(".visible .entry"), "{cold}");
    assert_eq!(run("select sum x from t"), (true, false, cold));
    let (well, loaded, other) = run("select max x from t");
    assert!(well && loaded && other.contains(".visible .entry"), "what is not on disk is compiled: {other}");
    // Another file of that name is another library.
    fs::remove_file(&library).expect("removed");
    fs::write(&library, "no library").expect("written");
    let (well, _, text) = run("select sum x from t");
    assert!(!well && text.contains("cut off"), "{text}");
}
