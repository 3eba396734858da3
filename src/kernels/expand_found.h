/* SPDX-License-Identifier: MIT */
/* What expand_block says of the text that it has escaped. */
#ifndef QUERN_KERNELS_EXPAND_FOUND_H
#define QUERN_KERNELS_EXPAND_FOUND_H

enum {
    EXPAND_ESCAPES = 1, /* a byte was escaped */
    EXPAND_HIGH = 2     /* a byte is not ASCII */
};

#endif
