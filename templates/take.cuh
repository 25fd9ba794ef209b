// Rows of columns by number: `gather_W` the items at any row numbers, and `take_W` items from one on, over and over,
// as q's `#` takes them. W is the bytes of an item. A number that is no row's gives the null.
//
// Memory: row numbers are read and results written side by side, each once; a gather reads as far apart as the
// rows that it is given.

template <class T> Q void gather(i64 n, Rows rows, const T *from, i64 m, T null, T *to) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (i64)gridDim.x * BLOCK) {
        i64 row = (i64)rows[i];
        to[i] = row >= 0 && row < m ? from[row] : null;
    }
}
// Item i of the result is item (first + i) mod m; `first` is less than m, or m is 0 and all are null.
template <class T> Q void take(i64 n, i64 first, const T *from, i64 m, T null, T *to) {
    i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x, step = (i64)gridDim.x * BLOCK;
    i64 at = m ? (first + i) % m : 0, on = m ? step % m : 0;
    for (; i < n; i += step) {
        to[i] = m ? from[at] : null;
        at += on;
        if (at >= m) at -= m;
    }
}

ENTRY gather_1(i64 n, Rows rows, const u8 *from, i64 m, u8 null, u8 *to) {
    gather(n, rows, from, m, null, to);
}
ENTRY take_1(i64 n, i64 first, const u8 *from, i64 m, u8 null, u8 *to) {
    take(n, first, from, m, null, to);
}
ENTRY gather_2(i64 n, Rows rows, const u16 *from, i64 m, u16 null, u16 *to) {
    gather(n, rows, from, m, null, to);
}
ENTRY take_2(i64 n, i64 first, const u16 *from, i64 m, u16 null, u16 *to) {
    take(n, first, from, m, null, to);
}
ENTRY gather_4(i64 n, Rows rows, const u32 *from, i64 m, u32 null, u32 *to) {
    gather(n, rows, from, m, null, to);
}
ENTRY take_4(i64 n, i64 first, const u32 *from, i64 m, u32 null, u32 *to) {
    take(n, first, from, m, null, to);
}
ENTRY gather_8(i64 n, Rows rows, const u64 *from, i64 m, u64 null, u64 *to) {
    gather(n, rows, from, m, null, to);
}
ENTRY take_8(i64 n, i64 first, const u64 *from, i64 m, u64 null, u64 *to) {
    take(n, first, from, m, null, to);
}
ENTRY gather_16(i64 n, Rows rows, const guid *from, i64 m, guid null, guid *to) {
    gather(n, rows, from, m, null, to);
}
ENTRY take_16(i64 n, i64 first, const guid *from, i64 m, guid null, guid *to) {
    take(n, first, from, m, null, to);
}
