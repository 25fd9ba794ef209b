#!/bin/sh
# Installs NVRTC, NVIDIA's run-time compiler, from its wheel into .nvrtc, once. It needs no driver and no GPU.
# Where it cannot be had, says so and ends well: the tests that need it then report themselves skipped.
set -eu
version=13.0.88
cd "$(dirname "$0")/.."
target="$PWD/.nvrtc"
stamp="$target/.version"
if [ "$(cat "$stamp" 2>/dev/null)" = "$version" ]; then
    exit 0
fi
if [ "$(uname -sm)" != "Linux x86_64" ] && [ "$(uname -sm)" != "Linux aarch64" ]; then
    echo "nvrtc: no wheel for $(uname -sm); tests that need it will be skipped"
    exit 0
fi
pip=""
for try in "python3 -m pip" "pip3" "pip"; do
    if $try --version >/dev/null 2>&1; then
        pip="$try"
        break
    fi
done
if [ -z "$pip" ]; then
    echo "nvrtc: no pip here to fetch nvidia-cuda-nvrtc==$version; tests that need it will be skipped"
    exit 0
fi
fresh="$target.new.$$"
trap 'rm -rf "$fresh"' EXIT
echo "nvrtc: installing nvidia-cuda-nvrtc==$version into .nvrtc (90 MB, once)"
if ! $pip install --quiet --disable-pip-version-check --no-deps --target "$fresh" "nvidia-cuda-nvrtc==$version"; then
    echo "nvrtc: could not be installed; tests that need it will be skipped"
    exit 0
fi
# The wheel carries a second copy of each library that nothing loads.
find "$fresh" -name '*.alt.so*' -delete
echo "$version" > "$fresh/.version"
rm -rf "$target"
mv "$fresh" "$target"
