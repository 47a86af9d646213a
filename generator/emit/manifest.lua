--- The files around the kernels: the enumerators that drive registry and tests.
local isas = require 'isa'
local activations = require 'activation'
local list_of = require 'common.list'
local weights = require 'weights'

local M = {}

local made = 'Made by ffngen generate. Do not edit.'

--- One line per kernel, behind the guard of its architecture: a macro of its symbol.
local function symbols_inc(plans, macro, suffix)
  local lines = { ('/* %s */'):format(made) }
  for _, isa_name in ipairs(isas.names) do
    local isa, mine = isas.by_name[isa_name], {}
    for _, plan in ipairs(plans) do
      if plan.isa == isa then mine[#mine + 1] = ('%s(%s%s)'):format(macro, plan.name, suffix) end
    end
    if #mine > 0 then
      if isa.arch ~= '' then lines[#lines + 1] = '#if ' .. isa.arch end
      for _, line in ipairs(mine) do lines[#lines + 1] = line end
      if isa.arch ~= '' then lines[#lines + 1] = '#endif' end
    end
  end
  return table.concat(lines, '\n') .. '\n'
end

--- kernels.inc: FFN_KERNEL(symbol).
function M.kernels_inc(plans) return symbols_inc(plans, 'FFN_KERNEL', '') end

--- isas.inc: one row per instruction set, with the test whether this machine allows it.
function M.isas_inc()
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_ISA(NAME, name, rank, allowed): the highest rank is preferred; allowed is an',
    ' * expression of cpu.c. */',
  }
  for _, isa_name in ipairs(isas.names) do
    local isa = isas.by_name[isa_name]
    local function row(allowed)
      lines[#lines + 1] = ('FFN_ISA(%s, %s, %d, %s)'):format(isa_name:upper(), isa_name, isa.rank,
        allowed)
    end
    if isa.arch ~= '' then lines[#lines + 1] = '#if ' .. isa.arch end
    row(isa.detect)
    if isa.arch ~= '' then
      lines[#lines + 1] = '#else'
      row('0')
      lines[#lines + 1] = '#endif'
    end
  end
  return table.concat(lines, '\n') .. '\n'
end

--- dtypes.inc: one row per format that weights are stored in.
function M.dtypes_inc()
  local lines = { ('/* %s'):format(made), ' *', ' * FFN_DTYPE(NAME, name) */' }
  for _, format in ipairs(weights.names) do
    lines[#lines + 1] = ('FFN_DTYPE(%s, %s)'):format(format:upper(), format)
  end
  return table.concat(lines, '\n') .. '\n'
end

--- activations.inc: one row per activation, with its meaning and slope in double.
function M.activations_inc()
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_ACTIVATION(NAME, GATED, name, gated, value, slope): value is the activation of x (and',
    ' * beta) in double; slope bounds |value(x + e) - value(x)| for |e| <= dx. */',
  }
  for _, name in ipairs(activations.names) do
    local a = activations.by_name[name]
    lines[#lines + 1] = ('FFN_ACTIVATION(%s, %s, %s, %s, (%s),\n               (%s))'):format(
      name:upper(), a.gated:upper(), name, a.gated, a.meaning, a.slope)
  end
  return table.concat(lines, '\n') .. '\n'
end

--- derivatives.inc: one row per activation, with its derivatives in double.
function M.derivatives_inc()
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_DERIVATIVE(NAME, slope, spread, error, turn, turn_spread, turn_error): the',
    ' * derivative by x in double, of x (and beta); spread bounds how far it moves for',
    ' * |e| <= dx; error is that of the kernels, in 2^-24. The same of turn, the derivative',
    ' * by beta, 0 where there is none. */',
  }
  for _, name in ipairs(activations.names) do
    local a = activations.by_name[name]
    lines[#lines + 1] = ('FFN_DERIVATIVE(%s, (%s),\n  (%s), %.9g,\n  (%s),\n  (%s),\n  (%s))')
      :format(name:upper(), a.derivative, a.curvature, a.slope_error, a.turn, a.turn_spread,
        a.turn_error)
  end
  return table.concat(lines, '\n') .. '\n'
end

--- The files around the kernels, which drive registry and tests.
---@param plans Plan[]
---@return File[]
function M.files(plans)
  local list = {
    { path = 'kernels.inc', text = M.kernels_inc(plans) },
    { path = 'activations.inc', text = M.activations_inc() },
    { path = 'isas.inc', text = M.isas_inc() },
    { path = 'dtypes.inc', text = M.dtypes_inc() },
  }
  local trained = list_of.filter(plans, function(p) return p.training end)
  if #trained > 0 then
    list[#list + 1] = { path = 'trainings.inc',
      text = symbols_inc(trained, 'FFN_TRAINING', '_train') }
    list[#list + 1] = { path = 'derivatives.inc', text = M.derivatives_inc() }
  end
  return list
end

--- Whether a file was made by an earlier run: a file that only has such a name is its owner's.
---@param entry string  its name
---@param text string
---@return boolean
function M.is_ours(entry, text)
  local kernel = entry:match('^(.*)%.c$')
  if not kernel then return text:match('^%S+ Made by ffngen generate') ~= nil end
  return text:find('\n * ' .. kernel .. '\n', 1, true) ~= nil
    and text:find('ffngen generate', 1, true) ~= nil
end

return M
