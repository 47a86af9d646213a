--- What a kernel says of itself in C: a record for each stage, and one for each CPU that it has a
--- descriptor for.
local choice_names = require 'emit.choices'
local cpus = require 'cpu'
local lists = require 'common.list'
local name_grammar = require 'lower.name'
local numbers = require 'common.number'
local prefixes = require 'common.prefix'
local record = require 'common.record'

local M = {}

local products = {
  none = 'PRODUCT_NONE', up = 'PRODUCT_UP', input = 'PRODUCT_INPUT', both = 'PRODUCT_BOTH',
}

---@class StageDescription  the fields of an ffn_stage that are more than a size, in C
---@field N string               what its enumerators begin with
---@field stage Stage
---@field matrices string
---@field activation string
---@field product string
---@field parameters string      those that a spec fixes; zeros where there are none
---@field fixes_parameters integer
---@field bias integer
---@field relative string        the bound on its activation's error
---@field absolute string
---@field format string
---@field source string  the format's own numbers, or what all take
---@field source_alone integer
---@field operand_scale integer  1: it comes with the weights
---@field arithmetic string

---@param env table
---@param s StagePlan
---@return StageDescription
local function stage_description(env, s)
  local stage, forward = s.stage, s.stage.forward
  local activation, parameters = forward.activation, forward.parameters
  local fixes = type(parameters) == 'table'
  local matrices = lists.map(stage.stream.branches, function(branch)
    return ('%s_MATRIX_%s'):format(env.PREFIX, branch.matrix:upper())
  end)
  return record.strict('stage description', {
    N = env.NAME(s), stage = stage, matrices = table.concat(matrices, ', '),
    activation = activation.name:upper(),
    product = ('%s_%s'):format(env.PREFIX, products[forward.product]),
    parameters = fixes and table.concat(lists.map(parameters, numbers.float_literal), ', ')
      or '0.0f',
    fixes_parameters = fixes and 1 or 0, bias = stage.stream.bias and 1 or 0,
    relative = env.number(activation.contract.relative),
    absolute = env.number(activation.contract.absolute),
    format = stage.stream.format.name:upper(),
    source = (stage.stream.format.source and stage.stream.format.name or 'f32'):upper(),
    source_alone = stage.stream.format.pack and 0 or 1,
    operand_scale = s.panels.operand_at and 1 or 0,
    arithmetic = stage.arithmetic.name:upper(),
  })
end

--- Those of stages that a caller knows: all of a layer, and of its training the forward ones.
---@param env table
---@param stages StagePlan[]
---@return StageDescription[]
function M.of_stages(env, stages)
  return lists.map(stages, function(s) return stage_description(env, s) end)
end

---@class CpuDescription
---@field symbol string    of its descriptor
---@field profile string   its enumerator
---@field behind string    what its functions' names end in: '' for any CPU
---@field about string
---@field reading string   what it chooses, in words
---@field read string      and as an initializer

--- The descriptors of a plan: that of every CPU, and of those that have a profile.
---@param plan Plan
---@param prefix string
---@return CpuDescription[]
function M.of_cpus(plan, prefix)
  local function description(profile, own_name, enumerator, behind, choices)
    local read = lists.map(cpus.read_names, function(key) return ('%d'):format(choices[key]) end)
    return record.strict('CPU description', {
      symbol = prefixes.symbol(own_name, prefix), profile = enumerator, behind = behind,
      about = profile.about, reading = choice_names.reading(choices),
      read = table.concat(read, ', '),
    })
  end
  local all = { description(plan.profile, plan.name, 'ANY', '', plan.choices) }
  for i, p in ipairs(plan.others) do
    all[i + 1] = description(p, name_grammar.for_cpu(plan.name, p.name), p.name:upper(),
      '_' .. p.name, p.choices)
  end
  return all
end

return M
