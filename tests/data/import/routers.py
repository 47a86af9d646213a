"""Makes routers.json with the origin's own code: what the routers of transformers' families choose
of given logits, with which weights, and what the shared expert's result is multiplied by.

    python3 tests/data/import/routers.py            make it and compare with the one beside this file
    python3 tests/data/import/routers.py FILE       write it into FILE

Logits are a token's row of x, times the identity: so they are what this file says, in float32.
"""

import importlib
import json
import os
import sys

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import torch
import transformers

transformers.logging.set_verbosity_error()

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "routers.json")
E = 8
LOGITS = [
    [0.5, -1.25, 2.0, 0.75, -0.5, 1.5, 0.25, -2.0],
    [3.0, 2.984375, -4.0, 0.0, 1.0, 2.96875, -1.0, 0.5],
    [-7.0, -6.5, -8.0, -6.25, -9.0, -6.75, -7.5, -5.5],
    [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0],
    [1.0, 0.5, -0.25, 2.5, 2.25, -1.0, 0.75, 2.75],
    [2.375, -4.0, 2.125, 2.0, 2.25, 2.0625, 0.0, 0.0],
]
CORRECTION = [0.5, -0.25, 0.0, 0.125, 0.25, -0.5, 0.375, -0.125]
BIAS = [0.3125, 1.0, -0.5, 0.0, 0.75, -1.0, 0.5, 0.125]
NORMS = [dict(norm_topk_prob=True), dict(norm_topk_prob=False)]
GROUPS = dict(n_group=4, topk_group=2)

SHARED = dict(n_shared_experts=1)
# Their routers are given the correction by the block around them.
GIVEN = {"minimax_m2", "lfm2_moe"}

# model_type -> the router's class, that of the block around it, configs; `of` names the directory.
ROUTERS = {
    "mixtral": ("MixtralTopKRouter", "MixtralSparseMoeBlock", [{}]),
    "olmoe": ("OlmoeTopKRouter", "OlmoeSparseMoeBlock", [{}, *NORMS]),
    "phimoe": ("PhimoeTopKRouter", "PhimoeSparseMoeBlock", [{}, dict(router_jitter_noise=0.125)]),
    "granitemoe": ("GraniteMoeTopKRouter", "GraniteMoeMoE", [{}]),
    "glm4_moe": ("Glm4MoeTopkRouter", "Glm4MoeMoE",
                 [{}, dict(NORMS[0], routed_scaling_factor=2.5, **GROUPS), NORMS[1]]),
    "qwen2_moe": ("Qwen2MoeTopKRouter", "Qwen2MoeSparseMoeBlock", [{}, *NORMS]),
    "qwen3_moe": ("Qwen3MoeTopKRouter", "Qwen3MoeSparseMoeBlock", [{}, *NORMS]),
    "hunyuan_v1_moe": ("HunYuanMoEV1Gate", "HunYuanMoEV1Moe", [{}]),
    "qwen3_vl_moe_text": ("Qwen3VLMoeTextTopKRouter", "Qwen3VLMoeTextSparseMoeBlock", [{}]),
    "qwen3_next": ("Qwen3NextTopKRouter", "Qwen3NextSparseMoeBlock", [{}, *NORMS]),
    "qwen3_5_moe_text": ("Qwen3_5MoeTopKRouter", "Qwen3_5MoeSparseMoeBlock", [{}]),
    "deepseek_v2": ("DeepseekV2TopkRouter", "DeepseekV2Moe",
                    [{}, dict(routed_scaling_factor=16.0, topk_method="group_limited_greedy",
                              norm_topk_prob=True, **GROUPS)]),
    "deepseek_v3": ("DeepseekV3TopkRouter", "DeepseekV3MoE",
                    [GROUPS, dict(NORMS[1], routed_scaling_factor=1.5, n_group=1, topk_group=1)]),
    "deepseek_v32": ("DeepseekV32TopkRouter", "DeepseekV32MoE",
                     [GROUPS, dict(NORMS[1], n_group=1, topk_group=1)]),
    "glm_moe_dsa": ("GlmMoeDsaTopkRouter", "GlmMoeDsaMoE", [{}, dict(NORMS[1], **GROUPS)]),
    "glm4_moe_lite": ("Glm4MoeLiteTopkRouter", "Glm4MoeLiteMoE", [{}, GROUPS]),
    "dots1": ("Dots1TopkRouter", "Dots1MoE", [SHARED, dict(SHARED, **NORMS[0], **GROUPS)]),
    "mistral4": ("Mistral4TopkRouter", "Mistral4MoE", [{}, dict(NORMS[1], **GROUPS)]),
    "mimo_v2_flash": ("MiMoV2FlashTopkRouter", "MiMoV2FlashMoE", [{}, dict(NORMS[1], **GROUPS)]),
    "ernie4_5_moe": ("Ernie4_5_MoeTopKRouter", "Ernie4_5_MoeSparseMoeBlock",
                     [{}, dict(moe_norm_min=0.5)]),
    "minimax_m2": ("MiniMaxM2TopKRouter", "MiniMaxM2SparseMoeBlock", [{}]),
    "lfm2_moe": ("Lfm2MoeTopKRouter", "Lfm2MoeSparseMoeBlock",
                 [{}, dict(NORMS[1], routed_scaling_factor=1.5)]),
    "llama4_text": ("Llama4Router", "Llama4TextMoe", [{}]),
    "gpt_oss": ("GptOssTopKRouter", "GptOssMLP", [{}]),
}


def folder_of(model_type):
    return {"qwen3_5_moe_text": "qwen3_5_moe", "llama4_text": "llama4",
            "qwen3_vl_moe_text": "qwen3_vl_moe"}.get(model_type, model_type)


def config_of(model_type, given):
    kind = transformers.models.auto.configuration_auto.CONFIG_MAPPING[model_type]
    usual = dict(hidden_size=E, intermediate_size=4, moe_intermediate_size=4, num_experts_per_tok=2,
                 shared_expert_intermediate_size=4, num_attention_heads=2, num_key_value_heads=1,
                 num_hidden_layers=2, vocab_size=8, hidden_act="silu", pad_token_id=0, head_dim=4)
    config = kind(**dict(usual, **given))
    for key in ("num_experts", "num_local_experts", "n_routed_experts"):
        if hasattr(config, key):
            setattr(config, key, E)
    return config


def chosen_of(router, logits, given):
    """Numbers and weights of a token, ascending by number."""
    told = router(torch.tensor([logits]), *given)
    if len(told) == 2:  # Llama 4: a score for each expert, 0 of those that are not chosen
        scores = told[0][0]
        numbers = [e for e in range(E) if scores[e] != 0]
        return numbers, [float(scores[e]) for e in numbers]
    weights, numbers = told[1][0], told[2][0]
    both = sorted(zip(numbers.tolist(), weights.tolist()))
    return [e for e, _ in both], [w for _, w in both]


def shared_of(block):
    """What the shared expert's result is multiplied by: 'none', 'added', or its sigmoid gate."""
    names = [n for n in ("shared_expert", "shared_experts", "shared_mlp") if hasattr(block, n)]
    if not names:
        return "none"
    shared = getattr(block, names[0])
    torch.manual_seed(1)
    for parameter in block.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    for name in ("down_proj", "w2"):
        if hasattr(block.experts, name):
            torch.nn.init.zeros_(getattr(block.experts, name))
    x = torch.randn(1, 3, E)
    told = block(x)
    told = (told[0] if isinstance(told, tuple) else told).reshape(3, E)
    own = shared(x.reshape(3, E))
    if torch.allclose(told, own, atol=1e-6):
        return "added"
    gate = torch.sigmoid(torch.nn.functional.linear(x.reshape(3, E), block.shared_expert_gate.weight))
    assert torch.allclose(told, gate * own, atol=1e-6)
    return "gated"


def cases():
    for model_type, (name, block_name, configs) in ROUTERS.items():
        module = importlib.import_module("transformers.models.{0}.modeling_{0}".format(
            folder_of(model_type)))
        for given in configs:
            config = config_of(model_type, given)
            router = getattr(module, name)(config).eval()
            block = getattr(module, block_name, None)
            with torch.no_grad():
                getattr(router, "wg", router).weight.copy_(torch.eye(E))
                correction = bias = None
                if hasattr(router, "e_score_correction_bias"):
                    correction = CORRECTION
                    router.e_score_correction_bias.copy_(torch.tensor(CORRECTION))
                if hasattr(router, "moe_statics"):
                    correction = CORRECTION
                    router.moe_statics.e_score_correction_bias.copy_(torch.tensor([CORRECTION]))
                if getattr(router, "bias", None) is not None:
                    bias = BIAS
                    router.bias.copy_(torch.tensor(BIAS))
                given_too = []
                if model_type in GIVEN:
                    correction = CORRECTION
                    given_too = [torch.tensor(CORRECTION)]
                chosen = [chosen_of(router, row, given_too) for row in LOGITS]
                shared = shared_of(block(config).eval())
            yield dict(model_type=model_type, config=given, correction=correction, bias=bias,
                       source="models/{0}/modeling_{0}.py, {1}".format(folder_of(model_type), name),
                       shared=shared, experts=[c[0] for c in chosen],
                       weights=[[float("%.9g" % w) for w in c[1]] for c in chosen])


def text():
    lines = ",\n  ".join(json.dumps(case) for case in cases())
    return ('{"transformers": "%s", "torch": "%s", "used": 2,\n "logits": %s,\n "cases": [\n  %s]}\n'
            % (transformers.__version__, torch.__version__.split("+")[0], json.dumps(LOGITS), lines))


if __name__ == "__main__":
    made = text()
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            file.write(made)
    else:
        with open(HERE) as file:
            there, new = json.loads(file.read()), json.loads(made)
        for key in ("transformers", "torch"):
            if there[key] != new[key]:
                sys.exit("%s is %s, and %s made routers.json" % (key, new[key], there[key]))
        if there != new:
            sys.exit("routers.json is another")
