--- What a program needs of a model beside its kernels and its packed weights: which entry of the
--- file is which product, norms, positions, ties, and what is left. host.json has it for any
--- program, host.h the same numbers for C. A reader tells its part (HostFacts); the rest follows
--- from the layers.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

---@class HostFacts  what a reader tells
---@field architecture string|false  as the model names it
---@field layers integer           blocks of all stacks
---@field rope_pairs string|false  of rotary positions: 'halves', 'adjacent', 'none'; false: unknown
---@field norms HostNorm[]
---@field tied boolean|string     the head is the embedding; 'unknown'
---@field left string[]|false      tensors that are neither in a product nor a norm
---@field keys HostKey[]           of attention, positions and tokens, as the model has them
---@field block HostBlock|false    blocks as Llama has them
---@field block_problem string|false  why there is none

---@class HostNorm
---@field tensor string
---@field bias string|false
---@field eps number|false         false: the model does not tell
---@field adds_one boolean         1 + weight is multiplied with

---@class HostKey
---@field name string
---@field value any                as JSON has it

---@class HostBlock  one block: x += o(attention(rope(qkv(norm(x))))), x += ffn(norm(x))
---@field heads integer
---@field kv_heads integer
---@field head_dim integer
---@field width integer            of the model
---@field vocabulary integer       tokens
---@field positions integer        that attention sees all of; the model was trained for as many,
---  or more with a window of so many
---@field eps number
---@field score_scale number       of q times k
---@field theta number
---@field scaling table            { type = 'none' }, { type = 'linear', factor = }, { type =
---  'llama3', factor =, low =, high =, original_positions = }
---@field factors string|false     the tensor that each pair's frequency is divided by
---@field attention_norm string    names of tensors, %d for the block's number
---@field ffn_norm string
---@field q_norm string|false
---@field k_norm string|false
---@field final_norm string
---@field embedding string

local norm_of = record.schema {
  tensor = 'string', bias = { 'any', false }, eps = { 'any', false }, adds_one = 'boolean',
}

local block_of = record.schema {
  heads = 'integer', kv_heads = 'integer', head_dim = 'integer', width = 'integer',
  vocabulary = 'integer', positions = 'integer', eps = 'any', score_scale = 'any', theta = 'any',
  scaling = 'table', factors = { 'any', false }, attention_norm = 'string', ffn_norm = 'string',
  q_norm = { 'any', false }, k_norm = { 'any', false }, final_norm = 'string',
  embedding = 'string',
}

local facts_of = record.schema {
  architecture = { 'any', false }, layers = 'integer', rope_pairs = { 'any', false },
  norms = 'table',
  tied = 'any', left = 'any', keys = 'table', block = { 'any', false },
  block_problem = { 'any', false },
}

--- The record of what a reader tells.
---@return HostFacts
function M.facts(given)
  local f = facts_of:fill(given, 'host facts')
  for i, norm in ipairs(f.norms) do
    f.norms[i] = record.strict('host norm', norm_of:fill(norm, 'host norm'))
  end
  f.block = f.block and record.strict('host block', block_of:fill(f.block, 'host block'))
  return record.strict('host facts', f)
end

--- Of a model whose reader knows no more than its layers.
---@param found Found
---@return HostFacts
function M.unknown(found)
  return M.facts {
    architecture = false, layers = found.layers[#found.layers].index + 1, norms = {},
    tied = 'unknown', left = false, keys = {},
    block_problem = ('the reader %s knows names and shapes alone'):format(found.reader),
  }
end

--- The outputs of a layer by name; one without a name is y.
---@param lowered Layer
local function outputs_of(lowered)
  if not lowered.beside then return { { name = 'y', width = lowered.outputs } } end
  return lists.map(lowered.beside, function(o) return { name = o.name, width = o.width } end)
end

---@class HostProduct
---@field name string
---@field layer integer
---@field part integer
---@field kernel string  the layer's name in the spec's meaning
---@field inputs integer
---@field outputs { name: string, width: integer }[]
---@field rows string|false  how rows lie, where that is not output by output, head by head

--- The products of a model, as the file's entries are found.
---@param found Found
---@param named NamedGroups
---@return HostProduct[]
function M.products(found, named)
  local result, outputs = {}, lists.map(named.lowered, outputs_of)
  for i, layer in ipairs(found.layers) do
    local group, rows = named.group_of[i], false
    for _, b in ipairs(layer.because) do
      if b.field == 'd_out' then rows = b.text end
    end
    result[i] = {
      name = layer.at, layer = layer.index, part = layer.part or 0,
      kernel = named.lowered[group].name, inputs = layer.matrices[1].inputs,
      outputs = outputs[group], rows = rows,
    }
  end
  return result
end

return M
