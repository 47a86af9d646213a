--- Sentences about a plan: the comments of a generated file and the text of `explain`, printed
--- from the plan alone, so that comment and code cannot disagree.
local choices = require 'plan.choices'

local M = {}

--- A layer's beta in words, or ''.
local function beta_text(stage)
  if not stage.beta then return '' end
  return stage.beta == 'runtime' and ', beta from the weights'
    or (', beta = %.9g'):format(stage.beta)
end

function M.stage(stage)
  local act = stage.activation.name
  local names = {}
  for _, branch in ipairs(stage.branches) do names[#names + 1] = branch.name end
  return ('%d -> %d, %s%s%s%s%s'):format(stage.inputs, stage.outputs, table.concat(names, ' and '),
    stage.bias and ' with bias' or '', act == 'identity' and '' or ', ' .. act, beta_text(stage),
    stage.product == 'up' and ', times up' or stage.product == 'input' and ', times input' or '')
end

function M.order(stage)
  local text = 'k ascends'
  if stage.blocks > 1 then
    text = ('%s in %d blocks of %d'):format(text, stage.blocks, stage.k_block)
  end
  if stage.chains > 1 then text = ('%s in %d interleaved chains'):format(text, stage.chains) end
  return ('%s; at most %d roundings'):format(text, stage.sum_length)
end

function M.tiles(stage_plan, isa)
  local parts = {}
  for _, tile in ipairs(stage_plan.tiles) do
    parts[#parts + 1] = ('%d x %d'):format(tile.rows, tile.cols)
  end
  return ('rows x columns %s, %d branch%s, at most %d of %d registers'):format(
    table.concat(parts, ', '), #stage_plan.stage.branches,
    #stage_plan.stage.branches > 1 and 'es' or '', M.registers(stage_plan), isa.registers)
end

--- The registers of a stage's greediest tile.
function M.registers(stage_plan)
  local most = 0
  for _, tile in ipairs(stage_plan.tiles) do most = math.max(most, tile.registers) end
  return most
end

--- Choices that are not the analytical ones: a CPU profile's, and what a measurement changed of
--- them; or '' where there are none.
function M.tuned(plan)
  local profile, parts = plan.profile, {}
  if profile.name ~= 'generic' then
    parts[1] = ('profile %s: %s'):format(profile.name, profile.about)
  end
  local changes = plan.tuned_for and choices.changes(plan.choices, profile.choices) or {}
  if #changes > 0 then
    parts[#parts + 1] = ('for %s: %s'):format(plan.tuned_for, table.concat(changes, ', '))
  end
  return table.concat(parts, '; ')
end

--- What the epilogue of a stage does.
function M.finish(stage_plan)
  local stage = stage_plan.stage
  local parts = { 'Sums' }
  if stage.bias then parts[#parts + 1] = 'plus bias' end
  if stage.activation.name ~= 'identity' then
    parts[#parts + 1] = 'through ' .. stage.activation.name
  end
  if stage.product == 'up' then parts[#parts + 1] = 'times up' end
  if stage.product == 'input' then parts[#parts + 1] = 'times the input' end
  parts[#parts + 1] = stage_plan.final and 'into y.'
    or 'into the next stage\'s input, zero weights beyond the last output.'
  return table.concat(parts, ' ')
end

--- The promise of an activation in one sentence.
function M.contract(activation)
  local c = activation.contract
  local text = ('at most %.4g ULP'):format(c.ulp)
  if c.ulp_from then text = ('%s from x = %.4g on'):format(text, c.ulp_from) end
  local parts = {}
  if c.relative > 0 then parts[#parts + 1] = ('%.4g |y|'):format(c.relative) end
  if c.absolute > 0 then parts[#parts + 1] = ('%.4g |x|'):format(c.absolute) end
  if #parts == 0 then return 'exact' end
  return ('%s, and within (%s) 2^-24'):format(text, table.concat(parts, ' + '))
end

function M.error(stage)
  local text = ('|sum - exact| <= g/(1-g) (sum |x||w|%s), g = %d 2^-24'):format(
    stage.bias and ' + |b|' or '', stage.sum_length)
  if stage.activation.name == 'identity' then return text end
  return ('%s;\n *            %s %s'):format(text, stage.activation.name,
    M.contract(stage.activation))
end

return M
