"""Makes mixtures.inc with the classes of transformers: what whole mixtures of experts give, a case
for each form of router and each way of a shared expert; tests/kernels/moe_goldens.c reads them.

    python3 tests/data/mixtures.py       make mixtures.inc, and compare with the one beside this file
    python3 tests/data/mixtures.py FILE  write it into FILE

Weights and x are numbers of a formula, which moe_goldens.c has, too. The classes compute in double.
"""

import importlib
import inspect
import os
import sys

import torch
import transformers

import routers

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mixtures.inc")
D, F, E, K, TOKENS = 16, 24, 8, 2, 6
ROUTER, GATE, X, SHARED, EXPERT = 1, 2, 3, 10, 20  # streams of numbers; of three matrices each

SIZES = dict(hidden_size=D, intermediate_size=F, moe_intermediate_size=F, n_shared_experts=1,
             shared_expert_intermediate_size=F, intermediate_size_mlp=F, moe_num_shared_experts=1,
             num_shared_experts=1)
NONE, ADDED = "FFN_MOE_NONE_SHARED", "FFN_MOE_SHARED"
RULES = {case[1]: case for case in routers.CASES}
RULES["qwen2_moe"] = ("A", "qwen2_moe", "", dict(norm_topk_prob=False), "", routers.NONE)
AVERAGE = dict(num_shared_experts=1, shared_expert_combination_strategy="average")

# Directory of the model, the class, more of its config, what its shared expert does.
CASES = [
    ("mixtral", "MixtralSparseMoeBlock", {}, NONE),
    ("qwen2_moe", "Qwen2MoeSparseMoeBlock", {}, "FFN_MOE_SHARED_SIGMOID"),
    ("granitemoe", "GraniteMoeMoE", {}, NONE),
    ("cohere2_moe", "Cohere2MoeSparseMoeBlock", AVERAGE, "FFN_MOE_SHARED_MEAN"),
    ("deepseek_v3", "DeepseekV3MoE", {}, ADDED),
    ("minimax_m2", "MiniMaxM2SparseMoeBlock", {}, NONE),
    ("ernie4_5_moe", "Ernie4_5_MoeSparseMoeBlock", {}, ADDED),
    ("mistral4", "Mistral4MoE", {}, ADDED),
    ("deepseek_v2", "DeepseekV2Moe", {}, ADDED),
    ("deepseek_v4", "DeepseekV4SparseMoeBlock", {}, ADDED),
    ("llama4", "Llama4TextMoe", {}, ADDED),
    ("kolibri1", "Kolibri1SparseMoeBlock", {}, ADDED),
    ("flint", "FlintSparseMoeBlock", {}, ADDED),
]


def numbers(stream, *shape):
    """Multiples of 1/256 from -1/2 on, of integers alone: the same everywhere."""
    count = 1
    for size in shape:
        count *= size
    values = []
    for i in range(count):
        n = (stream * 7919 + i * 104729 + 12345) & 0xffffffff
        n ^= n >> 15
        n = n * 2654435761 & 0xffffffff
        n ^= n >> 13
        values.append(((n >> 8 & 255) - 128) / 256)
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


def correction():
    return torch.tensor([(7 * e % E - 4) / 64 for e in range(E)], dtype=torch.float64)


def matrices(stream):
    """gate, up [F][D] and down [D][F]."""
    return numbers(stream, F, D), numbers(stream + 1, F, D), numbers(stream + 2, D, F)


def fill(block, corrected):
    """All weights of a block, by their names."""
    experts = [matrices(EXPERT + 3 * e) for e in range(E)]
    gate_up = torch.stack([torch.cat(own[:2]) for own in experts])
    down = torch.stack([own[2] for own in experts])
    shared = dict(zip(("gate_proj", "up_proj", "down_proj"), matrices(SHARED)))
    for name, own in list(block.named_parameters()) + list(block.named_buffers()):
        if name.endswith("e_score_correction_bias"):
            value = (correction() if corrected else torch.zeros(E)).reshape(own.shape)
        elif name == "experts.gate_up_proj":
            value = gate_up if tuple(own.shape) == (E, 2 * F, D) else gate_up.transpose(1, 2)
        elif name == "experts.down_proj":
            value = down if tuple(own.shape) == (E, D, F) else down.transpose(1, 2)
        elif name in ("gate.weight", "router.weight"):
            value = numbers(ROUTER, E, D)
        elif name == "shared_expert_gate.weight":
            value = numbers(GATE, 1, D)
        elif name.startswith("shared_expert"):
            value = shared[name.split(".")[1]]
        else:
            sys.exit("no value for " + name)
        if tuple(own.shape) != tuple(value.shape):
            sys.exit("%s has another shape: %s" % (name, tuple(own.shape)))
        own.data.copy_(value)


def block_of(model, name, given):
    config = routers.config_of(model, dict(RULES[model][3], **given))
    for key, value in SIZES.items():
        setattr(config, key, value)
    for key in ("num_experts", "num_local_experts", "n_routed_experts"):
        setattr(config, key, E)
    for key in ("num_experts_per_tok", "top_k_experts", "moe_topk", "moe_k"):
        setattr(config, key, K)
    made = getattr(importlib.import_module(
        "transformers.models.{0}.modeling_{0}".format(model)), name)
    if "layer_idx" in inspect.signature(made.__init__).parameters:
        config.mlp_layer_types = ["moe"]
        return made(config, 0)
    return made(config)


def case(model, name, given, shared):
    form, _, _, _, rule, corrected = RULES[model]
    block = block_of(model, name, given).double().eval()
    router = block.gate if hasattr(block, "gate") else block.router
    told = []
    router.register_forward_hook(lambda module, given, out: told.append(out))
    x = numbers(X, TOKENS, D) * 4
    with torch.no_grad():
        fill(block, corrected != routers.NONE)
        y = block(x.reshape(1, TOKENS, D))
        y = (y[0] if isinstance(y, tuple) else y).reshape(TOKENS, D)
        if model == "llama4":  # a score for each expert, 0 of those that are not chosen
            weights, chosen = told[0][0].topk(K, dim=-1)
        else:
            weights, chosen = told[0][1], told[0][2]
    chosen = chosen.reshape(TOKENS, K)
    order = chosen.argsort(dim=-1)
    weights = weights.reshape(TOKENS, K).gather(1, order)
    logits = torch.nn.functional.linear(x, numbers(ROUTER, E, D))
    return routers.folded("MIXTURE(%s, %s, %s, %s, (%s), (%s), (%s), (%s), (%s))" % (
        form, model, corrected, shared, rule or ".normalise = 0", routers.rows(logits),
        ", ".join(str(int(n)) for n in chosen.gather(1, order).flatten()), routers.rows(weights),
        routers.rows(y)))


def text():
    lines = [
        "/* Made by tests/data/mixtures.py with transformers %s, torch %s." % (
            transformers.__version__, torch.__version__.split("+")[0]),
        " *",
        " * MIXTURE(form, name, corrected, shared, rule, logits, numbers, weights, y) */",
        "#ifndef MIXTURE",
        "enum { MIXTURES_INPUTS = %d, MIXTURES_HIDDEN = %d, MIXTURES_EXPERTS = %d };" % (D, F, E),
        "enum { MIXTURES_TOP_K = %d, MIXTURES_TOKENS = %d };" % (K, TOKENS),
        routers.folded("static const float mixtures_correction[] = {%s};"
                       % routers.rows(correction())),
        "#else"]
    return "\n".join(lines + [case(*own) for own in CASES] + ["#endif", ""])


if __name__ == "__main__":
    routers.write_or_compare(text(), HERE)
