"""Makes moe/ with the origin's own code: small models of transformers' classes whose layers are
mixtures of experts, and x and y of one whole layer of each: router, experts, shared expert. Two of
them are also in GGUF, under the names and keys that the converters of llama.cpp write.

    python3 tests/data/import/mixtures.py DIR     write them into DIR
    python3 tests/data/import/mixtures.py         make them and compare with those beside this file

Packages are those of versions.json of hf/, and gguf.
"""

import filecmp
import os
import sys
import tempfile

import gguf
import numpy as np
import safetensors.torch
import torch
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from remake import D, LATENT, USUAL, model_of, thin, versions

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "moe")
F, EXPERTS, TOKENS = 6, 8, 7
SPARSE = dict(USUAL, num_experts_per_tok=2, moe_intermediate_size=F, num_experts=EXPERTS)
LOCAL = dict(USUAL, num_experts_per_tok=2, intermediate_size=F, num_local_experts=EXPERTS)
ROUTED = dict(USUAL, num_experts_per_tok=2, moe_intermediate_size=F, n_routed_experts=EXPERTS,
              n_group=4, topk_group=2, first_k_dense_replace=1)

# name -> model_type, what the config is told, the layer with experts, the type of its numbers.
MODELS = {
    "mixtral": ("mixtral", LOCAL, 1, torch.float32),
    "qwen2_moe": ("qwen2_moe", dict(SPARSE, shared_expert_intermediate_size=10), 1, torch.bfloat16),
    "qwen3_moe": ("qwen3_moe", dict(SPARSE, num_experts_per_tok=3, norm_topk_prob=True), 0,
                  torch.float16),
    "deepseek_v2": ("deepseek_v2", dict(ROUTED, **LATENT, topk_method="group_limited_greedy",
                                        routed_scaling_factor=1.5, n_shared_experts=2), 1,
                    torch.float32),
    "deepseek_v3": ("deepseek_v3", dict(ROUTED, **LATENT, n_shared_experts=2), 1, torch.float32),
    "glm4_moe": ("glm4_moe", dict(ROUTED, n_group=1, topk_group=1, n_shared_experts=1), 1,
                 torch.float32),
    "gpt_oss": ("gpt_oss", LOCAL, 0, torch.float32),
    "ernie4_5_moe": ("ernie4_5_moe", dict(USUAL, moe_num_experts=EXPERTS, moe_k=2, use_bias=True,
                                          moe_intermediate_size=F, moe_num_shared_experts=1), 1,
                     torch.float32),
    "minimax_m2": ("minimax_m2", LOCAL, 0, torch.float32),
    "llama4_text": ("llama4_text", dict(LOCAL, num_experts_per_tok=1, intermediate_size_mlp=12,
                                        interleave_moe_layer_step=2), 1,
                    torch.float32),
    "granitemoehybrid": ("granitemoehybrid", dict(LOCAL, shared_intermediate_size=10,
                                                  layer_types=["full_attention"] * 2,
                                                  mamba_n_heads=2, mamba_d_state=4), 0,
                         torch.float32),
    "hunyuan_v1_moe": ("hunyuan_v1_moe", dict(USUAL, intermediate_size=F, num_experts=EXPERTS,
                                              moe_topk=[2, 2], attention_bias=False), 1,
                       torch.float32),
    "qwen3_vl_moe": ("qwen3_vl_moe", dict(
        text_config=dict(SPARSE, rope_parameters=dict(rope_type="default", mrope_section=[1, 1, 0])),
        vision_config=dict(depth=1, hidden_size=D, intermediate_size=F, num_heads=2, patch_size=2,
                           out_hidden_size=D, num_position_embeddings=4,
                           deepstack_visual_indexes=[0])), 1, torch.float32),
    "lfm2_moe": ("lfm2_moe", dict(SPARSE, num_dense_layers=1, conv_L_cache=2, norm_topk_prob=True,
                                  layer_types=["conv", "full_attention"]), 1, torch.float32),
}


def block_of(model, layer):
    """The module of a mixture. In GraniteMoeHybrid two modules of a layer are one."""
    base = getattr(model, "model", model)
    layer = getattr(base, "language_model", base).layers[layer]
    block = next(getattr(layer, name) for name in ("mlp", "block_sparse_moe", "feed_forward")
                 if hasattr(layer, name))
    if hasattr(layer, "shared_mlp"):
        return lambda x: first_of(block(x)) + layer.shared_mlp(x)
    return lambda x: first_of(block(x))


def first_of(told):
    return told[0] if isinstance(told, tuple) else told


def turn(path):
    """Stores experts as Qwen's own files have them: [expert][in][out]."""
    tensors = safetensors.torch.load_file(path)
    for key in tensors:
        if ".experts." in key:
            tensors[key] = tensors[key].transpose(1, 2).contiguous()
    safetensors.torch.save_file(tensors, path, {"format": "pt"})


def make(folder, name):
    model_type, told, layer, kind = MODELS[name]
    torch.manual_seed(1)
    model = model_of(CONFIG_MAPPING[model_type](**told), name).eval()
    with torch.no_grad():
        for key, p in sorted(list(model.named_parameters()) + list(model.named_buffers())):
            if p.is_floating_point() and "rotary" not in key:
                # What corrects a choice is as large as scores are.
                p.copy_(torch.randn(p.shape) * (0.25 if "bias" in key else 0.5))
    at = os.path.join(folder, name)
    model.to(kind).save_pretrained(at)
    thin(os.path.join(at, "model.safetensors"))
    if name == "qwen3_vl_moe":
        turn(os.path.join(at, "model.safetensors"))
    for other in os.listdir(at):
        if other == "generation_config.json":
            os.remove(os.path.join(at, other))
    model.double()
    model.set_experts_implementation("eager")
    x = torch.randn(1, TOKENS, D, dtype=torch.float64)
    with torch.no_grad():
        y = block_of(model, layer)(x).reshape(TOKENS, D).to(torch.float64)
    safetensors.torch.save_file({f"x.{layer}": x[0], f"y.{layer}": y.contiguous()},
                                os.path.join(at, "expected"))


def gguf_of(folder, name, architecture, keys):
    """A model of this folder in GGUF: its feed-forward layers and their norms."""
    tensors = safetensors.torch.load_file(os.path.join(folder, name, "model.safetensors"))
    writer = gguf.GGUFWriter(os.path.join(folder, name + ".gguf"), architecture)
    writer.add_block_count(2)
    writer.add_embedding_length(D)
    writer.add_feed_forward_length(12)
    writer.add_expert_count(EXPERTS)
    writer.add_expert_used_count(2)
    writer.add_expert_feed_forward_length(F)
    keys(writer)
    names = {"post_attention_layernorm.weight": "ffn_norm.weight",
             "mlp.gate.weight": "ffn_gate_inp.weight",
             "mlp.gate.e_score_correction_bias": "exp_probs_b.bias",
             "mlp.shared_expert_gate.weight": "ffn_gate_inp_shexp.weight"}
    for role in ("gate", "up", "down"):
        names[f"mlp.{role}_proj.weight"] = f"ffn_{role}.weight"
        for shared in ("expert", "experts"):
            names[f"mlp.shared_{shared}.{role}_proj.weight"] = f"ffn_{role}_shexp.weight"

    def add(to, tensor):
        writer.add_tensor(to, np.squeeze(tensor.to(torch.float32).numpy()))

    for key in sorted(tensors):
        block, _, rest = key.removeprefix("model.layers.").partition(".")
        if rest in names:
            add(f"blk.{block}.{names[rest]}", tensors[key])
    for block in range(2):
        for role in ("gate", "up", "down"):
            experts = [tensors[key] for key in (f"model.layers.{block}.mlp.experts.{e}.{role}_proj"
                       ".weight" for e in range(EXPERTS)) if key in tensors]
            if experts:
                add(f"blk.{block}.ffn_{role}_exps.weight", torch.stack(experts))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def keys_of_qwen(writer):
    writer.add_expert_shared_feed_forward_length(10)


def keys_of_deepseek(writer):
    writer.add_leading_dense_block_count(1)
    writer.add_expert_shared_count(2)
    writer.add_expert_weights_scale(2.5)
    writer.add_expert_weights_norm(True)
    writer.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID)
    writer.add_expert_group_count(4)
    writer.add_expert_group_used_count(2)


def make_all(folder):
    for name in MODELS:
        make(folder, name)
    gguf_of(folder, "qwen2_moe", "qwen2moe", keys_of_qwen)
    gguf_of(folder, "deepseek_v3", "deepseek2", keys_of_deepseek)


def is_same(here, there):
    if not here.endswith("expected"):
        return os.path.exists(here) and filecmp.cmp(here, there, shallow=False)
    a, b = safetensors.torch.load_file(here), safetensors.torch.load_file(there)
    return a.keys() == b.keys() and all(torch.allclose(a[k], b[k], rtol=1e-6, atol=1e-6) for k in a)


def compare(made):
    wrong = []
    for folder, _, files in os.walk(made):
        for file in files:
            there = os.path.join(folder, file)
            here = os.path.join(HERE, os.path.relpath(there, made))
            if not is_same(here, there):
                wrong.append(os.path.relpath(there, made))
    for name in sorted(wrong):
        print("differs:", name)
    print(len(MODELS), "models,", len(wrong), "files differ; made by", versions())
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        make_all(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as temporary:
            make_all(temporary)
            sys.exit(compare(temporary))
