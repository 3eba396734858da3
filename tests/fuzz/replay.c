/* SPDX-License-Identifier: MIT */
/* Runs a target on the files given, and on all files of the folders given: for builds without libFuzzer. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <inttypes.h>

static uint64_t inputs;

static bool run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    size_t size = 0, room = 4096;
    uint8_t *data = fuzz_block(room);
    for (size_t got; (got = fread(data + size, 1, room - size, file)) > 0;) {
        size += got;
        if (size == room) {
            uint8_t *more = realloc(data, room * 2);
            FUZZ_CHECK(more != NULL, "no memory");
            data = more;
            room *= 2;
        }
    }
    const bool failed = ferror(file);
    fclose(file);
    /* In a block of its size, so that a memory checker sees what lies behind it. */
    uint8_t *exact = fuzz_block(size);
    if (size)
        memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    inputs++;
    return !failed;
}

static bool run_path(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return run_file(path);
    bool good = true;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        good = run_file(name) && good;
    }
    closedir(folder);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int i = 1; i < argc; i++)
        good = run_path(argv[i]) && good;
    printf("inputs replayed: %" PRIu64 "\n", inputs);
    return good && inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
