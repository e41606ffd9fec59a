/* Preloaded into a process: writes down what it does to the files under $POWER_ROOT, and fails a write if asked to.

   The log ($POWER_LOG) has a line for each call that succeeded, with the data of a write after it:
     C inode path     a file was created          W inode offset length  (data)  bytes were written
     D path           a folder was made           T inode length         a file was cut or lengthened
     R path path      a name was changed          S inode                a file was synced
     U path           a name was removed          F path                 a folder was synced
     M text           the process says something (power_mark)
   Calls are made and noted under one lock, so the log has them in their order. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static const char *root;
static int counted, fail_at, fail_to, fail_with; /* writes so far; from and to which they fail (0: none), and how */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t (*real_write)(int, const void *, size_t);

__attribute__((constructor)) static void begin(void) {
  real_write = REAL(write);
  root = getenv("POWER_ROOT");
  const char *path = getenv("POWER_LOG");
  if (path && root) log_fd = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
}

static void note(const void *data, size_t length, const char *format, ...) {
  char line[2 * PATH_MAX + 64];
  va_list more;
  if (log_fd < 0) return;
  va_start(more, format);
  int size = vsnprintf(line, sizeof line, format, more);
  va_end(more);
  if (real_write(log_fd, line, size) != size || (length && real_write(log_fd, data, length) != (ssize_t)length)) abort();
}

static int under_root(const char *path) { return root && strncmp(path, root, strlen(root)) == 0; }

/* The inode of a descriptor of a file under the root, or 0; `path` becomes its path. */
static unsigned long watched(int fd, char *path, struct stat *about) {
  char link[64];
  if (!root || fd == log_fd || fstat(fd, about)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, PATH_MAX - 1);
  if (size < 0) return 0;
  path[size] = 0;
  return under_root(path) ? (unsigned long)about->st_ino : 0;
}

void power_mark(const char *text) {
  pthread_mutex_lock(&lock);
  note(0, 0, "M %s\n", text);
  pthread_mutex_unlock(&lock);
}

/* Writes and syncs fail with this error, from one to another, counted from now; 0: none. */
void power_fail(int from, int to, int with) { counted = 0, fail_at = from, fail_to = to, fail_with = with; }

int power_counted(void) { return counted; }

static int fails(void) {
  counted++;
  if (!fail_at || counted < fail_at || counted > fail_to) return 0;
  errno = fail_with;
  return 1;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
  char path[PATH_MAX];
  struct stat about;
  unsigned long inode = watched(fd, path, &about);
  if (!inode || !S_ISREG(about.st_mode)) return REAL(pwrite64)(fd, data, length, at);
  pthread_mutex_lock(&lock);
  ssize_t done = fails() ? -1 : REAL(pwrite64)(fd, data, length, at);
  int saved = errno;
  if (done > 0) note(data, done, "W %lu %lld %zd\n", inode, (long long)at, done);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return pwrite64(fd, data, length, at); }

ssize_t write(int fd, const void *data, size_t length) {
  char path[PATH_MAX];
  struct stat about;
  unsigned long inode = watched(fd, path, &about);
  if (!inode || !S_ISREG(about.st_mode)) return real_write(fd, data, length);
  off64_t at = fcntl(fd, F_GETFL) & O_APPEND ? about.st_size : lseek64(fd, 0, SEEK_CUR);
  pthread_mutex_lock(&lock);
  ssize_t done = fails() ? -1 : real_write(fd, data, length);
  int saved = errno;
  if (done > 0) note(data, done, "W %lu %lld %zd\n", inode, (long long)at, done);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}

int ftruncate64(int fd, off64_t size) {
  char path[PATH_MAX];
  struct stat about;
  unsigned long inode = watched(fd, path, &about);
  if (!inode) return REAL(ftruncate64)(fd, size);
  pthread_mutex_lock(&lock);
  int bad = fails() ? -1 : REAL(ftruncate64)(fd, size);
  int saved = errno;
  if (!bad) note(0, 0, "T %lu %lld\n", inode, (long long)size);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return bad;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd, int (*sync)(int)) {
  char path[PATH_MAX];
  struct stat about;
  unsigned long inode = watched(fd, path, &about);
  if (!inode) return sync(fd);
  pthread_mutex_lock(&lock);
  int bad = fails() ? -1 : sync(fd);
  int saved = errno;
  if (!bad && S_ISDIR(about.st_mode)) note(0, 0, "F %s\n", path);
  if (!bad && S_ISREG(about.st_mode)) note(0, 0, "S %lu\n", inode);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return bad;
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }

int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

static int opened(int at, const char *path, int flags, mode_t mode) {
  struct stat about;
  int (*real)(int, const char *, int, ...) = REAL(openat64);
  if (!under_root(path) || !(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE)
    return real(at, path, flags, mode);
  pthread_mutex_lock(&lock);
  int there = stat(path, &about) == 0;
  int fd = real(at, path, flags, mode);
  int saved = errno;
  if (fd >= 0 && fstat(fd, &about) == 0) {
    if (!there) note(0, 0, "C %lu %s\n", (unsigned long)about.st_ino, path);
    else if (flags & O_TRUNC) note(0, 0, "T %lu 0\n", (unsigned long)about.st_ino);
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return fd;
}

#define MODE mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, int); va_end(more); }
int open64(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int open(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return opened(at, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return opened(at, path, flags, mode); }

int mkdir(const char *path, mode_t mode) {
  if (!under_root(path)) return REAL(mkdir)(path, mode);
  pthread_mutex_lock(&lock);
  int bad = REAL(mkdir)(path, mode), saved = errno;
  if (!bad) note(0, 0, "D %s\n", path);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return bad;
}

int unlink(const char *path) {
  if (!under_root(path)) return REAL(unlink)(path);
  pthread_mutex_lock(&lock);
  int bad = REAL(unlink)(path), saved = errno;
  if (!bad) note(0, 0, "U %s\n", path);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return bad;
}

int rename(const char *from, const char *to) {
  if (!under_root(from)) return REAL(rename)(from, to);
  pthread_mutex_lock(&lock);
  int bad = REAL(rename)(from, to), saved = errno;
  if (!bad) note(0, 0, "R %s\t%s\n", from, to);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return bad;
}
