--- ffn-pack of this source, for tests of the generator.
local support = require 'support'

local M = {}

local made

--- The program, or nil where what it needs is not installed.
---@return string|nil
function M.path()
  if made == nil and support.capture 'pkg-config --exists jansson 2>/dev/null && echo yes' ~= 'yes'
  then
    made = false
  elseif made == nil then
    local path = support.folder()
    local folder = support.quote(path)
    support.sh(('cd %s && ./ffngen packaging --out %s/packaging && cc -O1 -I%s/packaging '
      .. '-Igenerated -Iruntime runtime/pack/*.c -ljansson -lm -pthread -o %s/ffn-pack'):format(
      support.quote(support.root), folder, folder, folder))
    made = path .. '/ffn-pack'
  end
  return made or nil
end

return M
