"""Runs all tests of this folder, and counts them as other tests of the project do."""
import sys
import unittest
from pathlib import Path

suite = unittest.defaultTestLoader.discover(str(Path(__file__).parent))
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(suite)
for test, reason in result.skipped:
    print(f"skipped: {test.id()}: {reason}")
skipped, failed = len(result.skipped), len(result.failures) + len(result.errors)
passed = result.testsRun - skipped - failed
print(f"Python: {passed} passed, {failed} failed, {skipped} skipped")
sys.exit(0 if failed == 0 and passed > 20 else 1)
