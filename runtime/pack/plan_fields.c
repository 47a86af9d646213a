/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan_fields.c - see plan_fields.h. */
#include "pack/plan_fields.h"

#include <stdlib.h>
#include <string.h>

int has_fields(const reader *r, const char *what, const json_t *object, const char *names) {
  size_t known = 0;
  if (!json_is_object(object))
    return wrong(r, "%s is not an object", what);
  for (const char *at = names; *at;) {
    const size_t length = strcspn(at, " ");
    const int optional = *at == '?';
    char name[32] = {0};
    memcpy(name, at + optional, length - (size_t)optional);
    if (json_object_get(object, name))
      ++known;
    else if (!optional)
      return wrong(r, "%s has no \"%s\"", what, name);
    at += length + (at[length] == ' ');
  }
  if (known != json_object_size(object))
    return wrong(r, "%s has a field that this version does not know (it knows %s)", what, names);
  return 1;
}

int whole(const reader *r, const char *what, const json_t *value, uint64_t most, uint64_t *to) {
  const json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
  if (number < 0 || (uint64_t)number > most)
    return wrong(r, "%s must be a whole number from 0 to %llu", what, (unsigned long long)most);
  *to = (uint64_t)number;
  return 1;
}

int whole_field(
    const reader *r, const json_t *object, const char *name, uint64_t most, uint64_t *to) {
  return whole(r, name, json_object_get(object, name), most, to);
}

int size_field(const reader *r, const json_t *object, const char *name, size_t *to) {
  uint64_t size = 0;
  if (!whole_field(r, object, name, PLAN_MOST_SIZE, &size))
    return 0;
  if (size == 0)
    return wrong(r, "%s must not be 0", name);
  *to = (size_t)size;
  return 1;
}

int text_field(const reader *r, const json_t *object, const char *name, const char **to) {
  const json_t *value = json_object_get(object, name);
  if (!json_is_string(value) || json_string_length(value) > PLAN_MOST_NAME)
    return wrong(
        r, "%s must be a text of at most %llu bytes", name, (unsigned long long)PLAN_MOST_NAME);
  *to = json_string_value(value);
  return 1;
}

int truth_field(const reader *r, const json_t *object, const char *name, int *to) {
  const json_t *value = json_object_get(object, name);
  if (!json_is_boolean(value))
    return wrong(r, "%s must be true or false", name);
  *to = json_is_true(value);
  return 1;
}

void *records(const reader *r, size_t count, size_t bytes) {
  void *memory = calloc(count ? count : 1, bytes);
  if (!memory)
    fails(r->problem, code_failure, r->where, "no memory for %zu records", count);
  return memory;
}
