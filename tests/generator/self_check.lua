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

local function expect_no_bound(result, count, what)
  support.assert_code(result, 1, what)
  local _, found = result.out:gsub(': no bound: f32 overflows on the way, or there is no value', '')
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
  local forward = 'bound[t * kernel->outputs + o] = in[o].d * (1 + 0x1p-26)'
  for _, none in ipairs { 'INFINITY', 'NAN' } do
    folder = folder_of(layer)
    expect_no_bound(checked(folder, 'reference.c', forward,
      ('bound[t * kernel->outputs + o] = (double)%s'):format(none)), 1, none)
    folder = folder_of(layer)
    expect_no_bound(checked(folder, 'reference_grad.c', '= r.arrives[k].d * (1 + 0x1p-26)',
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
