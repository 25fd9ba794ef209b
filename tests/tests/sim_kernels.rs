//! Kernels by hand that show one thing each: what the simulator lets pass and what it reports, and how.

use runtime::device::sim::{Schedule, Simulator, compile};
use tests::nvrtc::found;

/// Schedules that each kernel runs under.
const SEEDS: u64 = 20;

/// Runs `kernel`, whose parameters are pointers to buffers of `sizes` zero bytes; none of them passes memory that
/// nobody wrote. The contents afterwards, or the fault.
fn run(kernel: &str, grid: u32, sizes: &[usize], seed: u64) -> Result<Vec<Vec<u8>>, String> {
    let ptx = compile(&format!("#define K extern \"C\" __global__ void __launch_bounds__(256) k\n{kernel}"));
    let ptx = ptx.map_err(|e| e.detail.unwrap_or_default().to_string())?;
    let mut device = Simulator::new(ptx, Schedule { seed, resident: 3, ..Schedule::default() });
    let mut blocks = vec![];
    let mut args = vec![];
    for (i, &bytes) in sizes.iter().enumerate() {
        let address = device.allocate(&format!("b{i}"), bytes);
        device.write(address, &vec![0; bytes])?;
        let mut word = [0; 16];
        word[..8].copy_from_slice(&address.to_le_bytes());
        args.push(word);
        blocks.push((address, bytes));
    }
    device.launch("k", grid, 256, &args)?;
    let mut out = vec![];
    for (address, bytes) in blocks {
        let mut contents = vec![0; bytes];
        device.read(address, &mut contents)?;
        device.free(address)?;
        out.push(contents);
    }
    assert!(device.leaks().is_empty());
    Ok(out)
}

/// The kernel runs under every schedule, and `b0` holds `want` in its first long.
fn passes(what: &str, kernel: &str, grid: u32, sizes: &[usize], want: u64) {
    for seed in 0..SEEDS {
        let out = run(kernel, grid, sizes, seed).unwrap_or_else(|e| panic!("{what}, seed {seed}: {e}"));
        assert_eq!(u64::from_le_bytes(out[0][..8].try_into().expect("8 bytes")), want, "{what}, seed {seed}");
    }
}

/// The kernel is reported under every schedule, in words that hold each of `parts`.
fn reported(what: &str, kernel: &str, grid: u32, sizes: &[usize], parts: &[&str]) {
    for seed in 0..SEEDS {
        let told = run(kernel, grid, sizes, seed).expect_err(what);
        assert!(parts.iter().all(|p| told.contains(p)), "{what}, seed {seed}: {told}");
    }
}

/// Block 0 hands 7 to block 1 in `b1`, told by the flag in `b2`; block 1 leaves it in `b0`.
fn message(send: &str, receive: &str) -> String {
    format!(
        "K(unsigned long long *out, unsigned long long *value, volatile unsigned *flag) {{\n\
         if (threadIdx.x) return;\n\
         if (blockIdx.x == 0) {{ {send} }}\n\
         else {{ while (!*flag) {{}} {receive} *out = *value; }} }}"
    )
}

const SIZES: [usize; 3] = [8, 8, 4];

#[test]
fn fences_order_what_a_flag_tells() {
    let Some(_) = found("fences_order_what_a_flag_tells") else { return };
    let fence = "__threadfence();";
    passes("both fences", &message(&format!("*value = 7; {fence} *flag = 1;"), fence), 2, &SIZES, 7);
    let race = &["Race", "b1"];
    reported("no fence before the flag", &message("*value = 7; *flag = 1;", fence), 2, &SIZES, race);
    let one = message(&format!("*value = 7; {fence} *flag = 1;"), "");
    reported("no fence after the flag", &one, 2, &SIZES, race);
    let early = message(&format!("*flag = 1; {fence} *value = 7;"), fence);
    reported("the flag before the value", &early, 2, &SIZES, race);
}

#[test]
fn atomics_count_and_plain_additions_race() {
    let Some(_) = found("atomics_count_and_plain_additions_race") else { return };
    passes("atomics", "K(unsigned long long *n) { atomicAdd(n, 1ull); }", 5, &[8], 5 * 256);
    reported("additions", "K(unsigned long long *n) { n[0] += 1; }", 5, &[8], &["Race", "b0"]);
    passes("the same value", "K(unsigned *n) { n[0] = 9; }", 5, &[8], 9);
    let read = "K(unsigned *n) { if (blockIdx.x) n[1] = n[0]; else atomicAdd(n, 1u); }";
    reported("a plain read of what an atomic writes", read, 2, &[8], &["Race", "b0"]);
}

#[test]
fn shared_and_local_memory_are_checked() {
    let Some(_) = found("shared_and_local_memory_are_checked") else { return };
    let reverse = |barrier: &str| {
        format!(
            "K(unsigned long long *n) {{ __shared__ unsigned s[256]; s[threadIdx.x] = threadIdx.x; {barrier}\n\
             unsigned x = s[255 - threadIdx.x]; if (threadIdx.x == 5) *n = x; }}"
        )
    };
    passes("with a barrier", &reverse("__syncthreads();"), 2, &[8], 250);
    for seed in 0..SEEDS {
        let told = run(&reverse(""), 2, &[8], seed).expect_err("without a barrier");
        assert!(told.contains("Race") || told.contains("Uninitialised"), "{told}");
    }
    let local = "K(unsigned long long *n) { unsigned a[64]; for (int i = 0; i < 64; i++) a[i] = i * n[1];\n\
                 volatile unsigned at = 9; unsigned x = a[at + n[1]]; if (threadIdx.x == 0) *n = x + 3; }";
    passes("a thread's array", local, 1, &[16], 3);
    let over = "K(unsigned char *n) { __shared__ unsigned s[4]; s[threadIdx.x] = 1; n[0] = s[0]; }";
    reported("past shared memory", over, 1, &[8], &["Bounds", "shared memory", "lane"]);
}

#[test]
fn lanes_of_a_warp_need_an_order_too() {
    let Some(_) = found("lanes_of_a_warp_need_an_order_too") else { return };
    let shift = |meet: &str| {
        format!(
            "K(unsigned long long *n) {{ __shared__ unsigned s[256];\n\
             unsigned at = threadIdx.x / 32 * 32, lane = threadIdx.x % 32; s[at + lane] = lane; {meet}\n\
             unsigned x = s[at + (lane + 1) % 32]; if (threadIdx.x == 33) *n = x; }}"
        )
    };
    passes("with a barrier of the warp", &shift("__syncwarp();"), 1, &[8], 2);
    reported("without", &shift(""), 1, &[8], &["Race", "shared memory"]);
}

#[test]
fn addresses_are_checked() {
    let Some(_) = found("addresses_are_checked") else { return };
    let far = "K(unsigned char *n, unsigned char *other) { n[(other - n) + threadIdx.x] = 1; }";
    reported("past the second buffer", far, 1, &[8, 255], &["Bounds", "lane 31", "b1", "has 255"]);
    reported("before the first", "K(long *n) { n[-1] = 1; }", 1, &[8], &["Bounds"]);
    reported("a null pointer", "K(long *n) { n = (long *)*n; *n = 1; }", 1, &[8], &["Bounds", "no buffer"]);
    let odd = "K(char *n) { *(long *)(n + 4) = 1; }";
    reported("off its alignment", odd, 1, &[16], &["Alignment", "b0", "line 2"]);
    passes("a vector", "K(long long *n) { *(longlong2 *)n = make_longlong2(4, 5); }", 1, &[16], 4);
    reported(
        "a vector off its alignment",
        "K(int *n) { *(int4 *)(n + 2) = make_int4(1, 2, 3, 4); }",
        1,
        &[64],
        &["Alignment"],
    );
}

#[test]
fn what_never_ends_is_stopped() {
    let Some(_) = found("what_never_ends_is_stopped") else { return };
    reported("a flag that nobody sets", "K(volatile int *n) { while (!*n) {} }", 2, &[8], &["Livelock"]);
    reported("a trap", "K(int *n) { if (*n == 0) asm volatile(\"trap;\"); }", 1, &[8], &["Trap"]);
}

#[test]
fn lanes_come_together_or_are_reported() {
    let Some(_) = found("lanes_come_together_or_are_reported") else { return };
    let sum = "K(unsigned long long *n) { unsigned x = threadIdx.x % 32;\n\
               for (int by = 16; by; by >>= 1) x += __shfl_xor_sync(~0u, x, by);\n\
               if (threadIdx.x == 77) *n = x + __popc(__ballot_sync(1u << 13, 1)); }";
    passes("a butterfly and a vote of one", sum, 1, &[8], 496 + 1);
    let odd =
        "K(int *n) { int x = threadIdx.x; if (x & 1) x = __shfl_down_sync(~0u, x, 1); n[threadIdx.x] = x; }";
    let told: Vec<String> = (0..SEEDS).filter_map(|seed| run(odd, 1, &[1024], seed).err()).collect();
    assert_eq!(told.len(), SEEDS as usize, "odd lanes wait for even ones");
    let part = "K(int *n) { if (threadIdx.x % 32 < 8) return; __syncthreads(); n[threadIdx.x] = 1; }";
    reported("a barrier of a part of a warp", part, 1, &[1024], &["Divergence"]);
    let gone = "K(int *n) { if (threadIdx.x % 32 < 8) return; n[threadIdx.x] = __ballot_sync(~0u, 1); }";
    reported("members that exited", gone, 1, &[1024], &["lanes"]);
}

#[test]
fn an_instruction_that_is_not_known_is_named() {
    let Some(_) = found("an_instruction_that_is_not_known_is_named") else { return };
    let told =
        run("K(int *n) { asm volatile(\"isspacep.global.foo %p1, 1;\"); }", 1, &[8], 1).expect_err("unknown");
    assert!(told.contains("k: PTX line ") && told.contains("isspacep.global.foo"), "{told}");
}
