// Accumulators: one struct an aggregate and storage, named as the table of primitives and the storage letters
// name them. `init()` is the empty one; `add(i, x)` adds the value of row i (`add(i, x, y)` where there are two
// arguments); `join(o)` adds another accumulator's rows; `done()` is the result. Nulls are skipped, but by
// `first`, `last` and `count`. What depends on order keeps a row number, so any tree of joins gives one result.
// All is kept in words of eight bytes: there is no padding between members, so what was written is all there is.

struct count {
    i64 n;
    Q void init() { n = 0; }
    Q void add(i64) { n++; }
    Q void join(const count &o) { n += o.n; }
    Q i64 done() const { return n; }
};

// The first and last of the rows, -1 of none; whose items they are is read at the end.
struct first_row {
    i64 row;
    Q void init() { row = MAX_J; }
    Q void add(i64 i) { row = i < row ? i : row; }
    Q void join(const first_row &o) { add(o.row); }
    Q i64 done() const { return row == MAX_J ? -1 : row; }
};

struct last_row {
    i64 row;
    Q void init() { row = -1; }
    Q void add(i64 i) { row = i > row ? i : row; }
    Q void join(const last_row &o) { add(o.row); }
    Q i64 done() const { return row; }
};

// An int sum that does not fit is null.
struct sum_i {
    i64 x;
    Q void init() { x = 0; }
    Q void add(i64, i32 y) { x += y == NULL_I ? 0 : y; }
    Q void join(const sum_i &o) { x += o.x; }
    Q i32 done() const { return x > MAX_I || x < -MAX_I ? NULL_I : (i32)x; }
};

struct sum_j {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, i64 y) { x += y == NULL_J ? 0 : (u64)y; }
    Q void join(const sum_j &o) { x += o.x; }
    Q i64 done() const { return (i64)x; }
};

struct sum_e {
    f64 x;
    Q void init() { x = 0; }
    Q void add(i64, f32 y) { x += y != y ? 0 : y; }
    Q void join(const sum_e &o) { x += o.x; }
    Q f32 done() const { return (f32)x; }
};

struct sum_f {
    f64 x;
    Q void init() { x = 0; }
    Q void add(i64, f64 y) { x += y != y ? 0 : y; }
    Q void join(const sum_f &o) { x += o.x; }
    Q f64 done() const { return x; }
};

// A sum with what its additions rounded away, which no addition loses. Where the sum is infinite, that is no number.
struct compensated {
    f64 x, lost;
    Q void init() { x = 0, lost = 0; }
    Q void add(f64 y) {
        f64 sum = x + y, part = sum - x;
        lost += (x - (sum - part)) + (y - part);
        x = sum;
    }
    Q void join(const compensated &o) { add(o.x), lost += o.lost; }
    Q f64 total() const { return lost - lost == 0 ? x + lost : x; }
};

struct compensated_e : compensated {
    Q void add(i64, f32 y) { compensated::add(y != y ? 0 : y); }
    Q f32 done() const { return (f32)total(); }
};

struct compensated_f : compensated {
    Q void add(i64, f64 y) { compensated::add(y != y ? 0 : y); }
    Q f64 done() const { return total(); }
};

struct prd_i {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, i32 y) { x *= is_null(y) ? 1 : (u64)(i64)y; }
    Q void join(const prd_i &o) { x *= o.x; }
    Q i32 done() const { return (i32)x; }
};

struct prd_j {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, i64 y) { x *= is_null(y) ? 1 : (u64)y; }
    Q void join(const prd_j &o) { x *= o.x; }
    Q i64 done() const { return (i64)x; }
};

struct prd_e {
    f64 x;
    Q void init() { x = 1; }
    Q void add(i64, f32 y) { x *= is_null(y) ? 1 : y; }
    Q void join(const prd_e &o) { x *= o.x; }
    Q f32 done() const { return (f32)x; }
};

struct prd_f {
    f64 x;
    Q void init() { x = 1; }
    Q void add(i64, f64 y) { x *= is_null(y) ? 1 : y; }
    Q void join(const prd_f &o) { x *= o.x; }
    Q f64 done() const { return x; }
};

struct min_b {
    i64 x;
    Q void init() { x = 255; }
    Q void add(i64, u8 y) { x = !is_null(y) && y < x ? y : x; }
    Q void join(const min_b &o) { x = o.x < x ? o.x : x; }
    Q u8 done() const { return (u8)x; }
};

struct max_b {
    i64 x;
    Q void init() { x = 0; }
    Q void add(i64, u8 y) { x = !is_null(y) && y > x ? y : x; }
    Q void join(const max_b &o) { x = o.x > x ? o.x : x; }
    Q u8 done() const { return (u8)x; }
};

struct min_h {
    i64 x;
    Q void init() { x = MAX_H; }
    Q void add(i64, i16 y) { x = !is_null(y) && y < x ? y : x; }
    Q void join(const min_h &o) { x = o.x < x ? o.x : x; }
    Q i16 done() const { return (i16)x; }
};

struct max_h {
    i64 x;
    Q void init() { x = -MAX_H; }
    Q void add(i64, i16 y) { x = !is_null(y) && y > x ? y : x; }
    Q void join(const max_h &o) { x = o.x > x ? o.x : x; }
    Q i16 done() const { return (i16)x; }
};

struct min_i {
    i64 x;
    Q void init() { x = MAX_I; }
    Q void add(i64, i32 y) { x = !is_null(y) && y < x ? y : x; }
    Q void join(const min_i &o) { x = o.x < x ? o.x : x; }
    Q i32 done() const { return (i32)x; }
};

struct max_i {
    i64 x;
    Q void init() { x = -MAX_I; }
    Q void add(i64, i32 y) { x = !is_null(y) && y > x ? y : x; }
    Q void join(const max_i &o) { x = o.x > x ? o.x : x; }
    Q i32 done() const { return (i32)x; }
};

struct min_j {
    i64 x;
    Q void init() { x = MAX_J; }
    Q void add(i64, i64 y) { x = !is_null(y) && y < x ? y : x; }
    Q void join(const min_j &o) { x = o.x < x ? o.x : x; }
    Q i64 done() const { return x; }
};

struct max_j {
    i64 x;
    Q void init() { x = -MAX_J; }
    Q void add(i64, i64 y) { x = !is_null(y) && y > x ? y : x; }
    Q void join(const max_j &o) { x = o.x > x ? o.x : x; }
    Q i64 done() const { return x; }
};

// Adding zero makes one of the two zeros, whichever came first.
struct min_e {
    f64 x;
    Q void init() { x = INF_E; }
    Q void add(i64, f32 y) { x = !is_null(y) && y < x ? y : x; }
    Q void join(const min_e &o) { x = o.x < x ? o.x : x; }
    Q f32 done() const { return (f32)x + 0.0f; }
};

struct max_e {
    f64 x;
    Q void init() { x = -INF_E; }
    Q void add(i64, f32 y) { x = !is_null(y) && y > x ? y : x; }
    Q void join(const max_e &o) { x = o.x > x ? o.x : x; }
    Q f32 done() const { return (f32)x + 0.0f; }
};

struct min_f {
    f64 x;
    Q void init() { x = INF_F; }
    Q void add(i64, f64 y) { x = !is_null(y) && y < x ? y : x; }
    Q void join(const min_f &o) { x = o.x < x ? o.x : x; }
    Q f64 done() const { return x + 0.0; }
};

struct max_f {
    f64 x;
    Q void init() { x = -INF_F; }
    Q void add(i64, f64 y) { x = !is_null(y) && y > x ? y : x; }
    Q void join(const max_f &o) { x = o.x > x ? o.x : x; }
    Q f64 done() const { return x + 0.0; }
};

// The least and greatest of booleans stay booleans.
struct min_bool {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, u8 y) { x &= y; }
    Q void join(const min_bool &o) { x &= o.x; }
    Q u8 done() const { return x; }
};

struct max_bool {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, u8 y) { x |= y; }
    Q void join(const max_bool &o) { x |= o.x; }
    Q u8 done() const { return x; }
};

struct all_b {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, u8 y) { x &= !(y == 0); }
    Q void join(const all_b &o) { x &= o.x; }
    Q u8 done() const { return x; }
};

struct any_b {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, u8 y) { x |= !(y == 0); }
    Q void join(const any_b &o) { x |= o.x; }
    Q u8 done() const { return x; }
};

struct all_h {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, i16 y) { x &= !(y == 0); }
    Q void join(const all_h &o) { x &= o.x; }
    Q u8 done() const { return x; }
};

struct any_h {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, i16 y) { x |= !(y == 0); }
    Q void join(const any_h &o) { x |= o.x; }
    Q u8 done() const { return x; }
};

struct all_i {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, i32 y) { x &= !(y == 0); }
    Q void join(const all_i &o) { x &= o.x; }
    Q u8 done() const { return x; }
};

struct any_i {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, i32 y) { x |= !(y == 0); }
    Q void join(const any_i &o) { x |= o.x; }
    Q u8 done() const { return x; }
};

struct all_j {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, i64 y) { x &= !(y == 0); }
    Q void join(const all_j &o) { x &= o.x; }
    Q u8 done() const { return x; }
};

struct any_j {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, i64 y) { x |= !(y == 0); }
    Q void join(const any_j &o) { x |= o.x; }
    Q u8 done() const { return x; }
};

struct all_e {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, f32 y) { x &= !(y == 0); }
    Q void join(const all_e &o) { x &= o.x; }
    Q u8 done() const { return x; }
};

struct any_e {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, f32 y) { x |= !(y == 0); }
    Q void join(const any_e &o) { x |= o.x; }
    Q u8 done() const { return x; }
};

struct all_f {
    u64 x;
    Q void init() { x = 1; }
    Q void add(i64, f64 y) { x &= !(y == 0); }
    Q void join(const all_f &o) { x &= o.x; }
    Q u8 done() const { return x; }
};

struct any_f {
    u64 x;
    Q void init() { x = 0; }
    Q void add(i64, f64 y) { x |= !(y == 0); }
    Q void join(const any_f &o) { x |= o.x; }
    Q u8 done() const { return x; }
};

struct avg_f {
    f64 x;
    i64 n;
    Q void init() { x = 0, n = 0; }
    Q void add(i64, f64 y) {
        if (y == y) x += y, n++;
    }
    Q void join(const avg_f &o) { x += o.x, n += o.n; }
    Q f64 done() const { return n ? x / (f64)n : NULL_F; }
};

// The count, mean and sum of squared deviations of what was added: exact under a shift of the data, where a
// sum of squares is not. Joining follows Chan, Golub and LeVeque.
struct moments {
    i64 n;
    f64 mean, m2;
    Q void init() { n = 0, mean = 0, m2 = 0; }
    Q void add(i64, f64 y) {
        if (y != y) return;
        n++;
        f64 d = y - mean;
        mean += d / (f64)n;
        m2 += d * (y - mean);
    }
    Q void join(const moments &o) {
        if (o.n == 0) return;
        if (n == 0) {
            *this = o;
            return;
        }
        f64 all = (f64)(n + o.n), d = o.mean - mean;
        mean += d * ((f64)o.n / all);
        m2 += o.m2 + d * d * ((f64)n * (f64)o.n / all);
        n += o.n;
    }
};

struct var_f : moments {
    Q f64 done() const { return n ? m2 / (f64)n : NULL_F; }
};

struct dev_f : moments {
    Q f64 done() const { return n ? sqrt(m2 / (f64)n) : NULL_F; }
};

struct svar_f : moments {
    Q f64 done() const { return n > 1 ? m2 / (f64)(n - 1) : NULL_F; }
};

struct sdev_f : moments {
    Q f64 done() const { return n > 1 ? sqrt(m2 / (f64)(n - 1)) : NULL_F; }
};

struct wsum_i : sum_i {
    Q void add(i64 i, i32 x, i32 y) { sum_i::add(i, mul_i(x, y)); }
};

struct wsum_j : sum_j {
    Q void add(i64 i, i64 x, i64 y) { sum_j::add(i, mul_j(x, y)); }
};

struct wsum_e : sum_e {
    Q void add(i64 i, f32 x, f32 y) { sum_e::add(i, mul_e(x, y)); }
};

struct wsum_f : sum_f {
    Q void add(i64 i, f64 x, f64 y) { sum_f::add(i, mul_f(x, y)); }
};

// A pair with a null counts for nothing.
struct wavg_f {
    f64 sum, weight;
    Q void init() { sum = 0, weight = 0; }
    Q void add(i64, f64 w, f64 y) {
        if (w == w && y == y) sum += w * y, weight += w;
    }
    Q void join(const wavg_f &o) { sum += o.sum, weight += o.weight; }
    Q f64 done() const { return sum / weight; }
};

// As `moments`, of pairs; a pair with a null counts for nothing.
struct comoments {
    i64 n;
    f64 mx, my, xx, yy, xy;
    Q void init() { n = 0, mx = 0, my = 0, xx = 0, yy = 0, xy = 0; }
    Q void add(i64, f64 x, f64 y) {
        if (x != x || y != y) return;
        n++;
        f64 dx = x - mx, dy = y - my;
        mx += dx / (f64)n, my += dy / (f64)n;
        xx += dx * (x - mx), yy += dy * (y - my), xy += dx * (y - my);
    }
    Q void join(const comoments &o) {
        if (o.n == 0) return;
        if (n == 0) {
            *this = o;
            return;
        }
        f64 all = (f64)(n + o.n), dx = o.mx - mx, dy = o.my - my, part = (f64)o.n / all;
        f64 both = (f64)n * part;
        mx += dx * part, my += dy * part;
        xx += o.xx + dx * dx * both, yy += o.yy + dy * dy * both, xy += o.xy + dx * dy * both;
        n += o.n;
    }
};

struct cov_f : comoments {
    Q f64 done() const { return n ? xy / (f64)n : NULL_F; }
};

struct scov_f : comoments {
    Q f64 done() const { return n > 1 ? xy / (f64)(n - 1) : NULL_F; }
};

struct cor_f : comoments {
    Q f64 done() const { return xx == 0 || yy == 0 || n == 0 ? NULL_F : xy / sqrt(xx * yy); }
};
