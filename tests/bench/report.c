#include "report.h"
#include "json.h"
#include "peers.h"

#include <stdlib.h>

static void say_machine(const bench_machine *m) {
  printf("%s, %zu cores; L2 %.1f MiB each, L3 %.0f MiB of %.0f, memory %.0f GiB\n", m->cpu,
         m->cores, (double)m->cache[BENCH_L2] / 0x1p20, (double)m->cache[BENCH_L3] / 0x1p20,
         (double)m->last_level / 0x1p20, (double)m->cache[BENCH_DRAM] / 0x1p30);
  printf("cold: weights rest until %.0f MiB of others were read%s\n",
         (double)m->cold_bytes / 0x1p20,
         m->cold_bytes < 2 * m->last_level ? ", LESS THAN TWICE ALL L3: not all cold" : "");
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

static void report_peers(FILE *json) {
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i) {
    const bench_peer_entry *e = &bench_peers[i];
    printf("%-12s %s%s\n", e->name,
           e->peer || e->failed ? "" : "skipped: ", e->peer ? e->version : e->why);
    if (!json)
      continue;
    fprintf(json, "%s\n{", i ? "," : "");
    bench_json_text(json, "name", e->name);
    fputs(", ", json);
    bench_json_text(json, e->peer ? "version" : "skipped", e->peer ? e->version : e->why);
    fputc('}', json);
  }
}

void bench_report_open(bench_report *report, const char *json) {
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i)
    report->failed += (size_t)bench_peers[i].failed;
  if (json && !(report->json = fopen(json, "w"))) {
    perror(json);
    exit(2);
  }
  say_machine(&report->machine);
  for (size_t i = 0; i < report->roof_count; ++i)
    say_roofs(&report->roofs[i]);
  if (report->json) {
    bench_json_machine(report->json, &report->machine);
    for (size_t i = 0; i < report->roof_count; ++i) {
      fputs(i ? "," : "", report->json);
      bench_json_roofs(report->json, &report->roofs[i]);
    }
    fprintf(report->json, "],\n\"peers\": [");
  }
  report_peers(report->json);
  if (report->json)
    fprintf(report->json, "],\n\"models\": [");
}

void bench_report_stack(bench_report *report, const bench_stack *stack,
                        const bench_stack_times *times) {
  printf("\n%s: %zu layers, %.3g MB of weights, one token, cold, %zu thread%s\n", stack->spec->name,
         stack->count, 1e-6 * (double)stack->bytes, times->threads, times->threads > 1 ? "s" : "");
  if (times->rounds < BENCH_STACK_ROUNDS_LEAST)
    printf("TOO FEW: %zu rounds, not %d; the machine is busy\n", times->rounds,
           (int)BENCH_STACK_ROUNDS_LEAST);
  printf("%-30s %11s %6s %8s %7s %6s %10s\n", "", "time", "spread", "of read", "ratio", "+-",
         "huge pages");
  for (size_t i = 0; i < BENCH_STACK_SUBJECTS; ++i) {
    const bench_stack_time *t = &times->list[i];
    printf("%-30s %8.1f us %5.1f%% %7.1f%% %6.3fx %5.3f %9.0f%%\n",
           t->is_read ? "a plain read of it" : bench_holding_name(t->holding), 1e6 * t->seconds,
           100 * t->spread, 100 * t->of_read, t->ratio, t->unsure,
           100 * (double)t->holding->huge_bytes / (double)stack->bytes);
  }
  fflush(stdout);
  if (report->json) {
    fputs(report->models ? "," : "", report->json);
    bench_json_stack(report->json, stack, times);
  }
  ++report->models;
}

void bench_report_cells(const bench_report *report) {
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
  printf("\n%6s %3s %-4s %11s %6s %6s %12s %9s %6s", "tokens", "thr", "", "time", "spread", "%",
         "of", "G/s", "spread");
  for (size_t i = 1; i < count; ++i)
    if (!bench_is_limit(&subjects[i])) {
      const bench_peer *its = subjects[i].peer;
      printf(" %9.9s%s", subjects[i].name, its && its->noise > 0 ? "*" : " ");
    }
  printf("  best peer\n");
}

/* How near the kernel is to the nearer limit, the speed of that in G flop or bytes, its spread. */
static void say_limit(const bench_layer *layer, const bench_cell *cell,
                      const bench_subject *limit) {
  const ffn_kernel *k = layer->kernel;
  if (!limit) {
    printf(" %6s %12s %9s %6s", "-", "-", "-", "-");
    return;
  }
  const double work = limit->kind == BENCH_PEAK ? (double)k->flop_per_token * (double)cell->tokens
                                                : (double)k->packed_bytes;
  printf(" %5.1f%% %12s %9.2f %5.1f%%", 100 * limit->ratio, limit->name,
         1e-9 * work / limit->seconds, 100 * limit->spread);
}

void bench_report_cell(bench_report *report, const char *spec, const bench_layer *layer,
                       const bench_cell *cell, const bench_outcome *outcome,
                       const bench_subject *subjects, size_t count) {
  const bench_subject *ours = &subjects[0], *best = bench_best_peer(subjects, count);
  if (!ours->timed)
    return;
  printf("%6zu %3zu %-4s %8.2f us %5.1f%%", cell->tokens, cell->threads,
         cell->cold ? "cold" : "hot", 1e6 * ours->seconds, 100 * ours->spread);
  say_limit(layer, cell, bench_nearest_limit(subjects, count));
  for (size_t i = 1; i < count; ++i) {
    if (bench_is_limit(&subjects[i]))
      continue;
    if (subjects[i].timed)
      printf(" %9.2fx", subjects[i].ratio);
    else
      printf(" %10s", subjects[i].failed[0] ? "failed" : "-");
  }
  printf("  %s%s\n", best ? best->name : "", outcome->undecided ? " ~" : "");
  fflush(stdout);
  report->undecided += (size_t)outcome->undecided;
  if (report->json) {
    fputs(report->cells ? "," : "", report->json);
    bench_json_cell(report->json, spec, layer, cell, outcome, subjects, count);
  }
  ++report->cells;
}

size_t bench_report_failed(bench_report *report, const bench_subject *subjects, size_t count) {
  size_t failed = 0;
  for (size_t i = 0; i < count; ++i)
    if (subjects[i].failed[0]) {
      printf("%s failed: %s\n", subjects[i].name, subjects[i].failed);
      ++failed;
    }
  fflush(stdout);
  report->failed += failed;
  return failed;
}

void bench_report_close(bench_report *report, int wrong) {
  printf("\n*: rounds what it multiplies to fewer bits than f32; no best peer\n");
  printf("\n%zu of %zu cells are undecided (~): the machine moved more than the result, twice\n",
         report->undecided, report->cells);
  if (wrong)
    printf("bench: %d WRONG ANSWERS, see above\n", wrong);
  if (report->failed)
    printf("bench: peers FAILED %zu times, see above\n", report->failed);
  if (!report->json)
    return;
  fprintf(report->json, "],\n\"undecided\": %zu, \"failed\": %zu, \"wrong\": %d}\n",
          report->undecided, report->failed, wrong);
  fclose(report->json);
}
