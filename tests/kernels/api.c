/* The functions of ffn.h, on what they are made for and on what they are not, and what the
 * descriptors say about themselves. */
#include "support/each.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

static const unsigned every_isa = (1u << FFN_ISA_COUNT) - 1;

static const float *fixed_parameters(const ffn_kernel *kernel) {
  static const float none[FFN_MAX_PARAMETERS];
  const float *parameters = none;
  for (size_t s = 0; s < kernel->stage_count; s++)
    if (kernel->stages[s].parameters_fixed)
      parameters = kernel->stages[s].parameters;
  return parameters;
}

static ffn_query query_of(const ffn_kernel *kernel, unsigned cpu) {
  ffn_query query = {.kind = kernel->kind,
                     .variant = kernel->variant,
                     .d_model = kernel->inputs,
                     .d_ff = kernel->hidden,
                     .d_out = kernel->outputs,
                     .bias = kernel->bias,
                     .dtype = kernel->dtype,
                     .cpu = cpu,
                     .hidden_format = kernel->stages[0].format,
                     .hidden_arithmetic = kernel->stages[0].arithmetic};
  if (kernel->stage_count == 2) {
    query.down_format = kernel->stages[1].format;
    query.down_arithmetic = kernel->stages[1].arithmetic;
  }
  memcpy(query.parameters, fixed_parameters(kernel), sizeof query.parameters);
  return query;
}

static const ffn_kernel *any(ffn_kind kind) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if ((*k)->kind == kind && test_sums_f32(*k))
      return *k;
  return NULL;
}

Test(api, all) {
  size_t count = 12345;
  const ffn_kernel *const *kernels = ffn_all(&count);
  cr_assert(kernels != NULL && kernels == ffn_all(NULL));
  cr_assert(count > 0 && kernels[count] == NULL);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      cr_assert(strcmp(kernels[i]->name, kernels[j]->name) != 0, "two kernels are %s",
                kernels[i]->name);
}

/* How much an instruction set is preferred. */
static int rank_of(ffn_isa isa) {
  static const int ranks[] = {
#define FFN_ISA(NAME, name, rank, allowed) rank,
#include "isas.inc"
#undef FFN_ISA
  };
  return ranks[isa];
}

/* The instruction sets that a layer has kernels for. */
static unsigned isas_of(const char *layer) {
  unsigned isas = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    isas |= strcmp((*k)->layer, layer) == 0 ? 1u << (*k)->isa : 0u;
  return isas;
}

/* What the registry finds of a layer on some CPUs. */
static void check_found(const ffn_kernel *kernel, unsigned isas, ffn_profile profile) {
  const unsigned cpu = isas | FFN_CPU_BIT(profile);
  const ffn_query query = query_of(kernel, cpu);
  const ffn_kernel *by_layer = ffn_find_layer(kernel->layer, cpu), *best = NULL;
  for (const ffn_kernel *const *o = ffn_all(NULL); *o; o++)
    if (strcmp((*o)->layer, kernel->layer) == 0 && (cpu & 1u << (*o)->isa) &&
        ((*o)->profile == FFN_PROFILE_ANY || (*o)->profile == profile) &&
        (!best || rank_of(best->isa) < rank_of((*o)->isa) ||
         (best->isa == (*o)->isa && (*o)->profile != FFN_PROFILE_ANY)))
      best = *o;
  cr_assert(by_layer == best, "%s with cpu %#x: %s", kernel->layer, cpu,
            by_layer ? by_layer->name : "NULL");
  const ffn_kernel *found = ffn_find(&query);
  const int others = kernel->kind == FFN_KIND_MLP || ffn_outputs_of(kernel);
  cr_assert(found == (others ? NULL : best), "%s with cpu %#x: %s", kernel->layer, cpu,
            found ? found->name : "NULL");
}

/* Whichever of its instruction sets a CPU has, beside all others: on any CPU, and on those of the
 * kernel's own profile. */
Test(api, find) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const unsigned own = isas_of((*k)->layer), others = every_isa & ~own;
    for (unsigned some = own, is_last = 0; !is_last; some = (some - 1) & own) {
      is_last = some == 0;
      check_found(*k, some | others, FFN_PROFILE_ANY);
      check_found(*k, some, (*k)->profile);
    }
  }
}

static void expect_nothing(const ffn_kernel *kernel, ffn_query query, const char *what) {
  const ffn_kernel *found = ffn_find(&query);
  cr_assert(found == NULL || strcmp(found->layer, kernel->layer) != 0, "%s found with other %s",
            kernel->layer, what);
}

Test(api, find_nothing) {
  cr_assert(ffn_find(NULL) == NULL);
  cr_assert(ffn_find(&(ffn_query){.cpu = every_isa}) == NULL);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const ffn_query query = query_of(*k, every_isa);
    ffn_query q = query;
    q.d_model++, expect_nothing(*k, q, "d_model");
    q = query, q.d_ff++, expect_nothing(*k, q, "d_ff");
    q = query, q.d_out++, expect_nothing(*k, q, "d_out");
    q = query, q.bias = !q.bias, expect_nothing(*k, q, "bias");
    q = query, q.parameters[0] += 0.5f, expect_nothing(*k, q, "a parameter");
    q = query, q.parameters[0] = NAN;
    cr_assert(ffn_find(&q) == NULL, "a parameter of NaN");
    q = query, q.parameters[FFN_MAX_PARAMETERS - 1] = 0.5f, expect_nothing(*k, q, "the last one");
    q = query, q.dtype = (ffn_dtype)7, expect_nothing(*k, q, "dtype");
    q = query, q.hidden_format = FFN_FORMAT_COUNT, expect_nothing(*k, q, "format");
    q = query, q.hidden_arithmetic = FFN_ARITHMETIC_COUNT, expect_nothing(*k, q, "arithmetic");
    if ((*k)->kind == FFN_KIND_FFN) {
      q = query, q.down_format = FFN_FORMAT_COUNT, expect_nothing(*k, q, "format");
      q = query, q.down_arithmetic = FFN_ARITHMETIC_COUNT, expect_nothing(*k, q, "arithmetic");
    }
    q = query, q.kind = FFN_KIND_MLP, expect_nothing(*k, q, "kind");
    q = query, q.kind = (ffn_kind)77, expect_nothing(*k, q, "kind");
    if ((*k)->kind != FFN_KIND_LINEAR)
      q = query, q.variant = (ffn_variant)((q.variant + 1) % FFN_VARIANT_COUNT),
      expect_nothing(*k, q, "variant");
    q = query, q.cpu = ~every_isa, expect_nothing(*k, q, "cpu");
  }
}

Test(api, find_defaults) {
  const ffn_kernel *kernel = NULL;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if ((*k)->kind == FFN_KIND_FFN && (*k)->inputs == (*k)->outputs && (*k)->isa == FFN_ISA_C)
      kernel = *k;
  cr_assert(kernel != NULL);
  ffn_query query = query_of(kernel, 1u << FFN_ISA_C);
  query.d_out = 0;
  cr_assert(ffn_find(&query) == kernel, "d_out = 0 means d_model");
  query.bias *= -5;
  cr_assert(ffn_find(&query) == kernel, "bias is a truth value");
}

static int f32_products(const ffn_kernel *kernel) {
  int count = 0;
  for (size_t s = 0; s < kernel->stage_count; s++)
    count += kernel->stages[s].arithmetic == FFN_ARITHMETIC_FMA_F32;
  return count;
}

/* Packed weights find the best kernel of a layer that takes them, in f32 arithmetic first. */
Test(api, find_packed) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    unsigned own = 0;
    for (const ffn_kernel *const *o = ffn_all(NULL); *o; o++)
      own |= strcmp((*o)->packed, (*k)->packed) == 0 ? 1u << (*o)->isa : 0u;
    for (unsigned cpu = own, is_last = 0; !is_last; cpu = (cpu - 1) & own) {
      const ffn_kernel *found = ffn_find_packed((*k)->packed, 0, cpu);
      is_last = cpu == 0;
      int most = -1;
      for (const ffn_kernel *const *o = ffn_all(NULL); *o; o++)
        if (strcmp((*o)->packed, (*k)->packed) == 0 && ffn_find_layer((*o)->layer, cpu) &&
            f32_products(*o) > most)
          most = f32_products(*o);
      cr_assert((found != NULL) == (most >= 0), "%s with cpu %#x", (*k)->packed, cpu);
      cr_assert(!found ||
                    (strcmp(found->packed, (*k)->packed) == 0 && f32_products(found) == most &&
                     found == ffn_find_layer(found->layer, cpu)),
                "%s with cpu %#x", (*k)->packed, cpu);
    }
  }
}

Test(api, find_layer_nothing) {
  const ffn_kernel *kernel = ffn_all(NULL)[0];
  char name[256];
  cr_assert(ffn_find_layer(NULL, every_isa) == NULL);
  cr_assert(ffn_find_layer("", every_isa) == NULL);
  cr_assert(ffn_find_layer(kernel->name, every_isa) == NULL, "a name is not a layer");
  cr_assert(ffn_find_layer(kernel->layer, 0) == NULL);
  snprintf(name, sizeof name, "%.*s", (int)strlen(kernel->layer) - 1, kernel->layer);
  cr_assert(ffn_find_layer(name, every_isa) == NULL, "%s", name);
  snprintf(name, sizeof name, "%s_", kernel->layer);
  cr_assert(ffn_find_layer(name, every_isa) == NULL, "%s", name);
}

/* Is there where AVX-512, VNNI and AVX-VNNI are there or have stand-ins (support/stand_in.h), of
 * which the compiler's functions do not know. */
extern const int test_has_stand_ins __attribute__((weak));

Test(api, cpu) {
  const unsigned cpu = ffn_cpu();
  cr_assert(cpu & 1u << FFN_ISA_C);
  unsigned profiles = 0;
  for (int p = FFN_PROFILE_ANY + 1; p < FFN_PROFILE_COUNT; p++)
    profiles |= FFN_CPU_BIT(p);
  cr_assert(FFN_CPU_BIT(FFN_PROFILE_ANY) == 0 && (profiles & every_isa) == 0);
  cr_assert((cpu & ~every_isa & ~profiles) == 0, "%#x", cpu);
  cr_assert((cpu & profiles & ((cpu & profiles) - 1)) == 0, "%#x is two CPUs", cpu);
  cr_assert(cpu == ffn_cpu());
#if defined(__x86_64__)
  cr_assert(!(cpu & 1u << FFN_ISA_NEON));
  const int stood = &test_has_stand_ins != NULL;
  const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  cr_assert(avx2 == (int)(cpu >> FFN_ISA_AVX2 & 1), "avx2 and fma: %d, but cpu is %#x", avx2, cpu);
  const int avx512 = stood || __builtin_cpu_supports("avx512f");
  cr_assert(avx512 >= (int)(cpu >> FFN_ISA_AVX512 & 1), "avx512f: %d, but cpu is %#x", avx512, cpu);
  if (stood || (avx512 && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")))
    cr_assert(cpu & 1u << FFN_ISA_AVX512, "the CPU has AVX-512, but cpu is %#x", cpu);
  const int has_vnni = __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
                       __builtin_cpu_supports("avx512bw");
  const int vnni = (stood || has_vnni) && cpu >> FFN_ISA_AVX512 & 1;
  cr_assert(vnni == (int)(cpu >> FFN_ISA_AVX512_VNNI & 1), "VNNI: %d, but cpu is %#x", vnni, cpu);
  unsigned leaf[4] = {0, 0, 0, 0};
  const int told = __get_cpuid_count(7, 1, leaf, leaf + 1, leaf + 2, leaf + 3);
  const int avx_vnni = avx2 && (stood || (told && leaf[0] >> 4 & 1));
  cr_assert(avx_vnni == (int)(cpu >> FFN_ISA_AVX_VNNI & 1), "AVX-VNNI: %d, but cpu is %#x",
            avx_vnni, cpu);
#elif defined(__aarch64__)
  const unsigned dotprod = getauxval(AT_HWCAP) >> 20 & 1;
  const unsigned i8mm = dotprod & (unsigned)(getauxval(AT_HWCAP2) >> 13);
  const unsigned expected = 1u << FFN_ISA_C | 1u << FFN_ISA_NEON | dotprod << FFN_ISA_NEON_DOTPROD |
                            i8mm << FFN_ISA_NEON_I8MM;
  cr_assert((cpu & every_isa) == expected, "%#x, not %#x", cpu, expected);
#endif
}

Test(api, work_bytes) {
  cr_assert(ffn_work_bytes(NULL, 3, 1) == 0);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const size_t one = ffn_work_bytes(*k, 1, 1), rows = (*k)->work_rows;
    const size_t most = ffn_work_bytes(*k, 1, SIZE_MAX);
    cr_assert(one > 0, "%s", (*k)->name);
    cr_assert(ffn_work_bytes(*k, 0, 1) == one && ffn_work_bytes(*k, 1, 0) == one);
    cr_assert(ffn_work_bytes(*k, 48, 1) == 48 * one);
    cr_assert(ffn_work_bytes(*k, SIZE_MAX / one, 1) == SIZE_MAX / one * one);
    if (one > 1) {
      cr_assert(ffn_work_bytes(*k, SIZE_MAX / one + 1, 1) == SIZE_MAX);
      cr_assert(ffn_work_bytes(*k, SIZE_MAX, SIZE_MAX) == SIZE_MAX);
    }
    /* In proportion to tokens, up to those that a thread takes at a time. */
    cr_assert(most - one == (rows - 1) * (*k)->work_row_bytes, "%s", (*k)->name);
    cr_assert(ffn_work_bytes(*k, 1, rows) == most && ffn_work_bytes(*k, 1, rows + 1) == most);
    cr_assert(ffn_work_bytes(*k, 3, rows - 1) == 3 * (most - (*k)->work_row_bytes) || rows == 1);
    /* Slots of several threads follow each other, all aligned. */
    cr_assert(one % FFN_ALIGNMENT == 0, "%s: %zu bytes of work", (*k)->name, one);
  }
}

Test(api, weights_problem) {
  const ffn_weights none = {0};
  cr_assert(ffn_weights_problem(NULL, &none) != NULL);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const float something = 1;
    test_model model;
    cr_assert(ffn_weights_problem(*k, NULL) != NULL);
    cr_assert(ffn_weights_problem(*k, &none) != NULL, "%s needs no weights?", (*k)->name);
    test_model_shape(&model, *k);
    cr_assert(ffn_weights_problem(*k, &model.weights) != NULL);
    for (size_t m = 0; m < model.matrix_count; m++) {
      const ffn_stage *stage = &(*k)->stages[model.matrices[m].stage];
      *model.matrices[m].linear =
          (ffn_linear){.weight = &something,
                       .bias = (*k)->bias ? &something : NULL,
                       .source = stage->source_alone ? stage->source : FFN_SOURCE_F32,
                       .operand_scale = (float)stage->operand_scale};
    }
    const char *problem = ffn_weights_problem(*k, &model.weights);
    cr_assert(problem == NULL, "%s: %s", (*k)->name, problem);
    for (size_t m = 0; m < model.matrix_count; m++) {
      const ffn_linear kept = *model.matrices[m].linear;
      model.matrices[m].linear->weight = NULL;
      problem = ffn_weights_problem(*k, &model.weights);
      cr_assert(problem && *problem, "%s: weight %zu is NULL", (*k)->name, m);
      *model.matrices[m].linear = kept;
      model.matrices[m].linear->bias = NULL;
      problem = ffn_weights_problem(*k, &model.weights);
      cr_assert((problem != NULL) == (*k)->bias, "%s: bias %zu is NULL", (*k)->name, m);
      *model.matrices[m].linear = kept;
      model.matrices[m].linear->bias = &something;
      problem = ffn_weights_problem(*k, &model.weights);
      cr_assert((problem != NULL) == !(*k)->bias, "%s: bias %zu is not NULL", (*k)->name, m);
      *model.matrices[m].linear = kept;
    }
  }
}

/* What a caller leaves 0 is f32 throughout, today and later. */
Test(api, zeros_are_f32) {
  cr_assert(FFN_F32 == 0 && FFN_SOURCE_F32 == 0 && FFN_FORMAT_F32 == 0 &&
            FFN_ARITHMETIC_FMA_F32 == 0);
  const ffn_linear linear = {.weight = NULL, .bias = NULL};
  cr_assert(linear.source == FFN_SOURCE_F32 && linear.row_bytes == 0 && !linear.scales &&
            !linear.zeros);
  const ffn_query query = {.cpu = 1};
  cr_assert(query.hidden_format == FFN_FORMAT_F32 && query.down_format == FFN_FORMAT_F32 &&
            query.hidden_arithmetic == FFN_ARITHMETIC_FMA_F32 &&
            query.down_arithmetic == FFN_ARITHMETIC_FMA_F32);
}

/* What a matrix says of itself that the kernel does not take is named, and refused by pack(). */
Test(api, sources) {
  const ffn_kernel *kernel = any(FFN_KIND_GLU);
  const size_t row = kernel->inputs * sizeof(float);
  test_model model;
  test_model_open(&model, kernel, TEST_REALS, 63);
  const ffn_linear kept = model.weights.up;
  const struct {
    ffn_linear change; /* of the fields that are not 0 */
    const char *problem;
  } cases[] = {
      {{.source = FFN_SOURCE_BF16}, "weights.up.source: the kernel takes FFN_SOURCE_F32 there"},
      {{.source = FFN_SOURCE_Q4_0}, "weights.up.source: the kernel takes FFN_SOURCE_F32 there"},
      {{.source = FFN_SOURCE_COUNT}, "weights.up.source: the kernel takes FFN_SOURCE_F32 there"},
      {{.row_bytes = row - sizeof(float)}, "weights.up.row_bytes"},
      {{.row_bytes = row + 1}, "weights.up.row_bytes"},
      {{.row_bytes = 1}, "weights.up.row_bytes"},
      {{.scales = &model}, "weights.up.scales"},
      {{.zeros = &model}, "weights.up.scales"},
      {{.weight = (const char *)kept.weight + 1}, "weights.up.weight is not aligned"},
      {{.row_bytes = row}, NULL},
      {{.row_bytes = row + sizeof(float)}, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ffn_linear up = cases[i].change;
    up.weight = up.weight ? up.weight : kept.weight;
    up.bias = kept.bias;
    model.weights.up = up;
    const char *problem = ffn_weights_problem(kernel, &model.weights);
    const char *expected = cases[i].problem;
    cr_assert(problem ? expected && strstr(problem, expected) : !expected, "case %zu: %s", i,
              problem ? problem : "no problem");
  }
  model.weights.up = kept;
  test_model_close(&model);
}

EACH_MODEL(api, packed_fits, TEST_SMALL_LAYER, TEST_REALS, 61) {
  char *garbage = ffn_alloc(kernel->packed_bytes + FFN_ALIGNMENT);
  for (int fill = 0; fill < 256; fill += 51) {
    memset(garbage, fill, kernel->packed_bytes);
    cr_assert(!ffn_packed_fits(kernel, garbage), "%s: bytes of %d fit", kernel->name, fill);
  }
  test_model_pack(model);
  memcpy(garbage + 4, model->packed, kernel->packed_bytes);
  cr_assert(!ffn_packed_fits(kernel, garbage + 4), "%s: unaligned bytes fit", kernel->name);
  ffn_free(garbage);
  cr_assert(!ffn_packed_fits(kernel, NULL) && !ffn_packed_fits(NULL, model->packed));
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    cr_assert(ffn_packed_fits(*k, model->packed) == (strcmp((*k)->packed, kernel->packed) == 0),
              "weights of %s and kernel %s", kernel->layer, (*k)->name);
}

Test(api, names) {
  cr_assert(strcmp(ffn_format_name(FFN_FORMAT_F32), "f32") == 0);
  cr_assert(strcmp(ffn_arithmetic_name(FFN_ARITHMETIC_FMA_F32), "fma_f32") == 0);
  cr_assert(strcmp(ffn_format_name(FFN_FORMAT_COUNT), "?") == 0);
  cr_assert(strcmp(ffn_arithmetic_name(FFN_ARITHMETIC_COUNT), "?") == 0);
  const char *words[] = {
      ffn_dtype_name(FFN_F32),           ffn_isa_name(FFN_ISA_C),
      ffn_isa_name(FFN_ISA_NEON),        ffn_isa_name(FFN_ISA_AVX2),
      ffn_isa_name(FFN_ISA_AVX512),      ffn_isa_name(FFN_ISA_WASM),
      ffn_isa_name(FFN_ISA_AVX512_VNNI), ffn_arithmetic_name(FFN_ARITHMETIC_DOT_S8),
      ffn_kind_name(FFN_KIND_FFN),       ffn_kind_name(FFN_KIND_LINEAR),
      ffn_kind_name(FFN_KIND_MLP),       ffn_kind_name(FFN_KIND_GLU),
      ffn_kind_name(FFN_KIND_SELFGATE),  ffn_variant_name(FFN_SWIGLU),
      ffn_variant_name(FFN_GELU_TANH),   ffn_variant_name(FFN_BILINEAR),
      ffn_activation_name(FFN_ACT_SILU), ffn_activation_name(FFN_ACT_IDENTITY)};
  const char *expected[] = {"f32",         "c",      "neon",      "avx2",     "avx512", "wasm",
                            "avx512_vnni", "dot_s8", "ffn",       "linear",   "mlp",    "glu",
                            "selfgate",    "swiglu", "gelu_tanh", "bilinear", "silu",   "identity"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cr_assert(strcmp(words[i], expected[i]) == 0, "%s is not %s", words[i], expected[i]);
  cr_assert(strcmp(ffn_profile_name(FFN_PROFILE_ANY), "any") == 0);
  cr_assert(strcmp(ffn_profile_name(FFN_PROFILE_ZEN4), "zen4") == 0);
  cr_assert(strcmp(ffn_profile_name(FFN_PROFILE_COUNT), "?") == 0);
  cr_assert(strcmp(ffn_isa_name((ffn_isa)FFN_ISA_COUNT), "?") == 0);
  cr_assert(strcmp(ffn_dtype_name((ffn_dtype)FFN_DTYPE_COUNT), "?") == 0);
  cr_assert(strcmp(ffn_isa_name((ffn_isa)1000), "?") == 0);
  cr_assert(strcmp(ffn_kind_name(FFN_KIND_COUNT), "?") == 0);
  cr_assert(strcmp(ffn_variant_name(FFN_VARIANT_COUNT), "?") == 0);
  cr_assert(strcmp(ffn_activation_name(FFN_ACTIVATION_COUNT), "?") == 0);
  for (int a = 0; a < FFN_ACTIVATION_COUNT; a++)
    for (int b = 0; b < a; b++)
      cr_assert(strcmp(ffn_activation_name((ffn_activation)a),
                       ffn_activation_name((ffn_activation)b)) != 0);
}

static size_t log2_of(size_t n) { return n > 1 ? 1 + log2_of(n / 2) : 0; }

/* What a descriptor says about its chain of stages holds together. */
Test(api, descriptors) {
  for (const ffn_kernel *const *all = ffn_all(NULL); *all; all++) {
    const ffn_kernel *k = *all;
    char name[256];
    const int few_bytes = k->isa == FFN_ISA_C && strstr(k->name, "_c_size") != NULL;
    snprintf(name, sizeof name, "%s_%s%s%s%s", k->layer, ffn_isa_name(k->isa),
             few_bytes ? "_size" : "", k->profile ? "_" : "",
             k->profile ? ffn_profile_name(k->profile) : "");
    cr_assert(strcmp(name, k->name) == 0, "%s is of layer %s", k->name, k->layer);
    cr_assert(strstr(k->layer, ffn_kind_name(k->kind)) == k->layer, "%s", k->name);
    cr_assert(k->stage_count >= 1 && k->stage_count <= FFN_MAX_STAGES, "%s", k->name);
    cr_assert(k->stages[0].inputs == k->inputs, "%s", k->name);
    cr_assert(k->stages_share_x || k->stages[k->stage_count - 1].outputs == k->outputs, "%s",
              k->name);
    cr_assert(k->kind != FFN_KIND_FFN || k->stages[0].outputs == k->hidden, "%s", k->name);
    uint64_t flop = 0, bytes = 0;
    for (size_t s = 0; s < k->stage_count; s++) {
      const ffn_stage *stage = &k->stages[s];
      const size_t branches =
          stage->product == FFN_PRODUCT_UP || stage->product == FFN_PRODUCT_BOTH ? 2 : 1;
      const size_t before = s == 0 || k->stages_share_x ? k->inputs : k->stages[s - 1].outputs;
      cr_assert(stage->inputs == before, "%s", k->name);
      cr_assert(stage->bias == k->bias, "%s", k->name);
      cr_assert(stage->product != FFN_PRODUCT_INPUT || stage->inputs == stage->outputs);
      flop += 2 * branches * stage->inputs * stage->outputs;
      bytes += branches * stage->outputs *
               (ffn_source_row(stage->source, stage->inputs) + (size_t)k->bias * sizeof(float));
      cr_assert(stage->k_block >= 1 && stage->chains >= 1, "%s", k->name);
      /* From a product: its chain, the fold of the chains, the block sums; of bytes two of each
       * group, and a few of its minimum and of the end. And the bias. */
      const size_t block = stage->k_block < stage->inputs ? stage->k_block : stage->inputs;
      const int in_bytes = ffn_stage_in_bytes(stage);
      const size_t group = in_bytes ? ffn_stage_group(stage) : 1;
      const size_t sums = in_bytes ? 2 * ((stage->inputs + group - 1) / group) + 4
                                   : (block + stage->chains - 1) / stage->chains +
                                         log2_of(stage->chains) +
                                         (stage->inputs + block - 1) / block - 1;
      const size_t roundings = sums + (size_t)(stage->bias != 0);
      cr_assert(stage->sum_length == roundings, "%s: stage %zu: at most %zu roundings, not %zu",
                k->name, s, roundings, stage->sum_length);
    }
    cr_assert(k->flop_per_token == flop, "%s", k->name);
    cr_assert(k->packed_bytes >= bytes, "%s", k->name);
    /* Kernels of one layer are the same but for names, work and code. */
    const ffn_kernel *base = test_base(k);
    cr_assert(base->packed_bytes == k->packed_bytes && base->kind == k->kind &&
                  base->variant == k->variant && base->stage_count == k->stage_count,
              "%s and %s", k->name, base->name);
  }
}

/* What the names of two queries have in common is not enough: kinds are told apart. */
Test(api, kinds) {
  const ffn_kernel *selfgate = any(FFN_KIND_SELFGATE);
  if (!selfgate)
    cr_skip_test("no selfgate kernel is linked");
  ffn_query query = query_of(selfgate, every_isa);
  query.d_out = 0;
  const ffn_kernel *found = ffn_find(&query);
  cr_assert(found && found->kind == FFN_KIND_SELFGATE && found->inputs == selfgate->inputs);
}

/* Packed weights as a file may hold them: whole, and wrong in each way that the header tells. */
Test(api, packed_problem) {
  const ffn_kernel *kernel = any(FFN_KIND_LINEAR);
  cr_assert(kernel != NULL);
  const size_t bytes = kernel->packed_bytes;
  float *numbers = calloc(bytes, 1);
  ffn_linear chain[FFN_MAX_STAGES];
  for (size_t s = 0; s < FFN_MAX_STAGES; s++)
    chain[s] = (ffn_linear){.weight = numbers, .bias = numbers};
  unsigned char *packed = ffn_alloc(2 * bytes), *wrong = ffn_alloc(2 * bytes);
  kernel->pack(packed, &(ffn_weights){.chain = chain});
  cr_assert(ffn_packed_problem(kernel, packed, bytes) == NULL);
  cr_assert(ffn_packed_problem(kernel, packed, SIZE_MAX) == NULL, "more bytes are fine");
  cr_assert(strstr(ffn_packed_problem(NULL, packed, bytes), "kernel is NULL"));
  cr_assert(strstr(ffn_packed_problem(kernel, NULL, bytes), "packed is NULL"));
  cr_assert(strstr(ffn_packed_problem(kernel, packed, bytes - 1), "fewer bytes"));
  cr_assert(strstr(ffn_packed_problem(kernel, packed, 0), "fewer bytes"));
  memcpy(wrong + 4, packed, bytes);
  cr_assert(strstr(ffn_packed_problem(kernel, wrong + 4, bytes), "not aligned"));
  static const struct {
    size_t at;
    const char *bytes, *problem;
  } cases[] = {
      {0, "GGUF", "does not begin"},      {3, "p", "does not begin"},
      {16, "\0\0\0\1", "byte order"},     {16, "\0\0\0\0", "another layout"},
      {16, "\2\0\0\0", "another layout"}, {8, "another!", "another layer"},
  };
  cr_assert(FFN_LAYOUT == 1, "the bytes of another layout are above");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    memcpy(wrong, packed, bytes);
    memcpy(wrong + cases[i].at, cases[i].bytes, cases[i].at == 3 ? 1 : cases[i].at == 8 ? 8 : 4);
    const char *problem = ffn_packed_problem(kernel, wrong, bytes);
    cr_assert(problem && strstr(problem, cases[i].problem), "%zu: %s", i,
              problem ? problem : "no problem");
  }
  /* Of another ABI it is taken: descriptors change, these bytes do not. */
  const uint32_t other = FFN_ABI + 1;
  memcpy(packed + 4, &other, sizeof other);
  cr_assert(ffn_packed_problem(kernel, packed, bytes) == NULL && ffn_packed_fits(kernel, packed));
  const size_t work_bytes = ffn_work_bytes(kernel, 1, 1);
  void *work = ffn_alloc(work_bytes);
  ffn_run(kernel, numbers + kernel->inputs, kernel->outputs, numbers, kernel->inputs, 1, packed,
          work, work_bytes, NULL);
  ffn_free(work);
  ffn_free(packed), ffn_free(wrong), free(numbers);
}
