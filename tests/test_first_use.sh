#!/usr/bin/env bash
# First use by 16 threads at once, in many fresh processes: see first_use/first_use.c.
# usage: test_first_use.sh PROCESSES PROGRAM...
# Each program runs PROCESSES times as it is, and a tenth as often in each other way; at most 100 times where tests are
# thinned.
set -u
processes=$1
shift
[ "${QUERN_TEST_STRIDE:-1}" = 1 ] || [ "$processes" -le 100 ] || processes=100
count=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# times N VARIANT PROGRAM [WAY]: N fresh processes; counts the variants that they had in use in the end. An empty VARIANT
# asks for none.
times() {
    local number=$1 i code
    export QUERN_VARIANT=$2
    shift 2
    : >"$work/out"
    for ((i = 0; i < number; i++)); do
        "$@" >>"$work/out" 2>"$work/errors"
        code=$?
        count=$((count + 1))
        if [ "$code" != 0 ]; then
            echo "failed with $code: QUERN_VARIANT=$QUERN_VARIANT $*"
            head -n 40 "$work/errors"
            failed=$((failed + 1))
            [ "$failed" -lt 5 ] || exit 1
        fi
    done
    printf '%s%s: %s\n' "${QUERN_VARIANT:+QUERN_VARIANT=$QUERN_VARIANT }" "${*##*/}" "$(sort "$work/out" | uniq -c | xargs)"
}

for program in "$@"; do
    tenth=$(((processes + 9) / 10))
    times "$processes" "" "$program"
    times "$tenth" swar "$program"
    times "$tenth" "" "$program" fork
    times "$tenth" scalar "$program" fork
    times "$tenth" "" "$program" force
done
echo "processes: $count, failed: $failed"
[ "$failed" = 0 ] && [ "$count" -gt 0 ]
