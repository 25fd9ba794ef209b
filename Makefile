# Every target does the set-up that it needs. See CONTRIBUTING.md.
.PHONY: demo test test-gpu test-sim bench lint build nvrtc

# The main job, from a clean checkout: a tour of real queries, each answer checked against the interpreter.
demo: build
	target/release/qfuse --engine cpu examples/tour.q

build:
	cargo build --release --locked -p runtime

# All tests. NVRTC comes from a wheel into .nvrtc; without it the tests that need it are skipped by name.
test: nvrtc
	QFUSE_SIM_RUNS=3 cargo test --locked --workspace --no-fail-fast

# The simulator's tests again, optimised and under many interleavings: each query under RUNS seeds from SEED on.
RUNS ?= 40
SEED ?= 1000
test-sim: nvrtc
	cargo test --release --locked -p tests --test sim_kernels --test sim_memory --test simulator
	QFUSE_SIM_SEED=$(SEED) QFUSE_SIM_RUNS=$(RUNS) QFUSE_CASES=0..1000 cargo test --release --locked -p tests \
	    --no-fail-fast --test simulator --test queries --test funs -- sim

# What a machine with a GPU runs, on simulated devices: the corpus on three engines, the benches, the JSON file.
test-gpu: nvrtc
	STAND_IN=1 tests/gpu/run.sh target/gpu.json

# Parts (divan), then the whole-query bench of README.md if a data folder is named: make bench DATA=DIR QUERIES=FILE
bench: nvrtc
	cargo bench --locked -p tests
	$(if $(DATA),cargo build --release --locked -p runtime && target/release/qfuse bench --data $(DATA) --queries $(QUERIES) --threads 2 --runs 5 --warmup 1)

lint:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --quiet
	tools/deny.sh

nvrtc:
	tools/nvrtc.sh
