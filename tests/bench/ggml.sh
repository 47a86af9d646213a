#!/bin/sh
# Compiles ggml for this CPU, and the benchmark's library ggml_native with it. Usage: ggml.sh FOLDER
#   FOLDER  a source tree of ggml, such as the folder `ggml` of llama.cpp
set -eu
if [ $# != 1 ] || [ ! -f "$1/CMakeLists.txt" ] || [ ! -f "$1/include/ggml.h" ]; then
  echo 'ggml.sh: name a folder that has CMakeLists.txt and include/ggml.h of ggml' >&2
  exit 2
fi
from=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
out=build/bench/ggml
rm -rf "$out"
cmake -S "$from" -B "$out/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
  -DBUILD_SHARED_LIBS=OFF -DGGML_NATIVE=ON -DGGML_OPENMP=OFF -DGGML_CCACHE=OFF \
  -DGGML_BUILD_EXAMPLES=OFF -DGGML_BUILD_TESTS=OFF
cmake --build "$out/build" --target ggml --parallel "$(nproc)"
mkdir "$out/lib"
find "$out/build" -name 'libggml*.a' -exec mv {} "$out/lib" ';'
cp -r "$from/include" "$out"
rm -f build/bench/peer_ggml_native.ok # it was made without
ninja build/bench/peer_ggml_native.ok
