--- `ffngen import --also router`: whole mixtures of experts of Hugging Face and GGUF. What the spec
--- says of each router, which parts the plan has, and what is refused. That y of these layers is
--- the origin's is a matter of tests/scripts/import_mixtures.sh.
local found_records = require 'import.found'
local gguf_file = require 'gguf_file'
local huggingface = require 'import.readers.huggingface'
local json = require 'dkjson'
local lists = require 'common.list'
local model_files = require 'model_files'
local part_numbers = require 'import.parts'
local products = require 'import.products'
local reader = require 'import.readers.gguf'
local refusal = require 'refusal'
local routers = require 'import.gguf.routers'
local support = require 'support'
local unit = require 'luaunit'

TestImportMixtures = {}

local folder = support.root .. '/tests/data/import/moe/'
local others = support.root .. '/tests/data/import/hf/'
local one_folder = support.folder()

local function options_of(also, more)
  local given = { leave = {}, also = also and products.also(also), decode = false }
  for key, value in pairs(more or {}) do given[key] = value end
  return given
end

local function read(path, also, more)
  return found_records.of(huggingface.read(path, options_of(also, more)))
end

local function read_gguf(f, also, more)
  support.write(one_folder .. '/m.gguf', (gguf_file.text(f)))
  return found_records.of(reader.read(one_folder .. '/m.gguf', options_of(also, more)))
end

--- The spec of an import.
local function spec_of(path, ...)
  local at = support.folder()
  local result = support.ffngen { 'import', path, '--out', at .. '/o', '--spec-only', ... }
  support.assert_code(result, 0, path .. result.err)
  return support.read(at .. '/o/model.lua'), at .. '/o', result.err
end

--- What a spec says behind `moe`, without comments and line breaks.
local function moe_of(text)
  return (text:match "\nmoe (.*)\n}\n*$":gsub('\n *%-%-[^\n]*', ''):gsub('%s+', ' '))
end

-- Specs -------------------------------------------------------------------------------------------

local usual = "score = 'sigmoid', correction = 'score', "
local expected = {
  mixtral = "router = { score = 'softmax', normalise = true, },",
  qwen2_moe = "expert = { variant = 'swiglu', d_ff = 6, weights = 'bf16', }, router = { score = "
    .. "'softmax', weights = 'bf16', }, shared = { d_ff = 10, gate = 'sigmoid', },",
  qwen3_moe = "top_k = 3, expert = { variant = 'swiglu', d_ff = 6, weights = 'f16', }, router = { "
    .. "score = 'softmax', normalise = true, weights = 'f16', },",
  deepseek_v2 = "router = { score = 'softmax', groups = { by = 'largest', count = 4, take = 2 }, "
    .. "scale = 1.5, }, shared = { d_ff = 12, },",
  deepseek_v3 = 'router = { ' .. usual .. "groups = { by = 'two_largest', count = 4, take = 2 }, "
    .. "normalise = true, epsilon = 1e-20, scale = 2.5, }, shared = { d_ff = 12, },",
  glm4_moe = 'router = { ' .. usual .. 'normalise = true, epsilon = 1e-20, }, shared = { d_ff = 6,',
  gpt_oss = "expert = { variant = 'clamped_swiglu', d_ff = 6, bias = true, }, router = { score = "
    .. "'softmax', normalise = true, bias = true, },",
  ernie4_5_moe = "expert = { variant = 'swiglu', d_ff = 6, }, router = { score = 'softmax', "
    .. "correction = 'score', normalise = true, floor = 1e-12, }, shared = { d_ff = 6, bias = "
    .. 'true, },',
  minimax_m2 = 'router = { ' .. usual .. 'normalise = true, },',
  hunyuan_v1_moe = "router = { score = 'softmax', normalise = true, }, shared = { d_ff = 6, },",
  qwen3_vl_moe = "d_ff = 6, }, router = { score = 'softmax', normalise = true, },",
  llama4_text = "top_k = 1, expert = { variant = 'swiglu', d_ff = 6, }, router = { score = "
    .. "'sigmoid', on = 'input', }, shared = { d_ff = 6, },",
  granitemoehybrid = "router = { score = 'softmax', normalise = true, }, shared = { d_ff = 10, },",
  lfm2_moe = 'router = { ' .. usual .. 'normalise = true, epsilon = 1e-06, },',
  ['qwen2_moe.gguf'] = "router = { score = 'softmax', }, shared = { d_ff = 10, gate = 'sigmoid',",
  -- llama.cpp divides by 2^-14 at least.
  ['deepseek_v3.gguf'] = 'router = { ' .. usual .. "groups = { by = 'two_largest', count = 4, take "
    .. "= 2 }, normalise = true, floor = 6.103515625e-05, scale = 2.5, }, shared = { d_ff = 12, },",
}

--- A `moe` says what the class computes; layers beside it stay as they are.
function TestImportMixtures.test_specs()
  local count = 0
  for name, words in pairs(expected) do
    local text, _, err = spec_of(folder .. name, '--also', 'router')
    local moe = moe_of(text)
    support.assert_has(moe, "'mixture' { d_model = 8, experts = 8, top_k = ", name)
    support.assert_has(moe, words, name)
    unit.assertNil(text:find('what is made of what they give', 1, true), name)
    -- A correction is a row, which the host hands over.
    unit.assertEquals(err:find('routers', 1, true) ~= nil, name == 'deepseek_v3.gguf', name)
    count = count + 1
  end
  unit.assertEquals(count, 16)
  support.assert_has(spec_of(folder .. 'deepseek_v3', '--also', 'router'),
    '\n--- parts.correction: rows model.layers.1.mlp.gate.e_score_correction_bias of the packed')
  -- What the sum is multiplied by is the host's.
  support.assert_has(spec_of(folder .. 'granitemoehybrid', '--also', 'router'),
    "The host's, behind it: multiplier, the sum with the shared expert is multiplied by")
end

--- Experts alone are imported as ever.
function TestImportMixtures.test_not_asked()
  for name in pairs(expected) do
    local text = spec_of(folder .. name)
    unit.assertNil(text:find('\nmoe ', 1, true), name)
    support.assert_has(text, "The host's, beside it: router", name)
  end
end

--- Parts of the plan, what the host is told, and rows.
function TestImportMixtures.test_parts()
  for name, more in pairs { deepseek_v3 = 'model.layers.1.mlp.gate.e_score_correction_bias',
    ['deepseek_v3.gguf'] = 'blk.1.exp_probs_b.bias', qwen2_moe = false } do
    local _, at = spec_of(folder .. name, '--also', 'router')
    local plan, parts = json.decode(support.read(at .. '/PLAN.json'), 1, json.null), {}
    for _, l in ipairs(plan.layers) do
      if l.index == 1 then parts[#parts + 1] = l.part or 0 end
    end
    unit.assertEquals(parts, { 0, 1, 2, 3, 4, 5, 6, 7, part_numbers.by_name.shared,
      part_numbers.by_name.router }, name)
    local router = plan.layers[#plan.layers]
    unit.assertEquals(#router.matrices, name == 'qwen2_moe' and 2 or 1)
    unit.assertEquals(router.matrices[1].outputs, 8)
    local host = json.decode(support.read(at .. '/host.json'), 1, json.null)
    local last = host.mixtures[#host.mixtures]
    unit.assertEquals({ last.layer, last.moe, last.correction },
      { 1, 'mixture', more or json.null })
    local is_row = not more
    for _, rows in ipairs(plan.rows) do is_row = is_row or rows.name == more end
    unit.assertTrue(is_row, name)
  end
end

--- Kernels of an import have the code of mixtures.
function TestImportMixtures.test_kernels()
  local at = support.folder()
  support.assert_code(support.ffngen { 'import', folder .. 'mixtral', '--out', at .. '/o', '--isa',
    'c', '--also', 'router' }, 0, 'import')
  support.assert_has(support.read(at .. '/o/kernels/moes.h'), 'ffn_moe_mixture = {', 'moes.h')
  unit.assertTrue(support.exists(at .. '/o/kernels/moe_run.c'))
  local list = support.ffngen { 'import', folder .. 'mixtral', '--list', '--also', 'router' }
  support.assert_has(list.out, "moe 'mixture'  Layers 0 and 1: a token takes 2 of 8 experts\n"
    .. '  expert: ffn_swiglu_d8_f6_f32\n  router: linear_d8_o8_f32\n', 'list')
  list = support.ffngen { 'import', folder .. 'mixtral', '--list', '--json', '--also', 'router' }
  unit.assertEquals(json.decode(list.out).mixtures, { { name = 'mixture', experts = 8, top_k = 2,
    layers = { 0, 1 }, kernels = { { what = 'expert', name = 'ffn_swiglu_d8_f6_f32' },
      { what = 'router', name = 'linear_d8_o8_f32' } } } })
end

-- Formats -----------------------------------------------------------------------------------------

--- A word of all matrices is none of the router's, whose logits are sums of floats.
function TestImportMixtures.test_formats_of_the_router()
  local moe = moe_of(spec_of(folder .. 'mixtral', '--also', 'router', '--weights', 'bf16'))
  support.assert_has(moe, "weights = 'bf16', }, router = { score = 'softmax', normalise = true, },")
  moe = moe_of(spec_of(folder .. 'mixtral', '--also', 'router', '--weights', 'router=f16'))
  support.assert_has(moe, "d_ff = 6, }, router = { score = 'softmax', normalise = true, weights = "
    .. "'f16', },")
  for _, case in ipairs {
    { { '--weights', 'router=i8' }, 4, 'model.layers.0.block_sparse_moe.gate: its weights are i8, '
      .. 'and the router of a moe has one format of f32, bf16, f16: leave out router (or all) in '
      .. '--also' },
    { { '--arithmetic', 'router=dot_s8' }, 2, 'the router of experts sums floats' },
    { { '--node', 'model.layers.0.mlp.experts.1' }, 2, 'leave out --node, or router in --also' },
  } do
    local result = support.ffngen { 'import', folder .. 'mixtral', '--list', '--also', 'router',
      table.unpack(case[1]) }
    support.assert_code(result, case[2], case[3])
    support.assert_has(result.err, case[3])
  end
end

--- Fields that a shared expert does not have in common with the others are said.
function TestImportMixtures.test_formats_of_the_shared_expert()
  local f = gguf_file.mixture { architecture = 'qwen2moe', shared = 32, keys = {
    { 'qwen2moe.expert_shared_feed_forward_length', 32 } } }
  support.write(one_folder .. '/s.gguf', (gguf_file.text(f)))
  local moe = moe_of(spec_of(one_folder .. '/s.gguf', '--also', 'router', '--arithmetic', 'dot_s8'))
  support.assert_has(moe, "expert = { variant = 'swiglu', d_ff = 32, weights = 'q8_0', "
    .. "arithmetic = 'dot_s8', }, router = { score = 'softmax', }, shared = { d_ff = 32, "
    .. "weights = 'f32', arithmetic = 'fma_f32', gate = 'sigmoid', },")
end

-- Several, and damaged ones -----------------------------------------------------------------------

--- A copy of a model of which some tensors are others: 'gone', or { type, bytes, shape }.
local function changed(name, change, keys)
  local at = support.folder()
  local data = json.decode(support.read(folder .. name .. '/config.json'))
  for key, value in pairs(keys or {}) do data[key] = value end
  support.write(at .. '/config.json', json.encode(data))
  local text = support.read(folder .. name .. '/model.safetensors')
  local length = string.unpack('<I8', text)
  local tensors = {}
  for key, entry in pairs(json.decode(text:sub(9, 8 + length))) do
    if key ~= '__metadata__' and change[key] ~= 'gone' then
      local first, last = table.unpack(entry.data_offsets)
      tensors[key] = change[key] or { entry.dtype, entry.dtype == 'F32' and 4 or 2, entry.shape,
        text:sub(9 + length + first, 8 + length + last) }
    end
  end
  for key, tensor in pairs(change) do
    if tensor ~= 'gone' then tensors[key] = tensor end
  end
  model_files.store(at .. '/model.safetensors', tensors)
  return at
end

--- Layers with other kernels are other mixtures, which have the numbers of their first layers.
function TestImportMixtures.test_several()
  local gate = 'model.layers.1.block_sparse_moe.gate.weight'
  local text, at = spec_of(changed('mixtral', { [gate] = { 'BF16', 2, { 8, 8 } } }), '--also',
    'router')
  local names = {}
  for name in text:gmatch "\nmoe '([^']*)'" do names[#names + 1] = name end
  unit.assertEquals(names, { 'mixture_0', 'mixture_1' })
  unit.assertEquals(#json.decode(support.read(at .. '/host.json')).mixtures, 2)
  -- The same kernels, and a correction in one of two blocks.
  local f = gguf_file.mixture { architecture = 'minimax-m2' }
  table.insert(f.tensors, { name = 'blk.1.exp_probs_b.bias', shape = { 3 }, type = 'F32' })
  support.write(one_folder .. '/two.gguf', (gguf_file.text(f)))
  text = spec_of(one_folder .. '/two.gguf', '--also', 'router')
  unit.assertEquals(select(2, text:gsub("correction = 'score'", '')), 1)
  support.assert_has(text, "\nmoe 'mixture_1'")
end

function TestImportMixtures.test_refused()
  local moe, mlp = 'model.layers.1.block_sparse_moe.', 'model.layers.1.mlp.'
  for _, case in ipairs {
    { others .. 'phimoe', 'layers "model.layers": experts are chosen one after the other '
      .. '(sparsemixer), and a moe has no such router. Leave out router' },
    { others .. 'llama', '--also router: import finds no experts in this model' },
    { changed('mixtral', { [moe .. 'gate.weight'] = 'gone' }), ('"%sgate.weight" is not there')
      :format(moe) },
    { changed('mixtral', { [moe .. 'gate.weight'] = { 'F32', 4, { 7, 8 } } }),
      ('"%sgate" is [7][8], and config.json says [8][8]'):format(moe) },
    { changed('mixtral', { [moe .. 'gate.bias'] = { 'F32', 4, { 8 } } }),
      ('"%sgate.bias" is there, and the class of this model has none'):format(moe) },
    { changed('gpt_oss', { [mlp .. 'router.bias'] = 'gone' }),
      ('"%srouter.bias" is not there, and the class of this model has a bias'):format(mlp) },
    { changed('qwen2_moe', { [mlp .. 'shared_expert_gate.weight'] = 'gone' }),
      ('"%sshared_expert_gate.weight" is not there'):format(mlp) },
    { changed('qwen2_moe', { [mlp .. 'shared_expert_gate.weight'] = { 'BF16', 2, { 2, 8 } } }),
      ('"%sshared_expert_gate" is [2][8], and config.json says [1][8]'):format(mlp) },
    { changed('deepseek_v3', { [mlp .. 'gate.e_score_correction_bias'] = 'gone' }),
      ('"%sgate.e_score_correction_bias" is not there'):format(mlp) },
    { changed('deepseek_v3', { [mlp .. 'gate.e_score_correction_bias'] = { 'F32', 4, { 7 } } }),
      'has 7 numbers, and there are 8 experts' },
    { changed('glm4_moe', {}, { routed_scaling_factor = 0 }), 'its weights are multiplied by 0' },
  } do
    support.assert_has(refusal.of(case[2], read, case[1], 'router'), case[2])
  end
  local result = support.ffngen { 'import', changed('deepseek_v3', {}, { n_group = 3 }), '--list',
    '--also', 'router' }
  support.assert_code(result, 4, 'groups')
  support.assert_has(result.err, 'count = 3 does not divide experts = 8')
  result = support.ffngen { 'import', folder .. 'mixtral/model.safetensors', '--list', '--variant',
    'swiglu', '--also', 'router' }
  support.assert_code(result, 4, 'names alone')
  support.assert_has(result.err, 'names of tensors do not tell what a router computes')
end

--- --also all takes what a moe cannot say as it took it before, and the spec tells why.
function TestImportMixtures.test_all()
  local text = spec_of(others .. 'phimoe', '--also', 'all')
  unit.assertNil(text:find('\nmoe ', 1, true))
  support.assert_has(text:gsub('\n%-%- ', ' '), 'No moe of layers "model.layers", whose '
    .. 'routers are products as others are: experts are chosen one after the other')
  support.assert_has(spec_of(folder .. 'mixtral', '--also', 'all'), '\nmoe ')
  -- A tensor that is left, and a router in blocks.
  local name = 'model.layers.1.mlp.gate.e_score_correction_bias'
  text = spec_of(folder .. 'deepseek_v3', '--also', 'all', '--leave', name)
  unit.assertNil(text:find('\nmoe ', 1, true))
  support.assert_has(text:gsub('\n%-%- ', ' '), ('"%s" is left out'):format(name))
  support.assert_has(refusal.of('left', read, folder .. 'deepseek_v3', 'router',
    { leave = { name } }), ('layers "model.layers": "%s" is left out'):format(name))
  local f = gguf_file.mixture { architecture = 'qwen3moe' }
  for _, t in ipairs(f.tensors) do
    if t.name:find 'ffn_gate_inp' then t.type = 'Q8_0' end
  end
  unit.assertEquals(#read_gguf(f, 'all').mixtures, 0)
  support.assert_has(refusal.of('packed', read_gguf, f, 'router'), 'block blk.0: its router is '
    .. 'stored as Q8_0, and that of a moe has floats')
  local left = { leave = { 'blk.1.exp_probs_b.bias' } }
  local model = folder .. 'deepseek_v3.gguf'
  local function read_left(also)
    return found_records.of(reader.read(model, options_of(also, left)))
  end
  unit.assertEquals(#read_left('all').mixtures, 0)
  support.assert_has(refusal.of('left of GGUF', read_left, 'router'),
    'block blk.1: "blk.1.exp_probs_b.bias" is left out')
end

-- GGUF --------------------------------------------------------------------------------------------

--- Routers of architectures, and why some are none of a moe.
function TestImportMixtures.test_gguf()
  local function found(o, also, more)
    return read_gguf(gguf_file.mixture(o), also or 'router', more)
  end
  for _, case in ipairs {
    { { architecture = 'qwen3moe' }, { score = 'softmax', normalise = true } },
    { { architecture = 'dots1', keys = { { 'dots1.expert_weights_norm', true } } },
      { score = 'sigmoid', normalise = true, floor = 2.0^-14, scale = 2.5 } },
    { { architecture = 'olmoe' }, { score = 'softmax' } },
  } do
    local m = found(case[1]).mixtures
    unit.assertEquals({ #m, m[2].index, m[2].router }, { 2, 1, case[2] }, case[1].architecture)
  end
  local text = refusal.of('phimoe', found, { architecture = 'phimoe', bias = false })
  support.assert_has(text, '--also router: block blk.0: the model\'s own code chooses one after '
    .. 'the other')
  support.assert_has(refusal.of('by word', found, { architecture = 'newmoe' }, 'router',
    { variant = 'swiglu' }), 'no rule tells what its router computes')
  unit.assertEquals(#found({ architecture = 'newmoe' }, 'all', { variant = 'swiglu' }).mixtures, 0)
  support.assert_has(refusal.of('dense', read_gguf, gguf_file.model { architecture = 'llama',
    blocks = 1, tensors = gguf_file.gated }, 'router'), 'import finds no experts in this model')
end

--- What a routing of GGUF is in a spec.
function TestImportMixtures.test_gguf_fields()
  local function fields(more, correction)
    local r = { gating = 'softmax', norm = true, scale = 1, groups = false, own = false,
      takes = false }
    for key, value in pairs(more) do r[key] = value end
    return routers.fields(r, correction or false)
  end
  unit.assertEquals(fields({}), { score = 'softmax', normalise = true })
  unit.assertEquals(fields({}, true), { score = 'softmax', correction = 'score', normalise = true,
    floor = 2.0^-14 })
  unit.assertEquals(fields { norm = false, scale = 2.5 }, { score = 'softmax', scale = 2.5 })
  unit.assertEquals(fields { gating = 'softmax of those chosen', norm = false },
    { score = 'softmax', normalise = true })
  local none, reason = fields { takes = 'the residual' }
  unit.assertEquals({ none or false, reason }, { false, 'its router takes the residual' })
end

--- The correction and the gate of a block are judged.
function TestImportMixtures.test_gguf_refused()
  local function model(name, shape)
    local f = gguf_file.mixture { architecture = 'qwen2moe', shared = 32, blocks = 1, keys = {
      { 'qwen2moe.expert_shared_feed_forward_length', 32 } } }
    f.tensors = lists.filter(f.tensors, function(t) return t.name ~= name end)
    f.tensors[#f.tensors + 1] = { name = name, shape = shape, type = 'F32' }
    return f
  end
  local name = 'blk.0.ffn_gate_inp_shexp.weight'
  unit.assertEquals(read_gguf(model(name, { 64 }), 'router').mixtures[1].gate, 'sigmoid')
  support.assert_has(refusal.of('gate', read_gguf, model(name, { 64, 2 }), 'router'),
    ('--also router: "%s" is no matrix of 64 inputs and 1 outputs'):format(name))
  support.assert_has(refusal.of('correction', read_gguf, model('blk.0.exp_probs_b.bias', { 4 }),
    'router'), '"blk.0.exp_probs_b.bias" has other numbers than one for each of 3 experts')
end
