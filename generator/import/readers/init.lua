--- Who reads which kind of model file: one file each, and a name in this list. The first that
--- recognises a path reads it, so what tells more of a model stands before what tells less.
local record = require 'common.record'

local names = { 'onnx', 'gguf', 'huggingface', 'safetensors' }

---@class ImportOptions
---@field node string|nil             the layer or product that is wanted alone
---@field also Also|nil               products beside the feed-forward layers
---@field decode boolean              numbers that no format holds may become f32
---@field leave string[]              names that are told to be left out
---@field float_activations boolean   what a model rounds between stages may stay f32
---@field variant string|nil          of ffn and glu, where nothing else tells it
---@field activation string|nil       the same of chains, one behind each matrix
---@field order string|nil            of matrices that lie either way: out-in, in-out
---@field spec_only boolean          no plan is wanted where there are no tensors
---@field has_weights boolean        formats are asked for, whatever the type of the numbers

---@class ModelReader
---@field about string                what it reads, in a sentence
---@field recognises fun(path: string): boolean
---@field read fun(path: string, options: ImportOptions): table  what found.of() takes
---@field takes string[]  the options that it asks; others are refused

--- Options of readers that say nothing else: what files tell needs no other word.
local usual = { 'node', 'decode', 'leave', 'float_activations' }

local M = { names = names, by_name = {} }

for _, name in ipairs(names) do
  local reader = require('import.readers.' .. name)
  M.by_name[name] = record.strict('reader ' .. name, {
    about = reader.about, recognises = reader.recognises, read = reader.read,
    takes = reader.takes or usual,
  })
end

--- The reader of a path, or nil.
---@param path string
---@return ModelReader|nil
function M.of(path)
  for _, name in ipairs(names) do
    if M.by_name[name].recognises(path) then return M.by_name[name] end
  end
  return nil
end

return M
