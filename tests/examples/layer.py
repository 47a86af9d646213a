"""A SwiGLU layer from Python, compared with numpy in double:
ffngen generate my.lua --out kernels/
cc -O2 -shared -fPIC -DFFN_NO_MAIN kernels/*.c -lm -o libkernels.so
python3 layer.py ./libkernels.so 512 1365"""
import sys
from ctypes import CDLL, CFUNCTYPE, POINTER, Structure, byref
from ctypes import c_char_p, c_float, c_int, c_size_t, c_uint64, c_void_p

import numpy as np


class Weights(Structure):  # ffn_weights: the weight and the bias of each matrix
    _fields_ = [(m, c_void_p) for m in ("gate", "gb", "up", "ub", "down", "db", "chain")]
    _fields_ += [("beta", c_float)]


class Kernel(Structure):  # ffn_kernel
    _fields_ = [("name", c_char_p), ("layer", c_char_p), ("enums", c_int * 4)]
    _fields_ += [("sizes", c_size_t * 3), ("bias", c_int), ("runtime_beta", c_int)]
    _fields_ += [("stage_count", c_size_t), ("stages", c_void_p), ("packed_bytes", c_size_t)]
    _fields_ += [("work_bytes", c_size_t), ("flop_per_token", c_uint64)]
    _fields_ += [("pack", CFUNCTYPE(None, c_void_p, POINTER(Weights))), ("unpack", c_void_p)]
    _rows = (c_void_p, c_size_t)
    _fields_ += [("run", CFUNCTYPE(None, *_rows, *_rows, c_size_t, c_void_p, c_void_p, c_void_p))]


lib, d, f = CDLL(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
lib.ffn_find_layer.restype = POINTER(Kernel)
lib.ffn_alloc.restype, lib.ffn_alloc.argtypes = c_void_p, [c_size_t]
lib.ffn_free.argtypes = [c_void_p]
kernel = lib.ffn_find_layer(f"ffn_swiglu_d{d}_f{f}_f32".encode(), lib.ffn_cpu()).contents

rng = np.random.default_rng(1)
gate, up, down, x = (rng.standard_normal(s, np.float32) for s in ((f, d), (f, d), (d, f), (7, d)))
y = np.empty_like(x)
packed, work = lib.ffn_alloc(kernel.packed_bytes), lib.ffn_alloc(kernel.work_bytes)
weights = Weights(gate=gate.ctypes.data, up=up.ctypes.data, down=down.ctypes.data)
kernel.pack(packed, byref(weights))
kernel.run(y.ctypes.data, d, x.ctypes.data, d, len(x), packed, work, None)
lib.ffn_free(packed), lib.ffn_free(work)

g, u = (x.astype(float) @ w.T.astype(float) for w in (gate, up))
exact = (g / (1 + np.exp(-g)) * u) @ down.T.astype(float)
error = np.abs(y - exact).max() / np.abs(exact).max()
print(f"{kernel.name.decode()} from Python: largest error {error:.1e} of the largest output")
sys.exit(0 if error < 1e-6 else 1)
