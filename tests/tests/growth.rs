//! A session that sees ever new queries does not grow. A program of its own, since it watches the memory of the
//! process.

use q::Interp;
use runtime::engine::Engine;
use runtime::session::Session;

/// Bytes of this process in memory.
fn resident() -> usize {
    let (resident, _) = q::memory::sizes();
    assert!(resident > 0, "Linux tells");
    resident
}

#[test]
fn thousands_of_plans_leave_as_many_as_are_kept() {
    let mut q = Interp::new();
    let session = Session::new(Engine::Cpu);
    runtime::gpu::register(&mut q, &session);
    q.eval_text(b"T:.gpu.to ([]p:1 2 3f;n:1 2 3)").expect("a table");
    let mut ask = |from: usize, to: usize| {
        for i in from..to {
            let query = format!("select x{i}:p*n,y:1+n from T");
            q.eval_text(query.as_bytes()).unwrap_or_else(|e| panic!("{query}: {e:?}"));
        }
        resident()
    };
    // More than are kept, so that every further one makes room.
    let full = ask(0, 1200);
    let later = ask(1200, 2200);
    let (plans, _) = session.caches();
    assert_eq!((plans.misses, plans.hits), (2200, 0), "each has a plan of its own");
    assert_eq!(plans.evictions, 2200 - 1024);
    // Names stay, since symbols do; a plan takes some 20 KB.
    assert!(later < full + (4 << 20), "{full} bytes, and {later} after a thousand more");
}
