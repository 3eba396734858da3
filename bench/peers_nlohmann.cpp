// SPDX-License-Identifier: MIT
// nlohmann/json: dump() of a document whose members keep their order. It always checks UTF-8, and always makes a new
// std::string. And to_cbor(), behind what is in a vector, whose memory is kept.
#include "document.h"
#include "peers.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

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

// ---- CBOR

struct cbor_state {
    bench_written written;
    std::vector<nlohmann::json> documents; // a slice each
    size_t slice;
    std::vector<uint8_t> out;
};

nlohmann::json cbor_document(const cbor_source *source, size_t slice)
{
    const void *data = cbor_slice(source, slice);
    const auto *bytes = static_cast<const uint8_t *>(data);
    if (source->kind == CBOR_BINARY)
        return {{"type", "binary"}, {"data", nlohmann::json::binary({bytes, bytes + source->count})}};
    if (source->kind == CBOR_TYPED)
        return nlohmann::json::binary({bytes, bytes + source->count * source->width}, cbor_tag(source));
    nlohmann::json array = nlohmann::json::array();
    auto &values = array.get_ref<nlohmann::json::array_t &>();
    values.reserve(source->count);
    for (size_t i = 0; i < source->count; i++) {
        if (source->kind == CBOR_UINTS)
            values.emplace_back(static_cast<const uint64_t *>(data)[i]);
        else
            values.emplace_back(static_cast<const double *>(data)[i]);
    }
    return array;
}

void *cbor_open(const cbor_source *source)
{
    if (source->swapped)
        return nullptr;
    auto *s = new cbor_state{};
    for (size_t i = 0; i < source->slices; i++)
        s->documents.push_back(cbor_document(source, i));
    return s;
}

uint64_t cbor_write(void *context, size_t repeat)
{
    auto *s = static_cast<cbor_state *>(context);
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->out.clear();
        nlohmann::json::to_cbor(s->documents[s->slice], s->out);
        s->slice = s->slice + 1 < s->documents.size() ? s->slice + 1 : 0;
        sum += s->out.size();
    }
    s->written = {reinterpret_cast<const char *>(s->out.data()), s->out.size()};
    return sum;
}

void cbor_drop(void *context)
{
    static_cast<cbor_state *>(context)->out = {};
}

void cbor_close(void *context)
{
    delete static_cast<cbor_state *>(context);
}
} // namespace

extern "C" void peers_nlohmann(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    static const bench_cbor cbor = {cbor_open, cbor_write, cbor_drop, cbor_close};
    bench_peer peer{};
    peer.who = "nlohmann";
    peer.variant = "native";
    peer.version = BENCH_TEXT(NLOHMANN_JSON_VERSION_MAJOR) "." BENCH_TEXT(NLOHMANN_JSON_VERSION_MINOR) "." BENCH_TEXT(
        NLOHMANN_JSON_VERSION_PATCH);
    peer.compiler = BENCH_COMPILER;
    peer.json = &json;
    peer.json_checked = &json;
    peer.cbor = &cbor;
    bench_peer_add(&peer);
}
