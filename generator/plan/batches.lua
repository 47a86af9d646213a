--- Calls of how many rows reach all code of a kernel: tiles have text of their own for each number
--- of rows, and forms begin where there are enough of these. The self-check makes such calls, and
--- of one row less and one more.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

--- Neighbours are left out of which a call would take more flop: in portable C, some seconds.
local most_flop = 5e9

--- ffn_even_part() of kernel.h.
local function even_part(n, most)
  local parts = (n + most - 1) // most
  return (n + parts - 1) // parts
end

--- In which parts a tile takes some rows: ffn_next_part() of kernel.h; where one instruction
--- multiplies them, in equal parts, the last of which may begin in the one before.
---@param tile Tile
---@return integer[]
local function parts_of(rows, tile)
  local own, list, left = even_part(rows, tile.rows), {}, rows
  if tile.matrix then return { own } end
  while left > 0 do
    local part = left < 2 * own and even_part(left, own) or own
    list[#list + 1], left = part, left - part
  end
  return list
end

--- How a tile of so many that share fetches the weights to come: ffn_fetches() of kernel.h.
local function way(choices, rows, shares, is_both)
  local few = rows <= choices.few_rows
  local ahead = few and choices.few_ahead or choices.fetch_ahead
  if ahead == 0 then return rows == 1 and choices.reread > 0 and 'twice' or 'none' end
  if is_both and few and choices.few_l2_ahead > ahead and shares == 1 then return 'both' end
  if choices.fetch_level > 1 and shares <= 2 then return 'far' end
  return shares > 1 and 'lines' or 'near'
end

--- The texts of a stage's tiles that some rows run.
---@param s StagePlan
---@param add fun(text: string)
local function tile_texts(s, rows, add)
  local width = s.stage.stream.layout.width
  for i, tile in ipairs(s.tiles) do
    if not tile.streams or rows <= tile.rows then
      local parts = parts_of(rows, tile)
      local strip = math.max(tile.cols, width)
      for _, part in ipairs(parts) do
        local text = ('%s %d: %d'):format(s.stage.name, i, part)
        add(text)
        for _, choices in ipairs(tile.ways and s.ahead and s.ahead.all or {}) do
          add(('%s %s'):format(text, way(choices, rows, #parts * (strip // tile.cols), s.both)))
        end
      end
    end
  end
end

--- All texts of a stage that some rows run.
---@param s StagePlan
local function stage_texts(s, rows, add)
  if s.sparse and rows <= s.sparse.rows then add(('%s nonzero: %d'):format(s.stage.name, rows)) end
  if s.scratch and rows >= s.scratch.rows then return tile_texts(s.scratch.plan, rows, add) end
  if s.abreast and rows <= s.abreast.rows then
    add(('%s abreast: %d'):format(s.stage.name, rows))
  end
  tile_texts(s, rows, add)
end

--- Rows of the largest tile of some.
local function largest(tiles)
  local most = 1
  for _, tile in ipairs(tiles) do most = math.max(most, tile.rows) end
  return most
end

--- So many rows run all that more do: where weights are in scratch, from the first that are there
--- on. A tile's parts are all sizes that it has when it has taken three times its rows; where it
--- takes no few rows, the rarest size is the rest of nearly as many tiles as it has rows.
local function enough(s)
  local rows = 3 * largest(s.tiles) + 1
  if not s.scratch then return rows end
  local tile = largest(s.scratch.plan.tiles)
  return math.max(rows, s.scratch.rows + math.max(3, tile) * tile + 1)
end

--- Numbers of rows, ascending, each of which runs a text that no smaller one does.
---@param stages StagePlan[]
---@param most_rows integer  of a call
local function of_stages(stages, most_rows)
  local seen, rows_of, last = {}, {}, 1
  for _, s in ipairs(stages) do last = math.max(last, enough(s)) end
  for rows = 1, math.min(last, most_rows) do
    local is_new = false
    for _, s in ipairs(stages) do
      stage_texts(s, rows, function(text)
        is_new, seen[text] = is_new or not seen[text], true
      end)
    end
    if is_new then rows_of[#rows_of + 1] = rows end
  end
  return rows_of
end

--- Those of a form that gives whole rows, and of blocks with a token in each lane.
---@param pass Pass
local function of_whole_rows(pass)
  local rows_of = {}
  if pass.form.name == 'compact' then rows_of[1] = 1 end
  if pass.form.name == 'straight' then
    lists.append(rows_of, lists.map(pass.form.forms, function(form) return form.rows end))
  end
  for _, block in ipairs(pass.blocks) do
    lists.append(rows_of, { block.least, block.tokens, block.tokens + 1 })
  end
  return rows_of
end

--- Where the walk of a stage takes another turn: tiles of doubles have other rows, and more than
--- some rows take a chunk of columns. No text begins there.
local function turns_of(stages)
  local wide_rows, list = 16, {}
  for _, s in ipairs(stages) do
    list[#list + 1] = s.stream_rows + 1
    if #lists.filter(s.tiles, function(tile) return tile.wide ~= 'never' end) > 0 then
      list[#list + 1] = wide_rows
    end
  end
  return list
end

---@class Batches  rows of calls, from `first` to `last` each
---@field first integer
---@field last integer

--- With their neighbours, as ranges.
---@param must integer[]
---@param turns integer[]
---@return Batches[]
local function ranges(must, turns, flop, most_rows)
  local wanted, ranges_of = lists.set(must), {}
  for _, rows in ipairs(lists.append(lists.append({}, must), turns)) do
    for near = rows - 1, rows + 1 do
      if near * flop <= most_flop then wanted[near] = true end
    end
  end
  for _, rows in ipairs(record.sorted_keys(wanted)) do
    local open = ranges_of[#ranges_of]
    if rows <= most_rows and open and open.last + 1 == rows then
      open.last = rows
    elseif rows <= most_rows then
      ranges_of[#ranges_of + 1] = { first = rows, last = rows }
    end
  end
  return lists.map(ranges_of, function(range) return record.strict('batches', range) end)
end

--- Those of a pass.
---@param pass Pass
---@param flop integer       of a row
---@param most_rows integer  of a call
---@return Batches[]
function M.of(pass, flop, most_rows)
  local must = of_whole_rows(pass)
  if pass.form.name ~= 'walk' then return ranges(must, {}, flop, most_rows) end
  local most = pass.lanes and math.min(most_rows, pass.lanes.least) or most_rows
  return ranges(lists.append(must, of_stages(pass.stages, most)), turns_of(pass.stages), flop,
    most_rows)
end

--- Those of training: of its stages over weights, in both passes.
---@param stages StagePlan[]
---@param flop integer  of a row, forward
---@return Batches[]
function M.of_training(stages, flop)
  return ranges(of_stages(stages, math.maxinteger), {}, 3 * flop, math.maxinteger)
end

return M
