--- What a spec may call: kinds of layers, and what each of them is told.
local kinds = require 'kind'
local lists = require 'common.list'
local trace = require 'activation.graph.trace'

local M = {}

--- What every kind is told behind its own fields.
local of_all = {
  'backward', 'dropout', 'optimise', 'max_tokens', 'weights', 'arithmetic', 'operand_scales',
  'about', 'build',
}

--- In the order of the alphabet, as people look for them.
M.kinds = kinds.sorted

--- The fields of each kind.
M.of = {}
for _, name in ipairs(kinds.names) do
  local kind, list = kinds.by_name[name], {}
  for _, some in ipairs { kind.fields, { 'bias' }, kind.also, of_all } do
    lists.append(list, some)
  end
  M.of[name] = list
end

--- What makes layers: kinds, and `moe`, of which several layers are made.
M.callable = lists.append({ table.unpack(M.kinds) }, { 'moe' })
table.sort(M.callable)

--- All that is in scope.
M.scope = lists.append({ table.unpack(M.callable) }, {
  'llama_d_ff', 'd_model', 'schema', 'activation', table.unpack(trace.words),
})

--- Fields of an entry of `build`.
M.build = { 'dtype', 'isa' }

--- What x and y may be.
M.dtypes = { 'f32' }

--- What portable C is written for: time, which is the rule, or few bytes of code and of memory.
M.optimise = { 'speed', 'size' }

--- Where a layer may drop values: of what lies between its matrices, and of what it gives.
M.dropout = { 'hidden', 'output' }

--- How lists look, for messages.
M.build_form = '{ { dtype = "f32", isa = { "c", "avx2" } } }'
M.isa_form = '{ "c", "avx2" }'

return M
