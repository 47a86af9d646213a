"""Small models whose blocks are Llama's, by transformers, and the logits that transformers gives of
them in double. For the example llama.c.

    models.py make DIR           models as folders and as GGUF files, and DIR/NAME.logits of each
    models.py logits MODEL       the logits of a saved model, as logits/ has them

A file of logits: a line of the prompt, a line of the tokens that follow by greedy decoding, and a
line of logits for each token of the prompt. GGUF files are written by the package gguf; q and k of
Llama are permuted as llama.cpp's conversion does. Without gguf there are none.
"""

import os
import sys

import numpy as np
import torch
import transformers

try:
    import gguf
except ImportError:
    gguf = None

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()

PROMPT = [3, 1, 4, 1, 5, 2, 6, 5, 3, 5, 7, 7]
FOLLOW = 12
USUAL = dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, vocab_size=40, max_position_embeddings=64, pad_token_id=0,
             bos_token_id=1, eos_token_id=2, rms_norm_eps=1e-5, initializer_range=0.3)
LLAMA3 = dict(rope_type="llama3", rope_theta=500.0, factor=8.0, low_freq_factor=1.0,
              high_freq_factor=4.0, original_max_position_embeddings=16)
LINEAR = dict(rope_type="linear", rope_theta=10000.0, factor=2.5)
# name: model_type, what differs, whether the numbers are bfloat16.
MODELS = {
    "llama_all_heads": ("llama", dict(num_key_value_heads=4, tie_word_embeddings=False), False),
    "llama_one_head": ("llama", dict(num_key_value_heads=1, tie_word_embeddings=True,
                                     rope_parameters=LLAMA3), False),
    "llama_wide_heads": ("llama", dict(head_dim=24, attention_bias=True, rope_parameters=LINEAR,
                                       tie_word_embeddings=False), False),
    "llama_bf16": ("llama", dict(tie_word_embeddings=False), True),
    "mistral": ("mistral", dict(tie_word_embeddings=False, sliding_window=None), False),
    "qwen2": ("qwen2", dict(tie_word_embeddings=True), False),
    "qwen3": ("qwen3", dict(head_dim=16, tie_word_embeddings=False), False),
}
# GGUF files: name: the model, and the type of its matrices.
FILES = {
    "llama_f32.gguf": ("llama_all_heads", "F32"), "llama_q8_0.gguf": ("llama_one_head", "Q8_0"),
    "llama_q4_0.gguf": ("llama_all_heads", "Q4_0"), "qwen2_q8_0.gguf": ("qwen2", "Q8_0"),
    "qwen3_q4_0.gguf": ("qwen3", "Q4_0"), "llama_bf16.gguf": ("llama_bf16", "BF16"),
}
STEMS = {
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def text_of(model, prompt):
    """What a file of logits holds."""
    with torch.no_grad():
        tokens = torch.tensor([prompt])
        logits = model(tokens).logits[0]
        new = list(prompt)
        for _ in range(FOLLOW):
            new.append(int(model(torch.tensor([new])).logits[0, -1].argmax()))
    lines = [" ".join(map(str, prompt)), " ".join(map(str, new[len(prompt):]))]
    lines += [" ".join("%.9g" % value for value in row) for row in logits.tolist()]
    return "\n".join(lines) + "\n"


def write(path, text):
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)


def make_model(name, folder):
    """A model with random weights, norms among them, saved; and its logits."""
    model_type, told, is_bf16 = MODELS[name]
    torch.manual_seed(sum(name.encode()))
    config = transformers.AutoConfig.for_model(model_type, **dict(USUAL, **told))
    model = transformers.AutoModelForCausalLM.from_config(config).float()
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "norm" in key or key.endswith("bias"):
                value.add_(torch.randn_like(value) * 0.2)
    if is_bf16:
        model = model.bfloat16()
    model.save_pretrained(os.path.join(folder, name))
    # Loaded anew, the frequencies of positions are those of no rounded model.
    model = transformers.AutoModelForCausalLM.from_pretrained(os.path.join(folder, name))
    write(os.path.join(folder, name + ".logits"), text_of(model.double(), PROMPT))


def name_of(key):
    """The name of a tensor in GGUF."""
    fixed = {"model.embed_tokens.weight": "token_embd.weight",
             "model.norm.weight": "output_norm.weight", "lm_head.weight": "output.weight"}
    if key in fixed:
        return fixed[key]
    _, _, block, rest = key.split(".", 3)
    stem, part = rest.rsplit(".", 1)
    return "blk.%s.%s.%s" % (block, STEMS[stem], part)


def permuted(rows, heads):
    """Row i of a half of a head becomes row 2 i, that of the other half row 2 i + 1."""
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(rows.shape)


def write_keys(writer, config):
    """The keys of an architecture."""
    head_dim = getattr(config, "head_dim", None) or (
        config.hidden_size // config.num_attention_heads)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_key_length(head_dim)
    writer.add_value_length(head_dim)
    writer.add_rope_dimension_count(head_dim)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    return head_dim


def factors_of(rope, head_dim):
    """What llama.cpp's conversion makes of a scaling of Llama 3: a factor for each pair."""
    factors = []
    for i in range(head_dim // 2):
        frequency = rope["rope_theta"] ** (-2 * i / head_dim)
        wave = 2 * np.pi / frequency
        longest = rope["original_max_position_embeddings"] / rope["low_freq_factor"]
        shortest = rope["original_max_position_embeddings"] / rope["high_freq_factor"]
        smooth = (rope["original_max_position_embeddings"] / wave - rope["low_freq_factor"]) / (
            rope["high_freq_factor"] - rope["low_freq_factor"])
        factors.append(1.0 if wave < shortest else rope["factor"] if wave > longest else
                       1 / ((1 - smooth) / rope["factor"] + smooth))
    return np.array(factors, np.float32)


def make_file(name, folder):
    """A GGUF file of a saved model, and the logits of what its numbers are then."""
    of, type_name = FILES[name]
    model = transformers.AutoModelForCausalLM.from_pretrained(os.path.join(folder, of))
    config, kind = model.config, gguf.GGMLQuantizationType[type_name]
    writer = gguf.GGUFWriter(os.path.join(folder, name), MODELS[of][0])
    head_dim = write_keys(writer, config)
    if config.rope_parameters["rope_type"] == "llama3":
        writer.add_tensor("rope_freqs.weight", factors_of(config.rope_parameters, head_dim))
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    state = model.state_dict()
    for key in list(state):
        if key == "lm_head.weight" and config.tie_word_embeddings:
            continue
        rows = state[key].float().numpy()
        own = gguf.GGMLQuantizationType.F32 if rows.ndim == 1 else kind
        role = key.split(".")[-2]
        is_turned = MODELS[of][0] == "llama" and role in heads
        stored = gguf.quants.quantize(permuted(rows, heads[role]) if is_turned else rows, own)
        writer.add_tensor(name_of(key), stored, raw_dtype=own)
        # Permuting whole rows and rounding their blocks may change places.
        exact = gguf.quants.dequantize(gguf.quants.quantize(rows, own), own)
        state[key] = torch.from_numpy(exact.reshape(rows.shape)).to(state[key].dtype)
    model = model.double()
    if config.tie_word_embeddings:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict({key: value.double() for key, value in state.items()})
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    write(os.path.join(folder, name + ".logits"), text_of(model, PROMPT))


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "make":
        for name in MODELS:
            make_model(name, sys.argv[2])
        for name in FILES if gguf else []:
            make_file(name, sys.argv[2])
        return 0
    if len(sys.argv) == 3 and sys.argv[1] == "logits":
        model = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[2]).double()
        sys.stdout.write(text_of(model, [token % 8 for token in PROMPT]))
        return 0
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
