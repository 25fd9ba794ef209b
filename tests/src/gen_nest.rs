//! Random programs that wrap and double a value again and again, and what must hold of running them.

use arbitrary::{Result, Unstructured};
use q::Interp;
use q::eval::run::with_stack;

/// Each makes `x` deeper or larger, or looks at all of it.
const STEPS: &[&str] = &[
    "x:enlist x",
    "x:(x;x)",
    "x:(1;x;`a)",
    "x,:enlist x",
    "x:x,x",
    "x:`a`b!(x;x)",
    "x:(enlist`a)!enlist x",
    "x:(enlist x)!enlist x",
    "x:([]a:(x;x))",
    "x:([]a:x;b:x)",
    "x:flip x",
    "x:enlist each x",
    "x:x@\\:x",
    "x:raze x",
    "x:raze each x",
    "x[0]:x",
    "x:@[x;0;:;x]",
    "x:.[x;0 0;:;x]",
    "x:{x;y}[x]",
    "x:'[x;x]",
    "x:(')x",
    "x:x!x",
    "x:first x",
    "x:1000#x",
    "x:2 cut x",
    "x:x cross x",
    "x:group x",
    "x:string x",
    "x:.Q.s x",
    "x:-9!-8!x",
    "x:-3!x",
    "x:value x",
    "x:parse .Q.s1 x",
    "x:eval x",
    "x:x~x",
    "x:asc x",
    "x:distinct x",
    "x:count each x",
    "x:select from x",
    "x:{x}each x",
    "x:(,/)over x",
    "x:ungroup x",
    "x:x,'x",
    "x:x+x",
];

/// A program of up to 12 different steps.
pub fn program(u: &mut Unstructured) -> Result<String> {
    let mut out = String::new();
    for _ in 0..u.int_in_range(1..=12)? {
        out.push_str(u.choose(STEPS)?);
        out.push('\n');
    }
    Ok(out)
}

/// Runs the steps round and round, each to its value or its signal, until they have signalled often or run long.
/// The memory that the process may hold is bounded: what does not fit has to say so.
pub fn judge(program: &str) {
    // Enough for what a bounded value takes, and little enough that doubling ends soon.
    q::memory::set_limit(1 << 30);
    with_stack(64 << 20, || {
        let mut q = Interp::new();
        q.stack_bytes = 32 << 20;
        q.set_output(Box::new(std::io::sink()));
        q.eval_text(b"x:1 2").expect("a plain assignment runs");
        let clock = q.interrupt.clone();
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // What is merely slow is stopped, as a person would.
                for _ in 0..10 {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    if done.load(std::sync::atomic::Ordering::Relaxed) {
                        return;
                    }
                }
                clock.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            'rounds: for _ in 0..600 {
                for outcome in q.run_text(program.as_bytes()) {
                    match outcome.result {
                        Ok(x) => {
                            std::hint::black_box(q::show::console(&x, &q.settings));
                        }
                        Err(e) if e.name == "stop" => break 'rounds,
                        Err(e) => assert_ne!(e.name, "internal", "{program}\n{:?}", e.detail),
                    }
                }
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    });
}
