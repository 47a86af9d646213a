--- A `quantization_config`, and what it says of rows that are no plain numbers: each method by its
--- name, with the reason why no layer of it is taken.
local record = require 'common.record'

local M = {}

local reasons = {
  fp8 = 'FP8 with a scale for each tensor, row or block of 128 x 128 beside it',
  fbgemm_fp8 = 'FP8 with a scale for each row beside it',
  gptq = 'GPTQ: nibbles in words of 32 bits along the inputs, with scales, zeros and g_idx beside '
    .. 'them',
  awq = 'AWQ: nibbles of eight outputs in a word, in an order of their own, with scales and zeros '
    .. 'beside them',
  ['compressed-tensors'] = 'compressed-tensors: packed integers or FP8, with scales beside them',
  mxfp4 = 'MXFP4 in two tensors, blocks and scales, while a layer takes blocks that have their '
    .. 'scale in them',
  bitsandbytes = 'bitsandbytes: bytes or nibbles with a table of values and of maxima beside them',
  hqq = 'HQQ: packed integers with scales and zeros in tensors of their own',
  quanto = 'Quanto: packed integers with scales and shifts beside them',
  torchao = 'torchao: tensors of a class of their own',
  aqlm = 'AQLM: codes into learned codebooks',
  ['auto-round'] = 'AutoRound: packed as GPTQ or AWQ has it',
  modelopt = 'ModelOpt: FP8 or NVFP4 with scales beside them',
  eetq = 'EETQ: bytes in an order of one kind of processor',
  vptq = 'VPTQ: codes into learned codebooks',
  quark = 'Quark: packed numbers with scales beside them',
}

--- What a config says of it: the name of the method, and why its rows are not taken.
---@param config Config
---@return string|nil method
---@return string|nil reason
function M.of(config)
  local said = config:get 'quantization_config'
  if said == nil then
    local mlx = config:get 'quantization'
    if mlx == nil then return nil end
    return 'MLX', 'MLX: words of packed integers with scales and biases for each group beside them'
  end
  if type(said) ~= 'table' then config:refuse 'quantization_config is no object' end
  local method = said.quant_method
  if type(method) ~= 'string' then
    if said.load_in_8bit or said.load_in_4bit or said.bits == nil then method = 'bitsandbytes' end
    method = method or 'gptq'
  end
  if method == 'bitnet' then
    config:refuse('quantization_config: bitnet: its matrices are of three values and round what '
      .. 'goes into them to 8 bits, which is another function than that of the stored numbers')
  end
  return method, reasons[method] or ('no rule says what "%s" stores'):format(record.shown(method))
end

return M
