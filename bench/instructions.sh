#!/usr/bin/env bash
# Counts the instructions that AArch64 code executes per byte, under QEMU, which logs each one: what can be said of a
# machine that one has not got. Not a speed. Writes a markdown table. Needs what `./run test cross-aarch64` installs.
# usage: instructions.sh [VARIANT...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=build/cross-aarch64
variants=("$@")
[ ${#variants[@]} -gt 0 ] || variants=(neon swar scalar)

cmake --preset cross-aarch64 >/dev/null
cmake --build "$folder" --target quern_static >/dev/null
program=$folder/instructions
aarch64-linux-gnu-gcc -O2 -static -Iinclude bench/instructions.c "$folder/libquern.a" -o "$program"

# One line a call of a translated block, and a block for each instruction.
count() { qemu-aarch64 -singlestep -d exec,nochain -D /dev/stdout "$program" "$@" | wc -l; }

printf '| kernel | bytes |'
printf ' %s |' "${variants[@]}"
printf '\n| --- | --- |'
printf ' --- |%.0s' "${variants[@]}"
echo
for kernel in escape_find escape_copy escape_write_quotes utf8_prefix utf8_prefix_cyrillic text_copy text_copy_cyrillic copy \
    line_locate; do
    for size in 8 64 4096; do
        printf '| %s | %s |' "$kernel" "$size"
        for variant in "${variants[@]}"; do
            few=$(count "$variant" "$kernel" "$size" 1)
            many=$(count "$variant" "$kernel" "$size" 11)
            awk -v d=$((many - few)) -v n="$size" 'BEGIN { printf " %.3g (%.2f a byte) |", d / 10, d / 10 / n }'
        done
        echo
    done
done
