/* SPDX-License-Identifier: MIT */
/*
 * Algorithms that other programs use, written out here from their description, to compare with where the program itself
 * cannot be called for this one step.
 */
#ifndef QUERN_BENCH_SHAPES_H
#define QUERN_BENCH_SHAPES_H

#include <stddef.h>
#include <stdint.h>

/* shape:table. A byte at a time, through a table of 256 flags. Returns the offset of the first byte to escape, or len.
 */
size_t shape_table_find(const char *src, size_t len);

/* shape:serde_swar. How serde_json (1.0.150) looks for the end of a run: the first byte alone, then words of
 * eight bytes in arithmetic, then the bytes that are left through the table. Bounded by the string, as a writer must.
 */
size_t shape_serde_swar_find(const char *src, size_t len);

/* shape:table_memcpy. How serde_json and Open vSwitch write a run: find its end through the table, then copy it. */
size_t shape_table_copy(char *dst, const char *src, size_t len);

/* shape:insert. A buffer that grows, as std::string and std::vector append: test the room, call memcpy, add. */
typedef struct shape_buffer {
    char *data;
    size_t length, capacity;
} shape_buffer;

void shape_insert(shape_buffer *buffer, const char *src, size_t len);

/* How Open vSwitch's json_serialize_string writes a string that ends with a NUL, with its quotation marks, to a dynamic
 * string: one that grows by the larger of its size and what is wanted, by realloc, and ends with a NUL after each call.
 *
 * shape:ovs_before, to 2021. Each byte's text comes from a table of 256 strings, and goes out byte by byte, each with a
 * test of the room and a NUL behind it.
 *
 * shape:ovs_after, since. Bytes that need no escape are counted, and a run of them is copied at once; escapes go out as
 * before. */
void shape_ovs_before(shape_buffer *buffer, const char *string);
void shape_ovs_after(shape_buffer *buffer, const char *string);

#endif
