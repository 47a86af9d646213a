"""Small models in GGUF, and where their numbers lie: tests/data/import/gguf/.

    python3 -m venv venv && venv/bin/pip install gguf==0.19.0 numpy
    venv/bin/python gguf_files.py

A folder as an argument takes the files in place of tests/data/import/gguf; `full` behind it makes
the widths of a small Gemma, too, 50 MB in two shards. Files are written by GGUFWriter; places.json
tells of each tensor what GGUFReader reads in them again: type, shape, the first of its bytes, their
number, and an FNV-1a hash of the first 4096 values that the package makes of them. products.txt has
an x and the y of each product of attention and head, in double. Names, keys and shapes are those
that the converters of llama.cpp write. There is no choice but the generator's seed: every run makes
the same bytes.
"""
import importlib.metadata
import json
import pathlib
import sys

import gguf
import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type

VERSION = f"gguf {importlib.metadata.version('gguf')}, numpy {np.__version__}"
BY_PACKAGE = ("F32", "F16", "BF16", "Q4_0", "Q5_0", "Q8_0")
SCALES = {"Q4_K": (0, 2), "Q6_K": (208,), "MXFP4": (), "IQ4_NL": (0,), "IQ4_XS": (0,)}


def blocks_of_bytes(rng, kind, shape):
    """Any bytes, with ordinary scales: the package makes no such blocks of floats."""
    numbers, size = GGML_QUANT_SIZES[kind]
    data = rng.integers(0, 256, (*shape[:-1], shape[-1] // numbers, size), np.uint8)
    for at in SCALES[kind.name]:
        scale = (rng.integers(5, 12, data.shape[:-1]) << 10 | rng.integers(0, 1024, data.shape[:-1]))
        data[..., at:at + 2] = scale.astype("<u2")[..., None].view(np.uint8)
    if kind is Type.MXFP4:
        data[..., 0] = rng.integers(118, 126, data.shape[:-1])
    return data.reshape(*shape[:-1], -1)


class Model:
    def __init__(self, path, architecture, seed, **sizes):
        self.writer = gguf.GGUFWriter(path, architecture, use_temp_file=False, **sizes)
        self.path, self.rng = path, np.random.default_rng(seed)
        self.writer.add_name(f"{architecture} of tests")

    def keys(self, d_model, d_ff, blocks):
        self.writer.add_block_count(blocks)
        self.writer.add_embedding_length(d_model)
        self.writer.add_feed_forward_length(d_ff)
        self.writer.add_context_length(64)
        self.writer.add_head_count(4)
        self.writer.add_token_list(["<s>", "</s>", "a", "b"])
        self.writer.add_quantization_version(2)

    def add(self, name, shape, kind="F32"):
        """A tensor: the outputs first, as NumPy has shapes."""
        kind = Type[kind]
        if kind.name in BY_PACKAGE:
            floats = (self.rng.standard_normal(shape) * 0.1).astype(np.float32)
            data = gguf.quantize(floats, kind)
        else:
            data = blocks_of_bytes(self.rng, kind, shape)
        if kind.name == "F32":
            self.writer.add_tensor(name, data)
        elif kind.name == "F16":
            self.writer.add_tensor(name, data.view(np.float16))
        else:
            self.writer.add_tensor(name, data, raw_dtype=kind)

    def end(self):
        self.writer.write_header_to_file(path=self.path)
        self.writer.write_kv_data_to_file()
        self.writer.write_tensors_to_file()
        self.writer.close()


def llama(path):
    model = Model(path, "llama", 1)
    model.keys(64, 96, 2)
    model.writer.add_rope_dimension_count(16)
    model.writer.add_rope_scaling_factor(2.0)
    model.add("token_embd.weight", (4, 64))
    for i in range(2):
        block = f"blk.{i}."
        model.add(block + "attn_norm.weight", (64,))
        model.add(block + "attn_q.weight", (64, 64), "Q4_0")
        model.add(block + "ffn_down.weight", (64, 96), "Q8_0" if i else "Q4_0")
        model.add(block + "ffn_gate.weight", (96, 64), "Q4_0")
        model.add(block + "ffn_up.weight", (96, 64), "Q4_0")
        model.add(block + "ffn_norm.weight", (64,))
    model.add("output_norm.weight", (64,))
    model.end()


def phi3(path):
    model = Model(path, "phi3", 2)
    model.keys(32, 48, 1)
    model.add("token_embd.weight", (4, 32))
    model.add("blk.0.attn_qkv.weight", (96, 32), "BF16")
    model.add("blk.0.ffn_norm.weight", (32,))
    model.add("blk.0.ffn_up.weight", (96, 32), "BF16")
    model.add("blk.0.ffn_down.weight", (32, 48), "BF16")
    model.end()


def bert(path):
    model = Model(path, "bert", 3)
    model.keys(24, 40, 2)
    model.writer.add_causal_attention(False)
    for name in ("token_embd", "position_embd", "token_types"):
        model.add(name + ".weight", (4, 24))
    for part in ("weight", "bias"):
        model.add(f"token_embd_norm.{part}", (24,))
    for i in range(2):
        block = f"blk.{i}."
        for norm in ("attn_output_norm", "layer_output_norm"):
            for part in ("weight", "bias"):
                model.add(f"{block}{norm}.{part}", (24,))
        model.add(block + "attn_q.weight", (24, 24))
        model.add(block + "attn_q.bias", (24,))
        model.add(block + "ffn_up.weight", (40, 24))
        model.add(block + "ffn_up.bias", (40,))
        model.add(block + "ffn_down.weight", (24, 40))
        model.add(block + "ffn_down.bias", (24,))
    model.end()


def gpt2(path):
    model = Model(path, "gpt2", 4)
    model.keys(24, 96, 1)
    model.add("token_embd.weight", (4, 24), "F16")
    model.add("position_embd.weight", (64, 24), "F16")
    for part in ("weight", "bias"):
        model.add(f"blk.0.ffn_norm.{part}", (24,))
    model.add("blk.0.ffn_up.weight", (96, 24), "F16")
    model.add("blk.0.ffn_up.bias", (96,))
    model.add("blk.0.ffn_down.weight", (24, 96), "F16")
    model.add("blk.0.ffn_down.bias", (24,))
    model.end()


def gemma(path, d_model, d_ff, blocks, bytes_of_shard):
    """GeGLU by tanh; ffn_down is q6_K in every second block, and 256 need not divide d_model."""
    model = Model(path, "gemma2", 5, split_max_size=bytes_of_shard)
    model.keys(d_model, d_ff, blocks)
    model.add("token_embd.weight", (4, d_model))
    for i in range(blocks):
        block = f"blk.{i}."
        for norm in ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"):
            model.add(f"{block}{norm}.weight", (d_model,))
        model.add(block + "ffn_gate.weight", (d_ff, d_model), "Q5_0")
        model.add(block + "ffn_up.weight", (d_ff, d_model), "Q5_0")
        model.add(block + "ffn_down.weight", (d_model, d_ff), "Q4_K" if i % 2 else "Q6_K")
    model.end()


def gpt_oss(path):
    model = Model(path, "gpt-oss", 6)
    model.keys(64, 32, 1)
    model.writer.add_expert_count(3)
    model.writer.add_expert_used_count(2)
    model.writer.add_expert_feed_forward_length(32)
    model.add("blk.0.post_attention_norm.weight", (64,))
    model.add("blk.0.ffn_gate_inp.weight", (3, 64))
    model.add("blk.0.ffn_gate_inp.bias", (3,))
    for name, outputs, inputs in (("gate", 32, 64), ("up", 32, 64), ("down", 64, 32)):
        model.add(f"blk.0.ffn_{name}_exps.weight", (3, outputs, inputs), "MXFP4")
        model.add(f"blk.0.ffn_{name}_exps.bias", (3, outputs))
    model.end()


def levels(path):
    """iq4_xs, and iq4_nl where 256 does not divide a width."""
    model = Model(path, "llama", 7)
    model.keys(256, 32, 1)
    model.add("blk.0.ffn_norm.weight", (256,))
    model.add("blk.0.ffn_gate.weight", (32, 256), "IQ4_XS")
    model.add("blk.0.ffn_up.weight", (32, 256), "IQ4_XS")
    model.add("blk.0.ffn_down.weight", (256, 32), "IQ4_NL")
    model.end()


def qwen2(path):
    """q, k and v of two formats and with biases; a head of its own."""
    model = Model(path, "qwen2", 8)
    model.keys(256, 32, 1)
    model.writer.add_head_count_kv(2)
    model.writer.add_key_length(16)
    model.writer.add_value_length(16)
    model.add("token_embd.weight", (4, 256), "Q8_0")
    model.add("blk.0.attn_norm.weight", (256,))
    for name, outputs, kind in (("q", 64, "Q4_K"), ("k", 32, "Q4_K"), ("v", 32, "Q6_K")):
        model.add(f"blk.0.attn_{name}.weight", (outputs, 256), kind)
        model.add(f"blk.0.attn_{name}.bias", (outputs,))
    model.add("blk.0.attn_output.weight", (256, 64), "Q4_0")
    model.add("blk.0.ffn_norm.weight", (256,))
    model.add("blk.0.ffn_gate.weight", (32, 256), "Q4_K")
    model.add("blk.0.ffn_up.weight", (32, 256), "Q4_K")
    model.add("blk.0.ffn_down.weight", (256, 32), "Q4_0")
    model.add("output_norm.weight", (256,))
    model.add("output.weight", (4, 256), "Q6_K")
    model.end()


def falcon(path):
    """Four heads that share k and v, in one matrix; the head is tied to the embedding."""
    model = Model(path, "falcon", 9)
    model.keys(64, 96, 2)
    model.writer.add_head_count_kv(1)
    model.add("token_embd.weight", (4, 64), "F16")
    for i in range(2):
        block = f"blk.{i}."
        for part in ("weight", "bias"):
            model.add(f"{block}attn_norm.{part}", (64,))
        model.add(block + "attn_qkv.weight", (96, 64), "Q8_0")
        model.add(block + "attn_output.weight", (64, 64), "Q8_0")
        model.add(block + "ffn_up.weight", (96, 64), "Q8_0")
        model.add(block + "ffn_down.weight", (64, 96), "Q8_0")
    for part in ("weight", "bias"):
        model.add(f"output_norm.{part}", (64,))
    model.end()


def t5(path):
    """An encoder and a decoder, which looks at it; heads as wide together as half of d_model."""
    model = Model(path, "t5", 10)
    model.keys(32, 48, 1)
    model.writer.add_key_length(4)
    model.writer.add_value_length(4)
    model.writer.add_decoder_start_token_id(0)
    model.add("token_embd.weight", (4, 32), "F16")
    for stack in ("enc", "dec"):
        block = f"{stack}.blk.0."
        kinds = ("attn", "cross_attn") if stack == "dec" else ("attn",)
        for kind in kinds:
            model.add(f"{block}{kind}_norm.weight", (32,))
            for name in "qkv":
                model.add(f"{block}{kind}_{name}.weight", (16, 32), "F16")
            model.add(f"{block}{kind}_o.weight", (32, 16), "F16")
        model.add(block + "attn_rel_b.weight", (8, 4))
        model.add(block + "ffn_norm.weight", (32,))
        model.add(block + "ffn_up.weight", (48, 32), "F16")
        model.add(block + "ffn_down.weight", (32, 48), "F16")
        model.add(f"{stack}.output_norm.weight", (32,))
    model.end()


def deepseek2(path):
    """Latent attention: k_b and v_b have a matrix for each of two heads."""
    model = Model(path, "deepseek2", 11)
    model.keys(64, 96, 1)
    model.writer.add_q_lora_rank(32)
    model.writer.add_kv_lora_rank(32)
    model.add("token_embd.weight", (4, 64), "BF16")
    block = "blk.0."
    model.add(block + "attn_norm.weight", (64,))
    model.add(block + "attn_q_a.weight", (32, 64), "Q8_0")
    model.add(block + "attn_q_a_norm.weight", (32,))
    model.add(block + "attn_q_b.weight", (64, 32), "Q4_0")
    model.add(block + "attn_kv_a_mqa.weight", (40, 64), "BF16")
    model.add(block + "attn_kv_a_norm.weight", (32,))
    model.add(block + "attn_k_b.weight", (2, 32, 24), "F16")
    model.add(block + "attn_v_b.weight", (2, 16, 32), "Q8_0")
    model.add(block + "attn_output.weight", (64, 32), "Q8_0")
    model.add(block + "ffn_norm.weight", (64,))
    model.add(block + "ffn_gate.weight", (96, 64), "Q8_0")
    model.add(block + "ffn_up.weight", (96, 64), "Q8_0")
    model.add(block + "ffn_down.weight", (64, 96), "Q8_0")
    model.add("output_norm.weight", (64,))
    model.add("output.weight", (4, 64), "BF16")
    model.end()


GATE_UP = ("ffn_gate", "ffn_up")


def mixed(path):
    """gate and up of two formats, in blocks and beside floats."""
    model = Model(path, "llama", 12)
    model.keys(256, 24, 2)
    for i, (gate, up) in enumerate((("Q4_K", "Q6_K"), ("F16", "Q8_0"))):
        block = f"blk.{i}."
        model.add(block + "ffn_norm.weight", (256,))
        model.add(block + "ffn_gate.weight", (24, 256), gate)
        model.add(block + "ffn_up.weight", (24, 256), up)
        model.add(block + "ffn_down.weight", (256, 24), "F16")
    model.end()


def mixed_decoded(path):
    """The same, whose gate and up are the floats that the package reads; a 0 has no sign."""
    model = Model(path, "llama", 12)
    model.keys(256, 24, 2)
    for t in gguf.GGUFReader(path.with_name("mixed.gguf")).tensors:
        data = t.data
        if t.name.split(".")[2] in GATE_UP:
            data = gguf.dequantize(t.data, t.tensor_type).astype(np.float32) + np.float32(0)
        model.writer.add_tensor(t.name, data)
    model.end()


# Of each model its products: name, layer, part, and for each output its tensor with the rows of it.
QKV, O, CROSS_Q, CROSS_KV, CROSS_O, HEAD, OTHER = (
    *range(0x80000000, 0x80000006), 0x80000100)
PRODUCTS = {
    "qwen2": [
        ("blk.0.attn_qkv", 0, QKV, [("blk.0.attn_q", 0, 64), ("blk.0.attn_k", 0, 32),
                                    ("blk.0.attn_v", 0, 32)]),
        ("blk.0.attn_output", 0, O, [("blk.0.attn_output", 0, 256)]),
        ("output", 1, HEAD, [("output", 0, 4)]),
    ],
    "falcon": [
        product for i in range(2) for product in (
            (f"blk.{i}.attn_qkv", i, QKV, [(f"blk.{i}.attn_qkv", 0, 64),
                                           (f"blk.{i}.attn_qkv", 64, 16),
                                           (f"blk.{i}.attn_qkv", 80, 16)]),
            (f"blk.{i}.attn_output", i, O, [(f"blk.{i}.attn_output", 0, 64)]))
    ] + [("output", 2, HEAD, [("token_embd", 0, 4)])],
    "t5": [
        ("enc.blk.0.attn_qkv", 0, QKV, [(f"enc.blk.0.attn_{n}", 0, 16) for n in "qkv"]),
        ("enc.blk.0.attn_o", 0, O, [("enc.blk.0.attn_o", 0, 32)]),
        ("dec.blk.0.attn_qkv", 1, QKV, [(f"dec.blk.0.attn_{n}", 0, 16) for n in "qkv"]),
        ("dec.blk.0.attn_o", 1, O, [("dec.blk.0.attn_o", 0, 32)]),
        ("dec.blk.0.cross_attn_q", 1, CROSS_Q, [("dec.blk.0.cross_attn_q", 0, 16)]),
        ("dec.blk.0.cross_attn_kv", 1, CROSS_KV, [(f"dec.blk.0.cross_attn_{n}", 0, 16)
                                                  for n in "kv"]),
        ("dec.blk.0.cross_attn_o", 1, CROSS_O, [("dec.blk.0.cross_attn_o", 0, 32)]),
        ("output", 2, HEAD, [("token_embd", 0, 4)]),
    ],
    "deepseek2": [
        ("blk.0.attn_q_a_kv_a", 0, OTHER, [("blk.0.attn_q_a", 0, 32),
                                           ("blk.0.attn_kv_a_mqa", 0, 40)]),
        ("blk.0.attn_output", 0, O, [("blk.0.attn_output", 0, 64)]),
        ("blk.0.attn_q_b", 0, OTHER + 1, [("blk.0.attn_q_b", 0, 64)]),
        ("blk.0.attn_k_b.0", 0, OTHER + 2, [("blk.0.attn_k_b", 0, 32)]),
        ("blk.0.attn_k_b.1", 0, OTHER + 3, [("blk.0.attn_k_b", 32, 32)]),
        ("blk.0.attn_v_b.0", 0, OTHER + 4, [("blk.0.attn_v_b", 0, 16)]),
        ("blk.0.attn_v_b.1", 0, OTHER + 5, [("blk.0.attn_v_b", 16, 16)]),
        ("output", 1, HEAD, [("output", 0, 4)]),
    ],
}


def products(path):
    """Lines of products.txt: the product, an x, and y in double."""
    tensors = {}
    for t in gguf.GGUFReader(path).tensors:
        with np.errstate(all="ignore"):
            tensors[t.name] = gguf.dequantize(t.data, t.tensor_type).astype(np.float64)
    rng, lines = np.random.default_rng(len(path.stem)), []
    for name, layer, part, outputs in PRODUCTS.get(path.stem, []):
        x, y = None, []
        for tensor, first, count in outputs:
            weight = tensors[tensor + ".weight"]
            weight = weight.reshape(-1, weight.shape[-1])[first:first + count]
            if x is None:
                x = rng.integers(-64, 65, weight.shape[-1]) / 32
            bias = tensors.get(tensor + ".bias")
            y.append(weight @ x + (0 if bias is None else bias[first:first + count]))
        y = np.concatenate(y)
        lines.append(f"{path.stem} {name} {layer} {part} {x.size} {y.size}")
        lines.append(" ".join(f"{value:.9g}" for value in x))
        lines.append(" ".join(f"{value:.9g}" for value in y))
    return lines


def fnv(values):
    state = 0xcbf29ce484222325
    for byte in np.ascontiguousarray(values, "<f4").view(np.uint32).tobytes():
        state = (state ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return f"{state:016x}"


def places(path):
    found = {}
    for t in gguf.GGUFReader(path).tensors:
        with np.errstate(all="ignore"):
            values = gguf.dequantize(t.data, t.tensor_type).reshape(-1)
        found[t.name] = {
            "type": t.tensor_type.name, "shape": [int(n) for n in t.shape],
            "first": int(t.data_offset), "bytes": int(t.n_bytes), "hash": fnv(values[:4096]),
        }
    return found


def main():
    folder = pathlib.Path(__file__).parent / "gguf"
    if len(sys.argv) > 1:
        folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    if "full" in sys.argv[2:]:
        gemma(folder / "gemma.gguf", 576, 1536, 30, 34_000_000)
    else:
        llama(folder / "llama.gguf")
        phi3(folder / "phi3.gguf")
        bert(folder / "bert.gguf")
        gpt2(folder / "gpt2.gguf")
        gpt_oss(folder / "gpt_oss.gguf")
        levels(folder / "levels.gguf")
        gemma(folder / "gemma.gguf", 32, 256, 2, 34_000)
        for model in (qwen2, falcon, t5, deepseek2, mixed, mixed_decoded):
            model(folder / f"{model.__name__}.gguf")
    table = {path.name: places(path) for path in sorted(folder.glob("*.gguf"))}
    text = json.dumps({"made by": VERSION, "files": table}, indent=1)
    (folder / "places.json").write_text(text + "\n")
    lines = [line for path in sorted(folder.glob("*.gguf")) for line in products(path)]
    (folder / "products.txt").write_text("\n".join(lines) + "\n")


main()
