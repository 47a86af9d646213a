--- What a layer that is written for few bytes multiplies as integers: a row that is laid in groups,
--- one group behind the other with all that is kept of it, and sums over these. A group lies alike
--- in every stage, and so stages of a format share a function.
local comments = require 'emit.comments'
local decoding = require 'emit.decoding'
local formats = require 'operand.format'
local groups = require 'weights.group'
local lists = require 'common.list'
local parameters = require 'emit.parameters'
local prefixes = require 'common.prefix'
local summings = require 'emit.summing'
local texts = require 'common.text'
local vector = require 'emit.vector'
local weight_layout = require 'weights.layout'

local M = {}

--- Outputs that are summed side by side: they share what is read of the input.
M.abreast = 4

--- Whether a stage multiplies bytes.
---@param c CompactStage
function M.takes(c) return c.plan.stage.arithmetic.takes == 'bytes' end

--- What the functions of a stage depend on beside its format.
---@param c CompactStage
function M.key(c)
  return table.concat(lists.map(c.plan.stage.operand.format.planes, function(plane)
    return ('%s %d'):format(plane.name, plane.every)
  end), ' ')
end

--- Bytes of a group in front of each of its planes, and in all.
---@param format OperandFormat
---@return table<string, integer>
---@return integer
local function places_of(format)
  local at, bytes = {}, 0
  for _, plane in ipairs(format.planes) do
    at[plane.name] = bytes
    bytes = bytes + format.group // plane.every * plane.bytes
  end
  return at, bytes
end

--- A pointer to a number of a plane, in C.
local function pointer(plane, at)
  return ('(%s *)(void *)(%s)'):format(formats.lanes[plane.lane].c_type, at)
end

--- The function that lays a row, and its call.
---@param c CompactStage
---@return Function
function M.lay(env, c)
  local format = c.plan.stage.operand.format
  local at, bytes = places_of(format)
  local name = ('%slay_%s'):format(env.own, c.plan.stage.operand.tensor)
  local head = ('void %s(char *to, const float *row, size_t inputs)'):format(name)
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('compact_lay.c.tpl', {
      head = head, about = comments.compact_lay(format, bytes), group = format.group, bytes = bytes,
      code = prefixes.text(format.take {
        plane = function(plane)
          local own = lists.filter(format.planes, function(one) return one.name == plane end)[1]
          return pointer(own, at[plane] > 0 and ('to + %d'):format(at[plane]) or 'to')
        end, from = 'from', count = 'count', isa = env.isa,
      }, env.prefix),
    }),
  }
end

--- The number of a plane that belongs to k, in C: `x` is the group that holds it.
local function number(format, name, k)
  local at = places_of(format)[name]
  for _, plane in ipairs(format.planes) do
    if plane.name == name then
      local index = plane.every < format.group and (' + %s %% %d / %d * %d'):format(k, format.group,
        plane.every, plane.bytes) or ''
      local type = plane.lane == 'f32' and 'float' or 'int32_t'
      return ('*(const %s *)(const void *)(x + %d%s)'):format(type, at, index)
    end
  end
end

--- The bytes of four k, of which the first is k i of a step, in C.
local function quad(format, i)
  local at = places_of(format)[format.multiplied]
  return ('*(const int32_t *)(const void *)(x + %sk %% %d%s)'):format(at > 0 and at .. ' + ' or '',
    format.group, i > 0 and ' + ' .. i or '')
end

--- Names in C that those of a format's planes and states keep away from.
local taken_names = { 'a', 'column', 'count', 'factored', 'group', 'head', 'inputs', 'k', 'lane',
  'members', 'products', 'sum', 'sums', 'w', 'x' }

--- The hooks around the steps of a group of weights, for the outputs side by side.
---@param each fun(make: fun(n: integer): string): string  statements of each of them
local function hooks(stage, summing, each)
  local products, operand = stage.stream.format.products, stage.operand.format
  local function names(n, k)
    return {
      sum = function(name) return name .. n end,
      operand = function(plane) return number(operand, plane, k) end,
    }
  end
  local behind = ('(k - %d)'):format(products.group)
  local after = ('x += %d;'):format(select(2, places_of(operand)))
  return {
    open = function(states)
      return each(function(n)
        local begins = summing.begin_group(names(n, 'k'), states[n])
        return ('int32_t products%d = %s;'):format(n, begins.products)
      end)
    end,
    close = function(states)
      local text = each(function(n) return summing.end_group(names(n, behind), states[n]) end)
      if not products.factor then return text .. '\n' .. after end
      local both = each(function(n)
        return ('%s\nfactored%d = 0.0f;'):format(summing.end_shared(names(n, behind), states[n]), n)
      end)
      return ('%s\nif (k %% %d == 0) {\n%s\n%s\n}'):format(text, operand.group, both, after)
    end,
  }
end

--- The loops over k of some outputs.
local function loops(env, stage)
  local format, operand, v = stage.stream.format, stage.operand.format, vector.builder(env.isa)
  local placed, summing = groups.place(format), summings.of(env.isa, stage)
  local last, places = #placed.parts, {}
  for n = 1, M.abreast do
    places[n] = {
      group = 'group', lane = n > 1 and ('lane + %d'):format(n - 1) or 'lane', head = 'head',
      members = 'members',
    }
  end
  local function each(make)
    local text = {}
    for n = 1, M.abreast do text[n] = make(n) end
    return table.concat(text, '\n')
  end
  for _, name in ipairs(taken_names) do v.argument(name) end
  local states, heads = decoding.open_heads(v, format, placed, places, 'bytes')
  return texts.indented(table.concat(heads, '\n') .. '\n' .. decoding.ascend_groups(v, format,
    placed, {
      pointer = 'group', phase = '0', count = 'inputs',
      step = ('members * %d'):format(placed.bytes), places = places,
      grain = placed.parts[1].k, line = placed.parts[last].k, states = states, takes = 'bytes',
      begin = '', often = '', unroll = '', groups = hooks(stage, summing, each),
    }, function(inner)
      local text = {}
      local lines = lists.map(places, function(place)
        return decoding.lines_at(v, placed, last, place)
      end)
      for i = 0, placed.parts[last].k - 1, stage.arithmetic.k do
        text[#text + 1] = each(function(n)
          local node = format.products.take(v, lines[n], inner[n], i, decoding.index_of(last))
          return table.concat(v.take(), '\n') .. '\n' .. summing.step({
            sum = function(name) return name .. n end,
            operand = function() return quad(operand, i) end,
          }, node.text or node.code)
        end)
      end
      return table.concat(text, '\n')
    end))
end

--- The parameters of a function that sums a branch of some outputs over all k.
---@param c CompactStage
---@param sum string      where the sums are, in C
---@param branch integer  from 0
---@return FunctionParameter[]
local function parameters_of(env, c, sum, branch)
  local N, stream, items = env.NAME(c.plan), c.plan.stage.stream, {}
  local layout = stream.layout
  local members = tostring(layout.members)
  local function add(kind, name, argument)
    items[#items + 1] = parameters.parameter(kind, name, argument)
  end
  add('float *', 'sums', sum)
  add('const char *', 'a', 'laid')
  add('const char *', 'w', layout.head > 0
    and ('w + %s * %d'):format(members, layout.placed.head_bytes) or 'w')
  add('size_t ', 'members', members)
  local _, lane = weight_layout.lane(layout, branch, 0)
  add('size_t ', 'lane', ('column %% %s_WIDTH%s'):format(N, lane > 0 and ' + ' .. lane or ''))
  add('size_t ', 'inputs', N .. '_INPUTS')
  add('size_t ', 'count', ('%s_min(%d, %s_OUTPUTS - column)'):format(env.prefix, c.cols, N))
  if stream.format.head then add('const char *', 'head', 'w') end
  return items
end

--- The function that sums some outputs of a stage.
---@param c CompactStage
---@return Function
function M.sums(env, c)
  local stage = c.plan.stage
  local name = ('%s%s_sums'):format(env.own, stage.name)
  local head = ('void %s(\n    %s'):format(name, table.concat(texts.lines(texts.closed(
    parameters.declared(parameters_of(env, c, '', 0)), ')'), 92), '\n    '))
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = texts.fold(env.render('compact_bytes.c.tpl', {
      head = head, about = comments.compact_sums(c, '='), abreast = M.abreast,
      loops = loops(env, stage),
      factored = stage.stream.format.products.factor,
    }), 100),
  }
end

--- The call of that function.
---@param c CompactStage
---@param name string
---@param sum string
---@param branch integer
---@return string
function M.call(env, c, name, sum, branch)
  return parameters.call(name, parameters.arguments(parameters_of(env, c, sum, branch)), 80)
end

return M
