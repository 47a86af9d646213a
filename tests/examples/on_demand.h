/* One token through one mixture of a model whose experts do not all fit into memory: they lie in a
 * mapped file of packed weights, and only those that the token takes are read. */
#include "ffn_file.h"
#include "ffn_moe.h"

enum { ON_DEMAND_MOST = 16 }; /* experts of a token */

/* y = the layer of x. logits are what the router gives for x: the router is small, and its weights
 * stay in memory, as those of the shared expert do. All pointers of parts->experts are into the
 * file: ffn_moe_open() sets them and reads no weights. */
static ffn_moe_status on_demand(const ffn_moe *moe, const ffn_moe_parts *parts,
                                const ffn_file *file, uint32_t layer, float *y, const float *x,
                                const float *logits, void *work, size_t work_bytes) {
  int32_t numbers[ON_DEMAND_MOST];
  float weights[ON_DEMAND_MOST];
  ffn_moe_rule rule = moe->rule;
  rule.correction = parts->correction, rule.expert_scale = parts->expert_scale;
  ffn_moe_route(&rule, logits, numbers, weights);

  /* The system begins to read all of them, while the first is computed. */
  for (size_t k = 0; k < rule.top_k; k++)
    if (numbers[k] >= 0)
      ffn_file_want(file, ffn_file_find(file, layer, (uint32_t)numbers[k]));

  ffn_moe_given given = {.numbers = numbers, .weights = weights};
  if (moe->shared == FFN_MOE_SHARED_SIGMOID)
    given.logits = logits; /* the last one gates the shared expert */
  const ffn_moe_status status =
      ffn_moe_run(moe, parts, y, moe->outputs, x, moe->inputs, 1, &given, work, work_bytes, NULL);

  for (size_t k = 0; k < rule.top_k; k++)
    if (numbers[k] >= 0)
      ffn_file_forget(file, ffn_file_find(file, layer, (uint32_t)numbers[k]));
  return status;
}
