--- Who reads which kind of model file: one file each, and a name in this list. The first that
--- recognises a path reads it, so what tells more of a model stands before what tells less.
local lists = require 'common.list'
local record = require 'common.record'

local names = { 'safetensors' }

---@class ImportOptions
---@field node string|nil             the product that is wanted of a graph
---@field decode boolean              numbers that no format holds may become f32
---@field leave string[]              names that are told to be left out
---@field float_activations boolean   what a model rounds between stages may stay f32
---@field variant string|nil          of ffn and glu, where nothing else tells it
---@field activation string|nil       the same of mlp and selfgate

---@class ModelReader
---@field name string
---@field about string                what it reads, in a sentence
---@field recognises fun(path: string): boolean
---@field read fun(path: string, options: ImportOptions): table  what found.of() takes

local M = { names = names, by_name = {} }

for _, name in ipairs(names) do
  local reader = require('import.readers.' .. name)
  M.by_name[name] = record.strict('reader ' .. name, {
    name = name, about = reader.about, recognises = reader.recognises, read = reader.read,
  })
end

--- The reader of a path, or nil.
---@param path string
---@return ModelReader|nil
function M.of(path)
  return lists.map(lists.filter(names, function(name)
    return M.by_name[name].recognises(path)
  end), function(name) return M.by_name[name] end)[1]
end

return M
