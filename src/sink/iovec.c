/* SPDX-License-Identifier: MIT */
/*
 * The iovec sink: an array of segments over the caller's runs and over blocks of its own.
 *
 * A segment is the array's last entry for as long as what follows stands right behind it. A place in the array is had
 * before bytes are, so that none is accepted that cannot be kept.
 */
#define _XOPEN_SOURCE 700 /* IOV_MAX */
#include <quern/posix.h>

#include "common/allocator.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#ifdef IOV_MAX
#    define MOST_SEGMENTS IOV_MAX
#else
#    define MOST_SEGMENTS 16 /* what POSIX guarantees */
#endif

enum { USUAL_BLOCK = 4096, LARGEST_STEP = 1 << 18, FIRST_SEGMENTS = 16 };

/* The head of a block; its bytes are behind it. */
typedef struct block {
    struct block *next;
    size_t size; /* of the bytes */
} block;

static uint8_t *bytes_of(block *b)
{
    return (uint8_t *)b + sizeof *b;
}

static size_t left_to_allocate(const quern_iovec_sink *v)
{
    return v->limit_ - v->allocated_;
}

/* A place in the array for `wanted` more segments. */
static quern_status make_places(quern_iovec_sink *v, size_t wanted)
{
    if (wanted <= v->capacity_ - v->count_)
        return QUERN_OK;
    const size_t old = v->capacity_, most = left_to_allocate(v) / sizeof(struct iovec) + old;
    size_t target = old ? old * 2 : FIRST_SEGMENTS;
    if (target > most)
        target = most;
    if (target < v->count_ + wanted)
        return QUERN_ERROR_LIMIT;
    struct iovec *segments =
        v->allocator_.resize(v->allocator_.context, v->segments_, old * sizeof *segments, target * sizeof *segments);
    if (!segments)
        return QUERN_ERROR_MEMORY;
    v->allocated_ += (target - old) * sizeof *segments;
    v->segments_ = segments;
    v->capacity_ = target;
    return QUERN_OK;
}

/* Appends bytes; there is a place for a segment. */
static void append(quern_iovec_sink *v, const uint8_t *data, size_t length)
{
    if (v->count_ > v->first_) {
        struct iovec *last = &v->segments_[v->count_ - 1];
        if ((const uint8_t *)last->iov_base + last->iov_len == data && length <= PTRDIFF_MAX - last->iov_len) {
            last->iov_len += length;
            return;
        }
    }
    v->segments_[v->count_++] = (struct iovec){(void *)(uintptr_t)data, length};
}

/* Returns the one behind it. */
static block *free_block(quern_iovec_sink *v, block *b)
{
    block *next = b->next;
    v->allocated_ -= sizeof *b + b->size;
    v->allocator_.resize(v->allocator_.context, b, sizeof *b + b->size, 0);
    return next;
}

/* What comes behind the current block. */
static void link_block(quern_iovec_sink *v, block *b)
{
    if (v->current_)
        ((block *)v->current_)->next = b;
    else
        v->blocks_ = b;
}

/* Makes a block with room for `wanted` bytes the current one, or one with as many as the limit leaves. */
static quern_status next_block(quern_iovec_sink *v, size_t wanted)
{
    block *current = v->current_, *b = current ? current->next : v->blocks_;
    quern_status status = QUERN_OK;
    /* Kept, those that are too short would come before every longer one, use after use, and count for the limit. */
    while (b && b->size < wanted)
        b = free_block(v, b);
    link_block(v, b);
    if (!b) {
        size_t most = left_to_allocate(v), size = v->block_size_;
        if (current && size <= current->size && size < LARGEST_STEP)
            size = current->size < LARGEST_STEP / 2 ? current->size * 2 : LARGEST_STEP;
        most = most > sizeof *b ? most - sizeof *b : 0;
        if (size < wanted)
            size = wanted;
        if (size > most) {
            size = most;
            if (size < wanted)
                status = QUERN_ERROR_LIMIT;
            if (!size)
                return status;
        }
        block *fresh = v->allocator_.resize(v->allocator_.context, NULL, 0, sizeof *fresh + size);
        if (!fresh)
            return QUERN_ERROR_MEMORY;
        v->allocated_ += sizeof *fresh + size;
        *fresh = (block){NULL, size};
        link_block(v, fresh);
        b = fresh;
    }
    v->current_ = b;
    v->filled_ = 0;
    return status;
}

static size_t room_left(const quern_iovec_sink *v)
{
    return v->current_ ? ((const block *)v->current_)->size - v->filled_ : 0;
}

static quern_status iovec_next(void *context, size_t *used, size_t wanted, uint8_t **bytes, size_t *room)
{
    quern_iovec_sink *v = context;
    quern_status status = QUERN_OK;
    if (*used) {
        append(v, bytes_of(v->current_) + v->filled_, *used);
        v->filled_ += *used;
    }
    *bytes = NULL;
    *room = 0;
    if (wanted)
        status = make_places(v, 1);
    if (status == QUERN_OK && wanted > room_left(v))
        status = next_block(v, wanted);
    if (wanted && room_left(v) && v->count_ < v->capacity_) {
        *bytes = bytes_of(v->current_) + v->filled_;
        *room = room_left(v);
    }
    return status;
}

static quern_status iovec_reference(void *context, const void *data, size_t *length)
{
    quern_iovec_sink *v = context;
    const quern_status status = make_places(v, 1);
    if (status == QUERN_OK)
        append(v, data, *length);
    else
        *length = 0;
    return status;
}

static const quern_sink_ops iovec_ops = {
    .size = sizeof(quern_sink_ops), .next = iovec_next, .reference = iovec_reference};

static void open_sink(quern_iovec_sink *v)
{
    quern_sink_init(&v->sink, &iovec_ops, v);
    v->sink.uncopied_ = v->threshold_;
    v->first_ = v->count_ = 0;
    v->current_ = NULL;
    v->filled_ = 0;
}

void quern_iovec_sink_init(quern_iovec_sink *v, const quern_iovec_sink_options *options)
{
    static const quern_iovec_sink_options none = {.size = sizeof none};
    const quern_iovec_sink_options *o = options ? options : &none;
    assert(v);
    v->segments_ = NULL;
    v->blocks_ = NULL;
    v->capacity_ = v->allocated_ = 0;
    v->block_size_ = o->block_size ? o->block_size : USUAL_BLOCK;
    v->limit_ = o->limit && o->limit < PTRDIFF_MAX ? o->limit : PTRDIFF_MAX;
    v->threshold_ = o->threshold ? o->threshold : QUERN_UNCOPIED;
    v->allocator_ = allocator_or_malloc(o->allocator);
    memset(v->reserved_, 0, sizeof v->reserved_);
    open_sink(v);
}

quern_status quern_iovec_sink_view(quern_iovec_sink *v, struct iovec **segments, size_t *count)
{
    const quern_status status = quern_sink_flush(&v->sink);
    const size_t left = v->count_ - v->first_, most = left < MOST_SEGMENTS ? left : MOST_SEGMENTS;
    /* (A run may be referenced many times: more bytes than there is memory. writev refuses more than ssize_t has.) */
    size_t bytes = 0;
    for (*count = 0; *count < most; ++*count) {
        const size_t length = v->segments_[v->first_ + *count].iov_len;
        if (length > PTRDIFF_MAX - bytes)
            break;
        bytes += length;
    }
    *segments = left ? v->segments_ + v->first_ : NULL;
    return status;
}

void quern_iovec_sink_consume(quern_iovec_sink *v, size_t length)
{
    while (length && v->first_ < v->count_) {
        struct iovec *segment = &v->segments_[v->first_];
        if (length < segment->iov_len) {
            segment->iov_base = (uint8_t *)segment->iov_base + length;
            segment->iov_len -= length;
            return;
        }
        length -= segment->iov_len;
        v->first_++;
    }
    assert(!length);
}

void quern_iovec_sink_reset(quern_iovec_sink *v)
{
    const uint64_t marks = v->sink.marks_; /* those of before must not be taken for later ones */
    const quern_allocator allocator = v->sink.hold_allocator_;
    const size_t limit = v->sink.hold_limit_;
    quern_sink_finish(&v->sink); /* frees what a mark holds */
    open_sink(v);
    v->sink.marks_ = marks;
    quern_sink_set_hold(&v->sink, &allocator, limit);
}

void quern_iovec_sink_free(quern_iovec_sink *v)
{
    quern_iovec_sink_reset(v);
    quern_sink_set_hold(&v->sink, NULL, 0);
    for (block *b = v->blocks_; b;)
        b = free_block(v, b);
    if (v->segments_)
        v->allocator_.resize(v->allocator_.context, v->segments_, v->capacity_ * sizeof *v->segments_, 0);
    v->blocks_ = NULL;
    v->segments_ = NULL;
    v->capacity_ = v->allocated_ = 0;
}
