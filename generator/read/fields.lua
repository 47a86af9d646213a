--- What a spec may call: kinds of layers, and what each of them is told.
local trace = require 'activation.graph.trace'

local M = {}

--- The fields of each kind.
M.of = {
  ffn = {
    'variant', 'd_model', 'd_ff', 'd_out', 'bias', 'beta', 'parameters', 'sparse', 'backward',
    'dropout', 'optimise', 'max_tokens', 'weights', 'arithmetic', 'about', 'build',
  },
  linear = {
    'd_model', 'd_out', 'bias', 'backward', 'dropout', 'optimise', 'max_tokens', 'weights',
    'arithmetic', 'about', 'build',
  },
  mlp = {
    'd_model', 'layers', 'bias', 'sparse', 'backward', 'dropout', 'optimise', 'max_tokens',
    'weights', 'arithmetic', 'about', 'build',
  },
  glu = {
    'variant', 'd_model', 'd_out', 'bias', 'beta', 'parameters', 'backward', 'dropout', 'optimise',
    'max_tokens', 'weights', 'arithmetic', 'about', 'build',
  },
  selfgate = {
    'activation', 'd_model', 'bias', 'beta', 'parameters', 'backward', 'dropout', 'optimise',
    'max_tokens', 'weights', 'arithmetic', 'about', 'build',
  },
}

M.kinds = { 'ffn', 'glu', 'linear', 'mlp', 'selfgate' }

--- All that is in scope.
M.scope = {
  'ffn', 'glu', 'linear', 'mlp', 'selfgate', 'llama_d_ff', 'd_model', 'schema', 'activation',
  table.unpack(trace.words),
}

--- Fields of an entry of `build`.
M.build = { 'dtype', 'isa' }

--- What x and y may be.
M.dtypes = { 'f32' }

--- What portable C is written for: time, which is the rule, or few bytes of code and of memory.
M.optimise = { 'speed', 'size' }

--- Where a layer may drop values: of what lies between its matrices, and of what it gives.
M.dropout = { ffn = { 'hidden', 'output' }, mlp = { 'hidden', 'output' } }
M.dropout_of_one = { 'output' }

--- How lists look, for messages.
M.build_form = '{ { dtype = "f32", isa = { "c", "avx2" } } }'
M.isa_form = '{ "c", "avx2" }'
M.layers_form = '{ { 64, "relu" }, { 1 } }'

return M
