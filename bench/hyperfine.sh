#!/bin/sh
# Times whole commands: `quern lines` against jq and Python doing the same, on a text of 256 MiB made of
# examples/mill.txt. First checks that quern and Python write the same bytes.
# Usage: hyperfine.sh QUERN [MIB]
set -eu
quern=$1
mib=${2:-256}
folder=build/bench
mkdir -p "$folder"
text=$folder/lines-$mib.txt
python=$(command -v python3)

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

"$quern" lines -o "$folder/quern.json" "$text"
"$python" "$folder/lines.py" "$text" | cmp - "$folder/quern.json"
echo "quern and Python write the same $(wc -c <"$folder/quern.json") bytes"
rm "$folder/quern.json"

hyperfine -N --warmup 1 --runs 3 --export-json "$folder/lines.json" --export-markdown "$folder/lines.md" \
    -n "quern lines" "$quern lines $text" \
    -n "python3 json.dumps" "$python $folder/lines.py $text" \
    -n "jq -Rn '[inputs]'" "jq -Rn [inputs] $text"

"$python" - "$folder/lines.json" <<'PYTHON'
import json, sys
results = json.load(open(sys.argv[1]))["results"]
ours = min(results[0]["times"])
for result in results[1:]:
    print(f"{result['command']}: {min(result['times']) / ours:.0f} times the time of quern lines (minima)")
PYTHON
# Not from Python: a child's peak begins with that of the process that it was forked from.
if [ "$(uname)" = Darwin ]; then
    /usr/bin/time -l "$quern" lines -o /dev/null "$text"
else
    /usr/bin/time -f "peak memory of quern lines: %M KiB" "$quern" lines -o /dev/null "$text"
fi
