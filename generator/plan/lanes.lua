--- Tokens in lanes: a block of tokens goes through a small layer with a token in each lane of a
--- vector and weights as broadcasts, so that narrow stages waste no lane. Sums keep their order.
local weight_layout = require 'weights.layout'
local layout = require 'plan.layout'
local needs = require 'plan.needs'
local record = require 'common.record'
local straight_plan = require 'plan.straight'

local M = {}

--- Weights stay in L1 beside a block's operands.
local most_bytes = 32 << 10

--- A block pays where outputs in lanes waste one of so many FMAs: what wastes none computes about
--- as fast without transposing tokens. And in chains alone: one stage takes no longer than that.
local wasted_part = 20

--- Products that would take as long as one input or output of a token by way of a copy.
local copied = 12

--- What a product of rows that do not walk takes, as a part of one in lanes; and products that take
--- as long as what surrounds them in a stage, and as an output by way of dot products, for each of
--- its inputs. Fitted to small chains on AVX-512 and AVX2; a block is worth it from some token near
--- what this says, and bits are the same on either side.
local of_rows, around, of_dots = 1.1, 60, 4

--- FMAs between two ends of a loop, of one vector of tokens or of two: its own instructions cost
--- most where a neighbour shares the core's decoders. An emulated one is no short line of code.
local fmas_in_line, fmas_of_pair = 32, 64

---@class LanesStage
---@field plan StagePlan
---@field outputs integer  that are summed together
---@field rest integer     outputs of the last tile, where that is smaller; or 0
---@field depth integer    chains whose sums are kept at a time
---@field lines integer[]  so many k of a chain are in a line: first these, then what is left

---@class Lanes
---@field name string      of its functions, and of its tokens in C
---@field tokens integer   of a block
---@field vectors integer  of tokens
---@field least integer    so many tokens are worth a block, whose other lanes are idle; not one
---@field pair Lanes|false  a block of two such vectors, for as many tokens and no fewer
---@field fmas integer     of a block, in vectors
---@field stages LanesStage[]
---@field even integer     numbers of a token in operands of the first stage, the third, and so on
---@field odd integer      and in those of the others, and of y
---@field bytes integer    of work memory, beside that of its pair

--- How many sums of each vector of tokens fill the registers. An emulated FMA costs more than any
--- load, and much code.
local function sums_of(isa, vectors)
  local sums = isa.fused and weight_layout.lanes or 4
  while sums * vectors + vectors + 1 > isa.files.vector do sums = sums // 2 end
  return sums
end

--- How many k of a chain are in a line, and whether any chain has some left. What is decoded for
--- each of them is no short line.
---@param most integer  k
local function lines_of(isa, stage, most)
  local chains = stage.sum.chains
  local shortest, longer = stage.inputs // chains, stage.inputs % chains > 0
  most = isa.fused and stage.stream.layout.element and math.max(1, math.min(most, shortest)) or 1
  if most == 1 or (shortest % most == 0 and not longer) then return { most } end
  return { most, 1 }
end

---@return LanesStage
local function lanes_stage(isa, s, sums, most_k)
  local chains, depth = s.stage.sum.chains, 1
  while chains > 1 do chains, depth = chains // 2, depth + 1 end
  local outputs = sums // #s.stage.stream.branches
  return record.strict('lanes stage', {
    plan = s, outputs = outputs, rest = s.stage.outputs % outputs, depth = depth,
    lines = lines_of(isa, s.stage, most_k),
  })
end

--- Multiply-adds of a token: all of them; with the columns that are computed for nothing where
--- outputs are in lanes; and what rows without a block take, in products of lanes.
---@param stages Stage[]
local function products(isa, stages, walks)
  local own, all, rows = 0, 0, 0
  for _, s in ipairs(stages) do
    local k = s.inputs * #s.stream.branches
    local columns = walks and s.stream.layout.columns or layout.round_up(s.outputs, isa.lanes)
    local paid = straight_plan.takes_dots(isa, s) and of_dots or columns
    own, all = own + k * s.outputs, all + k * columns
    rows = rows + (walks and k * columns or k * paid * of_rows + around)
  end
  return own, all, rows
end

--- Vectors of tokens of a block: where an FMA takes a broadcast from memory as it is, one meets all
--- outputs of a panel, else two share each broadcast: more of a block's lanes are in use with few
--- tokens.
local function vectors_of(isa) return (isa.broadcasts or not isa.fused) and 1 or 2 end

--- So many tokens are worth a block, or nil where it never is; and what forbids it.
---@param isa table
---@param stages Stage[]
---@param packed_bytes integer
---@param walks boolean  fewer tokens do
---@param most_tokens integer  of a call
---@return integer|nil
---@return Refusal[]
function M.least(isa, stages, packed_bytes, walks, most_tokens)
  local own, all, rows_take = products(isa, stages, walks)
  if isa.turn == '' or #stages < 2 or packed_bytes > most_bytes then return nil, {} end
  if (all - own) * wasted_part < all then return nil, {} end
  for _, s in ipairs(stages) do
    if s.sum.blocks > 1 then return nil, {} end
  end
  local tokens = vectors_of(isa) * isa.lanes
  local cost = own + copied * (stages[1].inputs + stages[#stages].outputs)
  local least = math.max(2, math.min(tokens, math.ceil(tokens * cost / rows_take)))
  if most_tokens < least then return nil, {} end
  local refused = needs.refused_by(stages, 'lanes')
  return #refused == 0 and least or nil, refused
end

--- A block of so many vectors of tokens.
---@param least integer|nil   tokens that are worth it; nil: no fewer than it has lanes
---@param pair Lanes|false    of twice as many
---@return Lanes
local function block(isa, stages, vectors, least, pair)
  local sums, tokens = sums_of(isa, vectors), vectors * isa.lanes
  local most_k = (least and fmas_in_line or fmas_of_pair) // (sums * vectors)
  -- Each also holds the rows of x or y when the other has them with a token in each lane.
  local inputs, outputs = stages[1].stage.inputs, stages[#stages].stage.outputs
  local rows, parts, own = { math.max(inputs, outputs), math.max(inputs, outputs) }, {}, 0
  for i, s in ipairs(stages) do
    local parity = i % 2 + 1
    rows[parity] = math.max(rows[parity], s.stage.outputs)
    parts[i] = lanes_stage(isa, s, sums, most_k)
    own = own + s.stage.inputs * #s.stage.stream.branches * s.stage.outputs
  end
  return record.strict('lanes', {
    name = least and 'lanes' or 'lanes_pair', tokens = tokens, vectors = vectors,
    least = least or tokens, pair = pair, fmas = vectors * own, stages = parts, even = rows[1],
    odd = rows[2],
    bytes = layout.round_up(layout.bytes((rows[1] + rows[2]) * tokens), weight_layout.alignment),
  })
end

--- The blocks of a pass. Where there are twice as many tokens, a pair of vectors has half of the
--- broadcasts, and half of what comes between two tiles of outputs.
---@param isa table
---@param stages StagePlan[]
---@param least integer        tokens that are worth a block
---@param most_tokens integer  of a call
---@return Lanes
function M.plan(isa, stages, least, most_tokens)
  local vectors = vectors_of(isa)
  local has_pair = isa.broadcasts and most_tokens >= 2 * vectors * isa.lanes
  return block(isa, stages, vectors, least, has_pair and block(isa, stages, 2, nil, false))
end

--- The blocks of a pass, widest first.
---@param lanes Lanes|false
---@return Lanes[]
function M.blocks(lanes)
  if not lanes then return {} end
  return lanes.pair and { lanes.pair, lanes } or { lanes }
end

return M
