#!/bin/sh
# The pages' examples, as a reader would try them. Usage: pages.sh FOLDER PAGE...
#
# In a new folder for each page, with ffngen in the PATH, FFNGEN this project's folder, python3 one
# that has numpy, pip without a network, and rustc that of this user: a block that begins with
# ```lua my.lua is that file, and the blocks that begin with ```sh are one script, in order. A block
# ```sh needs:TOOL is skipped where the tool is missing. Two commands are others: ninja, which
# installs into the folder, or takes that back, and otherwise only looks whether there is such a
# target; and ./setup.sh, which looks whether there are such options.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
rm -rf bin pages
mkdir bin pages
here=$(pwd)
shift

cat >bin/ninja <<END
#!/bin/sh -eu
for target; do
  case \$target in
    install | uninstall) "$root/generator/package/\$target.sh" ;;
    *) (cd "$root" && "$(command -v ninja)" -t query "\$target" >/dev/null) ;;
  esac
done
END
cat >bin/setup.sh <<END
#!/bin/sh -eu
for option; do grep -q -e "^ *\${option%%=*} *[|)]" "$root/setup.sh"; done
END
cat >bin/has <<'END'
#!/bin/sh
case $1 in
  numpy) python3 -c 'import numpy' && python3 -c 'import ensurepip' ;;
  torch) has numpy && python3 -c 'import torch' ;;
  openmp) echo '#include <omp.h>' | cc -fopenmp -fsyntax-only -x c - ;;
  rustc) rustc --version ;; # rustup's may have no compiler to call
  luarocks) command -v luarocks && test -e /usr/include/lua5.4/lua.h ;;
  *) command -v "$1" ;;
esac >/dev/null 2>&1 || {
  case $1 in torch) who='nor does setup.sh' ;; *) who='setup.sh does' ;; esac
  echo "$1: not installed ($who): skipped"
  exit 1
}
END
python=$("$root/tests/scripts/python_with_numpy.sh") && cat >bin/python3 <<END
#!/bin/sh
exec "$python" "\$@"
END
chmod +x bin/*

# The files and the script of a page, in the folder at hand.
unpack() {
  awk '
    !inside && /^```/ {
      inside = 1
      lang = substr($1, 4)
      file = lang == "sh" ? "script" : $2 ~ /^[a-z_]+\.[a-z]+$/ ? $2 : ""
      needs = lang == "sh" && sub(/^needs:/, "", $2) ? $2 : ""
      if (needs != "") print "if has " needs "; then" >>file
      next
    }
    /^```$/ {
      if (needs != "") print "fi" >>file
      inside = 0
      next
    }
    inside && file != "" { print >>file }' "$1"
}

# What shows that the examples did what the page says: a line of the output.
said() {
  grep -q "$1" output || { echo "$page: no line of its output is '$1'" >&2; exit 1; }
}

for page; do
  folder=pages/$(echo "$page" | tr / _)
  mkdir "$folder" "$folder/home"
  cd "$folder"
  unpack "$root/$page"
  cp "$here/bin/setup.sh" .
  if test -s script; then
    env FFNGEN="$root" HOME="$PWD/home" PREFIX="$PWD/home/usr" PIP_NO_INDEX=1 \
      RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" \
      PYTHONDONTWRITEBYTECODE=1 PATH="$here/bin:$root:$PATH" \
      sh -eu ./script >output 2>&1 || { cat output; echo "$page: its commands fail" >&2; exit 1; }
    cat output
  fi
  case $page in
    README.md)
      # A value that is not 0, and within its bound of what plain loops give.
      awk '/^ffn_swiglu_d512_f1365_f32_.*: y\[0\]\[0\] = / {
          y = $4 + 0; exact = $6 + 0; far = y > exact ? y - exact : exact - y
          fine = y != 0 && far < $8 + 1e-5
        }
        END { exit !fine }' output || { echo "$page: no result that is right" >&2; exit 1; }
      test -s product/my/my.c
      ;;
    generator/package/README.md)
      grep -q 'pkg-config: .* skipped' output || said '^[0-9]* kernels, the first is '
      ;;
    generator/package/python/README.md)
      if ! grep -q 'numpy: .* skipped' output; then
        said '^largest error [0-9.e-]*, within the bound$'
        said '^<ffn.Library notebook_swiglu, mlp_10_64_32_1, linear_10_5, paper_example>$'
        said '^<ffn.Library my_layer>$'
        grep -q 'torch: .* skipped' output || said '^torch: loss [0-9.]*, then [0-9.]*$'
      fi
      ;;
    generator/vendor/README.md)
      for host in 'rustc Rust' 'go Go'; do
        grep -q "^${host% *}: .* skipped" output || said "^${host#* }: 5 tokens as a plain loop has them"
      done
      ;;
    generator/tune/README.md) said 'choices: .*, measured on my-cpu$' ;;
    runtime/README.md) test "$(grep -c 'the same bits$' output)" -ge 4 ;;
  esac
  # Each target of ninja that the text names is one.
  for target in $(sed -n 's/.*`ninja \([a-z][a-z./_-]*\).*/\1/p' "$root/$page" | sort -u); do
    (cd "$root" && ninja -t query "$target" >/dev/null)
  done
  cd "$here"
done
echo "pages: $# as they say"
