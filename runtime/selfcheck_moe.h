/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * selfcheck_moe.h - the part of selfcheck.c for mixtures of experts, by its helpers. */
#include "ffn_moe.h"
#include "moes.h"
/*@ end */

/* For every mixture: for fixed logits ffn_moe_route() chooses the experts and gives the weights of
 * the plain code here, which follows the rule in the words of the spec, not that of moes.h. For
 * every instruction set that this CPU has: ffn_moe_run() takes the experts that the plain code
 * takes for the router's logits; y lies within a bound made of those of ffn_reference(); a row
 * alone, a batch, the other instruction sets and a host that hands the same numbers over give the
 * same bits; nothing is written between rows or behind the work memory. Of experts that are large
 * there are two, which stand for all. */
typedef struct mixture {
  const ffn_moe *moe;
  const char *rule; /* "field value, field value": see said() */
} mixture;

static const mixture all_mixtures[] = {
/*@ mixture_list */
#define FFN_KERNEL(kernel)
#define FFN_MIXTURE(name, rule) {&ffn_moe_##name, rule},
#include "kernels.inc"
#undef FFN_MIXTURE
#undef FFN_KERNEL
    /*@ end */
    {NULL, NULL}};

/* ---- The rule in words ---------------------------------------------------------------------- */

/* What a rule says of a field, with all that stands behind; NULL: nothing. */
static const char *said(const char *rule, const char *field) {
  const size_t length = strlen(field);
  while (rule) {
    if (strncmp(rule, field, length) == 0 && rule[length] == ' ')
      return rule + length + 1;
    rule = strchr(rule, ',');
    rule = rule ? rule + 2 : NULL;
  }
  return NULL;
}

static double said_number(const char *rule, const char *field) {
  const char *text = said(rule, field);
  return text ? strtod(text, NULL) : 0;
}

static size_t said_count(const char *rule, const char *field) {
  return (size_t)said_number(rule, field);
}

/* Whether a rule says this of a field; NULL: that it says nothing. */
static int says(const char *rule, const char *field, const char *word) {
  const char *text = said(rule, field);
  if (!text || !word)
    return !text && !word;
  const size_t length = strlen(word);
  return strncmp(text, word, length) == 0 && (text[length] == '\0' || text[length] == ',');
}

/* ---- Which experts: plain code, in double --------------------------------------------------- */

typedef struct choice {
  int is_clear; /* 0: two keys are so near that floats may order them otherwise */
  int is_none; /* the token has no choice */
  size_t experts, top_k;
  double unit; /* what a score is wrong by in floats, at most, beside its size */
  double score[FFN_MOE_MOST_EXPERTS], key[FFN_MOE_MOST_EXPERTS], doubt[FFN_MOE_MOST_EXPERTS];
  double group_key[FFN_MOE_MOST_EXPERTS], group_doubt[FFN_MOE_MOST_EXPERTS];
  char group_state[FFN_MOE_MOST_EXPERTS], state[FFN_MOE_MOST_EXPERTS];
  size_t numbers[FFN_MOE_MOST_EXPERTS];
  double weights[FFN_MOE_MOST_EXPERTS];
} choice;

/* What is known of an expert, or of a group. */
enum { CHOICE_LEFT, CHOICE_TAKEN, CHOICE_OUT };

static void find_scores(choice *c, const char *rule, const float *logits) {
  double most = (double)logits[0], least = most, total = 0;
  for (size_t e = 0; e < c->experts; e++) {
    const double logit = (double)logits[e];
    c->is_none |= isnan(logit);
    most = logit > most ? logit : most;
    least = logit < least ? logit : least;
  }
  /* A sum of so many; and a softmax rounds what it takes e^ of. */
  c->unit = ((double)(c->experts + 16) + most - least) * 0x1p-24;
  for (size_t e = 0; e < c->experts; e++)
    total += exp((double)logits[e] - most);
  for (size_t e = 0; e < c->experts; e++) {
    const double logit = (double)logits[e];
    c->score[e] = says(rule, "score", "sigmoid") ? 1 / (1 + exp(-logit))
                  : says(rule, "score", "sqrt_softplus")
                      ? sqrt(logit > 36 ? logit : log1p(exp(logit)))
                      : exp(logit - most) / total;
  }
}

static void find_keys(choice *c, const char *rule, const float *logits, const float *correction) {
  const int of_score = says(rule, "correction", "score") ||
                       (says(rule, "correction", NULL) && says(rule, "by", "two_largest"));
  for (size_t e = 0; e < c->experts; e++) {
    const double added = said(rule, "correction") ? (double)correction[e] : 0;
    c->key[e] = (of_score ? c->score[e] : (double)logits[e]) + added;
    c->doubt[e] = of_score ? c->unit * c->score[e] : 0;
    if (added != 0)
      c->doubt[e] += fabs(c->key[e]) * 0x1p-23;
    c->state[e] = CHOICE_LEFT;
  }
}

/* Takes the `count` largest keys of those that are left: of equal ones the first. */
static void take_largest(
    choice *c, const double *key, const double *doubt, size_t all, size_t count, char *state) {
  for (; count > 0; count--) {
    size_t best = all;
    for (size_t i = 0; i < all; i++)
      if (state[i] == CHOICE_LEFT && (best == all || key[i] > key[best]))
        best = i;
    state[best] = CHOICE_TAKEN;
  }
  for (size_t i = 0; i < all; i++)
    for (size_t j = 0; j < all && state[i] == CHOICE_TAKEN; j++)
      if (state[j] == CHOICE_LEFT && key[i] != key[j] && key[i] - key[j] <= doubt[i] + doubt[j])
        c->is_clear = 0;
}

static void take_groups(choice *c, const char *rule) {
  const size_t groups = said_count(rule, "split"), size = c->experts / groups;
  for (size_t g = 0; g < groups; g++) {
    size_t first = g * size, second = SIZE_MAX;
    for (size_t e = first; e < (g + 1) * size; e++)
      first = c->key[e] > c->key[first] ? e : first;
    for (size_t e = g * size; e < (g + 1) * size; e++)
      if (e != first && (second == SIZE_MAX || c->key[e] > c->key[second]))
        second = e;
    c->group_key[g] = c->key[first], c->group_doubt[g] = c->doubt[first];
    if (says(rule, "by", "two_largest")) {
      c->group_key[g] += c->key[second];
      c->group_doubt[g] += c->doubt[second] + fabs(c->group_key[g]) * 0x1p-23;
    }
    c->group_state[g] = CHOICE_LEFT;
  }
  take_largest(c, c->group_key, c->group_doubt, groups, said_count(rule, "take"), c->group_state);
  for (size_t e = 0; e < c->experts; e++)
    if (c->group_state[e / size] != CHOICE_TAKEN)
      c->state[e] = CHOICE_OUT;
}

static void find_weights(choice *c, const char *rule, const float *expert_scale) {
  const double floor = said_number(rule, "floor");
  double sum = 0;
  for (size_t i = 0; i < c->top_k; i++)
    sum += c->score[c->numbers[i]];
  sum += said_number(rule, "epsilon");
  sum = sum < floor ? floor : sum;
  for (size_t i = 0; i < c->top_k; i++) {
    c->weights[i] = c->score[c->numbers[i]];
    if (says(rule, "normalise", "true"))
      c->weights[i] /= sum;
    if (says(rule, "expert_scale", "true"))
      c->weights[i] *= (double)expert_scale[c->numbers[i]];
    if (said(rule, "scale"))
      c->weights[i] *= said_number(rule, "scale");
  }
}

/* The experts of a token and their weights, by the rule in words. */
static void choose(choice *c, const char *rule, const float *logits, const float *correction,
    const float *expert_scale) {
  c->is_clear = 1, c->is_none = 0;
  c->experts = said_count(rule, "experts"), c->top_k = said_count(rule, "top_k");
  find_scores(c, rule, logits);
  if (c->is_none)
    return;
  find_keys(c, rule, logits, correction);
  if (said(rule, "split"))
    take_groups(c, rule);
  take_largest(c, c->key, c->doubt, c->experts, c->top_k, c->state);
  for (size_t e = 0, i = 0; e < c->experts; e++)
    if (c->state[e] == CHOICE_TAKEN)
      c->numbers[i++] = e;
  find_weights(c, rule, expert_scale);
}

/* What is wrong with numbers and weights of a token, or NULL. */
static const char *check_chosen(const choice *c, const int32_t *numbers, const float *weights) {
  for (size_t i = 0; i < c->top_k; i++)
    if (c->is_none ? numbers[i] != -1 || !isnan(weights[i]) : isnan(weights[i]))
      return "a NaN among the logits, and a choice, or no choice without a NaN";
  if (c->is_none || !c->is_clear)
    return NULL;
  for (size_t i = 0; i < c->top_k; i++)
    if (numbers[i] < 0 || (size_t)numbers[i] != c->numbers[i])
      return "other experts are chosen than the rule says";
  /* The divisor is a sum of scores, too. */
  for (size_t i = 0; i < c->top_k; i++)
    if (!(fabs((double)weights[i] - c->weights[i]) <= 2 * c->unit * fabs(c->weights[i])))
      return "an expert has another weight than the rule says";
  return NULL;
}

/* Logits of all kinds: ordinary ones; many that are equal; small ones, whose scores may be less
 * than an epsilon; one that is huge; and a NaN. */
enum { KINDS_OF_LOGITS = 5, FIXED_LOGITS = 8 * KINDS_OF_LOGITS };

static void fix_logits(float *logits, size_t experts, size_t i) {
  const size_t kind = i % KINDS_OF_LOGITS, special = i * 7 % experts;
  for (size_t e = 0; e < experts; e++) {
    const float any = 4 * number(100 + i, e);
    logits[e] = kind == 1 ? floorf(any) / 2 : kind == 2 ? any - 56 : any;
  }
  if (kind == 3)
    logits[special] = 60;
  if (kind == 4)
    logits[special] = NAN;
}

/* What the rule of moes.h and ffn_moe_route() make of fixed logits, by the rule in words. */
static const char *check_rule(
    const mixture *m, const float *correction, const float *expert_scale, choice *c) {
  static float logits[FFN_MOE_MOST_EXPERTS], weights[FFN_MOE_MOST_EXPERTS];
  static int32_t numbers[FFN_MOE_MOST_EXPERTS];
  const char *wrong = NULL;
  ffn_moe_rule rule;
  size_t clear = 0;
  memcpy(&rule, &m->moe->rule, sizeof rule);
  if (!says(m->rule, "expert", m->moe->expert_layer) ||
      !says(m->rule, "router", m->moe->router_layer) ||
      !says(m->rule, "shared", m->moe->shared_layer))
    return "moes.h names other layers than the spec";
  if (rule.experts != said_count(m->rule, "experts") || rule.top_k != said_count(m->rule, "top_k"))
    return "moes.h has other numbers of experts than the spec";
  if (m->moe->scales_experts != says(m->rule, "expert_scale", "true") ||
      rule.on_input != says(m->rule, "on", "input"))
    return "moes.h has another rule than the spec";
  rule.correction = said(m->rule, "correction") ? correction : NULL;
  rule.expert_scale = m->moe->scales_experts ? expert_scale : NULL;
  wrong = ffn_moe_rule_problem(&rule);
  for (size_t i = 0; i < FIXED_LOGITS && !wrong; i++) {
    fix_logits(logits, rule.experts, i);
    choose(c, m->rule, logits, correction, expert_scale);
    ffn_moe_route(&rule, logits, numbers, weights);
    wrong = check_chosen(c, numbers, weights);
    clear += c->is_clear && !c->is_none;
  }
  return !wrong && clear == 0 ? "no fixed logits tell the experts apart" : wrong;
}

/* ---- What they give ------------------------------------------------------------------------- */

enum { MIXED_TOKENS = 9, MIXED_BYTES = 64 << 20 };

/* One of the three layers of a mixture, packed `count` times. */
typedef struct mixed_layer {
  layer l;
  const ffn_kernel *kernel; /* for the instruction set whose turn it is; NULL: no such layer */
  size_t count, stride; /* bytes from one to the next */
  unsigned char *packed;
  void *block;
} mixed_layer;

typedef struct mixing {
  const mixture *of;
  ffn_moe_parts parts;
  mixed_layer expert, shared, router;
  const void *experts[FFN_MOE_MOST_EXPERTS]; /* expert e is number e % expert.count */
  size_t tokens, x_stride, y_stride;
  float *x, *y, *first_y; /* first_y: the bits that all instruction sets must give */
  float *logits, *in; /* of a token: what the router gives; x as an expert takes it */
  int32_t *numbers, *reversed; /* [tokens][top_k] */
  float *weights;
  double *exact, *bound; /* of y */
  double *value, *error; /* of a layer for a row */
  int have_first;
  choice c;
} mixing;

/* The kernel of a layer that a rule names: for this instruction set, or any that this CPU runs. */
static const ffn_kernel *mixed_kernel(
    const char *rule, const char *part, ffn_isa isa, unsigned cpu) {
  const ffn_kernel *found = NULL;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (says(rule, part, (*k)->layer) && (cpu & 1u << (*k)->isa) &&
        (!found || ((*k)->isa == isa && found->isa != isa)))
      found = *k;
  return found;
}

/* The weights of a layer, packed. The first `turn` outputs of the last matrix become the last ones:
 * so experts differ, and one reference serves them all. */
static void pack_turned(mixed_layer *m, size_t turn, unsigned char *packed) {
  const slot *s = &m->l.slots[m->l.slot_count - 1];
  const ffn_linear before = *s->linear;
  const size_t rest = s->outputs - turn;
  const size_t row =
      s->own ? ffn_source_row(s->stage->source, s->inputs) : s->inputs * sizeof(float);
  unsigned char *turned = (unsigned char *)need(s->outputs * row);
  float *bias = (float *)need(s->outputs * sizeof(float));
  memcpy(turned, (const unsigned char *)before.weight + turn * row, rest * row);
  memcpy(turned + rest * row, before.weight, turn * row);
  s->linear->weight = turned;
  if (s->bias) {
    memcpy(bias, s->bias_values + turn, rest * sizeof(float));
    memcpy(bias + rest, s->bias_values, turn * sizeof(float));
    s->linear->bias = bias;
  }
  memset(packed, 0x7f, m->kernel->packed_bytes);
  m->kernel->pack(packed, &m->l.weights);
  *s->linear = before;
  free(turned);
  free(bias);
}

static void pack_mixed(mixed_layer *m, size_t count, unsigned cpu) {
  if (!m->kernel)
    return;
  if (!m->packed) {
    const size_t bytes = m->kernel->packed_bytes + FFN_ALIGNMENT - 1;
    m->count = count, m->stride = bytes / FFN_ALIGNMENT * FFN_ALIGNMENT;
    m->packed = need_aligned(count * m->stride, &m->block);
    open_layer(&m->l, m->kernel, cpu, m->packed);
  }
  for (size_t i = 0; i < m->count; i++)
    pack_turned(m, i % m->kernel->outputs, m->packed + i * m->stride);
}

static void close_mixed(mixed_layer *m) {
  if (m->packed)
    close_layer(&m->l);
  free(m->block);
}

static void run_alone(const mixed_layer *m, const float *x, float *y) {
  void *block;
  const size_t bytes = ffn_work_bytes(m->kernel, 1, 1);
  unsigned char *work = need_aligned(bytes, &block);
  ffn_run(m->kernel, y, m->kernel->outputs, x, m->kernel->inputs, 1, m->packed, work, bytes, NULL);
  free(block);
}

/* What a layer gives for a row: exactly, and within which bound; where its arithmetic has none,
 * what run() gives. */
static void find_values(mixing *m, const mixed_layer *of, const float *x) {
  const ffn_kernel *k = of->kernel;
  if (has_bound(k)) {
    void *scratch = need(ffn_reference_bytes(k));
    ffn_reference(k, m->value, m->error, x, k->inputs, 1, &of->l.weights, (double *)scratch);
    free(scratch);
    return;
  }
  float *y = (float *)need(k->outputs * sizeof(float));
  run_alone(of, x, y);
  for (size_t o = 0; o < k->outputs; o++)
    m->value[o] = (double)y[o], m->error[o] = 0;
  free(y);
}

/* y += factor * what is in value, of which the first `turn` stand last; rounded once or twice. */
static void add_values(mixing *m, size_t token, double factor, size_t turn) {
  const size_t outputs = m->of->moe->outputs;
  for (size_t o = 0; o < outputs; o++) {
    const size_t i = token * outputs + o, from = (o + turn) % outputs;
    m->exact[i] += factor * m->value[from];
    m->bound[i] += fabs(factor) * (m->error[from] + fabs(m->value[from]) * 0x1p-22);
    m->bound[i] += (fabs(m->exact[i]) + m->bound[i]) * 0x1p-23;
  }
}

/* What y should be of a token whose experts are known. */
static void find_token(mixing *m, size_t token) {
  const char *rule = m->of->rule;
  const float *x = m->x + token * m->x_stride;
  const size_t top_k = m->c.top_k, outputs = m->of->moe->outputs;
  const double half = says(rule, "gate", "mean") ? 0.5 : 1;
  const int on_input = says(rule, "on", "input");
  for (size_t o = 0; o < outputs; o++)
    m->exact[token * outputs + o] = m->bound[token * outputs + o] = 0;
  if (m->shared.kernel) {
    const double logit = (double)m->logits[m->c.experts];
    find_values(m, &m->shared, x);
    add_values(m, token, says(rule, "gate", "sigmoid") ? 1 / (1 + exp(-logit)) : half, 0);
  }
  for (size_t i = 0; i < top_k; i++) {
    const float weight = m->weights[token * top_k + i];
    const size_t e = (size_t)m->numbers[token * top_k + i];
    for (size_t k = 0; k < m->of->moe->inputs; k++)
      m->in[k] = on_input ? x[k] * weight : x[k];
    if (i == 0 || on_input)
      find_values(m, &m->expert, m->in);
    add_values(m, token, on_input ? half : half * (double)weight, e % m->expert.count % outputs);
  }
}

/* Rows [first, first + tokens) into poisoned memory. */
static const char *run_mixed(mixing *m, size_t first, size_t tokens, const ffn_moe_given *given) {
  const ffn_moe *moe = m->of->moe;
  const size_t bytes = ffn_moe_work_bytes(moe, &m->parts, 1, tokens);
  const size_t floats = (m->tokens + 1) * m->y_stride, pairs = tokens * moe->rule.top_k;
  const char *wrong = NULL;
  void *block;
  unsigned char *work = need_aligned(bytes + GUARD, &block);
  memset(m->y, 0xff, floats * sizeof(float));
  memset(work, 0xff, bytes + GUARD);
  const ffn_moe_status status = ffn_moe_run(moe, &m->parts, m->y, m->y_stride,
      m->x + first * m->x_stride, m->x_stride, tokens, given, work, bytes, NULL);
  if (status != FFN_MOE_OK) {
    wrong = "ffn_moe_run() finds an expert missing, or out of range";
  } else {
    const ffn_moe_told told = ffn_moe_tell(moe, work, tokens);
    memcpy(m->numbers + first * moe->rule.top_k, told.numbers, pairs * sizeof(int32_t));
    memcpy(m->weights + first * moe->rule.top_k, told.weights, pairs * sizeof(float));
  }
  for (size_t i = 0; i < GUARD && !wrong; i++)
    if (work[bytes + i] != 0xff)
      wrong = "writes behind its work memory";
  for (size_t i = 0; i < floats && !wrong; i++)
    if ((i / m->y_stride >= tokens || i % m->y_stride >= moe->outputs) && !isnan(m->y[i]))
      wrong = "writes outside the rows of y";
  free(block);
  return wrong;
}

static const char *check_mixed_bits(const mixing *m, size_t first, size_t tokens) {
  const size_t outputs = m->of->moe->outputs;
  for (size_t t = 0; t < tokens; t++)
    if (memcmp(m->y + t * m->y_stride, m->first_y + (first + t) * outputs,
            outputs * sizeof(float)) != 0)
      return "other bits than another batch, instruction set or host gives";
  return NULL;
}

/* A row alone: its experts are those that the router's logits tell the plain code. */
static const char *check_token(mixing *m, size_t token) {
  const size_t outputs = m->of->moe->outputs, top_k = m->of->moe->rule.top_k;
  const char *wrong = run_mixed(m, token, 1, NULL);
  run_alone(&m->router, m->x + token * m->x_stride, m->logits);
  choose(&m->c, m->of->rule, m->logits, m->parts.correction, m->parts.expert_scale);
  if (!wrong)
    wrong = check_chosen(&m->c, m->numbers + token * top_k, m->weights + token * top_k);
  if (wrong || m->have_first)
    return wrong ? wrong : check_mixed_bits(m, token, 1);
  memcpy(m->first_y + token * outputs, m->y, outputs * sizeof(float));
  find_token(m, token);
  return NULL;
}

/* A batch in which a host hands over the experts, the last one first; those that no token takes are
 * not there. */
static const char *check_given(mixing *m) {
  const size_t top_k = m->of->moe->rule.top_k, experts = m->of->moe->rule.experts;
  ffn_moe_given given;
  memset(&given, 0, sizeof given);
  given.numbers = m->reversed;
  for (size_t e = 0; e < experts; e++)
    m->experts[e] = NULL;
  for (size_t i = 0; i < m->tokens * top_k; i++) {
    const size_t e = (size_t)m->numbers[i];
    m->reversed[i / top_k * top_k + (top_k - 1 - i % top_k)] = m->numbers[i];
    m->experts[e] = m->expert.packed + e % m->expert.count * m->expert.stride;
  }
  const char *wrong = run_mixed(m, 0, m->tokens, &given);
  return wrong ? wrong : check_mixed_bits(m, 0, m->tokens);
}

static const char *check_mixed(mixing *m, double *worst) {
  const size_t outputs = m->of->moe->outputs, count = m->tokens * outputs;
  const char *wrong = ffn_moe_problem(m->of->moe, &m->parts);
  for (size_t t = 0; t < m->tokens && !wrong; t++)
    wrong = check_token(m, t);
  m->have_first = 1;
  if (!wrong)
    wrong = run_mixed(m, 0, m->tokens, NULL);
  if (!wrong)
    wrong = check_mixed_bits(m, 0, m->tokens);
  for (size_t i = 0; i < count && !wrong; i++) {
    const double y = (double)m->y[i / outputs * m->y_stride + i % outputs];
    const double error = fabs(y - m->exact[i]);
    if (!(m->bound[i] < (double)INFINITY))
      continue;
    if (error > *worst * m->bound[i])
      *worst = error / m->bound[i];
    if (!(error <= m->bound[i]))
      wrong = "error beyond the bound";
  }
  const size_t none = unbounded(m->bound, count);
  if (!wrong && none > 0)
    wrong = no_bound(none, count, "outputs");
  return wrong ? wrong : check_given(m);
}

/* The kernels of an instruction set, and weights packed for them. 0: one is missing. */
static int take_kernels(mixing *m, ffn_isa isa, unsigned cpu) {
  const char *rule = m->of->rule;
  const size_t most = m->of->moe->rule.experts;
  m->expert.kernel = mixed_kernel(rule, "expert", isa, cpu);
  m->shared.kernel = mixed_kernel(rule, "shared", isa, cpu);
  m->router.kernel = mixed_kernel(rule, "router", isa, cpu);
  if (!m->expert.kernel || !m->router.kernel || (said(rule, "shared") && !m->shared.kernel))
    return 0;
  size_t count = MIXED_BYTES / m->expert.kernel->packed_bytes;
  count = count < 2 ? 2 : count;
  pack_mixed(&m->expert, count < most ? count : most, cpu);
  pack_mixed(&m->shared, 1, cpu);
  pack_mixed(&m->router, 1, cpu);
  for (size_t e = 0; e < most; e++)
    m->experts[e] = m->expert.packed + e % m->expert.count * m->expert.stride;
  m->parts.expert_kernel = m->expert.kernel, m->parts.shared_kernel = m->shared.kernel;
  m->parts.router_kernel = m->router.kernel;
  m->parts.experts = m->experts;
  m->parts.shared = m->shared.packed, m->parts.router = m->router.packed;
  return 1;
}

/* Memory of a mixture whose kernels are known; m holds nothing but them. */
static void open_mixing(mixing *m) {
  const ffn_moe *moe = m->of->moe;
  const uint64_t flop = moe->rule.top_k * m->expert.kernel->flop_per_token + 1;
  const uint64_t affordable = 200000000 / flop;
  m->tokens = affordable > MIXED_TOKENS ? (size_t)MIXED_TOKENS
              : affordable < 2          ? 2
                                        : (size_t)affordable;
  m->x_stride = moe->inputs + X_GAP, m->y_stride = moe->outputs + Y_GAP;
  const size_t pairs = m->tokens * moe->rule.top_k, count = m->tokens * moe->outputs;
  m->x = numbers(99, m->tokens * m->x_stride, 2);
  m->y = (float *)need((m->tokens + 1) * m->y_stride * sizeof(float));
  m->first_y = (float *)need(count * sizeof(float));
  m->logits = (float *)need((moe->rule.experts + 1) * sizeof(float));
  m->in = (float *)need(moe->inputs * sizeof(float));
  m->numbers = (int32_t *)need(pairs * sizeof(int32_t));
  m->reversed = (int32_t *)need(pairs * sizeof(int32_t));
  m->weights = (float *)need(pairs * sizeof(float));
  m->exact = (double *)need(count * sizeof(double));
  m->bound = (double *)need(count * sizeof(double));
  m->value = (double *)need(moe->outputs * sizeof(double));
  m->error = (double *)need(moe->outputs * sizeof(double));
}

static void close_mixing(mixing *m) {
  close_mixed(&m->expert);
  close_mixed(&m->shared);
  close_mixed(&m->router);
  free(m->x);
  free(m->y);
  free(m->first_y);
  free(m->logits);
  free(m->in);
  free(m->numbers);
  free(m->reversed);
  free(m->weights);
  free(m->exact);
  free(m->bound);
  free(m->value);
  free(m->error);
}

/* Tells of a mixture, and counts. `isa`: the instruction set, or "". */
static void tell_mixed(const char *name, const char *isa, const char *what, const char *wrong,
    unsigned long *passed, unsigned long *failed) {
  const size_t told = strlen(name) + strlen(isa) + 2;
  printf("%s%s%s%*s %s%s\n", name, *isa ? ", " : "  ", isa, told < 60 ? (int)(60 - told) : 0, "",
      what, wrong ? wrong : "ok");
  fflush(stdout);
  wrong ? (*failed)++ : (*passed)++;
}

static void check_mixture(mixing *m, unsigned cpu, unsigned long *passed, unsigned long *failed) {
  const ffn_moe *moe = m->of->moe;
  unsigned seen = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const ffn_isa isa = (*k)->isa;
    if (!says(m->of->rule, "expert", (*k)->layer) || (seen | ~cpu) & 1u << isa)
      continue; /* where this CPU has no such instruction set, the layers have told */
    seen |= 1u << isa;
    double worst = 0;
    char what[80];
    const char *wrong = take_kernels(m, isa, cpu) ? NULL : "a kernel is missing";
    if (!wrong && !m->x)
      open_mixing(m);
    if (!wrong)
      wrong = check_mixed(m, &worst);
    snprintf(what, sizeof what, "largest error %-7.2g of its bound: ", worst);
    tell_mixed(moe->name, ffn_isa_name(isa), what, wrong, passed, failed);
  }
}

static void check_mixtures(unsigned cpu, unsigned long *passed, unsigned long *failed) {
  static float correction[FFN_MOE_MOST_EXPERTS], expert_scale[FFN_MOE_MOST_EXPERTS];
  for (size_t e = 0; e < FFN_MOE_MOST_EXPERTS; e++) {
    correction[e] = 2 * number(97, e);
    expert_scale[e] = 1 + number(98, e) / 2;
  }
  for (const mixture *of = all_mixtures; of->moe; of++) {
    static mixing m;
    memset(&m, 0, sizeof m);
    m.of = of;
    m.parts.correction = said(of->rule, "correction") ? correction : NULL;
    m.parts.expert_scale = says(of->rule, "expert_scale", "true") ? expert_scale : NULL;
    const char *wrong = check_rule(of, correction, expert_scale, &m.c);
    tell_mixed(of->moe->name, "", "its rule for fixed logits: ", wrong, passed, failed);
    if (!wrong)
      check_mixture(&m, cpu, passed, failed);
    close_mixing(&m);
  }
}
