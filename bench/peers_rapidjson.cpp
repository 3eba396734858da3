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

#include "document.h"
#include "peers.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace rapid = RAPIDJSON_NAMESPACE;

namespace
{
struct state {
    bench_written written;
    const bench_source *source;
    rapid::StringBuffer out;
};

void *json_open(const bench_source *source)
{
    auto *s = new state{};
    s->source = source;
    return s;
}

template <unsigned flags>
struct writing {
    using writer_type = rapid::Writer<rapid::StringBuffer, rapid::UTF8<>, rapid::UTF8<>, rapid::CrtAllocator, flags>;

    struct walker {
        writer_type *writer;
        bool good;
    };

    static void put_map(walker *w)
    {
        w->good &= w->writer->StartObject();
    }

    static void put_map_end(walker *w)
    {
        w->good &= w->writer->EndObject();
    }

    static void put_array(walker *w)
    {
        w->good &= w->writer->StartArray();
    }

    static void put_array_end(walker *w)
    {
        w->good &= w->writer->EndArray();
    }

    static void put_key(walker *w, const char *data, size_t length)
    {
        w->good &= w->writer->Key(data, static_cast<rapid::SizeType>(length));
    }

    static void put_string(walker *w, const char *data, size_t length)
    {
        w->good &= w->writer->String(data, static_cast<rapid::SizeType>(length));
    }

    static void put_int(walker *w, int64_t value)
    {
        w->good &= w->writer->Int64(value);
    }

    static void put_uint(walker *w, uint64_t value)
    {
        w->good &= w->writer->Uint64(value);
    }

    static void put_double(walker *w, double value)
    {
        w->good &= w->writer->Double(value);
    }

    static void put_bool(walker *w, bool value)
    {
        w->good &= w->writer->Bool(value);
    }

    static void put_null(walker *w)
    {
        w->good &= w->writer->Null();
    }

#include "walk.h"

    static uint64_t write(void *context, size_t repeat)
    {
        auto *s = static_cast<state *>(context);
        uint64_t sum = 0;
        for (size_t r = 0; r < repeat; r++) {
            s->out.Clear();
            writer_type writer(s->out);
            walker w{&writer, true};
            walk(&w, s->source);
            s->written = {s->out.GetString(), w.good ? s->out.GetSize() : 0};
            sum += s->written.length;
        }
        return sum;
    }
};

void json_close(void *context)
{
    delete static_cast<state *>(context);
}
} // namespace

extern "C" void NAME(peers_rapidjson_, BENCH_LEVEL)(void)
{
    static const bench_json json = {json_open, writing<rapid::kWriteDefaultFlags>::write, json_close};
    static const bench_json checked = {json_open, writing<rapid::kWriteValidateEncodingFlag>::write, json_close};
    bench_peer peer{};
    peer.who = "rapidjson";
    peer.variant = BENCH_TEXT(BENCH_LEVEL);
    peer.version = RAPIDJSON_VERSION_STRING;
    peer.compiler = BENCH_COMPILER;
    peer.json = &json;
    peer.json_checked = &checked;
    bench_peer_add(&peer);
}
