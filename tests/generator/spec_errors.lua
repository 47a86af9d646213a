--- Mistakes in specs, through the command line: exit 4, the file and the line, the wrong word and
--- the nearest right one, nothing on stdout, nothing written.
local unit = require 'luaunit'
local sandbox = require 'read.sandbox'
local support = require 'support'

local max_instructions, max_kilobytes = sandbox.max_instructions, sandbox.max_kilobytes

--- A spec that is right, over several lines; cases are this one with a change.
local good = [[
-- A comment with d_model = 1 and 'relu' in it.
ffn 'first' { variant = 'relu', d_model = 8, d_ff = 16 }

ffn 'layer' {
  about = 'variant = "x", d_ff = 3',
  variant = 'swiglu',
  d_model = 16, --[==[ d_ff = 7
  ]==]
  d_ff = llama_d_ff {
    multiple_of = 8,
    ffn_dim_multiplier = 1.5,
  },
  bias = true,
  build = {
    { dtype = 'f32', isa = { 'c' } },
    {
      dtype = 'f32',
      isa = {
        'avx2',
        'avx512' },
    },
  },
}

mlp 'chain' {
  d_model = 4,
  layers = {
    { 8, 'relu' },
    { 9,
      'swish',
      beta = 1.5 },
    { 1, 'sigmoid' },
  },
}

glu 'gated' { variant = 'swiglu_beta', d_model = 8,
  d_out = 8,
  beta = 2.0 }

selfgate 'self' {
  activation = 'silu',
  d_model = 8 }

linear 'last' { d_model = 4,
  d_out = 3 }
]]

--- { title, what the message has to say ... }, and `from`/`to`: the change of `good`. The error is
--- expected at the first changed line, or at the first line with the text `at`.
local changes = {
  -- Unknown fields, with the nearest known one.
  { 'unknown field', from = 'd_model = 16', to = 'd_modle = 16',
    'ffn "layer"', 'unknown field "d_modle" (did you mean "d_model"?)' },
  { 'unknown field of its own line', from = 'bias = true', to = 'biass = true',
    'unknown field "biass" (did you mean "bias"?)' },
  { 'a field of another kind', from = "d_out = 3", to = 'd_ff = 3',
    'linear "last"', 'unknown field "d_ff"' },
  { 'unknown field in brackets', from = 'bias = true', to = '["d out"] = 3',
    'unknown field "d out" (did you mean "d_out"?)' },
  { 'unknown field far from all', from = 'bias = true', to = 'temperature = 3',
    'unknown field "temperature" (choose from: variant, d_model, d_ff' },
  { 'value without a field', from = 'bias = true', to = "'swiglu'",
    'value without a field name (swiglu)', 'variant, d_model' },
  { 'boolean keys', at = "ffn 'layer'", from = 'bias = true', to = '[true] = 1, [false] = 2',
    'without a field name', 'variant, d_model' },
  { 'tables as keys', at = "ffn 'layer'", from = 'bias = true',
    to = '[{}] = 1, [{}] = 2, [ffn] = 3',
    'without a field name', 'variant, d_model' },

  -- Wrong types.
  { 'text for a size', from = 'd_model = 16', to = 'd_model = "16"',
    'd_model must be an integer, not a string' },
  { 'table for a size', from = 'd_model = 16', to = 'd_model = { 16 }',
    'd_model must be an integer, not a table' },
  { 'rule for d_model', from = 'd_model = 16', to = 'd_model = d_model * 2',
    'd_model must be an integer, not a size rule' },
  { 'float for a size', from = 'd_model = 16', to = 'd_model = 16.0',
    'd_model must be an integer, not the float 16.0', '//' },
  { 'float of a later spec', from = 'd_out = 3', to = 'd_out = 2.5',
    'linear "last"', 'd_out must be an integer, not the float 2.5' },
  { 'number for bias', from = 'bias = true', to = 'bias = 1',
    'bias must be a boolean, not an integer' },
  { 'an aim that is none', from = 'bias = true', to = 'optimise = "sise"',
    'unknown optimise "sise" (did you mean "size"?)' },
  { 'an aim that is no text', from = 'bias = true', to = 'optimise = true',
    'optimise must be a string, not a boolean' },
  { 'no number of tokens', from = 'bias = true', to = 'max_tokens = 0',
    'max_tokens must be at least 1, not 0' },
  { 'a part of a token', from = 'bias = true', to = 'max_tokens = 1.5',
    'max_tokens must be an integer, not the float 1.5' },
  { 'tokens as text', from = 'bias = true', to = 'max_tokens = "one"',
    'max_tokens must be an integer, not a string' },
  { 'a rule for tokens', from = 'bias = true', to = 'max_tokens = d_model // 2',
    'max_tokens must be an integer, not a size rule' },
  { 'more tokens than any size', from = 'bias = true', to = 'max_tokens = 1 << 40',
    'max_tokens = 1099511627776 is beyond the largest size, 1048576' },
  { 'few tokens in training', from = 'bias = true', to = 'max_tokens = 8, backward = true',
    'max_tokens is for layers that are not trained', 'without backward' },
  { 'text for backward', from = 'bias = true', to = 'backward = "yes"',
    'backward must be a boolean, not a string' },
  { 'backward of one entry of build', from = "dtype = 'f32',\n",
    to = "dtype = 'f32', backward = true,\n", 'unknown field "backward"', 'dtype, isa' },
  { 'backward of one layer of a chain', from = "{ 8, 'relu' }",
    to = "{ 8, 'relu', backward = true }", 'unknown field "backward"' },
  { 'number for a variant', from = "variant = 'swiglu',", to = 'variant = 4,',
    'variant must be a string, not an integer' },
  { 'number for about', from = [['variant = "x", d_ff = 3']], to = '3.5',
    'about must be a string, not a float' },
  { 'two lines for about', from = [[d_ff = 3']], to = [[\n']], 'about is one line' },
  { 'end of comment in about', from = [[d_ff = 3']], to = [[*/']], 'about is one line' },
  { 'start of comment in about', from = [[d_ff = 3']], to = [[/*']], 'about is one line' },
  { 'no UTF-8 in about', from = [[d_ff = 3']], to = [[\xff']], 'about is one line of UTF-8' },
  { 'missing table', from = "ffn 'layer' {", to = "ffn 'layer'\nlocal unused = {",
    'ffn "layer" takes a table' },
  { 'number for the table', from = "{ variant = 'relu', d_model = 8, d_ff = 16 }", to = '(3)',
    'ffn "first" takes a table' },
  { 'rule for the table', from = "{ variant = 'relu', d_model = 8, d_ff = 16 }",
    to = '(d_model)', 'ffn "first" takes a table' },
  { 'two tables', from = 'd_ff = 16 }', to = "d_ff = 16 } local f = ffn 'b' f {} f {}",
    'given twice' },

  -- Sizes.
  { 'zero', from = 'd_model = 16', to = 'd_model = 0', 'd_model must be at least 1, not 0' },
  { 'negative', from = 'd_out = 3', to = 'd_out = -3', 'd_out must be at least 1, not -3' },
  { 'absurd', from = 'd_model = 16', to = 'd_model = 1048577',
    'd_model = 1048577 is beyond the largest size, 1048576' },
  { 'largest integer', from = 'd_model = 16', to = 'd_model = 0x7fffffffffffffff',
    'beyond the largest size' },
  { 'smallest integer', from = 'd_model = 16', to = 'd_model = 0x8000000000000000',
    'd_model must be at least 1' },
  { 'integer beyond 64 bits', from = 'd_model = 16', to = 'd_model = 99999999999999999999',
    'not the float 1e+20' },
  { 'infinity', from = 'd_model = 16', to = 'd_model = 1e999', 'not the float inf' },
  { 'not a number', from = 'd_model = 16', to = 'd_model = 0/0', 'not the float', 'nan' },
  { 'too many parameters', from = "linear 'last' { d_model = 4,\n  d_out = 3",
    to = "linear 'last' { d_model = 1048576,\n  d_out = 1048576", 'parameters', 'limit' },
  { 'too many parameters in a chain', from = 'd_model = 4,\n  layers = {\n    { 8,',
    to = 'd_model = 1048576,\n  layers = {\n    { 1048576,', 'parameters', 'limit' },

  -- Rules.
  { 'float division', from = 'd_ff = llama_d_ff {', to = 'd_ff = d_model * 8 / 3, unused = {',
    'divide with //, not /' },
  { 'division by zero', from = 'llama_d_ff {', to = 'd_model // 0, build = {',
    'd_ff: a size rule divides by zero' },
  { 'rule to zero', from = 'llama_d_ff {', to = 'd_model // 17, build = {',
    'd_ff must be at least 1, not 0' },
  { 'rule of a float', from = 'llama_d_ff {', to = 'd_model * 2.5, build = {',
    'd_ff: a size rule works on integers only, not on a float' },
  { 'rule of a text', from = 'llama_d_ff {', to = 'd_model + "4", build = {',
    'd_ff: a size rule works on integers only, not on a string' },
  { 'rule that wraps around', from = 'llama_d_ff {',
    to = '(d_model * 0x1000000000000000 + 64), build = {', 'd_ff: a size rule goes beyond' },
  { 'rule with a remainder', from = 'llama_d_ff {', to = 'd_model % 3, unused = {',
    'a size rule is made with +, -, * and // alone' },
  { 'rule that is compared', from = 'd_ff = llama_d_ff {',
    to = 'd_ff = d_model < 8 and 8 or d_model, unused = {',
    'a size rule is made with +, -, * and // alone' },
  { 'rule of many operations', from = 'd_ff = llama_d_ff {',
    to = "d_ff = (function() local s = d_model\n for i = 1, 200 do\n"
      .. 's = s + s end return s end)(), unused = {', at = 's = s + s',
    'a size rule of too many operations' },
  { 'd_model is set', from = "ffn 'first'", to = "d_model = 512 ffn 'first'",
    'sets no globals', 'local', '"d_model"' },
  { 'unknown option of the Llama rule', from = 'multiple_of = 8', to = 'multiple_off = 8',
    'd_ff: llama_d_ff: unknown field "multiple_off" (did you mean "multiple_of"?)' },
  { 'zero multiple_of', from = 'multiple_of = 8', to = 'multiple_of = 0',
    'multiple_of must be an integer from 1 to 1048576, not 0' },
  { 'negative multiple_of', from = 'multiple_of = 8', to = 'multiple_of = -8',
    'multiple_of must be an integer', '-8' },
  { 'float multiple_of', from = 'multiple_of = 8', to = 'multiple_of = 8.0',
    'multiple_of must be an integer', 'not 8.0' },
  { 'text multiple_of', from = 'multiple_of = 8', to = 'multiple_of = "8"',
    'multiple_of must be an integer' },
  { 'huge multiple_of', from = 'multiple_of = 8', to = 'multiple_of = 1 << 40',
    'multiple_of must be an integer', '1099511627776' },
  { 'zero multiplier', from = '= 1.5,\n  }', to = '= 0,\n  }',
    'ffn_dim_multiplier must be a number above 0' },
  { 'negative multiplier', from = '= 1.5,\n  }', to = '= -1.5,\n  }', '-1.5' },
  { 'multiplier that is no number', from = '= 1.5,\n  }', to = '= 0/0,\n  }',
    'ffn_dim_multiplier must be a number above 0', 'nan' },
  { 'infinite multiplier', from = '= 1.5,\n  }', to = '= 1e999,\n  }', 'not inf' },
  { 'text multiplier', from = '= 1.5,\n  }', to = '= "1.5",\n  }', 'not 1.5' },
  { 'Llama rule of a number', from = 'llama_d_ff {', to = 'llama_d_ff(256), build = {',
    'd_ff: llama_d_ff: takes a table: llama_d_ff { multiple_of = 256 }' },
  { 'Llama rule of nothing', from = 'llama_d_ff {', to = 'llama_d_ff(), build = {',
    'd_ff: llama_d_ff: takes a table' },
  { 'Llama rule by name alone', from = 'llama_d_ff {', to = 'llama_d_ff, build = {',
    'd_ff must be an integer, not a function' },

  -- Words.
  { 'unknown variant', from = "variant = 'swiglu',", to = "variant = 'swigul',",
    'unknown variant "swigul" (did you mean "swiglu"?)' },
  { 'variant of other case', from = "'relu', d_model = 8", to = "'ReLU', d_model = 8",
    'unknown variant "ReLU" (did you mean "relu"?)' },
  { 'variant far from all', from = "variant = 'swiglu',", to = "variant = 'convolution',",
    'unknown variant "convolution" (choose from: identity, bilinear, relu, reglu' },
  { 'plain variant of a gated layer', from = "variant = 'swiglu_beta'",
    to = "variant = 'swish'", 'glu "gated"', 'unknown variant "swish"', 'swiglu_beta' },
  { 'unknown activation', from = "activation = 'silu'", to = "activation = 'sillu'",
    'unknown activation "sillu" (did you mean "silu"?)' },
  { 'gated word as an activation', from = "activation = 'silu'",
    to = "activation = 'geglu'", 'unknown activation "geglu" (did you mean "gelu"?)' },
  { 'endless word', from = "activation = 'silu'",
    to = "activation = '" .. ('x'):rep(5000) .. "'", 'unknown activation "xxxx', '...' },
  { 'word with control characters', from = "activation = 'silu'",
    to = [[activation = 'si\27[31mlu\n']], [[unknown activation "si\27[31mlu\10"]] },
  { 'unknown isa in the second build', from = "'avx512'", to = "'avx51'",
    'unknown isa "avx51" (did you mean "avx512"?)' },
  { 'unknown isa in the first build', from = "isa = { 'c' }", to = "isa = { 'sse2' }",
    'unknown isa "sse2"', 'avx2' },
  { 'number as isa', from = "isa = { 'c' }", to = 'isa = { 512 }', 'unknown isa "512"' },
  { 'isa without a list', from = "isa = { 'c' }", to = "isa = 'c'", 'isa must be a list' },
  { 'empty isa list', from = "isa = { 'c' }", to = 'isa = {}', 'isa is empty' },
  { 'isa with a field', from = "isa = { 'c' }", to = "isa = { 'c', avx2 = true }",
    'isa is a list', '"avx2"' },
  { 'unknown dtype', from = "dtype = 'f32', isa = { 'c'", to = "dtype = 'fp32', isa = { 'c'",
    'unknown dtype "fp32" (did you mean "f32"?)' },
  { 'a format as dtype', from = "dtype = 'f32', isa = { 'c'", to = "dtype = 'bf16', isa = { 'c'",
    'weights = "..." says what weights are stored as' },
  { 'unknown dtype in the second build', from = "      dtype = 'f32'",
    to = "      dtype = 'q4_0'", 'unknown dtype "q4_0"', 'f32' },
  { 'unknown format', from = '  bias = true,\n', to = "  bias = true,\n  weights = 'zz',\n",
    'weights: unknown format "zz" (choose from: f32, bf16, f16, ' },
  { 'unknown format of a role', from = '  bias = true,\n',
    to = "  bias = true, weights = { down = 'fp32' },\n",
    'weights: unknown format "fp32" (did you mean "f32"?)' },
  { 'weights of an unknown role', from = '  bias = true,\n',
    to = "  bias = true, weights = { gata = 'f32' },\n",
    'weights: unknown field "gata" (did you mean "gate"?)' },
  { 'a number for weights', from = '  bias = true,\n', to = '  bias = true,\n  weights = 16,\n',
    'weights must be a format such as "f32", or by role: { gate = "f32", up = "f32", down = '
    .. '"f32" }, not an integer' },
  { 'a size rule for weights', from = '  bias = true,\n',
    to = '  bias = true,\n  weights = d_model,\n', 'not a size rule' },
  { 'unknown field of a build', from = "dtype = 'f32', isa = { 'c'",
    to = "type = 'f32', isa = { 'c'", 'build: unknown field "type" (did you mean "dtype"?)' },
  { 'build without its list', from = 'build = {\n', to = "build = { dtype = 'f32',\n",
    'build is a list', '"dtype"' },
  { 'text in build', from = "{ dtype = 'f32', isa = { 'c' } }", to = "'avx2'",
    'build is a list', 'item 1 is a string' },

  -- Layers of an mlp.
  { 'unknown activation of the third layer', from = "'sigmoid'", to = "'sigmoyd'",
    'layer 3: unknown activation "sigmoyd" (did you mean "sigmoid"?)' },
  { 'unknown activation on its own line', from = "'swish'", to = "'swich'",
    'layer 2: unknown activation "swich" (did you mean "swish"?)' },
  { 'bad width of the second layer', from = '{ 9,', to = '{ 9.5,',
    'the width of layer 2 must be an integer, not the float 9.5' },
  { 'width and word exchanged', from = "{ 8, 'relu' }", to = "{ 'relu', 8 }",
    'layer 1: unknown activation "8"' },
  { 'zero width', from = "{ 1, 'sigmoid' }", to = "{ 0, 'sigmoid' }",
    'the width of layer 3 must be at least 1' },
  { 'layer without a width', from = "{ 8, 'relu' }", to = '{}',
    'the width of layer 1 must be an integer, not a nil' },
  { 'number as a layer', from = "{ 8, 'relu' }", to = '8',
    'layer 1 must be a table { width, "activation" }, not an integer' },
  { 'zero beta of the second layer', from = 'beta = 1.5', to = 'beta = 0',
    'beta = 0', 'other than 0' },
  { 'beta where there is none', from = "{ 1, 'sigmoid' }", to = "{ 1, 'sigmoid', beta = 2 }",
    'sigmoid has no beta' },
  { 'third item of a layer', from = "{ 8, 'relu' }", to = "{ 8, 'relu', true }",
    'layer 1: unknown field "3"' },
  { 'unknown field of a layer', from = "{ 1, 'sigmoid' }",
    to = "{ 1, 'sigmoid', bias = true }", 'layer 3: unknown field "bias"' },
  { 'field among the layers', from = "{ 1, 'sigmoid' }", to = "activation = 'sigmoid'",
    'layers is a list', '"activation"' },
  { 'gap among the layers', from = "{ 1, 'sigmoid' },\n", to = 'nil,\n{ 1 },\n',
    'layers has a gap: item 3 is missing' },
  { 'too many layers', from = 'layers = {\n', to = 'layers = {' .. ('{ 4 },'):rep(17) .. '\n',
    'layers has 20 items; at most 16' },
  { 'names that are too long', from = 'layers = {\n',
    to = 'layers = {' .. ("{ 100, 'swish', beta = -1.2345678e-5 },"):rep(13) .. '\n',
    'more than 200 characters' },

  -- Beta.
  { 'text for beta', from = 'beta = 2.0', to = 'beta = "fixed"',
    'beta must be a number or "runtime", not "fixed"' },
  { 'boolean for beta', from = 'beta = 2.0', to = 'beta = true', 'not a boolean' },
  { 'zero beta', from = 'beta = 2.0', to = 'beta = -0.0', 'other than 0' },
  { 'beta below all floats', from = 'beta = 2.0', to = 'beta = 1e-60', 'other than 0' },
  { 'beta that f32 makes 0', from = 'beta = 2.0', to = 'beta = 1e-60',
    'beta = 1e-60', 'this one becomes 0 in f32, whose smallest normal number is 1.17549435e-38' },
  { 'subnormal beta', from = 'beta = 2.0', to = 'beta = -1e-40',
    'beta = -1e-40', 'this one is subnormal in f32' },
  { 'beta beyond its limit', from = 'beta = 2.0', to = 'beta = 1e7', 'at most 1e6' },
  { 'infinite beta', from = 'beta = 2.0', to = 'beta = -1e999', 'beta = -inf' },
  { 'beta that is no number', from = 'beta = 2.0', to = 'beta = 0/0', 'beta = NaN: a' },
  { 'beta without need', from = 'bias = true', to = 'beta = 1.5', 'silu has no beta' },

  -- Missing fields.
  { 'missing d_model', at = "ffn 'layer'", from = 'd_model = 16,', to = '',
    'field "d_model" is missing' },
  { 'missing d_ff', from = ', d_ff = 16', to = '', 'field "d_ff" is missing' },
  { 'missing variant', at = "ffn 'layer'", from = "  variant = 'swiglu',", to = '',
    'field "variant" is missing (choose from: ' },
  { 'missing d_out', at = "linear 'last'", from = 'd_out = 3', to = '',
    'linear "last"', '"d_out" is missing' },
  { 'missing activation', at = "selfgate 'self'", from = "activation = 'silu',", to = '',
    'field "activation" is missing (choose from: ' },

  -- Names.
  { 'duplicate name', from = "'last'", to = "'first'",
    'linear "first": the name is taken at ', ':2' },
  { 'name with a hyphen', from = "'last'", to = "'my-last'",
    'must be a C identifier (did you mean "my_last"?)' },
  { 'name with a digit first', from = "'last'", to = "'7b'", '(did you mean "_7b"?)' },
  { 'empty name', from = "'last'", to = "''", 'the name is empty' },
  { 'name beyond ASCII', from = "'last'", to = "'größe'", 'must be a C identifier' },
  { 'name with a line break', from = "'last'", to = [['a\nb']], [["a\10b"]] },
  { 'name with a zero', from = "'last'", to = [['a\0']], [["a\0"]] },
  { 'path as a name', from = "'last'", to = "'../evil'", 'must be a C identifier' },
  { 'keyword of C', from = "'last'", to = "'register'",
    'a keyword of C or C++ (did you mean "register_"?)' },
  { 'keyword of C++', from = "'last'", to = "'template'", 'a keyword of C or C++' },
  { 'keyword with an underline', from = "'last'", to = "'wchar_t'", 'a keyword of C or C++' },
  { 'keyword of C11', from = "'last'", to = "'_Generic'", 'a keyword of C or C++' },
  { 'keyword for an operator', from = "'last'", to = "'xor_eq'", 'a keyword of C or C++' },
  { 'long name', from = "'last'", to = "'" .. ('n'):rep(121) .. "'", 'longer than 120' },
  { 'table for a name', from = "linear 'last' {", to = 'linear {', 'linear takes a name' },
  { 'no name', from = "linear 'last' {", to = 'linear() {', 'linear takes a name' },

  -- Unknown words and ways out.
  { 'unknown word', from = "linear 'last'", to = "liner 'last'",
    'unknown word "liner" (did you mean "linear"?)' },
  { 'io', from = "ffn 'first'", to = "io.open('x', 'w') ffn 'first'", 'unknown word "io"',
    'choose from: ffn, glu, linear' },
  { 'os', from = "ffn 'first'", to = "os.execute('touch x') ffn 'first'", 'unknown word "os"' },
  { 'require', from = "ffn 'first'", to = "require 'lfs' ffn 'first'",
    'unknown word "require"' },
  { 'load', from = "ffn 'first'", to = "load('x') ffn 'first'", 'unknown word "load"' },
  { 'dofile', from = "\n\nffn", to = "\ndofile 'x'\nffn", 'unknown word "dofile"' },
  { 'string.rep', from = "ffn 'first'", to = "string.rep('x', 9) ffn 'first'",
    'unknown word "string"' },
  { 'string methods', from = '\n\nffn', to = '\nlocal s = ("x"):rep(1 << 30)\nffn',
    'strings have no methods here ("rep")' },
  { 'string functions by index', from = '\n\nffn', to = '\nlocal s = ("x").format\nffn',
    'strings have no methods here ("format")' },
  { 'metatables', from = '\n\nffn', to = '\nsetmetatable({}, {})\nffn',
    'unknown word "setmetatable"' },
  { 'debug', from = '\n\nffn', to = '\ndebug.sethook()\nffn', 'unknown word "debug"' },
  { 'protected calls', from = '\n\nffn', to = '\npcall(ffn)\nffn', 'unknown word "pcall"' },
  { 'globals of the environment', from = '\n\nffn', to = '\n_ENV.os.exit(0)\nffn',
    'unknown word "os"' },
  { 'new globals', from = '\n\nffn', to = '\nwidth = 5\nffn', 'sets no globals', '"width"' },
  { 'no environment', from = '\n\nffn', to = '\nlocal _ENV = {}\nffn', at = "ffn 'layer'",
    "global 'ffn'" },
  { 'arithmetic on nothing', from = '\n\nffn', to = '\nlocal a local b = a + 1\nffn',
    "arithmetic on a nil value (local 'a')" },

  { 'nil of the environment', from = '\n\nffn', to = '\nlocal a = _ENV[nil]\nffn',
    'unknown word "a nil"' },
  { 'a new nil', from = '\n\nffn', to = '\n_ENV[nil] = 1\nffn', 'sets no globals', '"a nil"' },
  { 'a table of the environment', from = '\n\nffn', to = '\nlocal a = _ENV[{}]\nffn',
    'unknown word "a table" (choose from' },
  -- What the generator calls later is no table that a spec can fill.
  { 'a rule of its own', from = '\n\nffn',
    to = '\nd_model.rule = function() while true do end end\nffn', 'a size rule has no fields' },
  { 'a look into a rule', from = '\n\nffn', to = '\nlocal r = (d_model * 2).rule\nffn',
    'a size rule has no fields' },
  { 'a rule by another way', from = '\n\nffn', to = '\nlocal r = llama_d_ff {} r[1] = r\nffn',
    'a size rule has no fields' },

  -- The schema.
  { 'newer schema', from = '\n\nffn', to = '\nschema(2) fun(7)\nffn',
    'schema 2 is newer than 1, the newest that ffngen ', ' reads: install a newer ffngen' },
  { 'schema after a layer', from = '\n\nffn', to = '\nschema(1)\nffn',
    'schema stands before the first layer' },
  { 'schema zero', from = '\n\nffn', to = '\nschema(0)\nffn',
    'schema takes the number of a schema: schema(1)' },
  { 'schema by text', from = '\n\nffn', to = "\nschema '1'\nffn",
    'schema takes the number of a schema: schema(1)' },
  { 'schema by assignment', from = '\n\nffn', to = '\nschema = 1\nffn', 'sets no globals' },
  { 'schema misspelt', from = '\n\nffn', to = '\nshema(1)\nffn', '(did you mean "schema"?)' },

  -- Syntax.
  { 'missing comma', at = 'd_model = 16', from = "variant = 'swiglu',", to = "variant = 'swiglu'",
    "'}' expected", 'd_model' },
  { 'missing brace', at = '', from = 'd_out = 3 }', to = 'd_out = 3',
    "'}' expected (to close '{' at line 44)" },
  { 'unfinished text', from = 'd_out = 3 }', to = "d_out = 'x }", 'unfinished string' },
  { 'unfinished endless text', from = 'd_out = 3 }',
    to = "d_out = '" .. ('y'):rep(100000) .. ' }', 'unfinished string' },
  { 'deep tables', from = 'd_out = 3', to = 'd_out = ' .. ('{'):rep(5000),
    'brackets in brackets without end' },

  -- No end.
  { 'endless loop', from = '\n\nffn', to = '\nwhile true do end\nffn', 'runs too long' },
  { 'long loop', from = '\n\nffn', to = '\nfor i = 1, 1 << 60 do end\nffn', 'runs too long' },
  { 'endless jump', from = '\n\nffn', to = '\n::a:: goto a\nffn', 'runs too long' },
  { 'endless tail calls', from = '\n\nffn',
    to = '\nlocal function f() return f() end f()\nffn', 'runs too long' },
  { 'ever more values', from = '\n\nffn',
    to = '\nlocal function f(...) return f(1, ...) end f()\nffn', 'given more than 250 values' },
  { 'endless calls', from = '\n\nffn', to = '\nlocal function f() f() end f()\nffn', 'too much' },
  { 'endless rules', from = '\n\nffn', to = '\nwhile true do local s = d_model + 1 end\nffn',
    'runs too long' },
  { 'endless table', from = '\n\nffn',
    to = '\nlocal t, i = {}, 0 while true do i = i + 1 t[i] = { i } end\nffn', 'too much memory' },
  { 'text times a hundred', from = '\n\nffn', to = '\nlocal s = "x" while true do s = s'
      .. (' .. s'):rep(100) .. ' end\nffn', 'too much memory' },
  { 'endless joins', from = '\n\nffn', to = '\nlocal s = "' .. ('x'):rep(9000) .. '" s = s'
      .. (' .. s'):rep(100) .. ' s = s' .. (' .. s'):rep(150) .. '\nffn', 'too much memory',
    megabytes = 50 },
  { 'endless joins of a long text', from = '\n\nffn', to = '\nlocal s = "' .. ('x'):rep(200000)
      .. '" s = s' .. (' .. s'):rep(150) .. '\nffn', 'too much memory', megabytes = 50 },
  { 'endless comparisons of long texts', from = '\n\nffn', to = '\nlocal s = "'
      .. ('x'):rep(9000) .. '" s = s' .. (' .. s'):rep(100) .. ' local a, b = s .. 1, s .. 1'
      .. ' while a <= b do end\nffn', 'runs too long' },
  { 'endless garbage', from = '\n\nffn',
    to = '\nwhile true do local s = "' .. ('x'):rep(5000) .. '" .. 1 end\nffn', 'runs too long' },
  { 'endless layers', from = '\n\nffn', to = "\nwhile true do ffn 'x' end\nffn", 'too' },
}

-- Whenever the limit is looked at, a doubling must not have gone past it.
for _, start in ipairs { 1, 7, 60, 200, 400, 1000, 5000 } do
  changes[#changes + 1] = {
    'doubled text of ' .. start, 'too much memory', from = '\n\nffn',
    to = ('\nlocal s = "%s" while true do s = s .. s end\nffn'):format(('x'):rep(start)),
  }
end

--- The whole text of a file, and the line.
local files = {
  { 'empty file', 1, '', 'the file has no layer (choose from: ffn, glu' },
  { 'nothing but comments', 1, '-- ffn\n--[[\nffn]]\n', 'the file has no layer' },
  { 'precompiled chunk', 1, string.dump(function() end), 'precompiled chunk' },
  { 'a byte order mark', 2, "\xef\xbb\xbf-- A layer\nffn 'a' { variant = 'relu', d_model = 0 }",
    'd_model must be at least 1' },
  { 'a precompiled chunk behind a byte order mark', 1, '\xef\xbb\xbf' .. string.dump(
    function() end), 'precompiled chunk' },
  { 'binary garbage', 1, '\x7fELF\x02\x01\1\0\0\0\xff\xfe\x80', 'near' },
  { 'escape sequences', 1, '\27]0;title\7', 'precompiled' },
  { 'huge file', 1, ('-- x\n'):rep(60000) .. "ffn 'a' {}", 'more than 262144 bytes' },
  { 'a table made elsewhere', 3, "local t = { variant = 'relu',\nd_modle = 3 }\nffn 'a' (t)\n",
    'unknown field "d_modle" (did you mean "d_model"?)' },
  { 'in a loop', 4, "local w = { 'relu', 'rilu' }\nfor i = 1, 2 do\n  ffn('f_' .. w[i]) {\n"
    .. '    variant = w[i], d_model = 4,\n    d_ff = 4 }\nend\n', 'ffn "f_rilu"',
    'unknown variant "rilu" (did you mean "relu"?)' },
  { 'empty build', 2, "ffn 'a' { variant = 'relu', d_model = 4, d_ff = 4,\n build = {} }",
    'build is empty; it is a list such as' },
  { 'text for build', 2, "ffn 'a' { variant = 'relu', d_model = 4, d_ff = 4,\n build = 'c' }",
    'build must be a list such as', 'not a string' },
  { 'many builds', 2, "ffn 'a' { variant = 'relu', d_model = 4, d_ff = 4,\n build = {"
    .. ('{},'):rep(1000) .. '} }', 'build has 1000 items; at most 16' },
  { 'two formats of three layers', 2, "mlp 'a' { d_model = 4, layers = { { 4 }, { 4 }, { 4 } },\n"
    .. " weights = { 'f32', 'f32' } }", 'weights: 2 formats for 3 layers; one for each' },
  { 'unknown format of a chain', 3, "mlp 'a' { d_model = 4, layers = { { 4 }, { 4 } },\n"
    .. " weights = { 'f32',\n 'zz' } }",
    'weights: unknown format "zz" (choose from: f32, bf16, f16, ' },
  { 'weights by role of a chain', 2, "mlp 'a' { d_model = 4, layers = { { 4 } },\n"
    .. " weights = { up = 'f32' } }", 'weights is a list such as { "f32", "f32" }' },
  { 'weights by role of a matrix', 2, "linear 'a' { d_model = 4, d_out = 4,\n"
    .. " weights = { 'f32' } }", 'weights must be a format such as "f32", not a table' },
  { 'no layers', 2, "mlp 'a' { d_model = 4,\n layers = {} }", 'layers is empty' },
  { 'layers missing', 1, "mlp 'a' {\n d_model = 4 }", 'field "layers" is missing' },
  { 'text for layers', 2, "mlp 'a' { d_model = 4,\n layers = 'relu' }",
    'layers must be a list such as', 'not a string' },
  { 'a parameter beside its activation', 2,
    "mlp 'a' { d_model = 4,\n layers = { { 8, 'leaky_relu', slope = 2 }, { 1 } } }",
    'layer 1: "slope" is a parameter of leaky_relu; '
    .. 'write { 8, "leaky_relu", parameters = { slope = number } }' },
  { 'one of several parameters beside their activation', 2,
    "mlp 'a' { d_model = 4,\n layers = { { d_model, 'xielu', alpha_n = 2 } } }",
    'write { width, "xielu", parameters = { alpha_p = number, alpha_n = number } }' },
  { 'an unknown field of a layer', 2,
    "mlp 'a' { d_model = 4,\n layers = { { 8, 'relu', slope = 2 }, { 1 } } }",
    'layer 1: unknown field "slope"; a layer is { width, "activation" } or, with parameters' },
  { 'layers as one layer', 2, "mlp 'a' { d_model = 4,\n layers = { 64, 'relu' } }",
    'layer 1 must be a table { width, "activation" }' },
  { 'rule without a word', 3, "local x\n\nffn 'a' { variant = 'relu', d_ff = -d_model }",
    'a size rule is made with +, -, * and // alone' },
  { 'two layers on a line', 2, "ffn 'a' { variant = 'relu', d_model = 4, d_ff = 4 } ffn 'b' {\n"
    .. "variant = 'relu', d_model = 0, d_ff = 4 }", 'ffn "b"', 'd_model must be at least 1' },
  { 'CRLF', 3, "ffn 'a' {\r\n  variant = 'relu',\r\n  d_model = 0,\r\n  d_ff = 3 }\r\n",
    'd_model must be at least 1' },
  { 'a layer as the result', 2, "local x\nreturn ffn 'a'", 'takes a table' },
  { 'a text with brackets', 3, "ffn 'a' { about = '}, d_ff = 1.5, {[\\'', variant = 'relu', "
    .. 'd_model = 4,\n  -- d_ff = 1.5\n  d_ff = 1.5 }', 'd_ff must be an integer' },
  { 'a long text', 4, "ffn 'a' { about = [==[\nd_ff = 1.5 ]]]==], variant = 'relu',\n"
    .. ' d_model = 4,\n  d_ff = 1.5 }', 'd_ff must be an integer' },
  { 'a long name', 3, "ffn [[a]] { variant = 'relu', about = [=[\n]]}]=],\n  d_model = 0 }",
    'd_model must be at least 1' },
  { 'a long text among layers', 2, "mlp 'a' { d_model = 4, layers = {\n  [[ { ]],\n  7 } }",
    'layer 1 must be a table' },
  { 'another word for a word', 2, "local f = ffn\nf 'a' { d_model = 0 } return ffn",
    'ffn "a": d_model must be at least 1' },
  { 'the word in brackets', 1, "local f = ffn f 'a' { d_model = 0 } return (ffn)",
    'ffn "a": d_model must be at least 1' },
  { 'a width between blocks', 1, "linear 'a' { d_model = 576, d_out = 64, weights = 'q4_K' }",
    'weights: q4_K takes widths that 256 divides, and d_model = 576 is none; 512 or 768 would be, '
    .. 'or 576 as q8_0, q4_0, q4_1, q5_0, q5_1, mxfp4' },
  { 'a width that no block divides', 2, "ffn 'a' { variant = 'relu', d_model = 256, d_ff = 100,\n"
    .. " weights = 'q6_K' }", 'd_ff = 100 is none; 256 would be' },
  { 'brackets around the table', 2, "ffn('a')({ variant = 'relu', d_model = 4,\n  d_ff = 1.5 })",
    'd_ff must be an integer' },
}

--- The message of a mistake, at its line, and nothing done.
---@param megabytes integer|nil  that are enough for it
local function check(title, text, line, parts, megabytes)
  local folder, before = TestSpecErrors.folder, TestSpecErrors.before
  support.write(folder .. '/spec.lua', text)
  before['spec.lua'] = text
  -- What never ends, or grows without end, is stopped after a while: once is enough. In short form
  -- few wait for all instructions, or fill all memory, and the others for a tenth.
  local is_endless = title:match('endless') or title:match('long loop') or title:match('memory')
  local is_table = title == 'endless table'
  local is_short = not support.full
    and (is_table or parts[1] == 'runs too long' and title ~= 'endless loop')
  local limit = ('ulimit -v %d;'):format(1000 * (megabytes or 1000))
  if is_short and is_table then
    sandbox.max_kilobytes = max_kilobytes // 10
  elseif is_short then
    sandbox.max_instructions = max_instructions // 10
  end
  for _, out in ipairs(is_endless and { 'kept' } or { 'out', 'kept' }) do
    -- In a gigabyte, where it is a process: no mistake needs more.
    local result = support.ffngen({ 'generate', 'spec.lua', '--out', out },
      { dir = folder, before = (support.full or is_endless and not is_short) and limit or nil })
    support.assert_code(result, 4, title)
    unit.assertEquals(result.out, '', title .. ': stdout')
    local place, message = result.err:match('^ffngen: (spec%.lua:%d+): ([^\n]*)\n'
      .. 'ffngen: nothing was written\n$')
    if not place then unit.fail(title .. ': not the form of an error: ' .. result.err) end
    unit.assertEquals(place, ('spec.lua:%d'):format(line), title .. ': the place of ' .. message)
    for _, part in ipairs(parts) do support.assert_has(message, part, title) end
    unit.assertTrue(#message < 600, title .. ': a message of ' .. #message .. ' characters')
    unit.assertNotStrContains(message, 'generator/')
    unit.assertNil(message:find('%c'), title .. ': control characters')
    support.assert_same(support.snapshot(folder), before, title)
  end
end

TestSpecErrors = {}

--- A folder with the output of an earlier run, kept/, that no mistake may touch.
function TestSpecErrors:setUp()
  if self.folder then return end
  local folder = support.folder()
  support.write(folder .. '/spec.lua', good)
  support.assert_code(support.ffngen({ 'generate', 'spec.lua', '--out', 'kept' },
    { dir = folder }), 0, 'the spec without a mistake')
  self.folder, self.before = folder, support.snapshot(folder)
end

--- A folder that was touched is of no use to the next test.
function TestSpecErrors:tearDown()
  sandbox.max_instructions, sandbox.max_kilobytes = max_instructions, max_kilobytes
  if support.exists(self.folder .. '/out') or support.exists(self.folder .. '/x') then
    self.folder = nil
  end
end

local function line_at(text, position)
  return 1 + select(2, text:sub(1, position - 1):gsub('\n', ''))
end

for _, case in ipairs(changes) do
  local title = case[1]
  local key = 'test_' .. title:gsub('%W+', '_')
  assert(not TestSpecErrors[key], 'two cases have the title ' .. title)
  TestSpecErrors[key] = function()
    local from, to = good:find(case.from, 1, true)
    assert(from, title .. ': the spec has no such text')
    assert(not good:find(case.from, from + 1, true), title .. ': the text is in the spec twice')
    local text = good:sub(1, from - 1) .. case.to .. good:sub(to + 1)
    local at
    if case.at == '' then
      at = #good
    elseif case.at then
      at = text:find(case.at, 1, true)
    else
      at = from
      while text:byte(at) == good:byte(at) do at = at + 1 end
    end
    check(title, text, line_at(text, at), { table.unpack(case, 2) }, case.megabytes)
  end
end

for _, case in ipairs(files) do
  local title = case[1]
  local key = 'test_file_' .. title:gsub('%W+', '_')
  assert(not TestSpecErrors[key], 'two cases have the title ' .. title)
  TestSpecErrors[key] = function()
    check(title, case[3], case[2], { table.unpack(case, 4) })
  end
end

--- Paths that are no spec files.
function TestSpecErrors.test_path_that_cannot_be_read()
  local folder = support.folder()
  support.sh('mkdir', folder .. '/directory.lua')
  support.write(folder .. '/good.lua', good)
  for path, reason in pairs {
    ['missing.lua'] = 'missing.lua: cannot be read: No such file or directory',
    ['directory.lua'] = 'directory.lua: cannot be read: Is a directory',
    ['good.lua/x.lua'] = 'good.lua/x.lua: cannot be read: Not a directory',
    ['/dev/zero'] = '/dev/zero: cannot be read: Is a device, not a file',
  } do
    -- A good spec before it does not help.
    local result = support.ffngen({ 'generate', 'good.lua', path, '--out', 'out' },
      { dir = folder })
    support.assert_code(result, 4, path)
    support.assert_has(result.err, 'ffngen: ' .. reason, path)
    unit.assertEquals(result.out, '')
    unit.assertFalse(support.exists(folder .. '/out'), path)
  end
end

--- Lua shortens long names of chunks to 60 characters; messages do not.
function TestSpecErrors.test_long_path()
  local folder = support.folder() .. '/' .. ('long_'):rep(40)
  support.sh('mkdir', folder)
  local path = folder .. '/spec.lua'
  for text, line in pairs {
    ["\n\nffn 'a' {"] = 3, ['\nunknown()'] = 2, ['\n\n\nlocal a = 1 + {}'] = 4,
  } do
    support.write(path, text)
    local result = support.ffngen { 'list', path }
    support.assert_code(result, 4, text)
    support.assert_has(result.err, ('ffngen: %s:%d: '):format(path, line), text)
  end
end

--- Every verb that reads specs judges them.
function TestSpecErrors.test_other_verbs()
  local folder = support.folder()
  support.write(folder .. '/spec.lua', "\nffn 'a' { variant = 'relu', d_model = 0, d_ff = 1 }")
  for _, arguments in ipairs {
    { 'list', 'spec.lua' }, { 'list', '--json', 'spec.lua' }, { 'explain', 'a', 'spec.lua' },
    { 'generate', 'spec.lua', '--out', 'out', '--dry-run' },
  } do
    local result = support.ffngen(arguments, { dir = folder })
    support.assert_code(result, 4, arguments[1])
    unit.assertEquals(result.out, '', arguments[1])
    support.assert_has(result.err, 'spec.lua:2: ffn "a": d_model must be at least 1', arguments[1])
  end
end

function TestSpecErrors.test_names_are_unique_among_files()
  local folder = support.folder()
  support.write(folder .. '/one.lua', "\nlinear 'a' { d_model = 1, d_out = 1 }")
  support.write(folder .. '/two.lua', "\n\nlinear 'a' { d_model = 2, d_out = 1 }")
  local result = support.ffngen({ 'list', 'one.lua', 'two.lua' }, { dir = folder })
  support.assert_code(result, 4, 'two files')
  support.assert_has(result.err, 'two.lua:3: linear "a": the name is taken at one.lua:2',
    'two files')
end

--- Specs broken at random: an error of the input or none at all, never one of the generator.
function TestSpecErrors.test_random_damage()
  local spec = require 'read.spec'
  math.randomseed(23)
  local pieces = {}
  for piece in good:gmatch('[%w_]+%s*') do pieces[#pieces + 1] = piece end
  for piece in good:gmatch('[^%w_%s]%s*') do pieces[#pieces + 1] = piece end
  local path, refused = support.temp .. '/damaged.lua', 0
  local count = support.full and 1500 or 500
  for _ = 1, count do
    local text = good
    for _ = 1, math.random(2) do
      local from = math.random(#text)
      from = text:find('%f[%w_]', from) or from
      local to = select(2, text:find('^[%w_]+', from)) or from
      if math.random(3) == 1 then to = from - 1 end
      local new = math.random(3) == 1 and '' or pieces[math.random(#pieces)]
      text = text:sub(1, from - 1) .. new .. text:sub(to + 1)
    end
    support.write(path, text)
    local ok, problem = pcall(spec.read, path, {})
    if not ok then
      refused = refused + 1
      unit.assertEquals(type(problem), 'table', tostring(problem) .. '\n' .. text)
      local line = tonumber(problem.text:match('^' .. path:gsub('%p', '%%%0') .. ':(%d+): '))
      unit.assertNotNil(line, problem.text)
      unit.assertTrue(line >= 1 and line <= 1 + select(2, text:gsub('\n', '')), problem.text)
      unit.assertNil(problem.text:find('generator/', 1, true), problem.text)
    end
  end
  unit.assertTrue(refused > count * 7 // 15 and refused < count, tostring(refused))
end

--- Every operator with every operand, on both sides of a size rule: a number, or a size rule's
--- words. Of `==`, `and` and `or` Lua tells a rule nothing.
function TestSpecErrors.test_operators_of_rules()
  local spec = require 'read.spec'
  local path, refused = support.temp .. '/rule.lua', 0
  local function outcome_of(rule)
    support.write(path, ("ffn 'a' { variant = 'relu', d_model = 8, d_ff = %s }"):format(rule))
    local ok, result = pcall(spec.read, path, {})
    if ok then return result[1].d_ff end
    refused = refused + 1
    unit.assertEquals(type(result), 'table', rule .. ': ' .. tostring(result))
    local text = result.text:match('^' .. path:gsub('%p', '%%%0') .. ':1: (.*)$')
    unit.assertNotNil(text, rule .. ': ' .. result.text)
    return text
  end
  local function assert_words(rule, wanted)
    local outcome = outcome_of(rule)
    for _, words in ipairs(wanted) do
      if math.type(outcome) or outcome:find(words, 1, true) then return end
    end
    unit.fail(('%s: %s'):format(rule, outcome))
  end
  local alone = 'a size rule is made with +, -, * and // alone'
  local operands = {
    '0', '1', '-1', '3', '2.5', '0.0', '1e400', '(0/0)', '"4"', '"x"', 'nil', 'true', '{}', 'ffn',
    'lt', 'd_model', '(d_model * 2)', '0x7fffffffffffffff', '(1 << 62)', '(-1 << 63)', '1e300',
    'llama_d_ff', 'llama_d_ff {}', '(function() end)',
  }
  for _, operand in ipairs(operands) do
    for _, form in ipairs { 'd_model %s ' .. operand, operand .. ' %s d_model' } do
      for _, operator in ipairs { '+', '-', '*', '//' } do
        assert_words(form:format(operator), { 'd_ff: a size rule ', 'd_ff must be at least 1' })
      end
      assert_words(form:format '/', { 'a size is an integer: divide with //, not /' })
      for _, operator in ipairs {
        '%', '^', '..', '<', '<=', '>', '>=', '&', '|', '~', '<<', '>>',
      } do
        assert_words(form:format(operator), { alone })
      end
    end
  end
  for _, rule in ipairs { '-d_model', '#d_model', '~d_model', 'd_model()', 'd_model(3)',
    'd_model { 3 }', 'd_model "x"' } do
    assert_words(rule, { alone })
  end
  for _, rule in ipairs { 'd_model.x', 'd_model[1]', 'd_model:x()' } do
    assert_words(rule, { 'a size rule has no fields' })
  end
  unit.assertTrue(refused > 700, tostring(refused))
  -- The operand that is wrong is the one that is named.
  for _, case in ipairs {
    { 'd_model + nil', 'not on nil' }, { 'nil * d_model', 'not on nil' },
    { 'd_model - 2.5', 'not on a float' }, { '"4" // d_model', 'not on a string' },
    { 'd_model + {}', 'not on a table' }, { 'd_model // 0', 'divides by zero' },
    { 'd_model * (1 << 62)', 'goes beyond all sizes' },
  } do
    support.assert_has(tostring(outcome_of(case[1])), case[2], case[1])
  end
  unit.assertEquals(outcome_of('(d_model * 8 // 3 + 2) - 1'), 22)
end

--- What a careful judge must not refuse.
function TestSpecErrors.test_what_is_allowed()
  local folder = support.folder()
  for _, text in ipairs {
    "linear 't' { d_model = 1, d_out = 1 }", -- a part of wchar_t
    "linear 'wchar' { d_model = 1, d_out = 1 }",
    "linear 'a' { d_model = 1, d_out = 1, weights = 'f32' }",
    "ffn 'a' { variant = 'swiglu', d_model = 4, d_ff = 4, weights = { up = 'f32' } }",
    "mlp 'a' { d_model = 4, layers = { { 4 }, { 2 } }, weights = { 'f32', 'f32' } }",
    "linear '_x9' { d_model = 1, d_out = 1, about = 'Größe: 100 % -- {' }",
    "linear 'a' { d_model = 1048576, d_out = 1 }",
    "ffn 'a' { variant = 'relu', d_model = 4, d_ff = (d_model + 4) * 3 - 1 // 1, d_out = d_model }",
    "ffn 'a' { variant = 'swish', beta = 'runtime', d_model = 4, d_ff = 4 }",
    "ffn 'a' { variant = 'swish', beta = -1e6, d_model = 4, d_ff = 4 }",
    "mlp 'a' { d_model = 1, layers = {" .. ("{ 1, 'relu' },"):rep(16) .. '} }',
    "local d = 4\nfor i = 1, 50 do linear('a' .. i) { d_model = d, d_out = i } end",
    "return ffn 'a' { variant = 'relu', d_model = 4, d_ff = 4 }",
    "ffn 'a' { variant = 'relu', d_model = 4, d_ff = 4, build = { { dtype = 'f32' } } }",
    "ffn 'a' { variant = 'relu', d_model = 4, d_ff = 4, build = { { isa = { 'c', 'c' } } } }",
    -- A byte order mark, as editors of Windows write it.
    "\xef\xbb\xbfffn 'a' { variant = 'relu', d_model = 4, d_ff = 4 }",
  } do
    support.write(folder .. '/spec.lua', text)
    local result = support.ffngen({ 'list', 'spec.lua' }, { dir = folder })
    support.assert_code(result, 0, text)
    unit.assertEquals(result.err, '')
    unit.assertStrContains(result.out, '_f32_c')
  end
end
