/* SPDX-License-Identifier: MIT */
/*
 * A source, value by value. To be included where a type `walker` and these functions are defined, all static and taking
 * a walker * first: put_map, put_map_end, put_array, put_array_end, put_key and put_string (data, length), put_int,
 * put_uint, put_double, put_bool, put_null. A library that writes by calls writes here; one that writes a DOM builds
 * it; the check reads. Keys end with a NUL, which is not counted.
 */
#ifndef QUERN_BENCH_WALK_H
#define QUERN_BENCH_WALK_H

#include "document.h"

#define WALK_KEY(text) put_key(w, text, sizeof text - 1)
#define WALK_MEMBER(key, type, ...) (WALK_KEY(key), put_##type(w, __VA_ARGS__))
#define WALK_TEXT(key, value) WALK_MEMBER(key, string, (value).data, (value).length)

static inline void walk_user(walker *w, const bench_user *u)
{
    put_map(w);
    WALK_MEMBER("id", uint, u->id);
    WALK_TEXT("id_str", u->id_text);
    WALK_TEXT("name", u->name);
    WALK_TEXT("screen_name", u->screen_name);
    WALK_TEXT("location", u->location);
    WALK_TEXT("description", u->description);
    WALK_KEY("url");
    put_null(w);
    WALK_MEMBER("followers_count", int, u->followers);
    WALK_MEMBER("friends_count", int, u->friends);
    WALK_MEMBER("listed_count", int, u->listed);
    WALK_TEXT("created_at", u->created_at);
    WALK_MEMBER("favourites_count", int, u->favourites);
    WALK_KEY("utc_offset");
    if (u->has_utc_offset)
        put_int(w, u->utc_offset);
    else
        put_null(w);
    WALK_MEMBER("geo_enabled", bool, u->geo_enabled);
    WALK_MEMBER("verified", bool, u->verified);
    WALK_MEMBER("statuses_count", int, u->statuses);
    WALK_TEXT("lang", u->language);
    WALK_TEXT("profile_image_url_https", u->picture);
    WALK_MEMBER("default_profile", bool, u->default_profile);
    put_map_end(w);
}

/* A status up to what it repeats. */
static inline void walk_status_itself(walker *w, const bench_status *s)
{
    put_map(w);
    WALK_TEXT("created_at", s->created_at);
    WALK_MEMBER("id", uint, s->id);
    WALK_TEXT("id_str", s->id_text);
    WALK_TEXT("text", s->text);
    WALK_TEXT("source", s->source);
    WALK_MEMBER("truncated", bool, s->truncated);
    WALK_KEY("in_reply_to_status_id");
    if (s->reply_to)
        put_uint(w, s->reply_to);
    else
        put_null(w);
    WALK_KEY("user");
    walk_user(w, s->user);
    WALK_KEY("coordinates");
    if (s->has_place) {
        put_array(w);
        put_double(w, s->longitude);
        put_double(w, s->latitude);
        put_array_end(w);
    } else {
        put_null(w);
    }
    WALK_MEMBER("retweet_count", int, s->repeats);
    WALK_MEMBER("favorite_count", int, s->favorites);
    WALK_KEY("entities");
    put_map(w);
    WALK_KEY("hashtags");
    put_array(w);
    for (size_t t = 0; t < s->tag_count; t++) {
        put_map(w);
        WALK_TEXT("text", s->tags[t]);
        WALK_KEY("indices");
        put_array(w);
        put_int(w, s->tag_places[t][0]);
        put_int(w, s->tag_places[t][1]);
        put_array_end(w);
        put_map_end(w);
    }
    put_array_end(w);
    WALK_KEY("urls");
    put_array(w);
    put_array_end(w);
    WALK_KEY("user_mentions");
    put_array(w);
    for (size_t m = 0; m < s->mention_count; m++) {
        put_map(w);
        WALK_TEXT("screen_name", s->mentions[m]->screen_name);
        WALK_TEXT("name", s->mentions[m]->name);
        WALK_MEMBER("id", uint, s->mentions[m]->id);
        put_map_end(w);
    }
    put_array_end(w);
    put_map_end(w);
    WALK_MEMBER("favorited", bool, s->favorited);
    WALK_MEMBER("retweeted", bool, s->repeated_by_me);
    WALK_MEMBER("possibly_sensitive", bool, s->sensitive);
    WALK_TEXT("lang", s->language);
}

static void walk_statuses(walker *w, const bench_source *source)
{
    put_map(w);
    WALK_KEY("statuses");
    put_array(w);
    for (size_t i = 0; i < source->count; i++) {
        const bench_status *s = &source->statuses[i];
        walk_status_itself(w, s);
        if (s->repeated) {
            WALK_KEY("retweeted_status");
            walk_status_itself(w, s->repeated);
            put_map_end(w);
        }
        put_map_end(w);
    }
    put_array_end(w);
    put_map_end(w);
}

/* Of all kinds but BENCH_STATUSES. */
static inline void walk_elements(walker *w, const bench_source *source)
{
    const bench_input *input = &source->strings;
    put_array(w);
    if (source->kind == BENCH_STRINGS) {
        for (size_t p = 0; p < input->pieces; p++) {
            const uint32_t at = input->begin[p];
            put_string(w, input->pool + at, input->begin[p + 1] - at);
        }
    } else if (source->kind == BENCH_INTS) {
        for (size_t i = 0; i < source->count; i++)
            put_int(w, source->ints[i]);
    } else if (source->kind == BENCH_UINTS) {
        for (size_t i = 0; i < source->count; i++)
            put_uint(w, source->uints[i]);
    } else {
        for (size_t i = 0; i < source->count; i++)
            put_double(w, source->doubles[i]);
    }
    put_array_end(w);
}

static inline void walk(walker *w, const bench_source *source)
{
    if (source->kind == BENCH_STATUSES)
        walk_statuses(w, source);
    else
        walk_elements(w, source);
}

#endif
