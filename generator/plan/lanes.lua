--- Tokens in lanes: a block of tokens goes through a small layer with a token in each lane of a
--- vector and weights as broadcasts, so that narrow stages waste no lane. Sums keep their order.
local layer = require 'lower.layer'
local layout = require 'plan.layout'
local record = require 'common.record'
local straight = require 'plan.straight'

local M = {}

--- Weights stay in L1 beside a block's operands.
local most_bytes = 32 << 10

--- A block pays where outputs in lanes waste one of so many FMAs: what wastes none computes about
--- as fast without transposing tokens (32-64-64-8 on AVX2: 0.9 to 1.07 of the time). And in chains
--- alone: one stage takes no longer than that.
local wasted_part = 20

--- Products that would take as long as one input or output of a token by way of a copy.
local copied = 12

--- What a product of rows that do not walk takes, as a part of one in lanes; and products that take
--- as long as what surrounds them in a stage, and as an output by way of dot products, for each of
--- its inputs. Fitted to 10-64-32-1, 10-64-1, 8-16-16-4 and 32-64-64-8 on AVX-512 and AVX2 (Zen 4):
--- a block is worth it from a token less to three more than this says.
local of_rows, around, of_dots = 1.1, 60, 4

--- FMAs between two ends of a loop: its own instructions cost most where a neighbour shares the
--- core's decoders. An emulated one is no short line of code.
local fmas_in_line = 32

---@class LanesStage
---@field plan StagePlan
---@field outputs integer  that are summed together
---@field rest integer     outputs of the last group, where that is smaller; or 0
---@field depth integer    chains whose sums are kept at a time
---@field lines integer[]  so many k of a chain are in a line: first these, then what is left

---@class Lanes
---@field tokens integer   of a block
---@field vectors integer  of tokens
---@field least integer    so many tokens are worth a block, whose other lanes are idle; not one
---@field fmas integer     of a block, in vectors
---@field stages LanesStage[]
---@field even integer     floats of a token in operands of the first stage, the third, and so on
---@field odd integer      and in those of the others, and of y
---@field floats integer   of work memory

--- Vectors of tokens, and how many sums of each fill the registers. Where an FMA takes a broadcast
--- from memory as it is, one vector of tokens meets all outputs of a panel; else two share each
--- broadcast. An emulated FMA costs more than any load, and much code.
local function shape(isa)
  local vectors = (isa.broadcasts or not isa.fused) and 1 or 2
  local sums = isa.fused and layer.panel or 4
  while sums * vectors + vectors + 1 > isa.registers do sums = sums // 2 end
  return vectors, sums
end

--- How many k of a chain are in a line, and whether any chain has some left.
local function lines_of(isa, stage, fmas)
  local chains = stage.sum.chains
  local shortest, longer = stage.inputs // chains, stage.inputs % chains > 0
  local most = isa.fused and math.max(1, math.min(fmas_in_line // fmas, shortest)) or 1
  if most == 1 or (shortest % most == 0 and not longer) then return { most } end
  return { most, 1 }
end

---@return LanesStage
local function lanes_stage(isa, s, vectors, sums)
  local chains, depth = s.stage.sum.chains, 1
  while chains > 1 do chains, depth = chains // 2, depth + 1 end
  local outputs = sums // #s.stage.stream.branches
  return record.strict('lanes stage', {
    plan = s, outputs = outputs, rest = s.stage.outputs % outputs, depth = depth,
    lines = lines_of(isa, s.stage, sums * vectors),
  })
end

--- Multiply-adds of a token: all of them; with the columns that are computed for nothing where
--- outputs are in lanes; and what rows without a block take, in products of lanes.
local function products(isa, stages, walks)
  local own, all, rows = 0, 0, 0
  for _, s in ipairs(stages) do
    local k = s.stage.inputs * #s.stage.stream.branches
    local columns = walks and s.panels.columns or layout.round_up(s.stage.outputs, isa.lanes)
    local paid = straight.takes_dots(isa, s.stage) and of_dots or columns
    own, all = own + k * s.stage.outputs, all + k * columns
    rows = rows + (walks and k * columns or k * paid * of_rows + around)
  end
  return own, all, rows
end

---@param isa table
---@param stages StagePlan[]
---@param packed_bytes integer
---@param walks boolean  fewer tokens do
---@param most_tokens integer  of a call
---@return Lanes|nil
function M.plan(isa, stages, packed_bytes, walks, most_tokens)
  local own, all, rows_take = products(isa, stages, walks)
  if isa.turn == '' or #stages < 2 or packed_bytes > most_bytes then return nil end
  if (all - own) * wasted_part < all then return nil end
  local vectors, sums = shape(isa)
  -- Each also holds the rows of x or y when the other has them with a token in each lane.
  local inputs, outputs = stages[1].stage.inputs, stages[#stages].stage.outputs
  local rows, parts = { math.max(inputs, outputs), math.max(inputs, outputs) }, {}
  for i, s in ipairs(stages) do
    if s.stage.sum.blocks > 1 then return nil end
    local parity = i % 2 + 1
    rows[parity] = math.max(rows[parity], s.stage.outputs)
    parts[i] = lanes_stage(isa, s, vectors, sums)
  end
  local tokens, cost = vectors * isa.lanes, own + copied * (inputs + outputs)
  local least = math.ceil(tokens * cost / rows_take)
  least = math.max(2, math.min(tokens, least))
  if most_tokens < least then return nil end
  return record.strict('lanes', {
    tokens = tokens, vectors = vectors, least = least,
    fmas = vectors * own, stages = parts, even = rows[1], odd = rows[2],
    floats = layout.round_up((rows[1] + rows[2]) * tokens, layer.panel),
  })
end

return M
