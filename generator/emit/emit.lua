--- emit: Plan -> C text, in sections. One set of templates for all layers and instruction sets;
--- this file gives them their values.
local describe = require 'emit.describe'
local expression = require 'lower.expression'
local list = require 'common.list'
local name = require 'lower.name'
local naming = require 'emit.naming'
local number = require 'common.number'
local prefixes = require 'common.prefix'
local stage_functions = require 'emit.stage'
local straight_functions = require 'emit.straight'
local template = require 'emit.template'
local text = require 'common.text'
local vector = require 'emit.vector'
local version = require 'common.version'

local M = {}

---@class KernelText  a kernel in sections, for one file or as a part of one
---@field about string[]          the lines of its comment
---@field sizes string            enumerators, packed weights, work memory
---@field helpers table[]         functions of its instruction set: { name =, text = }
---@field activations table[]     { name =, text = }
---@field functions Function[]
---@field tables string
---@field api string
---@field arch string             the condition under which a machine has it; '' for any
---@field include string          of its intrinsics; ''
---@field target_begin string
---@field target_end string

--- 64-bit FNV-1a of a layer's name, ffn_layer_hash() of kernel.h.
function M.layer_hash(layer_name)
  local hash = 0xcbf29ce484222325
  for i = 1, #layer_name do hash = (hash ~ layer_name:byte(i)) * 0x100000001b3 end
  return ('UINT64_C(0x%016x)'):format(hash)
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
local function wrapped(said, columns)
  local parts = {}
  for part in said:gmatch('%S+') do parts[#parts + 1] = part end
  return table.concat(text.lines(parts, columns or 97), '\n')
end

--- The static inline function of an activation.
local function activation_text(isa, prefix, a, own_name)
  local arguments = ('const %s x'):format(isa.vec)
  if a.parameter then arguments = ('%s, const %s %s'):format(arguments, isa.vec, a.parameter) end
  local about = wrapped(('%s; %s. %s.'):format(a.about, describe.contract(a), a.source), 94)
  return ('/* %s */\n%s_INLINE %s %s(%s) {\n  %s\n}\n'):format((about:gsub('\n', '\n * ')),
    prefix:upper(), isa.vec, own_name, arguments, (vector.body(isa, a):gsub('\n', '\n  ')))
end

--- What every template has; the words of the instruction set under their own names.
local function isa_environment(root, isa, prefix)
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
local function used_activations(stages)
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

local products = { none = 'PRODUCT_NONE', up = 'PRODUCT_UP', input = 'PRODUCT_INPUT' }

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
  env.sum_floats = ('%d'):format(pass.sum_floats)
  for _, s in ipairs(pass.stages) do
    local branches = #s.stage.stream.branches
    if branches * s.chunk * pass.rows == pass.sum_floats then
      env.sum_floats = ('%s%s_CHUNK * %sROWS'):format(branches > 1 and branches .. ' * ' or '',
        NAME(s), env.OWN)
      break
    end
  end
  env.list_entries = ('%d'):format((pass.list_entries + 15) // 16 * 16)
  env.work_rows = ('%d'):format(pass.straight and pass.straight[1].rows or pass.rows)
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
  function env.beta_literal(s)
    local beta = s.stage.forward.beta
    return math.type(beta) == 'float' and number.float_literal(beta) or '0.0f'
  end
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
  return ('%-10s '):format(label) .. wrapped(said, 86):gsub('\n', '\n' .. (' '):rep(11))
end

--- The environment of a plan's templates.
local function environment(root, plan, names)
  local isa = prefixes.isa(plan.isa, names.prefix)
  local env = isa_environment(root, isa, names.prefix)
  local pass, layer = plan.passes.forward, plan.layer
  naming.set(env, names)
  env.plan, env.layer, env.pass, env.stages, env.straight = plan, layer, pass, pass.stages,
    pass.straight
  env.activation_name = function(a) return ('%sact_%s'):format(names.shared, a.name) end
  function env.activations_of(s)
    return list.map(used_activations(s and { s } or pass.stages), env.activation_name)
  end
  env.used_templates = {}
  function env.render(file, own_env)
    local used = env.used_templates
    used[#used + 1] = file
    return template.load(root, 'kernel/' .. file, names.prefix)(own_env)
  end
  set_sizes(env, pass)
  set_tables(env, layer)
  env.field, env.wrapped = field, wrapped
  env.title, env.remake = name.describe(plan.name), names.remake
  env.symbol = prefixes.symbol(plan.name, names.prefix)
  env.layer_hash = M.layer_hash(layer.name)
  env.choices_text = describe.choices(plan)
  env.cost_text = ('%d flop per token; %d bytes of packed weights; %d bytes of work memory per '
    .. 'thread'):format(layer.flop_per_token, pass.packed_bytes, pass.work_bytes)
  env.straight_text = pass.straight and describe.straight(pass.straight) or ''
  --- Those of sections, of functions and of what is inside of them; each once.
  function env.template_names()
    local used = list.map(env.used_templates, function(file) return (file:gsub('%..*', '')) end)
    return table.concat(list.unique(list.append({ 'file' }, used)), ', ')
  end
  function env.stage_text(s) return describe.stage(s.stage) end
  function env.tiles_text(s) return describe.tiles(s, plan.isa, pass.straight) end
  function env.order_text(s) return describe.order(s.stage) end
  function env.error_text(s) return describe.error(s.stage) end
  return env
end

local function functions_of(env, pass)
  if pass.straight then return straight_functions.functions(env, pass.straight) end
  local functions = {}
  for _, s in ipairs(pass.stages) do list.append(functions, stage_functions.functions(env, s)) end
  return functions
end

--- What a kernel takes of its instruction set and its weight format.
local function helpers_of(env, pass)
  local parts, format = {}, env.format
  local function add(own_name, code)
    if code ~= '' then parts[#parts + 1] = { name = own_name, text = code .. '\n' } end
  end
  add('isa', env.isa.helpers)
  if pass.stages[#pass.stages].tail then add('store_tail', env.isa.store_tail) end
  add(format.name, prefixes.text(format.helpers, env.prefix))
  return parts
end

--- The sections of a kernel.
---@param root string the project's folder
---@param plan Plan
---@param names Naming
---@return KernelText
function M.kernel(root, plan, names)
  local env, pass = environment(root, plan, names), plan.passes.forward
  local text_of = {
    sizes = env.render('sizes.c.tpl', env), helpers = helpers_of(env, pass),
    activations = list.map(used_activations(pass.stages), function(a)
      local own_name = env.activation_name(a)
      return { name = own_name, text = activation_text(env.isa, names.prefix, a, own_name) }
    end),
    functions = functions_of(env, pass), tables = env.render('tables.c.tpl', env),
    api = env.render('api.c.tpl', env), arch = env.isa.arch, include = env.isa.include,
    target_begin = env.target_begin, target_end = env.target_end, about = {},
  }
  -- Last: it names every template that was used.
  for line in env.render('about.tpl', env):gmatch('([^\n]*)\n') do
    text_of.about[#text_of.about + 1] = line
  end
  return text_of
end

--- A kernel's sections as a file of its own.
---@param root string
---@param plan Plan
---@param names Naming
---@return string
function M.file(root, plan, names)
  local k = M.kernel(root, plan, names)
  local sections = { k.sizes }
  for _, part in ipairs { k.helpers, k.activations, k.functions } do
    for _, item in ipairs(part) do sections[#sections + 1] = item.text end
  end
  list.append(sections, { k.tables, k.api })
  return template.load(root, 'kernel/file.c.tpl', names.prefix) {
    k = k, abi = version.abi, body = table.concat(sections, '\n'),
  }
end

--- The C text of a special value: '-inf', 'nan', '0.5'.
local function special_text(value)
  local c = value:gsub('inf', 'INFINITY'):gsub('nan', 'NAN')
  return c:find('^%-?%d+$') and c .. '.0' or c
end

--- Every activation of an instruction set as a function over an array, for the tests.
---@param root string
---@param isa table
---@param activations table[]
function M.activations(root, isa, activations)
  local env = isa_environment(root, isa, prefixes.default)
  env.activations, env.special = activations, special_text
  env.activation_text = function(a)
    return activation_text(isa, prefixes.default, a, 'act_' .. a.name)
  end
  return template.load(root, 'activations.c.tpl')(env)
end

return M
