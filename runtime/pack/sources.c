/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * sources.c - see sources.h. */
#define _POSIX_C_SOURCE 200809L
#include "pack/sources.h"
#include "xxh64.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char another[] = "make the plan again with ffngen import, or restore the file";

/* Whether the file at a path may be mapped. */
static int map_file(
    const plan_file *file, const char *path, pack_source *to, pack_problem *problem) {
  struct stat about;
  const int descriptor = open_to_read(path, &about, code_bad_input, problem);
  if (descriptor < 0)
    return 0;
  if ((uint64_t)about.st_size != file->bytes) {
    close(descriptor);
    return fails(problem, code_bad_input, path,
        "it has %llu bytes, and had %llu when import read it: %s",
        (unsigned long long)about.st_size, (unsigned long long)file->bytes, another);
  }
  void *memory = NULL;
  if (file->bytes > 0)
    memory = mmap(NULL, (size_t)file->bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED)
    return fails(problem, code_failure, path, "it cannot be mapped: %s", strerror(errno));
  to->memory = (const char *)memory;
  to->bytes = (size_t)file->bytes;
  to->id = file_id_of(&about);
  return 1;
}

static int is_file_of(
    const plan_file *file, const char *path, const pack_source *own, pack_problem *problem) {
  ffn_xxh64 state = ffn_xxh64_begin();
  for (size_t i = 0; i < file->span_count; ++i)
    if (file->spans[i].bytes > 0)
      ffn_xxh64_take(&state, own->memory + file->spans[i].first, (size_t)file->spans[i].bytes);
  return ffn_xxh64_end(&state) == file->hash ||
         fails(problem, code_bad_input, path, "its header is not the one that import read: %s",
             another);
}

/* Numbers of a file that is mapped, decoded in memory of their own. */
static int decode_file(const plan_file *file, const char *path, const pack_source *of,
    pack_source *to, pack_problem *problem) {
  const varint_type *type = file->varints.type;
  char *memory = (char *)malloc(file->bytes > 0 ? (size_t)file->bytes : 1);
  if (!memory)
    return fails(problem, code_failure, path, "no memory for %llu bytes of its numbers",
        (unsigned long long)file->bytes);
  to->memory = memory;
  to->bytes = (size_t)file->bytes;
  to->id = of->id;
  return varints_decode(memory, to->bytes / type->bytes, type, of->memory + file->varints.first,
      (size_t)file->varints.bytes, path, problem);
}

static int open_source(const plan_file *file, const char *path, const pack_source *sources,
    pack_source *to, pack_problem *problem) {
  if (file->varints.type)
    return decode_file(file, path, &sources[file->varints.file], to, problem);
  return map_file(file, path, to, problem) && is_file_of(file, path, to, problem);
}

static char *path_of(const char *folder, const char *path) {
  const size_t in_front = path[0] == '/' ? 0 : strlen(folder), bytes = strlen(path);
  char *joined = (char *)malloc(in_front + bytes + 1);
  if (joined) {
    memcpy(joined, folder, in_front);
    memcpy(joined + in_front, path, bytes + 1);
  }
  return joined;
}

pack_source *sources_open(const pack_plan *plan, const char *folder, pack_problem *problem) {
  pack_source *sources = (pack_source *)calloc(plan->file_count, sizeof *sources);
  int works = sources != NULL || fails(problem, code_failure, "memory", "there is none left");
  for (size_t i = 0; works && i < plan->file_count; ++i) {
    const plan_file *file = &plan->files[i];
    char *path = path_of(folder, file->path);
    works = (path != NULL || fails(problem, code_failure, "memory", "there is none left")) &&
            open_source(file, path, sources, &sources[i], problem);
    free(path);
  }
  if (works)
    return sources;
  sources_close(sources, plan);
  return NULL;
}

void sources_close(pack_source *sources, const pack_plan *plan) {
  for (size_t i = 0; sources && i < plan->file_count; ++i)
    if (sources[i].memory && plan->files[i].varints.type)
      free((void *)(uintptr_t)sources[i].memory);
    else if (sources[i].memory)
      munmap((void *)(uintptr_t)sources[i].memory, sources[i].bytes);
  free(sources);
}
