--- Training as records: the passes of every kind of layer, and the backward stage of SwiGLU from dy
--- to what its two branches get, planned as any other stage is. Lua alone: no template, no C.
local unit = require 'luaunit'
local activations = require 'activation'
local cpus = require 'cpu'
local describe = require 'emit.describe'
local equations = require 'emit.equations'
local expression = require 'lower.expression'
local isas = require 'isa'
local layer = require 'lower.layer'
local plan = require 'plan.plan'
local spec = require 'read.spec'
local support = require 'support'
local vector = require 'emit.vector'
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
    name = 'dh', inputs = d_model, outputs = d_ff, bias = false,
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
  for _, name in ipairs(support.f32_isas()) do
    local stage = backward_stage()
    local pass = planned({ stage }, name)
    local s = pass.stages[1]
    -- Both results go to the caller, whose last panel is ragged.
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
      unit.assertTrue(tile.registers <= isas.by_name[name].files.vector, name)
    end
    unit.assertEquals(pass.packed_bytes, 64 + 4 * 86 * 16 * d_model)
    unit.assertEquals(pass.packed_bytes, forward.packed_bytes)
    -- dy is copied into blocks; the saved tensors stay where they are.
    unit.assertEquals(#pass.buffers, 1)
    unit.assertEquals(pass.buffers[1].tensors, { 'dy' })
    unit.assertEquals(pass.buffers[1].bytes, 4 * d_model)
  end
end

--- A stage behind it that reads one of the two gives that a place in work memory.
function TestBackward.test_two_stages()
  local after = layer.stage {
    name = 'dx', inputs = d_ff, outputs = d_model, bias = false,
    operand = { tensor = 'dup', zeros = false },
    branches = { { name = 'dx', matrix = 'up' } }, format = weights.by_name.f32,
    results = { { tensor = 'dx', value = expression.sum(1) } },
  }
  local pass = planned({ backward_stage(), after }, 'avx2')
  local first, second = pass.stages[1], pass.stages[2]
  unit.assertFalse(first.final)
  unit.assertNotEquals(first.buffer, second.buffer)
  unit.assertTrue(second.final)
  unit.assertEquals(second.panels.at, first.panels.bias_at)
end

--- What it computes, in words.
function TestBackward.test_described()
  unit.assertEquals(describe.stage(backward_stage()),
    "512 -> 1365, dh, dgate = dh * up * silu'(gate); dup = dh * silu(gate)")
end

-- Lowering ---------------------------------------------------------------------------------------

--- The passes of a layer, a line for each stage.
local function lowered(kind, fields)
  local text = ('%s "trained" { backward = true, %s }\n'):format(kind, fields)
  local path = support.folder() .. '/trained.lua'
  support.write(path, text)
  local l = layer.lower(spec.read(path, {})[1])
  local lines = {}
  for _, pass in ipairs { 'train', 'grad' } do
    for _, s in ipairs(l.passes[pass]) do
      local parts = {}
      for i, result in ipairs(s.results) do
        parts[i] = ('%s = %s'):format(result.tensor, expression.text(result.value, function(e)
          return e.op == 'sum' and ('sum%d'):format(e.branch)
            or e.op == 'operand' and s.operand.tensor or e.tensor
        end))
      end
      lines[#lines + 1] = ('%s %s: %s'):format(s.kind, s.name, table.concat(parts, '; '))
    end
  end
  return lines, l
end

function TestBackward.test_gated()
  local lines, l = lowered('ffn', 'variant = "swiglu", d_model = 512, d_ff = 1365, bias = true')
  unit.assertEquals(lines, {
    'values take_x: x = x',
    'weights gate_up: h = silu(sum1) * sum2; gate = sum1; up = sum2',
    'weights down: y = sum1',
    'values take_dy: dy = dy',
    'values pack_h: h_panels = silu(gate) * up',
    'tokens dw_down: dw_down = sum1',
    'columns db_down: db_down = sum1',
    "weights dgate_up: dgate = sum1 * up * silu'(gate); dup = sum1 * silu(gate)",
    'values pack_x: x_panels = x',
    'tokens dw_gate_up: dw_gate = sum1; dw_up = sum1',
    'columns db_gate_up: db_gate = sum1; db_up = sum1',
    'weights dx: dx = sum1',
  })
  local grad = l.passes.grad
  local dx = grad[#grad]
  -- One sum over gate's outputs, then up's, each cut into blocks alike.
  unit.assertEquals(dx.operand.parts, { 'dgate', 'dup' })
  unit.assertEquals({ dx.inputs, dx.sum.parts, dx.sum.block, dx.sum.blocks,
    dx.sum.last }, { 2816, 2, 128, 22, 85 })
  unit.assertEquals(dx.sum.roundings, 128 + 21)
  unit.assertEquals(dx.wants, { 'dx' })
  unit.assertEquals(describe.order(dx),
    'k ascends over dgate, then dup in 22 blocks of 128; at most 149 roundings')
  -- Sums over tokens: blocks of 128 whatever the layer, no chains, added to what is there.
  local dw = grad[3]
  unit.assertEquals({ dw.sum.block, dw.sum.chains }, { 128, 1 })
  unit.assertEquals({ dw.operand.tensor, dw.stream.packed, dw.wants }, { 'dy', 'h_panels',
    { 'dw_down' } })
  -- Whoever wants a gradient of the first stage pays for the way there; dW of the last is cheap.
  unit.assertEquals(grad[5].wants, { 'dx', 'dw_gate_up', 'db_gate_up' })
end

--- What does nothing to its sums saves none, and no slope of 1 is multiplied with.
function TestBackward.test_plain()
  unit.assertEquals((lowered('linear', 'd_model = 10, d_out = 5')), {
    'values take_x: x = x', 'weights linear: y = sum1',
    'values take_dy: dy = dy', 'values pack_x: x_panels = x',
    'tokens dw_linear: dw_linear = sum1', 'weights dx: dx = sum1',
  })
  local lines = lowered('ffn', 'variant = "bilinear", d_model = 24, d_ff = 40')
  unit.assertEquals(lines[7], 'weights dgate_up: dgate = sum1 * up; dup = sum1 * gate')
end

--- The input that gates itself has two ways back.
function TestBackward.test_selfgate()
  unit.assertEquals((lowered('selfgate', 'activation = "silu", d_model = 24')), {
    'values take_x: x = x', 'weights gate: y = x * silu(sum1); gate = sum1',
    'values take_dy: dy = dy', 'values take_x_again: x = x',
    "values dgate: dgate = dy * x * silu'(gate)",
    'values pack_x: x_panels = x', 'tokens dw_gate: dw_gate = sum1',
    'weights dx: dx = sum1 + dy * silu(gate)',
  })
end

function TestBackward.test_chain()
  unit.assertEquals((lowered('mlp',
    'd_model = 10, layers = { { 64, "relu" }, { 32 }, { 1, "sigmoid" } }')), {
    'values take_x: x = x', 'weights layer1: h1 = relu(sum1); layer1 = sum1',
    'weights layer2: h2 = sum1; layer2 = sum1',
    'weights layer3: y = sigmoid(sum1); layer3 = sum1',
    'values take_dy: dy = dy', "values dlayer3: dlayer3 = dy * sigmoid'(layer3)",
    'values pack_h2: h2_panels = layer2', 'tokens dw_layer3: dw_layer3 = sum1',
    'weights dlayer2: dlayer2 = sum1',
    'values pack_h1: h1_panels = relu(layer1)', 'tokens dw_layer2: dw_layer2 = sum1',
    "weights dlayer1: dlayer1 = sum1 * relu'(layer1)",
    'values pack_x: x_panels = x', 'tokens dw_layer1: dw_layer1 = sum1',
    'weights dx: dx = sum1',
  })
end

--- A parameter that is given at run time has a gradient: of a row one value, over all stages that
--- take it, and of these a sum over tokens.
function TestBackward.test_parameter()
  local lines, l = lowered('mlp', 'd_model = 8, layers = { { 20, "swish" }, { 9, "swish" } }')
  local dy = "dlayer2 = dy * swish'(layer2); turns_layer2_beta = dy * dswish/dbeta(layer2)"
  unit.assertEquals({ lines[5], lines[6] },
    { 'values dlayer2: ' .. dy, 'fold fold_layer2: parameter_rows = turns_layer2_beta' })
  unit.assertEquals(lines[10], 'fold fold_layer1: parameter_rows = turns_layer1_beta')
  unit.assertEquals(lines[#lines], 'columns dparameters: dparameters = sum1')
  -- What goes on from there is the gradient of the sums alone.
  unit.assertEquals(l.passes.grad[5].operand.parts, { 'dlayer2' })
  unit.assertEquals(l.passes.grad[6].wants, { 'dx', 'dw_layer1', 'parameters' })
  -- One that the spec fixes has none.
  local fixed = lowered('ffn', 'variant = "swish", beta = 1.5, d_model = 8, d_ff = 9')
  for _, line in ipairs(fixed) do
    support.assert_lacks(line, 'beta', line)
  end
end

--- Several have a tensor each, and one sum at the end.
function TestBackward.test_parameters()
  local lines, l = lowered('ffn', 'variant = "xielu_glu", d_model = 8, d_ff = 9')
  local dgate = "dgate = sum1 * up * xielu'(gate); dup = sum1 * xielu(gate)"
  for _, name in ipairs { 'alpha_p', 'alpha_n' } do
    dgate = ('%s; turns_gate_up_%s = sum1 * up * dxielu/d%s(gate)'):format(dgate, name, name)
  end
  unit.assertEquals(lines[7], 'weights dgate_up: ' .. dgate)
  local fold, sum = l.passes.grad[5], l.passes.grad[#l.passes.grad]
  unit.assertEquals({ fold.kind, fold.operand.parts, fold.outputs },
    { 'fold', { 'turns_gate_up_alpha_p', 'turns_gate_up_alpha_n' }, 2 })
  unit.assertEquals({ sum.name, sum.kind, sum.inputs }, { 'dparameters', 'columns', 2 })
end

--- A function of both branches is differentiated by each.
function TestBackward.test_both()
  local lines = lowered('ffn', 'variant = "clamped_swiglu", d_model = 8, d_ff = 9')
  unit.assertEquals(lines[2],
    'weights gate_up: h = clamped_swiglu(sum1, sum2); gate = sum1; up = sum2')
  unit.assertEquals(lines[5], 'values pack_h: h_panels = clamped_swiglu(gate, up)')
  unit.assertEquals(lines[7], 'weights dgate_up: dgate = sum1 * dclamped_swiglu/dx(gate, up); '
    .. 'dup = sum1 * dclamped_swiglu/dup(gate, up)')
end

--- One of a spec that is one of the project's has that one's derivatives; identity's are made.
function TestBackward.test_known()
  local path = support.folder() .. '/known.lua'
  support.write(path, "activation 'mine' (function(x, p) return sigmoid(p.steep * x) * x end)\n"
    .. "activation 'same' (function(x) return x end)\n"
    .. "ffn 'a' { variant = 'mine', d_model = 3, d_ff = 2, backward = true }\n"
    .. "ffn 'b' { variant = 'same', d_model = 3, d_ff = 2, backward = true }\n")
  local specs = spec.read(path, {})
  local function of(i)
    return layer.lower(specs[i]).passes.forward[1].forward.activation
  end
  for _, isa in ipairs { isas.by_name.c, isas.by_name.avx2 } do
    local swish = vector.gradient_body(isa, activations.by_name.swish):gsub('beta', 'steep')
    unit.assertEquals(vector.gradient_body(isa, of(1)), swish)
    support.assert_has(vector.gradient_body(isa, of(2)), '*by_x = ', 'same')
  end
end

--- An activation that says no derivative is refused, with its place.
function TestBackward.test_without_a_derivative()
  local path = support.folder() .. '/bent.lua'
  support.write(path,
    "ffn 'bent' {\n  variant = 'silu', d_model = 3, d_ff = 2,\n  backward = true }\n")
  local silu, s = activations.by_name.silu, spec.read(path, {})[1]
  local gradient = silu.gradient
  rawset(silu, 'gradient', false)
  local ok, problem = pcall(layer.lower, s, 'f32')
  rawset(silu, 'gradient', gradient)
  unit.assertFalse(ok)
  support.assert_has(tostring(problem), 'bent.lua:3: ffn "bent": activation "silu"', 'refused')
end

--- Without `backward` there is nothing of it.
function TestBackward.test_absent()
  local path = support.folder() .. '/plain.lua'
  support.write(path, 'linear "plain" { d_model = 3, d_out = 2 }\n')
  local l = layer.lower(spec.read(path, {})[1])
  unit.assertEquals(support.keys(l.passes), { 'forward' })
  unit.assertFalse(l.backward)
end

-- Files ------------------------------------------------------------------------------------------

local trained = [[
ffn 'learns' { variant = 'swiglu', d_model = 9, d_ff = 21, backward = true, bias = true,
  build = { { isa = { 'c' } } } }
]]

--- Beside the kernel, which is what it is without training.
function TestBackward.test_files()
  local folder = support.folder()
  support.write(folder .. '/a.lua', trained)
  support.write(folder .. '/b.lua', (trained:gsub('backward = true, ', '')))
  for _, name in ipairs { 'a', 'b' } do
    support.assert_code(support.ffngen({ 'generate', name .. '.lua', '--out', name },
      { dir = folder }), 0, name)
  end
  local a, b = support.snapshot(folder .. '/a'), support.snapshot(folder .. '/b')
  local kernel = 'ffn_swiglu_bias_d9_f21_f32_c'
  unit.assertEquals((a[kernel .. '.c']:gsub('a%.lua', 'b.lua')), b[kernel .. '.c'])
  local more = {}
  for _, path in ipairs(support.keys(a)) do
    if not b[path] then more[#more + 1] = path end
  end
  unit.assertEquals(more, { 'derivatives.inc', 'dropout.c', 'dropout.h',
    'ffn_swiglu_bias_d9_f21_f32_c_train.c', 'ffn_train.h', 'ffn_train.hpp', 'reference_grad.c',
    'selfcheck_train.h', 'train.c', 'train_walk.h', 'trainings.inc' })
  support.assert_has(a['selfcheck.c'], 'check_trainings(&l', 'the self-check')
  support.assert_lacks(b['selfcheck.c'], 'train', 'a self-check without training')
  support.assert_has(a['trainings.inc'], 'FFN_TRAINING(' .. kernel .. '_train)\n', 'trainings.inc')
  for line in (a[kernel .. '_train.c']):gmatch('[^\n]+') do
    unit.assertTrue(#line <= 100, line)
  end
  -- Without `backward` again, what belongs to training goes.
  support.assert_code(support.ffngen({ 'generate', 'b.lua', '--out', 'a' }, { dir = folder }), 0,
    'without')
  support.assert_same(support.snapshot(folder .. '/a'), b, 'training is gone')
end

--- Specs of one layer share its kernels: one that is trained is enough, whichever comes first.
function TestBackward.test_shared()
  local folder = support.folder()
  local plain = trained:gsub('backward = true, ', ''):gsub('learns', 'runs')
  for i, text in ipairs { trained .. plain, plain .. trained } do
    support.write(folder .. '/both.lua', text)
    local out = ('out%d'):format(i)
    support.assert_code(support.ffngen({ 'generate', 'both.lua', '--out', out }, { dir = folder }),
      0, out)
    unit.assertTrue(support.exists(('%s/%s/ffn_swiglu_bias_d9_f21_f32_c_train.c'):format(folder,
      out)), out)
  end
end

--- So are all kernels of the layer, whatever a spec builds it for, but those for few tokens.
function TestBackward.test_shared_by_builds()
  local folder = support.folder()
  local plain = trained:gsub('backward = true, ', ''):gsub('learns', 'runs')
  support.write(folder .. '/both.lua', trained .. plain:gsub("'c'", "'avx2'")
    .. plain:gsub('runs', 'decodes'):gsub('bias = true', '%0, max_tokens = 1'))
  support.assert_code(support.ffngen({ 'vendor', 'both.lua', '--out', 'out' }, { dir = folder }), 0)
  local made = support.snapshot(folder .. '/out')
  for _, isa in ipairs { 'avx2', 'c' } do
    unit.assertNotNil(made[('ffn_swiglu_bias_d9_f21_f32_%s_train.c'):format(isa)], isa)
  end
  unit.assertNotNil(made['ffn_swiglu_bias_d9_f21_f32_c_1token.c'])
  unit.assertNil(made['ffn_swiglu_bias_d9_f21_f32_c_1token_train.c'])
  support.assert_has(made['ffn_train.h'], '*ffn_runs_training(void);', 'runs')
  support.assert_lacks(made['ffn_train.h'], 'ffn_decodes_training', 'decodes')
end

--- A vendored folder has the files of training, in its lists, too; weights in the code have none.
--- tests/vendor/training.sh compiles and runs it.
function TestBackward.test_vendor()
  local folder = support.folder()
  support.write(folder .. '/a.lua', trained)
  local function vendor(...)
    return support.ffngen({ 'vendor', 'a.lua', '--prefix', 'my', '--out', 'my', ... },
      { dir = folder })
  end
  local outcome = vendor('--weights', 'x.safetensors')
  support.assert_code(outcome, 4, 'vendor')
  support.assert_has(outcome.err, 'a.lua:1: "learns" is trained (backward = true)', 'vendor')
  unit.assertFalse(support.exists(folder .. '/my'))
  support.assert_code(vendor(), 0, 'vendor')
  local made = support.snapshot(folder .. '/my')
  for _, path in ipairs { 'train.c', 'my_ffn_swiglu_bias_d9_f21_f32_c_train.c' } do
    for _, list in ipairs { 'README.md', 'CMakeLists.txt', 'meson.build', 'my.ninja' } do
      support.assert_has(made[list], path, list)
    end
  end
  for _, list in ipairs { 'CMakeLists.txt', 'meson.build' } do
    support.assert_has(made[list], 'reference_grad.c', list)
    support.assert_has(made[list], 'my_train.h', list)
    support.assert_lacks(made[list], 'my_train_walk.h', list)
  end
  support.assert_has(made['README.md'], 'my_grad(t, &to, dy, 9, x, 9, tokens, saved', 'README.md')
  for path, text in pairs(made) do support.assert_lacks(text, '.inc"', path) end
end

-- Names -----------------------------------------------------------------------------------------

--- Numbers of a file are named where they have a meaning: the bits of gradients, of a stage's and
--- of the first ones all at once; columns, rows of blocks, places among what is saved.
function TestBackward.test_names_of_numbers()
  local folder = support.folder()
  support.write(folder .. '/a.lua', 'ffn "a" { variant = "swiglu_beta", d_model = 37, d_ff = 150, '
    .. 'bias = true, backward = true, dropout = { hidden = 0.1 }, build = { { isa = { "c" } } } }')
  local outcome = support.ffngen({ 'generate', 'a.lua', '--out', 'k' }, { dir = folder })
  support.assert_code(outcome, 0, 'generate')
  local text
  for path, own in pairs(support.snapshot(folder .. '/k')) do
    if path:find('_train.c', 1, true) then text = own end
  end
  for _, said in ipairs {
    '  WANT_DX = 0,\n  WANT_DW_GATE_UP = 1,\n  WANT_DB_GATE_UP = 2,\n',
    'FFN_WANTS_Y, /* wants */', 'FFN_WANTS(WANT_DB_DOWN), /* wants */',
    'FFN_WANTS_TO(WANT_DB_GATE_UP) | FFN_WANTS(WANT_PARAMETERS), /* wants */',
    'if (to->down.bias)\n    wanted |= FFN_WANTS(WANT_DB_DOWN);',
    'task->x_stride, GATE_UP_INPUTS, GATE_UP_ROW);',
    'dropouts, 0, GATE_UP_OUTPUTS, GRAD_MASK_H_ROW);',
    'SAVED_ROW, SAVED_UP);', 'FFN_WHOLE_PANELS(DW_DOWN_INPUTS), /* width */',
  } do
    support.assert_has(text, said, 'names')
  end
  -- But for hashes no number in hexadecimal, and none among the arguments of what finds a place.
  local without_hashes = text:gsub('UINT64_C%(0x%x%x%x%x%x%x%x%x%x+%)', '')
  support.assert_lacks(without_hashes, 'UINT64_C(', 'bits')
  for arguments in text:gmatch 'ffn_[%l]+_at(%b())' do
    unit.assertNil(arguments:find ', %d+%)', arguments)
  end
end

-- Equations -------------------------------------------------------------------------------------

--- What stands on the left of an equation may not stand on its right, but for what is a derivative:
--- dL/dup, dact/dup(gate, up).
local function check_equation(equation, where)
  local sides = {}
  for side in (equation .. ' = '):gmatch('(.-) %(?%+?%)?= ') do sides[#sides + 1] = side end
  unit.assertTrue(#sides >= 2, where .. ': no equation: ' .. equation)
  local right = ' ' .. sides[#sides]:gsub('d[%w_]+/d[%w_]+', '') .. ' '
  for i = 1, #sides - 1 do
    local left = sides[i]:match '^[%a_][%w_]*$'
    unit.assertTrue(left ~= nil or sides[i]:match '^dL/d[%w_]+$' ~= nil, where .. ': ' .. equation)
    unit.assertNil(left and right:find('%f[%w_]' .. left .. '%f[^%w_]'),
      ('%s: %s stands on both sides: %s'):format(where, left, equation))
  end
end

--- Every stage of every trained layer says what it computes, and in the files of these.
function TestBackward.test_equations()
  local count = 0
  for _, path in ipairs(support.spec_files()) do
    for _, s in ipairs(spec.read(path, {})) do
      local l = s.backward and layer.lower(s)
      for _, pass in ipairs(l and { 'train', 'grad' } or {}) do
        for _, stage in ipairs(l.passes[pass]) do
          local where = ('%s, %s'):format(l.name, stage.name)
          for equation in (equations.of(stage, l.passes.forward) .. '; '):gmatch '(.-); ' do
            check_equation(equation, where)
            count = count + 1
          end
        end
      end
    end
  end
  unit.assertTrue(count > 400, count)
  -- The check sees what it looks for.
  for _, wrong in ipairs { 'x = x', 'dy = dL/dy = dy * mask', 'dw_down = sum = dw_down' } do
    unit.assertFalse((pcall(check_equation, wrong, 'wrong')), wrong)
  end
end

--- SwiGLU's, as its file and `explain` say them.
function TestBackward.test_equations_of_gated()
  local _, l = lowered('ffn', 'variant = "swiglu", d_model = 8, d_ff = 24, bias = true')
  local lines = {}
  for _, pass in ipairs { 'train', 'grad' } do
    for _, s in ipairs(l.passes[pass]) do
      lines[#lines + 1] = equations.of(s, l.passes.forward)
    end
  end
  unit.assertEquals(lines, {
    'x_blocks = x',
    'gate = x W_gate^T + b_gate; up = x W_up^T + b_up; h = silu(gate) * up',
    'y = h W_down^T + b_down',
    'dy_blocks = dy; dy = dL/dy',
    'h_panels = h = silu(gate) * up',
    'dw_down = dL/dW_down = dy^T h',
    'db_down = dL/db_down = the sum of dy over tokens',
    "dh = dL/dh = dy W_down; dgate = dL/dgate = dh * up * silu'(gate); "
      .. 'dup = dL/dup = dh * silu(gate)',
    'x_panels = x',
    'dw_gate = dL/dW_gate = dgate^T x; dw_up = dL/dW_up = dup^T x',
    'db_gate = dL/db_gate = the sum of dgate over tokens; '
      .. 'db_up = dL/db_up = the sum of dup over tokens',
    'dx = dL/dx = dgate W_gate + dup W_up',
  })
end

function TestBackward.test_explained()
  local folder = support.folder()
  support.write(folder .. '/a.lua', trained)
  local outcome = support.ffngen({ 'explain', 'learns', 'a.lua' }, { dir = folder })
  support.assert_code(outcome, 0, 'explain')
  support.assert_has(outcome.out,
    "grad     dgate_up dh = dL/dh = dy W_down; dgate = dL/dgate = dh * up", 'explain')
  support.assert_has(outcome.out, 'saved 256 B a token', 'explain')
end
