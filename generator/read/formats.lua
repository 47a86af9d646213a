--- What a layer's weights are stored as: what it says of each stage -> formats that its widths and
--- its training take.
local lists = require 'common.list'
local stage_words = require 'read.stage_words'
local weights = require 'weights'

local M = {}

--- The field.
---@type StageField
local field = {
  name = 'weights', choices = weights.names, one = 'a format', several = 'formats',
  unknown = 'weights: unknown format', beside = 'lie side by side, in one format',
}

--- Formats of groups that divide a width, for messages; '' where there are none.
local function fitting(width)
  local names = lists.filter(weights.names, function(name)
    local divides = weights.by_name[name].divides
    return divides > 1 and width % divides == 0
  end)
  if #names == 0 then return '' end
  return (', or %d as %s'):format(width, table.concat(names, ', '))
end

--- What a format does not take: widths between its groups, and training.
---@param stage KindStage
local function expect_taken(check, s, path, stage, format)
  local rest = stage.inputs % format.divides
  if rest > 0 then
    local below, above = stage.inputs - rest, stage.inputs - rest + format.divides
    check:fail(path, 'weights: %s takes widths that %d divides, and %s = %d is none; %s%d would '
      .. 'be%s', format.name, format.divides, stage.takes, stage.inputs,
      below > 0 and ('%d or '):format(below) or '', above, fitting(stage.inputs))
  end
  if s.backward and not format.trains then
    local others = lists.filter(weights.names, function(name)
      return weights.by_name[name].trains
    end)
    check:fail(path, 'weights: %s is not trained, as backward = true asks for; %s would be',
      format.name, table.concat(others, ' or '))
  end
end

--- The format of each stage.
---@param check Check
---@param s Spec  with its shape
---@param stages KindStage[]
---@return string[]
function M.of(check, s, stages)
  local words = stage_words.of(check, s, stages, field)
  for i, stage in ipairs(stages) do
    expect_taken(check, s, { 'weights' }, stage, weights.by_name[words[i]])
  end
  if s.outputs and s.backward and #lists.unique(words) > 1 then
    check:fail({ 'weights' }, 'weights: outputs that are trained have one format, as one matrix '
      .. 'gives dx; not %s', table.concat(lists.unique(words), ' and '))
  end
  return words
end

return M
