--- The functions of a layer that takes a block of tokens with one in each lane.
local chain_order = require 'emit.chains'
local comments = require 'emit.comments'
local decoding = require 'emit.decoding'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local isas = require 'isa'
local weight_layout = require 'weights.layout'
local lists = require 'common.list'
local single_weights = require 'emit.single_weights'
local parameters = require 'emit.parameters'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local summings = require 'emit.summing'
local sums = require 'emit.sums'
local texts = require 'common.text'
local tile_text = require 'emit.tile'

local M = {}

---@class LanesBlock  tokens that go through a layer side by side
---@field lanes Lanes
---@field LANES string   how many there are, in C
---@field suffix string  what names of functions end in

--- The parameters of a stage's function, for so many outputs from a C variable on.
---@param block LanesBlock
---@param part LanesStage
---@param output string
---@param outputs integer
---@return FunctionParameter[]
local function parameters_of(env, block, part, output, outputs)
  local stage, items = part.plan.stage, {}
  local function add(kind, name, argument)
    items[#items + 1] = parameters.parameter(kind, name, argument)
  end
  local N = env.NAME(part.plan)
  add('const float *', 'a', 'in')
  add('const char *', 'w', ('weights + %s / %s_WIDTH * %s_BUNDLE'):format(output, N, N))
  add('size_t ', 'lane', ('%s %% %s_WIDTH'):format(output, N))
  for b, branch in ipairs(stage.stream.bias and stage.stream.branches or {}) do
    add('const float *', branch.name .. '_bias',
      tile_text.plus('bias', { { b - 1, N .. '_COLUMNS' } }) .. ' + ' .. output)
  end
  if expression.read_input(stage.results) then
    add('const float *', 'operand', ('in + %s * %s'):format(output, block.LANES))
  end
  for _, parameter in ipairs(epilogue.parameters(stage, env.word, env.prefix, '')) do
    add(('const %s '):format(env.isa.vec), parameter.name)
  end
  add('float *', 'out', ('out + %s * %s'):format(output, block.LANES))
  add('const int ', 'outputs', ('%d'):format(outputs))
  return items
end

--- The function of a stage.
---@param block LanesBlock
---@param part LanesStage
local function stage_name(env, block, part)
  return env.own .. part.plan.stage.name .. block.suffix
end

---@class LanesShape  what a stage's functions sum, and how
---@field branches integer
---@field most integer      outputs of a call, at most
---@field rows integer      sums of a token: all branches of an output, then the next output
---@field chains integer
---@field steps ChainStep[] in which they are summed and folded
---@field depth integer     sums that are there at once while chains are folded
---@field lines integer[]   k of a chain in a line: many, then one
---@field grouped boolean   weights have to be decoded, groups of k at a time
---@field STEP string       from a k to the next, in C
---@field lane string       how far behind a line's begin its lane is, in C

---@param part LanesStage
---@return LanesShape
local function shape_of(env, part)
  local s, stage = part.plan, part.plan.stage
  local branches, grouped = #stage.stream.branches, not stage.stream.layout.element
  local most = stage.outputs < part.outputs and part.rest or part.outputs
  return record.strict('lanes shape', {
    branches = branches, most = most, rows = most * branches, chains = stage.sum.chains,
    steps = chain_order.steps(stage.sum.chains), depth = part.depth, lines = part.lines,
    grouped = grouped, STEP = env.NAME(s) .. '_STEP',
    lane = grouped and 'lane' or tile_text.lane_text(s, 'lane'),
  })
end

--- The weight of a row of the sums, at so many k from that on which the loop is at: a float in C.
---@param s StagePlan
---@param shape LanesShape
---@param ahead string|false
---@return fun(r: integer): string
local function weight_of(env, s, shape, ahead)
  local layout, format = s.stage.stream.layout, s.stage.stream.format
  local function lane(r)
    return select(2, weight_layout.lane(layout, r % shape.branches, r // shape.branches))
  end
  if shape.grouped then
    local k = ahead and ('(k + %s)'):format(ahead) or 'k'
    return function(r)
      return single_weights.call(env.prefix, format, { bundle = 'w', k = k, step = shape.STEP,
        members = layout.members, lane = tile_text.plus('lane', { { lane(r), '' } }) })
    end
  end
  local plain = prefixes.isa(isas.by_name.c, env.prefix)
  local at = ahead and ('w + %s * %s'):format(ahead, shape.STEP) or 'w'
  return function(r)
    return decoding.meaning(plain, format, ('*(const %s *)(%s)'):format(format.c_type,
      tile_text.plus(at, { { lane(r) * layout.element, '' } })))
  end
end

---@class LanesSums  the sums of a chain, in C
---@field zero_vector string
---@field cleared string
---@field put string                        into the array that chains are folded in
---@field joined fun(a: string, b: string): string
---@field one_k fun(ahead: string|false): string  one k of them: the one at hand, or that of a line
--- that the C variable `ahead` counts

---@param block LanesBlock
---@param s StagePlan
---@param shape LanesShape
---@return LanesSums
local function sums_of(env, block, s, shape)
  local summing, lanes, all = summings.of(env.isa, s.stage), block.lanes, {}
  local function sum(row, v) return ('s%d_%d'):format(row, v) end
  for row = 0, shape.rows - 1 do
    for v = 0, lanes.vectors - 1 do all[#all + 1] = sum(row, v) end
  end
  return record.strict('lanes sums', {
    zero_vector = sums.zero(env, summing), cleared = sums.cleared(env, summing, all),
    put = sums.put(env, 's', all), joined = summing.joined,
    one_k = function(ahead)
      local by = ahead and (shape.chains > 1 and ('%s * %d'):format(ahead, shape.chains) or ahead)
      return env.render('lanes_step.c.tpl', {
        lanes = lanes, plus = tile_text.plus, rows = shape.rows, branches = shape.branches,
        inputs = by and ('a + %s * %s'):format(by, block.LANES) or 'a',
        weight = weight_of(env, s, shape, by),
        multiply = function(row, v)
          return summing.step({
            sum = function() return sum(row, v) end, operand = function() return 'x' .. v end,
          }, 'w' .. row)
        end,
      })
    end,
  })
end

--- The statement that finishes a vector of tokens of output i.
---@param block LanesBlock
---@param stage Stage
---@param v integer
local function value(env, block, stage, v)
  local word, lanes, branches = env.word, block.lanes, #stage.stream.branches
  local function token_vector(base)
    return tile_text.plus(('%s + i * %s'):format(base, block.LANES), { { v * env.isa.lanes, '' } })
  end
  local result = epilogue.text(stage.results[1].value, word, {
    sum = function(b)
      local sum = ('s[0][%s]'):format(tile_text.plus(env.times(branches * lanes.vectors) .. 'i',
        { { (b - 1) * lanes.vectors + v, '' } }))
      return epilogue.finished(stage, word, sum,
        stage.stream.bias and stage.stream.branches[b].name .. '_b')
    end,
    activation = env.activation_name, operand = word('load', token_vector 'operand'),
  })
  return texts.fold(word('store', token_vector 'out', result) .. ';', 96)
end

--- The functions of a stage.
---@param block LanesBlock
---@param part LanesStage
---@return Function
local function stage_function(env, block, part)
  local s, stage, name = part.plan, part.plan.stage, stage_name(env, block, part)
  local shape = shape_of(env, part)
  return {
    name = name .. '_lanes', inline = true, declaration = '',
    uses = lists.append(env.activations_of(s), single_weights.uses { s }),
    text = env.render('lanes_stage.c.tpl', {
      about = comments.lanes_stage(s, shape, block.lanes, env.isa),
      N = env.NAME(s), fn = name, lanes = block.lanes, LANES = block.LANES, shape = shape,
      head = parameters.head(parameters_of(env, block, part, 'output', part.outputs)),
      sums = sums_of(env, block, s, shape),
      -- Of output i, in all lanes.
      biases = lists.map(stage.stream.bias and stage.stream.branches or {}, function(branch)
        return ('const %s %s_b = %s;'):format(env.isa.vec, branch.name,
          env.word('splat', branch.name .. '_bias[i]'))
      end),
      value = function(v) return value(env, block, stage, v) end,
    }),
  }
end

---@class LanesPart  a stage of a block, in C
---@field s StagePlan
---@field N string
---@field outputs integer     of a call
---@field rest integer        of the last one
---@field parameters table[]  of its activation
---@field call fun(outputs: integer, output: string): string

---@param block LanesBlock
---@param part LanesStage
---@return LanesPart
local function part_of(env, block, part)
  return record.strict('lanes part', {
    s = part.plan, N = env.NAME(part.plan), outputs = part.outputs, rest = part.rest,
    parameters = epilogue.parameters(part.plan.stage, env.word, env.prefix, 'call->packed'),
    call = function(outputs, output)
      return parameters.call(stage_name(env, block, part) .. '_lanes',
        parameters.arguments(parameters_of(env, block, part, output, outputs)), 90)
    end,
  })
end

--- The function of a whole layer.
---@param block LanesBlock
---@return Function
local function layer_function(env, block)
  local lanes = block.lanes
  local name = env.own .. lanes.name
  local head = ('void %s(\n    const %s_call *call, void *beside, size_t token, size_t count)')
    :format(name, env.prefix)
  local first, last = lanes.stages[1].plan, lanes.stages[#lanes.stages].plan
  local uses = lists.map(lanes.stages, function(part)
    return stage_name(env, block, part) .. '_lanes'
  end)
  if first.stage.inputs >= 4 then uses[#uses + 1] = 'turn_in' end
  if last.stage.outputs >= 4 then uses[#uses + 1] = 'turn_out' end
  return {
    name = name, inline = false, declaration = head, uses = uses,
    text = env.render('lanes.c.tpl', {
      about = comments.lanes(lanes, first.stage.inputs, last.stage.outputs),
      fn = name, head = head, lanes = lanes, LANES = block.LANES,
      IN = env.NAME(first), OUT = env.NAME(last),
      inputs = first.stage.inputs, outputs = last.stage.outputs,
      parts = lists.map(lanes.stages, function(part) return part_of(env, block, part) end),
    }),
  }
end

---@param env table
---@param blocks Lanes[]
---@return Function[]
function M.functions(env, blocks)
  local functions = {}
  for _, lanes in ipairs(blocks) do
    local block = record.strict('lanes block', {
      lanes = lanes, LANES = env.OWN .. lanes.name:upper(),
      suffix = lanes.name == 'lanes' and '' or '_pair',
    })
    for _, part in ipairs(block.lanes.stages) do
      functions[#functions + 1] = stage_function(env, block, part)
    end
    functions[#functions + 1] = layer_function(env, block)
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
  local head = ('void %s(const %s_walk *walk, void *memory, size_t first, size_t last)'):format(
    name, env.prefix)
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('lanes_rows.c.tpl', {
      head = head, blocks_text = M.calls(env, env.pass.lanes),
    }),
  }
end

return M
