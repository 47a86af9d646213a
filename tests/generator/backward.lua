--- Records that hold what comes: the backward stage of SwiGLU from dy to what its two branches get,
--- planned as any other stage is. Lua alone: no template, no C.
local unit = require 'luaunit'
local activations = require 'activation'
local cpus = require 'cpu'
local describe = require 'emit.describe'
local expression = require 'lower.expression'
local isas = require 'isa'
local layer = require 'lower.layer'
local plan = require 'plan.plan'
local weights = require 'weights'

TestBackward = {}

local d_model, d_ff = 512, 1365

--- h = silu(gate) * up; dh = dy Wdown. silu'(x) = s + x s (1 - s) with s = sigmoid(x).
local function backward_stage()
  local silu = activations.by_name.silu
  local slope = {
    name = "silu'", parameters = {}, both = false,
    vector = function(v, x)
      local s = activations.by_name.sigmoid.vector(v, x)
      return v.fma(v.mul(x, s), v.sub(v.const(1.0), s), s)
    end,
  }
  local dh, gate, up = expression.sum(1), expression.saved 'gate', expression.saved 'up'
  return layer.stage {
    name = 'dh', inputs = d_model, outputs = d_ff, bias = false, transposed = true,
    operand = { tensor = 'dy', zeros = false },
    branches = { { name = 'dh', matrix = 'down' } }, format = weights.by_name.f32,
    results = {
      { tensor = 'dgate',
        value = expression.mul(expression.mul(dh, up), expression.apply(slope, gate)) },
      { tensor = 'dup', value = expression.mul(dh, expression.apply(silu, gate)) },
    },
  }
end

local function planned(stages, isa)
  return plan.pass(stages, isas.by_name[isa], cpus.by_name.generic.choices, true)
end

function TestBackward.test_plan()
  for _, name in ipairs(isas.names) do
    local stage = backward_stage()
    local pass = planned({ stage }, name)
    local s = pass.stages[1]
    unit.assertEquals(s.saved, { 'up', 'gate' }, name)
    unit.assertTrue(s.stage.stream.transposed)
    unit.assertEquals({ s.destinations[1].tensor, s.destinations[2].tensor }, { 'dgate', 'dup' })
    -- Both results go to the caller, whose last panel is ragged.
    unit.assertFalse(s.destinations[1].buffer)
    unit.assertFalse(s.destinations[2].buffer)
    unit.assertTrue(s.final and s.tail, name)
    -- The same order of sums as a forward stage of these sizes, and the same tiles.
    unit.assertEquals({ stage.sum.block, stage.sum.blocks, stage.sum.chains }, { 128, 4, 1 })
    local forward = planned({ layer.stage {
      name = 'up', inputs = d_model, outputs = d_ff, bias = false,
      operand = { tensor = 'x', zeros = false },
      branches = { { name = 'up', matrix = 'up' } }, format = weights.by_name.f32,
      results = { { tensor = 'y', value = expression.sum(1) } },
    } }, name)
    unit.assertEquals(#s.tiles, #forward.stages[1].tiles, name)
    for _, tile in ipairs(s.tiles) do
      unit.assertTrue(tile.registers <= isas.by_name[name].registers, name)
    end
    unit.assertEquals(pass.packed_bytes, 64 + 4 * 86 * 16 * d_model)
    unit.assertEquals(pass.packed_bytes, forward.packed_bytes)
    -- dy is copied into blocks; the saved tensors stay where they are.
    unit.assertEquals(#pass.buffers, 1)
    unit.assertEquals(pass.buffers[1].tensors, { 'dy' })
    unit.assertEquals(pass.buffers[1].floats, d_model)
  end
end

--- A stage behind it that reads one of the two gives that a place in work memory.
function TestBackward.test_two_stages()
  local after = layer.stage {
    name = 'dx', inputs = d_ff, outputs = d_model, bias = false, transposed = true,
    operand = { tensor = 'dup', zeros = false },
    branches = { { name = 'dx', matrix = 'up' } }, format = weights.by_name.f32,
    results = { { tensor = 'dx', value = expression.sum(1) } },
  }
  local pass = planned({ backward_stage(), after }, 'avx2')
  local first, second = pass.stages[1], pass.stages[2]
  unit.assertFalse(first.destinations[1].buffer)
  unit.assertEquals(first.destinations[2].buffer, second.buffer)
  unit.assertNotEquals(first.buffer, second.buffer)
  unit.assertEquals(first.destinations[2].row, second.row)
  unit.assertTrue(second.final)
  unit.assertEquals(second.panels.at, first.panels.at + first.panels.bytes)
end

--- What it computes, in words.
function TestBackward.test_described()
  unit.assertEquals(describe.stage(backward_stage()),
    "512 -> 1365, dh, dgate = dh * up * silu'(gate); dup = dh * silu(gate)")
end
