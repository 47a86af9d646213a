--- PLAN.json: what ffn-pack has to know, and nothing else: where every number of each layer lies,
--- which files these are, and how the kernels want it laid. Indices are from 0. The format is
--- version 3; README.md of this folder tells its fields.
local affine = require 'import.affine'
local found_records = require 'import.found'
local limits = require 'import.limits'
local lists = require 'common.list'
local packed = require 'plan.packed'
local problems = require 'common.problem'
local record = require 'common.record'
local version = require 'common.version'
local xxh64 = require 'files.xxh64'

local M = {}

M.version = 3

--- What a plan of ours begins with.
M.first_line = '{"ffngen_plan":'

local escapes = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }

local function string_text(s)
  if not s:find '[%c"\\]' then return '"' .. s .. '"' end -- as most names are
  return '"' .. s:gsub('[%c"\\]', function(c)
    return escapes[c] or ('\\u%04x'):format(c:byte())
  end) .. '"'
end

local value_text

local function list_text(list)
  local parts = {}
  for i, item in ipairs(list) do parts[i] = value_text(item) end
  return '[' .. table.concat(parts, ',') .. ']'
end

--- An object whose fields stand in a given order.
local function object(fields) return { fields = fields } end

function value_text(v)
  if type(v) == 'string' then return string_text(v) end
  if v == false or v == nil then return 'null' end
  if math.type(v) == 'float' then return ('%.17g'):format(v) end
  if type(v) ~= 'table' then return tostring(v) end
  if not rawget(v, 'fields') then return list_text(v) end
  local parts = {}
  for i, field in ipairs(v.fields) do
    parts[i] = string_text(field[1]) .. ':' .. (field[3] or value_text(field[2]))
  end
  return '{' .. table.concat(parts, ',') .. '}'
end

--- Where numbers lie, without the brackets.
---@param p Placed|Beside
local function numbers_text(p)
  return ('"file":%d,"first":%d,"bytes":%d,"encoding":"%s","row_bytes":%d,"column_bytes":%d,'
    .. '"tensor":%s'):format(p.file - 1, p.first, p.bytes, p.encoding, p.row_bytes,
    p.column_bytes, string_text(p.tensor))
end

---@param b Beside|false
---@param own string  fields that not all of them have
local function beside_text(b, own)
  return b and ('{%s%s}'):format(numbers_text(b), own) or 'null'
end

--- Zeros: what each must be is told where a model's config does.
---@param zeros Beside
local function zeros_text(zeros)
  local only = zeros.only > 0 and (',"only":%d'):format(zeros.only) or ''
  return beside_text(zeros, (',"rows":%d,"add":%d%s'):format(zeros.rows, zeros.add, only))
end

--- What lies beside scaled numbers.
---@param s Scaled
local function scaled_text(s)
  return (',\n      "every":%d,"scales":%s,\n      "zeros":%s,"groups":%s'):format(s.every,
    beside_text(s.scales, (',"rows":%d'):format(s.scales.rows)),
    s.zeros and zeros_text(s.zeros) or 'null', beside_text(s.groups, ''))
end

---@param p Placed|false
local function placed_text(p)
  if not p then return 'null' end
  return ('{%s%s}'):format(numbers_text(p), p.scaled and scaled_text(p.scaled) or '')
end

--- A norm that is folded in.
---@param a Affine
local function affine_text(a)
  local parts = { ('"epsilon":%.17g'):format(a.epsilon) }
  for _, name in ipairs(affine.vectors) do
    parts[#parts + 1] = ('"%s":%s'):format(name, placed_text(a[name]))
  end
  return (',\n     "affine":{%s}'):format(table.concat(parts, ',\n      '))
end

---@param m Matrix
---@param place StagePlace
local function matrix_text(m, place)
  return ('{"stage":%d,"branch":%d,"outputs":%d,"inputs":%d,\n     "weight":%s,\n     "bias":%s%s}')
    :format(place.stage, place.branch, m.outputs, m.inputs, placed_text(m.weight),
      placed_text(m.bias), m.affine and affine_text(m.affine) or '')
end

local function layer_text(layer, kernel, places)
  local parts, scales = {}, {}
  for i, m in ipairs(layer.matrices) do
    parts[i] = matrix_text(m, places[i])
    scales[places[i].stage + 1] = m.operand_scale
  end
  return ('{"index":%d,%s"name":%s,"kernel":%d,"parameters":%s,%s"matrices":[\n    %s]}'):format(
    layer.index, layer.part and ('"part":%d,'):format(layer.part) or '', string_text(layer.at),
    kernel, list_text(layer.parameters), #lists.filter(scales, function(s) return s end) > 0
      and ('"operand_scales":%s,'):format(list_text(scales)) or '',
    table.concat(parts, ',\n    '))
end

---@param rows FoundRows
local function rows_text(rows)
  return ('{"name":%s,"count":%d,"width":%d,%s}'):format(string_text(rows.name), rows.count,
    rows.width, numbers_text(rows.place))
end

--- A field of a record of packed.lua, in which false is no null.
local function field_of(of, name)
  local value = of[name]
  return { name, value, type(value) == 'boolean' and tostring(value) or nil }
end

--- A record of packed.lua as an object, its fields in that file's order.
local function kernel_of(layer)
  local kernel = packed.of(layer)
  local fields = {}
  for _, name in ipairs(packed.fields) do
    fields[#fields + 1] = name ~= 'stages' and field_of(kernel, name)
      or { name, lists.map(kernel.stages, function(stage)
        return object(lists.map(packed.stage_fields(stage), function(field)
          return field_of(stage, field)
        end))
      end) }
  end
  return object(fields)
end

--- A path as PLAN.json has it: relative to its folder where the file lies under that, absolute
--- otherwise, so that both may be moved together, or the plan alone.
---@param path string
---@param folder string  of PLAN.json
---@param here string    the folder in which both are meant
---@return string
function M.path(path, folder, here)
  local function absolute(p)
    local parts = {}
    for part in (p:find '^/' and p or here .. '/' .. p):gmatch '[^/]+' do
      if part ~= '.' then parts[#parts + 1] = part end
    end
    return '/' .. table.concat(parts, '/')
  end
  local file, base = absolute(path), absolute(folder)
  if base ~= '/' and file:sub(1, #base + 1) == base .. '/' then return file:sub(#base + 2) end
  return file
end

--- Of a file that ffn-pack decodes, what of: its numbers are varints of another one.
---@param v Varints
local function varints_of(v)
  return object { { 'file', v.file - 1 }, { 'first', v.first }, { 'bytes', v.bytes },
    { 'type', v.type } }
end

--- The same of a file that was found, as a plan may hold it.
local function path_of(file, folder, here)
  local path = M.path(file.path, folder, here)
  local problem = found_records.name_problem(path)
  if problem then
    problems.bad_input(nil, '"%s" %s', record.shown(path, 200), (problem:gsub(': .*', ''))
      .. ': move the model, or rename its folder')
  end
  return path
end

--- The plan. In front stands the hash of all behind it: a plan that was changed is told.
---@param found Found
---@param named NamedGroups
---@param folder string  of PLAN.json
---@param here string
---@return string
function M.of(found, named, folder, here)
  local files, kernels, layers = {}, {}, {}
  for i, file in ipairs(found.files) do
    files[i] = value_text(object {
      { 'path', path_of(file, folder, here) }, { 'bytes', file.bytes },
      { 'spans', file.spans }, { 'xxh64', file.xxh64 },
      file.varints and { 'varints', varints_of(file.varints) } or nil,
    })
  end
  for i, layer in ipairs(named.lowered) do kernels[i] = value_text(kernel_of(layer)) end
  for i, layer in ipairs(found.layers) do
    local group = named.group_of[i]
    layers[i] = layer_text(layer, group - 1, named.groups[group].places)
  end
  local rows = lists.map(found.rows, function(r) return '\n  ' .. rows_text(r) end)
  local rest = (',"abi":%d,"layout":%d,\n "files":[\n  %s],\n "kernels":[\n  %s],\n'
    .. ' "layers":[\n  %s],\n "rows":[%s]}\n'):format(version.abi, version.layout,
    table.concat(files, ',\n  '), table.concat(kernels, ',\n  '), table.concat(layers, ',\n  '),
    table.concat(rows, ','))
  local text = ('{"ffngen_plan":%d,"xxh64":"%s"'):format(M.version, xxh64.of(rest)) .. rest
  if #text > limits.text then
    problems.bad_input(found.path, 'its plan has %d bytes, and ffn-pack takes %d: import fewer '
      .. 'layers at a time, with --node', #text, limits.text)
  end
  return text
end

return M
