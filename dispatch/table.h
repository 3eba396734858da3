/* SPDX-License-Identifier: MIT */
/* The table of rows, as sinks and front ends see it. */
#ifndef QUERN_DISPATCH_TABLE_H
#define QUERN_DISPATCH_TABLE_H

#include <quern/kernels.h>

/* The row in use: never NULL, whole at any time, from any thread. Take it once per object, not once per call. */
const quern_kernels *quern_table_active(void);

#endif
