--- What formats mean, for the reference: the files of runtime/decoders/, one after the other, and
--- those of runtime/integers/.
local lists = require 'common.list'
local runtime_files = require 'common.runtime_files'
local weights = require 'weights'

local M = {}

--- Files of a folder of the runtime, each once and behind those of it that it includes.
---@param root string
---@param folder string
---@param files string[]
---@param prefix string
---@return string
local function joined(root, folder, files, prefix)
  local texts, seen = {}, {}
  local function add(file)
    if seen[file] then return end
    seen[file] = true
    local body, included = runtime_files.body(root, folder .. file, prefix)
    for _, other in ipairs(included) do add(other) end
    texts[#texts + 1] = body
  end
  for _, file in ipairs(files) do add(file) end
  return table.concat(texts, '\n')
end

--- The files of those that have numbers of their own.
local function files_of(formats)
  return lists.map(lists.filter(formats, function(name)
    return weights.by_name[name].source ~= false
  end), function(name) return name .. '.h' end)
end

--- What weights of some formats are as floats.
---@param root string
---@param formats string[]  names
---@param prefix string
---@return string
function M.of(root, formats, prefix)
  return joined(root, 'decoders/', files_of(formats), prefix)
end

--- What they are as integers, behind that.
---@param root string
---@param formats string[]  names of such as have integers
---@param prefix string
---@return string
function M.integers(root, formats, prefix)
  return joined(root, 'integers/', files_of(formats), prefix)
end

return M
