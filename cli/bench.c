/* SPDX-License-Identifier: MIT */
/*
 * The short form of the benchmarks: what each variant's kernels do on this machine, in about two seconds. A result is
 * compared with a plain loop's before anything is timed; the variants take turns, and the best round counts.
 */
#include "cli.h"

#include <string.h>
#include <time.h>

enum { SIZE = 256 * 1024, MOST_VARIANTS = 16, LEAST_ROUNDS = 2 };

static const double all_seconds = 1.9, turn_seconds = 0.0005;

static char plain[SIZE];       /* words of several scripts; nothing in it needs an escape */
static char quoted[SIZE];      /* the same with an escape in about 30 bytes */
static char escaped[2 * SIZE]; /* what that has to become, */
static size_t escaped_length;  /* with its length */
static char swapped[SIZE];     /* plain, each eight bytes the other way round */
static char target[2 * SIZE];  /* of the kernels */
static volatile size_t keeper; /* of results, lest a compiler leave the work out */

/* ---- texts ----------------------------------------------------------------------------------------- */

static uint32_t random_below(uint32_t n)
{
    static uint32_t state = 2463534242u; /* xorshift, Marsaglia 2003 */
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % n;
}

static void fill(char *to, bool escapes)
{
    static const char *const words[] = {"quern", "stone", "a",  "mill", "grinds", "between", "the", "is",
                                        "corn",  "flour", "of", "and",  "жёрнов", "μύλος",   "磨",  "🌾"};
    enum { WORDS = sizeof words / sizeof words[0] };
    size_t at = 0;
    while (at < SIZE) {
        const char *word = words[random_below(WORDS)];
        const size_t length = strlen(word);
        if (length + 1 > SIZE - at)
            break;
        memcpy(to + at, word, length);
        at += length;
        to[at++] = !escapes || random_below(6) ? ' ' : "\"\n"[random_below(2)];
    }
    memset(to + at, '.', SIZE - at);
}

static void make_texts(void)
{
    fill(plain, false);
    fill(quoted, true);
    escaped_length = 0;
    for (size_t i = 0; i < SIZE; i++) {
        const char c = quoted[i];
        if (c == '"' || c == '\n')
            escaped[escaped_length++] = '\\';
        escaped[escaped_length++] = c == '\n' ? 'n' : c;
    }
    for (size_t i = 0; i < SIZE; i++)
        swapped[i] = plain[i / 8 * 8 + 7 - i % 8];
}

/* ---- workloads: each does its work once, and says whether it came out right -------------------------- */

static bool do_find(const quern_kernels *row)
{
    return (keeper = row->escape_find(NULL, plain, SIZE)) == SIZE;
}

static bool do_escape(const quern_kernels *row)
{
    size_t used;
    const quern_span span = row->escape_write(NULL, target, sizeof target, quoted, SIZE, &used, QUERN_ESCAPE_FINAL);
    return (keeper = span.length) == escaped_length && used == SIZE;
}

static bool do_utf8(const quern_kernels *row)
{
    return (keeper = row->utf8_prefix(plain, SIZE).length) == SIZE;
}

static bool do_text_copy(const quern_kernels *row)
{
    return (keeper = row->text_copy(NULL, target, plain, SIZE).length) == SIZE;
}

static bool do_copy(const quern_kernels *row)
{
    row->copy(target, plain, SIZE);
    keeper = (unsigned char)target[SIZE - 1];
    return true;
}

static bool do_swap(const quern_kernels *row)
{
    row->swap_copy64(target, plain, SIZE / 8);
    keeper = (unsigned char)target[SIZE - 8];
    return true;
}

typedef struct workload {
    const char *name;
    bool (*run)(const quern_kernels *row);
    const char *wanted; /* in the target, or NULL */
} workload;

static const workload workloads[] = {{"escape_find", do_find, NULL}, {"escape_write", do_escape, escaped},
                                     {"utf8_prefix", do_utf8, NULL}, {"text_copy", do_text_copy, plain},
                                     {"copy", do_copy, plain},       {"swap_copy64", do_swap, swapped}};

enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

static bool is_right(const workload *w, const quern_kernels *row)
{
    const size_t length = w->wanted == escaped ? escaped_length : SIZE;
    memset(target, 0, sizeof target);
    if (!w->run(row) || (w->wanted && memcmp(target, w->wanted, length) != 0))
        return false;
    /* Those that only look must also see: a quotation mark, a byte that begins nothing. */
    const size_t place = SIZE / 2 + 1;
    const char before = plain[place];
    bool right = true;
    plain[place] = w->run == do_find ? '"' : '\xFF';
    if (w->run == do_find)
        right = row->escape_find(NULL, plain, SIZE) == place;
    else if (w->run == do_utf8)
        right = row->utf8_prefix(plain, SIZE).why == QUERN_STOP_ILL_FORMED;
    plain[place] = before;
    return right;
}

/* ---- timing ---------------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Gigabytes (10^9 bytes) of input a second, in one turn. */
static double one_turn(const workload *w, const quern_kernels *row)
{
    const double start = seconds();
    double took;
    size_t times = 0;
    do {
        w->run(row);
        times++;
        took = seconds() - start;
    } while (took < turn_seconds);
    return (double)times * SIZE / took * 1e-9;
}

static int print_table(output *out, double best[MOST_VARIANTS][WORKLOADS])
{
    quern_variant v;
    size_t width = strlen("variant");
    for (size_t i = 0; quern_variant_get(i, &v); i++)
        width = strlen(v.name) > width ? strlen(v.name) : width;
    output_print(out, "  %-*s", (int)width, "variant");
    for (size_t k = 0; k < WORKLOADS; k++)
        output_print(out, "  %12s", workloads[k].name);
    output_print(out, "\n");
    for (size_t i = 0; i < MOST_VARIANTS && quern_variant_get(i, &v); i++) {
        output_print(out, "%c %-*s", i == quern_variant_active() ? '*' : ' ', (int)width, v.name);
        for (size_t k = 0; v.supported && k < WORKLOADS; k++)
            output_print(out, "  %12.2f", best[i][k]);
        output_print(out, v.supported ? "\n" : "  %s\n", v.why_not);
    }
    output_print(out, "GB of input a second, on %d KiB of text. ./run bench measures in full.\n", SIZE / 1024);
    return EXIT_CODE_OK;
}

int run_bench(const command *self, int argc, char **argv)
{
    static double best[MOST_VARIANTS][WORKLOADS];
    options o;
    output out;
    int code = options_read(&o, self, argc, argv, 0);
    if (code >= 0 || (code = output_open(&out, &o)) >= 0)
        return code;
    make_texts();
    quern_variant v;
    for (size_t i = 0; i < MOST_VARIANTS && quern_variant_get(i, &v); i++) {
        for (size_t k = 0; v.supported && k < WORKLOADS; k++) {
            if (is_right(&workloads[k], v.row))
                continue;
            complain("%s: %s of %s is wrong on this machine", self->name, workloads[k].name, v.name);
            return output_close(&out, EXIT_CODE_DATA);
        }
    }
    const double end = seconds() + all_seconds;
    for (size_t round = 0; round < LEAST_ROUNDS || seconds() < end; round++) {
        for (size_t k = 0; k < WORKLOADS; k++) {
            for (size_t i = 0; i < MOST_VARIANTS && quern_variant_get(i, &v); i++) {
                const double speed = v.supported ? one_turn(&workloads[k], v.row) : 0;
                best[i][k] = speed > best[i][k] ? speed : best[i][k];
            }
        }
    }
    return output_close(&out, print_table(&out, best));
}
