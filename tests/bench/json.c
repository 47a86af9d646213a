#include "json.h"

#include <time.h>

void bench_json_text(FILE *file, const char *key, const char *value) {
  fprintf(file, "\"%s\": \"", key);
  for (; *value; ++value)
    if (*value == '"' || *value == '\\')
      fprintf(file, "\\%c", *value);
    else
      fputc((unsigned char)*value < ' ' ? ' ' : *value, file);
  fputc('"', file);
}

void bench_json_machine(FILE *file, const bench_machine *m) {
  char date[32];
  const time_t now = time(NULL);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  fprintf(file, "{\"schema\": 2, \"date\": \"%s\",\n\"machine\": {", date);
  bench_json_text(file, "cpu", m->cpu);
  fprintf(file,
          ", \"cores\": %zu, \"l2\": %zu, \"l3\": %zu, \"last_level\": %zu, "
          "\"memory\": %zu, \"cold_bytes\": %zu, ",
          m->cores, m->cache[BENCH_L2], m->cache[BENCH_L3], m->last_level, m->cache[BENCH_DRAM],
          m->cold_bytes);
  bench_json_text(file, "compiler", __VERSION__);
  fprintf(file, "},\n\"roofs\": [");
}

void bench_json_roofs(FILE *file, const bench_roofs *r) {
  fprintf(file, "\n{\"threads\": %zu, \"peak\": {", r->threads);
  const char *comma = "";
  for (int isa = 0; isa < FFN_ISA_COUNT; ++isa)
    if (r->peak[isa] > 0) {
      fprintf(file, "%s\"%s\": %.6g", comma, ffn_isa_name((ffn_isa)isa), r->peak[isa]);
      comma = ", ";
    }
  fprintf(file, "}, \"read\": {");
  for (int level = 0; level < BENCH_LEVEL_COUNT; ++level)
    fprintf(file, "\"%s\": {\"bytes\": %zu, \"speed\": %.6g}, ",
            bench_level_name((bench_level)level), r->read_bytes[level], r->read[level]);
  fprintf(file, "\"DRAM in small pages\": {\"bytes\": %zu, \"speed\": %.6g}}}",
          r->read_bytes[BENCH_DRAM], r->plain_pages);
}

static void stack_time(FILE *file, const bench_stack_time *t) {
  fprintf(file, "{");
  bench_json_text(file, "name", t->is_read ? "read" : bench_holding_name(t->holding));
  fprintf(file,
          ", \"small\": %s, \"huge_bytes\": %zu, \"seconds\": %.6g, \"ratio\": %.4f, "
          "\"unsure\": %.4f, \"of_read\": %.4f, \"of_read_unsure\": %.4f, \"spread\": %.4f}",
          t->holding->small ? "true" : "false", t->holding->huge_bytes, t->seconds, t->ratio,
          t->unsure, t->of_read, t->of_read_unsure, t->spread);
}

void bench_json_stack(FILE *file, const bench_stack *stack, const bench_stack_times *times) {
  fprintf(file, "\n{");
  bench_json_text(file, "model", stack->spec->name);
  fprintf(file, ", \"layers\": %zu, \"bytes\": %zu, \"threads\": %zu, \"rounds\": %zu, ",
          stack->count, stack->bytes, times->threads, times->rounds);
  fprintf(file, "\"subjects\": [");
  for (size_t i = 0; i < BENCH_STACK_SUBJECTS; ++i) {
    fputs(i ? ",\n  " : "\n  ", file);
    stack_time(file, &times->list[i]);
  }
  fprintf(file, "]}");
}

/* Of a limit: what as much work as the cell's takes at that speed. */
static void subject(FILE *file, const bench_subject *s) {
  fprintf(file, "{");
  bench_json_text(file, "name", s->name);
  fprintf(
      file,
      ", \"seconds\": %.6g, \"ratio\": %.4f, \"unsure\": %.4f, \"spread\": %.4f, \"rounds\": %zu, ",
      s->seconds, s->ratio, s->unsure, s->spread, s->rounds);
  fprintf(file, "\"calls\": %zu", s->calls);
  if (!bench_is_limit(s))
    fprintf(file, ", \"error\": %.3g", s->error);
  if (s->peer && s->peer->noise > 0)
    fputs(", \"narrow\": true", file);
  fputc('}', file);
}

static void subjects_of(FILE *file, const char *key, int limits, const bench_subject *subjects,
                        size_t count) {
  const char *comma = "";
  fprintf(file, ", \"%s\": [", key);
  for (size_t i = 0; i < count; ++i)
    if (subjects[i].timed && bench_is_limit(&subjects[i]) == limits) {
      fputs(comma, file);
      subject(file, &subjects[i]);
      comma = ", ";
    }
  fputc(']', file);
}

/* Peers that are gone, by name and why. */
static void failed_of(FILE *file, const bench_subject *subjects, size_t count) {
  size_t failed = 0;
  for (size_t i = 0; i < count; ++i)
    if (subjects[i].failed[0]) {
      fputs(failed++ ? ", " : ", \"failed\": {", file);
      bench_json_text(file, subjects[i].name, subjects[i].failed);
    }
  if (failed)
    fputc('}', file);
}

void bench_json_cell(FILE *file, const char *spec, const bench_layer *layer, const bench_cell *cell,
                     const bench_outcome *outcome, const bench_subject *subjects, size_t count) {
  const ffn_kernel *k = layer->kernel;
  fprintf(file, "\n{");
  bench_json_text(file, "spec", spec);
  fputs(", ", file);
  bench_json_text(file, "layer", k->layer);
  fprintf(file,
          ", \"inputs\": %zu, \"hidden\": %zu, \"outputs\": %zu, \"tokens\": %zu, "
          "\"threads\": %zu, \"cold\": %s, \"copies\": %zu, \"bytes\": %zu, \"flop\": %.0f, "
          "\"moved\": %.4f, \"repeated\": %s, \"undecided\": %s",
          k->inputs, k->hidden, k->outputs, cell->tokens, cell->threads,
          cell->cold ? "true" : "false", cell->cold ? layer->copies : 1, k->packed_bytes,
          (double)k->flop_per_token * (double)cell->tokens, outcome->moved,
          outcome->repeated ? "true" : "false", outcome->undecided ? "true" : "false");
  subjects_of(file, "subjects", 0, subjects, count);
  subjects_of(file, "limits", 1, subjects, count);
  failed_of(file, subjects, count);
  fputc('}', file);
}
