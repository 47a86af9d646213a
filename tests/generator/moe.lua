--- Mixtures of experts: what their code in runtime/ is made of.
local moe_scores = require 'moe_scores'
local support = require 'support'
local unit = require 'luaunit'

TestMoe = {}

--- Routers compute scores as kernels compute activations: runtime/moe_scores.h is what their graphs
--- give. `lua5.4 tests/support/moe_scores.lua` makes the file.
function TestMoe.test_scores()
  unit.assertEquals(support.read(support.project .. '/runtime/moe_scores.h'), moe_scores.text())
end

--- The classes of transformers once more, where the packages are installed.
function TestMoe.test_routers_made_again()
  local python = os.getenv 'PYTHON' or 'python3'
  local run = support.run { python, support.root .. '/tests/data/routers.py' }
  unit.skipIf(run.code ~= 0 and run.err:find 'ModuleNotFoundError' ~= nil
    or run.err:find 'made routers.inc' ~= nil, 'no python3 with its transformers and torch')
  unit.assertEquals(run.code, 0, run.err)
end
