--- What is told of routers: that the rules' data compute what the origin's own classes chose and
--- weighted (tests/data/import/routers.py ran them), and that the sentences say what the data do.
local configs = require 'import.config'
local conclude = require 'import.conclude'
local families = require 'import.families'
local json = require 'dkjson'
local model_files = require 'model_files'
local refusal = require 'refusal'
local routers = require 'import.routers'
local support = require 'support'
local unit = require 'luaunit'

TestImportRouters = {}

local told = json.decode(support.read(support.root .. '/tests/data/import/routers.json'), 1,
  json.null)

-- What a record means -----------------------------------------------------------------------------

local function softmax(logits, keep)
  local most, sum, result = -math.huge, 0, {}
  for e, l in ipairs(logits) do if keep(e) then most = math.max(most, l) end end
  for e, l in ipairs(logits) do
    result[e] = keep(e) and math.exp(l - most) or 0
    sum = sum + result[e]
  end
  for e in ipairs(result) do result[e] = result[e] / sum end
  return result
end

local function all() return true end

--- The numbers of the largest, so many of those that are kept.
local function largest(keys, count, keep)
  local list = {}
  for e in ipairs(keys) do if keep(e) then list[#list + 1] = e end end
  table.sort(list, function(a, b) return keys[a] > keys[b] or keys[a] == keys[b] and a < b end)
  return { table.unpack(list, 1, count) }
end

local function kept_by_groups(r, keys)
  if not r.groups then return all end
  local size, sums = #keys // r.groups.all, {}
  for g = 1, r.groups.all do
    local function own(e) return (e - 1) // size == g - 1 end
    sums[g] = 0
    for _, e in ipairs(largest(keys, r.groups.by == 'largest' and 1 or 2, own)) do
      sums[g] = sums[g] + keys[e]
    end
  end
  local taken = {}
  for _, g in ipairs(largest(sums, r.groups.taken, all)) do taken[g] = true end
  return function(e) return taken[(e - 1) // size + 1] end
end

--- One after the other, each weighted among those that are left and near it.
local function mixed(r, logits, used)
  local gone, weights = {}, {}
  for _ = 1, used do
    local best = largest(logits, 1, function(e) return not gone[e] end)[1]
    weights[best] = softmax(logits, function(e)
      local near = (logits[best] - logits[e]) / math.max(math.abs(logits[e]), logits[best])
      return not gone[e] and near <= 2 * r.noise
    end)[best]
    gone[best] = true
  end
  return weights
end

--- The weight of each expert that a token passes.
local function chosen(r, logits, correction, used)
  if r.score == 'sparsemixer' then return mixed(r, logits, used) end
  local scores, keys, is_own, weights, sum = softmax(logits, all), {}, {}, {}, 0
  for e, l in ipairs(logits) do
    if r.score == 'sigmoid' then scores[e] = 1 / (1 + math.exp(-l)) end
    keys[e] = scores[e] + (r.correction and correction[e] or 0)
  end
  local list = largest(keys, used, kept_by_groups(r, keys))
  for _, e in ipairs(list) do is_own[e] = true end
  if r.score == 'softmax of those chosen' then
    scores = softmax(logits, function(e) return is_own[e] end)
  end
  for _, e in ipairs(list) do sum = sum + scores[e] end
  for _, e in ipairs(list) do
    weights[e] = scores[e] / (r.normalise and math.max(sum + r.epsilon, r.floor) or 1) * r.scale
  end
  return weights
end

local function config_of(case)
  local data = { num_experts_per_tok = told.used }
  for key, value in pairs(case.config) do data[key] = value end
  return configs.of_text('config.json', json.encode(data))
end

--- All classes that transformers has of families with experts: numbers and weights of each token.
function TestImportRouters.test_what_the_origin_chooses()
  local types, count = {}, 0
  for _, case in ipairs(told.cases) do
    local experts = families.by_type[case.model_type][1].experts
    local r = routers.of(config_of(case), experts.router, told.used)
    unit.assertEquals(r.correction ~= false, case.correction ~= json.null, case.source)
    unit.assertEquals(r.bias ~= false, case.bias ~= json.null, case.source)
    local shared = experts.shared and (experts.shared_gate and 'gated' or 'added') or 'none'
    unit.assertEquals(shared, case.shared, case.source)
    for row, given in ipairs(told.logits) do
      local logits, numbers = {}, {}
      for e, l in ipairs(given) do logits[e] = l + (r.bias and case.bias[e] or 0) end
      local weights = chosen(r, logits, case.correction, told.used)
      for i, number in ipairs(case.experts[row]) do
        local weight = weights[number + 1]
        unit.assertTrue(weight ~= nil, ('%s: row %d, expert %d'):format(case.source, row, number))
        unit.assertAlmostEquals(weight, case.weights[row][i], 4e-6 * case.weights[row][i],
          case.source)
        numbers[number + 1] = true
        count = count + 1
      end
      for e in pairs(weights) do unit.assertTrue(numbers[e], case.source) end
    end
    types[case.model_type] = true
  end
  unit.assertEquals(count, #told.cases * #told.logits * told.used)
  -- Families with experts that are not among them: their code is their own, or another's of these.
  local others = { minicpm = true, minicpm3 = true, deepseek = true, kimi_k2 = true,
    qwen3_5_moe = true, llama4 = true, granitemoehybrid = true, qwen3_vl_moe = true }
  for _, rule in ipairs(families.rules) do
    for _, model_type in ipairs(rule.experts and rule.model_types or {}) do
      unit.assertTrue(types[model_type] or others[model_type], model_type)
      unit.assertTrue(rule.experts.router ~= nil, model_type)
    end
  end
end

-- Sentences ---------------------------------------------------------------------------------------

local function said(model_type, config, used)
  config.num_experts_per_tok = used or 2
  return routers.told(configs.of_text('config.json', json.encode(config)),
    families.by_type[model_type][1].experts.router, used or 2)
end

--- What each sentence has, and what it must not have.
function TestImportRouters.test_sentences()
  local count = 0
  for _, case in ipairs {
    { 'mixtral', {}, { 'softmax over all experts; the 2 with the largest score are chosen',
      'multiplied by its score, divided by the sum of those chosen, and these are added' } },
    { 'olmoe', {}, { 'not divided by the sum of those chosen (no norm_topk_prob: false)' } },
    { 'olmoe', { norm_topk_prob = true }, { ', divided by the sum of those chosen '
      .. '(norm_topk_prob = true)' }, 'not divided' },
    { 'qwen2_moe', { norm_topk_prob = false }, { 'not divided by the sum' } },
    { 'qwen3_next', {}, { ', divided by the sum of those chosen (no norm_topk_prob: true)' },
      'not divided' },
    { 'qwen3_5_moe_text', { norm_topk_prob = false }, { ', divided by the sum of those chosen',
      'its class does not read norm_topk_prob = false' }, 'not divided' },
    { 'granitemoe', {}, { 'the 2 largest are chosen, and scores are the softmax of these alone' },
      'over all' },
    { 'gpt_oss', {}, { 'x times its matrix plus mlp.router.bias, the 2 largest',
      'softmax of these alone' }, 'over all' },
    { 'deepseek_v3', { n_group = 8, topk_group = 4, routed_scaling_factor = 2.5 }, {
      'the score of each is its sigmoid',
      'the 2 with the largest score + mlp.gate.e_score_correction_bias are chosen, of the 4 of 8 '
      .. 'groups whose two largest score + mlp.gate.e_score_correction_bias have the largest sum',
      'its score (without the correction), divided by the sum of those chosen + 1e-20',
      'times routed_scaling_factor = 2.5' }, 'softmax' },
    { 'deepseek_v3', { scoring_func = 'sigmoid', topk_method = 'noaux_tc' }, { 'sigmoid' },
      'does not read' },
    { 'deepseek_v3', { scoring_func = 'softmax' }, { 'the score of each is its sigmoid',
      'its class does not read scoring_func = softmax' } },
    { 'kimi_k2', { n_group = 1, topk_group = 1 }, { 'sigmoid' }, 'groups' },
    { 'glm4_moe', {}, { 'sigmoid', 'e_score_correction_bias', 'times routed_scaling_factor = 1' },
      'groups' },
    { 'deepseek_v2', { topk_method = 'greedy', n_group = 8, topk_group = 3, norm_topk_prob = true },
      { 'softmax over all', 'not divided by the sum of those chosen, times routed_scaling_factor '
        .. '= 1', 'its class does not read norm_topk_prob = true' }, 'groups' },
    { 'deepseek_v2', { topk_method = 'group_limited_greedy', n_group = 8, topk_group = 3 },
      { 'of the 3 of 8 groups with the largest score' } },
    { 'deepseek', { norm_topk_prob = true }, { 'divided by the sum of those chosen + 1e-20' },
      'routed_scaling_factor' },
    { 'llama4_text', {}, { 'the score of each is its sigmoid', 'x is multiplied by an expert\'s '
      .. 'score before it goes into it, and what they give is added as it is' } },
    { 'phimoe', {}, { 'one after the other', 'sparsemixer',
      'at most 0.02 (2 router_jitter_noise)' }, 'over all' },
    { 'minicpm', {}, { 'softmax over all experts', ', divided by the sum of those chosen' } },
  } do
    local text = said(case[1], case[2])
    for _, words in ipairs(case[3]) do support.assert_has(text, words, case[1]) end
    if case[4] then unit.assertNil(text:find(case[4], 1, true), text) end
    count = count + 1
  end
  unit.assertEquals(count, 19)
  support.assert_has(said('deepseek', { norm_topk_prob = true }, 1), 'the one with the largest '
    .. 'score is chosen; what an expert gives is multiplied by its score, not divided')
end

function TestImportRouters.test_refused()
  for _, case in ipairs {
    { 'olmoe', { norm_topk_prob = 1 }, 'norm_topk_prob is 1, and must be true or false' },
    { 'deepseek_v3', { n_group = 'x' }, 'n_group is "x", and must be a number of groups' },
    { 'deepseek_v3', { topk_group = 0 }, 'topk_group is 0, and must be a number of groups' },
    { 'deepseek_v3', { routed_scaling_factor = '2' }, 'routed_scaling_factor is "2", and must '
      .. 'be a number' },
    { 'deepseek_v2', { topk_method = 'noaux_tc' }, 'topk_method is "noaux_tc", and must '
      .. 'be greedy or group_limited' },
    { 'phimoe', { router_jitter_noise = {} }, 'router_jitter_noise is an object, and must be a '
      .. 'number' },
  } do
    support.assert_has(refusal.of(case[3], said, case[1], case[2]), case[3])
  end
end

--- What stands in a spec: the router, and the expert that every token passes.
function TestImportRouters.test_around()
  local folder = support.root .. '/tests/data/import/hf/'
  local function around(name, what)
    local stacks = conclude.of(configs.open(folder .. name .. '/config.json'), function()
      return false
    end).stacks
    for _, a in ipairs(stacks[1].parts[#stacks[1].parts].around) do
      if a.what == what then return a.text end
    end
  end
  for _, name in ipairs { 'qwen2_moe', 'qwen3_next', 'qwen3_5_moe' } do
    support.assert_has(around(name, 'shared expert'), 'what it gives is multiplied by the sigmoid '
      .. 'of x times the row of mlp.shared_expert_gate, and added to that of the others', name)
  end
  for _, name in ipairs { 'deepseek_v2', 'deepseek_v3', 'glm4_moe', 'llama4_text' } do
    support.assert_has(around(name, 'shared expert'), 'passes; what it gives is added to that of '
      .. 'the others', name)
  end
  for _, name in ipairs { 'mixtral', 'gpt_oss', 'qwen3_moe', 'olmoe' } do
    unit.assertNil(around(name, 'shared expert'), name)
    support.assert_has(around(name, 'router'), 'are computed by the host: of the router\'s logits')
  end
  for _, name in ipairs { 'qwen3_next', 'qwen3_5_moe' } do
    support.assert_has(around(name, 'RMSNorm'), 'times 1 + weight', name)
  end
  support.assert_has(around('granitemoe', 'router'), 'sum is multiplied by residual_multiplier = ')
  -- Experts of a list without a word of what they are.
  local at = support.folder()
  local tensors = {}
  for role, shape in pairs { gate_proj = { 6, 4 }, up_proj = { 6, 4 }, down_proj = { 4, 6 } } do
    tensors['mlp.experts.0.' .. role .. '.weight'] = { 'F32', 4, shape }
  end
  model_files.store(at .. '/model.safetensors', tensors)
  local list = support.ffngen { 'import', at, '--list', '--variant', 'swiglu' }
  support.assert_has(list.out, 'what is made of what experts give, are computed by the host')
end

--- The origin's own code once more, where its packages are installed.
function TestImportRouters.test_made_again()
  local run = support.run { 'python3', support.root .. '/tests/data/import/routers.py' }
  unit.skipIf(run.code ~= 0 and run.err:find 'ModuleNotFoundError' ~= nil
    or run.err:find 'made routers.json' ~= nil, 'no python3 with its transformers and torch')
  unit.assertEquals(run.code, 0, run.err)
end
