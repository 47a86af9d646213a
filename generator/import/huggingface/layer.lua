--- One layer of a model of Hugging Face: its matrices, what lies around it, and that its block has
--- nothing else that may be the layer's.
local activations = require 'activation'
local limits = require 'common.limits'
local lists = require 'common.list'
local modules = require 'import.quantized.modules'
local numbers = require 'import.huggingface.numbers'
local paths = require 'tensors.paths'
local placing = require 'import.huggingface.placing'
local problems = require 'common.problem'
local quantized = require 'import.quantized'
local record = require 'common.record'

local M = {}

---@class ModelReading
---@field model ModelFolder
---@field options ImportOptions
---@field quantized Quantized|nil
---@field reason string|false  why rows may be no plain numbers
---@field taken table<string, boolean>
---@field is_in_out (fun(module: string): boolean)|nil  where no rule says how matrices lie
---@field spans table[]        what was read: { file, first, count, bytes }
---@field read table<string, string>  the same by name
---@field about string[]
---@field is_left fun(key: string): boolean      of tensors
---@field is_left_key fun(key: string): boolean  of keys of the config
---@field rule SchemeRule|nil  once a packed module was met
---@field is_dense fun(module: string, is_packed: boolean): string|nil

--- A name of a rule, of an expert.
local function name_of(name, expert) return (name:gsub('{expert}', tostring(expert))) end

--- The names of a layer's matrices that its file has.
---@param r ModelReading
---@param part StackPart
---@return NameRule
local function names_of(r, part, prefix)
  return lists.filter(part.names, function(names)
    local down = prefix .. part.inside .. name_of(names.down, 0)
    return r.model.shapes[down .. (names.bare and '' or '.weight')] ~= nil
      or modules.is_packed(r, down)
  end)[1] or part.names[1]
end

--- What else only packed rows are called, of methods without a scheme: HQQ, AQLM.
local other_tails = { '.W_q', '.codes' }

--- The first of some tensors that is named as only packed rows of a module are, and by which
--- methods; nil where none is.
---@param keys string[]
---@param module string
---@return string|nil key
---@return string|nil methods
local function packed_among(keys, module)
  for _, key in ipairs(keys) do
    local tail = key:sub(#module + 1)
    local methods = quantized.methods_of(tail)
    if #methods > 0 or lists.has(other_tails, tail) then
      return key, #methods > 0 and (' (%s names them so)'):format(table.concat(methods, ' or '))
        or ''
    end
  end
end

--- Why a tensor that should be there is not.
local function refuse_missing(r, key)
  local module = key:gsub('%.weight$', '')
  local others = lists.filter(r.model.keys, function(other)
    return paths.is_of(other, module) or other:sub(1, #module + 1) == module .. '_'
  end)
  local packed, methods = packed_among(others, module)
  local there = packed or others[1]
  local shown = there and ('; "%s" is there'):format(record.shown(there, 80)) or ''
  local reason = r.reason or packed and ('rows that a program has packed%s, and config.json has no '
    .. 'quantization_config, which tells how: take the config.json that they came with')
    :format(methods)
  problems.bad_input(r.model.path, 'there is no tensor "%s"%s%s', record.shown(key, 80), shown,
    reason and ': ' .. reason or '')
end

--- A tensor of a layer, where it lies.
local function placed(r, key, wanted)
  if not r.model.shapes[key] then refuse_missing(r, key) end
  return placing.tensor(r, key, wanted)
end

--- A matrix and its bias, and what there is to say of it.
---@param r ModelReading
---@param part StackPart
---@param role string
---@param name string  of its module
---@param w Wanted
local function matrix_of(r, part, role, name, names, w)
  local key = names.bare and name or name .. '.weight'
  local bias = names.bare and name .. '_bias' or name .. '.bias'
  local has = r.model.shapes[bias] ~= nil
  if has and not part.bias[role] and placing.is_nothing(r, name, bias, w.whole) then has = false end
  if has ~= part.bias[role] then
    problems.bad_input(r.model.path, '"%s" is %s, and by its config %s has %s bias', record.shown(
      bias, 80), has and 'there' or 'not there', role, part.bias[role] and 'a' or 'no')
  end
  local packed, because, operand_scale = modules.placed(r, name, w)
  return {
    role = role, at = 0, outputs = w.outputs, inputs = w.inputs,
    weight = packed or placed(r, key, w),
    bias = has and placing.bias(r, bias, w),
    affine = false, operand_scale = operand_scale,
  }, because
end

--- Whether matrices are stored [in][out].
---@param r ModelReading
---@param part StackPart
---@param names NameRule
local function is_in_out(r, part, names, prefix)
  if names.in_out ~= 'by shape' then return names.in_out or false end
  local f, key = part.fields, prefix .. part.inside .. names.down
  if f.d_ff == f.d_model then
    problems.bad_input(r.model.path, '"%s" is square, and files of this family have [in][out] or '
      .. '[out][in]: nothing tells which it is', record.shown(key, 80))
  end
  local shape = r.model.shapes[key] or {}
  return shape[2] == f.d_ff and shape[3] == f.d_model
end

--- The matrices of a layer, and what there is to say of them.
---@param r ModelReading
---@param part StackPart
local function matrices_of(r, part, names, prefix, expert)
  local result, because, f = {}, {}, part.fields
  local experts = names.stacked and part.experts and part.experts.count or false
  local in_out = is_in_out(r, part, names, prefix)
  local function add(role, name, outputs, inputs, half)
    local module, is_mixed = prefix .. part.inside .. name_of(name, expert),
      half and names.order == 'interleaved'
    local matrix, more = matrix_of(r, part, role, module, names, {
      outputs = outputs, inputs = inputs, in_out = in_out,
      whole = half and 2 * outputs or outputs, step = is_mixed and 2 or 1,
      from = (half or 0) * (is_mixed and 1 or outputs),
      experts = experts, expert = experts and expert or 0,
    })
    result[#result + 1] = matrix
    for _, b in ipairs(more) do because[#because + 1] = b end
  end
  if names.fused then
    add('gate', names.fused, f.d_ff, f.d_model, 0)
    add('up', names.fused, f.d_ff, f.d_model, 1)
  else
    if part.gated then add('gate', names.gate, f.d_ff, f.d_model) end
    add('up', names.up, f.d_ff, f.d_model)
  end
  add('down', names.down, f.d_model, f.d_ff)
  return result, because
end

--- The reasons of a part's fields with more of its own: one list for all layers that say the same.
---@param part StackPart
---@param more Because[]
local function because_of(part, more)
  if #more == 0 then return part.because end
  local own, texts = {}, {}
  for _, b in ipairs(more) do
    local text = b.field .. ': ' .. b.text
    if not lists.has(texts, text) then own[#own + 1], texts[#texts + 1] = b, text end
  end
  local key = table.concat(texts, '\n')
  part.because_packed = part.because_packed or {}
  part.because_packed[key] = part.because_packed[key]
    or lists.append(lists.append({}, part.because), own)
  return part.because_packed[key]
end

--- A number of a tensor that is one number.
local function number_of(r, key)
  if not r.model.stored[key] then refuse_missing(r, key) end
  return numbers.single(r, key, 'parameter of an activation')
end

--- Numbers that a layer has learned for its activation.
---@param r ModelReading
---@param part StackPart
local function parameters_of(r, part, names, prefix)
  if not part.learned then return {} end
  local module = prefix .. part.inside .. names.learned
  for _, fixed in ipairs { { 'beta', 0.5, 0 }, { 'eps', -1e-6, 1e-8 } } do
    local key = module .. '.' .. fixed[1]
    if r.model.shapes[key] then
      local value = number_of(r, key)
      r.taken[key] = true
      if value ~= value or math.abs(value - fixed[2]) > fixed[3] then
        problems.bad_input(r.model.path, '"%s" is %.9g: %s is defined with %g', record.shown(key,
          80), value, part.fields.variant, fixed[2])
      end
    end
  end
  return lists.map(activations.by_name.xielu.parameters, function(name)
    local key = module .. '.' .. name
    local value = number_of(r, key)
    r.taken[key] = true
    return value
  end)
end

--- What lies around a layer, with the names of its tensors. Of a whole mixture the router and the
--- shared expert are no matter of the host.
---@param is_whole boolean|nil
local function around_of(r, part, prefix, is_whole)
  local result = {}
  local list = not is_whole and part.around or lists.append(lists.filter(part.around, function(a)
    return not a.is_mixed
  end), part.mixture.around)
  for _, a in ipairs(list) do
    local key = a.tensor and prefix .. a.tensor
    local has = key and r.model.shapes[key] ~= nil
    if key and not has then -- as the first of BERT call it
      local older = key:gsub('%.weight$', '.gamma')
      has = r.model.shapes[older] ~= nil
      if has then key = older end
    end
    if key and not has and not a.optional then refuse_missing(r, key) end
    if not key or has then
      result[#result + 1] = { place = a.place, what = a.what, tensor = key, text = a.text }
    end
  end
  return result
end

--- Refuses what stands in a block and is no known part of it.
function M.check_block(r, part, prefix, rests)
  for _, rest in ipairs(rests) do
    local key = prefix .. rest
    local is_known = r.taken[key] or r.is_left(key)
    for _, module in ipairs(is_known and {} or part.beside) do
      is_known = is_known or paths.is_of(rest, module)
    end
    if not is_known then
      local shown, file = record.shown(key, 80), r.model.files[r.model.stored[key].file]
      problems.bad_input(file.path, '"%s" stands in the block of a layer, and no rule knows this '
        .. 'tensor: it may lie between the matrices%s. If not, add --leave %s', shown,
        r.reason and ' (' .. r.reason .. ')' or '', shown)
    end
  end
end

--- What the names of two modules begin with, whole modules: mlp. of mlp.fc1 and mlp.fc2.
local function shared_module(a, b)
  local module = ''
  for part in a:gmatch '[^.]+%.' do
    if b:sub(1, #module + #part) ~= module .. part then break end
    module = module .. part
  end
  return module
end

--- The name of a layer, or of an expert of it.
---@param part StackPart
---@param names NameRule
---@param prefix string
---@param expert integer
---@return string
function M.name(part, names, prefix, expert)
  local module = prefix .. part.inside .. shared_module(names.fused or names.up, names.down)
  local at = name_of(module, expert):gsub('%.$', '')
  return names.stacked and ('%s.%d'):format(at, expert) or at
end

--- Adds a layer, or the experts of one.
---@param r ModelReading
---@param part StackPart
---@param prefix string
---@param index integer
---@param is_whole boolean|nil  a mixture with its router
function M.add(r, part, prefix, index, layers, is_whole)
  limits.hold(r.model.path, 'experts', part.experts and part.experts.count or 0)
  local names, around = names_of(r, part, prefix), around_of(r, part, prefix, is_whole)
  for expert = 0, part.experts and part.experts.count - 1 or 0 do
    local matrices, because = matrices_of(r, part, names, prefix, expert)
    layers[#layers + 1] = {
      index = index, part = part.experts and expert or part.number,
      at = M.name(part, names, prefix, expert), kind = 'ffn', fields = part.fields,
      because = because_of(part, because), matrices = matrices,
      parameters = parameters_of(r, part, names, prefix), around = around,
    }
  end
end

return M
