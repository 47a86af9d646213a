--- What a kernel's templates are filled with: the words of an instruction set, sizes, tables, and
--- sentences about the plan.
local choices_text = require 'plan.choices'
local cpus = require 'cpu'
local describe = require 'emit.describe'
local english = require 'lower.english'
local expression = require 'lower.expression'
local fnv = require 'common.fnv'
local lanes_plan = require 'plan.lanes'
local list = require 'common.list'
local name = require 'lower.name'
local naming = require 'emit.naming'
local number = require 'common.number'
local prefixes = require 'common.prefix'
local template = require 'emit.template'
local text = require 'common.text'
local vector = require 'emit.vector'

local M = {}

--- 64-bit FNV-1a of a layer's name, ffn_layer_hash() of kernel.h.
function M.layer_hash(layer_name)
  return ('UINT64_C(0x%s)'):format(fnv(layer_name))
end

local function float(x)
  local digits = ('%.6g'):format(x)
  return digits:find('[.e]') and digits .. 'f' or digits .. '.0f'
end

local target_begin = [[
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("TARGET"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("TARGET")
#endif
]]
local target_end = [[
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
]]

--- Prose in lines of so many columns.
function M.wrapped(said, columns)
  local parts = {}
  for part in said:gmatch('%S+') do parts[#parts + 1] = part end
  return table.concat(text.lines(parts, columns or 97), '\n')
end

--- What stands between the marks of a comment.
function M.commented(said) return (M.wrapped(said, 94):gsub('\n', '\n * ')) end

--- What every template has; the words of the instruction set under their own names.
function M.of_isa(root, isa, prefix)
  local own = {
    root = root, prefix = prefix, PREFIX = prefix:upper(), isa = isa,
    upper = string.upper, number = float,
    int = function(b) return b and 1 or 0 end,
    word = function(...) return vector.word(isa, ...) end,
    target_begin = isa.target ~= '' and target_begin:gsub('TARGET', isa.target) or '',
    target_end = isa.target ~= '' and target_end or '',
  }
  return setmetatable(own, { __index = function(_, key)
    if type(key) ~= 'string' or not isa.words[key] then return nil end
    return function(...) return vector.word(isa, key, ...) end
  end })
end

--- The activations that stages apply, each once.
---@param stages StagePlan[]
function M.activations(stages)
  local used = {}
  for _, s in ipairs(stages) do
    for _, result in ipairs(s.stage.results) do
      expression.walk(result.value, function(e)
        if e.op == 'apply' then used[#used + 1] = e.activation end
      end)
    end
  end
  return list.unique(used)
end

local products = {
  none = 'PRODUCT_NONE', up = 'PRODUCT_UP', input = 'PRODUCT_INPUT', both = 'PRODUCT_BOTH',
}

--- What templates say about the sizes of a pass.
local function set_sizes(env, pass)
  local NAME = env.NAME
  function env.buffer_name(b) return ('operand%d'):format(b) end
  function env.buffer_tensors(b) return table.concat(pass.buffers[b].tensors, ', ') end
  --- Floats of a row of the largest operand in a buffer, by the names of its reader.
  function env.buffer_row(b)
    for _, s in ipairs(pass.stages) do
      local sum = s.stage.sum
      if s.buffer == b and sum.blocks * s.row == pass.buffers[b].floats then
        local row = NAME(s) .. '_ROW'
        return sum.blocks > 1 and ('%s_BLOCKS * %s'):format(NAME(s), row) or row
      end
    end
  end
  local walks = not (pass.straight or pass.compact)
  local function place_name(i)
    if pass.compact then return ('%sHIDDEN%d'):format(env.OWN, i) end
    return pass.straight and NAME(pass.stages[i]) .. '_ROW'
      or env.OWN .. env.buffer_name(i):upper()
  end
  --- Names of what a row has in work memory in front of a place, added up.
  function env.before(place)
    local names = {}
    for i = 1, place - 1 do names[i] = place_name(i) end
    return #names > 0 and table.concat(names, ' + ') or '0'
  end
  env.all_places = env.before(#pass.places + 1)
  env.lanes_blocks = lanes_plan.blocks(pass.lanes)
  function env.times(factor) return factor > 1 and ('%d * '):format(factor) or '' end
  env.sum_row = ('%d'):format(pass.sum_row)
  for _, s in ipairs(pass.stages) do
    local branches = #s.stage.stream.branches
    if branches * s.chunk == pass.sum_row then
      env.sum_row = ('%s%s_CHUNK'):format(branches > 1 and branches .. ' * ' or '', NAME(s))
      break
    end
  end
  env.add_at = env.before(pass.add.buffer)
    .. (pass.add.own and walks and (' + %sSUM'):format(env.OWN) or '')
  local terms = {}
  for i, s in ipairs(pass.stages) do
    terms[i] = ('%d * (uint64_t)%s_INPUTS * %s_OUTPUTS'):format(2 * #s.stage.stream.branches,
      NAME(s), NAME(s))
  end
  env.flop_text = table.concat(terms, ' +\n        ')
end

--- What templates say about the tables of a plan.
local function set_tables(env, layer)
  function env.product_enum(s)
    return env.PREFIX .. '_' .. products[s.stage.forward.product]
  end
  --- The parameters that a spec fixes, as the initializer of an array; zeros where there are none.
  function env.fixed_parameters(s)
    local parameters = s.stage.forward.parameters
    return type(parameters) == 'table'
      and table.concat(list.map(parameters, number.float_literal), ', ') or '0.0f'
  end
  function env.parameters_fixed(s) return type(s.stage.forward.parameters) == 'table' end
  function env.matrices(s)
    local names = list.map(s.stage.stream.branches, function(branch)
      return ('%s_MATRIX_%s'):format(env.PREFIX, branch.matrix:upper())
    end)
    return table.concat(names, ', ')
  end
  function env.bias_text(s)
    return s.stage.stream.bias and ('packed->%s_bias[0]'):format(s.stage.name) or 'NULL'
  end
  local format = layer.passes.forward[1].stream.format
  env.format = format
  function env.encode(value) return (format.encode:gsub('%$1', value)) end
  function env.decode(value) return (format.decode:gsub('%$1', value)) end
end
--- A line of a kernel's comment: a label, and what is said under it, in as many lines as it takes.
local function field(label, said)
  return ('%-10s '):format(label) .. M.wrapped(said, 86):gsub('\n', '\n' .. (' '):rep(11))
end

--- An epilogue has one result, and nothing to read but sums and input.
local function nothing_more(s)
  if #s.destinations > 1 then
    error(('stage %s: a kernel writes one result, not %d'):format(s.stage.name, #s.destinations))
  end
  return {
    memory = '', pointers = '', lines = {}, value = nil, stores = function() return '' end,
  }
end

--- The descriptors of a plan: that of every CPU, and of those that have a profile.
local function descriptors(plan, names)
  local function descriptor(profile, own_name, enumerator, behind, choices)
    local read = list.map(cpus.read_names, function(key) return ('%d'):format(choices[key]) end)
    return {
      symbol = prefixes.symbol(own_name, names.prefix), profile = enumerator, behind = behind,
      about = profile.about, reading = choices_text.reading(choices),
      read = table.concat(read, ', '),
    }
  end
  local all = { descriptor(plan.profile, plan.name, 'ANY', '', plan.choices) }
  for i, p in ipairs(plan.others) do
    all[i + 1] = descriptor(p, name.for_cpu(plan.name, p.name), p.name:upper(), '_' .. p.name,
      p.choices)
  end
  return all
end

--- The environment of a plan's templates.
function M.of_plan(root, plan, names)
  local isa = prefixes.isa(plan.isa, names.prefix)
  local env = M.of_isa(root, isa, names.prefix)
  local pass, layer = plan.passes.forward, plan.layer
  naming.set(env, names)
  env.plan, env.layer, env.pass, env.stages = plan, layer, pass, pass.stages
  env.straight, env.compact = pass.straight, pass.compact
  env.walks = not (pass.straight or pass.compact)
  env.training, env.forward_stages, env.task = false, pass.stages, names.prefix .. '_task'
  env.more = nothing_more
  function env.next_row(s) return env.NAME(env.stages[s.index + 2]) .. '_ROW' end
  env.activation_name = function(a) return ('%sact_%s'):format(names.shared, a.name) end
  env.pair_name = function(a) return env.activation_name(a) .. '_pair' end
  function env.activations_of(s)
    return list.map(M.activations { s }, s.lockstep and env.pair_name or env.activation_name)
  end
  env.used_templates = {}
  function env.render(file, own_env)
    local used = env.used_templates
    used[#used + 1] = file
    return template.load(root, 'kernel/' .. file, names.prefix)(own_env)
  end
  set_sizes(env, pass)
  set_tables(env, layer)
  env.field, env.wrapped, env.commented = field, M.wrapped, M.commented
  env.title, env.remake = english.describe(plan.name, layer.activations), names.remake
  env.symbol = prefixes.symbol(plan.name, names.prefix)
  env.descriptors = descriptors(plan, names)
  env.layer_hash = M.layer_hash(layer.name)
  env.choices_text = describe.choices(plan)
  env.cost_text = ('%d flop per token; %d bytes of packed weights; %d bytes of work memory per '
    .. 'thread%s'):format(layer.flop_per_token, pass.packed_bytes, pass.work.most,
    pass.work.rows > 1 and (', %d for one token'):format(pass.work.row + pass.work.beside) or '')
  env.walk_text, env.lanes_text = describe.walk(pass), describe.lanes(pass.lanes)
  env.abreast_text = describe.abreast_stages(pass)
  --- Those of sections, of functions and of what is inside of them; each once.
  function env.template_names()
    local used = list.map(env.used_templates, function(file) return (file:gsub('%..*', '')) end)
    return table.concat(list.unique(list.append({ 'file' }, used)), ', ')
  end
  function env.stage_text(s) return describe.stage(s.stage) end
  function env.tiles_text(s) return describe.tiles(s, plan.isa, pass) end
  function env.order_text(s) return describe.order(s.stage) end
  function env.error_text(s) return describe.error(s.stage) end
  return env
end

return M
