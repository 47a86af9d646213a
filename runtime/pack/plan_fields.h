/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan_fields.h - fields of JSON as a plan has them: those that are not known, missing or of
 * another type end its reading. */
#ifndef FFN_PACK_PLAN_FIELDS_H
#define FFN_PACK_PLAN_FIELDS_H

#include "pack/plan.h"

#include <jansson.h>

/* What is being read, and where errors go. */
typedef struct reader {
  const char *where;
  pack_problem *problem;
} reader;

#define wrong(r, ...) fails((r)->problem, code_bad_input, (r)->where, __VA_ARGS__)

/* Whether an object has these fields and no others; those behind a '?' may be missing. */
int has_fields(const reader *r, const char *what, const json_t *object, const char *names);
int whole(const reader *r, const char *what, const json_t *value, uint64_t most, uint64_t *to);
int whole_field(
    const reader *r, const json_t *object, const char *name, uint64_t most, uint64_t *to);
/* A size of a matrix. */
int size_field(const reader *r, const json_t *object, const char *name, size_t *to);
int truth_field(const reader *r, const json_t *object, const char *name, int *to);
int text_field(const reader *r, const json_t *object, const char *name, const char **to);
/* So many zeroed records; at least one, so that none is no failure. */
void *records(const reader *r, size_t count, size_t bytes);

#endif
