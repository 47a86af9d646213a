"""The package's modules: who imports whom has no circle, not even for types alone, so that each can
be read and tested with what is below it."""
import ast
import subprocess
import unittest
from pathlib import Path

import ffn
from support import ROOT

FOLDER = Path(ffn.__file__).parent
MODULES = {".".join(path.relative_to(FOLDER).with_suffix("").parts): path
           for path in FOLDER.rglob("*.py")}


def imports_of(path):
    """The modules of the package that a file imports, wherever in it that stands."""
    found, place = set(), path.relative_to(FOLDER).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            start = place[:len(place) - node.level + 1] + tuple((node.module or "").split("."))
            for name in [".".join(filter(None, (*start, alias.name))) for alias in node.names]:
                found.add(name if name in MODULES else name.rpartition(".")[0])
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [
                node.module]
            if any(name.split(".")[0] == "ffn" for name in names):
                raise AssertionError(f"{path}: the package imports its own modules as from .name")
    return found


class Modules(unittest.TestCase):
    def test_no_circles(self):
        above = {name: imports_of(path) for name, path in MODULES.items()}
        self.assertGreater(sum(map(len, above.values())), 5)
        self.assertLessEqual(set().union(*above.values()), MODULES.keys())
        while above:
            free = [name for name, needs in above.items() if not needs & above.keys()]
            self.assertTrue(free, f"modules that import each other in circles: {above}")
            for name in free:
                del above[name]

    def test_the_version(self):
        told = subprocess.run([ROOT / "ffngen", "--version"], check=True, capture_output=True,
                              text=True).stdout
        self.assertEqual(told.split()[1].rstrip(","), ffn.__version__)


if __name__ == "__main__":
    unittest.main()
