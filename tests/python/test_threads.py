"""Threads: the same bits for any number, and Python goes on during a call."""
import contextlib
import ctypes
import gc
import os
import platform
import threading
import time
import unittest

import ffn
import numpy as np
from support import LESSONS, lessons, normal, weights_for

NAME = "notebook_swiglu"  # large enough for its kernel to take threads


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.weights = weights_for(lessons()[NAME])
        cls.layer = lessons()[NAME].pack(cls.weights)

    def test_same_bits_for_any_number(self):
        for tokens in (1, 7, 64):
            x = normal(tokens, 512)
            alone = self.layer(x)
            for threads in (2, 3):
                layer = lessons(threads)[NAME].pack(self.weights)
                np.testing.assert_array_equal(layer(x), alone)
            np.testing.assert_array_equal(self.layer(x[tokens // 2:]), alone[tokens // 2:])

    @unittest.skipUnless(platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc",
                         "no known place of the floating-point mode")
    def test_the_mode_of_the_caller(self):
        """Threads began in the usual mode; the caller flushes subnormals or rounds otherwise."""
        layer = lessons(3)[NAME].pack(self.weights)
        for tokens in (2, 7, 64):
            x = normal(tokens, 512)
            x[::2] *= np.float32(2.0**-66)  # gate and up, whose product is subnormal
            usual = self.layer(x)
            for bits in (0x8040, 0x2000, 0x4000, 0x6000):
                with _mode(bits):
                    alone, split = self.layer(x), layer(x)
                self.assertFalse(_same_bits(alone, usual), hex(bits))
                self.assertTrue(_same_bits(split, alone), hex(bits))
            self.assertTrue(_same_bits(layer(x), usual))

    def test_python_goes_on_during_a_call(self):
        """Another Python thread sees the first row of out written and the last one not yet. With
        the interpreter's lock held it would see all or nothing. More tokens, until it was quick
        enough to look in between."""
        for tokens in (500, 1000, 2000, 4000, 8000, 16000):
            x, out = normal(8, 512)[np.zeros(tokens, int)], np.full((tokens, 512), np.nan, np.float32)
            call = threading.Thread(target=self.layer, args=(x, out))
            call.start()
            between = False
            while call.is_alive() and not between:
                between = not np.isnan(out[0, 0]) and np.isnan(out[-1, -1])
            call.join()
            self.assertFalse(np.isnan(out).any())
            if between:
                return
        self.fail("no Python ran during a call")

    def test_calls_at_once(self):
        layer = lessons(2)[NAME].pack(self.weights)
        x = normal(5, 512)
        wanted, found = layer(x), [None] * 4

        def call(i):
            for _ in range(20):
                found[i] = layer(x)
                if not np.array_equal(found[i], wanted):
                    return

        callers = [threading.Thread(target=call, args=(i,)) for i in range(len(found))]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        for y in found:
            np.testing.assert_array_equal(y, wanted)

    @unittest.skipUnless(os.path.isdir("/proc/self/task"), "no /proc/self/task")
    def test_a_child_process_has_threads_of_its_own(self):
        layer = lessons(2)[NAME].pack(self.weights)
        x = normal(5, 512)
        wanted = layer(x)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if np.array_equal(layer(x), wanted) and _threads() == 2 else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        np.testing.assert_array_equal(layer(x), wanted)

    @unittest.skipUnless(os.path.isdir("/proc/self/task"), "no /proc/self/task")
    def test_threads_end_with_their_library(self):
        before = _threads()
        layer = ffn.load(LESSONS, threads=4)[NAME]
        self.assertEqual(_threads(), before + 3)
        del layer
        gc.collect()
        for _ in range(1000):  # the system lists a thread for a while after it has ended
            if _threads() == before:
                break
            time.sleep(0.01)
        self.assertEqual(_threads(), before)

    def test_wrong_numbers(self):
        for bad in (0, -1, 5000, 2**64 + 1, np.int64(-2)):
            with self.assertRaisesRegex(ValueError, f"^threads: expected 1 to 1024, given {bad}$"):
                lessons(bad)
        for bad in (True, 2.0, "2", np.bool_(True), np.float32(2)):
            with self.assertRaisesRegex(TypeError, "^threads: expected an integer, given"):
                ffn.load(LESSONS, threads=bad)

    def test_numbers_of_numpy(self):
        for number in (np.int64(2), np.uint8(2), np.array(2)):
            self.assertIs(type(ffn.load(LESSONS, threads=number).threads), int)


@contextlib.contextmanager
def _mode(bits: int):
    """This thread's MXCSR with those bits set: the last part of glibc's fenv_t for x86-64."""
    libm, env = ctypes.CDLL("libm.so.6"), (ctypes.c_uint32 * 8)()
    libm.fegetenv(env)
    before = env[7]
    env[7] |= bits
    libm.fesetenv(env)
    try:
        yield
    finally:
        env[7] = before
        libm.fesetenv(env)


def _same_bits(a, b) -> bool:
    return a.tobytes() == b.tobytes()


def _threads() -> int:
    """Of this process."""
    return len(os.listdir("/proc/self/task"))


if __name__ == "__main__":
    unittest.main()
