//! A table that one thread replaces while others query it: each query sees one version of it, whole.

use q::{Interp, Sym, Value};
use runtime::engine::Engine;
use runtime::session::Session;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tests::nvrtc::found;

/// Threads that query, and rows of each version.
const READERS: usize = 3;
const ROWS: usize = 3000;

/// What replaces a version: in each, `p` is `2*n`, `v` is the version everywhere, and there are as many rows as `c`
/// says.
const REPLACE: [&str; 4] = [
    "update n:n+1,p:p+2,v:v+1 from`T",
    "T:update n:3*n,p:3*p,v:v+1 by s from T",
    "T:update v:v+1,c:c-1 from delete from T where i=0",
    "T:.gpu.to update v:v+1 from .gpu.from T",
];
/// What holds of every version; each is one query, with the names of several columns and more than one kernel.
const HOLDS: [&str; 4] = [
    "exec all (p=2*n)&v=max v from T",
    "0=exec count i from T where (p<>2*n)|v<>first v",
    "exec (max c)=count i from T",
    "exec (min v)=max v from select max v,sum p by s from T where p=2*n",
];

#[test]
fn a_query_sees_one_version_on_the_cpu() {
    replaced_while_queried(Engine::Cpu, 60);
}

#[test]
fn a_query_sees_one_version_in_the_interpreter() {
    replaced_while_queried(Engine::Interp, 20);
}

#[test]
fn a_query_sees_one_version_on_the_simulator() {
    let Some(_) = found("a_query_sees_one_version_on_the_simulator") else { return };
    replaced_while_queried(Engine::Sim, 8);
}

/// Replaces the table so often, one session for all threads.
fn replaced_while_queried(engine: Engine, versions: usize) {
    let session = Session::new(engine);
    let open = || {
        let mut q = Interp::new();
        runtime::gpu::register(&mut q, &session);
        q
    };
    let name = Sym::new("T");
    let mut writer = open();
    let made = format!("T:.gpu.to ([]s:{ROWS}#`a`b`c;n:til {ROWS};p:2*til {ROWS};v:0;c:{ROWS})");
    writer.eval_text(made.as_bytes()).expect("a table");
    let table = |q: &Interp| q.global(name).expect("the table is there");
    let current: Arc<Mutex<Value>> = Arc::new(Mutex::new(table(&writer)));
    let (done, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for reader in 0..READERS {
            let (current, done, asked, open) = (&current, &done, &asked, &open);
            scope.spawn(move || {
                let mut q = open();
                let mut turn = reader;
                while !done.load(Relaxed) || turn < READERS + HOLDS.len() {
                    let version = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    q.set_global(name, version).expect("a variable");
                    let text = HOLDS[turn % HOLDS.len()];
                    let holds = q.eval_text(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
                    assert_eq!(holds.as_long(), Some(1), "{engine}: {text}");
                    asked.fetch_add(1, Relaxed);
                    turn += 1;
                }
            });
        }
        for version in 0..versions {
            let text = REPLACE[version % REPLACE.len()];
            writer.eval_text(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
            *current.lock().unwrap_or_else(PoisonError::into_inner) = table(&writer);
        }
        done.store(true, Relaxed);
    });
    assert!(asked.load(Relaxed) >= READERS * HOLDS.len(), "the readers asked while the table changed");
    let last = writer.eval_text(b"exec first v from T").expect("the last version");
    assert_eq!(last.as_long(), Some(versions as i64));
}
