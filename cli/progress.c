/* SPDX-License-Identifier: MIT */
/*
 * The progress bar: one line on standard error that is drawn over itself. Blanks take it away, which every terminal
 * understands; so it stays below 80 columns.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_AFTER = 1000, EVERY = 100, BAR = 20, LINE = 80 }; /* ms, ms, columns, columns with the NUL */

static struct {
    bool on;
    size_t shown;   /* columns that are there now */
    uint64_t read;  /* bytes */
    uint64_t total; /* 0: not known */
    uint64_t start; /* ms on some clock */
    uint64_t next;  /* not drawn before */
} progress;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* What is left to be read of all files; 0 if that is not known. */
static uint64_t length_of(const options *o)
{
    uint64_t total = 0;
    for (int i = 0; i < o->file_count; i++) {
        struct stat file;
        const bool standard = strcmp(o->files[i], "-") == 0;
        if ((standard ? fstat(STDIN_FILENO, &file) : stat(o->files[i], &file)) != 0 || !S_ISREG(file.st_mode))
            return 0;
        const off_t from = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
        total += from >= 0 && from < file.st_size ? (uint64_t)(file.st_size - from) : 0;
    }
    return total;
}

void progress_start(const options *o)
{
    memset(&progress, 0, sizeof progress);
    if (!isatty(STDERR_FILENO))
        return;
    progress.on = true;
    progress.total = length_of(o);
    progress.start = now();
    progress.next = progress.start + FIRST_AFTER;
}

/* Three digits or so: 999 B, 9.8 KiB, 120 MiB. Without floating point, and so without a locale's decimal point. */
static int put_size(char *out, size_t room, uint64_t bytes)
{
    static const char units[] = "KMGTPE";
    if (bytes < 1024)
        return snprintf(out, room, "%u B", (unsigned)bytes);
    size_t unit = 0;
    while (bytes >> 10 * (unit + 1) >= 1024)
        unit++;
    const uint64_t tenths = (bytes >> 10 * unit) * 10 / 1024;
    if (tenths < 100)
        return snprintf(out, room, "%u.%u %ciB", (unsigned)(tenths / 10), (unsigned)(tenths % 10), units[unit]);
    return snprintf(out, room, "%u %ciB", (unsigned)(tenths / 10), units[unit]);
}

static void draw(const char *line, size_t length)
{
    char drawn[2 * LINE + 2];
    const size_t blanks = progress.shown > length ? progress.shown - length : 0;
    const int size = snprintf(drawn, sizeof drawn, "\r%s%*s\r", line, (int)blanks, "");
    fwrite(drawn, 1, (size_t)size, stderr);
    progress.shown = length;
}

void progress_read(size_t length)
{
    if (!progress.on)
        return;
    progress.read += length;
    const uint64_t time = now();
    if (time < progress.next)
        return;
    progress.next = time + EVERY;

    char line[LINE], done[16], total[16], rate[16];
    const uint64_t elapsed = time - progress.start;
    put_size(done, sizeof done, progress.read);
    put_size(rate, sizeof rate, progress.read / (elapsed ? elapsed : 1) * 1000);
    int size;
    if (progress.total > 0 && progress.read <= progress.total) { /* else a file has grown */
        static const char bar[] = "####################....................";
        const unsigned cent = (unsigned)((double)progress.read / (double)progress.total * 100);
        put_size(total, sizeof total, progress.total);
        size = snprintf(line, sizeof line, "[%.*s] %u %%, %s of %s, %s/s", BAR, bar + BAR - cent * BAR / 100, cent,
                        done, total, rate);
    } else {
        size = snprintf(line, sizeof line, "%s, %s/s", done, rate);
    }
    draw(line, (size_t)size);
}

void progress_pause(void)
{
    if (!progress.on)
        return;
    if (progress.shown > 0)
        draw("", 0);
    progress.next = now() + FIRST_AFTER;
}

void progress_end(void)
{
    progress_pause();
    progress.on = false;
}
