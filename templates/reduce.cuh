// Atoms from all rows that pass. Any number of accumulators, of several types, in one pass.
//
// `K::Acc` holds the accumulators: `init()` makes the empty ones, `k.each(acc, i)` adds row i where it passes,
// `acc.join(later)` adds another's. The first launch leaves one Acc for each CHUNK of rows in `parts`; the
// second joins them and hands the total to `k.end(acc)`, which computes and stores the results.
//
// Determinism: which rows a thread adds, and in which order accumulators join, depends on the number of rows
// alone and not on the grid, so the same data gives the same bits on every run and every GPU.

// Rows whose accumulator is one of `parts`.
#define CHUNK 65536

// Joins a block's accumulators in a fixed tree; the result is thread 0's.
template <class A> Q A reduce_block(A acc) {
    __shared__ u64 room[WARPS * ((sizeof(A) + 7) / 8)];
    A *warps = (A *)room;
#pragma unroll
    for (i32 by = 16; by; by >>= 1) acc.join(shuffle_down(acc, by));
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = acc;
    __syncthreads();
    if (threadIdx.x == 0)
        for (i32 w = 1; w < WARPS; w++) acc.join(warps[w]);
    return acc;
}

template <class K> Q void reduce(const K &k, typename K::Acc *parts) {
    for (i64 chunk = blockIdx.x; chunk * CHUNK < k.n; chunk += gridDim.x) {
        i64 end = chunk * CHUNK + CHUNK;
        if (end > k.n) end = k.n;
        typename K::Acc acc;
        acc.init();
#pragma unroll 1
        for (i64 i = chunk * CHUNK + threadIdx.x; i < end; i += BLOCK) k.each(acc, i);
        acc = reduce_block(acc);
        if (threadIdx.x == 0) parts[chunk] = acc;
    }
}

// Launched with one block.
template <class K> Q void reduce_end(const K &k, const typename K::Acc *parts) {
    i64 chunks = (k.n + CHUNK - 1) / CHUNK;
    typename K::Acc acc;
    acc.init();
#pragma unroll 1
    for (i64 c = threadIdx.x; c < chunks; c += BLOCK) acc.join(parts[c]);
    acc = reduce_block(acc);
    if (threadIdx.x == 0) k.end(acc);
}
