// SPDX-License-Identifier: MIT
// nlohmann/json: dump() of a document of strings. It always checks UTF-8, and always makes a new std::string.
#include "peers.h"

#include <nlohmann/json.hpp>

#include <string>

namespace
{
struct state {
    nlohmann::json document = nlohmann::json::array();
    std::string out;
};

void *json_open(const bench_input *input)
{
    auto *s = new state;
    auto &array = s->document.get_ref<nlohmann::json::array_t &>();
    array.reserve(input->pieces);
    for (size_t p = 0; p < input->pieces; p++) {
        const uint32_t at = input->begin[p];
        array.emplace_back(std::string(input->pool + at, input->begin[p + 1] - at));
    }
    return s;
}

uint64_t json_write(void *context, size_t repeat)
{
    auto *s = static_cast<state *>(context);
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->out = s->document.dump();
        sum += s->out.size();
    }
    return sum;
}

const char *json_view(const void *context, size_t *length)
{
    const auto *s = static_cast<const state *>(context);
    *length = s->out.size();
    return s->out.data();
}

void json_close(void *context)
{
    delete static_cast<state *>(context);
}
} // namespace

extern "C" void peers_nlohmann(void)
{
    static const bench_json json = {json_open, json_write, json_view, json_close};
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
