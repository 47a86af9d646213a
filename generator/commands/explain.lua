--- `ffngen explain`: a kernel's spec, layer and plan on one page.
local activations = require 'activation'
local arguments = require 'commands.arguments'
local choice_names = require 'emit.choices'
local code_costs = require 'commands.code_costs'
local describe = require 'emit.describe'
local english = require 'lower.english'
local equations = require 'emit.equations'
local exits = require 'commands.exits'
local instructions = require 'emit.instructions'
local lists = require 'common.list'
local mixtures = require 'commands.mixtures'
local numbers = require 'common.number'
local output = require 'common.output'
local parts_of = require 'lower.name_parts'
local pipeline = require 'pipeline'
local problems = require 'common.problem'
local project = require 'commands.project'
local record = require 'common.record'
local shell = require 'common.shell'
local sizes = require 'commands.sizes'

local M = { about = 'Show how ffngen computes a layer.' }

M.purpose = {
  'explain prints one page about a layer, in three parts. `spec`: what you asked for. `layer`: the '
    .. 'equation, its stages, and the order of every sum. `plan`, for each instruction set: '
    .. 'register tiles, bytes of packed weights and of work memory, and the settings for each CPU.',
  'About a mixture of experts (`moe`) explain prints which experts a token takes, their weights, '
    .. 'the layers, and bytes of packed weights.',
}

M.examples = {
  { 'ffngen explain gpt2_124m', 'Show a layer that ffngen ships.' },
  { 'ffngen explain my_layer my.lua', 'Show a layer of your own.' },
  { 'ffngen explain my_layer my.lua --cpu zen4', 'Show your layer with the settings for Zen 4 '
    .. 'only.' },
}

M.files = {
  arguments.spec_file, arguments.record_file,
}

M.exits = { exits.success, exits.failure, exits.usage, exits.input }

function M.options(command)
  command:argument('name', 'The name of a spec, a mixture, a layer or a kernel; `ffngen list` has '
    .. 'them.')
  command:argument('spec', 'Spec files. Without a spec file: the layers that ffngen ships.')
    :args('*')
  arguments.plan_options(command)
end

--- The names of a spec's parameters.
local function parameters_of(s)
  local known = s.activations or activations
  return known.by_variant[s.variant or s.activation].activation.parameters
end

--- What is asked for.
local function spec_text(s)
  local lines = {
    ('spec %s (%s:%d)'):format(s.name, s.file:match('[^/]+$'), s.line),
  }
  if s.about ~= '' then lines[#lines + 1] = '  ' .. s.about end
  local parts = {
    table.concat({ s.kind, s.variant or s.activation }, ' '), ('d_model %d'):format(s.d_model),
  }
  if s.d_ff then parts[#parts + 1] = ('d_ff %d'):format(s.d_ff) end
  parts[#parts + 1] = 'd_out ' .. (s.outputs and table.concat(lists.map(s.outputs, function(o)
    return ('%s %d'):format(o.name, o.width)
  end), ' + ') or ('%d'):format(s.d_out))
  parts[#parts + 1] = s.bias and 'bias' or 'no bias'
  local names = s.parameters and parameters_of(s) or {}
  if s.parameters == 'runtime' then
    parts[#parts + 1] = 'run-time ' .. table.concat(names, ', ')
  else
    for i, own in ipairs(names) do
      parts[#parts + 1] = ('%s %.9g'):format(own, s.parameters[i])
    end
  end
  for _, place in ipairs { 'hidden', 'output' } do
    local rate = s.dropout and s.dropout[place] or 0
    if rate > 0 then
      parts[#parts + 1] = ('dropout %s of its %s'):format(numbers.shortest(rate), place)
    end
  end
  local sums = parts_of.arithmetics_of(s.arithmetics)
  if #sums > 0 then parts[#parts + 1] = table.concat(sums, ' and ') end
  if s.max_tokens then parts[#parts + 1] = english.limit(s.max_tokens) end
  if s.optimise then parts[#parts + 1] = 'optimised for ' .. s.optimise end
  lines[#lines + 1] = '  ' .. table.concat(parts, ', ')
  for _, build in ipairs(s.build) do
    lines[#lines + 1] = ('  build for %s'):format(table.concat(build.isa, ', '))
  end
  return lines
end

--- What is computed, and in which order.
local function layer_text(l)
  local lines = { 'layer ' .. l.name }
  for _, line in ipairs(l.equation) do lines[#lines + 1] = '  ' .. line end
  for i, s in ipairs(l.passes.forward) do
    lines[#lines + 1] = ('  stage %d  %-8s %s'):format(i, s.name, describe.stage(s))
    for _, about in ipairs { describe.order(s), describe.error(s), describe.formats(s) } do
      lines[#lines + 1] = ('           %-8s %s'):format('', about)
    end
  end
  if l.packed ~= l.name then lines[#lines + 1] = '  packed as ' .. l.packed end
  lines[#lines + 1] = ('  %d flop per token'):format(l.flop_per_token)
  for _, pass in ipairs(l.backward and { 'train', 'grad' } or {}) do
    for _, s in ipairs(l.passes[pass]) do
      local multiplied = describe.multiplied(s)
      lines[#lines + 1] = ('  %-7s  %-8s %s%s'):format(pass, s.name,
        equations.of(s, l.passes.forward), multiplied ~= '' and '; ' .. multiplied or '')
    end
  end
  return lines
end

--- What is known of the CPUs of a profile.
---@param profile Profile
local function profile_text(profile)
  local text, caches = ('  profile %s: %s'):format(profile.name, profile.about), profile.caches
  if caches then
    text = ('%s; caches of %s, %s and %s'):format(text, sizes.text(caches.l1),
      sizes.text(caches.l2), sizes.text(caches.l3))
  end
  return ('%s; %s'):format(text, profile.source)
end

--- What decoding takes of a stage's pass, beside memory: nothing of f32.
local function instructions_text(isa, format)
  if format.floats or not isa.fused then return {} end
  local first, more = instructions.of(isa, format)
  return {
    ('  16 weights of %s: %.1f vector instructions, %d for each row more'):format(format.name,
      first, more),
  }
end

--- How it is computed on one instruction set.
---@param costs string|nil  what is said of its code
local function plan_text(p, costs)
  local lines = {
    ('plan %s'):format(p.name),
    ('  %s, %d lanes, %d registers'):format(p.isa.title, p.isa.lanes, p.isa.files.vector),
  }
  local pass = p.passes.forward
  for i, s in ipairs(pass.stages) do
    lines[#lines + 1] = ('  stage %d  %-8s %s'):format(i, s.stage.name,
      describe.tiles(s, p.isa, pass))
  end
  lines[#lines + 1] = ('  rows per walk %d; packed weights %s; work per thread %s to %s'):format(
    pass.work.rows, sizes.text(pass.packed_bytes), sizes.text(pass.work.row + pass.work.beside),
    sizes.text(pass.work.most))
  local formats = lists.map(pass.stages, function(s) return s.stage.stream.format end)
  for _, format in ipairs(lists.unique(formats)) do
    lists.append(lines, instructions_text(p.isa, format))
  end
  if costs then lines[#lines + 1] = '  ' .. costs end
  local abreast, sparse = describe.abreast_stages(pass), 0
  if abreast ~= '' then lines[#lines + 1] = '  ' .. abreast end
  local scratch = pass.form.name == 'walk' and describe.scratch_stages(pass.stages) or ''
  if scratch ~= '' then lines[#lines + 1] = '  ' .. scratch end
  for _, s in ipairs(pass.stages) do sparse = math.max(sparse, s.sparse and s.sparse.rows or 0) end
  if pass.far then
    lines[#lines + 1] = '  on any CPU: ' .. choice_names.reading(p.choices)
    for _, profile in ipairs(p.others) do
      lines[#lines + 1] = ('  on %s: %s'):format(profile.name,
        choice_names.reading(profile.choices))
    end
  end
  if sparse > 0 then
    lines[#lines + 1] = ('  zeros skipped where up to %d tokens share them'):format(sparse)
  end
  for _, form in ipairs(pass.form.name == 'straight' and pass.form.forms or {}) do
    lines[#lines + 1] = ('  %s: %d FMAs, %d loads; at two of each per cycle at least %d cycles')
      :format(form.rows == 1 and 'a straight line for 1 row' or ('loops for %d rows'):format(
        form.rows), form.fmas, form.loads, (math.max(form.fmas, form.loads) + 1) // 2)
  end
  for _, refusal in ipairs(pass.refused) do
    lines[#lines + 1] = '  ' .. describe.refusal(refusal)
  end
  if pass.lanes then
    lines[#lines + 1] = ('  %s: %d FMAs a block'):format(describe.lanes(pass.lanes),
      pass.lanes.fmas)
  end
  local training = p.training
  if training then
    lines[#lines + 1] = ('  training: %d rows at a time; packed weights %s; saved %s a token')
      :format(training.rows, sizes.text(training.packed_bytes), sizes.text(training.saved_bytes))
  end
  lists.append(lines, lists.map(p.others, profile_text))
  lines[#lines + 1] = ('  profile %s, choices: %s%s'):format(p.profile.name,
    choice_names.all_text(p.choices),
    p.tuned_for and ', measured on ' .. p.tuned_for or '')
  return lines
end

--- The page for one spec.
---@param s Spec
---@param plans Plan[] of that spec
local function page(root, s, plans)
  local lines = {}
  local function append(more)
    for _, line in ipairs(more) do lines[#lines + 1] = line end
    lines[#lines + 1] = ''
  end
  append(spec_text(s))
  append(layer_text(plans[1].layer))
  for _, p in ipairs(plans) do append(plan_text(p, code_costs.told(root, s, { p }))) end
  lines[#lines] = nil
  return table.concat(lines, '\n') .. '\n'
end

function M.run(root, args)
  local specs = pipeline.read(project.specs_or(root, args.spec))
  local how = { measured = arguments.measured(root, args), profiles = args.cpu }
  local known = {}
  for _, told in ipairs(mixtures.of(specs)) do
    if told.name == args.name then
      output.write(mixtures.page(told))
      return 0
    end
    known[#known + 1] = told.name
  end
  for _, s in ipairs(specs) do
    local wanted = {}
    for _, kernel in ipairs(pipeline.lower { s }) do
      if s.name == args.name or kernel.layer.name == args.name or kernel.name == args.name then
        wanted[#wanted + 1] = kernel
      end
      known[#known + 1] = kernel.name
    end
    known[#known + 1] = s.name
    if #wanted > 0 then
      if how.measured then pipeline.check_measured(root, wanted, how.measured) end
      output.write(page(root, s, pipeline.plan(wanted, how)))
      return 0
    end
  end
  local hint = record.suggest(args.name, known)
  if #hint >= 200 then
    hint = #args.spec > 0 and '; see ffngen list ' .. shell.quoted(args.spec[1])
      or '; see ffngen list, and for layers of your own: ffngen explain NAME my.lua'
  end
  problems.bad_input(nil, 'there is no spec, mixture, layer or kernel "%s"%s',
    record.shown(args.name), hint)
end

return M
