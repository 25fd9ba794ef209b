//! The CUDA engine from outside, on simulated devices (`tests/libcuda`): several devices, their memory, and what
//! happens where the driver, the compiler or a device fails.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Where cargo puts the simulated driver: beside the tests that depend on it.
fn driver() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its file");
    test.parent().expect("it lies in a folder").join("liblibcuda.so")
}

/// What the console prints, and its messages, on devices that are set up by `devices`.
fn qfuse(engine: &str, devices: &str, input: &str) -> (String, String) {
    with(engine, &[("QFUSE_LIBCUDA", &driver().to_string_lossy()), ("LIBCUDA", devices)], input)
}

fn with(engine: &str, env: &[(&str, &str)], input: &str) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qfuse"))
        .args(["-q", "--engine", engine])
        .envs(env.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("it has an input").write_all(input.as_bytes()).expect("it reads");
    let o = child.wait_with_output().expect("the program ends");
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    assert!(o.status.success(), "{}", text(&o.stderr));
    (text(&o.stdout), text(&o.stderr))
}

/// False, and a line that says so, where kernels cannot be compiled.
fn nvrtc(test: &str) -> bool {
    let there = runtime::device::nvrtc::nvrtc().is_ok();
    if !there {
        let _ = writeln!(std::io::stderr(), "skipped: {test}: no NVRTC");
    }
    there
}

/// A table of 100,000 rows, on the device.
const TABLE: &str = "T:.gpu.to ([]a:til 100000;s:100000#`a`b`c)\n";
/// A query on it, what it prints, and what it prints where it signals `name`.
const QUERY: &str = "exec sum a from T where s=`a\n";
const ANSWER: &str = "1666683333\n";

fn signalled(name: &str) -> String {
    format!("'{name}\n  [0]  exec sum a from T where s=`a\n       ^\n")
}

/// Lines of the messages that name the engine.
fn told(messages: &str) -> Vec<&str> {
    messages.lines().filter(|l| l.contains("engine cuda") || l.contains("device 0")).collect()
}

#[test]
fn without_a_driver_a_named_engine_signals_and_auto_answers() {
    let none = [("QFUSE_LIBCUDA", "/no/such/libcuda.so")];
    let (out, messages) = with("cuda", &none, "1+1\n.gpu.to 1 2 3\n2+2\n");
    assert_eq!(out, "2\n'GPU_NOT_IMPLEMENTED\n  [0]  .gpu.to 1 2 3\n       ^\n4\n");
    assert_eq!(messages.lines().count(), 1, "{messages}");
    assert!(
        messages.contains("engine cuda: /no/such/libcuda.so: cannot open shared object file"),
        "{messages}"
    );
    let (out, messages) = with("auto", &none, &format!("{TABLE}{QUERY}.gpu.last[]`engine\n"));
    assert_eq!((out, messages.as_str()), (format!("{ANSWER}`cpu\n"), ""));
    for (devices, why) in
        [("devices=0", "finds no GPU"), ("fail=cuInit:1:100", "CUDA_ERROR_NO_DEVICE (no CUDA-capable device")]
    {
        let (_, messages) = qfuse("cuda", devices, "1\n");
        assert!(messages.contains(why), "{messages}");
    }
}

#[test]
fn threads_choose_devices_and_columns_stay_where_they_are() {
    if !nvrtc("threads_choose_devices_and_columns_stay_where_they_are") {
        return;
    }
    let input = format!(
        ".gpu.cntDev[]\n{TABLE}.gpu.setDev 1\n.gpu.getDev[]\nU:.gpu.to ([]a:til 100000)\n.gpu.getDev each (T;U)\n\
         .gpu.onDev[0;{{.gpu.getDev .gpu.to til 10}}]\n.gpu.onDev[0;{{'oops}}]\n.gpu.getDev[]\n.gpu.setDev 2\n\
         {QUERY}exec sum a from U\nR:select a from T where a<5\n.gpu.getDev R\n.gpu.setDev 0\nexec sum a from R\n\
         .gpu.setMemRelThres 7\n.gpu.getMemRelThres[]\n.gpu.setDev 1\n.gpu.getMemRelThres[]\n"
    );
    let (out, messages) = qfuse("cuda", "devices=2", &input);
    let want = format!(
        "2\n1\n0 1\n0\n'oops\n  [1]  .gpu.onDev[0;{{'oops}}]\n                      ^\n1\n\
         'domain\n  [0]  .gpu.setDev 2\n       ^\n{ANSWER}4999950000\n1\n10\n7\n4294967296\n"
    );
    assert_eq!(out, want, "{messages}");
}

#[test]
fn vectors_reserve_what_the_setting_says() {
    let input = "n:1+3*1024*1024 div 8\n\
                 used:{.gpu.sync[]; b:.gpu.memDev[]`used; c:.gpu.to x#0; .gpu.sync[]; .gpu.memDev[][`used]-b}\n\
                 .gpu.config ([memRelThres:0])\nused n\n.gpu.config ([alloc:`tight])\nused n\n.gpu.config[]\n\
                 .gpu.sync[]; .gpu.memDev[]`used`heap\n";
    let (out, _) = qfuse("cuda", "", input);
    assert_eq!(out, "4194304\n3145736\nmemRelThres| 0\nalloc      | `tight\n0 0\n");
}

#[test]
fn large_vectors_go_up_and_down_in_pieces() {
    if !nvrtc("large_vectors_go_up_and_down_in_pieces") {
        return;
    }
    // q's own vector changes while the device still has to take the old one.
    let input = "a:til 1500000\nT:.gpu.to ([]a)\na[0 1000000]:7 7\nR:select b:1+a from T\n\
                 (.gpu.from R)~([]b:1+til 1500000)\nexec sum b from R\n\
                 S:.gpu.sublist[1 2000000;R]\nexec f:first b,l:last b,s:sum b from S\n\
                 B:.gpu.to ([]b:100000#01b)\nexec sum b from .gpu.sublist[3 2000000;B]\n\
                 C:select b from B where b\nexec sum b from .gpu.sublist[3 2000000;C]\n";
    let (out, messages) = qfuse("cuda", "", input);
    let want = "1b\n1125000750000\nf| 2\nl| 1500000\ns| 1125000749999\n49999i\n49997i\n";
    assert_eq!(out, want, "{messages}");
}

#[test]
fn threads_share_a_device_and_choose_their_own() {
    if !nvrtc("threads_share_a_device_and_choose_their_own") {
        return;
    }
    let input = format!(
        "\\s 3\n{TABLE}f:{{.gpu.setDev x mod 2; exec sum a from T where a<x*100}}\nt:til 100000\n\
         (f peach til 40)~{{sum t where t<x*100}} each til 40\n\
         {{.gpu.onDev[x;{{.gpu.getDev .gpu.to til 10}}]}} peach 0 1 0 1\n.gpu.getDev[]\n\
         @[{{.gpu.config ([alloc:x])}};;{{x}}] peach `tight`buddy\n"
    );
    let (out, messages) = qfuse("cuda", "devices=2", &input);
    assert_eq!(out, "1b\n0 1 0 1\n0\n\"noupdate\"\n\"noupdate\"\n", "{messages}");
}

#[test]
fn rows_are_ordered_where_there_is_room() {
    if !nvrtc("rows_are_ordered_where_there_is_room") {
        return;
    }
    let input = format!("{TABLE}R:.gpu.xdesc[`a;T]\nexec first a,last s from R\n");
    let want = "a| 99999\ns| `a\n";
    for engine in ["cuda", "auto"] {
        let (out, messages) = qfuse(engine, "", &input);
        assert_eq!(out, want, "{engine}: {messages}");
        assert!(!messages.contains("cannot answer"), "{messages}");
    }
    let (out, messages) = qfuse("auto", "memory=1400000", &input);
    assert_eq!(out, want, "{messages}");
    assert!(messages.contains("cannot answer, another does: 'wsfull"), "{messages}");
}

#[test]
fn a_full_device_names_its_bytes_and_keeps_what_it_has() {
    if !nvrtc("a_full_device_names_its_bytes_and_keeps_what_it_has") {
        return;
    }
    // The table takes 1,179,648 bytes, and a copy of its column 800,000 more.
    let big = "select b:1+a,c:2+a from T\n";
    let small = "exec sum a from T\n";
    let input = format!("{TABLE}{big}{small}.gpu.memDev[]`used\n{small}");
    let (out, messages) = qfuse("cuda", "memory=2300000", &input);
    let signal = format!("'wsfull\n  [0]  {big}       ^\n");
    assert_eq!(out, format!("{signal}4999950000\n1179648\n4999950000\n"), "{messages}");
    assert!(messages.contains("800000 bytes are wanted, and 320352 of 2300000 are free"), "{messages}");
    let (out, messages) = qfuse(
        "auto",
        "memory=2300000",
        &format!("{TABLE}{QUERY}R:{big}.gpu.last[]`engine\ncount .gpu.from R\n"),
    );
    assert_eq!(out, format!("{ANSWER}`cpu\n100000\n"), "{messages}");
    assert!(told(&messages).iter().any(|l| l.contains("cannot answer, another does: 'wsfull")), "{messages}");
}

#[test]
fn copies_that_the_host_has_too_make_room() {
    if !nvrtc("copies_that_the_host_has_too_make_room") {
        return;
    }
    // A column takes 1,048,576 bytes, so that two of the four have room; the last query needs three at once.
    let table = "T:.gpu.to ([]a:t;b:2*t;c:3*t;d:4*t:til 100000)\n";
    let (two, other) = ("exec sum a+b from T\n", "exec sum c+d from T\n");
    let three = "exec sum a+b+c from T\n";
    let used = "(1048576*1 2) bin .gpu.memDev[]`used\n";
    let input = format!(
        "{table}{two}{other}{two}{other}{used}{three}{used}{two}.gpu.getDev T\n(.gpu.from T)~([]a:t;b:2*t;c:3*t;d:4*t)\n"
    );
    let (out, messages) = qfuse("cuda", "memory=2800000", &input);
    let (pair, rest) = ("14999850000\n", "34999650000\n");
    let full = format!("'wsfull\n  [0]  {three}       ^\n");
    assert_eq!(out, format!("{pair}{rest}{pair}{rest}1\n{full}1\n{pair}0\n1b\n"), "{messages}");
    assert!(messages.contains("1048576 bytes are wanted, and "), "{messages}");
    // What only the device has stays, the least recently used goes first, and parts do not keep a whole there.
    let input = format!(
        "T:.gpu.to ([]a:til 100000)\nR:select b:2*a from T\nS:.gpu.to ([]c:til 100000)\n\
         exec sum c from .gpu.sublist[5 10;S]\nP:.gpu.sublist[0 50000;S]\nexec sum c from P\n\
         U:.gpu.to ([]d:3*til 100000)\nexec sum d from U\nexec sum b from R\nexec sum c from P\n\
         .gpu.sync[];{used}"
    );
    let (out, messages) = qfuse("cuda", "memory=2800000", &input);
    assert_eq!(out, "95\n1249975000\n14999850000\n9999900000\n1249975000\n1\n", "{messages}");
}

#[test]
fn a_pool_is_trimmed_and_asked_once_more() {
    if !nvrtc("a_pool_is_trimmed_and_asked_once_more") {
        return;
    }
    for nth in 1..6 {
        let (out, messages) =
            qfuse("cuda", &format!("fail=cuMemAllocFromPoolAsync:{nth}:2"), &format!("{TABLE}{QUERY}"));
        assert_eq!(out, ANSWER, "{messages}");
    }
}

#[test]
fn whatever_fails_is_one_line_and_the_session_goes_on() {
    if !nvrtc("whatever_fails_is_one_line_and_the_session_goes_on") {
        return;
    }
    let cases = [
        ("fail=cuLaunchKernel:1:701", "cuda", "launch of k0: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", true),
        ("fail=cuModuleLoadData:1:209", "cuda", "do not suit a device of architecture 130", true),
        ("fail=cuMemcpyDtoHAsync:1:1", "cuda", "cuMemcpyDtoHAsync: CUDA_ERROR_INVALID_VALUE", true),
        ("cuda=12080", "cuda", "the driver, of CUDA 12.8, is older than NVRTC", false),
        ("arch=50", "nvrtc", "compiles for no GPU of compute capability 5.0", false),
        ("arch=90", "cuda", "CUDA_ERROR_NOT_SUPPORTED", false),
        ("fail=cuLaunchKernel:1:719", "cuda", "CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)", false),
        ("fail=cuStreamSynchronize:1:700", "cuda", "CUDA_ERROR_ILLEGAL_ADDRESS", false),
    ];
    for (devices, name, why, mends) in cases {
        let input = format!("{TABLE}{QUERY}{QUERY}count .gpu.from T\n");
        let (out, messages) = qfuse("cuda", devices, &input);
        let again = if mends { ANSWER.to_string() } else { signalled(name) };
        assert_eq!(out, format!("{}{again}100000\n", signalled(name)), "{devices}: {messages}");
        assert!(messages.contains(why), "{devices}: {messages}");
        let (out, messages) = qfuse("auto", devices, &format!("{TABLE}{QUERY}.gpu.last[]`engine\n{QUERY}"));
        assert_eq!(out, format!("{ANSWER}`cpu\n{ANSWER}"), "{devices}: {messages}");
        assert!(messages.contains("engine cuda cannot answer, another does") && messages.contains(why));
    }
}

#[test]
fn a_lost_device_is_refused_and_what_the_host_has_is_not_lost() {
    if !nvrtc("a_lost_device_is_refused_and_what_the_host_has_is_not_lost") {
        return;
    }
    let input = format!(
        "{TABLE}R:select a from T where a<3\n.gpu.sync[]\n{QUERY}count .gpu.from T\n.gpu.from R\n.gpu.setDev 1\n{QUERY}"
    );
    let (out, messages) = qfuse("cuda", "devices=2 fail=cuLaunchKernel:3:719", &input);
    let gone = "'cuda\n  [0]  .gpu.from R\n       ^\n";
    assert_eq!(out, format!("{}100000\n{gone}{ANSWER}", signalled("cuda")), "{messages}");
    assert!(messages.contains("device 0 is lost, until this process ends: launch of"), "{messages}");
}
