"""What integers.py does that needs no clock."""
import contextlib
import io
import unittest
from unittest import mock

import numpy as np

import integer_peers
import integers
import peers


class Fake:
    """Answers exactly, times a factor; each call takes as many seconds as its way says."""
    name, formats, ways, noise, factor = 'fake', integers.FORMATS, (3, 1, 2), 0.05, 1

    def __init__(self, way):
        self.way, self.called, self.version = way, [], '1.2.3; fast'

    def compile(self, stages, copies, threads):
        self.stages, self.copies, self.threads = stages, copies, threads

    def bind(self, x, y):
        self.x, self.y, self.called = x, y, []

    def call(self, copy):
        self.called.append(copy)
        self.y[:] = self.factor * integers.exact(self.stages, self.x)


class Wrong(Fake):
    name, factor = 'wrong', 1.1


class Rounds(Fake):
    name, factor = 'rounds', 1.01


class Missing(Fake):
    name = 'missing'

    def __init__(self, way):
        raise ImportError('no such package')


def told_seconds(package, calls, first, copies):
    for i in range(first, first + calls):
        package.call(i % copies)
    return package.way


class Logic(unittest.TestCase):
    def setUp(self):
        clock = mock.patch.object(integers, 'seconds', told_seconds)
        clock.start()
        self.addCleanup(clock.stop)
        self.rng = np.random.default_rng(2)
        self.x = self.rng.standard_normal((3, 128), np.float32)

    def subject(self, kind, copies=4):
        return integers.Subject(kind, integers.layer(self.rng, 'i8', 128, 256), self.x, copies)

    def test_each_begins_as_often(self):
        orders = [integers.order(3, turn) for turn in range(6)]
        self.assertEqual(sorted(order[0] for order in orders), [0, 0, 1, 1, 2, 2])
        for order in orders:
            self.assertEqual(sorted(order), [0, 1, 2])
        self.assertEqual({order[(order.index(0) + 1) % 3] for order in orders}, {1, 2})

    def test_numbers_are_the_weights(self):
        for format in integers.FORMATS:
            for matrix in (integers.matrix(self.rng, format, 5, 256),
                           integers.layer(self.rng, format, 128, 256)[0].up):
                q, scales, zeros = matrix.scaled()
                value = (q - zeros[..., None].astype(np.float64)) * scales[..., None]
                self.assertTrue((value.reshape(matrix.weight.shape) == matrix.weight).all(), format)
                self.assertLess(0.5, np.square(matrix.weight).mean() * matrix.weight.shape[1])

    def test_fastest_way_of_all_copies(self):
        subject = self.subject(Fake)
        self.assertEqual((subject.package.way, subject.package.threads), (1, 1))
        self.assertEqual(subject.package.called[:4], [0, 1, 2, 3])
        subject.package.called.clear()
        subject.turn(3)
        subject.turn(3)
        self.assertEqual(subject.package.called, [1, 2, 3, 0, 1, 2])  # each turn goes on

    def test_ways_that_are_refused_are_told(self):
        class Picky(Fake):
            name, refused = 'picky', (1, 2)

            def compile(self, stages, copies, threads):
                if self.way in self.refused:
                    raise RuntimeError(f'no\n{self.way}')
                super().compile(stages, copies, threads)
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            self.assertEqual(self.subject(Picky).package.way, 3)
            Picky.refused = Picky.ways
            with self.assertRaisesRegex(SystemExit, 'picky has no way to do this'):
                self.subject(Picky)
        self.assertTrue(err.getvalue().startswith('integers: picky, 1: no 1\nintegers: picky, 2'))

    def test_wrong_answers_end_all(self):
        self.assertLess(self.subject(Fake).error, integers.FLOATS)
        self.assertAlmostEqual(self.subject(Rounds).error, 0.01, places=5)
        with self.assertRaisesRegex(SystemExit, 'wrong is 0.1 off, of 0.05 allowed'):
            self.subject(Wrong)

    def test_missing_packages_are_named(self):
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            found, versions = integers.installed((Fake, Missing, Wrong, Missing))
        self.assertEqual((found, versions), ([Fake, Wrong], {'fake': '1.2.3', 'wrong': '1.2.3'}))
        self.assertEqual(err.getvalue(), 'integers: missing: no such package: skipped\n')

    def test_rows(self):
        class Slow(Rounds):
            name, ways = 'slow', (4,)
        rows = integers.rows('u4g32', (Rounds, Slow, Fake), (128, 256), (1, 2), 3)
        self.assertEqual(rows, ['| u4g32 | slow | 4.00 | 4.00 | 1.0 / 1.0 |',
                                '| u4g32 | fake* | 1.00 | 1.00 | 0.0 / 1.0 |'])

    def test_passes_that_disagree_are_marked(self):
        self.assertEqual(integers.cell((1.25, 1.5, 1.75)), '1.50')
        self.assertEqual(integers.cell((1.1, 0.9, 1.0)), '1.00 ~')

    def test_all_copies_are_larger_than_the_cache(self):
        stages = integers.layer(self.rng, 'u4g32', 128, 256)
        # 4 bits, and of 32 weights a scale of two bytes and a zero.
        self.assertEqual(integers.bytes_of(stages), 3 * 128 * 256 * (16 + 3) // 32)
        with mock.patch('builtins.open', return_value=io.StringIO('512K\n')):
            self.assertEqual(integers.cold_copies(stages), 23)
        with mock.patch('builtins.open', return_value=io.StringIO('32768K\n')):
            self.assertEqual(integers.cold_copies(stages), integers.MOST_COPIES)
        with mock.patch('builtins.open', side_effect=FileNotFoundError):
            self.assertEqual(integers.last_cache(), 32 * 2 ** 20)

    def test_page_has_all_libraries(self):
        with open('tests/bench/README.md') as file:
            page = file.read().split('\n'.join(integers.head(integers.SIZES['usual'][1])) + '\n')
        self.assertEqual(len(page), 2)
        shown = [line.split(' | ')[:2] for line in page[1].partition('\n\n')[0].split('\n')]
        own, *others = integer_peers.ALL
        self.assertEqual(own.formats, integers.FORMATS)
        self.assertEqual([row for row in shown if row[0][2:] in integers.FORMATS],
                         [[f'| {format}', kind.name] for format in integers.FORMATS
                          for kind in others if format in kind.formats])

    def test_only_peers_of_integers_round_x(self):
        self.assertEqual((peers.OnnxRuntime.accuracy_level, peers.OpenVino.group), (0, 0))


if __name__ == '__main__':
    unittest.main()
