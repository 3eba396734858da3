/* SPDX-License-Identifier: MIT */
/* The callback sink, and FILE as one of them. */
#include <quern/sink.h>

#include <assert.h>

/* Hands over [data, data + *length), however often that takes; *length becomes what was taken. */
static quern_status hand_over(quern_callback_sink *c, const uint8_t *data, size_t *length)
{
    size_t done = 0;
    while (done < *length) {
        const size_t rest = *length - done;
        const ptrdiff_t taken = c->write_(c->context_, data + done, rest);
        if (taken <= 0 || (size_t)taken > rest) {
            *length = done;
            return QUERN_ERROR_IO;
        }
        done += (size_t)taken;
        if (c->file_ && done < *length) {
            /* fwrite is short only when the stream has failed and has dropped its buffer: to go on would leave a gap.
             */
            *length = done;
            return QUERN_ERROR_IO;
        }
    }
    return QUERN_OK;
}

static quern_status callback_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    quern_callback_sink *c = context;
    (void)wanted;
    quern_status status = hand_over(c, c->buffer_, used);
    *block = c->buffer_;
    *room = c->size_;
    return status;
}

static quern_status callback_write(void *context, const void *data, size_t *length)
{
    return hand_over(context, data, length);
}

static quern_status callback_flush(void *context)
{
    quern_callback_sink *c = context;
    return c->file_ && fflush(c->context_) != 0 ? QUERN_ERROR_IO : QUERN_OK;
}

static const quern_sink_ops callback_ops = {
    .size = sizeof(quern_sink_ops), .next = callback_next, .write = callback_write, .flush = callback_flush};

static ptrdiff_t write_to_file(void *context, const void *data, size_t length)
{
    return (ptrdiff_t)fwrite(data, 1, length, context);
}

void quern_callback_sink_init(quern_callback_sink *c, quern_write_function *write, void *context, void *buffer,
                              size_t size)
{
    assert(c && write && (buffer || size == 0));
    quern_sink_init(&c->sink, &callback_ops, c);
    c->buffer_ = buffer;
    c->size_ = size;
    c->write_ = write;
    c->context_ = context;
    c->file_ = false;
}

void quern_file_sink_init(quern_callback_sink *c, FILE *file, void *buffer, size_t size)
{
    quern_callback_sink_init(c, write_to_file, file, buffer, size);
    c->file_ = true;
}
