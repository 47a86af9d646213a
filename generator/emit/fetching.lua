--- What a tile fetches ahead, in C: the text of one k, and of some at a time.
local addresses = require 'emit.addresses'
local groups = require 'weights.group'
local record = require 'common.record'
local texts = require 'common.text'
local weight_layout = require 'weights.layout'

local M = {}

local plus = addresses.plus

---@class FetchingUse
---@field from 'next'|'kept'|nil  a pointer `next`; or where sums go, a row for eight of its k
---@field advances boolean|nil    `next` moves on by `advance` bytes after each k, as `ahead` says
---@field chooses boolean|nil     as `fetches` says: a constant at each call, or asked once a group
---@field far boolean|nil         perhaps into the second-level cache, as it says, too
---@field both boolean|nil        or into both, as it says, too
---@field rereads boolean|nil     or one row reads lines twice, as it says, too
---@field rows boolean|nil        the next rows are fetched, too
---@field asks_rows boolean|nil   where a size says so

---@class TileFetching
---@field advances boolean
---@field chooses boolean
---@field abreast boolean  a visit fetches for the next one
---@field rows boolean
---@field lines string     what is fetched at once for several k, or by a visit, in C
---@field count integer    of them in each bundle
---@field spread FetchingSpread|false  where lines of a group are many
---@field turn string      C: where the loop over k stops, to fetch from somewhere else
---@field text fun(rows_too: boolean|nil): string
---@field ahead fun(chain: integer, rows_too: boolean|nil): string  as CPUs do, before one k

---@class FetchingSpread  lines that are fetched while a group is gone through, and not at its begin
---@field depth integer  of the loop that fetches so many each time
---@field each integer
---@field index string   C: which time it is, of all of the group
---@field rest integer   lines that the begin of the group fetches
---@field text string    C: what that loop begins with

--- Lines that wait for memory at once on most cores; so many more where products of bytes leave
--- little to do meanwhile; and of a turn.
local most_at_once, most_of_bytes, few_each = 16, 32, 8

local most_written_out = 2 -- turns; more are a loop, which compilers write out

--- So many turns of a loop, where `of_turn` gives the statements of one: of a number, or of a name.
---@param env table
---@param count integer
---@param name string
---@param of_turn fun(turn: integer|string): string
---@return string C
local function turns(env, count, name, of_turn)
  if count <= most_written_out then
    local each = {}
    for turn = 0, count - 1 do each[#each + 1] = of_turn(turn) end
    return table.concat(each, '\n')
  end
  local head = ('for (size_t %s = 0; %s < %d; ++%s)'):format(name, name, count, name)
  return env.PREFIX .. '_UNROLL\n' .. texts.under(head, of_turn(name))
end

--- What a turn adds to an address: `unit` times its number or its name.
local function times(turn, unit)
  if turn == 0 then return { 0, '' } end
  return { 1, turn == 1 and unit or ('%s * %s'):format(turn, unit) }
end

--- So many cache lines of each bundle behind a pointer, `next` if nothing is said, each fetched as
--- `how` says: line by line where a bundle has several, else bundle by bundle.
---@return string C
local function fetch_lines(env, use, how, bundles, lines, from)
  local bundle_unit, line_unit = env.NAME(use.s) .. '_BUNDLE', tostring(weight_layout.alignment)
  local function of_bundle(bundle)
    return turns(env, lines, 'line', function(line)
      return how:format(plus(from or 'next',
        { times(bundle, bundle_unit), times(line, line_unit) }))
    end)
  end
  if lines <= most_written_out then return turns(env, bundles, 'bundle', of_bundle) end
  local each = {}
  for bundle = 0, bundles - 1 do each[#each + 1] = of_bundle(bundle) end
  return table.concat(each, '\n')
end

--- So many cache lines of each bundle behind a pointer, as `fetches` says.
---@return string C
local function fetch_asked(env, use, bundles, lines, from)
  local second = use.fetching.both and 'ahead->second' or '0'
  return turns(env, bundles, 'bundle', function(bundle)
    return ('%s_fetch_lines(fetches, %d, %s, %s);'):format(env.prefix, lines,
      plus(from, { times(bundle, env.NAME(use.s) .. '_BUNDLE') }), second)
  end)
end

--- Whether the cache lines that a tile reads of a k are in halves as its vectors are.
---@param halves Halves
---@param layout Layout
---@param bundles integer
function M.are_halved(halves, layout, bundles)
  local lines = weight_layout.cache_lines(layout.step)
  if halves.bundles == 0 then
    return lines == 2 and halves.lanes * layout.element == weight_layout.alignment
  end
  return lines == 1 and halves.lanes == 0 and 2 * halves.bundles == bundles
end

--- The halves that a tile's cache lines are in: those of groups are fetched line by line, whatever
--- their vectors are in.
---@param use TileUse
---@return Halves|nil
local function halves_of_lines(use)
  return use.s.stage.stream.format.c_type and use.halves or nil
end

--- The lines of both halves of a tile, bundle by bundle, each fetched as `how` says.
---@return string C
local function fetch_halves(env, use, how, bundles)
  local N = env.NAME(use.s)
  return turns(env, use.halves.bundles > 0 and bundles // 2 or bundles, 'bundle', function(bundle)
    local term = times(bundle, N .. '_BUNDLE')
    return how:format(plus('next', { term })) .. '\n'
      .. how:format(plus('next', { term, { 1, N .. '_SECOND' } }))
  end)
end

--- How the lines of a group are spread over its loops: over the outermost that fetches few each
--- time, else over the innermost. nil where the lines are few.
---@param use TileUse
---@param line integer  k of a turn of the innermost loop
---@return FetchingSpread|nil
local function spread_of(use, line)
  local stream = use.s.stage.stream
  local lines = weight_layout.cache_lines(stream.layout.step)
  local at_once = use.s.stage.arithmetic.takes == 'bytes' and most_of_bytes or most_at_once
  if use.abreast or not use.fetching.advances or #stream.format.levels == 0
    or lines < at_once then
    return nil
  end
  local parts, spread = groups.place(stream.format).parts, nil
  local times_of_all, index = 1, nil
  for depth = 2, #parts do
    local part = parts[depth]
    if depth == #parts and line > part.k then break end
    times_of_all = times_of_all * part.count
    index = index and ('(%s * %d + i%d)'):format(index, part.count, depth) or 'i' .. depth
    local each = lines // times_of_all
    if each == 0 then break end
    spread = { depth = depth, each = each, index = index, rest = lines - each * times_of_all }
    if each <= few_each then break end
  end
  return spread
end

--- How a line is fetched that is fetched alone: near, or far where a tile is asked to.
---@param use TileUse
local function near_or_far(env, use)
  return use.fetching.far and env.prefix .. '_fetch_as(fetches, %s);'
    or env.PREFIX .. '_FETCH(%s);'
end

--- Whether the lines of a group are fetched in one of several ways.
---@param use TileUse
local function asks(use)
  return (use.fetching.far or use.fetching.both) and use.s.stage.stream.layout.group > 1
end

--- What a turn of a loop in a group fetches.
---@param use TileUse
---@param spread FetchingSpread
local function spread_text(env, use, spread)
  local bundles = math.max(1, use.tile.cols // use.s.stage.stream.layout.width)
  local from = ('fetched + %s * %d'):format(spread.index, spread.each * weight_layout.alignment)
  local text = asks(use) and fetch_asked(env, use, bundles, spread.each, from)
    or fetch_lines(env, use, near_or_far(env, use), bundles, spread.each, from)
  if not use.fetching.chooses then return text end
  return ('if (fetches > %s_FETCHES_NONE) {\n%s\n}'):format(env.PREFIX, text)
end

--- One k's part of fetching ahead: each cache line that a tile reads of it, and one of the rows
--- that come next where these are wanted.
---@param use TileUse
---@param spread FetchingSpread|nil
local function fetch_text(env, use, rows_too, spread)
  local given, tile = use.fetching, use.tile
  local word = env.PREFIX .. '_FETCH'
  if given.from == 'kept' then
    return ('%s(sum + k / 8 * stride + k %% 8 * %d);'):format(word, tile.cols // 8)
  end
  local layout = use.s.stage.stream.layout
  local count = spread and spread.rest or weight_layout.cache_lines(layout.step)
  local bundles = given.from and math.max(1, tile.cols // layout.width) or 0
  local function all()
    if asks(use) then return fetch_asked(env, use, bundles, count, 'next') end
    local how = near_or_far(env, use)
    if halves_of_lines(use) and bundles > 0 then return fetch_halves(env, use, how, bundles) end
    return fetch_lines(env, use, how, bundles, count)
  end
  local lines = {}
  if rows_too then
    lines[1] = ('%s(%s);'):format(word, plus('a',
      { { env.NAME(use.s) .. '_ROW', '(size_t)rows' }, { 'k', '(size_t)rows' } }))
    if given.asks_rows then
      lines[1] = texts.under(('if (%s_PARTS)'):format(env.NAME(use.s)), lines[1])
    end
  end
  if count > 0 then lines[#lines + 1] = all() end
  if given.advances then lines[#lines + 1] = 'next += advance;' end
  return table.concat(lines, '\n')
end

--- Where the loop over k stops, to fetch from somewhere else from then on: a tile that fetches line
--- by line, or nothing, goes on. C++ minds an enumerator beside a number.
---@param k TileK
local function turn_text(env, use, k)
  local group = use.s.stage.stream.layout.group
  if group > 1 then -- it counts these
    return ('%s_min(ahead->until * %d, %s)'):format(env.prefix, group, k.ends)
  end
  if not use.fetching.chooses then return 'ahead->until' end
  local one = k.together > 1 and 'fetches == %s' or 'fetches >= %s'
  local all = (k.ends == 'count' and '' or '(size_t)') .. k.ends
  return ('%s ? ahead->until : %s'):format(one:format(env.PREFIX .. '_FETCHES_NEAR'), all)
end

--- Of how many k lines side by side lie in two cache lines.
function M.touched_every(layout) return math.max(1, 2 * weight_layout.alignment // layout.step) end

--- What reads again of one in two lines side by side: those of a k, or of two.
---@param chain integer
---@param chains integer
---@return string condition  beside that of one row, or ''
---@return string text       '' where nothing is
local function reread_text(env, use, chain, chains)
  local N, layout, lines = env.NAME(use.s), use.s.stage.stream.layout, {}
  local every = M.touched_every(layout)
  if not use.fetching.rereads or chain % every > 0 then return '', '' end
  local bundles = math.max(1, use.tile.cols // layout.width)
  local function touch(bundle, second)
    lines[#lines + 1] = ('%s_TOUCH(%s);'):format(env.PREFIX, plus('w',
      { { chain, N .. '_STEP' }, { bundle, N .. '_BUNDLE' }, { second, N .. '_SECOND' } }))
  end
  if halves_of_lines(use) then
    local half = use.halves.bundles > 0 and bundles // 2 or bundles
    for bundle = 0, half - 1 do touch(bundle, 0) end
    local first = table.concat(lines, '\n')
    lines = {}
    for bundle = 0, half - 1 do touch(bundle, 1) end
    return (' && k %% %s_EVERY == 0'):format(N), first .. '\n'
      .. texts.under(('if (%s_EVERY > 1)'):format(N), table.concat(lines, '\n'))
  end
  for bundle = 0, bundles - 1 do touch(bundle, 0) end
  return chains == 1 and every > 1 and ' && k % 2 == 0' or '', table.concat(lines, '\n')
end

---@param env table
---@param use TileUse
---@param k TileK
---@return TileFetching
function M.of(env, use, k)
  local given, abreast = use.fetching, use.abreast
  local columns, count = use.tile.cols, 1
  if abreast then columns, count = abreast.columns, abreast.fetched end
  local bundles = math.max(1, columns // use.s.stage.stream.layout.width)
  local spread = spread_of(use, k.line)
  if spread then
    spread.text = spread_text(env, use, spread)
    spread = record.strict('spread of fetching', spread)
  end
  local function text(rows_too) return fetch_text(env, use, rows_too, spread) end
  return record.strict('fetching of a tile', {
    advances = given.advances or false, chooses = given.chooses or false,
    abreast = abreast ~= nil, rows = given.rows or false,
    lines = fetch_lines(env, use, env.PREFIX .. '_FETCH(%s);', bundles, count),
    count = count, spread = spread or false,
    turn = turn_text(env, use, k), text = text,
    ahead = function(chain, rows_too)
      if not given.chooses then return text(rows_too) end
      local when, lines_again = reread_text(env, use, chain, k.chains)
      return env.render('before_k.c.tpl', {
        fetched = text(rows_too), when = when, lines_again = lines_again,
      })
    end,
  })
end

return M
