// SPDX-License-Identifier: MIT
// nlohmann/json: dump() of a document whose members keep their order. It always checks UTF-8, and always makes a new
// std::string.
#include "document.h"
#include "peers.h"

#include <nlohmann/json.hpp>

#include <string>

namespace
{
using json = nlohmann::ordered_json;

struct walker {
    json *root;
    json *open[8];
    size_t depth;
    const char *key;
};

json *put(walker *w, json &&value)
{
    if (w->depth == 0)
        return &(*w->root = std::move(value));
    json &parent = *w->open[w->depth - 1];
    if (parent.is_array())
        return &parent.get_ref<json::array_t &>().emplace_back(std::move(value));
    return &parent.get_ref<json::object_t &>().emplace(w->key, std::move(value)).first->second;
}

void put_map(walker *w)
{
    json *value = put(w, json::object());
    w->open[w->depth++] = value;
}

void put_array(walker *w)
{
    json *value = put(w, json::array());
    w->open[w->depth++] = value;
}

void put_map_end(walker *w)
{
    w->depth--;
}

void put_array_end(walker *w)
{
    w->depth--;
}

void put_key(walker *w, const char *data, size_t)
{
    w->key = data;
}

void put_string(walker *w, const char *data, size_t length)
{
    put(w, std::string(data, length));
}

void put_int(walker *w, int64_t value)
{
    put(w, value);
}

void put_uint(walker *w, uint64_t value)
{
    put(w, value);
}

void put_double(walker *w, double value)
{
    put(w, value);
}

void put_bool(walker *w, bool value)
{
    put(w, value);
}

void put_null(walker *w)
{
    put(w, nullptr);
}

#include "walk.h"

struct state {
    bench_written written;
    json document;
    std::string out;
};

void *json_open(const bench_source *source)
{
    auto *s = new state{};
    walker w{&s->document, {}, 0, nullptr};
    walk(&w, source);
    return s;
}

uint64_t json_write(void *context, size_t repeat)
{
    auto *s = static_cast<state *>(context);
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->out = s->document.dump();
        s->written = {s->out.data(), s->out.size()};
        sum += s->out.size();
    }
    return sum;
}

void json_close(void *context)
{
    delete static_cast<state *>(context);
}
} // namespace

extern "C" void peers_nlohmann(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    bench_peer peer{};
    peer.who = "nlohmann";
    peer.variant = "native";
    peer.version = BENCH_TEXT(NLOHMANN_JSON_VERSION_MAJOR) "." BENCH_TEXT(NLOHMANN_JSON_VERSION_MINOR) "." BENCH_TEXT(
        NLOHMANN_JSON_VERSION_PATCH);
    peer.compiler = BENCH_COMPILER;
    peer.json = &json;
    peer.json_checked = &json;
    bench_peer_add(&peer);
}
