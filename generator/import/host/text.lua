--- host.json, and host.h, which has the same numbers for C. Both say nothing but data: no formula,
--- no mask, no window, no tokenizer.
local hosts = require 'import.host'
local json = require 'dkjson'
local json_object = require 'files.json_object'
local lists = require 'common.list'
local numbers = require 'common.number'
local record = require 'common.record'

local M = { version = 1 }

--- What the files of ours begin with.
M.first_json = '{"ffngen_host":'
M.first_header = '/* Made by `ffngen import`: host.h'

-- JSON -------------------------------------------------------------------------------------------

local value_text

--- An object whose fields stand in a given order.
local function object(fields) return { fields = fields } end

--- Names of tensors have nothing to escape, and are many.
local function quoted(s)
  return s:find '[^%w%._ -]' and json.quotestring(s) or '"' .. s .. '"'
end

local function object_text(t)
  local parts = {}
  if rawget(t, 'fields') then
    for i, field in ipairs(t.fields) do
      parts[i] = quoted(field[1]) .. ': ' .. value_text(field[2])
    end
  else
    for i, key in ipairs(record.sorted_keys(t)) do
      parts[i] = quoted(key) .. ': ' .. value_text(t[key])
    end
  end
  return '{' .. table.concat(parts, ', ') .. '}'
end

function value_text(v)
  if v == nil or v == json_object.null then return 'null' end
  if type(v) == 'string' then return quoted(v) end
  if math.type(v) == 'float' then
    return v == v and math.abs(v) < math.huge and numbers.shown(v) or 'null'
  end
  if type(v) ~= 'table' then return tostring(v) end
  if #v > 0 or #record.sorted_keys(v) == 0 then
    return '[' .. table.concat(lists.map(v, value_text), ', ') .. ']'
  end
  return object_text(v)
end

--- A list with an item on each line.
local function lines_of(texts)
  return #texts == 0 and '[]' or '[\n  ' .. table.concat(texts, ',\n  ') .. '\n ]'
end

local function lines_text(list) return lines_of(lists.map(list, value_text)) end

local function or_null(v) return v or nil end

---@param b HostBlock
local function block_fields(b)
  return object(lists.map({
    'heads', 'kv_heads', 'head_dim', 'width', 'vocabulary', 'positions', 'eps', 'score_scale',
    'theta', 'scaling', 'factors', 'attention_norm', 'ffn_norm', 'q_norm', 'k_norm', 'final_norm',
    'embedding',
  }, function(name) return { name, or_null(b[name]) } end))
end

--- Layers of the model that are mixtures of experts: the constant of moes.h that each has, and the
--- rows that are added where experts are chosen.
local function mixtures_of(named)
  local list = {}
  for _, m in ipairs(named.mixtures) do
    for _, one in ipairs(m.found) do
      list[#list + 1] = object {
        { 'layer', one.index }, { 'moe', m.name }, { 'correction', or_null(one.correction) },
      }
    end
  end
  return list
end

--- Products, of which a model of many experts has thousands: outputs that they share are text once.
---@param products HostProduct[]
local function products_text(products)
  local outputs = {}
  return lines_of(lists.map(products, function(p)
    local own = p.outputs
    outputs[own] = outputs[own] or value_text(lists.map(own, function(o)
      return object { { 'name', o.name }, { 'width', o.width } }
    end))
    return ('{"name": %s, "layer": %d, "part": %d, "kernel": %s, "inputs": %d, "outputs": %s, '
      .. '"rows": %s}'):format(quoted(p.name), p.layer, p.part, quoted(p.kernel), p.inputs,
      outputs[own], value_text(or_null(p.rows)))
  end))
end

--- host.json.
---@param found Found
---@param named NamedGroups
---@return string
function M.json(found, named)
  local h = found.host or hosts.unknown(found)
  local norms = lists.map(h.norms, function(n)
    return object {
      { 'tensor', n.tensor }, { 'bias', or_null(n.bias) }, { 'eps', or_null(n.eps) },
      { 'adds_one', n.adds_one },
    }
  end)
  local keys = object(lists.map(h.keys, function(key) return { key.name, key.value } end))
    return table.concat {
    ('{"ffngen_host": %d,\n'):format(M.version):gsub('": ', '":', 1),
    (' "architecture": %s,\n "layers": %d,\n'):format(value_text(or_null(h.architecture)),
      h.layers),
    (' "products": %s,\n "rope_pairs": %s,\n'):format(products_text(hosts.products(found, named)),
      value_text(or_null(h.rope_pairs))),
    #named.mixtures > 0 and (' "mixtures": %s,\n'):format(lines_text(mixtures_of(named))) or '',
    (' "norms": %s,\n "tied": %s,\n'):format(lines_text(norms),
      h.tied == 'unknown' and 'null' or tostring(h.tied)),
    (' "block": %s,\n "block_problem": %s,\n'):format(
      h.block and value_text(block_fields(h.block)) or 'null',
      value_text(or_null(h.block_problem))),
    (' "keys": %s,\n "left": %s}\n'):format(value_text(keys),
      h.left and lines_text(h.left) or 'null'),
  }
end

-- C ----------------------------------------------------------------------------------------------

--- A float of C with all digits of a double.
local function real(x)
  local text = numbers.shown(x)
  return text:find '[.eE]' and text or text .. '.0'
end

local function string_of(name) return name and quoted(name) end

local scalings = { none = 0, linear = 1, llama3 = 2 }

--- The lines about blocks as Llama has them.
---@param h HostFacts
local function block_lines(h)
  local b, lines = h.block, {}
  local function say(name, value, meaning)
    lines[#lines + 1] = ('#define HOST_%s %s%s'):format(name, value,
      meaning and (' /* %s */'):format(meaning) or '')
  end
  say('WIDTH', b.width, 'of a row between blocks')
  say('VOCABULARY', b.vocabulary, 'tokens, and logits of a row')
  say('POSITIONS', b.positions, 'attention sees all of so many')
  say('HEADS', b.heads)
  say('KV_HEADS', b.kv_heads)
  say('HEAD_DIM', b.head_dim)
  say('EPS', real(b.eps), 'of RMSNorm')
  say('SCORE_SCALE', ('%sf'):format(real(numbers.to_f32(b.score_scale))), 'times q k')
  say('ROPE_ADJACENT', h.rope_pairs == 'adjacent' and 1 or 0,
    'pairs of a head: 1: 2 i and 2 i + 1; 0: i and i + HEAD_DIM / 2')
  say('ROPE_THETA', real(b.theta))
  say('ROPE_SCALING', scalings[b.scaling.type], '0: none, 1: linear, 2: llama3')
  if b.scaling.type ~= 'none' then say('ROPE_FACTOR', real(b.scaling.factor)) end
  if b.scaling.type == 'llama3' then
    say('ROPE_LOW', real(b.scaling.low))
    say('ROPE_HIGH', real(b.scaling.high))
    say('ROPE_ORIGINAL_POSITIONS', real(b.scaling.original_positions))
  end
  if b.factors then
    say('ROPE_FACTORS', string_of(b.factors), 'each pair\'s frequency is divided by its own')
  end
  say('TIED', h.tied == true and 1 or 0, '1: the head has the numbers of the embedding')
  say('EMBEDDING', string_of(b.embedding), 'rows of the file, by name')
  say('ATTENTION_NORM', string_of(b.attention_norm), '%d: the block')
  say('FFN_NORM', string_of(b.ffn_norm))
  say('QK_NORM', b.q_norm and 1 or 0, '1: each head of q and k has a norm, in front of rope')
  if b.q_norm then
    say('Q_NORM', string_of(b.q_norm))
    say('K_NORM', string_of(b.k_norm))
  end
  say('FINAL_NORM', string_of(b.final_norm))
  return lines
end

--- host.h.
---@param found Found
---@return string
function M.header(found)
  local h = found.host or hosts.unknown(found)
  local lines = {
    M.first_header .. ' tells a C program what host.json tells any.',
    ' *',
    ' * The entries of model.ffn: block i has its feed-forward layer at (i, 0), q, k and v at',
    ' * (i, FFN_PART_QKV), o at (i, FFN_PART_O); the head is at (HOST_LAYERS, FFN_PART_HEAD).',
    ' * Norms and the embedding are rows, found by name. */',
    '#ifndef HOST_H',
    '#define HOST_H',
    '',
    ('#define HOST_LAYERS %d'):format(h.layers),
    ('#define HOST_BLOCK %d /* 1: blocks as Llama has them, whose numbers follow */'):format(
      h.block and 1 or 0),
  }
  if h.block then
    lists.append(lines, block_lines(h))
  else
    lines[#lines + 1] = ('/* No such numbers: %s. See host.json. */'):format(
      (record.shown(h.block_problem or 'the blocks are others', 200):gsub('%*/', '* /')))
  end
  lists.append(lines, { '', '#endif', '' })
  return table.concat(lines, '\n')
end

return M
