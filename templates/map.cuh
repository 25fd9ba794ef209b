// One result a row: `k.row(i)` computes row i and stores its results. Rows are independent.
template <class K> Q void map(const K &k) {
    for (i64 i = (i64)blockIdx.x * BLOCK + threadIdx.x; i < k.n; i += (i64)gridDim.x * BLOCK) k.row(i);
}
