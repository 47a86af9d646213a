--- Regions of training: what threads do at the same time touches nothing of each other.
local unit = require 'luaunit'
local cpus = require 'cpu'
local expression = require 'lower.expression'
local isas = require 'isa'
local layer = require 'lower.layer'
local plan = require 'plan.plan'
local spec = require 'read.spec'
local support = require 'support'

TestRegions = {}

local choices = cpus.by_name.generic.choices

local function passes_of(s)
  return plan.plan(layer.lower(s), isas.by_name.avx2, choices).training.passes
end

--- The tensors that a stage reads, and those that it writes.
local function touched(stage)
  local reads, writes = {}, {}
  for _, tensor in ipairs(stage.operand.parts) do reads[tensor] = true end
  if stage.stream and stage.stream.packed then reads[stage.stream.packed] = true end
  for _, result in ipairs(stage.results) do
    writes[result.tensor] = true
    expression.walk(result.value, function(e) if e.tensor then reads[e.tensor] = true end end)
  end
  return reads, writes
end

local function check_apart(a, b, what)
  local reads_a, writes_a = touched(a.stage)
  local reads_b, writes_b = touched(b.stage)
  for _, place in ipairs(support.keys(writes_a)) do
    unit.assertNil(reads_b[place], what .. place)
    unit.assertNil(writes_b[place], what .. place)
  end
  for _, place in ipairs(support.keys(writes_b)) do
    unit.assertNil(reads_a[place], what .. place)
  end
end

--- The regions from one that writes a tensor to the last that reads it.
local function life(pass, tensor)
  local from, to
  for _, s in ipairs(pass.stages) do
    local reads, writes = touched(s.stage)
    if writes[tensor] then from = from or s.region end
    if from and (reads[tensor] or writes[tensor]) then to = s.region end
  end
  return from, to
end

--- Operands of several parts are one tensor here: they lie side by side.
local function check_buffers(pass, what)
  for _, buffer in ipairs(pass.buffers) do
    for i, one in ipairs(buffer.tensors) do
      for j = i + 1, #buffer.tensors do
        local from, to = life(pass, one)
        local from_other, to_other = life(pass, buffer.tensors[j])
        unit.assertTrue(to < from_other or to_other < from,
          ('%s: %s and %s in one buffer'):format(what, one, buffer.tensors[j]))
      end
    end
  end
end

function TestRegions.test_apart()
  local shared = 0
  for _, s in ipairs(spec.read(support.root .. '/tests/specs/trained.lua', {})) do
    for _, name in ipairs { 'train', 'grad' } do
      local pass = passes_of(s)[name]
      for i, a in ipairs(pass.stages) do
        for j = i + 1, #pass.stages do
          local b = pass.stages[j]
          unit.assertTrue(a.region <= b.region)
          if a.region == b.region then
            check_apart(a, b, ('%s %s, %s and %s: '):format(s.name, name, a.stage.name,
              b.stage.name))
            shared = shared + 1
          end
        end
      end
      check_buffers(pass, s.name .. ' ' .. name)
    end
  end
  unit.assertTrue(shared > 20)
end

--- A gated layer's gradients: threads wait for each other twice.
function TestRegions.test_gated()
  local path = support.folder() .. '/gated.lua'
  support.write(path,
    'ffn "gated" { backward = true, variant = "swiglu", d_model = 64, d_ff = 96 }')
  local regions = {}
  for _, s in ipairs(passes_of(spec.read(path, {})[1]).grad.stages) do
    local at = s.region + 1
    regions[at] = regions[at] and regions[at] .. ' ' .. s.stage.name or s.stage.name
  end
  unit.assertEquals(regions, { 'take_dy pack_h', 'dw_down dgate_up pack_x', 'dw_gate_up dx' })
end
