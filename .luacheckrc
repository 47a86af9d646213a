-- luacheck generator tests
std = 'lua54'
max_line_length = 100

-- Same input, same bytes: nothing in the generator may depend on the order of a hash table.
files['generator'] = { not_globals = { 'pairs', 'next' } }

-- A spec has these words in scope and nothing else.
local spec = {
  std = 'none',
  read_globals = {
    'ffn', 'linear', 'mlp', 'glu', 'selfgate', 'moe', 'llama_d_ff', 'd_model', 'schema',
    'activation',
    'abs', 'erf', 'exp', 'log1p', 'lt', 'max', 'min', 'select', 'sigmoid', 'sqrt', 'tanh',
  },
}
files['generator/specs'] = spec
files['tests/specs'] = spec
files['tests/mutants/dot_s8.lua'] = spec
files['tests/mutants/specs.lua'] = spec
files['tests/mutants/dot_s8.lua'] = spec
files['tests/mutants/slices.lua'] = spec
files['tests/mutants/trained.lua'] = spec
files['tests/pack/example.lua'] = spec
files['tests/pack/layers.lua'] = spec
files['tests/platforms/layers.lua'] = spec
files['tests/platforms/flags_layers.lua'] = spec
files['tests/platforms/small.lua'] = spec
files['tests/platforms/trained.lua'] = spec
files['tests/python/forms.lua'] = spec
files['tests/bench/trained.lua'] = spec
files['tests/examples'] = spec
files['tests/examples/llama'] = { std = 'lua54' }
files['tests/vendor/flat.lua'] = spec
files['tests/vendor/specs.lua'] = spec
files['tests/vendor/trained.lua'] = spec

-- luaunit finds the tests by their names, as globals.
files['tests/generator'] = { globals = { '_G' }, allow_defined_top = true, ignore = { '131/Test.*' } }
