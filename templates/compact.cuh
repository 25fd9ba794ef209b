// The rows that pass, in order: a stable compaction in one pass with decoupled look-back.
//
// `k.load(in, i)` reads what says whether the pack of rows from i on counts, and `k.pass(i, in, u)` says it of its
// row u; `k.write(tile, i, l, o)` computes row i, which is row l of the tile, and stores it at position o. Blocks
// take tiles of rows by ticket, so the tiles before a running one are always running or done. Each tile publishes
// how many of its rows pass, then, once the tiles before it are known, how many pass up to its end.
//
// Before the launch `ticket` and `state` (a word a tile) are zero. Afterwards `count` holds how many passed.
// Launched with a block a tile. Order never depends on the schedule: no position comes from a counter.
//
// Memory: a thread reads K::PACK rows with one access a filtered column, 16 bytes for the widest. The rows that
// pass are listed in shared memory, and neighbouring threads then read and write neighbouring rows of the list, in
// step with the sectors that are written. A column that is both filtered and written is held in `k.hold`'s tile in
// shared memory, as far as there is room, so that no column is read twice.

template <class K> Q void compact(const K &k, u32 *ticket, u64 *state, i64 *count) {
    const i32 STEPS = K::TILE / (BLOCK * K::PACK), CELLS = STEPS * WARPS;
    __shared__ u32 taken, kept;
    __shared__ i64 base;
    __shared__ u32 counts[CELLS];
    __shared__ u16 list[K::TILE];
    __shared__ typename K::Tile held;
    i32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) taken = atomicAdd(ticket, 1u);
    __syncthreads();
    i64 tile = taken, first = tile * K::TILE;
    // Which of this thread's rows pass, a bit each, step after step.
    u32 passed = 0;
#pragma unroll 1
    for (i32 s = 0; s < STEPS; s++) {
        i32 l = (s * BLOCK + threadIdx.x) * K::PACK;
        i64 i = first + l;
        u32 own = 0;
        if (i < k.n) {
            typename K::In in;
            k.load(in, i);
            k.hold(held, in, l);
#pragma unroll
            for (i32 u = 0; u < K::PACK; u++) own |= (u32)(i + u < k.n && k.pass(i + u, in, u)) << u;
        }
        passed |= own << s * K::PACK;
        u32 sum = warp_sum(__popc(own));
        if (lane == 31) counts[s * WARPS + warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
        // Turn the counts of warps, in row order, into positions within the tile.
        u32 a = 2 * lane < CELLS ? counts[2 * lane] : 0, b = 2 * lane + 1 < CELLS ? counts[2 * lane + 1] : 0;
        u32 sum = warp_sum(a + b);
        if (2 * lane < CELLS) counts[2 * lane] = sum - a - b;
        if (2 * lane + 1 < CELLS) counts[2 * lane + 1] = sum - b;
        if (lane == 31) {
            kept = sum;
            if (tile > 0) tile_write(state + tile, TILE_OWN | sum);
        }
    }
    __syncthreads();
#pragma unroll 1
    for (i32 s = 0; s < STEPS; s++) {
        u32 own = passed >> s * K::PACK & ((1u << K::PACK) - 1), sum = __popc(own);
        u32 at = counts[s * WARPS + warp] + warp_sum(sum) - sum;
        i32 l = (s * BLOCK + threadIdx.x) * K::PACK;
#pragma unroll
        for (i32 u = 0; u < K::PACK; u++)
            if (own >> u & 1) list[at + __popc(own & ((1u << u) - 1))] = (u16)(l + u);
    }
    if (warp == 0) {
        u64 before = tile > 0 ? look_back(state, tile) : 0;
        if (lane == 0) {
            tile_write(state + tile, TILE_ALL | (before + kept));
            base = (i64)before;
            if (first + K::TILE >= k.n) *count = (i64)before + kept;
        }
    }
    __syncthreads();
    // A warp's positions begin at a multiple of 32.
#pragma unroll 1
    for (i64 j = (i64)threadIdx.x - base % 32; j < kept; j += BLOCK)
        if (j >= 0) k.write(held, first + list[j], list[j], base + j);
}
