/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * writer.c - see writer.h. */
#define _GNU_SOURCE /* O_TMPFILE, flock() */
#include "pack/writer.h"
#include "pack/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names of what is not whole: this, and sixteen digits. */
static const char prefix[] = ".ffn-pack-";
enum { prefix_bytes = sizeof prefix - 1, digits = 16, most_magic = 16, tries = 100 };

static int cannot(const file_writer *to, const char *what, pack_problem *problem) {
  return fails(problem, code_failure, to->path, "%s: %s", what, strerror(errno));
}

static const char unwritten[] = "it cannot be written";

/* ---- What is there -------------------------------------------------------------------------- */

/* Whether a name in the folder leads to this file. */
static int is_named(int folder, const char *name, int descriptor) {
  struct stat named, own;
  return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(descriptor, &own) == 0 &&
         file_id_same(file_id_of(&named), file_id_of(&own));
}

/* The first bytes of a file; how many there are. */
static size_t head_of(int descriptor, char *to, size_t bytes) {
  size_t at = 0;
  while (at < bytes) {
    const ssize_t got = pread(descriptor, to + at, bytes - at, (off_t)at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    at += (size_t)got;
  }
  return at;
}

static int is_ours(const file_writer *to, const struct stat *about, pack_problem *problem) {
  char head[most_magic];
  const int descriptor =
      openat(to->folder, to->name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0)
    return cannot(to, "this file cannot be read, so ffn-pack does not replace it", problem);
  struct stat opened;
  const int same =
      fstat(descriptor, &opened) == 0 && file_id_same(file_id_of(about), file_id_of(&opened));
  const int begins = head_of(descriptor, head, to->rules.magic_bytes) == to->rules.magic_bytes &&
                     memcmp(head, to->rules.magic, to->rules.magic_bytes) == 0;
  close(descriptor);
  return (same && begins) || fails(problem, code_failure, to->path,
                                 "ffn-pack did not make this file, and does not replace it: move "
                                 "the file, or choose another --out");
}

/* Whether the place may be written to; *is_there: a file of ours is there. */
static int may_write(const file_writer *to, int *is_there, pack_problem *problem) {
  struct stat about;
  *is_there = fstatat(to->folder, to->name, &about, AT_SYMLINK_NOFOLLOW) == 0;
  if (!*is_there)
    return errno == ENOENT || cannot(to, unwritten, problem);
  if (S_ISLNK(about.st_mode))
    return fails(problem, code_failure, to->path,
        "it is a symbolic link, which ffn-pack does not follow: name the file itself");
  if (!S_ISREG(about.st_mode))
    return fails(problem, code_failure, to->path, "it is not a regular file: choose another --out");
  for (size_t i = 0; i < to->rules.kept_count; ++i)
    if (file_id_same(file_id_of(&about), to->rules.kept[i].id))
      return fails(problem, code_failure, to->path,
          "it is %s, which would be lost: choose another --out", to->rules.kept[i].what);
  return is_ours(to, &about, problem);
}

/* ---- What nobody holds ---------------------------------------------------------------------- */

static int is_unfinished_name(const char *name) {
  return strncmp(name, prefix, prefix_bytes) == 0 && strlen(name) == prefix_bytes + digits &&
         strspn(name + prefix_bytes, "0123456789abcdef") == digits;
}

/* Whether a file begins as one that was not finished: with nothing, zeros, or as ours do. */
static int is_unfinished(const file_writer *to, int descriptor) {
  static const char zeros[most_magic] = {0};
  char head[most_magic];
  const size_t bytes = head_of(descriptor, head, to->rules.magic_bytes);
  return memcmp(head, zeros, bytes) == 0 ||
         (bytes == to->rules.magic_bytes && memcmp(head, to->rules.magic, bytes) == 0);
}

/* Removes what a run left that was killed. A lock that cannot be had says that somebody lives who
 * holds it, or nothing at all. */
static void clean_one(const file_writer *to, const char *name) {
  struct stat about;
  const int descriptor =
      openat(to->folder, name, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0)
    return;
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
      flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_named(to->folder, name, descriptor) &&
      is_unfinished(to, descriptor))
    unlinkat(to->folder, name, 0);
  close(descriptor);
}

static void clean(const file_writer *to) {
  const int own = openat(to->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = own >= 0 ? fdopendir(own) : NULL;
  if (!entries) {
    if (own >= 0)
      close(own);
    return;
  }
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (is_unfinished_name(entry->d_name))
      clean_one(to, entry->d_name);
  closedir(entries);
}

/* ---- What is not whole ---------------------------------------------------------------------- */

/* Another name at each call, that no other process draws. */
static void draw_name(char *name) {
  uint64_t number = 0;
  struct timespec time = {0, 0};
  const int source = open("/dev/urandom", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const ssize_t got = source >= 0 ? read(source, &number, sizeof number) : -1;
  if (source >= 0)
    close(source);
  if (got != (ssize_t)sizeof number) {
    clock_gettime(CLOCK_REALTIME, &time);
    number = ((uint64_t)time.tv_sec << 30 ^ (uint64_t)time.tv_nsec ^ (uint64_t)getpid() << 40) *
             UINT64_C(0x9e3779b97f4a7c15);
  }
  snprintf(name, unfinished_bytes, "%s%016llx", prefix, (unsigned long long)number);
}

/* Takes the lock that says that the file is held. Of a system without locks nothing is taken, and
 * nobody there removes what another may hold. */
static int hold(int descriptor) {
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static void drop_file(file_writer *to) {
  unfinished_remove();
  if (to->descriptor >= 0)
    close(to->descriptor);
  to->descriptor = -1;
}

/* A file with a random name, that is held: who cleans may have been faster than the lock, and then
 * there is another one. */
static int make_named(file_writer *to) {
  char name[unfinished_bytes];
  for (int i = 0; i < tries; ++i) {
    draw_name(name);
    unfinished_lock();
    to->descriptor =
        openat(to->folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (to->descriptor >= 0)
      unfinished_is(to->folder, name);
    unfinished_unlock();
    if (to->descriptor < 0 && errno != EEXIST)
      return 0;
    if (to->descriptor >= 0 && hold(to->descriptor) && is_named(to->folder, name, to->descriptor))
      return 1;
    drop_file(to);
  }
  errno = EEXIST;
  return 0;
}

#if defined(O_TMPFILE) && !defined(FFN_PACK_NAMED)
/* By this path a file without a name is given one. */
static void own_path(int descriptor, char *path, size_t bytes) {
  snprintf(path, bytes, "/proc/self/fd/%d", descriptor);
}

/* A file without a name, where there are such files and a way to name them. */
static int make_nameless(file_writer *to) {
  char path[40];
  struct stat own, found;
  const int descriptor = openat(to->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return 0;
  own_path(descriptor, path, sizeof path);
  if (fstat(descriptor, &own) == 0 && stat(path, &found) == 0 &&
      file_id_same(file_id_of(&own), file_id_of(&found)) && hold(descriptor)) {
    to->descriptor = descriptor;
    return 1;
  }
  close(descriptor);
  return 0;
}

static int link_nameless(const file_writer *to, const char *name) {
  char path[40];
  own_path(to->descriptor, path, sizeof path);
  return linkat(AT_FDCWD, path, to->folder, name, AT_SYMLINK_FOLLOW) == 0;
}
#else
static int make_nameless(file_writer *to) {
  (void)to;
  return 0;
}

static int link_nameless(const file_writer *to, const char *name) {
  (void)to, (void)name;
  errno = ENOSYS;
  return 0;
}
#endif

/* Gives it a random name. */
static int name_it(file_writer *to) {
  char name[unfinished_bytes];
  int done = 0;
  for (int i = 0; i < tries && !done; ++i) {
    draw_name(name);
    unfinished_lock();
    done = link_nameless(to, name);
    if (done)
      unfinished_is(to->folder, name);
    unfinished_unlock();
    if (!done && errno != EEXIST)
      return 0;
  }
  return done;
}

/* ---- Begin and end -------------------------------------------------------------------------- */

/* Opens the folder that a path is in. */
static int open_folder(file_writer *to) {
  const char *slash = strrchr(to->path, '/');
  to->name = slash ? slash + 1 : to->path;
  char *folder = slash ? strdup(to->path) : NULL;
  if (slash && !folder)
    return 0;
  if (folder)
    folder[slash == to->path ? 1 : slash - to->path] = 0;
  to->folder = open(folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  return to->folder >= 0;
}

int writer_begin(
    file_writer *to, const char *path, const writer_rules *rules, pack_problem *problem) {
  const file_writer begun = {path, path, *rules, -1, -1};
  int is_there;
  *to = begun;
  if (!open_folder(to))
    return cannot(to, unwritten, problem);
  if (!*to->name)
    return fails(problem, code_failure, path, "it is a folder: choose another --out");
  if (!may_write(to, &is_there, problem))
    return 0;
  clean(to);
  return make_nameless(to) || make_named(to) || cannot(to, unwritten, problem);
}

/* Puts it where nothing is: no other program's file can be written over so. 1: it is there; 0: it
 * is not, and another way may be; -1: something is there now. */
static int put_new(file_writer *to) {
  const char *name = unfinished_name();
  const int linked =
      *name ? linkat(to->folder, name, to->folder, to->name, 0) == 0 : link_nameless(to, to->name);
  if (!linked)
    return errno == EEXIST ? -1 : 0;
  if (*name)
    unlinkat(to->folder, name, 0); /* or else the next run does */
  unfinished_none();
  return 1;
}

/* Puts it over a file of ours; where there are no links, where nothing was. */
static int put_over(file_writer *to, pack_problem *problem) {
  if (!*unfinished_name() && !name_it(to))
    return cannot(to, unwritten, problem);
  if (!is_named(to->folder, unfinished_name(), to->descriptor))
    return fails(problem, code_failure, to->path,
        "%s: the unfinished file beside it is gone: another program removed that file", unwritten);
  if (renameat(to->folder, unfinished_name(), to->folder, to->name) != 0)
    return cannot(to, unwritten, problem);
  unfinished_none();
  return 1;
}

/* Whether the folder is on the disk, too. Some systems sync none. */
static int sync_folder(const file_writer *to) {
  return fsync(to->folder) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS ||
         errno == EBADF;
}

int writer_end(file_writer *to, pack_problem *problem) {
  int is_there = 0, done = 0;
  if (fsync(to->descriptor) != 0)
    return cannot(to, unwritten, problem);
  for (int i = 0; i < tries && !done; ++i) {
    if (!may_write(to, &is_there, problem))
      return 0;
    done = is_there ? 0 : put_new(to);
    if (done < 0) {
      done = 0; /* look at what came */
      continue;
    }
    if (!done && !put_over(to, problem))
      return 0;
    done = 1;
  }
  if (!done)
    return cannot(to, unwritten, problem);
  const int synced = sync_folder(to);
  const int closed = synced ? close(to->descriptor) == 0 : 0;
  if (synced)
    to->descriptor = -1;
  return closed ||
         cannot(to, "the file is complete, but the system does not confirm that it is on the disk",
             problem);
}

void writer_drop(file_writer *to) {
  drop_file(to);
  if (to->folder >= 0)
    close(to->folder);
  to->folder = -1;
}
