//! The console transcripts of `tests/q`, q alone: each file runs in one fresh interpreter.

use libtest_mimic::{Arguments, Failed, Trial};
use tests::transcript::{files, replay, stem};

fn main() {
    let args = Arguments::from_args();
    let trial = |path| {
        Trial::test(stem(path), {
            let path = path.to_owned();
            move || replay(&path, q::Interp::new()).map_err(Failed::from)
        })
    };
    let trials = files("q").iter().map(|path| trial(path.as_path())).collect();
    libtest_mimic::run(&args, trials).exit();
}
