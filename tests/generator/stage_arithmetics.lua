--- Layers whose products are in several arithmetics: what a spec says of each, what is refused, and
--- bits. What is said is the project's own: dot_s8.
local unit = require 'luaunit'
local arithmetics = require 'read.arithmetics'
local describe = require 'emit.describe'
local json = require 'dkjson'
local layer = require 'lower.layer'
local lists = require 'common.list'
local packed = require 'plan.packed'
local spec = require 'read.spec'
local support = require 'support'
local weights = require 'weights'

TestStageArithmetics = {}

local function run(text, ...)
  local folder = support.folder()
  support.write(folder .. '/my.lua', text)
  return support.ffngen({ ... }, { dir = folder }), folder
end

--- The kernels of a spec, by their instruction sets.
local function kernels_of(text)
  local result = run(text, 'list', 'my.lua', '--json')
  support.assert_code(result, 0, text)
  local by_isa = {}
  for _, kernel in ipairs(json.decode(result.out).kernels) do by_isa[kernel.isa] = kernel end
  return by_isa
end

local layers = {
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'q4_0', arithmetic = 'dot_s8' }"] =
    { 'linear_d64_o8_q4_0_dot_s8', 'dot_s8' },
  ["ffn 'a' { variant = 'relu', d_model = 64, d_ff = 96, arithmetic = { up = 'dot_s8' },\n"
    .. "  weights = { up = 'q4_0', down = 'bf16' } }"] =
    { 'ffn_relu_d64_f96_q4_0_bf16_dot_s8_fma_f32', 'dot_s8', 'fma_f32' },
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'q4_0',\n"
    .. "  arithmetic = { gate = 'dot_s8', up = 'dot_s8', down = 'fma_f32' } }"] =
    { 'ffn_swiglu_d64_f96_q4_0_dot_s8_fma_f32', 'dot_s8', 'fma_f32' },
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'q4_0',\n"
    .. "  arithmetic = { down = 'dot_s8' } }"] =
    { 'ffn_swiglu_d64_f96_q4_0_fma_f32_dot_s8', 'fma_f32', 'dot_s8' },
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'q4_0',\n"
    .. "  arithmetic = { gate = 'dot_s8', up = 'dot_s8', down = 'dot_s8' } }"] =
    { 'ffn_swiglu_d64_f96_q4_0_dot_s8', 'dot_s8', 'dot_s8' },
  ["glu 'a' { variant = 'swiglu', d_model = 64, d_out = 8, weights = 'q4_0',\n"
    .. "  arithmetic = { gate = 'dot_s8', up = 'dot_s8' } }"] =
    { 'glu_swiglu_d64_o8_q4_0_dot_s8', 'dot_s8' },
  ["mlp 'a' { d_model = 64, layers = { { 32, 'relu' }, { 8, 'relu' }, { 3 } },\n"
    .. "  weights = { 'q4_0', 'q8_0', 'f32' }, arithmetic = { 'fma_f32', 'dot_s8', 'fma_f32' } }"] =
    { 'mlp_64_relu32_relu8_identity3_q4_0_q8_0_f32_fma_f32_dot_s8_fma_f32', 'fma_f32', 'dot_s8',
      'fma_f32' },
  ["selfgate 'a' { activation = 'silu', d_model = 64, weights = 'q4_0', arithmetic = 'dot_s8' }"] =
    { 'selfgate_silu_d64_q4_0_dot_s8', 'dot_s8' },
  ["linear 'a' { d_model = 64, d_out = { q = 16, k = 8 }, weights = { q = 'q4_0', k = 'q8_0' },\n"
    .. "  arithmetic = { q = 'dot_s8', k = 'dot_s8' } }"] =
    { 'linear_d64_to_k8_q16_q8_0_q4_0_dot_s8', 'dot_s8', 'dot_s8' },
}

--- A word of each product, and the instruction sets that have all of them.
function TestStageArithmetics.test_said()
  local isas = {
    'avx2', 'avx512_amx', 'avx512_vnni', 'avx_vnni', 'c', 'neon', 'neon_dotprod', 'neon_i8mm',
    'wasm', 'wasm_relaxed',
  }
  for _, text in ipairs(support.keys(layers)) do
    local wanted, by_isa = { table.unpack(layers[text]) }, kernels_of(text)
    local name = table.remove(wanted, 1)
    unit.assertEquals(support.keys(by_isa), isas, text)
    for _, isa in ipairs(isas) do
      unit.assertEquals({ by_isa[isa].name, by_isa[isa].arithmetics },
        { name .. '_' .. isa, wanted }, text)
    end
    -- Of what is packed no arithmetic is told.
    unit.assertNil(by_isa.c.packed:find('dot_s8', 1, true) or by_isa.c.packed:find '_fma')
  end
  for sums, said in pairs {
    ["'dot_s8'"] = 'dot_s8', ["{ up = 'dot_s8' }"] = 'dot_s8 and fma_f32',
  } do
    local text = ("ffn 'a' { variant = 'relu', d_model = 64, d_ff = 96, weights = 'q4_0', "
      .. 'arithmetic = %s }'):format(sums)
    support.assert_has(run(text, 'explain', 'a', 'my.lua').out, 'no bias, ' .. said .. '\n', text)
  end
end

--- In few bytes portable C multiplies bytes, too, of groups and of whole rows; other instruction
--- sets are as ever.
function TestStageArithmetics.test_few_bytes()
  for _, format in ipairs { 'q4_0', 'i8', 'i8z' } do
    local by_isa = kernels_of(("linear 'a' { d_model = 64, d_out = 8, weights = '%s', "
      .. "arithmetic = 'dot_s8', optimise = 'size' }"):format(format))
    local name = ('linear_d64_o8_%s_dot_s8_'):format(format)
    unit.assertEquals({ by_isa.c.name, by_isa.avx2.name }, { name .. 'c_size', name .. 'avx2' })
    unit.assertEquals({ by_isa.c.optimise, by_isa.c.packed }, { 'size', by_isa.avx2.packed })
  end
end

--- Of rows of any length stages of a format share what lays x, and the sums.
function TestStageArithmetics.test_few_functions()
  local function functions_of(formats)
    local result, folder = run(("mlp 'a' { d_model = 10, layers = { { 70, 'relu' }, { 33, 'relu' }"
      .. ", { 5 } }, weights = { %s }, arithmetic = 'dot_s8', optimise = 'size' }"):format(formats),
      'vendor', 'my.lua', '--isa', 'c', '--single-file', '--prefix', 'my', '--out', 'k')
    support.assert_code(result, 0, formats)
    local text, names = support.read(folder .. '/k/my.c'), {}
    for _, name in ipairs { 'layer%d_sums', 'lay_%w+' } do
      for own in text:gmatch('\n%g+ void my_(' .. name .. ')%(') do names[#names + 1] = own end
    end
    return names
  end
  unit.assertEquals(functions_of "'i8', 'i8', 'i8'", { 'layer1_sums', 'lay_x' })
  unit.assertEquals(functions_of "'i8', 'i8z', 'i8'",
    { 'layer1_sums', 'layer2_sums', 'lay_x', 'lay_h1' })
end

--- Layers in f32 throughout have no kernels for a set that is there for dot_s8.
function TestStageArithmetics.test_sets_of_f32()
  for _, said in ipairs { '', ", arithmetic = 'fma_f32'" } do
    local text = ("linear 'a' { d_model = 64, d_out = 8, weights = 'q4_0'%s }"):format(said)
    unit.assertEquals(support.keys(kernels_of(text)), { 'avx2', 'avx512', 'c', 'neon', 'wasm' })
    local why = 'isa "avx512_vnni" is for layers with arithmetic = "dot_s8" alone'
    for _, verb in ipairs { 'generate', 'vendor' } do
      local result, folder = run(text, verb, 'my.lua', '--out', 'k', '--isa', 'avx512_vnni')
      support.assert_code(result, 4, verb)
      support.assert_has(result.err, why, verb)
      unit.assertFalse(support.exists(folder .. '/k'))
    end
    local result = run(text:gsub(' }$', ", build = { { isa = { 'avx512_vnni' } } } }"), 'list',
      'my.lua')
    support.assert_code(result, 4, 'build')
    support.assert_has(result.err, why .. '; this layer may have c or neon or avx2', 'build')
  end
  local result = run("linear 'a' { d_model = 64, d_out = 8, weights = 'q4_0', "
    .. "arithmetic = 'dot_s8' }", 'generate', 'my.lua', '--out', 'k', '--isa', 'avx512')
  support.assert_code(result, 4, 'avx512')
  support.assert_has(result.err, 'no kernel is left: change --isa, or build in the specs; isa '
    .. '"avx512" has no words for arithmetic = "dot_s8"', 'avx512')
end

local dot = "arithmetic = 'dot_s8'"

--- What dot_s8 is not, each with what would be.
local refused = {
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'q4_0', arithmetic = 'dots' }"] =
    'unknown arithmetic "dots" (did you mean "dot_s8"?)',
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'q4_0', arithmetic = { 'dot_s8' } }"] =
    'arithmetic must be a word such as "fma_f32", not a table',
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, arithmetic = 3 }"] =
    'arithmetic must be a word such as "fma_f32", or by role: { gate = "fma_f32", up = "fma_f32", '
    .. 'down = "fma_f32" }, not an integer',
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, arithmetic = { dawn = 'dot_s8' } }"] =
    'arithmetic: unknown field "dawn" (did you mean "down"?)',
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, arithmetic = { down = 'dot_8' } }"] =
    'unknown arithmetic "dot_8" (did you mean "dot_s8"?)',
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'q4_0',\n"
    .. " arithmetic = { up = 'dot_s8' } }"] = 'arithmetic: gate and up are summed side by side, in '
    .. 'one arithmetic; not fma_f32 and dot_s8',
  ["mlp 'a' { d_model = 64, layers = { { 32 }, { 8 } }, weights = 'q4_0',\n"
    .. " arithmetic = { 'dot_s8' } }"] =
    'arithmetic: 1 arithmetics for 2 layers; one for each, or a word for all',
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'bf16', backward = true, " .. dot .. ' }'] =
    'arithmetic: dot_s8 is not trained, as backward = true asks for; fma_f32 would be',
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'q4_0', backward = true, " .. dot .. ' }'] =
    'weights: q4_0 is not trained, as backward = true asks for',
  ["linear 'a' { d_model = 64, d_out = { q = 8, k = 8 }, weights = 'q4_0',\n"
    .. " arithmetic = { q = 'dot_s8' } }"] = 'arithmetic: outputs of one x have one arithmetic, as '
    .. 'x lies either as floats or as bytes; not fma_f32 and dot_s8: write a linear for the',
  ["linear 'a' { d_model = 132105, d_out = 8, weights = 'i8', " .. dot .. ' }'] = 'arithmetic: '
    .. 'dot_s8 sums at most 132104 products of weights in i8, as many as 32 bits hold; d_model = '
    .. '132105 are more',
  ["ffn 'a' { variant = 'relu', d_model = 8, d_ff = 66312, " .. dot .. ",\n"
    .. " weights = { up = 'i8', down = 'i8z' } }"] = 'arithmetic: dot_s8 sums at most 66311 '
    .. 'products of weights in i8z, as many as 32 bits hold; d_ff = 66312 are more',
  ["linear 'a' { d_model = 128, d_out = { q = 8, k = 8, v = 8 }, " .. dot .. ",\n"
    .. " weights = { q = 'q4_0', k = 'u4g128', v = 'q8_0' } }"] = 'arithmetic: outputs of one x '
    .. 'have one size of groups, as those of x have a scale each; dot_s8 would have groups of 128 '
    .. 'and 32 inputs: write a linear for the outputs of each',
}

local several = {
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, " .. dot .. ",\n"
    .. " weights = { gate = 'q4_0', up = 'q4_0', down = 'bf16' } }"] =
    { 'weights in bf16, as those of down are', '; or say it of each product: arithmetic = { gate = '
      .. '"dot_s8", up = "dot_s8", down = "fma_f32" }' },
  ["mlp 'a' { d_model = 64, layers = { { 32 }, { 8 } }, " .. dot .. ",\n"
    .. " weights = { 'q4_0', 'f32' } }"] = { 'weights in f32, as those of layer2 are',
    '; or say it of each product: arithmetic = { "dot_s8", "fma_f32" }' },
  ["linear 'a' { d_model = 64, d_out = { q = 8, k = 8 }, " .. dot .. ",\n"
    .. " weights = { q = 'q4_0' } }"] = { 'weights in f32, as those of k are' },
  ["ffn 'a' { variant = 'relu', d_model = 64, d_ff = 96, " .. dot .. ' }'] =
    { 'weights in f32, as those of up are' },
}

function TestStageArithmetics.test_refused()
  local function check(text, problems)
    local result = run(text, 'list', 'my.lua')
    support.assert_code(result, 4, text)
    for _, problem in ipairs(problems) do support.assert_has(result.err, problem, text) end
    local offered = result.err:find('; or say it of each', 1, true) ~= nil
    unit.assertEquals(offered, problems[2] ~= nil, text)
    -- What is offered is taken.
    local said = result.err:match '; or say it of each product: (arithmetic = %b{})'
    if said then kernels_of((text:gsub(dot, said))) end
  end
  for _, text in ipairs(support.keys(refused)) do check(text, { refused[text] }) end
  for _, text in ipairs(support.keys(several)) do check(text, several[text]) end
end

-- Scales of x that come with the weights ------------------------------------------------------

local static = "weights = 'i8', arithmetic = 'dot_s8', operand_scales = 'static' }"

--- What is said of the scales of a layer, and its name, that of its packed weights, and where these
--- have the scales.
local with_scales = {
  ["linear 'a' { d_model = 64, d_out = 8, " .. static] =
    { 'linear_d64_o8_i8_dot_s8_static', 'linear_d64_o8_i8_static', { 64 } },
  ["linear 'a' { d_model = 64, d_out = 48, " .. static] =
    { 'linear_d64_o48_i8_dot_s8_static', 'linear_d64_o48_i8_panels_static', { 64 } },
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, " .. static] = {
    'ffn_swiglu_d64_f96_i8_dot_s8_static', 'ffn_swiglu_d64_f96_i8_static', { 64, 68 } },
  ["ffn 'a' { variant = 'relu', d_model = 64, d_ff = 96, weights = { up = 'q4_0', down = 'i8z' },\n"
    .. " arithmetic = 'dot_s8', operand_scales = { down = 'static' } }"] = {
    'ffn_relu_d64_f96_q4_0_i8z_dot_s8_dot_s8_static', 'ffn_relu_d64_f96_q4_0_i8z_dynamic_static',
    { false, 68 } },
  ["mlp 'a' { d_model = 64, layers = { { 32 }, { 8 } }, weights = 'i8',\n"
    .. " arithmetic = { 'dot_s8', 'fma_f32' }, operand_scales = { 'static', 'dynamic' } }"] = {
    'mlp_64_identity32_identity8_i8_dot_s8_static_fma_f32',
    'mlp_64_identity32_identity8_i8_static_dynamic', { 64, false } },
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'i8', arithmetic = 'dot_s8',\n"
    .. " operand_scales = 'dynamic' }"] = { 'linear_d64_o8_i8_dot_s8', 'linear_d64_o8_i8',
    { false } },
}

function TestStageArithmetics.test_scales()
  for _, text in ipairs(support.keys(with_scales)) do
    local wanted = with_scales[text]
    local kernel = kernels_of(text).avx512_amx
    unit.assertEquals({ kernel.layer, kernel.packed }, { wanted[1], wanted[2] }, text)
    local made = layer.lower(spec.of_text('my.lua', text, {})[1])
    local stages = packed.of(made).stages
    for i, at in ipairs(wanted[3]) do
      local bound = describe.error(made.passes.forward[i])
      unit.assertEquals(bound:find('the larger of s/2 and |x| + e - 127 s', 1, true) ~= nil,
        at ~= false, text)
      unit.assertEquals(stages[i].operand_at, at, text)
      unit.assertEquals(lists.has(packed.stage_fields(stages[i]), 'operand_at'), at ~= false, text)
    end
    -- The scales have a line of their own.
    local have_some = #lists.filter(wanted[3], function(at) return at end) > 0
    unit.assertEquals(stages[1].at, have_some and 128 or 64, text)
  end
end

local unscaled = {
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'i8', operand_scales = 'static' }"] =
    'operand_scales: "static" is of arithmetic = "dot_s8"; in fma_f32 nothing of x has a scale',
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'q8_0', arithmetic = 'dot_s8',\n"
    .. " operand_scales = 'static' }"] = 'operand_scales: "static" is of weights that have one '
    .. 'scale for a row: i8, i8z; not q8_0',
  ["linear 'a' { d_model = 64, d_out = 8, optimise = 'size', " .. static] =
    'operand_scales: "static" is not written for few bytes, as optimise = "size" asks for; '
    .. '"dynamic" is',
  ["linear 'a' { d_model = 64, d_out = 8, backward = true, " .. static] = 'weights: i8 is not '
    .. 'trained, as backward = true asks for',
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'i8', arithmetic = 'dot_s8',\n"
    .. " operand_scales = 'statik' }"] = 'unknown operand_scales "statik" (did you mean "static"?)',
  ["ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'i8',\n"
    .. " arithmetic = 'dot_s8', operand_scales = { up = 'static' } }"] =
    'operand_scales: gate and up multiply one x, which has one scale; not dynamic and static',
  ["linear 'a' { d_model = 64, d_out = { q = 8, k = 8 }, weights = 'i8', arithmetic = 'dot_s8',\n"
    .. " operand_scales = { q = 'static' } }"] = 'operand_scales: outputs of one x have one scale '
    .. 'of it; not dynamic and static: write a linear for the outputs of each',
  ["linear 'a' { d_model = 64, d_out = 8, weights = 'i8', arithmetic = 'dot_s8_static' }"] =
    'unknown arithmetic "dot_s8_static"',
  ["linear 'a' { d_model = 132105, d_out = 8, " .. static] = 'arithmetic: dot_s8 sums at most '
    .. '132104 products of weights in i8',
}

function TestStageArithmetics.test_scales_refused()
  for _, text in ipairs(support.keys(unscaled)) do
    local result = run(text, 'list', 'my.lua')
    support.assert_code(result, 4, text)
    support.assert_has(result.err, unscaled[text], text)
  end
  local result, folder = run("linear 'a' { d_model = 64, d_out = 8, " .. static, 'vendor', 'my.lua',
    '--out', 'k', '--flat')
  support.assert_code(result, 4)
  support.assert_has(result.err, '"a" has operand_scales = "static", and the plain functions of '
    .. '--flat take no scales of x: leave out --flat')
  unit.assertFalse(support.exists(folder .. '/k'))
end

--- The formats that dot_s8 multiplies, and no other.
function TestStageArithmetics.test_formats()
  local able = { 'i8', 'i8z', 'q8_0', 'q4_0', 'q4_1', 'q5_0', 'q5_1', 'q4_K', 'q5_K', 'q6_K',
    'mxfp4', 'u4g32', 'u4g32_bf16', 'u4g32_f32', 'u4g64', 'u4g64_bf16', 'u4g64_f32', 'u4g128',
    'u4g128_bf16', 'u4g128_f32', 'iq4_nl', 'iq4_xs' }
  unit.assertEquals(arithmetics.formats 'dot_s8', able)
  unit.assertEquals(arithmetics.formats 'fma_f32', weights.names)
  for _, format in ipairs(weights.names) do
    local result = run(("linear 'a' { d_model = 256, d_out = 8, weights = '%s', %s }"):format(
      format, dot), 'list', 'my.lua')
    local is_taken = table.concat(able, ' ') .. ' '
    is_taken = (' ' .. is_taken):find((' %s '):format(format), 1, true) ~= nil
    support.assert_code(result, is_taken and 0 or 4, format)
    if not is_taken then
      support.assert_has(result.err, ('dot_s8 does not multiply weights in %s; it multiplies those '
        .. 'in i8, i8z, q8_0, q4_0, '):format(format), format)
    end
  end
end

local mixed = [[
mlp 'mixed' { d_model = 96, layers = { { 160, 'relu' }, { 64, 'silu' }, { 33 } }, bias = true,
  weights = { 'q8_0', 'f32', 'q4_1' }, arithmetic = { 'dot_s8', 'fma_f32', 'dot_s8' } }
mlp 'plain' { d_model = 96, layers = { { 160, 'relu' }, { 64, 'silu' }, { 33 } }, bias = true,
  weights = { 'q8_0', 'f32', 'q4_1' } }
mlp 'part_0' { d_model = 96, layers = { { 160, 'relu' } }, bias = true, weights = { 'q8_0' },
  arithmetic = { 'dot_s8' } }
mlp 'part_1' { d_model = 160, layers = { { 64, 'silu' } }, bias = true }
mlp 'part_2' { d_model = 64, layers = { { 33 } }, bias = true, weights = 'q4_1',
  arithmetic = 'dot_s8' }
]]

--- Floats whose results are laid as bytes: panels that lie abreast, and zeros that are skipped,
--- would hand them on in other units.
local handed_on = [[
ffn 'abreast' { variant = 'relu', d_model = 512, d_ff = 1024, d_out = 33,
  weights = { up = 'f32', down = 'q4_0' }, arithmetic = { down = 'dot_s8' } }
mlp 'zeros' { d_model = 32, layers = { { 128, 'relu' }, { 128, 'relu' }, { 33 } },
  weights = { 'f32', 'f32', 'q4_0' }, arithmetic = { 'fma_f32', 'fma_f32', 'dot_s8' } }
]]

--- Their kernels compile, and all have the bits of portable C in all batches.
function TestStageArithmetics.test_handed_on()
  local result, folder = run(handed_on, 'generate', 'my.lua', '--out', 'out', '--cpu', 'generic')
  support.assert_code(result, 0, 'generate')
  result = support.run({ 'sh', '-c', 'cd out && cc -O1 -Wall -Wextra -Werror *.c -lm -o check '
    .. '&& ./check' }, { dir = folder, seconds = 300 })
  support.assert_code(result, 0, result.out)
  support.assert_has(result.out, ' 0 failed', 'check')
  for name, form in pairs { abreast = 'panels abreast', zeros = 'skipping of zeros' } do
    support.assert_has(support.ffngen({ 'explain', name, 'my.lua' }, { dir = folder }).out,
      form .. ': not taken for ', layer)
  end
end

--- A chain in two arithmetics gives the bits of its layers, one after the other; and has the packed
--- weights of the chain in one.
function TestStageArithmetics.test_bits()
  local result, folder = run(mixed, 'generate', 'my.lua', '--out', 'out', '--cpu', 'generic',
    '--isa', 'c,avx2,avx512_vnni')
  support.assert_code(result, 0, 'generate')
  local defines = {}
  result = support.ffngen({ 'list', 'my.lua', '--json' }, { dir = folder })
  for _, kernel in ipairs(json.decode(result.out).kernels) do
    if kernel.isa == 'c' then
      defines[#defines + 1] = ("'-D%s=\"%s\"'"):format(kernel.spec:upper(), kernel.layer)
    end
  end
  unit.assertEquals(#defines, 5)
  result = support.run({ 'sh', '-c', ('rm out/selfcheck.c && cc -O0 -Wall -Wextra -Werror '
    .. '-ffp-contract=off %s -Iout %s/tests/data/rooms/stages.c out/*.c -lm -o stages && ./stages')
    :format(table.concat(defines, ' '), support.root) }, { dir = folder, seconds = 300 })
  support.assert_code(result, 0, result.out)
  support.assert_has(result.out, ' compared, 0 wrong\n', 'stages')
end
