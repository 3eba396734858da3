/* SPDX-License-Identifier: MIT */
#include "document.h"
#include "texts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* More than the strings of a status and of a user take. */
enum { ARENA_PER_STATUS = 4096 };

typedef struct maker {
    uint64_t state;
    char *at, *end;
} maker;

static uint64_t below(maker *m, uint64_t limit)
{
    return (bench_random(&m->state) >> 11) % limit;
}

static bool chance(maker *m, unsigned percent)
{
    return below(m, 100) < percent;
}

/* What was written at m->at becomes a string. */
static bench_string keep(maker *m, size_t length)
{
    if (length >= (size_t)(m->end - m->at))
        abort();
    const bench_string s = {m->at, length};
    m->at[length] = 0;
    m->at += length + 1;
    return s;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bench_string
format(maker *m, const char *pattern, ...)
{
    va_list arguments;
    va_start(arguments, pattern);
    const int length = vsnprintf(m->at, (size_t)(m->end - m->at), pattern, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    return keep(m, (size_t)length);
}

static bench_string copy(maker *m, const char *text)
{
    return format(m, "%s", text);
}

/* Letters and digits only. */
static bench_string name(maker *m, size_t least, size_t most)
{
    const size_t length = least + (size_t)below(m, most - least + 1);
    for (size_t i = 0; i < length; i++)
        m->at[i] = "abcdefghijklmnopqrstuvwxyz_0123456789"[below(m, 37)];
    return keep(m, length);
}

/* Words of a script that is drawn for it, with a quotation mark, a line feed or a reverse solidus now and then. */
static bench_string prose(maker *m, size_t least, size_t most, unsigned escapes)
{
    static const size_t scripts[] = {TEXT_ASCII, TEXT_ASCII, TEXT_ASCII, 1, 2, 3, 4, 4, 5};
    const text_script *script = &text_scripts[scripts[below(m, sizeof scripts / sizeof scripts[0])]];
    size_t length = text_put(m->at, least + (size_t)below(m, most - least + 1), script, &m->state);
    while (chance(m, escapes))
        m->at[length++] = "\"\n\n\\"[below(m, 4)];
    length += text_put(m->at + length, (size_t)below(m, least + 1), script, &m->state);
    return keep(m, length);
}

static bench_string day(maker *m)
{
    static const char days[][4] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const char *day = days[below(m, 7)], *month = months[below(m, 12)];
    const unsigned at = 1 + (unsigned)below(m, 28), hour = (unsigned)below(m, 24), minute = (unsigned)below(m, 60);
    return format(m, "%s %s %02u %02u:%02u:%02u +0000 %u", day, month, at, hour, minute, (unsigned)below(m, 60),
                  2006 + (unsigned)below(m, 20));
}

/* Counts are small more often than large. */
static int64_t count_to(maker *m, uint64_t limit)
{
    return (int64_t)(below(m, limit) >> below(m, 20));
}

static bench_string language(maker *m)
{
    static const char languages[][3] = {"ja", "en", "ru", "fr", "de", "zh", "es"};
    return copy(m, languages[below(m, 7)]);
}

static void make_user(maker *m, bench_user *u)
{
    u->id = 10000000 + below(m, 3000000000);
    u->id_text = format(m, "%llu", (unsigned long long)u->id);
    u->name = prose(m, 4, 24, 2);
    u->screen_name = name(m, 5, 15);
    u->location = chance(m, 40) ? prose(m, 4, 20, 2) : copy(m, "");
    u->description = chance(m, 85) ? prose(m, 20, 200, 40) : copy(m, "");
    u->created_at = day(m);
    u->language = language(m);
    const bench_string file = name(m, 8, 8);
    u->picture = format(m, "https://pictures.example.org/profile_images/%llu/%s_normal.jpeg",
                        (unsigned long long)below(m, UINT64_C(1000000000000000000)), file.data);
    u->followers = count_to(m, 100000);
    u->friends = count_to(m, 10000);
    u->listed = count_to(m, 1000);
    u->favourites = count_to(m, 100000);
    u->statuses = count_to(m, 500000);
    u->has_utc_offset = chance(m, 50);
    u->utc_offset = 3600 * ((int64_t)below(m, 24) - 11);
    u->verified = chance(m, 2);
    u->geo_enabled = chance(m, 30);
    u->default_profile = chance(m, 50);
}

static void make_status(maker *m, bench_status *s, const bench_user *users, size_t count)
{
    static const char *const sources[] = {
        "<a href=\"https://social.example.org/\" rel=\"nofollow\">Social Web Client</a>",
        "<a href=\"https://social.example.org/download/phone\" rel=\"nofollow\">Social for a Phone</a>",
        "<a href=\"https://robots.example.net\" rel=\"nofollow\">a robot</a>", "web"};
    s->id = UINT64_C(505000000000000000) + below(m, UINT64_C(900000000000000));
    s->id_text = format(m, "%llu", (unsigned long long)s->id);
    s->reply_to = chance(m, 20) ? s->id - 1 - below(m, 1000000000) : 0;
    s->created_at = day(m);
    s->text = prose(m, 20, 220, 45);
    s->source = copy(m, sources[below(m, 4)]);
    s->language = language(m);
    s->user = &users[below(m, count)];
    s->mention_count = (size_t)below(m, STATUS_MENTIONS + 1);
    for (size_t i = 0; i < s->mention_count; i++)
        s->mentions[i] = &users[below(m, count)];
    s->tag_count = chance(m, 25) ? 1 + (size_t)below(m, STATUS_TAGS) : 0;
    for (size_t i = 0; i < s->tag_count; i++) {
        s->tags[i] = prose(m, 4, 16, 0);
        s->tag_places[i][0] = (int64_t)below(m, 120);
        s->tag_places[i][1] = s->tag_places[i][0] + (int64_t)s->tags[i].length;
    }
    s->has_place = chance(m, 5);
    s->latitude = (double)((int64_t)below(m, 180000000) - 90000000) / 1e6;
    s->longitude = (double)((int64_t)below(m, 360000000) - 180000000) / 1e6;
    s->truncated = chance(m, 3);
    s->favorited = chance(m, 3);
    s->repeated_by_me = chance(m, 3);
    s->sensitive = chance(m, 10);
    s->repeats = count_to(m, 5000);
    s->favorites = count_to(m, 5000);
}

bench_source document_make(size_t count)
{
    static char *arena; /* static, for a leak checker to see them */
    static bench_user *users;
    static bench_status *statuses;
    const size_t size = count * ARENA_PER_STATUS;
    arena = malloc(size);
    users = calloc(count, sizeof *users);
    statuses = calloc(count, sizeof *statuses);
    if (!arena || !users || !statuses)
        abort();
    maker m = {.state = 20, .at = arena, .end = arena + size};
    for (size_t i = 0; i < count; i++)
        make_user(&m, &users[i]);
    for (size_t i = 0; i < count; i++)
        make_status(&m, &statuses[i], users, count);
    for (size_t i = 0; i < count; i++)
        statuses[i].repeated = chance(&m, 60) ? &statuses[below(&m, count)] : NULL;
    return (bench_source){
        .kind = BENCH_STATUSES, .statuses = statuses, .count = count, .room = count * 2 * ARENA_PER_STATUS};
}
