--- The layers of a vendored folder in the words of its templates: how each is called, what it
--- costs, how its weights are given.
local describe = require 'emit.describe'
local name = require 'lower.name'
local record = require 'common.record'
local text_size = require 'vendor.text_size'

local M = {}

--- How the weights of a layer are spelled in an example.
---@param l Layer
---@return table[] matrices { weight =, bias =, inputs =, outputs = }
---@return string fields of an ffn_weights
local function weights_of(l)
  local matrices, chain, fields = {}, {}, {}
  for i, stage in ipairs(l.stages) do
    for _, branch in ipairs(stage.branches) do
      local field = branch.matrix ~= 'chain' and branch.matrix
      local m = {
        weight = 'w_' .. (field or i), bias = stage.bias and 'b_' .. (field or i),
        inputs = stage.inputs, outputs = stage.outputs,
      }
      matrices[#matrices + 1] = m
      local pair = ('{%s, %s}'):format(m.weight, m.bias or 'NULL')
      if field then
        fields[#fields + 1] = ('.%s = %s'):format(field, pair)
      else
        chain[#chain + 1] = pair
      end
    end
  end
  if #chain > 0 then
    fields[1] = ('.chain = (const ffn_linear[]){%s}'):format(table.concat(chain, ', '))
  end
  if l.runtime_beta then fields[#fields + 1] = '.beta = 1' end
  return matrices, table.concat(fields, ', ')
end

--- One layer and those of the plans that are its kernels.
local function layer_of(s, plans)
  local layer_name = name.encode_layer(setmetatable({ dtype = 'f32' }, { __index = s }))
  local kernels, titles, bounds, fallback, work, first = {}, {}, {}, false, 0, nil
  for _, p in ipairs(plans) do
    if p.layer.name == layer_name then
      first = first or p
      kernels[#kernels + 1] = {
        name = p.name, work_bytes = p.work_bytes, text_bytes = text_size.estimate(p),
      }
      titles[#titles + 1] = p.isa.title
      fallback = fallback or p.isa.arch == ''
      work = math.max(work, p.work_bytes)
    end
  end
  local l = first.layer
  for i, stage in ipairs(l.stages) do
    bounds[i] = ('%s: %s'):format(stage.name, (describe.error(stage):gsub('\n %*%s*', ' ')))
  end
  local matrices, weights_text = weights_of(l)
  return record.strict('vendored layer', {
    spec = s.name, name = l.name, title = name.describe(l.name), about = s.about,
    isas = table.concat(titles, ', '), fallback = fallback, kernels = kernels,
    kernel = first.name, guard = first.isa.arch,
    inputs = l.inputs, outputs = l.outputs, flop = l.flop_per_token,
    weight_count = l.flop_per_token // 2, packed_bytes = first.packed_bytes, work_bytes = work,
    bounds = bounds, matrices = matrices, weights_text = weights_text,
  })
end

---@param specs Spec[]
---@param plans Plan[] of all of them
---@return table[]
function M.list(specs, plans)
  local layers = {}
  for i, s in ipairs(specs) do layers[i] = layer_of(s, plans) end
  return layers
end

--- How a layer is run, for README and header.
---@param env table of the templates
---@return string[] lines
function M.usage(env)
  local l = env.layers[1]
  local lines = { ('const ffn_kernel *k = ffn_%s();'):format(l.spec) }
  local bytes = ('FFN_%s_'):format(l.spec:upper())
  if env.freestanding then
    lines[#lines + 1] = ('static _Alignas(FFN_ALIGNMENT) unsigned char work[%sWORK_BYTES];'):format(
      bytes)
    if not env.weights then
      lines[#lines + 1] = ('static _Alignas(FFN_ALIGNMENT) unsigned char packed[%sPACKED_BYTES];')
        :format(bytes)
    end
  else
    lines[#lines + 1] = 'void *work = ffn_alloc(ffn_work_bytes(k, 1));'
    if not env.weights then lines[#lines + 1] = 'void *packed = ffn_alloc(k->packed_bytes);' end
  end
  if env.weights then
    lines[#lines + 1] = ('const void *packed = ffn_%s_packed();'):format(l.spec)
  else
    lines[#lines + 1] = ('k->pack(packed, &(ffn_weights){%s});'):format(l.weights_text)
  end
  lines[#lines + 1] = ('k->run(y, %d, x, %d, tokens, packed, work, NULL);'):format(l.outputs,
    l.inputs)
  if not env.freestanding then
    lines[#lines + 1] = (env.weights and '' or 'ffn_free(packed), ') .. 'ffn_free(work);'
  end
  return lines
end

return M
