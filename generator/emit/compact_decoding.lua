--- The sums of a layer that is written for few bytes, over weights that have to be decoded: one
--- output after the other, so that a group is opened once for each, and no weight is kept.
local comments = require 'emit.comments'
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local parameters = require 'emit.parameters'
local summings = require 'emit.summing'
local texts = require 'common.text'
local tile_text = require 'emit.tile'
local vector = require 'emit.vector'
local weight_layout = require 'weights.layout'

local M = {}

--- Names in C that those of a format's planes and states keep away from.
local taken_names = {
  'a', 'at', 'chain', 'column', 'count', 'end', 'group', 'half', 'head', 'k', 'lane', 'members',
  'phase', 's', 'stop', 'sum', 'w',
}

---@class SummedPart  of some outputs of a row
---@field sum string         where its sums are, in C
---@field branch integer    from 0
---@field k string|integer  the first, in C
---@field count string      so many, in C

--- The parameters of a function that sums a part. It is told how many panels and branches lie side
--- by side, so that gated stages and others share it.
---@param c CompactStage
---@param part SummedPart
---@return FunctionParameter[]
local function parameters_of(env, c, part)
  local N, stream, items = env.NAME(c.plan), c.plan.stage.stream, {}
  local layout, k = stream.layout, part.k
  local members = tostring(layout.members)
  local function add(kind, name, argument)
    items[#items + 1] = parameters.parameter(kind, name, argument)
  end
  add('float *', 'sum', part.sum)
  add('const float *', 'a', tile_text.plus('in', { { k, '' } }))
  local head = layout.head > 0 and { members, layout.placed.head_bytes } or { 0, '' }
  local group = k ~= 0 and layout.group > 1 and ('%s / %s_GROUP'):format(k, N) or k
  add('const char *', 'w', tile_text.plus('w', { head, { group, N .. '_STEP' } }))
  add('size_t ', 'members', members)
  local _, lane = weight_layout.lane(layout, part.branch, 0)
  add('size_t ', 'lane', tile_text.plus(('column %% %s_WIDTH'):format(N), { { lane, '' } }))
  if #stream.format.levels > 0 then
    add('size_t ', 'phase', k == 0 and '0' or ('%s %% %s_GROUP'):format(k, N))
  end
  add('size_t ', 'count', part.count)
  if stream.format.head then add('const char *', 'head', 'w') end
  return items
end

--- The loops over k of an output.
local function loops(env, stage)
  local format, chains, v = stage.stream.format, stage.sum.chains, vector.builder(env.isa)
  local placed, summing = groups.place(format), summings.of(env.isa, stage)
  for _, name in ipairs(taken_names) do v.argument(name) end
  return texts.indented(decoding.ascend(v, format, placed, {
    pointer = 'group', phase = 'phase', count = 'count',
    step = ('members * %d'):format(placed.bytes),
    places = { { group = 'group', lane = 'lane', head = 'head', members = 'members' } },
  }, function(_, value, i)
    local chain = i > 0 and ('(k + %d)'):format(i) or 'k'
    return summing.step({
      sum = function() return chains > 1 and ('s[%s %% %d]'):format(chain, chains) or 's' end,
      operand = function() return ('a[%s]'):format(tile_text.plus('k', { { i, '' } })) end,
    }, value)
  end))
end

--- The function that sums a part of a stage.
---@param c CompactStage
---@param assigns '='|'+='  how sums of a block become those of the stage
---@return Function
function M.sums(env, c, assigns)
  local stage = c.plan.stage
  local name = ('%s%s_sums'):format(env.own, stage.name)
  local items = parameters_of(env, c, { sum = '', branch = 0, k = 0, count = '' })
  local head = ('void %s(\n    %s'):format(name, table.concat(
    texts.lines(texts.closed(parameters.declared(items), ')'), 92), '\n    '))
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = texts.fold(env.render('compact_decoding.c.tpl', {
      head = head, about = comments.compact_sums(c, assigns), cols = c.cols, assigns = assigns,
      chains = stage.sum.chains, loops = loops(env, stage),
      sum = stage.sum.chains > 1 and 's[0]' or 's',
      folded = summings.of(env.isa, stage).joined('s[chain]', 's[chain + half]'),
    }), 100),
  }
end

--- The call of that function.
---@param c CompactStage
---@param name string
---@param part SummedPart
---@return string
function M.call(env, c, name, part)
  return parameters.call(name, parameters.arguments(parameters_of(env, c, part)), 80)
end

return M
