"""ONNX files of small layers, by the exporters themselves: tests/data/import/onnx/*.onnx.

    python3 -m venv venv && venv/bin/pip install onnx==1.23.2 torch==2.15.0 onnxscript==0.7.2
    venv/bin/python tests/data/import/onnx_files.py

A folder as an argument takes the files in place of tests/data/import/onnx. torch.onnx.export writes
each layer in both of its ways: _dynamo and _script. What onnx.helper makes is what optimisers write.
Beside each file NAME.txt has what goes into the layer and what comes out of it: by torch where it
exports, as ONNX's own reference evaluates the graph elsewhere; the operators of com.microsoft are
told in NumPy. Comments and names of places are taken out, so that nothing tells where it was made.
"""
import math
import pathlib
import sys
import warnings

import numpy as np
import onnx
import onnx_save
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
from torch import nn
from torch.nn import functional as F

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "onnx")
TOKENS = 3


def save(name, model, x, y):
    onnx_save.save(OUT, name, model, x, y)


# torch -----------------------------------------------------------------------------------------


class Plain(nn.Module):
    def __init__(self, act, d=10, f=24, out=None, bias=True):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(d, f, bias=bias), nn.Linear(f, out or d, bias=bias)
        self.act = act

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


class Gated(nn.Module):
    def __init__(self, act, d=12, f=20):
        super().__init__()
        self.gate, self.up = nn.Linear(d, f, bias=False), nn.Linear(d, f, bias=False)
        self.down, self.act = nn.Linear(f, d, bias=False), act

    def forward(self, x):
        return self.down(self.act(self.gate(x)) * self.up(x))


class Fused(nn.Module):
    def __init__(self, d=12, f=20):
        super().__init__()
        self.gate_up, self.down = nn.Linear(d, 2 * f), nn.Linear(f, d)

    def forward(self, x):
        gate, up = self.gate_up(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * up)


class Clamped(nn.Module):
    """gpt-oss: rows of gate and up take turns."""

    def __init__(self, d=12, f=20):
        super().__init__()
        self.gate_up, self.down = nn.Linear(d, 2 * f), nn.Linear(f, d)

    def forward(self, x):
        both = self.gate_up(8 * x)
        gate, up = both[..., ::2], both[..., 1::2]
        gate, up = gate.clamp(max=7.0), up.clamp(min=-7.0, max=7.0)
        return self.down((up + 1) * (gate * torch.sigmoid(gate * 1.702)))


class Block(nn.Module):
    """A layer inside of a larger graph: norms, attention of a kind, residuals."""

    def __init__(self, d=12, f=24):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.mlp = Plain(nn.GELU(), d, f)

    def forward(self, x):
        h = self.norm1(x)
        scores = self.q(h) @ self.k(h).transpose(-1, -2) / math.sqrt(12)
        x = x + self.o(torch.softmax(scores, -1) @ self.v(h))
        return x + self.mlp(self.norm2(x))


class Conv(nn.Module):
    def __init__(self, d=6, f=14):
        super().__init__()
        self.fc1, self.fc2 = nn.Conv1d(d, f, 1), nn.Conv1d(f, d, 1)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class Conv1D(nn.Module):
    """GPT-2's, as transformers has it: [in][out], of rows that are laid one below the other."""

    def __init__(self, d, f):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.empty(d, f)), nn.Parameter(torch.empty(f))

    def forward(self, x):
        size = x.size()[:-1] + (self.bias.shape[0],)
        return torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight).view(size)


class Transposed(nn.Module):
    def __init__(self, d=8, f=16):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.mlp = nn.Sequential(Conv1D(d, f), NewGELU(), Conv1D(f, d))

    def forward(self, x):
        return x + self.mlp(self.norm(x))


class QuickGELU(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(1.702 * x)


class NewGELU(nn.Module):
    """The tanh form as transformers writes it."""

    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(
            math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class FastGELU(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(x * 0.7978845608 * (1.0 + 0.044715 * x * x)))


class Unnamed(nn.Module):
    def forward(self, x):
        return x / (1 + torch.abs(x)) * torch.exp(torch.clamp(x, max=1.0)) - 0.25 * x


def exported():
    mlp = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(),
                        nn.Linear(32, 1), nn.Sigmoid())
    half = Plain(nn.GELU()).to(torch.float16)
    cases = {
        "gelu": Plain(nn.GELU()), "gelu_tanh": Plain(nn.GELU(approximate="tanh")),
        "gelu_new": Plain(NewGELU()), "gelu_fast": Plain(FastGELU()), "silu": Plain(nn.SiLU()),
        "quick_gelu": Plain(QuickGELU()), "mish": Plain(nn.Mish()), "relu2": Plain(
            lambda x: torch.relu(x) ** 2, out=7), "leaky": Plain(nn.LeakyReLU(0.2), bias=False),
        "elu": Plain(nn.ELU()), "softplus": Plain(nn.Softplus()), "hardswish": Plain(
            nn.Hardswish()), "relu6": Plain(nn.ReLU6()), "unnamed": Plain(Unnamed()),
        "swiglu": Gated(nn.SiLU()), "geglu": Gated(nn.GELU()), "bilinear": Gated(nn.Identity()),
        "fused": Fused(), "clamped": Clamped(), "mlp": mlp, "block": Block(), "conv": Conv(),
        "half": half, "conv1d": Transposed(),
    }
    for name, module in cases.items():
        for dynamo in (True, False):
            torch.manual_seed(7)
            for p in module.parameters():
                nn.init.uniform_(p, -0.5, 0.5)
            module.eval()
            inputs = next(p for p in module.parameters() if p.ndim > 1).shape[name != "conv1d"]
            shape = (1, inputs, TOKENS) if name == "conv" else (1, TOKENS, inputs)
            x = (torch.rand(shape) * 4 - 2).to(next(module.parameters()).dtype)
            kept = {}
            inner = module.mlp if name in ("block", "conv1d") else module
            hook = inner.register_forward_hook(
                lambda _, args, result, kept=kept: kept.update(x=args[0], y=result))
            with torch.no_grad():
                module(x)
            hook.remove()
            kept = {key: v.detach().to(torch.float32) for key, v in kept.items()}
            if name == "conv":
                kept = {key: v[0].T for key, v in kept.items()}
            if name == "clamped":
                kept["x"] = 8 * kept["x"]
            path = OUT / "export.onnx"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                more = {} if dynamo else {"opset_version": 17}
                if name == "conv1d":  # of any number of tokens
                    dims = {0: "batch", 1: "tokens"}
                    more |= {"dynamic_shapes": (dims,)} if dynamo else {
                        "input_names": ["x"], "dynamic_axes": {"x": dims}}
                torch.onnx.export(module, (x,), path, dynamo=dynamo, verbose=False,
                                  **({"external_data": False} if dynamo else {}), **more)
            model = onnx.load(path)
            path.unlink()
            save(f"{name}_{'dynamo' if dynamo else 'script'}", model, kept["x"], kept["y"])


# onnx.helper -----------------------------------------------------------------------------------


def tensor(name, values):
    return numpy_helper.from_array(np.asarray(values, dtype=np.float32), name)


RNG = np.random.default_rng(11)


def drawn(*shape):
    return RNG.uniform(-0.5, 0.5, shape).astype(np.float32)


def erf(x):
    return np.vectorize(math.erf)(x).astype(np.float32)


class BiasGelu(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, b):
        x = x + b
        return (0.5 * x * (1 + erf(x / np.sqrt(2)))).astype(np.float32),


class FastGelu(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, b=None):
        x = x if b is None else x + b
        return (0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x ** 3)))).astype(
            np.float32),


class FusedMatMul(OpRun):
    op_domain = "com.microsoft"

    def _run(self, a, b, alpha=None, transA=None, transB=None, transBatchA=None,
             transBatchB=None):
        return ((alpha or 1) * (a @ (b.T if transB else b))).astype(np.float32),


class SkipLayerNormalization(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, skip, gamma, beta=None, bias=None, epsilon=None):
        s = x + skip + (0 if bias is None else bias)
        m, v = s.mean(-1, keepdims=True), s.var(-1, keepdims=True)
        return ((s - m) / np.sqrt(v + 1e-12) * gamma + beta).astype(np.float32),


OWN = [BiasGelu, FastGelu, FusedMatMul, SkipLayerNormalization]


def made(name, nodes, initializers, outputs, inner, d, opset=17, graph_inputs=None, shape=None):
    """Saves a model; `inner` names what goes into the layer, and what comes out of it."""
    x = RNG.uniform(-2, 2, shape or (TOKENS, d)).astype(np.float32)
    inputs = graph_inputs or [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)]
    graph = helper.make_graph(nodes, name, inputs, [
        helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outputs], initializers)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="onnx.helper",
                              ir_version=8)
    feeds = {"x": x}
    if graph_inputs:
        feeds.update({i.name: np.array(True) for i in graph_inputs[1:]})
    told = onnx.ModelProto.FromString(model.SerializeToString())
    del told.graph.output[:]
    told.graph.output.extend(
        helper.make_tensor_value_info(o, TensorProto.FLOAT, None)
        for o in dict.fromkeys([*outputs, inner[1]]) if o)
    results = ReferenceEvaluator(told, new_ops=OWN).run(None, feeds)
    by_name = dict(zip([o.name for o in told.graph.output], results), **feeds)
    save(name, model, by_name[inner[0]], by_name[inner[1]])


def optimised():
    """As ONNX Runtime's optimiser writes BERT: the second bias lies in the norm."""
    d, f = 8, 16
    w = {"w1": drawn(d, f), "b1": drawn(f), "w2": drawn(f, d), "b2": drawn(d),
         "gamma": 1 + drawn(d), "beta": drawn(d)}
    nodes = [
        helper.make_node("MatMul", ["x", "w1"], ["h"], "up"),
        helper.make_node("BiasGelu", ["h", "b1"], ["a"], "act", domain="com.microsoft"),
        helper.make_node("MatMul", ["a", "w2"], ["m"], "down"),
        helper.make_node("SkipLayerNormalization", ["m", "x", "gamma", "beta", "b2"], ["y"],
                         "norm", domain="com.microsoft"),
        # What the layer gives, with its bias, for the record beside this file.
        helper.make_node("Add", ["m2", "b2"], ["layer"], "told"),
        helper.make_node("MatMul", ["a2", "w2"], ["m2"], "down2"),
        helper.make_node("BiasGelu", ["h2", "b1"], ["a2"], "act2", domain="com.microsoft"),
        helper.make_node("MatMul", ["x", "w1"], ["h2"], "up2"),
    ]
    x = RNG.uniform(-2, 2, (TOKENS, d)).astype(np.float32)
    h = x @ w["w1"] + w["b1"]
    a = (0.5 * h * (1 + erf(h / np.sqrt(2)))).astype(np.float32)
    graph = helper.make_graph(nodes[:4], "optimised", [helper.make_tensor_value_info(
        "x", TensorProto.FLOAT, (TOKENS, d))], [helper.make_tensor_value_info(
            "y", TensorProto.FLOAT, None)], [tensor(n, v) for n, v in w.items()])
    model = helper.make_model(graph, producer_name="onnx.helper", ir_version=8, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    save("optimised", model, x, a @ w["w2"] + w["b2"])


def norm_names(i):
    return [f"{name}{i}" for name in ("gamma", "beta", "mean", "variance")]


def norm_of(i, n):
    values = [1 + drawn(n), drawn(n), drawn(n), 1 + drawn(n)]
    return [tensor(name, v) for name, v in zip(norm_names(i), values)]


def conv(name, d, f):
    """A Conv for gate and up, a norm behind both, which a Split parts."""
    w = {"w1": drawn(2 * f, d, 1), "w2": drawn(d, f, 1), "b2": drawn(d)}
    x = RNG.uniform(-2, 2, (1, d, TOKENS)).astype(np.float32)
    norm = norm_of(1, 2 * f)
    graph = helper.make_graph([
        helper.make_node("Conv", ["x", "w1"], ["gu"], "both"),
        helper.make_node("BatchNormalization", ["gu", *norm_names(1)], ["n"], "norm"),
        helper.make_node("Split", ["n"], ["g", "u"], axis=1),
        helper.make_node("Sigmoid", ["g"], ["s"]), helper.make_node("Mul", ["g", "s"], ["a"]),
        helper.make_node("Mul", ["a", "u"], ["h"]),
        helper.make_node("Conv", ["h", "w2", "b2"], ["y"], "down"),
    ], name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)], [
        helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [*[tensor(n, v) for n, v in w.items()], *norm])
    model = helper.make_model(graph, producer_name="onnx.helper", ir_version=8, opset_imports=[
        helper.make_opsetid("", 17)])
    y = ReferenceEvaluator(model).run(None, {"x": x})[0]
    save(name, model, x[0].T, y[0].T)


def helpers():
    optimised()
    d, f = 8, 16
    # FastGelu with a vector, FusedMatMul with both of its turns.
    made("fast_gelu", [
        helper.make_node("FusedMatMul", ["x", "w1"], ["h"], "up", domain="com.microsoft",
                         transB=1, alpha=0.5),
        helper.make_node("FastGelu", ["h"], ["a"], "act", domain="com.microsoft"),
        helper.make_node("FusedMatMul", ["a", "w2"], ["y"], "down", domain="com.microsoft"),
    ], [tensor("w1", drawn(f, d)), tensor("w2", drawn(f, d))], ["y"], ("x", "y"), d)
    made("fast_gelu_bias", [
        helper.make_node("MatMul", ["x", "w1"], ["h"], "up"),
        helper.make_node("FastGelu", ["h", "b1"], ["a"], "act", domain="com.microsoft"),
        helper.make_node("MatMul", ["a", "w2"], ["m"], "down"),
        helper.make_node("Add", ["b2", "m"], ["y"], "bias"),
    ], [tensor("w1", drawn(d, f)), tensor("b1", drawn(f)), tensor("w2", drawn(f, d)),
        tensor("b2", drawn(1, 1, d))], ["y"], ("x", "y"), d)
    # Gemm in its attributes, weights as Constant nodes, behind Transpose and Reshape.
    w = drawn(f, d)
    made("gemm", [
        helper.make_node("Constant", [], ["w1"], value=tensor("", w)),
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], "up", transB=1, alpha=2.0, beta=2.0),
        helper.make_node("Tanh", ["h"], ["a"], "act"),
        helper.make_node("Reshape", ["flat", "shape"], ["w2r"]),
        helper.make_node("Transpose", ["w2r"], ["w2"], perm=[1, 0]),
        helper.make_node("Gemm", ["a", "w2", "b2"], ["y"], "down"),
    ], [tensor("b1", drawn(1, f)), tensor("flat", drawn(d * f)), tensor("b2", drawn(d)),
        numpy_helper.from_array(np.array([d, -1], dtype=np.int64), "shape")], ["y"], ("x", "y"), d)
    # A layer in a branch of an If, with weights of the graph around it.
    branch = helper.make_graph([
        helper.make_node("MatMul", ["x", "w1"], ["h"], "up"),
        helper.make_node("Relu", ["h"], ["a"], "act"),
        helper.make_node("MatMul", ["a", "w2"], ["t"], "down"),
    ], "then", [], [helper.make_tensor_value_info("t", TensorProto.FLOAT, None)])
    other = helper.make_graph([helper.make_node("Identity", ["x"], ["e"])], "else", [], [
        helper.make_tensor_value_info("e", TensorProto.FLOAT, None)])
    made("branch", [helper.make_node("If", ["c"], ["y"], "choice", then_branch=branch,
                                     else_branch=other)],
         [tensor("w1", drawn(d, f)), tensor("w2", drawn(f, d))], ["y"], ("x", "y"), d,
         graph_inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, (TOKENS, d)),
                       helper.make_tensor_value_info("c", TensorProto.BOOL, ())])
    # Two slices of a product, a number that is computed of others, Pow and Log.
    made("slices", [
        helper.make_node("MatMul", ["x", "w1"], ["g"], "both"),
        helper.make_node("Add", ["g", "b1"], ["gb"], "bias"),
        helper.make_node("Slice", ["gb", "zero", "f", "axis"], ["gate"]),
        helper.make_node("Slice", ["gb", "f", "end", "axis"], ["up"]),
        helper.make_node("Exp", ["up"], ["e"]),
        helper.make_node("Add", ["e", "one"], ["e1"]),
        helper.make_node("Log", ["e1"], ["soft"]),
        helper.make_node("Tanh", ["soft"], ["th"]),
        helper.make_node("Mul", ["th", "up"], ["mish"]),
        helper.make_node("Mul", ["gate", "mish"], ["h"]),
        helper.make_node("MatMul", ["h", "w2"], ["y0"], "down"),
        helper.make_node("Add", ["y0", "b2"], ["y"], "bias2"),
    ], [tensor("w1", drawn(d, 2 * f)), tensor("b1", drawn(2 * f)), tensor("w2", drawn(f, d)),
        tensor("b2", drawn(d)), tensor("one", 1.0),
        *(numpy_helper.from_array(np.array(v, dtype=np.int64), n) for n, v in (
            ("zero", [0]), ("f", [f]), ("end", [2 ** 63 - 1]), ("axis", [-1])))],
        ["y"], ("x", "y"), d)
    # A norm between two products: two products, and no chain.
    made("norm_between", [
        helper.make_node("MatMul", ["x", "w1"], ["h"], "up"),
        helper.make_node("LayerNormalization", ["h", "g"], ["n"], "norm"),
        helper.make_node("MatMul", ["n", "w2"], ["y"], "down"),
    ], [tensor("w1", drawn(d, f)), tensor("g", 1 + drawn(f)), tensor("w2", drawn(f, d))], ["y"],
        ("x", "h"), d)
    # Biases of some matrices alone.
    made("part_biases", [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["g"], "gate"),
        helper.make_node("MatMul", ["x", "w2"], ["u"], "up"),
        helper.make_node("Relu", ["g"], ["r"], "act"),
        helper.make_node("Mul", ["r", "u"], ["h"], "product"),
        helper.make_node("MatMul", ["h", "w3"], ["y"], "down"),
    ], [tensor("w1", drawn(d, f)), tensor("b1", drawn(f)), tensor("w2", drawn(d, f)),
        tensor("w3", drawn(f, d))], ["y"], ("x", "y"), d)
    # What a product multiplies, times a function of its sums; a norm stands behind.
    made("selfgate", [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], "gate"),
        helper.make_node("Sigmoid", ["h"], ["s"], "act"),
        helper.make_node("Mul", ["x", "s"], ["m"], "times"),
        helper.make_node("LayerNormalization", ["m", "g"], ["y"], "norm"),
    ], [tensor("w1", drawn(d, d)), tensor("b1", drawn(d)), tensor("g", 1 + drawn(d))], ["y"],
        ("x", "m"), d)
    # Norms of a model that is trained: behind a bias and behind none, of channels and of places.
    made("batch_norm", [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], "up"),
        helper.make_node("BatchNormalization", ["h", *norm_names(1)], ["n"], "norm1", epsilon=1e-3),
        helper.make_node("Relu", ["n"], ["a"], "act"),
        helper.make_node("MatMul", ["a", "w2"], ["m"], "down"),
        helper.make_node("BatchNormalization", ["m", *norm_names(2)], ["y"], "norm2"),
    ], [tensor("w1", drawn(d, f)), tensor("b1", drawn(f)), tensor("w2", drawn(f, d)),
        *norm_of(1, f), *norm_of(2, d)], ["y"], ("x", "y"), d)
    conv("batch_norm_conv", d, f)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    exported()
    helpers()
