"""A layer by a Python package, for the benchmark: peers.py onnxruntime|openvino|pytorch

One answer per line of standard input; peer_python.c is at the other end. Weights, x and y are raw
f32 files FOLDER/PACKAGE_{weights,x,y}.raw. Times are taken here, around the calls alone.
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


class Stage:
    """act(x W + b), times (x Wup + bup) where gated; matrices are [inputs][outputs] views."""

    def __init__(self, words, weights):
        inputs, outputs, bias, gated = (int(next(words)) for _ in range(4))
        self.activation, self.beta = next(words), float(next(words))
        self.inputs, self.outputs = inputs, outputs

        def matrix():
            return (weights.take(inputs * outputs).reshape(outputs, inputs),
                    weights.take(outputs) if bias else None)

        self.first = matrix()
        self.up = matrix() if gated else None


class Floats:
    """A raw file, taken bit by bit."""

    def __init__(self, path):
        self.values, self.at = np.fromfile(path, dtype=np.float32), 0

    def take(self, count):
        self.at += count
        return self.values[self.at - count:self.at]


class OnnxRuntime:
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
            constants.append(np_helper.from_array(np.ascontiguousarray(value, np.float32), name))
            return name

        def node(op, *inputs, **attributes):
            name = f'n{len(nodes)}'
            nodes.append(h.make_node(op, list(inputs), [name], **attributes))
            return name

        def linear(x, matrix):
            inputs = [x, constant(matrix[0].T)] + ([constant(matrix[1])] if matrix[1] is not None else [])
            return node('Gemm', *inputs)

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
        model = h.make_model(graph, opset_imports=[h.make_opsetid('', 20)], ir_version=9)
        return model.SerializeToString(), x

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
    def __init__(self):
        import openvino
        from openvino import opset13
        self.ov, self.ops, self.core = openvino, opset13, openvino.Core()
        self.version = f'{openvino.__version__.split("-")[0]}; latency hint, f32'

    def model(self, stages):
        ops = self.ops

        def linear(x, matrix):
            weight = ops.constant(np.array(matrix[0]))
            y = ops.matmul(x, weight, False, True)
            return y if matrix[1] is None else ops.add(y, ops.constant(np.array(matrix[1])[None]))

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
                   'INFERENCE_NUM_THREADS': threads, 'ENABLE_CPU_PINNING': False}
        self.requests = [self.core.compile_model(self.model(stages), 'CPU', options)
                         .create_infer_request() for _ in range(copies)]

    def bind(self, x, y):
        for request in self.requests:
            request.set_input_tensor(self.ov.Tensor(x, shared_memory=True))
            request.set_output_tensor(self.ov.Tensor(y, shared_memory=True))

    def call(self, copy):
        self.requests[copy].infer()


class PyTorch:
    def __init__(self):
        import torch
        self.torch = torch
        self.version = f'{torch.__version__}; eager, inference mode'
        torch.inference_mode().__enter__()

    def compile(self, stages, copies, threads):
        torch, f = self.torch, self.torch.nn.functional
        acts = {'relu': f.relu, 'sigmoid': torch.sigmoid, 'tanh': torch.tanh, 'mish': f.mish,
                'silu': f.silu, 'identity': lambda v: v, 'gelu': f.gelu,
                'gelu_tanh': lambda v: f.gelu(v, approximate='tanh')}
        torch.set_num_threads(threads)

        def own(matrix):
            return [None if m is None else torch.from_numpy(m.copy()) for m in matrix]

        self.layers = [[(own(s.first), own(s.up) if s.up else None,
                         acts[s.activation] if s.activation in acts else unknown(s))
                        for s in stages] for _ in range(copies)]

    def bind(self, x, y):
        self.x, self.y = self.torch.from_numpy(x), self.torch.from_numpy(y)

    def call(self, copy):
        f, x = self.torch.nn.functional, self.x
        for first, up, act in self.layers[copy]:
            h = act(f.linear(x, *first))
            x = h.mul_(f.linear(x, *up)) if up else h
        self.y = x

    def result(self):
        return self.y.numpy()


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
        words, weights = iter(words), Floats(f'{stem}_weights.raw')
        self.stem, self.copies = stem, int(copies)
        self.stages = [Stage(words, weights) for _ in range(int(count))]
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


def main():
    kinds = {'onnxruntime': OnnxRuntime, 'openvino': OpenVino, 'pytorch': PyTorch}
    out, sys.stdout = sys.stdout, sys.stderr
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
