/* Lets the disk below a database fail, for the tests: loaded into the server by LD_PRELOAD.
 *
 * While the file named by SVC_FAULT_FULL exists, nothing can be written to the database's files:
 * ENOSPC. While the one named by SVC_FAULT_SYNC exists, they can't be synced: EIO.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int holds_database(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/svc.db") != NULL;
}

static int fails(int fd, const char *variable) {
    const char *flag = getenv(variable);
    int before = errno;
    int found = flag != NULL && access(flag, F_OK) == 0 && holds_database(fd);
    errno = before;
    return found;
}

#define FAULTY(result, name, parameters, arguments, variable, error) \
    result name parameters { \
        static result (*real) parameters; \
        if (real == NULL) real = (result (*) parameters) dlsym(RTLD_NEXT, #name); \
        if (fails(fd, variable)) { errno = error; return -1; } \
        return real arguments; \
    }

#define FULL(result, name, parameters, arguments) \
    FAULTY(result, name, parameters, arguments, "SVC_FAULT_FULL", ENOSPC)
#define SYNC(name) FAULTY(int, name, (int fd), (fd), "SVC_FAULT_SYNC", EIO)

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
