/* SPDX-License-Identifier: MIT */
/*
 * The memory sink: one block, grown by doubling through the allocator's resize. It is never zeroed, and nothing ahead
 * of the cursor is touched but the slack of the last store: fresh pages cost more than the bytes that are written to
 * them.
 */
#include <quern/sink.h>

#include "common/allocator.h"
#include "sink/sink.h"

#include <assert.h>

enum { SMALLEST = 256 };

/* Grows to hold `wanted` more bytes than length_, all sizes held below what an object can be. */
static quern_status grow(quern_memory_sink *m, size_t wanted)
{
    const size_t most = m->limit_ && m->limit_ < PTRDIFF_MAX ? m->limit_ : (size_t)PTRDIFF_MAX;
    const size_t left = most - m->length_;
    quern_status status = QUERN_OK;
    size_t target;
    if (wanted > left) {
        /* Too much. Only when the limit is near anyway is it worth growing up to it. */
        status = QUERN_ERROR_LIMIT;
        if (left > QUERN_RESERVE + QUERN_SLACK || m->capacity_ == most)
            return status;
        target = most;
    } else {
        target = m->capacity_ ? m->capacity_ * 2 : m->hint_;
        if (target < SMALLEST)
            target = SMALLEST;
        if (target < m->length_ + wanted) {
            /* A long run; more will come behind it, and should not need another block. */
            target = m->length_ + wanted;
            target += most - target < QUERN_RESERVE + QUERN_SLACK ? most - target : QUERN_RESERVE + QUERN_SLACK;
        }
        if (target > most)
            target = most;
    }
    void *data = m->allocator_.resize(m->allocator_.context, m->data_, m->capacity_, target);
    if (!data)
        return QUERN_ERROR_MEMORY;
    m->data_ = data;
    m->capacity_ = target;
    return status;
}

static quern_status memory_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    quern_memory_sink *m = context;
    quern_status status = QUERN_OK;
    m->length_ = (size_t)m->sink.taken_ + *used; /* some may have been taken without a call */
    if (wanted > m->capacity_ - m->length_)
        status = grow(m, wanted);
    *room = m->capacity_ - m->length_;
    *block = *room ? m->data_ + m->length_ : NULL;
    return status;
}

static const quern_sink_ops memory_ops = {.size = sizeof(quern_sink_ops), .next = memory_next};

static void open_sink(quern_memory_sink *m)
{
    quern_sink_init(&m->sink, &memory_ops, m);
    m->sink.keeps_ = true;
}

void quern_memory_sink_init(quern_memory_sink *m, const quern_memory_sink_options *options)
{
    assert(m);
    open_sink(m);
    m->data_ = NULL;
    m->length_ = m->capacity_ = 0;
    m->hint_ = options ? options->hint : 0;
    m->limit_ = options ? options->limit : 0;
    m->allocator_ = allocator_or_malloc(options ? options->allocator : NULL);
}

quern_string quern_memory_sink_view(quern_memory_sink *m)
{
    quern_sink_flush(&m->sink);
    /* Bytes that a mark holds stand behind the others, but are not the back end's yet. */
    return (quern_string){(const char *)m->data_, (size_t)quern_sink_total(&m->sink)};
}

quern_status quern_memory_sink_take(quern_memory_sink *m, quern_memory_block *block)
{
    quern_status status = quern_sink_flush(&m->sink);
    if (status == QUERN_OK && m->sink.newest_)
        status = QUERN_ERROR_MISUSE;
    m->length_ = (size_t)m->sink.taken_;
    if (m->length_ < m->capacity_) {
        void *data = m->allocator_.resize(m->allocator_.context, m->data_, m->capacity_, m->length_);
        if (data || m->length_ == 0) {
            m->data_ = data;
            m->capacity_ = m->length_;
        }
    }
    *block = (quern_memory_block){m->data_, m->length_, m->capacity_};
    m->data_ = NULL;
    m->capacity_ = 0;
    quern_memory_sink_reset(m);
    return status;
}

void quern_memory_sink_reset(quern_memory_sink *m)
{
    m->length_ = 0;
    quern_sink_reopen(&m->sink, m->data_, m->capacity_);
}

void quern_memory_sink_free(quern_memory_sink *m)
{
    if (m->data_)
        m->allocator_.resize(m->allocator_.context, m->data_, m->capacity_, 0);
    m->data_ = NULL;
    m->capacity_ = 0;
    quern_memory_sink_reset(m);
}
