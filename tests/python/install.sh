#!/bin/sh
# The package out of an installation of ffngen, by pip in a new environment, without a network, with
# the layers of a spec. Its page shows it out of the source tree, with the lessons. Usage: install.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$root/tests/scripts/python_with_numpy.sh") || {
  echo "pip: no python3 with numpy (setup.sh installs both): skipped"
  exit 0
}
rm -rf "$1"
mkdir -p "$1"
cd "$1"
here=$(pwd)
if ! "$python" -m venv --system-site-packages env >venv.log 2>&1; then
  echo 'pip: no venv with pip (setup.sh installs python3-venv): skipped'
  exit 0
fi
if ! env/bin/python -c 'import numpy' 2>venv.log; then
  echo "pip: $python is of an environment itself, which gives numpy to no other: skipped"
  exit 0
fi
PREFIX="$here/a prefix" "$root/generator/package/install.sh" >install.log
package="$here/a prefix/share/ffngen/generator/package/python"
export PIP_NO_INDEX=1 HOME="$here/home" FFN_CACHE="$here/cache" PYTHONDONTWRITEBYTECODE=1
chmod -R a-w "$package"

# install [OPTION...]: the package, and that nothing was left where it comes from.
install() {
  find "$package" | sort >before
  env/bin/python -m pip install --force-reinstall --no-deps "$@" "$package" >pip.log 2>&1 || {
    cat pip.log
    return 1
  }
  find "$package" | sort | diff before -
}

# holds NAME...: the layers that came with the package; one is run. Neither compiler nor ffngen is
# needed.
holds() {
  (cd home && PATH='' ../env/bin/python - "$@" <<'PYTHON')
import sys
import ffn
import numpy as np

layers = ffn.load()
assert ffn.__file__.startswith(sys.prefix), ffn.__file__
assert list(layers) == sys.argv[1:], list(layers)
layer = layers[sys.argv[-1]]
weights = {name: np.ones(shape, np.float32) for name, shape in layer.shapes.items()}
y = layer.pack(weights)(np.ones((3, layer.inputs), np.float32))
assert (y > 0).all(), y
if sys.argv[-1] == 'mine':  # is trained
    trainer = layer.trainer(weights)
    trainer(np.ones((3, layer.inputs), np.float32))
    dx = trainer.grad(np.ones((3, layer.outputs), np.float32))['x']
    assert (dx == layer.outputs).all(), dx
PYTHON
}

mkdir home
echo "linear 'mine' { d_model = 3, d_out = 2, backward = true, build = { { isa = { 'c' } } } }" >my.lua
export FFN_SPEC="$here/my.lua"
install
holds mine
env/bin/python -m pip show ffngen >shown
grep -qx "Version: $("$root/ffngen" --version | cut -d ' ' -f 2)" shown
grep -qx 'Requires: numpy' shown
# The same sources, the same wheel.
for folder in one two; do
  env/bin/python -m pip wheel --no-deps -w "$folder" "$package" >pip.log 2>&1
done
cmp one/*.whl two/*.whl
export FFN_SPEC=my.lua
if install >relative.log; then
  echo 'a relative FFN_SPEC is taken'
  exit 1
fi
grep -q 'the spec must be an absolute path, not my.lua' relative.log
unset FFN_SPEC
install --config-settings "spec=$here/my.lua"
holds mine
PATH="$here/a prefix/bin:$PATH" env/bin/python -c 'import ffn; print(ffn.load("my.lua")["mine"])'
chmod -R u+w "$package"
