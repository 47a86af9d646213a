--- The functions of a layer that is written for few bytes: sums and what becomes of them, each once
--- for all stages in which they are alike, and what takes a row through these.
local comments = require 'emit.comments'
local compact_bytes = require 'emit.compact_bytes'
local compact_decoding = require 'emit.compact_decoding'
local compact_laid = require 'emit.compact_laid'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local lists = require 'common.list'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local texts = require 'common.text'
local tile_text = require 'emit.tile'
local weight_layout = require 'weights.layout'

local M = {}

--- Whether the weights of a stage have to be decoded.
---@param c CompactStage
local function is_decoded(c)
  return not c.plan.stage.stream.format.floats and not c.laid
end

--- What the code of a stage's sums depends on.
---@param c CompactStage
local function sums_key(c)
  local stage = c.plan.stage
  if c.laid then
    return ('%s as bytes, %s'):format(stage.stream.format.name, compact_laid.key(c.laid))
  end
  return ('%s %d %s %d %s'):format(stage.stream.format.name, stage.sum.chains,
    is_decoded(c) or stage.stream.layout.step, c.rest, stage.sum.blocks > 1)
end

--- How sums of a block become those of a stage.
---@param c CompactStage
local function assigns(c) return c.plan.stage.sum.blocks > 1 and '+=' or '=' end

--- Where the sums of a branch are, in C.
local function sums_of_branch(env, b)
  return b > 0 and ('sum + %s_PANEL'):format(env.PREFIX) or 'sum'
end

--- The function that sums a block of a stage, and of all that sum alike.
---@param c CompactStage
---@return Function
local function sums_function(env, c)
  local s = c.plan
  local t = tile_text.of(env, {
    s = s, tile = { rows = 1, cols = c.cols, vectors = c.cols }, first = 0,
    guards = false, fetching = {},
    k = { ends = 'count', last_block = 'k < count' },
  })
  local function one_k(chain, ahead)
    local weights = t.weights.reader()
    return env.render('compact_step.c.tpl', {
      vectors = c.cols,
      activation = t.activation(0, ahead),
      multiply = function(v) return t.sums.multiply(0, v, chain, (weights(v, ahead))) end,
      four_sums = function(v)
        return table.concat(t.sums.names(0, 0, chain), ', ', v + 1, v + 4)
      end,
      address = function(v)
        local _, bytes = weight_layout.place(s.stage.stream.layout, 0, v)
        return tile_text.plus('w', { { ahead, t.k.bytes }, { bytes, '' } })
      end,
    })
  end
  local name = ('%s%s_sums'):format(env.own, s.stage.name)
  local head = 'void ' .. name .. '(\n    float *sum, const float *a, const char *w, size_t count)'
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('compact_sums.c.tpl', {
      about = comments.compact_sums(c, assigns(c)), head = head, vectors = c.cols,
      assigns = assigns(c), loop = function() return t.loop(one_k) end,
      sum = function(v) return t.sums.name(0, v, 0) end,
    }),
  }
end

--- Functions of stages, one for all that have the same key, and which of them a stage has.
---@param stages CompactStage[]
---@param key fun(c: CompactStage): string
---@param make fun(c: CompactStage): Function
---@return Function[]
---@return table<CompactStage, Function>
local function once(stages, key, make)
  local functions, of = {}, {}
  for i, alike in ipairs(lists.parted(stages, key)) do
    functions[i] = make(alike[1])
    for _, c in ipairs(alike) do of[c] = functions[i] end
  end
  return functions, of
end

--- The functions that sum.
local function sums_of(env, stages)
  return once(stages, sums_key, function(c)
    return c.laid and compact_bytes.sums(env, c)
      or is_decoded(c) and compact_decoding.sums(env, c, assigns(c)) or sums_function(env, c)
  end)
end

--- The functions that lay rows as bytes.
local function lays_of(env, stages)
  return once(lists.filter(stages, function(c) return c.laid ~= false end),
    function(c) return compact_laid.key(c.laid) end,
    function(c) return compact_laid.lay(env, c) end)
end

--- What makes the results of a stage.
---@return fun(name: string): string, string  the function of a name: its head and its text
---@return string[] arguments                 that a call hands over
local function finish_of(env, c)
  local s, stage, word = c.plan, c.plan.stage, env.word
  local sums, items = {}, {}
  local function add(kind, name, argument)
    items[#items + 1] = parameters.parameter(kind, name, argument)
  end
  add('float *', 'out', 'out + column')
  add('const float *', 'sum')
  for b, branch in ipairs(stage.stream.branches) do
    local bias = stage.stream.bias and branch.name .. '_bias'
    if bias then
      add('const float *', bias,
        tile_text.plus('bias', { { b - 1, env.NAME(s) .. '_COLUMNS' }, { 'column', '' } }))
    end
    sums[b] = epilogue.finished(stage, word, ('sum[%sc]'):format(b > 1
      and env.PREFIX .. '_PANEL + ' or ''), bias and bias .. '[c]')
  end
  local constants = epilogue.parameters(stage, word, env.prefix, 'packed')
  if constants[1] and constants[1].runtime then add('const void *', 'packed') end
  if expression.read_input(stage.results) then add('const float *', 'in', 'in + column') end
  add('size_t ', 'count',
    ('%s_min(%d, %s_OUTPUTS - column)'):format(env.prefix, c.cols, env.NAME(s)))
  local result = epilogue.text(stage.results[1].value, word, {
    sum = function(b) return stage.stream.branches[b].name end, operand = 'in[c]',
    activation = env.activation_name,
  })
  local declared = '(\n    ' .. table.concat(
    texts.lines(texts.closed(parameters.declared(items), ')'), 92), '\n    ')
  return function(name)
    local head = ('void %s%s'):format(name, declared)
    return head, env.render('compact_finish.c.tpl', {
      about = comments.compact_finish(s), head = head, constants = constants,
      branches = stage.stream.branches, sums = sums, result = result,
    })
  end, parameters.arguments(items)
end

--- The functions that make results, which of them a stage has, and what its call hands over.
---@return Function[]
---@return table<CompactStage, Function>
---@return table<CompactStage, string[]>
local function finishes_of(env, stages)
  local text_as, arguments = {}, {}
  for _, c in ipairs(stages) do text_as[c], arguments[c] = finish_of(env, c) end
  local function key(c) return select(2, text_as[c] 'NAME') end
  local functions, of = once(stages, key, function(c)
    local name = ('%s%s_finish'):format(env.own, c.plan.stage.name)
    local head, text = text_as[c](name)
    return {
      name = name, inline = false, declaration = head, uses = env.activations_of(c.plan),
      text = text,
    }
  end)
  return functions, of, arguments
end

--- Where the bundle of some outputs begins, and of weights that stand by themselves which of them.
---@param c CompactStage
local function bundle_text(env, c)
  local N = env.NAME(c.plan)
  local bundle = ('weights + column / %s_WIDTH * %s_BUNDLE'):format(N, N)
  if is_decoded(c) or c.laid then return bundle end
  return ('%s + column %% %s_WIDTH * %d'):format(bundle, N, c.plan.stage.stream.layout.element)
end

--- The call that sums a branch of some outputs over so many k from one of them on.
---@param c CompactStage
---@param sums string  the function
---@param b integer    the branch, from 0
---@param k string|integer
---@param count string
local function sum_call(env, c, sums, b, k, count)
  if c.laid then
    return compact_bytes.call(env, c, sums, sums_of_branch(env, b), b)
  end
  if is_decoded(c) then
    return compact_decoding.call(env, c, sums, {
      sum = sums_of_branch(env, b), branch = b, k = k, count = count,
    })
  end
  local _, bytes = weight_layout.place(c.plan.stage.stream.layout, b, 0)
  return ('%s(%s, %s,\n    %s, %s);'):format(sums, sums_of_branch(env, b),
    tile_text.plus('in', { { k, '' } }), tile_text.plus('w', {
      { k, env.NAME(c.plan) .. '_STEP' }, { bytes, '' },
    }), count)
end

---@class CompactPart  a stage, in C
---@field s StagePlan
---@field N string
---@field cols integer      outputs that are summed at a time
---@field finish string     the call of what makes results
---@field input string
---@field output string
---@field bundle string     where the weights of `column` begin
---@field lay string|false  the call that lays the input as bytes
---@field sum_call fun(b: integer, k: string|integer, count: string): string  sums a branch of some
--- outputs over so many k from one of them on

---@param sums string       the function that sums
---@param finish string     the call of what makes results
---@param lay Function|nil
---@return CompactPart
local function part_of(env, c, sums, finish, lay)
  local s, index = c.plan, c.plan.index
  local function hidden(i)
    return i % 2 == 0 and '(float *)memory'
      or ('(float *)%s_further(memory, %sHIDDEN1)'):format(env.prefix, env.OWN)
  end
  return record.strict('compact part', {
    lay = lay and ('%s(laid, in, %s_INPUTS);'):format(lay.name, env.NAME(s)) or false,
    s = s, N = env.NAME(s), cols = c.cols, bundle = bundle_text(env, c),
    finish = finish,
    input = index == 0 and 'call->x + first * call->x_stride' or hidden(index - 1),
    output = s.final and 'call->y + first * call->y_stride' or hidden(index),
    sum_call = function(b, k, count) return sum_call(env, c, sums, b, k, count) end,
  })
end

--- What takes rows through all stages.
---@param parts CompactPart[]
---@return Function
local function rows_function(env, parts)
  local name = env.own .. 'compact_rows'
  local head = ('void %s(const %s_walk *walk, void *memory, size_t first, size_t last)'):format(
    name, env.prefix)
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('compact.c.tpl', { head = head, parts = parts }),
  }
end

---@param env table
---@param compact Compact
---@return Function[]
function M.functions(env, compact)
  local functions, sums_by = sums_of(env, compact.stages)
  local finishes, finish_by, arguments = finishes_of(env, compact.stages)
  local lays, lay_by = lays_of(env, compact.stages)
  lists.append(lists.append(functions, finishes), lays)
  functions[#functions + 1] = rows_function(env, lists.map(compact.stages, function(c)
    return part_of(env, c, sums_by[c].name,
      parameters.call(finish_by[c].name, arguments[c], 88), lay_by[c])
  end))
  return functions
end

return M
