// Types, nulls and order keys: what every unit begins with. Ordinary CUDA C++ without headers, compiled with
// --fmad=false so that + - * / give the bits that every engine gives.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef float f32;
typedef double f64;

// A guid as two words of its bytes in memory order. Columns begin where sixteen bytes may be moved at once.
struct alignas(16) guid {
    u64 lo, hi;
};

#define Q __device__ __forceinline__
// A long function, of which the copies would take most of a unit's time to compile; a call of it is little beside it.
#define CALLED __device__ __noinline__

// The typed nulls. A symbol is a code of its column's domain, and code 0 is the null symbol.
#define NULL_B ((u8)0)
#define NULL_C ((u8)32)
#define NULL_G (guid{0, 0})
#define NULL_H ((i16)-32768)
#define NULL_I ((i32)0x80000000u)
#define NULL_J ((i64)0x8000000000000000ull)
#define NULL_E (__int_as_float(0x7fc00000))
#define NULL_F (__longlong_as_double(0x7ff8000000000000ll))
#define NULL_S 0u

#define MAX_H ((i16)32767)
#define MAX_I ((i32)0x7fffffff)
#define MAX_J ((i64)0x7fffffffffffffffll)
#define INF_E (__int_as_float(0x7f800000))
#define INF_F (__longlong_as_double(0x7ff0000000000000ll))

// Threads of a block: every skeleton's trees and tiles are laid out for it.
#define BLOCK 256
#define WARPS (BLOCK / 32)
// What begins the definition of a kernel that no plan is part of; each is compiled alone, when it is needed. That one
// block on a multiprocessor is enough keeps ptxas from spilling a register for the sake of one more.
#define ENTRY extern "C" __global__ void __launch_bounds__(BLOCK, 1)

Q bool is_null(u8) { return false; }
Q bool is_null(i16 x) { return x == NULL_H; }
Q bool is_null(i32 x) { return x == NULL_I; }
Q bool is_null(i64 x) { return x == NULL_J; }
Q bool is_null(f32 x) { return x != x; }
Q bool is_null(f64 x) { return x != x; }
Q bool is_null(u32 x) { return x == NULL_S; }
Q bool is_null(guid x) { return (x.lo | x.hi) == 0; }

// Exact equality, as grouping and `in` have it: all NaN are one value, and so are 0.0 and -0.0.
template <class T> Q bool same(T x, T y) { return x == y; }
Q bool same(f32 x, f32 y) { return x == y || (x != x && y != y); }
Q bool same(f64 x, f64 y) { return x == y || (x != x && y != y); }
Q bool same(guid x, guid y) { return x.lo == y.lo && x.hi == y.hi; }

// The order of sorting: nulls first, no tolerance.
template <class T> Q bool before(T x, T y) { return x < y; }
Q bool before(f32 x, f32 y) { return x < y || (x != x && y == y); }
Q bool before(f64 x, f64 y) { return x < y || (x != x && y == y); }

// The bytes of a word the other way round: a guid's words then order as its bytes do.
Q u64 swap(u64 x) {
    u32 lo = __byte_perm((u32)x, 0, 0x0123), hi = __byte_perm((u32)(x >> 32), 0, 0x0123);
    return (u64)lo << 32 | hi;
}
Q bool before(guid x, guid y) {
    u64 a = swap(x.lo), b = swap(y.lo);
    return a != b ? a < b : swap(x.hi) < swap(y.hi);
}

// Order keys: key(x) < key(y) exactly when x sorts before y, and the null is 0.
Q u64 key_b(u8 x) { return x; }
Q u64 key_h(i16 x) { return (u16)x ^ 0x8000u; }
Q u64 key_i(i32 x) { return (u32)x ^ 0x80000000u; }
Q u64 key_j(i64 x) { return (u64)x ^ 0x8000000000000000ull; }
Q u64 key_e(f32 x) {
    // Adding zero turns -0.0 into 0.0.
    u32 bits = __float_as_uint(x + 0.0f);
    return x != x ? 0 : bits ^ ((u32)((i32)bits >> 31) | 0x80000000u);
}
Q u64 key_f(f64 x) {
    u64 bits = (u64)__double_as_longlong(x + 0.0);
    return x != x ? 0 : bits ^ ((u64)((i64)bits >> 63) | 0x8000000000000000ull);
}
// The float whose key it is.
Q f64 unkey_f(u64 key) {
    return key == 0 ? NULL_F : __longlong_as_double((i64)(key >> 63 ? key ^ 0x8000000000000000ull : ~key));
}

// A value of the lane `from`, or of a lane before or further on, whatever its type; sizes are multiples of four bytes.
template <class T> union Words {
    T value;
    u32 word[sizeof(T) / 4];
    Q Words() {}
};
template <class T> Q T shuffle(const T &x, i32 from) {
    Words<T> here, there;
    here.value = x;
#pragma unroll
    for (u32 w = 0; w < sizeof(T) / 4; w++) there.word[w] = __shfl_sync(0xffffffffu, here.word[w], from);
    return there.value;
}
template <class T> Q T shuffle_up(const T &x, i32 by) {
    Words<T> here, there;
    here.value = x;
#pragma unroll
    for (u32 w = 0; w < sizeof(T) / 4; w++) there.word[w] = __shfl_up_sync(0xffffffffu, here.word[w], by);
    return there.value;
}
template <class T> Q T shuffle_down(const T &x, i32 by) {
    Words<T> here, there;
    here.value = x;
#pragma unroll
    for (u32 w = 0; w < sizeof(T) / 4; w++) there.word[w] = __shfl_down_sync(0xffffffffu, here.word[w], by);
    return there.value;
}

// The group number of a row, -1 if it is in none. Where there are `places`, `ids` are two bytes a row, the slots of a
// table of groups, whose numbers the places are; else four bytes, the numbers.
#define NO_SLOT 0xffffu
Q i32 group_of(const void *ids, const i32 *places, i64 i) {
    if (!places) return ((const i32 *)ids)[i];
    u32 slot = ((const u16 *)ids)[i];
    return slot == NO_SLOT ? -1 : places[slot];
}

// A value over groups at a row whose group number is `id`; a row in no group gets the null.
template <class T, class S> Q T spread(const S *x, i32 id, T null) { return id < 0 ? null : (T)x[id]; }

// The item of a table for a code; codes outside it (a null index, a symbol that the domain lacks) get the null.
template <class T, class S> Q T lookup(u32 code, const T *table, i64 m, S null) { return code < m ? table[code] : (T)null; }
template <class T, class S> Q T lookup(i64 code, const T *table, i64 m, S null) { return code >= 0 && code < m ? table[code] : (T)null; }

// Is the code in a set given as a bit a code?
Q u8 member(u32 code, const u8 *bits, i64 m) { return code < m ? bits[code] : 0; }
Q u8 member(i64 code, const u8 *bits, i64 m) { return code >= 0 && code < m ? bits[code] : 0; }
// How many of the ascending order keys are less than the key.
template <class T, class K> Q i64 binr(T key, const K &keys, i64 m) {
    i64 low = 0, high = m;
    while (low < high) {
        i64 mid = (low + high) >> 1;
        if (before(keys[mid], key)) low = mid + 1;
        else high = mid;
    }
    return low;
}
// The last of the ascending order keys that is not above the key, or -1.
template <class T> Q i64 bin(T key, const T *keys, i64 m) {
    i64 low = 0, high = m;
    while (low < high) {
        i64 mid = (low + high) >> 1;
        if (keys[mid] <= key) low = mid + 1;
        else high = mid;
    }
    return low - 1;
}
// Is the key in a set given as ascending order keys?
Q u8 member(u64 key, const u64 *keys, i64 m) {
    i64 low = binr(key, keys, m);
    return low < m && keys[low] == key;
}
Q u8 member(guid x, const guid *set, i64 m) {
    i64 low = binr(x, set, m);
    return low < m && same(set[low], x);
}

// Packs: V rows side by side of one column, moved by one access of a thread. V times the widest element of a
// kernel is 16 bytes, so every access of a warp is coalesced and the widest column's are as wide as there are.
// Of four-byte elements they are vectors: a longer word would be cut into an access an element, which touches each
// sector as often.
template <u32 BYTES, u32 EACH> struct Wide;
template <u32 EACH> struct Wide<1, EACH> { typedef u8 type; };
template <u32 EACH> struct Wide<2, EACH> { typedef u16 type; };
template <u32 EACH> struct Wide<4, EACH> { typedef u32 type; };
template <u32 EACH> struct Wide<8, EACH> { typedef u64 type; };
template <u32 EACH> struct Wide<16, EACH> { typedef ulonglong2 type; };
template <> struct Wide<8, 4> { typedef uint2 type; };
template <> struct Wide<16, 4> { typedef uint4 type; };
template <i32 V, class T> union Pack {
    typename Wide<V * sizeof(T), sizeof(T)>::type word;
    T x[V];
    Q Pack() {}
};

// Can packs of V elements at `at`, and at every multiple of V elements after it, be moved as a whole?
template <i32 V, class T> Q bool aligned(const T *at) { return (u64)at % (V * sizeof(T)) == 0; }
template <i32 V, class T> Q void get(T (&to)[V], const T *from) {
    Pack<V, T> pack;
    pack.word = *(const typename Wide<V * sizeof(T), sizeof(T)>::type *)from;
#pragma unroll
    for (i32 u = 0; u < V; u++) to[u] = pack.x[u];
}
template <i32 V, class T> Q void put(T *to, const T (&from)[V]) {
    Pack<V, T> pack;
#pragma unroll
    for (i32 u = 0; u < V; u++) pack.x[u] = from[u];
    *(typename Wide<V * sizeof(T), sizeof(T)>::type *)to = pack.word;
}
// Element by element, where there are fewer than V or they are not aligned. `left` is at least 1; what is missing
// is read as the first again, so that it is some row's value.
template <i32 V, class T> Q void get_some(T (&to)[V], const T *from, i64 left) {
#pragma unroll
    for (i32 u = 0; u < V; u++) to[u] = from[u < left ? u : 0];
}
template <i32 V, class T> Q void put_some(T *to, const T (&from)[V], i64 left) {
#pragma unroll
    for (i32 u = 0; u < V; u++)
        if (u < left) to[u] = from[u];
}
// Whole numbers of the narrower type or, where that cannot hold all of them, of the wider; there may be none.
template <class N, class W> struct Either {
    const void *at;
    i64 wide;
    Q explicit operator bool() const { return at; }
    Q W operator[](i64 i) const { return wide ? ((const W *)at)[i] : (W)((const N *)at)[i]; }
    Q void put(i64 i, W x) const {
        if (wide) ((W *)at)[i] = x;
        else ((N *)at)[i] = (N)x;
    }
};
// Numbers of rows in some order; none where they are in their own.
struct Rows : Either<u32, u64> {
    Q i64 of(i64 p) const { return at ? (i64)(*this)[p] : p; }
};
// Numbers of rows' lists.
struct Numbers : Either<u16, u32> {};
// Writes the numbers of V rows from i on, of which `left` are there.
template <i32 V> Q void put_numbers(const Numbers &to, i64 i, const u32 (&from)[V], i64 left) {
    u16 narrow[V];
#pragma unroll
    for (i32 u = 0; u < V; u++) narrow[u] = (u16)from[u];
    if (left < V) {
        if (to.wide) put_some((u32 *)to.at + i, from, left);
        else put_some((u16 *)to.at + i, narrow, left);
    } else {
        if (to.wide) put((u32 *)to.at + i, from);
        else put((u16 *)to.at + i, narrow);
    }
}
// The group numbers of V rows from i on.
template <i32 V> Q void get_groups(i32 (&to)[V], const void *ids, const i32 *places, i64 i) {
    if (!places) return get(to, (const i32 *)ids + i);
    u16 slot[V];
    get(slot, (const u16 *)ids + i);
#pragma unroll
    for (i32 u = 0; u < V; u++) to[u] = slot[u] == NO_SLOT ? -1 : places[slot[u]];
}
template <i32 V> Q void get_groups_some(i32 (&to)[V], const void *ids, const i32 *places, i64 i, i64 left) {
#pragma unroll
    for (i32 u = 0; u < V; u++) to[u] = group_of(ids, places, i + (u < left ? u : 0));
}
