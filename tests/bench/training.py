"""A layer in training by PyTorch's autograd, for the benchmark; training_python.c is at the other
end: one answer per line of standard input. Times are taken here, around the calls alone."""
import sys
import time

try:
    import numpy as np
    import torch
except ImportError:
    sys.exit(0)  # no answer: skipped
from peers import Raw, answers, keep_to, settle

ACTIVATIONS = {'silu': torch.nn.functional.silu,
               'gelu_tanh': lambda v: torch.nn.functional.gelu(v, approximate='tanh')}


def timed(call):
    begin = time.perf_counter()
    call()
    seconds = time.perf_counter() - begin
    settle()
    return repr(seconds)


class Layer:
    def open(self, threads, activation, *sizes):
        gated, bias, tokens, inputs, hidden, outputs = map(int, sizes)
        file = Raw('build/bench/training_layer.raw', np.float32)
        keep_to(int(threads))
        torch.set_num_threads(int(threads))

        def tensor(*shape):
            return torch.from_numpy(file.take(int(np.prod(shape))).reshape(shape).copy())

        def matrix(columns, rows):
            return [tensor(rows, columns).requires_grad_()] + (
                [tensor(rows).requires_grad_()] if bias else [])

        self.activation = ACTIVATIONS[activation]
        self.x, self.dy = tensor(tokens, inputs).requires_grad_(), tensor(tokens, outputs)
        self.gate = matrix(inputs, hidden) if gated else []
        self.up, self.down = matrix(inputs, hidden), matrix(hidden, outputs)
        self.y = self.found = None

    def run(self):
        linear, self.y = torch.nn.functional.linear, None  # the last step's tensors are free
        up = linear(self.x, *self.up)
        h = (self.activation(linear(self.x, *self.gate)) * up if self.gate
             else self.activation(up))
        self.y = linear(h, *self.down)

    def differentiate(self):
        wanted, self.found = [self.x, *self.gate, *self.up, *self.down], None
        self.found = torch.autograd.grad(self.y, wanted, self.dy, retain_graph=True)

    def forward(self):
        return timed(self.run)

    def gradients(self):
        return timed(self.differentiate)

    def answer(self):
        with open('build/bench/training_answer.raw', 'wb') as file:
            for found in (self.y.detach(), *self.found):
                found.numpy().tofile(file)


def main():
    out = answers()
    layer = Layer()
    print('ok', f'{torch.__version__}; eager, autograd', file=out, flush=True)
    for line in sys.stdin:
        word, *rest = line.split()
        try:
            print('ok', getattr(layer, word)(*rest) or '', file=out, flush=True)
        except Exception as problem:  # told to the benchmark
            print('no', ' '.join(str(problem).split())[:200], file=out, flush=True)


main()
