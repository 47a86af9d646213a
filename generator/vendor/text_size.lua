--- About how many bytes of machine code a kernel compiles to, and how long that takes: counted from
--- the plan, for `ffngen vendor --dry-run`.
local lanes_plan = require 'plan.lanes'
local plan_tiles = require 'plan.tiles'

local M = {}

--- Instructions around the hot loops of a stage and of a kernel: epilogue, walk, pack and unpack.
local stage_instructions, kernel_instructions = 500, 1200

--- What a compiler takes for the headers at -O2, and the bytes that it makes in a millisecond.
local header_milliseconds, bytes_per_millisecond = 330, 110

--- Every height of a tile is a loop of its own: per row a broadcast and its FMAs, and each sum is
--- set to zero, carried and kept.
---@param together integer  k that stand in a line
local function tile_instructions(s, tile, together)
  local count, chains = 0, s.stage.sum.chains
  for rows = 1, tile.rows do
    count = count + chains * together * (tile.vectors + rows * (tile.vectors + 1))
      + rows * tile.vectors * (2 + chains)
  end
  return count
end

--- Sums in vectors of doubles, in bytes: what tiles without an FMA instruction call.
local wide_bytes = 4400

--- Portable C, in bytes: each FMA of a tile with its load, and what stands around. Without an
--- instruction it is a dozen others (gcc -O2 for x86-64), but for tiles that call what takes `wide`
--- bytes; with one it is one (for a Cortex-M4).
local emulated = { fma = 132, stage = 1300, kernel = 2600, wide = wide_bytes }
local fused = { fma = 26, stage = 700, kernel = 1300, wide = 0 }

--- The same of what is written for few bytes: its sums, once for each stage; its kernel with pack()
--- and unpack().
local compact_emulated = { fma = 100, stage = 1400, kernel = 2800 }
local compact_fused = { fma = 8, stage = 600, kernel = 2000 }

---@param cost table compact_emulated, or compact_fused
local function compact(plan, cost)
  local bytes = cost.kernel
  for _, c in ipairs(plan.passes.forward.compact.stages) do
    local chains = c.plan.stage.sum.chains
    bytes = bytes + cost.stage + cost.fma * c.cols * (chains + c.rest)
  end
  return bytes
end

--- The FMAs in the text of a stage, every height of a tile having its own; whether tiles are wide.
local function fmas(plan, s, cost)
  local count, any_wide = 0, false
  local function add(list, may_be_wide)
    for _, tile in ipairs(list) do
      local wide = may_be_wide and cost.wide > 0
        and plan_tiles.wide(plan.isa, s.stage, tile) ~= 'never'
      any_wide = any_wide or wide
      if not wide then
        count = count + tile.rows * (tile.rows + 1) // 2 * tile.vectors * s.stage.sum.chains
      end
    end
  end
  add(s.tiles, true)
  add(s.sparse and s.sparse.tiles or {}, false)
  return count, any_wide
end

---@param cost table emulated, or fused
local function portable(plan, cost)
  local bytes, any_wide = cost.kernel, false
  for _, s in ipairs(plan.passes.forward.stages) do
    local count, wide = fmas(plan, s, cost)
    bytes, any_wide = bytes + cost.stage + cost.fma * count, any_wide or wide
  end
  if any_wide then bytes = bytes + cost.wide end
  return bytes
end

--- The same on a CPU that has an instruction for what portable C emulates; nil for other kernels.
---@param plan Plan
---@return integer|nil bytes
function M.with_fma(plan)
  if plan.passes.forward.compact then return compact(plan, compact_fused) end
  return plan.isa.lanes == 1 and portable(plan, fused) or nil
end

--- Eight weights that are gathered, products, the folds of four sums.
local dots_instructions = 60

--- What does not walk: a single row has each FMA and each load in its text; several rows have a
--- loop over k for each chain of a group, folds and epilogues.
---@param form Form
local function form_instructions(form)
  if form.rows == 1 then return form.fmas + form.loads end
  local count = 0
  for _, part in ipairs(form.stages) do
    local chains = part.plan.stage.sum.chains
    for _, group in ipairs(part.groups) do
      local sums = group.rows * group.vectors
      local code = chains * (3 * sums + group.rows + group.vectors) + 4 * sums
      if group.dots then code = dots_instructions end
      count = count + form.rows // part.rows * code
    end
  end
  return count
end

--- Loops over k for each chain of a group, and of a smaller one that is left; folds and epilogues.
---@param lanes Lanes
local function lanes_instructions(lanes)
  local count = 0
  for _, part in ipairs(lanes.stages) do
    local stage, in_lines = part.plan.stage, 0
    for _, line in ipairs(part.lines) do in_lines = in_lines + line end
    for _, outputs in ipairs { stage.outputs < part.outputs and 0 or part.outputs, part.rest } do
      local rows = outputs * #stage.stream.branches
      local sums = rows * lanes.vectors
      local step = rows > 0 and sums + rows + lanes.vectors or 0
      count = count + stage.sum.chains * (2 * sums + in_lines * step) + 4 * sums
    end
  end
  return count
end

---@param plan Plan
---@return integer bytes
function M.estimate(plan)
  if plan.passes.forward.compact then return compact(plan, compact_emulated) end
  if plan.isa.lanes == 1 then return portable(plan, emulated) end
  local isa, pass = plan.isa, plan.passes.forward
  local count, others, functions = 0, kernel_instructions, 0
  for _, form in ipairs(pass.straight or {}) do count = count + form_instructions(form) end
  for _, s in ipairs(pass.straight and {} or pass.stages) do
    others = others + stage_instructions
    for _, list in ipairs { s.tiles, s.sparse and s.sparse.tiles or {} } do
      for _, tile in ipairs(list) do
        if list == s.tiles and plan_tiles.wide(isa, s.stage, tile) == 'always' then
          others, functions = others + 2 * tile.vectors, wide_bytes
        else
          local together = list == s.tiles and plan_tiles.together(isa, s.stage, tile) or 1
          count = count + tile_instructions(s, tile, together)
        end
      end
    end
    local a = s.abreast
    if a and a.every > 0 then -- with fetching and without, some k in a line and what is left
      count = count + 2 * tile_instructions(s, a.tile, a.every + 1)
    elseif a then
      count = count + tile_instructions(s, a.tile, 1)
    end
  end
  for _, block in ipairs(lanes_plan.blocks(pass.lanes)) do
    count = count + lanes_instructions(block)
  end
  return count * isa.instruction_bytes + others * isa.other_bytes + functions
end

---@param bytes integer of machine code
---@return integer milliseconds
function M.compile_milliseconds(bytes)
  return header_milliseconds + bytes // bytes_per_millisecond
end

return M
