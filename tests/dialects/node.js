// SPDX-License-Identifier: MIT
// See frame.h. Node turns ill-formed bytes into U+FFFD as it reads them: the test gives it well-formed text alone.
'use strict';
const fs = require('fs');

if (process.argv[2] === '--version') {
    console.log(process.version.slice(1));
    process.exit(0);
}
const input = fs.readFileSync(0);
const parts = [];
for (let at = 0; at < input.length;) {
    const length = input.readUInt32LE(at);
    const text = input.toString('utf8', at + 4, at + 4 + length);
    at += 4 + length;
    const made = Buffer.from(JSON.stringify(text), 'utf8');
    const head = Buffer.alloc(4);
    head.writeUInt32LE(made.length);
    parts.push(head, made);
}
const output = Buffer.concat(parts);
for (let at = 0; at < output.length;) at += fs.writeSync(1, output, at);
