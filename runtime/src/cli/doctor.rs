//! `qfuse doctor`: what this machine has, and what follows from each finding.

use super::say;
use crate::cache::Disk;
use crate::device::cuda::driver::{self, Gpu};
use crate::device::cuda::{Context, cuda, profile};
use std::process::ExitCode;

/// A finding: what was looked for, what is there, and what follows.
struct Finding {
    what: &'static str,
    found: String,
    follows: String,
}

/// Prints the findings. Always succeeds: a missing GPU is a finding, not a failure.
pub fn main() -> ExitCode {
    let findings = [cpu(), simd(), nvrtc(), driver(), cache()];
    say(&format!("qfuse {}", env!("CARGO_PKG_VERSION")));
    for f in findings {
        say(&format!("{:8} {}\n         -> {}", f.what, f.found, f.follows));
    }
    ExitCode::SUCCESS
}

fn cpu() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|m| m.1));
    Finding {
        what: "cpu",
        found: format!("{}, {cores} cores to use", model.unwrap_or(std::env::consts::ARCH)),
        follows: format!("engine cpu runs queries on {cores} threads (-s N sets another number)"),
    }
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<(&'static str, bool)> {
    macro_rules! has {
        ($($name:tt)*) => { vec![$(($name, std::is_x86_feature_detected!($name))),*] };
    }
    has!("sse4.2" "avx" "avx2" "fma" "bmi2" "avx512f" "avx512bw" "avx512dq" "avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<(&'static str, bool)> {
    vec![]
}

fn simd() -> Finding {
    let all = features();
    let has = |names: &[&str]| names.iter().all(|n| all.contains(&(n, true)));
    let level = if has(&["avx512f", "avx512bw", "avx512dq", "avx512vl"]) {
        "x86-64-v4"
    } else if has(&["avx2", "fma", "bmi2"]) {
        "x86-64-v3"
    } else {
        "baseline"
    };
    let names: Vec<&str> = all.iter().filter(|f| f.1).map(|f| f.0).collect();
    Finding {
        what: "simd",
        found: if names.is_empty() { "no wider vectors than the baseline".into() } else { names.join(" ") },
        follows: format!("the machine reaches level {level}"),
    }
}

fn driver() -> Finding {
    let found = match driver::driver() {
        Ok(driver) => {
            let one = |(i, g): (usize, &Gpu)| {
                let (major, minor) = g.capability;
                let pools = if g.pools { "" } else { ", without memory pools" };
                let (processors, mib) = (g.processors, g.bytes >> 20);
                format!(
                    "{i}: {} (compute {major}.{minor}, {processors} multiprocessors, {mib} MiB{pools})",
                    g.name
                )
            };
            let (major, minor) = driver.version;
            let gpus: Vec<String> = driver.gpus.iter().enumerate().map(one).collect();
            let gpus = if gpus.is_empty() { "no GPU".into() } else { gpus.join("; ") };
            format!("an NVIDIA driver of CUDA {major}.{minor}; {gpus}")
        }
        Err(why) => why.to_string(),
    };
    let ranges = if profile::present() { "" } else { "; no library of NVIDIA's for ranges of profilers" };
    let follows = match cuda().and_then(|_| Context::current().map_err(|e| e.to_string())) {
        Ok(context) => format!(
            "engine cuda runs on device {}, as does auto for tables of 65,536 rows and more{ranges}",
            context.ordinal
        ),
        Err(why) => format!("engine cuda signals, and auto uses the CPU: {why}"),
    };
    Finding { what: "gpu", found, follows }
}

fn nvrtc() -> Finding {
    let (found, follows) = match crate::device::nvrtc::nvrtc().and_then(|n| n.ready().map(|()| n)) {
        Ok(n) => {
            let (major, minor) = n.version;
            let archs: Vec<String> = n.archs.iter().map(u32::to_string).collect();
            let found = format!("NVRTC {major}.{minor} at {}, for {}", n.path.display(), archs.join(" "));
            (
                found,
                "generated kernels can be compiled and their registers counted: qfuse plan --stage resources",
            )
        }
        Err(e) => (e.to_string(), "qfuse plan shows CUDA text, and neither ptx nor resources"),
    };
    Finding { what: "nvrtc", found, follows: follows.into() }
}

fn cache() -> Finding {
    let disk = Disk::process();
    let (found, follows) = match (disk.folder(), disk.list()) {
        (None, _) => {
            ("compiled kernels are not kept on disk".into(), "a new process compiles its kernels anew")
        }
        (Some(folder), Ok(all)) => {
            let found = format!(
                "{} compiled kernels in {}, at most {} MB",
                all.len(),
                folder.display(),
                disk.most() >> 20
            );
            (found, "a kernel is compiled once; qfuse cache lists and clears them")
        }
        (Some(folder), Err(e)) => {
            (format!("{}: {e}", folder.display()), "a new process compiles its kernels anew")
        }
    };
    Finding { what: "cache", found, follows: follows.into() }
}
