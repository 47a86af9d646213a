--- The regimes that a CPU's choices are measured in. A choice acts at some numbers of rows alone,
--- so each regime is searched on its own: the candidates of all add up, where they would multiply.
local lists = require 'common.list'

local M = {}

---@class Regime
---@field name string
---@field fields string[]    choices that act in it
---@field tokens integer[]   at which they are measured, ascending
---@field least integer      tokens of a call from which they act
---@field together string[]  every combination of these: what is fetched suits so many streams
---@field weight integer     of its share of the time

--- More rows than a CPU may call few: from so many on choices for many rows act surely.
local most_few = 4
local more_rows = most_few + 1

---@type Regime[]
M.all = {
  { name = 'decode', fields = { 'few_ahead', 'few_l2_ahead', 'few_rows', 'streams', 'reread' },
    tokens = { 1, 4 }, least = 1, together = { 'few_ahead', 'few_rows', 'streams' }, weight = 1 },
  -- Many rows fetch ahead as well, if with less at stake: no gain at 8 tokens at the cost of 64.
  { name = 'batch', fields = { 'fetch_ahead', 'fetch_level', 'near_bytes' },
    tokens = { 8, 16, 64 }, least = more_rows, together = { 'fetch_ahead', 'fetch_level' },
    weight = 1 },
  { name = 'prefill', fields = { 'main_columns', 'rows_per_walk', 'stream_rows', 'sum_bytes' },
    tokens = { 64, 256 }, least = more_rows, together = {}, weight = 2 },
}

--- What the winners of all regimes come to together, measured at the end.
---@type Regime
M.final = { name = 'all', fields = {}, tokens = { 1, 4, 16, 64, 256 }, least = 1, together = {},
  weight = 1 }

M.names = { M.final.name }
for i, regime in ipairs(M.all) do M.names[i + 1] = regime.name end

--- No choice that a record holds is more.
M.most_choice = 1 << 26

--- What a choice is tried at: values that some CPU likes, or so many times its own.
local values = {
  few_ahead = { 0, 8 << 10 }, few_l2_ahead = { 0, 16 << 10 }, few_rows = { 1, 2, most_few },
  streams = { 8, 4 },
  fetch_ahead = { 0, 8 << 10, 12 << 10 }, fetch_level = { 1, 2 },
  main_columns = { 16, 32 }, reread = { 0, 1 },
  near_bytes = { 0, M.most_choice }, -- of a layer: whether it is far
}
local factors = { 1 / 4, 2 }

--- What else than its own value a choice is tried at.
---@return integer[]
local function others(field, own)
  local result = {}
  for _, value in ipairs(values[field] or {}) do
    if value ~= own[field] then result[#result + 1] = value end
  end
  for _, factor in ipairs(values[field] and {} or factors) do
    result[#result + 1] = math.max(1, math.floor(own[field] * factor))
  end
  return result
end

--- The changes that a regime tries: those of one choice first, then of several.
---@param regime Regime
---@param own Choices
---@return table<string, integer>[]
function M.changes(regime, own)
  local result, changes = {}, {}
  local function add(fields, count, from)
    if count == 0 then
      local whole = {}
      for _, field in ipairs(fields) do whole[field] = changes[field] end
      result[#result + 1] = whole
      return
    end
    for i = from, #fields do
      local field = fields[i]
      for _, value in ipairs(others(field, own)) do
        changes[field] = value
        add(fields, count - 1, i + 1)
      end
      changes[field] = nil
    end
  end
  add(regime.fields, 1, 1)
  for count = 2, #regime.together do add(regime.together, count, 1) end
  return result
end

---@class Cell
---@field tokens integer
---@field from string     memory (cold) or cache (hot)
---@field threads integer

--- The numbers of tokens that a regime is measured at: of its own, as many as a call may have; none
--- where its choices do not act.
---@param regime Regime
---@param max_tokens integer  of a call; 0: any number
---@return integer[]
function M.tokens(regime, max_tokens)
  local most = max_tokens > 0 and max_tokens or math.maxinteger
  if most < regime.least then return {} end
  local list = lists.filter(regime.tokens, function(tokens) return tokens < most end)
  -- The first that is left out gives way to the most.
  if #list < #regime.tokens then list[#list + 1] = most end
  return list
end

--- Where a regime is measured: few tokens first, for time may not hold the last.
---@param regime Regime
---@param threads integer[]
---@param max_tokens integer
---@return Cell[]
function M.cells(regime, threads, max_tokens)
  local result = {}
  for _, tokens in ipairs(M.tokens(regime, max_tokens)) do
    for _, count in ipairs(threads) do
      for _, from in ipairs { 'cold', 'hot' } do
        result[#result + 1] = { tokens = tokens, from = from, threads = count }
      end
    end
  end
  return result
end

--- A cell as a record has it.
---@param cell Cell
function M.cell_text(cell) return ('%d %s %d'):format(cell.tokens, cell.from, cell.threads) end

return M
