--- `ffngen import` of safetensors by the names of their tensors: what it writes to the byte, what
--- it takes of the schemes that names.json has, and what it refuses, in which words.
local unit = require 'luaunit'
local effort = require 'effort'
local in_process = require 'in_process'
local json = require 'dkjson'
local lists = require 'common.list'
local model_files = require 'model_files'
local support = require 'support'

local files = require 'write.files'
local plan_text = require 'import.plan_text'
local weight_names = require 'tensors.names'
local xxh64 = require 'files.xxh64'

local folder

TestImport = {}

function TestImport.setUp()
  folder = support.folder()
  support.sh('mkdir', folder .. '/model')
end

local function write(lines) -- a model of one file
  support.write(folder .. '/model/model.safetensors', (model_files.text(lines)))
end

local function import(...)
  return support.ffngen({ 'import', 'model', ... }, { dir = folder })
end

local function assert_taken(lines, ...)
  write(lines)
  local result = import('--out', 'out', '--spec-only', ...)
  support.assert_code(result, 0, table.concat(lines, ', '))
  return support.read(folder .. '/out/model.lua'),
    json.decode(support.read(folder .. '/out/PLAN.json')), result
end

--- Refused with all of these words, and nothing is written.
local function assert_refused(lines, words, ...)
  if lines then write(lines) end
  local result = import('--out', 'out', ...)
  support.assert_code(result, 4, words)
  support.assert_has(result.err, words, words)
  support.assert_has(result.err, 'nothing was written', words)
  support.assert_lacks(result.err, 'traceback', words)
  unit.assertFalse(support.exists(folder .. '/out'), words)
end

local two = model_files.joined(model_files.llama(0), model_files.llama(1, 'F32'),
  { 'model.embed_tokens.weight BF16 9 8', 'model.norm.weight 8' })

local spec_of_two = [[
-- Made by `ffngen import`, which makes it anew; without this line it is your own.
-- model.safetensors: by the names of its tensors

schema(1)

--- Layer 0: model.layers.0.mlp
--- The host's, beside it: norm model.layers.0.input_layernorm.weight.
--- The host's, beside it: norm model.layers.0.post_attention_layernorm.weight.
ffn 'ffn_swiglu_d8_f24_bf16' {
  -- variant: told by --variant; names as in Llama, Mistral, Qwen, Gemma; MPT, Nemotron
  variant = 'swiglu',
  -- d_model: up_proj.weight is [out][in]
  d_model = 8,
  -- d_ff: the outputs of up_proj.weight
  d_ff = 24,
  weights = 'bf16',
}

--- Layer 1: model.layers.1.mlp
--- The host's, beside it: norm model.layers.1.input_layernorm.weight.
--- The host's, beside it: norm model.layers.1.post_attention_layernorm.weight.
ffn 'ffn_swiglu_d8_f24_f32' {
  -- variant: told by --variant; names as in Llama, Mistral, Qwen, Gemma; MPT, Nemotron
  variant = 'swiglu',
  -- d_model: up_proj.weight is [out][in]
  d_model = 8,
  -- d_ff: the outputs of up_proj.weight
  d_ff = 24,
}
]]

--- The files of a model, to the byte, and the kernels as generate makes them of its spec.
function TestImport.test_golden()
  write(two)
  local result = import('--out', 'out', '--variant', 'swiglu')
  support.assert_code(result, 0, 'import')
  unit.assertEquals(result.out, 'ffn-pack out/PLAN.json\n')
  support.assert_has(result.err, '2 layers, of 2 kinds; left to the host: 2 of attention, 5 norms, '
    .. '1 embeddings', 'the last line')
  unit.assertEquals(support.read(folder .. '/out/model.lua'), spec_of_two)
  local text, header = model_files.text(two)
  local at = 8 + #header
  local function tensor(name, first, bytes, encoding, inputs)
    local size = encoding == 'f32' and 4 or 2
    return ('{"file":0,"first":%d,"bytes":%d,"encoding":"%s","row_bytes":%d,"column_bytes":%d,'
      .. '"tensor":"%s"}'):format(at + first, bytes, encoding, inputs * size, size, name)
  end
  local function matrix(stage, branch, outputs, inputs, weight)
    return ('{"stage":%d,"branch":%d,"outputs":%d,"inputs":%d,\n     "weight":%s,\n     '
      .. '"bias":null}'):format(stage, branch, outputs, inputs, weight)
  end
  local function layer(n, first, encoding)
    local size = encoding == 'f32' and 4 or 2
    local mlp, whole = ('model.layers.%d.mlp.'):format(n), 8 * 24 * size
    first = first + 8 * size
    return ('{"index":%d,"name":"model.layers.%d.mlp","kernel":%d,"parameters":[],"matrices":[\n'
      .. '    %s,\n    %s,\n    %s]}'):format(n, n, n,
      matrix(0, 0, 24, 8, tensor(mlp .. 'gate_proj.weight', first + whole, whole, encoding, 8)),
      matrix(0, 1, 24, 8, tensor(mlp .. 'up_proj.weight', first + 2 * whole, whole, encoding, 8)),
      matrix(1, 0, 8, 24, tensor(mlp .. 'down_proj.weight', first, whole, encoding, 24)))
  end
  local plan = support.read(folder .. '/out/PLAN.json')
  local block = (8 + 8 + 64 + 3 * 8 * 24) * 2
  unit.assertEquals(plan:match '"layers":%[\n  (.*)%],\n "rows":%[%]}\n$',
    layer(0, 0, 'bf16') .. ',\n  ' .. layer(1, block, 'f32'))
  local decoded = json.decode(plan)
  unit.assertEquals(decoded.ffngen_plan, 3)
  unit.assertEquals(decoded.files[1].bytes, #text)
  unit.assertEquals(decoded.files[1].spans, { { 0, at } })
  unit.assertEquals(decoded.files[1].xxh64, xxh64.of(text:sub(1, at)))
  unit.assertEquals(#decoded.kernels, 2)
  -- What generate writes, and what it would find there.
  support.assert_code(support.ffngen({ 'generate', 'out/model.lua', '--out', 'kernels' },
    { dir = folder }), 0, 'generate')
  support.assert_same(support.snapshot(folder .. '/out/kernels'),
    support.snapshot(folder .. '/kernels'), 'kernels')
  local again = support.ffngen({ 'generate', 'out/model.lua', '--out', 'out/kernels', '--dry-run' },
    { dir = folder })
  support.assert_has(again.out, '0 of ', 'generate over it')
end

--- The same input gives the same bytes, wherever it is written; an edit of one's own stays.
function TestImport.test_again()
  write(two)
  support.assert_code(import('--out', 'out', '--variant', 'swiglu'), 0, 'first')
  local before = support.snapshot(folder .. '/out')
  local again = import('--out', 'out', '--variant', 'swiglu')
  support.assert_has(again.err, ', 0 changed', 'again')
  support.assert_code(import('--out', 'other', '--variant', 'swiglu'), 0, 'elsewhere')
  support.assert_same(support.snapshot(folder .. '/other'), before, 'elsewhere')
  -- Another model takes the place of the first, and its kernels go.
  write(model_files.llama(0))
  support.assert_code(import('--out', 'out', '--variant', 'geglu'), 0, 'another')
  unit.assertFalse(support.exists(folder .. '/out/kernels/ffn_swiglu_d8_f24_f32_c.c'))
  unit.assertTrue(support.exists(folder .. '/out/kernels/ffn_geglu_d8_f24_bf16_c.c'))
  local text = support.read(folder .. '/out/model.lua')
  support.write(folder .. '/out/model.lua', (text:gsub('^[^\n]*\n', '')))
  before = support.snapshot(folder .. '/out')
  local refused = import('--out', 'out', '--variant', 'swiglu')
  support.assert_code(refused, 1, 'an own spec')
  support.assert_has(refused.err, 'model.lua: ffngen import did not make this file', 'an own spec')
  support.assert_same(support.snapshot(folder .. '/out'), before, 'an own spec')
end

--- Half a model is never there: what is in the way of one file is in the way of all.
function TestImport.test_all_or_nothing()
  write(two)
  support.sh('mkdir -p', folder .. '/out/kernels/kernel.h')
  local before = support.snapshot(folder .. '/out')
  support.assert_code(import('--out', 'out', '--variant', 'swiglu'), 1, 'a folder in the way')
  support.assert_same(support.snapshot(folder .. '/out'), before, 'a folder in the way')
  support.write(folder .. '/out2', 'a file')
  support.assert_code(import('--out', 'out2/deep', '--variant', 'swiglu'), 1, 'a file in the way')
  support.sh('mkdir', folder .. '/out3')
  support.write(folder .. '/out3/kernels', 'a file')
  support.assert_code(import('--out', 'out3', '--variant', 'swiglu'), 1, 'a file for a folder')
  unit.assertEquals(support.snapshot(folder .. '/out3'), { kernels = 'a file' })
end

--- The same where a move fails half way, in the folder or in one of those in it.
function TestImport.test_failing_move()
  local rename = os.rename
  local output = {
    folder = folder .. '/out', maker = 'import', is_ours = function() return true end,
    is_stale = function(name) return name:find 'stale' ~= nil end,
    files = { { path = 'model.lua', text = 'new' }, { path = 'kernels/a', text = 'new' },
      { path = 'kernels/b', text = 'new' }, { path = 'deep/c', text = 'new' } },
  }
  support.sh('mkdir -p', folder .. '/out/kernels')
  support.write(folder .. '/out/model.lua', 'old')
  support.write(folder .. '/out/kernels/a', 'old')
  support.write(folder .. '/out/kernels/stale', 'old')
  local before = support.snapshot(folder .. '/out')
  for fails_at = 1, 4 do
    local moves = 0
    os.rename = function(from, to) -- luacheck: ignore
      moves = moves + 1
      if moves == fails_at then return nil, 'the disk is gone' end
      return rename(from, to)
    end
    local ok, thrown = pcall(files.write, output)
    os.rename = rename -- luacheck: ignore
    unit.assertFalse(ok)
    support.assert_has(tostring(thrown), 'the disk is gone', 'move ' .. fails_at)
    support.assert_same(support.snapshot(folder .. '/out'), before, 'move ' .. fails_at)
  end
  files.write(output)
  unit.assertEquals(support.snapshot(folder .. '/out'), { ['model.lua'] = 'new',
    kernels = '(directory)', ['kernels/a'] = 'new', ['kernels/b'] = 'new', deep = '(directory)',
    ['deep/c'] = 'new' })
end

--- Paths of files are as PLAN.json's folder has them where they lie in it, else absolute.
function TestImport.test_paths()
  unit.assertEquals(plan_text.path('a/b.x', 'a', '/h'), 'b.x')
  unit.assertEquals(plan_text.path('a/c/b.x', './a/', '/h'), 'c/b.x')
  unit.assertEquals(plan_text.path('/h/a/b.x', 'a', '/h'), 'b.x')
  unit.assertEquals(plan_text.path('ab/b.x', 'a', '/h'), '/h/ab/b.x')
  unit.assertEquals(plan_text.path('b.x', '.', '/h'), 'b.x')
  write(two)
  support.assert_code(support.ffngen({ 'import', '.', '--out', '.', '--spec-only', '--variant',
    'swiglu' }, { dir = folder .. '/model' }), 0, 'into the model\'s folder')
  local plan = json.decode(support.read(folder .. '/model/PLAN.json'))
  unit.assertEquals(plan.files[1].path, 'model.safetensors')
end

--- What is told without writing.
function TestImport.test_told()
  write(two)
  local list = import('--list', '--variant', 'swiglu')
  support.assert_code(list, 0, '--list')
  support.assert_has(list.out, 'ffn_swiglu_d8_f24_bf16  Layer 0: model.layers.0.mlp\n', '--list')
  support.assert_has(list.out, '\n     1  gate f32 model.layers.1.mlp.gate_proj.weight, up f32 ',
    '--list')
  support.assert_has(list.out, 'left to the host: 2 of attention', '--list')
  local told = json.decode(import('--list', '--json', '--variant', 'swiglu').out)
  unit.assertEquals(told.kinds[2], { name = 'ffn_swiglu_d8_f24_f32', kind = 'ffn', layers = 1,
    formats = { 'f32', 'f32' }, arithmetics = { 'fma_f32', 'fma_f32' }, notes = {} })
  unit.assertEquals(told.layers[1].name, 'ffn_swiglu_d8_f24_bf16')
  unit.assertEquals(told.left[2], { what = 'norms', count = 5 })
  local dry = import('--out', 'out', '--dry-run', '--variant', 'swiglu')
  support.assert_code(dry, 0, '--dry-run')
  support.assert_has(dry.out, ('new      %8d  model.lua\n'):format(#spec_of_two), '--dry-run')
  support.assert_has(dry.out, '  kernels/ffn_swiglu_d8_f24_bf16_avx2.c\n', '--dry-run')
  support.assert_has(dry.out, 'nothing was written', '--dry-run')
  local as_json = json.decode(import('--out', 'out', '--dry-run', '--json', '--variant',
    'swiglu').out)
  unit.assertEquals(as_json.files[1], { path = 'model.lua', bytes = #spec_of_two, state = 'new' })
  unit.assertFalse(support.exists(folder .. '/out'))
  support.assert_code(import('--out', 'out', '--json', '--variant', 'swiglu'), 0, '--json')
  unit.assertTrue(support.exists(folder .. '/out/PLAN.json'))
end

function TestImport.test_usage()
  write(two)
  for _, case in ipairs {
    { { '--variant', 'swiglu' }, 'the option --out is missing' },
    { { '--out', '' }, 'the folder is empty' },
    { { '--out', 'out', '--list', '--dry-run' }, 'dry-run' },
    { { '--out', 'out', '--order', 'up' }, 'order' },
    { { '--out', 'out', '--leave', 'a,' }, 'the list has an empty name' },
    { { '--out', 'out', '--float-activations' }, 'leave out --float-activations: only '
      .. 'the readers onnx, huggingface take this option, and the reader of this model is '
      .. 'safetensors' },
  } do
    local result = import(table.unpack(case[1]))
    support.assert_code(result, 2, case[2])
    support.assert_has(result.err, case[2], case[2])
  end
  support.assert_code(support.ffngen({ 'import' }, { dir = folder }), 2, 'no path')
  support.assert_code(support.ffngen({ 'import', 'nowhere', '--out', 'out' }, { dir = folder }), 4,
    'nowhere')
  support.write(folder .. '/a.pth', '')
  local result = support.ffngen({ 'import', 'a.pth', '--out', 'out' }, { dir = folder })
  support.assert_code(result, 4, 'a pickle')
  support.assert_has(result.err, "torch.load('a.pth'", 'a pickle')
end

--- Every scheme of names.json is found, with and without biases.
function TestImport.test_conventions()
  local count = 0
  local function take(convention, roles)
    for _, has_bias in ipairs { false, true } do
      local lines = {}
      for _, role in ipairs(roles) do
        local outputs, inputs = 6, 4
        if role == 'down' then outputs, inputs = 4, 6 end
        if role == 'fused' then outputs = 12 end
        local name = convention[role]
        lines[#lines + 1] = ('%s.weight %d %d'):format(name, outputs, inputs)
        if has_bias then lines[#lines + 1] = ('%s.bias %d'):format(name, outputs) end
      end
      -- Two layers, so that numbers are told from names.
      local all = model_files.joined(model_files.behind('a.0.m.', lines),
        model_files.behind('a.1.m.', lines))
      local text, plan = assert_taken(all, '--variant', 'geglu,relu', '--order', 'out-in')
      local is_gated = #roles == 3 or roles[1] == 'fused'
      support.assert_has(text, is_gated and "variant = 'geglu'" or "variant = 'relu'", lines[1])
      support.assert_has(text, 'd_model = 4,\n', lines[1])
      unit.assertEquals(text:find('bias = true', 1, true) ~= nil, has_bias, lines[1])
      unit.assertEquals(#plan.layers, 2, lines[1])
      unit.assertEquals(#plan.layers[2].matrices, is_gated and 3 or 2)
      local down = plan.layers[2].matrices[is_gated and 3 or 2]
      unit.assertEquals(down.weight.tensor, 'a.1.m.' .. convention.down .. '.weight')
      unit.assertEquals(type(down.bias) == 'table', has_bias)
      count = count + 1
    end
  end
  for _, convention in ipairs(weight_names.conventions) do
    if convention.gate then take(convention, { 'gate', 'up', 'down' }) end
    if not convention.gate or convention.plain then take(convention, { 'up', 'down' }) end
  end
  for _, convention in ipairs(weight_names.data.fused) do take(convention, { 'fused', 'down' }) end
  unit.assertTrue(count >= 40)
end

--- A bias of one matrix alone is taken, and it is said which have none.
function TestImport.test_biases_in_part()
  local text, plan = assert_taken({ 'm.gate_proj.weight 6 4', 'm.up_proj.weight 6 4',
    'm.up_proj.bias 6', 'm.down_proj.weight 4 6' }, '--variant', 'swiglu')
  support.assert_has(text, '-- bias: none of gate, down in the model: -0 is packed')
  support.assert_has(text, '  bias = true,\n')
  local tensors = {}
  for i, m in ipairs(plan.layers[1].matrices) do
    tensors[i] = type(m.bias) == 'table' and m.bias.tensor or false
  end
  unit.assertEquals(tensors, { false, 'm.up_proj.bias', false })
  unit.assertEquals(plan.kernels[1].stages[2].bias, true)
end

--- Rows of fused matrices, and the other orientation.
function TestImport.test_where_numbers_lie()
  local _, plan = assert_taken({ 'gate_up_proj.weight F16 12 4', 'gate_up_proj.bias F16 12',
    'down_proj.weight F16 4 6', 'down_proj.bias F16 4' }, '--variant', 'swiglu')
  local gate, up = plan.layers[1].matrices[1], plan.layers[1].matrices[2]
  unit.assertEquals(up.weight.first - gate.weight.first, 6 * 4 * 2)
  unit.assertEquals(up.bias.first - gate.bias.first, 6 * 2)
  unit.assertEquals({ gate.outputs, gate.inputs, gate.weight.bytes, gate.weight.row_bytes,
    gate.weight.column_bytes, gate.bias.row_bytes, gate.bias.column_bytes },
    { 6, 4, 96, 8, 2, 0, 2 })
  -- Conv1D's: the bias tells which way they lie.
  local text
  text, plan = assert_taken({ 'h.0.mlp.c_fc.weight 4 6', 'h.0.mlp.c_fc.bias 6',
    'h.0.mlp.c_proj.weight 6 4', 'h.0.mlp.c_proj.bias 4', 'h.0.attn.c_proj.weight 4 4' },
    '--variant', 'gelu_tanh')
  support.assert_has(text, 'd_model = 4,\n', 'Conv1D')
  support.assert_has(text, 'c_fc.weight is [in][out]', 'Conv1D')
  local weight = plan.layers[1].matrices[1].weight
  unit.assertEquals({ weight.row_bytes, weight.column_bytes }, { 4, 24 })
  local bare = { 'c_fc.weight 4 6', 'c_proj.weight 6 4' }
  text = assert_taken(bare, '--variant', 'gelu', '--order', 'in-out')
  support.assert_has(text, 'd_model = 4,\n', '--order')
  text = assert_taken(bare, '--variant', 'gelu', '--order', 'out-in')
  support.assert_has(text, 'd_model = 6,\n', '--order')
  support.sh('rm -r', folder .. '/out')
  assert_refused(bare, 'may be [out][in] or [in][out]: say --order', '--variant', 'gelu')
end

--- Chains of numbered matrices, and a single one.
function TestImport.test_chains()
  local chain = { '0.weight 6 4', '0.bias 6', '2.weight 5 6', '2.bias 5', '4.weight 1 5',
    '4.bias 1' }
  local text, plan = assert_taken(chain, '--activation', 'relu,relu,sigmoid')
  support.assert_has(text, "layers = { { 6, 'relu' }, { 5, 'relu' }, { 1, 'sigmoid' } },", 'chain')
  unit.assertEquals(plan.layers[1].matrices[3].stage, 2)
  text = assert_taken({ 'head.fc1.weight 6 4', 'head.fc3.weight F16 5 6', 'head.fc10.weight 1 5',
    'stem.weight 3 3' }, '--activation', 'relu,relu,identity', '--leave', 'stem')
  support.assert_has(text, "layers = { { 6, 'relu' }, { 5, 'relu' }, { 1 } },", 'numbers')
  support.assert_has(text, "weights = { 'f32', 'f16', 'f32' },", 'numbers')
  text = assert_taken { 'classifier.weight 6 4', 'classifier.bias 6' }
  support.assert_has(text, "linear 'linear_bias_d4_o6_f32' {", 'single')
  support.sh('rm -r', folder .. '/out')
  assert_refused(chain, 'say what is behind each matrix, identity for nothing: --activation '
    .. 'relu,relu,identity')
  assert_refused(nil, 'say what is behind each', '--activation', 'relu')
  assert_refused(nil, 'unknown activation "rellu" (did you mean "relu"?)', '--activation',
    'rellu,relu,relu')
  assert_refused(nil, 'swish has parameters', '--activation', 'swish,relu,relu')
  assert_refused({ '0.weight 6 4', '2.weight 5 7' }, 'and the matrix before gives 6',
    '--activation', 'relu,relu')
  assert_refused({ '0.weight 6 4', '1.weight 6', '2.weight 5 6' },
    'does not use: "1" stands between', '--activation', 'relu,relu')
  assert_refused({ 'a.0.weight 6 4', 'a.1.weight 4 6', 'b.0.weight 4 4', 'b.1.weight 4 4' },
    'it has several chains of matrices: choose one with --node: "a", '
      .. '"b"', '--activation', 'relu,relu')
  text = assert_taken({ 'a.0.weight 6 4', 'a.1.weight 4 6', 'b.0.weight 4 4', 'b.1.weight 4 4' },
    '--activation', 'relu,relu', '--node', 'b', '--leave', 'a')
  support.assert_has(text, 'd_model = 4', 'by its node')
end

--- What a file has beside a layer's own is named.
function TestImport.test_refused()
  local block = model_files.llama(0)
  local function with(...) return model_files.joined(block, { ... }) end
  local function without(part)
    local lines = {}
    for _, line in ipairs(model_files.joined(block, model_files.llama(1))) do
      if not line:find('1.mlp.' .. part, 1, true) then lines[#lines + 1] = line end
    end
    return lines
  end
  local swiglu = { '--variant', 'swiglu' }
  for _, case in ipairs {
    { block, 'does not say its activation: add --variant swiglu', {} },
    { block, 'unknown variant "swigloo" (did you mean "swiglu"?)', { '--variant', 'swigloo' } },
    { block, 'is a layer with a gate, and the model does not say its activation: beside gelu',
      { '--variant', 'gelu' } },
    { block, 'are both variants of layers with a gate', { '--variant', 'swiglu,geglu' } },
    { block, 'swiglu_beta has parameters', { '--variant', 'swiglu_beta' } },
    { block, '--node: model has no layer "model.layers.1.mlp" (did you mean "model.layers.0.mlp"?)',
      { '--node', 'model.layers.1.mlp', '--variant', 'swiglu' } },
    { without 'down_proj', 'there is no tensor "model.layers.1.mlp.down_proj.weight", and' },
    { without 'up_proj', 'there is no tensor "model.layers.1.mlp.up_proj.weight", and' },
    { without 'gate_proj', 'there is no tensor "model.layers.1.mlp.gate_proj.weight", and',
      { '--variant', 'swiglu,relu' } },
    { with 'model.layers.0.mlp.ffn_sub_norm.weight 24', 'a norm of this name between up and down' },
    { with 'model.layers.0.mlp.extra.weight 3', 'it has "model.layers.0.mlp.extra.weight", which '
      .. 'the layer does not use' },
    { with 'model.layers.0.mlp.extra.weight 3', '--leave model.layers.0.mlp.extra leaves out' },
    { with 'model.layers.0.mlp.up_proj.scale 1', 'is a quantised weight' },
    { with 'model.layers.0.mlp.up_proj.lora_A.weight 8 8', 'an adapter such as LoRA' },
    { { 'm.fc1.weight 6 4', 'm.fc1.bias 6', 'm.fc2.weight 4 6', 'm.fc2.bias 4' },
      '--leave: "m.fc1.bias" is a layer\'s own: "m.fc1.bias"',
      { '--leave', 'm.fc1.bias', '--variant', 'relu' } },
    { { '0.weight 6 4', '0.bias 6', '2.weight 5 6', '2.bias 5' },
      '--leave: "2.bias" is a layer\'s own: "2.bias"',
      { '--leave', '2.bias', '--activation', 'relu,identity' } },
    { with 'x 1', '--leave: model has no "y"', { '--leave', 'y', '--variant', 'swiglu' } },
    { model_files.behind('m.', { 'gate_proj.weight 6 4', 'up_proj.weight 6 5',
      'down_proj.weight 4 6' }), 'the shapes of these tensors are not those of a layer' },
    { { 'm.gate_proj.weight 6 4', 'm.up_proj.weight BF16 6 4', 'm.down_proj.weight 4 6' },
      'm: gate and up lie side by side, in one format; "m.up_proj.weight" is bf16, and the other '
      .. 'f32' },
    { { 'm.gate_proj.weight I8 6 4', 'm.up_proj.weight I8 6 4', 'm.down_proj.weight I8 4 6' },
      '"m.gate_proj.weight" is I8: numbers must be F64, F32, F16 or BF16' },
    { { 'm.up_proj.qweight 6 4', 'm.up_proj.scales 6', 'm.gate_proj.weight 6 4',
      'm.down_proj.weight 4 6' }, 'not a plain tensor, but a part of a quantised weight' },
    { { 'm.fc1.weight 6 4', 'm.fc1.bias 5', 'm.fc2.weight 4 6' },
      'of a layer: "m.fc1.weight" [6][4], "m.fc2.weight" [4][6]; leave these',
      { '--variant', 'relu' } },
    { { 'm.fc1.weight 6 4', 'm.fc1.bias 6', 'm.fc2.weight 4 6', 'm.fc2.bias 5' },
      '"m.fc2.bias" is [5], and the bias of 4 outputs must be [4]', { '--variant', 'relu' } },
    { { 'embed 3 4', 'other.weight 2' }, 'no module has the names of a layer: it has "embed"' },
    { { 'w1.weight 4 4', 'w2.weight 4 4', 'w3.weight 4 4' }, 'its names and shapes are those of' },
    { {}, 'it has no tensors' },
  } do
    assert_refused(case[1], case[2], table.unpack(case[3] or swiglu))
  end
  -- What is left out is none of the layer's: its spec is the same.
  local text = assert_taken(with('model.layers.0.mlp.extra.weight 3'), '--variant', 'swiglu',
    '--leave', 'model.layers.0.mlp.extra')
  unit.assertEquals(text, (assert_taken(block, '--variant', 'swiglu')))
end

--- Numbers of 64 bits are packed as f32; sizes that differ are another kind.
function TestImport.test_kinds()
  local lines = model_files.joined(
    model_files.behind('b.10.', { 'fc1.weight F64 6 4', 'fc2.weight F64 4 6' }),
    model_files.behind('b.9.', { 'fc1.weight F64 6 4', 'fc2.weight F64 4 6' }),
    model_files.behind('b.2.', { 'fc1.weight F64 6 4', 'fc2.weight F16 5 6' }))
  local text, plan = assert_taken(lines, '--variant', 'relu')
  unit.assertEquals({ plan.layers[1].name, plan.layers[2].name, plan.layers[3].name },
    { 'b.2', 'b.9', 'b.10' })
  unit.assertEquals({ plan.layers[1].kernel, plan.layers[2].kernel, plan.layers[3].kernel },
    { 0, 1, 1 })
  support.assert_has(text, '--- Layer 0: b.2\n', 'kinds')
  support.assert_has(text, '--- Layers 1 and 2: b.*\n', 'kinds')
  support.assert_has(text, "weights = { down = 'f16', up = 'f32' },", 'kinds')
  support.assert_has(text, "d_out = 5,", 'kinds')
  unit.assertEquals(plan.layers[2].matrices[1].weight.encoding, 'f64')
end

--- Matrices that stand in the block itself: its norms are the host's, and other blocks are none of
--- its neighbours.
function TestImport.test_blocks()
  local lines = {}
  for n = 0, 200 do
    lists.append(lines, model_files.behind(('model.layers.%d.'):format(n), {
      'self_attn.q_proj.weight 4 4', 'self_attn_layer_norm.weight 4', 'fc1.weight 6 4',
      'fc2.weight 4 6', 'final_layer_norm.weight 4',
    }))
  end
  local _, text = effort.within(7000, assert_taken, lines, '--variant', 'relu')
  support.assert_has(text, '--- Layers 0 to 200: model.layers.*\n', 'blocks')
  support.assert_has(text, 'beside it: norm model.layers.*.self_attn_layer_norm.weight.', 'blocks')
  support.assert_has(text, 'beside it: norm model.layers.*.final_layer_norm.weight.', 'blocks')
  support.sh('rm -r', folder .. '/out')
  lines[#lines + 1] = 'model.layers.7.ffn_layernorm.weight 6'
  assert_refused(lines, 'fairseq has a norm of this name between fc1 and fc2', '--variant', 'relu')
end

--- Garbage is collected again behind it, whether it read or refused.
function TestImport.test_collects()
  support.write(folder .. '/model.safetensors', (model_files.text(model_files.llama(0, 'F32'))))
  for code, arguments in pairs {
    [0] = { 'import', 'model.safetensors', '--list', '--variant', 'swiglu' },
    [4] = { 'import', 'model.safetensors', '--list', '--variant', 'swigloo' },
  } do
    support.assert_code(in_process.run(support.project, arguments, folder), code, code)
    unit.assertTrue(collectgarbage('isrunning'), code)
  end
end

--- Experts are layers like others, whose router is the host's.
function TestImport.test_experts()
  local lines = { 'm.0.moe.gate.weight 2 4' }
  for e = 0, 1 do
    lines = model_files.joined(lines, model_files.behind(('m.0.moe.experts.%d.'):format(e),
      { 'w1.weight 6 4', 'w2.weight 4 6', 'w3.weight 6 4' }))
  end
  local text, plan = assert_taken(lines, '--variant', 'swiglu')
  unit.assertEquals(#plan.layers, 2)
  unit.assertEquals({ plan.layers[2].index, plan.layers[2].part }, { 0, 1 })
  support.assert_has(text, '--- Layer 0: m.0.moe.experts.*\n', 'experts')
  support.assert_has(text, 'router, this is one expert of a list', 'experts')
end

--- Eight times the layers take about eight times as much, not sixty-four.
function TestImport.test_many()
  local function effort_of(count)
    local lines = {}
    for n = 0, count - 1 do
      lines = lists.append(lines, model_files.llama(n))
    end
    write(lines)
    local thousands, result = effort.within(1000 * count, import, '--list', '--variant', 'swiglu')
    support.assert_code(result, 0, 'many')
    return thousands
  end
  local few, many = effort_of(100), effort_of(800)
  unit.assertTrue(many < 10 * few, ('100 layers: %d, 800: %d'):format(few, many))
end

--- A scheme of names is a line of names.json, for import as for vendor; tests/python has the third.
function TestImport.test_a_scheme_is_added_once()
  write { 'm.expand.weight 4 3', 'm.shrink.weight 3 4' }
  support.write(folder .. '/my.lua', "ffn 'it' { variant = 'relu', d_model = 3, d_ff = 4 }")
  local project = support.copy_project 'another scheme'
  local calls = {
    { 'import', 'model', '--out', 'out', '--spec-only', '--variant', 'relu' },
    { 'vendor', 'my.lua', '--out', 'vendored', '--isa', 'c', '--weights',
      'model/model.safetensors' },
  }
  local function run(code)
    for _, words in ipairs(calls) do
      support.assert_code(support.run({ project .. '/ffngen', table.unpack(words) },
        { dir = folder }), code, words[1])
    end
  end
  run(4)
  local table_of_names = project .. '/generator/tensors/names.json'
  support.write(table_of_names, (support.read(table_of_names):gsub('"conventions": %[',
    '%0\n{ "up": "expand", "down": "shrink", "of": "nobody" },', 1)))
  run(0)
end

--- A reader is a file and a word: whoever adds one finds it asked in the order of the list.
function TestImport.test_another_reader()
  local project = support.copy_project 'another reader'
  support.write(project .. '/generator/import/readers/toy.lua', [[
return {
  about = 'a toy',
  recognises = function(path) return path:find '%.toy$' ~= nil end,
  read = function(path)
    return {
      reader = 'toy', path = path, about = { 'a toy' },
      files = { { path = path, bytes = 24, spans = {}, xxh64 = 'ef46db3751d8e999' } },
      layers = { {
        index = 0, at = 'it', kind = 'linear', fields = { d_model = 2, d_out = 3 },
        matrices = { { role = 'chain', outputs = 3, inputs = 2, weight = { tensor = 'w', file = 1,
          first = 0, bytes = 24, encoding = 'f32', row_bytes = 8, column_bytes = 4 } } },
      } },
      rows = { { name = 'z', count = 3, width = 2, place = { tensor = 'w', file = 1, first = 0,
        bytes = 24, encoding = 'f32', row_bytes = 8, column_bytes = 4 } },
        { name = 'norm', count = 1, width = 4, place = { tensor = 'v', file = 1, first = 8,
        bytes = 16, encoding = 'f32', row_bytes = 0, column_bytes = 4 } } },
    }
  end,
}
]])
  local list = project .. '/generator/import/readers/init.lua'
  local text = support.read(list)
  local changed = text:gsub("local names = {(.-) }", "local names = {%1, 'toy' }")
  unit.assertNotEquals(changed, text)
  support.write(list, changed)
  support.write(folder .. '/a.toy', '')
  local result = support.run({ project .. '/ffngen', 'import', 'a.toy', '--out', 'out',
    '--spec-only' }, { dir = folder })
  support.assert_code(result, 0, 'a toy')
  support.assert_has(support.read(folder .. '/out/model.lua'), "linear 'linear_d2_o3_f32' {", 'toy')
  support.assert_has(support.read(folder .. '/out/PLAN.json'), '],\n "rows":[\n'
    .. '  {"name":"norm","count":1,"width":4,"file":0,"first":8,"bytes":16,"encoding":"f32",'
    .. '"row_bytes":0,"column_bytes":4,"tensor":"v"},\n'
    .. '  {"name":"z","count":3,"width":2,"file":0,"first":0,"bytes":24,"encoding":"f32",'
    .. '"row_bytes":8,"column_bytes":4,"tensor":"w"}]}\n', 'rows')
  local help = support.run({ project .. '/ffngen', 'import', '--help' }, { dir = folder })
  support.assert_has(help.out, 'toy            a toy', 'its help')
end
