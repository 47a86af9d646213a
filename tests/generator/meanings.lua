--- What help and the man page tell of specs: all that a spec may say, as the tables have it that it
--- is judged by.
local unit = require 'luaunit'
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local fields = require 'read.fields'
local isas = require 'isa'
local meanings = require 'read.meanings'
local support = require 'support'
local weights = require 'weights'

TestTold = {}

--- Every field of every kind, each once, and none that no kind has.
function TestTold.test_fields()
  local meant, has = {}, {}
  for _, field in ipairs(meanings.fields) do
    unit.assertNil(meant[field.name], field.name)
    meant[field.name] = true
  end
  for _, kind in ipairs(fields.kinds) do
    for _, field in ipairs(fields.of[kind]) do
      unit.assertTrue(meant[field] or false, ('nobody is told of %s of %s'):format(field, kind))
      has[field] = true
    end
  end
  unit.assertEquals(support.keys(meant), support.keys(has))
  local kinds = {}
  for i, kind in ipairs(meanings.kinds) do
    kinds[i] = kind.name
    unit.assertEquals(kind.fields, fields.of[kind.name])
    unit.assertTrue(#kind.computes > 0)
  end
  unit.assertEquals(kinds, fields.kinds)
end

--- All words that are in scope, and those that stand behind a field.
local function assert_all(text, what)
  local function has(word)
    unit.assertNotNil(text:find('%f[%w_]' .. word .. '%f[^%w_]'), what .. ' lacks ' .. word)
  end
  for _, list in ipairs {
    fields.scope, fields.build, fields.dtypes, fields.optimise, fields.dropout,
    activations.variant_names, activations.plain_names, activations.gated_names, isas.names,
    weights.names, arithmetics.words, arithmetics.scales,
  } do
    for _, word in ipairs(list) do has(word) end
  end
  for _, name in ipairs(activations.names) do
    for _, parameter in ipairs(activations.by_name[name].parameters) do has(parameter) end
  end
end

--- `ffngen spec`, in lines for a terminal; and the help of ffngen names kinds, fields and variants.
function TestTold.test_spec()
  local result = support.ffngen { 'spec' }
  support.assert_code(result, 0, 'ffngen spec')
  unit.assertEquals(result.err, '')
  assert_all(result.out, 'ffngen spec')
  for line in result.out:gmatch('[^\n]+') do unit.assertTrue(#line <= 100, line) end
  for _, kind in ipairs(fields.kinds) do
    local list = result.out:match('\n  ' .. kind .. ' .-Fields: (.-)%.\n'):gsub('%s+', ' ')
    unit.assertEquals(list, table.concat(fields.of[kind], ', '), kind)
  end
  local help = support.ffngen({ '--help' }).out:gsub('%s+', ' ')
  support.assert_has(help, 'ffngen spec', '--help')
  support.assert_has(help, 'Kinds of a spec: ' .. table.concat(fields.kinds, ', '), '--help')
  support.assert_has(help, table.concat(activations.variant_names, ', '), '--help')
  for _, field in ipairs(meanings.fields) do
    unit.assertNotNil(help:match('Fields of a spec: .-%f[%w_]' .. field.name
      .. '%f[^%w_].- Variants'), field.name)
  end
end

--- The man page, as it is made and, where scdoc is, as it is read.
function TestTold.test_man_page()
  local folder = support.folder()
  local result = support.ffngen({ 'packaging', '--out', 'p' }, { dir = folder })
  support.assert_code(result, 0, 'packaging')
  local source = support.read(folder .. '/p/ffngen.1.scd')
  local specs = source:match('\n# SPECS\n(.-)\n# EXIT STATUS\n'):gsub('\\', '')
  assert_all(specs, 'the man page')
  for _, kind in ipairs(fields.kinds) do
    local list = specs:match("\n%*" .. kind .. "%* '_name_' (%b{})\n")
    unit.assertEquals(list, '{ ' .. table.concat(fields.of[kind], ', ') .. ' }', kind)
  end
  for _, field in ipairs(meanings.fields) do
    unit.assertNotNil(specs:find('\n*' .. field.name .. '*\n\t', 1, true), field.name)
  end
  for _, verb in ipairs((require 'commands').names) do
    support.assert_has(source, '\n*' .. verb .. '*\n\t', 'the man page')
    support.assert_has(source, '*ffngen-' .. verb .. '*(1)', 'the man page')
  end
  if support.run({ 'sh', '-c', 'command -v scdoc' }).code ~= 0 then return end
  local page = support.run({ 'sh', '-c', 'scdoc <p/ffngen.1.scd' }, { dir = folder })
  support.assert_code(page, 0, 'scdoc')
  local read = page.out:gsub('\\f[BRI]', ''):gsub('\\&', ''):gsub('\\(.)', '%1')
  assert_all(read, 'the man page as it is read')
end
