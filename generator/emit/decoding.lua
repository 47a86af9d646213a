--- Packed weights as C: levels are opened and steps decoded in the words of an instruction set, by
--- what a format says of its lines (weights/format.lua).
local groups = require 'weights.group'
local record = require 'common.record'
local vector = require 'emit.vector'
local formats = require 'weights.format'

local M = {}

--- What a format sees of the lines of a part: each by its plane, read where it is first used.
---@param lines PlacedLine[]
---@param read fun(line: PlacedLine): Node
---@return Planes
function M.lines(lines, read)
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

--- Opens a group of a level: what it holds for a vector of outputs, each with a name in C.
---@param v table
---@param level Level
---@param lines table        of the level
---@param outer table        what the next outer level holds
---@param index Index        of the group in that one's
---@return table<string, Node>
function M.open(v, level, lines, outer, index)
  local state = level.open(v, lines, outer, index)
  for _, name in ipairs(record.sorted_keys(state)) do v.let(name, state[name]) end
  return state
end

--- The weights of a format whose weights stand by themselves, as an expression.
local function expression(v, format, read)
  local line = format.step.lines[1]
  local node = format.value(v, { [line.plane] = read(v, line.lane) }, {}, 0, 0)
  return node.text or node.code
end

--- A vector of them.
---@param isa table
---@param format Format
---@param address string
---@return string
function M.expression(isa, format, address)
  return expression(vector.builder(isa, nil, true), format, function(v, lane)
    return v.load(lane, address)
  end)
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

--- What sets a lane of such a format.
---@param format Format
---@param lane string   C, a place
---@param weight string
---@return string
function M.storing(format, lane, weight)
  return format.pack {
    lane = function() return lane end, weight = function() return weight end,
  }
end

--- The words that weights of a format are read with.
---@param isa table
---@param format Format
---@return table<string, boolean>
function M.words(isa, format)
  local v, nowhere = vector.builder(isa), { group = '', lane = '', head = '' }
  M.group(v, format, groups.place(format), nowhere, function() return '' end)
  return v.words()
end

--- Behind the begin of a group: where a line of part `depth` lies, by the names of indices.
local function offset(parts, depth, line, index)
  local at, terms = line.at, {}
  for d = 2, depth do
    at = at + parts[d].at
    terms[#terms + 1] = (' + %d * %s'):format(parts[d].bytes, index(d))
  end
  return at .. table.concat(terms)
end

--- A C pointer to a lane of a line.
local function pointer(group, line, at, lane, const)
  local type = formats.lane_types[line.line.lane].c_type
  return ('(%s%s *)(%s + %s) + %s'):format(const or 'const ', type, group, at, lane)
end

---@class Reading  of a group of weights
---@field group string   C: where it begins, a pointer to char
---@field lane string    C: the first output
---@field head string|nil C: where the head of its panel begins
---@field first string|nil C: index of the step of all that is decoded, where it is one alone

--- The statements that decode a group, loops over groups inside of each other; `use` says what
--- becomes of the vector of k i of a step, which begins at `k` of the group: statements.
---@param v table
---@param format Format
---@param parts Part[]
---@param from Reading
---@param use fun(value: string, k: string, i: integer): string
---@return string
function M.group(v, format, parts, from, use)
  local function index(d) return 'i' .. d end
  local function lines_of(depth, of)
    return M.lines(of.lines, function(line)
      local at = offset(parts, depth, line, index)
      return v.load(line.line.lane, pointer(from.group, line, at, from.lane))
    end)
  end
  local text, k = {}, {}
  local function take() for _, line in ipairs(v.take()) do text[#text + 1] = line end end
  local state = {}
  if format.head then
    local placed = groups.place_head(format)
    state = M.open(v, format.head, M.lines(placed, function(line)
      return v.load(line.line.lane, pointer(from.head, line, line.at, from.lane))
    end), {}, 0)
    take()
  end
  for depth, part in ipairs(parts) do
    if depth > 1 then
      text[#text + 1] = ('for (size_t i%d = 0; i%d < %d; ++i%d) {'):format(depth, depth,
        part.count, depth)
      k[#k + 1] = ('%d * i%d'):format(part.k, depth)
    end
    local at, lines = depth > 1 and index(depth) or 0, lines_of(depth, part)
    if depth < #parts then
      state = M.open(v, format.levels[depth], lines, state, at)
      take()
    else
      for i = 0, part.k - 1 do
        local node = format.value(v, lines, state, i, at)
        take()
        text[#text + 1] = use(node.text or node.code, #k > 0 and table.concat(k, ' + ') or '0', i)
      end
    end
  end
  text[#text + 1] = ('}\n'):rep(#parts - 1)
  return table.concat(text, '\n')
end

--- Where the n-th line of a plane lies in a group: C of n.
local function nth(parts, depth, line, n)
  local at, below, terms = line.at, 1, {}
  for d = depth, 2, -1 do
    at = at + parts[d].at
    local index = below > 1 and ('%s / %d'):format(n, below) or n
    if d > 2 then index = ('%s %% %d'):format(index, parts[d].count) end
    terms[#terms + 1] = (' + %d * (%s)'):format(parts[d].bytes, index)
    below = below * parts[d].count
  end
  return at .. table.concat(terms), below
end

--- C functions of portable C between a group of one output and its weights, one after the other:
---   void NAME_pack(char *group, size_t lane, const float *w)
---   void NAME_unpack(const char *group, size_t lane, float *w)
--- and of one weight, which opens its groups for it alone:
---   float NAME_one(const char *group, size_t k, size_t lane)
--- Each takes the head of its panel as a last argument where the format has one.
---@param isa table    that of portable C
---@param format Format
---@param parts Part[]
---@param name string
---@return string pack
---@return string unpack
---@return string one
---@return table<string, boolean> words  that the latter use
function M.functions(isa, format, parts, name)
  local head = format.head and ', %schar *head' or ''
  local declared, copies = {}, {}
  local function declare(line, depth, group)
    local plane, type = line.line.plane, formats.lane_types[line.line.lane].c_type
    local at, count = tostring(line.at), 1
    if depth > 0 then at, count = nth(parts, depth, line, 'n') end
    declared[#declared + 1] = ('%s %s[%d];'):format(type, plane, count)
    copies[#copies + 1] = ('for (size_t n = 0; n < %d; ++n)\n'
      .. 'FFN_MEMCPY(%s + %s + lane * sizeof(%s), &%s[n], sizeof(%s));'):format(count, group, at,
      type, plane, type)
  end
  for _, line in ipairs(groups.place_head(format)) do declare(line, 0, 'head') end
  for depth, part in ipairs(parts) do
    for _, line in ipairs(part.lines) do declare(line, depth, 'group') end
  end
  local setting = format.pack {
    lane = function(plane, n) return ('%s[%s]'):format(plane, n) end,
    weight = function(k) return ('w[%s]'):format(k) end,
  }
  local pack = ('static void %s_pack(char *group, size_t lane, const float *w%s) {\n%s\n}\n')
    :format(name, head:format(''), table.concat({
      table.concat(declared, '\n'), setting, table.concat(copies, '\n'),
    }, '\n'))
  local v = vector.builder(isa)
  local from = { group = 'group', lane = 'lane', head = 'head' }
  local unpack = ('static void %s_unpack(const char *group, size_t lane, float *w%s) {\n%s\n}\n')
    :format(name, head:format('const '), M.group(v, format, parts, from, function(value, k, i)
      return ('w[%s + %d] = %s;'):format(k, i, value)
    end))
  local one = M.one(isa, format, parts, name .. '_one')
  return pack, unpack, one, v.words()
end

--- The C function of one weight of a group.
---@return string
function M.one(isa, format, parts, name)
  local v = vector.builder(isa)
  local lines, state = {}, {}
  local function add(text) lines[#lines + 1] = text end
  local function take() for _, line in ipairs(v.take()) do add(line) end end
  local function read(depth, part, base)
    return M.lines(part, function(line)
      local at = depth > 0 and offset(parts, depth, line, function(d) return 'i' .. d end)
        or line.at
      return v.load(line.line.lane, pointer(base, line, at, 'lane'))
    end)
  end
  add(('static float %s(const char *group, size_t k, size_t lane%s) {'):format(name,
    format.head and ', const char *head' or ''))
  if format.head then
    state = M.open(v, format.head, read(0, groups.place_head(format), 'head'), {}, 0)
    take()
  end
  for depth, part in ipairs(parts) do
    if depth > 1 then
      add(('const size_t i%d = k %% %d / %d;'):format(depth, parts[depth - 1].k, part.k))
    end
    if depth < #parts then
      state = M.open(v, format.levels[depth], read(depth, part.lines, 'group'), state,
        depth > 1 and 'i' .. depth or 0)
      take()
    end
  end
  local step = parts[#parts]
  local index = #parts > 1 and 'i' .. #parts or 0
  if step.k > 1 then add(('switch (k %% %d) {'):format(step.k)) end
  for i = step.k - 1, 0, -1 do
    local node = format.value(v, read(#parts, step.lines, 'group'), state, i, index)
    if step.k > 1 then add(i > 0 and ('case %d: {'):format(i) or 'default: {') end
    take()
    add(('return %s;'):format(node.text or node.code))
    if step.k > 1 then add('}') end
  end
  if step.k > 1 then add('}') end
  add('}\n')
  return table.concat(lines, '\n')
end

return M
