--- What a register tile's templates say: loop.c.tpl, step.c.tpl and what stands around them.
local chain_order = require 'emit.chains'
local layer = require 'lower.layer'

local M = {}

--- Terms of a C sum, without those that are zero: { factor, what }, '' for a number; a factor is a
--- number or a C name.
local function plus(base, terms)
  local text = base
  for _, term in ipairs(terms) do
    local factor, unit = table.unpack(term)
    if factor ~= 0 then
      local amount = unit == '' and ('%s'):format(factor)
        or factor == 1 and unit or ('%s * %s'):format(factor, unit)
      text = ('%s + %s'):format(text, amount)
    end
  end
  return text
end
M.plus = plus

--- Where vector v of a tile lies: its branch, and its first column in its panel's terms. `pitch`
--- is from a vector to the next of its branch, in columns, where they are not neighbours.
local function place(isa, tile, first, v, pitch)
  local per_branch = tile.cols // isa.lanes
  local column = first % layer.panel + v % per_branch * (pitch or isa.lanes)
  return v // per_branch, column // layer.panel, column % layer.panel
end

--- Where 16 sums of a tile, from vector v on, have their weights, for ffn_wide_sums(): the address
--- of the first half, and how far behind it the second is.
local function half_panels(isa, tile, first, N, v)
  local branch, panel, column = place(isa, tile, first, v)
  local other_branch, other, second = place(isa, tile, first, v + layer.panel // 2 // isa.lanes)
  assert(panel == other, 'halves of different panels')
  local at = branch * layer.panel + column
  return plus('w', { { panel, N .. '_PANEL' }, { at, '' } }),
    other_branch * layer.panel + second - at
end

--- Halves of chains that are folded into the first ones, pairwise.
local function folds(chains)
  local list = {}
  while chains > 1 do
    chains = chains // 2
    for chain = 0, chains - 1 do list[#list + 1] = { into = chain, from = chain + chains } end
  end
  return list
end

---@class TileUse
---@field s StagePlan
---@field tile Tile|Group
---@field first integer       first column: only its place in a panel counts
---@field guards boolean      rows beyond the first are there only for so many `rows`
---@field fetch string        '' none, next: from a pointer `next`,
--- kept: where the sums go, a row for eight of its k
---@field chooses boolean|nil  as `fetches` says, which is a constant at each call
---@field far boolean|nil      perhaps into the second-level cache, as it says, too
---@field rereads boolean|nil  or one row reads lines twice, as it says, too
---@field advances boolean    `next` moves on by `advance` bytes after each k, as `ahead` says
---@field k_end string        C: where the loop over k ends
---@field together integer|nil so many k stand in a line
---@field k_left boolean|nil   and some may be left
---@field fetches_rows boolean|nil the next rows are fetched, too
---@field unrolled boolean|nil the loop over k becomes straight-line code
---@field one_chain boolean|nil a chain is summed at a time
---@field abreast Abreast|nil  panels abreast: sums go on from `from` where it is not NULL, and are
--- added to those of earlier blocks where `adds` says so
---@field tokens boolean|nil k are tokens: a row is a column of the operand, and sums go where they
--- belong, rows at `stride`, added to what is there where the C variable `adds` says so

--- One k's part of fetching ahead: each cache line that a tile reads of it, and one of the rows
--- that come next where these are wanted.
---@param use TileUse
local function fetch_text(env, use, rows_too)
  local tile, format, N, lines = use.tile, use.s.stage.stream.format, env.NAME(use.s), {}
  local word = env.PREFIX .. '_FETCH('
  local function add(...) lines[#lines + 1] = word .. plus(...) .. ');' end
  if use.fetch == 'kept' then
    add(('sum + k / 8 * stride + k %% 8 * %d'):format(tile.cols // 8), {})
    return lines[1]
  end
  if rows_too then add('a', { { N .. '_ROW', 'rows' }, { 'k', '(size_t)rows' } }) end
  if use.far then word = env.prefix .. '_fetch_as(fetches, ' end
  for panel = 0, use.fetch ~= '' and math.max(1, tile.cols // layer.panel) - 1 or -1 do
    for branch = 0, #use.s.stage.stream.branches - 1 do
      add('next', { { panel, N .. '_PANEL_BYTES' },
        { branch * layer.panel * format.bytes, '' } })
    end
  end
  if use.advances then lines[#lines + 1] = 'next += advance;' end
  return table.concat(lines, '\n')
end

--- Where the loop over k stops, to fetch from somewhere else from then on: a tile that fetches line
--- by line, or nothing, goes on. C++ minds an enumerator beside a number.
local function turn_text(use)
  if not use.chooses then return 'ahead->until' end
  local one = (use.together or 1) > 1 and 'fetches == 1' or 'fetches > 0'
  local all = (use.k_end == 'count' and '' or '(size_t)') .. use.k_end
  return ('%s ? ahead->until : %s'):format(one, all)
end

--- What reads again of one in two lines side by side: those of a gate and an up, or of two k.
---@param chain integer
---@return string condition  beside that of one row, or ''
---@return string text       '' where nothing is
local function reread_text(env, use, chain, chains)
  local N, every, lines = env.NAME(use.s), math.max(1, 2 // #use.s.stage.stream.branches), {}
  if not use.rereads or chain % every > 0 then return '', '' end
  for panel = 0, math.max(1, use.tile.cols // layer.panel) - 1 do
    lines[#lines + 1] = ('%s_TOUCH(%s);'):format(env.PREFIX,
      plus('w', { { chain, N .. '_STEP' }, { panel, N .. '_PANEL' } }))
  end
  return chains == 1 and every > 1 and ' && k % 2 == 0' or '', table.concat(lines, '\n')
end

--- Where a line of each panel lies, behind `next`.
local function panel_lines(panels, N)
  local lines = {}
  for panel = 0, panels - 1 do
    lines[#lines + 1] = plus('next', { { panel, N .. '_PANEL_BYTES' } })
  end
  return lines
end

--- The environment of a tile's templates on top of a kernel's.
---@param env table
---@param use TileUse
---@return table
function M.environment(env, use)
  local s, tile, isa = use.s, use.tile, env.isa
  local sum, branches = s.stage.sum, #s.stage.stream.branches
  local N, format = env.NAME(s), s.stage.stream.format
  local halves = use.abreast and use.abreast.visited < layer.panel
  local pitch = halves and layer.panel or isa.lanes
  local kept_columns = use.abreast and use.abreast.columns or tile.cols
  local t = setmetatable({
    s = s, tile = tile, N = N, chains = sum.chains, blocks = use.abreast and 1 or sum.blocks,
    guards = use.guards, format = format, rest = sum.last % sum.chains,
    folds = folds(sum.chains), k_end = use.k_end, fold_order = chain_order.steps(sum.chains),
    together = use.together or 1, k_left = use.k_left or false,
    fetches_rows = use.fetches_rows or false, unrolled = use.unrolled or false, wide = 'never',
    advances = use.advances or false, chooses = use.chooses or false, turn = turn_text(use),
    bound = use.advances and 'end' or use.k_end, is_abreast = use.abreast ~= nil,
    settles = isa.settles and not use.abreast and (tile.rows == 2 or use.guards and tile.rows > 2),
    lines = panel_lines(use.abreast and use.abreast.panels
      or math.max(1, tile.cols // layer.panel), N),
    adds = use.tokens or use.abreast ~= nil, load_kept = env[use.tokens and 'loadu' or 'load'],
    store_kept = env[use.tokens and 'storeu' or 'store'],
    last_block = sum.parts > 1 and ('(block + 1) %% %s_PART_BLOCKS == 0'):format(N)
      or ('block + 1 == %s_BLOCKS'):format(N),
  }, { __index = env })

  function t.sum(row, v, chain)
    return sum.chains == 1 and ('s%d_%d'):format(row, v) or ('s%d_%d_%d'):format(row, v, chain)
  end

  function t.weights(v, ahead)
    local branch, panel, column = place(isa, tile, use.first, v, pitch)
    local base = use.one_chain and ('w + k * %s_STEP'):format(N) or 'w'
    return format.vector(env.word, plus(base, {
      { ahead, N .. '_STEP' }, { panel, N .. '_PANEL' }, { branch * layer.panel + column, '' },
    }))
  end

  function t.half_panels(v) return half_panels(isa, tile, use.first, N, v) end

  function t.activation(row, ahead)
    if use.tokens then return ('a[%s]'):format(plus('k * ' .. N .. '_ROW', { { row, '' } })) end
    return ('a[%s]'):format(plus('k', { { row, N .. '_ROW' }, { ahead, '' } }))
  end

  --- Where the sum of a vector is kept between blocks.
  function t.kept(row, v)
    local branch = v // (tile.cols // isa.lanes)
    local column = v % (tile.cols // isa.lanes) * pitch
    if use.tokens then return plus('sum', { { row, 'stride' }, { column, '' } }) end
    return plus('sum', { { (row * branches + branch) * kept_columns + column, '' } })
  end

  --- What a sum begins with.
  function t.start(row, v)
    if not use.abreast then return env.zero() end
    local from = t.kept(row, v):gsub('^sum', 'from')
    local there = row > 0 and ('from && rows > %d'):format(row) or 'from'
    return ('%s ? %s : %s'):format(there, env.load(from), env.zero())
  end

  function t.fetch(rows_too) return fetch_text(env, use, rows_too) end

  function t.reread(chain) return reread_text(env, use, chain, sum.chains) end

  --- What comes before one k of a chain.
  function t.fetch_ahead(chain, rows_too)
    if not use.chooses then return t.fetch(rows_too) end
    t.way = { chain = chain, rows_too = rows_too }
    return env.render('ways.c.tpl', t)
  end

  function t.one_k(chain, ahead)
    t.step = { chain = chain, ahead = ahead }
    return env.render('step.c.tpl', t)
  end

  function t.loop(file)
    return env.render((file or 'loop') .. '.c.tpl', t)
  end
  return t
end

return M
