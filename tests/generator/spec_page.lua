--- generator/read/README.md beside the tables that specs are judged by.
local unit = require 'luaunit'
local calls = require 'read.calls'
local efforts = require 'read.effort'
local fields = require 'read.fields'
local kinds = require 'kind'
local limits = require 'common.limits'
local page_tables = require 'page_tables'
local sandbox = require 'read.sandbox'
local support = require 'support'
local weights = require 'weights'

TestSpecPage = {}

local page = support.read(support.root .. '/generator/read/README.md')

local function rows(head) return page_tables.rows(page, head) end

local function names_in(cell)
  local list = {}
  for name in cell:gmatch '`([%w_]+)`' do list[#list + 1] = name end
  return list
end

--- Each kind has all of its fields, those that make it what it is in front, and no others.
function TestSpecPage.test_kinds()
  local list = rows 'kind | fields'
  unit.assertEquals(#list, #fields.kinds)
  for i, kind in ipairs(fields.kinds) do
    local cells, wanted = list[i], {}
    unit.assertEquals(cells[1], ('`%s`'):format(kind))
    unit.assertEquals(names_in(cells[2]), kinds.by_name[kind].fields)
    for _, field in ipairs(fields.of[kind]) do
      if field ~= 'about' and field ~= 'build' then wanted[#wanted + 1] = field end
    end
    unit.assertEquals(names_in(cells[2] .. cells[3]), wanted, kind)
  end
end

--- Every field has a row, and every row a field.
function TestSpecPage.test_fields()
  local wanted, said = {}, {}
  for _, kind in ipairs(fields.kinds) do
    for _, field in ipairs(fields.of[kind]) do wanted[field] = true end
  end
  for _, cells in ipairs(rows 'field | values') do said[names_in(cells[1])[1]] = true end
  unit.assertEquals(support.keys(said), support.keys(wanted))
end

--- Formats: which are made from floats, and which are trained.
function TestSpecPage.test_formats()
  local said = {}
  for _, cells in ipairs(rows '`weights` | what') do
    for _, name in ipairs(names_in(cells[1])) do
      unit.assertNil(said[name], name)
      said[name] = true
      local format = weights.by_name[name]
      unit.assertEquals(cells[3], format.pack and 'yes' or 'no', name)
      unit.assertEquals(cells[4], format.trains and 'yes' or 'no', name)
    end
  end
  -- `u4g32_bf16` and `u4g32_f32` stand for those of other groups.
  for _, name in ipairs(weights.names) do
    unit.assertTrue(said[name] or said[name:gsub('g%d+_', 'g32_')] or false, name)
  end
  for name, divides in pairs { q4_K = 256, q8_0 = 32, f8_e4m3 = 8, i8 = 1 } do
    unit.assertEquals(weights.by_name[name].divides, divides, name)
    support.assert_has(page:gsub('%s+', ' '), ('%d for `%s`'):format(divides, name), name)
  end
end

--- What a spec may take.
function TestSpecPage.test_limits()
  local function million(n) return ('%d million'):format(n // 1000000) end
  local both = ('%s, %d MiB'):format(million(sandbox.max_instructions),
    sandbox.max_kilobytes // 1024)
  unit.assertEquals(rows 'limit | most', {
    { 'text of a file', ('%d KiB'):format(limits.most 'spec' // 1024) },
    { 'layers of a file', tostring(calls.max_layers) },
    { 'instructions of Lua, and memory, of a file, functions of activations not counted', both },
    { 'instructions of Lua, and memory, of the function of one activation', both },
    { 'instructions of Lua of the functions of all activations of a file',
      million(efforts.max_instructions) },
    { 'steps that judge the activations of a file: a step computes one operation of a function or '
      .. 'derivative at one x', million(efforts.max_steps) },
  })
end
