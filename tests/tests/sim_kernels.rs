//! Kernels by hand that show one thing each: what the simulator lets pass and what it reports, and how.

use runtime::device::sim::{Schedule, Simulator};
use tests::by_hand::{SEEDS, passes, reported, run};
use tests::nvrtc::found;

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
    let next = "K(unsigned *n) { __shared__ unsigned s[32], t[256]; t[threadIdx.x] = n[1];\n\
                if (threadIdx.x < 33) s[threadIdx.x] = 5; __syncthreads(); n[0] = s[n[1]] + t[n[1]]; }";
    reported("from one array into the next", next, 1, &[8], &["Bounds", "of ", "which has 128", "lane 0"]);
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
fn warps_compare_count_and_elect() {
    let Some(_) = found("warps_compare_count_and_elect") else { return };
    let alike = "K(unsigned long long *n) { int all, none; unsigned x = threadIdx.x % 4, y = threadIdx.x / 32;\n\
                 unsigned one = __match_all_sync(~0u, y, &all), two = __match_all_sync(~0u, x, &none);\n\
                 unsigned same = __match_any_sync(~0u, x), most = __reduce_max_sync(~0u, x);\n\
                 if (threadIdx.x == 70) n[0] = (one == ~0u && all && !two && !none && same == 0x44444444u) * most; }";
    passes("matches and a maximum", alike, 1, &[8], 3);
    let votes = "K(unsigned long long *n) { bool odd = threadIdx.x & 1;\n\
                 unsigned x = __all_sync(~0u, odd), y = __any_sync(~0u, odd), z = __ballot_sync(~0u, odd);\n\
                 if (threadIdx.x == 9) n[0] = x + 2 * y + 4 * (z == 0xaaaaaaaau); }";
    passes("votes", votes, 1, &[8], 6);
    let leader = "K(unsigned long long *n) { unsigned is; asm volatile(\"{ .reg .pred p; .reg .b32 r;\\n\\t\"\n\
                  \"elect.sync r|p, 0xffffffff; selp.u32 %0, 1, 0, p; }\" : \"=r\"(is));\n\
                  unsigned lead = __ballot_sync(~0u, is); if (threadIdx.x == 64) n[0] = __popc(lead); }";
    passes("an elected lane", leader, 1, &[8], 1);
}

#[test]
fn barriers_of_a_part_of_the_block_and_those_that_count() {
    let Some(_) = found("barriers_of_a_part_of_the_block_and_those_that_count") else { return };
    let half = |threads: u32| {
        format!(
            "K(unsigned long long *n) {{ __shared__ unsigned s[128]; if (threadIdx.x >= 128) return;\n\
             s[threadIdx.x] = threadIdx.x; asm volatile(\"bar.sync 1, {threads};\" ::: \"memory\");\n\
             unsigned x = s[127 - threadIdx.x]; if (threadIdx.x == 5) *n = x; }}"
        )
    };
    passes("of half the block", &half(128), 1, &[8], 122);
    reported("of more than come", &half(192), 1, &[8], &["Deadlock", "192"]);
    let early = (0..SEEDS).filter(|&seed| run(&half(64), 1, &[8], seed).is_err()).count();
    assert!(early > 0, "a barrier of fewer than there are lets warps through that read of each other");
    let hand = "K(unsigned long long *n) { __shared__ unsigned s[32];\n\
                if (threadIdx.x < 32) { s[threadIdx.x] = 6; asm volatile(\"bar.arrive 2, 64;\" ::: \"memory\"); }\n\
                else if (threadIdx.x < 64) { asm volatile(\"bar.sync 2, 64;\" ::: \"memory\");\n\
                if (threadIdx.x == 40) *n = s[3]; } }";
    passes("one warp goes on, another waits", hand, 1, &[8], 6);
    let late = hand.replace(
        "s[threadIdx.x] = 6; asm volatile(\"bar.arrive 2, 64;\" ::: \"memory\");",
        "asm volatile(\"bar.arrive 2, 64;\" ::: \"memory\"); s[threadIdx.x] = 6;",
    );
    for seed in 0..SEEDS {
        let told = run(&late, 1, &[8], seed).expect_err("what follows the arrival is not ordered");
        assert!(told.contains("Race") || told.contains("Uninitialised"), "{told}");
    }
    let count = "K(unsigned long long *n) { int c = __syncthreads_count(threadIdx.x % 5 == 0);\n\
                 int all = __syncthreads_and(threadIdx.x < 256), any = __syncthreads_or(threadIdx.x == 300);\n\
                 if (threadIdx.x == 200) *n = c + 1000 * all + 5000 * any; }";
    passes("counts and votes", count, 2, &[8], 52 + 1000);
}

#[test]
fn what_waits_for_blocks_that_cannot_begin_is_told() {
    let Some(_) = found("what_waits_for_blocks_that_cannot_begin_is_told") else { return };
    // A barrier of the whole grid, which is sound where all blocks are resident.
    let grid = "K(unsigned *n) { if (threadIdx.x == 0) { atomicAdd(n, 1u);\n\
                while (*(volatile unsigned *)n < gridDim.x) {} } }";
    passes("of as many blocks as are resident", grid, 3, &[8], 3);
    reported("of more", grid, 4, &[8], &["Deadlock", "resident", "1 others"]);
    let lock = "K(unsigned *n) { while (atomicCAS(n, 0u, 1u)) {} }";
    reported("a lock that nobody opens", lock, 1, &[8], &["Livelock"]);
}

#[test]
fn an_instruction_that_is_not_known_is_named() {
    let Some(_) = found("an_instruction_that_is_not_known_is_named") else { return };
    let told =
        run("K(int *n) { asm volatile(\"isspacep.global.foo %p1, 1;\"); }", 1, &[8], 1).expect_err("unknown");
    assert!(told.contains("k: PTX line ") && told.contains("isspacep.global.foo"), "{told}");
}

#[test]
fn accesses_count_for_the_memory_that_they_reach() {
    let Some(_) = found("accesses_count_for_the_memory_that_they_reach") else { return };
    // The pointer is of shared memory, which only the run tells.
    let kernel = "extern \"C\" __global__ void __launch_bounds__(256) k(unsigned *n) {\n\
                  __shared__ unsigned s[256]; unsigned *p = n[0] ? n : s; p[threadIdx.x] = 1; __syncthreads();\n\
                  n[256 + threadIdx.x] = p[255 - threadIdx.x]; }";
    let ptx = runtime::device::sim::compile(kernel).expect("it compiles");
    let mut device = Simulator::new(ptx, Schedule::default());
    let n = device.allocate("n", 2048);
    device.write(n, &[0; 2048]).expect("within");
    let mut word = [0; 16];
    word[..8].copy_from_slice(&n.to_le_bytes());
    device.launch("k", 1, 256, &[word]).expect("it runs");
    let launched = device.into_launched();
    let counters = launched[0].counters;
    // Eight warps read one sector of the flag and write four of results.
    assert_eq!((counters.global.loads, counters.global.stores, counters.global.sectors), (8, 8, 40));
    assert_eq!((counters.shared, counters.turns), (16, 16));
    assert_eq!(launched[0].buffers, [("n".to_string(), counters.global)]);
}
