// The median of each list of floats, by selection: the mean of its two middle items, and no list is sorted.
//
// List l is the items from starts[l] to starts[l + 1]. A list of up to SHORT items is read once, into a warp's shared
// memory, and its lower middle key found there bit by bit. Of a longer one two keys of a sample are taken between which
// the lower middle one most likely lies, and the items between them set apart. Among those, digits of eight bits are
// found, most significant first, by counting the items that have the digits found so far. Where the sample was wrong all
// items are looked at instead.
//
// | entry | grid | does |
// |---|---|---|
// | select_short | a warp a list | the medians of short lists; a place among the middles and a sample of each long one |
// | select_part | a block a tile of items | sets the items apart that lie within the keys of the sample |
// | select_within | long lists | whether the lower middle key lies within them, and which digits are known |
// | select_count | a block a tile of items | how often each digit occurs in each long list: once a digit |
// | select_narrow | a warp a long list | which digit the lower middle key has there: once a digit |
// | select_next | a block a tile of items | the least key above the lower middle one |
// | select_end | long lists | the medians |
//
// Keys order as q does: nulls first, -0.0 equal to 0.0. A null among the two middle items leaves the other.
//
// Memory: lists are read once. About an eighth of a long one's items is set apart, and read once for each of the digits
// that are not known and once more, mostly from the second-level cache; where the sample was wrong, all items are. Counts
// are integers, so that the order of additions does not matter; which place a long list has among the middles, and an
// item among those set apart, depends on the schedule, and nothing that is a result does.

#define SHORT 512
#define SELECT_TILE 4096
// How far from the middle of a sample of SHORT keys the two are taken: about three standard deviations of the place that
// the lower middle key has there.
#define ASIDE 32
#define DIGITS_OF_KEY 8

// The lower middle item of a long list, as far as it is known.
struct Middle {
    i64 list;
    u64 key;
    // How many of the items that have the digits so far come before it, and how many have all digits.
    i64 rank, equal;
    // The least key above it.
    u64 next;
    // Two keys of the sample, how many items come before the lower, and how many lie within the two.
    u64 low, high, less, within;
    // How many items are looked at, which of the least significant digits are not known, and whether the items are those
    // set apart.
    i64 length;
    i32 digits, apart;
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

// The key that `rank` others come before, of n that each lane has a 32nd of.
Q u64 warp_select(const u64 *keys, i32 n, i32 rank) {
    u64 low = 0;
#pragma unroll 1
    for (i32 bit = 63; bit >= 0; bit--) {
        i32 zeros = 0;
#pragma unroll 1
        for (i32 j = threadIdx.x % 32; j - (i32)(threadIdx.x % 32) < n; j += 32)
            zeros += __popc(__ballot_sync(0xffffffffu, j < n && (keys[j] ^ low) >> bit == 0));
        if (rank >= zeros) rank -= zeros, low |= 1ull << bit;
    }
    return low;
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
#pragma unroll 1
            for (i32 j = lane; j < SHORT; j += 32) keys[j] = key_f(x[first + j * n / SHORT]);
            u64 low = warp_select(keys, SHORT, SHORT / 2 - ASIDE), high = warp_select(keys, SHORT, SHORT / 2 + ASIDE);
            if (lane == 0) {
                u32 place = atomicAdd(found, 1u);
                places[l] = place;
                middles[place] = {l, 0, (n - 1) / 2, 0, ~0ull, low, high, 0, 0, n, DIGITS_OF_KEY, 0};
            }
            continue;
        }
#pragma unroll 1
        for (i32 j = lane; j < n; j += 32) keys[j] = key_f(x[first + j]);
        u64 low = warp_select(keys, (i32)n, (i32)(n - 1) / 2);
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

// Sets apart in `parts` what lies within, each list's where the list begins in `x`. Where the two keys are the same they
// are counted only.
ENTRY select_part(i64 lists, const i64 *starts, const f64 *x, const u32 *places, Middle *middles, f64 *parts) {
    __shared__ f64 room[SELECT_TILE];
    __shared__ u32 within;
    __shared__ u64 to;
    i32 lane = threadIdx.x % 32;
    select_tiles(lists, starts, [&](i64 list, i64 from, i64 end) {
        Middle *middle = middles + places[list];
        u64 low = middle->low, high = middle->high, next = ~0ull;
        u32 less = 0;
        if (threadIdx.x == 0) within = 0;
        __syncthreads();
#pragma unroll 1
        for (i64 at = from; at < end; at += BLOCK) {
            i64 i = at + threadIdx.x;
            f64 item = i < end ? x[i] : 0;
            u64 key = key_f(item);
            bool is = i < end && key >= low && key <= high;
            if (i < end && key > high && key < next) next = key;
            less += __popc(__ballot_sync(0xffffffffu, i < end && key < low));
            u32 all = __ballot_sync(0xffffffffu, is), place = 0;
            if (lane == 0 && all) place = atomicAdd(&within, __popc(all));
            place = __shfl_sync(0xffffffffu, place, 0) + __popc(all & ((1u << lane) - 1));
            if (is) room[place] = item;
        }
        next = warp_least(next);
        if (lane == 0) {
            if (less) atomicAdd(&middle->less, (u64)less);
            atomicMin(&middle->next, next);
        }
        __syncthreads();
        if (threadIdx.x == 0) to = atomicAdd(&middle->within, (u64)within);
        __syncthreads();
        if (low < high)
            for (u32 j = threadIdx.x; j < within; j += BLOCK) parts[starts[list] + to + j] = room[j];
        __syncthreads();
    });
}

ENTRY select_within(u32 longs, Middle *middles) {
    for (u32 m = blockIdx.x * BLOCK + threadIdx.x; m < longs; m += gridDim.x * BLOCK) {
        Middle middle = middles[m];
        u64 rank = (u64)middle.rank, differ = middle.low ^ middle.high;
        if (rank < middle.less || rank >= middle.less + middle.within) {
            middle.next = ~0ull;
        } else {
            middle.rank = (i64)(rank - middle.less);
            middle.equal = (i64)middle.within;
            middle.digits = differ ? DIGITS_OF_KEY - __clzll(differ) / 8 : 0;
            middle.key = middle.digits == DIGITS_OF_KEY ? 0 : middle.low >> 8 * middle.digits << 8 * middle.digits;
            middle.length = differ ? (i64)middle.within : 0;
            middle.apart = 1;
        }
        middles[m] = middle;
    }
}

// Calls `each(items, from, end, middle)` for those of the items in each tile that are looked at.
template <class F> Q void select_looked(i64 lists, const i64 *starts, const f64 *x, const f64 *parts, const u32 *places, Middle *middles, F each) {
    select_tiles(lists, starts, [&](i64 list, i64 from, i64 end) {
        Middle *middle = middles + places[list];
        i64 last = starts[list] + middle->length;
        if (last < end) end = last;
        if (from < end) each(middle->apart ? parts : x, from, end, middle);
    });
}

// Before it: `counts`, DIGITS of each long list, is zero.
ENTRY select_count(i64 lists, const i64 *starts, const f64 *x, const f64 *parts, const u32 *places, Middle *middles, i32 digit, u64 *counts) {
    __shared__ u32 here[DIGITS];
    select_looked(lists, starts, x, parts, places, middles, [&](const f64 *items, i64 from, i64 end, const Middle *middle) {
        if (digit >= middle->digits) return;
        u64 known = middle->key;
        here[threadIdx.x] = 0;
        __syncthreads();
#pragma unroll 1
        for (i64 at = from; at < end; at += BLOCK) {
            i64 i = at + threadIdx.x;
            u64 key = i < end ? key_f(items[i]) : 0;
            bool is = i < end && (digit == 7 || (key ^ known) >> 8 * (digit + 1) == 0);
            count_digit(here, (u32)(key >> 8 * digit) & 255, is);
        }
        __syncthreads();
        u32 count = here[threadIdx.x];
        if (count) atomicAdd(counts + (middle - middles) * DIGITS + threadIdx.x, (u64)count);
    });
}

// After it `counts` is zero again.
ENTRY select_narrow(u32 longs, i32 digit, Middle *middles, u64 *counts) {
    i32 lane = threadIdx.x % 32;
#pragma unroll 1
    for (u32 m = blockIdx.x * WARPS + threadIdx.x / 32; m < longs; m += gridDim.x * WARPS) {
        // Nothing is counted of a digit that is known.
        if (digit >= middles[m].digits) continue;
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

ENTRY select_next(i64 lists, const i64 *starts, const f64 *x, const f64 *parts, const u32 *places, Middle *middles) {
    select_looked(lists, starts, x, parts, places, middles, [&](const f64 *items, i64 from, i64 end, Middle *middle) {
        u64 low = middle->key, next = ~0ull;
#pragma unroll 1
        for (i64 i = from + threadIdx.x; i < end; i += BLOCK) {
            u64 key = key_f(items[i]);
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
