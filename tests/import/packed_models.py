"""Models of Hugging Face whose rows are packed, drawn at random, and the floats that they mean: for
tests/scripts/import_packed.sh. It knows no file of the generator, only how each scheme is defined,
and no package.

    packed_models.py make FOLDER      FOLDER/NAME/ of each, FOLDER/NAME.expected, FOLDER/models
    packed_models.py compare FOLDER   values.bin of each, which tests/import/values.c wrote

FOLDER/models has a line for each: its name, and options of import.
"""
import array
import hashlib
import json
import pathlib
import random
import struct
import sys

draw = random.Random(7)


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def f16_bits(x):
    return struct.unpack("<H", struct.pack("<e", x))[0]


def e4m3(bits):
    size, fraction = bits >> 3 & 15, bits & 7
    value = fraction * 2.0**-9 if size == 0 else (8 + fraction) * 2.0 ** (size - 10)
    return -value if bits > 127 else value


def drawn_scale(dtype):
    """A scale, and the bytes that hold it."""
    if dtype == "F16":
        data = struct.pack("<H", draw.randint(0, 1) << 15 | draw.randint(0x0400, 0x5000))
        return struct.unpack("<e", data)[0], data
    bits = draw.randint(0, 1) << 31 | draw.randint(110, 130) << 23 | draw.randint(0, 0x7FFFFF)
    if dtype == "BF16":
        bits &= 0xFFFF0000
        return struct.unpack("<f", struct.pack("<I", bits))[0], struct.pack("<H", bits >> 16)
    data = struct.pack("<I", bits)
    return struct.unpack("<f", data)[0], data


class Model:
    """Tensors to be written, and the floats of each layer, in the order of layers."""

    def __init__(self, config, quantization, options=""):
        self.config, self.options = dict(config, quantization_config=quantization), options
        self.tensors, self.floats = {}, array.array("f")

    def add(self, name, dtype, shape, data):
        count = 1
        for n in shape:
            count *= n
        assert len(data) == count * SIZE[dtype], name
        assert name not in self.tensors
        self.tensors[name] = dtype, shape, data

    def norm(self, prefix, d):
        self.add(prefix + "post_attention_layernorm.weight", "F16", [d], b"\0\x3c" * d)

    def write(self, folder):
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps(self.config))
        header, at, data = {}, 0, b""
        for name in sorted(self.tensors):
            dtype, shape, own = self.tensors[name]
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(own)]}
            at, data = at + len(own), data + own
        text = json.dumps(header).encode()
        (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


SIZE = {"F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I8": 1, "U8": 1, "F8_E4M3": 1}


def words(rows):
    return b"".join(struct.pack("<I", w) for row in rows for w in row)


def word(nibbles):
    return sum(n << 4 * i for i, n in enumerate(nibbles))


def transposed(rows):
    return [list(column) for column in zip(*rows)]


def drawn(outputs, inputs, low, high):
    return [[draw.randint(low, high) for _ in range(inputs)] for _ in range(outputs)]


def drawn_scales(outputs, groups, dtype):
    both = [[drawn_scale(dtype) for _ in range(groups)] for _ in range(outputs)]
    return [[s[0] for s in row] for row in both], [[s[1] for s in row] for row in both]


def joined(rows):
    return b"".join(b"".join(row) for row in rows)


def floats_of(q, zero, scale):
    """scale * (q - zero), which is exact in a double, rounded once."""
    return [[f32(scale(o, i) * (v - zero(o, i))) for i, v in enumerate(row)]
            for o, row in enumerate(q)]


# Schemes: each adds the tensors of a module and gives its floats, [outputs][inputs] -------------


def gptq(group, add=1, g_idx=True, bias=False, sym=False):
    def module(m, name, outputs, inputs):
        every = inputs if group == -1 else group
        groups = inputs // every
        q, z = drawn(outputs, inputs, 0, 15), drawn(outputs, groups, add, 15)
        if sym: # then all zeros are in the middle
            z = [[8] * groups for _ in range(outputs)]
        s, data = drawn_scales(outputs, groups, "F16")
        # qweight: a word of column o has inputs 8 r to 8 r + 7; qzeros: outputs 8 c to 8 c + 7.
        m.add(name + ".qweight", "I32", [inputs // 8, outputs], words(
            [[word(q[o][8 * r:8 * r + 8]) for o in range(outputs)] for r in range(inputs // 8)]))
        m.add(name + ".qzeros", "I32", [groups, outputs // 8], words(
            [[word([z[8 * c + j][g] - add for j in range(8)]) for c in range(outputs // 8)]
             for g in range(groups)]))
        m.add(name + ".scales", "F16", [groups, outputs], joined(transposed(data)))
        if g_idx:
            m.add(name + ".g_idx", "I32", [inputs], words([[i // every for i in range(inputs)]]))
        if bias:
            m.add(name + ".bias", "F16", [outputs], b"\0\0" * outputs)
        return floats_of(q, lambda o, i: z[o][i // every], lambda o, i: s[o][i // every])
    return module


def awq(group):
    # Nibble n of a word is that of output ORDER[n].
    order = [0, 2, 4, 6, 1, 3, 5, 7]

    def module(m, name, outputs, inputs):
        every = inputs if group == -1 else group
        groups = inputs // every
        q, z = drawn(outputs, inputs, 0, 15), drawn(outputs, groups, 0, 15)
        s, data = drawn_scales(outputs, groups, "F16")

        def packed(numbers, columns):
            return words([[word([numbers[8 * c + n][k] for n in order])
                           for c in range(outputs // 8)] for k in range(columns)])
        m.add(name + ".qweight", "I32", [inputs, outputs // 8], packed(q, inputs))
        m.add(name + ".qzeros", "I32", [groups, outputs // 8], packed(z, groups))
        m.add(name + ".scales", "F16", [groups, outputs], joined(transposed(data)))
        return floats_of(q, lambda o, i: z[o][i // every], lambda o, i: s[o][i // every])
    return module


def pack_quantized(group, dtype, symmetric):
    def module(m, name, outputs, inputs):
        every = group or inputs
        groups = inputs // every
        q, z = drawn(outputs, inputs, -8, 7), drawn(outputs, groups, -8, 7)
        s, data = drawn_scales(outputs, groups, dtype)
        m.add(name + ".weight_packed", "I32", [outputs, (inputs + 7) // 8], words(
            [[word([n + 8 for n in row[c:c + 8]]) for c in range(0, inputs, 8)] for row in q]))
        m.add(name + ".weight_scale", dtype, [outputs, groups], joined(data))
        m.add(name + ".weight_shape", "I64", [2], struct.pack("<qq", outputs, inputs))
        if not symmetric:
            m.add(name + ".weight_zero_point", "I32", [(outputs + 7) // 8, groups], words(
                [[word([row[g] + 8 for row in z[o:o + 8]]) for g in range(groups)]
                 for o in range(0, outputs, 8)]))
        return floats_of(q, lambda o, i: 0 if symmetric else z[o][i // every],
                         lambda o, i: s[o][i // every])
    return module


def int_quantized(strategy, dtype, symmetric=True, group=None, input_scale=None):
    def module(m, name, outputs, inputs):
        every = group or inputs
        rows, groups = 1 if strategy == "tensor" else outputs, inputs // every
        q, z = drawn(outputs, inputs, -128, 127), drawn(rows, groups, -128, 127)
        s, data = drawn_scales(rows, groups, dtype)
        shape = [1] if strategy == "tensor" else [outputs, groups]
        m.add(name + ".weight", "I8", [outputs, inputs],
              b"".join(struct.pack(f"{inputs}b", *row) for row in q))
        m.add(name + ".weight_scale", dtype, shape, joined(data))
        if not symmetric:
            m.add(name + ".weight_zero_point", "I8", shape,
                  b"".join(struct.pack(f"{groups}b", *row) for row in z))
        if input_scale:
            m.add(name + ".input_scale", "F32", [1], struct.pack("<f", input_scale))
        return floats_of(q, lambda o, i: 0 if symmetric else z[o % rows][i // every],
                         lambda o, i: s[o % rows][i // every])
    return module


def float8(scale_name, dtype, block=None, shape=None, beside=()):
    """A scale of a block (outputs, inputs); without one for each output, or of a shape for all."""
    def module(m, name, outputs, inputs):
        high, wide = block or (outputs if shape is not None else 1, inputs)
        rows, groups = -(-outputs // high), -(-inputs // wide)
        q = [[draw.choice([b for b in range(256) if b & 127 != 127]) for _ in range(inputs)]
             for _ in range(outputs)]
        s, data = drawn_scales(rows, groups, dtype)
        m.add(name + ".weight", "F8_E4M3", [outputs, inputs], b"".join(bytes(row) for row in q))
        m.add(name + scale_name, dtype, [rows, groups] if shape is None else shape, joined(data))
        for tail in beside:
            m.add(name + tail, "F32", [1], struct.pack("<f", 0.5))
        return floats_of([[e4m3(b) for b in row] for row in q], lambda o, i: 0,
                         lambda o, i: s[o // high][i // wide])
    return module


def dense(m, name, outputs, inputs):
    q = [[draw.randint(-9, 9) / 8 for _ in range(inputs)] for _ in range(outputs)]
    m.add(name + ".weight", "F16", [outputs, inputs],
          b"".join(struct.pack("<H", f16_bits(x)) for row in q for x in row))
    return q


# Models ------------------------------------------------------------------------------------------


def llama(quantization, module, d, f, options="", layers=1, down=None, model_type="llama"):
    """Two widths, gate, up and down; phi3 has gate and up in one matrix."""
    m = Model({"model_type": model_type, "hidden_size": d, "intermediate_size": f,
               "num_hidden_layers": layers, "hidden_act": "silu", "rms_norm_eps": 1e-6},
              quantization, options)
    for n in range(layers):
        prefix = f"model.layers.{n}."
        m.norm(prefix, d)
        if model_type == "phi3":
            rows = module(m, prefix + "mlp.gate_up_proj", 2 * f, d)
        else:
            rows = module(m, prefix + "mlp.gate_proj", f, d)
            rows += module(m, prefix + "mlp.up_proj", f, d)
        rows += (down or module)(m, prefix + "mlp.down_proj", d, f)
        for row in rows:
            m.floats.extend(row)
    return m


def experts(quantization, module, d, f, count, options=""):
    m = Model({"model_type": "qwen3_moe", "hidden_size": d, "intermediate_size": 3 * f,
               "moe_intermediate_size": f, "num_experts": count, "num_experts_per_tok": 1,
               "num_hidden_layers": 1, "hidden_act": "silu", "decoder_sparse_step": 1,
               "mlp_only_layers": [], "rms_norm_eps": 1e-6}, quantization, options)
    m.norm("model.layers.0.", d)
    dense(m, "model.layers.0.mlp.gate", count, d)
    for e in range(count):
        at = f"model.layers.0.mlp.experts.{e}."
        for name, outputs, inputs in (("gate_proj", f, d), ("up_proj", f, d), ("down_proj", d, f)):
            for row in module(m, at + name, outputs, inputs):
                m.floats.extend(row)
    return m


E2M1 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]


def gpt_oss(d, f, count):
    m = Model({"model_type": "gpt_oss", "hidden_size": d, "intermediate_size": f,
               "num_local_experts": count, "num_experts_per_tok": 1, "num_hidden_layers": 1,
               "rms_norm_eps": 1e-5},
              {"quant_method": "mxfp4", "modules_to_not_convert": [
                  "model.layers.*.self_attn", "model.layers.*.mlp.router", "lm_head"]})
    at, values = "model.layers.0.mlp.experts.", {}
    m.norm("model.layers.0.", d)
    for name, outputs, inputs in (("gate_up_proj", 2 * f, d), ("down_proj", d, f)):
        blocks, scales, biases, own = b"", b"", b"", []
        for _ in range(count):
            q, rows, bias = drawn(outputs, inputs, 0, 15), [], []
            for row in q:
                e = [draw.randint(90, 150) for _ in range(inputs // 32)]
                scales += bytes(e)
                # Byte j of a row has inputs 2 j, in its low half, and 2 j + 1.
                blocks += bytes(a | b << 4 for a, b in zip(row[::2], row[1::2]))
                rows.append([(-1 if n > 7 else 1) * E2M1[n & 7] * 2.0 ** (e[i // 32] - 127)
                             for i, n in enumerate(row)])
            for _ in range(outputs):
                value, data = drawn_scale("BF16")
                biases += data
                bias.append(value)
            own.append((rows, bias))
        m.add(at + name + "_blocks", "U8", [count, outputs, inputs // 32, 16], blocks)
        m.add(at + name + "_scales", "U8", [count, outputs, inputs // 32], scales)
        m.add(at + name + "_bias", "BF16", [count, outputs], biases)
        values[name] = own
    for e in range(count):
        rows, bias = values["gate_up_proj"][e]
        for part, added in ((rows[::2], bias[::2]), (rows[1::2], bias[1::2]),
                            values["down_proj"][e]):
            for row in part:
                m.floats.extend(row)
            m.floats.extend(added)
    return m


def compressed(format_name, weights, activations=None, **more):
    weights = dict({"num_bits": 8, "type": "int", "symmetric": True, "dynamic": False,
                    "group_size": None, "actorder": None, "observer": "minmax",
                    "observer_kwargs": {}, "block_structure": None}, **weights)
    return dict({"quant_method": "compressed-tensors", "format": format_name, "ignore": ["lm_head"],
                 "quantization_status": "compressed", "kv_cache_scheme": None,
                 "global_compression_ratio": 1.5,
                 "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights,
                                               "input_activations": activations,
                                               "output_activations": None}}}, **more)


FLOAT = "--float-activations"
TOKENS = {"num_bits": 8, "type": "int", "symmetric": True, "dynamic": True, "strategy": "token"}
GPTQ = {"quant_method": "gptq", "bits": 4, "desc_act": False, "sym": False, "group_size": 128,
        "damp_percent": 0.1, "true_sequential": True}
AWQ = {"quant_method": "awq", "bits": 4, "version": "gemm", "zero_point": True,
       "modules_to_not_convert": None}
ROUND = {"quant_method": "auto-round", "bits": 4, "sym": False, "data_type": "int", "iters": 200}
FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3"}


def models():
    yield "gptq", llama(GPTQ, gptq(128, bias=True), 128, 256, layers=2)
    yield "gptq_v2", llama(dict(GPTQ, group_size=32, checkpoint_format="gptq_v2"),
                           gptq(32, add=0, g_idx=False), 64, 96, model_type="phi3")
    yield "gptq_sym", llama(dict(GPTQ, group_size=32, sym=True, meta={"quantizer": ["x:1"]}),
                            gptq(32, sym=True), 64, 32)
    yield "gptq_v2_sym", llama(dict(GPTQ, group_size=32, sym=True, format="gptq_v2"),
                               gptq(32, add=0, sym=True), 64, 32)
    yield "gptq_16", llama(dict(GPTQ, group_size=16), gptq(16), 48, 80, "--decode")
    yield "gptq_rows", llama(dict(GPTQ, group_size=-1, desc_act=True), gptq(-1), 40, 72, "--decode")
    yield "gptq_experts", experts(dict(GPTQ, group_size=64, checkpoint_format="gptq"), gptq(64),
                                  128, 64, 3)
    yield "awq", llama(dict(AWQ, group_size=64, modules_to_not_convert=["down_proj"]), awq(64), 128,
                       72, down=dense)
    yield "awq_fused", llama(dict(AWQ, group_size=32), awq(32), 64, 32, model_type="phi3")
    yield "awq_rows", llama(dict(AWQ, q_group_size=-1), awq(-1), 40, 48, "--decode")
    yield "round_gptq", llama(
        dict(ROUND, sym=True, group_size=32, packing_format="auto_round:auto_gptq"),
        gptq(32, g_idx=False, sym=True), 32, 64)
    yield "round_awq", llama(
        dict(ROUND, group_size=32, packing_format="auto_round:auto_awq", extra_config={
            "model.layers.0.mlp.down_proj": {"bits": 16}}), awq(32), 32, 64, down=dense)
    group = {"num_bits": 4, "strategy": "group"}
    yield "packed", llama(compressed("pack-quantized", dict(group, group_size=128)),
                          pack_quantized(128, "BF16", True), 128, 256)
    yield "packed_zeros", llama(
        compressed("pack-quantized", dict(group, group_size=32, symmetric=False, actorder="weight")),
        pack_quantized(32, "F16", False), 64, 96, model_type="phi3")
    yield "packed_f32", llama(compressed("pack-quantized", dict(group, group_size=64)),
                              pack_quantized(64, "F32", True), 64, 128)
    yield "packed_rows", llama(
        compressed("pack-quantized", {"num_bits": 4, "strategy": "channel", "group_size": -1,
                                      "symmetric": False}),
        pack_quantized(None, "F16", False), 44, 56, "--decode")
    yield "bytes", llama(compressed("int-quantized", {"strategy": "channel"}, TOKENS),
                         int_quantized("channel", "BF16"), 37, 61, FLOAT)
    yield "bytes_zeros", llama(
        compressed("int-quantized", {"strategy": "channel", "symmetric": False}, TOKENS),
        int_quantized("channel", "F16", False), 40, 24, FLOAT, model_type="phi3")
    yield "bytes_one", llama(
        compressed("naive-quantized", {"strategy": "tensor", "symmetric": False}),
        int_quantized("tensor", "F32", False), 33, 20, model_type="phi3")
    yield "bytes_groups", llama(
        compressed("int-quantized", {"strategy": "group", "group_size": 16}),
        int_quantized("group", "F16", True, 16), 32, 48, "--decode")
    f8 = {"type": "float"}
    yield "f8_rows", llama(compressed("float-quantized", dict(f8, strategy="channel"), TOKENS),
                           float8(".weight_scale", "BF16"), 36, 52, FLOAT)
    yield "f8_one", llama(
        compressed("float-quantized", dict(f8, strategy="tensor"), dict(TOKENS, dynamic=False)),
        float8(".weight_scale", "F32", shape=[1], beside=[".input_scale"]), 36, 52, FLOAT)
    yield "f8_blocks", llama(
        compressed("float-quantized", dict(f8, strategy="block", block_structure=[128, 128])),
        float8(".weight_scale", "BF16", (128, 128)), 136, 256, model_type="phi3")
    yield "deepseek", llama(dict(FP8, weight_block_size=[128, 128], scale_fmt="ue8m0"),
                            float8(".weight_scale_inv", "F32", (128, 128)), 136, 200, FLOAT)
    yield "deepseek_64", llama(dict(FP8, weight_block_size=[64, 64]),
                               float8(".weight_scale_inv", "BF16", (64, 64)), 96, 70,
                               "--decode " + FLOAT)
    yield "fp8_experts", experts(
        dict(FP8, weight_block_size=[128, 128], modules_to_not_convert=["model.layers.0.mlp.gate"]),
        float8(".weight_scale_inv", "BF16", (128, 128)), 136, 72, 2, FLOAT)
    yield "fp8_one", llama(dict(FP8, activation_scheme="static"),
                           float8(".weight_scale", "F32", shape=[], beside=[".input_scale"]), 40, 56,
                           FLOAT, model_type="phi3")
    yield "fbgemm", llama({"quant_method": "fbgemm_fp8", "activation_scale_ub": 1200.0},
                          float8(".weight_scale", "F32"), 40, 56, FLOAT, model_type="phi3")
    yield "mxfp4", gpt_oss(64, 32, 2)
    yield "bytes_static", llama(
        compressed("int-quantized", {"strategy": "channel"},
                   dict(TOKENS, dynamic=False, strategy="tensor")),
        int_quantized("channel", "BF16", input_scale=0.0625), 37, 61)


def make(folder):
    lines = []
    for name, m in models():
        m.write(folder / name)
        (folder / f"{name}.expected").write_bytes(m.floats.tobytes())
        lines.append(f"{name} {m.options}".strip())
    (folder / "models").write_text("\n".join(lines) + "\n")


def told(folder, name, got):
    """Compares with the hash that the code of a public package told."""
    own = json.loads((folder / "expected.json").read_text())[name]
    assert len(got) == own["floats"], name
    data = array.array("f", [x + 0.0 for x in got]).tobytes()
    assert hashlib.sha256(data).hexdigest() == own["sha256"], f"{name}: other floats"


def compare(folder):
    count = 0
    for line in (folder / "models").read_text().splitlines():
        name = line.split()[0]
        should, got = array.array("f"), array.array("f")
        got.frombytes((folder / "out" / name / "values.bin").read_bytes())
        count += len(got)
        if name.startswith("origin_"):
            told(folder, name, got)
            continue
        should.frombytes((folder / f"{name}.expected").read_bytes())
        assert len(got) == len(should) > 0, f"{name}: {len(got)} floats, not {len(should)}"
        wrong = [i for i, (a, b) in enumerate(zip(got, should)) if a != b]
        assert not wrong, (f"{name}: {len(wrong)} of {len(should)} floats differ, the first is "
                           f"{wrong[0]}: {got[wrong[0]]}, not {should[wrong[0]]}")
    print(f"{count} floats of packed models are what their schemes mean")


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](pathlib.Path(sys.argv[2]))
