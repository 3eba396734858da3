#!/usr/bin/env bash
# Fuzzes each target for a while: builds them with clang, libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer,
# goes on from the corpus in the tree, prints the executions of each. A crash ends with its input kept, and printed at the
# end, and exit code 1.
#
# usage: run.sh [-t SECONDS] [-b BUILD-FOLDER] [-m] [TARGET...]
#   -t  for each target, 30 if not given
#   -m  afterwards put what the corpus in the tree lacks there, minimised
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=30 build= merge=
while getopts t:b:m option; do
    case $option in
    t) seconds=$OPTARG ;;
    b) build=$OPTARG ;;
    m) merge=1 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(utf8 escape escape_write text copy json_writer cbor_writer)
clang=${CC:-clang}
command -v "$clang" >/dev/null || { echo "skipped: $clang is not installed"; exit 77; }
build=${build:-$here/../../build/fuzz}
mkdir -p "$build"

cmake -S "$here/../.." -B "$build" -G Ninja -DCMAKE_C_COMPILER="$clang" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g" -DQUERN_SANITIZE=address,undefined -DQUERN_FUZZ=ON \
    -DQUERN_CLI=OFF -DQUERN_BENCH=OFF -DQUERN_EXAMPLES=OFF -DQUERN_INSTALL=OFF >"$build/build.log" 2>&1 &&
    cmake --build "$build" --target "${targets[@]/#/fuzz_}" >>"$build/build.log" 2>&1 ||
    { cat "$build/build.log"; exit 1; }

# As many at a time as there are cores.
start() {
    local target=$1 work=$build/corpus/$1 code=0
    mkdir -p "$work" "$build/crashes"
    # New inputs go to the first folder; the corpus in the tree is only read.
    "$build/tests/fuzz_$target" -max_total_time="$seconds" -max_len=5000 -timeout=300 -print_final_stats=1 \
        -artifact_prefix="$build/crashes/$target-" "$work" "$here/corpus/$target" >"$build/$target.log" 2>&1 || code=$?
    echo "$code" >"$build/$target.code"
}
cores=$(getconf _NPROCESSORS_ONLN) running=0
for target in "${targets[@]}"; do
    start "$target" &
    running=$((running + 1))
    [ $((running % cores)) != 0 ] || wait
done
wait

# What was wrong, and the input: all that somebody needs who has nothing but this output.
report() {
    local log=$build/$1.log input
    echo
    echo "fuzz_$1 failed, exit code $(cat "$build/$1.code"):"
    # What stands behind the last line of progress, without the stack's deeper half and the input's dumps.
    awk '/^#[0-9]+\t/ { n = 0; next }
         /^(INFO:|\tNEW_FUNC|MS:|Base64:|0x|stat::)|^$/ { next }
         { sub(/ \(BuildId: .*/, ""); line[++n] = substr($0, 1, 200) }
         END { for (i = 1; i <= n && i <= 12; i++) print line[i] }' "$log"
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    if [ -f "$input" ]; then
        echo "its input, $(wc -c <"$input") bytes: echo $(base64 <"$input" | tr -d '\n') | base64 -d >input; $build/tests/fuzz_$1 input"
    fi
}

failed=() total=0
for target in "${targets[@]}"; do
    work=$build/corpus/$target
    log=$build/$target.log
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(sed -n 's/.*cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    echo "$target: ${executions:-0} executions in $seconds s, $edges edges"
    total=$((total + ${executions:-0}))
    if [ "$(cat "$build/$target.code")" != 0 ]; then
        failed+=("$target")
    elif [ -n "$merge" ]; then
        rm -rf "$build/merged"
        mkdir -p "$build/merged" "$here/corpus/$target"
        # By edges, not by how often each was taken: that keeps the tree small.
        "$build/tests/fuzz_$target" -merge=1 -use_counters=0 -max_len=5000 \
            "$build/merged" "$here/corpus/$target" "$work" >>"$log" 2>&1
        rm -rf "$here/corpus/$target"
        mv "$build/merged" "$here/corpus/$target"
    fi
done
echo "executions: $total"
for target in ${failed[@]+"${failed[@]}"}; do report "$target"; done
echo "${#failed[@]} of ${#targets[@]} targets failed"
[ ${#failed[@]} = 0 ]
