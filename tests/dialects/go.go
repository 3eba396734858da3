// SPDX-License-Identifier: MIT
// See frame.h.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

func main() {
	if os.Args[1] == "--version" {
		fmt.Println(strings.TrimPrefix(runtime.Version(), "go"))
		return
	}
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	var made bytes.Buffer
	encoder := json.NewEncoder(&made)
	encoder.SetEscapeHTML(!strings.HasSuffix(os.Args[1], "-nohtml"))
	head := make([]byte, 4)
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return
		}
		text := make([]byte, binary.LittleEndian.Uint32(head))
		if _, err := io.ReadFull(in, text); err != nil {
			panic(err)
		}
		made.Reset()
		if err := encoder.Encode(string(text)); err != nil {
			panic(err)
		}
		made.Truncate(made.Len() - 1) // the newline that Encode adds
		binary.LittleEndian.PutUint32(head, uint32(made.Len()))
		out.Write(head)
		out.Write(made.Bytes())
	}
}
