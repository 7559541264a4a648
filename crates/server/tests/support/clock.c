/* A wall clock that somebody has set: loaded before the system's library, it is ahead by the seconds that the file in
 * TRICORNE_CLOCK_AHEAD says now. The clock that only counts on is left alone. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long ahead(void) {
    const char *name = getenv("TRICORNE_CLOCK_AHEAD");
    FILE *file = name ? fopen(name, "r") : NULL;
    long seconds = 0;
    if (file) {
        if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
        fclose(file);
    }
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int done = syscall(SYS_clock_gettime, clock, now);
    if (done == 0 && clock == CLOCK_REALTIME) now->tv_sec += ahead();
    return done;
}
