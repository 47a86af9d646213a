--- The functions of a layer that takes a block of tokens with one in each lane.
local chains = require 'emit.chains'
local epilogue = require 'emit.epilogue'
local layer = require 'lower.layer'
local list = require 'common.list'
local plan = require 'plan.lanes'
local text = require 'common.text'
local tile_text = require 'emit.tile'

local M = {}

--- The parameters of a stage's function, in C, and what stands for them at a call.
---@param env table of a block
---@param part LanesStage
---@return { declared: string, argument: fun(output: string, outputs: integer): string }[]
local function parameters_of(env, part)
  local stage, items = part.plan.stage, {}
  local function add(declared, argument)
    items[#items + 1] = { declared = declared, argument = argument }
  end
  add('const float *a', function() return 'in' end)
  add(('const %s *w'):format(stage.stream.format.c_type), function(output)
    return ('packed->%s[%s / %s_PANEL][0][0] + %s %% %s_PANEL'):format(stage.name, output,
      env.PREFIX, output, env.PREFIX)
  end)
  for b, branch in ipairs(stage.stream.bias and stage.stream.branches or {}) do
    add(('const float *%s_bias'):format(branch.name), function(output)
      return ('packed->%s_bias[%d] + %s'):format(stage.name, b - 1, output)
    end)
  end
  if epilogue.needs_operand(stage) then
    add('const float *operand', function(output)
      return ('in + %s * %s'):format(output, env.LANES)
    end)
  end
  for _, parameter in ipairs(epilogue.parameters(stage, env.word, env.prefix, '')) do
    add(('const %s %s'):format(env.isa.vec, parameter.name), function() return parameter.name end)
  end
  add('float *out', function(output) return ('out + %s * %s'):format(output, env.LANES) end)
  add('const int outputs', function(_, outputs) return ('%d'):format(outputs) end)
  return items
end

--- The function of a stage.
---@param env table of a block
---@param part LanesStage
local function stage_name(env, part) return env.own .. part.plan.stage.name .. env.suffix end

--- The environment of a stage's template.
---@param env table of a block
---@param part LanesStage
local function environment(env, part)
  local s, stage = part.plan, part.plan.stage
  local branches, lanes = #stage.stream.branches, env.lanes
  local t = setmetatable({
    s = s, N = env.NAME(s), fn = stage_name(env, part), plus = tile_text.plus,
    format = stage.stream.format, chains = stage.sum.chains, branches = branches,
    rows = part.outputs * branches, most = part.outputs, depth = part.depth,
    lines = part.lines,
    steps = chains.steps(stage.sum.chains),
  }, { __index = env })
  function t.sum(r, v) return ('s%d_%d'):format(r, v) end
  --- One k of a chain: the one at hand, or that of a line that the C variable `ahead` counts.
  ---@param ahead string|false
  function t.one_k(ahead)
    local by = ahead and ('%s * %s'):format(ahead, t.times(stage.sum.chains))
    local k = setmetatable({}, { __index = t })
    k.inputs = by and ('a + %s%s'):format(by, env.LANES) or 'a'
    --- The weight of row r of the sums: all branches of an output, then the next output.
    function k.weight(r)
      local at = r % branches * layer.panel + r // branches
      return ('w[%s]'):format(by and tile_text.plus(by .. t.N .. '_STEP', { { at, '' } }) or at)
    end
    return env.render('lanes_step.c.tpl', k)
  end
  --- The biases of output i, in all lanes.
  t.biases = list.map(stage.stream.bias and stage.stream.branches or {}, function(branch)
    return ('const %s %s_b = %s;'):format(env.isa.vec, branch.name,
      env.word('splat', branch.name .. '_bias[i]'))
  end)
  --- Vector v of the tokens of output i.
  local function token_vector(base, v)
    return tile_text.plus(('%s + i * %s'):format(base, env.LANES), { { v * env.isa.lanes, '' } })
  end
  local parameters = list.map(parameters_of(env, part), function(p) return p.declared .. ',' end)
  parameters[#parameters] = parameters[#parameters]:gsub(',$', ') {')
  t.parameters = text.wrap(parameters, 100, '    ')
  --- The statements that finish a vector of tokens of an output.
  function t.value(v)
    local word, lines = env.word, {}
    local function sum(b)
      return ('s[0][%s]'):format(tile_text.plus(t.times(branches * lanes.vectors) .. 'i',
        { { (b - 1) * lanes.vectors + v, '' } }))
    end
    for b, branch in ipairs(stage.stream.branches) do
      list.append(lines, epilogue.finish(stage, word, sum(b),
        stage.stream.bias and branch.name .. '_b'))
    end
    local result = epilogue.text(stage.results[1].value, word, {
      sum = sum, activation = env.activation_name,
      operand = word('load', token_vector('operand', v)),
    })
    lines[#lines + 1] = word('store', token_vector('out', v), result) .. ';'
    return text.fold(table.concat(lines, '\n'), 96)
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
      uses = env.activations_of(part.plan), text = env.render('lanes_stage.c.tpl', t),
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
    function t.group_text(outputs, output)
      local arguments = list.map(parameters_of(env, part), function(p)
        return p.argument(output or 'output', outputs) .. ','
      end)
      arguments[1] = ('%s_lanes(%s'):format(stage_name(env, part), arguments[1])
      arguments[#arguments] = arguments[#arguments]:gsub(',$', ');')
      return table.concat(text.lines(arguments, 90), '\n    ')
    end
  end
  functions[#functions + 1] = {
    name = name, inline = false, declaration = head,
    uses = list.map(lanes.stages, function(part) return stage_name(env, part) .. '_lanes' end),
    text = env.render('lanes.c.tpl', t),
  }
  return functions
end

---@param env table
---@param lanes Lanes
---@return Function[]
function M.functions(env, lanes)
  local functions = {}
  for _, block in ipairs(plan.blocks(lanes)) do
    list.append(functions, block_functions(setmetatable({
      lanes = block, LANES = env.OWN .. block.name:upper(),
      suffix = block.name:sub(#lanes.name + 1),
    }, { __index = env })))
  end
  return functions
end

--- The loops that call them.
---@param env table
---@param lanes Lanes
---@return string
function M.calls(env, lanes)
  return env.render('lanes_blocks.c.tpl', setmetatable({ lanes = lanes }, { __index = env }))
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
    text = env.render('lanes_rows.c.tpl', setmetatable({
      head = head, blocks_text = M.calls(env, env.pass.lanes),
    }, { __index = env })),
  }
end

return M
