#!/bin/sh
# For a machine with an NVIDIA GPU: the corpus on the CUDA engine, on the interpreter and on the simulator, which must
# all print what tests/queries says; then the benches by the device's clock. Writes one JSON file (the argument, or
# gpu.json). It needs cargo, the driver, and an NVRTC: that of the machine's CUDA, or one that `make nvrtc` fetched.
#
#   tests/gpu/run.sh [OUT.json]        ROWS=1e8 sets the rows of the benches
#
# With STAND_IN=1 the driver is that of tests/libcuda, whose devices are simulated, in builds that are not optimised:
# all is run and nothing is measured. `make test-gpu` does so, that the script is known to work where there is a GPU.
set -eu
out=${1:-gpu.json}
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/../.."

if [ -n "${STAND_IN:-}" ]; then
    built=debug release="" bench="--profile dev"
    ROWS=${ROWS:-5000}
else
    # The machine's own driver, and not the simulated one.
    built=release release=--release bench=""
    export QFUSE_GPU=1
fi
# Of the whole workspace, so that every step builds its dependencies with the same features.
cargo build $release --locked --workspace
qfuse() {
    if [ -n "${STAND_IN:-}" ]; then QFUSE_LIBCUDA=$PWD/target/$built/liblibcuda.so; export QFUSE_LIBCUDA; fi
    target/$built/qfuse "$@"
}
(qfuse doctor)
why=$(echo '.gpu.cntDev[]' | qfuse -q --engine cuda 2>&1 >/dev/null)
if [ -n "$why" ]; then
    echo "run.sh: $why" >&2
    exit 1
fi

cargo test $release --locked --workspace --test queries --no-run
corpus=""
failed=0
for engine in interp sim cuda; do
    log=$(cargo test $release --locked -q --workspace --test queries -- "::$engine" 2>&1) || failed=1
    result=$(printf '%s\n' "$log" | sed -n 's/^test result: [a-zA-Z]*\. \([0-9]* passed; [0-9]* failed; [0-9]* ignored\).*/\1/p')
    # An engine that skips every file has shown nothing.
    case $result in "" | "0 passed"*) failed=1 ;; esac
    [ "$failed" = 0 ] || printf '%s\n' "$log" >&2
    echo "corpus on $engine: ${result:-did not run}"
    corpus="$corpus$engine: ${result:-did not run}. "
done

export ROWS="${ROWS:-1e8}"
CORPUS="$corpus" OUT="$out" cargo bench $bench --locked --workspace --bench gpu || failed=1
echo "written to $out"
exit "$failed"
