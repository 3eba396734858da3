/* SPDX-License-Identifier: MIT */
/* The fixed sink: the caller's array, and a count that goes on when it is full. */
#include <quern/sink.h>

#include <assert.h>

static quern_status fixed_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    quern_fixed_sink *f = context;
    f->length_ = (size_t)f->sink.taken_ + *used; /* some may have been taken without a call */
    *room = f->size_ - f->length_;
    *block = *room ? f->data_ + f->length_ : NULL;
    return *room < wanted ? QUERN_ERROR_ROOM : QUERN_OK;
}

static const quern_sink_ops fixed_ops = {.size = sizeof(quern_sink_ops), .next = fixed_next};

void quern_fixed_sink_init(quern_fixed_sink *f, void *buffer, size_t size)
{
    assert(f && (buffer || size == 0));
    quern_sink_init(&f->sink, &fixed_ops, f);
    f->sink.counts_ = f->sink.keeps_ = true;
    f->data_ = buffer;
    f->length_ = 0;
    f->size_ = size;
}

uint64_t quern_fixed_sink_needed(const quern_fixed_sink *f)
{
    const quern_sink *sink = &f->sink;
    const bool lost = sink->status_ != QUERN_OK && sink->bouncing_;
    return quern_sink_total(sink) + sink->lost_ + (lost ? (uint64_t)(sink->cursor - sink->bounce_) : 0);
}
