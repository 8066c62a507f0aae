/* Lets the disk below a program fail, for the tests: loaded into it by LD_PRELOAD.
 *
 * Of files whose path holds the text SVC_FAULT_PATH, and by default of the database's: while the file named by
 * SVC_FAULT_FULL exists, nothing can be written: ENOSPC. While the one named by SVC_FAULT_SYNC exists, nothing can
 * be synced: EIO. While the one named by SVC_FAULT_SLOW exists, no sync ends.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Microseconds between two looks whether a sync may end. */
#define LOOK_EVERY 10000

static int is_concerned(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *part = getenv("SVC_FAULT_PATH");
    return strstr(path, part != NULL ? part : "/svc.db") != NULL;
}

static int fails(int fd, const char *variable) {
    const char *flag = getenv(variable);
    int before = errno;
    int found = flag != NULL && access(flag, F_OK) == 0 && is_concerned(fd);
    errno = before;
    return found;
}

#define FULL(result, name, parameters, arguments) \
    result name parameters { \
        static result (*real) parameters; \
        if (real == NULL) real = (result (*) parameters) dlsym(RTLD_NEXT, #name); \
        if (fails(fd, "SVC_FAULT_FULL")) { errno = ENOSPC; return -1; } \
        return real arguments; \
    }

#define SYNC(name) \
    int name(int fd) { \
        static int (*real)(int); \
        if (real == NULL) real = (int (*)(int)) dlsym(RTLD_NEXT, #name); \
        while (fails(fd, "SVC_FAULT_SLOW")) usleep(LOOK_EVERY); \
        if (fails(fd, "SVC_FAULT_SYNC")) { errno = EIO; return -1; } \
        return real(fd); \
    }

FULL(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length))
FULL(ssize_t, pwrite, (int fd, const void *bytes, size_t length, off_t at), (fd, bytes, length, at))
FULL(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t at),
     (fd, bytes, length, at))
FULL(int, ftruncate, (int fd, off_t length), (fd, length))
FULL(int, ftruncate64, (int fd, off64_t length), (fd, length))
FULL(int, fallocate, (int fd, int mode, off_t at, off_t length), (fd, mode, at, length))
FULL(int, fallocate64, (int fd, int mode, off64_t at, off64_t length), (fd, mode, at, length))
SYNC(fsync)
SYNC(fdatasync)
