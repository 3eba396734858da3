#!/usr/bin/env bash
# The test programs under Valgrind's memcheck, thinned. Valgrind 3.19 has no AVX-512, and its CPUID says so: the dispatcher
# must see that by itself.
# usage: test_valgrind.sh FOLDER-OF-THE-TEST-PROGRAMS CORPUS [PROGRAM...]
set -u
programs=$1 corpus=$2
shift 2
export CK_FORK=no QUERN_TEST_STRIDE=1000
unset QUERN_VARIANT
memcheck=(valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite)
failed=0 ran=0

active=$("${memcheck[@]}" "$programs/first_use_static") || { echo "failed: first_use_static"; failed=1; }
echo "valgrind $(valgrind --version | sed 's/valgrind-//'): the variant in use is $active"
[ -n "$active" ] || failed=1

run() {
    local start=$SECONDS log code
    log=$(mktemp)
    "${memcheck[@]}" "$@" >"$log" 2>&1
    code=$?
    echo "$(basename "$1"): exit code $code, $(sed -n 's/^checks executed: /checks: /p; /^inputs replayed/p' "$log"), $((SECONDS - start)) s"
    [ "$ran" != 0 ] || grep '^skipped: [a-z0-9_]*: this machine' "$log"
    [ "$code" = 0 ] || { tail -n 60 "$log"; failed=1; }
    ran=$((ran + 1))
    rm -f "$log"
}

for name in "$@"; do
    run "$programs/test_$name"
done
for target in "$corpus"/*; do
    run "$programs/fuzz_$(basename "$target")" "$target"
done
echo "programs: $ran"
[ "$failed" = 0 ] && [ "$ran" -gt 0 ]
