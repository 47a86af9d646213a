--- `ffngen import --arithmetic dot_s8`: which products take it, and what is told of the others.
local unit = require 'luaunit'
local gguf_file = require 'gguf_file'
local json = require 'dkjson'
local support = require 'support'

TestImportArithmetic = {}

--- A folder with a model of blocks whose matrices have these types: gate and up, down.
local function model(types)
  local folder = support.folder()
  support.write(folder .. '/m.gguf', (gguf_file.text(gguf_file.typed(types))))
  return folder
end

local function import(folder, ...)
  return support.ffngen({ 'import', 'm.gguf', ... }, { dir = folder })
end

local mixed = { { 'Q8_0', 'Q4_0' }, { 'Q8_0', 'BF16' }, { 'F16', 'F32' }, { 'F32', 'Q5_0' } }

local names = {
  'ffn_swiglu_d64_f96_q8_0_q4_0_dot_s8', 'ffn_swiglu_d64_f96_q8_0_bf16_dot_s8_fma_f32',
  'ffn_swiglu_d64_f96_f16_f32', 'ffn_swiglu_d64_f96_f32_q5_0_fma_f32_dot_s8',
}

--- Products that stay in f32, by the name of their layer.
local others = {
  names[2] .. ': arithmetic: not in dot_s8 but in fma_f32: down of bf16\n',
  names[3] .. ': arithmetic: not in dot_s8 but in fma_f32: gate of f16, up of f16, down of f32\n',
  names[4] .. ': arithmetic: not in dot_s8 but in fma_f32: gate of f32, up of f32\n',
}

function TestImportArithmetic.test_taken()
  local folder = model(mixed)
  local result = import(folder, '--out', 'out', '--arithmetic', 'dot_s8')
  support.assert_code(result, 0, 'import')
  for _, line in ipairs(others) do support.assert_has(result.err, 'ffngen: ' .. line, 'stderr') end
  unit.assertEquals(select(2, result.err:gsub('arithmetic: not in', '')), 3)
  local said = support.read(folder .. '/out/model.lua')
  for _, text in ipairs {
    "weights = { down = 'q4_0', gate = 'q8_0', up = 'q8_0' },\n  arithmetic = 'dot_s8',\n}",
    "  -- arithmetic: not in dot_s8 but in fma_f32: down of bf16\n"
      .. "  arithmetic = { down = 'fma_f32', gate = 'dot_s8', up = 'dot_s8' },\n}",
    "  -- arithmetic: not in dot_s8 but in fma_f32: gate of f16, up of f16, down of f32\n}",
    "arithmetic = { down = 'dot_s8', gate = 'fma_f32', up = 'fma_f32' },\n}",
  } do
    support.assert_has(said, text, 'the spec')
  end
  local plan = json.decode(support.read(folder .. '/out/PLAN.json'))
  for i, name in ipairs(names) do
    unit.assertEquals(plan.kernels[i].layer, name)
    unit.assertNil(plan.kernels[i].packed:find 'dot_s8')
    unit.assertTrue(support.exists(('%s/out/kernels/%s_avx2.c'):format(folder, name)), name)
    unit.assertEquals(support.exists(('%s/out/kernels/%s_avx512_vnni.c'):format(folder, name)),
      i ~= 3, name)
  end
end

--- The same in lists, for people and for scripts.
function TestImportArithmetic.test_listed()
  local folder = model(mixed)
  local result = import(folder, '--list', '--arithmetic', 'dot_s8')
  support.assert_code(result, 0, '--list')
  for i, line in ipairs(others) do
    support.assert_has(result.out, names[i + 1] .. '  Layer ' .. i, 'name')
    support.assert_has(result.out, '  ' .. line:match ': (.*)', 'note')
  end
  result = import(folder, '--list', '--json', '--arithmetic', 'dot_s8')
  local kinds = json.decode(result.out).kinds
  local dot, fma = 'dot_s8', 'fma_f32'
  for i, wanted in ipairs { { dot, dot }, { dot, fma }, { fma, fma }, { fma, dot } } do
    unit.assertEquals({ kinds[i].name, kinds[i].arithmetics }, { names[i], wanted })
    unit.assertEquals(kinds[i].notes[1], i > 1 and others[i - 1]:match ': (.*)\n' or nil)
  end
end

--- Without the option, or with the rule, nothing is said of arithmetics.
function TestImportArithmetic.test_rule()
  local folder, texts = model(mixed), {}
  for i, options in ipairs { {}, { '--arithmetic', 'fma_f32' } } do
    local result = import(folder, '--out', 'out', '--spec-only', table.unpack(options))
    support.assert_code(result, 0, 'import')
    texts[i] = support.read(folder .. '/out/model.lua') .. result.err:gsub('%d+ changed', '')
    unit.assertNil((texts[i]:find('arithmetic', 1, true)), texts[i])
  end
  unit.assertEquals(texts[1], texts[2])
end

function TestImportArithmetic.test_refused()
  local folder = model { { 'BF16', 'BF16' }, { 'F16', 'F32' } }
  for _, option in ipairs { '--list', '--spec-only' } do
    local result = import(folder, '--out', 'out', option, '--arithmetic', 'dot_s8')
    support.assert_code(result, 4, option)
    support.assert_has(result.err, '--arithmetic dot_s8: no product of its layers can be in it. '
      .. 'Their weights are in bf16, f16, f32; it multiplies those in i8, i8z, q8_0, ', option)
  end
  unit.assertFalse(support.exists(folder .. '/out'))
  local result = import(folder, '--list', '--arithmetic', 'dot')
  support.assert_code(result, 2, 'an unknown word')
  support.assert_has(result.err, 'unknown arithmetic "dot" (choose from: fma_f32, dot_s8)',
    'an unknown word')
end

--- A word for each role: up is gate's too, and what a list leaves out keeps the rule.
function TestImportArithmetic.test_by_role()
  for _, case in ipairs {
    { 'up=dot_s8,down=fma_f32', "{ down = 'fma_f32', gate = 'dot_s8', up = 'dot_s8' }" },
    { 'up=dot_s8', "{ down = 'fma_f32', gate = 'dot_s8', up = 'dot_s8' }" },
    { 'down=dot_s8', "{ down = 'dot_s8', gate = 'fma_f32', up = 'fma_f32' }" },
    { 'down=dot_s8,up=dot_s8', "'dot_s8'" },
  } do
    local folder = model { { 'Q8_0', 'Q4_0' } }
    local result = import(folder, '--out', 'out', '--spec-only', '--arithmetic', case[1])
    support.assert_code(result, 0, case[1])
    support.assert_has(support.read(folder .. '/out/model.lua'),
      ('  arithmetic = %s,\n'):format(case[2]), case[1])
    support.assert_lacks(result.err, 'arithmetic: not in', case[1])
  end
  local folder = model(mixed)
  local result = import(folder, '--list', '--arithmetic', 'down=dot_s8')
  support.assert_code(result, 0, 'of some')
  support.assert_has(result.out, 'arithmetic: not in dot_s8 but in fma_f32: down of bf16\n', 'down')
  support.assert_has(result.out, 'arithmetic: not in dot_s8 but in fma_f32: down of f32\n', 'down')
  support.assert_lacks(result.out, 'gate of', 'gate was not asked for')
end

function TestImportArithmetic.test_roles_refused()
  local folder = model { { 'Q8_0', 'BF16' } }
  for _, case in ipairs {
    { 'down=dot_s8', 4, '--arithmetic down=dot_s8: no product down of its layers can be in it. '
      .. 'Their weights are in bf16; it multiplies those in ' },
    { 'gate=dot_s8', 2, '"gate" has the word of "up", as both are one stage: write up=dot_s8' },
    { 'left=dot_s8', 2, 'unknown role "left" (choose from: up, down, q, k, v, o, head, qkv)' },
    { 'up=dot', 2, 'unknown arithmetic "dot"' },
    { 'up=', 2, 'unknown arithmetic ""' },
    { 'dot_s8,down=fma_f32', 2, 'says two words of the same matrices' },
    { 'down=fma_f32,dot_s8', 2, 'says two words of the same matrices' },
    { 'up=dot_s8,up=fma_f32', 2, 'says two words of the same matrices' },
    { 'up=dot_s8,', 2, 'unknown arithmetic ""' },
  } do
    local result = import(folder, '--list', '--arithmetic', case[1])
    support.assert_code(result, case[2], case[1])
    support.assert_has(result.err, case[3], case[1])
  end
  local chain = support.ffngen {
    'import', support.root .. '/tests/data/import/onnx/mlp_dynamo.onnx', '--list', '--arithmetic',
    'up=fma_f32',
  }
  support.assert_code(chain, 4, 'a chain')
  support.assert_has(chain.err, '--arithmetic up=fma_f32: no layer has a matrix up: write one word '
    .. 'for all matrices, --arithmetic fma_f32', 'a chain')
end
