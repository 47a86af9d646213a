"""Makes routers.inc with the classes of transformers: which experts their routers choose of given
logits, with which weights. A case for each form of router; tests/kernels/moe_route.c reads them.

    python3 tests/data/routers.py       make routers.inc, and compare with the one beside this file
    python3 tests/data/routers.py FILE  write it into FILE

Logits are a row of x times the identity: the numbers of routers.inc, in float32.
"""

import importlib
import os
import sys

import torch
import transformers

transformers.logging.set_verbosity_error()

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "routers.inc")
E, K, TOKENS = 16, 4, 8
GROUPS = dict(n_group=4, topk_group=2)
NONE, SCORE, LOGIT = "FFN_MOE_NOT_CORRECTED", "FFN_MOE_SCORE_CORRECTED", "FFN_MOE_LOGIT_CORRECTED"

# Form, directory of the model, the router's class, its config, the rule in C, what is corrected.
CASES = [
    ("A", "mixtral", "MixtralTopKRouter", {}, ".normalise = 1", NONE),
    ("A", "qwen3_moe", "Qwen3MoeTopKRouter", dict(norm_topk_prob=False), "", NONE),
    ("A", "olmoe", "OlmoeTopKRouter", dict(norm_topk_prob=True), ".normalise = 1", NONE),
    ("A", "gemma4", "Gemma4TextRouter", {}, ".normalise = 1, .expert_scale = routers_scale", NONE),
    ("B", "gpt_oss", "GptOssTopKRouter", {}, ".normalise = 1", NONE),
    ("B", "granitemoe", "GraniteMoeTopKRouter", {}, ".normalise = 1", NONE),
    ("B", "cohere2_moe", "Cohere2MoeTopKRouter",
     dict(expert_selection_fn="sigmoid", norm_topk_prob=False), ".score = FFN_MOE_SIGMOID", NONE),
    ("C", "deepseek_v3", "DeepseekV3TopkRouter",
     dict(GROUPS, norm_topk_prob=True, routed_scaling_factor=2.5),
     ".score = FFN_MOE_SIGMOID, .groups = 4, .take = 2, .by_two = 1, .normalise = 1, "
     ".epsilon = 1e-20f, .scale = 2.5f", SCORE),
    ("C", "minimax_m2", "MiniMaxM2TopKRouter", {}, ".score = FFN_MOE_SIGMOID, .normalise = 1",
     SCORE),
    ("C", "lfm2_moe", "Lfm2MoeTopKRouter",
     dict(norm_topk_prob=True, use_expert_bias=True, routed_scaling_factor=1.5),
     ".score = FFN_MOE_SIGMOID, .normalise = 1, .epsilon = 1e-6f, .scale = 1.5f", SCORE),
    ("D", "ernie4_5_moe", "Ernie4_5_MoeTopKRouter", dict(moe_norm_min=0.25),
     ".normalise = 1, .floor = 0.25f", SCORE),
    ("D", "longcat_flash", "LongcatFlashTopkRouter",
     dict(routed_scaling_factor=6.0, zero_expert_num=0), ".scale = 6", SCORE),
    ("E", "mistral4", "Mistral4TopkRouter",
     dict(GROUPS, norm_topk_prob=True, routed_scaling_factor=1.5),
     ".groups = 4, .take = 2, .by_two = 1, .normalise = 1, .epsilon = 1e-20f, .scale = 1.5f",
     NONE),
    ("E", "deepseek_v2", "DeepseekV2TopkRouter",
     dict(GROUPS, routed_scaling_factor=16.0, topk_method="group_limited_greedy"),
     ".groups = 4, .take = 2, .scale = 16", NONE),
    ("F", "deepseek_v4", "DeepseekV4TopKRouter",
     dict(scoring_func="sqrtsoftplus", routed_scaling_factor=1.5),
     ".score = FFN_MOE_SQRT_SOFTPLUS, .normalise = 1, .epsilon = 1e-20f, .scale = 1.5f", SCORE),
    ("G", "llama4", "Llama4Router", {}, ".score = FFN_MOE_SIGMOID, .on_input = 1", NONE),
    ("H", "kolibri1", "Kolibri1TopKRouter", dict(norm_topk_prob=True),
     ".score = FFN_MOE_SIGMOID, .normalise = 1", LOGIT),
    ("H", "flint", "FlintTopKRouter", dict(norm_topk_prob=True),
     ".score = FFN_MOE_SIGMOID, .normalise = 1", NONE),
]
TYPES = {"llama4": "llama4_text", "gemma4": "gemma4_text"}


def config_of(model, given):
    kind = transformers.models.auto.configuration_auto.CONFIG_MAPPING[TYPES.get(model, model)]
    usual = dict(hidden_size=E, num_attention_heads=2, num_key_value_heads=1, num_hidden_layers=2,
                 vocab_size=8, pad_token_id=0, head_dim=8)
    config = kind(**usual)
    for key, value in given.items():
        setattr(config, key, value)
    for key in ("num_experts", "num_local_experts", "n_routed_experts"):
        setattr(config, key, E)
    for key in ("num_experts_per_tok", "top_k_experts", "moe_topk", "moe_k"):
        setattr(config, key, K)
    return config


def logits_of():
    """Random ones, some of them close to each other, and some far below."""
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn(TOKENS, E, generator=generator) * 2
    logits[1] = logits[1] / 64 + 1
    logits[2] -= 20
    logits[3] = torch.round(logits[3] * 4) / 4 + torch.arange(E) / 1024
    logits[4] *= 4
    return logits


def rows(values):
    return ", ".join("%sf" % v if "." in v or "e" in v else "%s.0f" % v
                     for v in ("%.9g" % float(v) for v in values.flatten()))


def folded(text):
    line, lines = "", []
    for word in text.split():
        if len(line) + 1 + len(word) > 98:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return "\n".join(lines + [line])


def run(router, logits, correction, model):
    """Numbers and weights of tokens, ascending by number."""
    if model == "gemma4":
        router.norm = torch.nn.Identity()
        router.scale.fill_(router.hidden_size ** 0.5)
        router.per_expert_scale.copy_(SCALE)
        router.proj.weight.copy_(torch.eye(E))
        told = router(logits)
    elif model == "longcat_flash":
        router.classifier.weight.copy_(torch.eye(E))
        told = router(logits)
    else:
        router.weight.copy_(torch.eye(E))
        if getattr(router, "bias", None) is not None:
            router.bias.zero_()
        told = router(logits, correction) if model in ("minimax_m2", "lfm2_moe") else router(logits)
    if model == "llama4":  # a score for each expert, 0 of those that are not chosen
        weights, numbers = told[0].topk(K, dim=-1)
    else:
        weights, numbers = told[1], told[2]
    order = numbers.argsort(dim=-1)
    return numbers.gather(1, order), weights.gather(1, order)


def text():
    lines = [
        "/* Made by tests/data/routers.py with transformers %s, torch %s." % (
            transformers.__version__, torch.__version__.split("+")[0]),
        " *", " * ROUTER(form, name, corrected, rule, numbers, weights) */",
        "#ifndef ROUTER", "enum { ROUTERS_EXPERTS = %d, ROUTERS_TOP_K = %d, ROUTERS_TOKENS = %d };"
        % (E, K, TOKENS)]
    logits = logits_of()
    for name, values in (("correction", CORRECTION), ("scale", SCALE), ("logits", logits)):
        lines.append(folded("static const float routers_%s[] = {%s};" % (name, rows(values))))
    lines.append("#else")
    for form, model, name, given, rule, corrected in CASES:
        module = importlib.import_module("transformers.models.{0}.modeling_{0}".format(model))
        router = getattr(module, name)(config_of(model, given)).eval()
        correction = CORRECTION if corrected != NONE else torch.zeros(E)
        for part in router.modules():
            for own in ("e_score_correction_bias",):
                if getattr(part, own, None) is not None:
                    getattr(part, own).data.copy_(correction.reshape(getattr(part, own).shape))
        with torch.no_grad():
            numbers, weights = run(router, logits, correction, model)
        lines.append(folded("ROUTER(%s, %s, %s, (%s), (%s), (%s))" % (
            form, model, corrected, rule or ".normalise = 0",
            ", ".join(str(int(n)) for n in numbers.flatten()), rows(weights))))
    return "\n".join(lines + ["#endif", ""])


CORRECTION = torch.tensor([(7 * e % 16 - 8) / 64 for e in range(E)])
SCALE = torch.tensor([1 + (5 * e % 16) / 16 for e in range(E)])


def write_or_compare(made, here):
    """Writes the text to the file that the caller names, or else compares it with the one here."""
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            file.write(made)
        return
    with open(here) as file:
        there = file.read()
    name = os.path.basename(here)
    if there.split("\n")[0] != made.split("\n")[0]:
        sys.exit("other packages made %s: %s" % (name, there.split("\n")[0]))
    if there != made:
        sys.exit("%s is another" % name)


if __name__ == "__main__":
    write_or_compare(text(), HERE)
