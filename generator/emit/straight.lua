--- The functions of a layer that does not walk: groups of columns, each shape once, a straight line
--- for one row and loops for several; and what calls them for some rows.
local epilogue = require 'emit.epilogue'
local lanes = require 'emit.lanes'
local layer = require 'lower.layer'
local list = require 'common.list'
local plan = require 'plan.straight'
local record = require 'common.record'
local text = require 'common.text'
local tile_text = require 'emit.tile'

local M = {}

---@class GroupCode  the function of groups that have the same text
---@field name string
---@field s StagePlan
---@field group Group     the first of them
---@field first integer   where in its panel it begins: 0, unless it reaches into the next
---@field valid integer   columns that are outputs; the last stage stores no others
---@field following StagePlan|nil  the stage that reads its results

--- What the code of a group depends on.
---@param s StagePlan
---@param group Group
---@param following StagePlan|nil
---@return GroupCode
local function code_of(env, s, group, following)
  local first = group.first % layer.panel
  if first + group.cols <= layer.panel then first = 0 end
  local valid = s.final and math.min(group.cols, s.stage.outputs - group.first) or group.cols
  local name = ('%s%s_group_%dx%d'):format(env.own, s.stage.name, group.rows, group.cols)
  if first > 0 then name = ('%s_at_%d'):format(name, first) end
  if valid < group.cols then name = ('%s_of_%d'):format(name, valid) end
  return record.strict('group code', {
    name = name, s = s, group = group, first = first, valid = valid, following = following or false,
  })
end

--- The parameters of a group's function, in C, and what stands for them at a call: from row `above`
--- of the input on.
---@param code GroupCode
---@return { declared: string, argument: fun(group: Group, above: integer): string }[]
local function parameters_of(env, code)
  local s, stage, N = code.s, code.s.stage, env.NAME(code.s)
  local items = {}
  local function add(declared, argument)
    items[#items + 1] = { declared = declared, argument = argument }
  end
  local function input(above, column)
    return tile_text.plus('in', { { above, N .. '_ROW' }, { column, '' } })
  end
  add('const float *a', function(_, above) return input(above, 0) end)
  add(('const %s *w'):format(stage.stream.format.c_type), function(group)
    return tile_text.plus(('packed->%s[%d][0][0]'):format(stage.name,
      group.first // layer.panel), { { group.first % layer.panel - code.first, '' } })
  end)
  for b, branch in ipairs(stage.stream.bias and stage.stream.branches or {}) do
    add(('const float *%s_bias'):format(branch.name), function(group)
      return tile_text.plus(('packed->%s_bias[%d]'):format(stage.name, b - 1),
        { { group.first, '' } })
    end)
  end
  if epilogue.needs_operand(stage) then
    add('const float *operand', function(group, above) return input(above, group.first) end)
  end
  for _, parameter in ipairs(epilogue.parameters(stage, env.word, env.prefix, '')) do
    add(('const %s %s'):format(env.isa.vec, parameter.name), function() return parameter.name end)
  end
  local stride = s.final and 'call->y_stride' or env.NAME(code.following) .. '_ROW'
  add('float *out', function(group, above)
    return tile_text.plus(s.final and 'y' or 'out', { { above, stride }, { group.first, '' } })
  end)
  if s.final and code.group.rows > 1 then add('size_t stride', function() return stride end) end
  return items
end

--- From a row of results to the next, in C.
---@param code GroupCode
local function stride_of(env, code)
  return code.s.final and 'stride' or env.NAME(code.following) .. '_ROW'
end

--- The statements that make sums a result, which takes the place of the first.
---@param code GroupCode
---@param leaves Leaves
---@param bias fun(name: string): string  the vector of a branch's biases
---@return string[]
local function finish(env, code, leaves, bias)
  local stage, word, lines = code.s.stage, env.word, {}
  for b, branch in ipairs(stage.stream.branches) do
    list.append(lines, epilogue.finish(stage, word, leaves.sum(b),
      stage.stream.bias and bias(branch.name .. '_bias')))
  end
  leaves.activation = env.activation_name
  local result = epilogue.text(stage.results[1].value, word, leaves)
  if result ~= leaves.sum(1) then lines[#lines + 1] = ('%s = %s;'):format(leaves.sum(1), result) end
  return lines
end

--- The statements that finish one vector of a row of a group.
---@param code GroupCode
---@param t table the environment of its tile
local function value(env, t, code, row, v)
  local word, isa = env.word, env.isa
  local count, column = code.group.cols // isa.lanes, v * isa.lanes
  local function sum(b) return t.sum(row, (b - 1) * count + v, 0) end
  local lines = finish(env, code, {
    sum = sum,
    operand = word('load', tile_text.plus('operand', { { row, t.N .. '_ROW' }, { column, '' } })),
  }, function(bias) return word('load', tile_text.plus(bias, { { column, '' } })) end)
  local valid, store = code.valid - column, 'store'
  if code.s.final then store = valid >= isa.lanes and 'storeu' or 'store_tail' end
  local out = tile_text.plus('out', { { row, stride_of(env, code) }, { column, '' } })
  lines[#lines + 1] = word(store, out, sum(1), ('%d'):format(valid)) .. ';'
  return table.concat(lines, '\n')
end

--- The text of a group of columns.
---@param code GroupCode
---@return string
local function group_text(env, code)
  local t = tile_text.environment(env, {
    s = code.s, tile = code.group, first = code.first, guards = false, fetch = '',
    advances = false, k_end = env.NAME(code.s) .. '_INPUTS',
    unrolled = code.group.rows == 1, one_chain = code.group.rows > 1,
  })
  t.code, t.loop_file = code, code.group.rows > 1 and 'chains_loop' or 'loop'
  function t.value(row, v) return value(env, t, code, row, v) end
  return t.render('group.c.tpl', t)
end

--- The text of a group of one column with its chains in lanes.
---@param code GroupCode
---@return string
local function dots_text(env, code)
  local t = setmetatable({ code = code, s = code.s, N = env.NAME(code.s), group = code.group },
    { __index = env })
  --- Where the result of a row is, behind `out`.
  function t.place(row)
    return row == 0 and '0' or tile_text.plus('', { { row, stride_of(env, code) } }):sub(4)
  end
  t.value = table.concat(finish(env, code, { sum = function() return 'sums' end },
    function(bias) return env.word('splat', bias .. '[0]') end), '\n')
  return env.render('dots.c.tpl', t)
end

--- The function of a group of columns.
---@param code GroupCode
---@return Function
local function group_function(env, code)
  local parameters = list.map(parameters_of(env, code), function(p) return p.declared .. ',' end)
  parameters[#parameters] = parameters[#parameters]:gsub(',$', ') {')
  local own = setmetatable({ parameters = text.wrap(parameters, 100, '    ') }, { __index = env })
  return {
    name = code.name, inline = true, declaration = '', uses = env.activations_of(code.s),
    text = (code.group.dots and dots_text or group_text)(own, code),
  }
end

--- The call of a group's function for the rows from `above` on.
local function call_text(env, code, group, above)
  local arguments = list.map(parameters_of(env, code), function(p)
    return p.argument(group, above) .. ','
  end)
  arguments[1] = ('%s(%s'):format(code.name, arguments[1])
  arguments[#arguments] = arguments[#arguments]:gsub(',$', ');')
  return table.concat(text.lines(arguments, 92), '\n    ')
end

--- A form: some rows through all stages.
---@param form Form
---@param code_for fun(s: StagePlan, group: Group, following: StagePlan|nil): GroupCode
---@return Function
local function form_function(env, form, code_for)
  local name = env.own .. (form.rows == 1 and 'one_row' or ('rows_of_%d'):format(form.rows))
  local head = ('void %s(const %s_call *call, float *memory, size_t token)'):format(name,
    env.prefix)
  local uses, first = {}, form.stages[1].plan.stage
  local t = setmetatable({
    form = form, head = head,
    uses_memory = #form.stages > 1 or plan.copies(first, form.rows),
  }, { __index = env })
  --- Where a row of a stage's input lies: behind all rows of the inputs before.
  function t.place(i, row)
    local terms = {}
    for before = 1, i - 1 do
      terms[before] = { form.rows, env.NAME(form.stages[before].plan) .. '_ROW' }
    end
    terms[i] = { row, env.NAME(form.stages[i].plan) .. '_ROW' }
    return tile_text.plus('memory', terms)
  end
  --- Turns to the next stage.
  function t.enter(part)
    local s = part.plan
    local stage = s.stage
    local following = form.stages[s.index + 2]
    t.s, t.N = s, env.NAME(s)
    t.copies = plan.copies(stage, form.rows)
    t.parameters = epilogue.parameters(stage, env.word, env.prefix, 'call->packed')
    function t.group_text(group, above)
      local code = code_for(s, group, following and following.plan)
      uses[#uses + 1] = code.name
      return call_text(env, code, group, above)
    end
  end
  local body = env.render('straight.c.tpl', t)
  return {
    name = name, inline = false, declaration = head, uses = list.unique(uses), text = body,
  }
end

---@param env table
---@param forms Form[]
---@return Function[]
function M.functions(env, forms)
  local functions, codes = {}, {}
  local function code_for(s, group, following)
    local code = code_of(env, s, group, following)
    if not codes[code.name] then
      codes[code.name] = code
      functions[#functions + 1] = group_function(env, code)
    end
    return codes[code.name]
  end
  list.append(functions, list.map(forms, function(form)
    return form_function(env, form, code_for)
  end))
  local name = env.own .. 'straight_rows'
  local head = ('void %s(const %s_call *call, float *memory, size_t first, size_t last)'):format(
    name, env.prefix)
  functions[#functions + 1] = {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('straight_rows.c.tpl',
      setmetatable({
        forms = forms, head = head, lanes = env.pass.lanes,
        blocks_text = env.pass.lanes and lanes.calls(env, env.pass.lanes),
      }, { __index = env })),
  }
  return functions
end

return M
