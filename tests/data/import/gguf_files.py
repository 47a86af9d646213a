"""Small models in GGUF, and where their numbers lie: tests/data/import/gguf/.

    python3 -m venv venv && venv/bin/pip install gguf==0.19.0 numpy
    venv/bin/python gguf_files.py

A folder as an argument takes the files in place of tests/data/import/gguf; `full` behind it makes
the widths of a small Gemma, too, 50 MB in two shards. Files are written by GGUFWriter; places.json
tells of each tensor what GGUFReader reads in them again: type, shape, the first of its bytes, their
number, and an FNV-1a hash of the first 4096 values that the package makes of them. Names, keys and
shapes are those that the converters of llama.cpp write. There is no choice but the generator's
seed: every run makes the same bytes.
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
    table = {path.name: places(path) for path in sorted(folder.glob("*.gguf"))}
    text = json.dumps({"made by": VERSION, "files": table}, indent=1)
    (folder / "places.json").write_text(text + "\n")


main()
