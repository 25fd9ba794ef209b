// One result a row, for all rows: `k.load(in, i)` reads the pack of rows from i on, `k.row(i, in, u, out)` computes
// its row u, and `k.store(out, i)` writes the pack's results. Rows are independent.
//
// Memory: a thread moves K::PACK rows with one access a column, 16 bytes for the widest; each input is read once
// and each result written once.
template <class K> Q void map(const K &k) {
    i64 step = (i64)gridDim.x * BLOCK * K::PACK;
#pragma unroll 1
    for (i64 i = ((i64)blockIdx.x * BLOCK + threadIdx.x) * K::PACK; i < k.n; i += step) {
        typename K::In in;
        typename K::Out out;
        k.load(in, i);
#pragma unroll
        for (i32 u = 0; u < K::PACK; u++) k.row(i + u, in, u, out);
        k.store(out, i);
    }
}
