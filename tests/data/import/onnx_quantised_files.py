"""ONNX files of small layers with quantised weights: tests/data/import/onnx/*.onnx.

    python3 -m venv venv && venv/bin/pip install onnx==1.23.2 onnxruntime==1.32.0
    venv/bin/python tests/data/import/onnx_quantised_files.py

A folder as an argument takes the files in place of tests/data/import/onnx. Beside each file NAME.txt
has what goes into the layer and what comes out of it, as ONNX Runtime runs the graph, not optimised.
"""
import pathlib
import sys

import numpy as np
import onnx_save
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "onnx")
TOKENS = 3
RNG = np.random.default_rng(23)


def tensor(name, values, kind=np.float32):
    return numpy_helper.from_array(np.asarray(values, dtype=kind), name)


def floats(name, *shape, size=0.5):
    return tensor(name, RNG.uniform(-size, size, shape))


def scales(name, *shape):
    return tensor(name, RNG.uniform(0.001, 0.01, shape))


def integers(name, kind, *shape):
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    return tensor(name, RNG.integers(least, most + 1, shape), kind)


def made(name, nodes, initializers, d, opset=21, floats_of=None):
    """floats_of: nodes of the same layer that round no x, which tell what comes out of it."""
    x = RNG.uniform(-2, 2, (TOKENS, d)).astype(np.float32)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]

    def model_of(own):
        graph = helper.make_graph(
            own, name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, (TOKENS, d))],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], initializers)
        return helper.make_model(graph, opset_imports=opsets, producer_name="onnx.helper",
                                 ir_version=10)

    y = run(model_of(nodes), x)
    if floats_of:
        rounded, y = y, run(model_of(floats_of), x)
        assert 0 < np.abs(rounded - y).max() < 0.05 * np.abs(y).max(), name
    onnx_save.save(OUT, name, model_of(nodes), x, y)


def run(model, x):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    return session.run(["y"], {"x": x})[0]


def of_bytes():
    d, f = 12, 20
    node = helper.make_node
    # A scale for each output, as files of today have it; the other product is of floats.
    made("bytes_cast", [
        node("Cast", ["q1"], ["c1"], to=TensorProto.FLOAT), node("Mul", ["c1", "s1"], ["w1"]),
        node("MatMul", ["x", "w1"], ["h"], "up"), node("Add", ["h", "b1"], ["hb"]),
        node("Relu", ["hb"], ["a"]), node("MatMul", ["a", "w2"], ["m"], "down"),
        node("Add", ["m", "b2"], ["y"]),
    ], [integers("q1", np.int8, d, f), scales("s1", 1, f), floats("b1", f), floats("w2", f, d),
        floats("b2", d)], d)
    # Gate and up behind DequantizeLinear, with zeros and one for all; one of them is turned.
    made("bytes_gated", [
        node("DequantizeLinear", ["q1", "s1", "z1"], ["w1"], axis=1),
        node("DequantizeLinear", ["q2", "s2", "z2"], ["w2t"], axis=0),
        node("Transpose", ["w2t"], ["w2"], perm=[1, 0]),
        node("DequantizeLinear", ["q3", "s3", "z3"], ["w3"]),
        node("MatMul", ["x", "w1"], ["g"], "gate"), node("MatMul", ["x", "w2"], ["u"], "up"),
        node("Sigmoid", ["g"], ["s"]), node("Mul", ["g", "s"], ["a"]),
        node("Mul", ["a", "u"], ["h"]), node("Gemm", ["h", "w3"], ["y"], "down", transB=1),
    ], [integers("q1", np.int8, d, f), scales("s1", f), integers("z1", np.int8, f),
        integers("q2", np.uint8, f, d), scales("s2", f), integers("z2", np.uint8, f),
        integers("q3", np.int8, d, f), scales("s3"), tensor("z3", 0, np.int8)], d)
    # A Split of one product, bytes less their zeros, and a scale for all.
    made("bytes_split", [
        node("Cast", ["q1"], ["c1"], to=TensorProto.FLOAT),
        node("Cast", ["z1"], ["d1"], to=TensorProto.FLOAT), node("Sub", ["c1", "d1"], ["e1"]),
        node("Mul", ["s1", "e1"], ["w1"]), node("MatMul", ["x", "w1"], ["gu"], "both"),
        node("Split", ["gu"], ["g", "u"], axis=-1, num_outputs=2), node("Tanh", ["g"], ["t"]),
        node("Mul", ["t", "u"], ["h"]), node("MatMul", ["h", "w2"], ["y"], "down"),
    ], [integers("q1", np.uint8, d, 2 * f), integers("z1", np.uint8, 2 * f), scales("s1", 1),
        floats("w2", f, d)], d)
    # Scales for blocks of inputs, of outputs, and for each input: no format holds these.
    made("bytes_blocks", [
        node("DequantizeLinear", ["q1", "s1", "z1"], ["w1"], axis=0, block_size=5),
        node("DequantizeLinear", ["q2", "s2"], ["w2"], axis=1, block_size=6),
        node("Cast", ["q3"], ["c3"], to=TensorProto.FLOAT), node("Mul", ["c3", "s3"], ["w3"]),
        node("MatMul", ["x", "w1"], ["h1"], "first"), node("Relu", ["h1"], ["a1"]),
        node("MatMul", ["a1", "w2"], ["h2"], "second"), node("Relu", ["h2"], ["a2"]),
        node("MatMul", ["a2", "w3"], ["y"], "third"),
    ], [integers("q1", np.int8, d, f), scales("s1", 3, f), integers("z1", np.int8, 3, f),
        integers("q2", np.int8, f, d), scales("s2", f, 2), integers("q3", np.uint8, d, f),
        scales("s3", d, 1)], d)


def nbits(name, first, second, bias, d=64, f=96):
    """first, second: block sizes, and whether there are zeros; None: no second product."""
    nodes, tensors = [], []
    products = [(1, first, d, f, "x", "h"), (2, second, f, d, "a", "y")]
    if not second:
        products = [(1, first, d, f, "x", "y")]
    for i, (block, has_zeros), k, n, x, y in products:
        blocks = -(-k // block)
        inputs = [x, f"q{i}", f"s{i}"]
        tensors += [integers(f"q{i}", np.uint8, n, blocks, block // 2), scales(f"s{i}", n * blocks)]
        if has_zeros:
            inputs.append(f"z{i}")
            tensors.append(integers(f"z{i}", np.uint8, n * (-(-blocks // 2))))
        if bias:
            inputs += [""] * (5 - len(inputs)) + [f"b{i}"]
            tensors.append(floats(f"b{i}", n))
        nodes.append(helper.make_node("MatMulNBits", inputs, [y], f"product{i}", K=k, N=n, bits=4,
                                      block_size=block, domain="com.microsoft"))
    if second:
        nodes.insert(1, helper.make_node("Gelu", ["h"], ["a"], "act"))
    made(name, nodes, tensors, d)


def rounded():
    """x is rounded as the graph runs, in forms that ONNX Runtime's quantisers write."""
    d, f = 12, 20
    node = helper.make_node
    act = [node("Add", ["h1", "b1"], ["g"]), node("Sigmoid", ["g"], ["s"]),
           node("Mul", ["g", "s"], ["a"]), node("Mul", ["a", "h2"], ["h"])]
    made("rounded", [
        node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"], "rounds"),
        node("MatMulInteger", ["xq", "q1", "xz", "z1"], ["i1"], "gate"),
        node("Cast", ["i1"], ["c1"], to=TensorProto.FLOAT), node("Mul", ["xs", "s1"], ["t1"]),
        node("Mul", ["c1", "t1"], ["h1"]),
        node("MatMulIntegerToFloat", ["xq", "q2", "xs", "s2", "xz", "z2", "b2"], ["h2"], "up",
             domain="com.microsoft"), *act,
        node("DynamicQuantizeMatMul", ["h", "q3", "s3", "", "b3"], ["y"], "down",
             domain="com.microsoft"),
    ], [integers("q1", np.uint8, d, f), scales("s1", f), integers("z1", np.uint8, f),
        integers("q2", np.int8, d, f), scales("s2"), integers("z2", np.int8),
        integers("q3", np.int8, f, d), scales("s3", d), floats("b1", f), floats("b2", f),
        floats("b3", d)], d, floats_of=[
            node("DequantizeLinear", ["q1", "s1", "z1"], ["w1"]),
            node("DequantizeLinear", ["q2", "s2", "z2"], ["w2"]),
            node("DequantizeLinear", ["q3", "s3"], ["w3"]), node("MatMul", ["x", "w1"], ["h1"]),
            node("MatMul", ["x", "w2"], ["m2"]), node("Add", ["m2", "b2"], ["h2"]), *act,
            node("MatMul", ["h", "w3"], ["m3"]), node("Add", ["m3", "b3"], ["y"])])


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    of_bytes()
    nbits("nbits_32", (32, False), (32, True), True)
    nbits("nbits_64", (64, True), (32, False), False)
    nbits("nbits_128", (128, True), None, False, 256, 20)
    nbits("nbits_16", (16, True), (16, False), False, 40, 48)
    rounded()
