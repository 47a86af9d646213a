--- Many rows over weights that are decoded once for all of them: a k block of a strip goes
--- into scratch, in f32, and tiles of the f32 kernel pass over it; or in bytes, with what groups
--- hold, for tiles that multiply these.
local chunks = require 'emit.chunk'
local comments = require 'emit.comments'
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local k_blocks = require 'emit.k_blocks'
local line_macros = require 'emit.line_macros'
local lists = require 'common.list'
local matrix = require 'emit.matrix'
local opened = require 'weights.opened'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local shapes = require 'emit.shapes'
local summings = require 'emit.summing'
local texts = require 'common.text'
local tile_text = require 'emit.tile'
local vector = require 'emit.vector'
local weight_layout = require 'weights.layout'

local M = {}

local lanes = weight_layout.lanes

--- Names in C that those of a format's planes and states keep away from.
local taken_names = {
  'at', 'block', 'c', 'cols', 'column', 'count', 'end', 'first', 'head', 'k', 'lane',
  'scratch', 'stop', 'task', 'to', 'w', 'weights',
}

---@class ScratchPanel  the loops that decode a block of a bundle
---@field lanes integer  side by side in a line, in both places
---@field step integer   of these are decoded at a time
---@field head string    C: the declaration of where the head of the panel is; ''
---@field loops string

--- Where a line of opened weights lies in scratch for k of the block, in C, in bytes.
---@param placed PlacedGroup  of these
---@param plane string
---@param k string
local function opened_at(placed, plane, k)
  local terms = { ('%s / %d * %d'):format(k, placed.parts[1].k, placed.bytes) }
  for depth, part in ipairs(placed.parts) do
    if depth > 1 then
      terms[#terms + 1] = ('%s %% %d / %d * %d + %d'):format(k, placed.parts[depth - 1].k, part.k,
        part.bytes, part.at)
    end
    for _, line in ipairs(part.lines) do
      if line.line.plane == plane then
        terms[#terms + 1] = tostring(line.at)
        return table.concat(terms, ' + ')
      end
    end
  end
end

--- The loops that open so many vectors of a block into bytes.
---@param s StagePlan
---@param v table
---@param placed PlacedGroup
---@param places GroupAddress[]
---@return string
local function opening_loops(env, s, v, placed, places)
  local format, members = s.stage.stream.format, s.stage.stream.layout.members
  local target = s.scratch.plan.stage.stream.format
  local to = groups.place(target, function(line) return members * line.bytes end)
  local shared, part = opened.held(target.products)
  local states, heads = decoding.open_heads(v, format, placed, places, 'bytes')
  local open, last = summings.opener(s.stage, v), #placed.parts
  local function store(n, plane, k, code, is_float)
    local at = ('(%s *)(void *)((char *)to + %s) + %s'):format(is_float and 'float' or 'uint32_t',
      opened_at(to, plane, k), tile_text.plus('lane', { { (n - 1) * env.isa.lanes, '' } }))
    return env.word(is_float and 'store' or 'store_u32', at, code) .. ';'
  end
  local loops = decoding.ascend_groups(v, format, placed, {
    pointer = 'w', phase = ('first %% %s_GROUP'):format(env.NAME(s)), count = 'count',
    step = env.NAME(s) .. '_STEP', places = places, grain = format.group, line = format.step.k,
    states = states, takes = 'bytes', begin = '', often = '',
    unroll = format.step.by_index and env.isa.lanes > 1 and env.PREFIX .. '_UNROLL' or '',
    groups = {
      open = function(held)
        local text = {}
        for n in ipairs(places) do
          for _, name in ipairs(lists.append(lists.append({}, shared), part)) do
            local node = held[n][name]
            text[#text + 1] = store(n, name, 'k', node.text or node.code, node.kind == 'f')
          end
        end
        return table.concat(text, '\n')
      end,
      close = function() return '' end,
    },
  }, function(held)
    local text = {}
    for i = 0, format.step.k - 1, s.stage.arithmetic.k do
      for n, place in ipairs(places) do
        local lines, code = open(decoding.lines_at(v, placed, last, place), held[n], i,
          decoding.index_of(last))
        lists.append(text, lines)
        text[#text + 1] = store(n, 'bytes', i > 0 and ('(k + %d)'):format(i) or 'k', code, false)
      end
    end
    return table.concat(text, '\n')
  end)
  return ('{\n%s\nsize_t k = 0;\n%s\n}\n'):format(table.concat(heads, '\n'), loops)
end

--- The loops that decode so many vectors of a block.
---@param s StagePlan
---@return ScratchPanel
local function panel_of(env, s)
  local stream, N, v = s.stage.stream, env.NAME(s), vector.builder(env.isa)
  local format, layout, vectors = stream.format, stream.layout, s.scratch.vectors
  local members, width = layout.members, env.isa.lanes
  local placed = groups.place(format, function(line) return members * line.bytes end)
  local step = N .. '_STEP'
  for _, name in ipairs(taken_names) do v.argument(name) end
  local places, named = {}, #format.levels > 0 and line_macros.use(env, format) or nil
  for n = 0, vectors - 1 do
    places[n + 1] = { group = 'w', head = 'head', named = named, side_by_side = members,
      lane = tile_text.plus('lane', { { n * width, '' } }) }
  end
  local loops = s.stage.arithmetic.takes == 'bytes' and opening_loops(env, s, v, placed, places)
    or decoding.ascend(v, format, placed, {
      pointer = 'w', phase = ('first %% %s_GROUP'):format(N), count = 'count', step = step,
      places = places,
    }, function(n, value, i)
      local at = i > 0 and ('(k + %d)'):format(i) or 'k'
      return env.word('store', tile_text.plus(('to + %s * %d + lane'):format(at, members * lanes),
        { { (n - 1) * width, '' } }), value) .. ';'
    end)
  return record.strict('panel in scratch', {
    lanes = members * lanes, step = vectors * width, loops = texts.indented(loops),
    head = format.head and ('const char *const head = weights - (%s + %d);'):format(
      env.group_at(s, N, 'first'), members * layout.placed.head_bytes) or '',
  })
end

--- What decodes a block of some columns.
---@param s StagePlan
---@return Draft
local function open_draft(env, s, fn)
  local make, items = parameters.parameter, {}
  items[1] = make(('const %s *'):format(env.task), 'task')
  lists.append(items, { make('size_t ', 'column'), make('size_t ', 'cols') })
  if s.stage.sum.blocks > 1 then items[#items + 1] = make('size_t ', 'block') end
  return shapes.draft {
    name = fn .. '_scratch_open', linkage = 'noinline', parameters = items,
    uses = { fn .. '_weights' }, shape = 'open_scratch', about = comments.scratch(s, env.isa),
    text = env.render('scratch_open.c.tpl', {
      fn = fn, N = env.NAME(s), panel = panel_of(env, s),
      first = k_blocks.first(env, s, 0), count = k_blocks.length(env, s),
    }),
  }
end

--- What goes over a chunk of columns of many rows.
---@param walk WalkText
---@param items FunctionParameter[]
---@param is_general boolean
local function chunk_text(env, s, walk, items, is_general)
  local many, N, fn = s.scratch.plan, env.NAME(s), env.fn(s)
  local name = env.fn(many)
  return env.render('scratch_chunk.c.tpl', {
    fn = fn, N = N, S = env.NAME(many), s = s, walk = walk, matrix = matrix.around(env, many),
    block = function()
      return env.render('scratch_block.c.tpl', {
        fn = fn, name = name, N = N, s = s, walk = walk,
        block = record.strict('block of weights', {
          first = function(ahead) return k_blocks.first(env, s, ahead) end,
          bytes = ('(%s) * %s_STEP'):format(k_blocks.groups(env, s, is_general), N),
        }),
        arguments = table.concat(parameters.arguments(items), ', '),
      })
    end,
  })
end

--- The functions of a stage that goes through scratch, but for its tiles and the loop over columns.
---@param env table
---@param s StagePlan
---@param over table  its walk and what its tiles take: walk, items
---@return Draft[]
function M.drafts(env, s, over)
  local fn, many = env.fn(s), s.scratch.plan
  return {
    open_draft(env, s, fn),
    chunks.draft(env, s, {
      walked = many, shape = 'walk_scratch_chunk', about = comments.scratch_chunk,
      items = over.items, open = env.fn(many) .. '_open',
      uses = { fn .. '_weights', many.tiles[1].matrix and 'matrix' or nil },
      text = function(is_general)
        return chunk_text(env, s, over.walk(is_general), over.items, is_general)
      end,
    }),
  }
end

return M
