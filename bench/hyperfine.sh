#!/bin/sh
# Times whole commands on a text of 256 MiB made of examples/mill.txt: `quern lines` against jq, node and Python doing
# the same, and `quern utf8` against iconv and Python checking it. First checks that the outputs are the same bytes.
# What is not installed is named and left out.
# Usage: hyperfine.sh QUERN [MIB]
set -eu
quern=$1
mib=${2:-256}
folder=build/bench
mkdir -p "$folder"
text=$folder/lines-$mib.txt
# The interpreter itself: a version manager's stand-in before it would be timed too.
python=$(python3 -c "import sys; print(sys.executable)")

# Lines of the example in random order, the same on each run, so that no predictor learns them.
[ -s "$text" ] || "$python" - "$text" "$mib" <<'PYTHON'
import random, sys
random.seed(1)
lines = open("examples/mill.txt", encoding="utf-8").read().splitlines(keepends=True)
left = int(sys.argv[2]) << 20
with open(sys.argv[1], "w", encoding="utf-8") as out:
    while left > 0:
        block = "".join(random.choices(lines, k=20000))
        out.write(block)
        left -= len(block.encode())
PYTHON

cat >"$folder/lines.py" <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8", newline="\n") as text:
    lines = [line.removesuffix("\n") for line in text]
sys.stdout.buffer.write(json.dumps(lines, ensure_ascii=False).encode())
PYTHON
cat >"$folder/utf8.py" <<'PYTHON'
import sys
open(sys.argv[1], "rb").read().decode("utf-8")
PYTHON
# JSON.stringify puts no blank behind a comma, as `quern lines --compact`. A write may take only a part.
cat >"$folder/lines.js" <<'NODE'
const fs = require("fs");
const lines = fs.readFileSync(process.argv[2], "utf8").split("\n");
if (lines[lines.length - 1] === "") lines.pop();
const out = Buffer.from(JSON.stringify(lines));
for (let at = 0; at < out.length; ) at += fs.writeSync(1, out, at);
NODE

# there NAME: whether a program is installed.
there() {
    command -v "$1" >/dev/null && return
    echo "skipped: $1 is not installed"
    return 1
}

# time_all NAME COMMAND-NAME COMMAND...: times the commands, ours first.
time_all() {
    name=$1
    shift
    hyperfine -N --warmup 1 --runs 3 --export-json "$folder/$name.json" --export-markdown "$folder/$name.md" "$@"
    "$python" - "$folder/$name.json" <<'PYTHON'
import json, sys
results = json.load(open(sys.argv[1]))["results"]
ours = min(results[0]["times"])
for result in results[1:]:
    print(f"{result['command']}: {min(result['times']) / ours:.1f} times the time of {results[0]['command']} (minima)")
PYTHON
}

"$quern" lines -o "$folder/quern.json" "$text"
"$python" "$folder/lines.py" "$text" | cmp - "$folder/quern.json"
echo "quern and Python write the same $(wc -c <"$folder/quern.json") bytes"

set -- -n "quern lines" "$quern lines $text" -n "python3 json.dumps" "$python $folder/lines.py $text"
if there jq; then
    set -- "$@" -n "jq -Rn '[inputs]'" "jq -Rn [inputs] $text"
fi
if there node; then
    "$quern" lines --compact -o "$folder/quern.json" "$text"
    node "$folder/lines.js" "$text" | cmp - "$folder/quern.json"
    echo "quern --compact and node write the same $(wc -c <"$folder/quern.json") bytes"
    set -- "$@" -n "node JSON.stringify" "node $folder/lines.js $text"
fi
rm "$folder/quern.json"
time_all lines "$@"

set -- -n "quern utf8" "$quern utf8 $text" -n "python3 decode" "$python $folder/utf8.py $text"
if there iconv; then
    set -- "$@" -n "iconv -f utf-8 -t utf-8" "iconv -f utf-8 -t utf-8 $text"
fi
time_all utf8 "$@"

# Not from Python: a child's peak begins with that of the process that it was forked from.
if [ "$(uname)" = Darwin ]; then
    /usr/bin/time -l "$quern" lines -o /dev/null "$text"
else
    /usr/bin/time -f "peak memory of quern lines: %M KiB" "$quern" lines -o /dev/null "$text"
fi
