--- About how many bytes of machine code a kernel compiles to, and how long that takes: counted from
--- the plan, for `ffngen vendor --dry-run`.
local plan_tiles = require 'plan.tiles'

local M = {}

--- Instructions around the hot loops of a stage and of a kernel: epilogue, walk, pack and unpack.
local stage_instructions, kernel_instructions = 500, 1200

--- What a compiler takes for the headers at -O2, and the bytes that it makes in a millisecond.
local header_milliseconds, bytes_per_millisecond = 330, 110

--- Every height of a tile is a loop of its own: per row a broadcast and its FMAs, and each sum is
--- set to zero, carried and kept.
local function tile_instructions(s, tile)
  local count, chains = 0, s.stage.sum.chains
  for rows = 1, tile.rows do
    count = count + chains * (tile.vectors + rows * (tile.vectors + 1))
      + rows * tile.vectors * (2 + chains)
  end
  return count
end

--- Portable C, in bytes: each FMA of a tile with its load, and what stands around. Without an
--- instruction it is a dozen others (gcc -O2 for x86-64), but for tiles that call the functions of
--- `wide` bytes; with one it is one (for a Cortex-M4).
local emulated = { fma = 132, stage = 1300, kernel = 2600, wide = 4400 }
local fused = { fma = 26, stage = 700, kernel = 1300, wide = 0 }

--- The FMAs in the text of a stage, every height of a tile having its own; whether tiles are wide.
local function fmas(plan, s, cost)
  local count, any_wide = 0, false
  local function add(list, may_be_wide)
    for _, tile in ipairs(list) do
      local wide = may_be_wide and cost.wide > 0 and plan_tiles.is_wide(plan.isa, s.stage, tile)
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
  return plan.isa.lanes == 1 and portable(plan, fused) or nil
end

---@param plan Plan
---@return integer bytes
function M.estimate(plan)
  if plan.isa.lanes == 1 then return portable(plan, emulated) end
  local count, pass = kernel_instructions, plan.passes.forward
  for _, form in ipairs(pass.straight or {}) do count = count + form.fmas + form.loads end
  for _, s in ipairs(pass.straight and {} or pass.stages) do
    count = count + stage_instructions
    for _, list in ipairs { s.tiles, s.sparse and s.sparse.tiles or {} } do
      for _, tile in ipairs(list) do count = count + tile_instructions(s, tile) end
    end
  end
  return count * plan.isa.instruction_bytes
end

---@param bytes integer of machine code
---@return integer milliseconds
function M.compile_milliseconds(bytes)
  return header_milliseconds + bytes // bytes_per_millisecond
end

return M
