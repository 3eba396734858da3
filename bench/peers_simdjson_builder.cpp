// SPDX-License-Identifier: MIT
// simdjson's string builder, and the search for a byte to escape inside it. Both are headers, so this file is compiled
// once for each BENCH_LEVEL, an instruction set; their namespace is another one each time.
#include "document.h"
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

struct walker {
    builder::string_builder &out;
    bool comma;
};

void before_value(walker *w)
{
    if (w->comma)
        w->out.append_comma();
    w->comma = true;
}

void put_map(walker *w)
{
    before_value(w);
    w->out.start_object();
    w->comma = false;
}

void put_map_end(walker *w)
{
    w->out.end_object();
    w->comma = true;
}

void put_array(walker *w)
{
    before_value(w);
    w->out.start_array();
    w->comma = false;
}

void put_array_end(walker *w)
{
    w->out.end_array();
    w->comma = true;
}

void put_string(walker *w, const char *data, size_t length)
{
    before_value(w);
    w->out.escape_and_append_with_quotes(std::string_view(data, length));
}

void put_key(walker *w, const char *data, size_t length)
{
    put_string(w, data, length);
    w->out.append_colon();
    w->comma = false;
}

template <typename number>
void put_number(walker *w, number value)
{
    before_value(w);
    w->out.append(value);
}

void put_int(walker *w, int64_t value)
{
    put_number(w, value);
}

void put_uint(walker *w, uint64_t value)
{
    put_number(w, value);
}

void put_double(walker *w, double value)
{
    put_number(w, value);
}

void put_bool(walker *w, bool value)
{
    put_number(w, value);
}

void put_null(walker *w)
{
    before_value(w);
    w->out.append_null();
}

#include "walk.h"

struct state {
    bench_written written;
    const bench_source *source;
    builder::string_builder out;
};

void *json_open(const bench_source *source)
{
    return new state{{nullptr, 0}, source, {}};
}

uint64_t json_write(void *context, size_t repeat)
{
    auto *s = static_cast<state *>(context);
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->out.clear();
        // Two walkers, so that the one in the loops over elements may stay in registers.
        if (s->source->kind == BENCH_STATUSES) {
            walker w{s->out, false};
            walk_statuses(&w, s->source);
        } else {
            walker w{s->out, false};
            walk_elements(&w, s->source);
        }
        std::string_view text;
        const auto failure = s->out.view().get(text);
        s->written = {text.data(), failure ? 0 : text.size()};
        sum += s->written.length;
    }
    return sum;
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
    static const bench_json json = {json_open, json_write, json_close};
    bench_peer peer{};
    peer.who = "simdjson";
    peer.variant = BENCH_TEXT(BENCH_LEVEL);
    peer.version = SIMDJSON_VERSION;
    peer.compiler = BENCH_COMPILER;
    peer.escape_find = escape_find;
    peer.json = &json;
    bench_peer_add(&peer);
}
