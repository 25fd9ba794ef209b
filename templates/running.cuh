// Accumulators of scans, as those of `agg.cuh`, with what a scan keeps that an aggregate does not: an int's sum
// wraps, an extreme is the item itself, the null before any is the extreme's identity.

struct run_add_i {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, i32 y) { x += is_null(y) ? 0 : (u64)(i64)y; }
    Q void join(const run_add_i &o) { x += o.x; }
    Q i32 done() const { return (i32)x; }
};

// The least so far: of equal items the first.
template <class T, class W> struct least {
    W x;
    Q void add(i64, T y) { x = !is_null(y) && (W)y < x ? (W)y : x; }
    Q void join(const least &o) { x = o.x < x ? o.x : x; }
    Q T done() const { return (T)x; }
};
template <class T, class W> struct greatest {
    W x;
    Q void add(i64, T y) { x = !is_null(y) && (W)y > x ? (W)y : x; }
    Q void join(const greatest &o) { x = o.x > x ? o.x : x; }
    Q T done() const { return (T)x; }
};

struct run_lesser_b : least<u8, i64> {
    Q void init() { x = 255; }
};
struct run_lesser_h : least<i16, i64> {
    Q void init() { x = MAX_H; }
};
struct run_lesser_i : least<i32, i64> {
    Q void init() { x = MAX_I; }
};
struct run_lesser_j : least<i64, i64> {
    Q void init() { x = MAX_J; }
};
struct run_lesser_e : least<f32, f64> {
    Q void init() { x = INF_F; }
};
struct run_lesser_f : least<f64, f64> {
    Q void init() { x = INF_F; }
};
struct run_greater_b : greatest<u8, i64> {
    Q void init() { x = 0; }
};
struct run_greater_h : greatest<i16, i64> {
    Q void init() { x = -MAX_H; }
};
struct run_greater_i : greatest<i32, i64> {
    Q void init() { x = -MAX_I; }
};
struct run_greater_j : greatest<i64, i64> {
    Q void init() { x = -MAX_J; }
};
struct run_greater_e : greatest<f32, f64> {
    Q void init() { x = -INF_F; }
};
struct run_greater_f : greatest<f64, f64> {
    Q void init() { x = -INF_F; }
};

// How many rows so far, and the last of them.
struct run_til {
    i64 n;
    Q void init() { n = 0; }
    Q void add(i64) { n++; }
    Q void join(const run_til &o) { n += o.n; }
    Q i64 done() const { return n - 1; }
};
struct run_row {
    i64 row;
    Q void init() { row = -1; }
    Q void add(i64 i) { row = i; }
    Q void join(const run_row &o) { row = o.row < 0 ? row : o.row; }
};
// The last row whose item is not null.
struct run_filled {
    i64 row;
    Q void init() { row = -1; }
    Q void add(i64 i, bool null) { row = null ? row : i; }
    Q void join(const run_filled &o) { row = o.row < 0 ? row : o.row; }
};
