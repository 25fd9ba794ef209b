//! What must hold of running programs, and random ones that wrap and double a value again and again.

use arbitrary::{Result, Unstructured};
use q::Interp;
use q::eval::run::with_stack;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What programs find set.
const VARIABLES: &[&str] = &[
    "x:1 2",
    "y:`a`b!3 4",
    "z:2.5 0n",
    "a:`p`q`p",
    "b:{x+y}",
    "t:([]a:1 2 1;b:`x`y`z;x:3 0n 1f)",
    "sym:`a`b",
];

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

/// Runs the steps round and round, each to its value or its signal, until they have run long. The memory that the
/// process may hold is bounded: what does not fit has to say so.
pub fn judge(program: &str) {
    run(program, 600, Duration::from_millis(200));
}

/// Runs any program once, on a few variables, and shows what comes of it: a value or a signal, which is never
/// `'internal`. Programs that reach for files or for other programs are passed over.
pub fn evaluate(program: &str) {
    let outside = ["system", "set", "0:", "1:", "use", "get", "save", "hdel", "exit", "\\"];
    if !outside.iter().any(|word| program.contains(word)) {
        run(program, 1, Duration::from_millis(500));
    }
}

fn run(program: &str, rounds: usize, long: Duration) {
    // Enough for what a bounded value takes, and little enough that doubling ends soon.
    q::memory::set_limit(1 << 30);
    with_stack(64 << 20, || {
        let mut q = Interp::new();
        q.stack_bytes = 32 << 20;
        q.set_output(Box::new(std::io::sink()));
        for line in VARIABLES {
            q.eval_text(line.as_bytes()).expect("a plain assignment runs");
        }
        let (clock, done) = (q.interrupt.clone(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let start = Instant::now();
                while start.elapsed() < long {
                    std::thread::sleep(Duration::from_millis(2));
                    if done.load(Relaxed) {
                        return;
                    }
                }
                // What is merely slow is stopped, as a person would.
                clock.store(true, Relaxed);
            });
            'rounds: for _ in 0..rounds {
                for outcome in q.run_text(program.as_bytes()) {
                    let shown =
                        outcome.result.and_then(|x| q.guard(|q| Ok(q::show::console(&x, &q.settings))));
                    match shown {
                        Ok(text) => drop(std::hint::black_box(text)),
                        Err(e) if e.ends() => break 'rounds,
                        Err(e) => assert_ne!(e.name, "internal", "{program}\n{:?}", e.detail),
                    }
                }
            }
            done.store(true, Relaxed);
        });
    });
}
