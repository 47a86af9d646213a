--- What trying a defect takes of files and processes.
local M = {}

function M.run(command, ...) return os.execute(command:format(...)) == true end

function M.read(path)
  local handle = io.open(path, 'rb')
  local text = handle and handle:read('a')
  return handle and handle:close() and text
end

M.write = dofile('tests/support/write.lua')
M.lines_of = dofile('tests/support/lines_of.lua')

--- For a shell: compilers whose results are kept, where there is ccache. No defect changes most of
--- what its test compiles.
local kept = [[if test -d /usr/lib/ccache; then
  export PATH="/usr/lib/ccache:$PATH" CCACHE_DIR="$PWD/build/ccache" CCACHE_BASEDIR="$PWD" \
    CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_MAXSIZE=5G
fi
]]
function M.keep_compiled(command) return kept .. command end

return M
