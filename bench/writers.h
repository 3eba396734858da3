/* SPDX-License-Identifier: MIT */
/* The parts of bench_writers. */
#ifndef QUERN_BENCH_WRITERS_H
#define QUERN_BENCH_WRITERS_H

/* Open vSwitch's benchmark of json_serialize_string: writers_ovs.c. */
void ovs_reused(void);
void ovs_fresh(void);

/* Arrays of numbers, and a whole document: writers_values.c. */
void numbers(void);
void documents(void);

#endif
