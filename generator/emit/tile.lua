--- What a register tile's templates say: loop.c.tpl, step.c.tpl and what stands around them.
local addresses = require 'emit.addresses'
local chain_order = require 'emit.chains'
local decoding = require 'emit.decoding'
local grouped = require 'emit.grouped'
local lists = require 'common.list'
local summing_of = require 'emit.summing'.of
local sums = require 'emit.sums'
local texts = require 'common.text'
local weight_layout = require 'weights.layout'

local M = { plus = addresses.plus, terms = addresses.terms, step_name = addresses.step_name }

local lanes, plus, place = weight_layout.lanes, addresses.plus, addresses.place

--- Columns of what a tile finds at one address.
local function width_of(s, tile) return tile.lone and lanes or s.stage.stream.layout.width end

--- Whether a tile is handed a lane beside the address of a group: it is narrower than a bundle.
function M.takes_lane(s, tile) return tile.cols < width_of(s, tile) end

--- How far behind the lines of a k the weights of a lane lie, in C.
function M.lane_text(s, lane) return ('%s * %d'):format(lane, s.stage.stream.layout.element) end

--- Where 16 sums of a tile, from vector v on, have their weights, for ffn_wide_sums(): the address
--- of the first half, and how far behind it the second is.
local function half_panels(isa, s, tile, first, N, v)
  local bundle, lane = place(isa, s, tile, first, v)
  local other, second = place(isa, s, tile, first, v + lanes // 2 // isa.lanes)
  local element = s.stage.stream.layout.element
  assert(bundle == other, 'halves of different bundles')
  return plus('w', { { bundle, N .. '_BUNDLE' }, { lane * element, '' } }),
    (second - lane) * element
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
---@field first integer       first column of its bundle
---@field lane boolean|nil    `lane` says where in its bundle it begins, beside that
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
  local tile, N, lines = use.tile, env.NAME(use.s), {}
  local word = env.PREFIX .. '_FETCH('
  local function add(...) lines[#lines + 1] = word .. plus(...) .. ');' end
  if use.fetch == 'kept' then
    add(('sum + k / 8 * stride + k %% 8 * %d'):format(tile.cols // 8), {})
    return lines[1]
  end
  if rows_too then add('a', { { N .. '_ROW', 'rows' }, { 'k', '(size_t)rows' } }) end
  if use.far then word = env.prefix .. '_fetch_as(fetches, ' end
  local layout = use.s.stage.stream.layout
  local step = weight_layout.step(layout, tile.lone)
  for bundle = 0, use.fetch ~= '' and math.max(1, tile.cols // layout.width) - 1 or -1 do
    for line = 0, weight_layout.cache_lines(step) - 1 do
      add('next', { { bundle, N .. '_BUNDLE' }, { line * weight_layout.alignment, '' } })
    end
  end
  if use.advances then lines[#lines + 1] = 'next += advance;' end
  return table.concat(lines, '\n')
end

--- Where the loop over k stops, to fetch from somewhere else from then on: a tile that fetches line
--- by line, or nothing, goes on. C++ minds an enumerator beside a number.
local function turn_text(env, use)
  local group = use.s.stage.stream.layout.group
  if group > 1 then -- it counts these
    return ('%s_min(ahead->until * %d, %s)'):format(env.prefix, group, use.k_end)
  end
  if not use.chooses then return 'ahead->until' end
  local one = (use.together or 1) > 1 and 'fetches == %s' or 'fetches >= %s'
  local all = (use.k_end == 'count' and '' or '(size_t)') .. use.k_end
  return ('%s ? ahead->until : %s'):format(one:format(env.PREFIX .. '_FETCHES_NEAR'), all)
end

--- What reads again of one in two lines side by side: those of a k, or of two.
---@param chain integer
---@return string condition  beside that of one row, or ''
---@return string text       '' where nothing is
local function reread_text(env, use, chain, chains)
  local N, layout, lines = env.NAME(use.s), use.s.stage.stream.layout, {}
  local step = weight_layout.step(layout, use.tile.lone)
  local every = math.max(1, 2 * weight_layout.alignment // step)
  if not use.rereads or chain % every > 0 then return '', '' end
  for bundle = 0, math.max(1, use.tile.cols // layout.width) - 1 do
    lines[#lines + 1] = ('%s_TOUCH(%s);'):format(env.PREFIX,
      plus('w', { { chain, M.step_name(N, use.tile.lone) }, { bundle, N .. '_BUNDLE' } }))
  end
  return chains == 1 and every > 1 and ' && k % 2 == 0' or '', table.concat(lines, '\n')
end

--- Where so many lines of each bundle lie, behind `next`.
local function bundle_lines(bundles, count, N)
  local lines = {}
  for bundle = 0, bundles - 1 do
    for line = 0, count - 1 do
      lines[#lines + 1] = plus('next', { { bundle, N .. '_BUNDLE' },
        { line * weight_layout.alignment, '' } })
    end
  end
  return lines
end

--- What templates say about the sums of a tile.
---@param pitch integer  columns from a vector to the next
---@param summing Summing
local function add_sums(t, env, use, pitch, summing)
  local tile, chains, per_branch = use.tile, use.s.stage.sum.chains, use.tile.cols // env.isa.lanes
  local branches, columns = #use.s.stage.stream.branches, use.abreast and use.abreast.columns
    or tile.cols
  function t.sum(row, v, chain)
    return chains == 1 and ('s%d_%d'):format(row, v) or ('s%d_%d_%d'):format(row, v, chain)
  end

  --- The sums of a row, and where they are kept between blocks.
  ---@return KeptRow
  local function kept_row(row)
    return {
      summing = summing, vectors = tile.vectors, loose = use.tokens or false,
      sum = function(v) return t.sum(row, v, 0) end,
      base = use.tokens and plus('sum', { { row, 'stride' } }) or 'sum',
      offset = function(v)
        local branch = v // per_branch
        local column = v % per_branch * pitch
        return use.tokens and column or (row * branches + branch) * columns + column
      end,
    }
  end
  function t.take(row) return sums.take(env, kept_row(row)) end
  function t.keep(row) return sums.keep(env, kept_row(row)) end

  --- Statements for a row that may not be there.
  function t.of_row(row, lines)
    if row == 0 or not use.guards then return lines end
    return texts.under(('if (rows > %d)'):format(row), lines)
  end

  --- The sums of some rows in a chain, in order.
  function t.sums(first, last, chain)
    local names = {}
    for row = first, last do
      for v = 0, tile.vectors - 1 do names[#names + 1] = t.sum(row, v, chain) end
    end
    return names
  end

  --- The declaration of a row's sums.
  function t.cleared(row)
    local names = {}
    for chain = 0, chains - 1 do lists.append(names, t.sums(row, row, chain)) end
    return sums.cleared(env, summing, names)
  end

  --- That of all sums of a chain.
  function t.cleared_chain(chain)
    return sums.cleared(env, summing, t.sums(0, tile.rows - 1, chain))
  end

  --- What adds a chain of some rows to another.
  function t.fold(first, last, into, from)
    return sums.add(env, summing, t.sums(first, last, into), t.sums(first, last, from))
  end

  t.zero_vector = sums.zero(env, summing)

  --- What a sum of panels abreast begins with.
  function t.start(row, v)
    local at = kept_row(row).offset(v)
    local from = plus('from', { { at, '' } })
    local there = row > 0 and ('from && rows > %d'):format(row) or 'from'
    return ('%s ? %s : %s'):format(there, env.load(from), summing.zero)
  end
end

--- What templates say of weights that stand by themselves.
---@param pitch integer  columns from a vector to the next
local function add_weights(t, env, use, pitch)
  local N, format = t.N, t.format
  function t.heads() return '' end
  function t.builder() return nil end

  --- The value of vector v, and the statements in front of it, at k `ahead` of a line.
  function t.weights(v, ahead)
    local bundle, lane = place(env.isa, use.s, use.tile, use.first, v, pitch)
    local base = use.one_chain and 'w + k * ' .. t.STEP or 'w'
    local at = plus(base, { { ahead, t.STEP }, { bundle, N .. '_BUNDLE' },
      { lane * format.bytes, '' } })
    return decoding.expression(env.isa, format, ('(const %s *)(%s)'):format(format.c_type, at)), ''
  end
end

--- The environment of a tile's templates on top of a kernel's.
---@param env table
---@param use TileUse
---@return table
function M.environment(env, use)
  local s, tile, isa = use.s, use.tile, env.isa
  local sum, N, format = s.stage.sum, env.NAME(s), s.stage.stream.format
  local summing = summing_of(isa, s.stage)
  local halves = use.abreast and use.abreast.visited < lanes
  local pitch = halves and lanes or isa.lanes
  local kept_columns = use.abreast and use.abreast.columns or tile.cols
  local step_name, by_one = M.step_name(N, tile.lone), format.c_type ~= false
  local takes_lane = use.lane and (use.abreast or M.takes_lane(s, tile)) or false
  local line = grouped.line(use)
  local t = setmetatable({
    s = s, tile = tile, N = N, STEP = step_name, panel = lanes, chains = sum.chains,
    has_lane = use.lane or false, takes_lane = takes_lane,
    lane = takes_lane and by_one and M.lane_text(s, 'lane') or '',
    blocks = use.abreast and 1 or sum.blocks,
    guards = use.guards, format = format, levels = #format.levels > 0, line = line,
    rest = #format.levels == 0 and sum.last % line or 0,
    folds = folds(sum.chains), k_end = use.k_end, fold_order = chain_order.steps(sum.chains),
    together = use.together or 1, k_left = use.k_left or false,
    fetches_rows = use.fetches_rows or false, unrolled = use.unrolled or false, wide = 'never',
    advances = use.advances or false, chooses = use.chooses or false, turn = turn_text(env, use),
    bound = use.advances and 'end' or use.k_end, is_abreast = use.abreast ~= nil,
    settles = isa.settles and by_one and not use.abreast
      and (tile.rows == 2 or use.guards and tile.rows > 2),
    lines = bundle_lines(math.max(1, kept_columns // s.stage.stream.layout.width),
      use.abreast and use.abreast.fetched or 1, N),
    fetched = use.abreast and use.abreast.fetched or 1,
    adds = use.tokens or use.abreast ~= nil,
    last_block = sum.parts > 1 and ('(block + 1) %% %s_PART_BLOCKS == 0'):format(N)
      or ('block + 1 == %s_BLOCKS'):format(N),
  }, { __index = env })

  local add = by_one and add_weights or grouped.add
  add(t, env, use, pitch)

  function t.half_panels(v) return half_panels(isa, s, tile, use.first, N, v) end

  function t.activation(row, ahead)
    if use.tokens then return ('a[%s]'):format(plus('k * ' .. N .. '_ROW', { { row, '' } })) end
    return ('a[%s]'):format(plus('k', { { row, N .. '_ROW' }, { ahead, '' } }))
  end

  --- A step's operand, of a row.
  function t.operand(row, ahead) return env.word('splat', t.activation(row, ahead)) end

  --- The statement that multiplies a row's operand and weights into a sum.
  function t.multiply(row, v, chain, weights)
    return summing.step({
      sum = function() return t.sum(row, v, chain) end,
      operand = function() return 'x' .. row end,
    }, weights or 'w' .. v, 0)
  end

  add_sums(t, env, use, pitch, summing)

  function t.fetch(rows_too) return fetch_text(env, use, rows_too) end

  function t.reread(chain) return reread_text(env, use, chain, sum.chains) end

  --- What comes before one k of a chain.
  function t.fetch_ahead(chain, rows_too)
    if not use.chooses then return t.fetch(rows_too) end
    local when, lines_again = t.reread(chain)
    return env.render('ways.c.tpl', {
      fetched = t.fetch(rows_too), when = when, lines_again = lines_again,
    })
  end

  function t.one_k(chain, ahead)
    t.step = { chain = chain, ahead = ahead, builder = t.builder() }
    return env.render('step.c.tpl', t)
  end

  function t.loop(file)
    return env.render((file or 'loop') .. '.c.tpl', t)
  end
  return t
end

return M
