// SPDX-License-Identifier: MIT
// See frame.h. Text that is not well-formed never gets as far as serde_json: a &str cannot hold it.
use std::io::{self, Read, Write};

fn main() {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input).unwrap();
    let mut out = io::BufWriter::with_capacity(1 << 20, io::stdout());
    let mut rest = &input[..];
    while rest.len() >= 4 {
        let length = u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize;
        match std::str::from_utf8(&rest[4..4 + length]) {
            Ok(text) => {
                let made = serde_json::to_string(text).unwrap();
                out.write_all(&(made.len() as u32).to_le_bytes()).unwrap();
                out.write_all(made.as_bytes()).unwrap();
            }
            Err(_) => out.write_all(&[0xff; 4]).unwrap(),
        }
        rest = &rest[4 + length..];
    }
    out.flush().unwrap();
}
