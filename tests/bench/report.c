#include "report.h"
#include "peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double noisy = 0.05; /* a drift of the peak beyond which figures mean little */

static void text(FILE *file, const char *key, const char *value) {
  fprintf(file, "\"%s\": \"", key);
  for (; *value; ++value)
    if (*value == '"' || *value == '\\')
      fprintf(file, "\\%c", *value);
    else
      fputc((unsigned char)*value < ' ' ? ' ' : *value, file);
  fputc('"', file);
}

static void say_machine(const bench_machine *m) {
  printf("%s, %zu cores; L2 %.1f MiB each, L3 %.0f MiB, memory %.0f GiB\n", m->cpu, m->cores,
         (double)m->cache[BENCH_L2] / 0x1p20, (double)m->cache[BENCH_L3] / 0x1p20,
         (double)m->cache[BENCH_DRAM] / 0x1p30);
  printf("cold: %.0f MiB of weights in turns%s\n", (double)m->cold_bytes / 0x1p20,
         m->cold_bytes < 2 * m->cache[BENCH_L3] ? ", LESS THAN TWICE THE L3: not all cold" : "");
}

static void say_roofs(const bench_roofs *r) {
  printf("%zu thread%s:", r->threads, r->threads > 1 ? "s" : "");
  for (int isa = 0; isa < FFN_ISA_COUNT; ++isa)
    if (r->peak[isa] > 0)
      printf(" %s %.1f GFLOP/s,", ffn_isa_name((ffn_isa)isa), 1e-9 * r->peak[isa]);
  for (int level = 0; level < BENCH_LEVEL_COUNT; ++level)
    printf(" %s %.1f GB/s (%.0f MiB),", bench_level_name((bench_level)level), 1e-9 * r->read[level],
           (double)r->read_bytes[level] / 0x1p20);
  printf(" DRAM in small pages %.1f GB/s\n", 1e-9 * r->plain_pages);
}

static void json_machine(FILE *file, const bench_machine *m) {
  fprintf(file, "{\"schema\": 1,\n\"machine\": {");
  text(file, "cpu", m->cpu);
  fprintf(file,
          ", \"cores\": %zu, \"l2\": %zu, \"l3\": %zu, \"memory\": %zu, \"cold_bytes\": %zu, ",
          m->cores, m->cache[BENCH_L2], m->cache[BENCH_L3], m->cache[BENCH_DRAM], m->cold_bytes);
  text(file, "compiler", __VERSION__);
  fprintf(file, "},\n\"roofs\": [");
}

static void json_roofs(FILE *file, const bench_roofs *r) {
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

static void report_peers(FILE *json) {
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i) {
    const bench_peer_entry *e = &bench_peers[i];
    printf("%-12s %s%s\n", e->name, e->peer ? "" : "skipped: ", e->peer ? e->version : e->why);
    if (!json)
      continue;
    fprintf(json, "%s\n{", i ? "," : "");
    text(json, "name", e->name);
    fputs(", ", json);
    text(json, e->peer ? "version" : "skipped", e->peer ? e->version : e->why);
    fputc('}', json);
  }
}

void bench_report_open(bench_report *report, const char *json) {
  if (json && !(report->json = fopen(json, "w"))) {
    perror(json);
    exit(2);
  }
  say_machine(&report->machine);
  for (size_t i = 0; i < report->roof_count; ++i)
    say_roofs(&report->roofs[i]);
  if (report->json) {
    json_machine(report->json, &report->machine);
    for (size_t i = 0; i < report->roof_count; ++i) {
      fputs(i ? "," : "", report->json);
      json_roofs(report->json, &report->roofs[i]);
    }
    fprintf(report->json, "],\n\"peers\": [");
  }
  report_peers(report->json);
  if (report->json)
    fprintf(report->json, "],\n\"cells\": [");
}

void bench_report_layer(const bench_report *report, const char *spec, const bench_layer *layer,
                        const bench_subject *subjects, size_t count) {
  const ffn_kernel *k = layer->kernel;
  (void)report;
  printf("\n%s (%s): %.3g MB of weights, %.3g MFLOP per token", spec, k->layer,
         1e-6 * (double)k->packed_bytes, 1e-6 * (double)k->flop_per_token);
  if (layer->copies > 1)
    printf(", %zu copies when cold", layer->copies);
  printf("\n%6s %3s %-4s %11s %6s %9s %6s %-5s", "tokens", "thr", "", "time", "spread", "G/s", "%",
         "of");
  for (size_t i = 1; i < count; ++i)
    printf(" %10.10s", subjects[i].name);
  printf("  best peer\n");
}

/* How near to which roof. */
typedef struct limit {
  double speed, fraction; /* flop/s or bytes/s */
  const char *of;
} limit;

static limit limit_of(const bench_report *report, const bench_layer *layer, const bench_cell *cell,
                      const bench_subject *s) {
  const size_t bytes = layer->kernel->packed_bytes;
  const bench_level level =
      cell->cold ? BENCH_DRAM : bench_home(&report->machine, bytes, cell->threads);
  const double flop = (double)layer->kernel->flop_per_token * (double)cell->tokens;
  for (size_t i = 0; i < report->roof_count; ++i) {
    const bench_roofs *r = &report->roofs[i];
    if (r->threads != cell->threads)
      continue;
    const double read = (double)bytes / r->read[level], peak = r->peak[s->kernel->isa];
    if (peak > 0 && flop / peak > read)
      return (limit){flop / s->seconds, flop / peak / s->seconds, "peak"};
    return (limit){(double)bytes / s->seconds, read / s->seconds, bench_level_name(level)};
  }
  return (limit){flop / s->seconds, 0, "-"};
}

static void json_subject(FILE *file, const bench_subject *s) {
  fprintf(file, "{");
  text(file, "name", s->name);
  fprintf(file,
          ", \"seconds\": %.6g, \"spread\": %.4f, \"rounds\": %zu, \"calls\": %zu, "
          "\"error\": %.3g}",
          s->seconds, s->spread, s->rounds, s->calls, s->error);
}

static void json_cell(bench_report *report, const char *spec, const bench_layer *layer,
                      const bench_cell *cell, const bench_subject *subjects, size_t count,
                      const limit *l) {
  const ffn_kernel *k = layer->kernel;
  FILE *file = report->json;
  fprintf(file, "%s\n{", report->cells++ ? "," : "");
  text(file, "spec", spec);
  fputs(", ", file);
  text(file, "layer", k->layer);
  fprintf(file,
          ", \"inputs\": %zu, \"hidden\": %zu, \"outputs\": %zu, \"tokens\": %zu, "
          "\"threads\": %zu, \"cold\": %s, \"copies\": %zu, \"bytes\": %zu, \"flop\": %.0f, "
          "\"fraction\": %.4f, \"of\": \"%s\", \"subjects\": [",
          k->inputs, k->hidden, k->outputs, cell->tokens, cell->threads,
          cell->cold ? "true" : "false", cell->cold ? layer->copies : 1, k->packed_bytes,
          (double)k->flop_per_token * (double)cell->tokens, l->fraction, l->of);
  const char *comma = "";
  for (size_t i = 0; i < count; ++i)
    if (subjects[i].timed) {
      fputs(comma, file);
      json_subject(file, &subjects[i]);
      comma = ", ";
    }
  fputs("]}", file);
}

void bench_report_cell(bench_report *report, const char *spec, const bench_layer *layer,
                       const bench_cell *cell, const bench_subject *subjects, size_t count) {
  const bench_subject *ours = &subjects[0], *best = NULL;
  if (!ours->timed)
    return;
  const limit l = limit_of(report, layer, cell, ours);
  printf("%6zu %3zu %-4s %8.2f us %5.1f%% %9.2f %5.1f%% %-5s", cell->tokens, cell->threads,
         cell->cold ? "cold" : "hot", 1e6 * ours->seconds, 100 * ours->spread, 1e-9 * l.speed,
         100 * l.fraction, l.of);
  for (size_t i = 1; i < count; ++i) {
    const bench_subject *s = &subjects[i];
    if (!s->timed) {
      printf(" %10s", "-");
      continue;
    }
    printf(" %9.2fx", s->seconds / ours->seconds);
    if (s->peer && (!best || s->seconds < best->seconds))
      best = s;
  }
  printf("  %s\n", best ? best->name : "");
  fflush(stdout);
  if (report->json)
    json_cell(report, spec, layer, cell, subjects, count, &l);
}

void bench_report_close(bench_report *report, double drift, int wrong) {
  const int is_noisy = fabs(drift) > noisy;
  printf("\npeak since the start: %+.1f %%%s\n", 100 * drift, is_noisy ? ": NOISY RUN" : "");
  if (wrong)
    printf("bench: %d WRONG ANSWERS, see above\n", wrong);
  if (!report->json)
    return;
  fprintf(report->json, "],\n\"drift\": %.4f, \"noisy\": %s, \"wrong\": %d}\n", drift,
          is_noisy ? "true" : "false", wrong);
  fclose(report->json);
}
