// The rows that pass, in order: a stable compaction in one pass with decoupled look-back.
//
// `k.pass(i)` says whether row i counts; `k.write(i, o)` computes it and stores it at position o. Blocks take
// tiles of rows by ticket, so the tiles before a running one are always running or done. Each tile publishes
// how many of its rows pass, then, once the tiles before it are known, how many pass up to its end.
//
// Before the launch `ticket` and `state` (a word a tile) are zero. Afterwards `count` holds how many passed.
// Launched with a block a tile. Order never depends on the schedule: no position comes from a counter.

// Rows that a thread tests in one tile.
#define ROWS 8
#define TILE (BLOCK * ROWS)

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

// How many rows pass before `tile`. All lanes of one warp call it; each looks at one tile at a time.
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
#pragma unroll
        for (i32 by = 16; by; by >>= 1) count += __shfl_xor_sync(0xffffffffu, count, by);
        before += count;
        if (whole) return before;
    }
}

template <class K> Q void compact(const K &k, u32 *ticket, u64 *state, i64 *count) {
    __shared__ u32 taken;
    __shared__ u64 base;
    __shared__ u32 counts[ROWS * WARPS];
    i32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) taken = atomicAdd(ticket, 1u);
    __syncthreads();
    i64 tile = taken, first = tile * TILE;
    u32 passed[ROWS];
#pragma unroll
    for (i32 r = 0; r < ROWS; r++) {
        i64 i = first + r * BLOCK + threadIdx.x;
        passed[r] = __ballot_sync(0xffffffffu, i < k.n && k.pass(i));
        if (lane == 0) counts[r * WARPS + warp] = __popc(passed[r]);
    }
    __syncthreads();
    if (warp == 0) {
        // Turn the counts of warps, in row order, into positions within the tile.
        u32 a = counts[2 * lane], b = counts[2 * lane + 1], sum = a + b;
#pragma unroll
        for (i32 by = 1; by < 32; by <<= 1) {
            u32 less = __shfl_up_sync(0xffffffffu, sum, by);
            if (lane >= by) sum += less;
        }
        counts[2 * lane] = sum - a - b;
        counts[2 * lane + 1] = sum - b;
        u64 own = __shfl_sync(0xffffffffu, sum, 31);
        if (lane == 0 && tile > 0) tile_write(state + tile, TILE_OWN | own);
        u64 before = tile > 0 ? look_back(state, tile) : 0;
        if (lane == 0) {
            tile_write(state + tile, TILE_ALL | (before + own));
            base = before;
            if (first + TILE >= k.n) *count = (i64)(before + own);
        }
    }
    __syncthreads();
#pragma unroll
    for (i32 r = 0; r < ROWS; r++) {
        i64 i = first + r * BLOCK + threadIdx.x;
        if (passed[r] >> lane & 1) {
            u32 within = counts[r * WARPS + warp] + __popc(passed[r] & ((1u << lane) - 1));
            k.write(i, (i64)base + within);
        }
    }
}
