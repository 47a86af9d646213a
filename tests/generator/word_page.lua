--- generator/emit/WORDS.md: all words of the builder, with what they take and give.
local unit = require 'luaunit'
local isas = require 'isa'
local support = require 'support'
local vector = require 'emit.vector'

TestWordPage = {}

local page = support.read(support.root .. '/generator/emit/WORDS.md')

---@class WordRow
---@field name string
---@field arguments string[]
---@field gives string

--- The rows of the builder's words.
---@return WordRow[]
local function rows()
  local list = {}
  for name, inside, gives in page:gmatch('\n| `v%.([%w_]+)%(([^)]*)%)` | ([^|]+) | [^|\n]+ |') do
    local arguments = {}
    for argument in inside:gmatch '[%w_]+' do arguments[#arguments + 1] = argument end
    list[#list + 1] = { name = name, arguments = arguments, gives = gives }
  end
  return list
end

local kind_of = { floats = 'f', integers = 'i' }

--- What stands for the arguments that the page names.
local function values_of(v)
  local values = {
    shift = 3, at = 8, bits = 4, number = 1.5, integer = 7, name = 'name', why = 'why', text = 'y',
    kind = 'f', list = { 1.5, 2.5 }, first = 2, index = 2, factor = 3, offset = 4, lane = 'u16',
    address = 'from',
  }
  for _, name in ipairs { 'a', 'b', 'c', 'd' } do values[name] = v.argument(name) end
  for _, name in ipairs { 'i', 'j' } do values[name] = v.bits(v.argument(name)) end
  return values
end

local function arguments_of(row, values)
  local list = {}
  for i, argument in ipairs(row.arguments) do
    unit.assertNotNil(values[argument], row.name .. ': ' .. argument)
    list[i] = values[argument]
  end
  return list
end

--- The page has each word of the builder once, and no other one.
function TestWordPage.test_names()
  local on_page = {}
  for _, row in ipairs(rows()) do
    unit.assertNil(on_page[row.name], row.name .. ' stands there twice')
    on_page[row.name] = true
  end
  unit.assertEquals(support.keys(on_page), support.keys(vector.builder(isas.by_name.c)))
end

--- Each word takes what its row names, and gives what it says, on every instruction set.
function TestWordPage.test_kinds()
  local count = 0
  for _, isa_name in ipairs(isas.names) do
    for _, row in ipairs(rows()) do
      local v = vector.builder(isas.by_name[isa_name])
      local values = values_of(v)
      local kind = kind_of[row.gives]
      if kind then
        count = count + 1
        local node = v[row.name](table.unpack(arguments_of(row, values)))
        unit.assertEquals(node.kind, kind, row.name)
      end
      -- A vector of the other kind is refused in every place of one.
      for i, argument in ipairs(kind and row.arguments or {}) do
        if argument:match '^[a-dij]$' then
          local list = arguments_of(row, values)
          list[i] = argument:match '[ij]' and values.a or values.i
          unit.assertFalse((pcall(v[row.name], table.unpack(list))), row.name .. ' ' .. argument)
        end
      end
    end
  end
  unit.assertTrue(count > 150, count)
end

--- A type of a lane gives the kind that its first letter says.
function TestWordPage.test_lanes()
  local v = vector.builder(isas.by_name.avx2)
  local lanes = page:match 'A `lane` is one of .-%.\n?\n?.-An `address`'
  local count = 0
  for lane in lanes:gmatch "`'(%w+)'`" do
    count = count + 1
    for _, word in ipairs { 'load', 'load_anywhere' } do
      unit.assertEquals(v[word](lane, 'from').kind, lane:match '^f' and 'f' or 'i', lane)
    end
  end
  unit.assertEquals(count, #support.keys(require 'weights.format'.lane_types))
end

--- The words of instruction sets that the builder lacks, each with its portable C.
function TestWordPage.test_portable_c()
  local wanted, said = {}, {}
  local v = vector.builder(isas.by_name.c)
  for word, code in pairs(isas.by_name.c.words) do
    if not v[word] then wanted[word] = code end
  end
  for word, code in page:gmatch '\n| `([%w_]+)` | `([^`]+)` |' do said[word] = code end
  unit.assertEquals(said, wanted)
end

--- The example gives the C beside it.
function TestWordPage.test_example()
  local line = page:match '```lua\n(.-)\n```'
  local v = vector.builder(isas.by_name.avx2)
  local body = load('local v, x = ... ' .. line)(v, v.argument 'x')
  unit.assertStrContains(v.finish(body), page:match '```c\n(.-)```')
end
