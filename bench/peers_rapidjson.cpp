// SPDX-License-Identifier: MIT
// RapidJSON: its SAX writer into its string buffer. It is headers, so this file is compiled once for each BENCH_LEVEL,
// an instruction set, in a namespace of its own.
#define NAME_(prefix, level) prefix##level
#define NAME(prefix, level) NAME_(prefix, level)
#define RAPIDJSON_NAMESPACE NAME(rapidjson_, BENCH_LEVEL)
#define RAPIDJSON_NAMESPACE_BEGIN \
    namespace RAPIDJSON_NAMESPACE \
    {
#define RAPIDJSON_NAMESPACE_END }
#if defined(__SSE4_2__)
#    define RAPIDJSON_SSE42
#elif defined(__aarch64__)
#    define RAPIDJSON_NEON
#endif

#include "peers.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace rapid = RAPIDJSON_NAMESPACE;

namespace
{
struct state {
    const bench_input *input;
    rapid::StringBuffer out;
};

void *json_open(const bench_input *input)
{
    auto *s = new state;
    s->input = input;
    return s;
}

template <unsigned flags>
uint64_t json_write(void *context, size_t repeat)
{
    auto *s = static_cast<state *>(context);
    const bench_input *input = s->input;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->out.Clear();
        rapid::Writer<rapid::StringBuffer, rapid::UTF8<>, rapid::UTF8<>, rapid::CrtAllocator, flags> writer(s->out);
        bool good = writer.StartArray();
        for (size_t p = 0; p < input->pieces; p++) {
            const uint32_t at = input->begin[p];
            good &= writer.String(input->pool + at, input->begin[p + 1] - at);
        }
        good &= writer.EndArray();
        sum += good ? s->out.GetSize() : 0;
    }
    return sum;
}

const char *json_view(const void *context, size_t *length)
{
    const auto *s = static_cast<const state *>(context);
    *length = s->out.GetSize();
    return s->out.GetString();
}

void json_close(void *context)
{
    delete static_cast<state *>(context);
}
} // namespace

extern "C" void NAME(peers_rapidjson_, BENCH_LEVEL)(void)
{
    static const bench_json json = {json_open, json_write<rapid::kWriteDefaultFlags>, json_view, json_close};
    static const bench_json checked = {json_open, json_write<rapid::kWriteValidateEncodingFlag>, json_view, json_close};
    bench_peer peer{};
    peer.who = "rapidjson";
    peer.variant = BENCH_TEXT(BENCH_LEVEL);
    peer.version = RAPIDJSON_VERSION_STRING;
    peer.compiler = BENCH_COMPILER;
    peer.json = &json;
    peer.json_checked = &checked;
    bench_peer_add(&peer);
}
