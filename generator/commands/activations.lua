--- `ffngen activations`: the activations alone, and exp and its like, as functions over arrays:
--- act_ISA.c for every instruction set, which tests and measurements compile.
local activations = require 'activation'
local arguments = require 'commands.arguments'
local emit = require 'emit.emit'
local exits = require 'commands.exits'
local isas = require 'isa'
local lists = require 'common.list'
local primitives = require 'activation.graph.primitives'

local M = { about = 'Write the activations alone as C functions over arrays.' }

M.purpose = {
  'For each instruction set activations writes one C file. The file holds each activation of '
    .. 'ffngen, its derivative, and exp and similar functions, as functions over arrays of floats. '
    .. 'The code is that of the kernels. Tests and measurements of accuracy compile these files.',
}

M.examples = { { 'ffngen activations --out act/', 'Write act/act_c.c, act/act_avx2.c and '
  .. 'others.' } }

M.files = {
  { 'DIR/act_ISA.c', 'The functions for one instruction set. They include headers of runtime/.' },
}

M.exits = { exits.success, exits.failure, exits.usage }

M.options = arguments.out

function M.run(root, args)
  local wanted = lists.map(primitives.names, function(name) return primitives.by_name[name] end)
  for _, name in ipairs(activations.names) do wanted[#wanted + 1] = activations.by_name[name] end
  -- Others differ from one of these in what they multiply alone.
  local able = lists.filter(isas.names, function(isa)
    return not isas.by_name[isa].only_with
  end)
  return arguments.write_out('activations', args, lists.map(able, function(isa)
    return {
      path = ('act_%s.c'):format(isa),
      text = emit.activations(root, isas.by_name[isa], wanted),
    }
  end))
end

return M
