--- A function of a format that gives each weight of a step by its number, and the text of a step
--- that calls it: a loop, where the text of every weight would stand. Compilers write the loop out,
--- and keep one case of each call.
local formats = require 'weights.format'
local record = require 'common.record'
local texts = require 'common.text'
local vector = require 'emit.vector'

local M = {}

--- Columns of a statement inside of a case.
local columns = 92

--- What counts the weights of a step, in C.
local counter = 'i'

--- A table whose fields are made as they are read, and which of them were.
---@param make fun(name: string): Node
---@return table<string, Node>
---@return table<string, boolean>
local function made_when_read(make)
  local read = {}
  return setmetatable({}, { __index = function(t, name)
    read[name] = true
    rawset(t, name, make(name))
    return t[name]
  end }), read
end

--- A parameter that points to a line.
local function line_name(plane) return plane .. '_line' end

--- The cases of a format's function, and what they read of the level around a step.
---@param held State  what that holds: of which kinds
---@return string[] cases
---@return string[] names
local function cases_of(isa, format, held)
  local v, lanes, cases = vector.builder(isa), {}, {}
  local state, read = made_when_read(function(name) return v.given(held[name].kind, name) end)
  for _, name in ipairs(record.sorted_keys(held)) do v.argument(name) end
  for _, line in ipairs(format.step.lines) do lanes[line.plane] = line.lane end
  for i = 0, format.step.k - 1 do
    local own = v.inner()
    local lines = made_when_read(function(plane)
      return own.let(plane, own.load_anywhere(lanes[plane], line_name(plane)))
    end)
    local node = format.value(own, lines, state, i, 0)
    local statements = own.take()
    statements[#statements + 1] = ('return %s;'):format(node.text or node.code)
    cases[i + 1] = ('%s {\n%s\n}'):format(
      i + 1 < format.step.k and ('case %d:'):format(i) or 'default:',
      texts.fold(table.concat(statements, '\n'), columns))
  end
  return cases, record.sorted_keys(read)
end

---@class StepValue  the function of a format
---@field name string
---@field text string
---@field always boolean  true: see Helper
---@field takes string[]  what it reads of the level around a step

---@param held State
---@return StepValue
local function value_of(env, format, name, held)
  local isa, parameters = env.isa, { 'const size_t ' .. counter }
  local cases, takes = cases_of(isa, format, held)
  for _, line in ipairs(format.step.lines) do
    parameters[#parameters + 1] = ('const %s *%s'):format(formats.lane_types[line.lane].c_type,
      line_name(line.plane))
  end
  for _, field in ipairs(takes) do
    local vec = held[field].kind == 'f' and isa.vec or isa.ivec
    parameters[#parameters + 1] = ('const %s %s'):format(vec, field)
  end
  local about = ('Number %s of the %d weights of a step of %s, in each lane; it is a constant at '
    .. 'each call. Lines of the step begin anywhere; the level around it holds what else is taken.')
    :format(counter, format.step.k, format.name)
  local body = texts.indented(('switch (%s) {\n%s\n}'):format(counter,
    table.concat(cases, '\n')))
  body = '  ' .. texts.rejoined(texts.trimmed(body), '\n  ') .. '\n'
  return {
    name = name, always = true, takes = takes,
    text = ('/* %s */\n%s_SHARED %s %s(\n%s {\n%s}\n'):format(env.commented(about), env.PREFIX,
      isa.vec, name, texts.wrap(texts.closed(parameters, ')'), 97, '    '), body),
  }
end

--- The function of a format, which the file will hold.
---@param env table
---@param format Format
---@param held State
---@return StepValue
local function used(env, format, held)
  local name = ('%s_%s_value_%s'):format(env.prefix, format.name, env.isa.name)
  local all = env.sums_helpers
  if not all[name] then
    all[name] = value_of(env, format, name, held)
    all[#all + 1] = all[name]
  end
  return all[name]
end

---@class StepText  the text of a step whose weights a function gives
---@field turn string  C: which weight the text is of
---@field of fun(state: State, lines: table<string, string>): string  this weight, from what the
--- level around the step holds, and where the lines of the step are
---@field over fun(statements: string): string  the loop over the text

--- That of a stage whose weights are decoded in steps of a level, as values and in one chain; false
--- for others. Steps that their index tells apart are themselves in a loop that is written out, and
--- compilers make less of such a loop where another is left in it.
---@param env table
---@param s StagePlan
---@return StepText|false
function M.of(env, s)
  local format, step = s.stage.stream.format, s.stage.stream.format.step
  if s.stage.arithmetic.takes ~= 'value' or s.stage.sum.chains > 1 or env.isa.lanes == 1
    or #format.levels == 0 or step.k == 1 or step.by_index then
    return false
  end
  return record.strict('text of a step', {
    turn = counter,
    of = function(state, lines)
      local value, arguments = used(env, format, state), { counter }
      for _, line in ipairs(step.lines) do arguments[#arguments + 1] = lines[line.plane] end
      for _, field in ipairs(value.takes) do arguments[#arguments + 1] = state[field].text end
      return ('%s(%s)'):format(value.name, table.concat(arguments, ', '))
    end,
    over = function(statements)
      return ('%s_UNROLL\nfor (size_t %s = 0; %s < %d; ++%s) {\n%s\n}'):format(env.PREFIX, counter,
        counter, step.k, counter, statements)
    end,
  })
end

return M
