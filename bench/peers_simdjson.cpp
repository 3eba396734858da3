// SPDX-License-Identifier: MIT
// simdjson: UTF-8 validation, in each of its implementations that runs here.
#include "peers.h"

#include <simdjson.h>

#include <string>
#include <vector>

static uint64_t utf8_prefix(void *context, size_t repeat)
{
    const auto *text = static_cast<const bench_peer_text *>(context);
    const auto *implementation = static_cast<const simdjson::implementation *>(text->peer->implementation);
    uint64_t sum = 0;
    BENCH_FOR_PIECES(text->input, repeat, sum += implementation->validate_utf8(src, len) ? len : 0);
    return sum;
}

extern "C" void peers_simdjson(void)
{
    static std::vector<std::string> names;
    names.reserve(16);
    for (const simdjson::implementation *implementation : simdjson::get_available_implementations()) {
        if (!implementation->supported_by_runtime_system())
            continue;
        names.emplace_back(implementation->name());
        bench_peer peer{};
        peer.who = "simdjson";
        peer.variant = names.back().c_str();
        peer.version = SIMDJSON_VERSION;
        peer.compiler = BENCH_PEER_COMPILER;
        peer.utf8_prefix = utf8_prefix;
        peer.implementation = implementation;
        bench_peer_add(&peer);
    }
}
