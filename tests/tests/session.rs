//! Sessions: which engine answers, what is said of it, and that a cached plan answers as a fresh one.

use q::{Interp, Value, show};
use runtime::engine::Engine;
use runtime::session::Session;

/// An interpreter on `engine` with a table `T` of 1,000 rows.
fn open(engine: Engine) -> Interp {
    let mut q = Interp::new();
    runtime::gpu::register(&mut q, &Session::new(engine));
    q.eval_text(b"t:([]s:1000#`a`b`c;p:1000#1 2 3 4f;n:1000#til 7;d:2024.01.01+1000#til 30)")
        .expect("a table");
    q.eval_text(b"T:.gpu.to t").expect("the engine takes the table");
    q
}

fn shown(q: &mut Interp, text: &str) -> String {
    match q.eval_text(text.as_bytes()) {
        Ok(v) => show::console(&v, &q.settings.whole()),
        Err(e) => format!("'{}", e.name),
    }
}

/// What `.gpu.last[]` says under `key`.
fn last(q: &mut Interp, key: &str) -> String {
    shown(q, &format!(".gpu.last[]`{key}"))
}

#[test]
fn a_named_engine_hands_nothing_on() {
    let mut q = open(Engine::Cpu);
    let e = q.eval_text(b"select type p from T").expect_err("types have no plan");
    assert_eq!(e.name, "GPU_NOT_IMPLEMENTED");
    let detail = e.detail.as_deref().expect("a refusal says why");
    assert!(detail.contains("type") && detail.contains("(at 4 0)"), "{detail}");
    // The items of n#x may begin in the middle of x, and the distinct ones come in the order of those.
    assert_eq!(shown(&mut q, "select first distinct -3#p by s from T"), "'GPU_NOT_IMPLEMENTED");
    assert_eq!(shown(&mut q, "exec sum p from T"), "2500f\n");
    assert_eq!(last(&mut q, "engine"), "`cpu\n");
}

#[test]
fn auto_hands_on_and_says_why() {
    let mut q = open(Engine::Auto);
    let want = shown(&mut q, "select type p from t");
    assert_eq!(shown(&mut q, "select type p from T"), want);
    assert_eq!(last(&mut q, "engine"), "`interp\n");
    assert!(last(&mut q, "reason").contains("type"));
    shown(&mut q, "exec sum p from T");
    assert_eq!((last(&mut q, "engine").as_str(), last(&mut q, "reason").as_str()), ("`cpu\n", "\"\"\n"));
}

#[test]
fn what_the_host_finds_for_a_plan_is_told() {
    let mut q = open(Engine::Cpu);
    let want = shown(&mut q, "select string p, s from t");
    assert_eq!(shown(&mut q, "select string p, s from T"), want);
    assert_eq!(last(&mut q, "engine"), "`cpu\n");
    assert_eq!(last(&mut q, "reason"), "\"the host found 1 of its columns item by item\"\n");
}

#[test]
fn auto_does_not_answer_what_q_refuses() {
    let mut q = open(Engine::Auto);
    assert_eq!(shown(&mut q, "select p+s from T"), "'type");
    assert_eq!(shown(&mut q, "select nosuch from T"), "'nosuch");
}

#[test]
fn a_missing_engine_says_so_at_once() {
    // The simulator is there where NVRTC is.
    let missing = [Engine::Sim, Engine::Cuda].into_iter().filter(|e| Session::new(*e).ready().is_err());
    for engine in missing {
        let mut q = Interp::new();
        runtime::gpu::register(&mut q, &Session::new(engine));
        let e = q.eval_text(b".gpu.to 1 2 3").expect_err("the engine is not there");
        assert_eq!(e.name, "GPU_NOT_IMPLEMENTED");
        assert!(e.detail.as_deref().is_some_and(|d| d.contains(engine.name())));
    }
}

#[test]
fn literals_share_a_plan_and_types_do_not() {
    let mut q = open(Engine::Cpu);
    let mut hit = |text: &str| {
        shown(&mut q, text);
        last(&mut q, "hit") == "1b\n"
    };
    assert!(!hit("select n from T where p>1"));
    assert!(hit("select n from T where p>2"), "another literal of the type");
    assert!(!hit("select n from T where p>2f"), "a literal of another type");
    assert!(!hit("select n from T where p>2,n>2"), "another shape");
    assert!(!hit("select n from T where p>2,n>3"), "equal literals share a parameter, unequal ones do not");
    assert!(hit("select n from T where p>1,n>5"));
}

/// Queries in pairs that share a plan: the second is answered with the first's.
const PAIRS: &[(&str, &str)] = &[
    ("select from T where p>1", "select from T where p>3"),
    ("select from T where s=`a", "select from T where s=`nosuch"),
    ("select from T where s in `a`b`b", "select from T where s in `c`q`zz`"),
    ("select from T where s<`b", "select from T where s<`"),
    ("select sum p by s from T where n within 1 3", "select sum p by s from T where n within 6 2"),
    ("select c:count i by 2 xbar n from T", "select c:count i by 5 xbar n from T"),
    ("select x:n*3,y:p%4 from T", "select x:n*-1,y:p%0 from T"),
    (
        "select from T where d within 2024.01.02 2024.01.05",
        "select from T where d within 2000.01.01 2030.01.01",
    ),
    ("select n div 2,n mod 3 from T", "select n div -7,n mod 0 from T"),
    ("select from T where n in 1 2 3", "select from T where n in 6 6 0N 9"),
    ("exec sum n from T where n<>3", "exec sum n from T where n<>0N"),
];

#[test]
fn a_cached_plan_answers_as_a_fresh_one() {
    let mut cached = open(Engine::Cpu);
    for (first, second) in PAIRS {
        shown(&mut cached, first);
        let got = shown(&mut cached, second);
        assert_eq!(last(&mut cached, "hit"), "1b\n", "{first} and {second} share a plan");
        assert_eq!(got, shown(&mut open(Engine::Cpu), second), "{second}");
        assert_eq!(got, shown(&mut open(Engine::Interp), second), "{second}");
    }
}

#[test]
fn variables_are_read_anew() {
    let mut q = open(Engine::Cpu);
    q.set_global("k".into(), Value::long(3)).expect("a variable");
    assert_eq!(shown(&mut q, "exec count i from T where n=k"), "143\n");
    q.set_global("k".into(), Value::long(7)).expect("a variable");
    assert_eq!(shown(&mut q, "exec count i from T where n=k"), "0\n");
    assert_eq!(last(&mut q, "hit"), "1b\n");
    q.set_global("k".into(), Value::sym("a")).expect("a variable");
    assert_eq!(shown(&mut q, "exec count i from T where n=k"), "'type");
}

#[test]
fn a_function_s_arguments_reach_its_query() {
    let mut q = open(Engine::Cpu);
    assert_eq!(shown(&mut q, "{[x] exec count i from T where n=x}3"), "143\n");
    assert_eq!(shown(&mut q, "{[n] exec count i from T where n=n}3"), "1000\n", "columns come first");
}

#[test]
fn q_is_told_how_the_caches_did() {
    let mut q = open(Engine::Cpu);
    let plans = |q: &mut Interp| shown(q, "(.gpu.cache[][`plan])`hits`misses`evictions");
    assert_eq!(shown(&mut q, "cols .gpu.cache[]"), "`level`hits`misses`evictions`ms\n");
    assert_eq!(shown(&mut q, "exec level from .gpu.cache[]"), "`plan`module`disk\n");
    assert_eq!(plans(&mut q), "0 0 0\n");
    shown(&mut q, "exec sum p from T where n>1");
    assert_eq!(plans(&mut q), "0 1 0\n");
    shown(&mut q, "exec sum p from T where n>2");
    assert_eq!(plans(&mut q), "1 1 0\n");
    shown(&mut q, "select nosuch from T");
    assert_eq!(plans(&mut q), "1 2 0\n", "what cannot be compiled was missed all the same");
    assert_eq!(shown(&mut q, "0<(.gpu.cache[][`plan])`ms"), "1b\n");
}
