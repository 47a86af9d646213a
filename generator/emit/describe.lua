--- Sentences about a plan: the comments of a generated file and the text of `explain`, printed
--- from the plan alone, so that comment and code cannot disagree.
local choice_names = require 'emit.choices'
local expression = require 'lower.expression'
local lists = require 'common.list'

local M = {}

---@param stage Stage
---@return string[]
local function branch_names(stage)
  return lists.map(stage.stream.branches, function(branch) return branch.name end)
end

--- A result of a stage in terms of its sums.
---@param stage Stage
---@param result Result
function M.result(stage, result)
  return ('%s = %s'):format(result.tensor, expression.text(result.value, function(e)
    return e.op == 'sum' and stage.stream.branches[e.branch].name
      or e.op == 'operand' and 'input' or e.tensor
  end))
end

--- What a stage computes: sizes, matrices, and its results in terms of them.
---@param stage Stage
function M.stage(stage)
  local names, parts = branch_names(stage), {}
  for i, result in ipairs(stage.results) do
    parts[i] = M.result(stage, result)
    local apply = expression.find(result.value, 'apply')
    for p, name in ipairs(apply and apply.parameters and apply.activation.parameters or {}) do
      local fixed = apply.parameters ~= 'runtime' and apply.parameters[p]
      parts[i] = parts[i] .. (fixed and (', %s = %.9g'):format(name, fixed)
        or (', %s from the weights'):format(name))
    end
  end
  return ('%d -> %d, %s%s, %s'):format(stage.inputs, stage.outputs, table.concat(names, ' and '),
    stage.stream.bias and ' with bias' or '', table.concat(parts, '; '))
end

--- What its weights are stored as, and what is done with them.
---@param stage Stage
function M.formats(stage)
  return ('%s %s, %s'):format(table.concat(branch_names(stage), ' and '),
    stage.stream.format.name, stage.arithmetic.about)
end

function M.order(stage)
  local text, sum = 'k ascends', stage.sum
  if sum.parts > 1 then
    text = ('%s over %s'):format(text, table.concat(stage.operand.parts, ', then '))
  end
  if sum.blocks > 1 then text = ('%s in %d blocks of %d'):format(text, sum.blocks, sum.block) end
  if sum.chains > 1 then text = ('%s in %d interleaved chains'):format(text, sum.chains) end
  return ('%s; at most %d roundings'):format(text, sum.roundings)
end

--- What a tile holds in registers. Portable C has none to count: its compiler makes vectors of
--- neighbouring scalars.
function M.registers(registers, isa)
  if isa.lanes == 1 then return ('%d scalars'):format(registers) end
  return ('%d of %d registers'):format(registers, isa.files.vector)
end

--- The registers of a stage's greediest tile, if it has none that vectors of doubles stand in for.
---@param s StagePlan
---@param isa table
local function tile_registers(s, isa)
  local most, any_wide = 0, false
  for _, tile in ipairs(s.tiles) do
    if tile.wide == 'always' then
      any_wide = true
    else
      most = math.max(most, tile.registers)
    end
  end
  if s.abreast then most = math.max(most, s.abreast.tile.registers) end
  if most == 0 then return 'summed in vectors of doubles' end
  return ('at most %s%s'):format(M.registers(most, isa),
    any_wide and ', or summed in vectors of doubles' or '')
end

--- The register tiles of a stage, walking or not.
---@param s StagePlan
---@param isa table
---@param pass Pass|nil  a forward one
function M.tiles(s, isa, pass)
  local branches = #s.stage.stream.branches
  local function shapes(items)
    return table.concat(lists.unique(lists.map(items, function(item)
      return ('%d x %d'):format(item.rows, item.cols)
    end)), ', ')
  end
  local per = ('%d branch%s'):format(branches, branches > 1 and 'es' or '')
  local form = pass and pass.form
  if form and form.name == 'compact' then
    return ('rows x columns 1 x %d, %s'):format(form.stages[s.index + 1].cols, per)
  end
  if not form or form.name == 'walk' then
    return ('rows x columns %s, %s, %s'):format(shapes(s.tiles), per, tile_registers(s, isa))
  end
  local tiles = lists.map(form.forms, function(rows)
    return shapes(rows.stages[s.index + 1].tiles)
  end)
  return ('rows x columns %s, %s'):format(table.concat(tiles, '; '), per)
end

--- The stages of a pass that few rows take panels abreast in, in one line; '' where there is none.
---@param pass Pass
function M.abreast_stages(pass)
  local taken = pass.form.name == 'walk'
    and lists.filter(pass.stages, function(s) return s.abreast end) or {}
  if #taken == 0 then return '' end
  local a = taken[1].abreast
  return ('2 to %d rows that fetch nothing far take %d panels abreast, %d at a time (%s)'):format(
    a.rows, a.panels, a.tile.rows,
    table.concat(lists.map(taken, function(s) return s.stage.name end), ', '))
end

--- The stages whose weights many rows read from scratch, in one line; '' where there is none.
---@param stages StagePlan[]
function M.scratch_stages(stages)
  local parts = {}
  for _, s in ipairs(stages) do
    local scratch = s.scratch
    if scratch then
      parts[#parts + 1] = ('%s from %d rows on (rows x columns %s, %d bytes)'):format(s.stage.name,
        scratch.rows, table.concat(lists.map(scratch.plan.tiles, function(tile)
          return ('%d x %d'):format(tile.rows, tile.cols)
        end), ', '), scratch.bytes)
    end
  end
  if #parts == 0 then return '' end
  local bytes = #lists.filter(stages, function(s)
    return s.scratch and s.stage.arithmetic.takes == 'bytes'
  end)
  return ('%s of weights is decoded once for all rows, into scratch, in %s: %s'):format(
    bytes == #parts and 'a strip' or 'a block', bytes == 0 and 'f32'
      or bytes == #parts and 'bytes' or 'f32 or bytes', table.concat(parts, ', '))
end

--- The format of what a stage of training multiplies its operand with: weights in theirs, what is
--- saved in its own; '' where it is nothing.
---@param s Stage
function M.multiplied(s)
  local stream = s.stream
  return stream and ('%s in %s'):format(stream.packed or 'weights', stream.format.name) or ''
end

--- Code that does not walk in one line.
---@param forms Form[]
local function straight(forms)
  return 'none: ' .. table.concat(lists.map(forms, function(form)
    return form.rows == 1 and 'a straight line for 1 row' or ('loops for %d rows'):format(form.rows)
  end), ', ')
end

--- How rows go through a layer.
---@param pass Pass
function M.walk(pass)
  if pass.form.name == 'compact' then
    return 'in few bytes of code: a row through all stages, then the next'
  elseif pass.form.name == 'walk' then
    return ('%d rows at a time; activations as [k block][row][k]'):format(pass.rows)
  end
  return straight(pass.form.forms)
end

--- A form that was not taken.
---@param refusal Refusal
function M.refusal(refusal)
  return ('%s: not taken for %s: %s'):format(refusal.form, refusal.stage, refusal.why)
end

--- Blocks of tokens with one in each lane, in one line; '' where there are none.
---@param lanes Lanes|false
function M.lanes(lanes)
  if not lanes then return '' end
  local pair = lanes.pair and ('; of %d, %d outputs, where there are as many'):format(
    lanes.pair.tokens, lanes.pair.stages[1].outputs) or ''
  return ('from %d tokens on, blocks of %d with one in each lane, sums of at most %d outputs side '
    .. 'by side%s'):format(lanes.least, lanes.tokens, lanes.stages[1].outputs, pair)
end

--- Choices that are not the analytical ones: a CPU profile's, and what a measurement changed of
--- them; or '' where there are none.
function M.choices(plan)
  local profile, parts = plan.profile, {}
  if profile.name ~= 'generic' then
    parts[1] = ('profile %s: %s'):format(profile.name, profile.about)
  end
  local changes = plan.tuned_for and choice_names.changes(plan.choices, profile.choices) or {}
  if #changes > 0 then
    parts[#parts + 1] = ('for %s: %s'):format(plan.tuned_for, table.concat(changes, ', '))
  end
  return table.concat(parts, '; ')
end

--- The promise of an activation in one sentence.
function M.contract(activation)
  if activation.running then
    return 'within the running error of its graph, where that is finite'
  end
  local c = activation.contract
  local text = ('at most %.4g ULP'):format(c.ulp)
  if c.ulp_from then text = ('%s from x = %.4g on'):format(text, c.ulp_from) end
  local parts = {}
  if c.relative > 0 then parts[#parts + 1] = ('%.4g |y|'):format(c.relative) end
  if c.absolute > 0 then parts[#parts + 1] = ('%.4g |x|'):format(c.absolute) end
  if #parts == 0 then return 'exact' end
  return ('%s, and within (%s) 2^-24'):format(text, table.concat(parts, ' + '))
end

--- The promise of its derivative.
function M.slope_contract(activation)
  if activation.slope_error == 0.0 then return 'exact' end
  return ('within %.4g 2^-24'):format(activation.slope_error)
end

--- What bytes are off by, by the scales of the operand; and whose these letters are.
local errors_of_bytes = {
  dynamic = function(format)
    return 'a/254', ('of %s x the largest is a and the largest error e'):format(
      format.of_rows and 'all' or ('each %d'):format(format.group))
  end,
  static = function()
    return 'c', 'x has an error of at most e, and c is the larger of s/2 and |x| + e - 127 s, of '
      .. 'the packed scale s'
  end,
}

--- The error of a stage's sums, by what its arithmetic has for a bound.
local errors_of_sums = {
  roundings = function(stage)
    return ('|sum - exact| <= g/(1-g) (sum |x||w|%s), g = %d 2^-24'):format(
      stage.stream.bias and ' + |b|' or '', stage.sum.roundings)
  end,
  bytes = function(stage)
    local off, letters = errors_of_bytes[stage.arithmetic.scales](stage.operand.format)
    return ('integers are summed exactly, with one result on every machine; |sum - exact| <= '
      .. 'sum (%s + e) |w| + g/(1-g) (sum |x| r%s), where %s, r = %s, g = %d 2^-24'):format(off,
      stage.stream.bias and ' + |b|' or '', letters,
      stage.stream.format.products.minima and '|scale q| + |minimum|' or '|w|',
      stage.sum.roundings)
  end,
}

--- The error of a stage's sums, and of its activation.
---@param stage Stage
---@return string
function M.error(stage)
  local of_sums = errors_of_sums[stage.arithmetic.bound]
  local parts = { of_sums and of_sums(stage)
    or ('no bound is stated for sums of %s'):format(stage.arithmetic.name) }
  for _, result in ipairs(stage.results) do
    local apply = expression.find(result.value, 'apply')
    if apply then
      parts[#parts + 1] = ('%s %s'):format(apply.activation.name, M.contract(apply.activation))
    end
  end
  return table.concat(parts, '; ')
end

return M
