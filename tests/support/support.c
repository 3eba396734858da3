/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "support/support.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef QUERN_TEST_DATA
#    define QUERN_TEST_DATA "../shared/data"
#endif

#if defined(__SANITIZE_ADDRESS__)
#    define UNDER_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define UNDER_ASAN 1
#    endif
#endif
#ifndef UNDER_ASAN
#    define UNDER_ASAN 0
#endif

enum { MOST_VARIANTS = 32, MOST_SKIPPED_FILES = 16, FILE_NAME_SIZE = 80 };

/* Counters live in shared memory: in fork mode every test is a process of its own. */
typedef struct shared_state {
    uint64_t checks[MOST_VARIANTS + 1]; /* per variant; the public functions behind the last one */
    uint64_t other_checks;
    bool told[MOST_VARIANTS], told_unused[MOST_VARIANTS];
    char skipped_files[MOST_SKIPPED_FILES][FILE_NAME_SIZE];
} shared_state;

static shared_state *shared;
static uint64_t seed = UINT64_C(0x517CC1B727220A95);
static uint64_t stride = 1;
static bool whole;
static bool readable_guards;
static uint64_t case_number;

static struct {
    const char *variant;
    const char *what;
    size_t length;
    size_t where;
} note;

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static uint64_t number_in_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    if (text == NULL || *text == '\0')
        return otherwise;
    char *end = NULL;
    unsigned long long number = strtoull(text, &end, 0);
    if (*end != '\0') {
        fprintf(stderr, "%s is not a number: %s\n", name, text);
        exit(EXIT_FAILURE);
    }
    return (uint64_t)number;
}

/* Suites are built before support_main runs, so whoever comes first sets up. */
static void set_up(void)
{
    if (shared != NULL)
        return;
    void *map = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        die("mmap");
    shared = map;
    seed = number_in_environment("QUERN_TEST_SEED", seed);
    stride = number_in_environment("QUERN_TEST_STRIDE", 1);
    if (stride == 0)
        stride = 1;
    whole = number_in_environment("QUERN_TEST_WHOLE", 0) != 0;
    readable_guards = number_in_environment("QUERN_TEST_READABLE_GUARDS", 0) != 0;
    if (readable_guards) {
        /* The page of the null pointer is one of them. */
        printf("skipped: reads outside of ranges are not caught (QUERN_TEST_READABLE_GUARDS)\n");
        if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            die("mmap of page 0");
    }
    if (quern_variant_count() > MOST_VARIANTS) {
        fprintf(stderr, "more than %d variants\n", MOST_VARIANTS);
        exit(EXIT_FAILURE);
    }
}

/* ---- variants ------------------------------------------------------------------------------------ */

int support_variants(void)
{
    set_up();
    return (int)quern_variant_count() + 1;
}

bool support_variant_open(support_variant *variant, int i)
{
    set_up();
    case_number = 0;
    memset(variant, 0, sizeof *variant);
    size_t index = (size_t)i;
    variant->checks = &shared->checks[index];

    if (index == quern_variant_count()) {
        variant->name = "public";
        variant->is_public = true;
        variant->row.size = sizeof variant->row;
        variant->row.escape_find = quern_escape_find;
        variant->row.escape_copy = quern_escape_copy;
        variant->row.utf8_prefix = quern_utf8_prefix;
        variant->row.copy = quern_copy;
        variant->row.line_locate = quern_line_locate;
        variant->row.escape_write = quern_escape_write;
        variant->row.escape_size = quern_escape_size;
        variant->row.text_copy = quern_text_copy;
        variant->row.swap_copy16 = quern_swap_copy16;
        variant->row.swap_copy32 = quern_swap_copy32;
        variant->row.swap_copy64 = quern_swap_copy64;
    } else {
        quern_variant found;
        memset(&found, 0, sizeof found);
        ck_assert_msg(quern_variant_get(index, &found), "variant %d is missing", i);
        variant->name = found.name;
        if (!found.supported) {
            if (!shared->told[index]) {
                printf("skipped: %s: %s\n", found.name, found.why_not != NULL ? found.why_not : "(no reason given)");
                fflush(stdout);
                shared->told[index] = true;
            }
            return false;
        }
        ck_assert_msg(found.row != NULL, "%s is supported but has no row", found.name);
        size_t known = found.row->size < sizeof variant->row ? found.row->size : sizeof variant->row;
        memcpy(&variant->row, found.row, known);
    }
    note.variant = variant->name;
    note.what = NULL;
    return true;
}

bool support_variant_use(const support_variant *variant)
{
    quern_variant active;
    ck_assert(quern_variant_get(quern_variant_active(), &active));
    if (QUERN_TEST_STATIC_DISPATCH && strcmp(active.name, variant->name) != 0) {
        size_t index = (size_t)(variant->checks - shared->checks);
        if (!shared->told_unused[index])
            printf("skipped: %s, where it has to be in use: this build calls %s directly\n", variant->name,
                   active.name);
        fflush(stdout);
        shared->told_unused[index] = true;
        return false;
    }
    ck_assert_msg(quern_variant_force(variant->name) == QUERN_OK, "%s cannot be forced", variant->name);
    return true;
}

/* ---- running ------------------------------------------------------------------------------------- */

/* Tells which case faulted. The handler is gone by then, so the fault strikes again and ends the process. */
static void on_fault(int signal_number)
{
    char text[256];
    int length = snprintf(text, sizeof text, "signal %d: variant %s, %s, length %zu, at %zu\n", signal_number,
                          note.variant != NULL ? note.variant : "?", note.what != NULL ? note.what : "?", note.length,
                          note.where);
    if (length > 0 && write(STDERR_FILENO, text, (size_t)length) < 0)
        _exit(EXIT_FAILURE);
}

static void watch_faults(void)
{
    if (UNDER_ASAN)
        return; /* its own report is better */
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fault;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

int support_main(Suite *suite)
{
    set_up();
    watch_faults();
    printf("seed: 0x%016" PRIx64 ", stride: %" PRIu64 "%s\n", seed, stride, whole ? ", whole sets" : "");
    fflush(stdout);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    int ran = srunner_ntests_run(runner);
    srunner_free(runner);

    for (size_t i = 0; i <= quern_variant_count(); i++) {
        quern_variant variant;
        bool is_public = !quern_variant_get(i, &variant);
        if (is_public || variant.supported)
            printf("variant %s: %" PRIu64 " checks\n", is_public ? "public" : variant.name, shared->checks[i]);
    }
    uint64_t checks = support_checks();
    printf("checks executed: %" PRIu64 "\n", checks);
    if (ran == 0 || checks == 0)
        printf("no test ran\n");
    return failed == 0 && ran > 0 && checks > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

void support_count(uint64_t checks)
{
    set_up();
    shared->other_checks += checks;
}

uint64_t support_checks(void)
{
    set_up();
    uint64_t sum = shared->other_checks;
    for (size_t i = 0; i <= MOST_VARIANTS; i++)
        sum += shared->checks[i];
    return sum;
}

void support_note(const char *what, size_t length, size_t where)
{
    note.what = what;
    note.length = length;
    note.where = where;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* By a hash of the case's number: a plain stride would meet the same alignments again and again. */
bool support_thinned(void)
{
    return stride != 1 && mix(++case_number) % stride != 0;
}

bool support_whole(void)
{
    return whole;
}

/* ---- randomness ---------------------------------------------------------------------------------- */

support_random support_random_named(const char *name)
{
    support_random random = {seed};
    for (; *name != '\0'; name++)
        random.state = (random.state ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return random;
}

uint64_t support_random_next(support_random *random)
{
    random->state += UINT64_C(0x9E3779B97F4A7C15);
    return mix(random->state);
}

size_t support_random_below(support_random *random, size_t limit)
{
    return (size_t)(support_random_next(random) % limit);
}

const char *support_script_name(support_script script)
{
    static const char *const names[SUPPORT_SCRIPTS] = {"ASCII", "two-byte", "three-byte", "four-byte", "mixed"};
    return names[script];
}

size_t support_encoded_size(uint32_t code_point)
{
    return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
}

void support_encode(unsigned char *dst, uint32_t code_point, size_t bytes)
{
    static const unsigned char lead[5] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    for (size_t i = bytes - 1; i > 0; i--) {
        dst[i] = (unsigned char)(0x80 | (code_point & 0x3F));
        code_point >>= 6;
    }
    dst[0] = (unsigned char)(lead[bytes] | code_point);
}

static unsigned char plain_byte(support_random *random)
{
    for (;;) {
        unsigned char byte = (unsigned char)(0x20 + support_random_below(random, 0x5F));
        if (byte != '"' && byte != '\\')
            return byte;
    }
}

static uint32_t code_point_of_size(support_random *random, size_t bytes)
{
    switch (bytes) {
    case 2: return (uint32_t)(0x80 + support_random_below(random, 0x800 - 0x80));
    case 3: {
        uint32_t code_point = (uint32_t)(0x800 + support_random_below(random, 0x10000 - 0x800 - 0x800));
        return code_point < 0xD800 ? code_point : code_point + 0x800;
    }
    default: return (uint32_t)(0x10000 + support_random_below(random, 0x100000));
    }
}

void support_text(support_random *random, support_script script, unsigned char *dst, size_t len)
{
    size_t i = 0;
    while (i < len) {
        size_t bytes = script == SUPPORT_MIXED                ? 1 + support_random_below(random, 4)
                       : support_random_below(random, 8) == 0 ? 1
                                                              : (size_t)script + 1;
        if (bytes > len - i)
            bytes = 1;
        if (bytes == 1)
            dst[i] = plain_byte(random);
        else
            support_encode(dst + i, code_point_of_size(random, bytes), bytes);
        i += bytes;
    }
}

/* ---- memory -------------------------------------------------------------------------------------- */

support_guarded support_guarded_new(size_t size)
{
    long asked = sysconf(_SC_PAGESIZE);
    size_t page = asked > 0 ? (size_t)asked : 4096;
    support_guarded guarded;
    guarded.size = (size + page - 1) / page * page;
    if (guarded.size == 0)
        guarded.size = page;
    guarded.map_size = guarded.size + 2 * page;
    guarded.map =
        mmap(NULL, guarded.map_size, readable_guards ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guarded.map == MAP_FAILED)
        die("mmap");
    guarded.start = (unsigned char *)guarded.map + page;
    if (mprotect(guarded.start, guarded.size, PROT_READ | PROT_WRITE) != 0)
        die("mprotect");
    return guarded;
}

void support_guarded_free(support_guarded *guarded)
{
    munmap(guarded->map, guarded->map_size);
    memset(guarded, 0, sizeof *guarded);
}

unsigned char *support_guarded_tail(const support_guarded *guarded, size_t len)
{
    return guarded->start + (guarded->size - len);
}

enum { CANARY = 128 };

static struct {
    unsigned char *area; /* amid canaries */
    size_t area_size;
    support_guarded guarded;
    void *block;
    unsigned char *dst;
    unsigned char *end; /* what may be written ends here */
    size_t before;      /* canaries */
    size_t behind;
} target;

static unsigned char canary[CANARY + 64];

static void reserve_target(size_t place, size_t size)
{
    const size_t all = CANARY + 64 + size + CANARY;
    if (place == SUPPORT_BLOCK) {
        target.block = support_allocate(size);
    } else if (place < 64 && all > target.area_size) {
        free(target.area);
        target.area_size = (2 * all + 63) / 64 * 64;
        target.area = aligned_alloc(64, target.area_size);
        if (target.area == NULL)
            die("aligned_alloc");
    } else if (place >= 64 && all > target.guarded.size) {
        if (target.guarded.map != NULL)
            support_guarded_free(&target.guarded);
        target.guarded = support_guarded_new(2 * all);
    }
}

unsigned char *support_target(size_t len, bool slack, size_t place)
{
    const size_t size = len + (slack ? QUERN_SLACK : 0);
    if (canary[0] == 0) {
        for (size_t i = 0; i < sizeof canary; i++)
            canary[i] = (unsigned char)(0x5C + 37 * i);
    }
    free(target.block);
    target.block = NULL;
    reserve_target(place, size);
    target.before = place < 64 ? CANARY + place : place == SUPPORT_ABOVE ? CANARY : 0;
    target.behind = place < 64 || place == SUPPORT_BELOW ? CANARY : 0;
    switch (place) {
    case SUPPORT_ABOVE: target.dst = support_guarded_tail(&target.guarded, size); break;
    case SUPPORT_BELOW: target.dst = target.guarded.start; break;
    case SUPPORT_BLOCK: target.dst = target.block; break;
    default: target.dst = target.area + CANARY + place;
    }
    target.end = target.dst != NULL ? target.dst + size : NULL;
    if (target.before != 0)
        memcpy(target.dst - target.before, canary, target.before);
    if (len != 0)
        memset(target.dst, 0x01, len);
    if (target.behind != 0)
        memcpy(target.end, canary, target.behind);
    return target.dst;
}

const char *support_target_fault(void)
{
    if (target.before != 0 && memcmp(target.dst - target.before, canary, target.before) != 0)
        return "wrote before the target";
    if (target.behind != 0 && memcmp(target.end, canary, target.behind) != 0)
        return "wrote behind what may be written";
    return NULL;
}

void *support_allocate(size_t size)
{
    void *block = malloc(size);
    if (block == NULL && size != 0)
        die("malloc");
    return block;
}

/* ---- data files ---------------------------------------------------------------------------------- */

static void tell_skipped_file(const char *directory, const char *name)
{
    for (size_t i = 0; i < MOST_SKIPPED_FILES; i++) {
        if (shared->skipped_files[i][0] == '\0') {
            snprintf(shared->skipped_files[i], FILE_NAME_SIZE, "%s", name);
            break;
        }
        if (strncmp(shared->skipped_files[i], name, FILE_NAME_SIZE - 1) == 0)
            return;
    }
    printf("skipped: %s/%s: not there\n", directory, name);
    fflush(stdout);
}

unsigned char *support_data(const char *name, size_t *length)
{
    set_up();
    const char *directory = getenv("QUERN_TEST_DATA");
    if (directory == NULL || *directory == '\0')
        directory = QUERN_TEST_DATA;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        tell_skipped_file(directory, name);
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) != 0)
        die(path);
    long size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
        die(path);
    *length = (size_t)size;
    unsigned char *bytes = support_allocate(*length + 1);
    if (fread(bytes, 1, *length, file) != *length)
        die(path);
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

size_t support_hex(unsigned char *dst, size_t room, const char *text, size_t len)
{
    size_t digits = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == ' ' || text[i] == '\r')
            continue;
        int value = digit_value(text[i]);
        ck_assert_msg(value >= 0, "not hexadecimal: %.*s", (int)len, text);
        ck_assert_msg(digits / 2 < room, "too long: %.*s", (int)len, text);
        if (digits % 2 == 0)
            dst[digits / 2] = (unsigned char)(value << 4);
        else
            dst[digits / 2] = (unsigned char)(dst[digits / 2] | value);
        digits++;
    }
    ck_assert_msg(digits % 2 == 0, "an odd number of digits: %.*s", (int)len, text);
    return digits / 2;
}
