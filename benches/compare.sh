#!/usr/bin/env bash
# Pairs whole processes: `ovlint check` against a bare XML event loop, a hello-world binary and OpenVINO's read_model.
#
#     benches/compare.sh FOLDER [PYTHON]
#
# FOLDER holds models (.xml); PYTHON is an interpreter with openvino, left out if it is not given. Prints the median CPU
# time of each process in milliseconds and the peak memory in MiB; OpenVINO's is less that of importing it.
set -euo pipefail
folder=$1
python=${2:-}
cd "$(dirname "$0")/.."
# Apart, as what the examples need would get into the command as well.
cargo build --release --quiet --examples
cargo build --release --quiet --bins
target=${CARGO_TARGET_DIR:-target}/release
runs=${RUNS:-7}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The median CPU time (ms) and peak memory (MiB) of a command.
measure() {
    for _ in $(seq "$runs"); do
        /usr/bin/time -f '%U %S %M' -o "$scratch/time" "$@" > /dev/null 2>&1 || true
        tail -n 1 "$scratch/time"
    done | awk '{ print ($1 + $2) * 1000, $3 / 1024 }' | sort -n | awk '{ a[NR] = $0 } END { print a[int((NR + 1) / 2)] }'
}

read_model='import sys, openvino; core = openvino.Core(); len(sys.argv) > 1 and core.read_model(sys.argv[1])'
printf '%-28s %10s %10s %10s %10s\n' "" "ovlint ms" "MiB" "events ms" "OpenVINO ms"
printf '%-28s %10s %10s\n' "hello world" $(measure "$target/examples/hello")
base=0
if [ -n "$python" ]; then base=$(measure "$python" -c "$read_model" | cut -d' ' -f1); fi
for model in "$folder"/*.xml; do
    events=$(measure "$target/examples/xml_events" "$model" | cut -d' ' -f1)
    openvino=-
    if [ -n "$python" ]; then
        openvino=$(measure "$python" -c "$read_model" "$model" | awk -v base="$base" '{ print $1 - base }')
    fi
    printf '%-28s %10s %10s %10s %10s\n' "$(basename "$model")" $(measure "$target/ovlint" check "$model") "$events" "$openvino"
done
