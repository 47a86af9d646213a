--- Published data that a script makes with a public package: where the package is installed, it
--- makes the files that are here.
local unit = require 'luaunit'
local support = require 'support'

TestPublished = {}

--- Without the line that names versions, which may be others.
local function bodies(folder)
  local files = {}
  for name, text in pairs(support.snapshot(folder)) do
    local head, body = text:match('^(/%* Made by [^\n]+\n)(.+)$')
    unit.assertNotNil(head, name)
    files[name] = body
  end
  return files
end

function TestPublished.test_blocks()
  local installed = support.run { 'python3', '-c', 'import gguf, numpy' }
  unit.skipIf(installed.code ~= 0, 'no python3 with gguf and numpy')
  local folder, script = support.folder(), support.root .. '/tests/data/blocks.py'
  support.assert_code(support.run { 'python3', script, folder }, 0, script)
  local made, here = bodies(folder), bodies(support.root .. '/tests/data/blocks')
  unit.assertEquals(#support.keys(here), 14)
  unit.assertEquals(support.keys(made), support.keys(here))
  for name, body in pairs(here) do unit.assertTrue(made[name] == body, name) end
end

--- Models of transformers: the script compares by itself, and where versions are others says so.
function TestPublished.test_models()
  local installed = support.run { 'python3', '-c', 'import safetensors, torch, transformers' }
  unit.skipIf(installed.code ~= 0, 'no python3 with safetensors, torch and transformers')
  local script = support.root .. '/tests/data/import/remake.py'
  local outcome = support.run({ 'python3', script }, { seconds = 300 })
  support.assert_code(outcome, 0, script)
  support.assert_has(outcome.out, ' models, ')
end
