--- A `quantization_config`: which scheme says how its rows are packed, a file each and a name in
--- this list; or by the method's name why no layer of it is taken.
local lists = require 'common.list'
local record = require 'common.record'

local M = {
  names = { 'gptq', 'awq', 'auto_round', 'compressed_tensors', 'fp8', 'fbgemm_fp8', 'mxfp4' },
  by_method = {}, ---@type table<string, PackingScheme>
}

--- How packed rows lie, and what their config says of it.
---@class PackingScheme
---@field methods string[]  its names as quant_method
---@field about string      what lies in a module, for messages
---@field tails string[]    what only packed modules have, behind the module's name
---@field is_dense fun(said: Config): fun(module: string, is_packed: boolean): string  whether a
---  module is an exception by the config: 'yes', 'no'; 'perhaps' where it cannot be told
---@field rule fun(said: Config, is_left: fun(key: string): boolean): SchemeRule
---@field placed fun(p: PackedModule, rule: SchemeRule): table  where the rows of a module lie
---@field stacked boolean   also of all experts in one tensor
---@field zero_bias boolean its first writers gave every module a bias, of zeros

--- What a config says, judged; a scheme adds what it needs itself.
---@class SchemeRule
---@field about string              for the spec: GPTQ, 4 bits, a scale for 128 inputs
---@field activations string|false  how the origin rounds what goes into a product
---@field unread string[]           tensors of that, behind the module's name
---@field is_static boolean|nil      it is what kernels do with input_scale
---@field unkept string|false|nil    why it is not, where a config might have said so

local schemes = {} ---@type PackingScheme[]

for _, name in ipairs(M.names) do
  local given = require('import.quantized.' .. name)
  local scheme = record.strict('scheme ' .. name, {
    methods = given.methods, about = given.about, tails = given.tails,
    is_dense = given.is_dense, rule = given.rule, placed = given.placed,
    stacked = given.stacked or false, zero_bias = given.zero_bias or false,
  })
  schemes[#schemes + 1] = scheme
  for _, method in ipairs(scheme.methods) do M.by_method[method] = scheme end
end

--- The methods whose packed modules, and no others, have a tensor of such a name.
---@param tail string  behind the module's name
---@return string[]
function M.methods_of(tail)
  local methods = {}
  for _, scheme in ipairs(schemes) do
    if lists.has(scheme.tails, tail) then lists.append(methods, scheme.methods) end
  end
  return methods
end

--- Methods that are not taken.
local reasons = {
  bitsandbytes = 'bitsandbytes: bytes or nibbles with a table of values and of maxima beside them',
  hqq = 'HQQ: packed integers with scales and zeros in tensors of their own',
  quanto = 'Quanto: packed integers with scales and shifts beside them',
  torchao = 'torchao: tensors of a class of their own',
  aqlm = 'AQLM: codes into learned codebooks',
  modelopt = 'ModelOpt: FP8 or NVFP4 with scales beside them',
  eetq = 'EETQ: bytes in an order of one kind of processor',
  vptq = 'VPTQ: codes into learned codebooks',
  quark = 'Quark: packed numbers with scales beside them',
}

--- The keys under which a config says it: the second one is that of the first compressed-tensors.
local keys = { 'quantization_config', 'compression_config' }

---@class Quantized
---@field key string           of the config that says it
---@field method string
---@field reason string        what its rows are
---@field scheme PackingScheme|false false: none is taken
---@field said Config|false

--- The method that a config names; the first files of some name none.
---@param said Config
---@param key string
local function method_of(said, key)
  local method = said:get 'quant_method'
  if type(method) == 'string' then return method end
  if method ~= nil then
    said:refuse_value('quant_method', method, 'the name of a method')
  end
  if key == keys[2] then return 'compressed-tensors' end
  if said:get 'load_in_8bit' or said:get 'load_in_4bit' then return 'bitsandbytes' end
  if said:get 'bits' ~= nil then return 'gptq' end
  said:refuse('%s has no quant_method, which tells how the weights are packed: take the file '
    .. 'that belongs to the weights', key)
end

--- What a config says of it; nil: nothing.
---@param config Config
---@return Quantized|nil
function M.of(config)
  local data, key = config:first(keys)
  if data == nil then
    if config:get 'quantization' == nil then return nil end
    return record.strict('quantized', {
      key = 'quantization', method = 'MLX', scheme = false, said = false,
      reason = 'MLX: words of packed integers with scales and biases for each group beside them',
    })
  end
  if type(data) ~= 'table' or #data > 0 then config:refuse_value(key, data, 'an object') end
  local said = config:part(key)
  local method = method_of(said, key)
  if method == 'bitnet' then
    config:refuse('quantization_config: bitnet: its matrices are of three values and round what '
      .. 'goes into them to 8 bits, which is another function than that of the stored numbers')
  end
  local scheme = M.by_method[method] or false
  local reason = scheme and scheme.about or reasons[method]
    or ('no rule says what "%s" stores'):format(record.shown(method))
  return record.strict('quantized', {
    key = key, method = record.shown(method), reason = reason, scheme = scheme, said = said,
  })
end

--- Refuses what has no scheme, whatever its rows look like: unless it is told to be left out, they
--- would be taken for plain numbers.
---@param config Config
---@param q Quantized|nil
---@param is_left fun(key: string): boolean
function M.check(config, q, is_left)
  if not q or q.scheme or is_left(q.key) then return end
  config:refuse('%s is %s, %s: no layer of it is taken. Load the model with its own program and '
    .. 'save it in f16, bf16 or f32; where its rows are plain numbers as they are, --leave %s',
    config:name(q.key), q.method, q.reason, config:name(q.key))
end

return M
