#!/bin/sh
# The rockspec: laid out as LuaRocks would by hand, which needs no LuaRocks, and by LuaRocks where it
# is installed. Usage: rock.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
here=$(pwd)
echo "linear 'my_layer' { d_model = 24, d_out = 3 }" >my.lua
"$root/ffngen" packaging --out packaging
"$root/ffngen" generate my.lua --out expected >log
version=$("$root/ffngen" --version | cut -d ' ' -f 2)
rockspec=$here/packaging/ffngen-$version-1.rockspec

# works LAUNCHER...
works() {
  rm -rf kernels
  "$@" generate my.lua --out kernels >log
  diff -r kernels expected
}

lua5.4 - "$rockspec" "$root" "$version" <<'LUA' | sh -eu
local path, root, version = table.unpack(arg)
local rock = {}
assert(loadfile(path, 't', rock))()
assert(rock.package == 'ffngen' and rock.version == version .. '-1', 'the version')
assert(rock.source.url and rock.source.tag == 'v' .. version, 'the source')
local function word(text) return "'" .. text:gsub("'", "'\\''") .. "'" end
print('mkdir -p rock/bin')
for name, file in pairs(rock.build.install.bin) do
  print(('cp %s rock/bin/%s'):format(word(root .. '/' .. file), name))
end
for _, folder in ipairs(rock.build.copy_directories) do
  print(('cp -R %s rock/%s'):format(word(root .. '/' .. folder), folder))
end
LUA
works lua5.4 rock/bin/ffngen

if command -v luarocks >/dev/null && [ -e /usr/include/lua5.4/lua.h ]; then
  cd "$root"
  # Its dependencies are those of the system.
  HOME=$here luarocks --lua-dir /usr --lua-version 5.4 make --tree "$here/a tree" --deps-mode none \
    "$rockspec" >"$here/luarocks.log" 2>&1 || { cat "$here/luarocks.log"; exit 1; }
  cd "$here"
  works 'a tree/bin/ffngen'
else
  echo 'rock: no luarocks with liblua5.4-dev (setup.sh installs both): skipped'
fi
