// SPDX-License-Identifier: MIT
// sonic-cpp: serializing a document of strings. It is headers, so this file is compiled once for each BENCH_LEVEL, an
// instruction set, and its namespace renamed: the linker must not take one level's functions for another's.
#define NAME_(prefix, level) prefix##level
#define NAME(prefix, level) NAME_(prefix, level)
#define sonic_json NAME(sonic_json_, BENCH_LEVEL)

#include "document.h"
#include "peers.h"

#include <sonic/sonic.h>

namespace
{
using node = sonic_json::Node;

struct walker {
    sonic_json::Document *document;
    node open[8]; // a container goes into its parent when it is whole
    sonic_json::StringView keys[8];
    size_t depth;
    sonic_json::StringView key;
};

void put_under(walker *w, sonic_json::StringView key, node &&value)
{
    auto &allocator = w->document->GetAllocator();
    if (w->depth == 0)
        static_cast<node &>(*w->document) = std::move(value);
    else if (w->open[w->depth - 1].IsArray())
        w->open[w->depth - 1].PushBack(std::move(value), allocator);
    else
        w->open[w->depth - 1].AddMember(key, std::move(value), allocator, false);
}

void put(walker *w, node &&value)
{
    put_under(w, w->key, std::move(value));
}

void put_container(walker *w, sonic_json::TypeFlag type)
{
    w->keys[w->depth] = w->key;
    w->open[w->depth++] = node(type);
}

void put_container_end(walker *w)
{
    w->depth--;
    put_under(w, w->keys[w->depth], std::move(w->open[w->depth]));
}

void put_map(walker *w)
{
    put_container(w, sonic_json::kObject);
}

void put_map_end(walker *w)
{
    put_container_end(w);
}

void put_array(walker *w)
{
    put_container(w, sonic_json::kArray);
}

void put_array_end(walker *w)
{
    put_container_end(w);
}

void put_key(walker *w, const char *data, size_t length)
{
    w->key = sonic_json::StringView(data, length);
}

void put_string(walker *w, const char *data, size_t length)
{
    put(w, node(sonic_json::StringView(data, length))); // no copy: the node refers to the source
}

void put_int(walker *w, int64_t value)
{
    put(w, node(value));
}

void put_uint(walker *w, uint64_t value)
{
    put(w, node(value));
}

void put_double(walker *w, double value)
{
    put(w, node(value));
}

void put_bool(walker *w, bool value)
{
    put(w, node(value));
}

void put_null(walker *w)
{
    put(w, node(sonic_json::kNull));
}

#include "walk.h"

struct state {
    bench_written written;
    sonic_json::Document document;
    sonic_json::WriteBuffer out;
};

void *json_open(const bench_source *source)
{
    auto *s = new state{};
    walker w{};
    w.document = &s->document;
    walk(&w, source);
    return s;
}

uint64_t json_write(void *context, size_t repeat)
{
    auto *s = static_cast<state *>(context);
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        const bool good = s->document.Serialize(s->out) == sonic_json::kErrorNone;
        s->written = {s->out.ToString(), good ? s->out.Size() : 0};
        sum += s->written.length;
    }
    return sum;
}

void json_close(void *context)
{
    delete static_cast<state *>(context);
}
} // namespace

extern "C" void NAME(peers_sonic_, BENCH_LEVEL)(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    bench_peer peer{};
    peer.who = "sonic-cpp";
    peer.variant = BENCH_TEXT(BENCH_LEVEL);
    peer.version = SONIC_VERSION_STRING;
    peer.compiler = BENCH_COMPILER;
    peer.json = &json;
    bench_peer_add(&peer);
}
