--- The self-check that travels with kernels: what is compared with a bound that promises nothing is
--- not ok, and for layers whose numbers are large it finds such as have a bound.
local unit = require 'luaunit'
local support = require 'support'

TestSelfCheck = {}

--- What the self-check of a folder says, after a change of a file.
local function checked(folder, file, from, to)
  if file then
    local text = support.read(folder .. '/' .. file)
    local first, last = text:find(from, 1, true)
    unit.assertNotNil(first, from)
    support.write(folder .. '/' .. file, text:sub(1, first - 1) .. to .. text:sub(last + 1))
  end
  return support.run({ 'sh', '-c', 'cc -O0 -I. *.c -lm -o selfcheck && ./selfcheck' },
    { dir = folder, seconds = 120 })
end

--- A folder with kernels of a spec's text.
local function folder_of(text)
  local folder = support.folder()
  support.write(folder .. '/my.lua', text)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--isa', 'c', '--out', 'k' },
    { dir = folder }), 0, text)
  return folder .. '/k'
end

--- So many lines have no bound for some outputs or gradients, whose numbers are told.
local function expect_no_bound(result, count, what)
  support.assert_code(result, 1, what)
  local found = 0
  for none, all in result.out:gmatch 'bound: no bound for (%d+) of (%d+) [og]%l+: within the error'
  do
    unit.assertTrue(0 < tonumber(none) and tonumber(none) <= tonumber(all), result.out)
    found = found + 1
  end
  unit.assertEquals(found, count, what .. '\n' .. result.out)
end

--- Whatever is compared with a bound that promises nothing is not ok.
function TestSelfCheck.test_without_a_bound()
  -- The root of what may lie on either side of 0 may be NaN.
  local folder = folder_of [[
activation 'unsure' (function(x) return x + sqrt(abs(x) - abs(x)) end)
ffn 'l' { variant = 'unsure', d_model = 4, d_ff = 4 }
]]
  expect_no_bound(checked(folder), 1, 'a bound that is infinite')
  local layer = "ffn 'l' { variant = 'relu', d_model = 4, d_ff = 4, backward = true }\n"
  local forward = 'bound[t * kernel->outputs + o] = in[o].d * (1 + (double)0x1p-26)'
  for _, none in ipairs { 'INFINITY', 'NAN' } do
    folder = folder_of(layer)
    expect_no_bound(checked(folder, 'reference.c', forward,
      ('bound[t * kernel->outputs + o] = (double)%s'):format(none)), 1, none)
    folder = folder_of(layer)
    expect_no_bound(checked(folder, 'reference_grad.c', '= r.arrives[k].d * (1 + (double)0x1p-26)',
      ('= (double)%s'):format(none)), 1, none .. ' of a gradient')
  end
end

--- A chain of squares grows beyond f32, and so do gradients of large numbers: smaller weights have
--- a bound, and smaller gradients of outputs.
function TestSelfCheck.test_large_numbers()
  local squares = ("{ 6, 'relu2' }, "):rep(10)
  local result = checked(folder_of(("activation 'large' (function(x) return 7e18 * x end)\n"
    .. "mlp 'm' { d_model = 6, bias = true, backward = true, layers = { %s } }\n"
    .. "mlp 'n' { d_model = 6, backward = true, layers = { { 6, 'large' }, { 6, 'large' } } }\n")
    :format(squares)))
  support.assert_code(result, 0, result.out)
  support.assert_has(result.out, '4 passed, 0 failed', 'large numbers')
end

--- Near its poles a function has no bound, which says nothing of its other values: they are held to
--- theirs.
function TestSelfCheck.test_poles()
  local folder = folder_of [[
activation 'pole' (function(x) return 1 / x end)
mlp 'm' { d_model = 1, layers = { { 2000, 'pole' } } }
]]
  local text = 'const ffn_kernel *kernel = l->kernel;\n'
  local result = checked(folder, 'selfcheck.c', text, text
    .. '  for (size_t i = 0; i < 3; i++)\n    l->slots[0].weight[i] = 0;\n')
  expect_no_bound(result, 1, 'poles')
  support.assert_has(result.out, ': no bound for 111 of 74000 outputs: ', 'poles')
  unit.assertNotNil(result.out:find 'largest error 0%.[%d]*[1-9]', result.out)
  folder = folder_of [[
activation 'pole' (function(x) return 1 / x end)
mlp 'm' { d_model = 1, layers = { { 20, 'pole' } } }
]]
  result = checked(folder, 'reference.c', 'in[o].v;', 'in[o].v * (o == 7 ? 1.001 : 1);')
  support.assert_has(result.out, 'error beyond the bound', 'a wrong value besides')
end

--- What keeps away from its poles and the edges of its roots has a bound everywhere.
function TestSelfCheck.test_no_poles()
  local list = {}
  for i, f in ipairs {
    'x / (abs(x) + 1e-12) * max(abs(x) - 0.5, 0)', 'sqrt(max(x, 0))', 'sqrt(x * x + 1e-12)',
    'x / sqrt(x * x + 1e-12)', 'x / (abs(x) + 1e-8)', 'sqrt(abs(x))', 'x / sqrt(abs(x) + 1e-6)',
  } do
    list[i] = ("activation 'own_%s' (function(x) return %s end)\n"
      .. "ffn 'l%d' { variant = 'own_%s', d_model = 128, d_ff = 512 }\n"):format(
      ('abcdefg'):sub(i, i), f, i, ('abcdefg'):sub(i, i))
  end
  local result = checked(folder_of(table.concat(list)))
  support.assert_code(result, 0, result.out)
  support.assert_has(result.out, '7 passed, 0 failed', 'no poles')
end
