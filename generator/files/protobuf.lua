--- The wire format of protocol buffers (protobuf.dev, Encoding): a message is fields one after the
--- other, each a number and what it holds. A message is walked where it lies in the file; what
--- nobody asks for is skipped by its length and never read. Nothing in it is taken on trust.
local heaps = require 'common.heap'
local limits = require 'common.limits'
local problems = require 'common.problem'
local random_access = require 'files.random_access'

local M = {}

local window = 1 << 16      -- bytes that are read at once, where fields follow each other
local behind = 1 << 9       -- the first of them behind what is skipped
local head = 20             -- a tag and a number, at most
local most_fields = limits.most 'fields'
local most_depth = limits.most 'messages'
local most_text = limits.most 'name'
local most_numbers = 64     -- of a list of integers that are kept
local most_read = 640       -- bytes in one piece that count as read

M.most_numbers, M.most_read = most_numbers, most_read

---@class Wire
---@field path string    for messages
---@field handle file*
---@field size integer
---@field text string    a part of the file
---@field base integer   where it begins
---@field step integer   bytes that are read next
---@field left integer   fields that may yet be looked at
---@field counts table<string, integer>  by limit: what there is of it
---@field heap Heap
---@field known table<string, any>  what is said again and again, by those who make records
---@field knows integer  how many of these
---@field texts table<string, string>  long ones, which Lua has as often as they are read
---@field seen integer   the bytes up to here are counted as read
---@field unread integer[][]  { first, bytes } of what is large and was not read, ascending
local Wire = {}
Wire.__index = Wire

---@return Wire
function M.open(path, handle, size)
  return setmetatable({
    path = path, handle = handle, size = size, text = '', base = 0, step = window,
    left = most_fields, unread = {}, counts = {}, heap = heaps.new(path), seen = 0, known = {},
    knows = 0,
    texts = {},
  }, Wire)
end

function Wire:refuse(reason, ...)
  problems.bad_input(self.path, 'not an ONNX model: ' .. reason .. '; the file is damaged or of '
    .. 'another kind: export the model again', ...)
end

--- Counts one more of what a limit is for.
---@param name string
function Wire:count(name)
  local count = (self.counts[name] or 0) + 1
  self.counts[name] = count
  limits.hold(self.path, name, count)
end

local most_known = 1 << 12

--- Keeps what is said again and again, as far as it is.
---@param look string|false
function Wire:know(look, made)
  if not look or self.knows >= most_known then return end
  self.known[look], self.knows = made, self.knows + 1
end

local between = 1 << 10 -- fields between two looks at the memory

--- Counts what was read up to a place, and looks at the memory.
function Wire:look(at)
  if self.left < 0 then limits.refuse(self.path, 'fields') end
  if at > self.seen then
    self.heap:add(at - self.seen)
    self.seen = at
  end
  self.heap:look()
end

local byte, sub = string.byte, string.sub

--- An integer of up to ten bytes of seven bits, and the place behind it.
local function varint(text, i)
  local value, shift = 0, 0
  repeat
    local own = byte(text, i)
    if not own or shift == 63 and own > 1 then return nil end
    value = value | (own & 127) << shift
    i, shift = i + 1, shift + 7
  until own < 128
  return value, i
end

local fixed = { [1] = 8, [5] = 4 } -- bytes of what has no length

--- The field of a message at a place in the file: its number, its wire type (0 an integer, 1 and 5
--- eight and four bytes, 2 bytes with a length), the integer or the place of the bytes, and the
--- place behind it.
---@param at integer
---@param last integer  where the message ends
---@return integer number
---@return integer kind
---@return integer value
---@return integer after
function Wire:field(at, last)
  local text, i = self.text, at - self.base + 1
  if i < 1 or i + head > #text and self.base + #text < self.size then
    -- Behind what is skipped little is read, and more where that is used up: else numbers that
    -- nobody asks for would be read as often as they are passed.
    self.step = i > #text + 1 and behind or math.min(8 * self.step, window)
    text = random_access.slice(self.handle, at, self.step)
    self.text, self.base, i = text, at, 1
  end
  local left = self.left - 1
  self.left = left
  if left % between == 0 then self:look(at) end
  -- Most tags and lengths are a byte.
  local tag, value = byte(text, i), nil
  if tag and tag < 128 then i = i + 1 else tag, i = varint(text, i) end
  if not tag or tag < 8 or tag >> 32 ~= 0 then self:refuse('byte %d must begin a field', at) end
  local kind = tag & 7
  if kind == 0 or kind == 2 then
    value = byte(text, i)
    if value and value < 128 then i = i + 1 else value, i = varint(text, i) end
    if not value then self:refuse('byte %d must begin an integer', at) end
  elseif not fixed[kind] then
    self:refuse('the field at byte %d has wire type %d, which does not exist', at, kind)
  end
  local after = self.base + i - 1
  if kind == 2 then
    if value < 0 or value > last - after then
      self:refuse('the field at byte %d is longer than the message around it', at)
    end
    value, after = after, after + value
  elseif kind ~= 0 then
    value, after = after, after + fixed[kind]
  end
  if after > last then self:refuse('the field at byte %d is longer than the message around '
    .. 'it', at) end
  return tag >> 3, kind, value, after
end

--- Bytes of the file.
function Wire:bytes(first, after)
  local i = first - self.base + 1
  if i >= 1 and after - self.base <= #self.text then
    return sub(self.text, i, after - self.base)
  end
  return random_access.slice(self.handle, first, after - first)
end

--- Takes down what is large and not read.
function Wire:leave(first, after)
  if after - first <= most_read then return end
  self.unread[#self.unread + 1] = { first, after - first }
  if first > self.seen then self.heap:add(first - self.seen) end
  self.seen = math.max(self.seen, after)
end

--- Whether bytes count as read: they are few, or were the last that was left, which they are no
--- more.
function Wire:has_read(first, bytes)
  local last = self.unread[#self.unread]
  local is_last = last ~= nil and last[1] == first
  if is_last then self.unread[#self.unread] = nil end
  return is_last or bytes <= most_read
end

--- The rest of the file, in ascending parts.
---@return integer[][]
function Wire:spans()
  local spans, at = {}, 0
  for _, part in ipairs(self.unread) do
    if part[1] > at then spans[#spans + 1] = { at, part[1] - at } end
    at = part[1] + part[2]
  end
  if at < self.size then spans[#spans + 1] = { at, self.size - at } end
  return spans
end

-- What fields hold: by name, its wire type, and how it is read ----------------------------------

local readers = {}

---@alias WireReader fun(wire: Wire, value: integer, after: integer, depth: integer): any

local function kind(name, of_wire, read) readers[name] = { wire = of_wire, read = read } end

kind('integer', 0, function(_, value) return value end)
kind('float', 5, function(wire, first, after)
  return (string.unpack('<f', wire:bytes(first, after)))
end)
kind('place', 2, function(wire, first, after)
  wire:leave(first, after)
  return { first = first, bytes = after - first }
end)
kind('one', 2, function() return true end) -- counted, and not looked into
kind('text', 2, function(wire, first, after)
  if after - first > most_text then
    limits.refuse(wire.path, 'name', after - first, ('at byte %d'):format(first))
  end
  local text = wire:bytes(first, after)
  if #text <= 40 then return text end
  local known = wire.texts[text] or text
  wire.texts[known] = known
  return known
end)

--- A list of numbers: of each a field, or of all one.
---@class WireNumbers
---@field count integer
---@field first integer|nil    where they lie, one behind the other
---@field bytes integer|nil
---@field [integer] integer|number  of integers and of floats apart the first ones

--- The numbers of a field that holds some, as many as are kept.
local function packed(wire, list, first, after, one)
  list.count, list.first, list.bytes = false, first, after - first
  wire:leave(first, after)
  if one.size then
    if list.bytes % one.size ~= 0 then wire:refuse('the list of numbers that ends at byte %d is '
      .. 'too short', after) end
    list.count = list.bytes // one.size
    return
  end
  -- What is long is nobody's list of axes, and is not counted.
  if list.bytes > 10 * most_numbers then return end
  local text, i, count = wire:bytes(first, after), 1, 0
  while i <= #text do
    list[count + 1], i = varint(text, i)
    if not i then wire:refuse('byte %d must begin an integer', first) end
    count = count + 1
  end
  list.count = count
end

local lists = {
  integers = { wire = 0 },
  floats = { wire = 5, size = 4, format = '<f' }, doubles = { wire = 1, size = 8, format = '<d' },
}

--- Adds a field to a list of numbers.
local function add_numbers(wire, list, one, found, value, after)
  list = list or { count = 0 }
  if found == 2 then
    if list.first or list.count ~= 0 then wire:refuse('the list of numbers goes on at byte %d, '
      .. 'behind its end', value) end
    packed(wire, list, value, after, one)
    return list
  end
  if found ~= one.wire or list.first then wire:refuse('byte %d must begin a number', value) end
  list.count = list.count + 1
  if list.count <= most_numbers then
    list[list.count] = one.format and (string.unpack(one.format, wire:bytes(value, after)))
      or value
  end
  return list
end

--- What a schema says of a field: { key, kind } or { key, kind, 'many', limit }; a kind is a word,
--- or the schema of a message, or a function that gives one. false: known, and skipped.
---@alias WireSchema table<integer|string, any>

--- The message at a place in the file, as a table by the schema's keys: lists of what may stand
--- there many times, and nil where a field is missing; or what the schema's `made` makes of it.
---@param schema WireSchema  by numbers of fields; `name` for messages, `made`, `limit`
---@param first integer
---@param last integer
---@param depth integer|nil  messages around it
---@return table
function Wire:message(schema, first, last, depth)
  depth = (depth or 0) + 1
  if depth > most_depth then limits.refuse(self.path, 'messages') end
  if schema.limit then self:count(schema.limit) end
  local result, at = { at = first }, first
  while at < last do
    local number, found, value, after = self:field(at, last)
    local field = schema[number]
    if field then self:take(result, field, found, value, after, depth) end
    if field == nil then
      problems.bad_input(self.path, '%s has a field %d, which ffngen does not know: export the '
        .. 'model with an older version of ONNX', schema.name, number)
    end
    at = after
  end
  if schema.made then return schema.made(self, result) end
  return result
end

--- Looks up what a field's kind means, once.
local function resolve(field)
  local of = field[2]
  local reader = readers[of]
  field.list, field.read = lists[of] or false, reader and reader.read or false
  field.wire = reader and reader.wire or 2
  field.schema = type(of) == 'function' and of() or of
end

--- Puts what a field holds into the message that it is of.
function Wire:take(result, field, found, value, after, depth)
  if not field.wire then resolve(field) end
  local key = field[1]
  if field.list then
    result[key] = add_numbers(self, result[key], field.list, found, value, after)
    return
  end
  if found ~= field.wire then
    self:refuse('%s at byte %d has the wrong wire type', key, value)
  end
  local item
  if field.read then
    item = field.read(self, value, after)
  else
    item = self:message(field.schema, value, after, depth)
  end
  if field[3] then
    if field[4] then self:count(field[4]) end
    local list = result[key]
    if not list then
      list = {}
      result[key] = list
    end
    list[#list + 1] = item
  elseif result[key] ~= nil then
    self:refuse('%s occurs twice in the message that begins at byte %d', key, result.at)
  else
    result[key] = item
  end
end

return M
