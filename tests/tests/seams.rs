//! The two seams of the interpreter, filled by a test's own function and object, and what may not be copied.

use q::error::{Error, Result};
use q::seam::{Native, Scope, Virtual};
use q::value::{Func, Value};
use q::{Interp, Sym};
use std::any::Any;
use std::sync::Arc;

/// `.t.add`, which calls back into the interpreter.
#[derive(Debug)]
struct Add;

impl Native for Add {
    fn name(&self) -> &str {
        ".t.add"
    }
    fn rank(&self) -> usize {
        2
    }
    fn call(&self, q: &mut Interp, args: &[Value]) -> Result<Value> {
        q.apply(&Value::prim(q::Prim::Add), args.to_vec())
    }
}

/// A table of one column `a` that lives here.
#[derive(Debug)]
struct Here(Vec<i64>);

impl Virtual for Here {
    fn q_type(&self) -> i8 {
        98
    }
    fn count(&self) -> usize {
        self.0.len()
    }
    fn rows(&self, from: usize, to: usize) -> Result<Value> {
        Ok(Value::table(vec![Sym::new("a")], vec![Value::longs(self.0[from..to].iter().copied())]))
    }
    fn query(&self, _verb: q::Prim, args: &[Value], scope: &Scope) -> Result<Value> {
        // Answers with how many parts the query has and what `n` is in its scope.
        let n = scope.get(Sym::new("n")).ok_or(Error::new("n"))?;
        Ok(Value::list(vec![Value::long(args.len() as i64), n]))
    }
    fn verb(&self, name: &str, args: &[Value]) -> Result<Option<Value>> {
        match name {
            "sum" => Ok(Some(Value::long(self.0.iter().sum()))),
            "sublist" => Ok(Some(args[0].clone())),
            _ => Ok(None),
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn interp() -> Interp {
    let mut q = Interp::new();
    q.register(Arc::new(Add));
    let here = Value::Fun(Func::Virtual(Arc::new(Here(vec![1, 2, 4]))));
    q.set_global(Sym::new("T"), here).expect("a global can be set");
    q
}

/// What the console shows for `text`, or the signal's name.
fn shown(q: &mut Interp, text: &str) -> String {
    match q.eval_text(text.as_bytes()) {
        Ok(v) => q::show::console(&v, &q.settings).trim_end().to_string(),
        Err(e) => format!("'{}", e.name),
    }
}

#[test]
fn a_native_is_a_function_like_any_other() {
    let mut q = interp();
    assert_eq!(shown(&mut q, ".t.add[1;2 3]"), "3 4");
    assert_eq!(shown(&mut q, ".t.add[1] 2"), "3");
    assert_eq!(shown(&mut q, ".t.add[;5] each 1 2"), "6 7");
    assert_eq!(shown(&mut q, ".t.add/[1 2 3]"), "6");
    assert_eq!(shown(&mut q, ".t.add[1;`a]"), "'type");
    assert_eq!(shown(&mut q, ".t.add[1;2;3]"), "'rank");
    assert_eq!(shown(&mut q, "type .t.add"), "112h");
}

#[test]
fn an_object_answers_queries_and_verbs_and_shows_its_rows() {
    let mut q = interp();
    q.set_global(Sym::new("n"), Value::long(7)).expect("a global can be set");
    assert_eq!(shown(&mut q, "T"), "a\n-\n1\n2\n4");
    assert_eq!(shown(&mut q, "select from T where a>1"), "3\n7");
    assert_eq!(shown(&mut q, "{[n]select a from T}9"), "3\n9");
    assert_eq!(shown(&mut q, "?[T;();0b;();5]"), "4\n7");
    assert_eq!(shown(&mut q, "sum T"), "7");
    assert_eq!(shown(&mut q, "2 sublist T"), "2");
    assert_eq!(shown(&mut q, "sums T"), "'type");
}

#[test]
fn some_primitives_see_the_wrapper() {
    let mut q = interp();
    assert_eq!(shown(&mut q, "type T"), "112h");
    assert_eq!(shown(&mut q, "count T"), "1");
    assert_eq!(shown(&mut q, "T~T"), "1b");
    assert_eq!(shown(&mut q, "count enlist T"), "1");
    assert_eq!(shown(&mut q, "count(T;1)"), "2");
}

/// The address of a global long vector's elements.
fn address(q: &Interp, name: &str) -> usize {
    match q.global(Sym::new(name)) {
        Some(Value::Vec(v)) => v.elems::<i64>().map_or(0, |e| e.as_ptr() as usize),
        _ => 0,
    }
}

#[test]
fn amending_a_variable_does_not_copy_it() {
    let mut q = interp();
    // The first write may take the elements over from whoever made them.
    q.eval_text(b"x:til 1000; x[0]:0").expect("runs");
    let before = address(&q, "x");
    q.eval_text(b"x[3]:5; x[4 5]+:1; @[`x;0;:;9]; x[]:0").expect("runs");
    assert_eq!(address(&q, "x"), before);
    q.eval_text(b"{y:x;y[0]:1;y}x").expect("runs");
    assert_eq!(shown(&mut q, "x 0"), "0");
}

#[test]
fn appending_moves_a_vector_only_when_its_block_is_full() {
    let mut q = interp();
    q.eval_text(b"x:til 0").expect("runs");
    let mut moves = 0;
    let mut last = address(&q, "x");
    for _ in 0..2000 {
        q.eval_text(b"x,:1").expect("runs");
        let now = address(&q, "x");
        moves += usize::from(now != last);
        last = now;
    }
    assert!(moves < 20, "2000 appends moved the vector {moves} times");
}

#[test]
fn an_interrupt_stops_a_loop_and_nothing_else() {
    let mut q = interp();
    let flag = q.interrupt.clone();
    let stop = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(shown(&mut q, "while[1b;1+1]"), "'stop");
    stop.join().expect("the other thread ends");
    assert_eq!(shown(&mut q, "1+1"), "2");
}

#[test]
fn loaders_answer_use() {
    let mut q = interp();
    q.loaders.push(Box::new(|_, name| (name == "my.mod").then(|| Ok(Value::long(5)))));
    assert_eq!(shown(&mut q, "use`my.mod"), "5");
    assert_eq!(shown(&mut q, "use`no.such"), "'no.such");
}

/// `.t.bug`, which has one.
#[derive(Debug)]
struct Bug;

impl Native for Bug {
    fn name(&self) -> &str {
        ".t.bug"
    }
    fn rank(&self) -> usize {
        1
    }
    fn call(&self, _q: &mut Interp, args: &[Value]) -> Result<Value> {
        match args {
            [Value::Atom(_)] => panic!("the bug"),
            _ => std::panic::panic_any(7),
        }
    }
}

#[test]
fn a_bug_in_a_host_function_is_a_signal_and_the_session_goes_on() {
    let mut q = interp();
    q.register(Arc::new(Bug));
    q.eval_text(b"f:{w:x;v:.t.bug w;v}").unwrap();
    q.eval_text(b"a:1").unwrap();
    let e = q.eval_text(b"1+f 2").unwrap_err();
    assert_eq!((&*e.name, e.detail.as_deref(), e.trace.len()), ("internal", Some("the bug"), 2));
    assert_eq!(shown(&mut q, "@[f;1 2;{\"trapped \",x}]"), "\"trapped internal\"");
    assert_eq!(shown(&mut q, "exec @[f;p;`none] from ([]p:1 2)"), "`none");
    assert_eq!(shown(&mut q, "a+1"), "2");
}
