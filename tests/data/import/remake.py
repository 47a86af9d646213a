"""Makes the folders of hf/ with the origin's own code: transformers' config classes and models at
tiny sizes, save_pretrained, and what goes into the first matrix of each layer and comes out of the
last one, in double, where the real model runs. Of some models also x and y of each matrix of
attention and of the head; and where q, k and v are one matrix, what attention gets of one token,
whose position turns nothing.

    python3 tests/data/import/remake.py DIR     write them into DIR
    python3 tests/data/import/remake.py         make them and compare with those beside this file

versions.json names the packages that made them: another version may save other keys, and says so.
"""

import filecmp
import json
import os
import re
import sys
import tempfile

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import safetensors
import safetensors.torch
import torch
import transformers
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.pytorch_utils import Conv1D

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hf")
D, F = 8, 12
POSITIONS = 16

USUAL = dict(hidden_size=D, intermediate_size=F, num_hidden_layers=2, num_attention_heads=2,
             num_key_value_heads=1, head_dim=4, vocab_size=8, max_position_embeddings=16,
             pad_token_id=0, bos_token_id=1, eos_token_id=2)
GPT2 = dict(n_embd=D, n_layer=2, n_head=2, n_positions=8, n_ctx=8, vocab_size=8, bos_token_id=1,
            eos_token_id=2)
T5 = dict(d_model=D, d_ff=F, d_kv=4, num_heads=2, num_layers=2, num_decoder_layers=1, vocab_size=8)
BART = dict(d_model=D, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=F, decoder_ffn_dim=F,
            encoder_attention_heads=2, decoder_attention_heads=2, vocab_size=8, pad_token_id=0,
            bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)
CLIP = dict(hidden_size=D, intermediate_size=F, num_hidden_layers=1, num_attention_heads=2)
DINO = dict(hidden_size=D, num_hidden_layers=2, num_attention_heads=2, image_size=4, patch_size=2,
            mlp_ratio=3)
LLAMA = (r"\.(\d+)\.mlp\.gate_proj$", r"\.(\d+)\.mlp\.down_proj$")
PLAIN = (r"\.(\d+)\.mlp\.up_proj$", r"\.(\d+)\.mlp\.down_proj$")
FUSED = (r"\.(\d+)\.mlp\.gate_up_proj$", r"\.(\d+)\.mlp\.down_proj$")
MEGATRON = (r"\.(\d+)\.mlp\.dense_h_to_4h$", r"\.(\d+)\.mlp\.dense_4h_to_h$")
C_FC = (r"\.(\d+)\.mlp\.c_fc$", r"\.(\d+)\.mlp\.c_proj$")
BERT = (r"\.(\d+)\.intermediate\.dense$", r"layer\.(\d+)\.output\.dense$")
FC = (r"\.(\d+)\.(?:mlp\.)?fc1$", r"\.(\d+)\.(?:mlp\.)?fc2$")
FC_IN = (r"\.(\d+)\.mlp\.fc_in$", r"\.(\d+)\.mlp\.fc_out$")

SHARED_MLP = (r"\.(\d+)\.shared_mlp\.input_linear$", r"\.(\d+)\.shared_mlp\.output_linear$")
LFM2 = (r"\.(\d+)\.feed_forward\.w1$", r"\.(\d+)\.feed_forward\.w2$")
SPEECH = (r"\.(\d+)\.feed_forward\.intermediate_dense$",
          r"\.(\d+)\.feed_forward\.output_dense$")
SOUND = dict(hidden_size=D, intermediate_size=F, num_hidden_layers=2, num_attention_heads=2,
             vocab_size=8, conv_dim=[4], conv_stride=[5], conv_kernel=[5],
             num_conv_pos_embeddings=2, num_conv_pos_embedding_groups=2)

SPARSE = dict(USUAL, n_routed_experts=2, n_group=1, topk_group=1, num_experts_per_tok=1,
              moe_intermediate_size=6, num_key_value_heads=2)
LATENT = dict(q_lora_rank=4, kv_lora_rank=4, qk_rope_head_dim=4, qk_nope_head_dim=4, v_head_dim=4)
INDEXED = dict(LATENT, first_k_dense_replace=1, index_topk=2, index_head_dim=8, index_n_heads=2)

HYBRID = dict(USUAL, num_experts_per_tok=1, shared_intermediate_size=6, residual_multiplier=0.25,
              layer_types=["full_attention"] * 2, mamba_n_heads=2, mamba_d_state=4)

# name -> model_type, what the config is told, the modules that are watched.
MODELS = {
    "llama": ("llama", dict(USUAL, mlp_bias=True), LLAMA),
    "llama_shards": ("llama", USUAL, LLAMA),
    "mistral": ("mistral", USUAL, LLAMA),
    "qwen2": ("qwen2", USUAL, LLAMA),
    "qwen3": ("qwen3", USUAL, LLAMA),
    "gemma": ("gemma", USUAL, LLAMA),
    "gemma2": ("gemma2", USUAL, LLAMA),
    "gemma3_text": ("gemma3_text", USUAL, LLAMA),
    "gemma3_pictures": ("gemma3", dict(text_config=USUAL, mm_tokens_per_image=4, vision_config=dict(
        CLIP, image_size=4, patch_size=2)), LLAMA),
    "phi": ("phi", USUAL, FC),
    "phi3": ("phi3", USUAL, FUSED),
    "gpt2": ("gpt2", GPT2, C_FC),
    "gptj": ("gptj", dict(GPT2, rotary_dim=2), FC_IN),
    "gpt_neo": ("gpt_neo", dict(hidden_size=D, num_layers=2, num_heads=2, vocab_size=8,
                                max_position_embeddings=8, bos_token_id=1, eos_token_id=2,
                                attention_types=[[["global", "local"], 1]]), C_FC),
    "gpt_neox": ("gpt_neox", USUAL, MEGATRON),
    "gpt_bigcode": ("gpt_bigcode", GPT2, C_FC),
    "opt": ("opt", dict(hidden_size=D, ffn_dim=F, num_hidden_layers=2, num_attention_heads=2,
                        vocab_size=8, word_embed_proj_dim=D, max_position_embeddings=8,
                        pad_token_id=0, bos_token_id=1, eos_token_id=2), FC),
    "bloom": ("bloom", dict(hidden_size=D, n_layer=2, n_head=2, vocab_size=8), MEGATRON),
    "falcon": ("falcon", dict(hidden_size=D, num_hidden_layers=2, num_attention_heads=2,
                              vocab_size=8, bos_token_id=1, eos_token_id=2), MEGATRON),
    "falcon_old": ("falcon", dict(hidden_size=D, num_hidden_layers=1, num_attention_heads=2,
                                  vocab_size=8, bos_token_id=1, eos_token_id=2, multi_query=False,
                                  bias=True), MEGATRON),
    "falcon_new": ("falcon", dict(hidden_size=D, num_hidden_layers=1, num_attention_heads=4,
                                  num_kv_heads=2, vocab_size=8, bos_token_id=1, eos_token_id=2,
                                  new_decoder_architecture=True), MEGATRON),
    "mpt": ("mpt", dict(d_model=D, n_layers=2, n_heads=2, vocab_size=8, max_seq_len=8),
            (r"\.(\d+)\.ffn\.up_proj$", r"\.(\d+)\.ffn\.down_proj$")),
    "starcoder2": ("starcoder2", USUAL, C_FC),
    "bert": ("bert", USUAL, BERT),
    "roberta": ("roberta", USUAL, BERT),
    "electra": ("electra", dict(USUAL, embedding_size=4), BERT),
    "distilbert": ("distilbert", dict(dim=D, hidden_dim=F, n_layers=2, n_heads=2, vocab_size=8,
                                      max_position_embeddings=8),
                   (r"\.(\d+)\.ffn\.lin1$", r"\.(\d+)\.ffn\.lin2$")),
    "albert": ("albert", dict(USUAL, embedding_size=4),
               (r"groups\.(\d+)\.albert_layers\.0\.ffn$",
                r"groups\.(\d+)\.albert_layers\.0\.ffn_output$")),
    "modernbert": ("modernbert", dict(USUAL, cls_token_id=1, sep_token_id=2, mlp_bias=True),
                   (r"\.(\d+)\.mlp\.Wi$", r"\.(\d+)\.mlp\.Wo$")),
    "nomic_bert": ("nomic_bert", USUAL, LLAMA),
    "t5": ("t5", T5, (r"encoder\.block\.(\d+)\..*\.wi$", r"encoder\.block\.(\d+)\..*\.wo$")),
    "t5_lm": ("t5", T5, (r"encoder\.block\.(\d+)\..*\.wi$", r"encoder\.block\.(\d+)\..*\.wo$")),
    "t5_gated": ("t5", dict(T5, feed_forward_proj="gated-gelu"),
                 (r"encoder\.block\.(\d+)\..*\.wi_0$", r"encoder\.block\.(\d+)\..*\.wo$")),
    "olmo": ("olmo", USUAL, LLAMA),
    "olmo2": ("olmo2", USUAL, LLAMA),
    "granite": ("granite", dict(USUAL, residual_multiplier=0.25), LLAMA),
    "glm": ("glm", USUAL, FUSED),
    "glm4": ("glm4", USUAL, FUSED),
    "stablelm": ("stablelm", USUAL, LLAMA),
    "cohere": ("cohere", USUAL, LLAMA),
    "exaone4": ("exaone4", USUAL, LLAMA),
    "nemotron": ("nemotron", USUAL, PLAIN),
    "persimmon": ("persimmon", USUAL, MEGATRON),
    "helium": ("helium", USUAL, LLAMA),
    "smollm3": ("smollm3", USUAL, LLAMA),
    "apertus": ("apertus", USUAL, PLAIN),
    "arcee": ("arcee", USUAL, PLAIN),
    "vit": ("vit", dict(CLIP, num_hidden_layers=2, image_size=4, patch_size=2), FC),
    "clip": ("clip", dict(text_config=dict(CLIP, vocab_size=8, max_position_embeddings=8),
                          vision_config=dict(CLIP, image_size=4, patch_size=2), projection_dim=4),
             (r"text_model.*\.(\d+)\.mlp\.fc1$", r"text_model.*\.(\d+)\.mlp\.fc2$")),
    "siglip": ("siglip", dict(text_config=dict(CLIP, vocab_size=8, max_position_embeddings=8,
                                               projection_size=D),
                              vision_config=dict(CLIP, image_size=4, patch_size=2)),
               (r"text_model.*\.(\d+)\.mlp\.fc1$", r"text_model.*\.(\d+)\.mlp\.fc2$")),
    "mixtral": ("mixtral", dict(USUAL, num_local_experts=2), None),
    "qwen2_moe": ("qwen2_moe", dict(USUAL, num_experts=2, num_experts_per_tok=1,
                                    moe_intermediate_size=6, shared_expert_intermediate_size=6,
                                    mlp_only_layers=[0]), None),
    "qwen3_moe": ("qwen3_moe", dict(USUAL, num_experts=2, num_experts_per_tok=1,
                                    moe_intermediate_size=6), None),
    "deepseek_v3": ("deepseek_v3", dict(USUAL, n_routed_experts=2, n_group=1, topk_group=1,
                                        num_experts_per_tok=1, moe_intermediate_size=6,
                                        num_key_value_heads=2, first_k_dense_replace=1, head_dim=4, q_lora_rank=4, kv_lora_rank=4,
                                        qk_rope_head_dim=4, qk_nope_head_dim=4, v_head_dim=4),
                    LLAMA),
    "gpt_oss": ("gpt_oss", dict(USUAL, num_local_experts=2, num_experts_per_tok=1), None),
    "bitnet": ("bitnet", USUAL, None),
    "whisper": ("whisper", dict(BART, num_mel_bins=4, max_source_positions=4,
                                max_target_positions=4), FC),
    "mbart": ("mbart", BART, FC),
    "pegasus": ("pegasus", BART, FC),
    "m2m_100": ("m2m_100", BART, (r"\bencoder.layers\.(\d+)\.fc1$",
                                  r"\bencoder.layers\.(\d+)\.fc2$")),
    "marian": ("marian", BART, FC),
    "deberta_v2": ("deberta-v2", USUAL, BERT),
    "megatron_bert": ("megatron-bert", USUAL, BERT),
    "ernie": ("ernie", USUAL, BERT),
    "deit": ("deit", dict(CLIP, num_hidden_layers=2, image_size=4, patch_size=2), FC),
    "glm4_moe": ("glm4_moe", dict(USUAL, n_routed_experts=2, n_group=1, topk_group=1,
                                  num_experts_per_tok=1, moe_intermediate_size=6,
                                  first_k_dense_replace=1), LLAMA),
    "granitemoe": ("granitemoe", dict(USUAL, num_local_experts=2, num_experts_per_tok=1), None),
    "phimoe": ("phimoe", dict(USUAL, num_local_experts=2, num_experts_per_tok=1), None),
    "esm": ("esm", dict(USUAL, vocab_size=33), BERT),
    "longformer": ("longformer", dict(USUAL, attention_window=4), BERT),
    "layoutlm": ("layoutlm", dict(USUAL, max_2d_position_embeddings=4), BERT),
    "roformer": ("roformer", USUAL, BERT),
    "data2vec_text": ("data2vec-text", USUAL, BERT),
    "xmod": ("xmod", dict(USUAL, languages=["en_XX"], default_language="en_XX"), BERT),
    "diffllama": ("diffllama", dict(USUAL, num_key_value_heads=2), LLAMA),
    "vaultgemma": ("vaultgemma", USUAL, LLAMA),
    "biogpt": ("biogpt", USUAL, FC),
    "lfm2": ("lfm2", dict(USUAL, block_multiple_of=4, block_ffn_dim_multiplier=1.25,
                          layer_types=["conv", "full_attention"], conv_L_cache=2), LFM2),
    "wav2vec2": ("wav2vec2", SOUND, SPEECH),
    "wav2vec2_stable": ("wav2vec2", dict(SOUND, do_stable_layer_norm=True, adapter_attn_dim=4,
                                         feat_extract_norm="layer"), SPEECH),
    "data2vec_audio": ("data2vec-audio", dict(SOUND, conv_pos_kernel_size=3), SPEECH),
    "dinov2": ("dinov2", DINO, FC),
    "dinov2_gated": ("dinov2", dict(DINO, use_swiglu_ffn=True), LLAMA),
    "data2vec_vision": ("data2vec-vision", dict(CLIP, num_hidden_layers=2, image_size=4,
                                                patch_size=2), BERT),
    "dots1": ("dots1", dict(SPARSE, n_shared_experts=1, first_k_dense_replace=1), LLAMA),
    "glm4_moe_lite": ("glm4_moe_lite", dict(SPARSE, **LATENT), LLAMA),
    "glm_moe_dsa": ("glm_moe_dsa", dict(SPARSE, **INDEXED), LLAMA),
    "deepseek_v32": ("deepseek_v32", dict(SPARSE, **INDEXED), LLAMA),
    "mistral4": ("mistral4", dict(SPARSE, first_k_dense_replace=1, **LATENT), LLAMA),
    "mimo_v2_flash": ("mimo_v2_flash", dict(SPARSE, v_head_dim=4, sliding_window=2), LLAMA),
    "ernie4_5_moe": ("ernie4_5_moe", dict(USUAL, moe_num_experts=2, moe_k=1, use_bias=True,
                                          moe_intermediate_size=6, moe_num_shared_experts=1),
                     LLAMA),
    "granitemoehybrid": ("granitemoehybrid", dict(HYBRID, num_local_experts=2), None),
    "granitemoehybrid_dense": ("granitemoehybrid", dict(HYBRID, num_local_experts=0), SHARED_MLP),
    "minimax_m2": ("minimax_m2", dict(USUAL, num_local_experts=2, num_experts_per_tok=1), None),
    "lfm2_moe": ("lfm2_moe", dict(USUAL, num_experts=2, num_experts_per_tok=1, num_dense_layers=1,
                                  moe_intermediate_size=6, conv_L_cache=2,
                                  layer_types=["conv", "full_attention"]), LFM2),
    "hunyuan_v1_moe": ("hunyuan_v1_moe", dict(USUAL, num_experts=2, moe_topk=[1, 1],
                                              attention_bias=False), None),
    "qwen3_vl_moe": ("qwen3_vl_moe", dict(
        text_config=dict(USUAL, num_experts=2, num_experts_per_tok=1, moe_intermediate_size=6,
                         rope_parameters=dict(rope_type="default", mrope_section=[1, 1, 0])),
        vision_config=dict(depth=1, hidden_size=D, intermediate_size=F, num_heads=2, patch_size=2,
                           out_hidden_size=D, num_position_embeddings=4,
                           deepstack_visual_indexes=[0])), None),
    # The config alone: their layers are like others'.
    "ministral3": ("ministral3", USUAL, "config"),
    "seed_oss": ("seed_oss", USUAL, "config"),
    "olmo3": ("olmo3", USUAL, "config"),
    "cohere2": ("cohere2", USUAL, "config"),
    "codegen": ("codegen", dict(GPT2, rotary_dim=2), "config"),
    "xlm_roberta": ("xlm-roberta", USUAL, "config"),
    "mpnet": ("mpnet", USUAL, "config"),
    "bart": ("bart", dict(d_model=D, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=F,
                          decoder_ffn_dim=F, vocab_size=8), "config"),
    "xglm": ("xglm", dict(d_model=D, num_layers=2, ffn_dim=F, attention_heads=2, vocab_size=8),
             "config"),
    "hunyuan_v1_dense": ("hunyuan_v1_dense", USUAL, "config"),
    "ernie4_5": ("ernie4_5", USUAL, "config"),
    "gemma3": ("gemma3", {}, "config"),
    "gemma4": ("gemma4", {}, "config"),
    "mistral3": ("mistral3", {}, "config"),
    "clip_text": ("clip_text_model", CLIP, "config"),
    "clip_vision": ("clip_vision_model", CLIP, "config"),
    "siglip_vision": ("siglip_vision_model", CLIP, "config"),
    "qwen3_next": ("qwen3_next", USUAL, "config"),
    "qwen3_5_moe": ("qwen3_5_moe", {}, "config"),
    "deepseek_v2": ("deepseek_v2", dict(USUAL, num_experts_per_tok=2), "config"),
    "deepseek_v4": ("deepseek_v4", {}, "config"),
    "llama4": ("llama4", {}, "config"),
    "llama4_text": ("llama4_text", USUAL, "config"),
    "olmoe": ("olmoe", USUAL, "config"),
    "minicpm3": ("minicpm3", dict(USUAL, scale_depth=1.4), "config"),
}


# Whose experts are run: the layer, and which layer of an import expert 1 is.
EXPERTS = {"mixtral": (0, 1), "qwen2_moe": (1, 2), "qwen3_moe": (1, 3), "deepseek_v3": (1, 2),
           "gpt_oss": (1, 3), "glm4_moe": (1, 2), "granitemoe": (1, 3), "phimoe": (0, 1),
           "dots1": (1, 2), "glm4_moe_lite": (1, 2), "glm_moe_dsa": (1, 2), "deepseek_v32": (1, 2),
           "mistral4": (1, 2), "minimax_m2": (1, 3), "lfm2_moe": (1, 2),
           "mimo_v2_flash": (1, 2), "ernie4_5_moe": (1, 2), "granitemoehybrid": (1, 3),
           "hunyuan_v1_moe": (1, 3), "qwen3_vl_moe": (1, 3)}


# Whose products are watched; and of which attention tells q, k and v, or by o's input v alone.
PRODUCTS = {"llama", "gpt2", "phi3", "qwen2", "gpt_neox", "falcon", "falcon_old", "falcon_new",
            "deepseek_v3", "t5", "t5_lm", "bert", "gemma3_text", "gemma3_pictures",
            "gpt_bigcode", "modernbert", "mpt", "whisper"}
SPLIT = {"gpt2", "phi3", "gpt_bigcode", "modernbert"}
ONLY_V = {"falcon": "self_attention.dense", "mpt": "attn.out_proj"}
HEADS = ("lm_head", "embed_out", "proj_out", "cls.predictions.decoder")


def model_of(config, name):
    """The model as its checkpoints have it: with a head, where texts are written."""
    kinds = (transformers.AutoModelForCausalLM, transformers.AutoModel)
    for kind in (transformers.AutoModelForSeq2SeqLM,) if name == "t5_lm" else kinds:
        if type(config) in kind._model_mapping.keys():
            return kind.from_config(config)
    raise ValueError(type(config))


def inputs_of(model_type):
    ids = torch.tensor([[1, 5, 3]])
    pixels = torch.randn(1, 3, 4, 4, dtype=torch.float64)
    if model_type in ("vit", "deit", "dinov2", "data2vec-vision"):
        return dict(pixel_values=pixels)
    if model_type in ("wav2vec2", "data2vec-audio"):
        return dict(input_values=torch.randn(1, 20, dtype=torch.float64))
    if model_type in ("clip", "siglip"):
        return dict(input_ids=ids, pixel_values=pixels)
    if model_type in ("t5", "m2m_100"):
        return dict(input_ids=ids, decoder_input_ids=ids)
    if model_type == "whisper":  # a decoder, whose attention across takes what an encoder gave
        return dict(input_ids=ids, encoder_outputs=[torch.randn(1, 4, D, dtype=torch.float64)])
    return dict(input_ids=ids)


def watched(model, patterns):
    """What the first matrix of each layer is given, and what the last gives, by layer."""
    seen = {}

    def note(name, value):
        seen.setdefault(name, value.detach().reshape(-1, value.shape[-1]).to(torch.float64).clone())

    for name, module in model.named_modules():
        first, last = (re.search(p, "." + name) for p in patterns)
        if first:
            module.register_forward_hook(
                lambda m, i, o, n=first.group(1): note("x." + n, i[0]))
        if last:
            module.register_forward_hook(lambda m, i, o, n=last.group(1): note("y." + n, o))
    return seen


def watched_products(model, seen):
    """What each matrix of attention and of the head is given, and gives."""
    def note(name, x, y):
        for key, value in (("x:", x), ("y:", y)):
            value = value.detach().reshape(-1, value.shape[-1]).to(torch.float64).clone()
            seen.setdefault(key + name, value)

    for name, module in model.named_modules():
        is_one = "attn" in name.lower() or "attention" in name.lower() or name in HEADS
        if is_one and isinstance(module, (torch.nn.Linear, Conv1D)):
            module.register_forward_hook(lambda m, i, o, n=name: note(n, i[0], o))


def of_one_token(model, name, seen):
    """q, k and v that attention gets of one token, whose position is 0."""
    names = {id(module): at for at, module in model.named_modules()}

    def watch(module, query, key, value, mask, **more):
        for role, of in (("q", query), ("k", key), ("v", value)):
            seen[f"{role}:{names[id(module)]}"] = of.detach().reshape(1, -1).clone()
        return sdpa_attention_forward(module, query, key, value, mask, **more)

    if name in SPLIT:
        transformers.AttentionInterface.register("watched", watch)
        model.set_attn_implementation("watched")
    for at, module in model.named_modules():
        if name in ONLY_V and at.endswith(ONLY_V[name]):
            module.register_forward_hook(
                lambda m, i, o, n=at: seen.setdefault("v:" + n.rpartition(".")[0],
                                                      i[0].detach().reshape(1, -1).clone()))
    inputs = {}
    watched_products(model, inputs)
    model(input_ids=torch.tensor([[1]]))
    for key, value in inputs.items():
        if key.startswith("x:"):
            seen["one." + key] = value


def of_expert(model, layer, index):
    """What expert 1 of a layer gives, where every token goes to it alone."""
    model.set_experts_implementation("eager")
    x = torch.randn(3, D, dtype=torch.float64)
    which = torch.ones(3, 1, dtype=torch.long)
    base = getattr(model, "model", model)
    block = getattr(base, "language_model", base).layers[layer]
    block = next(getattr(block, name) for name in ("mlp", "block_sparse_moe", "feed_forward")
                 if hasattr(block, name))
    y = block.experts(x, which, torch.ones(3, 1, dtype=torch.float64))
    return {f"x.{index}": x, f"y.{index}": y.detach()}


def thin(path):
    """Leaves the first rows of position embeddings: no layer reads them, some have 1024."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header, data = json.loads(file.read(length)), file.read()
    parts, at = [], 0
    for key, tensor in header.items():
        if key == "__metadata__":
            continue
        first, last = tensor["data_offsets"]
        if key.endswith("embed_positions.weight") and tensor["shape"][0] > POSITIONS:
            last = first + (last - first) // tensor["shape"][0] * POSITIONS
            tensor["shape"][0] = POSITIONS
        parts.append(data[first:last])
        tensor["data_offsets"] = [at, at + last - first]
        at += last - first
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + b"".join(parts))


def make(folder, name):
    model_type, told, patterns = MODELS[name]
    torch.manual_seed(1)
    config = CONFIG_MAPPING[model_type](**told)
    if patterns == "config":
        config.save_pretrained(os.path.join(folder, name))
        return
    model = model_of(config, name).eval()
    with torch.no_grad():
        for key, p in sorted(model.named_parameters()):
            p.copy_(torch.randn(p.shape) * (2.0 if "experts" in key else 0.5))
    at = os.path.join(folder, name)
    if name == "llama_shards":
        model.to(torch.bfloat16).save_pretrained(at, max_shard_size="2KB")
    else:
        model.save_pretrained(at)
        thin(os.path.join(at, "model.safetensors"))
    for other in os.listdir(at):
        if other == "generation_config.json":
            os.remove(os.path.join(at, other))
    model.double()
    with torch.no_grad():
        seen = {}
        if patterns:
            seen = watched(model, patterns)
            if name in PRODUCTS:
                watched_products(model, seen)
            try:
                model(**inputs_of(model_type))
            except RuntimeError:
                assert "y.0" in seen, name  # experts have no double, and stand behind the layer
        if name in EXPERTS:
            seen.update(of_expert(model, *EXPERTS[name]))
        if name in SPLIT or name in ONLY_V:
            of_one_token(model, name, seen)
        if name in PRODUCTS and "y.0" in seen and "y:lm_head" not in seen and hasattr(
                model, "lm_head"):
            model.lm_head(torch.randn(3, D, dtype=torch.float64))  # no model came as far
    if not seen:
        return
    safetensors.torch.save_file(seen, os.path.join(at, "expected"))


def versions():
    return {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0],
            "safetensors": safetensors.__version__}


def compare(made):
    with open(os.path.join(HERE, "versions.json"), encoding="utf-8") as file:
        known = json.load(file)
    if known != versions():
        print("other versions:", versions(), "made by", known)
    wrong = []
    for name in sorted(MODELS):
        for file in sorted(os.listdir(os.path.join(made, name))):
            here, there = os.path.join(HERE, name, file), os.path.join(made, name, file)
            if file == "expected":
                a, b = safetensors.torch.load_file(here), safetensors.torch.load_file(there)
                same = a.keys() == b.keys() and all(
                    torch.allclose(a[k], b[k], rtol=1e-9, atol=1e-9) for k in a)
            else:
                same = os.path.exists(here) and filecmp.cmp(here, there, shallow=False)
            if not same:
                wrong.append(os.path.join(name, file))
    for name in wrong:
        print("differs:", name)
    print(len(MODELS), "models,", len(wrong), "files differ")
    return 1 if wrong and known == versions() else 0


def main(argv):
    folder = argv[1] if len(argv) > 1 else None
    with tempfile.TemporaryDirectory() as temporary:
        made = folder or temporary
        for name in MODELS:
            make(made, name)
        if not folder:
            return compare(made)
    with open(os.path.join(folder, "versions.json"), "w", encoding="utf-8") as file:
        json.dump(versions(), file, indent=2)
        file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
