// The rows that pass, group after group, each group's in their order.
//
// A single list of all rows is a map, and one of some rows a compaction. By groups, every row is numbered by its
// list, the host brings the rows into the order of their numbers with `sort.cuh`, and then they are moved:
//
// | entry | grid | does |
// |---|---|---|
// | list_number | rows | a copy of the rows' group numbers, to be sorted |
// | mark | rows | the same, where the lists have masks of their own besides those of the groups |
// | list_starts | lists | where each list begins among the sorted numbers, and the end of the last |
// | move | rows that are listed | computes each row and writes it at its place |
//
// A row of no list gets the number of groups: it comes last, and the sort needs no more digits than for the others.
// A kernel gives `k.load(in, i)` and `k.pass(i, in, u)` as in a map, for `mark`, and `k.write(i, o)`, which computes
// row i and stores it at position o.
//
// Memory: numbers and masks are read and written side by side; so are row numbers and results in `move`, which reads
// the values as far apart as the groups' rows lie.
//
// Determinism: a place depends on numbers and rows alone.

template <class K> Q void list_mark(const K &k, const void *ids, const i32 *places, i32 groups, Numbers numbers) {
    i64 step = (i64)gridDim.x * BLOCK * K::PACK;
#pragma unroll 1
    for (i64 i = ((i64)blockIdx.x * BLOCK + threadIdx.x) * K::PACK; i < k.n; i += step) {
        typename K::In in;
        i32 id[K::PACK];
        u32 number[K::PACK];
        bool whole = k.n - i >= K::PACK;
        k.load(in, i);
        if (whole) get_groups(id, ids, places, i);
        else get_groups_some(id, ids, places, i, k.n - i);
#pragma unroll
        for (i32 u = 0; u < K::PACK; u++)
            number[u] = (u32)(id[u] >= 0 && i + u < k.n && k.pass(i + u, in, u) ? id[u] : groups);
        put_numbers(numbers, i, number, k.n - i);
    }
}

// `rows` are the rows by list; none where all are in order.
template <class K> Q void list_move(const K &k, Rows rows, i64 listed) {
#pragma unroll 1
    for (i64 o = (i64)blockIdx.x * BLOCK + threadIdx.x; o < listed; o += (i64)gridDim.x * BLOCK)
        k.write(rows.of(o), o);
}

ENTRY list_number(i64 n, const void *ids, const i32 *places, i32 groups, Numbers numbers) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (i64)gridDim.x * BLOCK) {
        i32 id = group_of(ids, places, i);
        numbers.put(i, (u32)(id < 0 ? groups : id));
    }
}

ENTRY list_starts(i64 n, Numbers sorted, i64 lists, i64 *starts) {
    for (i64 l = (i64)blockIdx.x * BLOCK + threadIdx.x; l <= lists; l += (i64)gridDim.x * BLOCK)
        starts[l] = binr((u32)l, sorted, n);
}
