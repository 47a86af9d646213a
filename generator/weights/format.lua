--- The record of a weight format, and what it is held to.
---
--- Packed weights lie in lines: 16 outputs, a lane for each. A format says what a lane of each line
--- holds and what the lines mean; where lines lie is told by group.lua, for as many panels side by
--- side as a layout wants, so that no format knows of it.
---
--- Lines belong to the level that reads them: those of a level stand in front of the groups inside
--- of it, those of a step in the order of steps. So every byte stands where it is first used, the
--- address of a line is a sum of an index times a constant for each level, and a tile may enter a
--- group at any of its steps. (A flat list of the lines of a group would have to be searched for
--- those of a k, and says neither what a level reads nor how often.) State is what open() gives: as
--- an inner level picks its own numbers out of those of the outer one, by index, nothing is opened
--- into memory. That of the innermost level, or of a head where there is none, says what a weight
--- of it is: scale * factor * (q - zero) + least, of what there is of these: floats, but integers
--- factor and zero. How f32 are made of that, ready() knows.
local lists = require 'common.list'
local record = require 'common.record'

---@class Format
---@field name string
---@field about string
---@field head Level|false  what a panel begins with, once for all k: its k is 0
---@field levels Level[]    groups of k inside of each other, outermost first; {}: there are none
---@field step Step         the k that are decoded together
---@field registers integer what value() reads of a group, for one vector of outputs
---@field ready fun(v: Builder, state: State): State  that, from what the innermost level gives for
--- values, which it is itself if nothing is said
---@field divides integer   inputs of a layer are a multiple of it: k of the outermost level, less
--- where the last group may be a part of one, or 1
---@field trains boolean    a layer of such weights can be trained
---@field helpers string[]  C functions that pack() calls, those first that others call; FFN_SHARED:
--- they may be left out. Formats that have one in common have the same text
---@field value fun(v: Builder, lines: Planes, state: State, i: integer, index: Index): Node
--- the f32 vector of k i of a step, from the lines of the step by plane, as Level.open has its own;
--- index is that of the step in the innermost group
---@field products Products|false  what sums of integers take of it
---@field pack (fun(c: table): string)|false  C that sets the lines of a group of one output from
--- its weights: c.lane(plane, n) is a place for the n-th line of a plane, c.weight(k) a float, 0
--- beyond the last input; k and n are integers or C. false: floats are not taken
---@field row string|false  a C function of what all weights share that have a scale in common,
--- those of an output or of source.every: a float, which is handed to pack() behind those of a
--- group: of them (const float *, size_t), or false
---@field source Source|false  its own numbers, which a file may hold: FFN_SOURCE_ and its name in
--- capitals; pack() takes these as they are, and unpack() gives them back
---@field take (fun(c: table): string)|false  C that sets the lines of a group from the blocks of
--- its k: c.own(n) is byte n of them, or number n, else as pack
---@field give (fun(c: table): string)|false  C that sets the blocks from the lines
---@field embed (fun(c: Embedding): boolean)|false  what `pack` says, in Lua, of finite weights;
--- false: one is infinite there
---@field group integer     k of what is packed together: an outermost group, or a step
---@field floats boolean    16 floats are a line of one k: a loop of its own may read them as these
---@field c_type string|false of a weight that stands by itself: a step of one line and one k
---@field bytes integer|false and its size

---@class Products  weights as bytes, whose products with others are summed as integers
---@field bits integer      that a byte has: 4, 5, 6 or 8
---@field signed boolean    the upper one of 8 is its sign
---@field table string|false 'e2m1' or 'iq4': a byte is the index of a number, twice an E2M1 or a
--- level of GGUF's iq4, of which there is a word
---@field offset integer    by what each byte, or that number where it is to have no sign, is larger
--- than q
---@field take fun(v: Builder, lines: Planes, state: State, i: integer, index: Index): Node
--- k i to i + 3 of a step in the bytes of a lane
---@field registers integer what they are multiplied with, and read: all that an open group holds
---@field factor boolean    groups have a factor: two of 16 are summed as integers, with one scale
---@field zeros boolean     an open group holds its zero, an integer
---@field minima boolean    and what is added to each weight: least
---@field sums boolean      sums of what is multiplied with them are taken, too: for an offset, a
--- zero or a minimum
---@field short_scale boolean  1.5 * 2^23 times a scale is exact: it has at most 22 bits, and is
--- below 2^104 or not finite; others are finite or NaN, but where groups have a factor
---@field group integer     k that have a scale; 0: all

---@class Embedding  a group of one output, as Format.pack has it
---@field weight fun(k: integer): number  of the group, 0 beyond the last input
---@field set fun(plane: string, n: integer, number: number)  the n-th line of a plane
---@field inputs integer                  of the output
---@field row fun(k: integer): number     any of its weights, for what stands in a head

---@class Level
---@field k integer         of a group, a multiple of that of the next level or step, and of the
--- chains that a sum may have, which a group is taken in
---@field lines Line[]      in front of what is inside of a group
---@field open fun(v: Builder, lines: Planes, outer: State, index: Index): State, State|nil
--- what a group holds: from its lines by plane (f32, f16 and f8 are floats, others integers), what
--- the next outer level holds, and the index of the group in that one's; and what it holds where
--- values are read, if that is something else

---@alias Builder table  of emit/vector.lua
---@alias Planes table<string, Node>  of the lines of a level or step
---@alias State table<string, Node>
---@alias Index integer|string  where it is a variable, its C: as v.field() and v.affine() take it

---@class Source  numbers as a file has them, in quantization blocks
---@field k integer         of a block; a group is whole blocks
---@field bytes integer     of a block
---@field number string     what it is made of: 'u16', in the order of the machine's bytes; or 'u8',
--- which may begin at any address

---@field scale integer     bytes of a scale that stands in an array of its own, 0: none does
---@field zero integer      and of a zero; both follow behind the blocks of a group in c.own()
---@field every integer     inputs that share them, the last of an output perhaps fewer; 0: all
---@field none integer      the zero where a matrix has none

---@class Step
---@field k integer         1, 2, 4, 8 or 16
---@field lines Line[]
---@field by_index boolean  which of a group it is says how it is decoded: loops over steps are
--- written out, so that it is a constant

---@class Line  a number for each of 16 outputs
---@field plane string      its name, one of its kind in the format, fit for C
---@field lane string       type of a number: a key of `lane_types`
---@field bytes integer     of all 16

local M = {}

--- Types of a lane: bytes, and how C says it. f16 is read as the f32 that it means, f8 (E4M3
--- without infinities) as 2^-8 of that: an f16 in all but its place. A NaN is quiet.
M.lane_types = {
  f32 = { bytes = 4, c_type = 'float' }, f16 = { bytes = 2, c_type = 'uint16_t' },
  f8 = { bytes = 1, c_type = 'uint8_t' }, u8 = { bytes = 1, c_type = 'uint8_t' },
  u16 = { bytes = 2, c_type = 'uint16_t' }, u32 = { bytes = 4, c_type = 'uint32_t' },
}

--- Outputs in a line, FFN_PANEL of kernel.h.
M.outputs = 16

--- Chains of a sum at most: a power of two.
M.most_chains = 8

--- Types that blocks are made of.
M.number_types = {
  u8 = { bytes = 1, c_type = 'unsigned char' }, u16 = { bytes = 2, c_type = 'uint16_t' },
}

local format_schema = record.schema {
  name = 'string', about = 'string', head = { 'table', false }, levels = { 'table', {} },
  step = 'table', registers = { 'integer', 0 }, divides = { 'integer', false },
  trains = { 'boolean', false }, helpers = { 'any', {} }, value = 'function',
  ready = { 'function', function(_, state) return state end }, products = { 'table', false },
  pack = { 'function', false }, row = { 'string', false }, source = { 'table', false },
  take = { 'function', false }, give = { 'function', false }, embed = { 'function', false },
}
local line_schema = record.schema {
  plane = 'string', lane = { one_of = record.sorted_keys(M.lane_types) },
}
local level_schema = record.schema {
  k = { 'any', false }, lines = { 'table', {} }, open = 'function',
}
local step_schema = record.schema {
  k = { one_of = { 1, 2, 4, 8, 16 } }, lines = 'table', by_index = { 'boolean', false },
}
local products_schema = record.schema {
  bits = { one_of = { 4, 5, 6, 8 } }, signed = { 'boolean', false }, factor = { 'boolean', false },
  table = { 'any', false, one_of = { 'e2m1', 'iq4' } }, offset = { 'integer', 0 },
  take = 'function', registers = { 'integer', 1 },
  zeros = { 'boolean', false }, minima = { 'boolean', false }, short_scale = { 'boolean', false },
}
local source_schema = record.schema {
  k = 'integer', bytes = 'integer', number = { 'any', 'u8', one_of = { 'u8', 'u16' } },
  scale = { 'integer', 0 }, zero = { 'integer', 0 }, every = { 'integer', 0 },
  none = { 'integer', 0 },
}

--- Complains of a format as of its file.
local function wrong(name, problem, ...)
  error(('weights/%s.lua: ' .. problem):format(name, ...), 0)
end

--- A part of a format as its file says it.
local function read(schema, name, what, said)
  return schema:read(said, ('weights/%s.lua: %s'):format(name, what))
end

--- The lines of a level or step, each with its bytes.
---@return Line[]
local function lines_of(name, what, list, taken)
  local lines = {}
  for i, said in ipairs(list) do
    local line = read(line_schema, name, ('%s: line %d'):format(what, i), said)
    if not line.plane:find('^%l[%l%d_]*$') then
      wrong(name, '%s: line %d: plane must be a name of small letters', what, i)
    end
    if taken[line.plane] then wrong(name, 'two lines have the plane "%s"', line.plane) end
    taken[line.plane] = true
    line.bytes = M.outputs * M.lane_types[line.lane].bytes
    lines[i] = record.strict('line', line)
  end
  return lines
end

--- A level as its file says it; `inner` is the k of what is inside, nil of the head of a panel.
---@return Level
local function level_of(name, what, said, inner, taken)
  local level = read(level_schema, name, what, said)
  local k = inner and level.k or 0
  if inner and (math.type(k) ~= 'integer' or k < inner or k % inner ~= 0) then
    wrong(name, '%s: k must be a multiple of the %d inside of it', what, inner)
  end
  if k % M.most_chains ~= 0 then
    wrong(name, '%s: k must be a multiple of %d, the chains that a sum may have', what,
      M.most_chains)
  end
  level.k, level.lines = k, lines_of(name, what, level.lines, taken)
  return record.strict('level', level)
end

local function step_of(name, said, taken)
  local step = read(step_schema, name, 'step', said)
  if #step.lines == 0 then wrong(name, 'step has no lines') end
  step.lines = lines_of(name, 'step', step.lines, taken)
  return record.strict('step', step)
end

--- What sums of integers take, as a format's file says it; `group` is the k of the innermost level.
---@return Products|false
local function products_of(name, said, group)
  if not said then return false end
  local products = read(products_schema, name, 'products', said)
  if products.signed and products.offset > 0 then
    wrong(name, 'products: what has a sign has no offset')
  end
  products.sums = products.offset > 0 or products.zeros or products.minima
  products.group = group
  return record.strict('products', products)
end

--- Bytes of the blocks of a group at most, FFN_MOST_BLOCK of ffn.h.
local most_block = 256

--- Its own numbers, as a format's file says them; `group` is the k of what is packed together.
---@return Source|false
local function source_of(name, format, group)
  local has = format.source and true
  if has ~= (format.take and true) or has ~= (format.give and true) then
    wrong(name, 'source, take and give go together')
  end
  if format.embed and not format.pack then wrong(name, 'what is embedded is packed, too') end
  if not has and not format.pack then
    wrong(name, 'it has neither pack nor numbers of its own')
  end
  if not has then return false end
  local source = read(source_schema, name, 'source', format.source)
  if group % source.k ~= 0 or source.bytes % M.number_types[source.number].bytes ~= 0 then
    wrong(name, 'source: the %d k of a group are no whole blocks', group)
  end
  local beside = source.scale + source.zero
  if beside > 0 and source.every % group ~= 0 then
    wrong(name, 'source: scales must be those of whole groups, of %d k', group)
  end
  if group // source.k * source.bytes + beside > most_block then
    wrong(name, 'source: blocks of a group have at most %d bytes', most_block)
  end
  return record.strict('source', source)
end

--- C functions, each without the end of its last line.
---@param helpers string|string[]
---@return string[]
local function helpers_of(helpers)
  local list = type(helpers) == 'string' and { helpers } or helpers
  return lists.map(list, function(text) return (text:gsub('\n$', '')) end)
end

--- The record of a format, from what its file says; an error where that does not hold.
---@param name string
---@param said table
---@return Format
function M.record(name, said)
  local format = format_schema:read(said, ('weights/%s.lua'):format(name))
  if format.name ~= name then wrong(name, 'its name is "%s"', format.name) end
  local taken, levels = {}, {}
  local step = step_of(name, format.step, taken)
  local inner = step.k
  for i = #format.levels, 1, -1 do
    levels[i] = level_of(name, 'level ' .. i, format.levels[i], inner, taken)
    inner = levels[i].k
  end
  local head = format.head and level_of(name, 'head', format.head, nil, taken)
  if (#levels > 0 or head ~= false) ~= (format.registers > 0) then
    wrong(name, 'registers must say what value() reads: %d', format.registers)
  end
  format.divides = format.divides or #levels > 0 and inner or 1
  local most = math.max(step.k, M.most_chains)
  if #levels > 0 and format.divides % most ~= 0 then
    wrong(name, 'divides must be a multiple of %d: of a step, and of the chains of a sum', most)
  end
  local lane = M.lane_types[step.lines[1].lane]
  local plain = not head and #levels == 0 and step.k == 1 and #step.lines == 1
  format.head, format.levels, format.step, format.group = head, levels, step, inner
  format.helpers = helpers_of(format.helpers)
  format.products = products_of(name, format.products, #levels > 0 and levels[#levels].k or 0)
  format.source = source_of(name, format, inner)
  format.floats = plain and lane.c_type == 'float'
  format.c_type, format.bytes = plain and lane.c_type, plain and lane.bytes
  return record.strict('weight format ' .. name, format)
end

return M
