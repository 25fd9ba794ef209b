// A stable sort of order keys with row numbers: least significant digits first, eight bits a pass, in one sweep a
// pass. Several keys are several sorts, the last key's first, since each keeps the order that it finds.
//
// | entry | grid | does |
// |---|---|---|
// | sort_key_T | rows | the order keys of a column, at the rows so far; descending ones have their bits flipped |
// | sort_count | rows | how often each digit occurs in each place |
// | sort_pass_2, 4, 8 | a block a tile | one pass over keys of so many bytes |
// | sort_rank | a warp a key | the rank of each of a few distinct keys of several words |
//
// The host reads the counts and leaves out a place in which all keys have one digit. A pass reads each key and row
// once and writes each once: a tile is put in order in shared memory, so that a digit's run is written side by
// side; where it goes, a look back over the tiles before it says.
//
// Determinism: a position depends on keys and rows alone.

// Keys of a thread, and of a tile.
#define SORT_OWN 16
#define SORT_TILE (BLOCK * SORT_OWN)

template <class T> Q u32 sort_digit(T key, i32 place) { return (u32)(key >> 8 * place) & 255; }

// Before it: `counts`, DIGITS of each of the eight places, is zero.
template <class T> Q void sort_count(i64 n, const T *keys, u64 *counts) {
    const i32 PLACES = sizeof(T);
    __shared__ u32 found[PLACES * DIGITS];
    for (i32 d = threadIdx.x; d < PLACES * DIGITS; d += BLOCK) found[d] = 0;
    __syncthreads();
#pragma unroll 1
    for (i64 first = (i64)blockIdx.x * BLOCK; first < n; first += (i64)gridDim.x * BLOCK) {
        i64 i = first + threadIdx.x;
        T key = i < n ? keys[i] : 0;
#pragma unroll
        for (i32 place = 0; place < PLACES; place++) count_digit(found + place * DIGITS, sort_digit(key, place), i < n);
    }
    __syncthreads();
    for (i32 d = threadIdx.x; d < PLACES * DIGITS; d += BLOCK)
        if (found[d]) atomicAdd(counts + d, (u64)found[d]);
}

// The sum of x over the threads before this one. All threads of the block call it; `room` holds WARPS words.
Q u64 sum_before(u64 x, u64 *room) {
    u64 sum = x;
#pragma unroll
    for (i32 by = 1; by < 32; by <<= 1) {
        u64 less = __shfl_up_sync(0xffffffffu, sum, by);
        if (threadIdx.x % 32 >= by) sum += less;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 31) room[threadIdx.x / 32] = sum;
    __syncthreads();
    for (i32 w = 0; w < threadIdx.x / 32; w++) sum += room[w];
    return sum - x;
}

// One pass over the digit `place`. `rows` is none where the rows are in order. Before it: `ticket` and `state`,
// DIGITS words a tile, are zero. Thread d looks after digit d.
template <class T> Q void sort_pass(i64 n, const T *keys, Rows rows, i32 place, const u64 *counts, u32 *ticket, u64 *state, T *keys_to, Rows rows_to) {
    __shared__ u32 taken;
    __shared__ u64 room[WARPS];
    __shared__ u32 within[WARPS * DIGITS];
    __shared__ i64 to[DIGITS];
    __shared__ u64 items[SORT_TILE];
    i32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) taken = atomicAdd(ticket, 1u);
    for (i32 w = 0; w < WARPS; w++) within[w * DIGITS + threadIdx.x] = 0;
    __syncthreads();
    i64 tile = taken, first = tile * SORT_TILE, base = first + warp * 32 * SORT_OWN + lane;
    i32 length = n - first < SORT_TILE ? (i32)(n - first) : SORT_TILE;
    // A warp's keys lie side by side, and its lanes take them in turn. What is beyond the end sorts last.
    T key[SORT_OWN];
    u32 at[SORT_OWN];
#pragma unroll
    for (i32 s = 0; s < SORT_OWN; s++) key[s] = base + s * 32 < n ? keys[base + s * 32] : (T)~0ull;
#pragma unroll
    for (i32 s = 0; s < SORT_OWN; s++) {
        u32 digit = sort_digit(key[s], place), peers = 0xffffffffu;
#pragma unroll
        for (i32 bit = 0; bit < 8; bit++) {
            u32 ones = __ballot_sync(0xffffffffu, digit >> bit & 1);
            peers &= digit >> bit & 1 ? ones : ~ones;
        }
        u32 before = within[warp * DIGITS + digit], less = __popc(peers & ((1u << lane) - 1));
        __syncwarp();
        if (less == 0) within[warp * DIGITS + digit] = before + __popc(peers);
        __syncwarp();
        at[s] = before + less;
    }
    __syncthreads();
    u32 own = 0;
    for (i32 w = 0; w < WARPS; w++) {
        u32 count = within[w * DIGITS + threadIdx.x];
        within[w * DIGITS + threadIdx.x] = own;
        own += count;
    }
    u64 *word = state + tile * DIGITS + threadIdx.x;
    if (tile > 0) tile_write(word, TILE_OWN | own);
    u32 start = (u32)sum_before(own, room);
    u64 before = sum_before(counts[place * DIGITS + threadIdx.x], room), earlier = 0;
#pragma unroll 1
    for (i64 t = tile - 1; t >= 0; t--) {
        u64 known = 0;
        while (known == 0) known = tile_read(state + t * DIGITS + threadIdx.x);
        earlier += known & TILE_COUNT;
        if (known >= TILE_ALL) break;
    }
    tile_write(word, TILE_ALL | (earlier + own));
    to[threadIdx.x] = (i64)(before + earlier) - start;
    for (i32 w = 0; w < WARPS; w++) within[w * DIGITS + threadIdx.x] += start;
    __syncthreads();
#pragma unroll
    for (i32 s = 0; s < SORT_OWN; s++) {
        at[s] += within[warp * DIGITS + sort_digit(key[s], place)];
        items[at[s]] = key[s];
    }
    __syncthreads();
    i64 goes[SORT_OWN];
#pragma unroll
    for (i32 s = 0; s < SORT_OWN; s++) {
        i32 l = s * BLOCK + threadIdx.x;
        T moved = (T)items[l];
        goes[s] = to[sort_digit(moved, place)] + l;
        if (l < length) keys_to[goes[s]] = moved;
    }
    __syncthreads();
#pragma unroll
    for (i32 s = 0; s < SORT_OWN; s++) {
        i64 i = base + s * 32;
        items[at[s]] = i < n ? (u64)rows.of(i) : 0;
    }
    __syncthreads();
#pragma unroll
    for (i32 s = 0; s < SORT_OWN; s++)
        if (s * BLOCK + threadIdx.x < length) rows_to.put(goes[s], items[s * BLOCK + threadIdx.x]);
}

ENTRY sort_count_2(i64 n, const u16 *keys, u64 *counts) { sort_count(n, keys, counts); }
ENTRY sort_count_4(i64 n, const u32 *keys, u64 *counts) { sort_count(n, keys, counts); }
ENTRY sort_count_8(i64 n, const u64 *keys, u64 *counts) { sort_count(n, keys, counts); }
ENTRY sort_pass_2(i64 n, const u16 *keys, Rows rows, i32 place, const u64 *counts, u32 *ticket, u64 *state, u16 *keys_to, Rows rows_to) {
    sort_pass(n, keys, rows, place, counts, ticket, state, keys_to, rows_to);
}
ENTRY sort_pass_4(i64 n, const u32 *keys, Rows rows, i32 place, const u64 *counts, u32 *ticket, u64 *state, u32 *keys_to, Rows rows_to) {
    sort_pass(n, keys, rows, place, counts, ticket, state, keys_to, rows_to);
}
ENTRY sort_pass_8(i64 n, const u64 *keys, Rows rows, i32 place, const u64 *counts, u32 *ticket, u64 *state, u64 *keys_to, Rows rows_to) {
    sort_pass(n, keys, rows, place, counts, ticket, state, keys_to, rows_to);
}

// The rank of each of n distinct keys, whose word w of key g is `keys[w * n + g]`, major first.
ENTRY sort_rank(i64 n, i32 words, const u64 *keys, i32 *ranks) {
    for (i64 g = (i64)blockIdx.x * WARPS + threadIdx.x / 32; g < n; g += (i64)gridDim.x * WARPS) {
        u32 less = 0;
        for (i64 j = threadIdx.x % 32; j < n; j += 32) {
            i32 order = 0;
            for (i32 w = 0; w < words; w++) {
                u64 a = keys[w * n + j], b = keys[w * n + g];
                if (order == 0) order = a < b ? -1 : a > b;
            }
            less += order < 0;
        }
        less = warp_sum(less);
        if (threadIdx.x % 32 == 31) ranks[g] = (i32)less;
    }
}

// The order keys of a column of n rows, or of its rows `rows`. `flip` is 0, or all ones where it descends.
template <class T, class F> Q void sort_key(i64 n, const T *column, Rows rows, u64 flip, u64 *keys, F key) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (i64)gridDim.x * BLOCK)
        keys[i] = key(column[rows.of(i)]) ^ flip;
}
ENTRY sort_key_b(i64 n, const u8 *x, Rows rows, u64 flip, u64 *keys) {
    sort_key(n, x, rows, flip, keys, [](u8 v) { return key_b(v); });
}
ENTRY sort_key_h(i64 n, const i16 *x, Rows rows, u64 flip, u64 *keys) {
    sort_key(n, x, rows, flip, keys, [](i16 v) { return key_h(v); });
}
ENTRY sort_key_i(i64 n, const i32 *x, Rows rows, u64 flip, u64 *keys) {
    sort_key(n, x, rows, flip, keys, [](i32 v) { return key_i(v); });
}
ENTRY sort_key_j(i64 n, const i64 *x, Rows rows, u64 flip, u64 *keys) {
    sort_key(n, x, rows, flip, keys, [](i64 v) { return key_j(v); });
}
ENTRY sort_key_e(i64 n, const f32 *x, Rows rows, u64 flip, u64 *keys) {
    sort_key(n, x, rows, flip, keys, [](f32 v) { return key_e(v); });
}
ENTRY sort_key_f(i64 n, const f64 *x, Rows rows, u64 flip, u64 *keys) {
    sort_key(n, x, rows, flip, keys, [](f64 v) { return key_f(v); });
}
// Word 0 or 1 of guids, in the order of their bytes.
ENTRY sort_key_g(i64 n, const guid *x, Rows rows, i32 word, u64 flip, u64 *keys) {
    sort_key(n, x, rows, flip, keys, [word](guid v) { return swap(word ? v.hi : v.lo); });
}
// The ranks of a domain's codes, of one, two, four or (an enumeration's index) eight bytes; m codes. A null index
// comes first.
template <class T> Q void sort_rank_key(i64 n, const T *x, Rows rows, u64 flip, u64 *keys, const i32 *ranks, i64 m) {
    sort_key(n, x, rows, flip, keys, [=](T v) { return v >= 0 && (i64)v < m ? (u64)ranks[v] + 1 : 0; });
}
ENTRY sort_key_s1(i64 n, const u8 *x, Rows rows, u64 flip, u64 *keys, const i32 *ranks, i64 m) {
    sort_rank_key(n, x, rows, flip, keys, ranks, m);
}
ENTRY sort_key_s2(i64 n, const u16 *x, Rows rows, u64 flip, u64 *keys, const i32 *ranks, i64 m) {
    sort_rank_key(n, x, rows, flip, keys, ranks, m);
}
ENTRY sort_key_s4(i64 n, const u32 *x, Rows rows, u64 flip, u64 *keys, const i32 *ranks, i64 m) {
    sort_rank_key(n, x, rows, flip, keys, ranks, m);
}
ENTRY sort_key_s8(i64 n, const i64 *x, Rows rows, u64 flip, u64 *keys, const i32 *ranks, i64 m) {
    sort_rank_key(n, x, rows, flip, keys, ranks, m);
}
