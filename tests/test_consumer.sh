#!/bin/sh
# Installs a build into a folder of its own and builds strangers' programs on it: by find_package, by pkg-config, and as
# a subdirectory. Usage: test_consumer.sh SOURCE BUILD COMPILER [FLAGS]
set -eu
source=$1 build=$2 compiler=$3 flags=${4-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expected='["a \"quoted\" word",true]'
count=0

expect() {
    got=$("$@") || { echo "failed: $*"; exit 1; }
    [ "$got" = "$expected" ] || { echo "$*: got $got, expected $expected"; exit 1; }
    count=$((count + 1))
}

prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
libdir=$(dirname "$(find "$prefix" -name 'libquern.a')")

for kind in find_package subdirectory; do
    cmake -S "$source/tests/consumer/$kind" -B "$work/$kind" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" \
        -DCMAKE_PREFIX_PATH="$prefix" -DQUERN_SOURCE="$source" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cmake --build "$work/$kind" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    expect "$work/$kind/consumer_shared"
    expect "$work/$kind/consumer_static"
done
if [ -d "$work/subdirectory/tests" ] || [ -e "$work/subdirectory/quern/quern" ]; then
    echo "a subproject builds tests or the command"; exit 1
fi

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$libdir/pkgconfig"
    options=$(pkg-config --cflags --libs quern)
    # shellcheck disable=SC2086 # words are meant to be split
    "$compiler" $flags -std=c11 "$source/tests/consumer/main.c" $options -o "$work/by_pkg_config"
    expect env LD_LIBRARY_PATH="$libdir" DYLD_LIBRARY_PATH="$libdir" "$work/by_pkg_config"
    [ "$(pkg-config --modversion quern)" = "$("$prefix/bin/quern" --version | cut -d' ' -f2)" ]
else
    echo "skipped: pkg-config is not installed"
fi
echo "checks executed: $count"
