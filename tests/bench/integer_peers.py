"""Who multiplies bytes, for integers.py: ffngen's kernels in dot_s8, and packages that round x to
bytes. All get the same numbers, scales and zeros. A package may have several ways to do it."""
import peers


class Ffngen:
    name, formats, ways, noise = 'ffngen', ('i8', 'u4g32', 'u4g128'), ('dot_s8',), 0.05

    def __init__(self, way):
        import ffn
        self.ffn, self.way = ffn, way
        self.version = ffn.__version__

    def compile(self, stages, copies, threads):
        gated, down = stages
        format = down.first.format
        layer = self.ffn.load(f"ffn 'layer' {{ variant = 'swiglu', d_model = {gated.inputs}, "
                              f"d_ff = {gated.outputs}, weights = '{format}', "
                              f"arithmetic = '{self.way}' }}", threads=threads)['layer']
        weights = {}
        for name, matrix in ('gate', gated.first), ('up', gated.up), ('down', down.first):
            weights[f'{name}.weight'], weights[f'{name}.scales'] = matrix.rows, matrix.scales
            if format != 'i8':
                weights[f'{name}.zeros'] = matrix.zeros
        self.layers = [layer.pack(weights) for _ in range(copies)]

    def bind(self, x, y):
        self.x, self.y = x, y

    def call(self, copy):
        self.layers[copy](self.x, out=self.y)


class OnnxNibbles(peers.OnnxRuntime):
    """MatMulNBits rounds x in the groups of the weights."""
    name, formats, ways, noise = 'onnxruntime', ('u4g32', 'u4g128'), (4,), 0.05

    def __init__(self, way):
        super().__init__()
        self.accuracy_level = way


class OnnxBytes(peers.OnnxRuntime):
    """DynamicQuantizeMatMul rounds all of x with one scale."""
    name, formats, ways, noise = 'onnxruntime', ('i8',), (None,), 0.15

    def __init__(self, way):
        super().__init__()

    def product(self, node, constant, x, matrix):
        return node('DynamicQuantizeMatMul', x, constant(matrix.rows.T), constant(matrix.scales),
                    constant(matrix.zeros), domain='com.microsoft')


class OpenVino(peers.OpenVino):
    """Dynamic quantisation of compressed weights. The ways are how many x have one scale."""
    name, formats, ways, noise = 'openvino', ('i8', 'u4g32', 'u4g128'), (32, 128, 256), 0.05

    def __init__(self, way):
        super().__init__()
        self.group = way


class Torch(peers.PyTorch):
    """torch.ao's dynamic Linear, as quantize_dynamic() makes it: all of x has one scale, and 7 bits
    of the 8. The ways are its engines."""
    name, formats, ways, noise = 'pytorch', ('i8',), ('x86', 'fbgemm', 'onednn', 'qnnpack'), 0.15

    def __init__(self, way):
        super().__init__()
        self.way = way

    def linear(self, matrix):
        torch = self.torch
        outputs, inputs = matrix.weight.shape
        weight = torch._make_per_channel_quantized_tensor(
            torch.from_numpy(matrix.rows), torch.from_numpy(matrix.scales).double(),
            torch.zeros(outputs, dtype=torch.long), 0)
        linear = torch.ao.nn.quantized.dynamic.Linear(inputs, outputs, bias_=False)
        linear.set_weight_bias(weight, None)
        return linear

    def compile(self, stages, copies, threads):
        self.torch.set_num_threads(threads)
        self.torch.backends.quantized.engine = self.way
        gated, down = stages
        self.layers = [tuple(self.linear(m) for m in (gated.first, gated.up, down.first))
                       for _ in range(copies)]

    def call(self, copy):
        gate, up, down = self.layers[copy]
        self.y = down(self.torch.nn.functional.silu(gate(self.x)).mul_(up(self.x)))


ALL = (Ffngen, OnnxNibbles, OnnxBytes, OpenVino, Torch)
