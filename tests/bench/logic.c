/* What the benchmark makes of its measurements, without any: turns, rests, verdicts, allowances. */
#include "allowance.h"
#include "cold_weights.h"
#include "data.h"
#include "decoding.h"
#include "kernels.h"
#include "turns.h"
#include "verdict.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { COUNT_MOST = 12 };

Test(turns, each_subject_has_each_place_equally_often) {
  for (size_t count = 1; count <= COUNT_MOST; ++count)
    for (size_t first = 0; first < 4 * count; first += count) {
      int had[COUNT_MOST][COUNT_MOST] = {{0}};
      for (size_t round = first; round < first + count; ++round)
        for (size_t place = 0; place < count; ++place)
          had[bench_turn(round, place, count)][place]++;
      for (size_t i = 0; i < count * count; ++i)
        cr_assert(had[i / count][i % count] == 1, "subject %zu of %zu, place %zu: %d times",
                  i / count, count, i % count, had[i / count][i % count]);
    }
}

Test(turns, each_subject_is_once_in_each_round) {
  for (size_t count = 1; count <= COUNT_MOST; ++count)
    for (size_t round = 0; round < 4 * count; ++round) {
      unsigned seen = 0;
      for (size_t place = 0; place < count; ++place)
        seen |= 1u << bench_turn(round, place, count);
      cr_assert(seen == (1u << count) - 1, "round %zu of %zu subjects", round, count);
    }
}

Test(turns, each_subject_follows_each_other_equally_often) {
  for (size_t count = 2; count <= COUNT_MOST; ++count) {
    int followed[COUNT_MOST][COUNT_MOST] = {{0}};
    for (size_t round = 0; round < 2 * count; ++round)
      for (size_t place = 1; place < count; ++place)
        followed[bench_turn(round, place - 1, count)][bench_turn(round, place, count)]++;
    for (size_t i = 0; i < count * count; ++i)
      cr_assert(i / count == i % count || followed[i / count][i % count] == 2,
                "%zu subjects: %zu after %zu: %d times", count, i % count, i / count,
                followed[i / count][i % count]);
  }
}

/* Rounds of subjects that read so many bytes each, of their own memory, and what is owed before.
 * What was read between two uses is never less than wanted, and on average over a cycle the same
 * for all. */
static void check_rests(size_t count, size_t bytes, size_t wanted) {
  bench_rest rest = {.wanted = wanted};
  bench_rested memory[COUNT_MOST] = {{0}};
  size_t used[COUNT_MOST] = {0}, rests[COUNT_MOST] = {0};
  const size_t rounds = 8 * count;
  for (size_t round = 0; round < rounds; ++round)
    for (size_t place = 0; place < count; ++place) {
      const size_t turn = bench_turn(round, place, count);
      rest.read += bench_rest_owed(&rest, &memory[turn]);
      const size_t others = rest.read - used[turn];
      cr_assert(round == 0 || others >= wanted, "subject %zu: %zu bytes", turn, others);
      if (round > 0)
        rests[turn] += others;
      bench_rest_used(&rest, &memory[turn], bytes);
      used[turn] = rest.read;
    }
  for (size_t i = 1; i < count; ++i) {
    const double apart = fabs((double)rests[i] / (double)rests[0] - 1);
    cr_assert(apart < 0.05, "subject %zu of %zu rests %.3f longer", i, count, apart);
  }
}

Test(rest, is_long_enough_and_equally_long_for_all) {
  for (size_t count = 2; count <= COUNT_MOST; ++count) {
    check_rests(count, 1000, 1000000);
    check_rests(count, 1000, 20000);
    check_rests(count, 1000, 1500);
  }
}

Test(rest, is_not_owed_by_what_was_never_read) {
  const bench_rest rest = {.wanted = 100};
  const bench_rested fresh = {0};
  cr_assert(bench_rest_owed(&rest, &fresh) == 0);
}

Test(verdict, a_machine_that_moves_more_than_the_result_decides_nothing) {
  cr_assert(bench_is_undecided(0.03, 1.02));
  cr_assert(bench_is_undecided(0.03, 0.98));
  cr_assert(!bench_is_undecided(0.03, 1.04));
  cr_assert(!bench_is_undecided(0.03, 0.96));
  cr_assert(!bench_is_undecided(0, 1));
}

Test(decoding, is_a_part_of_what_a_call_takes_at_least) {
  ffn_stage stages[2] = {{.inputs = 64, .outputs = 96, .branches = 2, .format = FFN_FORMAT_F32},
                         {.inputs = 96, .outputs = 64, .branches = 1, .format = FFN_FORMAT_F32}};
  const ffn_kernel kernel = {.stages = stages, .stage_count = 2};
  cr_assert(bench_limit(&kernel, FFN_ISA_AVX512, 1) == 1);
  cr_assert(bench_limit(&kernel, FFN_ISA_AVX512, 16) == 1);
  /* bf16 has two instructions, of which one multiplies; q8_0 some more than four, and two. */
  stages[0].format = stages[1].format = FFN_FORMAT_BF16;
  cr_assert(bench_limit(&kernel, FFN_ISA_AVX2, 16) >= 1);
  stages[0].format = stages[1].format = FFN_FORMAT_Q8_0;
  const double one = bench_limit(&kernel, FFN_ISA_AVX512, 1);
  cr_assert(one > 2 && one < 4.2, "%g", one);
  const double many = bench_limit(&kernel, FFN_ISA_AVX512, 16) * 16;
  cr_assert(many >= 17 && many < 19.2, "%g", many);
  /* A third of the weights in f32. */
  stages[1].format = FFN_FORMAT_F32;
  const double mixed = bench_limit(&kernel, FFN_ISA_AVX512, 1);
  cr_assert(fabs(mixed - (2 * one + 1) / 3) < 1e-9, "%g", mixed);
}

Test(verdict, without_a_peer_the_machine_may_move_a_little) {
  cr_assert(!bench_is_undecided(0.09, 0));
  cr_assert(bench_is_undecided(0.11, 0));
}

/* A clock that halves in the midst of it: medians of each alone would say 1.5 or so. */
Test(verdict, ratios_are_of_the_same_round) {
  static const double kernel[] = {1, 1, 1, 2, 2, 2, 2}, library[] = {3, 3, 3, 6, 6, 6, 6};
  cr_assert(bench_ratios(library, kernel, 7).median == 3);
  static const double late[] = {1, 1, 1, 1, 2, 2, 2}, early[] = {2, 2, 2, 2, 2, 4, 4};
  cr_assert(bench_ratios(early, late, 7).median == 2);
}

Test(verdict, more_rounds_are_surer) {
  cr_assert(bench_uncertainty(0.1, 16) == bench_uncertainty(0.1, 4) / 2);
  cr_assert(bench_uncertainty(0.2, 9) == 2 * bench_uncertainty(0.1, 9));
  cr_assert(bench_uncertainty(2.0, 10) > 1 && bench_uncertainty(0.05, 10) < 0.04);
}

/* ---- Allowances ---- */

/* Sums straight through in f32, as a plain loop does; without the product `missing`. */
static float straight(const test_matrix *matrix, size_t output, const float *x, size_t missing) {
  float sum = 0;
  for (size_t k = 0; k < matrix->inputs; ++k)
    if (k != missing)
      sum += matrix->weight[output * matrix->inputs + k] * x[k];
  return sum;
}

/* A SwiGLU by plain loops; without one product in each sum of the last matrix. */
static void plain_loops(const test_model *model, float *y, const float *x, size_t missing) {
  const test_matrix *gate = &model->matrices[0], *up = &model->matrices[1];
  const test_matrix *down = &model->matrices[2];
  float *hidden = test_memory(gate->outputs * sizeof *hidden);
  for (size_t i = 0; i < gate->outputs; ++i) {
    const float g = straight(gate, i, x, gate->inputs);
    hidden[i] = g / (1 + expf(-g)) * straight(up, i, x, up->inputs);
  }
  for (size_t i = 0; i < down->outputs; ++i)
    y[i] = straight(down, i, hidden, missing);
  free(hidden);
}

typedef struct scene {
  test_model model;
  size_t outputs;
  float *x, *y;
  double *exact, *ours, *allowed;
} scene;

static scene open_scene(const ffn_kernel *kernel) {
  scene s = {.outputs = kernel->outputs};
  test_model_open(&s.model, kernel, TEST_REALS, 1);
  s.x = test_inputs(kernel, 1, TEST_REALS, 1);
  s.y = test_memory(s.outputs * sizeof *s.y);
  s.exact = test_memory(s.outputs * sizeof *s.exact);
  s.ours = test_memory(s.outputs * sizeof *s.ours);
  s.allowed = test_memory(s.outputs * sizeof *s.allowed);
  test_reference(&s.model, s.exact, s.ours, s.x, 1);
  bench_allowance(&s.model, s.allowed, s.x);
  return s;
}

static void close_scene(scene *s) {
  test_model_close(&s->model);
  free(s->x), free(s->y), free(s->exact), free(s->ours), free(s->allowed);
}

/* The answer's largest distance from the exact one as a fraction of the bound, and of what a
 * difference may be. */
static double of_bound(const scene *s) {
  double worst = 0;
  for (size_t i = 0; i < s->outputs; ++i)
    worst = bench_worse(worst, fabs(s->y[i] - s->exact[i]) / s->allowed[i]);
  return worst;
}

static double of_difference(const scene *s) {
  double largest = 0, worst = 0;
  for (size_t i = 0; i < s->outputs; ++i) {
    largest = fmax(largest, fabs(s->exact[i]));
    worst = bench_worse(worst, fabs(s->y[i] - s->exact[i]));
  }
  return worst / largest / bench_difference_most(s->model.kernel);
}

/* What is no number, or is compared with what promises nothing, is no right answer, whatever stands
 * beside it. */
Test(allowance, has_no_answer_that_is_no_number) {
  enum { OUTPUTS = 3 };
  const ffn_kernel kernel = {.outputs = OUTPUTS};
  float y[OUTPUTS] = {1, 2, 3}, ours[OUTPUTS] = {1, 2, 3};
  double exact[OUTPUTS] = {1, 2, 3}, bound[OUTPUTS] = {1, 1, 1};
  bench_data data = {
      .y = y, .ours = ours, .row_count = 1, .exact = exact, .bound = bound, .peer_bound = bound};
  data.layer.kernel = &kernel;
  cr_assert(bench_data_error(&data, 1, 0) <= 0 && bench_data_difference(&data, 1) <= 0);
  for (size_t i = 0; i < OUTPUTS; ++i) {
    y[i] = NAN;
    cr_assert(isnan(bench_data_error(&data, 1, 0)), "NaN is output %zu", i);
    cr_assert(isnan(bench_data_difference(&data, 1)), "NaN is output %zu", i);
    y[i] = ours[i];
    for (size_t kind = 0; kind < 2; ++kind) {
      bound[i] = kind ? (double)NAN : (double)INFINITY;
      cr_assert(isnan(bench_data_error(&data, 1, 0)), "%g bounds output %zu", bound[i], i);
      bound[i] = 1;
    }
  }
  cr_assert(isnan(bench_worse(NAN, 0)) && isnan(bench_worse(0, NAN)) && bench_worse(1, 2) >= 2);
}

Test(allowance, is_of_the_sums_that_a_library_makes) {
  scene s = open_scene(ffn_find_layer("ffn_swiglu_d512_f1365_f32", ffn_cpu()));
  for (size_t i = 0; i < s.outputs; ++i)
    cr_assert(s.allowed[i] > s.ours[i], "output %zu: %g, the kernel's %g", i, s.allowed[i],
              s.ours[i]);
  plain_loops(&s.model, s.y, s.x, SIZE_MAX);
  cr_assert(of_bound(&s) <= 1, "sums straight through: %g of the bound", of_bound(&s));
  cr_assert(of_difference(&s) <= 1, "sums straight through: %g", of_difference(&s));
  close_scene(&s);
}

Test(allowance, is_less_than_any_product) {
  scene s = open_scene(ffn_find_layer("ffn_swiglu_d512_f1365_f32", ffn_cpu()));
  for (size_t missing = 0; missing < 1365; missing += 91) {
    plain_loops(&s.model, s.y, s.x, missing);
    cr_assert(of_difference(&s) > 1, "without product %zu: %g", missing, of_difference(&s));
  }
  close_scene(&s);
}

Test(data, bits_are_those_of_the_checked_rows) {
  const ffn_kernel kernel = {.outputs = 2};
  float y[6] = {1, 2, 7, 7, 0.0f, 4}, bits[4] = {1, 2, -0.0f, 4};
  const bench_data data = {
      .layer.kernel = &kernel, .row_count = 2, .rows = {0, 2}, .y = y, .bits = bits};
  cr_assert(bench_data_has_bits(&data, 1));
  cr_assert(bench_data_has_bits(&data, 2), "row 2 is none of two tokens");
  cr_assert(!bench_data_has_bits(&data, 3), "0 is not -0");
  y[4] = -0.0f;
  cr_assert(bench_data_has_bits(&data, 3));
  y[1] = nextafterf(y[1], 3);
  cr_assert(!bench_data_has_bits(&data, 1));
}
