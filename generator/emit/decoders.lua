--- What formats mean, for the reference: the files of runtime/decoders/, one after the other.
local runtime_files = require 'common.runtime_files'
local weights = require 'weights'

local M = {}

--- Those of some formats, each behind what it includes.
---@param root string
---@param formats string[]  names
---@param prefix string
---@return string
function M.of(root, formats, prefix)
  local files, texts = {}, {}
  local function add(name)
    local file = 'decoders/' .. name .. '.h'
    if files[file] then return end
    files[file] = true
    for included in runtime_files.text(root, file):gmatch '\n#include "([%w_]+)%.h"\n' do
      add(included)
    end
    texts[#texts + 1] = runtime_files.body(root, file, prefix)
  end
  for _, name in ipairs(formats) do
    if weights.by_name[name].source then add(name) end
  end
  return table.concat(texts, '\n')
end

return M
