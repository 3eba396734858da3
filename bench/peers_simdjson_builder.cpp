// SPDX-License-Identifier: MIT
// simdjson's string builder, and the search for a byte to escape inside it. Both are headers, so this file is compiled
// once for each BENCH_LEVEL, an instruction set; their namespace is another one each time.
#include "peers.h"

#include <simdjson.h>

#include <string_view>

namespace
{
namespace builder = simdjson::builtin::builder;

uint64_t escape_find(void *context, size_t repeat)
{
    const auto *input = static_cast<const bench_input *>(context);
    uint64_t sum = 0;
    BENCH_FOR_PIECES(input, repeat, sum += builder::find_next_json_quotable_character(std::string_view(src, len), 0));
    return sum;
}

struct state {
    const bench_input *input;
    builder::string_builder out;
};

void *json_open(const bench_input *input)
{
    return new state{input, builder::string_builder(input->total + 8 * input->pieces)};
}

uint64_t json_write(void *context, size_t repeat)
{
    auto *s = static_cast<state *>(context);
    const bench_input *input = s->input;
    builder::string_builder &out = s->out;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        out.clear();
        out.append('[');
        for (size_t p = 0; p < input->pieces; p++) {
            const uint32_t at = input->begin[p];
            if (p > 0)
                out.append(',');
            out.escape_and_append_with_quotes(std::string_view(input->pool + at, input->begin[p + 1] - at));
        }
        out.append(']');
        sum += out.size();
    }
    return sum;
}

const char *json_view(const void *context, size_t *length)
{
    std::string_view text;
    const auto failure = static_cast<const state *>(context)->out.view().get(text);
    *length = failure ? 0 : text.size();
    return text.data();
}

void json_close(void *context)
{
    delete static_cast<state *>(context);
}
} // namespace

#define NAME_(level) peers_simdjson_builder_##level
#define NAME(level) NAME_(level)
extern "C" void NAME(BENCH_LEVEL)(void)
{
    static const bench_json json = {json_open, json_write, json_view, json_close};
    bench_peer peer{};
    peer.who = "simdjson";
    peer.variant = BENCH_TEXT(BENCH_LEVEL);
    peer.version = SIMDJSON_VERSION;
    peer.compiler = BENCH_COMPILER;
    peer.escape_find = escape_find;
    peer.json = &json;
    bench_peer_add(&peer);
}
