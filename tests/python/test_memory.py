"""Where packed weights and work lie: alignment, huge pages, small blocks that share one."""
import gc
import mmap
import unittest
import weakref

import numpy as np

from ffn import arrays
from support import in_a_child


def pages_of(address):
    """What /proc/self/smaps says of an address: advised, bytes in huge pages."""
    advised, size, inside = False, 0, False
    with open("/proc/self/smaps", encoding="ascii", errors="replace") as file:
        for line in file:
            words = line.split()
            if "-" in words[0] and not words[0].endswith(":"):
                first, end = (int(word, 16) for word in words[0].split("-"))
                inside = first <= address < end
            elif inside and words[0] == "AnonHugePages:":
                size = int(words[1]) << 10
            elif inside and words[0] == "VmFlags:":
                advised = "hg" in words
    return advised, size


def system_has_huge_pages():
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return False
    probe = mmap.mmap(-1, 3 * arrays.HUGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        probe.madvise(mmap.MADV_HUGEPAGE)
        return pages_of(np.frombuffer(probe, np.uint8).ctypes.data)[0]
    except OSError:
        return False


class Memory(unittest.TestCase):
    sizes = (1, 64, 1000, arrays.HUGE // 64, 331840, (1 << 20) - 1, 1 << 20, 2654272, 10 << 20)

    def test_aligned(self):
        kept = []
        for turn in range(3):
            for number, size in enumerate(self.sizes):
                memory = arrays.aligned(size)
                self.assertEqual((memory.dtype, memory.shape), (np.uint8, (size,)))
                self.assertEqual(memory.ctypes.data % arrays.ALIGNMENT, 0)
                memory[:] = turn * 10 + number
                kept.append(memory)
        for at, memory in enumerate(kept):
            number = at // len(self.sizes) * 10 + at % len(self.sizes)
            self.assertTrue((memory == number).all(), "blocks overlap")

    @unittest.skipUnless(system_has_huge_pages(), "this system has no transparent huge pages")
    def test_huge_pages(self):
        for size in self.sizes:
            memory = arrays.aligned(size)
            memory[:] = 1
            advised = pages_of(memory.ctypes.data)[0] and pages_of(memory.ctypes.data + size - 1)[0]
            if size >= arrays.HUGE // 64:
                self.assertTrue(advised, f"{size} bytes")

    @unittest.skipUnless(hasattr(mmap, "MADV_HUGEPAGE"), "no huge pages to share")
    def test_small_ones_share_a_page_that_ends_with_the_last(self):
        small = [arrays.aligned(331840) for _ in range(12)]
        pages = {memory.ctypes.data // arrays.HUGE for memory in small}
        self.assertLessEqual(len(pages), 4)  # six in a page
        page = weakref.ref(small[0].base)
        del small
        for _ in range(3):  # the page that is shared is another then
            arrays.aligned(arrays.HUGE // 2 - 1)
        gc.collect()
        self.assertIsNone(page(), "the page of arrays that are gone")

    def test_a_child_process_can_take_memory(self):
        """Though a thread that it does not have cut some off when it was forked off."""
        def can():
            free = arrays._Shared.lock.acquire(blocking=False)
            return free and not arrays._Shared.lock.release() and arrays.aligned(331840).size > 0
        with arrays._Shared.lock:
            self.assertTrue(in_a_child(can))
        self.assertTrue(in_a_child(can))
