// Keys and aggregates of the groups of the rows that pass, keys ascending.
//
// A kernel gives: `k.pass(i)`; `k.key(i, w)`, which packs the key of row i into K::WORDS words that compare as
// the keys do; `K::Acc` and `k.each(acc, i)` as in a reduction; `k.end(acc, i, g)`, which computes and stores
// group g, of which i is the first row. The launches, in order, on one stream:
//
// | entry | grid | does |
// |---|---|---|
// | find | rows | puts each row's group into an open-addressing table of row numbers |
// | collect | slots | lists the slots that hold a group, in no order |
// | sort | slots listed | one step of a bitonic sort of that list by key; once for each (size, step) |
// | number | groups | gives each slot its place in key order |
// | assign | rows | turns each row's slot into its group's number |
// | digits, offsets, scatter | rows | one pass of a stable radix sort of row numbers by group number; once a byte |
// | fold | groups, a warp each | accumulates each group's rows, in row order, and stores its results |
//
// The host sorts nothing. It reads the number of groups after `collect`, repeats `sort` for each size and step
// up to that number's next power of two, and the radix passes until 256 to their power exceeds it (a row in no
// group has all digits set, so that it sorts last); it grows the table and begins again where `find` ran out of
// slots. After `assign`, `ids` are the group numbers that a later kernel spreads by.
//
// Determinism: the table's layout depends on the schedule, and nothing that is stored does. A group's number
// is its place in key order, its rows are visited in row order by a fixed tree of one warp, and no
// floating-point value ever goes through an atomic: the same data gives the same bits on every run and GPU.

#define NO_ROW (-1ll)

template <i32 WORDS> Q u64 group_hash(const u64 *w) {
    u64 h = 0;
#pragma unroll
    for (i32 j = 0; j < WORDS; j++) {
        h = (h ^ w[j]) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    }
    return h;
}

// Does the key `a` come before the key of row j (-1), is it the same (0), or does it come after (1)?
template <class K> Q i32 group_compare(const K &k, const u64 *a, i64 j) {
    u64 b[K::WORDS];
    k.key(j, b);
#pragma unroll
    for (i32 w = 0; w < K::WORDS; w++)
        if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
    return 0;
}

// Before it: `table` (a power of two of slots, `mask` one less) is all NO_ROW and `full` 0. After it: a slot
// holds the first row of its group; `ids` is the slot of each row's group, or -1 for a row that does not pass;
// `full` is 1 where the table had no room.
template <class K> Q void group_find(const K &k, i64 *table, u64 mask, i32 *ids, u32 *full) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < k.n; i += (i64)gridDim.x * BLOCK) {
        i32 id = -1;
        if (k.pass(i)) {
            u64 key[K::WORDS];
            k.key(i, key);
            u64 slot = group_hash<K::WORDS>(key) & mask;
            // Once the table was full for one row, all begins again and the others need not search it in vain.
            for (u64 tries = 0; tries <= mask && !*(volatile u32 *)full; tries++, slot = (slot + 1) & mask) {
                i64 row = *(volatile i64 *)(table + slot);
                if (row == NO_ROW) {
                    row = (i64)atomicCAS((u64 *)(table + slot), (u64)NO_ROW, (u64)i);
                    if (row == NO_ROW) row = i;
                }
                // Any row of the group stands for it, so it does not matter that others lower the number.
                if (row == i || group_compare(k, key, row) == 0) {
                    if (i < row) atomicMin(table + slot, i);
                    id = (i32)slot;
                    break;
                }
            }
            if (id < 0) *(volatile u32 *)full = 1;
        }
        ids[i] = id;
    }
}

// Before it: `groups` is 0 and `slots` all -1. Its order comes from a counter; the sort that follows settles it.
extern "C" __global__ void __launch_bounds__(BLOCK) group_collect(const i64 *table, i64 size, i32 *slots, i32 *groups) {
    for (i64 s = (i64)blockIdx.x * BLOCK + threadIdx.x; s < size; s += (i64)gridDim.x * BLOCK)
        if (table[s] != NO_ROW) slots[atomicAdd(groups, 1)] = (i32)s;
}

// One step of a bitonic sort of `slots`, whose length is a power of two; -1 sorts last. Keys are distinct.
template <class K> Q void group_sort(const K &k, const i64 *table, i32 *slots, i64 length, i64 size, i64 step) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < length; i += (i64)gridDim.x * BLOCK) {
        i64 j = i ^ step;
        if (j < i) continue;
        i32 a = slots[i], b = slots[j];
        // An empty place comes after every group.
        i32 order = a < 0 ? (b < 0 ? 0 : 1) : -1;
        if (a >= 0 && b >= 0) {
            u64 key[K::WORDS];
            k.key(table[a], key);
            order = group_compare(k, key, table[b]);
        }
        if ((i & size) == 0 ? order > 0 : order < 0) {
            slots[i] = b;
            slots[j] = a;
        }
    }
}

// The place of each slot's group.
extern "C" __global__ void __launch_bounds__(BLOCK) group_number(const i32 *slots, i32 groups, i32 *place) {
    for (i32 g = blockIdx.x * BLOCK + threadIdx.x; g < groups; g += gridDim.x * BLOCK) place[slots[g]] = g;
}

extern "C" __global__ void __launch_bounds__(BLOCK) group_assign(i64 n, const i32 *place, i32 *ids) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (i64)gridDim.x * BLOCK)
        if (ids[i] >= 0) ids[i] = place[ids[i]];
}

// The radix sort of rows by group number; a row in no group sorts last. Rows come in tiles of SORT_TILE.
#define SORT_TILE (BLOCK * 16)

Q u32 group_digit(const i32 *ids, i64 row, i32 shift) { return (u32)ids[row] >> shift & 255; }

// How many rows of each tile have each digit: `counts[digit * tiles + tile]`. A block a tile. In the first pass
// `rows` is none, for the rows in order.
extern "C" __global__ void __launch_bounds__(BLOCK) group_digits(i64 n, const i32 *ids, const i64 *rows, i32 shift, i64 *counts) {
    __shared__ u32 found[256];
    i64 tiles = (n + SORT_TILE - 1) / SORT_TILE, first = (i64)blockIdx.x * SORT_TILE;
    found[threadIdx.x] = 0;
    __syncthreads();
    for (i64 p = first + threadIdx.x; p < first + SORT_TILE && p < n; p += BLOCK)
        atomicAdd(found + group_digit(ids, rows ? rows[p] : p, shift), 1u);
    __syncthreads();
    counts[threadIdx.x * tiles + blockIdx.x] = found[threadIdx.x];
}

// Counts to positions: the exclusive sum of `counts`, by one block.
extern "C" __global__ void __launch_bounds__(BLOCK) group_offsets(i64 length, i64 *counts) {
    __shared__ i64 sums[BLOCK];
    i64 each = (length + BLOCK - 1) / BLOCK, first = threadIdx.x * each;
    i64 end = first + each < length ? first + each : length, sum = 0;
    for (i64 c = first; c < end; c++) sum += counts[c];
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        i64 run = 0;
        for (i32 t = 0; t < BLOCK; t++) {
            i64 own = sums[t];
            sums[t] = run;
            run += own;
        }
    }
    __syncthreads();
    sum = sums[threadIdx.x];
    for (i64 c = first; c < end; c++) {
        i64 own = counts[c];
        counts[c] = sum;
        sum += own;
    }
}

// Moves each row number to its digit's place, rows of one digit in the order they came in. A block a tile.
extern "C" __global__ void __launch_bounds__(BLOCK) group_scatter(i64 n, const i32 *ids, const i64 *rows, i32 shift, const i64 *offsets, i64 *sorted) {
    __shared__ i64 next[256];
    __shared__ u32 counts[WARPS * 256];
    i64 tiles = (n + SORT_TILE - 1) / SORT_TILE, first = (i64)blockIdx.x * SORT_TILE;
    i32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    next[threadIdx.x] = offsets[threadIdx.x * tiles + blockIdx.x];
    for (i64 p = first + threadIdx.x; p - threadIdx.x < first + SORT_TILE && p - threadIdx.x < n; p += BLOCK) {
        for (i32 w = 0; w < WARPS; w++) counts[w * 256 + threadIdx.x] = 0;
        __syncthreads();
        i64 row = p < n ? (rows ? rows[p] : p) : NO_ROW;
        u32 digit = row < 0 ? 0 : group_digit(ids, row, shift);
        // The lanes of this warp that hold the same digit.
        u32 peers = __ballot_sync(0xffffffffu, row >= 0);
#pragma unroll
        for (i32 bit = 0; bit < 8; bit++) {
            u32 ones = __ballot_sync(0xffffffffu, digit >> bit & 1);
            peers &= digit >> bit & 1 ? ones : ~ones;
        }
        u32 rank = __popc(peers & ((1u << lane) - 1));
        if (row >= 0 && rank == 0) counts[warp * 256 + digit] = __popc(peers);
        __syncthreads();
        if (row >= 0) {
            i64 at = next[digit] + rank;
            for (i32 w = 0; w < warp; w++) at += counts[w * 256 + digit];
            sorted[at] = row;
        }
        __syncthreads();
        // Each thread adds, and then clears, the counts of its own digit, so that no barrier is needed here.
        for (i32 w = 0; w < WARPS; w++) next[threadIdx.x] += counts[w * 256 + threadIdx.x];
    }
}

// The first position among the sorted rows whose group number is not less than `g`.
Q i64 group_start(i64 n, const i32 *ids, const i64 *rows, i32 g) {
    i64 low = 0, high = n;
    while (low < high) {
        i64 mid = (low + high) >> 1;
        if ((u32)ids[rows[mid]] < (u32)g) low = mid + 1;
        else high = mid;
    }
    return low;
}

// A warp a group: lanes take the group's rows in turn, then join in a fixed tree.
template <class K> Q void group_fold(const K &k, const i32 *ids, const i64 *rows, i32 groups) {
    i32 lane = threadIdx.x % 32;
    for (i32 g = blockIdx.x * WARPS + threadIdx.x / 32; g < groups; g += gridDim.x * WARPS) {
        i64 first = group_start(k.n, ids, rows, g), end = group_start(k.n, ids, rows, g + 1);
        typename K::Acc acc;
        acc.init();
#pragma unroll 1
        for (i64 p = first + lane; p < end; p += 32) k.each(acc, rows[p]);
#pragma unroll
        for (i32 by = 16; by; by >>= 1) acc.join(shuffle_down(acc, by));
        if (lane == 0) k.end(acc, rows[first], g);
    }
}
