// A disk that fails as a file says: put before the C library by LD_PRELOAD (see faults.py). DISK_ORDERS names the file, which holds one word:
// sound, full (writes: ENOSPC), write (writes: EIO), sync (syncs: EIO), slow (syncs take 300 ms). Only of databases and their logs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static int is_database(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return ends_with(path, ".sqlite") || ends_with(path, ".sqlite-wal");
}

static char order(void) {
    const char *name = getenv("DISK_ORDERS");
    int saved = errno, file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    char word[2] = "so";
    if (file >= 0) {
        if (read(file, word, 2) != 2) word[0] = 's', word[1] = 'o';
        close(file);
    }
    errno = saved;
    // so(und), fu(ll), wr(ite), sy(nc), sl(ow): the letter that tells them apart.
    return word[0] == 's' ? word[1] : word[0];
}

static int write_fails(int file) {
    if (!is_database(file)) return 0;
    switch (order()) {
    case 'f': errno = ENOSPC; return 1;
    case 'w': errno = EIO; return 1;
    default: return 0;
    }
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    return write_fails(file) ? -1 : real(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    return write_fails(file) ? -1 : real(file, bytes, count, offset);
}

int fdatasync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    if (is_database(file)) {
        struct timespec pause = {.tv_nsec = 300000000};
        switch (order()) {
        case 'y': errno = EIO; return -1;
        case 'l': nanosleep(&pause, NULL); break;
        default: break;
        }
    }
    return real(file);
}
