<?php
// SPDX-License-Identifier: MIT
// See frame.h.
if ($argv[1] === '--version') {
    echo PHP_VERSION, "\n";
    exit(0);
}
$flags = 0;
if (strpos($argv[1], 'unicode') !== false) $flags |= JSON_UNESCAPED_UNICODE;
if (strpos($argv[1], 'noslash') !== false) $flags |= JSON_UNESCAPED_SLASHES;
$input = stream_get_contents(STDIN);
$end = strlen($input);
for ($at = 0; $at < $end; $at += 4 + $length) {
    $length = unpack('V', $input, $at)[1];
    $made = json_encode(substr($input, $at + 4, $length), $flags);
    if ($made === false) echo "\xff\xff\xff\xff";
    else echo pack('V', strlen($made)), $made;
}
