--- C functions between packed weights and numbers, one output at a time: what pack() and unpack()
--- are made of, and one weight for itself.
local comments = require 'emit.comments'
local decoding = require 'emit.decoding'
local formats = require 'weights.format'
local texts = require 'common.text'
local vector = require 'emit.vector'

local M = {}

--- What a function of one weight takes last.
local function head_argument(format) return format.head and ', const char *head' or '' end

--- What says that a function has parameters as all of its kind have, and does not read them: where
--- a format has one line, it is where its group begins.
---@param names string[]  those that not every format needs
local function unused(format, placed, names)
  local first, lines = placed.parts[1], {}
  local reads = {
    members = #placed.parts > 1 or #first.lines > 1 or #placed.head > 1,
    head = format.head ~= false, k = format.group > 1,
  }
  for _, name in ipairs(names) do
    if not reads[name] then lines[#lines + 1] = ('(void)%s;\n'):format(name) end
  end
  return table.concat(lines)
end

--- A function, whose lines lie in the braces that they stand in.
---@param head string  its type and name
local function the_function(head, parameters, body)
  return texts.indented(('%s(\n%s) {\n%s}\n'):format(head, parameters, body))
end

--- Where the n-th line of a plane lies in a group, C of n; and how many there are.
local function nth(parts, depth, line)
  local at, below, terms = line.at, 1, {}
  for d = depth, 2, -1 do
    at = at + parts[d].at
    local index = below > 1 and 'n / ' .. below or 'n'
    if d > 2 then index = ('%s %% %d'):format(index, parts[d].count) end
    terms[#terms + 1] = (' + %d * (%s)'):format(parts[d].bytes, index)
    below = below * parts[d].count
  end
  return at .. table.concat(terms), below
end

--- The statement that copies the lines of a plane, `count` of them; `copy` is told the place of one
--- in memory, and its name.
local function each_line(plane, at, count, from, copy)
  local offset = at == '0' and '' or (' + members * (%s)'):format(at)
  local one = count > 1 and plane .. '[n]' or plane
  return (count > 1 and ('for (size_t n = 0; n < %d; ++n)\n  '):format(count) or '')
    .. copy(('%s%s + lane * sizeof %s'):format(from, offset, one), one)
end

--- To where they lie, and from there.
local function copies_of(plane, at, count, to)
  return each_line(plane, at, count, to, function(place, one)
    return ('FFN_MEMCPY(%s, &%s, sizeof %s);'):format(place, one, one)
  end)
end

local function copies_back(plane, at, count, from)
  return each_line(plane, at, count, from, function(place, one)
    return ('FFN_MEMCPY(&%s, %s, sizeof %s);'):format(one, place, one)
  end)
end

--- The variables that the lines of a group of one output are in C, and the statements that copy
--- them to where they lie, or from there.
---@return string declared
---@return string copies
---@return fun(plane: string, n: integer|string): string  one of them
local function lines_of(placed, copy)
  local declared, copies, counts = {}, {}, {}
  local function add(line, at, count, place)
    local plane, type = line.line.plane, formats.lane_types[line.line.lane].c_type
    counts[plane] = count
    declared[#declared + 1] = ('%s %s%s;'):format(type, plane,
      count > 1 and ('[%d]'):format(count) or '')
    copies[#copies + 1] = copy(plane, at, count, place)
  end
  for _, line in ipairs(placed.head) do add(line, tostring(line.at), 1, 'head') end
  for depth, part in ipairs(placed.parts) do
    for _, line in ipairs(part.lines) do
      local at, count = nth(placed.parts, depth, line)
      add(line, at, count, 'group')
    end
  end
  return table.concat(declared, '\n'), table.concat(copies, '\n'), function(plane, n)
    return counts[plane] > 1 and ('%s[%s]'):format(plane, n) or plane
  end
end

local function of_w(k) return ('w[%s]'):format(k) end

--- The C function that sets the lines of a group of one output, `lane` of all those of `members`
--- panels and branches that lie side by side:
---   void NAME(char *group, size_t members, size_t lane, const float *w, char *head)
---@param format Format
---@param placed PlacedGroup of one member
---@param name string
---@return string
function M.pack(format, placed, name)
  local declared, copies, lane = lines_of(placed, copies_of)
  local body = table.concat({
    declared, format.pack { lane = lane, weight = of_w }, copies, '',
  }, '\n')
  return comments.packing('pack', format, placed) .. the_function('static void ' .. name,
    'char *group, size_t members, size_t lane, const float *w, char *head',
    unused(format, placed, { 'members', 'head' }) .. body)
end

--- What the blocks of a format are in C.
local function own_numbers(format, constant)
  local type = constant .. formats.number_types[format.source.number].c_type
  return ('%s *w = (%s *)own;\n'):format(type, type)
end

--- The same of the blocks that are the format's own:
---   void NAME(char *group, size_t members, size_t lane, const void *own, char *head)
---@param format Format
---@param placed PlacedGroup of one member
---@param name string
---@return string
function M.take(format, placed, name)
  local declared, copies, lane = lines_of(placed, copies_of)
  return comments.packing('take', format, placed) .. the_function('static void ' .. name,
    'char *group, size_t members, size_t lane, const void *own, char *head',
    unused(format, placed, { 'members', 'head' }) .. table.concat({
      own_numbers(format, 'const ') .. declared, format.take { lane = lane, own = of_w }, copies,
      '',
    }, '\n'))
end

--- And back:
---   void NAME(const char *group, size_t members, size_t lane, void *own, const char *head)
---@param format Format
---@param placed PlacedGroup of one member
---@param name string
---@return string
function M.give(format, placed, name)
  local declared, copies, lane = lines_of(placed, copies_back)
  return comments.packing('give', format, placed) .. the_function('static void ' .. name,
    'const char *group, size_t members, size_t lane, void *own, const char *head',
    unused(format, placed, { 'members', 'head' }) .. table.concat({
      own_numbers(format, '') .. declared, copies, format.give { lane = lane, own = of_w }, '',
    }, '\n'))
end

--- The fields of an ffn_block_size in C.
---@param source Source
function M.block(source)
  return ('%d, %d, %d, %d, %d, %d, %d'):format(source.k, source.bytes,
    formats.number_types[source.number].bytes, source.every, source.scale, source.zero,
    source.none)
end

local of_members = { group = 'group', lane = 'lane', head = 'head', members = 'members' }

--- The C function that gives the weights of a group of one output, in words of portable C:
---   void NAME(const char *group, size_t members, size_t lane, float *w, const char *head)
---@param isa table    that of portable C
---@param format Format
---@param placed PlacedGroup of one member
---@param name string
---@return string
function M.unpack(isa, format, placed, name)
  local v = vector.builder(isa)
  local body = decoding.group(v, format, placed, of_members, function(value, k, i)
    return ('w[%s] = %s;'):format(i == 0 and k or k == '0' and i or ('%s + %d'):format(k, i),
      value)
  end)
  return comments.packing('unpack', format, placed) .. the_function('static void ' .. name,
    'const char *group, size_t members, size_t lane, float *w, const char *head',
    unused(format, placed, { 'members', 'head' }) .. body)
end

--- The C function of one weight, whose groups are opened for it alone:
---   float NAME(const char *group, size_t members, size_t k, size_t lane[, const char *head])
---@param isa table    that of portable C
---@param format Format
---@param placed PlacedGroup
---@param name string
---@return string
function M.one(isa, format, placed, name)
  local v, text, parts = vector.builder(isa), {}, placed.parts
  local function add(line) text[#text + 1] = line end
  local state = decoding.open_all(v, format, placed, of_members, add, function(depth)
    add(('const size_t %s = k %% %d / %d;'):format(decoding.index_of(depth), parts[depth - 1].k,
      parts[depth].k))
  end)
  local last = #parts
  if parts[last].k > 1 then add(('switch (k %% %d) {'):format(parts[last].k)) end
  for i = parts[last].k - 1, 0, -1 do
    local lines = decoding.lines_at(v, placed, last, of_members)
    local node = format.value(v, lines, state, i, decoding.index_of(last))
    if parts[last].k > 1 then add(i > 0 and ('case %d: {'):format(i) or 'default: {') end
    for _, line in ipairs(v.take()) do add(line) end
    add(('return %s;%s'):format(node.text or node.code, parts[last].k > 1 and '\n}' or ''))
  end
  if parts[last].k > 1 then add('}') end
  return comments.packing('one', format, placed) .. the_function('FFN_SHARED float ' .. name,
    'const char *group, size_t members, size_t k, size_t lane' .. head_argument(format),
    unused(format, placed, { 'members', 'k' }) .. table.concat(text, '\n') .. '\n')
end

return M
