#!/bin/sh
# The tests of the Python package, as it lies in the tree. Usage: run.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$root/tests/scripts/python_with_numpy.sh") || {
  echo "Python: no python3 with numpy (setup.sh installs both): skipped"
  exit 0
}
rm -rf "$1"
mkdir -p "$1"
here=$(cd "$1" && pwd)
# A python3 without numpy that comes first is passed over.
mkdir "$here/bin"
printf '#!/bin/sh\nexit 1\n' >"$here/bin/python3"
chmod +x "$here/bin/python3"
test "$(PATH="$here/bin:$PATH" "$root/tests/scripts/python_with_numpy.sh")" = "$python"
export FFN_CACHE="$here/cache" PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$root/generator/package/python"
"$python" "$root/tests/python/run.py"
