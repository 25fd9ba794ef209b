// Keys and aggregates of the groups of the rows that pass, keys ascending.
//
// A kernel gives, as in a reduction: `K::Acc`, `k.load(in, i)`, `k.pass(i, in, u)`, `k.more(more, i)` and
// `k.each(acc, i, in, more, u)`; and `k.key(i, w)`, which packs the key of row i into K::WORDS words that compare
// as the keys do (`k.key(i, in, u, w)` that of a pack's row u), `k.each(acc, i)`, which adds one row, and
// `k.end(acc, i, g)`, which computes and stores group g, of which i is the first row. Where all keys that can be are
// counted, `k.dense(i, in, u)` is the place of a row's key among them.
//
// Up to a few thousand groups, `tables` reads each row once and adds it to its block's own table of accumulators:
//
// | entry | grid | does |
// |---|---|---|
// | tables | a block a chunk of rows | finds each row's group, and accumulates the chunk's rows of each |
// | keys | groups | the key of each, to be ranked by `order.cuh` |
// | number | groups | the place of each slot's group, by rank |
// | end | groups, a warp each | joins the chunks' accumulators in their order, and stores the results |
//
// A slot is a key's place, where there is one for every key that can be, or else is found by the key's hash; the
// entry that hashes keys which have places, but too many of them, is `hashed`, in the plan's rare unit. Where later
// kernels need the rows' groups they get the slots, in two bytes a row, and the place of each slot's group.
//
// A kernel whose rows an earlier one has numbered has these numbers for slots, and no table of groups: it is `tables` and
// `end`, or `fold`.
//
// With more groups than that, the rows themselves are brought into order, by entries of the rare unit:
//
// | find | rows | each row's group |
// | keys, number | | as above |
// | assign | rows | each row's group number |
// | fold | groups, some lanes each | accumulates each group's rows, and stores its results |
//
// The host sorts rows by group number with `sort.cuh` and finds where each group begins. It reads how many groups there
// are, and whether a table was full: then it takes a larger one, or the second way, and begins again.
//
// Loops that run a few times, or wait for memory at each turn, are not unrolled: their copies would be most of what
// a unit takes to compile.
//
// Memory: `tables` reads each input once, K::PACK rows with one access a column; its own tables stay in shared
// memory or the second-level cache, and what no row of the chunk is of is neither written nor read. The second way reads
// keys, writes and sorts a row's number and group, and reads the values as far apart as the groups' rows lie. Groups are
// listed when they are found, about in the order of their first rows, so that their keys are read side by side.
//
// Determinism: the layout of the table of groups depends on the schedule, and nothing that is stored does. Which
// rows a chunk has depends on numbers alone; in it lanes, warps and turns join in a fixed order; chunks join in
// theirs. No floating-point value goes through an atomic. So the same data gives the same bits on every run.

#define NO_ROW (-1ll)
// Bytes of shared memory for a block's own table, and the most slots that tables of blocks have.
#define ROOM 32768
#define SLOTS 8192

// What a block keeps of a group: its rows' accumulators and the first of them.
template <class A> struct Cell {
    A acc;
    i64 row;
    Q void init() { acc.init(), row = MAX_J; }
    Q void begin(i64 i) { row = i; }
    Q i64 first() const { return row; }
    Q void join(const Cell &o) {
        acc.join(o.acc);
        if (o.row < row) row = o.row;
    }
};
// The same where nothing is made of the first row.
template <class A> struct Rowless {
    A acc;
    Q void init() { acc.init(); }
    Q void begin(i64) {}
    Q i64 first() const { return 0; }
    Q void join(const Rowless &o) { acc.join(o.acc); }
};

// The table of groups: open addressing, a slot is NO_ROW, or holds a row of its group and above it bits of the key's
// hash, so that keys are compared, which lie as far apart as rows, only where these agree. `most` groups fill it. Where
// keys have places there is a slot for each, and nothing fills it. `list` are the slots that hold a group, in no order.
struct Groups {
    i64 *table;
    u64 mask;
    u32 most;
    u32 *found, *full;
    i32 *list;
};
#define ROW_BITS 40
Q i64 group_row(i64 held) { return held & ((1ll << ROW_BITS) - 1); }

template <i32 WORDS> Q u64 group_hash(const u64 *w) {
    u64 h = 0;
#pragma unroll
    for (i32 j = 0; j < WORDS; j++) {
        h = (h ^ w[j]) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    }
    return h;
}

// Is the key `a` that of row j?
template <class K> Q bool group_same(const K &k, const u64 *a, i64 j) {
    u64 b[K::WORDS];
    k.key(j, b);
    bool same = true;
#pragma unroll
    for (i32 w = 0; w < K::WORDS; w++) same &= a[w] == b[w];
    return same;
}

// The slot of the group of row i, whose key is `key`; -1 where the table is full, and then all is in vain. Any row
// of a group may stand for it.
template <class K> Q i32 group_slot(const K &k, const Groups &g, const u64 *key, i64 i) {
    u64 hash = group_hash<K::WORDS>(key), slot = hash & g.mask;
    i64 own = (i64)(hash >> ROW_BITS << ROW_BITS) | i;
#pragma unroll 1
    for (u64 tries = 0; tries <= g.mask; tries++, slot = (slot + 1) & g.mask) {
        i64 held = *(volatile i64 *)(g.table + slot);
        // Once the table was full for one row, all begins again and the others need not search it in vain, neither
        // to fill it up nor, where it is that full already, from slot to slot.
        if ((held == NO_ROW || tries % 32 == 31) && *(volatile u32 *)g.full) return -1;
        if (held == NO_ROW) {
            held = (i64)atomicCAS((u64 *)(g.table + slot), (u64)NO_ROW, (u64)own);
            if (held == NO_ROW) {
                u32 place = atomicAdd(g.found, 1u);
                if (place >= g.most) *(volatile u32 *)g.full = 1;
                else g.list[place] = (i32)slot;
                return (i32)slot;
            }
        }
        if (held == own) return (i32)slot;
        if ((held ^ own) >> ROW_BITS == 0 && group_same(k, key, group_row(held))) return (i32)slot;
    }
    return -1;
}

// Makes row i stand for the group of a slot of a dense table, unless another does.
Q void group_claim(const Groups &g, i32 slot, i64 i) {
    if (atomicCAS((u64 *)(g.table + slot), (u64)NO_ROW, (u64)i) == (u64)NO_ROW) g.list[atomicAdd(g.found, 1u)] = slot;
}

// The slots of the groups of the rows of a pack from i on, -1 for those that do not pass or are not before `end`;
// and which passed, a bit each.
template <bool DENSE, class K> Q u32 group_slots(const K &k, const Groups &g, i64 i, i64 end, const typename K::In &in, i32 (&slot)[K::PACK]) {
    u32 passed = 0;
#pragma unroll
    for (i32 u = 0; u < K::PACK; u++) {
        slot[u] = -1;
        if (i + u < end && k.pass(i + u, in, u)) {
            if constexpr (DENSE) {
                slot[u] = k.dense(i + u, in, u);
            } else {
                u64 key[K::WORDS];
                k.key(i + u, in, u, key);
                slot[u] = group_slot(k, g, key, i + u);
            }
            passed |= 1u << u;
        }
    }
    return passed;
}

template <i32 V, class T> Q void group_ids(T *ids, i64 i, i64 n, const i32 (&slot)[V]) {
    T id[V];
#pragma unroll
    for (i32 u = 0; u < V; u++) id[u] = (T)slot[u];
    if (n - i >= V) put(ids + i, id);
    else put_some(ids + i, id, n - i);
}

// Joins the cells of the lanes that have the same slot into that of the first of them, in a fixed tree.
template <class C> Q void group_peers(C &cell, u32 peers) {
    i32 lane = threadIdx.x % 32;
    u32 rank = __popc(peers & ((1u << lane) - 1)), later = peers & (0xfffffffeu << lane);
#pragma unroll 1
    while (__any_sync(0xffffffffu, later != 0)) {
        i32 next = later ? __ffs(later) - 1 : lane;
        C other = shuffle(cell, next);
        if (later) cell.join(other);
        // Those of odd rank have been joined into another.
        u32 left = __ballot_sync(0xffffffffu, rank % 2 == 0);
        later &= left;
        rank /= 2;
    }
}

// Which slots of a chunk's table hold rows, a bit each.
#define USED(slots) (((slots) + 31) / 32)
Q bool group_used(const u32 *used, i32 slot) { return used[slot / 32] >> slot % 32 & 1; }

// Before it: the table is all NO_ROW, `found` and `full` 0. After it: unless the table was full, cell
// `chunk * slots + slot` of `parts` holds the chunk's rows of the slot's group where `used` says that there are any, and
// where K::IDS, `ids` is the slot of each row's group, or NO_SLOT for a row that does not pass.
template <bool DENSE, class K> Q void group_tables(const K &k, const Groups &g, i64 rows, typename K::Part *parts, u32 *used, u16 *ids) {
    typedef typename K::Part Part;
    __shared__ u64 room[ROOM / 8];
    __shared__ u32 held[USED(SLOTS)];
    __shared__ u32 stop;
    i32 slots = (i32)g.mask + 1, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Part *own = parts + (i64)blockIdx.x * slots, *cells = slots * sizeof(Part) <= ROOM ? (Part *)room : own;
#pragma unroll 1
    for (i32 w = threadIdx.x; w < USED(slots); w += BLOCK) held[w] = 0;
    __syncthreads();
    i64 first = (i64)blockIdx.x * rows, end = first + rows < k.n ? first + rows : k.n;
#pragma unroll 1
    for (i64 at = first; at < end; at += BLOCK * K::PACK) {
        i64 i = at + threadIdx.x * K::PACK;
        typename K::In in;
        i32 slot[K::PACK];
        if (i < end) k.load(in, i);
        u32 passed = group_slots<DENSE>(k, g, i, end, in, slot);
        if (K::IDS && i < end) group_ids(ids, i, k.n, slot);
        Part part[K::PACK];
        if (__any_sync(0xffffffffu, passed)) {
            typename K::More more;
            if (i < end) k.more(more, i);
#pragma unroll
            for (i32 u = 0; u < K::PACK; u++) {
                part[u].init();
                if (slot[u] >= 0) {
                    part[u].begin(i + u);
                    k.each(part[u].acc, i + u, in, more, u);
                }
                u32 peers = __match_any_sync(0xffffffffu, slot[u]);
                group_peers(part[u], slot[u] < 0 ? 0 : peers);
                // The first lane of a group speaks for it.
                if (peers & ((1u << lane) - 1)) slot[u] = -1;
            }
        }
        // Warps take turns, so that a cell has one writer at a time and its rows come in order.
#pragma unroll 1
        for (i32 turn = 0; turn < WARPS; turn++) {
            // All have read what was written here a round before.
            if (!DENSE && turn == 1 && threadIdx.x == 0) stop = *(volatile u32 *)g.full;
            if (warp == turn) {
#pragma unroll
                for (i32 u = 0; u < K::PACK; u++) {
                    bool known = slot[u] >= 0 && group_used(held, slot[u]);
                    __syncwarp();
                    if (known) {
                        cells[slot[u]].join(part[u]);
                    } else if (slot[u] >= 0) {
                        if (DENSE && !K::NUMBERED) group_claim(g, slot[u], part[u].first());
                        cells[slot[u]] = part[u];
                        atomicOr(held + slot[u] / 32, 1u << slot[u] % 32);
                    }
                    __syncwarp();
                }
            }
            __syncthreads();
        }
        if (!DENSE && stop) return;
    }
#pragma unroll 1
    for (i32 w = threadIdx.x; w < USED(slots); w += BLOCK) used[(i64)blockIdx.x * USED(slots) + w] = held[w];
    if (cells == own) return;
#pragma unroll 1
    for (i32 s = threadIdx.x; s < slots; s += BLOCK)
        if (group_used(held, s)) own[s] = cells[s];
}

// A warp a group: lanes take the chunks in turn, then join in a fixed tree. Without a list slots are group numbers.
template <class K> Q void group_end(const K &k, const typename K::Part *parts, const u32 *used, i32 chunks, i32 slots, const i32 *list, const i32 *place, i32 groups) {
    i32 lane = threadIdx.x % 32;
#pragma unroll 1
    for (i32 g = blockIdx.x * WARPS + threadIdx.x / 32; g < groups; g += gridDim.x * WARPS) {
        i32 slot = list ? list[g] : g;
        typename K::Part part;
        part.init();
#pragma unroll 1
        for (i32 c = lane; c < chunks; c += 32)
            if (group_used(used + (i64)c * USED(slots), slot)) part.join(parts[(i64)c * slots + slot]);
#pragma unroll 1
        for (i32 by = 16; by; by >>= 1) part.join(shuffle_down(part, by));
        if (lane == 0) k.end(part.acc, part.first(), list ? place[slot] : g);
    }
}

// As `tables` with K::IDS, in four bytes and -1 for a row that does not pass; accumulates nothing.
template <class K> Q void group_find(const K &k, const Groups &g, i32 *ids) {
    i64 step = (i64)gridDim.x * BLOCK * K::PACK;
#pragma unroll 1
    for (i64 i = ((i64)blockIdx.x * BLOCK + threadIdx.x) * K::PACK; i < k.n; i += step) {
        typename K::In in;
        i32 slot[K::PACK];
        k.load(in, i);
        group_slots<false>(k, g, i, k.n, in, slot);
        group_ids(ids, i, k.n, slot);
    }
}

// The key of each group of `list`: `keys[w * groups + g]`.
template <class K> Q void group_keys(const K &k, const i64 *table, const i32 *list, i32 groups, u64 *keys) {
#pragma unroll 1
    for (i32 g = blockIdx.x * BLOCK + threadIdx.x; g < groups; g += gridDim.x * BLOCK) {
        u64 key[K::WORDS];
        k.key(group_row(table[list[g]]), key);
#pragma unroll
        for (i32 w = 0; w < K::WORDS; w++) keys[(i64)w * groups + g] = key[w];
    }
}

// `1 << bits` lanes a group, which take its rows in turn and then join in a fixed tree. `rows` are the rows in the order
// of group and row, of which group g has those from `starts[g]` to `starts[g + 1]`.
template <class K> Q void group_fold(const K &k, const i64 *starts, Rows rows, i32 groups, i32 bits) {
    i32 own = threadIdx.x % (1 << bits);
    // Whole warps go round together.
#pragma unroll 1
    for (i64 at = (i64)blockIdx.x * BLOCK + threadIdx.x; (at - threadIdx.x % 32) >> bits < groups; at += (i64)gridDim.x * BLOCK) {
        i64 g = at >> bits, first = 0, end = 0;
        if (g < groups) first = starts[g], end = starts[g + 1];
        typename K::Acc acc;
        acc.init();
#pragma unroll 1
        for (i64 p = first + own; p < end; p += 1 << bits) k.each(acc, rows.of(p));
#pragma unroll 1
        for (i32 by = 1 << bits >> 1; by; by >>= 1) acc.join(shuffle_down(acc, by));
        if (g < groups && own == 0) k.end(acc, rows.of(first), (i32)g);
    }
}

// The place of each slot's group. `order` lists the groups of `list` by place, or `ranks` is the place of each.
ENTRY group_number(const i32 *list, i32 groups, const i64 *order, const i32 *ranks, i32 *place) {
    for (i32 g = blockIdx.x * BLOCK + threadIdx.x; g < groups; g += gridDim.x * BLOCK) {
        if (order) place[list[order[g]]] = g;
        else place[list[g]] = ranks[g];
    }
}

// `none` is the number of the rows in no group.
ENTRY group_assign(i64 n, const i32 *place, i32 none, i32 *ids) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (i64)gridDim.x * BLOCK)
        ids[i] = ids[i] >= 0 ? place[ids[i]] : none;
}
