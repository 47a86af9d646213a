"""FFNs of compressed weights by ffngen's kernels in dot_s8, beside packages that round x to bytes,
too. integers.sh starts it. All are called in this process, on one CPU, in turns.

    integers.py usual|small ROUNDS [FORMAT...]     prints rows of the page's table

A number says how many times as long as ffngen's kernel a package takes, in processor time.
"""
import math
import statistics
import sys
import time
import warnings

import numpy as np

import integer_peers
import peers

FORMATS = ('i8', 'u4g32', 'u4g128')
SIZES = {'usual': ((1024, 2816), (1, 4, 16, 96, 256)), 'small': ((256, 384), (1, 5))}
PASSES, TURN = 3, 0.004  # how often all is measured; the seconds of a turn
MOST_COPIES = 32  # of the weights of a layer that is too small to be cold
FLOATS = 1e-4  # who rounds x to 8 bits is further off


class Stage:
    """As peers.Stage, of numbers that are at hand."""

    def __init__(self, activation, first, up=None):
        self.activation, self.first, self.up = activation, first, up
        self.outputs, self.inputs = first.weight.shape


def matrix(rng, format, outputs, inputs):
    """Random weights, in size 1 / sqrt(inputs), as a format holds them; no bias."""
    weight = rng.standard_normal((outputs, inputs), np.float32) / np.float32(math.sqrt(inputs))
    if format == 'i8':
        scales = np.abs(weight).max(axis=1) / np.float32(127)
        zeros = np.zeros(outputs, np.int8)
        rows = np.rint(weight / scales[:, None]).astype(np.int8)
        value = rows * scales[:, None].astype(np.float64)
    else:
        groups = weight.reshape(outputs, -1, int(format[3:]))
        least, most = groups.min(axis=2), groups.max(axis=2)
        scales = ((most - least) / 15).astype(np.float16)
        zeros = np.rint(-least / scales).clip(0, 15).astype(np.uint8)
        q = (np.rint(groups / scales[..., None]) + zeros[..., None]).clip(0, 15).astype(np.uint8)
        value = (q - zeros[..., None].astype(np.float64)) * scales[..., None]
        q = q.reshape(outputs, inputs)
        rows = q[:, ::2] | q[:, 1::2] << 4
    return peers.Matrix(value.reshape(outputs, inputs), None, (format, rows, scales, zeros))


def layer(rng, format, d_model, d_ff):
    """y = down(silu(gate(x)) * up(x))"""
    gate, up = (matrix(rng, format, d_ff, d_model) for _ in range(2))
    return [Stage('silu', gate, up), Stage('identity', matrix(rng, format, d_model, d_ff))]


def exact(stages, x):
    """In double, of the numbers that the weights stand for."""
    gated, down = stages
    h = x @ gated.first.weight.T
    return (h / (1 + np.exp(-h)) * (x @ gated.up.weight.T)) @ down.first.weight.T


def bytes_of(stages):
    matrices = [m for stage in stages for m in (stage.first, stage.up) if m]
    return sum(part.nbytes for m in matrices for part in (m.rows, m.scales, m.zeros))


def last_cache():
    """Bytes of the last-level cache; where the system does not tell, as many as is common."""
    try:
        with open('/sys/devices/system/cpu/cpu0/cache/index3/size') as file:
            return int(file.read().rstrip('K\n')) * 1024
    except OSError:
        return 32 * 2 ** 20


def cold_copies(stages):
    """So many that weights come from memory when their turn comes again."""
    return min(MOST_COPIES, math.ceil(2.5 * last_cache() / bytes_of(stages)))


def seconds(package, calls, first, copies):
    """Of a call; the time that all threads of this process compute."""
    began = time.process_time()
    for i in range(first, first + calls):
        package.call(i % copies)
    return (time.process_time() - began) / calls


class Subject:
    """A package in its fastest way for so many tokens, and how wrong its answer is."""

    def __init__(self, kind, stages, x, copies):
        self.name, self.copies, self.next = kind.name, copies, 0
        self.y = np.zeros((len(x), stages[-1].outputs), np.float32)
        found = [self.tried(kind(way), way, stages, x) for way in kind.ways]
        shortest, self.package = min(found, key=lambda one: one[0])
        if shortest == math.inf:
            sys.exit(f'integers: {self.name} has no way to do this')
        self.package.compile(stages, copies, 1)
        self.package.bind(x, self.y)
        for copy in range(copies):  # a copy may be made ready at its first call
            self.package.call(copy)
        y, right = getattr(self.package, 'result', lambda: self.y)(), exact(stages, x)
        self.error = math.sqrt(np.square(y - right).mean() / np.square(right).mean())
        if not self.error <= kind.noise:
            sys.exit(f'integers: {self.name} is {self.error:.2g} off, of {kind.noise} allowed')
        self.calls = max(1, math.ceil(TURN / self.turn(1)))

    def tried(self, package, way, stages, x):
        """The seconds of a way, which are infinite where the package refuses it."""
        try:
            package.compile(stages, 1, 1)
            package.bind(x, self.y)
            return min(seconds(package, 1, 0, 1) for _ in range(5)), package
        except RuntimeError as why:
            text = ' '.join(str(why).split())[:200]
            print(f'integers: {self.name}, {way}: {text}', file=sys.stderr)
            return math.inf, package

    def turn(self, calls):
        self.next += calls
        return seconds(self.package, calls, self.next - calls, self.copies)


def order(count, turn):
    """Another subject begins each turn; every other turn goes backwards."""
    places = [(turn + i) % count for i in range(count)]
    return places[::-1] if turn % 2 else places


def measured(subjects, rounds):
    """The median ratio of each subject's time to the first one's, for each pass."""
    passes = []
    for number in range(PASSES):
        ratios = []
        for turn in range(number, number + rounds):
            times = {i: subjects[i].turn(subjects[i].calls) for i in order(len(subjects), turn)}
            ratios.append([times[i] / times[0] for i in range(len(subjects))])
        passes.append([statistics.median(column) for column in zip(*ratios)])
    return list(zip(*passes))


def cell(passes):
    """The median of passes, marked where they do not agree who is faster."""
    mark = ' ~' if min(passes) < 1 < max(passes) else ''
    return f'{statistics.median(passes):.2f}{mark}'


def row(format, name, cells, error, own_error):
    """Of the page's table. A package that sums floats is marked: it does other work."""
    mark = '' if error > FLOATS else '*'
    return (f'| {format} | {name}{mark} | {" | ".join(cells)} | '
            f'{100 * error:.1f} / {100 * own_error:.1f} |')


def head(tokens):
    return [f'| format | library | {" | ".join(map(str, tokens))} | error, % |',
            '| --- | --- |' + ' ---: |' * (len(tokens) + 1)]


def rows(format, kinds, size, tokens, rounds):
    rng = np.random.default_rng(1)
    stages = layer(rng, format, *size)
    copies = cold_copies(stages)
    names, cells, errors = [kind.name for kind in kinds], [[] for _ in kinds], []
    for count in tokens:
        x = rng.standard_normal((count, size[0]), np.float32)
        subjects = [Subject(kind, stages, x, copies) for kind in kinds]
        for column, passes in zip(cells, measured(subjects, rounds)):
            column.append(cell(passes))
        errors = [subject.error for subject in subjects]
    return [row(format, *of, errors[0]) for of in list(zip(names, cells, errors))[1:]]


def installed(kinds):
    """The peers whose packages are here, and the versions of packages; others are named."""
    found, versions, missing = [], {}, {}
    for kind in kinds:
        try:
            versions[kind.name] = kind(kind.ways[0]).version.split(';')[0]
            found.append(kind)
        except ImportError as why:
            missing[kind.name] = why
    for name, why in missing.items():
        print(f'integers: {name}: {why}: skipped', file=sys.stderr)
    return found, versions


def main(size, rounds, formats):
    warnings.simplefilter('ignore')
    found, versions = installed(integer_peers.ALL)
    peers.keep_to(1)
    sizes, tokens = SIZES[size]
    print(', '.join(f'{name} {version}' for name, version in versions.items()))
    print(*head(tokens), sep='\n')
    for format in formats or FORMATS:
        kinds = [kind for kind in found if format in kind.formats]
        for line in rows(format, kinds, sizes, tokens, rounds):
            print(line, flush=True)


if __name__ == '__main__':
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
