/* SPDX-License-Identifier: MIT */
/* A sink of one's own: counts the bytes and sums them up, in a buffer that it gets back each time, before they go on.
 */
#include <quern/json.h>

#include <stdio.h>

typedef struct checked {
    quern_sink sink; /* what one writes to */
    FILE *file;
    uint32_t sum;
    uint8_t buffer[256];
} checked;

/* Takes the first *used bytes of the buffer, and gives the buffer again. */
static quern_status checked_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    checked *c = context;
    (void)wanted; /* how much is coming: a buffer that grows would use that */
    const size_t written = fwrite(c->buffer, 1, *used, c->file);
    for (size_t i = 0; i < written; i++)
        c->sum = c->sum * 31 + c->buffer[i];
    *block = c->buffer;
    *room = sizeof c->buffer;
    if (written == *used)
        return QUERN_OK;
    *used = written; /* so that quern_sink_total is right */
    return QUERN_ERROR_IO;
}

static quern_status checked_flush(void *context)
{
    return fflush(((checked *)context)->file) == 0 ? QUERN_OK : QUERN_ERROR_IO;
}

static const quern_sink_ops checked_ops = {
    .size = sizeof(quern_sink_ops), .next = checked_next, .flush = checked_flush};

int main(void)
{
    checked out = {.file = stdout};
    quern_json_writer w;
    quern_sink_init(&out.sink, &checked_ops, &out);
    quern_json_writer_init(&w, &out.sink, NULL);

    quern_json_begin_array(&w);
    for (int i = 0; i < 200; i++)
        quern_json_write_int(&w, i);
    quern_json_end(&w);

    if (quern_json_writer_finish(&w) != QUERN_OK || quern_sink_finish(&out.sink) != QUERN_OK)
        return 1;
    printf("\n%llu bytes, sum %08x\n", (unsigned long long)quern_sink_total(&out.sink), (unsigned)out.sum);
    return 0;
}
