//! What the simulator makes of PTX's memory model: litmus tests of two and more blocks, and a look-back over tiles with
//! each of the faults that such a kernel can have.

use tests::by_hand::{SEEDS, passes, reported, run, seen};
use tests::nvrtc::found;

/// Schedules of a litmus test.
const MANY: u64 = 200;

/// What each of two blocks does with one thread: `x` and `y` are 0 words before, and `out` two results.
fn litmus(first: &str, second: &str) -> String {
    format!(
        "#define RELAXED(name, op) __device__ unsigned name(volatile unsigned *p) {{ unsigned x;\\\n\
         asm volatile(\"ld.\" op \".u32 %0, [%1];\" : \"=r\"(x) : \"l\"(p) : \"memory\"); return x; }}\n\
         RELAXED(relaxed, \"relaxed.gpu\") RELAXED(acquire, \"acquire.gpu\")\n\
         __device__ void release(volatile unsigned *p, unsigned x) {{\n\
         asm volatile(\"st.release.gpu.u32 [%0], %1;\" :: \"l\"(p), \"r\"(x) : \"memory\"); }}\n\
         K(unsigned *out, volatile unsigned *x, volatile unsigned *y) {{\n\
         if (threadIdx.x) return;\n\
         if (blockIdx.x == 0) {{ {first} }} else {{ {second} }} }}"
    )
}

const WORDS: [usize; 3] = [8, 4, 4];

/// Under some schedule the second block sees the second store and not the first one.
fn sees_the_first_late(first: &str, second: &str) -> bool {
    let outcomes = seen("message passing", &litmus(first, second), 2, &WORDS, MANY);
    assert!(
        outcomes.iter().all(|x| *x < 4) && outcomes.contains(&3) && outcomes.contains(&0),
        "{outcomes:?}"
    );
    outcomes.contains(&2)
}

#[test]
fn strong_stores_become_visible_in_any_order_until_fenced() {
    let Some(_) = found("strong_stores_become_visible_in_any_order_until_fenced") else { return };
    let read = "unsigned b = *y, a = *x; *out = a + 2 * b;";
    let fenced = "unsigned b = *y; __threadfence(); unsigned a = *x; *out = a + 2 * b;";
    assert!(sees_the_first_late("*x = 1; *y = 1;", read));
    assert!(sees_the_first_late("*x = 1; *y = 1;", fenced), "the stores are not fenced");
    assert!(sees_the_first_late("*x = 1; __threadfence(); *y = 1;", read), "the reads are not fenced");
    assert!(!sees_the_first_late("*x = 1; __threadfence(); *y = 1;", fenced));
    assert!(!sees_the_first_late(
        "*x = 1; release(y, 1);",
        "unsigned b = acquire(y), a = *x; *out = a + 2 * b;"
    ));
    assert!(sees_the_first_late(
        "*x = 1; release(y, 1);",
        "unsigned b = relaxed(y), a = *x; *out = a + 2 * b;"
    ));
    assert!(!sees_the_first_late("*x = 1; __threadfence(); atomicExch((unsigned *)y, 1u);", fenced));
    let block = "*x = 1; __threadfence_block(); *y = 1;";
    assert!(sees_the_first_late(block, fenced), "a fence for the block is none for another");
}

#[test]
fn a_location_has_one_order() {
    let Some(_) = found("a_location_has_one_order") else { return };
    let twice = litmus(
        "*x = 1; *x = 2; *x = 3;",
        "unsigned a = *x, b = *x, c = *x; *out = (a <= b && b <= c) + 2 * (a < c);",
    );
    let outcomes = seen("reads of one word", &twice, 2, &WORDS, MANY);
    assert!(outcomes.iter().all(|x| x & 1 == 1), "no read goes back");
    assert!(outcomes.contains(&3), "one read sees an older value than a later one");
    // Each block stores to its own word and reads the other's: both may miss the other's store.
    let other = litmus("*x = 1; out[0] = *y;", "*y = 1; out[1] = *x;");
    let both =
        (0..MANY).map(|seed| run(&other, 2, &WORDS, seed).expect("it is sound")).filter(|b| b[0] == [0; 8]);
    assert!(both.count() > 0, "a store may stay behind while the block reads");
}

#[test]
fn fences_order_what_a_flag_tells() {
    let Some(_) = found("fences_order_what_a_flag_tells") else { return };
    // Block 0 hands 7 to block 1 in `b1`, told by the flag in `b2`; block 1 leaves it in `b0`.
    let message = |send: &str, receive: &str| {
        litmus(send, &format!("while (!*y) {{}} {receive} *out = *(unsigned *)x;"))
    };
    let (fence, value) = ("__threadfence();", "*(unsigned *)x = 7;");
    passes("both fences", &message(&format!("{value} {fence} *y = 1;"), fence), 2, &WORDS, 7);
    let race = &["Race", "b1"];
    reported("no fence before the flag", &message(&format!("{value} *y = 1;"), fence), 2, &WORDS, race);
    reported("no fence after the flag", &message(&format!("{value} {fence} *y = 1;"), ""), 2, &WORDS, race);
    reported(
        "the flag before the value",
        &message(&format!("*y = 1; {fence} {value}"), fence),
        2,
        &WORDS,
        race,
    );
    let block = message(&format!("{value} __threadfence_block(); *y = 1;"), fence);
    reported("a fence for the block only", &block, 2, &WORDS, race);
    let plain = message(&format!("{value} {fence} *(unsigned *)y = 1;"), fence);
    reported("a plain flag", &plain, 2, &WORDS, &["Race", "b2"]);
}

#[test]
fn a_fence_speaks_for_its_own_lane() {
    let Some(_) = found("a_fence_speaks_for_its_own_lane") else { return };
    // A warp's lanes write a word each, lane 0 tells that they have; lanes of another block read them.
    let all = |meet: &str, heard: &str| {
        format!(
            "K(unsigned *out, unsigned *x, volatile unsigned *flag) {{ unsigned lane = threadIdx.x; if (lane >= 32) return;\n\
             if (blockIdx.x == 0) {{ x[lane] = lane; {meet} if (lane == 0) {{ __threadfence(); *flag = 1; }} }}\n\
             else {{ if (lane == 0) {{ while (!*flag) {{}} __threadfence(); }} {heard}\n\
             unsigned sum = __reduce_add_sync(~0u, x[lane ^ 1]); if (lane == 0) *out = sum; }} }}"
        )
    };
    let sizes = [8, 128, 4];
    passes("lanes meet on both sides", &all("__syncwarp();", "__syncwarp();"), 2, &sizes, 496);
    reported("not before the fence", &all("", "__syncwarp();"), 2, &sizes, &["Race", "b1"]);
    let told = (0..SEEDS).filter(|&seed| run(&all("__syncwarp();", ""), 2, &sizes, seed).is_err());
    assert_eq!(told.count() as u64, SEEDS, "not after it");
}

#[test]
fn scopes_end_with_their_block() {
    let Some(_) = found("scopes_end_with_their_block") else { return };
    let count = |scope: &str| {
        format!(
            "K(unsigned *n) {{ unsigned old; asm volatile(\"atom.relaxed.{scope}.global.add.u32 %0, [%1], 1;\"\n\
             : \"=r\"(old) : \"l\"(n) : \"memory\"); }}"
        )
    };
    passes("atomics of the device", &count("gpu"), 3, &[8], 3 * 256);
    passes("atomics of one block", &count("cta"), 1, &[8], 256);
    reported("atomics of the block, in three", &count("cta"), 3, &[8], &["Race", "b0"]);
    let within = "K(unsigned *out, unsigned *x, volatile unsigned *flag) {\n\
                  if (threadIdx.x == 0) { *x = 5; __threadfence_block(); *flag = 1; }\n\
                  if (threadIdx.x == 40) { while (!*flag) {} __threadfence_block(); *out = *x; } }";
    passes("a fence of the block within it", within, 1, &[8, 4, 4], 5);
    let stale = "K(unsigned *n) { n[threadIdx.x + 256] = 1; __syncthreads(); unsigned x;\n\
                 asm volatile(\"ld.global.nc.u32 %0, [%1];\" : \"=r\"(x) : \"l\"(n + 511 - threadIdx.x)); n[threadIdx.x] = x; }";
    reported("a read past the caches", stale, 1, &[2048], &["Race", "past the caches"]);
}

/// Sums over tiles: each block takes the next tile, waits for the sum of those before it and tells its own.
const LOOK_BACK: &str = "K(unsigned long long *out, unsigned *ticket, unsigned long long *sums, unsigned *flags) {\n\
    __shared__ unsigned tile;\n\
    __shared__ unsigned long long base;\n\
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);\n\
    __syncthreads();\n\
    unsigned long long own = tile + 1, before = 0;\n\
    if (threadIdx.x == 0) {\n\
        if (tile > 0) {\n\
            while (!*(volatile unsigned *)(flags + tile - 1)) {}\n\
            __threadfence(); // heard\n\
            before = sums[tile - 1];\n\
        }\n\
        sums[tile] = before + own;\n\
        __threadfence(); // told\n\
        *(volatile unsigned *)(flags + tile) = 1;\n\
        base = before;\n\
    }\n\
    __syncthreads();\n\
    if (threadIdx.x == 77 && tile == gridDim.x - 1) *out = base + own;\n\
    }";

const TILES: u32 = 20;
const ROOM: [usize; 4] = [8, 4, 160, 80];

#[test]
fn a_look_back_is_sound_only_as_it_is() {
    let Some(_) = found("a_look_back_is_sound_only_as_it_is") else { return };
    passes("as it is", LOOK_BACK, TILES, &ROOM, 210);
    let strong = |text: &str| {
        let text = text.replace("sums[tile - 1]", "*(volatile unsigned long long *)(sums + tile - 1)");
        text.replace("sums[tile] =", "*(volatile unsigned long long *)(sums + tile) =")
    };
    passes("with strong sums", &strong(LOOK_BACK), TILES, &ROOM, 210);
    let told = "__threadfence(); // told\n*(volatile unsigned *)(flags + tile) = 1;\n";
    let unfenced = LOOK_BACK.replace("__threadfence(); // told", "");
    let early = LOOK_BACK.replace(told, "").replace("sums[tile] =", &format!("{told}sums[tile] ="));
    let defects = [
        ("no fence before the flag", unfenced.clone()),
        ("no fence before the flag, strong sums", strong(&unfenced)),
        ("no fence after the flag", LOOK_BACK.replace("__threadfence(); // heard", "")),
        ("the flag before the sum", early.clone()),
        ("the flag before the sum, strong sums", strong(&early)),
        ("tiles by the number of the block", LOOK_BACK.replace("atomicAdd(ticket, 1u)", "blockIdx.x")),
        (
            "tiles from the last",
            LOOK_BACK.replace("atomicAdd(ticket, 1u)", "gridDim.x - 1 - atomicAdd(ticket, 1u)"),
        ),
        (
            "a ticket that two may have",
            LOOK_BACK.replace("atomicAdd(ticket, 1u)", "(*(volatile unsigned *)ticket)++"),
        ),
        ("no barrier before the base is read", LOOK_BACK.replace("}\n__syncthreads();", "}\n")),
    ];
    for (name, text) in &defects {
        assert_ne!(text, LOOK_BACK, "{name}: nothing was replaced");
        let wrong = |seed: &u64| match run(text, TILES, &ROOM, *seed) {
            Ok(out) => out[0] != 210u64.to_le_bytes(),
            Err(_) => true,
        };
        let found = (0..SEEDS).filter(wrong).count();
        assert!(found as u64 >= SEEDS - 1, "{name}: {found} of {SEEDS}");
    }
}
