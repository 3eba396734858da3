/* SPDX-License-Identifier: MIT */
/* What the core has for back ends of its own. */
#ifndef QUERN_SINK_SINK_H
#define QUERN_SINK_SINK_H

#include <quern/sink.h>

/*
 * A sink whose back end keeps everything in one block (keeps_) becomes as it was when it was made, and takes the
 * variant in use: nothing written, no failure, no mark, the window on that block already. `size` may be 0.
 */
void quern_sink_reopen(quern_sink *sink, uint8_t *block, size_t size);

#endif
