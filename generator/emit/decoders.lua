--- What formats mean, for the reference: the files of runtime/decoders/, one after the other.
local runtime_files = require 'common.runtime_files'
local weights = require 'weights'

local M = {}

--- Those of some formats, each once and behind the files that it includes.
---@param root string
---@param formats string[]  names
---@param prefix string
---@return string
function M.of(root, formats, prefix)
  local texts, seen = {}, {}
  local function add(file)
    if seen[file] then return end
    seen[file] = true
    local body, included = runtime_files.body(root, 'decoders/' .. file, prefix)
    for _, other in ipairs(included) do add(other) end
    texts[#texts + 1] = body
  end
  for _, name in ipairs(formats) do
    if weights.by_name[name].source then add(name .. '.h') end
  end
  return table.concat(texts, '\n')
end

return M
