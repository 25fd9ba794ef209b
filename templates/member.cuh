// Whether each item is one of those that a set holds in its list: the set is another column's items there.
//
// It stands on `group.cuh`: the sets of all lists are one table of groups whose keys are list and item. A kernel
// gives K::WORDS, `k.in(i)`: is row i in a list? `k.key(i, w)`, the list of row i and the item that the set has there;
// `k.item(i, w)`, the same with the item that is looked for; and `k.store(i, found)`.
//
// | entry | grid | does |
// |---|---|---|
// | put | rows | puts the items of the sets into the table |
// | find | rows | looks for each item |
//
// The host takes a larger table where it was full, and begins again.
//
// Memory: each column is read once. A look into the table is a slot and the row in it, which stay in the second-level
// cache as long as there are few distinct items.
//
// Determinism: which row stands for an item depends on the schedule, and nothing that is stored does.

template <class K> Q void member_put(const K &k, const Groups &g) {
#pragma unroll 1
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < k.n; i += (i64)gridDim.x * BLOCK) {
        if (!k.in(i)) continue;
        u64 key[K::WORDS];
        k.key(i, key);
        group_slot(k, g, key, i);
    }
}

// The table has free slots.
template <class K> Q bool member_has(const K &k, const i64 *table, u64 mask, const u64 *key) {
    u64 hash = group_hash<K::WORDS>(key), slot = hash & mask;
#pragma unroll 1
    for (;; slot = (slot + 1) & mask) {
        i64 held = table[slot];
        if (held == NO_ROW) return false;
        if (((u64)held ^ hash) >> ROW_BITS == 0 && group_same(k, key, group_row(held))) return true;
    }
}

// Rows in no list get false.
template <class K> Q void member_find(const K &k, const i64 *table, u64 mask) {
#pragma unroll 1
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < k.n; i += (i64)gridDim.x * BLOCK) {
        bool found = k.in(i);
        if (found) {
            u64 key[K::WORDS];
            k.item(i, key);
            found = member_has(k, table, mask, key);
        }
        k.store(i, found);
    }
}
