--- Packed weights as C: levels are opened and steps decoded in the words of an instruction set, by
--- what a format says of its lines (weights/format.lua).
local gaps = require 'emit.gaps'
local groups = require 'weights.group'
local line_macros = require 'emit.line_macros'
local lists = require 'common.list'
local record = require 'common.record'
local texts = require 'common.text'
local vector = require 'emit.vector'
local formats = require 'weights.format'

local M = {}

--- What a format sees of the lines of a part: each by its plane, read where it is first used.
---@param lines PlacedLine[]
---@param read fun(line: PlacedLine): Node
---@return Planes
local function planes_of(lines, read)
  local by_plane = {}
  for _, line in ipairs(lines) do by_plane[line.line.plane] = line end
  return setmetatable({}, { __index = function(t, plane)
    local line = by_plane[plane]
    if not line then error(('no line of this level has the plane "%s"'):format(plane), 2) end
    local node = read(line)
    rawset(t, plane, node)
    return node
  end, __newindex = function() error('lines are not written', 2) end })
end

--- Complains of a format that holds something else than it says, which plans count on: what its
--- steps are read with. What outer levels hold beside is read again for each inner group.
---@param held string[]  C names
local function check_registers(format, takes, held)
  local is, said = #lists.unique(held), format.registers
  if takes == 'bytes' then said = format.products.registers end
  if is ~= said then
    error(('weights/%s.lua: %s() holds %d vectors, registers says %d'):format(format.name,
      takes == 'bytes' and 'open' or 'ready', is, said), 0)
  end
end

--- Opens a group of a level, 0 being the head: what it holds for a vector of outputs, each with a
--- name in C; of the innermost what its values are read with.
---@param v table
---@param format Format
---@param depth integer
---@param lines Planes
---@param outer State   of the next outer level
---@param takes string  of the arithmetic: its bytes are read with what is there before that
---@return State
function M.open(v, format, depth, lines, outer, takes)
  local level, innermost = format.levels[depth] or format.head, depth == #format.levels
  local state, of_values = level.open(v, lines, outer, M.index_of(depth))
  if takes == 'value' then
    state = of_values or state
    if innermost then state = format.ready(v, state) end
  end
  local held = lists.map(record.sorted_keys(state), function(name)
    return v.let(name, state[name]).text
  end)
  if innermost then check_registers(format, takes, held) end
  return state
end

--- The weights of a format whose weights stand by themselves, as an expression.
local function expression(v, format, read)
  local line = format.step.lines[1]
  local node = format.value(v, { [line.plane] = read(v, line.lane) }, {}, 0, 0)
  return node.text or node.code
end

--- How an instruction set loads a vector of them, by it and the format: tiles ask at each vector.
local loads = setmetatable({}, { __mode = 'k' })

--- A vector of them.
---@param isa table
---@param format Format
---@param address string
---@return string
function M.expression(isa, format, address)
  local of_isa = loads[isa] or {}
  loads[isa] = of_isa
  of_isa[format] = of_isa[format] or gaps.cut(expression(vector.builder(isa, nil, true), format,
    function(v, lane) return v.load(lane, gaps.mark 'address') end))
  return gaps.filled(of_isa[format], function() return address end)
end

--- The float that `stored` means, the lane of such a format, as an expression.
---@param isa table    that of portable C
---@param format Format
---@param stored string
---@return string
function M.meaning(isa, format, stored)
  return expression(vector.builder(isa, nil, true), format, function(v, lane)
    if lane == 'f16' then return v.load(lane, '&' .. stored) end
    return lane == 'f32' and v.given('f', stored) or v.given('i', '(int32_t)' .. stored)
  end)
end

--- The name in C of the index of a group or step of part `depth`; the outermost group has none.
function M.index_of(depth) return depth > 1 and 'i' .. depth or 0 end

--- A C pointer to where the lane of a line of part `depth` lies (0: of the head).
function M.pointer(placed, depth, line, from)
  local lane = from.lane == '0' and '' or ' + ' .. from.lane
  local index_of = from.index_of or M.index_of
  if from.named and depth > 0 then
    local arguments = { from.bundle and ('%s + %s'):format(from.group, from.bundle) or from.group,
      from.side_by_side }
    for d = 2, depth do arguments[#arguments + 1] = index_of(d) end
    return ('%s(%s)%s'):format(line_macros.name(from.named, line), table.concat(arguments, ', '),
      lane)
  end
  local at, terms = line.at, {}
  for d = 2, depth do
    at = at + placed.parts[d].at
    terms[#terms + 1] = (' + %d * %s'):format(placed.parts[d].bytes, index_of(d))
  end
  local base, offset = depth > 0 and from.group or from.head, at .. table.concat(terms)
  if from.members and offset ~= '0' then
    offset = (#terms > 0 and '%s * (%s)' or '%s * %s'):format(from.members, offset)
  end
  local parts = { base, from.bundle }
  if offset ~= '0' then parts[#parts + 1] = offset end
  return ('(const %s *)%s%s'):format(formats.lane_types[line.line.lane].c_type,
    #parts > 1 and ('(%s)'):format(table.concat(parts, ' + ')) or base, lane)
end

--- C pointers to the lines of a step, by plane.
---@param placed PlacedGroup
---@param from GroupAddress
---@return table<string, string>
function M.step_pointers(placed, from)
  local last, pointers = #placed.parts, {}
  for _, line in ipairs(placed.parts[last].lines) do
    pointers[line.line.plane] = M.pointer(placed, last, line, from)
  end
  return pointers
end

---@class GroupAddress  C of where a group of weights is read
---@field group string      where it begins, a pointer to char
---@field lane string       the first output, of all that lie side by side
---@field head string|nil   where the head of its panel begins
---@field bundle string|nil how far behind both that of its bundle
---@field members string|nil so many lie side by side, where `placed` is of one
---@field named string|nil   what macros of lines begin with, of a format that has levels
---@field side_by_side integer|nil  how many panels lie side by side, for these
---@field index_of (fun(depth: integer): string)|nil  C of which group of a level, unless it is
--- that of a loop

--- The lines of a part in the words of a builder. Where some are half as long as those of f32, and
--- an odd number of these in front of it, a vector of f32 does not begin at a multiple of its size.
function M.lines_at(v, placed, depth, from)
  -- What a level makes of its lines has their names.
  local is_named, suffix = #placed.parts > 1, depth < #placed.parts and '_line' or ''
  return planes_of(depth > 0 and placed.parts[depth].lines or placed.head, function(line)
    local node = v.load_anywhere(line.line.lane, M.pointer(placed, depth, line, from))
    return is_named and v.let(line.line.plane .. suffix, node) or node
  end)
end

--- Opens the head and the levels of a group, outermost first. `enter` prints what sets the index of
--- a part that is not the outermost: of levels, and last of the step.
---@param v table
---@param format Format
---@param placed PlacedGroup
---@param from GroupAddress
---@param add fun(line: string)
---@param enter fun(depth: integer)
---@return State  what the steps of the innermost group are read with
function M.open_all(v, format, placed, from, add, enter)
  local state = {}
  local function open(depth)
    state = M.open(v, format, depth, M.lines_at(v, placed, depth, from), state, 'value')
    for _, line in ipairs(v.take()) do add(line) end
  end
  if format.head then open(0) end
  for depth = 1, #placed.parts do
    if depth > 1 then enter(depth) end
    if depth < #placed.parts then open(depth) end
  end
  return state
end

--- The statements that decode a group, loops over groups inside of each other; `use` says what
--- becomes of the vector of k i of a step, which begins at `k` of the group: statements.
---@param v table
---@param format Format
---@param placed PlacedGroup
---@param from GroupAddress
---@param use fun(value: string, k: string, i: integer): string
---@return string
function M.group(v, format, placed, from, use)
  local text, k, last = {}, { '0' }, #placed.parts
  local function add(line) text[#text + 1] = line end
  local state = M.open_all(v, format, placed, from, add, function(depth)
    local part, index = placed.parts[depth], M.index_of(depth)
    add(('for (size_t %s = 0; %s < %d; ++%s) {'):format(index, index, part.count, index))
    k[depth - 1] = part.k == 1 and index or ('%d * %s'):format(part.k, index)
  end)
  local lines = M.lines_at(v, placed, last, from)
  for i = 0, placed.parts[last].k - 1 do
    local node = format.value(v, lines, state, i, M.index_of(last))
    for _, line in ipairs(v.take()) do add(line) end
    add(use(node.text or node.code, table.concat(k, ' + '), i))
  end
  add(('}\n'):rep(last - 1))
  return table.concat(text, '\n')
end

--- What is taken of k i of a step: its statements, and its expression.
---@param v table
---@param format Format
---@param placed PlacedGroup
---@param from GroupAddress
---@param state State
---@param i integer
---@param takes string  of the arithmetic: a value, or bytes of this k and the next
---@return string[]
---@return string
function M.taken(v, format, placed, from, state, i, takes)
  local last = #placed.parts
  local lines = planes_of(placed.parts[last].lines, function(line)
    local node = v.load_anywhere(line.line.lane, M.pointer(placed, last, line, from))
    return v.let(line.line.plane, node)
  end)
  local take = takes == 'bytes' and format.products.take or format.value
  local node = take(v, lines, state, i, M.index_of(last))
  return v.take(), node.text or node.code
end

--- Opens the heads of panels that are read side by side.
---@param v table
---@param format Format
---@param placed PlacedGroup
---@param places GroupAddress[]
---@param takes string  as open() has it
---@return State[]
---@return string[]  statements
function M.open_heads(v, format, placed, places, takes)
  local states = lists.map(places, function(place)
    return format.head and M.open(v, format, 0, M.lines_at(v, placed, 0, place), {}, takes) or {}
  end)
  return states, v.take()
end

---@class Ascent  over some k of a panel, or of several side by side
---@field pointer string    C: a variable, the begin of the group that holds the first k
---@field phase string      C: that k's place in its group, a multiple of a line
---@field count string      C: of k; whole lines, or without levels up to the last input
---@field step string       C: bytes from a group to the next
---@field places GroupAddress[] of the vectors of outputs that are read, in terms of the pointer

---@class GroupsAscent: Ascent  of a format that has levels, with what a tile has beside them
---@field grain integer     k of which phase and count are multiples: groups of such are whole
---@field line integer      k that are taken together: of a step or of some
---@field states State[]    of the heads of panels
---@field takes string      of the arithmetic
---@field begin string      what each outermost group begins with; ''
---@field spread FetchingSpread|false|nil  what each turn of a loop in a group begins with
---@field groups TileGroups|nil  what stands around the steps of each innermost one
---@field often string      the macro around what loops over whole groups ask
---@field unroll string     and in front of one over steps; ''
---@field unroll_two string|nil  in front of one over two groups of bytes

--- Whether the groups of a part are gone through from the first to the last.
local function is_whole(part, ascent) return ascent.grain % part.k == 0 end

--- The head of the loop over the groups or lines of a part, in a group of the next outer one that
--- begins at `base`.
---@return string head
---@return string base  of one of them
local function loop_of(placed, depth, ascent, base)
  local part, index, last = placed.parts[depth], M.index_of(depth), depth == #placed.parts
  local by = last and ascent.line // part.k or 1
  local moves = by == 1 and '++' .. index or ('%s += %d'):format(index, by)
  local at = part.k == 1 and index or ('%d * %s'):format(part.k, index)
  local own = base == '0' and at or base .. ' + ' .. at
  -- gcc does better with what looks like a loop than with one that has a single turn.
  local whole = is_whole(placed.parts[depth - 1], ascent)
  if is_whole(placed.parts[1], ascent) or part.count > by and whole then
    local unroll = last and ascent.unroll or part.count == 2 and ascent.unroll_two or ''
    if unroll ~= '' then unroll = unroll .. '\n' end
    return unroll .. ('for (size_t %s = 0; %s(%s < %d); %s) {'):format(index, ascent.often, index,
      part.count, moves), own
  end
  local first = base == '0' and (part.k == 1 and 'at' or 'at / ' .. part.k)
    or ('at > %s ? (at - (%s)) / %d : 0'):format(base, base, part.k)
  local beyond = base == '0' and '' or ('%s < %d && '):format(index, part.count)
  return ('for (size_t %s = %s; %s%s < end; %s) {'):format(index, first, beyond, own, moves), own
end

--- The loops over some k in ascending order, `k` being a C variable that counts them: groups are
--- opened where they are met, the first perhaps within. `use` gives the statements of a line, from
--- the states of all vectors.
---@param v table
---@param format Format
---@param placed PlacedGroup
---@param ascent GroupsAscent
---@param use fun(states: State[]): string
---@return string
function M.ascend_groups(v, format, placed, ascent, use)
  local text, last, states, base = {}, #placed.parts, ascent.states, '0'
  local whole = is_whole(placed.parts[1], ascent)
  local function add(line) text[#text + 1] = line end
  local function open(depth)
    local inner = {}
    for i, place in ipairs(ascent.places) do
      inner[i] = M.open(v, format, depth, M.lines_at(v, placed, depth, place), states[i],
        ascent.takes)
    end
    states = inner
    lists.append(text, v.take())
  end
  if whole then
    add(('for (; k < %s; %s += %s) {'):format(ascent.count, ascent.pointer, ascent.step))
  else
    add(('for (size_t at = %s, stop = at + %s; at < stop; at = 0, %s += %s) {'):format(
      ascent.phase, ascent.count, ascent.pointer, ascent.step))
    add(('const size_t end = stop < %d ? stop : %d;'):format(placed.parts[1].k, placed.parts[1].k))
  end
  add(ascent.begin)
  open(1)
  for depth = 2, last do
    local head
    if depth == last and ascent.groups then add(ascent.groups.open(states)) end
    head, base = loop_of(placed, depth, ascent, base)
    add(head)
    if ascent.spread and ascent.spread.depth == depth then add(ascent.spread.text) end
    if depth < last then open(depth) end
  end
  add(use(states))
  if ascent.groups and ascent.groups.narrow then
    local part = placed.parts[last]
    add(('if ((%s + %d) %% %d == 0) {\n%s\n}'):format(M.index_of(last), ascent.line // part.k,
      ascent.groups.narrow // part.k, ascent.groups.fold()))
  end
  add(('k += %d;\n}'):format(ascent.line))
  if ascent.groups then add(ascent.groups.close(states)) end
  add(('}\n'):rep(last - 2))
  if not whole then add('stop -= end;') end
  add('}')
  return texts.indented(table.concat(text, '\n'))
end

--- The loops over k of a format that has levels.
local function ascend_levels(v, format, placed, ascent, use)
  local last = #placed.parts
  local states, heads = M.open_heads(v, format, placed, ascent.places, 'value')
  return ('%s\nsize_t k = 0;\n%s'):format(table.concat(heads, '\n'),
    M.ascend_groups(v, format, placed, {
      pointer = ascent.pointer, phase = ascent.phase, count = ascent.count, step = ascent.step,
      places = ascent.places, grain = placed.parts[last].k, line = placed.parts[last].k,
      states = states, takes = 'value', begin = '', often = '', unroll = '',
    }, function(inner)
      local text, lines = {}, lists.map(ascent.places, function(place)
        return M.lines_at(v, placed, last, place)
      end)
      for i = 0, placed.parts[last].k - 1 do
        for n in ipairs(ascent.places) do
          local node = format.value(v, lines[n], inner[n], i, M.index_of(last))
          lists.append(text, v.take())
          text[#text + 1] = use(n, node.text or node.code, i)
        end
      end
      return table.concat(text, '\n')
    end))
end

--- The loops over k of a format that has none. The last inputs may be less than a step: what lies
--- beyond is not used.
local function ascend_steps(v, format, placed, ascent, use)
  local text, step = {}, format.step.k
  local states, heads = M.open_heads(v, format, placed, ascent.places, 'value')
  local function take() for _, line in ipairs(v.take()) do text[#text + 1] = line end end
  local function values(most, guard)
    local lines = lists.map(ascent.places, function(place)
      return M.lines_at(v, placed, 1, place)
    end)
    for i = 0, most - 1 do
      if guard and i > 0 then text[#text + 1] = ('if (k + %d < %s) {'):format(i, ascent.count) end
      for n in ipairs(ascent.places) do
        local node = format.value(v, lines[n], states[n], i, 0)
        take()
        text[#text + 1] = use(n, node.text or node.code, i)
      end
    end
    text[#text + 1] = ('}\n'):rep(guard and most or 1)
  end
  lists.append(text, heads)
  text[#text + 1] = ('size_t k = 0;\nfor (; k + %d <= %s; k += %d, %s += %s) {'):format(step,
    ascent.count, step, ascent.pointer, ascent.step)
  values(step)
  if step > 1 then
    text[#text + 1] = ('if (k < %s) {'):format(ascent.count)
    values(step - 1, true)
  end
  return table.concat(text, '\n')
end

--- The loops over some k of a panel in ascending order, in a scope of their own: groups are opened
--- where they are met, the first perhaps within. `use` says what becomes of vector n at k i of a
--- step, which is k + i of those that are gone through, `k` being a C variable: statements.
---@param v table
---@param format Format
---@param placed PlacedGroup
---@param ascent Ascent
---@param use fun(n: integer, value: string, i: integer): string
---@return string
function M.ascend(v, format, placed, ascent, use)
  local over = #format.levels > 0 and ascend_levels or ascend_steps
  return ('{\n%s}\n'):format(over(v, format, placed, ascent, use))
end

--- The words that weights of a format are read with.
---@param isa table
---@param format Format
---@param takes string  of the arithmetic
---@return table<string, boolean>
function M.words(isa, format, takes)
  local v, nowhere = vector.builder(isa), { group = '', lane = '', head = '' }
  local placed = groups.place(format)
  if takes == 'value' then
    M.group(v, format, placed, nowhere, function() return '' end)
    return v.words()
  end
  local states, last = M.open_heads(v, format, placed, { nowhere }, takes), #placed.parts
  for depth = 1, #format.levels do
    states = { M.open(v, format, depth, M.lines_at(v, placed, depth, nowhere), states[1], takes) }
  end
  format.products.take(v, M.lines_at(v, placed, last, nowhere), states[1], 0, M.index_of(last))
  return v.words()
end

return M
