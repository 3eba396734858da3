/* SPDX-License-Identifier: MIT */
#include "peers.h"

#include <stdlib.h>

static bench_peer peers[MOST_PEERS];
static size_t peer_count;

void bench_peer_add(const bench_peer *peer)
{
    if (peer_count == MOST_PEERS)
        abort();
    peers[peer_count++] = *peer;
}

/* The build writes peers_found.h: X(name) for each function peers_<name> that is linked. */
#if defined(BENCH_PEERS)
#    define X(name) void peers_##name(void);
#    include "peers_found.h"
#    undef X
#endif

const bench_peer *bench_peers(size_t *count)
{
#if defined(BENCH_PEERS)
    if (peer_count == 0) {
#    define X(name) peers_##name();
#    include "peers_found.h"
#    undef X
    }
#endif
    *count = peer_count;
    return peers;
}
