// The order of many distinct keys of several words: they are sorted by the first 32 of the bits in which they differ,
// and the few that have the same ones are put in order by all of their words.
//
// Word w of key i is `keys[w * n + i]`, major first.
//
// | entry | grid | does |
// |---|---|---|
// | order_bits | keys | the bits of each word that are not the same in all keys |
// | order_first | keys | the first of those bits, as the host has found which they are |
// | order_ties | keys | puts each run of keys that have the same ones in order, if it is short |
//
// The host sorts the first bits with `sort.cuh`. Where a run is longer than TIES it sorts by whole words instead, the last
// word's sort first.
//
// Memory: keys are read twice side by side; the sort moves four bytes a key and its row. Keys in runs are read as far
// apart as they lie.
//
// Determinism: keys are distinct, so there is one order.

// The longest run that one thread puts in order.
#define TIES 32

// Some bits of a word, which are moved down by `shift`.
struct Span {
    u32 word, shift, bits, none;
};

// Before it: `bits`, a word for each of a key, is zero.
ENTRY order_bits(i64 n, i32 words, const u64 *keys, u64 *bits) {
    for (i32 w = 0; w < words; w++) {
        const u64 *word = keys + w * n;
        u64 differ = 0;
        for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (i64)gridDim.x * BLOCK) differ |= word[i] ^ word[0];
        if (differ) atomicOr(bits + w, differ);
    }
}

ENTRY order_first(i64 n, const u64 *keys, const Span *spans, i32 count, u32 *first) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (i64)gridDim.x * BLOCK) {
        u64 all = 0;
        for (i32 s = 0; s < count; s++) {
            Span span = spans[s];
            all = all << span.bits | (keys[span.word * n + i] >> span.shift & ((1ull << span.bits) - 1));
        }
        first[i] = (u32)all;
    }
}

Q bool order_before(i64 n, i32 words, const u64 *keys, i64 a, i64 b) {
    for (i32 w = 0; w < words; w++) {
        u64 x = keys[w * n + a], y = keys[w * n + b];
        if (x != y) return x < y;
    }
    return false;
}

// `first` is sorted, and `order` are the keys in its order. Before it: `failed` is 0.
ENTRY order_ties(i64 n, i32 words, const u64 *keys, const u32 *first, i64 *order, u32 *failed) {
    for (i64 p = (i64)blockIdx.x * BLOCK + threadIdx.x; p + 1 < n; p += (i64)gridDim.x * BLOCK) {
        u32 bits = first[p];
        if (first[p + 1] != bits || (p > 0 && first[p - 1] == bits)) continue;
        i64 end = p + 2;
        while (end < n && end - p <= TIES && first[end] == bits) end++;
        if (end - p > TIES) {
            *(volatile u32 *)failed = 1;
            continue;
        }
        for (i64 q = p + 1; q < end; q++) {
            i64 key = order[q], at = q;
            for (; at > p && order_before(n, words, keys, key, order[at - 1]); at--) order[at] = order[at - 1];
            order[at] = key;
        }
    }
}
