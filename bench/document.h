/* SPDX-License-Identifier: MIT */
/* A document like the answer of a social network's search: statuses with nested users, texts in several scripts,
 * identifiers as numbers and strings, counts, booleans and nulls. It is what a program has in its own structures before
 * it writes. */
#ifndef QUERN_BENCH_DOCUMENT_H
#define QUERN_BENCH_DOCUMENT_H

#include "source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_string {
    const char *data; /* ends with a NUL, which is not counted */
    size_t length;
} bench_string;

typedef struct bench_user {
    uint64_t id;
    bench_string id_text, name, screen_name, location, description, created_at, language, picture;
    int64_t followers, friends, listed, favourites, statuses, utc_offset;
    bool has_utc_offset, verified, geo_enabled, default_profile;
} bench_user;

enum { STATUS_MENTIONS = 2, STATUS_TAGS = 2 };

typedef struct bench_status {
    uint64_t id, reply_to; /* 0: none */
    bench_string created_at, id_text, text, source, language;
    const bench_user *user;
    const struct bench_status *repeated; /* another status, which repeats none itself, or NULL */
    size_t mention_count, tag_count;
    const bench_user *mentions[STATUS_MENTIONS];
    bench_string tags[STATUS_TAGS];
    int64_t tag_places[STATUS_TAGS][2];
    double latitude, longitude;
    bool has_place, truncated, favorited, repeated_by_me, sensitive;
    int64_t repeats, favorites;
} bench_status;

/* A reproducible document of `count` statuses, which lives as long as the program. */
bench_source document_make(size_t count);

#ifdef __cplusplus
}
#endif
#endif
