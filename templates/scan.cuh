// Running accumulators: each row's joined with those of all rows before it in its list, in one pass with a look
// back.
//
// The lists are all rows, or the rows by their groups: then `lists.sorted` are the rows' group numbers in order and
// `lists.rows` the rows in that order (none: as they are), and a list begins where the number changes. A kernel
// gives `k.load(in, i)` and `k.pass(i, in, u)` as in a reduction; `k.item(acc, i, in, u)`, which adds one row;
// `k.result(out, before, acc, lists, p, i, in, u)`, which computes row i, at place p, from the accumulators before
// and with it; and `k.store(out, i)`. Any operator will do that is associative and has an identity, `init()`.
//
// Blocks take tiles by ticket. Each tile publishes its own sum; SPAN tiles make a span, whose last tile publishes
// the sum of all up to its end. A tile adds up the tiles of its span before it, and the spans before that.
//
// A thread takes a few places that lie side by side, so that a block goes through the look back once a tile.
//
// Memory: each input is read once and each result written once; K::PACK rows with one access a column where the
// lists are in the order of rows. By groups, rows are read and written as far apart as they lie.
//
// Determinism: what is joined with what depends on the number of rows alone: no tile looks back further or less far
// because another was late. So floating-point results are the same bits on every run and every GPU.

#define SPAN BLOCK

// Rows of no list are numbered `groups`; `wrong` is set where a list has another count than is asked of it.
struct Lists {
    Numbers sorted;
    Rows rows;
    u32 groups;
    u32 *wrong;
};

// An accumulator that begins anew where a list does.
template <class A> struct Run {
    A acc;
    u64 head;
    Q void init() { acc.init(), head = 0; }
    Q void join(const Run &o) {
        if (o.head) *this = o;
        else acc.join(o.acc);
    }
};

// The row n places before place p in the same list; -1 where there is none.
template <bool LISTED> Q i64 shifted(const Lists &lists, i64 p, i64 n, i64 count) {
    i64 at = (i64)((u64)p - (u64)n);
    if (at < 0 || at >= count) return -1;
    if (!LISTED) return at;
    if (lists.sorted[at] != lists.sorted[p]) return -1;
    return lists.rows.of(at);
}

// Tells of a list that ends at place p and has another count than `want`.
template <bool LISTED> Q void counted(const Lists &lists, i64 p, i64 n, i64 count, i64 want) {
    bool ends = p + 1 == n, none = false;
    if (LISTED) ends = ends || lists.sorted[p + 1] != lists.sorted[p], none = lists.sorted[p] == lists.groups;
    if (ends && !none && count != want) atomicExch(lists.wrong, 1u);
}

// Each lane's value joined with those of the lanes before it.
template <class A> Q A scan_warp(A x) {
#pragma unroll 1
    for (i32 by = 1; by < 32; by <<= 1) {
        A less = shuffle_up(x, by);
        if (threadIdx.x % 32 >= by) {
            less.join(x);
            x = less;
        }
    }
    return x;
}

// The lane before's value; the identity for the first.
template <class A> Q A scan_before(const A &x) {
    A less = shuffle_up(x, 1);
    if (threadIdx.x % 32 == 0) less.init();
    return less;
}

template <class K> Q void scan(const K &k, const Lists &lists, u32 *ticket, u64 *state, u64 *done, typename K::Part *own, typename K::Part *spans) {
    typedef typename K::Part Part;
    const i32 OWN = K::TILE / BLOCK, STEPS = OWN / K::PACK;
    __shared__ u32 taken;
    __shared__ u64 room[(2 * WARPS + 1) * sizeof(Part) / 8];
    Part *cells = (Part *)room, *warps = cells + WARPS, *start = warps + WARPS;
    i32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) taken = atomicAdd(ticket, 1u);
    __syncthreads();
    i64 tile = taken, first = tile * K::TILE + threadIdx.x * OWN, row[STEPS];
    typename K::In in[STEPS];
    Part item[OWN], all;
    all.init();
#pragma unroll
    for (i32 s = 0; s < STEPS; s++) {
        i64 p = first + s * K::PACK;
        row[s] = p;
        if (p < k.n) {
            if (K::LISTED) row[s] = lists.rows.of(p);
            k.load(in[s], row[s]);
        }
#pragma unroll
        for (i32 u = 0; u < K::PACK; u++) {
            Part &one = item[s * K::PACK + u];
            one.init();
            if (p + u < k.n && k.pass(row[s] + u, in[s], u)) {
                if (K::LISTED) one.head = p == 0 || lists.sorted[p] != lists.sorted[p - 1];
                k.item(one.acc, row[s] + u, in[s], u);
            }
            all.join(one);
        }
    }
    all = scan_warp(all);
    if (lane == 31) cells[warp] = all;
    Part lead = scan_before(all), mine;
    __syncthreads();
    if (warp == 0) {
        all.init();
        if (lane < WARPS) all = cells[lane];
        all = scan_warp(all);
        mine = shuffle(all, 31);
        all = scan_before(all);
        if (lane < WARPS) cells[lane] = all;
        if (lane == 0) {
            own[tile] = mine;
            __threadfence();
            tile_write(state + tile, 1);
        }
    }
    // The tiles of the span before this one, a thread each; then their sum in order.
    i64 span = tile / SPAN, from = span * SPAN;
    Part before;
    before.init();
    if (from + threadIdx.x < tile) {
        while (tile_read(state + from + threadIdx.x) == 0) {}
        __threadfence();
        before = own[from + threadIdx.x];
    }
#pragma unroll 1
    for (i32 by = 1; by < 32; by <<= 1) before.join(shuffle_down(before, by));
    if (lane == 0) warps[warp] = before;
    __syncthreads();
    if (threadIdx.x == 0) {
        before.init();
        if (span > 0) {
            while (tile_read(done + span - 1) == 0) {}
            __threadfence();
            before = spans[span - 1];
        }
#pragma unroll 1
        for (i32 w = 0; w < WARPS; w++) before.join(warps[w]);
        *start = before;
        if (tile - from == SPAN - 1) {
            before.join(mine);
            spans[span] = before;
            __threadfence();
            tile_write(done + span, 1);
        }
    }
    __syncthreads();
    Part now = *start;
    now.join(cells[warp]);
    now.join(lead);
#pragma unroll
    for (i32 s = 0; s < STEPS; s++) {
        i64 p = first + s * K::PACK;
        if (p >= k.n) break;
        typename K::Out out;
#pragma unroll
        for (i32 u = 0; u < K::PACK; u++) {
            const Part &one = item[s * K::PACK + u];
            before = now;
            if (one.head) before.init();
            now.join(one);
            k.result(out, before.acc, now.acc, lists, p + u, row[s] + u, in[s], u);
        }
        k.store(out, row[s]);
    }
}
