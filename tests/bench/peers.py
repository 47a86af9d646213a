"""A layer by a Python package, for the benchmark:
peers.py onnxruntime|openvino|pytorch|torch_bf16|ggml

One answer per line of standard input; peer_python.c is at the other end. Weights, x and y are raw
f32 files FOLDER/PACKAGE_{weights,x,y}.raw; where weights are compressed, FOLDER/PACKAGE_own.raw has
them as they are. Times are taken here, around the calls alone.
"""
import contextlib
import glob
import os
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit(0)  # no answer: skipped


class Matrix:
    """[outputs][inputs] of f32, its bias, and what it is where it is compressed."""

    def __init__(self, weight, bias, own):
        self.weight, self.bias = weight, bias
        self.format, self.rows, self.scales, self.zeros = own

    def scaled(self):
        """Integers, their zeros and f32 scales [outputs][groups]; None where it is no such thing:
        scale * (q - zero)."""
        outputs, inputs = self.weight.shape
        if self.format == 'q4_0':  # f16, 16 bytes of inputs j and 16 + j
            blocks = self.rows.reshape(outputs, -1, 18)
            scales, nibbles = blocks[..., :2].copy().view(np.float16), blocks[..., 2:]
            q = np.concatenate([nibbles & 15, nibbles >> 4], axis=2)
            zeros = np.full(scales.shape[:2], 8, np.uint8)
        elif self.format == 'q8_0':  # f16, 32 signed bytes
            blocks = self.rows.reshape(outputs, -1, 34)
            scales, q = blocks[..., :2].copy().view(np.float16), blocks[..., 2:].view(np.int8)
            zeros = np.zeros(scales.shape[:2], np.int8)
        elif self.format.startswith('u4g'):
            nibbles = self.rows.reshape(outputs, -1, 1)
            q = np.concatenate([nibbles & 15, nibbles >> 4], axis=2).reshape(outputs, -1)
            groups = self.zeros.size // outputs
            kind = np.float32 if self.format.endswith('_f32') else np.float16
            scales, zeros = self.scales.view(kind), self.zeros.reshape(outputs, groups)
            q = q.reshape(outputs, groups, -1)
        elif self.format == 'i8':
            scales, q = self.scales.view(np.float32), self.rows.view(np.int8)
            zeros = np.zeros((outputs, 1), np.int8)
        else:
            return None
        scales = scales.astype(np.float32).reshape(zeros.shape)
        return np.ascontiguousarray(q.reshape(*zeros.shape, -1)), scales, zeros


class Stage:
    """act(x W + b), times (x Wup + bup) where gated."""

    def __init__(self, words, weights, bytes_):
        inputs, outputs, bias, gated = (int(next(words)) for _ in range(4))
        form, own = next(words), [int(next(words)) for _ in range(3)]
        self.activation, self.beta = next(words), float(next(words))
        self.inputs, self.outputs = inputs, outputs

        def matrix():
            return Matrix(weights.take(inputs * outputs).reshape(outputs, inputs),
                          weights.take(outputs) if bias else None,
                          (form, *(bytes_.take(n) for n in (own[0] * outputs, *own[1:]))))

        self.first = matrix()
        self.up = matrix() if gated else None


class Raw:
    """A raw file, taken bit by bit."""

    def __init__(self, path, kind):
        self.values, self.at = np.fromfile(path, dtype=kind), 0

    def take(self, count):
        self.at += count
        return self.values[self.at - count:self.at]


def nibbles_of(matrix):
    """B, scales and zero points of MatMulNBits; the last are left out where all are 8."""
    scaled = matrix.scaled()
    if not scaled or scaled[0].dtype != np.uint8:
        raise ValueError(f'product of {matrix.format}')
    q, scales, zeros = scaled
    odd = np.pad(zeros, ((0, 0), (0, zeros.shape[1] % 2)))
    points = [] if (zeros == 8).all() else [odd[:, ::2] | odd[:, 1::2] << 4]
    return [q[..., ::2] | q[..., 1::2] << 4, scales, *points]


class OnnxRuntime:
    accuracy_level = 0  # of MatMulNBits; 0: x stays as it is

    def __init__(self):
        import onnx
        import onnxruntime
        self.onnx, self.ort = onnx, onnxruntime
        self.version = f'{onnxruntime.__version__}; I/O binding'

    def model(self, stages):
        h, np_helper = self.onnx.helper, self.onnx.numpy_helper
        nodes, constants = [], []

        def constant(value):
            name = f'c{len(constants)}'
            constants.append(np_helper.from_array(np.ascontiguousarray(value), name))
            return name

        def node(op, *inputs, **attributes):
            name = f'n{len(nodes)}'
            nodes.append(h.make_node(op, list(inputs), [name], **attributes))
            return name

        def linear(x, matrix):
            bias = [] if matrix.bias is None else [constant(matrix.bias)]
            if matrix.rows.size == 0:
                return node('Gemm', x, constant(matrix.weight.T), *bias)
            y = self.product(node, constant, x, matrix)
            return node('Add', y, *bias) if bias else y

        def act(s, v):
            if s.activation in ('relu', 'sigmoid', 'tanh', 'mish'):
                return node(s.activation.capitalize(), v)
            if s.activation in ('gelu', 'gelu_tanh'):
                return node('Gelu', v, approximate='tanh' if s.activation == 'gelu_tanh' else 'none')
            if s.activation == 'silu':
                return node('Mul', v, node('Sigmoid', v))
            return v if s.activation == 'identity' else unknown(s)

        x = 'x'
        for s in stages:
            up = linear(x, s.up) if s.up else None
            x = act(s, linear(x, s.first))
            x = node('Mul', x, up) if up else x

        def shape(name, columns):
            return h.make_tensor_value_info(name, self.onnx.TensorProto.FLOAT, ['tokens', columns])

        graph = h.make_graph(nodes, 'layer', [shape('x', stages[0].inputs)],
                             [shape(x, stages[-1].outputs)], constants)
        opsets = [h.make_opsetid('', 20), h.make_opsetid('com.microsoft', 1)]
        model = h.make_model(graph, opset_imports=opsets, ir_version=9)
        return model.SerializeToString(), x

    def product(self, node, constant, x, matrix):
        """x times a matrix that is not of floats."""
        outputs, inputs = matrix.weight.shape
        parts = nibbles_of(matrix)
        return node('MatMulNBits', x, *(constant(part) for part in parts), domain='com.microsoft',
                    K=inputs, N=outputs, bits=4, block_size=2 * parts[0].shape[2],
                    accuracy_level=self.accuracy_level)

    def compile(self, stages, copies, threads):
        options = self.ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        model, self.output = self.model(stages)
        self.sessions = [self.ort.InferenceSession(model, options, ['CPUExecutionProvider'])
                         for _ in range(copies)]

    def bind(self, x, y):
        self.bindings = []
        for session in self.sessions:
            binding = session.io_binding()
            for add, name, a in ((binding.bind_input, 'x', x), (binding.bind_output, self.output, y)):
                add(name, 'cpu', 0, np.float32, a.shape, a.ctypes.data)
            self.bindings.append(binding)

    def call(self, copy):
        self.sessions[copy].run_with_iobinding(self.bindings[copy])


class OpenVino:
    group = 0  # how many inputs are rounded to bytes together; 0: x stays as it is

    def __init__(self):
        import openvino
        from openvino import opset13
        self.ov, self.ops, self.core = openvino, opset13, openvino.Core()
        self.version = f'{openvino.__version__.split("-")[0]}; latency hint, f32'

    def model(self, stages):
        ops = self.ops

        def decompressed(matrix):
            """A constant of few bits, as its own compressed models have it."""
            scaled = matrix.scaled()
            if not scaled:
                raise ValueError(f'product of {matrix.format}')
            q, scales, zeros = scaled
            kind = self.ov.Type.u4 if q.dtype == np.uint8 else self.ov.Type.i8
            packed = q if q.dtype == np.int8 else q[..., ::2] | q[..., 1::2] << 4
            tensor = self.ov.Tensor(packed, self.ov.Shape(q.shape), kind)
            w = ops.convert(ops.constant(tensor, shared_memory=False), np.float32)
            if (zeros != 0).any():
                zeros = np.ascontiguousarray(zeros[..., None])
                w = ops.subtract(w, ops.convert(ops.constant(zeros), np.float32))
            w = ops.multiply(w, ops.constant(scales[..., None]))
            return ops.reshape(w, np.array(matrix.weight.shape), False)

        def linear(x, matrix):
            weight = decompressed(matrix) if matrix.rows.size else ops.constant(matrix.weight.copy())
            y = ops.matmul(x, weight, False, True)
            return y if matrix.bias is None else ops.add(y, ops.constant(matrix.bias[None].copy()))

        def act(s, v):
            simple = {'relu': ops.relu, 'sigmoid': ops.sigmoid, 'tanh': ops.tanh, 'mish': ops.mish,
                      'silu': ops.swish, 'identity': lambda v: v,
                      'gelu': lambda v: ops.gelu(v, 'erf'),
                      'gelu_tanh': lambda v: ops.gelu(v, 'tanh')}
            return simple[s.activation](v) if s.activation in simple else unknown(s)

        x = first = ops.parameter([-1, stages[0].inputs], np.float32)
        for s in stages:
            up = linear(x, s.up) if s.up else None
            x = act(s, linear(x, s.first))
            x = ops.multiply(x, up) if up else x
        return self.ov.Model([x], [first])

    def compile(self, stages, copies, threads):
        options = {'PERFORMANCE_HINT': 'LATENCY', 'INFERENCE_PRECISION_HINT': 'f32',
                   'INFERENCE_NUM_THREADS': threads, 'ENABLE_CPU_PINNING': False,
                   'DYNAMIC_QUANTIZATION_GROUP_SIZE': self.group}
        self.requests = [self.core.compile_model(self.model(stages), 'CPU', options)
                         .create_infer_request() for _ in range(copies)]

    def bind(self, x, y):
        for request in self.requests:
            request.set_input_tensor(self.ov.Tensor(x, shared_memory=True))
            request.set_output_tensor(self.ov.Tensor(y, shared_memory=True))

    def call(self, copy):
        self.requests[copy].infer()


class PyTorch:
    kind, formats = 'float32', ()

    def __init__(self):
        import torch
        self.torch = torch
        self.version = f'{torch.__version__}; eager, inference mode, {self.kind}'
        torch.inference_mode().__enter__()

    def compile(self, stages, copies, threads):
        torch, f = self.torch, self.torch.nn.functional
        acts = {'relu': f.relu, 'sigmoid': torch.sigmoid, 'tanh': torch.tanh, 'mish': f.mish,
                'silu': f.silu, 'identity': lambda v: v, 'gelu': f.gelu,
                'gelu_tanh': lambda v: f.gelu(v, approximate='tanh')}
        torch.set_num_threads(threads)

        def own(matrix):
            if matrix.rows.size and matrix.format not in self.formats:
                raise ValueError(f'product of {matrix.format}')
            return [None if m is None else torch.from_numpy(m.copy()).to(getattr(torch, self.kind))
                    for m in (matrix.weight, matrix.bias)]

        self.layers = [[(own(s.first), own(s.up) if s.up else None,
                         acts[s.activation] if s.activation in acts else unknown(s))
                        for s in stages] for _ in range(copies)]

    def bind(self, x, y):
        self.x, self.y = self.torch.from_numpy(x), self.torch.from_numpy(y)

    def call(self, copy):
        f, x = self.torch.nn.functional, self.x.to(getattr(self.torch, self.kind))
        for first, up, act in self.layers[copy]:
            h = act(f.linear(x, *first))
            x = h.mul_(f.linear(x, *up)) if up else h
        self.y = x

    def result(self):
        return self.y.float().numpy()


class PyTorchBf16(PyTorch):
    """Weights, x and what lies between stages in bf16."""
    kind, formats = 'bfloat16', ('bf16',)

    def compile(self, stages, copies, threads):
        if any(s.first.format != 'bf16' for s in stages):
            raise ValueError('weights of bf16 alone')
        super().compile(stages, copies, threads)


class Ggml:
    """Its types, by its own CPU kernels: they round x to 8 bits, or to what its weights are."""

    def __init__(self):
        import ctypes

        import ggml
        self.ctypes, self.g = ctypes, ggml
        self.version = f'ggml-python {ggml.__version__}; no repacking, rounds x'

    def compile(self, stages, copies, threads):
        g = self.g
        self.backend = g.ggml_backend_cpu_init()
        g.ggml_backend_cpu_set_n_threads(self.backend, threads)
        self.stages, self.kept = stages, []
        self.weights = [self.own(stages) for _ in range(copies)]

    def context(self, tensors):
        g = self.g
        size = g.ggml_tensor_overhead() * tensors + g.ggml_graph_overhead()
        return g.ggml_init(g.ggml_init_params(mem_size=size, mem_buffer=None, no_alloc=True))

    def own(self, stages):
        g, kinds = self.g, {'q4_0': 'Q4_0', 'q8_0': 'Q8_0', 'q4_K': 'Q4_K', 'q5_K': 'Q5_K',
                            'q6_K': 'Q6_K', 'f16': 'F16'}
        context, tensors = self.context(4 * len(stages)), []

        def tensor(matrix):
            if matrix.format not in kinds:
                raise ValueError(f'product of {matrix.format}')
            if matrix.bias is not None:
                raise ValueError('no biases here')
            kind = getattr(g, 'GGML_TYPE_' + kinds[matrix.format])
            data = matrix.rows if matrix.rows.size else matrix.weight
            t = g.ggml_new_tensor_2d(context, kind, *reversed(matrix.weight.shape))
            tensors.append((t, np.ascontiguousarray(data)))
            return t

        result = [(tensor(s.first), tensor(s.up) if s.up else None) for s in stages]
        self.kept.append(g.ggml_backend_alloc_ctx_tensors(context, self.backend))
        for t, data in tensors:
            g.ggml_backend_tensor_set(t, data.ctypes.data_as(self.ctypes.c_void_p), 0, data.nbytes)
        return result

    def bind(self, x, y):
        g = self.g
        acts = {'silu': g.ggml_silu, 'relu': g.ggml_relu, 'identity': lambda c, v: v}
        self.x, self.y, self.graphs = x, y, []
        for weights in self.weights:
            context = self.context(8 * len(weights) + 8)
            first = v = g.ggml_new_tensor_2d(context, g.GGML_TYPE_F32, x.shape[1], x.shape[0])
            for s, (gate, up) in zip(self.stages, weights):
                if s.activation not in acts:
                    unknown(s)
                h = acts[s.activation](context, g.ggml_mul_mat(context, gate, v))
                v = g.ggml_mul(context, h, g.ggml_mul_mat(context, up, v)) if up else h
            graph = g.ggml_new_graph(context)
            g.ggml_build_forward_expand(graph, v)
            self.kept.append(g.ggml_backend_alloc_ctx_tensors(context, self.backend))
            self.graphs.append((graph, first, v))

    def call(self, copy):
        g, (graph, first, last) = self.g, self.graphs[copy]
        g.ggml_backend_tensor_set(first, self.x.ctypes.data_as(self.ctypes.c_void_p), 0,
                                  self.x.nbytes)
        g.ggml_backend_graph_compute(self.backend, graph)
        g.ggml_backend_tensor_get(last, self.y.ctypes.data_as(self.ctypes.c_void_p), 0,
                                  self.y.nbytes)


def unknown(stage):
    raise ValueError(f'no activation {stage.activation}')


def running_threads():
    states = []
    for stat in glob.glob('/proc/self/task/*/stat'):
        with contextlib.suppress(OSError):  # a thread may end meanwhile
            with open(stat) as file:
                states.append(file.read().rpartition(')')[2].split()[0])
    return states.count('R')


def settle():
    """Waits until the package's own threads have stopped spinning."""
    deadline = time.monotonic() + 0.5
    while running_threads() > 1 and time.monotonic() < deadline:
        time.sleep(100e-6)


ALL_CPUS = sorted(os.sched_getaffinity(0))


def keep_to(cpus):
    """Keeps all threads to so many CPUs: some builds of PyTorch start more than they are told."""
    for task in os.listdir('/proc/self/task'):
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(int(task), ALL_CPUS[:cpus])


class Server:
    def __init__(self, package):
        self.package = package

    def open(self, copies, stem, count, *words):
        words, weights = iter(words), Raw(f'{stem}_weights.raw', np.float32)
        own = Raw(f'{stem}_own.raw', np.uint8)
        self.stem, self.copies = stem, int(copies)
        self.stages = [Stage(words, weights, own) for _ in range(int(count))]
        self.threads = None

    def shape(self, tokens, threads):
        if self.threads != int(threads):
            self.forget()
            keep_to(int(threads))
            self.package.compile(self.stages, self.copies, int(threads))
        self.threads = int(threads)
        self.x = np.zeros((int(tokens), self.stages[0].inputs), np.float32)
        self.y = np.zeros((int(tokens), self.stages[-1].outputs), np.float32)
        self.package.bind(self.x, self.y)

    def run(self, copy):
        self.x[:] = np.fromfile(f'{self.stem}_x.raw', np.float32).reshape(self.x.shape)
        self.package.call(int(copy))
        result = getattr(self.package, 'result', lambda: self.y)()
        result.tofile(f'{self.stem}_y.raw')
        settle()

    def time(self, copy, cold, calls):
        call, copies = self.package.call, self.copies
        order = [(int(copy) + i * int(cold)) % copies for i in range(int(calls))]
        begin = time.perf_counter()
        for one in order:
            call(one)
        seconds = time.perf_counter() - begin
        settle()
        return repr(seconds)

    def forget(self):
        """What was compiled goes, before anything else takes as much memory."""
        self.package = type(self.package)()

    def close(self):
        self.stages = self.x = self.y = None
        self.forget()


def answers():
    """Where answers go. Whatever libraries print, or who they start when they abort, is none."""
    out = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out


def main():
    kinds = {'onnxruntime': OnnxRuntime, 'openvino': OpenVino, 'pytorch': PyTorch,
             'torch_bf16': PyTorchBf16, 'ggml': Ggml}
    out = answers()
    try:
        server = Server(kinds[sys.argv[1]]())
    except ImportError:
        return
    print('ok', server.package.version, file=out, flush=True)
    for line in sys.stdin:
        word, *rest = line.split()
        try:
            answer = getattr(server, word)(*rest)
            print('ok', answer or '', file=out, flush=True)
        except Exception as problem:  # told to the benchmark, which goes on without
            print('no', ' '.join(str(problem).split())[:200], file=out, flush=True)


if __name__ == '__main__':
    main()
