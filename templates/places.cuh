// What a row has from other items of its list: moving windows, items a distance away, ranks and sorted items, and
// values each made from the one before it.
//
// The lists are all rows, or rows list after list: then `sorted` are the rows' list numbers in order, `rows` the rows
// in that order (none: as they are) and `starts` where each of `lists` lists begins, and the end of the last. What
// comes after that are rows of no list, whose results mean nothing; each is taken for a list of its own.
//
// | entry | grid | does |
// |---|---|---|
// | mark | rows | numbers the rows that pass the masks 0 and the others 1, to be sorted |
// | places | places | `k.near(l, base, room)` of a block's places from `base` on, which computes and writes the results |
// | ranks, ranked_items | places | a result from `ranked`, the rows in the lists' order and each list's in its items' |
// | link | chunks | a chunk's values from a guess of the one before it, had from some items before the chunk |
// | steps | lists | each list's results, one after another |
// | mend | one | the values again of each chunk whose guess was not the one before it |
//
// Memory: the items of a block's windows are read once, into shared memory, as long as windows are short; by lists, an
// item is read as far from the next as the rows lie.
//
// Determinism: windows are added from the oldest item to the newest, as every engine does. Links are those of a single
// pass, bit for bit: two runs of them forget in time where they began, so a guess that is wrong is rare, and found.

struct Places {
    Numbers sorted;
    Rows rows;
    const i64 *starts;
    i64 lists;

    Q i64 row(i64 p) const { return rows.of(p); }
    // Does a list begin at the place?
    Q bool begins(i64 p) const { return p == 0 || (sorted && sorted[p] != sorted[p - 1]); }
    // Where the list of the place begins, that of all rows of no list among them.
    Q i64 start(i64 p) const { return sorted ? starts[sorted[p]] : 0; }
};

// A place, and those of its list.
struct Near {
    Rows rows;
    i64 from, place, to;

    Q i64 row(i64 p) const { return rows.of(p); }
    // The first place of the window of the last n items.
    Q i64 oldest(i64 n) const { return n <= 0 ? place + 1 : n > place - from ? from : place - n + 1; }
    // The row n places before, negative n after; -1 where there is none.
    Q i64 shifted(i64 n) const {
        i64 p = (i64)((u64)place - (u64)n);
        return p < from || p >= to ? -1 : row(p);
    }
    // The row as far from the list's end.
    Q i64 opposite() const { return row(from + (to - 1 - place)); }
};

Q Near near(const Places &l, i64 p, i64 n) {
    if (!l.sorted) return {l.rows, 0, p, n};
    u32 list = l.sorted[p];
    if (list >= l.lists) return {l.rows, p, p, p + 1};
    return {l.rows, l.starts[list], p, l.starts[list + 1]};
}

template <class K> Q void scan_mark(const K &k, Numbers numbers) {
#pragma unroll 1
    for (i64 i = ((i64)blockIdx.x * BLOCK + threadIdx.x) * K::PACK; i < k.n; i += (i64)gridDim.x * BLOCK * K::PACK) {
        typename K::In in;
        u32 number[K::PACK];
        k.load(in, i);
#pragma unroll
        for (i32 u = 0; u < K::PACK; u++) number[u] = i + u < k.n && k.pass(i + u, in, u) ? 0 : 1;
        put_numbers(numbers, i, number, k.n - i);
    }
}

// The most places before those of a block whose items are kept in shared memory.
#define HALO 768

template <class K> Q void places(const K &k, const Places &l) {
    __shared__ u64 room[BLOCK + HALO];
    // Whole blocks go round together.
#pragma unroll 1
    for (i64 base = (i64)blockIdx.x * BLOCK; base < k.n; base += (i64)gridDim.x * BLOCK) k.near(l, base, room);
}

// The items of a column by place: those of a tile in shared memory, or none such and the rows' own.
template <class T> struct Items {
    const T *x, *tile;
    Rows rows;
    i64 first;
    Q T operator()(i64 p) const { return tile ? tile[p - first] : x[rows.of(p)]; }
};

// Loads what windows of n items need that end at the block's places from `base` on, of `count` in all.
template <class T> Q Items<T> items(u64 *room, const Places &l, i64 base, i64 count, const T *x, i64 n) {
    if (n > HALO + 1) return {x, 0, l.rows, 0};
    T *tile = (T *)room;
    i64 first = n > base ? 0 : n > 1 ? base - n + 1 : base, end = count - base < BLOCK ? count : base + BLOCK;
    // All have read what the room held before.
    __syncthreads();
#pragma unroll 1
    for (i64 p = first + threadIdx.x; p < end; p += BLOCK) tile[p - first] = x[l.row(p)];
    __syncthreads();
    return {x, tile, l.rows, first};
}

// Windows: w is the place, x the items, n how many.

// The sum from the oldest item to the newest, nulls as 0.0; and how many are not null.
template <class F> Q f64 window_total(const Near &w, i64 n, i64 &there, const F &at) {
    f64 sum = 0.0;
    there = 0;
#pragma unroll 1
    for (i64 p = w.oldest(n); p <= w.place; p++) {
        f64 y = at(p);
        if (!is_null(y)) sum = sum + y, there++;
    }
    return sum;
}
template <class T> Q u64 window_sum(const Near &w, const Items<T> &x, i64 n) {
    u64 sum = 0;
#pragma unroll 1
    for (i64 p = w.oldest(n); p <= w.place; p++) {
        T y = x(p);
        sum += is_null(y) ? 0 : (u64)(i64)y;
    }
    return sum;
}
Q i32 msum_i(const Near &w, const Items<i32> &x, i64 n) { return (i32)window_sum(w, x, n); }
Q i64 msum_j(const Near &w, const Items<i64> &x, i64 n) { return (i64)window_sum(w, x, n); }
Q f32 msum_e(const Near &w, const Items<f32> &x, i64 n) {
    i64 there;
    return (f32)window_total(w, n, there, [=](i64 p) { return (f64)x(p); });
}
Q f64 msum_f(const Near &w, const Items<f64> &x, i64 n) {
    i64 there;
    return window_total(w, n, there, x);
}
Q f64 mavg_f(const Near &w, const Items<f64> &x, i64 n) {
    i64 there;
    f64 sum = window_total(w, n, there, x);
    return there ? sum / (f64)there : NULL_F;
}
Q f64 mdev_f(const Near &w, const Items<f64> &x, i64 n) {
    f64 mean = mavg_f(w, x, n);
    i64 there, apart;
    window_total(w, n, there, x);
    f64 sum = window_total(w, n, apart, [=](i64 p) { return (x(p) - mean) * (x(p) - mean); });
    return there ? sqrt(sum / (f64)there) : NULL_F;
}
// How many are not null; V is the items' type as values, which narrow codes are not.
template <class V, class T> Q i32 mcount(const Near &w, const Items<T> &x, i64 n) {
    i32 there = 0;
#pragma unroll 1
    for (i64 p = w.oldest(n); p <= w.place; p++) there += !is_null((V)x(p));
    return there;
}
Q i32 mcount_c(const Near &w, const Items<u8> &x, i64 n) {
    i32 there = 0;
#pragma unroll 1
    for (i64 p = w.oldest(n); p <= w.place; p++) there += x(p) != NULL_C;
    return there;
}
// A null is the least item of a window; the greatest leaves nulls out, and is `low` where there is nothing else. Of
// equal items the oldest. An empty window leaves the item.
template <class T> Q T mmin(const Near &w, const Items<T> &x, i64 n) {
    i64 p = n <= 0 ? w.place : w.oldest(n);
    T least = x(p);
#pragma unroll 1
    for (p++; p <= w.place; p++) {
        T y = x(p);
        if (before(y, least)) least = y;
    }
    return least;
}
template <class T> Q T mmax(const Near &w, const Items<T> &x, i64 n, T low) {
    if (n <= 0) return x(w.place);
    T most = low;
#pragma unroll 1
    for (i64 p = w.oldest(n); p <= w.place; p++) {
        T y = x(p);
        if (before(most, y)) most = y;
    }
    return most;
}

// Sorted lists. `ranked` are the rows, list after list and each list's in order; none where they are in order.
Q void ranks(i64 n, const Places &l, Rows ranked, i64 *out) {
#pragma unroll 1
    for (i64 p = (i64)blockIdx.x * BLOCK + threadIdx.x; p < n; p += (i64)gridDim.x * BLOCK) {
        Near w = near(l, p, n);
        out[ranked ? (i64)ranked[p] : l.row(p)] = p - w.from;
    }
}
template <class T> Q void ranked_items(i64 n, const Places &l, Rows ranked, const T *x, T *out) {
#pragma unroll 1
    for (i64 p = (i64)blockIdx.x * BLOCK + threadIdx.x; p < n; p += (i64)gridDim.x * BLOCK)
        out[l.row(p)] = x[ranked ? (i64)ranked[p] : l.row(p)];
}

// Steps. `step` makes the result of row i from that before it, or where a list begins from nothing; a thread has a list.
template <class T, class F> Q void steps(i64 n, const Places &l, T *out, F step) {
    i64 lists = l.sorted ? l.lists : 1;
#pragma unroll 1
    for (i64 list = (i64)blockIdx.x * BLOCK + threadIdx.x; list < lists; list += (i64)gridDim.x * BLOCK) {
        i64 from = l.sorted ? l.starts[list] : 0, to = l.sorted ? l.starts[list + 1] : n;
        T at = T();
#pragma unroll 1
        for (i64 p = from; p < to; p++) {
            i64 i = l.row(p);
            at = step(at, i, p == from);
            out[i] = at;
        }
    }
    // Rows of no list.
#pragma unroll 1
    for (i64 p = (l.sorted ? l.starts[lists] : n) + (i64)blockIdx.x * BLOCK + threadIdx.x; p < n; p += (i64)gridDim.x * BLOCK)
        out[l.row(p)] = T();
}

// Links. A value is the item itself where a list begins, and the one before it moved by a share towards the item.
// Places of a chunk.
#define LINK 1024
// The most places that a guess begins before its chunk.
#define WARM 16384

struct Ema {
    const f64 *x;
    // The share of every row, or one for all.
    const f64 *shares;
    f64 share;
    Q f64 next(f64 at, i64 i) const { return at + (shares ? shares[i] : share) * (x[i] - at); }
    // So many places forget a beginning: what is left of it is below 2 to the -60.
    Q i64 warm() const {
        f64 places = shares ? LINK : 42.0 / share;
        return places >= 1.0 && places <= (f64)WARM ? (i64)places + 1 : LINK;
    }
};

// `from` and `to` are the values before and at the end of each chunk.
Q void link(i64 n, const Places &l, const Ema &k, f64 *out, f64 *from, f64 *to) {
#pragma unroll 1
    for (i64 c = (i64)blockIdx.x * BLOCK + threadIdx.x; c * LINK < n; c += (i64)gridDim.x * BLOCK) {
        i64 first = c * LINK, start = l.start(first), p = first - k.warm();
        i64 end = n - first < LINK ? n : first + LINK;
        if (p < start) p = start;
        f64 at = k.x[l.row(p)];
        // The value of the first place is the item where that place begins a list, and a guess elsewhere.
        bool given = true;
        from[c] = at;
#pragma unroll 1
        for (; p < end; p++) {
            i64 i = l.row(p);
            if (p == first) from[c] = at;
            at = given || l.begins(p) ? k.x[i] : k.next(at, i);
            given = false;
            if (p >= first) out[i] = at;
        }
        to[c] = at;
    }
}

Q bool link_breaks(const Places &l, i64 c, const f64 *from, const f64 *to) {
    return c > 0 && !l.begins(c * LINK) && __double_as_longlong(from[c]) != __double_as_longlong(to[c - 1]);
}

Q void mend(i64 n, const Places &l, const Ema &k, f64 *out, const f64 *from, f64 *to) {
    i64 chunks = (n + LINK - 1) / LINK;
#pragma unroll 1
    for (i64 base = 0; base < chunks; base += BLOCK) {
        i64 own = base + threadIdx.x;
        bool breaks = own < chunks && link_breaks(l, own, from, to);
        if (!__syncthreads_or(breaks)) continue;
        if (threadIdx.x == 0) {
            for (i64 c = base; c < base + BLOCK && c < chunks; c++) {
                if (!link_breaks(l, c, from, to)) continue;
                f64 at = to[c - 1];
                i64 p = c * LINK, end = n - p < LINK ? n : p + LINK;
                for (; p < end && !l.begins(p); p++) {
                    i64 i = l.row(p);
                    at = k.next(at, i);
                    // From here on the values are those of the guess.
                    if (__double_as_longlong(out[i]) == __double_as_longlong(at)) break;
                    out[i] = at;
                }
                if (p == end) to[c] = at;
            }
        }
        __syncthreads();
    }
}
