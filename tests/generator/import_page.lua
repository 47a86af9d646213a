--- The page on imports: its tables are those of the code, and its examples are what import prints.
local configs = require 'import.config'
local json = require 'dkjson'
local lists = require 'common.list'
local page_tables = require 'page_tables'
local quantized = require 'import.quantized'
local readers = require 'import.readers'
local support = require 'support'
local unit = require 'luaunit'

TestImportPage = {}

local page = support.read(support.root .. '/generator/import/README.md')
local plan_page = support.read(support.root .. '/generator/import/PLAN.md')
local methods_page = support.read(support.root .. '/generator/import/quantized/README.md')
local models = support.root .. '/tests/data/import/'

--- The lines of a block by what stands behind its fence.
local function block_of(info, of)
  local text = (of or page):match('\n```' .. info .. '\n(.-)```\n')
  unit.assertNotNil(text, info)
  return text
end

--- Each option, and who takes it.
function TestImportPage.test_options()
  local options = {}
  for _, row in ipairs(page_tables.rows(page, 'option |')) do
    for option in row[1]:gmatch '`%-%-([%l-]+)' do
      local wanted = {}
      options[#options + 1] = option
      for _, name in ipairs(readers.names) do
        if lists.has(readers.by_name[name].takes, (option:gsub('-', '_'))) then
          wanted[#wanted + 1] = name
        end
      end
      local some = #wanted > 0 and #wanted < #readers.names
      unit.assertEquals(row[3], some and table.concat(wanted, ', ') or 'all', option)
    end
  end
  page_tables.assert_options('import', options)
end

--- Readers, in the order in which they are asked.
function TestImportPage.test_readers()
  local order = {}
  for name in page:match 'The first reader in this order (.-)\n%s*\n':gmatch '`(%l+)` %(' do
    order[#order + 1] = name
  end
  unit.assertEquals(order, readers.names)
end

local nothing = setmetatable({}, { __jsontype = 'object' })

--- Configs of each method: without activations that are rounded, and with.
local packed = {
  gptq = { { bits = 4, group_size = 32 } },
  awq = { { bits = 4, group_size = 32 } },
  ['auto-round'] = {
    { bits = 4, group_size = 32, packing_format = 'auto_round:auto_gptq' },
    { bits = 4, group_size = 32, packing_format = 'auto_round:auto_awq', act_bits = 8 },
  },
  ['compressed-tensors'] = {
    { format = 'int-quantized', config_groups = { a = { weights = { num_bits = 8 } } } },
    { format = 'int-quantized', config_groups = {
      a = { weights = { num_bits = 8 }, input_activations = { num_bits = 8 } },
    } },
  },
  fp8 = { nothing }, fbgemm_fp8 = { nothing }, mxfp4 = { nothing },
}

--- Each method, and whether its layers are taken as they are.
function TestImportPage.test_methods()
  local methods = {}
  for _, row in ipairs(page_tables.rows(methods_page, 'method |')) do
    methods[#methods + 1] = row[1]
    local scheme, answers = quantized.by_method[row[1]], {}
    for i, config in ipairs(packed[row[1]]) do
      local said = configs.of_text('config.json', json.encode(config))
      answers[i] = scheme.rule(said, function() return false end).activations and true or false
    end
    local wanted = #answers == 2 and { false, true } or { row[3] == 'always' }
    unit.assertEquals(answers, wanted, row[1])
    local word = #answers == 2 and '^if ' or answers[1] and '^always$' or '^no$'
    unit.assertNotNil(row[3]:find(word), row[1] .. ': ' .. row[3])
  end
  unit.assertEquals(methods, lists.map(quantized.names, function(name)
    return require('import.quantized.' .. name).methods[1]
  end))
end

--- What --list prints of the page's model.
function TestImportPage.test_listing()
  local result = support.ffngen { 'import', models .. 'packed/origin_gptq', '--list' }
  support.assert_code(result, 0, 'import --list')
  local at, before = 1, true
  for line in block_of 'text import model %-%-list':gmatch '([^\n]*)\n' do
    if line ~= '...' then
      local first, last = ('\n' .. result.out):find('\n' .. line .. '\n', at, true)
      unit.assertTrue(first ~= nil and (first == at or not before), line)
      at = last
    end
    before = line ~= '...'
  end
  support.assert_has(page, '/tests/data/import/packed/origin_gptq model\n', 'its model')
end

--- The plan of a model, and its text.
local function plan_of(model)
  local folder = support.folder()
  support.assert_code(support.ffngen {
    'import', models .. model, '--out', folder, '--spec-only',
  }, 0, model)
  local text = support.read(folder .. '/PLAN.json')
  return json.decode(text), text
end

--- The fields of a plan, and where numbers lie.
function TestImportPage.test_plan()
  local plan, text = plan_of 'onnx/batch_norm.onnx'
  local of_bytes = select(2, plan_of 'onnx/symmetric_mlp.onnx')
  for _, row in ipairs(page_tables.rows(plan_page, 'field |')) do
    for field in row[1]:gmatch '`([^`]+)`' do
      support.assert_has(text .. of_bytes, ('"%s":'):format(field), 'plans')
    end
  end
  local scaled = select(2, plan_of 'packed/origin_gptq')
  for _, field in ipairs { 'every', 'scales', 'zeros', 'groups' } do
    support.assert_has(scaled, ('"%s":'):format(field), 'a plan')
  end
  support.assert_has(plan_page, '# PLAN.json, version ' .. plan.ffngen_plan .. '\n', 'version')
  local shown, real = json.decode(block_of('json', plan_page)), plan.layers[1].matrices[1].weight
  unit.assertEquals(support.keys(shown), support.keys(real))
  -- 32 outputs, 64 inputs, f32.
  unit.assertEquals({ shown.bytes, shown.row_bytes, shown.column_bytes },
    { 32 * 64 * 4, 64 * 4, 4 })
  support.assert_has(plan_page, ('%d + 5 * %d + 3 * %d.'):format(shown.first, shown.row_bytes,
    shown.column_bytes), 'its number')
  support.assert_has(plan_page, ('`row_bytes` 4 and `column_bytes` %d.'):format(32 * 4), 'turned')
end
