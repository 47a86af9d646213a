--- The tensors of a GGUF model by block and stem, `blk.N.STEM.weight`: those that a rule reads,
--- those of other parts, which are counted, and what else is in a block, which is refused by name.
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class GgufBlock
---@field prefix string   'blk.3.', 'enc.blk.3.'
---@field number integer  in its stack
---@field stems table<string, GgufStem>  of the layer, the router and the norms around
---@field hosts table<string, GgufStem>  of the host's parts: attention, norms, the router ...
---@field left string[]  names of tensors that are told to be left out

---@class GgufStem
---@field weight PlacedTensor|nil
---@field bias PlacedTensor|nil

--- Stems of a layer alone in its block; of experts; of what chooses among these.
M.dense = { 'ffn_gate', 'ffn_up', 'ffn_down' }
M.experts = {
  'ffn_gate_exps', 'ffn_up_exps', 'ffn_down_exps', 'ffn_gate_up_exps', 'ffn_gate_shexp',
  'ffn_up_shexp', 'ffn_down_shexp',
}
M.router = { 'ffn_gate_inp', 'ffn_gate_inp_shexp', 'exp_probs_b' }

M.told_to_be_left = 'told to be left out'

--- Tensors outside of blocks, and what they are.
local globals = {
  per_layer_token_embd = 'embeddings', per_layer_model_proj = 'embeddings',
  per_layer_proj_norm = 'norms',
  token_embd = 'embeddings', token_embd_norm = 'norms', position_embd = 'embeddings',
  token_types = 'embeddings', output = 'output', output_norm = 'norms', rope_freqs = 'positions',
  rope_factors_long = 'positions', rope_factors_short = 'positions', cls = 'output',
  ['cls.output'] = 'output', ['cls.norm'] = 'norms', ['enc.output_norm'] = 'norms',
  ['dec.output_norm'] = 'norms', dense_2 = 'output', dense_3 = 'output',
}

--- What a tensor of a block is that is not the layer's, whatever the architecture.
local others = {
  { 'attn_', 'attention' }, { 'cross_attn_', 'attention' }, { 'post_attention_norm', 'norms' },
  { 'rope_', 'positions' }, { 'nextn.', 'prediction of further tokens' },
}

---@param rule GgufRule
local function other_part(stem, rule)
  for _, other in ipairs(lists.append(lists.append({}, others), rule.hosts)) do
    local is_start = other[1]:find '[_.]$' ~= nil
    if (is_start and stem:sub(1, #other[1]) or stem) == other[1] then
      return stem:find('norm', 1, true) and other[2] == 'attention' and 'norms' or other[2]
    end
  end
  return nil
end

--- The stems that a rule reads, and what is left to the host of them; false: it is the layer's.
---@param rule GgufRule
local function stems_of(rule)
  local stems = {}
  for _, stem in ipairs(rule.experts == 'only' and {} or M.dense) do stems[stem] = false end
  if not rule.gated or rule.gated == 'fused' then stems.ffn_gate = nil end
  if rule.experts then
    for _, stem in ipairs(M.experts) do stems[stem] = false end
    for _, stem in ipairs(M.router) do stems[stem] = 'routers' end
  end
  local beside = rule.beside or {}
  for _, list in ipairs { rule.around, beside.dense or {}, beside.experts or {} } do
    for _, around in ipairs(list) do
      if around.tensor then stems[around.tensor] = 'norms' end
      if around.other then stems[around.other] = 'norms' end
    end
  end
  return stems
end

---@class GgufBlocks
---@field stacks GgufBlock[][]  one for each of rule.stacks
---@field outside table<string, GgufStem>  in no block
---@field host { name: string, what: string }[]  what is no layer's, in the file's order

local function refuse(path, name, reason, ...)
  problems.bad_input(path, '"%s": ' .. reason, record.shown(name, 80), ...)
end

--- Why a tensor of a block that no rule reads cannot be passed over.
local function refuse_stem(path, name, suffix, rule)
  if suffix == 'scale' or suffix == 'input_scale' then
    refuse(path, name, 'this scale changes what the weights mean, and no rule reads it')
  end
  if suffix:find '^lora_' then
    refuse(path, name, 'this is an adapter: merge it into the model first')
  end
  refuse(path, name, 'no rule of "%s" reads this tensor, which lies in a block and may change '
    .. 'what the layer computes; if not, add --leave %s', rule.name, record.shown(name, 80))
end

--- Blocks without tensors.
---@param rule GgufRule
---@param counts integer[]  blocks of each stack
---@return GgufBlock[][]
---@return table<string, integer> by_prefix  the number of a stack
local function empty_stacks(rule, counts)
  local stacks, by_prefix = {}, {}
  for i, prefix in ipairs(rule.stacks) do
    stacks[i] = {}
    by_prefix[prefix] = i
    for number = 0, counts[i] - 1 do
      stacks[i][number + 1] = {
        prefix = ('%sblk.%d.'):format(prefix, number), number = number, stems = {}, hosts = {},
        left = {},
      }
    end
  end
  return stacks, by_prefix
end

--- Sorts the model's tensors.
---@param path string  for messages
---@param model GgufModel
---@param rule GgufRule
---@param counts integer[]  blocks of each stack
---@param is_left fun(name: string): boolean  it is told to be left out
---@return GgufBlocks
function M.of(path, model, rule, counts, is_left)
  local stems, outside, host = stems_of(rule), {}, {}
  local stacks, by_prefix = empty_stacks(rule, counts)
  local function put(into, stem, suffix, name)
    into[stem] = into[stem] or {}
    into[stem][suffix] = model.tensors[name]
  end
  --- The block of a stack with so many numbers; nil: there is none.
  local function block_of(stack, number)
    return by_prefix[stack] and #number <= 6 and stacks[by_prefix[stack]][number + 1] or nil
  end
  --- A tensor that is left out.
  local function leave(name)
    local stack, number = name:match '^([%a.]-)blk%.(%d+)%.'
    local block = stack and block_of(stack, number)
    if block then table.insert(block.left, name) end
    return M.told_to_be_left
  end
  --- What of the host's a tensor is; false: it is the layer's.
  local function sort(name)
    local stack, number, rest = name:match '^([%a.]-)blk%.(%d+)%.(.+)$'
    local stem, suffix = (rest or name):match '^(.*)%.([^.]+)$'
    if rest and not stem then stem, suffix = rest, '' end
    if not rest then
      local what = globals[stem or name]
      if not what then
        refuse(path, name, 'no rule of "%s" knows this tensor: if it is not part of a feed-forward '
          .. 'layer, add --leave %s', rule.name, record.shown(name, 80))
      end
      put(outside, stem or name, suffix or '', name)
      return what
    end
    local block = block_of(stack, number)
    if not block or block.prefix ~= ('%sblk.%s.'):format(stack, number) then
      refuse(path, name, '"%s" has no block of this name: there are %d blocks', rule.name,
        counts[1])
    end
    if stems[stem] ~= nil and (suffix == 'weight' or suffix == 'bias') then
      put(block.stems, stem, suffix, name)
      if stems[stem] then put(block.hosts, stem, suffix, name) end
      return stems[stem]
    end
    local scale = suffix == 'scale' and lists.filter(rule.scales, function(of)
      return of[1] == stem
    end)[1]
    local other = scale and 'routers' or stems[stem] == nil and other_part(stem, rule)
    if not other then refuse_stem(path, name, suffix, rule) end
    put(block.hosts, stem, suffix, name)
    return other
  end
  for _, name in ipairs(model.names) do
    local what = is_left(name) and leave(name) or sort(name)
    if what then host[#host + 1] = { name = name, what = what } end
  end
  return record.strict('GGUF blocks', { stacks = stacks, outside = outside, host = host })
end

--- What is left to the host, counted.
---@param host { name: string, what: string }[]
---@param taken table<string, boolean>  names that something else takes
---@return Left[]
function M.left(host, taken)
  local counts, order = {}, {}
  for _, item in ipairs(host) do
    if not taken[item.name] then
      if not counts[item.what] then order[#order + 1] = item.what end
      counts[item.what] = (counts[item.what] or 0) + 1
    end
  end
  return lists.map(order, function(what) return { what = what, count = counts[what] } end)
end

return M
