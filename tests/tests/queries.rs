//! The console transcripts of `tests/queries`, which ask queries of GPU objects: each file must print the same
//! bytes on every engine there is, the CUDA engine on a simulated driver unless `QFUSE_GPU` is set. A missing engine
//! is reported as ignored, by name.

use libtest_mimic::{Arguments, Failed, Trial};
use runtime::engine::Engine;
use runtime::session::Session;
use std::path::PathBuf;
use tests::transcript::{files, replay, stem};

fn main() {
    tests::driver::load();
    let args = Arguments::from_args();
    let engines = [Engine::Interp, Engine::Cpu, Engine::Sim, Engine::Cuda];
    let all = files("queries").into_iter().flat_map(|file| engines.map(|engine| trial(file.clone(), engine)));
    libtest_mimic::run(&args, all.collect()).exit();
}

fn trial(file: PathBuf, engine: Engine) -> Trial {
    let missing = Session::new(engine).ready().is_err();
    let name = format!("{}::{engine}", stem(&file));
    let run = move || {
        let mut q = q::Interp::new();
        runtime::gpu::register(&mut q, &Session::new(engine));
        replay(&file, q).map_err(Failed::from)
    };
    Trial::test(name, run).with_ignored_flag(missing)
}
