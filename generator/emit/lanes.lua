--- The functions of a layer that takes a block of tokens with one in each lane.
local chain_order = require 'emit.chains'
local decoding = require 'emit.decoding'
local epilogue = require 'emit.epilogue'
local isas = require 'isa'
local weight_layout = require 'weights.layout'
local lists = require 'common.list'
local one = require 'emit.one'
local parameters = require 'emit.parameters'
local prefixes = require 'common.prefix'
local summing_of = require 'emit.summing'.of
local sums = require 'emit.sums'
local texts = require 'common.text'
local tile_text = require 'emit.tile'

local M = {}

--- Whether the last panel of a stage lies alone.
local function is_alone(part)
  local layout = part.plan.stage.stream.layout
  return layout.paired < layout.columns
end

--- The groups of a stage's outputs: those that lie in whole bundles, and those that lie alone.
---@return { from: integer, to: integer, lone: boolean }[]
local function segments(part)
  local outputs, paired = part.plan.stage.outputs, part.plan.stage.stream.layout.paired
  local list = { { from = 0, to = math.min(outputs, paired), lone = false } }
  if outputs > paired then list[2] = { from = paired, to = outputs, lone = true } end
  return list
end

--- The parameters of a stage's function, for so many outputs from a C variable on.
---@param env table of a block
---@param part LanesStage
---@param output string
---@param outputs integer
---@param lone boolean|nil  of the panel that lies alone
---@return FunctionParameter[]
local function parameters_of(env, part, output, outputs, lone)
  local stage, items = part.plan.stage, {}
  local function add(kind, name, argument)
    items[#items + 1] = parameters.parameter(kind, name, argument)
  end
  local N = env.NAME(part.plan)
  add('const float *', 'a', 'in')
  add('const char *', 'w', ('weights + %s / %s_WIDTH * %s_BUNDLE'):format(output, N, N))
  add('size_t ', 'lane', ('%s %% %s_WIDTH'):format(output, N))
  if is_alone(part) then add('const size_t ', 'step', tile_text.step_name(N, lone)) end
  for b, branch in ipairs(stage.stream.bias and stage.stream.branches or {}) do
    add('const float *', branch.name .. '_bias',
      tile_text.plus('bias', { { b - 1, N .. '_COLUMNS' } }) .. ' + ' .. output)
  end
  if epilogue.needs_operand(stage) then
    add('const float *', 'operand', ('in + %s * %s'):format(output, env.LANES))
  end
  for _, parameter in ipairs(epilogue.parameters(stage, env.word, env.prefix, '')) do
    add(('const %s '):format(env.isa.vec), parameter.name)
  end
  add('float *', 'out', ('out + %s * %s'):format(output, env.LANES))
  add('const int ', 'outputs', ('%d'):format(outputs))
  return items
end

--- The function of a stage.
---@param env table of a block
---@param part LanesStage
local function stage_name(env, part) return env.own .. part.plan.stage.name .. env.suffix end

--- The weight of a row of the sums, all branches of an output, then the next output, at so many k
--- from that on which the loop is at: a float in C.
---@param t table   of a stage's template
---@param ahead string|false
---@return fun(r: integer): string
local function weight_of(t, ahead)
  local stage, branches = t.s.stage, t.branches
  local layout, format = stage.stream.layout, stage.stream.format
  local function lane(r)
    return select(2, weight_layout.lane(layout, r % branches, r // branches))
  end
  if t.grouped then
    local k = ahead and ('(k + %s)'):format(ahead) or 'k'
    local members = t.alone and ('step / %d'):format(layout.placed.bytes) or layout.members
    return function(r)
      return one.call(t.prefix, format, { bundle = 'w', k = k, step = t.STEP, members = members,
        lane = t.plus('lane', { { lane(r), '' } }) })
    end
  end
  local plain = prefixes.isa(isas.by_name.c, t.prefix)
  local at = ahead and ('w + %s * %s'):format(ahead, t.STEP) or 'w'
  return function(r)
    return decoding.meaning(plain, format, ('*(const %s *)(%s)'):format(format.c_type,
      t.plus(at, { { lane(r) * layout.element, '' } })))
  end
end

--- The environment of a stage's template.
---@param env table of a block
---@param part LanesStage
local function environment(env, part)
  local s, stage = part.plan, part.plan.stage
  local branches, lanes, summing = #stage.stream.branches, env.lanes, summing_of(env.isa, stage)
  local most = stage.outputs < part.outputs and part.rest or part.outputs -- of a call
  local t = setmetatable({
    s = s, N = env.NAME(s), fn = stage_name(env, part), plus = tile_text.plus,
    format = stage.stream.format, chains = stage.sum.chains, branches = branches,
    rows = most * branches, most = most, depth = part.depth,
    lines = part.lines, grouped = not stage.stream.layout.element,
    steps = chain_order.steps(stage.sum.chains), alone = is_alone(part),
  }, { __index = env })
  t.lane = t.grouped and 'lane' or tile_text.lane_text(s, 'lane')
  t.STEP = t.alone and 'step' or t.N .. '_STEP'
  function t.sum(r, v) return ('s%d_%d'):format(r, v) end
  function t.multiply(r, v)
    return summing.step({
      sum = function() return t.sum(r, v) end, operand = function() return 'x' .. v end,
    }, 'w' .. r, 0)
  end
  local all_sums = {}
  for r = 0, t.rows - 1 do
    for v = 0, lanes.vectors - 1 do all_sums[#all_sums + 1] = t.sum(r, v) end
  end
  t.zero_vector, t.cleared = sums.zero(env, summing), sums.cleared(env, summing, all_sums)
  t.joined = summing.joined
  t.put = sums.put(env, 's', all_sums)
  --- One k of a chain: the one at hand, or that of a line that the C variable `ahead` counts.
  ---@param ahead string|false
  function t.one_k(ahead)
    local by = ahead and (stage.sum.chains > 1 and ('%s * %d'):format(ahead, stage.sum.chains)
      or ahead)
    return env.render('lanes_step.c.tpl', setmetatable({
      inputs = by and ('a + %s * %s'):format(by, env.LANES) or 'a', weight = weight_of(t, by),
    }, { __index = t }))
  end
  --- The biases of output i, in all lanes.
  t.biases = lists.map(stage.stream.bias and stage.stream.branches or {}, function(branch)
    return ('const %s %s_b = %s;'):format(env.isa.vec, branch.name,
      env.word('splat', branch.name .. '_bias[i]'))
  end)
  --- Vector v of the tokens of output i.
  local function token_vector(base, v)
    return tile_text.plus(('%s + i * %s'):format(base, env.LANES), { { v * env.isa.lanes, '' } })
  end
  t.parameters = parameters.head(parameters_of(env, part, 'output', part.outputs))
  --- The statement that finishes a vector of tokens of an output.
  function t.value(v)
    local word = env.word
    local result = epilogue.text(stage.results[1].value, word, {
      sum = function(b)
        local sum = ('s[0][%s]'):format(tile_text.plus(t.times(branches * lanes.vectors) .. 'i',
          { { (b - 1) * lanes.vectors + v, '' } }))
        return epilogue.finished(stage, word, sum,
          stage.stream.bias and stage.stream.branches[b].name .. '_b')
      end,
      activation = env.activation_name, operand = word('load', token_vector('operand', v)),
    })
    return texts.fold(word('store', token_vector('out', v), result) .. ';', 96)
  end
  return t
end

--- The functions of a block: one for each stage, and that of the whole layer.
---@param env table of a block
---@return Function[]
local function block_functions(env)
  local lanes, functions = env.lanes, {}
  for _, part in ipairs(lanes.stages) do
    local t = environment(env, part)
    functions[#functions + 1] = {
      name = t.fn .. '_lanes', inline = true, declaration = '',
      uses = lists.append(env.activations_of(part.plan), one.uses { part.plan }),
      text = env.render('lanes_stage.c.tpl', t),
    }
  end
  local name = env.own .. lanes.name
  local head = ('void %s(\n    const %s_call *call, float *memory, size_t token, size_t count)')
    :format(name, env.prefix)
  local first, last = lanes.stages[1].plan, lanes.stages[#lanes.stages].plan
  local t = setmetatable({
    fn = name, head = head, inputs = first.stage.inputs, outputs = last.stage.outputs,
    IN = env.NAME(first), OUT = env.NAME(last),
  }, { __index = env })
  function t.enter(part)
    t.s, t.N = part.plan, env.NAME(part.plan)
    t.parameters = epilogue.parameters(part.plan.stage, env.word, env.prefix, 'call->packed')
    t.segments = segments(part)
    function t.group_text(outputs, output, lone)
      return parameters.call(stage_name(env, part) .. '_lanes',
        parameters.arguments(parameters_of(env, part, output or 'output', outputs, lone)), 90)
    end
  end
  local uses = lists.map(lanes.stages, function(part)
    return stage_name(env, part) .. '_lanes'
  end)
  if t.inputs >= 4 then uses[#uses + 1] = 'turn_in' end
  if t.outputs >= 4 then uses[#uses + 1] = 'turn_out' end
  functions[#functions + 1] = {
    name = name, inline = false, declaration = head, uses = uses,
    text = env.render('lanes.c.tpl', t),
  }
  return functions
end

---@param env table
---@param blocks Lanes[]
---@return Function[]
function M.functions(env, blocks)
  local functions = {}
  for _, block in ipairs(blocks) do
    lists.append(functions, block_functions(setmetatable({
      lanes = block, LANES = env.OWN .. block.name:upper(),
      suffix = block.name == 'lanes' and '' or '_pair',
    }, { __index = env })))
  end
  return functions
end

--- The loops that call them.
---@param env table
---@param lanes Lanes
---@return string
function M.calls(env, lanes)
  return env.render('lanes_blocks.c.tpl', { lanes = lanes })
end

--- What calls them for some rows, where the rest of these are walked.
---@param env table
---@return Function
function M.rows(env)
  local name = env.own .. 'lanes_rows'
  local head = ('void %s(const %s_call *call, float *memory, size_t first, size_t last)'):format(
    name, env.prefix)
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('lanes_rows.c.tpl', {
      head = head, blocks_text = M.calls(env, env.pass.lanes),
    }),
  }
end

return M
