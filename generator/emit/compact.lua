--- The functions of a layer that is written for few bytes: sums and what becomes of them, each once
--- for all stages in which they are alike, and what takes a row through these.
local describe = require 'emit.describe'
local epilogue = require 'emit.epilogue'
local lists = require 'common.list'
local parameters = require 'emit.parameters'
local texts = require 'common.text'
local tile_text = require 'emit.tile'
local weight_layout = require 'weights.layout'

local M = {}

--- From a k to the next: a number, or where the last panel lies alone a parameter.
---@param c CompactStage
---@return integer|'step'
local function steps(c)
  local layout = c.plan.stage.stream.layout
  return layout.paired < layout.columns and 'step' or layout.step
end

--- What the code of a stage's sums depends on.
---@param c CompactStage
local function sums_key(c)
  local stage = c.plan.stage
  return ('%d %s %d %s'):format(stage.sum.chains, steps(c), c.rest, stage.sum.blocks > 1)
end

--- The function that sums a block of a stage, and of all that sum alike.
---@param c CompactStage
---@return Function
local function sums_function(env, c)
  local s, sum = c.plan, c.plan.stage.sum
  local t = tile_text.environment(env, {
    s = s, tile = { rows = 1, cols = c.cols, vectors = c.cols, lone = false }, first = 0,
    guards = false, fetch = '', advances = false, k_end = 'count',
  })
  if steps(c) == 'step' then t.STEP = 'step' end
  t.fours = s.stage.stream.format.floats
  function t.address(v, ahead)
    local _, bytes = weight_layout.place(s.stage.stream.layout, 0, v)
    return tile_text.plus('w', { { ahead, t.STEP }, { bytes, '' } })
  end
  function t.four_sums(v)
    local names = {}
    for i = 1, 4 do names[i] = t.sum(0, v + i - 1, t.step.chain) end
    return table.concat(names, ', ')
  end
  function t.one_k(chain, ahead)
    t.step = { chain = chain, ahead = ahead }
    return env.render('compact_step.c.tpl', t)
  end
  local name = ('%s%s_sums'):format(env.own, s.stage.name)
  t.head = ('void %s(\n    float *sum, const float *a, const char *w, size_t count%s)'):format(
    name, steps(c) == 'step' and ', size_t step' or '')
  t.last_block = 'k < count'
  t.about = ('sum[%d] %s a w over `count` k%s.'):format(c.cols, sum.blocks > 1 and '+=' or '=',
    sum.chains > 1 and (', in %d chains'):format(sum.chains) or '')
  return {
    name = name, inline = false, declaration = t.head, uses = {},
    text = env.render('compact_sums.c.tpl', t),
  }
end

--- The functions that sum, by what they depend on.
---@return Function[]
---@return table<string, Function>
local function sums_of(env, stages)
  local functions, by_key = {}, {}
  for _, c in ipairs(stages) do
    local key = sums_key(c)
    if not by_key[key] then
      by_key[key] = sums_function(env, c)
      functions[#functions + 1] = by_key[key]
    end
  end
  return functions, by_key
end

--- What makes the results of a stage.
---@return table  fills the template, and says what a call hands over
local function finish_of(env, c)
  local s, stage, word = c.plan, c.plan.stage, env.word
  local t = setmetatable({}, { __index = env })
  t.branches, t.sums = stage.stream.branches, {}
  local items = {}
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
    t.sums[b] = epilogue.finished(stage, word, ('sum[%sc]'):format(b > 1
      and env.PREFIX .. '_PANEL + ' or ''), bias and bias .. '[c]')
  end
  t.constants = epilogue.parameters(stage, word, env.prefix, 'packed')
  if t.constants[1] and t.constants[1].runtime then add('const void *', 'packed') end
  if epilogue.needs_operand(stage) then add('const float *', 'in', 'in + column') end
  add('size_t ', 'count',
    ('%s_min(%d, %s_OUTPUTS - column)'):format(env.prefix, c.cols, env.NAME(s)))
  t.result = epilogue.text(stage.results[1].value, word, {
    sum = function(b) return stage.stream.branches[b].name end, operand = 'in[c]',
    activation = env.activation_name,
  })
  t.parameters = '(\n    ' .. table.concat(
    texts.lines(texts.closed(parameters.declared(items), ')'), 92), '\n    ')
  t.arguments = parameters.arguments(items)
  t.about = describe.finish_of_sums(s) .. '.'
  return t
end

--- The functions that make results, and which of them a stage has, and its call.
---@return Function[]
---@return table<StagePlan, { name: string, arguments: string[] }>
local function finishes_of(env, stages)
  local functions, of, by_text = {}, {}, {}
  for _, c in ipairs(stages) do
    local s = c.plan
    local t = finish_of(env, c)
    t.head = 'void NAME' .. t.parameters
    local key = env.render('compact_finish.c.tpl', t)
    if not by_text[key] then
      local name = ('%s%s_finish'):format(env.own, s.stage.name)
      by_text[key], t.head = name, 'void ' .. name .. t.parameters
      functions[#functions + 1] = {
        name = name, inline = false, declaration = t.head, uses = env.activations_of(s),
        text = env.render('compact_finish.c.tpl', t),
      }
    end
    of[s] = { name = by_text[key], arguments = t.arguments }
  end
  return functions, of
end

--- What takes rows through all stages.
---@param sums_by table<string, Function>
---@param finish_by table<StagePlan, table>
---@return Function
local function rows_function(env, stages, sums_by, finish_by)
  local name = env.own .. 'compact_rows'
  local head = ('void %s(const %s_call *call, float *memory, size_t first, size_t last)'):format(
    name, env.prefix)
  local t = setmetatable({ parts = stages, head = head }, { __index = env })
  --- Turns to the next stage.
  function t.enter(c)
    local s, index = c.plan, c.plan.index
    local N, finish = env.NAME(s), finish_by[s]
    t.s, t.N, t.branches, t.blocks = s, N, #s.stage.stream.branches, s.stage.sum.blocks
    t.sums = sums_by[sums_key(c)].name
    local function hidden(i)
      return i % 2 == 0 and 'memory' or ('memory + %sHIDDEN1'):format(env.OWN)
    end
    t.input = index == 0 and 'call->x + first * call->x_stride' or hidden(index - 1)
    t.output = s.final and 'call->y + first * call->y_stride' or hidden(index)
    local layout = s.stage.stream.layout
    t.step = steps(c) == 'step' and ', step' or ''
    --- The weights of a branch for some outputs at a k.
    function t.weights(b, k)
      local _, bytes = weight_layout.place(layout, b, 0)
      return tile_text.plus('w', { { k, t.step == '' and N .. '_STEP' or 'step' },
        { bytes, '' } })
    end
    t.bundle = ('weights + column / %s_WIDTH * %s_BUNDLE + column %% %s_WIDTH * %d'):format(
      N, N, N, layout.element)
    t.finish = parameters.call(finish.name, finish.arguments, 88)
  end
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('compact.c.tpl', t),
  }
end

---@param env table
---@param compact Compact
---@return Function[]
function M.functions(env, compact)
  local functions, sums_by = sums_of(env, compact.stages)
  local finishes, finish_by = finishes_of(env, compact.stages)
  lists.append(functions, finishes)
  functions[#functions + 1] = rows_function(env, compact.stages, sums_by, finish_by)
  return functions
end

return M
