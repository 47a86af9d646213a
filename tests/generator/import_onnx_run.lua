--- From an ONNX file to kernels that run on its weights: import, ffn-pack, a program that maps the
--- packed file, and rows that the model gave where it was made.
local unit = require 'luaunit'
local ffn_packer = require 'ffn_packer'
local in_process = require 'in_process'
local support = require 'support'

TestOnnxRun = {}

--- How far f32 may be from the model's own arithmetic, over the largest number.
local cases = {
  { 'unnamed_script', 2e-6 }, { 'clamped_dynamo', 2e-6 }, { 'mlp_dynamo', 2e-6 },
  { 'half_dynamo', 2e-3 }, { 'conv_script', 2e-6 }, { 'optimised', 2e-6 }, { 'fused_script', 2e-6 },
  { 'fast_gelu', 2e-6 }, { 'part_biases', 2e-6 }, { 'selfgate', 2e-6 },
  { 'batch_norm', 2e-6 }, { 'batch_norm_conv', 2e-6 },
  { 'bytes_cast', 2e-6 }, { 'bytes_gated', 2e-6 }, { 'bytes_split', 2e-6 },
  { 'nbits_32', 2e-6 }, { 'nbits_64', 2e-6 }, { 'nbits_128', 2e-6 },
  { 'rounded', 2e-6, '--float-activations' }, { 'bytes_blocks', 2e-6, '--decode' },
  { 'nbits_16', 2e-6, '--decode' }, { 'fused_gemm', 2e-6 }, { 'fused_activation', 2e-6 },
  { 'whisper', 2e-6, '--float-activations', { 0, 1 } },
  { 'symmetric_mlp', 2e-6 }, { 'symmetric_swiglu', 2e-6 },
}
for _, way in ipairs { 'static', 'dynamic' } do
  for _, module in ipairs { 'mlp', 'swiglu' } do
    for _, of in ipairs { 'tensor_i8', 'tensor_u8', 'channel_i8', 'channel_u8' } do
      cases[#cases + 1] = { ('%s_%s_%s'):format(way, module, of), 2e-6, '--float-activations' }
    end
  end
end

function TestOnnxRun.test_rows()
  local folder = support.folder()
  local pack = ffn_packer.path()
  if not pack then unit.skip 'libjansson-dev is not installed' end
  local data = support.root .. '/tests/data/import/onnx/'
  for i, case in ipairs(cases) do
    local parts = support.full and 4 or #cases
    if support.is_turn(i % parts, parts) then
      local name = case[1]
      local out = folder .. '/' .. name
      local words = { 'import', data .. name .. '.onnx', '--out', out, case[3] }
      local said = in_process.run(support.project, words, folder)
      support.assert_code(said, 0, name)
      support.assert_code(support.run { pack, out .. '/PLAN.json' }, 0, name)
      support.sh(('cd %s && cc -O1 -DFFN_NO_MAIN -I%s/kernels -Iruntime tests/import/rows.c '
        .. 'runtime/ffn_file.c %s/kernels/*.c -lm -o %s/rows'):format(support.quote(support.root),
        out, out, out))
      for _, layer in ipairs(case[4] or { 0 }) do
        local rows = ('%s%s%s.txt'):format(data, name, layer > 0 and '.' .. layer or '')
        local result = support.run { out .. '/rows', out .. '/model.ffn', rows,
          ('%g'):format(case[2]), tostring(layer) }
        support.assert_code(result, 0, name .. result.out)
      end
    end
  end
end
