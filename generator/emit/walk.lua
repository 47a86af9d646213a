--- How a stage walks over its weights: chunks of columns, k blocks, rows; all inputs, or those
--- that are not zero; panels abreast.
local chunks = require 'emit.chunk'
local comments = require 'emit.comments'
local grouped = require 'emit.grouped'
local k_blocks = require 'emit.k_blocks'
local lists = require 'common.list'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local scratch = require 'emit.scratch'
local shapes = require 'emit.shapes'
local tile_functions = require 'emit.tile_functions'
local weight_layout = require 'weights.layout'

local M = {}

local lanes = weight_layout.lanes

---@class WalkText
---@field lane string     an argument of its tiles, where they take one; ''
---@field input string    the declaration of `a`, which points to a row's part of a block
---@field sum_at string   C: where the sums of a tile are, of a row and a column of the chunk
---@field sums_at string  C: those of a column of all rows
---@field while_text fun(tiles: Tile[], i: integer): string  the head of the loop over the columns
--- that a tile takes, one strip after the other; the last takes what is left
---@field most_rows fun(tile: Tile): string  that it takes, in C

---@class WalkFetching  how weights are fetched ahead, in C
---@field ahead string          how many bytes
---@field level string          the cache that they are fetched into
---@field l2_ahead string|false  and how many of them into the second-level cache, too
---@field twice string|false    whether rows read lines twice where nothing is fetched
---@field chooses boolean       tiles fetch in several ways
---@field step string           bytes from a k or group of a column's bundle to the next
---@field distance string       C: how many of these are as many bytes, of all bundles of a tile
---@field unit 'groups'|'k'     what is counted

---@class Visit  of some k of panels abreast, in C
---@field count string   k of the block under way
---@field k string       the first one, of all of a panel
---@field row_at string  where a row's part of the block lies
---@field lane string    an argument of the tile, where it takes one; ''
---@field first string   another one
---@field adds string    whether sums are added to those of earlier blocks

--- Bytes that the weights of a walk are fetched ahead, in C.
local function ahead_text(s, N)
  if s.ahead.by_cpu then
    return ' task->rows <= task->choices->few_rows ? task->choices->few_ahead : '
      .. 'task->choices->fetch_ahead'
  elseif s.ahead.own.few_ahead == s.ahead.own.fetch_ahead then
    return (' %s_AHEAD'):format(N)
  end
  return (' task->rows <= %s_FEW_ROWS ? %s_FEW_AHEAD : %s_AHEAD'):format(N, N, N)
end

--- The cache that they are fetched into, in C.
local function level_text(s)
  if not s.far then return '1' end
  return s.ahead.by_cpu and 'task->choices->fetch_level' or tostring(s.ahead.own.fetch_level)
end

--- How many bytes they are fetched ahead into the second-level cache as well, in C.
local function l2_ahead_text(s, N)
  if not s.both then return false end
  if s.ahead.by_cpu then
    return 'task->rows <= task->choices->few_rows ? task->choices->few_l2_ahead : 0'
  end
  return ('task->rows <= %s_FEW_ROWS ? %s_FEW_L2_AHEAD : 0'):format(N, N)
end

--- Whether rows read lines twice where nothing is fetched, in C.
local function twice_text(s)
  return 'task->rows == 1' .. (s.ahead.by_cpu and ' && task->choices->reread' or '')
end

--- Where a row's part of a block lies in the operand, of so many numbers or bytes each, in C.
local function row_at(s, size)
  return s.stage.sum.blocks > 1 and ('(block * task->rows + row) * %s'):format(size)
    or ('row * %s'):format(size)
end

--- The declaration of `a`, which points there.
local function input_text(s, N)
  if operands.is_plain(s.stage.operand.format) then
    return 'const float *a = task->in + ' .. row_at(s, N .. '_ROW')
  end
  return 'const char *a = (const char *)task->in + ' .. row_at(s, N .. '_BLOCK_BYTES')
end

--- The head of the loop over the columns that a tile takes.
local function while_text(s, tiles, i)
  local tile, after, layout = tiles[i], tiles[i + 1], s.stage.stream.layout
  if not after then return 'while (column < task->last)' end
  local rows = tile.serves_all and '' or ('task->rows <= %d && '):format(tile.rows)
  local panels = tile.cols // lanes
  if tile.streams and s.streams and panels > s.streams then
    rows = ('%stask->choices->streams >= %d && '):format(rows, panels)
  end
  if tile.fetched and s.ahead.by_cpu then rows = rows .. 'task->choices->few_ahead > 0 && ' end
  return ('while (%stask->last - column >= %d)'):format(rows, math.max(tile.cols, layout.width))
end

---@param s StagePlan
---@return WalkText
---@param is_general boolean|nil  with the number of branches as a size
local function walk_of(env, s, is_general)
  local branches = #s.stage.stream.branches
  local times = is_general and env.NAME(s) .. '_BRANCHES * '
    or branches > 1 and branches .. ' * '
  return record.strict('walk of a stage', {
    lane = tile_functions.takes_lane(s) and 'lane, ' or '',
    input = input_text(s, env.NAME(s)),
    sum_at = times and times .. '(c * task->rows + row * cols)'
      or 'c * task->rows + row * cols',
    sums_at = (times or '') .. 'c * task->rows',
    while_text = function(tiles, i) return while_text(s, tiles, i) end,
    most_rows = function(tile)
      local wide = tile.rows > 1 and tile.wide ~= 'never'
      return (wide and env.PREFIX .. '_TILE_ROWS(%d)' or '%d'):format(tile.rows)
    end,
  })
end

---@param s StagePlan
---@return WalkFetching|false
local function fetching_of(env, s)
  if not s.ahead then return false end
  local N, unit = env.NAME(s), s.stage.stream.layout.group > 1 and 'groups' or 'k'
  local distance = ('ahead / (strip / %s_WIDTH * %s_STEP)'):format(N, N)
  return record.strict('fetching of a walk', {
    ahead = ahead_text(s, N), level = level_text(s), l2_ahead = l2_ahead_text(s, N),
    twice = s.rereads and twice_text(s),
    chooses = tile_functions.chooses(s),
    step = N .. '_STEP', unit = unit,
    distance = unit == 'groups' and ('%s_max(1, %s)'):format(env.prefix, distance) or distance,
  })
end

---@param s StagePlan
---@return Visit
local function visit_of(env, s)
  local sum, N = s.stage.sum, env.NAME(s)
  local k = sum.blocks > 1 and ('block * %s_BLOCK + k'):format(N) or 'k'
  return record.strict('visit of panels abreast', {
    count = k_blocks.length(env, s), k = k, row_at = row_at(s, N .. '_ROW'),
    lane = s.abreast.visited < lanes and 'c, ' or '',
    first = grouped.takes_first(s) and k .. ', ' or '',
    adds = sum.blocks > 1 and 'sum == task->sum && block > 0' or '0',
  })
end

--- A few rows over panels abreast.
---@param s StagePlan
---@return string
local function abreast_text(env, s, fn)
  local N, visit = env.NAME(s), visit_of(env, s)
  return env.render('abreast.c.tpl', {
    fn = fn, s = s, N = N,
    block = function()
      return env.render('abreast_block.c.tpl', { fn = fn, s = s, N = N, visit = visit })
    end,
  })
end

--- The function that goes over a chunk of columns.
---@param items FunctionParameter[]
---@param is_general boolean
local function chunk_text(env, s, items, is_general)
  local N, fn, fetching = env.NAME(s), env.fn(s), fetching_of(env, s)
  local walk = walk_of(env, s, is_general)
  local block = record.strict('block of a walk', {
    groups = k_blocks.groups(env, s, is_general),
    first = function(ahead) return k_blocks.first(env, s, ahead) end,
    bundle = fetching and fetching.unit == 'groups' and s.stage.sum.blocks > 1
      and ('((%s_INPUTS + %d) / %d)'):format(N, s.stage.stream.layout.group - 1,
        s.stage.stream.layout.group) or '',
  })
  return env.render('chunk.c.tpl', {
    fn = fn, s = s, N = N, walk = walk, fetching = fetching,
    strips = function()
      return env.render('strips.c.tpl', {
        fn = fn, s = s, N = N, walk = walk, fetching = fetching, block = block,
        arguments = table.concat(parameters.arguments(items), ', '),
      })
    end,
  })
end

--- The functions of the tiles of a form.
---@param tiles Tile[]
local function tile_names(fn, form, tiles)
  return lists.map(tiles, function(tile) return ('%s_%s_%d'):format(fn, form, tile.cols) end)
end

--- The task, as a function takes it.
local function task_of(env) return parameters.parameter(('const %s *'):format(env.task), 'task') end

--- What goes over columns where few inputs are not zero.
---@param walk WalkText
---@return Draft
local function nonzero_columns(env, s, walk)
  local fn = env.fn(s)
  return shapes.draft {
    name = fn .. '_nonzero_columns', about = comments.nonzero_columns,
    parameters = { task_of(env), parameters.parameter('size_t ', 'listed') },
    uses = lists.append({ fn .. '_weights', fn .. '_finish' },
      tile_names(fn, 'nonzero', s.sparse.tiles)),
    text = env.render('nonzero.c.tpl', {
      fn = fn, s = s, N = env.NAME(s), walk = walk,
      sums = chunks.tile_parameter(tile_functions.parameters(env, s, 'nonzero')),
    }),
  }
end

--- What goes over all columns.
---@param walk WalkText
---@return Draft
local function all_columns(env, s, walk)
  local fn, many = env.fn(s), s.scratch and s.scratch.plan
  local uses = lists.append({ fn .. '_chunk' }, tile_names(fn, 'sums', s.tiles))
  if s.abreast then uses[#uses + 1] = fn .. '_abreast' end
  if many then
    uses[#uses + 1] = fn .. '_scratch_chunk'
    lists.append(uses, tile_names(env.fn(many), 'sums', many.tiles))
  end
  return shapes.draft {
    name = fn .. '_columns', parameters = { task_of(env) }, uses = uses,
    about = comments.columns,
    text = env.render('columns.c.tpl', {
      fn = fn, s = s, N = env.NAME(s), walk = walk, many = many and walk_of(env, many),
    }),
  }
end

--- What tells where weights lie.
---@return Draft
local function weights_draft(env, s)
  local size = parameters.parameter
  return shapes.draft {
    name = env.fn(s) .. '_weights', linkage = 'inline', returns = 'const char *',
    parameters = { task_of(env), size('size_t ', 'column'), size('size_t ', 'k') },
    about = comments.weights(s), shape = 'weights_at', small = true,
    text = env.render('weights.c.tpl', { s = s, N = env.NAME(s) }),
  }
end

--- The functions of a stage's walks, in the order of their definition.
---@param env table
---@param s StagePlan
---@return Draft[]
function M.drafts(env, s)
  local fn, walk, many = env.fn(s), walk_of(env, s), s.scratch and s.scratch.plan
  local drafts, weights = { weights_draft(env, s) }, fn .. '_weights'
  if s.abreast then
    local tile = ('%s_abreast_%d'):format(fn, s.abreast.tile.cols)
    drafts[#drafts + 1] = shapes.draft {
      name = fn .. '_abreast', linkage = 'inline', about = comments.abreast(s),
      parameters = { task_of(env), parameters.parameter('size_t ', 'column') },
      uses = { weights, fn .. '_finish', tile }, shape = 'walk_abreast', thin = true,
      takes = { chunks.finish(env, s),
        { name = tile, parameter = chunks.tile(tile_functions.abreast_parameters(s)) } },
      text = abreast_text(env, s, fn),
    }
  end
  if s.sparse then drafts[#drafts + 1] = nonzero_columns(env, s, walk) end
  if many then
    lists.append(drafts, scratch.drafts(env, s, record.strict('walk over scratch', {
      walk = function(is_general) return walk_of(env, many, is_general) end,
      items = tile_functions.parameters(env, many, 'sums'),
    })))
  end
  local items = tile_functions.parameters(env, s, 'sums')
  drafts[#drafts + 1] = chunks.draft(env, s, {
    walked = s, shape = 'walk_chunk', about = comments.chunk, items = items, uses = { weights },
    text = function(is_general) return chunk_text(env, s, items, is_general) end,
  })
  drafts[#drafts + 1] = all_columns(env, s, walk)
  return drafts
end

return M
