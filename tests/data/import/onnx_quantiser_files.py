"""ONNX files as the quantisers and the optimiser of ONNX Runtime write them:
tests/data/import/onnx/*.onnx.

    python3 -m venv venv && venv/bin/pip install onnx==1.23.2 onnxruntime==1.32.0 torch==2.15.0 \
        onnxscript==0.7.2 transformers==5.24.0
    venv/bin/python tests/data/import/onnx_quantiser_files.py

A folder as an argument takes the files in place of tests/data/import/onnx. torch.onnx.export writes
a layer, or the encoder of a tiny Whisper by transformers' own class; comments and names of places
are taken out of that. quantize_static() or quantize_dynamic() quantises the file, and what they
write stays as it is. Beside each file NAME.txt has what goes into a layer and what comes out of it
where activations are not rounded: ONNX Runtime runs the nodes of the layer, without those that
round. Of Whisper NAME.1.txt has the same of its second layer.
"""
import logging
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import onnx
import onnx_save
import onnxruntime
import torch
import transformers
from onnx import helper
from onnxruntime import quantization
from torch import nn
from torch.nn import functional as F
from transformers.models.whisper import modeling_whisper

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "onnx")
RNG = np.random.default_rng(44)


class Mlp(nn.Module):
    def __init__(self, d=12, f=20):
        super().__init__()
        self.up, self.down = nn.Linear(d, f), nn.Linear(f, d)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


class Swiglu(nn.Module):
    """More than 64 outputs have scales and zeros of their own."""

    def __init__(self, d=12, f=68):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(d, f), nn.Linear(d, f), nn.Linear(f, d)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Whisper(nn.Module):
    def __init__(self):
        super().__init__()
        config = transformers.WhisperConfig(
            d_model=8, encoder_layers=2, encoder_attention_heads=2, encoder_ffn_dim=12,
            num_mel_bins=4, max_source_positions=4, attn_implementation="eager")
        self.encoder = modeling_whisper.WhisperEncoder(config).eval()
        with torch.no_grad():
            for p in self.parameters():
                p.uniform_(-0.5, 0.5)

    def forward(self, x):
        return self.encoder(x, return_dict=False)[0]


def run(model, inputs, outputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    return session.run(outputs, inputs)


class Rows(quantization.CalibrationDataReader):
    def __init__(self, shape):
        self.rows = iter([RNG.standard_normal(shape).astype(np.float32) for _ in range(8)])

    def get_next(self):
        row = next(self.rows, None)
        return None if row is None else {"x": row}


def exported(module, shape, folder):
    path = folder / "float.onnx"
    torch.onnx.export(module, (torch.zeros(shape),), str(path), input_names=["x"],
                      output_names=["y"], dynamo=True, external_data=False, verbose=False)
    model = onnx.load(path)
    del model.metadata_props[:]
    onnx_save.bare(model.graph)
    model.doc_string = ""
    onnx.save(model, path)
    return path


def part(model, first, last):
    """A model of the nodes between two values alone."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    given = {out: node for node in model.graph.node for out in node.output}
    needed, stack = set(), [last]
    while stack:
        name = stack.pop()
        node = given.get(name)
        if name != first and node is not None and node.output[0] not in needed:
            needed.add(node.output[0])
            stack += node.input
    del result.graph.node[:], result.graph.input[:], result.graph.output[:]
    del result.graph.value_info[:]
    result.graph.node.extend(n for n in model.graph.node if n.output[0] in needed)
    result.graph.input.append(helper.make_tensor_value_info(first, 1, None))
    result.graph.output.append(helper.make_tensor_value_info(last, 1, None))
    return result


def without_rounding(model):
    """The same where what is rounded stays float; where bytes begin with 0 they cut, too."""
    tensors = {t.name: onnx.numpy_helper.to_array(t) for t in model.graph.initializer}
    nodes = list(model.graph.node)
    made = {node.output[0]: node for node in nodes}
    del model.graph.node[:]
    for node in nodes:
        by = made.get(node.input[0]) if node.op_type == "DequantizeLinear" else None
        if by is not None:
            zero = tensors[by.input[2]]
            cuts = zero == np.iinfo(zero.dtype).min
            node = helper.make_node("Relu" if cuts else "Identity", [by.input[0]], node.output)
        if node.op_type != "QuantizeLinear":
            model.graph.node.append(node)
    return model


def of_floats(model):
    """The same of a model whose activations are rounded by scales that it computes: these are 1
    here, and its products of integers are such of floats."""
    nodes = list(model.graph.node)
    del model.graph.node[:]
    add = model.graph.node.append
    for node in nodes:
        if node.op_type == "DynamicQuantizeLinear":
            add(helper.make_node("Identity", node.input, node.output[:1]))
            add(helper.make_node("Constant", [], [node.output[1]], value_float=1.0))
        elif node.op_type == "MatMulInteger":
            x, weight, _, zero = node.input
            names = [node.output[0] + end for end in ("_q", "_z", "_w")]
            add(helper.make_node("Cast", [weight], names[:1], to=onnx.TensorProto.FLOAT))
            add(helper.make_node("Cast", [zero], names[1:2], to=onnx.TensorProto.FLOAT))
            add(helper.make_node("Sub", names[:2], names[2:]))
            add(helper.make_node("MatMul", [x, names[2]], node.output))
        else:
            add(node)
    return model


def near(rounded, y, name):
    assert 0 < np.abs(rounded - y).max() < 0.12 * np.abs(y).max(), name


def layer(name, module, shape, is_static, channels, kind):
    torch.manual_seed(44)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        path, made = exported(module(), shape, folder), folder / f"{name}.onnx"
        words = dict(per_channel=channels, weight_type=kind)
        if is_static:
            quantization.quantize_static(path, made, Rows(shape), activation_type=kind, **words)
        else:
            quantization.quantize_dynamic(path, made, **words)
        model = onnx.load(made)
    x = RNG.uniform(-1, 1, shape).astype(np.float32)  # within what the quantiser saw
    rounded, = run(model, {"x": x}, ["y"])
    floats = onnx.ModelProto()
    floats.CopyFrom(model)
    y, = run(without_rounding(floats) if is_static else of_floats(floats), {"x": x}, ["y"])
    near(rounded, y, name)
    onnx_save.as_it_is(OUT, name, model)
    onnx_save.rows(OUT / f"{name}.txt", x, y)


def symmetric(name, module, shape, beyond):
    """As kernels with static scales of operands compute: what products multiply is rounded to
    signed bytes without a zero, and nothing else. y is that of the file as it is."""
    torch.manual_seed(44)
    kind, products = quantization.QuantType.QInt8, ["MatMul", "Gemm"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        path, made = exported(module(), shape, folder), folder / f"{name}.onnx"
        quantization.quantize_static(
            path, made, Rows(shape), activation_type=kind, weight_type=kind, per_channel=True,
            op_types_to_quantize=products, extra_options={
                "ActivationSymmetric": True, "OpTypesToExcludeOutputQuantization": products})
        model = onnx.load(made)
    x = RNG.uniform(-1, 1, shape).astype(np.float32)  # within what the quantiser saw
    x[..., 0, :] = np.abs(x[..., 0, :]) * beyond  # no byte is -128, which kernels do not have
    y, = run(model, {"x": x}, ["y"])
    onnx_save.as_it_is(OUT, name, model)
    onnx_save.rows(OUT / f"{name}.txt", x, y)


def whisper(name):
    torch.manual_seed(44)
    shape = (1, 4, 8)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        path, made = exported(Whisper(), shape, folder), folder / f"{name}.onnx"
        quantization.quantize_static(path, made, Rows(shape),
                                     weight_type=quantization.QuantType.QInt8)
        model = onnx.load(made)
    takers = {name: node for node in model.graph.node for name in node.input}
    x = RNG.uniform(-1, 1, shape).astype(np.float32)  # within what the quantiser saw
    norms = [n for n in model.graph.node if n.op_type == "LayerNormalization"]
    for i, norm in enumerate(norms[1:4:2]):
        # The norm, its rounding, product, rounding, sum with the bias, rounding, Gelu; and again.
        first = takers[takers[norm.output[0]].output[0]].output[0]
        last = first
        while takers[last].op_type != "Gelu":
            last = takers[last].output[0]
        while takers[last].op_type != "Add" or last == first:
            last = takers[last].output[0]
        last = takers[last].output[0]
        whole = onnx.ModelProto()
        whole.CopyFrom(model)
        whole.graph.output.extend(helper.make_empty_tensor_value_info(n) for n in (first, last))
        given, rounded = run(whole, {"x": x}, [first, last])
        y, = run(without_rounding(part(model, first, last)), {first: given}, [last])
        near(rounded, y, name)
        onnx_save.rows(OUT / f"{name}{'.1' if i else ''}.txt", given, y)
    onnx_save.as_it_is(OUT, name, model, 80000)


class Leaky(nn.Module):
    """What ONNX Runtime fuses: a product with an activation that has a parameter, and with none."""

    def __init__(self, d=12, f=20):
        super().__init__()
        self.first, self.second, self.third = nn.Linear(d, f), nn.Linear(f, f), nn.Linear(f, d)

    def forward(self, x):
        return self.third(torch.sigmoid(self.second(F.leaky_relu(self.first(x), 0.3))))


def fused_gemm(name):
    """As ONNX Runtime optimises a model for this machine's CPU."""
    torch.manual_seed(44)
    x = RNG.uniform(-1, 1, (3, 12)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        path = exported(Leaky(), x.shape, folder)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath, options.log_severity_level = str(folder / "own.onnx"), 3
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        model = onnx.load(folder / "own.onnx")
    assert [n.op_type for n in model.graph.node] == ["FusedGemm", "FusedGemm", "Gemm"]
    y, = run(model, {"x": x}, ["y"])
    onnx_save.save(OUT, name, model, x, y)


def fused_activation(name):
    """FusedMatMulActivation, which ONNX Runtime has for DirectML alone: its parts tell numbers."""
    d, f = 12, 20
    x = RNG.uniform(-1, 1, (3, d)).astype(np.float32)
    matrices = [onnx.numpy_helper.from_array(RNG.uniform(-0.5, 0.5, shape).astype(np.float32), what)
                for what, shape in (("w1", (f, d)), ("w2", (f, d)))]
    node, domain = helper.make_node, "com.microsoft"

    def model_of(nodes):
        graph = helper.make_graph(nodes, name, [helper.make_tensor_value_info("x", 1, (3, d))],
                                  [helper.make_tensor_value_info("y", 1, None)], matrices)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(domain, 1)]
        return helper.make_model(graph, opset_imports=opsets, producer_name="onnx.helper",
                                 ir_version=10)

    down = node("MatMul", ["h", "w2"], ["y"], "down")
    y, = run(model_of([
        node("FusedMatMul", ["x", "w1"], ["s"], "up", alpha=0.5, transB=1, domain=domain),
        node("LeakyRelu", ["s"], ["h"], alpha=0.2), down]), {"x": x}, ["y"])
    onnx_save.save(OUT, name, model_of([
        node("FusedMatMulActivation", ["x", "w1"], ["h"], "up", alpha=0.5, transA=0, transB=1,
             transBatchA=0, transBatchB=0, activation="LeakyRelu", activation_alpha=0.2,
             domain=domain), down]), x, y)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    warnings.filterwarnings("ignore")
    OUT.mkdir(parents=True, exist_ok=True)
    for what, module, shape in ("mlp", Mlp, (3, 12)), ("swiglu", Swiglu, (1, 3, 12)):
        for way in "static", "dynamic":
            for of in "tensor", "channel":
                for kind in quantization.QuantType.QInt8, quantization.QuantType.QUInt8:
                    layer(f"{way}_{what}_{of}_{'i8' if 'QInt8' in str(kind) else 'u8'}", module,
                          shape, way == "static", of == "channel", kind)
    whisper("whisper")
    fused_gemm("fused_gemm")
    fused_activation("fused_activation")
    symmetric("symmetric_mlp", Mlp, (3, 12), 100)
    symmetric("symmetric_swiglu", Swiglu, (1, 3, 12), 1)
