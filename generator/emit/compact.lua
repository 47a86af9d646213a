--- The functions of a layer that is written for few bytes: sums and what becomes of them, each once
--- for all stages in which they are alike, and what takes a row through these.
local describe = require 'emit.describe'
local epilogue = require 'emit.epilogue'
local list = require 'common.list'
local text = require 'common.text'
local tile_text = require 'emit.tile'

local M = {}

--- What the code of a stage's sums depends on.
---@param c CompactStage
local function sums_key(c)
  local stage = c.plan.stage
  return ('%d %d %d %s'):format(stage.sum.chains, #stage.stream.branches, c.rest,
    stage.sum.blocks > 1)
end

--- The function that sums a block of a stage, and of all that sum alike.
---@param c CompactStage
---@return Function
local function sums_function(env, c)
  local s, sum = c.plan, c.plan.stage.sum
  local t = tile_text.environment(env, {
    s = s, tile = { rows = 1, cols = c.cols, vectors = c.cols }, first = 0, guards = false,
    fetch = '', advances = false, k_end = 'count',
  })
  t.fours = s.stage.stream.format.name == 'f32'
  function t.address(v, ahead)
    return tile_text.plus('w', { { ahead, t.N .. '_STEP' }, { v, '' } })
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
  t.head = ('void %s(\n    float *sum, const float *a, const %s *w, size_t count)'):format(name,
    s.stage.stream.format.c_type)
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
local function finish_of(env, s)
  local stage, word = s.stage, env.word
  local t = setmetatable({}, { __index = env })
  t.branches, t.arguments = stage.stream.branches, {}
  local declared, lines = { 'float *out,', 'const float *sum,' }, {}
  local function add(declaration, argument)
    declared[#declared + 1] = declaration .. ','
    t.arguments[#t.arguments + 1] = argument .. ','
  end
  for b, branch in ipairs(stage.stream.branches) do
    local bias = stage.stream.bias and branch.name .. '_bias'
    if bias then
      add('const float *' .. bias, ('packed->%s_bias[%d] + column'):format(stage.name, b - 1))
    end
    list.append(lines, epilogue.finish(stage, word, branch.name,
      bias and word('load', bias .. ' + c')))
  end
  t.constants = epilogue.parameters(stage, word, env.prefix, 'packed')
  for i, parameter in ipairs(t.constants) do
    if i == 1 and parameter.value:find('packed', 1, true) then
      add('const void *packed', 'packed')
    end
  end
  if epilogue.needs_operand(stage) then add('const float *in', 'in + column') end
  t.lines = table.concat(lines, '\n')
  t.result = epilogue.text(stage.results[1].value, word, {
    sum = function(b) return stage.stream.branches[b].name end, operand = 'in[c]',
    activation = env.activation_name,
  })
  declared[#declared + 1] = 'size_t count)'
  t.parameters = '(\n    ' .. table.concat(text.lines(declared, 92), '\n    ')
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
    local t = finish_of(env, s)
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
    function t.weights(b, k)
      return ('&packed->%s[column / %s_PANEL][%s][%d][column %% %s_PANEL]'):format(s.stage.name,
        env.PREFIX, k, b, env.PREFIX)
    end
    local call = list.append({ ('%s(out + column,'):format(finish.name), 'sum,' }, finish.arguments)
    call[#call + 1] = ('%s_min(%d, %s_OUTPUTS - column));'):format(env.prefix, c.cols, N)
    t.finish = table.concat(text.lines(call, 88), '\n    ')
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
  list.append(functions, finishes)
  functions[#functions + 1] = rows_function(env, compact.stages, sums_by, finish_by)
  return functions
end

return M
