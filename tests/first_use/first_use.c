/* SPDX-License-Identifier: MIT */
/*
 * First use of the library, by 16 threads at once, from where the build says (FIRST_USE_FROM) and the command line:
 *
 *   first_use            from main: the threads wait at a barrier, then call
 *   first_use fork       the same in a child of fork
 *   first_use force      while another thread forces one variant after the other
 *
 * Built with FIRST_USE_CONSTRUCTOR, the threads have run before main already, from a constructor of priority 101, which
 * in a static program is before the library's own, and go on across it; then as above.
 *
 * With ThreadSanitizer that is B053 (zlib-ng PR #2249: a table written with atomic stores and read without), `fork` is
 * B054 (BLAKE3 issue #220: a cache of features without atomics), and the first writers of all threads at once are B173
 * (json-c issue #337: a seed that two threads made).
 *
 * The results are those of literals, whatever the variant. Says which variant is in use, and exits with 0 if all is
 * right.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <quern/quern.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16, ROUNDS = 4 };

static const char clean[] = "a text without anything to escape, longer than a vector of sixty-four bytes: caf\xC3\xA9";
static const char dirty[] = "a text with a \"quoted\" word\nand two lines";
static const char cut[] = "a text that ends within a character, and is longer than any of the vectors: \xE2\x82";

static atomic_bool wrong;

static void check(bool right)
{
    if (!right)
        atomic_store(&wrong, true);
}

static void use(void)
{
    char copy[sizeof clean];
    check(quern_escape_find(NULL, clean, sizeof clean - 1) == sizeof clean - 1);
    check(quern_escape_find(NULL, dirty, sizeof dirty - 1) == 14);
    check(quern_escape_copy(NULL, copy, dirty, sizeof dirty - 1) == 14 && memcmp(copy, dirty, 14) == 0);
    quern_span span = quern_utf8_prefix(clean, sizeof clean - 1);
    check(span.length == sizeof clean - 1 && span.why == QUERN_STOP_END);
    span = quern_utf8_prefix(cut, sizeof cut - 1);
    check(span.length == sizeof cut - 3 && span.why == QUERN_STOP_TRUNCATED);
    quern_copy(copy, clean, sizeof clean);
    check(memcmp(copy, clean, sizeof clean) == 0);
    quern_line line = quern_line_locate(dirty, sizeof dirty - 1);
    check(line.newlines == 1 && line.start == 28);

    static const char expected[] = "[null,\"a text with a \\\"quoted\\\" word\\nand two lines\"]";
    char text[sizeof expected];
    quern_fixed_sink sink;
    quern_json_writer writer;
    quern_fixed_sink_init(&sink, text, sizeof text);
    quern_json_writer_init(&writer, &sink.sink, NULL);
    quern_json_begin_array(&writer);
    quern_json_write_null(&writer);
    quern_json_write_string(&writer, dirty, sizeof dirty - 1);
    quern_json_end(&writer);
    check(quern_json_writer_finish(&writer) == QUERN_OK);
    check(quern_fixed_sink_needed(&sink) == sizeof expected - 1 && memcmp(text, expected, sizeof expected - 1) == 0);

    static const char sorted[] = "\xA2\x61"
                                 "a\x18\x18\x61"
                                 "b\xF9\x3E";
    char item[sizeof sorted];
    const quern_cbor_writer_options deterministic = {.size = sizeof deterministic, .deterministic = true};
    quern_cbor_writer cbor;
    quern_fixed_sink_init(&sink, item, sizeof item);
    quern_cbor_writer_init(&cbor, &sink.sink, &deterministic);
    quern_cbor_begin_map(&cbor, 2);
    quern_cbor_write_key(&cbor, "b", 1);
    quern_cbor_write_double(&cbor, 1.5);
    quern_cbor_write_key(&cbor, "a", 1);
    quern_cbor_write_uint(&cbor, 24);
    quern_cbor_end(&cbor);
    check(quern_cbor_writer_finish(&cbor) == QUERN_OK);
    check(quern_fixed_sink_needed(&sink) == sizeof sorted && memcmp(item, sorted, sizeof sorted) == 0);

    quern_variant active;
    check(quern_variant_get(quern_variant_active(), &active) && active.supported);
}

static pthread_barrier_t barrier;
static atomic_bool stop;

static void *start(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; i++)
        use();
    return NULL;
}

static void *force(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; !atomic_load(&stop); i = (i + 1) % quern_variant_count()) {
        quern_variant variant;
        if (quern_variant_get(i, &variant))
            check((quern_variant_force(variant.name) == QUERN_OK) <= variant.supported);
    }
    return NULL;
}

static pthread_t threads[THREADS + 1];

static void release(bool forcing)
{
    atomic_store(&stop, false);
    pthread_barrier_init(&barrier, NULL, THREADS + (forcing ? 1 : 0));
    for (int i = 0; i < THREADS + (forcing ? 1 : 0); i++) {
        if (pthread_create(&threads[i], NULL, i < THREADS ? start : force, NULL) != 0) {
            perror("pthread_create");
            exit(3);
        }
    }
}

static void gather(bool forcing)
{
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    atomic_store(&stop, true);
    if (forcing)
        pthread_join(threads[THREADS], NULL);
    pthread_barrier_destroy(&barrier);
}

#if defined(FIRST_USE_CONSTRUCTOR)
static bool released;

__attribute__((constructor(101))) static void before_main(void)
{
    use();
    release(false);
    released = true;
}
#endif

#if defined(FIRST_USE_LIBRARY)
/* In a shared library of its own, which main calls. */
int first_use(int argc, char **argv);
int first_use(int argc, char **argv)
#else
int main(int argc, char **argv)
#endif
{
    const char *how = argc > 1 ? argv[1] : "";
#if defined(FIRST_USE_CONSTRUCTOR)
    if (released)
        gather(false);
#endif
    pid_t child = 0;
    if (strcmp(how, "fork") == 0) {
        child = fork();
        if (child > 0) {
            int status = 0;
            use();
            if (waitpid(child, &status, 0) != child || status != 0)
                check(false);
            return atomic_load(&wrong) ? 1 : 0;
        }
    }
    const bool forcing = strcmp(how, "force") == 0;
    release(forcing);
    gather(forcing);
    quern_variant active;
    quern_variant_get(quern_variant_active(), &active);
    printf("%s\n", active.name);
    return atomic_load(&wrong) ? 1 : 0;
}
