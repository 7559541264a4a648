/* A disk that fails when it is told to: loaded before the system's library, it stands between SQLite and the files whose
 * names have ".db" in them. A file of six numbers, shared with the test, says what is to fail:
 *   0  from which call on (1 is the next), 0 for none     3  calls seen since
 *   1  how many calls in a row                            4  calls that failed since
 *   2  how: 0 input/output error, 1 disk full, 2 half of it is written and then an error,
 *      3 a flush fails and what it should have put on disk is lost, as Linux does it
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ERROR, FULL, TORN, LOST };

static volatile int64_t *told;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What a file held before it was written, as long as the writing is not flushed. */
struct before {
    struct before *next;
    dev_t dev;
    ino_t ino;
    off_t at, size;
    size_t length;
    char bytes[];
};
static struct before *unflushed;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("TRICORNE_FAILING_DISK");
    if (!name) return;
    int fd = open(name, O_RDWR);
    if (fd < 0) return;
    void *page = mmap(NULL, 48, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page != MAP_FAILED) told = page;
}

static int ours(int fd) {
    if (!told) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, ".db") && !strstr(path, ".lock");
}

static int fails(int flush) {
    if (!told[0] || (told[2] == LOST && !flush)) return 0;
    int64_t seen = ++told[3];
    if (seen < told[0] || seen >= told[0] + told[1]) return 0;
    told[4]++;
    return 1;
}

static ssize_t (*write_at)(int, const void *, size_t, off_t);

static void remember(int fd, size_t length, off_t at) {
    struct stat now;
    if (fstat(fd, &now)) return;
    struct before *b = calloc(1, sizeof *b + length);
    if (!b) return;
    b->dev = now.st_dev, b->ino = now.st_ino, b->at = at, b->size = now.st_size, b->length = length;
    if (pread(fd, b->bytes, length, at) < 0) b->length = 0;
    b->next = unflushed, unflushed = b;
}

/* The newest comes first, so what is put back last is the oldest. */
static void flushed(int fd, int put_back) {
    struct stat now;
    if (fstat(fd, &now)) return;
    for (struct before **link = &unflushed; *link;) {
        struct before *b = *link;
        if (b->dev != now.st_dev || b->ino != now.st_ino) {
            link = &b->next;
            continue;
        }
        if (put_back) {
            off_t kept = b->size > b->at ? b->size - b->at : 0;
            write_at(fd, b->bytes, (size_t)kept < b->length ? (size_t)kept : b->length, b->at);
            if (ftruncate64(fd, b->size)) {}
        }
        *link = b->next;
        free(b);
    }
}

static ssize_t put(int fd, const void *bytes, size_t length, off_t at) {
    if (!write_at) write_at = dlsym(RTLD_NEXT, "pwrite64");
    if (!ours(fd)) return write_at(fd, bytes, length, at);
    pthread_mutex_lock(&lock);
    ssize_t done;
    if (fails(0)) {
        if (told[2] == TORN) write_at(fd, bytes, length / 2, at);
        errno = told[2] == FULL ? ENOSPC : EIO;
        done = -1;
    } else {
        if (told[2] == LOST) remember(fd, length, at);
        done = write_at(fd, bytes, length, at);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return put(fd, bytes, length, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) { return put(fd, bytes, length, at); }

static int flush(int fd, const char *name) {
    int (*really)(int) = dlsym(RTLD_NEXT, name);
    if (!ours(fd)) return really(fd);
    if (!write_at) write_at = dlsym(RTLD_NEXT, "pwrite64");
    pthread_mutex_lock(&lock);
    int failed = fails(1);
    int done = failed ? -1 : really(fd);
    flushed(fd, failed && told[2] == LOST);
    pthread_mutex_unlock(&lock);
    if (failed) errno = told[2] == FULL ? ENOSPC : EIO;
    return done;
}

int fsync(int fd) { return flush(fd, "fsync"); }
int fdatasync(int fd) { return flush(fd, "fdatasync"); }
