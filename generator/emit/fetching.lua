--- What a tile fetches ahead, in C: the text of one k, and of some at a time.
local addresses = require 'emit.addresses'
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
---@field turn string      C: where the loop over k stops, to fetch from somewhere else
---@field text fun(rows_too: boolean|nil): string
---@field ahead fun(chain: integer, rows_too: boolean|nil): string  as CPUs do, before one k

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

--- So many cache lines of each bundle behind `next`, each fetched as `how` says: line by line where
--- a bundle has several, else bundle by bundle.
---@return string C
local function fetch_lines(env, use, how, bundles, lines)
  local bundle_unit, line_unit = env.NAME(use.s) .. '_BUNDLE', tostring(weight_layout.alignment)
  local function of_bundle(bundle)
    return turns(env, lines, 'line', function(line)
      return how:format(plus('next', { times(bundle, bundle_unit), times(line, line_unit) }))
    end)
  end
  if lines <= most_written_out then return turns(env, bundles, 'bundle', of_bundle) end
  local each = {}
  for bundle = 0, bundles - 1 do each[#each + 1] = of_bundle(bundle) end
  return table.concat(each, '\n')
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

--- One k's part of fetching ahead: each cache line that a tile reads of it, and one of the rows
--- that come next where these are wanted.
---@param use TileUse
local function fetch_text(env, use, rows_too)
  local given, tile = use.fetching, use.tile
  local word = env.PREFIX .. '_FETCH'
  if given.from == 'kept' then
    return ('%s(sum + k / 8 * stride + k %% 8 * %d);'):format(word, tile.cols // 8)
  end
  local layout = use.s.stage.stream.layout
  local count = weight_layout.cache_lines(layout.step)
  local bundles = given.from and math.max(1, tile.cols // layout.width) or 0
  local function all(how)
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
  if not given.far then
    lines[#lines + 1] = all(word .. '(%s);')
  elseif layout.group > 1 then -- asked once for all of them
    lines[#lines + 1] = ('if (fetches == %s_FETCHES_FAR) {\n%s\n} else {\n%s\n}'):format(
      env.PREFIX, all(word .. '_FAR(%s);'), all(word .. '(%s);'))
  else
    lines[#lines + 1] = all(env.prefix .. '_fetch_as(fetches, %s);')
  end
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
  local function text(rows_too) return fetch_text(env, use, rows_too) end
  return record.strict('fetching of a tile', {
    advances = given.advances or false, chooses = given.chooses or false,
    abreast = abreast ~= nil, rows = given.rows or false,
    lines = fetch_lines(env, use, env.PREFIX .. '_FETCH(%s);', bundles, count),
    count = count,
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
