--- The rows of a module as its scheme packs them: whether it is packed, as its tensors and its
--- config say alike; where they lie; and which format holds them.
local arithmetics = require 'read.arithmetics'
local harmless = require 'import.quantized.harmless'
local numbers = require 'import.huggingface.numbers'
local problems = require 'common.problem'
local record = require 'common.record'
local rows = require 'import.rows'
local scaled = require 'import.scaled'
local weights = require 'weights'

local M = {}

--- Whether a module has a tensor that only packed ones have.
---@param r ModelReading
---@param name string  of the module
function M.is_packed(r, name)
  local scheme = r.quantized and r.quantized.scheme
  for _, tail in ipairs(scheme and scheme.tails or {}) do
    if r.model.shapes[name .. tail] then return true end
  end
  return false
end

--- Outputs and inputs of a module, packed or dense, as the shapes of its tensors say.
---@param r ModelReading
---@param name string  of the module
---@return integer|nil outputs
---@return integer|nil inputs
function M.shape(r, name)
  local shapes = r.model.shapes
  local function of(tail)
    local shape = shapes[name .. tail]
    return shape and #shape == 2 and shape or nil
  end
  local plain, words, scales = of '.weight', of '.qweight', of '.scales'
  if plain then return plain[1], plain[2] end
  -- Words hold eight nibbles: along the inputs, or of AWQ along the outputs.
  if words and scales and words[2] == scales[2] then return words[2], 8 * words[1] end
  if words and scales then return scales[2], words[1] end
  words = of '.weight_packed'
  if words then return words[1], 8 * words[2] end
end

--- What the config says of all packed modules, judged when the first one is met.
local function rule_of(r)
  local q = r.quantized
  if not r.rule then
    local rule = q.scheme.rule(q.said, r.is_left_key)
    q.said:check_all(harmless.of(q.scheme.methods[1]), r.is_left_key, q.method)
    if rule.activations and not rule.is_static and not r.options.float_activations then
      q.said:refuse('this model also rounds x and h to fewer bits (%s), and a kernel does not: '
        .. 'add --float-activations to compute with x and h as floats%s', rule.activations,
        rule.unkept and '; a static scale would keep it, but ' .. rule.unkept or '')
    end
    r.rule = rule
  end
  return r.rule
end

--- Refuses a module of which its tensors say one thing and the config the other.
local function check_config(r, name, packed)
  local q = r.quantized
  local dense = r.model.stored[name] or r.model.stored[name .. '.weight']
  -- What is neither is refused by who reads dense rows.
  if not packed and not (dense and rows.is_plain(dense.dtype)) then return end
  r.is_dense = r.is_dense or q.scheme.is_dense(q.said)
  local answer = r.is_dense(name, packed)
  if answer == (packed and 'yes' or 'no') then
    problems.bad_input(r.model.path, '"%s" is %s, and quantization_config (%s) says that it is %s: '
      .. 'the files are of two different exports', record.shown(name, 80),
      packed and 'packed' or 'dense',
      q.method, packed and 'dense' or 'packed')
  end
end

--- Refuses rows that no format holds as they are, or says that they are decoded.
local function format_of(r, name, placed, w, rule)
  local s = placed.scaled
  local format = scaled.format(placed.encoding, s.every, s.scales.encoding, s.zeros ~= nil)
  local divides = format and weights.by_name[format].divides
  if format and w.inputs % divides == 0 then return nil end
  local why = format and ('%s takes widths that %d divides, and these have %d inputs'):format(
    format, divides, w.inputs) or ('no format has %s'):format(rule.about)
  if not scaled.units[placed.encoding].decoded then
    problems.bad_input(r.model.path, '"%s": %s', record.shown(name, 80), why)
  elseif not r.options.decode then
    problems.bad_input(r.model.path, '"%s": no format holds its numbers as they are: %s. Add '
      .. '--decode to make f32 of these numbers', record.shown(name, 80), why)
  end
  placed.format = 'f32'
  return why
end

--- The scale by which a module rounds what it multiplies, where kernels do that.
---@return number|false
local function operand_scale_of(r, name, placed, w, rule)
  if not rule.is_static or r.options.float_activations then return false end
  local s = placed.scaled
  local format = scaled.format(placed.encoding, s.every, s.scales.encoding, s.zeros ~= nil)
  local key, zero = name .. '.input_scale', name .. '.input_zero_point'
  local static = arithmetics.with_scales
  if placed.format or not arithmetics.fits(format, static, w.inputs) then
    problems.bad_input(r.model.path, '"%s": what it multiplies is rounded by a scale of the model, '
      .. 'which kernels do with weights of %s: add --float-activations to compute with x and h as '
      .. 'floats', record.shown(name, 80), table.concat(arithmetics.formats(static), ' or '))
  elseif not r.model.stored[key] then
    problems.bad_input(r.model.path, 'there is no tensor "%s", by which what the module multiplies '
      .. 'is rounded', record.shown(key, 80))
  elseif r.model.stored[zero] and not numbers.are_zero(r, zero) then
    problems.bad_input(r.model.path, '"%s" is not 0, and kernels round without a zero: add '
      .. '--float-activations to compute with x and h as floats', record.shown(zero, 80))
  end
  return numbers.single(r, key, 'scale of an operand')
end

--- What the spec says of packed rows.
---@param is_kept boolean  what the module multiplies is rounded as the model has it
local function because_of(rule, decoded, is_kept)
  local result = {
    { field = 'weights', text = decoded and ('decoded to f32, each number rounded once (--decode): '
      .. decoded) or rule.about },
  }
  if is_kept then
    result[2] = { field = 'operand_scales', text = 'the origin rounds x and h before each product '
      .. 'to 8 bits, by a scale of the model (input_scale), and so do the kernels; what lies below '
      .. '-127.5 times the scale is -128 there, and -127 here' }
  elseif rule.activations then
    result[2] = { field = 'activations', text = ('the origin rounds x and h before each product '
      .. '(%s); here they stay floats (--float-activations)'):format(rule.activations) }
  end
  return result
end

--- Where packed rows of a module lie; nil where it is dense.
---@param r ModelReading
---@param name string  of the module
---@param w Wanted
---@return table|nil placed
---@return Because[] because
---@return number|false operand_scale
function M.placed(r, name, w)
  if not (r.quantized and r.quantized.scheme) then return nil, {}, false end
  local packed = M.is_packed(r, name)
  check_config(r, name, packed)
  if not packed then return nil, {}, false end
  local rule, scheme = rule_of(r), r.quantized.scheme
  if w.experts and not scheme.stacked then
    problems.bad_input(r.model.path, '"%s": ffngen has no layout for experts in one tensor of %s',
      record.shown(name, 80), r.quantized.method)
  end
  local placed = scheme.placed({
    model = r.model, name = name, w = w, take = function(key) r.taken[key] = true end,
    number = function(key, format) return numbers.read(r, key, format) end,
  }, rule)
  for _, tail in ipairs(rule.unread) do
    if r.model.shapes[name .. tail] then r.taken[name .. tail] = true end
  end
  local decoded = format_of(r, name, placed, w, rule)
  local scale = operand_scale_of(r, name, placed, w, rule)
  return placed, because_of(rule, decoded, scale ~= false), scale
end

return M
