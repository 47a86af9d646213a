--- `ffngen check`: is a folder what its specs make?
local unit = require 'luaunit'
local support = require 'support'

TestCheck = {}

function TestCheck:setUp()
  -- Every test leaves it fresh.
  if self.fresh and not support.full then return end
  self.project = self.project or support.copy_project('checked')
  local result = support.run { self.project .. '/ffngen', 'generate' }
  support.assert_code(result, 0, 'generate')
  unit.assertEquals(result.out, '')
  self.fresh = support.snapshot(self.project .. '/generated')
end

function TestCheck:check(code, ...)
  local before = support.snapshot(self.project .. '/generated')
  local result = support.run { self.project .. '/ffngen', 'check' }
  support.assert_code(result, code, 'check')
  unit.assertEquals(result.out, '')
  if code == 0 then unit.assertEquals(result.err, '') end
  for _, part in ipairs { ... } do support.assert_has(result.err, part, 'check') end
  if code == 3 then
    unit.assertStrMatches(result.err, '.*ffngen: To fix this: ./ffngen generate\n')
    -- One line for every file, and the remedy.
    unit.assertEquals(select(2, result.err:gsub('\n', '')), select('#', ...) + 1)
  end
  support.assert_same(support.snapshot(self.project .. '/generated'), before, 'check')
end

--- The remedy that check names.
function TestCheck:fix()
  support.assert_code(support.run({ './ffngen', 'generate' }, { dir = self.project }), 0, 'Fix')
  support.assert_same(support.snapshot(self.project .. '/generated'), self.fresh, 'fixed')
  self:check(0)
end

function TestCheck:test_fresh() self:check(0) end

function TestCheck:test_changed()
  local path = self.project .. '/generated/linear_bias_d10_o5_f32_c.c'
  support.write(path, support.read(path):gsub('\n$', '\n\n'))
  self:check(3, 'generated/linear_bias_d10_o5_f32_c.c is not what its spec makes')
  self:fix()
end

function TestCheck:test_missing()
  assert(os.remove(self.project .. '/generated/linear_bias_d10_o5_f32_neon.c'))
  assert(os.remove(self.project .. '/generated/isas.inc'))
  self:check(3, 'generated/linear_bias_d10_o5_f32_neon.c is missing',
    'generated/isas.inc is missing')
  self:fix()
end

function TestCheck:test_left_over()
  local kernel = support.read(self.project .. '/generated/linear_bias_d10_o5_f32_c.c')
  support.write(self.project .. '/generated/linear_bias_d11_o5_f32_c.c',
    (kernel:gsub('d10_o5', 'd11_o5')))
  support.sh('cp', self.project .. '/generated/kernels.inc',
    self.project .. '/generated/older.inc')
  self:check(3, 'generated/linear_bias_d11_o5_f32_c.c is left over',
    'generated/older.inc is left over')
  self:fix()
end

function TestCheck:test_everything_missing()
  support.sh('rm -rf', self.project .. '/generated')
  local result = support.run { self.project .. '/ffngen', 'check' }
  support.assert_code(result, 3, 'check')
  unit.assertFalse(support.exists(self.project .. '/generated'))
  self:fix()
end

--- A change of the generator shows: a template, a spec.
function TestCheck:test_stale_sources()
  for _, source in ipairs { 'templates/kernel/file.c.tpl', 'generator/specs/lessons.lua' } do
    local path = self.project .. '/' .. source
    local text = support.read(path)
    support.write(path, source:match('tpl$') and text:gsub('\n#include', '\n\n#include', 1)
      or text .. "\nlinear 'one_more' { d_model = 3, d_out = 77 }\n")
    local result = support.run { self.project .. '/ffngen', 'check' }
    support.assert_code(result, 3, source)
    support.assert_has(result.err, source:match('tpl$') and 'is not what its spec makes'
      or 'generated/linear_d3_o77_f32_c.c is missing', source)
    support.write(path, text)
    self:check(0)
  end
end
