"""A step of training an FFN of GPT-2's size, by ffngen and by PyTorch, in turns: forward, gradients
of everything, plain SGD. step.py STEP.so THREADS TURNS; step.sh makes STEP.so."""
import ctypes
import statistics
import sys
import time

import numpy as np
import torch

D, F, TOKENS, RATE = 768, 3072, 512, 0.1

library, threads, turns = ctypes.CDLL(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
pointer = ctypes.POINTER(ctypes.c_float)
library.step_open.restype = ctypes.c_size_t
library.step_open.argtypes = [pointer, ctypes.c_size_t, ctypes.c_size_t]
torch.set_num_threads(threads)


class Arrays(ctypes.Structure):
    _fields_ = [(name, pointer) for name in ('weights', 'gradients', 'x', 'dx', 'y', 'dy')]


library.step_take.argtypes = [ctypes.POINTER(Arrays), ctypes.c_float]


def at(array):
    return array.ctypes.data_as(pointer)


def theirs(model, x, dy):
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)

    def step():
        optimizer.zero_grad(set_to_none=True)
        x.grad = None
        model(x).backward(dy)
        optimizer.step()
    return step


torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(D, F), torch.nn.GELU(approximate='tanh'),
                            torch.nn.Linear(F, D))
x, dy = torch.randn(TOKENS, D, requires_grad=True), torch.randn(TOKENS, D) / TOKENS
weights = np.concatenate([p.detach().numpy().ravel() for p in model.parameters()])
arrays = {'weights': weights, 'gradients': np.zeros_like(weights),
          'x': x.detach().numpy(), 'dx': np.zeros((TOKENS, D), np.float32),
          'y': np.zeros((TOKENS, D), np.float32), 'dy': dy.numpy()}
if library.step_open(at(weights), TOKENS, threads) != weights.size:
    sys.exit('step: no kernel for this CPU, or no memory')
pointers = Arrays(**{name: at(array) for name, array in arrays.items()})
subjects = {'ffngen': lambda: library.step_take(pointers, RATE), 'PyTorch': theirs(model, x, dy)}

times = {name: [] for name in subjects}
for turn in range(-1, turns):  # the first is for warming up
    for name, step in subjects.items():
        began = time.perf_counter()
        step()
        if turn >= 0:
            times[name].append(time.perf_counter() - began)

# Both have gone the same way.
learned = np.concatenate([p.detach().numpy().ravel() for p in model.parameters()])
apart = np.max([np.abs(learned - weights).max(), np.abs(x.grad.numpy() - arrays['dx']).max()])
if not apart < 1e-4:
    sys.exit(f'step: what was learned is {apart} apart')

flop = 3 * 4 * D * F * TOKENS
print(f'a step of training: {D} -> {F} -> {D}, gelu (tanh), biases, {TOKENS} tokens, '
      f'{threads} thread{"s" if threads > 1 else ""}, median of {turns} turns')
for name in subjects:
    seconds = statistics.median(times[name])
    version = torch.__version__ if name == 'PyTorch' else ''
    print(f'  {name} {version:10}{1e3 * seconds:9.2f} ms {1e-9 * flop / seconds:8.1f} GFLOP/s')
ratios = [b / a for a, b in zip(times['ffngen'], times['PyTorch'])]
print(f'  PyTorch / ffngen: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})')
