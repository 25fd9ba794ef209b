// What the skeletons that take tiles share: the word by which a tile tells what it knows, the look back over the
// tiles before it, and the counts of digits.
//
// Blocks take tiles by ticket, so the tiles before a running one are always running or done, and a look back ends.
// A tile's word holds the whole message, so that no fence is needed; words are zero before the launch.

// A tile's word: two bits of what is known, and a count.
#define TILE_OWN (1ull << 62)
#define TILE_ALL (2ull << 62)
#define TILE_COUNT (TILE_OWN - 1)

Q u64 tile_read(const u64 *state) {
    u64 word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(state) : "memory");
    return word;
}
Q void tile_write(u64 *state, u64 word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(state), "l"(word) : "memory");
}

// The sum of the counts of the tiles before `tile`. All lanes of one warp call it; each looks at one tile at a time.
Q u64 look_back(const u64 *state, i64 tile) {
    u64 before = 0;
    for (i64 at = tile - 1 - threadIdx.x % 32;; at -= 32) {
        u64 word = TILE_ALL;
        do {
            if (at >= 0) word = tile_read(state + at);
        } while (__any_sync(0xffffffffu, word == 0));
        // Lanes beyond the nearest tile that knows its whole prefix add nothing.
        u32 whole = __ballot_sync(0xffffffffu, word >= TILE_ALL);
        i32 last = whole ? __ffs(whole) - 1 : 31;
        u64 count = threadIdx.x % 32 <= last ? word & TILE_COUNT : 0;
#pragma unroll 1
        for (i32 by = 16; by; by >>= 1) count += __shfl_xor_sync(0xffffffffu, count, by);
        before += count;
        if (whole) return before;
    }
}

// The sum of x over the lanes up to this one.
Q u32 warp_sum(u32 x) {
#pragma unroll 1
    for (i32 by = 1; by < 32; by <<= 1) {
        u32 less = __shfl_up_sync(0xffffffffu, x, by);
        if (threadIdx.x % 32 >= by) x += less;
    }
    return x;
}

// Digits of eight bits.
#define DIGITS 256

// Counts the digits of the lanes where `is` holds; all lanes of a warp call it.
Q void count_digit(u32 *counts, u32 digit, bool is) {
    u32 here = __ballot_sync(0xffffffffu, is);
    if (here == 0) return;
    // Often there is one digit throughout, which one lane then counts for all.
    i32 first = __ffs(here) - 1;
    u32 lead = __shfl_sync(0xffffffffu, digit, first);
    if (__all_sync(0xffffffffu, digit == lead || !is)) {
        if (threadIdx.x % 32 == first) atomicAdd(counts + digit, (u32)__popc(here));
    } else if (is) {
        atomicAdd(counts + digit, 1u);
    }
}
