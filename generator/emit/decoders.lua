--- What formats mean, for the reference: the files of runtime/decoders/, one after the other.
local lists = require 'common.list'
local runtime_files = require 'common.runtime_files'
local weights = require 'weights'

local M = {}

--- Those of some formats, each behind what it is made of.
---@param root string
---@param formats string[]  names
---@param prefix string
---@return string
function M.of(root, formats, prefix)
  local files = { 'small_float', 'half' }
  for _, name in ipairs(formats) do
    if weights.by_name[name].source then files[#files + 1] = name end
  end
  return table.concat(lists.map(files, function(name)
    return runtime_files.body(root, 'decoders/' .. name .. '.h', prefix)
  end), '\n')
end

return M
