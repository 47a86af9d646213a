--- The sums of a layer that is written for few bytes, over weights that are multiplied as integers:
--- some outputs side by side, with a row that is laid in groups.
local addresses = require 'emit.addresses'
local comments = require 'emit.comments'
local compact_laid = require 'emit.compact_laid'
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local lists = require 'common.list'
local parameters = require 'emit.parameters'
local summings = require 'emit.summing'
local texts = require 'common.text'
local vector = require 'emit.vector'
local formats = require 'weights.format'
local weight_layout = require 'weights.layout'

local M = {}

--- Outputs that are summed side by side: they share what is read of the input.
M.abreast = 4

--- Names in C that those of a format's planes and states keep away from.
local taken_names = { 'a', 'column', 'count', 'end', 'factored', 'group', 'head', 'inputs', 'k',
  'lane', 'members', 'products', 'sum', 'sums', 'w', 'x' }

--- Statements for each of the outputs side by side.
---@param make fun(n: integer): string
local function each(make)
  local text = {}
  for n = 1, M.abreast do text[n] = make(n) end
  return table.concat(text, '\n')
end

--- What stands around the steps of a group of weights.
---@return TileGroups
local function hooks(env, c)
  local stage, laid = c.plan.stage, c.laid
  local products, summing = stage.stream.format.products, summings.of(env.isa, stage)
  local function names(n, k)
    return {
      sum = function(name) return name .. n end,
      operand = function(plane) return compact_laid.number(laid, plane, k) end,
    }
  end
  local begin = ('(k - %d)'):format(products.group)
  local after = laid.of_rows and '' or ('\nx += %d;'):format(compact_laid.bytes(laid))
  return {
    open = function(states)
      return each(function(n)
        local begins = summing.begin_group(names(n, 'k'), states[n])
        return ('int32_t products%d = %s;'):format(n, begins.products)
      end)
    end,
    close = function(states)
      local text = each(function(n) return summing.end_group(names(n, begin), states[n]) end)
      if not products.factor then return text .. after end
      local both = each(function(n)
        return ('%s\nfactored%d = 0.0f;'):format(summing.end_shared(names(n, begin), states[n]), n)
      end)
      return ('%s\nif (k %% %d == 0) {\n%s%s\n}'):format(text, laid.group, both, after)
    end,
  }
end

--- Where the outputs side by side are read; `lane` is the first, in C.
---@param lane string|integer
---@return GroupAddress[]
local function places_from(lane)
  local places = {}
  for n = 1, M.abreast do
    places[n] = {
      group = 'group', lane = addresses.terms { { lane, '' }, { n - 1, '' } }, head = 'head',
      members = 'members',
    }
  end
  return places
end

--- What gives the statements of a step, from what its group holds for each output.
---@param places GroupAddress[]
---@return fun(states: State[]): string
local function steps_of(env, c, v, placed, places)
  local stage, last = c.plan.stage, #placed.parts
  local summing, products = summings.of(env.isa, stage), stage.stream.format.products
  return function(states)
    local text = {}
    local lines = lists.map(places, function(place)
      return decoding.lines_at(v, placed, last, place)
    end)
    for i = 0, placed.parts[last].k - 1, stage.arithmetic.k do
      text[#text + 1] = each(function(n)
        local node = products.take(v, lines[n], states[n], i, decoding.index_of(last))
        return table.concat(v.take(), '\n') .. '\n' .. summing.step({
          sum = function(name) return name .. n end,
          operand = function() return compact_laid.quad(c.laid, i) end,
        }, node.text or node.code)
      end)
    end
    return table.concat(text, '\n')
  end
end

--- The loops over the levels of weights.
local function over_levels(env, c, v, placed, states)
  local places = places_from 'lane'
  return 'const char *group = w, *x = a;\nsize_t k = 0;\n' .. decoding.ascend_groups(v,
    c.plan.stage.stream.format, placed, {
      pointer = 'group', phase = '0', count = 'inputs',
      step = ('members * %d'):format(placed.bytes), places = places,
      grain = placed.parts[1].k, line = placed.parts[#placed.parts].k, states = states,
      takes = 'bytes', begin = '', often = '', unroll = '', groups = hooks(env, c),
    }, steps_of(env, c, v, placed, places))
end

--- The loop over a row that is one group: its weights have no levels, and a step is a line. Nothing
--- is added to the pointers within.
local function over_row(env, c, v, placed, states)
  local step, around = placed.parts[1], hooks(env, c)
  return ('const char *group = w + lane * %d, *x = %s, *const end = x + inputs;\n%s\n'
    .. 'for (; x < end; x += %d, group += members * %d) {\n%s\n}\n%s'):format(
    step.lines[1].line.bytes // formats.outputs, compact_laid.first(c.laid),
    around.open(states), step.k, step.bytes, steps_of(env, c, v, placed, places_from(0))(states),
    around.close(states))
end

--- The loops over k.
---@param c CompactStage
local function loops(env, c)
  local format, v = c.plan.stage.stream.format, vector.builder(env.isa)
  local placed = groups.place(format)
  for _, name in ipairs(taken_names) do v.argument(name) end
  local states, heads = decoding.open_heads(v, format, placed, places_from 'lane', 'bytes')
  local over = c.laid.of_rows and over_row or over_levels
  heads[#heads + 1] = over(env, c, v, placed, states)
  return texts.indented(table.concat(heads, '\n'))
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
    and ('w + %d'):format(layout.members * layout.placed.head_bytes) or 'w')
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
      loops = loops(env, c),
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
