--- The regimes in which kernels live, each with its worst cell, once as measured and once with two
--- standard errors of each cell in its favour, and the geometric mean of all.
local results = require 'results'

local M = {}

---@class bench.Regime
---@field about string
---@field unit string 'percent' or 'ratio'
---@field good string 'high' or 'low'
---@field value fun(run: table, cell: bench.Cell): number?, number? nil: the cell is of another
--- regime; and by what part it is unsure, where it is of one cell alone

local function prefill(threads, isa)
  return function(_, cell)
    if cell.tokens < 96 or cell.inputs < 512 or (cell.threads > 1) ~= threads then return nil end
    return results.fraction(cell, 'peak', isa)
  end
end

local function decode(threads)
  return function(_, cell)
    if cell.tokens ~= 1 or not cell.cold or (cell.threads > 1) ~= threads then return nil end
    return results.fraction(cell, 'read')
  end
end

--- The time of a cold call of so many tokens over that of one. They are cells of their own, between
--- which bandwidth changes, so each counts in plain reads of its own turns.
local function few(tokens)
  return function(run, cell)
    if cell.tokens ~= tokens or not cell.cold then return nil end
    local one = results.twin(run, cell, { tokens = 1 })
    if not one then return nil end
    local of_one, unsure_one = results.fraction(one, 'read')
    local of_all, unsure_all = results.fraction(cell, 'read')
    if not (of_one and of_all) then return nil end
    return of_one / of_all, unsure_one + unsure_all
  end
end

--- How near the kernel is to what takes longer, reading or multiplying.
local function of_limit(cell)
  local peak, read = results.fraction(cell, 'peak'), results.fraction(cell, 'read')
  return peak and read and math.max(peak, read)
end

--- The time of 16 cold tokens over what reading or multiplying takes, whichever is more.
local function over_limit(run, cell)
  local part = few(16)(run, cell) and of_limit(cell)
  return part and 1 / part
end

--- Weights that are compressed, a few cold tokens on so many threads: of the nearer limit, which
--- counts the instructions that decode them; or the time over it.
local function compressed(tokens, threads, over)
  return function(_, cell)
    local part = results.over_f32(cell) and of_limit(cell)
    if not part or cell.tokens ~= tokens or not cell.cold or (cell.threads > 1) ~= threads then
      return nil
    end
    return over and 1 / part or part
  end
end

--- The same: speed over weights of f32.
local function over_f32(tokens, threads)
  return function(_, cell)
    if cell.tokens ~= tokens or not cell.cold or (cell.threads > 1) ~= threads then return nil end
    return results.over_f32(cell)
  end
end

local function in_l2(run, cell)
  local fits = cell.bytes >= 1 << 16 and cell.bytes <= run.machine.l2 // 4 * 3
  if cell.tokens ~= 1 or cell.threads > 1 or cell.cold or not fits then return nil end
  return results.fraction(cell, 'read')
end

local function tiny(_, cell)
  if cell.flop / cell.tokens > 1e5 then return nil end
  return select(2, results.best_peer(cell))
end

local function odd(run, cell)
  if cell.spec ~= 'odd_sizes' then return nil end
  local even = results.twin(run, cell, { spec = 'even_sizes' })
  return even and results.seconds(cell) / cell.flop / (results.seconds(even) / even.flop)
end

--- What an activation adds to the time of the same layer with a cheap one.
local function activation(spec, cheap)
  return function(run, cell)
    if cell.spec ~= spec or cell.tokens < 96 then return nil end
    local other = results.twin(run, cell, { spec = cheap })
    return other and results.seconds(cell) / results.seconds(other)
  end
end

local function against_best(_, cell) return select(2, results.best_peer(cell)) end

local function wide_against_best(run, cell)
  if cell.inputs < 512 then return nil end
  return against_best(run, cell)
end

--- What the best library leaves to gain: its time over that of a kernel at the nearer limit, or of
--- this one where it is beyond.
local function left_to_gain(run, cell)
  local ratio, part = wide_against_best(run, cell), of_limit(cell)
  return ratio and part and ratio / math.min(1, part)
end

---@type bench.Regime[]
local regimes = {
  { about = 'prefill, 96 tokens or more, d_model 512 or more, 1 thread: of FMA peak',
    unit = 'percent', good = 'high', value = prefill(false) },
  { about = 'the same, all threads', unit = 'percent', good = 'high', value = prefill(true) },
  { about = 'the same, AVX2 on 1 thread: of its own peak', unit = 'percent', good = 'high',
    value = prefill(false, 'avx2') },
  { about = 'decode, 1 token, cold weights, 1 thread: of a plain read', unit = 'percent',
    good = 'high', value = decode(false) },
  { about = 'the same, all threads', unit = 'percent', good = 'high', value = decode(true) },
  { about = '4 tokens over 1 token, cold weights: time in plain reads', unit = 'ratio',
    good = 'low', value = few(4) },
  { about = '16 tokens over 1 token, cold weights: time in plain reads', unit = 'ratio',
    good = 'low', value = few(16) },
  { about = '16 tokens, cold weights: time over a plain read or the FMA bound, the longer one',
    unit = 'ratio', good = 'low', value = over_limit },
  { about = 'compressed weights, 1 token, cold, 1 thread: of a plain read or what decoding takes, '
      .. 'the longer one', unit = 'percent', good = 'high', value = compressed(1, false) },
  { about = 'the same, all threads', unit = 'percent', good = 'high', value = compressed(1, true) },
  { about = 'the same, 4 tokens, 1 thread: time over it', unit = 'ratio', good = 'low',
    value = compressed(4, false, true) },
  { about = 'the same, 16 tokens', unit = 'ratio', good = 'low',
    value = compressed(16, false, true) },
  { about = 'compressed weights, 1 token, cold, 1 thread: speed over f32', unit = 'ratio',
    good = 'high', value = over_f32(1, false) },
  { about = 'the same, all threads', unit = 'ratio', good = 'high', value = over_f32(1, true) },
  { about = 'decode, weights in L2: of a plain read', unit = 'percent', good = 'high',
    value = in_l2 },
  { about = 'tiny layers: speed over the best library', unit = 'ratio', good = 'high',
    value = tiny },
  { about = 'odd sizes (1023, 2731) over (1024, 2736): time per flop', unit = 'ratio',
    good = 'low', value = odd },
  { about = 'SiLU: time over the same layer without it, prefill', unit = 'ratio', good = 'low',
    value = activation('even_sizes', 'even_sizes_bilinear') },
  { about = 'GELU (erf): time over the same layer with ReLU, prefill', unit = 'ratio',
    good = 'low', value = activation('bert_base', 'bert_base_relu') },
  { about = 'd_model 512 or more: speed over the best library', unit = 'ratio', good = 'high',
    value = wide_against_best },
  { about = 'the same, of a kernel that is at the nearer limit', unit = 'ratio', good = 'high',
    value = left_to_gain },
  { about = 'everything: speed over the best library', unit = 'ratio', good = 'high',
    value = against_best },
}

local function shown(regime, value)
  return regime.unit == 'percent' and ('%.1f %%'):format(100 * value) or ('%.2f'):format(value)
end

local function where(cell)
  return ('%s, %d token%s, %d thread%s, %s'):format(cell.spec, cell.tokens,
    cell.tokens == 1 and '' or 's', cell.threads, cell.threads == 1 and '' or 's',
    cell.cold and 'cold' or 'hot')
end

--- The worst of a regime's values and its cell.
local function worst_of(regime, values)
  local worst
  for _, v in ipairs(values) do
    local is_worse = not worst or v.value < worst.value
    if regime.good == 'low' then is_worse = not worst or v.value > worst.value end
    if is_worse then worst = v end
  end
  return worst
end

---@class bench.Row all text; '-': the run has no such cell
---@field about string
---@field worst string  as measured
---@field sure string   no cell is surely worse: two standard errors are in favour of each
---@field mean string   geometric
---@field where string  the worst is, or why nowhere
---@field cells string  how many

---@return bench.Row
local function row_of(run, regime)
  local measured, favoured, values = {}, {}, {}
  for _, cell in ipairs(run.cells) do
    local value, unsure = regime.value(run, cell)
    if value then
      values[#values + 1] = value
      measured[#measured + 1] = { value = value, cell = cell }
      if unsure then
        local favour = regime.good == 'high' and 1 + unsure or 1 - unsure
        favoured[#favoured + 1] = { value = value * favour }
      end
    end
  end
  local worst = worst_of(regime, measured)
  if not worst then
    return { about = regime.about, worst = '-', sure = '-', mean = '-', where = 'not in this run',
      cells = '0' }
  end
  local sure = worst_of(regime, favoured)
  return { about = regime.about, worst = shown(regime, worst.value),
    sure = sure and shown(regime, sure.value) or '-', mean = shown(regime, results.geomean(values)),
    where = where(worst.cell), cells = tostring(#values) }
end

--- One row per regime.
---@param run table of results.read
---@return bench.Row[]
function M.rows(run)
  local rows = {}
  for i, regime in ipairs(regimes) do rows[i] = row_of(run, regime) end
  return rows
end

return M
