"""Whether the floats that packed layers multiply with are those that the gguf package reads.

    values.py FOLDER FILE...

FOLDER has values.txt, a line for each matrix: its inputs, and tensor, first row and rows of the
weight and of the bias; and values.bin, floats in the same order. FILE... are the model's. Values
must be equal as numbers, but for what the package rounds twice: the float beside it.
"""
import pathlib
import sys

import gguf
import numpy as np


def main():
    folder = pathlib.Path(sys.argv[1])
    tensors = {}
    for path in sys.argv[2:]:
        for t in gguf.GGUFReader(path).tensors:
            with np.errstate(all="ignore"):
                values = gguf.dequantize(t.data, t.tensor_type).astype(np.float32)
            tensors[t.name] = values, [int(n) for n in t.shape]
    own = np.fromfile(folder / "values.bin", "<f4")
    at = beside = 0
    for line in (folder / "values.txt").read_text().splitlines():
        if line.startswith("layer"):
            continue
        words = line.split()
        for width, (name, first, rows) in ((int(words[0]), words[1:4]), (1, words[4:7])):
            if name == "-":
                continue
            rows = int(rows)
            should = tensors[name][0].reshape(-1, width)[int(first):int(first) + rows].reshape(-1)
            got = own[at:at + should.size]
            at += should.size
            assert got.size == should.size, name
            other = got != should
            beside += int(other.sum())
            near = (got == np.nextafter(should, np.float32(np.inf))) | (
                got == np.nextafter(should, np.float32(-np.inf)))
            assert np.all(near[other]), f"{name}: {got[other & ~near][:4]}"
    assert at == own.size and at > 0
    print(f"{folder.name}: {at} floats, {beside} of them beside those that are rounded twice")


main()
