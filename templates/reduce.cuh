// Atoms from all rows that pass. Any number of accumulators, of several types, in one pass.
//
// `K::Acc` holds the accumulators: `init()` makes the empty ones, `acc.join(later)` adds another's. `k.load(in, i)`
// reads what says whether the pack of rows from i on counts, `k.pass(i, in, u)` says it of its row u; then
// `k.more(more, i)` reads the rest and `k.each(acc, i, in, more, u)` adds row u. The first launch leaves one Acc
// for each chunk of rows in `parts`; the second joins them and hands the total to `k.end(acc)`, which computes and
// stores the results.
//
// Memory: a thread moves K::PACK rows with one access a column, 16 bytes for the widest. Each input is read once;
// columns that no filter reads are read only by warps of which a row passes.
//
// Determinism: which rows a thread adds, and in which order accumulators join, depends on the number of rows
// alone and not on the grid, so the same data gives the same bits on every run and every GPU.

// A chunk has two to this power rows, or more where there would be more than PARTS chunks.
#define CHUNK 12
#define PARTS 4096

Q i32 chunk_bits(i64 n) {
    i32 bits = CHUNK;
    while ((i64)PARTS << bits < n) bits++;
    return bits;
}

// Adds the rows from `first` to `end`, of which each thread of the block adds its own. Whole warps go round
// together.
template <class K> Q void reduce_rows(const K &k, typename K::Acc &acc, i64 first, i64 end) {
#pragma unroll 1
    for (i64 i = first + threadIdx.x * K::PACK; i - threadIdx.x % 32 * K::PACK < end; i += BLOCK * K::PACK) {
        typename K::In in;
        u32 passed = 0;
        if (i < end) {
            k.load(in, i);
#pragma unroll
            for (i32 u = 0; u < K::PACK; u++) passed |= (u32)(i + u < end && k.pass(i + u, in, u)) << u;
        }
        if (K::FILTERS && !__any_sync(0xffffffffu, passed)) continue;
        if (i < end) {
            typename K::More more;
            k.more(more, i);
#pragma unroll
            for (i32 u = 0; u < K::PACK; u++)
                if (passed >> u & 1) k.each(acc, i + u, in, more, u);
        }
    }
}

// Joins a block's accumulators in a fixed tree; the result is thread 0's. A block does so once a chunk: unrolled, its
// steps would be most of what a unit takes to compile.
template <class A> Q A reduce_block(A acc) {
    __shared__ u64 room[WARPS * ((sizeof(A) + 7) / 8)];
    A *warps = (A *)room;
#pragma unroll 1
    for (i32 by = 16; by; by >>= 1) acc.join(shuffle_down(acc, by));
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = acc;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll 1
        for (i32 w = 1; w < WARPS; w++) acc.join(warps[w]);
    }
    return acc;
}

template <class K> Q void reduce(const K &k, typename K::Acc *parts) {
    i32 bits = chunk_bits(k.n);
#pragma unroll 1
    for (i64 chunk = blockIdx.x; chunk << bits < k.n; chunk += gridDim.x) {
        i64 end = (chunk + 1) << bits;
        typename K::Acc acc;
        acc.init();
        reduce_rows(k, acc, chunk << bits, end < k.n ? end : k.n);
        acc = reduce_block(acc);
        if (threadIdx.x == 0) parts[chunk] = acc;
    }
}

// Launched with one block.
template <class K> Q void reduce_end(const K &k, const typename K::Acc *parts) {
    i32 bits = chunk_bits(k.n);
    i32 chunks = (i32)((k.n + (1ll << bits) - 1) >> bits);
    typename K::Acc acc;
    acc.init();
#pragma unroll 1
    for (i32 c = threadIdx.x; c < chunks; c += BLOCK) acc.join(parts[c]);
    acc = reduce_block(acc);
    if (threadIdx.x == 0) k.end(acc);
}
