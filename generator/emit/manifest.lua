--- list: Plan[] -> { { path =, text = } ... }. The files around the kernels: the enumerators that
--- drive registry, tests and build.
local isas = require 'isa'
local activations = require 'activation'

local M = {}

local made = 'Made by ffngen generate. Do not edit.'

--- kernels.inc: FFN_KERNEL(symbol), one line per kernel, behind the guard of its architecture.
function M.kernels_inc(plans)
  local lines = { ('/* %s */'):format(made) }
  for _, isa_name in ipairs(isas.names) do
    local isa, mine = isas.by_name[isa_name], {}
    for _, plan in ipairs(plans) do
      if plan.isa == isa then mine[#mine + 1] = ('FFN_KERNEL(%s)'):format(plan.name) end
    end
    if #mine > 0 then
      if isa.arch ~= '' then lines[#lines + 1] = '#if ' .. isa.arch end
      for _, line in ipairs(mine) do lines[#lines + 1] = line end
      if isa.arch ~= '' then lines[#lines + 1] = '#endif' end
    end
  end
  return table.concat(lines, '\n') .. '\n'
end

--- isas.inc: one row per instruction set, with the test whether this machine allows it.
---@param names string[]|nil those wanted; all
function M.isas_inc(names)
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_ISA(NAME, name, rank, allowed): the highest rank is preferred; allowed is an',
    ' * expression of cpu.c. */',
  }
  for _, isa_name in ipairs(names or isas.names) do
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

--- activations.inc: one row per activation, with its meaning and slope in double.
---@param names string[]|nil those wanted; all
function M.activations_inc(names)
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_ACTIVATION(NAME, GATED, name, gated, value, slope): value is the activation of x (and',
    ' * beta) in double; slope bounds |value(x + e) - value(x)| for |e| <= dx. */',
  }
  for _, name in ipairs(names or activations.names) do
    local a = activations.by_name[name]
    lines[#lines + 1] = ('FFN_ACTIVATION(%s, %s, %s, %s, (%s),\n               (%s))'):format(
      name:upper(), a.gated:upper(), name, a.gated, a.meaning, a.slope)
  end
  return table.concat(lines, '\n') .. '\n'
end

local function join(parts) return table.concat(parts, ' $\n  ') end

--- Edges that compile a set of kernels into one archive.
---@param plans Plan[]
---@param set string names the archive
---@param folder string where the sources are
function M.objects_ninja(plans, set, folder)
  local lines = {
    '# ' .. made,
    '# The including file sets obj, cc and cflags.',
  }
  local objects = {}
  for i, plan in ipairs(plans) do
    objects[i] = ('$obj/%s.o'):format(plan.name)
    lines[#lines + 1] = ('build %s: cc %s/%s.c'):format(objects[i], folder, plan.name)
  end
  lines[#lines + 1] = ('build $obj/%s.a: ar %s'):format(set, join(objects))
  return table.concat(lines, '\n') .. '\n'
end

--- What the generator reads, and the edges that run it: for generated/ itself, and for the test
--- specs, whose kernels go to build/.
---@param sources string[] files of the generator
---@param project table { specs =, outputs = }
---@param sets table[] { spec =, plans =, folder = }
function M.generate_ninja(sources, project, sets)
  local lines = {
    '# ' .. made,
    'build generator.files: phony ' .. join(sources),
    ('build %s: ffngen_project | generator.files %s'):format(join(project.outputs),
      table.concat(project.specs, ' ')),
  }
  for _, set in ipairs(sets) do
    local outputs = {}
    for i, plan in ipairs(set.plans) do outputs[i] = ('%s/%s.c'):format(set.folder, plan.name) end
    lines[#lines + 1] = ('build %s/kernels.inc | %s: ffngen %s | generator.files'):format(
      set.folder, join(outputs), set.spec)
    lines[#lines + 1] = '  folder = ' .. set.folder
  end
  return table.concat(lines, '\n') .. '\n'
end

return M
