// SPDX-License-Identifier: MIT
// sonic-cpp: serializing a document of strings. It is headers, so this file is compiled once for each BENCH_LEVEL, an
// instruction set, and its namespace renamed: the linker must not take one level's functions for another's.
#define NAME_(prefix, level) prefix##level
#define NAME(prefix, level) NAME_(prefix, level)
#define sonic_json NAME(sonic_json_, BENCH_LEVEL)

#include "peers.h"

#include <sonic/sonic.h>

namespace
{
struct state {
    sonic_json::Document document;
    sonic_json::WriteBuffer out;
};

void *json_open(const bench_input *input)
{
    auto *s = new state;
    s->document.SetArray();
    auto &allocator = s->document.GetAllocator();
    s->document.Reserve(input->pieces, allocator);
    for (size_t p = 0; p < input->pieces; p++) {
        const uint32_t at = input->begin[p];
        // No copy: the node refers to the pool.
        s->document.PushBack(sonic_json::Node(sonic_json::StringView(input->pool + at, input->begin[p + 1] - at)),
                             allocator);
    }
    return s;
}

uint64_t json_write(void *context, size_t repeat)
{
    auto *s = static_cast<state *>(context);
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        if (s->document.Serialize(s->out) == sonic_json::kErrorNone)
            sum += s->out.Size();
    }
    return sum;
}

const char *json_view(const void *context, size_t *length)
{
    const auto *s = static_cast<const state *>(context);
    *length = s->out.Size();
    return s->out.ToString();
}

void json_close(void *context)
{
    delete static_cast<state *>(context);
}
} // namespace

extern "C" void NAME(peers_sonic_, BENCH_LEVEL)(void)
{
    static const bench_json json = {json_open, json_write, json_view, json_close};
    bench_peer peer{};
    peer.who = "sonic-cpp";
    peer.variant = BENCH_TEXT(BENCH_LEVEL);
    peer.version = SONIC_VERSION_STRING;
    peer.compiler = BENCH_COMPILER;
    peer.json = &json;
    bench_peer_add(&peer);
}
