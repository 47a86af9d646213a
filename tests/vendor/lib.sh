# shellcheck shell=sh
# What the tests of `ffngen vendor` share. $1 is a folder of the test's own. A command that fails
# ends the test.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
passed=0 skipped=0
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wundef -Werror'
strict="-std=c11 $warnings -Wconversion"

pass() {
  echo "ok: $*"
  passed=$((passed + 1))
}

skip() {
  echo "skipped: $*"
  skipped=$((skipped + 1))
}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

finish() { echo "vendor: $passed passed, 0 failed, $skipped skipped"; }

full() { [ "${FULL:-}" = 1 ]; }

has() { command -v "$1" >/dev/null 2>&1; }

# vendor FOLDER OPTIONS...: the layers of specs.lua.
vendor() {
  folder=$1
  shift
  "$root/ffngen" vendor "$root/tests/vendor/specs.lua" --out "$folder" "$@" >vendor.log 2>&1 || {
    cat vendor.log
    fail "ffngen vendor $*"
  }
}
