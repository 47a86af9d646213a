--- `ffngen list`: every kernel, for people and for scripts.
local arguments = require 'commands.arguments'
local english = require 'lower.english'
local exits = require 'commands.exits'
local json = require 'dkjson'
local lists = require 'common.list'
local mixtures = require 'commands.mixtures'
local output = require 'common.output'
local pipeline = require 'pipeline'
local project = require 'commands.project'

local M = { about = 'List the kernels of spec files.' }

M.purpose = {
  'list prints one line for each kernel: its name, and what it computes. A layer has one kernel '
    .. 'for each instruction set. A line for each mixture of experts follows.',
  'With --json list prints all that is known of each kernel, such as `packed_bytes` (bytes of '
    .. 'packed weights), `work_bytes` (bytes of work memory) and `flop_per_token`.',
}

M.examples = {
  { 'ffngen list', 'List the kernels that ffngen ships.' },
  { 'ffngen list my.lua --json', 'List your own kernels as JSON.' },
}

M.files = { arguments.spec_file }

M.exits = { exits.success, exits.failure, exits.usage, exits.input }

function M.options(command)
  command:argument('spec', 'Spec files. Without a spec file: the layers that ffngen ships.')
    :args('*')
  arguments.json(command)
end

--- The fields of a kernel in JSON, in order.
local fields = {
  'name', 'layer', 'packed', 'spec', 'kind', 'variant', 'dtype', 'formats', 'arithmetics', 'isa',
  'inputs', 'hidden', 'outputs', 'bias', 'max_tokens', 'optimise', 'flop_per_token', 'packed_bytes',
  'work_bytes',
}

---@param s Stage
local function format_of(s) return s.stream.format.name end

---@param s Stage
local function arithmetic_of(s) return s.arithmetic.name end

---@param p Plan
local function row(p)
  local l = p.layer
  return {
    name = p.name, layer = l.name, packed = l.packed, spec = l.spec_name, kind = l.kind,
    variant = l.variant, dtype = 'f32', formats = lists.map(l.passes.forward, format_of),
    arithmetics = lists.map(l.passes.forward, arithmetic_of), isa = p.isa.name,
    inputs = l.inputs, hidden = l.hidden,
    outputs = l.outputs, bias = l.bias, max_tokens = l.max_tokens,
    optimise = p.passes.forward.form.name == 'compact' and 'size' or 'speed',
    flop_per_token = l.flop_per_token,
    packed_bytes = p.passes.forward.packed_bytes, work_bytes = p.passes.forward.work.most,
  }
end

function M.run(root, args)
  local specs = pipeline.read(project.specs_or(root, args.spec))
  local plans = pipeline.plan(pipeline.lower(specs), {})
  local mixed = mixtures.of(specs)
  if args.json then
    output.write(json.encode({ schema = 1, kernels = lists.map(plans, row),
      mixtures = #mixed > 0 and lists.map(mixed, mixtures.row) or nil }, {
      indent = true,
      keyorder = lists.unique(lists.append({ 'schema', 'kernels', 'mixtures',
        table.unpack(fields) }, mixtures.json_fields)),
    }), '\n')
  else
    for _, p in ipairs(plans) do
      output.line('%-60s %s', p.name, english.describe(p.name, p.layer.activations))
    end
    for _, told in ipairs(mixed) do output.line('%-60s %s', told.name, mixtures.line(told)) end
  end
  return 0
end

return M
