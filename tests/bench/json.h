/* What a run has measured, as JSON: README.md tells the fields. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include "cell.h"
#include "stack_turns.h"

#include <stdio.h>

/* "key": "value" */
void bench_json_text(FILE *file, const char *key, const char *value);

/* The beginning, up to the roofs' bracket. */
void bench_json_machine(FILE *file, const bench_machine *machine);
void bench_json_roofs(FILE *file, const bench_roofs *roofs);
void bench_json_stack(FILE *file, const bench_stack *stack, const bench_stack_times *times);
void bench_json_cell(FILE *file, const char *spec, const bench_layer *layer, const bench_cell *cell,
                     const bench_outcome *outcome, const bench_subject *subjects, size_t count);

#endif
