//! Every primitive and derived function on every edge value: an answer or a signal, never a panic.

use q::eval::run::with_stack;
use q::fun::FUNS;
use q::value::{Func, Iter, Value};
use q::{Interp, Prim};
use std::sync::Arc;

/// Values of every shape and type, with their nulls, infinities and empties.
const VALUES: &[&str] = &[
    "0b",
    "1b",
    "0x7f",
    "-1h",
    "0Nh",
    "0Ni",
    "0Wi",
    "0N",
    "0W",
    "-0W",
    "3",
    "-7",
    "0n",
    "0w",
    "-0.0",
    "2.5",
    "0Ne",
    "\" \"",
    "\"a\"",
    "`",
    "`a",
    "`$\"a b\"",
    "0Ng",
    "0Np",
    "2024.02.29D12:00:00",
    "0Nd",
    "0Wd",
    "-0Wm",
    "2024.02m",
    "0Nz",
    "0Wn",
    "0Nu",
    "25:59",
    "0Wt",
    "()",
    "0#0b",
    "0#0x00",
    "0#0",
    "0#0f",
    "\"\"",
    "0#`",
    "0#0Np",
    "01101b",
    "0x0102",
    "1 2 3",
    "0N 0W -0W",
    "3 1 2i",
    "1 0n 0w",
    "1 2e",
    "\"abc\"",
    "`a`b`c",
    "```",
    "2024.01.01 0Nd",
    "0D01 0Nn",
    "(1;`a;\"x\")",
    "(1 2;3 4)",
    "(1 2;\"ab\";`c)",
    "(\"ab\";\"\")",
    "enlist 5",
    "enlist 1 2",
    "(1 2f;3 4f)",
    "`a`b!1 2",
    "1 2!(`x;3)",
    "()!()",
    "(0#`)!0#0",
    "`s#1 3 5!10 20 30",
    "([]a:1 2;b:`x`y)",
    "([]a:0#0)",
    "([k:`p`q]v:1 2)",
    "([k:1 1;j:`a`b]v:(1 2;\"s\"))",
    "::",
    "+",
    "neg",
    "{x}",
    "{x+y}",
    "{[]1}",
    "+[1]",
    "+/",
    "('[neg;+])",
    "(')",
    "`sym$`b`a",
    "`s#1 2 3",
    "`u#`x`y",
    "`g#1 2 1",
    "([a:1;b:2])",
];

/// What leaves the interpreter, or waits, or is too slow for every value (a roll of 0W items, say).
fn apart(p: Prim) -> bool {
    use Prim::*;
    matches!(
        p,
        Exit | System
            | Hopen
            | Read0
            | Read1
            | Text0
            | Bytes1
            | Dynload
            | Get
            | Set
            | Save
            | Load
            | Rsave
            | Rload
            | Dsave
            | Use
            | Setenv
            | Not
            | GradeDown
            | Show
            | Eval
            | Reval
            | Parse
    )
}

fn values(q: &mut Interp) -> Vec<(&'static str, Value)> {
    q.set_output(Box::new(std::io::sink()));
    q.eval_text(b"sym:`a`b`c").expect("runs");
    let eval =
        |text: &&'static str| (*text, q.eval_text(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}")));
    let values = VALUES.iter().map(eval).collect();
    // From here on panics are counted, not printed.
    std::panic::set_hook(Box::new(|_| {}));
    values
}

/// Applies and shows; the error names the call that panicked.
fn call(q: &mut Interp, f: &Value, name: &str, args: &[(&str, Value)], failures: &mut Vec<String>) {
    let given: Vec<Value> = args.iter().map(|(_, v)| v.clone()).collect();
    // The interpreter turns a panic into this signal, and so does the guard around what is shown.
    let run = q.guard(|q| {
        let value = q.apply(f, given)?;
        std::hint::black_box(q::show::console(&value, &q.settings));
        Ok(())
    });
    if run.is_err_and(|e| e.name == "internal") {
        let args: Vec<&str> = args.iter().map(|(t, _)| *t).collect();
        failures.push(format!("{name}[{}]", args.join(";")));
    }
}

/// Applies a function, named as given, to named values.
type Call<'a> = dyn FnMut(&mut Interp, &Value, &str, &[(&str, Value)]) + 'a;

/// Fails if one of the calls that `calls` makes of the values panics.
fn none_panics(calls: impl FnOnce(&mut Interp, &[(&'static str, Value)], &mut Call) + Send) {
    let failures = with_stack(64 << 20, || {
        let mut q = Interp::new();
        q.stack_bytes = 32 << 20;
        let values = values(&mut q);
        let mut failures = vec![];
        calls(&mut q, &values, &mut |q, f, name, args| call(q, f, name, args, &mut failures));
        failures
    });
    let some = &failures[..failures.len().min(20)];
    assert!(failures.is_empty(), "{} calls panic, such as {some:?}", failures.len());
}

#[test]
fn no_primitive_panics() {
    none_panics(|q, values, call| {
        for row in FUNS.iter().filter(|r| !apart(r.prim)) {
            let f = Value::prim(row.prim);
            for (k, x) in values.iter().enumerate() {
                if row.min <= 1 && !["0W", "-0W", "0Wi"].contains(&x.0) {
                    call(q, &f, row.text, std::slice::from_ref(x));
                }
                if row.max < 2 {
                    continue;
                }
                // Every pair meets in some primitive; all in all of them would take minutes.
                for y in values.iter().skip((k + row.prim as usize) % 5).step_by(5) {
                    // Nobody waits for infinitely many items or for a function that never converges.
                    let endless = ["0W", "-0W", "0Wi"];
                    let huge = endless.contains(&x.0) || row.prim == Prim::Query && endless.contains(&y.0);
                    let forever = matches!(row.prim, Prim::OverKw | Prim::ScanKw) && x.0 != "{x+y}";
                    if huge || forever {
                        continue;
                    }
                    call(q, &f, row.text, &[x.clone(), y.clone()]);
                }
            }
        }
    });
}

#[test]
fn no_iterator_panics() {
    none_panics(|q, values, call| {
        for i in [Iter::Each, Iter::Over, Iter::Scan, Iter::Prior, Iter::Right, Iter::Left] {
            for g in ["{x,y}", "+", ",", "-", "{x+y}", "~", "#", "in", "{[a;b;c]a}", "=", "&", "^", "%"] {
                let f = q.eval_text(g.as_bytes()).expect("runs");
                let f = Value::Fun(Func::Derived(i, Arc::new(f)));
                let name = format!("({g}){}", i.text());
                for x in values {
                    call(q, &f, &name, std::slice::from_ref(x));
                    let huge = ["0W", "-0W", "0Wi"].contains(&x.0);
                    for y in values.iter().filter(|_| !huge && g != "#") {
                        call(q, &f, &name, &[x.clone(), y.clone()]);
                    }
                }
            }
        }
    });
}

/// Values that a loop wraps again on every turn: walking such a one natively would exhaust the stack.
#[test]
fn what_nests_without_end_signals_limit() {
    let wraps = [
        "{(1;x)}",
        "{(x;1)}",
        "{(x;x)}",
        "{(x;1000#enlist(1;`a))}",
        "{enlist x}",
        "{`a`b!(x;1)}",
        "{(,[x])}",
        "{x'}",
        "{'[x;x]}",
        "{([]a:(x;x))}",
        "{@[(1;2;`a);1;:;x]}",
        "{x[0]:x;x}",
        "{x,enlist x}",
    ];
    let uses = [
        "show",
        "string",
        "{-3!x}",
        "{-8!x}",
        "{x~x}",
        "{x?x}",
        "{group(x;x)}",
        "distinct",
        "{x=x}",
        "{parse -3!x}",
    ];
    with_stack(64 << 20, || {
        let mut q = Interp::new();
        q.stack_bytes = 32 << 20;
        q.set_output(Box::new(std::io::sink()));
        let mut failures = vec![];
        for wrap in wraps {
            let name = |e: q::Error| e.name.to_string();
            let seed = if wrap == "{x'}" || wrap == "{'[x;x]}" { "neg" } else { "(1;`a)" };
            let endless = q.eval_text(format!("{wrap}/[100000;{seed}]").as_bytes()).map_err(name);
            if endless.as_ref().err().map(String::as_str) != Some("limit") {
                failures.push(wrap);
            }
            // What holds itself twice is small, but its text is not.
            let twice = wrap.contains("x;x") || wrap.contains("x,enlist");
            for turns in [400, 550] {
                for using in uses.iter().filter(|_| !twice) {
                    let text = format!("@[{using};{wrap}/[{turns};{seed}];{{x}}]");
                    let _an_answer_or_a_signal = q.eval_text(text.as_bytes());
                }
            }
        }
        let loops = [
            "x:();do[100000;x:(x;1)]",
            "x:(1;`a);do[100000;x[0]:x]",
            "x:(1;`a);do[100000;x,:enlist x]",
            "x:();do[100000;y:(1;`a);x:(x;1)]",
        ];
        for text in loops {
            let last = q.run_text(text.as_bytes()).pop().expect("a statement ran");
            if last.result.err().map(|e| e.name.to_string()).as_deref() != Some("limit") {
                failures.push(text);
            }
        }
        assert!(failures.is_empty(), "no 'limit from {failures:?}");
    });
}

#[test]
fn no_amend_panics() {
    none_panics(|q, values, call| {
        let few: Vec<(&str, Value)> = values.iter().step_by(3).cloned().collect();
        for (p, name) in [(Prim::At, "@"), (Prim::Dot, ".")] {
            let f = Value::prim(p);
            let set = (":", Value::prim(Prim::Assign));
            let add = ("+", Value::prim(Prim::Add));
            for x in values.iter().filter(|v| !matches!(v.1, Value::Atom(_))) {
                for i in values {
                    call(q, &f, name, &[x.clone(), i.clone(), ("neg", Value::prim(Prim::Neg))]);
                    for y in &few {
                        call(q, &f, name, &[x.clone(), i.clone(), set.clone(), y.clone()]);
                        call(q, &f, name, &[x.clone(), i.clone(), add.clone(), y.clone()]);
                    }
                }
            }
        }
    });
}
