/* SPDX-License-Identifier: MIT */
/* The allocator that stands for NULL: malloc, realloc, free. */
#ifndef QUERN_COMMON_ALLOCATOR_H
#define QUERN_COMMON_ALLOCATOR_H

#include <quern/base.h>

#include <stdlib.h>

static inline void *resize_by_malloc(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

/* A copy of what the caller gave, so that his object need not stay. */
static inline quern_allocator allocator_or_malloc(const quern_allocator *allocator)
{
    return allocator ? *allocator : (quern_allocator){resize_by_malloc, NULL};
}

#endif
