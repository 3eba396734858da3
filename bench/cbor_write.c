/* SPDX-License-Identifier: MIT */
#include "cbor_write.h"

#include <stdlib.h>
#include <string.h>

#if defined(QUERN_POSIX_H)
#    include <fcntl.h>
#    include <unistd.h>
#endif

enum { FD_BUFFER = 65536, UNCOPIED_FROM = 512 };

const char *const cbor_target_names[CBOR_TARGETS] = {
    [TO_MEMORY] = "reused", [TO_FRESH] = "fresh",         [TO_FIXED] = "fixed",
    [TO_FD] = "fd",         [TO_WRITEV] = "fd by writev", [TO_IOVEC] = "iovec"};

/* The block that all contenders reuse: which pages it lies on matters more than what writes there. */
static quern_memory_sink reused;

struct cbor_writing {
    const cbor_source *source;
    cbor_target target;
    cbor_way way;
    const char *variant;
    size_t slice;
    void *buffer; /* of a fixed sink and of a descriptor's */
    int fd;
    union sinks {
        quern_sink sink; /* all begin with it */
        quern_memory_sink memory;
        quern_fixed_sink fixed;
#if defined(QUERN_POSIX_H)
        quern_fd_sink fd;
        quern_iovec_sink iovec;
#endif
    } to;
};

static void open_sink(cbor_writing *w)
{
    const size_t hint = w->way == SIZE_HINTED ? cbor_room(w->source) : 0;
    quern_memory_sink_init(&w->to.memory,
                           &(quern_memory_sink_options){.size = sizeof(quern_memory_sink_options), .hint = hint});
}

cbor_writing *cbor_writing_open(const cbor_source *source, cbor_target target, cbor_way way, const char *variant)
{
    cbor_writing *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    *w = (cbor_writing){.source = source, .target = target, .way = way, .variant = variant, .fd = -1};
    quern_variant_force(variant);
    switch (target) {
    case TO_FIXED: w->buffer = malloc(cbor_room(source)); break;
#if defined(QUERN_POSIX_H)
    case TO_FD:
    case TO_WRITEV:
        w->buffer = malloc(FD_BUFFER);
        w->fd = open("/dev/null", O_WRONLY);
        if (w->fd < 0)
            abort();
        break;
    case TO_IOVEC:
        quern_iovec_sink_init(&w->to.iovec, &(quern_iovec_sink_options){.size = sizeof(quern_iovec_sink_options),
                                                                        .threshold = UNCOPIED_FROM});
        break;
#else
    case TO_FD:
    case TO_WRITEV:
    case TO_IOVEC: free(w); return NULL;
#endif
    case TO_MEMORY:
        if (!reused.sink.limit)
            quern_memory_sink_init(&reused, NULL);
        break;
    default: open_sink(w); break;
    }
    return w;
}

/* ---- the values ---- */

static quern_status write_values(const cbor_writing *w, quern_sink *sink, const void *data)
{
    const cbor_source *source = w->source;
    quern_cbor_writer writer;
    quern_cbor_writer_init(&writer, sink, NULL);
    switch (source->kind) {
    case CBOR_BINARY:
        quern_cbor_begin_map(&writer, 2);
        quern_cbor_write_key(&writer, "data", 4);
        quern_cbor_write_bytes_ref(&writer, data, source->count);
        quern_cbor_write_key(&writer, "type", 4);
        quern_cbor_write_string(&writer, "binary", 6);
        quern_cbor_end(&writer);
        break;
    case CBOR_UINTS:
        quern_cbor_begin_array(&writer, source->count);
        if (w->way != ONE_BY_ONE)
            quern_cbor_write_u64s(&writer, data, source->count);
        else
            for (size_t i = 0; i < source->count; i++)
                quern_cbor_write_uint(&writer, ((const uint64_t *)data)[i]);
        quern_cbor_end(&writer);
        break;
    case CBOR_DOUBLES:
        quern_cbor_begin_array(&writer, source->count);
        if (w->way != ONE_BY_ONE)
            quern_cbor_write_doubles(&writer, data, source->count);
        else
            for (size_t i = 0; i < source->count; i++)
                quern_cbor_write_double(&writer, ((const double *)data)[i]);
        quern_cbor_end(&writer);
        break;
    case CBOR_TYPED:
        quern_cbor_write_typed_array(&writer,
                                     source->width == 2   ? QUERN_CBOR_UINT16
                                     : source->width == 4 ? QUERN_CBOR_UINT32
                                                          : QUERN_CBOR_FLOAT64,
                                     !source->swapped              ? QUERN_CBOR_NATIVE_ORDER
                                     : (cbor_tag(source) & 7) >= 4 ? QUERN_CBOR_LITTLE_ENDIAN
                                                                   : QUERN_CBOR_BIG_ENDIAN,
                                     data, source->count);
        break;
    }
    return quern_cbor_writer_finish(&writer);
}

/* ---- to a sink ---- */

static uint64_t write_once(cbor_writing *w, const void *data)
{
    quern_sink *sink = w->target == TO_MEMORY ? &reused.sink : &w->to.sink;
    switch (w->target) {
    case TO_FIXED: quern_fixed_sink_init(&w->to.fixed, w->buffer, cbor_room(w->source)); break;
#if defined(QUERN_POSIX_H)
    case TO_FD:
    case TO_WRITEV:
        quern_fd_sink_init(&w->to.fd, w->fd,
                           &(quern_fd_sink_options){.size = sizeof(quern_fd_sink_options),
                                                    .buffer = w->buffer,
                                                    .buffer_size = FD_BUFFER,
                                                    .threshold = w->target == TO_FD ? SIZE_MAX : UNCOPIED_FROM});
        break;
    case TO_IOVEC: quern_iovec_sink_reset(&w->to.iovec); break;
#endif
    case TO_MEMORY: quern_memory_sink_reset(&reused); break;
    default: break; /* it is new */
    }
    uint64_t total = write_values(w, sink, data) == QUERN_OK ? quern_sink_total(sink) : 0;
    if (w->target == TO_FRESH) {
        quern_memory_sink_free(&w->to.memory);
        open_sink(w);
    }
#if defined(QUERN_POSIX_H)
    if (w->fd >= 0 && quern_sink_finish(sink) != QUERN_OK)
        total = 0;
    if (w->target == TO_IOVEC) {
        struct iovec *segments;
        size_t count;
        if (quern_iovec_sink_view(&w->to.iovec, &segments, &count) != QUERN_OK || count == 0)
            total = 0;
    }
#endif
    return total;
}

uint64_t cbor_writing_run(void *writing, size_t repeat)
{
    cbor_writing *w = writing;
    uint64_t sum = 0;
    quern_variant_force(w->variant);
    for (size_t r = 0; r < repeat; r++) {
        sum += write_once(w, cbor_slice(w->source, w->slice));
        w->slice = cbor_next(w->source, w->slice);
    }
    return sum;
}

/* ---- the check ---- */

#if defined(QUERN_POSIX_H)
static bool is_right_in_file(cbor_writing *w, const void *data, const uint8_t *expected, size_t length)
{
    FILE *file = tmpfile();
    uint8_t *got = malloc(length + 1);
    const int null = w->fd;
    if (!file || !got)
        abort();
    w->fd = fileno(file);
    bool right = write_once(w, data) == length;
    w->fd = null;
    rewind(file);
    right = right && fread(got, 1, length + 1, file) == length && memcmp(got, expected, length) == 0;
    fclose(file);
    free(got);
    return right;
}

static bool is_right_in_segments(cbor_writing *w, const uint8_t *expected, size_t length)
{
    size_t at = 0;
    for (;;) {
        struct iovec *segments;
        size_t count, sum = 0;
        quern_iovec_sink_view(&w->to.iovec, &segments, &count);
        if (count == 0)
            return at == length;
        for (size_t i = 0; i < count; i++) {
            const size_t part = segments[i].iov_len;
            if (part > length - at - sum || memcmp(expected + at + sum, segments[i].iov_base, part) != 0)
                return false;
            sum += part;
        }
        quern_iovec_sink_consume(&w->to.iovec, sum);
        at += sum;
    }
}
#endif

/* Before it is freed. */
static bool is_right_in_fresh(cbor_writing *w, const void *data, const uint8_t *expected, size_t length)
{
    bool right = write_values(w, &w->to.sink, data) == QUERN_OK;
    const quern_string got = quern_memory_sink_view(&w->to.memory);
    right = right && got.length == length && memcmp(got.data, expected, length) == 0;
    quern_memory_sink_free(&w->to.memory);
    open_sink(w);
    return right;
}

bool cbor_writing_is_right(cbor_writing *w, size_t slice, const uint8_t *expected, size_t length)
{
    const void *data = cbor_slice(w->source, slice);
    quern_variant_force(w->variant);
#if defined(QUERN_POSIX_H)
    if (w->fd >= 0)
        return is_right_in_file(w, data, expected, length);
#endif
    if (w->target == TO_FRESH)
        return is_right_in_fresh(w, data, expected, length);
    bool right = write_once(w, data) == length;
#if defined(QUERN_POSIX_H)
    if (w->target == TO_IOVEC)
        return right && is_right_in_segments(w, expected, length);
#endif
    const quern_string got =
        w->target == TO_FIXED ? (quern_string){w->buffer, length} : quern_memory_sink_view(&reused);
    return right && got.length == length && memcmp(got.data, expected, length) == 0;
}

void cbor_writing_close(cbor_writing *w)
{
    if (w->target == TO_FRESH)
        quern_memory_sink_free(&w->to.memory);
#if defined(QUERN_POSIX_H)
    if (w->target == TO_IOVEC)
        quern_iovec_sink_free(&w->to.iovec);
    if (w->fd >= 0)
        close(w->fd);
#endif
    free(w->buffer);
    free(w);
}
