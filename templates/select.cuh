// The median of each list of floats, by selection: the mean of its two middle items, and no list is sorted.
//
// List l is the items from starts[l] to starts[l + 1]. A list of up to SHORT items is read once, into a warp's shared
// memory, and its lower middle key found there bit by bit. For longer ones digits of eight bits are found, most
// significant first, by counting those of the items that have the digits found so far:
//
// | entry | grid | does |
// |---|---|---|
// | select_short | a warp a list | the medians of short lists; a place among the middles for each long one |
// | select_count | a block a tile of items | how often each digit occurs in each long list: once a digit |
// | select_narrow | a warp a long list | which digit the lower middle key has there: once a digit |
// | select_next | a block a tile of items | the least key above the lower middle one |
// | select_end | long lists | the medians |
//
// Keys order as q does: nulls first, -0.0 equal to 0.0. A null among the two middle items leaves the other.
//
// Memory: short lists are read once; long ones once for each of the eight digits and once more, mostly from the
// second-level cache. Counts are integers, so that the order of additions does not matter; which place a long list
// has among the middles depends on the schedule, and nothing that is stored does.

#define SHORT 512
#define SELECT_TILE 4096

// The lower middle item of a long list, as far as it is known.
struct Middle {
    i64 list;
    u64 key;
    // How many of the items that have the digits so far come before it, and how many have all digits.
    i64 rank, equal;
    // The least key above it.
    u64 next;
};

Q f64 select_mean(u64 low, u64 high) {
    f64 y = unkey_f(high);
    return low == 0 ? y : (unkey_f(low) + y) / 2;
}

Q u64 warp_least(u64 x) {
#pragma unroll
    for (i32 by = 16; by; by >>= 1) {
        u64 other = __shfl_xor_sync(0xffffffffu, x, by);
        x = other < x ? other : x;
    }
    return x;
}

// Before it: `found` is 0.
ENTRY select_short(i64 lists, const i64 *starts, const f64 *x, f64 *to, u32 *places, Middle *middles, u32 *found) {
    // Each lane reads only the keys that it wrote.
    __shared__ u64 room[WARPS * SHORT];
    i32 lane = threadIdx.x % 32;
    u64 *keys = room + threadIdx.x / 32 * SHORT;
#pragma unroll 1
    for (i64 l = (i64)blockIdx.x * WARPS + threadIdx.x / 32; l < lists; l += (i64)gridDim.x * WARPS) {
        i64 first = starts[l], n = starts[l + 1] - first;
        if (n > SHORT) {
            if (lane == 0) {
                u32 place = atomicAdd(found, 1u);
                places[l] = place;
                middles[place] = {l, 0, (n - 1) / 2, 0, ~0ull};
            }
            continue;
        }
#pragma unroll 1
        for (i32 j = lane; j < n; j += 32) keys[j] = key_f(x[first + j]);
        u64 low = 0;
        i32 rank = (i32)(n - 1) / 2;
#pragma unroll 1
        for (i32 bit = 63; bit >= 0; bit--) {
            i32 zeros = 0;
#pragma unroll 1
            for (i32 j = lane; j - lane < n; j += 32)
                zeros += __popc(__ballot_sync(0xffffffffu, j < n && (keys[j] ^ low) >> bit == 0));
            if (rank >= zeros) rank -= zeros, low |= 1ull << bit;
        }
        i32 upto = 0;
        u64 next = ~0ull;
#pragma unroll 1
        for (i32 j = lane; j - lane < n; j += 32) {
            bool above = j < n && keys[j] > low;
            if (above && keys[j] < next) next = keys[j];
            upto += __popc(__ballot_sync(0xffffffffu, j < n && !above));
        }
        next = warp_least(next);
        if (lane == 0) to[l] = n == 0 ? NULL_F : select_mean(low, n / 2 < upto ? low : next);
    }
}

// Calls `each(list, from, end)` for the items of each long list in each tile. All threads of the block call it.
template <class F> Q void select_tiles(i64 lists, const i64 *starts, F each) {
    // Whole lists of more than SHORT items, and the ends of two.
    __shared__ i64 longs[SELECT_TILE / SHORT + 2];
    __shared__ u32 found;
    i64 n = starts[lists];
#pragma unroll 1
    for (i64 first = (i64)blockIdx.x * SELECT_TILE; first < n; first += (i64)gridDim.x * SELECT_TILE) {
        i64 end = first + SELECT_TILE < n ? first + SELECT_TILE : n;
        if (threadIdx.x == 0) found = 0;
        __syncthreads();
        i64 last = bin(end - 1, starts, lists + 1);
        for (i64 l = bin(first, starts, lists + 1) + threadIdx.x; l <= last; l += BLOCK)
            if (starts[l + 1] - starts[l] > SHORT) longs[atomicAdd(&found, 1u)] = l;
        __syncthreads();
#pragma unroll 1
        for (u32 j = 0; j < found; j++) {
            i64 l = longs[j], from = starts[l], to = starts[l + 1];
            each(l, from < first ? first : from, to < end ? to : end);
        }
        __syncthreads();
    }
}

// Before it: `counts`, DIGITS of each long list, is zero.
ENTRY select_count(i64 lists, const i64 *starts, const f64 *x, const u32 *places, const Middle *middles, i32 digit, u64 *counts) {
    __shared__ u32 here[DIGITS];
    select_tiles(lists, starts, [&](i64 list, i64 from, i64 end) {
        u32 place = places[list];
        u64 known = middles[place].key;
        here[threadIdx.x] = 0;
        __syncthreads();
#pragma unroll 1
        for (i64 at = from; at < end; at += BLOCK) {
            i64 i = at + threadIdx.x;
            u64 key = i < end ? key_f(x[i]) : 0;
            bool is = i < end && (digit == 7 || (key ^ known) >> 8 * (digit + 1) == 0);
            count_digit(here, (u32)(key >> 8 * digit) & 255, is);
        }
        __syncthreads();
        u32 count = here[threadIdx.x];
        if (count) atomicAdd(counts + (i64)place * DIGITS + threadIdx.x, (u64)count);
    });
}

// After it `counts` is zero again.
ENTRY select_narrow(u32 longs, i32 digit, Middle *middles, u64 *counts) {
    i32 lane = threadIdx.x % 32;
#pragma unroll 1
    for (u32 m = blockIdx.x * WARPS + threadIdx.x / 32; m < longs; m += gridDim.x * WARPS) {
        u64 *own = counts + (i64)m * DIGITS + lane * (DIGITS / 32), sum = 0;
        for (i32 d = 0; d < DIGITS / 32; d++) sum += own[d];
        u64 upto = sum, rank = (u64)middles[m].rank;
#pragma unroll
        for (i32 by = 1; by < 32; by <<= 1) {
            u64 less = __shfl_up_sync(0xffffffffu, upto, by);
            if (lane >= by) upto += less;
        }
        // All lanes have read the rank.
        __syncwarp();
        if (rank >= upto - sum && rank < upto) {
            i32 d = 0;
            for (rank -= upto - sum; rank >= own[d]; d++) rank -= own[d];
            middles[m].key |= (u64)(lane * (DIGITS / 32) + d) << 8 * digit;
            middles[m].rank = (i64)rank;
            middles[m].equal = (i64)own[d];
        }
        for (i32 d = 0; d < DIGITS / 32; d++) own[d] = 0;
    }
}

ENTRY select_next(i64 lists, const i64 *starts, const f64 *x, const u32 *places, Middle *middles) {
    select_tiles(lists, starts, [&](i64 list, i64 from, i64 end) {
        Middle *middle = middles + places[list];
        u64 low = middle->key, next = ~0ull;
#pragma unroll 1
        for (i64 i = from + threadIdx.x; i < end; i += BLOCK) {
            u64 key = key_f(x[i]);
            if (key > low && key < next) next = key;
        }
        next = warp_least(next);
        if (threadIdx.x % 32 == 0) atomicMin(&middle->next, next);
    });
}

ENTRY select_end(u32 longs, const i64 *starts, const Middle *middles, f64 *to) {
    for (u32 m = blockIdx.x * BLOCK + threadIdx.x; m < longs; m += gridDim.x * BLOCK) {
        Middle middle = middles[m];
        bool odd = (starts[middle.list + 1] - starts[middle.list]) % 2 != 0;
        bool same = odd || middle.rank + 1 < middle.equal;
        to[middle.list] = select_mean(middle.key, same ? middle.key : middle.next);
    }
}
